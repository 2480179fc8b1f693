import { codeOf } from '../vocabulary/errors.ts';

/** Whether a process with this id is running. */
export function isRunning(pid: number): boolean {
	try {
		// An empty file gives 0, which would be the group of this process.
		return pid > 0 && process.kill(pid, 0);
	} catch (error) {
		// EPERM: the process belongs to another user, such as root.
		return codeOf(error) === 'EPERM';
	}
}
