/** Reading the history: lists, single records, all of a period, and how much happened in one. */
import { and, between, count, desc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, prepared, queries, snapshot } from '../../platform/database/query.ts';
import { employees, history } from '../../platform/database/schema.ts';
import { givenWay } from '../../platform/http/steps.ts';
import { orNotFound } from '../../platform/vocabulary/errors.ts';
import { historyMovements, type Movement } from '../../platform/vocabulary/history.ts';
import type { Page, Paging } from '../../platform/vocabulary/paging.ts';
import { fold } from '../../platform/vocabulary/text-rule.ts';
import { findAccountsNamed } from '../session/accounts.ts';
import { mentionedIn, pointsIn } from './mentioned.ts';
import { type HistoryFilter, type HistoryRecord, historyMessages, maxCounted, type ShownRecord } from './model.ts';

/** A time span: from a time on, and before another one. */
type Period = Pick<HistoryFilter, 'from' | 'to'>;

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
interface IdRange {
	first: number;
	last: number;
}

// Not as parameters: by these conditions SQLite recognizes the indexes.
const movements = {
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
	const { id = null } = findAccountsNamed(db, keyword).employee ?? {};
	const isHolder = and(eq(history.actorType, 'EMPLOYEE'), eq(history.actorId, sql`${id}`));
	const isOfHolder = and(eq(history.targetType, 'EMPLOYEE'), eq(history.targetId, sql`${id}`));
	return or(sql`instr(${history.searchText}, ${fold(keyword)}) > 0`, isHolder, isOfHolder);
}

/** The records of a range. A group follows each other, so the groups are a range, too, in which every index is ordered. */
const inRange = and(
	between(history.id, param('first'), param('last')),
	between(history.groupId, param('firstGroup'), param('last')),
);

/** The values of {@link inRange}. */
function rangeBindings(db: Db, { first, last }: IdRange) {
	return { first, last, firstGroup: groupOf(db, first) };
}

const read = queries(({ select }) => {
	const {
		groupId,
		searchText: _,
		changed: __,
		left: ___,
		moved: ____,
		newRoles: _____,
		...columns
	} = getTableColumns(history);
	const rows = () => select({ ...columns, groupId }).from(history);
	const sizes = (condition?: SQL) =>
		select({ id: groupId, size: count() })
			.from(history)
			.where(and(condition, inJsonArray(groupId, 'ids')))
			.groupBy(groupId);
	const targetsOf = (movement: Movement) =>
		select({ id: history.targetId }).from(history).where(and(movements[movement], inRange));
	return {
		first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
		last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
		byId: rows().where(eq(history.id, param('id'))),
		byIds: rows().where(inJsonArray(history.id, 'ids')).orderBy(desc(history.id)),
		sizes: sizes(),
		ended: sizes(eq(history.action, 'EMPLOYEE_REACH')),
		gone: select({ total: count() })
			.from(employees)
			.where(and(eq(employees.status, 'INACTIVE'), inArray(employees.id, targetsOf('left')))),
		perStore: select({ storeId: employees.storeId, hired: count() })
			.from(employees)
			.where(inArray(employees.id, targetsOf('hired')))
			.groupBy(employees.storeId)
			.orderBy(desc(count()), employees.storeId)
			.limit(1),
		refused: select({ total: sql<number>`coalesce(sum(${history.count}), 0)` })
			.from(history)
			.where(and(eq(history.action, 'SIGN_IN_REFUSED'), inRange)),
	};
});

const movementCounts = queries(({ select }) => {
	const counted = (movement: Movement) =>
		select({ total: count() }).from(history).where(and(movements[movement], inRange));
	return { hired: counted('hired'), left: counted('left'), moved: counted('moved'), newRoles: counted('newRoles') };
});

type Row = Omit<HistoryRecord, 'changes'> & { changes: string; groupId: number };

