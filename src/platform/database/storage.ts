/** Whether the disk keeps what is written. */
import { identityOf } from '../machine/data-folder.ts';
import type { Log } from '../machine/log.ts';
import { codeOf } from '../vocabulary/errors.ts';

/** Messages for end users when the database cannot do its work. */
export const databaseMessages = { unreachable: '数据库不可用', cannotWrite: '数据暂时无法保存，请稍后再试' } as const;

/** What is known of the disk under an open database. */
export interface Storage {
	/**
	 * Whether the files in the folder are still those that are open. SQLite goes on writing into a file that was removed
	 * or replaced, and all of those writes would be lost at the next start.
	 */
	isInPlace(): boolean;
	/** Whether the last use failed: a write that could not be stored, or a read of `/health`. */
	lastUseFailed: boolean;
	/** What an error means, in words for the operator. */
	explain(error: unknown): string;
	/** Receives why the database cannot be used, and undefined when it can. */
	report(problem: string | undefined): void;
}

/** The storage of an open database, whose log exists by now. One in memory has no files, and is always in place. */
export function storageAt(path: string, explain: Storage['explain']): Storage {
	const files = [path, `${path}-wal`].map((file) => ({ file, identity: identityOf(file) }));
	return {
		isInPlace: () => files.every(({ file, identity }) => identityOf(file) === identity),
		lastUseFailed: false,
		explain,
		report() {},
	};
}

/** Logs once when the database cannot be used, with the cause, and once when it can again: not for each request. */
export function logProblems(storage: Storage, log: Log): void {
	let known: string | undefined;
	storage.report = (problem) => {
		if (problem === known) return;
		known = problem;
		if (problem === undefined) log.info('the database can be used again');
		else log.warn('the database cannot be used, changes are answered with 503', { problem });
	};
}

/** Reports what makes the database unusable. `/health` then tries a write, until one is stored. */
export function reportFailure(storage: Storage, error: unknown): void {
	// A write that only waited too long says nothing about the disk.
	storage.lastUseFailed = !codeOf(error).startsWith('SQLITE_BUSY');
	storage.report(storage.explain(error));
}

/** The files in the folder are not those that are open. */
class FilesMoved extends Error {
	override message = 'it was removed or replaced, put it back or restart on a restored one';
}

/** @throws an error that {@link isStorageError} knows */
export function requireInPlace(storage: Storage): void {
	if (!storage.isInPlace()) throw new FilesMoved();
}

/** Full, failing or read-only disks, and a database that another process keeps locked: `transaction` and `/health` report them. */
export function isStorageError(error: unknown): boolean {
	return error instanceof FilesMoved || /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|PROTOCOL)/.test(codeOf(error));
}
