import { codeOf } from '../vocabulary/errors.ts';

/** Whether there is a process with an id. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// The process of another user, such as root, may not be asked.
		return codeOf(error) === 'EPERM';
	}
}
