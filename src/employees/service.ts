/** The employees of the chain. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { ChangePassword } from '../auth/model.ts';
import { exchangePassword, initialMark, wrongOldPassword } from '../auth/new-password.ts';
import type { Passwords, StoredPassword } from '../auth/password.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { removeSignIns } from '../auth/sign-ins.ts';
import type { Db } from '../database/open.ts';
import { among, bound, prepared, queries, rejectingDuplicates, snapshot, transaction } from '../database/query.ts';
import { employeeRoles, employees, roles } from '../database/schema.ts';
import { attemptAt } from '../guard/attempt.ts';
import { recordChange } from '../history/record.ts';
import { entityTag, refuseStale, type Version } from '../history/versions.ts';
import { secondFactorMessages } from '../second-factor/model.ts';
import { removeSecondFactor } from '../second-factor/service.ts';
import { type Actor, accountOf, type Caller, stillPermitted } from '../session/actor.ts';
import { endingTokens, newEmployeePassword } from '../session/ending-tokens.ts';
import { isActiveStore } from '../stores/service.ts';
import type { AccountKey } from '../vocabulary/accounts.ts';
import { dayOf } from '../vocabulary/day.ts';
import { AppError, found, ruleBroken } from '../vocabulary/errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import { statusLabels } from '../vocabulary/status.ts';
import { addEmployee, auditedFields } from './hiring.ts';
import {
	type CreateEmployee,
	type Employee,
	employeeMessages,
	type KnownEmployee,
	type UpdateEmployee,
} from './model.ts';
import { findManageable, refuseBindingUpward, refuseOtherStore, withinReach } from './reach.ts';
import { employeesByIds, findEmployee, knownByIds, toEmployee } from './read.ts';
import { type EmployeeFilter, findEmployees } from './search.ts';

const read = queries(({ select }) => ({
	password: select({ passwordHash: employees.passwordHash, passwordExpiresAt: employees.passwordExpiresAt })
		.from(employees)
		.where(and(isNull(employees.deletedAt), eq(employees.id, bound('id')))),
	liveRoles: select({ id: roles.id })
		.from(roles)
		.where(and(among(roles.id, 'ids'), isNull(roles.deletedAt))),
}));

// Built once: building one takes longer than running it, which counts where a thousand people change at once.
const writes = prepared((db) => {
	const given = (name: string) => sql`${sql.placeholder(name)}`;
	const [isOne, at] = [eq(employees.id, given('id')), given('at')];
	const held = and(eq(employeeRoles.employeeId, given('id')), eq(employeeRoles.roleId, given('roleId')));
	const updates = new Map<string, Write>();
	const updateOf = (names: readonly string[]): Write =>
		db
			.update(employees)
			.set(Object.fromEntries(names.map((name) => [name, given(name)])))
			.where(isOne)
			.prepare();
	return {
		/** The update of the fields with these names. */
		update(names: readonly string[]): Write {
			const key = names.toSorted().join();
			const known = updates.get(key) ?? updateOf(names);
			updates.set(key, known);
			return known;
		},
		delete: db
			.update(employees)
			.set({ status: 'INACTIVE', deletedAt: at, updatedAt: at, ...endingTokens(employees) })
			.where(isOne)
			.prepare(),
		bind: db
			.insert(employeeRoles)
			.values({ employeeId: given('id'), roleId: given('roleId'), boundAt: at, endsOn: given('endsOn') })
			.prepare(),
		unbind: db
			.update(employeeRoles)
			.set({ unboundAt: at })
			.where(and(held, isNull(employeeRoles.unboundAt)))
			.prepare(),
	};
});

interface Write {
	run(values: Record<string, unknown>): unknown;
}

/**
 * One page of the employees that pass the filter. An actor confined to a store gets that store's, whatever they ask for.
 * @throws AppError FORBIDDEN for deleted people when the actor does not manage people.
 */
export function listEmployees(
	db: Db,
	actor: Actor,
	filter: EmployeeFilter,
	paging: Paging,
	include?: 'activity',
): Page<Employee> {
	const visible = withinReach(actor, filter);
	return snapshot(db, () => {
		const { ids, total } = findEmployees(db, visible, paging);
		const items = (include ? knownByIds : employeesByIds)(db, ids, filter.order);
		return { items, total };
	});
}

