/**
 * The waiting line for password hashing. A hash takes a whole core for some 35 ms, so only a few run at once, and reads
 * never wait for them. Turns are fair by network and by name, so no caller can crowd out the others.
 */
import { availableParallelism } from 'node:os';
import { tooBusy } from '../../platform/http/reply.ts';
import { type Attempt, createSlots, slots } from './attempts.ts';

/**
 * The time limit of a request with passwords, in seconds: two turns, for the old and the new password, and the rest.
 * Bun's idle timeout would otherwise end a request that only waits for its turn.
 */
export const maxPasswordSeconds = 40;

/**
 * One core is left to everything else. A machine with two cores uses both: twice the sign-ins, and 99 of 100 short
 * reads still take less than 10 ms.
 */
const cores = availableParallelism() === 2 ? 2 : Math.max(1, availableParallelism() - 1);

/**
 * The number of hashes at once, the number that may wait (400 take some 15 seconds of a core), and the longest wait in
 * milliseconds.
 */
const limitsHere = { running: cores, waiting: 400 * Math.max(1, availableParallelism() - 1), maxWait: 15_000 };

/**
 * Runs work in the turn of an attempt.
 * @throws AppError SERVICE_UNAVAILABLE when the line is full, the wait too long, or the client gone.
 */
export type Line = <T>(attempt: Attempt, work: () => Promise<T>) => Promise<T>;

/** `rank` is the recent number of turns of the network and the name: a lower rank starts sooner. */
interface Turn {
	rank: number;
	start(): void;
	refuse(): void;
}

/** Creates a line. */
export function createLine({ running, waiting, maxWait } = limitsHere): Line {
	const askedBefore = createRecentAsks();
	/** Attempts with a count of their own, and the others, each in the order of service. */
	const first: Turn[] = [];
	const others: Turn[] = [];
	let active = 0;
	let lastWasFirst = false;

	function dispatch(): void {
		while (active < running && first.length + others.length > 0) {
			// `first` gets at most every other turn while others wait.
			lastWasFirst = first.length > 0 && !(lastWasFirst && others.length > 0);
			active += 1;
			(lastWasFirst ? first : others).shift()?.start();
		}
	}

	async function turnOf({ subject, neighborhood, own, signal }: Attempt): Promise<void> {
		if (signal?.aborted) throw tooBusy();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const rank = askedBefore(`from ${neighborhood}`) + askedBefore(`at ${subject}`);
		const turn: Turn = { rank, start: resolve, refuse: () => reject(tooBusy()) };
		const line = own ? first : others;
		const leave = () => {
			const place = line.indexOf(turn);
			if (place >= 0) line.splice(place, 1);
			turn.refuse();
		};
		const timer = setTimeout(leave, maxWait);
		signal?.addEventListener('abort', leave);
		// Among equal ranks the newest comes first: in a flood from many networks it is most likely a person.
		const place = line.findIndex((each) => each.rank >= rank);
		line.splice(place < 0 ? line.length : place, 0, turn);
		dispatch();
		if (first.length + others.length > waiting) (others.length > 0 ? others : first).pop()?.refuse();
		await promise.finally(() => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', leave);
		});
	}

	return async (attempt, work) => {
		await turnOf(attempt);
		try {
			return await work();
		} finally {
			active -= 1;
			dispatch();
		}
	};
}

/** Counts keys and returns the recent count of each. Every ten seconds the counts are halved. */
function createRecentAsks(): (key: string) => number {
	const slotOf = createSlots();
	const asks = new Uint32Array(slots);
	let halvedAt = performance.now();
	return (key) => {
		if (performance.now() - halvedAt > 10_000) {
			halvedAt = performance.now();
			asks.set(asks.map((before) => before >>> 1));
		}
		const before = asks[slotOf(key)] ?? 0;
		asks[slotOf(key)] = before + 1;
		return before;
	};
}
