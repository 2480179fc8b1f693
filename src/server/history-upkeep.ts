/** What is done for the history beside the requests, in steps so small that nobody notices. */

import type { RefusedSignIns } from '../auth/refused-sign-ins.ts';
import type { Db } from '../database/open.ts';
import { messageOf } from '../errors.ts';
import { indexNextNames } from '../history/name-index.ts';
import { removeOldestRecords } from '../history/retention.ts';
import type { Log } from '../log.ts';

/** How long to rest after a step when there is more to do, and when there is nothing, in milliseconds. */
const pauses = { busy: 20, idle: 1000 };

const day = 24 * 60 * 60 * 1000;

/** What the housekeeping works with. */
interface Options {
	db: Db;
	refusedSignIns: RefusedSignIns;
	/** For how many days records are kept; 0 for ever. */
	historyDays: number;
	clock: () => Date;
	log: Log;
}

/**
 * Begins: tells refused sign-ins, indexes new records, removes those that are too old.
 * @returns a function that ends it; what was to be told is told then.
 */
export function keepHistory({ db, refusedSignIns, historyDays, clock, log }: Options): () => void {
	let failing = false;
	let timer: ReturnType<typeof setTimeout>;

	function step(): boolean {
		const now = clock();
		refusedSignIns.flush(now.toISOString());
		if (indexNextNames(db)) return true;
		if (historyDays === 0) return false;
		return removeOldestRecords(db, new Date(now.getTime() - historyDays * day).toISOString());
	}

	/** A full disk must not end the service; it is said once, and tried again and again. */
	function guarded(): boolean {
		try {
			const more = step();
			failing = false;
			return more;
		} catch (error) {
			if (!failing) log.error('the history cannot be kept up to date', { error: messageOf(error) });
			failing = true;
			return false;
		}
	}

	function run(): void {
		const more = guarded();
		timer = setTimeout(run, more ? pauses.busy : pauses.idle);
	}

	timer = setTimeout(run, pauses.idle);
	return () => {
		clearTimeout(timer);
		try {
			refusedSignIns.flush(clock().toISOString(), { now: true });
		} catch (error) {
			log.error('refused sign-ins could not be told', { error: messageOf(error) });
		}
	};
}
