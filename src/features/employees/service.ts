/** The employees of the chain. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { requireCurrentVersion, type Version } from '../../identity/history/versions.ts';
import { reaches } from '../../identity/reach/service.ts';
import { findAccountsNamed } from '../../identity/session/accounts.ts';
import { type Actor, type Caller, isSelf } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, queries, transaction } from '../../platform/database/query.ts';
import { employeeRoles, roles } from '../../platform/database/schema.ts';
import type { Steps } from '../../platform/http/steps.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import type { Page, Paging } from '../../platform/vocabulary/paging.ts';
import { statusLabels } from '../../platform/vocabulary/status.ts';
import type { Passwords } from '../auth/password.ts';
import { outlasts } from '../roles/holding.ts';
import { isActiveStore } from '../stores/service.ts';
import {
	type CreateEmployee,
	type Employee,
	type EmployeeFilter,
	employeeMessages,
	type GiveRole,
	type KnownEmployee,
	type LastDays,
	maxRolesOfOne,
	type UpdateEmployee,
} from './model.ts';
import {
	boundBy,
	findManageable,
	forGood,
	lastDaysOf,
	refuseOtherStore,
	refuseOutOfReach,
	rolesOf,
	withinReach,
} from './reach.ts';
import { employeesByIds, findDeletedOrNot, findEmployee, type StoredEmployee, toEmployee } from './read.ts';
import {
	type EmployeeEdit,
	editableFields,
	editableFieldsAfter,
	insertEmployee,
	markDeleted,
	saveEmployee,
} from './save.ts';
import { findEmployees } from './search.ts';

const read = queries(({ select }) => ({
	liveRoles: select({ id: roles.id })
		.from(roles)
		.where(and(inJsonArray(roles.id, 'ids'), isNull(roles.deletedAt))),
	/** The roles that the deletion took away, but those that have ended since. */
	lost: select({ id: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
		.where(
			and(
				eq(employeeRoles.employeeId, param('id')),
				eq(employeeRoles.unboundAt, param('deletedAt')),
				isNull(roles.deletedAt),
				sql`coalesce(${employeeRoles.endsOn} >= ${param('today')}, 1)`,
			),
		)
		.orderBy(employeeRoles.roleId),
}));

/**
 * One page of the employees that pass the filter. An actor who reaches some stores gets those of these stores.
 * @throws AppError FORBIDDEN for deleted people when the actor does not manage people.
 */
export function* listEmployees(
	db: Db,
	actor: Actor,
	filter: EmployeeFilter,
	paging: Paging,
	include?: 'activity',
): Steps<Page<Employee>> {
	const { ids, total } = yield* findEmployees(db, withinReach(db, actor, filter), paging);
	const people = employeesByIds(db, ids, filter.order);
	return { items: include ? people : people.map(toEmployee), total };
}

/** @throws AppError NOT_FOUND; FORBIDDEN for somebody out of the actor's reach. */
export function getEmployee(db: Db, actor: Actor, id: number): StoredEmployee {
	const employee = findEmployee(db, id);
	refuseOtherStore(db, actor, employee.storeId);
	return employee;
}

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
		const roles = forGood(roleIds.map((id) => ({ id })));
		refuseOutOfReach(db, caller.actor, undefined, { storeId, roles });
		requireLive(db, storeId, new Set(roleIds));
		const hire = { storeId, name, phone, status, remark, roleIds };
		const add = () => insertEmployee(db, caller, passwords.initialHash(), hire);
		return findEmployee(db, namingHolder(db, caller.actor, phone, add));
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
		namingHolder(db, caller.actor, edit.after.phone, () => saveEmployee(db, caller, 'EMPLOYEE_UPDATE', edit));
		return findEmployee(db, id);
	});
}

/** What is to be written of somebody, and the last days of roles that they get or hold; the others that they get are for good. */
type Wanted = UpdateEmployee & { ends?: LastDays };

/**
 * Applies every rule to an update, of which the present employee can be a part.
 * @param missingRole makes the refusal of a role that does not exist.
 * @throws AppError as {@link updateEmployee} does, but for the phone.
 */
