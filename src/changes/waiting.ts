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
	/** The newest record that it has seen. */
	position: number;
	seconds: number;
	/** Aborted when the caller is gone. */
	signal: AbortSignal;
}

interface Sleeper {
	position: number;
	wake(): void;
}

/** When who waits too often may try again, in seconds. */
const retryAfter = 5;

/** How long changes are gathered before those who wait are told, in milliseconds: they ask again, and a busy hour is full of changes. */
const gathering = 100;

/** How many are told in one turn; others are served in between. */
const toldAtOnce = 8;

/** Where requests wait, until `end`: from then on nobody does. Other processes change nothing of which the feed tells. */
export function createWaiting(db: Db) {
	const sleepers = new Set<Sleeper>();
	const places = new Map<string, number>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isOver = false;

	/** Tells some of those who have not seen the newest change. */
	function tell(): void {
		timer = undefined;
		const newest = newestIn(db);
		const due = Array.from(sleepers).filter(({ position }) => position < newest);
		for (const { wake } of due.slice(0, toldAtOnce)) wake();
		if (due.length > toldAtOnce) timer = setTimeout(tell, 1);
	}

	const stopListening = afterEachTransaction(db, () => {
		if (sleepers.size > 0) timer ??= setTimeout(tell, gathering);
	});

	function sleep({ position, seconds, signal }: Wait): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const alarm = setTimeout(wake, seconds * 1000);
		const sleeper = { position, wake };
		function wake(): void {
			clearTimeout(alarm);
			signal.removeEventListener('abort', wake);
			sleepers.delete(sleeper);
			resolve();
		}
		sleepers.add(sleeper);
		signal.addEventListener('abort', wake);
		if (signal.aborted) wake();
		return promise;
	}

	return {
		/**
		 * Waits until something has changed, the time is over, the caller is gone or the service ends.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait(wanted: Wait): Promise<void> {
			const key = accountOf(wanted.caller);
			const taken = places.get(key) ?? 0;
			if (taken >= maxWaiting) {
				throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
			}
			if (isOver) return;
			places.set(key, taken + 1);
			await sleep(wanted);
			const left = (places.get(key) ?? 1) - 1;
			if (left > 0) places.set(key, left);
			else places.delete(key);
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
export type Waiting = ReturnType<typeof createWaiting>;

/** Where the database cannot be read, everybody is told: the request itself finds out. */
function newestIn(db: Db): number {
	try {
		return newestChange(db);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
