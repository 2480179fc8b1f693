/** Employees as they are answered: the row, its status tags and its roles. */
import { eq } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, queries, snapshot } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { heldRoles } from '../roles/service.ts';
import { found } from '../vocabulary/errors.ts';
import {
	type Employee,
	type EmployeeFilter,
	type EmployeeStatusTag,
	employeeMessages,
	type KnownEmployee,
	type Order,
} from './model.ts';
import { nextIds } from './search.ts';

/** An employee as they are stored. */
export type StoredEmployee = KnownEmployee & { passwordExpiresAt: string | null; deletedAt: string | null };

const read = queries(({ select }) => ({
	byIds: select({
		id: employees.id,
		storeId: employees.storeId,
		storeName: stores.name,
		storeStatus: stores.status,
		name: employees.name,
		phone: employees.phone,
		status: employees.status,
		remark: employees.remark,
		passwordIsInitial: employees.passwordIsInitial,
		passwordExpiresAt: employees.passwordExpiresAt,
		lastSignInAt: employees.lastSignInAt,
		leavesOn: employees.leavesOn,
		createdAt: employees.createdAt,
		updatedAt: employees.updatedAt,
		deletedAt: employees.deletedAt,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(among(employees.id, 'ids'))
		.orderBy(employees.id),
}));

/** An employee who is not deleted. @throws AppError NOT_FOUND */
export function findEmployee(db: Db, id: number): StoredEmployee {
	const [employee] = presentByIds(db, [id]);
	return found(employee, employeeMessages.notFound);
}

/** The employees with these ids, deleted or not, in an order of their ids. */
export function employeesByIds(db: Db, ids: readonly number[], order: Order = 'asc'): StoredEmployee[] {
	const people = withRoles(db, read(db).byIds.all({ ids: JSON.stringify(ids) }));
	return order === 'desc' ? people.reverse() : people;
}

/** Those with these ids who are not deleted, by id. */
export function presentByIds(db: Db, ids: readonly number[]): StoredEmployee[] {
	return employeesByIds(db, ids).filter(({ deletedAt }) => deletedAt === null);
}

/** How many people are in memory at once: 70 kB of JSON. */
const partSize = 200;

/**
 * Everybody who passes a filter, in the order of the list, in parts that are read one after the other. Nobody is in it twice;
 * who begins or ceases to pass it in the meantime may be in it or not.
 */
export function* employeesInParts(db: Db, filter: EmployeeFilter): Generator<StoredEmployee[]> {
	for (let after: number | undefined; ; ) {
		const part = snapshot(db, () => employeesByIds(db, nextIds(db, filter, after, partSize), filter.order));
		if (part.length === 0) return;
		yield part;
		after = part.at(-1)?.id;
	}
}

/** An employee in the shape of the contract. */
export function contractOf({
	lastSignInAt: _lastSignInAt,
	passwordIsInitial: _passwordIsInitial,
	passwordExpiresAt: _passwordExpiresAt,
	leavesOn: _leavesOn,
	roleEnds: _roleEnds,
	deletedAt: _deletedAt,
	...employee
}: StoredEmployee): Employee {
	return employee;
}

type EmployeeRow = Omit<StoredEmployee, 'roles' | 'roleEnds' | 'statusTags'>;

function withRoles(db: Db, rows: readonly EmployeeRow[]): StoredEmployee[] {
	const ids = rows.map((row) => row.id);
	const held = heldRoles(db, ids);
	return rows.map((row) => {
		const roles = held.get(row.id) ?? [];
		return {
			...row,
			statusTags: statusTags(row),
			roles: roles.map(({ id, code, name }) => ({ id, code, name })),
			roleEnds: roles.flatMap(({ id, until }) => (until === null ? [] : { roleId: id, until })),
		};
	});
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
