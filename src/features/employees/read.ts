/** Employees as the API answers them: the row, its status tags and its roles. */
import { and, type Column, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, prepared, queries } from '../../platform/database/query.ts';
import { employeeRoles, employees, roles, searchedPhone, stores } from '../../platform/database/schema.ts';
import { orNotFound } from '../../platform/vocabulary/errors.ts';
import {
	answeredFields,
	Employee,
	type EmployeeFilter,
	type EmployeeStatusTag,
	employeeMessages,
	type Include,
	type Order,
	type StoredEmployee,
} from './model.ts';
import { nextIds } from './search.ts';

const table = getTableColumns(employees);
const answered = Object.entries(table).filter(([name]) => name in Employee.properties);

const columns = {
	...Object.fromEntries(answered),
	storeName: stores.name,
	storeStatus: stores.status,
	passwordExpiresAt: employees.passwordExpiresAt,
	deletedAt: employees.deletedAt,
	roleId: roles.id,
	roleCode: roles.code,
	roleName: roles.name,
	roleUntil: employeeRoles.endsOn,
};

/** SQLite builds the objects under these names. In Drizzle that takes as long as the whole read. */
const named = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)]));

const read = prepared((db) => {
	/** The employees who meet a condition on the parameter `value`. */
	const people = (condition: SQL) => {
		const query = db
			.select(named)
			.from(employees)
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.leftJoin(employeeRoles, and(eq(employeeRoles.employeeId, employees.id), isNull(employeeRoles.unboundAt)))
			.leftJoin(roles, eq(roles.id, employeeRoles.roleId))
			.where(condition)
			.orderBy(employees.id, employeeRoles.roleId);
		const statement = db.$client.prepare<EmployeeRow, [string | number]>(query.toSQL().sql);
		return (value: string | number) => combineRows(statement.all(value));
	};
	return {
		byId: people(eq(employees.id, param('value'))),
		byIds: people(inJsonArray(employees.id, 'value')),
	};
});

const holding = queries(({ select }) => {
	const having = (column: Column | SQL, condition: SQL) =>
		select({ id: employees.id })
			.from(employees)
			.where(and(inJsonArray(column, 'values'), condition));
	const isLive = isNull(employees.deletedAt);
	return {
		phone: having(employees.phone, isLive),
		externalId: having(employees.externalId, isLive),
		formerPhone: having(searchedPhone, isNotNull(employees.deletedAt)),
	};
});

/** The employees who hold one of the roles in `roleIds` and meet a condition, without deleted ones. */
export function selectHolders({ select }: Pick<Db, 'select'>, condition?: SQL) {
	return select({ id: employees.id, name: employees.name, storeId: employees.storeId })
		.from(employees)
		.innerJoin(employeeRoles, and(eq(employeeRoles.employeeId, employees.id), isNull(employeeRoles.unboundAt)))
		.where(and(condition, isNull(employees.deletedAt), inJsonArray(employeeRoles.roleId, 'roleIds')))
		.groupBy(employees.id);
}

/** An employee who is not deleted. @throws AppError NOT_FOUND */
export function getStoredEmployee(db: Db, id: number): StoredEmployee {
	const employee = getEvenIfDeleted(db, id);
	return orNotFound(employee.deletedAt === null ? employee : undefined, employeeMessages.notFound);
}

/** An employee, deleted or not. @throws AppError NOT_FOUND */
export function getEvenIfDeleted(db: Db, id: number): StoredEmployee {
	const [employee] = read(db).byId(id);
	return orNotFound(employee, employeeMessages.notFound);
}

/** The fields whose values differ between all employees who are not deleted. */
export const uniqueFields = ['phone', 'externalId'] as const;
type UniqueField = (typeof uniqueFields)[number];

/** The ids of the employees, not deleted, with these values in a unique field, or of deleted ones with these phones. */
export function idsWith(db: Db, field: UniqueField | 'formerPhone', values: readonly (string | null)[]): number[] {
	const rows = holding(db)[field].all({ values: JSON.stringify(values) });
	return rows.map(({ id }) => id);
}

