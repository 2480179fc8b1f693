/** In which order imports run: only some at once, in the order in which their files have come. */
import pLimit from 'p-limit';
import type { ReceivedFile } from '../../platform/http/body.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';

/** How many imports run at once, each with a process that reads its file, and how many wait. */
const limits = { running: 2, waiting: 8 };

/** Receives a file and works on it in its turn. @throws AppError SERVICE_UNAVAILABLE when too many wait. */
export type ImportInTurn = <T>(
	receive: () => Promise<ReceivedFile>,
	work: (file: ReceivedFile) => Promise<T>,
) => Promise<T>;

/** The turns of a program. */
export function createImportTurns(): ImportInTurn {
	const turns = pLimit(limits.running);
	function refuseTooMany(): void {
		if (turns.pendingCount < limits.waiting) return;
		throw new AppError('SERVICE_UNAVAILABLE', '正在处理其他导入，请稍后再试', { retryAfter: 5 });
	}
	return async (receive, work) => {
		refuseTooMany();
		using file = await receive();
		// Any number can arrive at the same time.
		refuseTooMany();
		return await turns(() => work(file));
	};
}
