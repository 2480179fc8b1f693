/** Requests that wait for the next change. Each costs a promise and a timer, and no turn of the process until it is over. */
import type { Db } from '../database/open.ts';
import { afterEachTransaction } from '../database/query.ts';
import { accountOf, type CallerKey } from '../vocabulary/accounts.ts';
import { AppError } from '../vocabulary/errors.ts';
import { changesMessages, maxWaiting } from './model.ts';
import { newestChange } from './service.ts';

/** What a request waits for. */
interface Wait {
	caller: CallerKey;
	/** The newest record that it has seen; 0 when it has missed something. */
	position: number;
	seconds: number;
	/** Aborted when the caller is gone. */
	signal: AbortSignal;
}

interface Sleeper {
	key: string;
	position: number;
	wake(): void;
}

/** When a caller with too many waiting requests may try again, in seconds. */
const retryAfter = 5;

/**
 * In milliseconds: how soon a change is told, and how long after the one before. Who is told asks again, so in a busy hour changes
 * are told together.
 */
const soon = 30;
const apart = 500;

/** How many are told in one turn; others are served in between. */
const toldAtOnce = 8;

/** Where requests wait, until `end`: from then on nobody does. Other processes change nothing of which the feed tells. */
export function createWaiting(db: Db) {
	const sleepers = new Set<Sleeper>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isNews = false;
	let isOver = false;

	/** Tells some of those who have not seen the newest change; called again while there are others, and after a pause. */
	function tell(): void {
		timer = undefined;
		if (!isNews) return;
		const newest = newestIn(db);
		const due = Array.from(sleepers).filter(({ position }) => position < newest);
		for (const { wake } of due.slice(0, toldAtOnce)) wake();
		isNews = due.length > toldAtOnce;
		if (due.length > 0) timer = setTimeout(tell, isNews ? 1 : apart);
	}

	const stopListening = afterEachTransaction(db, () => {
		if (sleepers.size === 0) return;
		isNews = true;
		timer ??= setTimeout(tell, soon);
	});

	return {
		/**
		 * Waits until something has changed, the time is over, the caller is gone or the service ends.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait({ caller, position, seconds, signal }: Wait): Promise<void> {
			if (isOver || signal.aborted) return;
			const key = accountOf(caller);
			if (Array.from(sleepers).filter((each) => each.key === key).length >= maxWaiting) {
				throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
			}
			const { promise, resolve: wake } = Promise.withResolvers<void>();
			const alarm = setTimeout(wake, seconds * 1000);
			signal.addEventListener('abort', () => wake());
			const sleeper = { key, position, wake };
			sleepers.add(sleeper);
			isNews ||= timer !== undefined;
			await promise;
			sleepers.delete(sleeper);
			clearTimeout(alarm);
		},
		/** Whether others are being told, or were just now: who has missed something is told with them the next time. */
		isBusy: () => timer !== undefined,
		/** Ends all that wait, at once. */
		end(): void {
			isOver = true;
			stopListening();
			clearTimeout(timer);
			timer = undefined;
			for (const { wake } of sleepers) wake();
		},
	};
}
export type Waiting = ReturnType<typeof createWaiting>;

/** Where the database cannot be read, everybody is told: the request itself finds out. */
function newestIn(db: Db): number {
	try {
		return newestChange(db);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
