/** Reading the history: pages, single records, whole periods, and counts. */
import { and, count, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, prepared, queries } from '../../platform/database/query.ts';
import { employees, history } from '../../platform/database/schema.ts';
import { createSemaphore } from '../../platform/http/semaphore.ts';
import { orNotFound } from '../../platform/vocabulary/errors.ts';
import { historyMovements, type Movement } from '../../platform/vocabulary/history.ts';
import type { Page, Paging } from '../../platform/vocabulary/paging.ts';
import { isUndoable, undoTimes } from './group.ts';
import { mentionedIn, pointsIn } from './mentioned.ts';
import { type HistoryFilter, type HistoryRecord, historyMessages, maxCounted, type ShownRecord } from './model.ts';
import { idsOf, inRange, movements, type Period, searchFor } from './search.ts';

const read = queries(({ select }) => {
	const { searchText, changed, left, moved, newRoles, ...columns } = getTableColumns(history);
	// A count of its own needs an index only, while a sum would look up every record of an import.
	const ended = sql<number>`(
		select count(*) from history as other where other.group_id = history.group_id and other.action = 'EMPLOYEE_REACH'
	)`;
	return {
		byIds: select(columns).from(history).where(inJsonArray(history.id, 'ids')).orderBy(desc(history.id)),
		groups: select({ id: history.groupId, size: count(), ended })
			.from(history)
			.where(inJsonArray(history.groupId, 'ids'))
			.groupBy(history.groupId),
	};
});

/** Counts of a range of records. */
const readRange = queries(({ select }) => {
	const within = (movement: Movement) => and(movements[movement].condition, inRange);
	const counted = (movement: Movement) => select({ total: count() }).from(history).where(within(movement));
	const targetsOf = (movement: Movement) => select({ id: history.targetId }).from(history).where(within(movement));
	return {
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
		hired: counted('hired'),
		left: counted('left'),
		moved: counted('moved'),
		newRoles: counted('newRoles'),
	};
});

/** One page of the matching records, newest first. A filtered list is counted to {@link maxCounted}. */
export async function listHistory(db: Db, filter: HistoryFilter, paging: Paging): Promise<Page<ShownRecord>> {
	using _turn = filter.keyword === undefined ? undefined : await keywordSemaphore(db).enter();
	const { ids, ...total } = await (isFiltered(filter) ? searchPage(db, filter, paging) : pageOfAll(db, filter, paging));
	return { items: toShownRecords(db, rowsOf(db, ids)), ...total };
}

/** Keyword searches run one at a time, so that many of them delay other requests no more than one does. */
const keywordSemaphore = prepared(() => createSemaphore({ running: 1, waiting: Number.POSITIVE_INFINITY }));

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): ShownRecord {
	return orNotFound(toShownRecords(db, rowsOf(db, [id]))[0], historyMessages.notFound);
}

/** The newest matching records, at most `limit`, without names and titles for display. */
export function newestRecords(db: Db, filter: HistoryFilter, limit: number): HistoryRecord[] {
	const { ids, all } = searchFor(db, filter);
	return listRecords(db, ids(all, limit));
}

/** The records with these ids, the newest first, without names and titles for display. */
export function listRecords(db: Db, ids: readonly number[]): HistoryRecord[] {
	return rowsOf(db, ids).map(({ groupId, ...record }) => record);
}

/** The group of the newest record; 0 without any. Inside a transaction that wrote a record, this is its own group. */
export function newestGroup(db: Db): number {
	return rowsOf(db, [idsOf(db, {}).last])[0]?.groupId ?? 0;
}

/** The group of this transaction, if it changed this number of employees and can be undone. */
export function undoableGroup(db: Db, people: number): number | null {
	const id = newestGroup(db);
	const [head] = listRecords(db, [id]);
	return head && people > 0 && isUndoable(head, people) ? id : null;
}

/** The records of a period, oldest first. At most a thousand are in memory at a time. */
export function* allHistory(db: Db, period: Period): Generator<HistoryRecord> {
	const { first, last } = idsOf(db, period);
	for (let start = first; start <= last; start += 1000) {
		const end = Math.min(last, start + 999);
		yield* listRecords(db, idsDownFrom(end, end - start + 1)).reverse();
	}
}

/** The number of records in memory at once. */
const partSize = 200;

