/** Requests that wait for the next change. Each costs a promise and a timer, and no turn of the process until it is over. */
import type { Db } from '../../platform/database/open.ts';
import { afterEachTransaction } from '../../platform/database/query.ts';
import { accountOf, type CallerKey } from '../../platform/vocabulary/accounts.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import { changesMessages, maxWaiting } from './model.ts';
import { newestChange } from './service.ts';

/** What a request waits for. */
interface Wait {
	caller: CallerKey;
	/** The newest record that it has seen. */
	position: number;
	seconds: number;
	/** Aborted when the caller is gone. */
	signal: AbortSignal;
}

/** When a caller with too many waiting requests may try again, in seconds. */
const retryAfter = 5;

/** Milliseconds from a change until clients are told. They ask again at once, so what changes meanwhile is told together. */
const delay = 300;

/** Where requests wait until `end`. Only this process makes changes that are in the feed. */
export function createSubscribers(db: Db) {
	const sleepers = new Set<{ key: string; position: number; wake: () => void }>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isOver = false;

	function tell(): void {
		timer = undefined;
		const newest = newestIn(db);
		for (const { position, wake } of sleepers) if (position < newest) wake();
	}

	const stopListening = afterEachTransaction(db, () => {
		if (sleepers.size > 0) timer ??= setTimeout(tell, delay);
	});

	return {
		/**
		 * Waits until something has changed, the time is over, the caller is gone or the service ends.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait({ caller, position, seconds, signal }: Wait): Promise<void> {
			if (isOver || signal.aborted) return;
			const key = accountOf(caller);
			const others = Array.from(sleepers).filter((each) => each.key === key);
			if (others.length >= maxWaiting) {
				throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
			}
			const { promise, resolve: wake } = Promise.withResolvers<void>();
			const alarm = setTimeout(wake, seconds * 1000);
			signal.addEventListener('abort', () => wake());
			const sleeper = { key, position, wake };
			sleepers.add(sleeper);
			await promise;
			sleepers.delete(sleeper);
			clearTimeout(alarm);
		},
		/** Ends all that wait, at once. */
		end(): void {
			isOver = true;
			stopListening();
			clearTimeout(timer);
			for (const { wake } of sleepers) wake();
		},
	};
}
export type ChangeSubscribers = ReturnType<typeof createSubscribers>;

/** Where the database cannot be read, all are told: their requests find out why. */
function newestIn(db: Db): number {
	try {
		return newestChange(db);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
