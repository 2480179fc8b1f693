/** How long the history is kept (HISTORY_DAYS). */
import type { Db } from '../database/open.ts';
import { prepared, transaction } from '../database/query.ts';

/** Deleting this many takes about a millisecond. */
const recordsAtOnce = 100;

const statements = prepared(({ $client }) => ({
	/** The last of the next records to prune; the newest of all is kept, so that the next one is numbered after it. */
	oldest: $client.prepare<{ last: number | null; pruned: number }, [number, string]>(
		`select max(id) as last, count(*) as pruned from (
			select id, at from history where id < (select max(id) from history) order by id limit ?
		) where at < ?`,
	),
	deleteRecords: $client.prepare<null, [number]>('delete from history where id <= ?'),
}));

/**
 * Removes some of the records before a time (ISO 8601 in UTC with milliseconds), the oldest first.
 * @returns whether there may be more.
 */
export function pruneHistory(db: Db, before: string): boolean {
	const { oldest, deleteRecords } = statements(db);
	const { last, pruned } = oldest.get(recordsAtOnce, before) ?? { last: null, pruned: 0 };
	if (last === null) return false;
	transaction(db, () => void deleteRecords.run(last));
	return pruned === recordsAtOnce;
}
