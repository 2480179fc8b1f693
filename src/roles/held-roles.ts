/** Which roles an employee holds; sign-in and employees both show them. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, named, prepared, statement } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import type { RoleSummary } from './model.ts';

const statements = prepared((db) => ({
	held: statement(
		db,
		db
			.select(named({ id: roles.id, code: roles.code, name: roles.name }))
			.from(employeeRoles)
			.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
			.where(and(eq(employeeRoles.employeeId, bound('employeeId')), isNull(employeeRoles.unboundAt)))
			.orderBy(roles.id),
	),
}));

/** The roles that an employee holds now, by id. */
export function heldRoles(db: Db, employeeId: number): RoleSummary[] {
	return statements(db).held.all({ employeeId });
}
