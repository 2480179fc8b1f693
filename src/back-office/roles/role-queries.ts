import { queryOptions } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../permissions/model.ts';
import type { CreateRole, Role, UpdateRole } from '../../roles/model.ts';
import { answer, api, done, ifMatch, pageOf, type Versioned, versioned } from '../api/client.ts';
import { pagingIn, type Search } from '../page/search.ts';

/** What the pages show of a role, and change. */
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

/** One role. */
export function roleById(id: string) {
	return queryOptions({
		queryKey: ['roles', id],
		queryFn: (): Promise<EditedRole> => versioned(api.roles({ id }).get()),
	});
}

/** A code that no role has, from the pinyin of a name. */
export function proposedCode(name: string) {
	return queryOptions({
		queryKey: ['roles', 'code', name],
		queryFn: async () => (await answer(api.roles.code.get({ query: { name } }))).code,
	});
}

export const createRole = (values: CreateRole) => answer(api.roles.post(values));

/** Changes a role that has the version of `role`. */
export const changeRole = ({ id, version }: EditedRole, changes: UpdateRole) =>
	answer(api.roles({ id }).patch(changes, ifMatch(version)));

export const deleteRole = ({ id, version }: EditedRole) => done(api.roles({ id }).delete(undefined, ifMatch(version)));
