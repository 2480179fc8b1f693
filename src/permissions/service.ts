/** What each role may do. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, snapshot, transaction } from '../database/query.ts';
import { rolePermissions } from '../database/schema.ts';
import { recordChange } from '../history/record.ts';
import { refuseStale, type Version } from '../history/versions.ts';
import { valueWord } from '../history/words.ts';
import { superAdministrator } from '../roles/built-in.ts';
import type { Role } from '../roles/model.ts';
import { getRole, listRoles, permissionsOfRoles } from '../roles/service.ts';
import type { Caller } from '../session/actor.ts';
import {
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

/** The version of the policy of a role. */
export function policyVersion(db: Db, { roleId, permissions }: PermissionPolicy): Version {
	return {
		// A role that never held a permission has no change.
		updatedAt: read(db).lastChange.get({ roleId })?.at ?? new Date(0).toISOString(),
		fields: { permissions },
		shown: { permissions: permissions.map(valueWord).join('、') },
	};
}

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
): PermissionPolicy {
	return transaction(db, () => {
		const { role, held } = find(db, roleId);
		const before = policyOf(role, held);
		refuseStale(db, caller, { type: 'ROLE', id: roleId }, policyVersion(db, before));
		const wanted = new Set(withDependencies(submitted));
		revoke(db, roleId, [...held.difference(wanted)], caller.at);
		const granted = [...wanted.difference(held)].map((permission) => ({ roleId, permission, grantedAt: caller.at }));
		if (granted.length > 0) db.insert(rolePermissions).values(granted).run();
		const after = policyOf(role, wanted);
		const change = { before: { ...role, ...before }, after: { ...role, ...after } };
		recordChange(db, caller, 'ROLE_PERMISSIONS_REPLACE', change, ({ permissions }) => ({ permissions }));
		return after;
	});
}

function revoke(db: Db, roleId: number, codes: PermissionCode[], at: string): void {
	const { permission, deletedAt } = rolePermissions;
	const held = and(eq(rolePermissions.roleId, roleId), inArray(permission, codes), isNull(deletedAt));
	db.update(rolePermissions).set({ deletedAt: at }).where(held).run();
}

const superAdministratorPolicy = {
	...policyOf({ ...superAdministrator, isSystem: true }, new Set<Permission>(['*'])),
	editable: false,
};

function policyOf(role: Omit<Role, 'createdAt' | 'updatedAt'>, permissions: Permissions): PermissionPolicy {
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
