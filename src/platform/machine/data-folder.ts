/** The folder that holds everything, and the lock that keeps it to one process. */
import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, OperationError } from '../vocabulary/errors.ts';
import { explainFileError, withExplanation } from './file-access.ts';

export type DataFolder = Readonly<ReturnType<typeof dataFolderAt>>;

/** The places in a data folder, whether it exists or not. */
export function dataFolderAt(path: string) {
	return {
		path,
		database: join(path, 'access.db'),
		secrets: join(path, 'secrets.json'),
		backups: join(path, 'backups'),
		lock: join(path, 'access.lock'),
		/** Why the newest automatic backup, or its copy, failed; it is there only while that is so. */
		backupProblems: join(path, 'backup-problems.json'),
		/** Its presence says that there was a database, whatever else is in the folder. */
		mark: join(path, 'access.installed'),
	};
}

/** Makes a folder that nobody else can look into, unless it exists. @throws OperationError */
export function makeFolder(path: string): void {
	const make = () => mkdirSync(path, { recursive: true, mode: 0o700 });
	withExplanation(path, make, `cannot make the folder ${path}, check DATA_DIR: `);
}

const ownFiles =
	/^(access\.(db|lock|installed)(-wal|-shm|-journal)?|secrets\.json|watch\.json|backup-problems\.json|backups|replaced-.*)$/;

/** Makes the data folder its owner's only. One that holds other things, too, stays as it is: others may have to reach it. */
export function makeDataFolder({ path }: DataFolder): void {
	makeFolder(path);
	withExplanation(path, () => {
		const isOurs = readdirSync(path).every((name) => ownFiles.test(name));
		if (isOurs && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
	});
}

/**
 * Takes the folder for this process, by an open SQLite transaction, which the operating system undoes when the process dies.
 * @throws OperationError when another process has the folder.
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

/** What two paths of one file have in common; undefined when there is none. */
export function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev}:${found.ino}`;
}
