/** Which roles employees hold. Signing in and the employee routes both show them. */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, among, bound, prepared, statement } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import type { RoleSummary } from './model.ts';

const statements = prepared((db) => {
	const heldWhere = (whose: SQL) =>
		statement(
			db,
			db
				.select(aliased({ employeeId: employeeRoles.employeeId, id: roles.id, code: roles.code, name: roles.name }))
				.from(employeeRoles)
				.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
				.where(and(isNull(employeeRoles.unboundAt), whose))
				.orderBy(employeeRoles.employeeId, roles.id),
		);
	return {
		ofOne: heldWhere(eq(employeeRoles.employeeId, bound('employeeId'))),
		ofMany: heldWhere(among(employeeRoles.employeeId, 'employeeIds')),
	};
});

/** The roles that an employee holds now, by id. */
export function heldRoles(db: Db, employeeId: number): RoleSummary[] {
	return statements(db).ofOne.all({ employeeId }).map(summaryOf);
}

/** The roles that each of some employees holds now, by id; an employee without roles is not in the map. */
export function heldRolesOfMany(db: Db, employeeIds: readonly number[]): Map<number, RoleSummary[]> {
	const held = new Map<number, RoleSummary[]>();
	if (employeeIds.length === 0) return held;
	for (const row of statements(db).ofMany.all({ employeeIds: JSON.stringify(employeeIds) })) {
		const known = held.get(row.employeeId);
		if (known) known.push(summaryOf(row));
		else held.set(row.employeeId, [summaryOf(row)]);
	}
	return held;
}

function summaryOf({ id, code, name }: RoleSummary): RoleSummary {
	return { id, code, name };
}
