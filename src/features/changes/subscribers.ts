/** Requests that wait for the next change. */
import type { Db } from '../../platform/database/open.ts';
import { accountOf, type CallerKey } from '../../platform/vocabulary/accounts.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import { changesMessages, maxWaiting } from './model.ts';
import { newestChange } from './service.ts';

/** The parameters of a waiting request. */
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

/** The milliseconds between two looks for a change, which take some microseconds. Clients learn of all changes since at once. */
const pause = 300;

interface Sleeper {
	key: string;
	position: number;
	wake: () => void;
}

/** The waiting requests, until `end`. While there are any, one timer looks for changes. */
export function createSubscribers(db: Db) {
	const sleepers = new Set<Sleeper>();
	let isOver = false;
	function notify(): void {
		const newest = newestIn(db);
		for (const { position, wake } of sleepers) if (position < newest) wake();
	}
	let timer: ReturnType<typeof setInterval> | undefined;
	return {
		/**
		 * Waits for a change, the end of the time, a disconnect or the end of the service.
		 * @throws AppError TOO_MANY_REQUESTS when the caller has too many waiting requests.
		 */
		async wait(request: Wait): Promise<void> {
			if (isOver || request.signal.aborted) return;
			requirePlace(sleepers, request.caller);
			timer ??= setInterval(notify, pause);
			await sleep(sleepers, request);
			if (sleepers.size > 0) return;
			clearInterval(timer);
			timer = undefined;
		},
		/** Ends every wait at once. */
		end(): void {
			isOver = true;
			for (const { wake } of sleepers) wake();
		},
	};
}

function requirePlace(sleepers: ReadonlySet<Sleeper>, caller: CallerKey): void {
	const own = Array.from(sleepers).filter(({ key }) => key === accountOf(caller));
	if (own.length < maxWaiting) return;
	throw new AppError('TOO_MANY_REQUESTS', changesMessages.tooManyWaiting, { retryAfter });
}

async function sleep(sleepers: Set<Sleeper>, { caller, position, seconds, signal }: Wait): Promise<void> {
	const { promise, resolve: wake } = Promise.withResolvers<void>();
	const alarm = setTimeout(wake, seconds * 1000);
	signal.addEventListener('abort', () => wake());
	const sleeper = { key: accountOf(caller), position, wake };
	sleepers.add(sleeper);
	await promise;
	sleepers.delete(sleeper);
	clearTimeout(alarm);
}
export type ChangeSubscribers = ReturnType<typeof createSubscribers>;

/** If the database cannot be read, every client is notified, and its next request reports the cause. */
function newestIn(db: Db): number {
	try {
		return newestChange(db);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
