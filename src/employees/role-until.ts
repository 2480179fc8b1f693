/** Giving an employee a role, until a day or for good. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { employeeRoles } from '../database/schema.ts';
import { record } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import { dayOf } from '../vocabulary/day.ts';
import { ruleBroken } from '../vocabulary/errors.ts';
import { employeeMessages, type GiveRole, type KnownEmployee, maxRolesOfOne } from './model.ts';
import { findManageable, refuseBindingUpward } from './reach.ts';
import { findEmployee, toEmployee } from './read.ts';
import { areLiveRoles, change, refuseStaleEmployee } from './service.ts';

/**
 * Gives a role, or sets the last day of one that they hold.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee or a role out of the actor's reach; PRECONDITION_FAILED; BAD_REQUEST when
 * the role is missing, the day is over, or they hold as many roles as one can.
 */
export function giveRole(
	db: Db,
	caller: Caller,
	id: number,
	{ roleId, until = null }: GiveRole,
	at: string,
): KnownEmployee {
	return transaction(db, () => {
		const before = toEmployee(db, findManageable(db, caller.actor, id));
		refuseBindingUpward(db, caller.actor, [roleId]);
		refuseStaleEmployee(db, caller, before, at);
		if (!areLiveRoles(db, new Set([roleId])))
			throw ruleBroken('BAD_REQUEST', 'body.roleId', employeeMessages.noSuchRole);
		if (until !== null && until < dayOf(new Date(at))) {
			throw ruleBroken('BAD_REQUEST', 'body.until', employeeMessages.endsInPast);
		}
		const held = before.roles.map((role) => role.id);
		const isNew = !held.includes(roleId);
		if (isNew && held.length >= maxRolesOfOne) {
			throw ruleBroken('BAD_REQUEST', 'body.roleId', employeeMessages.tooManyRoles);
		}
		if (isNew) db.insert(employeeRoles).values({ employeeId: id, roleId, boundAt: at, endsOn: until }).run();
		else setEnd(db, id, roleId, until);
		change(db, id, { updatedAt: at });
		const after = toEmployee(db, findEmployee(db, id));
		const earlier = before.roleEnds.find((end) => end.roleId === roleId)?.until ?? null;
		const roleIds = { field: 'roleIds', before: held, after: after.roles.map((role) => role.id) };
		const changes = [
			...(isNew ? [roleIds] : []),
			{ field: 'roleId', before: null, after: roleId },
			...(earlier === until ? [] : [{ field: 'until', before: earlier, after: until }]),
		];
		const target = { type: 'EMPLOYEE' as const, id, name: after.name };
		record(db, caller, { action: 'EMPLOYEE_ROLE_GIVE', target, changes }, at);
		return after;
	});
}

function setEnd(db: Db, employeeId: number, roleId: number, endsOn: string | null): void {
	const isLink = and(eq(employeeRoles.employeeId, employeeId), eq(employeeRoles.roleId, roleId));
	db.update(employeeRoles)
		.set({ endsOn })
		.where(and(isLink, isNull(employeeRoles.unboundAt)))
		.run();
}
