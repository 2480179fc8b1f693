/** Requests that wait for the next change. Each costs a promise and a timer, and no work until its wait ends. */
import type { Db } from '../../platform/database/open.ts';
import { afterEachTransaction } from '../../platform/database/query.ts';
import { type CallerKey, callerLabel } from '../../platform/vocabulary/accounts.ts';
import { AppError, orUndefined } from '../../platform/vocabulary/errors.ts';
import { changesMessages, maxWaiting } from './model.ts';
import { newestChange } from './service.ts';

interface Wait {
	caller: CallerKey;
	/** The newest record that the client has seen. */
	position: number;
	seconds: number;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

/** The seconds after which a caller with too many waiting requests may try again. */
const retryAfter = 5;

/** The milliseconds from a change to its notification, which tells of all changes in between at once. */
const delay = 300;

/** The function that ends each wait. */
type Waiting = Map<Wait, () => void>;

/** The waiting requests, until `end`. Only this process makes changes that appear in the feed. */
export function createSubscribers(db: Db) {
	const waiting: Waiting = new Map();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isOver = false;

	function notify(): void {
		timer = undefined;
		// If the database cannot be read, every client is notified, and its next request reports the cause.
		const newest = orUndefined(() => newestChange(db)) ?? Number.POSITIVE_INFINITY;
		for (const [{ position }, wake] of waiting) if (position < newest) wake();
	}

	const stopListening = afterEachTransaction(db, () => {
		if (waiting.size > 0) timer ??= setTimeout(notify, delay);
	});

	return {
		/**
		 * Waits for a change, the end of the time, a disconnect or the end of the service.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait(request: Wait): Promise<void> {
			if (!isOver && !request.signal.aborted) await waitFor(waiting, request);
		},
		/** Ends every wait at once. */
		end(): void {
			isOver = true;
			stopListening();
			clearTimeout(timer);
			for (const wake of waiting.values()) wake();
		},
	};
}

async function waitFor(waiting: Waiting, request: Wait): Promise<void> {
	const { caller, seconds, signal } = request;
	const label = callerLabel(caller);
	const others = Array.from(waiting.keys()).filter((each) => callerLabel(each.caller) === label);
	if (others.length >= maxWaiting) {
		throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
	}
	const { promise, resolve: wake } = Promise.withResolvers<void>();
	const alarm = setTimeout(wake, seconds * 1000);
	signal.addEventListener('abort', () => wake());
	waiting.set(request, wake);
	await promise;
	waiting.delete(request);
	clearTimeout(alarm);
}

export type ChangeSubscribers = ReturnType<typeof createSubscribers>;
