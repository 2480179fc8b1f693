/** The employees of the chain (specification, sections 3 and 4). */
import { and, type Column, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { ChangePassword } from '../auth/model.ts';
import type { Passwords } from '../auth/password.ts';
import { initialMark, requireOldPassword, wrongOldPassword } from '../auth/password-check.ts';
import type { Throttle } from '../auth/throttle.ts';
import type { Db } from '../database/open.ts';
import { aliased, bound, prepared, rejectingDuplicates, snapshot, statement, transaction } from '../database/query.ts';
import { employeeRoles, employees, rolePermissions, roles, stores } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { recordChange } from '../history/record.ts';
import type { Page, Paging } from '../paging.ts';
import { heldRoles } from '../roles/held-roles.ts';
import type { RoleSummary } from '../roles/model.ts';
import { type Actor, type Caller, ownStoreOf, permissionsOf, stillPermitted } from '../session/actor.ts';
import { endingTokens } from '../session/ending-tokens.ts';
import { covers } from '../vocabulary/permissions.ts';
import { employeeMessages, statusTagLabels } from './messages.ts';
import type { CreateEmployee, Employee, EmployeeStatusTag, UpdateEmployee } from './model.ts';
import { type EmployeeFilter, findEmployees } from './search.ts';
import { addToIndex, removeFromIndex } from './search-index.ts';

const columns = {
	id: employees.id,
	storeId: employees.storeId,
	storeName: stores.name,
	storeStatus: stores.status,
	name: employees.name,
	phone: employees.phone,
	status: employees.status,
	remark: employees.remark,
	createdAt: employees.createdAt,
	updatedAt: employees.updatedAt,
};
type Row = Omit<Employee, 'roles' | 'statusTags'>;

const live = isNull(employees.deletedAt);

const statements = prepared((db) => {
	const selectEmployees = () =>
		db.select(aliased(columns)).from(employees).innerJoin(stores, eq(stores.id, employees.storeId));
	const among = (column: Column) => sql`${column} in (select value from json_each(${bound('ids')}))`;
	return {
		byId: statement(db, selectEmployees().where(and(live, eq(employees.id, bound('id'))))),
		// Ids come as one JSON array, so that one statement serves a list of any length.
		byIds: statement(db, selectEmployees().where(among(employees.id)).orderBy(employees.id)),
		byStore: statement(
			db,
			selectEmployees()
				.where(and(live, eq(employees.storeId, bound('storeId'))))
				.orderBy(employees.id),
		),
		passwordHash: statement(
			db,
			db
				.select(aliased({ passwordHash: employees.passwordHash }))
				.from(employees)
				.where(and(live, eq(employees.id, bound('id')))),
		),
		rolesOf: statement(
			db,
			db
				.select(aliased({ employeeId: employeeRoles.employeeId, id: roles.id, code: roles.code, name: roles.name }))
				.from(employeeRoles)
				.innerJoin(roles, eq(roles.id, employeeRoles.roleId))
				.where(and(isNull(employeeRoles.unboundAt), among(employeeRoles.employeeId)))
				.orderBy(employeeRoles.employeeId, roles.id),
		),
		activeStore: statement(
			db,
			db
				.select(aliased({ id: stores.id }))
				.from(stores)
				.where(and(eq(stores.id, bound('id')), eq(stores.status, 'ACTIVE'), isNull(stores.deletedAt))),
		),
		liveRoles: statement(
			db,
			db
				.select(aliased({ id: roles.id }))
				.from(roles)
				.where(and(among(roles.id), isNull(roles.deletedAt))),
		),
		permissionsOfRoles: statement(
			db,
			db
				.select(aliased({ permission: rolePermissions.permission }))
				.from(rolePermissions)
				.where(and(among(rolePermissions.roleId), isNull(rolePermissions.deletedAt))),
		),
	};
});

/** One page of the employees that pass the filter; who may see one store only gets that one, whatever he asks for. */
export function listEmployees(db: Db, actor: Actor, filter: EmployeeFilter, paging: Paging): Page<Employee> {
	const storeId = ownStoreOf(actor) ?? filter.storeId;
	return snapshot(db, () => {
		const { ids, total } = findEmployees(db, { ...filter, storeId }, paging);
		const rows = ids.length > 0 ? statements(db).byIds.all({ ids: JSON.stringify(ids) }) : [];
		return { items: withRoles(db, rows), total };
	});
}

/** Every employee of a store. */
export function listStoreEmployees(db: Db, storeId: number): Employee[] {
	return snapshot(db, () => withRoles(db, statements(db).byStore.all({ storeId })));
}

/** @throws AppError NOT_FOUND; FORBIDDEN for an employee of another store when the actor is confined to his own. */
export function getEmployee(db: Db, actor: Actor, id: number): Employee {
	return snapshot(db, () => {
		const row = findRow(db, id);
		refuseOtherStore(actor, row.storeId);
		return presentEmployee(db, row);
	});
}

/**
 * Hires somebody, with the initial password.
 * @throws AppError FORBIDDEN for another store or a role above the actor; BAD_REQUEST when the store is missing or
 * disabled or a role is missing; CONFLICT when the phone is taken.
 */
export async function createEmployee(
	{ db, passwords }: { db: Db; passwords: Passwords },
	caller: Caller,
	input: CreateEmployee,
	now: () => string,
): Promise<Employee> {
	const passwordHash = passwords.initialHash;
	const { storeId, name, phone, status = 'ACTIVE', remark = null, roleIds = [] } = input;
	return transaction(db, () => {
		const at = now();
		const present = stillPermitted(db, caller, 'employee:manage');
		refuseOtherStore(present.actor, storeId);
		refuseBindingUpward(db, present.actor, roleIds);
		requireActiveStore(db, storeId);
		requireRoles(db, roleIds);
		const password = { passwordHash, passwordIsInitial: true };
		const values = { storeId, name, phone, ...password, status, remark, createdAt: at, updatedAt: at };
		const { id } = rejectingDuplicates(
			() => db.insert(employees).values(values).returning({ id: employees.id }).get(),
			phoneTaken,
		);
		addToIndex(db.$client, { id, name, phone, status });
		bindRoles(db, id, new Set(roleIds), at);
		const employee = presentEmployee(db, findRow(db, id));
		recordChange(db, present, 'EMPLOYEE_CREATE', { after: employee }, told, at);
		return employee;
	});
}

/**
 * Changes the given fields; a disabled employee's tokens are refused until they are enabled again.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee, a store or a role out of the actor's reach; BAD_REQUEST when
 * the new store is missing or disabled or a role is missing; CONFLICT when the phone is taken.
 */
export function updateEmployee(
	db: Db,
	caller: Caller,
	id: number,
	{ roleIds, ...fields }: UpdateEmployee,
	at: string,
): Employee {
	return transaction(db, () => {
		const { actor } = caller;
		const before = presentEmployee(db, findManageable(db, actor, id));
		const held = new Set(before.roles.map((role) => role.id));
		const added = roleIds?.filter((roleId) => !held.has(roleId)) ?? [];
		const newStoreId = fields.storeId === before.storeId ? undefined : fields.storeId;
		if (newStoreId !== undefined) refuseOtherStore(actor, newStoreId);
		refuseBindingUpward(db, actor, added);
		if (newStoreId !== undefined) requireActiveStore(db, newStoreId);
		requireRoles(db, added);
		rejectingDuplicates(() => change(db, id, { ...fields, updatedAt: at }), phoneTaken);
		const row = findRow(db, id);
		reindex(db, before, row);
		if (roleIds) {
			const wanted = new Set(roleIds);
			unbindRoles(
				db,
				id,
				[...held].filter((roleId) => !wanted.has(roleId)),
				at,
			);
			bindRoles(db, id, new Set(added), at);
		}
		const after = presentEmployee(db, row);
		recordChange(db, caller, 'EMPLOYEE_UPDATE', { before, after }, told, at);
		return after;
	});
}

/**
 * Sets a new password and ends the employee's tokens. Of two changes with the same old password one wins.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; BAD_REQUEST when the old password is
 * wrong; TOO_MANY_REQUESTS when it was too often, counted together with the employee's sign-ins.
 */
export async function changePassword(
	{ db, passwords, throttle }: { db: Db; passwords: Passwords; throttle: Throttle },
	caller: Caller,
	id: number,
	{ oldPassword, newPassword }: ChangePassword,
	now: () => string,
): Promise<Employee> {
	const attempt = { name: findManageable(db, caller.actor, id).phone, address: caller.address };
	const before = statements(db).passwordHash.get({ id })?.passwordHash;
	await requireOldPassword({ passwords, throttle }, attempt, oldPassword, before);
	const passwordHash = await passwords.hash(newPassword);
	return transaction(db, () => {
		const present = stillPermitted(db, caller, 'employee:manage');
		findManageable(db, present.actor, id);
		if (statements(db).passwordHash.get({ id })?.passwordHash !== before) throw wrongOldPassword();
		const passwordIsInitial = initialMark(passwords, { oldPassword, newPassword });
		return setPassword(db, present, 'EMPLOYEE_PASSWORD_CHANGE', id, { passwordHash, passwordIsInitial }, now());
	});
}

/**
 * Sets the initial password again and ends the employee's tokens.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach.
 */
export async function resetPassword(
	{ db, passwords }: { db: Db; passwords: Passwords },
	caller: Caller,
	id: number,
	now: () => string,
): Promise<Employee> {
	const passwordHash = passwords.initialHash;
	return transaction(db, () => {
		const present = stillPermitted(db, caller, 'employee:manage');
		findManageable(db, present.actor, id);
		const password = { passwordHash, passwordIsInitial: true };
		return setPassword(db, present, 'EMPLOYEE_PASSWORD_RESET', id, password, now());
	});
}

/** @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach. */
export function deleteEmployee(db: Db, caller: Caller, id: number, at: string): void {
	transaction(db, () => remove(db, caller, findManageable(db, caller.actor, id), at));
}

/** @throws AppError NOT_FOUND when the store has no such employee; FORBIDDEN for one out of the actor's reach. */
export function removeStoreEmployee(db: Db, caller: Caller, storeId: number, id: number, at: string): void {
	transaction(db, () => {
		if (findRow(db, id).storeId !== storeId) throw notFound();
		remove(db, caller, findManageable(db, caller.actor, id), at);
	});
}

function change(db: Db, id: number, values: SQLiteUpdateSetSource<typeof employees>): void {
	db.update(employees).set(values).where(eq(employees.id, id)).run();
}

function setPassword(
	db: Db,
	caller: Caller,
	action: 'EMPLOYEE_PASSWORD_CHANGE' | 'EMPLOYEE_PASSWORD_RESET',
	id: number,
	password: { passwordHash: string; passwordIsInitial: boolean | undefined },
	at: string,
): Employee {
	change(db, id, { ...password, ...endingTokens(employees), updatedAt: at });
	const employee = presentEmployee(db, findRow(db, id));
	recordChange(db, caller, action, { before: employee, after: employee }, told, at);
	return employee;
}

/** The fields of an employee that his history tells. */
function told({ storeId, name, phone, status, remark, roles }: Employee) {
	return { storeId, name, phone, status, remark, roleIds: roles.map((role) => role.id) };
}

/** Keeps the search index in step with a row that changed. */
function reindex(db: Db, before: Row, after: Row): void {
	const same = before.name === after.name && before.phone === after.phone && before.status === after.status;
	if (same) return;
	removeFromIndex(db.$client, before);
	addToIndex(db.$client, after);
}

function remove(db: Db, caller: Caller, row: Row, at: string): void {
	const { id } = row;
	const employee = presentEmployee(db, row);
	removeFromIndex(db.$client, row);
	unbindRoles(
		db,
		id,
		employee.roles.map((role) => role.id),
		at,
	);
	change(db, id, { status: 'INACTIVE', deletedAt: at, updatedAt: at, ...endingTokens(employees) });
	recordChange(db, caller, 'EMPLOYEE_DELETE', { before: employee }, told, at);
}

function findRow(db: Db, id: number): Row {
	const row = statements(db).byId.get({ id });
	if (!row) throw notFound();
	return row;
}

/** An employee whom the actor may change: within his scope, and holding nothing that he does not hold himself. */
function findManageable(db: Db, actor: Actor, id: number): Row {
	const row = findRow(db, id);
	refuseOtherStore(actor, row.storeId);
	if (!covers(actor.permissions, permissionsOf(db, id))) {
		throw new AppError('FORBIDDEN', employeeMessages.actsUpward);
	}
	return row;
}

function refuseOtherStore(actor: Actor, storeId: number): void {
	const own = ownStoreOf(actor);
	if (own !== undefined && own !== storeId) throw new AppError('FORBIDDEN', employeeMessages.otherStore);
}

function refuseBindingUpward(db: Db, actor: Actor, roleIds: readonly number[]): void {
	if (roleIds.length === 0) return;
	const held = statements(db).permissionsOfRoles.all({ ids: JSON.stringify(roleIds) });
	if (!covers(actor.permissions, new Set(held.map((row) => row.permission)))) {
		throw new AppError('FORBIDDEN', employeeMessages.bindsUpward);
	}
}

function requireActiveStore(db: Db, id: number): void {
	if (!statements(db).activeStore.get({ id })) throw new AppError('BAD_REQUEST', employeeMessages.badStore);
}

function requireRoles(db: Db, roleIds: readonly number[]): void {
	const wanted = new Set(roleIds);
	if (wanted.size === 0) return;
	const found = statements(db).liveRoles.all({ ids: JSON.stringify([...wanted]) });
	if (found.length < wanted.size) throw new AppError('BAD_REQUEST', employeeMessages.badRole);
}

function bindRoles(db: Db, employeeId: number, roleIds: ReadonlySet<number>, at: string): void {
	const links = Array.from(roleIds, (roleId) => ({ employeeId, roleId, boundAt: at }));
	if (links.length > 0) db.insert(employeeRoles).values(links).run();
}

function unbindRoles(db: Db, employeeId: number, roleIds: readonly number[], at: string): void {
	if (roleIds.length === 0) return;
	db.update(employeeRoles)
		.set({ unboundAt: at })
		.where(
			and(
				eq(employeeRoles.employeeId, employeeId),
				inArray(employeeRoles.roleId, [...roleIds]),
				isNull(employeeRoles.unboundAt),
			),
		)
		.run();
}

function rolesOf(db: Db, employeeIds: readonly number[]) {
	return statements(db).rolesOf.all({ ids: JSON.stringify(employeeIds) });
}

function withRoles(db: Db, rows: readonly Row[]): Employee[] {
	const byEmployee = new Map<number, RoleSummary[]>();
	const ids = rows.map((row) => row.id);
	for (const { employeeId, ...role } of ids.length > 0 ? rolesOf(db, ids) : []) {
		const known = byEmployee.get(employeeId);
		if (known) known.push(role);
		else byEmployee.set(employeeId, [role]);
	}
	return rows.map((row) => ({ ...row, statusTags: statusTags(row), roles: byEmployee.get(row.id) ?? [] }));
}

function presentEmployee(db: Db, row: Row): Employee {
	return { ...row, statusTags: statusTags(row), roles: heldRoles(db, row.id) };
}

/** The employee's own tag first, then that of a disabled store (section 2, "EmployeeStatusTag"). */
function statusTags({ status, storeStatus }: Row): EmployeeStatusTag[] {
	const own = status === 'ACTIVE' ? tag('EMPLOYEE_ACTIVE', 'success') : tag('EMPLOYEE_INACTIVE', 'default');
	return storeStatus === 'ACTIVE' ? [own] : [own, tag('STORE_INACTIVE', 'warning')];
}

function tag(code: EmployeeStatusTag['code'], variant: EmployeeStatusTag['variant']): EmployeeStatusTag {
	return { code, label: statusTagLabels[code], variant };
}

function notFound(): AppError {
	return new AppError('NOT_FOUND', employeeMessages.notFound);
}

function phoneTaken(): AppError {
	return new AppError('CONFLICT', employeeMessages.phoneTaken);
}
