/** Adding employees: the row, the roles and the record in the history, for one or for thousands in a transaction. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { recordChange } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import type { Status } from '../vocabulary/status.ts';
import type { Employee } from './model.ts';
import type { Searchable } from './search-index.ts';

/** A new employee whose store and roles were checked. */
export interface Hire {
	storeId: number;
	name: string;
	phone: string;
	status: Status;
	remark: string | null;
	roleIds: readonly number[];
}

type Values = (string | number | null)[];

// Text instead of Drizzle statements: those are built for each row, which would take half of the time of an import.
const statements = prepared(({ $client }) => ({
	employee: $client.prepare<null, Values>(
		`insert into employees
			(store_id, name, phone, password_hash, password_is_initial, status, remark, created_at, updated_at)
		values (?, ?, ?, ?, 1, ?, ?, ?, ?)`,
	),
	role: $client.prepare<null, Values>('insert into employee_roles (employee_id, role_id, bound_at) values (?, ?, ?)'),
}));

/**
 * Adds an employee with the initial password, inside the caller's transaction; the search index is the caller's task.
 * @throws SQLiteError when the phone is taken.
 */
export function addEmployee(db: Db, caller: Caller, initialHash: string, hire: Hire, at: string): Searchable {
	const { storeId, name, phone, status, remark } = hire;
	const insert = statements(db);
	const { lastInsertRowid } = insert.employee.run(storeId, name, phone, initialHash, status, remark, at, at);
	const id = Number(lastInsertRowid);
	const roleIds = [...new Set(hire.roleIds)].toSorted((one, other) => one - other);
	for (const roleId of roleIds) insert.role.run(id, roleId, at);
	const employee = { id, storeId, name, phone, status, remark, roles: roleIds.map((roleId) => ({ id: roleId })) };
	recordChange(db, caller, 'EMPLOYEE_CREATE', { after: employee }, auditedFields, at);
	return employee;
}

type Audited = Pick<Employee, 'storeId' | 'name' | 'phone' | 'status' | 'remark'> & {
	roles: readonly { id: number }[];
};

/** The fields of an employee that the history records. */
export function auditedFields({ storeId, name, phone, status, remark, roles }: Audited) {
	return { storeId, name, phone, status, remark, roleIds: roles.map((role) => role.id) };
}