/** The employee, not deleted, who has this value in a unique field. Nobody has null. */
export function findHolder(db: Db, field: UniqueField, value: string | null): StoredEmployee | undefined {
	return listByIds(db, idsWith(db, field, [value]))[0];
}

/** The deleted employees who had one of these phones. */
export function listFormerHolders(db: Db, phones: readonly string[]): StoredEmployee[] {
	return listByIds(db, idsWith(db, 'formerPhone', phones));
}

/** The employees with these ids, deleted or not, in an order of their ids. */
export function listByIds(db: Db, ids: readonly number[], order: Order = 'asc'): StoredEmployee[] {
	const people = read(db).byIds(JSON.stringify(ids));
	return order === 'desc' ? people.reverse() : people;
}

/** The employees with these ids, without deleted ones, by id. */
export function liveById(db: Db, ids: readonly number[]): Map<number, StoredEmployee> {
	const live = listByIds(db, ids).filter(({ deletedAt }) => deletedAt === null);
	return new Map(live.map((person) => [person.id, person]));
}

/** The number of employees in memory at once: 70 kB of JSON. */
const partSize = 200;

/**
 * Reads every employee who passes a filter, in the order of the list and in parts. Nobody appears twice. If
 * an employee begins or ceases to pass the filter in the meantime, either is possible.
 */
export function* eachEmployee(db: Db, filter: EmployeeFilter): Generator<StoredEmployee> {
	for (let after: number | undefined; ; ) {
		const part = listByIds(db, nextIds(db, filter, { after, limit: partSize }), filter.order);
		if (part.length === 0) return;
		yield* part;
		after = part.at(-1)?.id;
	}
}

/** An employee as the API answers it, with what is included. */
export function toEmployee(stored: StoredEmployee, include: Include | 'nothing' = 'nothing'): Employee {
	const employee: Partial<Record<keyof Employee, unknown>> = {};
	for (const field of answeredFields[include]) employee[field] = stored[field];
	return employee as Employee;
}

/** One of an employee's present roles with its last day; for an employee without a role, null. */
type EmployeeRow = Omit<StoredEmployee, 'roles' | 'roleEnds' | 'statusTags'> & {
	roleId: number | null;
	roleCode: string;
	roleName: string;
	roleUntil: string | null;
};

/**
 * Combines rows that are ordered by employee: one statement reads employees with their roles. The first row of an
 * employee becomes the employee, because copying its fields takes as long as reading them.
 */
function combineRows(rows: readonly EmployeeRow[]): StoredEmployee[] {
	const people: StoredEmployee[] = [];
	for (const row of rows) {
		const { roleId, roleCode, roleName, roleUntil } = row;
		let person = people.at(-1);
		if (person?.id !== row.id) {
			// A number in SQLite.
			const passwordIsInitial = Boolean(row.passwordIsInitial);
			person = Object.assign(row, { passwordIsInitial, statusTags: statusTags(row), roles: [], roleEnds: [] });
			people.push(person);
		}
		if (roleId === null) continue;
		person.roles.push({ id: roleId, code: roleCode, name: roleName });
		if (roleUntil !== null) person.roleEnds.push({ roleId, until: roleUntil });
	}
	return people;
}

const tags: Readonly<Record<EmployeeStatusTag['code'], EmployeeStatusTag>> = {
	EMPLOYEE_ACTIVE: { code: 'EMPLOYEE_ACTIVE', label: '员工启用', variant: 'success' },
	EMPLOYEE_INACTIVE: { code: 'EMPLOYEE_INACTIVE', label: '员工禁用', variant: 'default' },
	STORE_INACTIVE: { code: 'STORE_INACTIVE', label: '门店禁用', variant: 'warning' },
};

/** The employee's own tag first, then that of a disabled store. */
function statusTags({ status, storeStatus }: Pick<Employee, 'status' | 'storeStatus'>): EmployeeStatusTag[] {
	const own = tags[`EMPLOYEE_${status}`];
	return storeStatus === 'ACTIVE' ? [own] : [own, tags.STORE_INACTIVE];
}
