/** Finding records: the conditions and the index of each filter, and the ranges of ids in which they are looked for. */
import { and, between, count, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import type { Movement } from '../../platform/vocabulary/history.ts';
import { fold } from '../../platform/vocabulary/text-rule.ts';
import { findAccountsNamed } from '../session/accounts.ts';
import type { HistoryFilter } from './model.ts';

/** A time span: from a time on, and before another one. */
export type Period = Pick<HistoryFilter, 'from' | 'to'>;

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

// Not as parameters: by these conditions SQLite recognizes the indexes.
export const movements = {
	hired: sql`${history.action} = 'EMPLOYEE_CREATE'`,
	left: sql`${history.left} = 1`,
	moved: sql`${history.moved} = 1`,
	newRoles: sql`${history.newRoles} = 1`,
} satisfies Record<Movement, SQL>;

/** What a filter asks of a record. A period is a range of ids, and `grouped` takes one record of each group. */
const conditions = {
	actorType: (type) => eq(history.actorType, type),
	actorId: (id) => eq(history.actorId, id),
	action: (action) => eq(history.action, action),
	targetType: (type) => eq(history.targetType, type),
	targetId: (id) => eq(history.targetId, id),
	movement: (movement) => movements[movement],
	groupId: (id) => eq(history.groupId, id),
	keyword: mentioning,
	from: () => undefined,
	to: () => undefined,
	grouped: () => undefined,
} satisfies {
	[Name in keyof Required<HistoryFilter>]: (value: NonNullable<HistoryFilter[Name]>, db: Db) => SQL | undefined;
};

/** The index of the first of these that a filter has finds its records. Left alone, SQLite may take one that holds most of the history. */
const indexes: readonly [keyof HistoryFilter, string | Record<Movement, string>][] = [
	['groupId', 'history_group'],
	['targetId', 'history_target'],
	['actorId', 'history_actor'],
	[
		'movement',
		{ hired: 'history_action', left: 'history_left', moved: 'history_moved', newRoles: 'history_new_roles' },
	],
	['action', 'history_action'],
	['targetType', 'history_target_type'],
	['actorType', 'history_actor_type'],
];

/** The history as a filter reads it: by an index, or the texts of all records of a range. */
function sourceFor(filter: HistoryFilter): SQL {
	const [, named] = indexes.find(([name]) => filter[name] !== undefined) ?? [];
	const index = typeof named === 'object' ? filter.movement && named[filter.movement] : named;
	if (index === undefined && filter.keyword !== undefined) return sql`${history} not indexed`;
	return sql`${history} indexed by ${sql.raw(index ?? 'history_group')}`;
}

/** The records with a text that contains the keyword, or of the employee whose phone it is. */
function mentioning(keyword: string, db: Db): SQL | undefined {
	const contains = sql`instr(${history.searchText}, ${fold(keyword)}) > 0`;
	const holder = findAccountsNamed(db, keyword).employee;
	if (!holder) return contains;
	const isHolder = and(eq(history.actorType, 'EMPLOYEE'), eq(history.actorId, holder.id));
	const isOfHolder = and(eq(history.targetType, 'EMPLOYEE'), eq(history.targetId, holder.id));
	return or(contains, isHolder, isOfHolder);
}

/** The records of a range. A group follows each other, so the groups are a range, too, in which every index is ordered. */
export const inRange = and(
	between(history.id, param('first'), param('last')),
	between(history.groupId, param('firstGroup'), param('last')),
);

/** The values of {@link inRange}. */
export function rangeBindings(db: Db, { first, last }: IdRange) {
	return { first, last, firstGroup: groupOf(db, first) };
}

const read = queries(({ select }) => ({
	first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
	last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
	byId: select({ at: history.at, groupId: history.groupId })
		.from(history)
		.where(eq(history.id, param('id'))),
}));

/** Finds the records of a range that match a filter, the newest first, or the first one of each group that does. */
export function searchFor(db: Db, filter: HistoryFilter) {
	const where = and(...conditionsOf(db, filter), inRange);
	const rows = () => {
		const id = filter.grouped ? sql<number>`min(${history.id})` : sql<number>`${history.id}`;
		const found = db
			.select({ id: id.as('id') })
			.from(sourceFor(filter))
			.where(where)
			.$dynamic();
		return (filter.grouped ? found.groupBy(history.groupId) : found).limit(sql.placeholder('limit'));
	};
	const inOrder = filter.grouped ? [desc(history.groupId)] : [desc(history.groupId), desc(history.id)];
	const ids = rows()
		.orderBy(...inOrder)
		.offset(sql.placeholder('offset'))
		.prepare();
	const counted = db.select({ total: count() }).from(rows().as('found')).prepare();
	return {
		ids: (range: IdRange, limit: number, offset = 0) =>
			ids.all({ ...rangeBindings(db, range), limit, offset }).map(({ id }) => id),
		count: (range: IdRange, limit: number) => counted.get({ ...rangeBindings(db, range), limit })?.total ?? 0,
	};
}

function conditionsOf(db: Db, filter: HistoryFilter): (SQL | undefined)[] {
	return Object.entries(filter).map(([name, value]) => {
		const condition = conditions[name as keyof typeof conditions] as (value: unknown, db: Db) => SQL | undefined;
		return value === undefined ? undefined : condition(value, db);
	});
}

/** How many records are looked at in one go: up to some milliseconds, in their texts or for a second condition. */
const windowSize = 10_000;

/** The ids of a period, the newest first, in ranges of which none ends within a group. */
export function* windowsOf(db: Db, period: Period): Generator<IdRange> {
	const all = idsOf(db, period);
	for (let { last } = all; last >= all.first; ) {
		const first = Math.max(all.first, groupOf(db, Math.max(all.first, last - windowSize + 1)));
		yield { first, last };
		last = first - 1;
	}
}

/** The group of a record. */
function groupOf(db: Db, id: number): number {
	return read(db).byId.get({ id })?.groupId ?? id;
}

/** The ids of the records of a period. Times never decrease, so a binary search finds where it begins and ends. */
export function idsOf(db: Db, { from, to }: Period): IdRange {
	const all = { first: read(db).first.get()?.id ?? 1, last: read(db).last.get()?.id ?? 0 };
	return {
		first: from === undefined ? all.first : firstAtOrAfter(db, all, from),
		last: to === undefined ? all.last : firstAtOrAfter(db, all, to) - 1,
	};
}

/** The id of the first record at a time or later; one more than the last id when there is none. */
function firstAtOrAfter(db: Db, { first, last }: IdRange, time: string): number {
	let [low, high] = [first, last + 1];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((read(db).byId.get({ id: middle })?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}
