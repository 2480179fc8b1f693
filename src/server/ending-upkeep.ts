/** Background work on what ends by itself: last days of people and of roles. */
import type { Db } from '../database/open.ts';
import { endWhatIsOver } from '../employees/ending.ts';
import type { Log } from '../machine/log.ts';
import { guarded, inSteps } from './steps.ts';

/** The pause after a step, in milliseconds: when there is more to do, and when there is not. Looking takes some microseconds. */
const pauses = { busy: 20, idle: 20_000 };

/**
 * Ends what was over before the start, then looks again and again.
 * @returns stop.
 */
export function endOnTime({ db, clock, log }: { db: Db; clock: () => Date; log: Log }): () => void {
	const work = { step: () => endWhatIsOver(db, clock()), failure: 'what is over cannot be ended', log };
	const step = guarded(work);
	// Before the first request: nobody may use a role that ended while the service was stopped.
	while (step());
	return inSteps({ ...work, pauses });
}
