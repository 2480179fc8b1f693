import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { copyTo } from '../backup-copies/copies.ts';
import { isBucket, type Place, placeAt } from '../backup-copies/place.ts';
import { keyOf } from '../backup-copies/sealing.ts';
import { automaticBackups, backUp, backupPath } from '../database/backup.ts';
import { hasDatabase, requireDatabaseFile } from '../database/open.ts';
import { makeFolder } from '../machine/data-folder.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { type Data, findData } from './data.ts';
import { answer, type Form, type ProcessContext } from './process.ts';

/**
 * `access backup [FILE]`: a verified copy of the database, also while a server uses it. In a folder the name is made
 * from the time; without an argument the folder is `backups` in the data folder.
 * @throws OperationError
 */
export async function backup(context: ProcessContext, file: string | undefined, form: Form): Promise<number> {
	const data = findData(context);
	const { folder } = data;
	requireDatabaseFile(folder.database);
	if (!hasDatabase(folder.database)) throw new OperationError(`${folder.database} is empty: restore a backup`);
	if (file !== undefined && isBucket(file)) return backUpToBucket(context, data, file, form);
	if (file === undefined) makeFolder(folder.backups);
	const place = resolve(file ?? folder.backups);
	// What is in the data folder belongs to its owner, also when root makes it.
	const isInside = !relative(folder.path, place).startsWith('..');
	const writer: typeof asCaller = isInside ? (work) => work() : asCaller;
	const isFolder = writer(() => existsSync(place) && statSync(place).isDirectory());
	const target = isFolder ? backupPath(place, new Date()) : place;
	const made = backUp(folder.database, target, context.report, writer);
	const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
	return answer(context, form, made, `${made.path} (${made.bytes} bytes, ${rows} rows)`);
}

async function backUpToBucket(context: ProcessContext, data: Data, bucket: string, form: Form): Promise<number> {
	const { config, folder } = data;
	const place = placeAt(bucket, config);
	const there = (await place.list()).map((name) => basename(name, '.enc'));
	makeFolder(folder.backups);
	const isTaken = (path: string) => existsSync(path) || there.includes(basename(path));
	const made = backUp(folder.database, backupPath(folder.backups, new Date(), 'backup', isTaken), context.report);
	try {
		const { copy: path } = await copy(data, made.path, place);
		return await answer(context, form, { ...made, path }, `${path} (${made.bytes} bytes)`);
	} finally {
		rmSync(made.path);
	}
}

/** `access copy-backup`, which the server runs: copies the newest automatic backup to BACKUP_TO. @throws OperationError */
export async function copyBackup(context: ProcessContext, form: Form): Promise<number> {
	const data = findData(context);
	const { config, folder } = data;
	if (config.BACKUP_TO === undefined)
		throw new OperationError('BACKUP_TO is not set: it says where backups are copied to');
	const newest = automaticBackups(folder.backups).at(-1);
	if (newest === undefined) throw new OperationError(`there is no automatic backup in ${folder.backups}`);
	const done = await copy(data, join(folder.backups, newest), placeAt(config.BACKUP_TO, config));
	return answer(context, form, done, done.copy);
}

function copy({ config, folder }: Data, backup: string, place: Place) {
	const secrets = config.BACKUP_SECRETS === 'on' ? folder.secrets : undefined;
	return copyTo(place, backup, { key: keyOf(config), keep: config.BACKUP_KEEP, secrets });
}
