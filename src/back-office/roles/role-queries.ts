import { queryOptions, useQuery } from '@tanstack/react-query';
import type { CreateRole, Role, UpdateRole } from '../../roles/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api, done, ifMatch, pageOf, type Versioned, versioned } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** One page of roles, as the address filters them. */
export function rolePage(search: Search) {
	const keyword = search.get('keyword');
	const query = { ...pagingIn(search), ...(keyword && { keyword }) };
	return queryOptions({
		queryKey: ['roles', query],
		queryFn: () => pageOf(api.roles.get({ query })),
		placeholderData: (before) => before,
	});
}

/** One role. */
export function roleById(id: string) {
	return queryOptions({ queryKey: ['roles', id], queryFn: () => versioned(api.roles({ id }).get()) });
}

/** One page of the people who hold a role. */
export function roleHolders(id: string, page: number) {
	return queryOptions({
		queryKey: ['roles', id, 'holders', page],
		queryFn: () => answer(api.roles({ id }).employees.get({ query: { page: `${page}`, pageSize: '20' } })),
		placeholderData: (before) => before,
	});
}

/** How many people hold a role, as far as the account may know. */
export function useHolderCount(id: string): number | undefined {
	const own = useOwn();
	const mayKnow = own.can('role:view') && canSeeEmployees(own);
	return useQuery({ ...roleHolders(id, 1), enabled: mayKnow }).data?.pagination.total;
}

export const createRole = (values: CreateRole) => answer(api.roles.post(values));

/** Changes a role that has the version of `role`. */
export const changeRole = ({ id, version }: Versioned<Role>, changes: UpdateRole) =>
	answer(api.roles({ id }).patch(changes, ifMatch(version)));

export const deleteRole = ({ id, version }: Versioned<Role>) =>
	done(api.roles({ id }).delete(undefined, ifMatch(version)));
