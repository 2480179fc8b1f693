/** Figures of the operating system about a running program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { NotPossibleHere } from './campaign.ts';

/** Returns the memory of a program, in megabytes. */
export function residentMegabytes(pid: number): number {
	const kilobytes = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1];
	return Math.round(Number(kilobytes) / 102.4) / 10;
}

/** Returns the memory of each child process. */
export function residentMegabytesOfChildren(pid: number): number[] {
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
