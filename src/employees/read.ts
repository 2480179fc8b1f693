/** Employees as they are answered: the row, its status tags and its roles. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, queries } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';
import { heldRoles } from '../roles/service.ts';
import { found } from '../vocabulary/errors.ts';
import { type Employee, type EmployeeStatusTag, employeeMessages, type KnownEmployee, type Order } from './model.ts';
import { countEmployees } from './search.ts';

/** An employee as they are stored. */
export type StoredEmployee = KnownEmployee & { passwordExpiresAt: string | null; deletedAt: string | null };

const read = queries(({ select }) => {
	const rows = () =>
		select({
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
			.innerJoin(stores, eq(stores.id, employees.storeId));
	return {
		byIds: rows().where(among(employees.id, 'ids')).orderBy(employees.id),
		ofStore: rows()
			.where(
				and(
					isNull(employees.deletedAt),
					eq(employees.storeId, bound('storeId')),
					sql`${employees.id} > ${bound('after')}`,
				),
			)
			.orderBy(employees.id)
			.limit(sql.placeholder('limit')),
	};
});

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

/** Up to this many people, a store is read and answered at once: some 5 ms of work. */
const maxAtOnce = 1000;
/** More of them are read in parts of this many: 70 kB of JSON. */
const partSize = 200;

/** Every employee of a store, in order of their ids; undefined when they are too many to be read at once. */
export function employeesOfStore(db: Db, storeId: number): Employee[] | undefined {
	return countEmployees(db, { storeId }) > maxAtOnce ? undefined : [...partsOfStore(db, storeId)].flat();
}

/**
 * The same in parts that are read one after the other, however many they are. An employee who moves to or from the store
 * in the meantime may be in it or not.
 */
export function* partsOfStore(db: Db, storeId: number): Generator<Employee[]> {
	for (let after = 0; ; ) {
		const rows = read(db).ofStore.all({ storeId, after, limit: partSize });
		const last = rows.at(-1);
		if (!last) return;
		yield withRoles(db, rows).map(contractOf);
		after = last.id;
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
