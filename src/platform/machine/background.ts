/** Background work in steps of some milliseconds, so that requests are served in between. */
import { AppError, messageOf } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';

/** Does some of the work. @returns whether there may be more */
type Step = () => boolean;

/** Makes a step that never throws: it logs a failure, such as a full disk, once, and tries again later. */
export function neverThrowing(step: Step, failure: string, log: Log): Step {
	let failing = false;
	return () => {
		try {
			const more = step();
			failing = false;
			return more;
		} catch (error) {
			// A failed write has reported itself.
			if (!failing && !(error instanceof AppError)) log.error(failure, { error: messageOf(error) });
			failing = true;
			return false;
		}
	};
}

/** The pause after a step with more work left, in milliseconds. */
const busyPause = 20;

/**
 * Starts the work after a pause. @param pause the pause when nothing is left, in milliseconds. @returns a function that
 * stops it
 */
export function runInSteps(step: Step, pause: number): () => void {
	let timer: ReturnType<typeof setTimeout>;
	function run(): void {
		timer = setTimeout(run, step() ? busyPause : pause);
	}
	timer = setTimeout(run, pause);
	return () => clearTimeout(timer);
}

/** Resolves after the waiting requests were served. They need two turns: another thread verifies their tokens. */
export async function yieldToRequests(): Promise<void> {
	for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets one of several heavy reads run in each turn of the event loop, so that the other requests wait for one, not for
 * all.
 * @returns a function that waits for the next turn
 */
export function oneInEachTurn(): () => Promise<void> {
	let next = Promise.resolve();
	return () => {
		const own = next;
		next = own.then(yieldToRequests);
		return own;
	};
}
