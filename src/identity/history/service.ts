/** Reading the history: lists, single records, all of a period, and how much happened in one. */
import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, prepared, queries, snapshot } from '../../platform/database/query.ts';
import { history, historyIndex } from '../../platform/database/schema.ts';
import type { Steps } from '../../platform/http/steps.ts';
import type { IdRange } from '../../platform/search/counts.ts';
import { anyPropertyOf, containing, propertyOf } from '../../platform/search/expression.ts';
import { finderOf, matching } from '../../platform/search/finder.ts';
import { orNotFound } from '../../platform/vocabulary/errors.ts';
import { historyMovements, type Movement } from '../../platform/vocabulary/history.ts';
import type { Page, Paging } from '../../platform/vocabulary/paging.ts';
import { findAccountsNamed } from '../session/accounts.ts';
import { mentionedIn, pointsIn } from './mentioned.ts';
import { type HistoryFilter, type HistoryRecord, historyMessages, type ShownRecord } from './model.ts';

/** A time span: from a time on, and before another one. */
type Period = Pick<HistoryFilter, 'from' | 'to'>;

const movements: Readonly<Record<Movement, string>> = {
	hired: propertyOf('a', 'EMPLOYEE_CREATE'),
	left: propertyOf('g', 'left'),
	moved: propertyOf('g', 'moved'),
	newRoles: propertyOf('g', 'role'),
};

/** The records of a group: others can stand between them. */
const ofGroup = 'rowid in (select id from history where group_id = ?4 union all select ?4)';

const finder = prepared(({ $client }) => finderOf($client, historyIndex, `${matching(historyIndex)} and ${ofGroup}`));

/** The records of which the first one of their request does not pass the same filter, which the JSON of ?4 is. */
const standingForThemselves = `not exists (
	select 1 from history as follower join history as leader on leader.id = follower.group_id
	where follower.id = history_search.rowid
		and coalesce(leader.action = ?4 ->> 'action', true)
		and (?4 ->> 'actorType' is null or leader.actor_type = ?4 ->> 'actorType')
		and (?4 ->> 'actorId' is null or leader.actor_id is ?4 ->> 'actorId')
		and (?4 ->> 'targetType' is null or leader.target_type is ?4 ->> 'targetType')
		and (?4 ->> 'targetId' is null or leader.target_id is ?4 ->> 'targetId')
		and (?4 ->> 'movement' is null or leader.action = follower.action)
		and (
			?4 ->> 'keyword' is null
			or instr(lower(leader.actor_name), lower(?4 ->> 'keyword'))
			or instr(lower(leader.target_name), lower(?4 ->> 'keyword'))
			or (leader.actor_type = 'EMPLOYEE' and leader.actor_id = ?4 ->> 'holder')
			or (leader.target_type = 'EMPLOYEE' and leader.target_id = ?4 ->> 'holder')
			or exists (
				select 1 from json_each(leader.changes) where value ->> 'field' = 'phone' and instr(
					lower(concat_ws(char(10), value ->> 'before', value ->> 'after')), lower(?4 ->> 'keyword')
				)
			)
		)
)`;

const groupFinder = prepared(({ $client }) =>
	finderOf($client, historyIndex, `${matching(historyIndex)} and ${standingForThemselves}`),
);

