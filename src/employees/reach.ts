/** Which employees an actor may change: those of the stores they manage, who hold nothing that the actor lacks. */
import { and, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, among, prepared, statement } from '../database/query.ts';
import { rolePermissions } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { type Actor, ownStoreOf, permissionsOf } from '../session/actor.ts';
import { covers } from '../vocabulary/permissions.ts';
import { employeeMessages } from './model.ts';
import { type EmployeeRow, findEmployee } from './read.ts';

const statements = prepared((db) => ({
	permissionsOfRoles: statement(
		db,
		db
			.select(aliased({ roleId: rolePermissions.roleId, permission: rolePermissions.permission }))
			.from(rolePermissions)
			.where(and(among(rolePermissions.roleId, 'roleIds'), isNull(rolePermissions.deletedAt))),
	),
}));

/**
 * An employee that the actor may change.
 * @throws AppError NOT_FOUND; FORBIDDEN for another store, or an employee who holds a permission the actor lacks.
 */
export function findManageable(db: Db, actor: Actor, id: number): EmployeeRow {
	const row = findEmployee(db, id);
	refuseOtherStore(actor, row.storeId);
	if (!covers(actor.permissions, permissionsOf(db, id))) {
		throw new AppError('FORBIDDEN', employeeMessages.actsUpward);
	}
	return row;
}

/** @throws AppError FORBIDDEN when the actor is confined to a store, and this is another one. */
export function refuseOtherStore(actor: Actor, storeId: number): void {
	const own = ownStoreOf(actor);
	if (own !== undefined && own !== storeId) throw new AppError('FORBIDDEN', employeeMessages.otherStore);
}

/** @throws AppError FORBIDDEN when one of the roles holds a permission the actor lacks. */
export function refuseBindingUpward(db: Db, actor: Actor, roleIds: readonly number[]): void {
	if (roleIds.length === 0) return;
	const held = statements(db).permissionsOfRoles.all({ roleIds: JSON.stringify(roleIds) });
	if (!covers(actor.permissions, new Set(held.map((row) => row.permission)))) {
		throw new AppError('FORBIDDEN', employeeMessages.bindsUpward);
	}
}

/** Those of some roles that the actor may bind. */
export function bindableRoles<Role extends { id: number }>(db: Db, actor: Actor, roles: readonly Role[]): Role[] {
	const rows = statements(db).permissionsOfRoles.all({ roleIds: JSON.stringify(roles.map((role) => role.id)) });
	const held = Map.groupBy(rows, (row) => row.roleId);
	return roles.filter((role) => covers(actor.permissions, new Set(held.get(role.id)?.map((row) => row.permission))));
}
