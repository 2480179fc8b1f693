/** Adding employees: the row, the roles and the record in the history, for one or for thousands in a transaction. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import { recordChange } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import { CreateEmployee, type UpdateEmployee } from './model.ts';

/** A new employee whose store and roles were checked. */
export type Hire = Required<CreateEmployee>;

/** The fields that have a column of their own. */
const { roleIds: _, ...ownFields } = CreateEmployee.properties;
const fields = Object.keys(ownFields) as (keyof typeof ownFields)[];

type Values = (string | number | null)[];

// Text instead of Drizzle statements: those are built for each row, which would take half of the time of an import.
const statements = prepared(({ $client }) => ({
	employee: $client.prepare<null, Values>(
		`insert into employees
			(${fields.map((field) => employees[field].name)}, password_hash, password_is_initial, created_at, updated_at)
		values (${fields.map(() => '?')}, ?, 1, ?, ?)`,
	),
	role: $client.prepare<null, Values>('insert into employee_roles (employee_id, role_id, bound_at) values (?, ?, ?)'),
}));

/**
 * Adds an employee with the initial password, inside the caller's transaction.
 * @returns their id.
 * @throws SQLiteError when the phone is taken.
 */
export function addEmployee(db: Db, caller: Caller, initialHash: string, hire: Hire, at: string): number {
	const insert = statements(db);
	const values = fields.map((field) => hire[field]);
	const id = Number(insert.employee.run(...values, initialHash, at, at).lastInsertRowid);
	const roleIds = [...new Set(hire.roleIds)].toSorted((a, b) => a - b);
	for (const roleId of roleIds) insert.role.run(id, roleId, at);
	const employee = { ...hire, id, roles: roleIds.map((roleId) => ({ id: roleId })) };
	recordChange(db, caller, 'EMPLOYEE_CREATE', { after: employee }, auditedFields, at);
	return id;
}

/** What {@link auditedFields} takes. */
export type Audited = Omit<Hire, 'roleIds'> & { roles: readonly { id: number }[]; leavesOn?: string | null };

/** The fields of an employee that the history records: all that people write. */
export function auditedFields(employee: Audited): Record<keyof UpdateEmployee, unknown> {
	const { storeId, name, phone, status, remark, roles, leavesOn = null } = employee;
	return { storeId, name, phone, status, remark, roleIds: roles.map((role) => role.id), leavesOn };
}
