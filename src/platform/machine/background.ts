/** Work for as long as the service runs: in steps of some milliseconds, so that requests are served in between. */
import { AppError, messageOf } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';

/** Does some of the work. @returns whether there may be more. */
type Step = () => boolean;

/** A step that never throws. A full disk must not end the service: the failure is logged once, and every later step tries again. */
export function guarded(step: Step, failure: string, log: Log): Step {
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
export function inSteps(step: Step, pause: number): () => void {
	let timer: ReturnType<typeof setTimeout>;
	function run(): void {
		timer = setTimeout(run, step() ? busyPause : pause);
	}
	timer = setTimeout(run, pause);
	return () => clearTimeout(timer);
}

/** Resolves when others have been served. */
export function givenWay(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