/** The matching records, newest first, in parts, without records written in the meantime. */
export async function* historyInParts(db: Db, filter: HistoryFilter): AsyncGenerator<ShownRecord[]> {
	const search = searchFor(db, filter);
	for await (const range of search.steps()) {
		const ids = search.ids(range, Number.MAX_SAFE_INTEGER);
		for (let start = 0; start < ids.length; start += partSize)
			yield toShownRecords(db, rowsOf(db, ids.slice(start, start + partSize)));
	}
}

/** The records with these ids and their groups, newest first. */
function rowsOf(db: Db, ids: readonly number[]) {
	return read(db).byIds.all({ ids: JSON.stringify(ids) });
}

/** Adds names, titles and groups to records. */
function toShownRecords(db: Db, rows: ReturnType<typeof rowsOf>): ShownRecord[] {
	const found = read(db).groups.all({ ids: JSON.stringify(rows.map(({ groupId }) => groupId)) });
	const groups = new Map(found.map((group) => [group.id, group]));
	const grouped = rows.map(({ groupId, ...record }) => {
		return { ...record, group: groups.get(groupId) ?? { id: groupId, size: 1, ended: 0 } };
	});
	const until = undoTimes(db, grouped);
	const mentioned = mentionedIn(db, grouped);
	const points = pointsIn(db, grouped);
	return grouped.map((record) => {
		const group = { ...record.group, undoUntil: until.get(record.id) ?? null };
		return { ...record, group, ...points(record), mentioned: mentioned(record) };
	});
}

/** The ids on one page of all records of a period. Ids have no gaps. */
function pageOfAll(db: Db, filter: Period, { page, pageSize }: Paging) {
	const range = idsOf(db, filter);
	const total = Math.max(0, range.last - range.first + 1);
	const offset = (page - 1) * pageSize;
	return { total, ids: idsDownFrom(range.last - offset, Math.min(pageSize, total - offset)) };
}

/** The ids on one page of a filtered list. Other requests run in between; they add records, but change none. */
async function searchPage(db: Db, filter: HistoryFilter, { page, pageSize }: Paging) {
	const offset = (page - 1) * pageSize;
	const needed = Math.max(maxCounted + 1, offset + pageSize);
	const search = searchFor(db, filter);
	const ids: number[] = [];
	let total = 0;
	for await (const range of search.steps()) {
		const found = search.count(range, needed - total);
		const skipped = Math.max(0, offset - total);
		if (skipped < found && ids.length < pageSize) ids.push(...search.ids(range, pageSize - ids.length, skipped));
		total += found;
		if (total >= needed) break;
	}
	return { ids, total: Math.min(total, maxCounted), ...(total > maxCounted && { totalIsMinimum: true }) };
}

/** Whether a filter contains anything besides a period. */
function isFiltered({ from, to, ...conditions }: HistoryFilter): boolean {
	return Object.values(conditions).some((value) => value !== undefined && value !== false);
}

function idsDownFrom(last: number, length: number): number[] {
	return Array.from({ length: Math.max(0, length) }, (_, index) => last - index);
}

/** The number of each kind of movement in a period. An employee who left twice counts twice. */
export function countMovements(db: Db, period: Period): Record<Movement, number> {
	const range = idsOf(db, period);
	const counted = historyMovements.map((kind) => [kind, readRange(db)[kind].get(range)?.total ?? 0]);
	return Object.fromEntries(counted) as Record<Movement, number>;
}

/** Looking up this many employees one by one takes 20 ms. */
const maxLookedAt = 10_000;

/**
 * The movements since a time. An employee who left counts once, and not after coming back. The store with most new
 * employees counts them by their present store. Beyond 10,000 records, the counts are plain numbers of records.
 */
export function countMovementsSince(db: Db, from: string) {
	const counts = countMovements(db, { from });
	const range = idsOf(db, { from });
	const left = counts.left > maxLookedAt ? counts.left : (readRange(db).gone.get(range)?.total ?? 0);
	const busiest = counts.hired > maxLookedAt ? undefined : readRange(db).perStore.get(range);
	return { ...counts, left, busiest };
}

/** The number of sign-ins refused since a time. */
export function countRefusedSignIns(db: Db, from: string): number {
	return readRange(db).refused.get(idsOf(db, { from }))?.total ?? 0;
}
