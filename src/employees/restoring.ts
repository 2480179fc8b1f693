/** Bringing a deleted employee back: the same person with the same history, their store and the roles that still exist. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { findNamed } from '../auth/accounts.ts';
import type { Db } from '../database/open.ts';
import { bound, queries, transaction } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import type { Actor, Caller } from '../session/actor.ts';
import { isActiveStore } from '../stores/service.ts';
import { dayOf } from '../vocabulary/day.ts';
import { found, ruleBroken } from '../vocabulary/errors.ts';
import { employeeMessages } from './model.ts';
import { mayReachStore, refuseBindingUpward, refuseOtherStore } from './reach.ts';
import { employeesByIds, findEmployee, type StoredEmployee } from './read.ts';
import { keepEdit, writtenOf } from './writing.ts';

const read = queries(({ select }) => ({
	/** The roles that the deletion took away, but those that have ended since. */
	lost: select({ id: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
		.where(
			and(
				eq(employeeRoles.employeeId, bound('id')),
				eq(employeeRoles.unboundAt, bound('deletedAt')),
				isNull(roles.deletedAt),
				sql`coalesce(${employeeRoles.endsOn} >= ${bound('today')}, 1)`,
			),
		)
		.orderBy(employeeRoles.roleId),
}));

/**
 * Brings a deleted employee back, enabled, with the password that they had.
 * @param newStoreId the store to come back to; that of before when undefined.
 * @throws AppError NOT_FOUND; FORBIDDEN for a store or a role out of the actor's reach; CONFLICT when they are not deleted or
 * somebody has their phone; BAD_REQUEST when the store is deleted or disabled.
 */
export function restoreEmployee(
	db: Db,
	caller: Caller,
	id: number,
	newStoreId: number | undefined,
	at: string,
): StoredEmployee {
	return transaction(db, () => {
		const [deleted] = employeesByIds(db, [id]);
		const before = found(deleted, employeeMessages.notFound);
		const { storeName, phone, deletedAt } = before;
		const storeId = newStoreId ?? before.storeId;
		refuseOtherStore(caller.actor, before.storeId);
		refuseOtherStore(caller.actor, storeId);
		const lost = read(db).lost.all({ id, deletedAt, today: dayOf(new Date(at)) });
		const roleIds = lost.map((role) => role.id);
		refuseBindingUpward(db, caller.actor, roleIds);
		if (deletedAt === null) throw ruleBroken('CONFLICT', 'params.id', employeeMessages.notDeleted);
		if (!isActiveStore(db, storeId)) {
			const message = newStoreId === undefined ? employeeMessages.storeGone(storeName) : employeeMessages.badNewStore;
			throw ruleBroken('BAD_REQUEST', 'query.storeId', message);
		}
		refuseTakenPhone(db, caller.actor, phone);
		const after = { ...writtenOf(before), storeId, status: 'ACTIVE', roleIds, leavesOn: null } as const;
		const ends = new Map(lost.map((role) => [role.id, role.endsOn]));
		keepEdit(db, caller, 'EMPLOYEE_RESTORE', { before, after, ends }, at);
		return findEmployee(db, id);
	});
}

/** @throws AppError CONFLICT with who has the phone; the name of somebody of another store is not for everybody. */
function refuseTakenPhone(db: Db, actor: Actor, phone: string): void {
	const holder = findNamed(db, phone).employee;
	if (!holder) return;
	const isVisible = mayReachStore(actor, holder.storeId);
	const message = isVisible ? employeeMessages.phoneOf(holder.name) : employeeMessages.phoneOfOther;
	throw ruleBroken('CONFLICT', 'params.id', message);
}
