/** The folder that holds everything (decisions, "data"), and the lock that keeps it to one process. */
import { Database, SQLiteError } from 'bun:sqlite';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OperationError } from './errors.ts';

/** Where things are in a data folder. */
export interface DataFolder {
	path: string;
	database: string;
	secrets: string;
	backups: string;
}

/** The places in a data folder, whether it exists or not. */
export function dataFolderAt(path: string): DataFolder {
	return {
		path,
		database: join(path, 'access.db'),
		secrets: join(path, 'secrets.json'),
		backups: join(path, 'backups'),
	};
}

/**
 * Makes a folder that nobody else can look into, unless it exists.
 * @throws OperationError
 */
export function makeFolder(path: string): void {
	try {
		mkdirSync(path, { recursive: true, mode: 0o700 });
	} catch (error) {
		throw new OperationError(`cannot make the folder ${path}, check DATA_DIR: ${messageOf(error)}`);
	}
}

/** What this program keeps in a data folder. */
const ownFiles = /^(access\.(db|lock)(-wal|-shm|-journal)?|secrets\.json|backups|replaced-.*)$/;

/**
 * Makes the data folder its owner's only. One that exists and holds other things too stays as it is: it may be a folder
 * that others have to reach.
 * @throws OperationError
 */
export function makeDataFolder({ path }: DataFolder): void {
	makeFolder(path);
	const isOurs = readdirSync(path).every((name) => ownFiles.test(name));
	if (isOurs && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Holds a data folder until it is released or the process ends, however it ends. */
export interface FolderLock {
	release(): void;
}

/**
 * Takes the folder for this process. The lock is an open SQLite transaction, which the operating system undoes
 * when the process dies; it holds as long as the returned object is referenced.
 * @throws OperationError when another process has it.
 */
export function lockFolder({ path }: DataFolder): FolderLock {
	let lock: Database;
	try {
		lock = new Database(join(path, 'access.lock'), { create: true });
	} catch (error) {
		throw new OperationError(`cannot write into DATA_DIR=${path}: ${messageOf(error)}`);
	}
	try {
		lock.run('begin exclusive');
	} catch (error) {
		lock.close();
		if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') {
			throw new OperationError(`DATA_DIR=${path} is in use by another process: stop that one first`);
		}
		throw new OperationError(`cannot lock DATA_DIR=${path}: ${messageOf(error)}`);
	}
	return { release: () => lock.close() };
}
