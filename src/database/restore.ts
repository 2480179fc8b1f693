/** Putting a backup in the place of the database: wholly or not at all. */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import type { DataFolder } from '../data-folder.ts';
import { publish } from '../durable-file.ts';
import { messageOf, OperationError } from '../errors.ts';
import { backupName, copyDatabase, removeDatabase } from './backup.ts';
import { connect, inspectDatabase } from './open.ts';
import { renewTokenEpoch } from './token-epoch.ts';

/** What a restore did. */
export interface Restored {
	database: string;
	/** Where the replaced database went; absent when there was none. */
	replaced?: string;
}

/**
 * Replaces the database of a folder that no server holds by a backup. Until the last step, one rename, the old
 * database is in force; it is kept aside.
 * @throws OperationError when the backup is not a sound database of this program, or is newer than it.
 */
export function restore(folder: DataFolder, backup: string, at: Date, progress: (step: string) => void): Restored {
	if (!existsSync(backup)) throw new OperationError(`there is no file ${backup}`);
	progress('verifying the backup');
	if (inspectDatabase(backup, 'integrity_check').schemaVersion === 0) {
		throw new OperationError(`${backup} is empty: choose another backup`);
	}
	const incoming = `${folder.database}.restoring`;
	try {
		progress('copying the backup');
		removeDatabase(incoming);
		copyDatabase(backup, incoming);
		inspectDatabase(incoming, 'integrity_check');
		endTokens(incoming);
		const replaced = existsSync(folder.database) ? setAside(folder, at) : undefined;
		publish(incoming, folder.database);
		return { database: folder.database, ...(replaced && { replaced }) };
	} catch (error) {
		if (error instanceof OperationError) throw error;
		throw new OperationError(`cannot restore ${backup}: ${messageOf(error)}`);
	} finally {
		removeDatabase(incoming);
	}
}

/**
 * Ids and token versions go back to what they were: a token of before the restore could name somebody else after it.
 * A backup of an older schema has no epoch yet and gets its first one when it is migrated.
 */
function endTokens(path: string): void {
	const client = connect(path);
	try {
		const known = client.query("select 1 from sqlite_schema where name = 'installation'").get();
		if (known) renewTokenEpoch(drizzle({ client }));
	} finally {
		client.close();
	}
}

/** A second name for the old database. Its log is folded in or goes along: it must never be applied to the new one. */
function setAside({ path, database }: DataFolder, at: Date): string {
	foldLog(database);
	const aside = unusedName(`${path}/${backupName(at, 'replaced')}`);
	linkSync(database, aside);
	if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${aside}-wal`);
	rmSync(`${database}-shm`, { force: true });
	return aside;
}

function unusedName(path: string): string {
	let name = path;
	for (let count = 2; existsSync(name); count += 1) name = path.replace(/\.db$/, `-${count}.db`);
	return name;
}

function foldLog(database: string): void {
	try {
		const client = connect(database);
		client.run('pragma wal_checkpoint(truncate)');
		client.close();
	} catch {
		// Too damaged to be opened, which may be why it is being replaced: its log is set aside as it is.
	}
}