const read = queries(({ select }) => {
	const { groupId, ...columns } = getTableColumns(history);
	const { action } = columns;
	const rows = () => select({ ...columns, groupId: sql<number>`coalesce(${groupId}, ${history.id})` }).from(history);
	return {
		first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
		last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
		byId: rows().where(eq(history.id, param('id'))),
		byIds: rows().where(inJsonArray(history.id, 'ids')).orderBy(desc(history.id)),
		followers: select({
			id: groupId,
			total: sql<number>`count(*)`,
			ended: sql<number>`sum(${action} = 'EMPLOYEE_REACH')`,
			last: sql<number>`max(${history.id})`,
		})
			.from(history)
			.where(inJsonArray(groupId, 'ids'))
			.groupBy(groupId),
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
	return snapshot(db, () => orNotFound(shown(db, rowsOf(db, [id]))[0], historyMessages.notFound));
}

/** The newest records that match the filter, at most so many, without what helps to show them. */
export function newestRecords(db: Db, filter: HistoryFilter, limit: number): HistoryRecord[] {
	return rowsOf(db, newestIn(db, filter, rangeOf(db, filter), limit)).map(recordOf);
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
export function* historyInParts(db: Db, filter: HistoryFilter): Generator<ShownRecord[]> {
	const { first, last } = rangeOf(db, filter);
	for (let before = last + 1; before > first; ) {
		const part = snapshot(db, () => {
			const ids = newestIn(db, filter, { first, last: before - 1 }, partSize);
			before = ids.at(-1) ?? first;
			return shown(db, rowsOf(db, ids));
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
	const groups = read(db).followers.all({ ids: JSON.stringify(rows.map(({ groupId }) => groupId)) });
	const sizes = new Map(groups.map(({ id, total, ended }) => [id, { size: total + 1, ended }]));
	const records = rows.map((row) => {
		return { ...recordOf(row), group: { id: row.groupId, ...(sizes.get(row.groupId) ?? { size: 1, ended: 0 }) } };
	});
	const mentioned = mentionedIn(db, records);
	const points = pointsIn(db, records);
	return records.map((record) => ({ ...record, ...points(record), mentioned: mentioned(record) }));
}

/** How many records match a filter, and the ids of one page of them, newest first; in steps. */
function* findRecords(
	db: Db,
	filter: HistoryFilter,
	{ page, pageSize }: Paging,
): Steps<{ total: number; ids: number[] }> {
	const offset = (page - 1) * pageSize;
	if (isFiltered(filter)) {
		const sought = () => ({ ...searchOf(db, filter), range: rangeOf(db, filter) });
		const find = hasFollowers(filter) ? groupFinder : finder;
		return yield* find(db).page(sought, { order: 'desc', limit: pageSize, offset });
	}
	// Ids have no gaps.
	const range = rangeOf(db, filter);
	const total = Math.max(0, range.last - range.first + 1);
	return { total, ids: downFrom(range.last - offset, Math.min(pageSize, total - offset)) };
}

/** The ids of the newest records of a range that match a filter, at most so many. */
function newestIn(db: Db, filter: HistoryFilter, range: IdRange, limit: number): number[] {
	if (!isFiltered(filter)) return downFrom(range.last, Math.min(limit, range.last - range.first + 1));
	return finder(db).ids(searchOf(db, filter), { order: 'desc', limit, offset: 0 }, range);
}

/** Whether a filter has more than a period. */
function isFiltered({ from: _, to: __, ...conditions }: HistoryFilter): boolean {
	return Object.values(conditions).some((value) => value !== undefined && value !== false);
}

function downFrom(last: number, length: number): number[] {
	return Array.from({ length: Math.max(0, length) }, (_, index) => last - index);
}

/** What the index is asked for. */
function searchOf(db: Db, filter: HistoryFilter) {
	const { action, actorType, actorId, targetType, targetId, keyword, movement, grouped, groupId } = filter;
	const isFirst = grouped && !hasFollowers(filter) ? '' : undefined;
	const properties = { a: action, b: actorType, c: actorId, d: targetType, e: targetId, f: isFirst };
	const conditions = Object.entries(properties).flatMap(([kind, value]) =>
		value === undefined ? [] : [propertyOf(kind, value)],
	);
	if (movement !== undefined) conditions.push(movements[movement]);
	const holder = keyword === undefined ? undefined : findAccountsNamed(db, keyword).employee?.id;
	if (keyword !== undefined) conditions.push(mentioning(keyword, holder));
	const given = hasFollowers(filter) ? JSON.stringify({ ...filter, holder }) : groupId;
	return { expression: conditions.join(' AND ') || anyPropertyOf('a'), given };
}

/** Whether a request of which the first record does not pass the filter can have others that do: they have the same actor. */
function hasFollowers({ grouped, groupId, action, targetType, targetId, keyword, movement }: HistoryFilter): boolean {
	const conditions = [action, targetType, targetId, keyword, movement];
	return grouped === true && groupId === undefined && conditions.some((value) => value !== undefined);
}

function mentioning(keyword: string, holder: number | undefined): string {
	if (holder === undefined) return containing(keyword);
	const of = (type: string, id: string) => `(${propertyOf(type, 'EMPLOYEE')} AND ${propertyOf(id, holder)})`;
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
		if ((read(db).byId.get({ id: middle })?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** What happened to people in a period. Somebody who was disabled or deleted has left, once. */
export function countMovements(db: Db, period: Period): Record<Movement, number> {
	const range = idsOf(db, period);
	const counted = historyMovements.map((what) => [what, finder(db).total({ expression: movements[what] }, range)]);
	return Object.fromEntries(counted) as Record<Movement, number>;
}

// Text: Drizzle knows no full-text search.
const counting = prepared(({ $client }) => {
	const matches = 'select rowid from history_search where history_search match ? and rowid between ? and ?';
	const targets = `select target_id from history where id in (${matches})`;
	return {
		gone: $client.prepare<{ total: number }, [string, number, number]>(
			`select count(*) as total from employees where status = 'INACTIVE' and id in (${targets})`,
		),
		perStore: $client.prepare<{ storeId: number; hired: number }, [string, number, number]>(
			`select store_id as storeId, count(*) as hired from employees where id in (${targets})
			group by store_id order by hired desc, store_id limit 1`,
		),
		refused: $client.prepare<{ total: number }, [string, number, number]>(
			`select coalesce(sum(count), 0) as total from history where id in (${matches})`,
		),
	};
});

/** So many people are looked at one by one: 20 ms. */
const maxLookedAt = 10_000;

/**
 * What happened to people since a time. A person who left is counted once, and not when they are back. The store that hired most is that
 * in which they are now; after more than 10,000 records only these are counted.
 */
export function countMovementsSince(db: Db, from: string) {
	const counts = countMovements(db, { from });
	const { first, last } = idsOf(db, { from });
	const { gone, perStore } = counting(db);
	const left = counts.left > maxLookedAt ? counts.left : (gone.get(movements.left, first, last)?.total ?? 0);
	const busiest = counts.hired > maxLookedAt ? null : perStore.get(movements.hired, first, last);
	return { ...counts, left, busiest };
}

/** How many sign-ins were refused since a time. */
export function countRefusedSignIns(db: Db, from: string): number {
	const { first, last } = idsOf(db, { from });
	return counting(db).refused.get(propertyOf('a', 'SIGN_IN_REFUSED'), first, last)?.total ?? 0;
}
