/** The stores and areas that employees were given: read, saved, revoked. */
import { and, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, queries } from '../../platform/database/query.ts';
import { areas, employeeReach, employees, stores } from '../../platform/database/schema.ts';
import { type ChangeContext, recordChange } from '../history/record.ts';
import type { Version } from '../history/versions.ts';
import type { Reach, ReplaceReach } from './model.ts';

/** A store or an area that somebody was given. */
export interface Entry {
	type: 'STORE' | 'AREA';
	id: number;
	/** The last day; null: for good. */
	until: string | null;
}

interface Holder {
	id: number;
	name: string;
}

const isGiven = isNull(employeeReach.takenAt);
const storesOfArea = sql<number>`(
	select count(*) from ${stores} as others where others.area_id = ${areas.id} and others.deleted_at is null
)`;

const read = queries(({ select }) => {
	const { storeId, areaId, employeeId, endsOn, givenAt, takenAt } = employeeReach;
	const holders = (condition: SQL) =>
		select({ id: employees.id, name: employees.name })
			.from(employeeReach)
			.innerJoin(employees, eq(employees.id, employeeId))
			.where(and(isGiven, condition))
			.groupBy(employees.id)
			.orderBy(employees.id);
	return {
		given: select({
			storeId,
			storeName: sql<string>`${stores.name}`,
			areaId,
			areaName: sql<string>`${areas.name}`,
			stores: storesOfArea,
			until: endsOn,
		})
			.from(employeeReach)
			.leftJoin(stores, eq(stores.id, storeId))
			.leftJoin(areas, eq(areas.id, areaId))
			.where(and(isGiven, eq(employeeId, param('id'))))
			.orderBy(storeId, areaId),
		entries: select({ storeId, areaId, until: endsOn })
			.from(employeeReach)
			.where(and(isGiven, eq(employeeId, param('id'))))
			.orderBy(storeId, areaId),
		lastChange: select({ at: sql<string | null>`max(max(${givenAt}), coalesce(max(${takenAt}), ''))` })
			.from(employeeReach)
			.where(eq(employeeId, param('id'))),
		holdersOfStore: holders(eq(storeId, param('id'))),
		holdersOfArea: holders(eq(areaId, param('id'))),
		givenArea: select({ employeeId })
			.from(employeeReach)
			.where(and(isGiven, eq(areaId, param('id')), or(isNull(endsOn), gte(endsOn, param('today')))))
			.limit(1),
		over: holders(lt(endsOn, param('today'))).limit(20),
	};
});

// Text: the sweep and closing a store write many.
const statements = prepared(({ $client }) => ({
	give: $client.prepare<null, (string | number | null)[]>(
		'insert into employee_reach (employee_id, store_id, area_id, ends_on, given_at) values (?, ?, ?, ?, ?)',
	),
	take: $client.prepare<null, (string | number | null)[]>(
		'update employee_reach set taken_at = ? where employee_id = ? and store_id is ? and area_id is ? and taken_at is null',
	),
}));

/** Whether anybody was given an area, and it is not over on a day. */
export function isAreaGiven(db: Db, id: number, today: string): boolean {
	return read(db).givenArea.get({ id, today }) !== undefined;
}

/** What an employee was given and is not over on a day. */
export function listGiven(db: Db, id: number, today: string): Reach {
	const rows = read(db)
		.given.all({ id })
		.filter(({ until }) => until === null || until >= today);
	return {
		stores: rows.flatMap(({ storeId, storeName, until }) => (storeId === null ? [] : [{ storeId, storeName, until }])),
		areas: rows.flatMap(({ areaId, areaName, stores, until }) =>
			areaId === null ? [] : [{ areaId, areaName, stores, until }],
		),
	};
}

/** The stores and then the areas of a reach in one list. */
export function entriesOf({ stores, areas }: ReplaceReach | Reach): Entry[] {
	return [
		...stores.map(({ storeId, until = null }) => ({ type: 'STORE', id: storeId, until }) as const),
		...areas.map(({ areaId, until = null }) => ({ type: 'AREA', id: areaId, until }) as const),
	];
}

/** Those of some entries that are not among others with the same day. */
function differing(some: readonly Entry[], others: readonly Entry[]): Entry[] {
	const keyOf = ({ type, id, until }: Entry) => `${type} ${id} ${until}`;
	const known = new Set(others.map(keyOf));
	return some.filter((entry) => !known.has(keyOf(entry)));
}

