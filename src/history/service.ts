/** Reading the history: lists, single records, all of a period, and how much happened in one. */
import { and, between, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, prepared, queries, snapshot } from '../database/query.ts';
import { employees, history, historyIndex } from '../database/schema.ts';
import type { Steps } from '../http/steps.ts';
import type { IdRange } from '../search/counts.ts';
import { containing, propertyOf } from '../search/expression.ts';
import { finderOf } from '../search/finder.ts';
import { found } from '../vocabulary/errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import { mentionedIn } from './mentioned.ts';
import { type HistoryFilter, type HistoryRecord, historyMessages, type ShownRecord } from './model.ts';

/** A time span: from a time on, and before another one. */
type Period = Pick<HistoryFilter, 'from' | 'to'>;

/** The index of the records. */
const finder = prepared(({ $client }) => finderOf($client, historyIndex));

const read = queries(({ select }) => {
	const { groupId, ...columns } = getTableColumns(history);
	const rows = () => select({ ...columns, groupId: sql<number>`coalesce(${groupId}, ${history.id})` }).from(history);
	return {
		first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
		last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
		time: select({ at: history.at })
			.from(history)
			.where(eq(history.id, bound('id'))),
		byId: rows().where(eq(history.id, bound('id'))),
		byIds: rows().where(among(history.id, 'ids')).orderBy(desc(history.id)),
		followersIn: select({ id: history.id })
			.from(history)
			.where(and(eq(groupId, bound('id')), between(history.id, bound('first'), bound('last')))),
		followers: select({ id: groupId, total: sql<number>`count(*)`, last: sql<number>`max(${history.id})` })
			.from(history)
			.where(among(groupId, 'ids'))
			.groupBy(groupId),
		holder: select({ id: employees.id })
			.from(employees)
			.where(and(eq(employees.phone, bound('phone')), isNull(employees.deletedAt))),
	};
});

type Row = Omit<HistoryRecord, 'changes'> & { changes: string; groupId: number };

/** One page of the records that match the filter, newest first. */
export function* listHistory(db: Db, filter: HistoryFilter, paging: Paging): Steps<Page<ShownRecord>> {
	const { total, ids } = yield* findRecords(db, filter, paging);
	return { items: snapshot(db, () => shown(db, rowsOf(db, ids))), total };
}

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): ShownRecord {
	return snapshot(db, () => found(shown(db, rowsOf(db, [id]))[0], historyMessages.notFound));
}

