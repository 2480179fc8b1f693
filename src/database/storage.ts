/** Whether the disk keeps what is written. */
import { SQLiteError } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { databaseMessages } from './messages.ts';

/** What is known of the disk under an open database. */
export interface Storage {
	/**
	 * Whether the files in the folder are still those that are open. SQLite goes on writing into a file that was removed
	 * or replaced, and all of those writes would be lost at the next start.
	 */
	isInPlace(): boolean;
	/** The same, looked up at most ten times a second: for readers, who ask often and lose nothing. */
	wasInPlace(): boolean;
	/** Whether the last write could not be stored. */
	lastWriteFailed: boolean;
}

/** The storage of a database in memory: always there. */
export function storageInMemory(): Storage {
	return { isInPlace: () => true, wasInPlace: () => true, lastWriteFailed: false };
}

/** The storage of an open database file, whose log exists by now. */
export function storageAt(path: string): Storage {
	const files = [path, `${path}-wal`].map((file) => ({ file, identity: identityOf(file) }));
	const isInPlace = () => files.every(({ file, identity }) => identityOf(file) === identity);
	return { isInPlace, wasInPlace: atMostEvery(100, isInPlace), lastWriteFailed: false };
}

/** Repeats an answer for some milliseconds instead of looking again. */
function atMostEvery(interval: number, look: () => boolean): () => boolean {
	let answer = look();
	let lookedAt = performance.now();
	return () => {
		if (performance.now() - lookedAt >= interval) {
			answer = look();
			lookedAt = performance.now();
		}
		return answer;
	};
}

function identityOf(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev}:${found.ino}`;
}

/**
 * Runs a write that must be on the disk when it is acknowledged.
 * @throws AppError SERVICE_UNAVAILABLE when it could not be stored; nothing has changed then.
 */
export function storing<T>(storage: Storage, write: () => T): T {
	requireInPlace(storage);
	try {
		const result = write();
		// Again: a write into a file that was removed meanwhile must not be acknowledged.
		requireInPlace(storage);
		storage.lastWriteFailed = false;
		return result;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		// A write that only waited too long says nothing about the disk.
		storage.lastWriteFailed = !error.code?.startsWith('SQLITE_BUSY');
		throw cannotWrite(error);
	}
}

function requireInPlace(storage: Storage): void {
	if (storage.isInPlace()) return;
	throw cannotWrite(new Error('the database file was removed or replaced: put it back, or restart on a restored one'));
}

function cannotWrite(cause: Error): AppError {
	return new AppError('SERVICE_UNAVAILABLE', databaseMessages.cannotWrite, { cause });
}

/** Full, failing or read-only disks, and a database that another process keeps locked. */
function isStorageError(error: unknown): error is SQLiteError {
	return error instanceof SQLiteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|PROTOCOL)/.test(error.code ?? '');
}
