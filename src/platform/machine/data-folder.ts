/** The data folder, and the lock that reserves it for one process. */
import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, OperationError } from '../vocabulary/errors.ts';
import { explainFileError, withExplanation } from './file-access.ts';

export type DataFolder = Readonly<ReturnType<typeof dataFolderAt>>;

/** The paths in a data folder, which need not exist. */
export function dataFolderAt(path: string) {
	return {
		path,
		database: join(path, 'access.db'),
		secrets: join(path, 'secrets.json'),
		backups: join(path, 'backups'),
		lock: join(path, 'access.lock'),
		/** The problems of the newest automatic backup and its copy. The file exists only while there are any. */
		backupProblems: join(path, 'backup-problems.json'),
		/** A file that says that the folder has had a database. */
		mark: join(path, 'access.installed'),
	};
}

/** Makes a private folder, unless it exists. @throws OperationError */
export function makeFolder(path: string): void {
	withExplanation(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }), 'DATA_DIR: ');
}

const ownFiles =
	/^(access\.(db|lock|installed)(-wal|-shm|-journal)?|secrets\.json|watch\.json|backup-problems\.json|backups|replaced-.*)$/;

/** Makes the data folder private. A folder with other files stays as it is, because other users may need them. */
export function makeDataFolder({ path }: DataFolder): void {
	makeFolder(path);
	withExplanation(path, () => {
		const isOurs = readdirSync(path).every((name) => ownFiles.test(name));
		if (isOurs && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
	});
}

/**
 * Locks the folder for this process with an open SQLite transaction, which ends with the process, even a killed one.
 * @throws OperationError when another process has locked the folder
 */
export function lockFolder({ path, lock: file }: DataFolder): Disposable {
	let lock: Database | undefined;
	try {
		lock = new Database(file, { create: true });
		lock.run('begin exclusive');
	} catch (error) {
		lock?.close();
		if (codeOf(error) !== 'SQLITE_BUSY') throw new OperationError(explainFileError(file, error));
		throw new OperationError(`DATA_DIR=${path} is in use by another process: stop that one first`);
	}
	return lock;
}

/** The identity of the file at a path, the same for every path to it. Undefined if there is no file. */
export function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev}:${found.ino}`;
}
