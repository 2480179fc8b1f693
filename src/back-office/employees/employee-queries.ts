import { queryOptions } from '@tanstack/react-query';
import type { CreateEmployee, Employee, ImportResult } from '../../employees/model.ts';
import { phoneOrText, readPhone } from '../../vocabulary/phone.ts';
import { type Status, statuses } from '../../vocabulary/status.ts';
import type { Own } from '../account/own.ts';
import { answer, api, done, listOf, sendFile } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** The filters of the list in the address, as the routes take them. */
export function employeeFilter(search: Search) {
	const [status, keyword] = [search.oneOf('status', statuses), search.get('keyword')];
	const [storeId, roleId] = [search.integer('storeId'), search.integer('roleId')];
	return {
		...(status && { status }),
		...(keyword && { keyword: phoneOrText(keyword) }),
		...(storeId && { storeId }),
		...(roleId && { roleId }),
	};
}

/** One page of employees, as the address filters them; the newest first. */
export function employeePage(search: Search) {
	const query = { ...employeeFilter(search), ...pagingIn(search), order: 'desc' as const };
	return queryOptions({
		queryKey: ['employees', query],
		queryFn: () => answer(api.employees.get({ query })),
		placeholderData: (before) => before,
	});
}

/** One employee. */
export function employeeById(id: string) {
	return queryOptions({ queryKey: ['employees', id], queryFn: () => answer(api.employees({ id }).get()) });
}

interface Choice {
	id: number;
	name: string;
}

/** Stores and roles to choose from. */
export interface Choices {
	stores: Choice[];
	roles: Choice[];
}

/** The stores and roles that the account may look at, for filters. */
export function visibleChoices({ can }: Own) {
	return queryOptions({
		queryKey: ['choices', 'visible'],
		async queryFn(): Promise<Choices> {
			const [stores, roles] = await Promise.all([
				can('store:view') ? listOf(api.stores.get({ query: { includeInactive: 'true' } })) : [],
				can('role:view') ? listOf(api.roles.get()) : [],
			]);
			return { stores, roles };
		},
	});
}

/** The stores that the account may hire into and the roles that it may assign. */
export const assignableChoices = queryOptions({
	queryKey: ['choices', 'assignable'],
	queryFn: (): Promise<Choices> => answer(api.employees.options.get()),
});

/** Creates an employee, or changes the one with the id. */
export function saveEmployee(id: number | undefined, typed: CreateEmployee): Promise<Employee> {
	const values = { ...typed, phone: readPhone(typed.phone) ?? typed.phone };
	return answer(id === undefined ? api.employees.post(values) : api.employees({ id }).patch(values));
}

export const setEmployeeStatus = (id: number, status: Status) => answer(api.employees({ id }).status.patch({ status }));

export const resetEmployeePassword = (id: number) => answer(api.employees({ id }).password.reset.patch());

export const deleteEmployee = (id: number) => done(api.employees({ id }).delete());

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file with employees, as it was read. */
export interface ReadFile {
	name: string;
	bytes: ArrayBuffer;
}

/** Sends a file with employees; with `dryRun`, it is only checked. */
export async function importFile(file: ReadFile, dryRun: boolean): Promise<ImportResult> {
	const response = await sendRead(`api/employees/import?dryRun=${dryRun}`, file);
	const { data }: { data: ImportResult } = await response.json();
	return data;
}

/** The file with a column of its problems. */
export async function fileWithProblems(file: ReadFile): Promise<Blob> {
	return await (await sendRead('api/employees/import/problems', file)).blob();
}

function sendRead(path: string, { name, bytes }: ReadFile): Promise<Response> {
	const type = name.toLowerCase().endsWith('.xlsx') ? spreadsheet : 'text/csv';
	return sendFile(path, { method: 'POST', headers: { 'content-type': type }, body: bytes });
}
