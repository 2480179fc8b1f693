/**
 * The waiting line for password hashing. A hash takes a whole core for some 35 ms, so only a few run at once, and reads
 * never wait for them. Turns are fair by network and by name, so that no caller can crowd out the others.
 *
 * Our own code: p-limit serves in the order of arrival, so the caller who sends most is served most.
 */
import { availableParallelism } from 'node:os';
import { tooBusy } from '../http/reply.ts';

/** Who waits for a turn. */
export interface Turn {
	/** The network that the request comes from. */
	network: string;
	/** The name that signs in, or the account that changes a password. */
	name: string;
	/** Whether the account signed in from this network before. Such turns go first, at most every other time. */
	goesFirst: boolean;
	/** Aborted when the caller is gone: then the turn is dropped. */
	signal?: AbortSignal | undefined;
}

/** How many hashes run at once, how many turns may wait, and how long one may wait, in milliseconds. */
export interface HashQueueLimits {
	running: number;
	waiting: number;
	maxWait: number;
}

/**
 * How long a request that changes a password may take, in seconds: two turns, for the old and the new one, and the rest.
 * Bun would end it after the idle timeout, though it waits for nothing but its turn.
 */
export const maxPasswordSeconds = 70;

/** The limits on a machine with some cores. */
export function limitsFor(cores: number): HashQueueLimits {
	const others = Math.max(1, cores - 1);
	return {
		// One core is left to everything else. Two cores hash two: that doubles the sign-ins, and a short read, which needs
		// little of a core, still takes less than 10 ms in 99 of 100 cases.
		running: cores === 2 ? 2 : others,
		// 400 turns take some 15 seconds of a core.
		waiting: 400 * others,
		maxWait: 30_000,
	};
}

/** The limits on this machine. */
export const productionLimits = limitsFor(availableParallelism());

/**
 * Runs work in its turn.
 * @throws AppError SERVICE_UNAVAILABLE when the line is full, the wait too long, or the caller gone.
 */
export type HashQueue = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>;

interface Waiting extends Turn {
	since: number;
	start(): void;
	refuse(): void;
}

/** For how long a turn counts against the next ones of its caller, in milliseconds. */
const shareMemory = 5000;

/** Makes a queue; `elapsed` gives milliseconds and never goes back. */
export function createHashQueue(
	{ running, waiting, maxWait }: HashQueueLimits,
	elapsed: () => number = () => performance.now(),
): HashQueue {
	/** In the order of arrival. */
	const line: Waiting[] = [];
	const inLine = new Tally();
	const served = new Tally();
	let servedSince = elapsed();
	let active = 0;
	let lastWentFirst = false;

	function leave(one: Waiting): boolean {
		const index = line.indexOf(one);
		if (index < 0) return false;
		line.splice(index, 1);
		inLine.add(one, -1);
		return true;
	}

	/** Takes the next turn out of the line: that of the caller who was served least, and the oldest of several. */
	function next(): Waiting | undefined {
		const first = line.filter(({ goesFirst }) => goesFirst);
		const others = line.filter(({ goesFirst }) => !goesFirst);
		lastWentFirst = first.length > 0 && !(lastWentFirst && others.length > 0);
		const one = smallest(lastWentFirst ? first : others, (each) => served.of(each), 'oldest');
		if (one) leave(one);
		return one;
	}

	/** The turn to refuse when too many wait: of the network and name with the most in the line, the newest. */
	function worstCrowder(): Waiting | undefined {
		// More than any tally in the line, so that a turn at a usual place is refused only if all turns are at one.
		const protection = ({ goesFirst }: Waiting) => (goesFirst ? 2 * waiting + 2 : 0);
		return smallest(line, (each) => protection(each) - inLine.of(each), 'newest');
	}

	function dispatch(): void {
		while (active < running) {
			const one = next();
			if (!one) return;
			if (elapsed() - one.since > maxWait) {
				one.refuse();
				continue;
			}
			active += 1;
			count(one);
			one.start();
		}
	}

	function count(turn: Turn): void {
		if (elapsed() - servedSince > shareMemory) {
			served.clear();
			servedSince = elapsed();
		}
		served.add(turn, 1);
	}

	function join(one: Waiting): void {
		line.push(one);
		inLine.add(one, 1);
		dispatch();
		if (line.length <= waiting) return;
		const worst = worstCrowder();
		if (worst && leave(worst)) worst.refuse();
	}

	function turnFor(turn: Turn): Promise<void> {
		const { signal } = turn;
		return new Promise((resolve, reject) => {
			const one: Waiting = {
				...turn,
				since: elapsed(),
				start() {
					signal?.removeEventListener('abort', abandon);
					resolve();
				},
				refuse() {
					signal?.removeEventListener('abort', abandon);
					reject(tooBusy());
				},
			};
			const abandon = () => {
				leave(one);
				one.refuse();
			};
			if (signal?.aborted) return one.refuse();
			signal?.addEventListener('abort', abandon);
			join(one);
		});
	}

	return async (turn, work) => {
		await turnFor(turn);
		try {
			return await work();
		} finally {
			active -= 1;
			dispatch();
		}
	};
}

/** Counts turns by their network and by their name. */
class Tally {
	readonly #networks = new Map<string, number>();
	readonly #names = new Map<string, number>();

	/** The turns of the same network and those of the same name, together. */
	of({ network, name }: Turn): number {
		return (this.#networks.get(network) ?? 0) + (this.#names.get(name) ?? 0);
	}

	add({ network, name }: Turn, change: 1 | -1): void {
		increase(this.#networks, network, change);
		increase(this.#names, name, change);
	}

	clear(): void {
		this.#networks.clear();
		this.#names.clear();
	}
}

function increase(counts: Map<string, number>, key: string, change: number): void {
	const count = (counts.get(key) ?? 0) + change;
	if (count === 0) counts.delete(key);
	else counts.set(key, count);
}

/** The item with the smallest size; of several, the first (the oldest in the line) or the last. */
function smallest<T>(items: readonly T[], sizeOf: (item: T) => number, among: 'oldest' | 'newest'): T | undefined {
	let found: T | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const item of items) {
		const size = sizeOf(item);
		if (size > least || (size === least && among === 'oldest')) continue;
		found = item;
		least = size;
	}
	return found;
}
