/** Saving employees: the row, the roles and the history record, for one or for thousands in a transaction. */
import { type ChangeContext, changesBetween, record } from '../../identity/history/record.ts';
import { newestGroup } from '../../identity/history/service.ts';
import { revokePlace, saveReach } from '../../identity/rights/reach.ts';
import type { LastDays } from '../../identity/rights/rules.ts';
import { removeSecondFactor } from '../../identity/second-factor/service.ts';
import { removeSignIns } from '../../identity/session/sign-ins.ts';
import type { Db } from '../../platform/database/open.ts';
import { mapUniqueViolation, prepared } from '../../platform/database/query.ts';
import { employees } from '../../platform/database/schema.ts';
import { addSeconds, isOver } from '../../platform/vocabulary/day.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { spellName } from '../../platform/vocabulary/pinyin.ts';
import { isWorking } from '../../platform/vocabulary/status.ts';
import { employeeMessages, type StoredEmployee, UpdateEmployee } from './model.ts';

/** The editable fields of an employee. */
export type EditableFields = Required<UpdateEmployee>;

/** An employee and their new fields; the store and the roles were checked. */
export interface EmployeeEdit {
	before: StoredEmployee;
	after: EditableFields;
	/** The last days of roles, by role id; other new roles have no end. */
	ends?: LastDays | undefined;
}

/** The change of one employee, after every rule allowed it; without new fields, a deletion. */
export type Step = EmployeeEdit | { before: StoredEmployee; after?: never };

const fields = Object.keys(UpdateEmployee.properties) as (keyof EditableFields)[];

/** The fields of an employee that the history records: all editable ones. */
function auditedFields(employee: EditableFields): EditableFields {
	const roleIds = Array.from(new Set(employee.roleIds)).toSorted((a, b) => a - b);
	const audited = fields.map((field) => [field, field === 'roleIds' ? roleIds : employee[field]]);
	return Object.fromEntries(audited) as EditableFields;
}

/** The present editable fields of an employee. */
export function editableFields(employee: StoredEmployee): EditableFields {
	return auditedFields({ ...employee, roleIds: employee.roles.map(({ id }) => id) });
}

/**
 * The employee's editable fields after an update. Re-enabling an employee after their last day clears the last day;
 * otherwise they would be disabled again.
 */
export function editableFieldsAfter(before: StoredEmployee, update: UpdateEmployee, today: string): EditableFields {
	const after = auditedFields({ ...editableFields(before), ...update });
	const hasEnded = after.leavesOn === before.leavesOn && isOver(after.leavesOn, today);
	const isBack = isWorking[after.status] && !isWorking[before.status];
	return hasEnded && isBack ? { ...after, leavesOn: null } : after;
}

/** The fields with a column of their own. */
const ownFields = fields.filter((field) => field !== 'roleIds');
const columns = ownFields.map((field) => employees[field].name);

type Values = (string | number | null)[];

// Raw SQL, because an import runs these for thousands of rows in one transaction.
const statements = prepared(({ $client }) => ({
	add: $client.prepare<null, Values>(
		`insert into employees (${columns}, pinyin, updated_at, created_at, password_hash, password_is_initial)
		values (${columns.map(() => '?')}, ?, ?, ?, ?, 1)`,
	),
	// A restored employee needs a new one-time password.
	delete: $client.prepare<null, Values>(
		`update employees set status = 'INACTIVE', updated_at = ?1, deleted_at = ?1, token_version = token_version + 1,
			password_expires_at = min(password_expires_at, ?1)
		where id = ?2`,
	),
	// The check of the column reads a text up to the NUL, which no request can contain.
	parkPhone: $client.prepare<null, Values>('update employees set phone = phone || char(0) where id = ?'),
	bind: $client.prepare<null, Values>('insert into employee_roles (employee_id, role_id, bound_at) values (?, ?, ?)'),
	setEnd: $client.prepare<null, Values>(
		'update employee_roles set ends_on = ? where employee_id = ? and role_id = ? and unbound_at is null',
	),
	// A link that ends stays as a record.
	unbind: $client.prepare<null, Values>(
		'update employee_roles set unbound_at = ? where employee_id = ? and role_id = ? and unbound_at is null',
	),
}));

/**
 * Adds an employee with the initial password, inside the caller's transaction.
 * @returns their id.
 * @throws AppError CONFLICT when the phone or the external id is taken.
 */
export function insertEmployee(db: Db, context: ChangeContext, initialHash: string, employee: EditableFields): number {
	const { add, bind } = statements(db);
	const after = auditedFields(employee);
	const values = ownFields.map((field) => after[field]);
	const insert = () => add.run(...values, spellName(after.name), context.at, context.at, initialHash);
	const id = Number(mapUniqueViolation(insert, taken).lastInsertRowid);
	for (const roleId of after.roleIds) bind.run(id, roleId, context.at);
	const target = { id, name: after.name };
	record(db, context, { action: 'EMPLOYEE_CREATE', target, changes: changesBetween({}, after) });
	return id;
}

