/** In which order imports run: those of an account one after the other, and only some of the program at once. */
import pLimit from 'p-limit';
import type { ReceivedFile } from '../http/body.ts';
import { AppError } from '../vocabulary/errors.ts';

/** How many imports of the program run at once, each with a process that reads its file. */
const maxRunning = 2;

/** How many imports of an account may wait for another one of it. */
const maxWaiting = 8;

/** How many files of an account are received or in memory at once. */
const maxFiles = 2;

/** After how many seconds a caller should try again. */
const retryAfter = 5;

/** Receives a file and works on it, in the account's turn. @throws AppError SERVICE_UNAVAILABLE when too many wait. */
export type InTurn = <T>(
	account: string,
	receive: () => Promise<ReceivedFile>,
	work: (file: ReceivedFile) => Promise<T>,
) => Promise<T>;

/** The turns of a program. */
export function createImportTurns(): InTurn {
	const program = pLimit(maxRunning);
	const accounts = new Map<string, { files: typeof program; turns: typeof program; count: number }>();
	return async function inTurn(account, receive, work) {
		const own = accounts.get(account) ?? { files: pLimit(maxFiles), turns: pLimit(1), count: 0 };
		if (own.count > maxWaiting) {
			throw new AppError('SERVICE_UNAVAILABLE', '正在处理其他导入，请稍后再试', { retryAfter });
		}
		accounts.set(account, own);
		own.count += 1;
		try {
			return await own.files(async () => {
				using file = await receive();
				return await own.turns(() => program(() => work(file)));
			});
		} finally {
			own.count -= 1;
			if (own.count === 0) accounts.delete(account);
		}
	};
}
