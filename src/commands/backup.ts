import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Companions, copyTo, removeBefore } from '../platform/backup-copies/copies.ts';
import { readKey } from '../platform/backup-copies/key.ts';
import { answers, isBucket, type Place, placeAt, shortPatience } from '../platform/backup-copies/place.ts';
import { backUp, backupPath, listAutomaticBackups } from '../platform/database/backup.ts';
import { requireDatabaseFile } from '../platform/database/open.ts';
import type { Config } from '../platform/machine/config.ts';
import { identityOf, makeFolder } from '../platform/machine/data-folder.ts';
import { isThere, shellWord } from '../platform/machine/file-access.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import { formatSettings } from '../platform/machine/settings-file.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { answer, configure, type OutputOptions, type ProcessContext } from './process.ts';

/** `access backup [FILE]`: makes a verified copy, also while the server runs. In a folder, its name is the time. @throws OperationError */
export async function backup(context: ProcessContext, file: string | undefined, output: OutputOptions): Promise<void> {
	const config = configure(context);
	const { folder } = config;
	requireDatabaseFile(folder.database);
	const copies = file === undefined ? undefined : await placeOfCopies(file, config);
	if (copies !== undefined) return await backUpToPlace(context, config, copies, output);
	const place = resolve(file ?? folder.backups);
	if (place === folder.backups || dirname(place) === folder.backups) makeFolder(folder.backups);
	const isFolder = asCaller(() => existsSync(place) && statSync(place).isDirectory());
	if (file?.endsWith('/') && !isFolder) throw new OperationError(`${file} is not a folder: make or mount it`);
	const target = isFolder ? backupPath(place, new Date()) : place;
	const made = backUp(folder.database, target, context.report);
	const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
	await answer(context, output, made, `${made.path} (${made.bytes} bytes, ${rows} rows)`);
}

/** Finds a place of copies by name: a bucket, or the folder of BACKUP_TO. @throws OperationError for a file in it */
async function placeOfCopies(text: string, config: Config): Promise<Place | undefined> {
	if (isBucket(text)) return placeAt(text, config);
	const { BACKUP_TO: place } = config;
	if (place === undefined || isBucket(place)) return undefined;
	const [named, copies] = [resolve(text), placeAt(place, config)];
	if (named === copies.name) return copies;
	if (!(await answers(place, shortPatience))) return undefined;
	const [own, above, theirs] = asCaller(() => [named, dirname(named), place].map(identityOf));
	if (theirs === undefined || ![own, above].includes(theirs)) return undefined;
	if (own === theirs) return copies;
	const remedy = `run access backup ${shellWord(place)}, which names the copy itself`;
	throw new OperationError(`${named} is in the place of copies: ${remedy}`);
}

/** Backs up to a place of copies: the backup is verified here first, and encrypted if there is a key. */
async function backUpToPlace(
	context: ProcessContext,
	config: Config,
	place: Place,
	output: OutputOptions,
): Promise<void> {
	const { backups } = config.folder;
	const key = readKey(config);
	const there = (await place.list()).map((name) => basename(name, '.age'));
	makeFolder(backups);
	const isTaken = (path: string) => existsSync(path) || there.includes(basename(path));
	const made = backUp(config.folder.database, backupPath(backups, new Date(), 'backup', isTaken), context.report);
	try {
		const path = await copyTo(place, made.path, key, listCompanions(config));
		await answer(context, output, { ...made, path }, `${path} (${made.bytes} bytes)`);
	} finally {
		rmSync(made.path);
	}
}

/**
 * `access copy-backup`, which the server runs: copies the newest automatic backup to BACKUP_TO. It reads the configuration
 * of the server, as JSON, from standard input. A copy is removed when it is older than every backup kept here, so that
 * no other file in the place can cause the removal of a copy.
 */
export async function copyBackup({ input, write }: ProcessContext): Promise<void> {
	const config: Config & { BACKUP_TO: string } = JSON.parse(await input.text());
	const { backups } = config.folder;
	const kept = listAutomaticBackups(backups).slice(-config.BACKUP_KEEP);
	const [oldest, newest] = [kept[0], kept.at(-1)];
	if (!oldest || !newest) throw new OperationError(`there is no automatic backup in ${backups}`);
	const place = placeAt(config.BACKUP_TO, config);
	const path = await copyTo(place, join(backups, newest.name), readKey(config), listCompanions(config));
	// A new machine has fewer backups than the lost machine has copies.
	const since = kept.length < config.BACKUP_KEEP ? new Date(0) : oldest.at;
	await write(JSON.stringify({ copy: path, removed: await removeBefore(place, since) }));
}

function listCompanions({ folder: { secrets }, given }: Config): Companions {
	const settings = { 'access.conf': new Blob([formatSettings(given)]) };
	return isThere(secrets) ? { ...settings, 'secrets.json': Bun.file(secrets) } : settings;
}
