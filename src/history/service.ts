/** Reading the history. */
import { and, desc, eq, getTableColumns, gt, lte } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, queries, snapshot } from '../database/query.ts';
import { history } from '../database/schema.ts';
import { found } from '../errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import { type HistoryRecord, historyMessages } from './model.ts';
import { findRecords, type HistoryFilter, idsOf, type Period } from './query.ts';

const read = queries(({ select }) => {
	const rows = () => select(getTableColumns(history)).from(history);
	return {
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
