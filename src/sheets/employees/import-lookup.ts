/** What an import looks up in the database, once for all of its lines. */
import { and, isNull } from 'drizzle-orm';
import type { Db } from '../../database/open.ts';
import { among, queries } from '../../database/query.ts';
import { employees, stores } from '../../database/schema.ts';
import type { KnownEmployee } from '../../employees/model.ts';
import { presentByIds } from '../../employees/read.ts';
import { type Present, type Steps, stepSize } from '../checking.ts';
import type { EmployeeLine } from './layout.ts';

const read = queries(({ select }) => ({
	stores: select({ id: stores.id, name: stores.name, status: stores.status })
		.from(stores)
		.where(isNull(stores.deletedAt))
		.orderBy(stores.id),
	withPhones: select({ id: employees.id })
		.from(employees)
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

/** The people with the ids and the phones in some lines; a step of lines at a time. */
export function* peopleOf(db: Db, lines: readonly EmployeeLine[]): Steps<Present<KnownEmployee>> {
	const byId = new Map<number, KnownEmployee>();
	for (let start = 0; start < lines.length; start += stepSize) {
		const step = lines.slice(start, start + stepSize);
		const phones = JSON.stringify(step.flatMap(({ phone }) => phone ?? []));
		const holders = read(db).withPhones.all({ phones });
		const ids = [...holders.map(({ id }) => id), ...step.flatMap(({ id }) => id ?? [])];
		for (const person of presentByIds(db, ids)) byId.set(person.id, person);
		yield;
	}
	return { byId, byKey: new Map(Array.from(byId.values(), (person) => [person.phone, person])) };
}
