/** Replaces the database with a backup, completely or not at all. */
import { Database } from 'bun:sqlite';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { type DataFolder, identityOf } from '../machine/data-folder.ts';
import { writeWhole } from '../machine/durable-file.ts';
import { isThere, withExplanation } from '../machine/file-access.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { counted } from '../vocabulary/counted.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { backupPath, findNewestRecord, listTables, openBackup } from './backup.ts';
import { connect, inspectDatabase } from './open.ts';
import { renewTokenEpoch } from './token-epoch.ts';

/**
 * Replaces the database of a folder that no server uses with a backup. The old database stays until the last step, a
 * rename.
 * @returns the database, the time of its newest record, and the path of the replaced database, if there was one
 * @throws OperationError when the backup is not a sound database of this program, or is newer than it
 */
export function restore(folder: DataFolder, backup: string, at: Date, progress: (step: string) => void) {
	using client = asCaller(() => {
		if (isThere(backup) && identityOf(backup) === identityOf(folder.database)) {
			throw new OperationError(`${backup} is the database that would be replaced: choose a backup`);
		}
		return openBackup(backup, progress);
	});
	const { database } = folder;
	const replace = (incoming: string) => {
		progress('copying the backup');
		client.query('vacuum into ?').run(incoming);
		inspectDatabase(incoming, 'full', 'check the disk, then try again');
		endTokensAndKeys(incoming, progress);
		const newestRecord = findNewestRecord(client);
		const replaced = setAside(folder, at);
		return { database, newestRecord, ...(replaced && { replaced }) };
	};
	return withExplanation(database, () => writeWhole(database, replace));
}

/**
 * Ends all tokens and keys. A restore turns ids and token versions back, so an old token could name another account,
 * and an ended key would work again. A backup of an older schema may lack the epoch or programs. Its migration makes
 * the first epoch.
 */
function endTokensAndKeys(path: string, progress: (step: string) => void): void {
	// The file must exist: a new, empty one would be published.
	using client = new Database(path, { readwrite: true, strict: true });
	const known = listTables(client);
	if (known.includes('installation')) renewTokenEpoch(client);
	const hasEnds = client.query("select 1 from pragma_table_info('sign_ins') where name = 'ends_at'").get();
	if (hasEnds) client.run("update sign_ins set ends_at = ''");
	if (known.includes('programs')) endAll(client, 'key', 'keys', progress);
	if (known.includes('openid_grants')) endAll(client, 'secret', 'client secrets', progress);
	// Set last, when all changes are in the file itself. Otherwise the next start would set it in place, and a crash then
	// would leave a journal.
	client.run('pragma journal_mode = wal');
}

function endAll(client: Database, column: 'key' | 'secret', what: string, progress: (step: string) => void): void {
	const none = `${column}_hash = null, previous_${column}_hash = null, previous_${column}_until = null`;
	const { changes } = client.run(`update programs set ${none} where ${column}_hash is not null`);
	if (changes > 0) progress(`the ${what} of ${counted(changes, 'program')} end: each needs another one`);
}

/**
 * Keeps the old database under a second name. Its log or journal goes with it, even alone, because it must never
 * apply to the new one.
 */
function setAside({ path, database }: DataFolder, at: Date): string | undefined {
	const aside = backupPath(path, at, 'replaced');
	const isReplaced = existsSync(database);
	if (isReplaced) {
		checkpoint(database);
		linkSync(database, aside);
	}
	for (const log of ['-wal', '-journal']) {
		if (existsSync(`${database}${log}`)) renameSync(`${database}${log}`, `${aside}${log}`);
	}
	rmSync(`${database}-shm`, { force: true });
	return isReplaced ? aside : undefined;
}

function checkpoint(database: string): void {
	try {
		using client = connect(database);
		client.run('pragma wal_checkpoint(truncate)');
	} catch {
		// The database may be too damaged to be opened, and be replaced for that reason. Its log stays as it is.
	}
}
