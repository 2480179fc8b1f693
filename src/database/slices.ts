/**
 * Long reads in short slices. Everything runs on one thread, so a read that takes 300 ms would hold up every other
 * request for 300 ms. A long read therefore yields between its steps, and other requests run in between.
 */
import type { Db } from './open.ts';
import { snapshot } from './query.ts';

/** A read in steps, each of a few milliseconds at most. Every step sees the database as it is at that moment. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How long all reads together may hold the thread before other requests run. */
const sliceMilliseconds = 8;

// The thread belongs to the whole process, so there is one queue for all databases. A turn ends at the given time.
const waiting: ((until: number) => void)[] = [];
let isScheduled = false;
/** How long reads have run at once, without waiting for a turn, since the queue last let other requests run. */
let spent = 0;

/**
 * Runs a read. A short one runs at once and its result is returned as it is; a longer one goes on later, in turn with
 * others, and a promise of its result is returned. Each slice is one snapshot of the database.
 */
export function inSlices<T>(db: Db, steps: Steps<T>): T | Promise<T> {
	if (spent < sliceMilliseconds) {
		const begun = performance.now();
		const result = runSlice(db, steps, begun + sliceMilliseconds - spent);
		spent += performance.now() - begun;
		if (spent >= sliceMilliseconds) schedule();
		if (result.done) return result.value;
	}
	return new Promise((resolve, reject) => {
		waiting.push(function takeTurn(until) {
			try {
				const result = runSlice(db, steps, until);
				if (result.done) resolve(result.value);
				else waiting.push(takeTurn);
			} catch (error) {
				reject(error);
			}
		});
		schedule();
	});
}

/** Takes at least one step. */
function runSlice<T>(db: Db, steps: Steps<T>, until: number): IteratorResult<undefined, T> {
	return snapshot(db, () => {
		for (;;) {
			const result = steps.next();
			if (result.done || performance.now() >= until) return result;
		}
	});
}

/**
 * In each turn of the event loop, one slice of time for those who wait: of a long read, or many short ones. The event loop
 * serves everything else in between.
 */
function schedule(): void {
	if (isScheduled) return;
	isScheduled = true;
	setImmediate(() => {
		isScheduled = false;
		spent = 0;
		const until = performance.now() + sliceMilliseconds;
		do waiting.shift()?.(until);
		while (waiting.length > 0 && performance.now() < until);
		if (waiting.length > 0) schedule();
	});
}
