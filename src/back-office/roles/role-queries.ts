import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../features/permissions/model.ts';
import type { CreateRole, Role } from '../../features/roles/model.ts';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { canSeeEmployees, type Own, useOwn } from '../account/own.ts';
import { answer, api, ifMatch, type Versioned, versioned } from '../api/client.ts';
import { queryOf, thingsOf } from '../api/things.ts';

/** A role in a list. */
export type ListedRole = Omit<Role, 'createdAt' | 'updatedAt'>;

/** A role, with its permissions if the account may see them. Each has a version of its own. */
export interface RoleWithPolicy extends Versioned<ListedRole> {
	policy?: Versioned<PermissionPolicy> | undefined;
}

/** The fields of a role's form that the account may change. */
export interface RoleValues extends CreateRole {
	permissions?: PermissionCode[];
}

/** A role from its policy, for an account that may not view roles. */
export function roleOf({ roleId, roleCode, roleName, roleDescription, isSystem }: PermissionPolicy): ListedRole {
	return { id: roleId, code: roleCode, name: roleName, description: roleDescription, isSystem };
}

/** Every role. */
export const allRoles = queryOf(['roles'], () => api.roles.all.get());

export const oneRole = thingsOf('roles', api.roles, {});

/** A role with its permissions, or one of the two if the account may not see both. */
export function roleWithPolicy({ can }: Pick<Own, 'can'>, id: string) {
	return queryOptions({
		queryKey: ['roles', id, 'policy'],
		async queryFn(): Promise<RoleWithPolicy> {
			const policy = can('permission:view') ? versioned(api.permissions.roles({ roleId: id }).get()) : undefined;
			if (policy && !can('role:view')) return { ...roleOf(await policy), policy: await policy };
			const [role, held] = await Promise.all([versioned(api.roles({ id }).get({ query: {} })), policy]);
			return { ...role, policy: held };
		},
	});
}

/** Saves the changed fields and permissions of a role. @returns the saved role. */
export async function changeRole(role: RoleWithPolicy, changes: Partial<RoleValues>): Promise<RoleWithPolicy> {
	const { permissions, ...fields } = changes;
	const saved = Object.keys(fields).length > 0 ? await oneRole.change(role, fields) : role;
	if (!permissions) return { ...role, ...saved };
	const policy = api.permissions.roles({ roleId: role.id });
	return { ...role, ...saved, policy: await versioned(policy.put({ permissions }, ifMatch(role.policy?.version))) };
}

/** An unused code from the pinyin of a name. */
export const proposeCode = async (name: string) => (await answer(api.roles.code.get({ query: { name } }))).code;

/** Whether the account may see the holders of roles. */
export const seesHolders = (own: Own) => own.can('role:view') && canSeeEmployees(own);

/** The number of holders of a role; undefined while it is not known, or if the account may not see it. */
export function useHolderCounts(): ((roleId: number) => number) | undefined {
	const own = useOwn();
	const { data } = useQuery({
		...queryOf(['roles', 'holders'], () => api.roles.holders.get()),
		enabled: seesHolders(own),
	});
	const counts = data && new Map(data.map(({ roleId, employees }) => [roleId, employees]));
	return counts && ((roleId) => counts.get(roleId) ?? 0);
}