/** The record of an edit: its action, and fields besides those of the employee. */
interface EditRecord extends Partial<Record<'before' | 'after', { roleId: number | null; until: string | null }>> {
	action: 'EMPLOYEE_UPDATE' | 'EMPLOYEE_UPDATE_UNDO' | 'EMPLOYEE_ROLE_GIVE';
}

/**
 * Saves the edit of an employee, inside the caller's transaction. A deleted employee is restored, and recorded as new.
 * @throws AppError CONFLICT when the phone or the external id is taken.
 */
export function saveEmployee(
	db: Db,
	context: ChangeContext,
	edit: EmployeeEdit,
	{ action, ...extra }: EditRecord = { action: 'EMPLOYEE_UPDATE' },
): void {
	const { before, after } = edit;
	mapUniqueViolation(() => saveRow(db, context, edit), taken);
	saveRoles(db, context, edit);
	const isBack = before.deletedAt !== null;
	const was = isBack ? {} : { ...editableFields(before), ...extra.before };
	const changes = changesBetween(was, { ...auditedFields(after), ...extra.after });
	const target = { id: before.id, name: after.name };
	record(db, context, { action: isBack ? 'EMPLOYEE_RESTORE' : action, target, changes });
	if (after.storeId !== before.storeId) revokePlace(db, context, { type: 'STORE', id: after.storeId }, [target]);
}

/**
 * Writes what differs, in one statement: a restored employee's former external id may be another one's by now. SQLite
 * writes every index that has a column of the statement, also if the value stays.
 */
function saveRow(db: Db, { at }: ChangeContext, { before, after }: EmployeeEdit): void {
	const differing = ownFields.filter((field) => after[field] !== before[field]);
	const row = {
		...Object.fromEntries(differing.map((field) => [field, after[field]])),
		...(after.name !== before.name && { pinyin: spellName(after.name) }),
		...(before.deletedAt !== null && { deletedAt: null }),
		updatedAt: at,
	};
	const columns = Object.keys(row).map((field) => `${employees[field as keyof typeof row].name} = ?`);
	db.$client.query<null, Values>(`update employees set ${columns} where id = ?`).run(...Object.values(row), before.id);
}

function saveRoles(db: Db, { at }: ChangeContext, { before, after, ends = new Map() }: EmployeeEdit): void {
	const { bind, unbind, setEnd } = statements(db);
	const [held, requested] = [new Set(before.roles.map(({ id }) => id)), new Set(after.roleIds)];
	for (const roleId of held.difference(requested)) unbind.run(at, before.id, roleId);
	for (const roleId of requested.difference(held)) bind.run(before.id, roleId, at);
	for (const [roleId, endsOn] of ends) setEnd.run(endsOn, before.id, roleId);
}

/** Marks an employee as deleted, inside the caller's transaction. */
export function markDeleted(db: Db, context: ChangeContext, employee: StoredEmployee): void {
	const { id, roles, updatedAt } = employee;
	const account = { accountType: 'EMPLOYEE', id } as const;
	// Restoring finds the roles by this time, so it must differ from that of a change in the same millisecond.
	const at = context.at > updatedAt ? context.at : addSeconds(updatedAt, 0.001);
	for (const role of roles) statements(db).unbind.run(at, id, role.id);
	statements(db).delete.run(at, id);
	removeSecondFactor(db, account);
	removeSignIns(db, account);
	const changes = changesBetween(editableFields(employee), {});
	record(db, context, { action: 'EMPLOYEE_DELETE', target: employee, changes });
	saveReach(db, context, employee, () => []);
}

/**
 * Saves the changes of several employees, who can exchange phones, inside the caller's transaction. Without an earlier
 * record, the first one represents the whole group in the history.
 * @returns the id of the group; null without a step.
 */
export function saveSteps(db: Db, context: ChangeContext, steps: readonly Step[], as?: EditRecord): number | null {
	parkPhoneNumbers(db, steps);
	for (const step of steps) {
		if (step.after) saveEmployee(db, context, step, as);
		else markDeleted(db, context, step.before);
	}
	return steps.length === 0 ? null : newestGroup(db);
}

/**
 * Parks phone numbers that employees exchange. A phone is unique at every moment, so an employee whose number goes to
 * another one first gets a temporary number that nobody can have.
 */
function parkPhoneNumbers(db: Db, steps: readonly Step[]): void {
	const moves = steps.filter(({ before, after }) => after && before.phone !== after.phone);
	const requested = new Set(moves.map(({ after }) => after?.phone));
	for (const { before } of moves) if (requested.has(before.phone)) statements(db).parkPhone.run(before.id);
}

const taken = {
	'employees.phone': () => businessError('CONFLICT', 'body.phone', employeeMessages.taken.phone),
	'employees.external_id': () => businessError('CONFLICT', 'body.externalId', employeeMessages.taken.externalId),
};
