/** Which roles employees hold. Signing in and the employee routes both show them. */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, queries } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import type { RoleSummary } from './model.ts';

const read = queries(({ select }) => {
	const heldWhere = (whose: SQL) =>
		select({ employeeId: employeeRoles.employeeId, id: roles.id, code: roles.code, name: roles.name })
			.from(employeeRoles)
			.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
			.where(and(isNull(employeeRoles.unboundAt), whose))
			.orderBy(employeeRoles.employeeId, roles.id);
	return {
		ofOne: heldWhere(eq(employeeRoles.employeeId, bound('employeeId'))),
		ofMany: heldWhere(among(employeeRoles.employeeId, 'employeeIds')),
	};
});

/** The roles that an employee holds now, by id. */
export function heldRoles(db: Db, employeeId: number): RoleSummary[] {
	return read(db).ofOne.all({ employeeId }).map(summaryOf);
}

/** The roles that each of some employees holds now, by id; an employee without roles is not in the map. */
export function heldRolesOfMany(db: Db, employeeIds: readonly number[]): Map<number, RoleSummary[]> {
	const rows = read(db).ofMany.all({ employeeIds: JSON.stringify(employeeIds) });
	const held = Map.groupBy(rows, (row) => row.employeeId);
	return new Map(Array.from(held, ([id, roles]) => [id, roles.map(summaryOf)]));
}

function summaryOf({ id, code, name }: RoleSummary): RoleSummary {
	return { id, code, name };
}
