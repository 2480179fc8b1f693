/** What an import looks up in the database, once for all of its lines. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, queries } from '../database/query.ts';
import { employees, stores } from '../database/schema.ts';

const read = queries(({ select }) => ({
	stores: select({ id: stores.id, name: stores.name, status: stores.status })
		.from(stores)
		.where(isNull(stores.deletedAt))
		.orderBy(stores.id),
	withPhones: select({ phone: employees.phone, name: employees.name, storeId: stores.id, storeName: stores.name })
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(and(among(employees.phone, 'phones'), isNull(employees.deletedAt))),
}));

/** Every store, by its name and by its id as a text. */
export function storesForImport(db: Db) {
	const all = read(db).stores.all();
	return {
		all,
		byName: new Map(all.map((store) => [store.name, store])),
		byId: new Map(all.map((store) => [String(store.id), store])),
	};
}

/** Who has one of some phones, by phone. */
export function peopleWithPhones(db: Db, phones: readonly string[]) {
	const rows = read(db).withPhones.all({ phones: JSON.stringify(phones) });
	return new Map(rows.map((row) => [row.phone, row]));
}