/** @throws AppError NOT_FOUND; FORBIDDEN when the actor is confined to another store. */
export function getEmployee(db: Db, actor: Actor, id: number): KnownEmployee {
	return snapshot(db, () => {
		const row = findEmployee(db, id);
		refuseOtherStore(actor, row.storeId);
		return toEmployee(db, row);
	});
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
	at: string,
): KnownEmployee {
	return transaction(db, () => {
		refuseOtherStore(caller.actor, storeId);
		refuseBindingUpward(db, caller.actor, roleIds);
		requireActiveStore(db, storeId);
		requireRoles(db, new Set(roleIds));
		const hire = { storeId, name, phone, status, remark, roleIds };
		const id = rejectingDuplicates(() => addEmployee(db, caller, passwords.initialHash, hire, at), phoneTaken);
		return toEmployee(db, findEmployee(db, id));
	});
}

/**
 * Changes the given fields. The tokens of a disabled employee are refused until the employee is enabled again.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee, a store or a role out of the actor's reach; PRECONDITION_FAILED;
 * BAD_REQUEST when the new store is missing or disabled, a role is missing, or the last day is over; CONFLICT when the phone is
 * taken.
 */
export function updateEmployee(db: Db, caller: Caller, id: number, update: UpdateEmployee, at: string): KnownEmployee {
	return transaction(db, () => {
		const allowed = allowedUpdate(db, caller, id, () => update, at);
		keepUpdate(db, caller, allowed, 'EMPLOYEE_UPDATE', at);
		return toEmployee(db, findEmployee(db, id));
	});
}

/** An update of an employee that every rule allows. */
export interface AllowedUpdate {
	before: KnownEmployee;
	fields: Omit<UpdateEmployee, 'roleIds'>;
	/** The ids of the roles that they get and lose. */
	added: ReadonlySet<number>;
	removed: ReadonlySet<number>;
	/** The last days of roles that they get, by the ids; the others are for good. */
	ends?: ReadonlyMap<number, string | null>;
}

/**
 * Applies every rule to an update, of which the present employee can be a part.
 * @throws AppError as {@link updateEmployee} does, but for the phone.
 */
export function allowedUpdate(
	db: Db,
	caller: Caller,
	id: number,
	updateOf: (before: Employee) => UpdateEmployee,
	at: string,
): AllowedUpdate {
	const { actor } = caller;
	const before = toEmployee(db, findManageable(db, actor, id));
	const { roleIds, ...fields } = updateOf(before);
	const held = new Set(before.roles.map((role) => role.id));
	const wanted = new Set(roleIds ?? held);
	const [added, removed] = [wanted.difference(held), held.difference(wanted)];
	const newStoreId = fields.storeId === before.storeId ? undefined : fields.storeId;
	if (newStoreId !== undefined) refuseOtherStore(actor, newStoreId);
	refuseBindingUpward(db, actor, [...added]);
	refuseStaleEmployee(db, caller, before, at);
	if (newStoreId !== undefined) requireActiveStore(db, newStoreId);
	requireRoles(db, added);
	const leaving = leavingOf(before, fields, dayOf(new Date(at)));
	return { before, fields: { ...fields, ...leaving }, added, removed };
}

/**
 * Keeps an update, inside the caller's transaction.
 * @returns the id of its record.
 * @throws AppError CONFLICT when the phone is taken.
 */
export function keepUpdate(
	db: Db,
	caller: Caller,
	{ before, fields, added, removed, ends }: AllowedUpdate,
	action: 'EMPLOYEE_UPDATE' | 'EMPLOYEE_UPDATE_UNDO',
	at: string,
): number {
	const { id } = before;
	const { update, bind } = writes(db);
	const values = { ...fields, updatedAt: at };
	rejectingDuplicates(() => update(Object.keys(values)).run({ ...values, id }), phoneTaken);
	unbindRoles(db, id, removed, at);
	for (const roleId of added) bind.run({ id, roleId, at, endsOn: ends?.get(roleId) ?? null });
	const after = toEmployee(db, findEmployee(db, id));
	return recordChange(db, caller, action, { before, after }, auditedFields, at);
}