/** One page of the records that match the filter, newest first. A filtered list is counted to {@link maxCounted}. */
export async function listHistory(db: Db, filter: HistoryFilter, paging: Paging): Promise<Page<ShownRecord>> {
	const find = () => (isFiltered(filter) ? searchPage(db, filter, paging) : pageOfAll(db, filter, paging));
	const { ids, ...total } = await (filter.keyword === undefined ? find() : keywordLine(db)(find));
	return { items: snapshot(db, () => shown(db, rowsOf(db, ids))), ...total };
}

/** Searches for keywords follow each other, so that many of them hold others up no longer than one. */
const keywordLine = prepared(() => pLimit(1));

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): ShownRecord {
	return snapshot(db, () => orNotFound(shown(db, rowsOf(db, [id]))[0], historyMessages.notFound));
}

/** The newest records that match the filter, at most so many, without what helps to show them. */
export function newestRecords(db: Db, filter: HistoryFilter, limit: number): HistoryRecord[] {
	return rowsOf(db, searchFor(db, filter).ids(idsOf(db, filter), limit)).map(recordOf);
}

/** The group of the newest record: inside a transaction that wrote one, its own. */
export function newestGroup(db: Db): number | undefined {
	return rowsOf(db, [idsOf(db, {}).last])[0]?.groupId;
}

/** The records of a period, oldest first. At most a thousand are in memory at a time. */
export function* allHistory(db: Db, period: Period): Generator<HistoryRecord> {
	const { first, last } = idsOf(db, period);
	for (let start = first; start <= last; start += 1000) {
		const end = Math.min(last, start + 999);
		yield* rowsOf(db, downFrom(end, end - start + 1))
			.reverse()
			.map(recordOf);
	}
}

/** How many records are in memory at once. */
const partSize = 200;

/** The records that match a filter, newest first, in parts; those that are written meanwhile are not among them. */
export async function* historyInParts(db: Db, filter: HistoryFilter): AsyncGenerator<ShownRecord[]> {
	const { ids } = searchFor(db, filter);
	for (const { first, last } of windowsOf(db, filter)) {
		await givenWay();
		for (let before = last + 1; before > first; ) {
			const part = snapshot(db, () => shown(db, rowsOf(db, ids({ first, last: before - 1 }, partSize))));
			if (part.length > 0) yield part;
			before = part.length < partSize ? first : (part.at(-1)?.id ?? first);
		}
	}
}

/** The rows that have these ids, newest first. */
function rowsOf(db: Db, ids: readonly number[]): Row[] {
	return read(db).byIds.all({ ids: JSON.stringify(ids) });
}

function recordOf({ changes, groupId: _, ...row }: Row): HistoryRecord {
	return { ...row, changes: JSON.parse(changes) };
}

/** The records with what helps to show them. */
function shown(db: Db, rows: readonly Row[]): ShownRecord[] {
	const ids = JSON.stringify(rows.map(({ groupId }) => groupId));
	const [sizes, ended] = [read(db).sizes, read(db).ended].map(
		(query) => new Map(query.all({ ids }).map(({ id, size }) => [id, size])),
	);
	const records = rows.map((row) => {
		const { groupId: id } = row;
		return { ...recordOf(row), group: { id, size: sizes?.get(id) ?? 1, ended: ended?.get(id) ?? 0 } };
	});
	const mentioned = mentionedIn(db, records);
	const points = pointsIn(db, records);
	return records.map((record) => ({ ...record, ...points(record), mentioned: mentioned(record) }));
}

/** After how many milliseconds others are served. */
const turn = 5;

/** A function that lets others be served when it was their turn long enough ago. */
function inTurns(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < turn) return;
		await givenWay();
		since = performance.now();
	};
}

interface FoundPage extends Omit<Page<never>, 'items'> {
	ids: number[];
}

