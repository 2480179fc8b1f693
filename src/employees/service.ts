/** The employees of the chain. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Passwords } from '../auth/password.ts';
import type { Db } from '../database/open.ts';
import { among, bound, queries, snapshot, transaction } from '../database/query.ts';
import { employeeRoles, roles } from '../database/schema.ts';
import { refuseStale, type Version } from '../history/versions.ts';
import type { Steps } from '../http/steps.ts';
import { findNamed } from '../session/accounts.ts';
import type { Actor, Caller } from '../session/actor.ts';
import { isActiveStore } from '../stores/service.ts';
import { dayOf } from '../vocabulary/day.ts';
import { type AppError, found, ruleBroken } from '../vocabulary/errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import { statusLabels } from '../vocabulary/status.ts';
import {
	type CreateEmployee,
	type Employee,
	type EmployeeFilter,
	employeeMessages,
	type GiveRole,
	type KnownEmployee,
	maxRolesOfOne,
	type UpdateEmployee,
} from './model.ts';
import { findManageable, mayReachStore, refuseBindingUpward, refuseOtherStore, withinReach } from './reach.ts';
import { contractOf, employeesByIds, findEmployee, type StoredEmployee } from './read.ts';
import { findEmployees } from './search.ts';
import { addEmployee, type Edit, keepDeletion, keepEdit, writtenAfter, writtenOf } from './writing.ts';

const read = queries(({ select }) => ({
	liveRoles: select({ id: roles.id })
		.from(roles)
		.where(and(among(roles.id, 'ids'), isNull(roles.deletedAt))),
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
 * One page of the employees that pass the filter. An actor confined to a store gets that store's, whatever they ask for.
 * @throws AppError FORBIDDEN for deleted people when the actor does not manage people.
 */
export function* listEmployees(
	db: Db,
	actor: Actor,
	filter: EmployeeFilter,
	paging: Paging,
	include?: 'activity',
): Steps<Page<Employee>> {
	const { ids, total } = yield* findEmployees(db, withinReach(actor, filter), paging);
	const people = snapshot(db, () => employeesByIds(db, ids, filter.order));
	return { items: include ? people : people.map(contractOf), total };
}

/** @throws AppError NOT_FOUND; FORBIDDEN when the actor is confined to another store. */
export function getEmployee(db: Db, actor: Actor, id: number): StoredEmployee {
	return snapshot(db, () => {
		const employee = findEmployee(db, id);
		refuseOtherStore(actor, employee.storeId);
		return employee;
	});
}

const badRole = () => ruleBroken('BAD_REQUEST', 'body.roleIds', employeeMessages.badRole);

/**
 * Adds an employee with the initial password.
 * @throws AppError FORBIDDEN for another store, or a role with a permission the actor lacks; BAD_REQUEST when the store
 * is missing or disabled, or a role is missing; CONFLICT when the phone is taken.
 */
export function createEmployee(
	{ db, passwords }: { db: Db; passwords: Passwords },
	caller: Caller,
	{ storeId, name, phone, status = 'ACTIVE', remark = null, roleIds = [] }: CreateEmployee,
): StoredEmployee {
	return transaction(db, () => {
		refuseOtherStore(caller.actor, storeId);
		refuseBindingUpward(db, caller.actor, roleIds);
		requireActiveStore(db, storeId);
		if (!areLiveRoles(db, new Set(roleIds))) throw badRole();
		const hire = { storeId, name, phone, status, remark, roleIds };
		return findEmployee(db, addEmployee(db, caller, passwords.initialHash, hire));
	});
}

/**
 * Changes the given fields. The tokens of a disabled employee are refused until the employee is enabled again.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee, a store or a role out of the actor's reach; PRECONDITION_FAILED;
 * BAD_REQUEST when the new store is missing or disabled, a role is missing, or the last day is over; CONFLICT when the phone is
 * taken.
 */
export function updateEmployee(db: Db, caller: Caller, id: number, update: UpdateEmployee): StoredEmployee {
	return transaction(db, () => {
		const edit = allowedEdit(db, caller, id, () => update);
		keepEdit(db, caller, 'EMPLOYEE_UPDATE', edit);
		return findEmployee(db, id);
	});
}

/**
 * Applies every rule to an update, of which the present employee can be a part.
 * @param missingRole makes the refusal of a role that does not exist.
 * @throws AppError as {@link updateEmployee} does, but for the phone.
 */
export function allowedEdit(
	db: Db,
	caller: Caller,
	id: number,
	updateOf: (before: KnownEmployee) => UpdateEmployee,
	missingRole: () => AppError = badRole,
): Edit {
	const { actor } = caller;
	const before = findManageable(db, actor, id);
	const update = updateOf(before);
	const added = new Set(update.roleIds).difference(new Set(before.roles.map((role) => role.id)));
	const newStoreId = update.storeId === before.storeId ? undefined : update.storeId;
	if (newStoreId !== undefined) refuseOtherStore(actor, newStoreId);
	refuseBindingUpward(db, actor, [...added]);
	refuseStaleEmployee(db, caller, before);
	if (newStoreId !== undefined) requireActiveStore(db, newStoreId);
	if (!areLiveRoles(db, added)) throw missingRole();
	return { before, after: writtenAfter(before, update, caller.at) };
}

