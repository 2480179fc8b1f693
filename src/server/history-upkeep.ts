/** Background work on the history: recording refused sign-ins and pruning, in steps of about a millisecond. */

import type { Db } from '../database/open.ts';
import type { RefusedSignIns } from '../guard/refused-sign-ins.ts';
import { pruneHistory } from '../history/retention.ts';
import type { Log } from '../machine/log.ts';
import { causeOf, messageOf } from '../vocabulary/errors.ts';
import { inSteps } from './steps.ts';

/** The pause after a step, in milliseconds: when there is more to do, and when there is not. */
const pauses = { busy: 20, idle: 1000 };

const day = 24 * 60 * 60 * 1000;

/** What the background work needs. */
interface Options {
	db: Db;
	refusedSignIns: RefusedSignIns;
	/** For how many days records are kept; 0 means forever. */
	historyDays: number;
	clock: () => Date;
	log: Log;
}

/**
 * Starts the background work: records refused sign-ins, prunes records that are too old.
 * @returns stop, which records the refused sign-ins that are still pending.
 */
export function keepHistory({ db, refusedSignIns, historyDays, clock, log }: Options): () => void {
	function step(): boolean {
		const now = clock();
		refusedSignIns.flush(now.toISOString());
		if (historyDays === 0) return false;
		return pruneHistory(db, new Date(now.getTime() - historyDays * day).toISOString());
	}

	const stop = inSteps({ step, pauses, failure: 'the history cannot be kept up to date', log });
	return () => {
		stop();
		try {
			refusedSignIns.flush(clock().toISOString(), { now: true });
		} catch (error) {
			log.error('refused sign-ins could not be recorded', { error: messageOf(causeOf(error)) });
		}
	};
}
