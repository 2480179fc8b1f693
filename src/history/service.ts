/** Reading the history: lists, single records, and all of a period. */
import { and, desc, eq, getTableColumns, gt, lte } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, prepared, queries, snapshot } from '../database/query.ts';
import { history, historyIndex } from '../database/schema.ts';
import { found } from '../errors.ts';
import { containing, finderOf, type IdRange, pageOf, propertyOf } from '../search/search-index.ts';
import type { HistoryAction, HistoryActorType, HistoryTargetType } from '../vocabulary/history.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import { type HistoryRecord, historyMessages } from './model.ts';

/** A time span; both are ISO 8601 in UTC with milliseconds. */
export interface Period {
	/** At this time or later. */
	from?: string | undefined;
	/** Before this time. */
	to?: string | undefined;
}

/** Which records are wanted; what is undefined matches every record. */
export interface HistoryFilter extends Period {
	actorType?: HistoryActorType | undefined;
	actorId?: number | undefined;
	action?: HistoryAction | undefined;
	targetType?: HistoryTargetType | undefined;
	targetId?: number | undefined;
	/** A part of the actor's or the target's name. */
	keyword?: string | undefined;
}

const finder = prepared(({ $client }) => finderOf($client, historyIndex));

const read = queries(({ select }) => {
	const rows = () => select(getTableColumns(history)).from(history);
	return {
		first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
		last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
		time: select({ at: history.at })
			.from(history)
			.where(eq(history.id, bound('id'))),
		byId: rows().where(eq(history.id, bound('id'))),
		byIds: rows().where(among(history.id, 'ids')).orderBy(desc(history.id)),
		after: rows()
			.where(and(gt(history.id, bound('after')), lte(history.id, bound('last'))))
			.orderBy(history.id)
			.limit(1000),
	};
});

/** One page of the records that match the filter, newest first. */
export function listHistory(db: Db, filter: HistoryFilter, paging: Paging): Page<HistoryRecord> {
	return snapshot(db, () => {
		const { total, ids } = findRecords(db, filter, paging);
		return {
			items: read(db)
				.byIds.all({ ids: JSON.stringify(ids) })
				.map(recordOf),
			total,
		};
	});
}

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): HistoryRecord {
	return recordOf(found(read(db).byId.get({ id }), historyMessages.notFound));
}

/** The records of a period, oldest first. At most a thousand are in memory at a time. */
export function* allHistory(db: Db, period: Period): Generator<HistoryRecord> {
	const { first, last } = idsOf(db, period);
	for (let after = first - 1; after < last; ) {
		const rows = read(db).after.all({ after, last });
		yield* rows.map(recordOf);
		after = rows.at(-1)?.id ?? last;
	}
}

function recordOf({ changes, ...row }: Omit<HistoryRecord, 'changes'> & { changes: string }): HistoryRecord {
	return { ...row, changes: JSON.parse(changes) };
}

/** How many records match a filter, and the ids of one page of them, newest first. */
function findRecords(db: Db, filter: HistoryFilter, { page, pageSize }: Paging) {
	const range = idsOf(db, filter);
	const offset = (page - 1) * pageSize;
	const expression = expressionOf(filter);
	if (expression === undefined) {
		// Ids have no gaps.
		const total = Math.max(0, range.last - range.first + 1);
		const length = Math.min(pageSize, Math.max(0, total - offset));
		return { total, ids: Array.from({ length }, (_, index) => range.last - offset - index) };
	}
	const total = finder(db).total(expression, range);
	return { total, ids: pageOf(finder(db), expression, { order: 'desc', limit: pageSize, offset }, total, range) };
}

/** Undefined when every record matches. */
function expressionOf(filter: HistoryFilter): string | undefined {
	const { action, actorType, actorId, targetType, targetId, keyword } = filter;
	const properties = { a: action, b: actorType, c: actorId, d: targetType, e: targetId };
	const conditions = Object.entries(properties).flatMap(([kind, value]) =>
		value === undefined ? [] : [propertyOf(kind, value)],
	);
	if (keyword !== undefined) conditions.push(containing(keyword));
	return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

/** The ids of the records of a period. Times never decrease, so a binary search finds where it begins and ends. */
function idsOf(db: Db, { from, to }: Period): IdRange {
	const all = allIds(db);
	return {
		first: from === undefined ? all.first : firstAtOrAfter(db, all, from),
		last: to === undefined ? all.last : firstAtOrAfter(db, all, to) - 1,
	};
}

function allIds(db: Db): IdRange {
	return { first: read(db).first.get()?.id ?? 1, last: read(db).last.get()?.id ?? 0 };
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
