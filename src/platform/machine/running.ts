import { codeOf } from '../vocabulary/errors.ts';

/** Whether a process with this id is running. */
export function isRunning(pid: number): boolean {
	try {
		// 0, as of an empty file, would be the group of this process.
		return pid > 0 && process.kill(pid, 0);
	} catch (error) {
		// EPERM: the process belongs to another user, such as root.
		return codeOf(error) === 'EPERM';
	}
}
