/** The number of employees who hold each role. */
import { type Static, Type } from '@sinclair/typebox';
import { and, count, eq, isNull } from 'drizzle-orm';
import { accessibleStores } from '../../identity/rights/authority.ts';
import type { Actor } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, queries } from '../../platform/database/query.ts';
import { employeeRoles, employees } from '../../platform/database/schema.ts';
import { described, shape } from '../../platform/http/fields.ts';
import { holdersPerRole } from '../roles/service.ts';

/** One role in the answer of GET /api/roles/holders. */
export const RoleHolders = shape('RoleHolders', {
	roleId: Type.Integer({ examples: [2] }),
	employees: Type.Integer(described('The number of employees within reach who hold it, enabled or not.', 12)),
});
export type RoleHolders = Static<typeof RoleHolders>;

const read = queries(({ select }) => ({
	reached: select({ roleId: employeeRoles.roleId, employees: count() })
		.from(employeeRoles)
		.innerJoin(employees, eq(employees.id, employeeRoles.employeeId))
		.where(and(isNull(employeeRoles.unboundAt), inJsonArray(employees.storeId, 'stores')))
		.groupBy(employeeRoles.roleId),
}));

/** Counts the holders of every role that an employee within reach holds. */
export function countHolders(db: Db, actor: Actor): RoleHolders[] {
	const stores = accessibleStores(db, actor);
	if (stores) return read(db).reached.all({ stores: JSON.stringify([...stores]) });
	return Array.from(holdersPerRole(db), ([roleId, employees]) => ({ roleId, employees }));
}
