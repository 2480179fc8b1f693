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
 * Milliseconds from a change until clients are told, and the pause after telling them. They ask again at once, so in a busy hour
 * changes are told together.
 */
const delay = 30;
const pause = 500;

/** How many are told in one turn; others are served in between. */
const toldAtOnce = 8;

/** Where requests wait until `end`. Only this process makes changes that are in the feed. */
export function createWaiting(db: Db) {
	const sleepers = new Set<Sleeper>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let hasNews = false;
	let isOver = false;

	/** Tells some of the clients that have not seen the newest change. It runs again for the others, and after a pause. */
	function tell(): void {
		timer = undefined;
		if (!hasNews) return;
		const newest = newestIn(db);
		const due = Array.from(sleepers).filter(({ position }) => position < newest);
		for (const { wake } of due.slice(0, toldAtOnce)) wake();
		hasNews = due.length > toldAtOnce;
		if (due.length > 0) timer = setTimeout(tell, hasNews ? 1 : pause);
	}

	const stopListening = afterEachTransaction(db, () => {
		if (sleepers.size === 0) return;
		hasNews = true;
		timer ??= setTimeout(tell, delay);
	});

	const hasPlace = (key: string) => Array.from(sleepers).filter((each) => each.key === key).length < maxWaiting;

	return {
		/**
		 * Waits until something has changed, the time is over, the caller is gone or the service ends.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait({ caller, position, seconds, signal }: Wait): Promise<void> {
			if (isOver || signal.aborted) return;
			const key = accountOf(caller);
			if (!hasPlace(key)) throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
			const { promise, resolve: wake } = Promise.withResolvers<void>();
			const alarm = setTimeout(wake, seconds * 1000);
			signal.addEventListener('abort', () => wake());
			const sleeper = { key, position, wake };
			sleepers.add(sleeper);
			hasNews ||= timer !== undefined;
			await promise;
			sleepers.delete(sleeper);
			clearTimeout(alarm);
		},
		/**
		 * Whether a caller that has missed something waits to be told with others: they are being told, or were just now. Without a
		 * place to wait it is answered at once.
		 */
		holds: (caller: CallerKey) => timer !== undefined && hasPlace(accountOf(caller)),
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

/** Where the database cannot be read, all are told: their requests find out why. */
function newestIn(db: Db): number {
	try {
		return newestChange(db);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
