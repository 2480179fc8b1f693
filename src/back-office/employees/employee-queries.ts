import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Change } from '../../employees/changes-model.ts';
import type { CreateEmployee, Employee, GivenPassword, GiveRole, UpdateEmployee } from '../../employees/model.ts';
import { statuses } from '../../vocabulary/status.ts';
import { type Own, useOwn } from '../account/own.ts';
import { answer, api, done, ifMatch, listOf, type Versioned, versioned } from '../api/client.ts';
import type { pagingIn, Search } from '../page/search.ts';
import { attentionIn } from './attention-filter.tsx';

/** The filters of the list in the address, as the routes take them. */
export function employeeFilter(search: Search) {
	const [status, keyword] = [search.oneOf('status', statuses), search.get('keyword')];
	const [storeId, roleId] = [search.integer('storeId'), search.integer('roleId')];
	return {
		...(status && { status }),
		...(keyword && { search: keyword }),
		...(storeId && { storeId }),
		...(roleId && { roleId }),
		...attentionIn(search),
	};
}
export type EmployeeFilter = ReturnType<typeof employeeFilter>;

/** One page of the employees who pass a filter; the newest first. */
export function employeePage(filter: EmployeeFilter, paging: ReturnType<typeof pagingIn>) {
	const query = { ...filter, ...paging, order: 'desc' as const, include: 'activity' as const };
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
	const query = { include: 'activity' as const };
	return queryOptions({ queryKey: ['employees', id], queryFn: () => versioned(api.employees({ id }).get({ query })) });
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

/** Gives somebody a one-time password, which replaces the one that they have. */
export async function issuePassword(employee: Versioned<Employee>): Promise<GivenPassword> {
	const { id, version, name, phone, storeName } = employee;
	const given = await answer(api.employees({ id })['one-time-password'].post(undefined, ifMatch(version)));
	return { id, name, phone, storeName, ...given };
}

/** The same for many: all of them or none. */
export const issuePasswords = (ids: readonly number[]) =>
	answer(api.employees['one-time-passwords'].post({ ids: [...ids] }));

/** What somebody may do, and whether they can sign in. */
export function accessOf(id: number) {
	return queryOptions({
		queryKey: ['employees', `${id}`, 'access'],
		queryFn: () => answer(api.employees({ id }).access.get()),
	});
}

/** Lets somebody who lost their phone sign in without codes again. */
export const removeSecondFactor = ({ id, version }: Versioned<Employee>) =>
	done(api.employees({ id })['second-factor'].delete(undefined, ifMatch(version)));

/** Brings a deleted person back, to another store when one is given. */
export const restoreEmployee = (id: number, storeId: number | undefined) =>
	answer(
		api.employees({ id }).restore.post(undefined, { query: storeId === undefined ? {} : { storeId: `${storeId}` } }),
	);

export const giveRole = (id: number, role: GiveRole) => answer(api.employees({ id }).roles.post(role));

/** The ids of all who pass a filter, page by page. */
export async function employeeIds(filter: EmployeeFilter, total: number): Promise<ReadonlySet<number>> {
	const ids = new Set<number>();
	for (let page = 1; page <= Math.ceil(total / 100); page += 1) {
		const query = { ...filter, order: 'desc' as const, page: `${page}`, pageSize: '100' };
		for (const { id } of (await answer(api.employees.get({ query }))).items) ids.add(id);
	}
	return ids;
}

/** Does the same to many; with `dryRun` the answer says what would happen. */
export const changeEmployees = (ids: readonly number[], change: Change, dryRun = false) =>
	answer(api.employees.changes.post({ ids: [...ids], change }, { query: { dryRun: `${dryRun}` } }));

export const undoChanges = (groupId: number) => answer(api.employees.changes({ groupId }).undo.post());

export const deleteEmployee = ({ id, version }: Versioned<Employee>) =>
	done(api.employees({ id }).delete(undefined, ifMatch(version)));