/** One page of all records of a period. Ids have no gaps. */
function pageOfAll(db: Db, filter: Period, { page, pageSize }: Paging): FoundPage {
	const range = idsOf(db, filter);
	const total = Math.max(0, range.last - range.first + 1);
	const offset = (page - 1) * pageSize;
	return { total, ids: downFrom(range.last - offset, Math.min(pageSize, total - offset)) };
}

/** One page of what a filter finds. Others are served meanwhile; they add records, but change none. */
async function searchPage(db: Db, filter: HistoryFilter, { page, pageSize }: Paging): Promise<FoundPage> {
	const offset = (page - 1) * pageSize;
	const wanted = Math.max(maxCounted + 1, offset + pageSize);
	const search = searchFor(db, filter);
	const giveWay = inTurns();
	const ids: number[] = [];
	let total = 0;
	for (const range of windowsOf(db, filter)) {
		if (total >= wanted) break;
		await giveWay();
		const found = search.count(range, wanted - total);
		const skipped = Math.max(0, offset - total);
		if (skipped < found && ids.length < pageSize) ids.push(...search.ids(range, pageSize - ids.length, skipped));
		total += found;
	}
	return { ids, total: Math.min(total, maxCounted), ...(total > maxCounted && { totalIsMinimum: true }) };
}

/** Finds the records of a range that match a filter, the newest first, or the first one of each group that does. */
function searchFor(db: Db, filter: HistoryFilter) {
	const asked = Object.entries(filter).map(([name, value]) => {
		const condition = conditions[name as keyof typeof conditions] as (value: unknown, db: Db) => SQL | undefined;
		return value === undefined ? undefined : condition(value, db);
	});
	const rows = () => {
		const id = filter.grouped ? sql<number>`min(${history.id})` : sql<number>`${history.id}`;
		const found = db
			.select({ id: id.as('id') })
			.from(sourceFor(filter))
			.where(and(...asked, inRange))
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

/** How many records are looked at in one go: up to some milliseconds, in their texts or for a second condition. */
const windowSize = 20_000;

/** The ids of a period, the newest first, in ranges of which none ends within a group. */
function* windowsOf(db: Db, period: Period): Generator<IdRange> {
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

/** Whether a filter has more than a period. */
function isFiltered({ from: _, to: __, ...conditions }: HistoryFilter): boolean {
	return Object.values(conditions).some((value) => value !== undefined && value !== false);
}

function downFrom(last: number, length: number): number[] {
	return Array.from({ length: Math.max(0, length) }, (_, index) => last - index);
}

/** The ids of the records of a period. Times never decrease, so a binary search finds where it begins and ends. */
function idsOf(db: Db, { from, to }: Period): IdRange {
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

/** What happened to people in a period. Somebody who was disabled or deleted has left, once. */
export function countMovements(db: Db, period: Period): Record<Movement, number> {
	const range = rangeBindings(db, idsOf(db, period));
	const counted = historyMovements.map((what) => [what, movementCounts(db)[what].get(range)?.total ?? 0]);
	return Object.fromEntries(counted) as Record<Movement, number>;
}

/** So many people are looked at one by one: 20 ms. */
const maxLookedAt = 10_000;

/**
 * What happened to people since a time. Who left is counted once, and not when they are back. The store that hired most is that
 * in which they are now; after more than 10,000 records only these are counted.
 */
export function countMovementsSince(db: Db, from: string) {
	const counts = countMovements(db, { from });
	const range = rangeBindings(db, idsOf(db, { from }));
	const left = counts.left > maxLookedAt ? counts.left : (read(db).gone.get(range)?.total ?? 0);
	const busiest = counts.hired > maxLookedAt ? undefined : read(db).perStore.get(range);
	return { ...counts, left, busiest };
}

/** How many sign-ins were refused since a time. */
export function countRefusedSignIns(db: Db, from: string): number {
	return read(db).refused.get(rangeBindings(db, idsOf(db, { from })))?.total ?? 0;
}
