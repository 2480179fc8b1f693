/** Finding records: the condition and index of each filter, and the id ranges to search. */
import { and, between, count, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import type { Movement } from '../../platform/vocabulary/history.ts';
import { fold } from '../../platform/vocabulary/text-rule.ts';
import { findAccountsNamed } from '../session/accounts.ts';
import type { HistoryFilter } from './model.ts';

/** A time span from `from` (included) to `to` (excluded). */
export type Period = Pick<HistoryFilter, 'from' | 'to'>;

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

// Literals instead of parameters: SQLite matches these conditions to its partial indexes.
export const movements = {
	hired: sql`${history.action} = 'EMPLOYEE_CREATE'`,
	left: sql`${history.left} = 1`,
	moved: sql`${history.moved} = 1`,
	newRoles: sql`${history.newRoles} = 1`,
} satisfies Record<Movement, SQL>;

/** The condition of each filter. A period is a range of ids, and `grouped` takes one record of each group. */
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

/**
 * The first entry present in the filter chooses the index. By itself, SQLite might choose one that covers most of the
 * history.
 */
const indexes: readonly [keyof HistoryFilter, string | Record<Movement, string>][] = [
	['groupId', 'history_group'],
	['targetId', 'history_target'],
	[
		'movement',
		{ hired: 'history_action', left: 'history_left', moved: 'history_moved', newRoles: 'history_new_roles' },
	],
	['actorId', 'history_actor'],
	['action', 'history_action'],
	['targetType', 'history_target_type'],
	['actorType', 'history_actor_type'],
];

/** The table with the chosen index, or a scan of a range. */
function sourceFor(filter: HistoryFilter): SQL {
	const [, named] = indexes.find(([name]) => filter[name] !== undefined) ?? [];
	const index = typeof named === 'object' ? filter.movement && named[filter.movement] : named;
	if (index === undefined && filter.keyword !== undefined) return sql`${history} not indexed`;
	return sql`${history} indexed by ${sql.raw(index ?? 'history_group')}`;
}

/** Matches records that contain the keyword, and records of the employee with this phone. */
function mentioning(keyword: string, db: Db): SQL | undefined {
	const contains = sql`instr(${history.searchText}, ${fold(keyword)}) > 0`;
	const holder = findAccountsNamed(db, keyword).employee;
	if (!holder) return contains;
	const isHolder = and(eq(history.actorType, 'EMPLOYEE'), eq(history.actorId, holder.id));
	const isOfHolder = and(eq(history.targetType, 'EMPLOYEE'), eq(history.targetId, holder.id));
	return or(contains, isHolder, isOfHolder);
}

/**
 * Restricts records to a range. The records of a group are consecutive, so groups form a range too, and every index
 * follows its order.
 */
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

/** Finds the matching records of a range, newest first; with `grouped`, the first match of each group. */
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

/** The number of records in one step: some milliseconds for text or a second condition. */
const windowSize = 10_000;

/** Splits the ids of a period into ranges, newest first. A group is never split. */
export function* splitPeriod(db: Db, period: Period): Generator<IdRange> {
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

/** The ids of a period. Times never decrease, so a binary search finds both ends. */
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
