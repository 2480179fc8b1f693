/** The automatic backups of a server (BACKUP_EVERY_HOURS, BACKUP_KEEP). */
import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { automaticBackups, backupPath, removeOldBackups } from '../database/backup.ts';
import { bucketVariables } from '../machine/config.ts';
import { dataFolderAt, makeFolder } from '../machine/data-folder.ts';
import { explainFileError, isFileError } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';
import type { StartOptions } from './start-options.ts';

/** What a server was started with. */
type Running = Pick<StartOptions, 'config' | 'program' | 'log'>;

const hour = 60 * 60 * 1000;
const checkEvery = 60 * 1000;
const tryCopyEvery = 10 * 60 * 1000;

/**
 * Backs up whenever the newest automatic backup is older than the configured age, also one made before a restart. The
 * work is done by another process of this program, so that the server goes on answering.
 * @returns a function that ends the schedule.
 */
export function scheduleBackups(running: Running): () => void {
	const { config, log } = running;
	if (config.BACKUP_EVERY_HOURS === 0) return () => {};
	const { backups } = dataFolderAt(config.DATA_DIR);
	let timer: ReturnType<typeof setTimeout> | undefined;
	let ended = false;
	async function backUpWhenDue(): Promise<void> {
		if (ended) return;
		try {
			if (age(backups) >= config.BACKUP_EVERY_HOURS * hour) {
				await runBackup(running);
				const removed = removeOldBackups(backups, config.BACKUP_KEEP);
				if (removed.length > 0) log.info('removed old backups', { removed });
			}
			await copyNewest();
		} catch (error) {
			log.error('the automatic backup failed', { error: explain(backups, error) });
		} finally {
			if (!ended) timer = setTimeout(backUpWhenDue, checkEvery);
		}
	}
	/** The newest backup is copied until it is in the other place; after a failure it is tried again later. */
	let copied: string | undefined;
	let nextTry = 0;
	async function copyNewest(): Promise<void> {
		const newest = automaticBackups(backups).at(-1);
		if (config.BACKUP_TO === undefined || newest === undefined || newest === copied || Date.now() < nextTry) return;
		nextTry = Date.now() + tryCopyEvery;
		if (await runCopy(running)) [copied, nextTry] = [newest, 0];
	}
	void backUpWhenDue();
	return () => {
		ended = true;
		clearTimeout(timer);
	};
}

function explain(folder: string, error: unknown): string {
	if (error instanceof OperationError) return error.message;
	return isFileError(error) ? explainFileError(folder, error) : Bun.inspect(error);
}

/** How old the newest automatic backup is, in milliseconds; without one, older than any limit. */
function age(folder: string): number {
	const newest = automaticBackups(folder).at(-1);
	return newest === undefined ? Number.POSITIVE_INFINITY : Date.now() - statSync(join(folder, newest)).mtimeMs;
}

async function runBackup({ config, program, log }: Running): Promise<void> {
	const { backups } = dataFolderAt(config.DATA_DIR);
	makeFolder(backups);
	const command = [...program, 'backup', '--json', backupPath(backups, new Date(), 'automatic')];
	const { stdout, stderr, code } = await runOwnCommand(command, { DATA_DIR: config.DATA_DIR });
	if (code === 0) log.info('backed up', JSON.parse(stdout));
	else log.error('the automatic backup failed', { error: stderr.trim() });
}

/** What copying needs to know. */
const copySettings = [
	'DATA_DIR',
	'BACKUP_TO',
	'BACKUP_KEEP',
	'BACKUP_KEY_FILE',
	'BACKUP_SECRETS',
	...bucketVariables,
] as const;

/** Copies the newest automatic backup. @returns whether it is in the other place now. */
async function runCopy({ config, program, log }: Running): Promise<boolean> {
	const settings = copySettings.flatMap((name) => (config[name] === undefined ? [] : [[name, String(config[name])]]));
	const environment = Object.fromEntries(settings);
	const { stdout, stderr, code } = await runOwnCommand([...program, 'copy-backup', '--json'], environment);
	if (code === 0) log.info('copied the backup', JSON.parse(stdout));
	else log.warn('the backup could not be copied', { error: stderr.trim() });
	return code === 0;
}

/** Runs another command of this program, which knows no other settings than these. */
export async function runOwnCommand(command: string[], environment: Record<string, string>, signal?: AbortSignal) {
	const env = { ...environment, SETTINGS_FILE: devNull };
	const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe', ...(signal && { signal }) });
	const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	return { stdout, stderr, code };
}
