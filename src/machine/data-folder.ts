/** The folder that holds everything, and the lock that keeps it to one process. */
import { Database } from 'bun:sqlite';
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, OperationError } from '../vocabulary/errors.ts';
import { explained, explainFileError, isDenial, isThere, requireRegularFile, sizeOf } from './file-access.ts';

/** Where things are in a data folder. */
export type DataFolder = Readonly<ReturnType<typeof dataFolderAt>>;

/** The places in a data folder, whether it exists or not. */
export function dataFolderAt(path: string) {
	return {
		path,
		database: join(path, 'access.db'),
		secrets: join(path, 'secrets.json'),
		backups: join(path, 'backups'),
		lock: join(path, 'access.lock'),
		/** Its presence says that there was a database, whatever else is in the folder. */
		mark: join(path, 'access.installed'),
	};
}

/**
 * Makes a folder that nobody else can look into, unless it exists.
 * @throws OperationError
 */
export function makeFolder(path: string): void {
	const make = () => mkdirSync(path, { recursive: true, mode: 0o700 });
	explained(path, make, `cannot make the folder ${path}, check DATA_DIR: `);
}

/**
 * Requires that this user may work in a data folder, if there is one.
 * @throws OperationError with the command that mends it.
 */
export function requireAccess({ path }: DataFolder): void {
	if (!isThere(path) || !statSync(path).isDirectory()) return;
	try {
		accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch (error) {
		// A folder that is mounted read-only can still be checked.
		if (isDenial(error)) throw new OperationError(explainFileError(path, error));
	}
}

/** What this program keeps in a data folder. */
const ownFiles = /^(access\.(db|lock|installed)(-wal|-shm|-journal)?|secrets\.json|watch\.json|backups|replaced-.*)$/;

/**
 * Makes the data folder its owner's only. One that exists and holds other things too stays as it is: it may be a folder
 * that others have to reach.
 * @throws OperationError
 */
export function makeDataFolder({ path }: DataFolder): void {
	makeFolder(path);
	explained(path, () => {
		const isOurs = readdirSync(path).every((name) => ownFiles.test(name));
		if (isOurs && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
	});
}

/** Holds a data folder until it is released or the process ends, however it ends. */
export type FolderLock = ReturnType<typeof lockFolder>;

/**
 * Takes the folder for this process. The lock is an open SQLite transaction, which the operating system undoes
 * when the process dies; it holds as long as the returned object is referenced.
 * @throws OperationError when another process has the folder, even if its lock file was removed.
 */
export function lockFolder(folder: DataFolder) {
	requireRegularFile(folder.lock, 'remove it');
	const isNew = !isThere(folder.lock);
	let held = openLock(folder);
	if (isNew && isDatabaseInUse(folder.database)) {
		held.close();
		rmSync(folder.lock, { force: true });
		throw new FolderInUse(folder);
	}
	let identity = identityOf(folder.lock);
	let wasTaken = false;
	return {
		/**
		 * Whether the lock still keeps other processes away. It takes the lock again if its file was removed; false when
		 * another process had it at two calls in a row. Once may be a start that is about to fail, because the database is
		 * in use.
		 */
		isHeld() {
			const wasTakenBefore = wasTaken;
			wasTaken = false;
			if (identityOf(folder.lock) === identity) return true;
			try {
				const again = openLock(folder);
				held.close();
				[held, identity] = [again, identityOf(folder.lock)];
			} catch (error) {
				// A folder that is out of reach is nobody else's: its files may be put back.
				wasTaken = error instanceof FolderInUse;
			}
			return !(wasTaken && wasTakenBefore);
		},
		[Symbol.dispose]: () => held.close(),
	};
}

function openLock(folder: DataFolder): Database {
	let lock: Database | undefined;
	try {
		lock = new Database(folder.lock, { create: true });
		lock.run('begin exclusive');
		return lock;
	} catch (error) {
		lock?.close();
		if (codeOf(error) === 'SQLITE_BUSY') throw new FolderInUse(folder);
		throw new OperationError(explainFileError(folder.lock, error));
	}
}

/** Another process has the folder. */
class FolderInUse extends OperationError {
	constructor({ path }: DataFolder) {
		super(`DATA_DIR=${path} is in use by another process: stop that one first`);
	}
}

/** A server whose lock file was removed still has its database open, which keeps others from having it exclusively. */
function isDatabaseInUse(path: string): boolean {
	// SQLite would delete the log beside an empty file.
	if (sizeOf(path) <= 1) return false;
	try {
		using database = new Database(path, { readwrite: true });
		database.run('pragma locking_mode = exclusive');
		database.query('select 1 from sqlite_schema').get();
		return false;
	} catch (error) {
		return codeOf(error).startsWith('SQLITE_BUSY');
	}
}

/** What two paths of one file have in common; undefined when there is none. */
export function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev}:${found.ino}`;
}