export function allowedEdit(
	db: Db,
	caller: Caller,
	id: number,
	wantedOf: (before: KnownEmployee) => Wanted,
	missingRole?: () => AppError,
): EmployeeEdit {
	const { actor } = caller;
	const before = findManageable(db, actor, id);
	const { ends, ...update } = wantedOf(before);
	const held = rolesOf(before);
	const untilOf = (roleId: number) => ends?.get(roleId) ?? (ends?.has(roleId) ? null : (held.get(roleId) ?? null));
	const roles: LastDays = new Map((update.roleIds ?? [...held.keys()]).map((roleId) => [roleId, untilOf(roleId)]));
	const bound = boundBy(before, roles);
	const added = new Set(bound.keys()).difference(new Set(before.roles.map((role) => role.id)));
	const { storeId = before.storeId } = update;
	refuseOutOfReach(db, actor, before, { storeId, roles });
	if (isSelf(actor, id)) refuseOwnEnd(db, before, update, bound);
	refuseStaleEmployee(db, caller, before);
	requireLive(db, storeId === before.storeId ? undefined : storeId, added, missingRole);
	return { before, after: editableFieldsAfter(before, update, caller.at), ...(ends && { ends }) };
}

/** @throws AppError FORBIDDEN for another end in the own account, also for a role that was given up and is taken again. */
function refuseOwnEnd(db: Db, { id, leavesOn, roles }: KnownEmployee, update: UpdateEmployee, bound: LastDays): void {
	const former = lastDaysOf(db, id);
	const isOther = update.leavesOn !== undefined && update.leavesOn !== leavesOn;
	const isHeld = roles.some((role) => bound.has(role.id));
	const isLonger = Array.from(bound).some(([roleId, until]) => outlasts(until, former.get(roleId) ?? null));
	if (isOther || isHeld || isLonger) throw new AppError('FORBIDDEN', employeeMessages.ownEnd);
}

/**
 * Gives a role until a day or for good, or sets the last day of one that they hold.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee or a role out of the actor's reach; PRECONDITION_FAILED; BAD_REQUEST when
 * the role is missing, the day is over, or they hold as many roles as one can.
 */
export function giveRole(db: Db, caller: Caller, id: number, { roleId, until = null }: GiveRole): StoredEmployee {
	return transaction(db, () => {
		const withRole = ({ roles }: KnownEmployee) => ({
			roleIds: [...roles.map((role) => role.id), roleId],
			ends: new Map([[roleId, until]]),
		});
		const missing = () => businessError('BAD_REQUEST', 'body.roleId', employeeMessages.noSuchRole);
		const edit = allowedEdit(db, caller, id, withRole, missing);
		const { before, after } = edit;
		if (until !== null && until < dayOf(new Date(caller.at))) {
			throw businessError('BAD_REQUEST', 'body.until', employeeMessages.endsInPast);
		}
		if (after.roleIds.length > maxRolesOfOne) {
			throw businessError('BAD_REQUEST', 'body.roleId', employeeMessages.tooManyRoles);
		}
		const earlier = before.roleEnds.find((end) => end.roleId === roleId)?.until ?? null;
		const noted = { before: { roleId: null, until: earlier }, after: { roleId, until } };
		saveEmployee(db, caller, 'EMPLOYEE_ROLE_GIVE', edit, noted);
		return findEmployee(db, id);
	});
}

/** @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED. */
export function deleteEmployee(db: Db, caller: Caller, id: number): void {
	transaction(db, () => markDeleted(db, caller, getCurrentVersion(db, caller, id)));
}

/**
 * Deletes an employee of a store.
 * @throws AppError FORBIDDEN for a store out of the actor's reach, whether or not it has such an employee; NOT_FOUND when the store has none; FORBIDDEN for an employee who holds a permission the actor lacks;
 * PRECONDITION_FAILED.
 */
