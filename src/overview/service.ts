/** The chain in numbers, from the counts that are kept with the search index: nothing is counted here. */
import { eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, prepared, snapshot, statement } from '../database/query.ts';
import {
	employeeCounts,
	employeeRoleCounts,
	employeeStoreCounts,
	initialPasswordCount,
	roles,
	stores,
} from '../database/schema.ts';
import type { Status } from '../vocabulary/status.ts';
import type { Overview } from './model.ts';

const statements = prepared((db) => {
	const people = (counts: typeof employeeStoreCounts | typeof employeeRoleCounts) =>
		sql<number>`coalesce(${counts.active} + ${counts.inactive}, 0)`;
	return {
		employees: statement(
			db,
			db
				.select({
					ACTIVE: sql<number>`coalesce(sum(${employeeCounts.active}), 0)`.as('ACTIVE'),
					INACTIVE: sql<number>`coalesce(sum(${employeeCounts.inactive}), 0)`.as('INACTIVE'),
				})
				.from(employeeCounts),
		),
		perStore: statement(
			db,
			db
				.select({
					...aliased({ storeId: stores.id, storeName: stores.name, storeStatus: stores.status }),
					employees: people(employeeStoreCounts).as('employees'),
				})
				.from(stores)
				.leftJoin(employeeStoreCounts, eq(employeeStoreCounts.storeId, stores.id))
				.where(isNull(stores.deletedAt))
				.orderBy(stores.id),
		),
		perRole: statement(
			db,
			db
				.select({
					...aliased({ roleId: roles.id, roleCode: roles.code, roleName: roles.name }),
					holders: people(employeeRoleCounts).as('holders'),
				})
				.from(roles)
				.leftJoin(employeeRoleCounts, eq(employeeRoleCounts.roleId, roles.id))
				.where(isNull(roles.deletedAt))
				.orderBy(roles.id),
		),
		initialPasswords: statement(
			db,
			db.select(aliased({ total: initialPasswordCount.total })).from(initialPasswordCount),
		),
	};
});

/** The numbers of the whole chain at one moment. */
export function getOverview(db: Db): Overview {
	const { employees, perStore, perRole, initialPasswords } = statements(db);
	return snapshot(db, () => {
		const employeesPerStore = perStore.all();
		const storesOf = (status: Status) => employeesPerStore.filter((store) => store.storeStatus === status).length;
		return {
			stores: { ACTIVE: storesOf('ACTIVE'), INACTIVE: storesOf('INACTIVE') },
			employees: employees.get() ?? { ACTIVE: 0, INACTIVE: 0 },
			employeesPerStore,
			holdersPerRole: perRole.all(),
			initialPasswords: initialPasswords.get()?.total ?? 0,
		};
	});
}