/** The newest records that match the filter, at most so many, without what helps to show them. */
export function newestRecords(db: Db, filter: HistoryFilter, limit: number): HistoryRecord[] {
	return rowsOf(db, newestIn(db, filter, rangeOf(db, filter), limit)).map(recordOf);
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
export function* historyInParts(db: Db, filter: HistoryFilter): Generator<ShownRecord[]> {
	const { first, last } = rangeOf(db, filter);
	for (let before = last + 1; before > first; ) {
		const part = snapshot(db, () => {
			const ids = newestIn(db, filter, { first, last: before - 1 }, partSize);
			before = ids.at(-1) ?? first;
			const rows = rowsOf(db, ids);
			return shown(db, filter.groupId === undefined ? rows : rows.filter((row) => row.groupId === filter.groupId));
		});
		if (part.length > 0) yield part;
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
	const sizes = groupSizes(
		db,
		rows.map(({ groupId }) => groupId),
	);
	const records = rows.map((row) => {
		return { ...recordOf(row), group: { id: row.groupId, size: sizes.get(row.groupId) ?? 1 } };
	});
	const mentioned = mentionedIn(db, records);
	return records.map((record) => ({ ...record, mentioned: mentioned(record) }));
}

/** The number of records of each request that left more than one, by the id of its first one. */
function groupSizes(db: Db, ids: readonly number[]): Map<number | null, number> {
	const groups = read(db).followers.all({ ids: JSON.stringify(ids) });
	return new Map(groups.map(({ id, total }) => [id, total + 1]));
}

/** How many records match a filter, and the ids of one page of them, newest first; in steps. */
function* findRecords(
	db: Db,
	filter: HistoryFilter,
	{ page, pageSize }: Paging,
): Steps<{ total: number; ids: number[] }> {
	const offset = (page - 1) * pageSize;
	const { groupId } = filter;
	const expression = expressionOf(db, filter);
	if (expression !== undefined && groupId === undefined) {
		const sought = () => ({ expression: expressionOf(db, filter) ?? expression, range: rangeOf(db, filter) });
		return yield* finder(db).page(sought, { order: 'desc', limit: pageSize, offset });
	}
	const range = rangeOf(db, filter);
	if (groupId !== undefined) {
		const ids = idsInGroup(db, filter, groupId, range);
		return { total: ids.length, ids: ids.slice(offset, offset + pageSize) };
	}
	// Ids have no gaps.
	const total = Math.max(0, range.last - range.first + 1);
	return { total, ids: downFrom(range.last - offset, Math.min(pageSize, total - offset)) };
}

/** The ids of the records of a group in a range that match a filter, newest first: others can stand between them. */
function idsInGroup(db: Db, filter: HistoryFilter, groupId: number, range: IdRange): number[] {
	const { first, last } = range;
	const followers = read(db).followersIn.all({ id: groupId, first, last });
	const members = new Set([groupId, ...followers.map(({ id }) => id)]);
	return newestIn(db, filter, range, Math.max(0, last - first + 1)).filter((id) => members.has(id));
}

/** The ids of the newest records of a range that match a filter, at most so many. */
function newestIn(db: Db, filter: HistoryFilter, range: IdRange, limit: number): number[] {
	const expression = expressionOf(db, filter);
	if (expression === undefined) return downFrom(range.last, Math.min(limit, range.last - range.first + 1));
	return finder(db).ids(expression, { order: 'desc', limit, offset: 0 }, range);
}

function downFrom(last: number, length: number): number[] {
	return Array.from({ length: Math.max(0, length) }, (_, index) => last - index);
}

/** Undefined when every record matches. */
function expressionOf(db: Db, filter: HistoryFilter): string | undefined {
	const { action, actorType, actorId, targetType, targetId, keyword, grouped } = filter;
	const properties = { a: action, b: actorType, c: actorId, d: targetType, e: targetId, f: grouped ? '' : undefined };
	const conditions = Object.entries(properties).flatMap(([kind, value]) =>
		value === undefined ? [] : [propertyOf(kind, value)],
	);
	if (keyword !== undefined) conditions.push(mentioning(db, keyword));
	return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

function mentioning(db: Db, keyword: string): string {
	const holder = read(db).holder.get({ phone: keyword });
	if (holder === undefined) return containing(keyword);
	const of = (type: string, id: string) => `(${propertyOf(type, 'EMPLOYEE')} AND ${propertyOf(id, holder.id)})`;
	return `(${containing(keyword)} OR ${of('b', 'c')} OR ${of('d', 'e')})`;
}

/** The ids among which the records are that match a filter. */
function rangeOf(db: Db, { groupId, ...period }: HistoryFilter): IdRange {
	const { first, last } = idsOf(db, period);
	if (groupId === undefined) return { first, last };
	const isFirst = read(db).byId.get({ id: groupId })?.groupId === groupId;
	const [followers] = read(db).followers.all({ ids: JSON.stringify([groupId]) });
	return { first: Math.max(first, groupId), last: isFirst ? Math.min(last, followers?.last ?? groupId) : 0 };
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
		if ((read(db).time.get({ id: middle })?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

const movements = {
	hired: propertyOf('a', 'EMPLOYEE_CREATE'),
	left: propertyOf('g', 'left'),
	moved: propertyOf('g', 'moved'),
	newRoles: propertyOf('g', 'role'),
};

/** What happened to people in a period. Somebody who was disabled or deleted has left, once. */
export function countMovements(db: Db, period: Period): Record<keyof typeof movements, number> {
	const range = idsOf(db, period);
	const counted = Object.entries(movements).map(([what, found]) => [what, finder(db).total(found, range)]);
	return Object.fromEntries(counted) as Record<keyof typeof movements, number>;
}

const refused = prepared(({ $client }) =>
	// Text: Drizzle knows no full-text search.
	$client.prepare<{ total: number }, [string, number, number]>(
		`select coalesce(sum(count), 0) as total from history
		where id in (select rowid from history_search where history_search match ? and rowid between ? and ?)`,
	),
);

/** How many sign-ins were refused since a time. */
export function countRefusedSignIns(db: Db, from: string): number {
	const { first, last } = idsOf(db, { from });
	return refused(db).get(propertyOf('a', 'SIGN_IN_REFUSED'), first, last)?.total ?? 0;
}
