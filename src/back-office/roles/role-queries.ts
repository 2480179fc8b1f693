import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../features/permissions/model.ts';
import type { Role } from '../../features/roles/model.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api, pageOf, type Versioned } from '../api/client.ts';
import { thingsOf } from '../api/things.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** The fields of a role that the pages show and change. */
export type EditedRole = Versioned<Omit<Role, 'createdAt' | 'updatedAt'>>;

/** A role as its policy describes it, for an account that may not look at roles. */
export function roleOf({ roleId, roleCode, roleName, roleDescription, isSystem }: PermissionPolicy): EditedRole {
	return { id: roleId, code: roleCode, name: roleName, description: roleDescription, isSystem };
}

/** One page of roles, as the address filters them. */
export function rolePage(search: Search) {
	const keyword = search.get('keyword');
	const query = { ...pagingIn(search), ...(keyword && { search: keyword }) };
	return queryOptions({
		queryKey: ['roles', query],
		queryFn: () => pageOf(api.roles.get({ query })),
		placeholderData: (before) => before,
	});
}

export const oneRole = thingsOf('roles', api.roles, {});

/** A code that no role has, from the pinyin of a name. */
export const proposeCode = async (name: string) => (await answer(api.roles.code.get({ query: { name } }))).code;

/** How many people hold a role; undefined while this is not known, or for an account that may not know. */
export function useHolderCounts(): ((roleId: number) => number) | undefined {
	const own = useOwn();
	const { data } = useQuery({
		queryKey: ['roles', 'holders'],
		queryFn: () => answer(api.roles.holders.get()),
		enabled: own.can('role:view') && canSeeEmployees(own),
	});
	const counts = data && new Map(data.map(({ roleId, employees }) => [roleId, employees]));
	return counts && ((roleId) => counts.get(roleId) ?? 0);
}
