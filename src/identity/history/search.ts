/** Finding records: the condition and the index of each filter, and the steps of a search. */
import { and, between, type Column, count, desc, eq, max, min, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import { yieldToRequests } from '../../platform/machine/background.ts';
import type { Movement } from '../../platform/vocabulary/history.ts';
import { fold } from '../../platform/vocabulary/text-rule.ts';
import { findAccountsNamed } from '../session/accounts.ts';
import type { HistoryFilter } from './model.ts';

/** A time span from `from` (included) to `to` (excluded). */
export type Period = Pick<HistoryFilter, 'from' | 'to'>;

/** Ids from `first` to `last`, both included; empty when `last` is smaller. `firstGroup` is the group of `first`. */
type IdRange = Readonly<Record<'first' | 'last' | 'firstGroup', number>>;

/** The condition of a filter, and the index of the records that pass it. */
interface Criterion {
	condition: SQL | undefined;
	index?: string;
}

// Literals instead of parameters: SQLite matches these conditions to its partial indexes.
export const movements = {
	hired: { condition: sql`${history.action} = 'EMPLOYEE_CREATE'`, index: 'history_action' },
	left: { condition: sql`${history.left} = 1`, index: 'history_left' },
	moved: { condition: sql`${history.moved} = 1`, index: 'history_moved' },
	newRoles: { condition: sql`${history.newRoles} = 1`, index: 'history_new_roles' },
} satisfies Record<Movement, Criterion>;

const exact =
	<C extends Column>(column: C, index: string) =>
	(value: C['_']['data']): Criterion => ({ condition: eq(column, value), index });

/**
 * The criterion of each filter; of two indexes, the first is preferred. A period is a range of ids, and `grouped` takes
 * one record of each group.
 */
const conditions = {
	groupId: exact(history.groupId, 'history_group'),
	targetId: exact(history.targetId, 'history_target'),
	movement: (movement) => movements[movement],
	actorId: exact(history.actorId, 'history_actor'),
	action: exact(history.action, 'history_action'),
	targetType: exact(history.targetType, 'history_target_type'),
	actorType: exact(history.actorType, 'history_actor_type'),
	keyword: (keyword, db) => ({ condition: mentioning(keyword, db) }),
} satisfies { [Name in Condition]: (value: NonNullable<HistoryFilter[Name]>, db: Db) => Criterion };

type Condition = Exclude<keyof HistoryFilter, keyof Period | 'grouped'>;

/** Matches records that contain the keyword, and records of the employee with this phone. */
function mentioning(keyword: string, db: Db): SQL | undefined {
	const contains = sql`instr(${history.searchText}, ${fold(keyword)}) > 0`;
	const holder = findAccountsNamed(db, keyword).employee;
	if (!holder) return contains;
	const isHolder = and(eq(history.actorType, 'EMPLOYEE'), eq(history.actorId, holder.id));
	const isOfHolder = and(eq(history.targetType, 'EMPLOYEE'), eq(history.targetId, holder.id));
	return or(contains, isHolder, isOfHolder);
}

const ofGroupsInRange = between(history.groupId, param('firstGroup'), param('last'));

/**
 * Restricts records to a range. The records of a group are consecutive, so groups form a range too, and every index
 * follows its order.
 */
export const inRange = and(between(history.id, param('first'), param('last')), ofGroupsInRange);

const read = queries(({ select }) => ({
	first: select({ id: min(history.id) }).from(history),
	last: select({ id: max(history.id) }).from(history),
	byId: select({ at: history.at, groupId: history.groupId })
		.from(history)
		.where(eq(history.id, param('id'))),
}));

/**
 * Finds the records that pass a filter, newest first; with `grouped`, the first of each group. The search goes in steps, so
 * that other requests wait for one step at most.
 */
export function searchFor(db: Db, filter: HistoryFilter) {
	const all = idsOf(db, filter);
	const asked = criteriaOf(db, filter);
	const indexed = asked.filter(({ index }) => index !== undefined);
	const rare = indexed.find(({ condition, index }) => {
		return matchesIn(db, indexedBy(index), and(condition, inRange)).count(all, maxRare + 1) <= maxRare;
	});
	const { index } = rare ?? indexed[0] ?? {};
	const isText = filter.keyword !== undefined;
	// For a keyword alone: with an index, each record would be looked up.
	const from = isText && index === undefined ? sql`${history} not indexed` : indexedBy(index);
	const matches = matchesIn(db, from, and(...asked.map(({ condition }) => condition), inRange), filter.grouped);
	return { ...matches, all, steps: () => stepsOf(db, all, rare ? all.last : stepSizes[isText ? 'text' : 'other']) };
}

/** The number of records that a step looks up by the index of a filter: some 20 ms if they come from the disk. */
const maxRare = 1000;

/** The number of ids in a step: some milliseconds for looking into texts, or for entries of an index. */
const stepSizes = { text: 5000, other: 50_000 };

function criteriaOf(db: Db, filter: HistoryFilter): Criterion[] {
	return Object.entries(conditions).flatMap(([name, criterion]) => {
		const value = filter[name as keyof HistoryFilter];
		return value === undefined ? [] : (criterion as (value: unknown, db: Db) => Criterion)(value, db);
	});
}

function indexedBy(index = 'history_group'): SQL {
	return sql`${history} indexed by ${sql.raw(index)}`;
}

function matchesIn(db: Db, from: SQL, where: SQL | undefined, grouped = false) {
	const id = grouped ? sql<number>`min(${history.id})` : sql<number>`${history.id}`;
	const found = db
		.select({ id: id.as('id') })
		.from(from)
		.where(where)
		.groupBy(...(grouped ? [history.groupId] : []))
		.limit(param('limit'))
		.$dynamic();
	const counted = db.select({ total: count() }).from(found.as('found')).prepare();
	const ids = found
		.orderBy(desc(history.groupId), ...(grouped ? [] : [desc(history.id)]))
		.offset(param('offset'))
		.prepare();
	return {
		ids: (range: IdRange, limit: number, offset = 0) => ids.all({ ...range, limit, offset }).map(({ id }) => id),
		count: (range: IdRange, limit: number) => counted.get({ ...range, limit })?.total ?? 0,
	};
}

/** Splits a range into steps, newest first, and never a group. Between two of them, other requests get a turn. */
async function* stepsOf(db: Db, all: IdRange, size: number): AsyncGenerator<IdRange> {
	for (let rest = all; rest.first <= rest.last; ) {
		const { groupId = 0 } = read(db).byId.get({ id: rest.last - size }) ?? {};
		const step = { ...rest, first: Math.max(all.first, groupId), firstGroup: Math.max(all.firstGroup, groupId) };
		yield step;
		rest = { ...all, last: step.first - 1 };
		if (rest.first <= rest.last) await yieldToRequests();
	}
}

/** The ids of a period. Times never decrease, so a binary search finds both ends. */
export function idsOf(db: Db, { from, to }: Period): IdRange {
	const all = { first: read(db).first.get()?.id ?? 1, last: read(db).last.get()?.id ?? 0 };
	const first = from === undefined ? all.first : firstAtOrAfter(db, all, from);
	const last = to === undefined ? all.last : firstAtOrAfter(db, all, to) - 1;
	return { first, last, firstGroup: read(db).byId.get({ id: first })?.groupId ?? first };
}

/** The id of the first record at a time or later; one more than the last id when there is none. */
function firstAtOrAfter(db: Db, { first, last }: Omit<IdRange, 'firstGroup'>, time: string): number {
	let [low, high] = [first, last + 1];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((read(db).byId.get({ id: middle })?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}
