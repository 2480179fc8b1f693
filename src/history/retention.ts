/** How long the history is kept (HISTORY_DAYS). */
import { lte } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { queries, transaction } from '../database/query.ts';
import { history } from '../database/schema.ts';

/** Deleting this many takes about a millisecond. */
const recordsAtOnce = 100;

const read = queries(({ select }) => ({
	oldest: select({ id: history.id, at: history.at })
		.from(history)
		.orderBy(history.id)
		.limit(recordsAtOnce + 1),
}));

/**
 * Removes some of the records before a time (ISO 8601 in UTC with milliseconds), the oldest first.
 * @returns whether there may be more.
 */
export function pruneHistory(db: Db, before: string): boolean {
	// The newest of all is kept, so that the next one is numbered after it.
	const old = read(db)
		.oldest.all()
		.slice(0, -1)
		.filter(({ at }) => at < before);
	const last = old.at(-1)?.id;
	if (last === undefined) return false;
	transaction(db, () => db.delete(history).where(lte(history.id, last)).run());
	return old.length === recordsAtOnce;
}
