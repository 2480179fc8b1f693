/**
 * The waiting line for password hashing. A hash takes a whole core for some 35 ms, so only a few run at once, and reads
 * never wait for them. Turns are fair by network and by name, so that no caller can crowd out the others.
 *
 * Our own code: p-limit serves in the order of arrival, so the caller who sends most is served most.
 */
import { availableParallelism } from 'node:os';
import { tooBusy } from '../http/reply.ts';
import type { Attempt } from './attempt.ts';
import { Slots } from './limits.ts';

/** How many hashes run at once, how many may wait, and how long one may wait, in milliseconds. */
export interface LineLimits {
	running: number;
	waiting: number;
	maxWait: number;
}

/**
 * How long a request with passwords may take, in seconds: two turns, for the old and the new one, and the rest. Bun would
 * end it after the idle timeout, though it waits for nothing but its turn.
 */
export const maxPasswordSeconds = 40;

/** The limits on a machine with some cores. */
function limitsFor(cores: number): LineLimits {
	const others = Math.max(1, cores - 1);
	return {
		// One core is left to everything else. Two cores hash two: that doubles the sign-ins, and a short read, which needs
		// little of a core, still takes less than 10 ms in 99 of 100 cases.
		running: cores === 2 ? 2 : others,
		// 400 turns take some 15 seconds of a core.
		waiting: 400 * others,
		maxWait: 15_000,
	};
}

/**
 * Runs work in the turn of an attempt.
 * @throws AppError SERVICE_UNAVAILABLE when the line is full, the wait too long, or the client gone.
 */
export type Line = <T>(attempt: Attempt, work: () => Promise<T>) => Promise<T>;

interface Turn {
	/** How often its network and its name asked lately: the fewer, the sooner it is served. */
	rank: number;
	start(): void;
	refuse(): void;
}

/** Makes a line. */
export function createLine({ running, waiting, maxWait }: LineLimits = limitsFor(availableParallelism())): Line {
	const asked = new RecentAsks();
	/** In the order of service. */
	const first: Turn[] = [];
	const others: Turn[] = [];
	let active = 0;
	let lastWasFirst = false;

	/** Those with a count of their own go first, at most every other turn. */
	function next(): Turn | undefined {
		lastWasFirst = first.length > 0 && !(lastWasFirst && others.length > 0);
		return (lastWasFirst ? first : others).shift();
	}

	function dispatch(): void {
		while (active < running) {
			const turn = next();
			if (!turn) return;
			active += 1;
			turn.start();
		}
	}

	/**
	 * Of equal ranks the newest is first: in a flood from many networks it is the likeliest to be a person. Who is last when
	 * the line is too long is refused.
	 */
	function join(line: Turn[], turn: Turn): void {
		const place = line.findIndex(({ rank }) => rank >= turn.rank);
		line.splice(place < 0 ? line.length : place, 0, turn);
		dispatch();
		if (first.length + others.length > waiting) (others.length > 0 ? others : first).pop()?.refuse();
	}

	async function turnOf({ subject, neighborhood, own, signal }: Attempt): Promise<void> {
		if (signal?.aborted) throw tooBusy();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const rank = asked.add(`from ${neighborhood}`) + asked.add(`at ${subject}`);
		const turn: Turn = { rank, start: resolve, refuse: () => reject(tooBusy()) };
		const line = own ? first : others;
		const leave = () => {
			const place = line.indexOf(turn);
			if (place >= 0) line.splice(place, 1);
			turn.refuse();
		};
		const timer = setTimeout(leave, maxWait);
		signal?.addEventListener('abort', leave);
		try {
			join(line, turn);
			await promise;
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', leave);
		}
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

/** How often keys asked lately: every ten seconds half of it is forgotten. */
class RecentAsks {
	readonly #slots = new Slots();
	readonly #asks = new Uint32Array(this.#slots.total);
	#halvedAt = performance.now();

	/** Counts a key. @returns how often it asked before. */
	add(key: string): number {
		if (performance.now() - this.#halvedAt > 10_000) {
			this.#halvedAt = performance.now();
			for (const [slot, asks] of this.#asks.entries()) this.#asks[slot] = asks >>> 1;
		}
		const slot = this.#slots.of(key);
		const before = this.#asks[slot] ?? 0;
		this.#asks[slot] = before + 1;
		return before;
	}
}
