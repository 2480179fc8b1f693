/** The stores and areas given to employees: read, saved and revoked. */
import { and, eq, gte, isNull, lt, max, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, prepared, queries } from '../../platform/database/query.ts';
import { areas, employeeReach, employees, stores } from '../../platform/database/schema.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { type ChangeContext, changesBetween, type Target as Holder, record } from '../history/record.ts';
import type { Version } from '../history/versions.ts';
import type { Reach, ReachEntry } from './model.ts';

const isGiven = isNull(employeeReach.takenAt);

const read = queries(({ select }) => {
	const { storeId, areaId, employeeId, endsOn, givenAt } = employeeReach;
	return {
		given: select({
			type: sql<ReachEntry['type']>`iif(${storeId} is null, 'AREA', 'STORE')`,
			id: sql<number>`coalesce(${storeId}, ${areaId})`,
			name: sql<string>`coalesce(${stores.name}, ${areas.name})`,
			until: endsOn,
			size: sql<number>`(select count(*) from stores as part where part.area_id = ${areaId} and part.deleted_at is null)`,
		})
			.from(employeeReach)
			.leftJoin(stores, eq(stores.id, storeId))
			.leftJoin(areas, eq(areas.id, areaId))
			.where(and(isGiven, eq(employeeId, param('id'))))
			.orderBy(areaId, storeId),
		newest: select({ at: max(givenAt) })
			.from(employeeReach)
			.where(eq(employeeId, param('id'))),
		givenArea: select({ employeeId })
			.from(employeeReach)
			.where(and(isGiven, eq(areaId, param('id')), or(isNull(endsOn), gte(endsOn, param('today')))))
			.limit(1),
	};
});

/** The employees who have a store or an area, or had it until a day. */
const readHolders = queries(({ select }) => {
	const { storeId, areaId, employeeId, endsOn } = employeeReach;
	const holders = (condition: SQL) =>
		select({ id: employees.id, name: employees.name })
			.from(employeeReach)
			.innerJoin(employees, eq(employees.id, employeeId))
			.where(and(isGiven, condition))
			.groupBy(employees.id)
			.orderBy(employees.id);
	return {
		ofStore: holders(eq(storeId, param('id'))),
		ofArea: holders(eq(areaId, param('id'))),
		over: holders(lt(endsOn, param('today'))).limit(param('limit')),
	};
});

// Raw SQL: the sweep and a store closure write many rows.
const statements = prepared(({ $client }) => ({
	add: $client.prepare<null, (string | number | null)[]>(
		'insert into employee_reach (employee_id, store_id, area_id, ends_on, given_at) values (?, ?, ?, ?, ?)',
	),
	end: $client.prepare<null, (string | number | null)[]>(
		'update employee_reach set taken_at = ? where employee_id = ? and store_id is ? and area_id is ? and taken_at is null',
	),
}));

/** Whether any employee has an area on a day. It reads one row: an import asks for each of thousands of stores. */
export function isAreaGiven(db: Db, id: number, today: string): boolean {
	return read(db).givenArea.get({ id, today }) !== undefined;
}

/** The stores and areas that an employee has on a day, with the number of stores in each area. */
export function listGiven(db: Db, id: number, today: string): Reach {
	const entries = read(db).given.all({ id });
	const present = entries.filter(({ until }) => !isOver(until, today));
	const { STORE = [], AREA = [] } = Object.groupBy(present, ({ type }) => type);
	return {
		stores: STORE.map(({ id, name, until }) => ({ storeId: id, storeName: name, until })),
		areas: AREA.map(({ id, name, size, until }) => ({ areaId: id, areaName: name, stores: size, until })),
	};
}

/** The entries that `others` lacks, or has with another last day. */
function differing(some: readonly ReachEntry[], others: readonly ReachEntry[]): ReachEntry[] {
	const keyOf = ({ type, id, until }: ReachEntry) => `${type} ${id} ${until}`;
	const known = new Set(others.map(keyOf));
	return some.filter((entry) => !known.has(keyOf(entry)));
}

/** The fields that the history records: ids, each followed by its last day if it has one. */
function auditedFields(entries: readonly ReachEntry[]) {
	const inField = ({ id, until }: ReachEntry) => (until === null ? id : `${id} ${until}`);
	const valuesOf = (type: ReachEntry['type']) => entries.filter((entry) => entry.type === type).map(inField);
	return { storeIds: valuesOf('STORE'), areaIds: valuesOf('AREA') };
}

/** The version of an employee's reach. Expired entries belong to it until the sweep revokes them, which leaves a record. */
export function reachVersion(db: Db, id: number): Version {
	return {
		type: 'EMPLOYEE',
		// Only a new entry can bring back a former list, so its time is enough to tell them apart.
		updatedAt: read(db).newest.get({ id })?.at ?? new Date(0).toISOString(),
		fields: auditedFields(read(db).given.all({ id })),
	};
}

/** Changes an employee's reach in the caller's transaction. Revoked rows stay. Without a difference nothing is recorded. */
export function saveReach(
	db: Db,
	context: ChangeContext,
	holder: Holder,
	change: (before: readonly ReachEntry[]) => readonly ReachEntry[],
): void {
	const { id } = holder;
	const before = read(db).given.all({ id });
	const after = change(before);
	const [revoked, given] = [differing(before, after), differing(after, before)];
	if (revoked.length + given.length === 0) return;
	const { add, end } = statements(db);
	const idsIn = (entry: ReachEntry) => (entry.type === 'STORE' ? [entry.id, null] : [null, entry.id]);
	for (const entry of revoked) end.run(context.at, id, ...idsIn(entry));
	for (const entry of given) add.run(id, ...idsIn(entry), entry.until, context.at);
	const changes = changesBetween(auditedFields(before), auditedFields(after));
	record(db, context, { action: 'EMPLOYEE_REACH', target: holder, changes });
}

/** Lists employees with an entry that is over on a day and not revoked yet, at most `limit`. */
export function holdersOfExpired(db: Db, today: string, limit: number): Holder[] {
	return readHolders(db).over.all({ today, limit });
}

/** Lists the employees who were given a store or an area. */
export function holdersOfPlace(db: Db, { type, id }: Pick<ReachEntry, 'type' | 'id'>): Holder[] {
	const { ofStore, ofArea } = readHolders(db);
	return (type === 'STORE' ? ofStore : ofArea).all({ id });
}

/** Revokes a store or an area from these employees, by default from everyone who was given it. */
export function revokePlace(
	db: Db,
	context: ChangeContext,
	{ type, id }: Pick<ReachEntry, 'type' | 'id'>,
	from: readonly Holder[] = holdersOfPlace(db, { type, id }),
) {
	const isOther = (entry: ReachEntry) => entry.type !== type || entry.id !== id;
	for (const holder of from) saveReach(db, context, holder, (entries) => entries.filter(isOther));
}
