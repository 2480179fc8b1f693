/** Retention of the history (HISTORY_DAYS). */
import { lte } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { history } from '../../platform/database/schema.ts';
import { neverThrowing, runInSteps } from '../../platform/machine/background.ts';
import type { Log } from '../../platform/machine/log.ts';
import { addSeconds, daySeconds } from '../../platform/vocabulary/day.ts';
import { idsOf } from './search.ts';
import { newestGroup } from './service.ts';

/** Deleting this many records takes about a millisecond. */
const recordsAtOnce = 100;

/** Deletes some records before a time (ISO 8601, UTC, milliseconds), oldest first. @returns whether more may remain. */
export function pruneHistory(db: Db, before: string): boolean {
	const old = idsOf(db, { to: before });
	// The newest record stays, so that numbering continues after it. The rest of its group stays with it.
	const end = Math.min(old.last, newestGroup(db) - 1);
	const last = Math.min(end, old.first + recordsAtOnce - 1);
	if (last < old.first) return false;
	transaction(db, () => db.delete(history).where(lte(history.id, last)).run());
	return last < end;
}

/** Deletes records older than `days`, in steps of about a millisecond; 0 keeps all. @returns a function that stops it. */
export function pruneInBackground(db: Db, days: number, clock: () => Date, log: Log): () => void {
	if (days === 0) return () => {};
	const step = () => pruneHistory(db, addSeconds(clock().toISOString(), -days * daySeconds));
	return runInSteps(neverThrowing(step, 'the history cannot be pruned', log), 1000);
}
