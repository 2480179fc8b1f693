/** Which roles employees hold, and what roles grant. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, queries } from '../database/query.ts';
import { employeeRoles, rolePermissions, roles } from '../database/schema.ts';
import type { PermissionCode } from '../vocabulary/permissions.ts';
import type { RoleSummary } from './model.ts';

const read = queries(({ select }) => ({
	held: select({ employeeId: employeeRoles.employeeId, id: roles.id, code: roles.code, name: roles.name })
		.from(employeeRoles)
		.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
		.where(and(isNull(employeeRoles.unboundAt), among(employeeRoles.employeeId, 'employeeIds')))
		.orderBy(employeeRoles.employeeId, roles.id),
	granted: select({ roleId: rolePermissions.roleId, codes: sql<string>`group_concat(${rolePermissions.permission})` })
		.from(rolePermissions)
		.where(and(among(rolePermissions.roleId, 'roleIds'), isNull(rolePermissions.deletedAt)))
		.groupBy(rolePermissions.roleId),
}));

/** The roles that each of some employees holds now, by id; an employee without roles is not in the map. */
export function heldRoles(db: Db, employeeIds: readonly number[]): Map<number, RoleSummary[]> {
	const rows = read(db).held.all({ employeeIds: JSON.stringify(employeeIds) });
	const held = Map.groupBy(rows, (row) => row.employeeId);
	return new Map(Array.from(held, ([id, roles]) => [id, roles.map(({ id, code, name }) => ({ id, code, name }))]));
}

/** What each of some roles grants, by its id; a role without permissions is not in the map. */
export function permissionsOfRoles(db: Db, roles: readonly { id: number }[]): Map<number, ReadonlySet<PermissionCode>> {
	const rows = read(db).granted.all({ roleIds: JSON.stringify(roles.map((role) => role.id)) });
	// Only codes of the catalog are granted, and none contains a comma.
	return new Map(rows.map(({ roleId, codes }) => [roleId, new Set(codes.split(',') as PermissionCode[])]));
}