/**
 * Gives a role until a day or for good, or sets the last day of one that they hold.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee or a role out of the actor's reach; PRECONDITION_FAILED; BAD_REQUEST when
 * the role is missing, the day is over, or they hold as many roles as one can.
 */
export function giveRole(db: Db, caller: Caller, id: number, { roleId, until = null }: GiveRole): StoredEmployee {
	return transaction(db, () => {
		const withRole = ({ roles }: KnownEmployee) => ({ roleIds: [...roles.map((role) => role.id), roleId] });
		const missing = () => ruleBroken('BAD_REQUEST', 'body.roleId', employeeMessages.noSuchRole);
		const { before, after } = allowedEdit(db, caller, id, withRole, missing);
		if (until !== null && until < dayOf(new Date(caller.at))) {
			throw ruleBroken('BAD_REQUEST', 'body.until', employeeMessages.endsInPast);
		}
		const isNew = after.roleIds.length > before.roles.length;
		if (isNew && after.roleIds.length > maxRolesOfOne) {
			throw ruleBroken('BAD_REQUEST', 'body.roleId', employeeMessages.tooManyRoles);
		}
		const earlier = before.roleEnds.find((end) => end.roleId === roleId)?.until ?? null;
		const edit = { before, after, ends: new Map([[roleId, until]]) };
		const noted = { before: { roleId: null, until: earlier }, after: { roleId, until } };
		keepEdit(db, caller, 'EMPLOYEE_ROLE_GIVE', edit, noted);
		return findEmployee(db, id);
	});
}

/** @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED. */
export function deleteEmployee(db: Db, caller: Caller, id: number): void {
	transaction(db, () => keepDeletion(db, caller, findExpected(db, caller, id)));
}

/**
 * Deletes an employee of a store.
 * @throws AppError FORBIDDEN for another store than the one the actor is confined to, whether or not it has such an
 * employee; NOT_FOUND when the store has none; FORBIDDEN for an employee who holds a permission the actor lacks;
 * PRECONDITION_FAILED.
 */
export function removeStoreEmployee(db: Db, caller: Caller, storeId: number, id: number): void {
	refuseOtherStore(caller.actor, storeId);
	transaction(db, () => {
		found(findEmployee(db, id).storeId === storeId ? id : undefined, employeeMessages.notFound);
		deleteEmployee(db, caller, id);
	});
}

/**
 * Brings a deleted employee back, enabled, with the password that they had.
 * @param newStoreId the store to come back to; that of before when undefined.
 * @throws AppError NOT_FOUND; FORBIDDEN for a store or a role out of the actor's reach; CONFLICT when they are not deleted or
 * somebody has their phone; BAD_REQUEST when the store is deleted or disabled.
 */
export function restoreEmployee(db: Db, caller: Caller, id: number, newStoreId: number | undefined): StoredEmployee {
	return transaction(db, () => {
		const [deleted] = employeesByIds(db, [id]);
		const before = found(deleted, employeeMessages.notFound);
		const { storeName, phone, deletedAt } = before;
		const storeId = newStoreId ?? before.storeId;
		refuseOtherStore(caller.actor, before.storeId);
		refuseOtherStore(caller.actor, storeId);
		const lost = read(db).lost.all({ id, deletedAt, today: dayOf(new Date(caller.at)) });
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
		keepEdit(db, caller, 'EMPLOYEE_RESTORE', { before, after, ends });
		return findEmployee(db, id);
	});
}

/** @throws AppError CONFLICT with who has the phone; the name of somebody of another store is not for everybody. */
function refuseTakenPhone(db: Db, actor: Actor, phone: string): void {
	const named = findNamed(db, phone).employee;
	if (!named) return;
	const holder = findEmployee(db, named.id);
	const isVisible = mayReachStore(actor, holder.storeId);
	const message = isVisible ? employeeMessages.phoneOf(holder.name) : employeeMessages.phoneOfOther;
	throw ruleBroken('CONFLICT', 'params.id', message);
}

/** The version of an employee. The name of their store and of their roles is no part of it. */
export function employeeVersion(employee: KnownEmployee): Version {
	const { updatedAt, storeName, status, roles } = employee;
	const roleIds = roles.map((role) => role.name).join('、');
	return {
		updatedAt,
		fields: writtenOf(employee),
		shown: { storeId: storeName, status: statusLabels[status], roleIds },
	};
}

/** An employee that the actor may change, of a version that the caller expects. */
export function findExpected(db: Db, caller: Caller, id: number): KnownEmployee {
	const employee = findManageable(db, caller.actor, id);
	refuseStaleEmployee(db, caller, employee);
	return employee;
}

/** @throws AppError PRECONDITION_FAILED when the caller expects another version. */
function refuseStaleEmployee(db: Db, caller: Caller, employee: KnownEmployee): void {
	refuseStale(db, caller, { type: 'EMPLOYEE', id: employee.id }, employeeVersion(employee));
}

function requireActiveStore(db: Db, id: number): void {
	if (!isActiveStore(db, id)) throw ruleBroken('BAD_REQUEST', 'body.storeId', employeeMessages.badStore);
}

/** Whether all of some roles exist. */
function areLiveRoles(db: Db, ids: ReadonlySet<number>): boolean {
	return ids.size === 0 || read(db).liveRoles.all({ ids: JSON.stringify([...ids]) }).length === ids.size;
}
