/** The permission policies of roles. */
import { and, eq, inArray, isNull, max } from 'drizzle-orm';
import { type ChangeContext, changesBetween, record } from '../../identity/history/record.ts';
import { requireCurrent, type Version } from '../../identity/history/versions.ts';
import type { Caller } from '../../identity/session/actor.ts';
import { inOrder, permissionsByRole, requireAssignable } from '../../identity/session/granted-permissions.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, transaction } from '../../platform/database/query.ts';
import { rolePermissions } from '../../platform/database/schema.ts';
import {
	menusFor,
	type Permission,
	type PermissionCode,
	type Permissions,
	scopeOf,
	withDependencies,
} from '../../platform/vocabulary/permissions.ts';
import { superAdministrator } from '../roles/built-in.ts';
import type { Role } from '../roles/model.ts';
import { getRole, listRoles } from '../roles/service.ts';
import type { PermissionPolicy, ReplacePermissions } from './model.ts';

const read = queries(({ select }) => ({
	newest: select({ at: max(rolePermissions.grantedAt) })
		.from(rolePermissions)
		.where(eq(rolePermissions.roleId, param('roleId'))),
}));

/** Lists the policy of every role, the super administrator's first. */
export function listPolicies(db: Db): PermissionPolicy[] {
	const granted = permissionsByRole(db);
	const policies = listRoles(db).map((role) => policyOf(db, role, granted.get(role.id) ?? new Set()));
	const ofSuperAdministrator = policyOf(db, { ...superAdministrator, isSystem: true }, new Set<Permission>(['*']));
	return [{ ...ofSuperAdministrator, editable: false }, ...policies];
}

/** The policy of one role. @throws AppError NOT_FOUND */
export function getPolicy(db: Db, roleId: number): PermissionPolicy {
	return policyOf(db, getRole(db, roleId), permissionsOf(db, roleId));
}

/** The version of the policy of a role. */
export function policyVersion(db: Db, { roleId, permissions }: PermissionPolicy): Version {
	return {
		type: 'ROLE',
		// Only a new grant can bring back a former set, so its time is enough to tell them apart.
		updatedAt: read(db).newest.get({ roleId })?.at ?? new Date(0).toISOString(),
		fields: { permissions },
	};
}

function permissionsOf(db: Db, roleId: number): ReadonlySet<PermissionCode> {
	return permissionsByRole(db).get(roleId) ?? new Set();
}

/**
 * Replaces the permissions of a role with the submitted codes and their dependencies. Revoked permissions stay as
 * records.
 * @throws AppError VALIDATION_ERROR for a code that the definitions do not list; NOT_FOUND; PRECONDITION_FAILED.
 */
export function replacePermissions(db: Db, caller: Caller, roleId: number, body: ReplacePermissions): PermissionPolicy {
	return transaction(db, () => {
		requireAssignable(db, body.permissions);
		const [role, held] = [getRole(db, roleId), permissionsOf(db, roleId)];
		requireCurrent(db, caller, role, () => policyVersion(db, policyOf(db, role, held)));
		const requested = new Set(withDependencies(body.permissions));
		if (held.symmetricDifference(requested).size === 0) return policyOf(db, role, held);
		const { permission, deletedAt } = rolePermissions;
		const lost = inArray(permission, [...held.difference(requested)]);
		db.update(rolePermissions)
			.set({ deletedAt: caller.at })
			.where(and(eq(rolePermissions.roleId, roleId), lost, isNull(deletedAt)))
			.run();
		const added = [...requested.difference(held)];
		const granted = added.map((permission) => ({ roleId, permission, grantedAt: caller.at }));
		if (granted.length > 0) db.insert(rolePermissions).values(granted).run();
		recordPermissions(db, caller, role, { before: held, after: requested });
		return policyOf(db, role, requested);
	});
}

/** Replaces or revokes a code in every role that holds it, in the caller's transaction; in one statement for all roles. */
export function replaceInRoles(db: Db, context: ChangeContext, from: PermissionCode, to?: PermissionCode): void {
	const granted = permissionsByRole(db);
	const { permission, deletedAt } = rolePermissions;
	db.update(rolePermissions)
		.set(to ? { permission: to } : { deletedAt: context.at })
		.where(and(eq(permission, from), isNull(deletedAt)))
		.run();
	for (const role of listRoles(db)) {
		const held = granted.get(role.id);
		if (!held?.has(from)) continue;
		const others = held.difference(new Set([from]));
		recordPermissions(db, context, role, { before: held, after: to ? others.add(to) : others });
	}
}

function recordPermissions(db: Db, context: ChangeContext, role: Role, held: Record<'before' | 'after', Permissions>) {
	const fieldsOf = (permissions: Permissions) => ({ permissions: inOrder(db, permissions) });
	const changes = changesBetween(fieldsOf(held.before), fieldsOf(held.after));
	record(db, context, { action: 'ROLE_PERMISSIONS_REPLACE', target: role, changes });
}

function policyOf(db: Db, role: Omit<Role, 'createdAt' | 'updatedAt'>, permissions: Permissions): PermissionPolicy {
	return {
		roleId: role.id,
		roleCode: role.code,
		roleName: role.name,
		roleDescription: role.description ?? '',
		isSystem: role.isSystem,
		editable: true,
		scope: scopeOf(permissions),
		permissions: inOrder(db, permissions),
		menus: menusFor(permissions),
	};
}