/** What the history records of a reach: an id, with the last day behind it if it ends. */
function auditedFields({ entries }: { entries: readonly Entry[] }) {
	const of = (type: Entry['type']) =>
		entries.filter((entry) => entry.type === type).map(({ id, until }) => (until === null ? id : `${id} ${until}`));
	return { storeIds: of('STORE'), areaIds: of('AREA') };
}

/** The version of what an employee was given: what is over belongs to it until the sweep takes it, which leaves the record. */
export function reachVersion(db: Db, id: number): Version {
	const reach = listGiven(db, id, '');
	const shown = (name: string, until: string | null) => (until === null ? name : `${name}（${until}）`);
	return {
		// An employee who was never given anything has no change.
		updatedAt: read(db).lastChange.get({ id })?.at ?? new Date(0).toISOString(),
		fields: auditedFields({ entries: entriesOf(reach) }),
		shown: {
			storeIds: reach.stores.map(({ storeName, until }) => shown(storeName, until)).join('、'),
			areaIds: reach.areas.map(({ areaName, until }) => shown(areaName, until)).join('、'),
		},
	};
}

/** What an employee was given, also what is over and not revoked yet; without names, for thousands of people. */
function storedEntries(db: Db, id: number): Entry[] {
	const rows = read(db).entries.all({ id });
	const of = (type: Entry['type'], idIn: (row: (typeof rows)[number]) => number | null) =>
		rows.flatMap((row) => (idIn(row) === null ? [] : [{ type, id: idIn(row) ?? 0, until: row.until }]));
	return [...of('STORE', ({ storeId }) => storeId), ...of('AREA', ({ areaId }) => areaId)];
}

/** Gives an employee exactly some entries, inside the caller's transaction. What is taken away stays as a record. */
export function saveReach(
	db: Db,
	context: ChangeContext,
	{ id, name }: Holder,
	entries: readonly Entry[],
	before = storedEntries(db, id),
): void {
	const { give, take } = statements(db);
	const idsIn = (entry: Entry) => (entry.type === 'STORE' ? [entry.id, null] : [null, entry.id]);
	for (const entry of differing(before, entries)) take.run(context.at, id, ...idsIn(entry));
	for (const entry of differing(entries, before)) give.run(id, ...idsIn(entry), entry.until, context.at);
	const states = { before: { id, name, entries: before }, after: { id, name, entries } };
	recordChange(db, context, 'EMPLOYEE_REACH', states, auditedFields);
}

/** Revokes entries of some employees, inside the caller's transaction. An employee who has none of them is left alone. */
function revoke(db: Db, context: ChangeContext, holders: readonly Holder[], isTaken: (entry: Entry) => boolean): void {
	for (const holder of holders) {
		const before = storedEntries(db, holder.id);
		const left = before.filter((entry) => !isTaken(entry));
		if (left.length < before.length) saveReach(db, context, holder, left, before);
	}
}

/** Revokes all that some employees were given. */
export function revokeAll(db: Db, context: ChangeContext, holders: readonly Holder[]): void {
	revoke(db, context, holders, () => true);
}

/** Whether something is over on a day that is not revoked yet. */
export function isReachOver(db: Db, today: string): boolean {
	return read(db).over.all({ today }).length > 0;
}

/** Revokes what is over on a day. @returns of how many people; there may be more. */
export function revokeEnded(db: Db, context: ChangeContext, today: string): number {
	const holders = read(db).over.all({ today });
	revoke(db, context, holders, ({ until }) => until !== null && until < today);
	return holders.length;
}

/** Revokes a store or an area from everybody, or from some employees. */
export function revokePlace(
	db: Db,
	context: ChangeContext,
	{ type, id }: Pick<Entry, 'type' | 'id'>,
	from?: readonly Holder[],
) {
	const { holdersOfStore, holdersOfArea } = read(db);
	const holders = (type === 'STORE' ? holdersOfStore : holdersOfArea).all({ id });
	const ids = from && new Set(from.map((holder) => holder.id));
	const concerned = ids ? holders.filter((holder) => ids.has(holder.id)) : holders;
	revoke(db, context, concerned, (entry) => entry.type === type && entry.id === id);
}
