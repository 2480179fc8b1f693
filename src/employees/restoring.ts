/** Bringing a deleted employee back: the same person with the same history, their store and the roles that still exist. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries, transaction } from '../database/query.ts';
import { employeeRoles, employees, roles, stores } from '../database/schema.ts';
import { recordChange } from '../history/record.ts';
import type { Actor, Caller } from '../session/actor.ts';
import { isActiveStore } from '../stores/service.ts';
import { dayOf } from '../vocabulary/day.ts';
import { found, ruleBroken } from '../vocabulary/errors.ts';
import { auditedFields } from './hiring.ts';
import { employeeMessages, type KnownEmployee } from './model.ts';
import { mayReachStore, refuseBindingUpward, refuseOtherStore } from './reach.ts';
import { findEmployee, toEmployee } from './read.ts';
import { change } from './service.ts';

const read = queries(({ select }) => ({
	anyone: select({
		storeId: employees.storeId,
		storeName: stores.name,
		phone: employees.phone,
		deletedAt: employees.deletedAt,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(eq(employees.id, bound('id'))),
	holder: select({ name: employees.name, storeId: employees.storeId })
		.from(employees)
		.where(and(eq(employees.phone, bound('phone')), isNull(employees.deletedAt))),
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
): KnownEmployee {
	return transaction(db, () => {
		const { storeId, storeName, phone, deletedAt } = found(read(db).anyone.get({ id }), employeeMessages.notFound);
		refuseOtherStore(caller.actor, storeId);
		refuseOtherStore(caller.actor, newStoreId ?? storeId);
		const lost = read(db).lost.all({ id, deletedAt, today: dayOf(new Date(at)) });
		refuseBindingUpward(
			db,
			caller.actor,
			lost.map((role) => role.id),
		);
		if (deletedAt === null) throw ruleBroken('CONFLICT', 'params.id', employeeMessages.notDeleted);
		if (!isActiveStore(db, newStoreId ?? storeId)) {
			const message = newStoreId === undefined ? employeeMessages.storeGone(storeName) : employeeMessages.badNewStore;
			throw ruleBroken('BAD_REQUEST', 'query.storeId', message);
		}
		refuseTakenPhone(db, caller.actor, phone);
		const present = { deletedAt: null, status: 'ACTIVE' as const, leavesOn: null, updatedAt: at };
		change(db, id, { ...present, storeId: newStoreId ?? storeId });
		const links = lost.map((role) => ({ employeeId: id, roleId: role.id, boundAt: at, endsOn: role.endsOn }));
		if (links.length > 0) db.insert(employeeRoles).values(links).run();
		const after = toEmployee(db, findEmployee(db, id));
		recordChange(db, caller, 'EMPLOYEE_RESTORE', { after }, auditedFields, at);
		return after;
	});
}

/** @throws AppError CONFLICT with who has the phone; the name of somebody of another store is not for everybody. */
function refuseTakenPhone(db: Db, actor: Actor, phone: string): void {
	const holder = read(db).holder.get({ phone });
	if (!holder) return;
	const isVisible = mayReachStore(actor, holder.storeId);
	const message = isVisible ? employeeMessages.phoneOf(holder.name) : employeeMessages.phoneOfOther;
	throw ruleBroken('CONFLICT', 'params.id', message);
}
