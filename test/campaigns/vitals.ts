/** Figures of the operating system about a running program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Server } from '../server.ts';
import { type Figures, NotPossibleHere, quantile } from './campaign.ts';

/** Returns the memory of a program, in megabytes. */
export function residentMegabytes(pid: number): number {
	const kilobytes = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1];
	return Math.round(Number(kilobytes) / 102.4) / 10;
}

/**
 * Returns the most memory that a child process has until it ends, in megabytes. Its `maxRSS` would begin at that of this
 * process.
 */
export async function peakMegabytes(child: Bun.Subprocess): Promise<number> {
	let kilobytes = 0;
	for (; child.exitCode === null; await Bun.sleep(1)) {
		kilobytes = Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${child.pid}/status`))?.[1] ?? kilobytes);
	}
	return kilobytes / 1024;
}

/** Returns the memory of each child process. */
function residentMegabytesOfChildren(pid: number): number[] {
	const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
	return children.map((each) => residentIfRunning(each) || 0);
}

function residentIfRunning(pid: number): number {
	try {
		return residentMegabytes(pid);
	} catch {
		return 0;
	}
}

/** Returns a program's processor time, in milliseconds. A tick of Linux has ten. */
export function processorMilliseconds(pid: number): number {
	const [user, system] = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 13) ?? [];
	return 10 * (Number(user) + Number(system));
}

/** Counts a program's open files and sockets. */
export function openDescriptors(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}

/** Makes sure that programs started here may open that many files and sockets. */
export function requireDescriptors(count: number): void {
	const limit = /Max open files\s+(\d+)/.exec(read('/proc/self/limits'))?.[1];
	if (limit !== undefined && Number(limit) < count) {
		throw new NotPossibleHere(`it takes ${count} open files, but the limit (ulimit -n) is ${limit}`);
	}
}

function read(path: string): string {
	if (!existsSync('/proc/self/status')) throw new NotPossibleHere('there is no /proc');
	return readFileSync(path, 'utf8');
}

/** Watches the waits of a client that only reads, each time over a new connection, and the memory of the program. */
export class Watch implements Disposable {
	/** What happens beside the reads. */
	current = 'nothing';
	/** The longest wait, in milliseconds. */
	longest = 0;
	readonly #reader = new Worker(new URL('./files-reader.ts', import.meta.url));
	readonly #waits: number[] = [];
	readonly #before: number;
	#failure: string | undefined;
	#worst = '';
	#maxMemory = 0;
	#maxOfReader = 0;

	constructor({ program: { pid, url } }: Server) {
		this.#before = residentMegabytes(pid);
		this.#reader.onmessage = ({ data: { status, wait } }) => {
			if (status !== 200) this.#failure = `/health beside ${this.current} is ${status}`;
			if (wait > this.longest) [this.longest, this.#worst] = [wait, this.current];
			this.#waits.push(wait);
			this.#maxMemory = Math.max(this.#maxMemory, residentMegabytes(pid));
			this.#maxOfReader = Math.max(this.#maxOfReader, ...residentMegabytesOfChildren(pid));
		};
		this.#reader.postMessage(url);
	}

	[Symbol.dispose](): void {
		this.#reader.terminate();
	}

	/** The result of some work, and the longest wait beside it, in milliseconds. @throws Error without a read */
	async during<T>(work: () => Promise<T>): Promise<{ answer: T; wait: number }> {
		await Bun.sleep(100);
		this.longest = 0;
		const answer = await work();
		// Lets the last read end.
		await Bun.sleep(100);
		if (this.longest === 0) throw new Error('nobody read during it: nothing was measured');
		return { answer, wait: this.longest };
	}

	/** @throws Error when a client failed or waited longer than `maxWait`, or more than `maxMemory` was used. */
	figures(maxWait: number, maxMemory: number): Figures {
		if (this.#failure) throw new Error(this.#failure);
		if (this.longest > maxWait) throw new Error(`others waited ${this.longest.toFixed(0)} ms beside ${this.#worst}`);
		const taken = Math.max(this.#maxMemory, this.#maxOfReader);
		if (taken > maxMemory) throw new Error(`the program or a reader took ${taken.toFixed(0)} MB`);
		const shown = [0.5, 0.99, 1].map((share) => quantile(this.#waits, share).toFixed(1));
		return {
			'others waited p50, p99, max (ms)': shown.join(', '),
			'longest beside': this.#worst,
			'memory of the program before, at most; of a reader (MB)': `${this.#before}, ${this.#maxMemory}; ${this.#maxOfReader}`,
		};
	}
}
