import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { getNewest, nameBeside, readBeside } from '../platform/backup-copies/copies.ts';
import { ageProblem } from '../platform/backup-copies/names.ts';
import { type CopySource, isBucket, placeAt, writeNew } from '../platform/backup-copies/place.ts';
import { checkSeal, createOpening, readHead, unseal } from '../platform/backup-copies/sealing.ts';
import { describeBackup } from '../platform/database/backup.ts';
import { restore as restoreDatabase } from '../platform/database/restore.ts';
import type { Config } from '../platform/machine/config.ts';
import { type DataFolder, lockFolder, makeFolder } from '../platform/machine/data-folder.ts';
import { partialPath, removeDatabase, writeDurably } from '../platform/machine/durable-file.ts';
import { isThere, withExplanation } from '../platform/machine/file-access.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import { parseSecrets } from '../platform/machine/secrets.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { answer, configure, type OutputOptions, type ProcessContext } from './process.ts';

interface Options extends OutputOptions {
	verify?: boolean;
	/** Accepts an unencrypted backup although a key is configured. */
	unsealed?: boolean;
}

/**
 * `access restore FILE`: replaces the database with a backup, and keeps the old database. `latest` is the newest backup
 * of a place. A folder without secrets gets those beside the backup; `--verify` reads them, too. A signal ends the restore
 * at once, and removes the decrypted copy. @throws OperationError and changes nothing
 */
export async function restore(context: ProcessContext, file: string, options: Options): Promise<void> {
	const config = configure(context);
	const { folder } = config;
	if (!options.verify) makeFolder(folder.path);
	const temporary = partialPath(options.verify ? join(tmpdir(), 'access.db') : folder.database);
	const stopped = Promise.withResolvers<never>();
	context.onStop(() => stopped.reject(new OperationError('stopped')));
	async function work(): Promise<void> {
		using _lock = options.verify ? undefined : lockFolder(folder);
		const found = await findBackup(context, file, temporary, config, options);
		await (options.verify ? verify(context, found, options) : replace(context, folder, found, options));
	}
	try {
		await Promise.race([work(), stopped.promise]);
	} finally {
		removeDatabase(temporary);
	}
}

async function replace(context: ProcessContext, folder: DataFolder, found: Found, form: OutputOptions): Promise<void> {
	const { name, path, secrets } = found;
	const done = withSecrets(folder, secrets, () => restoreDatabase(folder, path, new Date(), context.report));
	const age = reportAge(context, name, done.newestRecord);
	const before = done.replaced
		? `the database that was there is kept as ${done.replaced}`
		: 'there was no database before';
	const withIt = secrets === undefined ? '' : `; ${folder.secrets} came with it`;
	await answer(context, form, done, `${done.database} is now ${name}, ${age}; ${before}${withIt}`);
}

/** Describes the age of the newest record, and warns if it is far from the time in the name. */
function reportAge({ report }: ProcessContext, name: string, newestRecord: string | null): string {
	const problem = ageProblem(basename(name), newestRecord);
	if (problem !== undefined) report(`warning: ${problem}`);
	return newestRecord === null ? 'without a record' : `its newest record is from ${newestRecord}`;
}

/** Writes the secrets before the database that needs them is in place, and removes them if the restore fails. */
function withSecrets<T>({ secrets: path }: DataFolder, secrets: string | undefined, work: () => T): T {
	if (secrets === undefined) return work();
	withExplanation(path, () => writeDurably(path, secrets));
	try {
		return work();
	} catch (error) {
		rmSync(path, { force: true });
		throw error;
	}
}

/** `access restore --verify FILE`: opens, inspects and describes the backup. */
async function verify(context: ProcessContext, { name, path }: Found, form: OutputOptions): Promise<void> {
	const about = asCaller(() => describeBackup(path));
	const age = reportAge(context, name, about.newestRecord);
	const filled = Object.entries(about.rows).filter(([, count]) => count > 0);
	const rows = filled.map(([table, count]) => `${table}: ${count}`);
	const text = `${name} is sound: schema ${about.schema}, ${rows.join(', ')}; ${age}`;
	await answer(context, form, { backup: name, ...about }, text);
}

/** A backup as a file of this machine that can be opened. `name` is the operator's name for it. */
interface Found {
	name: string;
	path: string;
	secrets?: string | undefined;
}

/** @param temporary the file for a backup that is fetched or decrypted */
async function findBackup(
	{ report }: ProcessContext,
	file: string,
	temporary: string,
	config: Config,
	options: Options,
): Promise<Found> {
	const opening = createOpening(config, options);
	const path = resolve(file);
	const isNewest = meansNewest(file);
	const isNamed = !isBucket(file) && !isNewest;
	const source = isNamed ? sourceOf(path) : placeAt(dirname(file), config);
	const isFile = isNamed && asCaller(() => isThere(path) && statSync(path).isFile());
	const isSealed = isFile && checkSeal(await readHead(source, basename(path)), opening, path);
	// An unsealed backup is restored from where it is, and refused there if it is no file.
	if (isNamed && !isSealed) return { name: path, path };
	const { name, problem } = isNewest ? await getNewest(source, opening) : { name: basename(file) };
	if (problem !== undefined) report(`warning: ${problem}`);
	await writeNew(temporary, unseal(source, name, opening));
	const found = { name: `${source.name}/${name}`, path: temporary };
	if (!options.verify && isThere(config.folder.secrets)) return found;
	const secrets = await readBeside(source, name, 'secrets.json', opening);
	if (secrets !== undefined) parseSecrets(secrets, `the file beside ${found.name}`);
	return { ...found, secrets };
}

/** A named file and the secrets beside it, for the user who named it. That user may not be allowed to list its folder. */
function sourceOf(backup: string): CopySource {
	const name = dirname(backup);
	async function* read(file: string, length?: number) {
		const path = join(name, file);
		const opened = asCaller(() => withExplanation(path, () => openSync(path, 'r')));
		try {
			yield* Bun.file(opened).slice(0, length).stream();
		} finally {
			closeSync(opened);
		}
	}
	const files = [basename(backup), nameBeside(basename(backup), 'secrets.json')];
	return { name, list: async () => files.filter((file) => asCaller(() => isThere(join(name, file)))), read };
}

/** Whether a name means the newest backup of a place: `/mnt/nas/latest`, unless there is such a file. */
function meansNewest(file: string): boolean {
	if (basename(file) !== 'latest') return false;
	return isBucket(file) || asCaller(() => !isThere(file));
}
