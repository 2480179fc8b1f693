import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ImportResult } from '../../employee-files/model.ts';
import type { CreateEmployee, Employee, UpdateEmployee } from '../../employees/model.ts';
import { type Status, statuses } from '../../vocabulary/status.ts';
import { type Own, useOwn } from '../account/own.ts';
import { answer, api, done, ifMatch, listOf, sendFile, type Versioned, versioned } from '../api/client.ts';
import type { pagingIn, Search } from '../page/search.ts';

/** What the people who still have the initial password are called. */
export const initialPasswordLabel = '初始密码未修改';

/** The filters of the list in the address, as the routes take them. */
export function employeeFilter(search: Search) {
	const [status, keyword] = [search.oneOf('status', statuses), search.get('keyword')];
	const [storeId, roleId] = [search.integer('storeId'), search.integer('roleId')];
	const passwordIsInitial = search.oneOf('passwordIsInitial', ['true']);
	return {
		...(status && { status }),
		...(keyword && { search: keyword }),
		...(storeId && { storeId }),
		...(roleId && { roleId }),
		...(passwordIsInitial && { passwordIsInitial }),
	};
}
export type EmployeeFilter = ReturnType<typeof employeeFilter>;

/** One page of the employees who pass a filter; the newest first. */
export function employeePage(filter: EmployeeFilter, paging: ReturnType<typeof pagingIn>) {
	const query = { ...filter, ...paging, order: 'desc' as const };
	return queryOptions({
		queryKey: ['employees', query],
		queryFn: () => answer(api.employees.get({ query })),
		placeholderData: (before) => before,
	});
}

/** How many employees pass a filter. */
export function employeeCount(filter: EmployeeFilter) {
	const query = { ...filter, pageSize: '1' };
	return queryOptions({
		queryKey: ['employees', 'count', query],
		queryFn: async () => (await answer(api.employees.get({ query }))).pagination.total,
	});
}

/** One employee. */
export function employeeById(id: string) {
	return queryOptions({ queryKey: ['employees', id], queryFn: () => versioned(api.employees({ id }).get()) });
}

/** A store or a role to choose. */
export interface Choice {
	id: number;
	name: string;
}

/** Stores and roles to choose from. */
export interface Choices {
	stores: Choice[];
	roles: Choice[];
}

/** The stores and roles that the account may look at, or else those that it may assign, for filters. */
export function visibleChoices({ can }: Own) {
	return queryOptions({
		queryKey: ['choices', 'visible'],
		async queryFn(): Promise<Choices> {
			const [stores, roles, assignable] = await Promise.all([
				can('store:view') ? listOf(api.stores.get({ query: { includeInactive: 'true' } })) : undefined,
				can('role:view') ? listOf(api.roles.get()) : undefined,
				can('employee:manage') ? answer(api.employees.options.get()) : { stores: [], roles: [] },
			]);
			return { stores: stores ?? assignable.stores, roles: roles ?? assignable.roles };
		},
	});
}

/** The stores that the account may hire into and the roles that it may assign. */
export const assignableChoices = queryOptions({
	queryKey: ['choices', 'assignable'],
	queryFn: (): Promise<Choices> => answer(api.employees.options.get()),
});

/**
 * Whether the account may change an employee. The server asks whether it holds all that the employee's roles grant, and it
 * may assign exactly the roles of which that is true. Undefined while this is not known.
 */
export function useMayChange({ roles }: Pick<Employee, 'roles'>): boolean | undefined {
	const { can } = useOwn();
	const { data, isError } = useQuery({ ...assignableChoices, enabled: can('employee:manage') });
	if (!can('employee:manage')) return false;
	const assignable = new Set(data?.roles.map(({ id }) => id));
	return data ? roles.every(({ id }) => assignable.has(id)) : isError || undefined;
}

export const createEmployee = (values: CreateEmployee) => answer(api.employees.post(values));

/** Changes an employee who has the version of `employee`. */
export const changeEmployee = ({ id, version }: Versioned<Employee>, changes: UpdateEmployee) =>
	answer(api.employees({ id }).patch(changes, ifMatch(version)));

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
