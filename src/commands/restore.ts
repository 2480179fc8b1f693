import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fetchFrom, unsealFile } from '../backup-copies/copies.ts';
import { isBucket, placeAt } from '../backup-copies/place.ts';
import { keyOf } from '../backup-copies/sealing.ts';
import { describeBackup } from '../database/backup.ts';
import { restore as restoreDatabase } from '../database/restore.ts';
import type { Config } from '../machine/config.ts';
import { type DataFolder, lockFolder, makeFolder } from '../machine/data-folder.ts';
import { writeDurably } from '../machine/durable-file.ts';
import { explained, isThere } from '../machine/file-access.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { findData } from './data.ts';
import { answer, type Form, type ProcessContext } from './process.ts';

interface Options extends Form {
	/** Proves the backup and changes nothing. */
	verify?: boolean;
}

/**
 * `access restore FILE`: puts a backup in the place of the database, and keeps the replaced one. The backup is a file, or
 * in a bucket: `s3://bucket/prefix/latest`. `latest` is the newest one in a bucket or a folder, and secrets that are kept beside
 * it are taken where there are none.
 * @throws OperationError, and nothing has changed.
 */
export async function restore(context: ProcessContext, file: string, options: Options): Promise<number> {
	const { folder, config } = findData(context);
	if (options.verify) return prove(context, config, file, options);
	makeFolder(folder.path);
	using _lock = lockFolder(folder);
	using found = await locate(config, file, join(folder.path, `.restoring-${crypto.randomUUID()}.db`));
	const taken = isThere(folder.secrets) ? undefined : found.secrets;
	const done = withSecrets(folder, taken, () => restoreDatabase(folder, found.path, new Date(), context.report));
	const before = done.replaced
		? `the database that was there is kept as ${done.replaced}`
		: 'there was no database before';
	const secrets = taken !== undefined ? `; ${folder.secrets} came with it` : '';
	return await answer(context, options, done, `${done.database} is now ${found.name}; ${before}${secrets}`);
}

/** Keeps secrets before the database that needs them is in its place; they go when that fails. */
function withSecrets<T>({ secrets: path }: DataFolder, secrets: string | undefined, work: () => T): T {
	if (secrets === undefined) return work();
	explained(path, () => writeDurably(path, secrets));
	try {
		return work();
	} catch (error) {
		rmSync(path, { force: true });
		throw error;
	}
}

/** `access restore --verify FILE`: opens the backup, inspects it, and says what it holds. */
async function prove(context: ProcessContext, config: Config, file: string, form: Form): Promise<number> {
	using found = await locate(config, file, join(tmpdir(), `access-verify-${crypto.randomUUID()}.db`));
	const about = asCaller(() => describeBackup(found.path));
	const rows = Object.entries(about.rows).map(([table, count]) => `${table}: ${count}`);
	const newest = about.newestRecord === null ? 'no record' : `the newest record is of ${about.newestRecord}`;
	const text = `${found.name} is sound: schema ${about.schema}, ${rows.join(', ')}; ${newest}`;
	return await answer(context, form, { backup: found.name, ...about }, text);
}

/** Its end removes what was made to read it. */
interface Located extends Disposable {
	/** What the operator calls it. */
	name: string;
	path: string;
	secrets?: string | undefined;
}

/** A backup as a file on this machine that can be opened; `temporary` is where it goes when it has to be fetched. */
async function locate(config: Config, file: string, temporary: string): Promise<Located> {
	// On a disk that is mounted read-only even what is not there cannot be removed.
	const end = { [Symbol.dispose]: () => existsSync(temporary) && rmSync(temporary) };
	if (isBucket(file) || isNewestIn(file)) {
		const place = placeAt(dirname(file), config);
		const { name, secrets } = await fetchFrom(place, basename(file), temporary, () => keyOf(config));
		return { name: `${place.name}/${name}`, path: temporary, secrets, ...end };
	}
	const path = resolve(file);
	const wasSealed = asCaller(() => isThere(path)) && (await unsealed(path, temporary, config));
	return { name: path, path: wasSealed ? temporary : path, ...end };
}

/** Whether a path stands for the newest backup in a folder: `/mnt/nas/latest`, unless there is such a file. */
function isNewestIn(path: string): boolean {
	return basename(path) === 'latest' && asCaller(() => !isThere(path) && isThere(dirname(path)));
}

/** Opens the file as the user who named it. */
async function unsealed(path: string, into: string, config: Config): Promise<boolean> {
	if (!asCaller(() => statSync(path).isFile())) return false;
	const file = asCaller(() => openSync(path, 'r'));
	try {
		return await unsealFile(file, into, () => keyOf(config));
	} finally {
		closeSync(file);
	}
}