export function removeStoreEmployee(db: Db, caller: Caller, storeId: number, id: number): void {
	transaction(db, () => {
		refuseOtherStore(db, caller.actor, storeId);
		orNotFound(findEmployee(db, id).storeId === storeId ? id : undefined, employeeMessages.notFound);
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
		const before = findDeletedOrNot(db, id);
		const { storeName, phone, deletedAt } = before;
		const storeId = newStoreId ?? before.storeId;
		refuseOtherStore(db, caller.actor, before.storeId);
		const lost = read(db).lost.all({ id, deletedAt, today: dayOf(new Date(caller.at)) });
		const ends = new Map(lost.map((role) => [role.id, role.endsOn]));
		refuseOutOfReach(db, caller.actor, undefined, { storeId, roles: ends });
		if (deletedAt === null) throw businessError('CONFLICT', 'params.id', employeeMessages.notDeleted);
		if (!isActiveStore(db, storeId)) {
			const message = newStoreId === undefined ? employeeMessages.storeGone(storeName) : employeeMessages.badNewStore;
			throw businessError('BAD_REQUEST', 'query.storeId', message);
		}
		refuseTakenPhone(db, caller.actor, phone);
		const roleIds = Array.from(ends.keys());
		const after = { ...editableFields(before), storeId, status: 'ACTIVE', roleIds, leavesOn: null } as const;
		saveEmployee(db, caller, 'EMPLOYEE_RESTORE', { before, after, ends });
		return findEmployee(db, id);
	});
}

/**
 * Runs a write that may need a phone which somebody has.
 * @throws AppError CONFLICT with whose it is, if the actor may see them
 */
function namingHolder<T>(db: Db, actor: Actor, phone: string, write: () => T): T {
	try {
		return write();
	} catch (error) {
		const named = error instanceof AppError && error.code === 'CONFLICT' && findAccountsNamed(db, phone).employee;
		if (!named) throw error;
		const { name, storeId, storeName } = findEmployee(db, named.id);
		if (!reaches(db, actor, storeId)) throw error;
		const details = [{ path: 'body.phone', message: `${employeeMessages.phoneTaken}：${name}（${storeName}）` }];
		throw new AppError('CONFLICT', employeeMessages.phoneTaken, { details });
	}
}

/** @throws AppError CONFLICT with who has the phone; the name of somebody of another store is not for everybody. */
function refuseTakenPhone(db: Db, actor: Actor, phone: string): void {
	const named = findAccountsNamed(db, phone).employee;
	if (!named) return;
	const holder = findEmployee(db, named.id);
	const isVisible = reaches(db, actor, holder.storeId);
	const message = isVisible ? employeeMessages.phoneOf(holder.name) : employeeMessages.phoneOfOther;
	throw businessError('CONFLICT', 'params.id', message);
}

/** The version of an employee. The name of their store and of their roles is no part of it. */
export function employeeVersion(employee: KnownEmployee): Version {
	const { updatedAt, storeName, status, roles } = employee;
	const roleIds = roles.map((role) => role.name).join('、');
	return {
		updatedAt,
		fields: editableFields(employee),
		shown: { storeId: storeName, status: statusLabels[status], roleIds },
	};
}

/** An employee that the actor may change, of a version that the caller expects. */
export function getCurrentVersion(db: Db, caller: Caller, id: number): KnownEmployee {
	const employee = findManageable(db, caller.actor, id);
	refuseStaleEmployee(db, caller, employee);
	return employee;
}

/** @throws AppError PRECONDITION_FAILED when the caller expects another version. */
function refuseStaleEmployee(db: Db, caller: Caller, employee: KnownEmployee): void {
	requireCurrentVersion(db, caller, { type: 'EMPLOYEE', id: employee.id }, employeeVersion(employee));
}

/** @throws AppError BAD_REQUEST when the new store is missing or disabled, or one of the new roles is missing. */
function requireLive(
	db: Db,
	newStoreId: number | undefined,
	newRoleIds: ReadonlySet<number>,
	missingRole = () => businessError('BAD_REQUEST', 'body.roleIds', employeeMessages.badRole),
): void {
	if (newStoreId !== undefined && !isActiveStore(db, newStoreId)) {
		throw businessError('BAD_REQUEST', 'body.storeId', employeeMessages.badStore);
	}
	if (newRoleIds.size === 0) return;
	const live = read(db).liveRoles.all({ ids: JSON.stringify([...newRoleIds]) });
	if (live.length < newRoleIds.size) throw missingRole();
}
