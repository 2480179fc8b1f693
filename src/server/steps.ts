/** Background work in short steps, so that requests are served in between. */

import type { Log } from '../machine/log.ts';
import { AppError, messageOf } from '../vocabulary/errors.ts';

/** Work that is done for as long as the service runs. */
interface Work {
	/** Does some of it. @returns whether there may be more. */
	step(): boolean;
	/** The pause after a step, in milliseconds: when there is more to do, and when there is not. */
	pauses: { busy: number; idle: number };
	/** What the log says when a step fails. */
	failure: string;
	log: Log;
}

/** A step that never throws. A full disk must not end the service: the failure is logged once, and every later step tries again. */
export function guarded({ step, failure, log }: Pick<Work, 'step' | 'failure' | 'log'>): () => boolean {
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

/** Starts the work after a pause. @returns stop. */
export function inSteps({ pauses, ...work }: Work): () => void {
	const step = guarded(work);
	let timer: ReturnType<typeof setTimeout>;
	function run(): void {
		timer = setTimeout(run, step() ? pauses.busy : pauses.idle);
	}
	timer = setTimeout(run, pauses.idle);
	return () => clearTimeout(timer);
}
