/** The line in front of password hashing: it takes whole cores, and whoever only reads must not wait for it. */
import { availableParallelism } from 'node:os';
import { AppError } from '../errors.ts';
import { authMessages } from './messages.ts';

/** How many hashes are worked on at once, and how many requests may wait for their turn. */
export interface HashQueueLimits {
	running: number;
	waiting: number;
}

/** One core is left to everybody else. */
export const productionLimits: HashQueueLimits = { running: Math.max(1, availableParallelism() - 1), waiting: 64 };

/** Runs work in turn. */
export type HashQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a queue, first come first served.
 * @throws AppError SERVICE_UNAVAILABLE when the line is full: later is better than ever slower.
 */
export function createHashQueue({ running, waiting }: HashQueueLimits): HashQueue {
	const line: (() => void)[] = [];
	let active = 0;
	async function turn(): Promise<void> {
		if (active < running) {
			active += 1;
			return;
		}
		if (line.length >= waiting) throw new AppError('SERVICE_UNAVAILABLE', authMessages.busy, { retryAfter: 1 });
		await new Promise<void>((resolve) => line.push(resolve));
	}
	return async (work) => {
		await turn();
		try {
			return await work();
		} finally {
			// The place goes to the next in line, or is free again.
			const next = line.shift();
			if (next) next();
			else active -= 1;
		}
	};
}
