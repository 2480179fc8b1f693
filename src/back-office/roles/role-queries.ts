import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PermissionPolicy } from '../../features/permissions/model.ts';
import type { CreateRole, Role } from '../../features/roles/model.ts';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { canSeeEmployees, type Own, useOwn } from '../account/own.ts';
import { answer, api, ifMatch, listOf, type Versioned, versioned } from '../api/client.ts';
import { thingsOf } from '../api/things.ts';
import { heldBy } from '../permissions/permission-queries.ts';

/** A role as lists show it. */
export type ListedRole = Omit<Role, 'createdAt' | 'updatedAt'>;

/** A role, and its permissions for an account that may know them; each has a version of its own. */
export interface RoleWithPolicy extends Versioned<ListedRole> {
	policy?: Versioned<PermissionPolicy> | undefined;
}

/** The points that a role holds, as far as that is known. */
export const heldIn = ({ policy }: Pick<RoleWithPolicy, 'policy'>) => (policy ? heldBy(policy) : []);

/** The fields of the form of a role, as far as the account may change them. */
export interface RoleValues extends CreateRole {
	permissions?: PermissionCode[];
}

/** A role as its policy describes it, for an account that may not look at roles. */
export function roleOf({ roleId, roleCode, roleName, roleDescription, isSystem }: PermissionPolicy): ListedRole {
	return { id: roleId, code: roleCode, name: roleName, description: roleDescription, isSystem };
}

/** Every role. */
export const allRoles = queryOptions({ queryKey: ['roles'], queryFn: () => listOf(api.roles.get()) });

export const oneRole = thingsOf('roles', api.roles, {});

/** A role with its permissions, by whichever of the two the account may know. */
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

/** Saves the changed fields of a role, and its permissions. */
export async function changeRole(role: RoleWithPolicy, { permissions, ...fields }: Partial<RoleValues>) {
	if (Object.keys(fields).length > 0) await oneRole.change(role, fields);
	const policy = api.permissions.roles({ roleId: role.id });
	if (permissions) await answer(policy.put({ permissions }, ifMatch(role.policy?.version)));
	return role;
}

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
