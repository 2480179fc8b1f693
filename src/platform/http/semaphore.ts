/** Limits how much runs at once: `running` run, `waiting` more wait in order of arrival, and the rest are refused. */
import { tooBusy } from './reply.ts';

export type Semaphore = ReturnType<typeof createSemaphore>;

export function createSemaphore({ running, waiting }: { running: number; waiting: number }) {
	let free = running;
	const queue: (() => void)[] = [];

	/** @throws AppError SERVICE_UNAVAILABLE when the queue is full. */
	function requireRoom(): void {
		if (free === 0 && queue.length >= waiting) throw tooBusy();
	}

	function leave(): void {
		const next = queue.shift();
		if (next) next();
		else free += 1;
	}

	/** Waits for a turn, which `using` ends. @throws AppError SERVICE_UNAVAILABLE when the queue is full. */
	async function enter(): Promise<Disposable> {
		requireRoom();
		if (free > 0) free -= 1;
		else await new Promise<void>((start) => queue.push(start));
		return { [Symbol.dispose]: leave };
	}

	return { requireRoom, enter };
}
