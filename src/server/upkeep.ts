/** Background work for as long as the service runs: in short steps, so that requests are served in between. */
import { SQLiteError } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { searchIndexes } from '../database/schema.ts';
import { endWhatIsOver } from '../employees/ending.ts';
import type { RefusedSignIns } from '../guard/refused-sign-ins.ts';
import { pruneHistory } from '../history/retention.ts';
import type { Log } from '../machine/log.ts';
import { changesOf, mergeSome } from '../search/search-index.ts';
import { AppError, causeOf, messageOf } from '../vocabulary/errors.ts';

/** Does some of the work. @returns whether there may be more. */
type Step = () => boolean;

/** A step that never throws. A full disk must not end the service: the failure is logged once, and every later step tries again. */
function guarded(step: Step, failure: string, log: Log): Step {
	let failing = false;
	return () => {
		try {
			const more = step();
			failing = false;
			return more;
		} catch (error) {
			// A write that could not be stored has reported itself.
			if (!failing && !(error instanceof AppError)) log.error(failure, { error: messageOf(error) });
			failing = true;
			return false;
		}
	};
}

/** The pause after a step when there is more to do, in milliseconds. */
const busyPause = 20;

/** Starts the work after a pause. @param pause when there is nothing to do, in milliseconds. @returns stop. */
function inSteps(step: Step, pause: number, pauseBetween = busyPause): () => void {
	let timer: ReturnType<typeof setTimeout>;
	function run(): void {
		timer = setTimeout(run, step() ? pauseBetween : pause);
	}
	timer = setTimeout(run, pause);
	return () => clearTimeout(timer);
}

/**
 * Ends last days of people and of roles: what was over before the start, then again and again.
 * @returns stop.
 */
export function endOnTime({ db, clock, log }: { db: Db; clock: () => Date; log: Log }): () => void {
	const step = guarded(() => endWhatIsOver(db, clock()), 'what is over cannot be ended', log);
	// Before the first request: nobody may use a role that ended while the service was stopped.
	while (step());
	// Looking takes some microseconds.
	return inSteps(step, 20_000);
}

const day = 24 * 60 * 60 * 1000;

/** What keeping the history needs. */
interface History {
	db: Db;
	refusedSignIns: RefusedSignIns;
	/** For how many days records are kept; 0 means forever. */
	historyDays: number;
	clock: () => Date;
	log: Log;
}

/**
 * Records refused sign-ins and prunes records that are too old, in steps of about a millisecond.
 * @returns stop, which records the refused sign-ins that are still pending.
 */
export function keepHistory({ db, refusedSignIns, historyDays, clock, log }: History): () => void {
	function step(): boolean {
		const now = clock();
		refusedSignIns.flush(now.toISOString());
		if (historyDays === 0) return false;
		return pruneHistory(db, new Date(now.getTime() - historyDays * day).toISOString());
	}

	const stop = inSteps(guarded(step, 'the history cannot be kept up to date', log), 1000);
	return () => {
		stop();
		try {
			refusedSignIns.flush(clock().toISOString(), { now: true });
		} catch (error) {
			log.error('refused sign-ins could not be recorded', { error: messageOf(causeOf(error)) });
		}
	};
}

/** The pause after a step of merging, in milliseconds: a list right after a change seldom meets one. */
const mergePause = 100;

/** Merges the search indexes after changes. @returns stop. */
export function mergeInBackground({ $client }: Db): () => void {
	let merged = -1;
	return inSteps(
		() => {
			if (changesOf($client) === merged) return false;
			try {
				const hasMore = Object.values(searchIndexes).some((index) => mergeSome($client, index));
				if (!hasMore) merged = changesOf($client);
				return hasMore;
			} catch (error) {
				// A full disk, for one: the next change reports it, and the next step tries again.
				if (error instanceof SQLiteError) return false;
				throw error;
			}
		},
		1000,
		mergePause,
	);
}
