import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { EmployeeOptions, EmployeesChange } from '../../features/employees/model.ts';
import { type Own, reaches, useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { queryOf, thingsOf } from '../api/things.ts';
import type { Option } from '../page/name-search.tsx';
import type { Search } from '../page/search.ts';
import type { EmployeeFilter } from './employee-filter.ts';

/** One page of the employees who pass a filter, the newest first. */
export function employeePage(filter: EmployeeFilter, paging: Search['paging']) {
	const query = { ...filter, ...paging, order: 'desc' as const, include: 'activity' as const };
	const kind = filter.deleted ? 'deleted' : 'live';
	return {
		...queryOf(['employees', kind, query], () => api.employees.get({ query })),
		// The page stays until the answer is there, unless the columns are others.
		placeholderData: <Before>(before: Before, last?: { queryKey: readonly unknown[] }) =>
			last?.queryKey[1] === kind ? before : undefined,
	};
}

export const oneEmployee = thingsOf('employees', api.employees, { include: 'activity,externalId' as const });

/** A store or a role to choose. */
export type Choice = EmployeeOptions[keyof EmployeeOptions][number];

/** A store, a role or an employee in the value of a select with `labelInValue`. */
export type Chosen = Option<number>;

/**
 * The options of filters: the stores and roles that the account may view, or else those that it may assign. They are read
 * again after a minute, because there can be thousands, or at once if a wanted one is not among them.
 */
export function visibleChoices(own: Own, wanted: Partial<Record<keyof EmployeeOptions, number | undefined>> = {}) {
	const { can } = own;
	const has = (all: Choice[], id?: number) => id === undefined || all.some((each) => each.id === id);
	return queryOptions({
		queryKey: ['choices', 'visible'],
		staleTime: ({ state: { data } }) =>
			data && has(data.stores, wanted.stores) && has(data.roles, wanted.roles) ? 60_000 : 0,
		async queryFn(): Promise<EmployeeOptions> {
			const query = { include: 'area' as const };
			const [stores, roles, assignable] = await Promise.all([
				can('store:view') ? answer(api.stores.all.get({ query })) : undefined,
				can('role:view') ? answer(api.roles.all.get()) : undefined,
				can('employee:manage') && !(can('store:view') && can('role:view'))
					? answer(api.employees.options.get())
					: { stores: [], roles: [] },
			]);
			return {
				stores: stores?.filter((store) => reaches(own, store)) ?? assignable.stores,
				roles: roles ?? assignable.roles,
			};
		},
	});
}

/** The stores that the account may hire into and the roles that it may assign. */
export const assignableChoices = queryOf(['choices', 'assignable'], () => api.employees.options.get());

/** Gives employees one-time passwords, which replace their present ones: all of them or none. */
export const issuePasswords = (ids: readonly number[]) =>
	answer(api.employees['one-time-passwords'].post({ ids: [...ids] }));

/**
 * An employee's permissions, and whether they can sign in; pending forever if the account may not know, or without an
 * employee.
 */
export function useAccess(id: number | undefined) {
	const { can } = useOwn();
	return useQuery({
		queryKey: ['employees', `${id}`, 'access'],
		queryFn: id === undefined ? skipToken : () => answer(api.employees({ id }).access.get()),
		enabled: can('permission:view') || can('employee:manage'),
	});
}

/** Whether an employee has no password of their own: the initial one, or a one-time password. False if it cannot be read. */
export const lacksPassword = (id: number): Promise<boolean> =>
	answer(api.employees({ id }).access.get()).then(
		({ passwordIsInitial, passwordExpiresAt }) => passwordIsInitial || passwordExpiresAt !== null,
		() => false,
	);

/** The ids of all who pass a filter, page by page. */
export async function employeeIds(filter: EmployeeFilter, total: number): Promise<ReadonlySet<number>> {
	const ids = new Set<number>();
	for (let page = 1; page <= Math.ceil(total / 100); page += 1) {
		const query = { ...filter, order: 'desc' as const, page, pageSize: 100 };
		for (const { id } of (await answer(api.employees.get({ query }))).items) ids.add(id);
	}
	return ids;
}

/** Makes the same change to many employees. With `dryRun` the answer only says what would happen. */
export const changeEmployees = (ids: readonly number[], change: EmployeesChange, dryRun = false) =>
	answer(api.employees.changes.post({ ids: [...ids], change }, { query: { dryRun } }));
