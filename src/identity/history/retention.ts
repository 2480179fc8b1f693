/** Retention of the history (HISTORY_DAYS). */
import { desc, lte } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { queries, transaction } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import { neverThrowing, runInSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';

/** Deleting this many records takes about a millisecond. */
const recordsAtOnce = 100;

const read = queries(({ select }) => ({
	oldest: select({ id: history.id, at: history.at }).from(history).orderBy(history.id).limit(recordsAtOnce),
	kept: select({ first: history.groupId }).from(history).orderBy(desc(history.id)).limit(1),
}));

/**
 * Deletes some of the records before a time (ISO 8601 in UTC with milliseconds), the oldest first.
 * @returns whether more may remain.
 */
export function pruneHistory(db: Db, before: string): boolean {
	// The newest record stays, so that numbering continues after it. The rest of its group stays with it.
	const { first = 0 } = read(db).kept.get() ?? {};
	const old = read(db)
		.oldest.all()
		.filter(({ id, at }) => id < first && at < before);
	const last = old.at(-1)?.id;
	if (last === undefined) return false;
	transaction(db, () => db.delete(history).where(lte(history.id, last)).run());
	return old.length === recordsAtOnce;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Deletes records older than `days`, in steps of about a millisecond; 0 keeps all.
 * @returns a function that stops it.
 */
export function pruneInBackground(db: Db, days: number, clock: () => Date, log: Log): () => void {
	if (days === 0) return () => {};
	const step = () => pruneHistory(db, new Date(clock().getTime() - days * day).toISOString());
	return runInSteps(neverThrowing(step, 'the history cannot be pruned', log), 1000);
}
