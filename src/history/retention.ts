/** How long the history is kept (HISTORY_DAYS). */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { type Named, namedColumns, removeNames } from './name-index.ts';

/** So many records take less than a millisecond. */
const recordsAtOnce = 25;

/**
 * Removes some of the records of before a time, the oldest first; true when there may be more. Records that are not in
 * the index of names yet are left until they are.
 */
export function removeOldestRecords(db: Db, before: string): boolean {
	const old = db.$client
		.query<Named & { at: string }, [number]>(
			`select at, ${namedColumns} from history
			where id <= (select indexed_to from history_state) and id < (select max(id) from history)
			order by id limit ?`,
		)
		.all(recordsAtOnce)
		.filter(({ at }) => at < before);
	const last = old.at(-1);
	if (!last) return false;
	transaction(db, () => {
		removeNames(db, old);
		db.$client.query('update history_state set kept_from = ?').run(last.id + 1);
		db.$client.query('delete from history where id <= ?').run(last.id);
	});
	return old.length === recordsAtOnce;
}
