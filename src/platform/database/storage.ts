/** The disk under the database, and its failures. */
import { identityOf } from '../machine/data-folder.ts';
import { explainFileError } from '../machine/file-access.ts';
import type { Log } from '../machine/log.ts';
import { codeOf } from '../vocabulary/errors.ts';
import { because } from '../vocabulary/reasons.ts';

/** Messages for end users when the database cannot do its work. */
export const databaseMessages = {
	unreachable: because('database_unavailable', '数据库不可用'),
	cannotWrite: because('cannot_save', '数据暂时无法保存，请稍后再试'),
} as const;

/** The state of the disk under an open database. */
export type Storage = ReturnType<typeof storageAt>;

/** The storage of an open database, whose log must exist. A database in memory has no files, and is always in place. */
export function storageAt(path: string) {
	const files = [path, `${path}-wal`].map((file) => ({ file, identity: identityOf(file) }));
	return {
		/**
		 * Whether the open files are still in the folder. SQLite goes on writing into a file that was removed or replaced,
		 * and the next start would lose all of those writes.
		 */
		isInPlace: () => files.every(({ file, identity }) => identityOf(file) === identity),
		/** Whether the last use failed: a write that could not be stored, or a read of `/health`. */
		lastUseFailed: false,
		/** The path of the database. */
		path,
		/** Receives the problem of the database, and undefined when it works. */
		report(_problem: string | undefined): void {},
	};
}

/** Logs once when the database fails, with the cause, and once when it works again, instead of for each request. */
export function logProblems(storage: Storage, log: Log): void {
	let known: string | undefined;
	storage.report = (problem) => {
		if (problem === known) return;
		known = problem;
		if (problem === undefined) log.info('the database can be used again');
		else log.warn('the database cannot be used, changes are answered with 503', { problem });
	};
}

/** Reports a failure of the database. `/health` then tries a write until one is stored. */
export function reportFailure(storage: Storage, error: unknown): void {
	// A write that waited too long says nothing about the disk.
	storage.lastUseFailed = !codeOf(error).startsWith('SQLITE_BUSY');
	storage.report(explainFileError(storage.path, error));
}

/** The error when the open files are no longer in the folder. */
class FilesMoved extends Error {
	override message = 'it was removed or replaced, put it back or restart on a restored one';
}

/** @throws an error that {@link isStorageError} recognizes */
export function requireInPlace(storage: Storage): void {
	if (!storage.isInPlace()) throw new FilesMoved();
}

/** Whether `transaction` and `/health` report an error: a full, failing or read-only disk, or a locked database. */
export function isStorageError(error: unknown): boolean {
	return error instanceof FilesMoved || /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|PROTOCOL)/.test(codeOf(error));
}