/** The last day after a change. Who is enabled after it has come back, and would be disabled again. */
export function leavingOf(
	before: KnownEmployee,
	{ status = before.status, leavesOn = before.leavesOn }: UpdateEmployee,
	today: string,
): Pick<UpdateEmployee, 'leavesOn'> {
	if (leavesOn === null || leavesOn >= today) return { leavesOn };
	if (leavesOn !== before.leavesOn) throw ruleBroken('BAD_REQUEST', 'body.leavesOn', employeeMessages.leavesInPast);
	return { leavesOn: status === 'ACTIVE' && before.status === 'INACTIVE' ? null : leavesOn };
}

/**
 * Sets a new password and ends the employee's tokens. Of two changes with the same old password only one succeeds.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED; BAD_REQUEST when the
 * old password is wrong; TOO_MANY_REQUESTS after too many wrong ones by this caller.
 */
export async function changePassword(
	dependencies: Pick<SignInDependencies, 'db' | 'passwords' | 'guard' | 'now'>,
	caller: Caller,
	id: number,
	change: ChangePassword,
	signal?: AbortSignal,
): Promise<KnownEmployee> {
	const { db, passwords, now } = dependencies;
	findExpected(db, caller, id, now());
	const before = storedPassword(db, id);
	const key = accountOf(caller.actor);
	const attempt = attemptAt(`by ${key}`, { address: caller.address, signal }, { kind: 'caller', key });
	const passwordHash = await exchangePassword(dependencies, attempt, change, before);
	return transaction(db, () => {
		const current = stillPermitted(db, caller, 'employee:manage');
		findExpected(db, current, id, now());
		if (storedPassword(db, id)?.passwordHash !== before?.passwordHash) throw wrongOldPassword();
		const password = { passwordHash, passwordIsInitial: initialMark(passwords, change) };
		return setPassword(db, current, 'EMPLOYEE_PASSWORD_CHANGE', id, password, now());
	});
}

function storedPassword(db: Db, id: number): StoredPassword | undefined {
	const row = read(db).password.get({ id });
	return row && { accountType: 'EMPLOYEE', id, ...row };
}

/**
 * Sets the initial password and ends the employee's tokens.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED.
 */
export function resetPassword(
	{ db, passwords }: { db: Db; passwords: Passwords },
	caller: Caller,
	id: number,
	at: string,
): KnownEmployee {
	return transaction(db, () => {
		findExpected(db, caller, id, at);
		const password = { passwordHash: passwords.initialHash, passwordIsInitial: true };
		return setPassword(db, caller, 'EMPLOYEE_PASSWORD_RESET', id, password, at);
	});
}

/** @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED. */
export function deleteEmployee(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => keepDeletion(db, caller, findExpected(db, caller, id, at), at));
}

/** Deletes an employee within the caller's reach, inside the caller's transaction. @returns the id of the record. */
export function keepDeletion(db: Db, caller: Caller, employee: KnownEmployee, at: string): number {
	unbindRoles(db, employee.id, new Set(employee.roles.map((role) => role.id)), at);
	writes(db).delete.run({ id: employee.id, at });
	removeSecondFactor(db, employeeKey(employee.id));
	removeSignIns(db, employeeKey(employee.id));
	return recordChange(db, caller, 'EMPLOYEE_DELETE', { before: employee }, auditedFields, at);
}

/**
 * Removes the second factor of an employee who lost their phone and their recovery codes.
 * @throws AppError NOT_FOUND, also without a second factor; FORBIDDEN for an employee out of the actor's reach, and for the
 * own one, which asks for the password and a code; PRECONDITION_FAILED.
 */
