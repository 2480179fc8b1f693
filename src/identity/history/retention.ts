/** How long the history is kept (HISTORY_DAYS). */
import { desc, lte } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { queries, transaction } from '../../platform/database/query.ts';
import { history, installation } from '../../platform/database/schema.ts';
import { guarded, inSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';

/** Deleting this many takes about a millisecond. */
const recordsAtOnce = 100;

const read = queries(({ select }) => ({
	oldest: select({ id: history.id, at: history.at }).from(history).orderBy(history.id).limit(recordsAtOnce),
	kept: select({ first: history.groupId }).from(history).orderBy(desc(history.id)).limit(1),
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

/** How often the time is stored, in milliseconds. */
const storeEvery = 10 * 60 * 1000;

/** How many times as fast as the service runs the time may go: enough for one that runs six hours a day. */
const maxPace = 4;

/**
 * The time by which the history is pruned: that of the clock, but it never goes faster than some times the time for which
 * the service runs, also across restarts. A clock that is a year ahead for an hour removes what would go four hours later.
 * @param uptime in milliseconds, by a clock that nobody sets.
 */
export function pruningTime(db: Db, clock: () => Date, uptime: () => number): () => Date {
	const stored = db.select({ at: installation.prunedAt }).from(installation).get()?.at;
	let time = stored ? Date.parse(stored) : clock().getTime();
	let lookedAt = uptime();
	let storedAt = Number.NEGATIVE_INFINITY;
	return () => {
		const now = clock().getTime();
		const looked = uptime();
		time = Math.max(time, Math.min(now, time + maxPace * (looked - lookedAt)));
		lookedAt = looked;
		if (looked - storedAt >= storeEvery) {
			const prunedAt = new Date(time).toISOString();
			transaction(db, () => db.update(installation).set({ prunedAt }).run());
			storedAt = looked;
		}
		return new Date(Math.min(time, now));
	};
}

const day = 24 * 60 * 60 * 1000;

/** Prunes records that are older than so many days, in steps of about a millisecond; 0 keeps all. @returns stop. */
export function pruneInBackground(db: Db, days: number, clock: () => Date, log: Log): () => void {
	if (days === 0) return () => {};
	const pruning = pruningTime(db, clock, () => performance.now());
	const step = () => pruneHistory(db, new Date(pruning().getTime() - days * day).toISOString());
	return inSteps(guarded(step, 'the history cannot be pruned', log), 1000);
}
