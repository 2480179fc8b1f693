/** The links between employees and roles. A link that ends is marked as unbound and stays as a record. */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, queries } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import { ruleBroken } from '../errors.ts';
import { employeeMessages } from './model.ts';

const read = queries(({ select }) => ({
	live: select({ id: roles.id })
		.from(roles)
		.where(and(among(roles.id, 'ids'), isNull(roles.deletedAt))),
}));

/** @throws AppError BAD_REQUEST when one of the roles does not exist or is deleted. */
export function requireRoles(db: Db, ids: ReadonlySet<number>): void {
	if (ids.size === 0) return;
	const found = read(db).live.all({ ids: JSON.stringify([...ids]) });
	if (found.length < ids.size) throw ruleBroken('BAD_REQUEST', 'body.roleIds', employeeMessages.badRole);
}

/** Binds roles that the employee does not hold. */
export function bindRoles(db: Db, employeeId: number, roleIds: ReadonlySet<number>, at: string): void {
	const links = Array.from(roleIds, (roleId) => ({ employeeId, roleId, boundAt: at }));
	if (links.length > 0) db.insert(employeeRoles).values(links).run();
}

/** Unbinds roles that the employee holds. */
export function unbindRoles(db: Db, employeeId: number, roleIds: ReadonlySet<number>, at: string): void {
	if (roleIds.size === 0) return;
	const isOne = inArray(employeeRoles.roleId, [...roleIds]);
	db.update(employeeRoles)
		.set({ unboundAt: at })
		.where(and(eq(employeeRoles.employeeId, employeeId), isOne, isNull(employeeRoles.unboundAt)))
		.run();
}