export function removeEmployeeSecondFactor(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => {
		const employee = findExpected(db, caller, id, at);
		const { accountType, id: ownId } = caller.actor;
		if (accountType === 'EMPLOYEE' && ownId === id) throw new AppError('FORBIDDEN', secondFactorMessages.ownAccount);
		found(removeSecondFactor(db, employeeKey(id)) || undefined, secondFactorMessages.notEnabled);
		const unchanged = { before: employee, after: employee };
		recordChange(db, caller, 'EMPLOYEE_SECOND_FACTOR_REMOVE', unchanged, auditedFields, at);
	});
}

function employeeKey(id: number): AccountKey {
	return { accountType: 'EMPLOYEE', id };
}

/**
 * Deletes an employee of a store.
 * @throws AppError FORBIDDEN for another store than the one the actor is confined to, whether or not it has such an
 * employee; NOT_FOUND when the store has none; FORBIDDEN for an employee who holds a permission the actor lacks;
 * PRECONDITION_FAILED.
 */
export function removeStoreEmployee(db: Db, caller: Caller, storeId: number, id: number, at: string): void {
	refuseOtherStore(caller.actor, storeId);
	transaction(db, () => {
		found(findEmployee(db, id).storeId === storeId ? id : undefined, employeeMessages.notFound);
		deleteEmployee(db, caller, id, at);
	});
}

/** The `ETag` of an employee. The name of their store and of their roles is no part of their version. */
export function employeeTag(employee: KnownEmployee): string {
	return entityTag(versionOf(employee));
}

function versionOf(employee: KnownEmployee): Version {
	const { updatedAt, storeName, status, roles } = employee;
	const roleIds = roles.map((role) => role.name).join('、');
	return {
		updatedAt,
		fields: auditedFields(employee),
		shown: { storeId: storeName, status: statusLabels[status], roleIds },
	};
}

/** An employee that the actor may change, of a version that the caller expects. */
export function findExpected(db: Db, caller: Caller, id: number, at: string): KnownEmployee {
	const employee = toEmployee(db, findManageable(db, caller.actor, id));
	refuseStaleEmployee(db, caller, employee, at);
	return employee;
}

/** @throws AppError PRECONDITION_FAILED when the caller expects another version. */
export function refuseStaleEmployee(db: Db, caller: Caller, employee: KnownEmployee, at: string): void {
	refuseStale(db, caller, { type: 'EMPLOYEE', id: employee.id }, versionOf(employee), at);
}

/** Writes columns of an employee, inside the caller's transaction. */
export function change(db: Db, id: number, values: SQLiteUpdateSetSource<typeof employees>): void {
	db.update(employees).set(values).where(eq(employees.id, id)).run();
}

function setPassword(
	db: Db,
	caller: Caller,
	action: 'EMPLOYEE_PASSWORD_CHANGE' | 'EMPLOYEE_PASSWORD_RESET',
	id: number,
	password: Parameters<typeof newEmployeePassword>[0],
	at: string,
): KnownEmployee {
	change(db, id, newEmployeePassword(password, at));
	const employee = toEmployee(db, findEmployee(db, id));
	recordChange(db, caller, action, { before: employee, after: employee }, auditedFields, at);
	return employee;
}

function requireActiveStore(db: Db, id: number): void {
	if (!isActiveStore(db, id)) {
		throw ruleBroken('BAD_REQUEST', 'body.storeId', employeeMessages.badStore);
	}
}

function phoneTaken(): AppError {
	return ruleBroken('CONFLICT', 'body.phone', employeeMessages.phoneTaken);
}

/** @throws AppError BAD_REQUEST when one of the roles does not exist or is deleted. */
function requireRoles(db: Db, ids: ReadonlySet<number>): void {
	if (ids.size === 0) return;
	if (!areLiveRoles(db, ids)) throw ruleBroken('BAD_REQUEST', 'body.roleIds', employeeMessages.badRole);
}

/** Whether all of some roles exist. */
export function areLiveRoles(db: Db, ids: ReadonlySet<number>): boolean {
	return read(db).liveRoles.all({ ids: JSON.stringify([...ids]) }).length === ids.size;
}

/** A link that ends is marked as unbound and stays as a record. */
export function unbindRoles(db: Db, id: number, roleIds: ReadonlySet<number>, at: string): void {
	for (const roleId of roleIds) writes(db).unbind.run({ id, roleId, at });
}
