/** How long the history is kept (HISTORY_DAYS). */
import { desc, lte, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { queries, transaction } from '../database/query.ts';
import { history } from '../database/schema.ts';

/** Deleting this many takes about a millisecond. */
const recordsAtOnce = 100;

const read = queries(({ select }) => ({
	oldest: select({ id: history.id, at: history.at }).from(history).orderBy(history.id).limit(recordsAtOnce),
	kept: select({ first: sql<number>`coalesce(${history.groupId}, ${history.id})` })
		.from(history)
		.orderBy(desc(history.id))
		.limit(1),
}));

/**
 * Removes some of the records before a time (ISO 8601 in UTC with milliseconds), the oldest first.
 * @returns whether there may be more.
 */
export function pruneHistory(db: Db, before: string): boolean {
	// The newest of all is kept, so that the next one is numbered after it, and the others of its request with it.
	const { first = 0 } = read(db).kept.get() ?? {};
	const old = read(db)
		.oldest.all()
		.filter(({ id, at }) => id < first && at < before);
	const last = old.at(-1)?.id;
	if (last === undefined) return false;
	transaction(db, () => db.delete(history).where(lte(history.id, last)).run());
	return old.length === recordsAtOnce;
}
