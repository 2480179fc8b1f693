/** What each role may do. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, snapshot, transaction } from '../database/query.ts';
import { rolePermissions } from '../database/schema.ts';
import { recordChange } from '../history/record.ts';
import { entityTag, refuseStale, type Version } from '../history/versions.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { permissionsOfRoles } from '../roles/held-roles.ts';
import type { Role } from '../roles/model.ts';
import { getRole, listRoles } from '../roles/service.ts';
import type { Caller } from '../session/actor.ts';
import {
	catalog,
	inOrder,
	menusFor,
	type Permission,
	type PermissionCode,
	type Permissions,
	scopeOf,
	withDependencies,
} from '../vocabulary/permissions.ts';
import type { PermissionPolicy } from './model.ts';

const read = queries(({ select }) => ({
	lastChange: select({
		at: sql<string | null>`max(max(${rolePermissions.grantedAt}), coalesce(max(${rolePermissions.deletedAt}), ''))`,
	})
		.from(rolePermissions)
		.where(eq(rolePermissions.roleId, bound('roleId'))),
}));

/** The fields of a role that its policy shows. */
type PolicyRole = Pick<Role, 'id' | 'code' | 'name' | 'description' | 'isSystem'>;

/** The policy of every role, the super administrator's first. */
export function listPolicies(db: Db): PermissionPolicy[] {
	return snapshot(db, () => {
		const roles = listRoles(db);
		const granted = permissionsOfRoles(db, roles);
		const policies = roles.map((role) => policyOf(role, granted.get(role.id) ?? new Set()));
		return [superAdministratorPolicy, ...policies];
	});
}

/** The policy of one role. @throws AppError NOT_FOUND */
export function getPolicy(db: Db, roleId: number): PermissionPolicy {
	const { role, held } = snapshot(db, () => find(db, roleId));
	return policyOf(role, held);
}

/** The `ETag` of the policy of a role. */
export function policyTag(db: Db, policy: PermissionPolicy): string {
	return entityTag(versionOf(db, policy));
}

function versionOf(db: Db, { roleId, permissions }: PermissionPolicy): Version {
	const titles = permissions.map((code) => catalog.permissions.find((point) => point.code === code)?.title ?? code);
	return {
		updatedAt: read(db).lastChange.get({ roleId })?.at ?? neverChanged,
		fields: { permissions },
		shown: { permissions: titles.join('、') },
	};
}

/** The time in the tag of a policy whose role never held a permission. */
const neverChanged = new Date(0).toISOString();

/** A role and the permissions that it holds. @throws AppError NOT_FOUND */
function find(db: Db, roleId: number): { role: Role; held: Set<PermissionCode> } {
	const role = getRole(db, roleId);
	return { role, held: new Set(permissionsOfRoles(db, [role]).get(roleId)) };
}

/**
 * Makes a role hold exactly the submitted codes and what they depend on; relations that are removed stay as records.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED when the caller expects other permissions.
 */
export function replacePermissions(
	db: Db,
	caller: Caller,
	roleId: number,
	submitted: readonly PermissionCode[],
	at: string,
): PermissionPolicy {
	return transaction(db, () => {
		const { role, held } = find(db, roleId);
		refuseStale(db, caller, { type: 'ROLE', id: roleId }, versionOf(db, policyOf(role, held)), at);
		const wanted = new Set(withDependencies(submitted));
		revoke(db, roleId, [...held.difference(wanted)], at);
		grant(db, roleId, [...wanted.difference(held)], at);
		const change = {
			before: { ...role, permissions: inOrder(held) },
			after: { ...role, permissions: inOrder(wanted) },
		};
		recordChange(db, caller, 'ROLE_PERMISSIONS_REPLACE', change, ({ permissions }) => ({ permissions }), at);
		return policyOf(role, wanted);
	});
}

function revoke(db: Db, roleId: number, codes: PermissionCode[], at: string): void {
	if (codes.length === 0) return;
	db.update(rolePermissions)
		.set({ deletedAt: at })
		.where(
			and(
				eq(rolePermissions.roleId, roleId),
				inArray(rolePermissions.permission, codes),
				isNull(rolePermissions.deletedAt),
			),
		)
		.run();
}

function grant(db: Db, roleId: number, codes: PermissionCode[], at: string): void {
	if (codes.length === 0) return;
	db.insert(rolePermissions)
		.values(codes.map((permission) => ({ roleId, permission, grantedAt: at })))
		.run();
}

const superAdministratorPolicy = {
	...policyOf({ ...superAdministrator, isSystem: true }, new Set<Permission>(['*'])),
	editable: false,
};

function policyOf(role: PolicyRole, permissions: Permissions): PermissionPolicy {
	return {
		roleId: role.id,
		roleCode: role.code,
		roleName: role.name,
		roleDescription: role.description ?? '',
		isSystem: role.isSystem,
		editable: true,
		scope: scopeOf(permissions),
		permissions: inOrder(permissions),
		menus: menusFor(permissions).map(({ key, title, actions }) => ({ key, title, actions })),
	};
}
