/** Copies of the database: backups, which are verified before they get their name, and copies for an inspection. */
import type { Database } from 'bun:sqlite';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type NamedBackup, sortBackups } from '../backup-copies/names.ts';
import { isInside } from '../backup-copies/place.ts';
import { removeDatabase, writeWhole } from '../machine/durable-file.ts';
import { explainFileError, isThere, sizeOf, withExplanation } from '../machine/file-access.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { isDamage } from './failure.ts';
import { connect, inspectDatabase, readSchemaVersion } from './open.ts';

/** An unused path for a backup made at a time: `backup-20261121T083000Z.db`, then `backup-20261121T083000Z-2.db`. */
export function backupPath(
	folder: string,
	at: Date,
	prefix = 'backup',
	isTaken: (path: string) => boolean = existsSync,
): string {
	const name = join(folder, `${prefix}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}`);
	let path = `${name}.db`;
	for (let count = 2; isTaken(path); count += 1) path = `${name}-${count}.db`;
	return path;
}

/**
 * Writes a consistent, verified copy of a database that may be in use. The copy appears once it is complete, sound and
 * on disk. In the data folder it belongs to the owner of the folder, elsewhere to the user who called the command.
 * @returns its path, its size and the number of rows in each table. @throws OperationError
 */
export function backUp(source: string, target: string, progress: (step: string) => void) {
	const asWriter: typeof asCaller = isInside(dirname(source), target) ? (work) => work() : asCaller;
	if (asWriter(() => isThere(target))) throw new OperationError(`${target} exists already: choose another name`);
	return withExplanation(source, () => {
		using client = connect(source, { readonly: true });
		// Reading opens all files of the source with the rights of the folder's owner, before the writer's rights apply.
		client.query('select 1 from sqlite_schema').get();
		return asWriter(() => writeBackup(client, target, progress));
	});
}

function writeBackup(client: Database, target: string, progress: (step: string) => void) {
	try {
		return writeWhole(target, (copy) => {
			progress(`copying ${sizeOf(client.filename)} bytes`);
			// A damaged index is damaged in the copy, too.
			client.query('vacuum into ?').run(copy);
			progress('verifying the copy');
			inspectDatabase(copy, 'full', 'check the database, then try again', client.filename);
			return { path: target, bytes: statSync(copy).size, rows: countRows(copy) };
		});
	} catch (error) {
		// An error about damage concerns the source. Any other error concerns the copy.
		if (error instanceof OperationError || isDamage(error)) throw error;
		throw new OperationError(explainFileError(target, error));
	}
}

/** Removes all but the newest `keep` backups of each kind in a folder. @returns the removed names */
export function removeOldBackups(folder: string, kinds: readonly string[], keep: number): string[] {
	const { past } = listBackups(folder);
	const old = kinds.flatMap((kind) => past.filter((backup) => backup.kind === kind).slice(0, -keep));
	for (const { name } of old) removeDatabase(join(folder, name));
	return old.map(({ name }) => name);
}

/** The backups in a folder, of any kind, as {@link sortBackups} sorts them. */
export function listBackups(folder: string) {
	const isFolder = isThere(folder) && statSync(folder).isDirectory();
	return sortBackups(isFolder ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []);
}

/** The automatic backups of a folder, oldest first, without those with a time in the future. */
export function listAutomaticBackups(folder: string): NamedBackup[] {
	return listBackups(folder).past.filter(({ kind }) => kind === 'automatic');
}

/** Inspects a backup and opens it. @throws OperationError when it cannot take the place of a database */
export function openBackup(path: string, progress = (_step: string) => {}): Database {
	if (!isThere(path)) throw new OperationError(`there is no file ${path}: choose a backup`);
	progress('verifying the backup');
	if (inspectDatabase(path, 'full', 'choose another backup') === 0)
		throw new OperationError(`${path} is empty: choose another backup`);
	const client = connect(path, { readonly: true });
	const { count } = client.query<{ count: number }, []>('select count(*) as count from administrators').get() ?? {};
	if (!count) throw new OperationError(`${path} has no administrator: choose another backup`);
	return client;
}

/** Describes a backup. @throws OperationError when it cannot take the place of a database */
export function describeBackup(path: string) {
	using client = openBackup(path);
	return { schema: readSchemaVersion(path), rows: countRows(path), newestRecord: findNewestRecord(client) };
}

/** The time of the newest record of the history, if there is one. */
export function findNewestRecord(client: Database): string | null {
	return client.query<{ at: string | null }, []>('select max(at) as at from history').get()?.at ?? null;
}

/** The tables of a database. A backup of an older schema has fewer. */
export function listTables(client: Database): string[] {
	const query = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'";
	return client.query(query).values().flat().map(String);
}

function countRows(path: string): Record<string, number> {
	using client = connect(path, { readonly: true });
	const count = (table: string) => Number(client.query(`select count(*) from ${table}`).values()[0]?.[0]);
	return Object.fromEntries(listTables(client).map((table) => [table, count(table)]));
}
