/** Who still has the initial password. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { queries } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';

const read = queries(({ select }) => ({
	holders: select({
		storeId: employees.storeId,
		storeName: stores.name,
		id: employees.id,
		name: employees.name,
		phone: employees.phone,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		// SQLite uses the partial index only for a constant.
		.where(and(sql`${employees.passwordIsInitial} = 1`, isNull(employees.deletedAt)))
		.orderBy(employees.storeId, employees.id),
}));

/** The employees who have it, by store and then by id. */
export function initialPasswords(db: Db) {
	return read(db).holders.all();
}
