import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { copyTo } from '../backup-copies/copies.ts';
import { isBucket, placeAt } from '../backup-copies/place.ts';
import { keyOf } from '../backup-copies/sealing.ts';
import { automaticBackups, backUp, backupPath } from '../database/backup.ts';
import { requireDatabaseFile } from '../database/open.ts';
import type { Config } from '../machine/config.ts';
import { type DataFolder, makeFolder } from '../machine/data-folder.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { findData } from './data.ts';
import type { ProcessContext } from './process.ts';

/**
 * `access backup [FILE]`: a verified copy of the database, also while a server uses it. In a folder the name is made
 * from the time; without an argument the folder is `backups` in the data folder.
 * @throws OperationError
 */
export async function backup(
	context: ProcessContext,
	file: string | undefined,
	{ json = false }: { json?: boolean },
): Promise<number> {
	const { config, folder } = findData(context);
	requireDatabaseFile(folder.database);
	if (file !== undefined && isBucket(file)) return backUpToBucket(context, config, folder, file, json);
	if (file === undefined) makeFolder(folder.backups);
	const place = resolve(file ?? folder.backups);
	// What is in the data folder belongs to its owner, also when root makes it.
	const isInside = !relative(folder.path, place).startsWith('..');
	const writer: typeof asCaller = isInside ? (work) => work() : asCaller;
	const isFolder = writer(() => existsSync(place) && statSync(place).isDirectory());
	const target = isFolder ? backupPath(place, new Date()) : place;
	const made = backUp(folder.database, target, context.report, writer);
	const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
	await context.write(json ? `${JSON.stringify(made)}\n` : `${made.path} (${made.bytes} bytes, ${rows} rows)\n`);
	return 0;
}

async function backUpToBucket(
	context: ProcessContext,
	config: Config,
	folder: DataFolder,
	bucket: string,
	json: boolean,
): Promise<number> {
	const place = placeAt(bucket, config);
	const there = (await place.list()).map((name) => basename(name, '.enc'));
	makeFolder(folder.backups);
	const isTaken = (path: string) => existsSync(path) || there.includes(basename(path));
	const made = backUp(folder.database, backupPath(folder.backups, new Date(), 'backup', isTaken), context.report);
	try {
		const secrets = config.BACKUP_SECRETS === 'on' ? folder.secrets : undefined;
		const { copy } = await copyTo(place, made.path, { key: keyOf(config), keep: config.BACKUP_KEEP, secrets });
		await context.write(json ? `${JSON.stringify({ ...made, path: copy })}\n` : `${copy} (${made.bytes} bytes)\n`);
		return 0;
	} finally {
		rmSync(made.path);
	}
}

/** `access copy-backup`, which the server runs: copies the newest automatic backup to BACKUP_TO. @throws OperationError */
export async function copyBackup(context: ProcessContext, { json = false }: { json?: boolean }): Promise<number> {
	const { config, folder } = findData(context);
	if (config.BACKUP_TO === undefined)
		throw new OperationError('BACKUP_TO is not set: it says where backups are copied to');
	const newest = automaticBackups(folder.backups).at(-1);
	if (newest === undefined) throw new OperationError(`there is no automatic backup in ${folder.backups}`);
	const done = await copyTo(placeAt(config.BACKUP_TO, config), join(folder.backups, newest), {
		key: keyOf(config),
		keep: config.BACKUP_KEEP,
		secrets: config.BACKUP_SECRETS === 'on' ? folder.secrets : undefined,
	});
	await context.write(json ? `${JSON.stringify(done)}\n` : `${done.copy}\n`);
	return 0;
}
