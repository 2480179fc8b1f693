/** The chain in numbers. */
import { eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { queries, snapshot } from '../database/query.ts';
import { employeeCounts, stores } from '../database/schema.ts';
import { countEmployees } from '../employees/search.ts';
import { listRoles } from '../roles/service.ts';
import type { Status } from '../vocabulary/status.ts';
import type { Overview } from './model.ts';

const countedBy = (status: Status) =>
	sql<number>`coalesce(sum(${employeeCounts.total}) filter (where ${employeeCounts.status} = ${status}), 0)`;

const read = queries(({ select }) => ({
	employees: select({ ACTIVE: countedBy('ACTIVE'), INACTIVE: countedBy('INACTIVE') }).from(employeeCounts),
	perStore: select({
		storeId: stores.id,
		storeName: stores.name,
		storeStatus: stores.status,
		employees: sql<number>`coalesce(sum(${employeeCounts.total}), 0)`,
	})
		.from(stores)
		.leftJoin(employeeCounts, eq(employeeCounts.storeId, stores.id))
		.where(isNull(stores.deletedAt))
		.groupBy(stores.id)
		.orderBy(stores.id),
}));

/** The numbers of the whole chain at one moment. */
export function getOverview(db: Db): Overview {
	const { employees, perStore } = read(db);
	return snapshot(db, () => {
		const employeesPerStore = perStore.all();
		const storesOf = (status: Status) => employeesPerStore.filter((store) => store.storeStatus === status).length;
		return {
			stores: { ACTIVE: storesOf('ACTIVE'), INACTIVE: storesOf('INACTIVE') },
			employees: employees.get() ?? { ACTIVE: 0, INACTIVE: 0 },
			employeesPerStore,
			holdersPerRole: listRoles(db).map(({ id, code, name }) => ({
				roleId: id,
				roleCode: code,
				roleName: name,
				holders: countEmployees(db, { roleId: id }),
			})),
			initialPasswords: countEmployees(db, { passwordIsInitial: true }),
		};
	});
}
