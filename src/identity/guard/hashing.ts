/**
 * The queue for password hashing. A hash takes a whole core for some 35 ms, so only a few run at once, and reads
 * never wait for them. Turns are fair by network and by name, so no caller can crowd out the others.
 */
import { availableParallelism } from 'node:os';
import { tooBusy } from '../../platform/http/reply.ts';
import { clientNetwork } from '../../platform/vocabulary/network.ts';
import { type Attempt, createSlots, slots } from './attempts.ts';

/**
 * The time limit of a request with passwords, in seconds: two turns, for the old and the new password, and the other
 * work. Bun's idle timeout would otherwise end a request that only waits for its turn.
 */
export const maxPasswordSeconds = 40;

/** One core is left for everything else. */
const cores = Math.max(1, availableParallelism() - 1);

/**
 * The maximum number of hashes that run and that wait (400 take some 15 seconds of a core), and the longest wait in
 * milliseconds. A machine with two cores uses both: that doubles the sign-ins, and 99 of 100 short reads still take less
 * than 10 ms.
 */
const queueLimits = { running: availableParallelism() === 2 ? 2 : cores, waiting: 400 * cores, maxWait: 15_000 };

/**
 * Runs work in the turn of an attempt.
 * @throws AppError SERVICE_UNAVAILABLE when the queue is full, the wait too long, or the client gone.
 */
type Queue = <T>(attempt: Attempt, work: () => Promise<T>) => Promise<T>;

/** A place in the queue. It ends when the work of its attempt starts or is refused. */
interface Turn {
	/** The recent number of turns of the network and the name. A lower rank starts sooner. */
	rank: number;
	/** Whether the attempt has a count of its own. */
	goesFirst: boolean;
	start(): void;
	refuse(): void;
}

/** Creates a queue. */
export function createQueue({ running, waiting, maxWait } = queueLimits): Queue {
	const recentCount = createRecentCounts();
	const turns = createTurns(running, waiting);
	return async (attempt, work) => {
		// A customer with an IPv6 /56 has 256 networks.
		const rank = recentCount(`from ${clientNetwork(attempt.address, 56)}`) + recentCount(`at ${attempt.subject}`);
		await waitForTurn(turns, rank, attempt, maxWait);
		try {
			return await work();
		} finally {
			turns.end();
		}
	};
}

async function waitForTurn(turns: Turns, rank: number, { own, signal }: Attempt, maxWait: number): Promise<void> {
	if (signal?.aborted) throw tooBusy();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const turn = { rank, goesFirst: own !== undefined, start: resolve, refuse: () => reject(tooBusy()) };
	const leave = () => turns.giveUp(turn);
	const timer = setTimeout(leave, maxWait);
	signal?.addEventListener('abort', leave);
	turns.add(turn);
	await promise.finally(() => clearTimeout(timer));
}

type Turns = ReturnType<typeof createTurns>;

/** Orders the waiting turns and starts them, at most `running` at once. Beyond `waiting`, the last one is refused. */
function createTurns(running: number, waiting: number) {
	const first: Turn[] = [];
	const others: Turn[] = [];
	let active = 0;
	let lastWasFirst = false;

	function startNext(): void {
		while (active < running && first.length + others.length > 0) {
			// `first` gets at most every other turn while others wait.
			lastWasFirst = first.length > 0 && !(lastWasFirst && others.length > 0);
			active += 1;
			(lastWasFirst ? first : others).shift()?.start();
		}
	}

	return {
		add(turn: Turn): void {
			insertByRank(turn.goesFirst ? first : others, turn);
			startNext();
			if (first.length + others.length > waiting) (others.length > 0 ? others : first).pop()?.refuse();
		},
		giveUp(turn: Turn): void {
			const queue = turn.goesFirst ? first : others;
			if (queue.includes(turn)) queue.splice(queue.indexOf(turn), 1);
			turn.refuse();
		},
		end(): void {
			active -= 1;
			startNext();
		},
	};
}

/** Among equal ranks the newest comes first: in a flood from many networks it is most likely a person. */
function insertByRank(queue: Turn[], turn: Turn): void {
	const place = queue.findIndex(({ rank }) => rank >= turn.rank);
	queue.splice(place < 0 ? queue.length : place, 0, turn);
}

/** Counts keys and returns the recent count of each. Every ten seconds the counts are halved. */
function createRecentCounts(): (key: string) => number {
	const slotOf = createSlots();
	const counts = new Uint32Array(slots);
	let halvedAt = performance.now();
	return (key) => {
		if (performance.now() - halvedAt > 10_000) {
			halvedAt = performance.now();
			counts.set(counts.map((before) => before >>> 1));
		}
		const before = counts[slotOf(key)] ?? 0;
		counts[slotOf(key)] = before + 1;
		return before;
	};
}
