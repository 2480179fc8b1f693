/** The automatic backups of a server (BACKUP_EVERY_HOURS, BACKUP_KEEP) and their copies (BACKUP_TO). */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { record, system } from '../identity/history/record.ts';
import { backupPath, listAutomaticBackups, removeOldBackups } from '../platform/database/backup.ts';
import { explainFailure } from '../platform/database/failure.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/query.ts';
import type { Config } from '../platform/machine/config.ts';
import { type DataFolder, makeFolder } from '../platform/machine/data-folder.ts';
import { parseJson, writeDurably } from '../platform/machine/durable-file.ts';
import { isThere } from '../platform/machine/file-access.ts';
import type { Log } from '../platform/machine/log.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';

interface BackupDependencies {
	config: Config;
	program: readonly string[];
	log: Log;
	db: Db;
}

const minute = 60 * 1000;
const hour = 60 * minute;

/** The time from the first start to the first backup, so that the backup holds the first entries. */
const firstBackupDelay = hour / 2;

/**
 * Backs up whenever the newest automatic backup is older than the configured age, copies it, and removes old backups.
 * Other processes of this program back up and copy, so that the server goes on answering. @returns a function that ends
 * the schedule
 */
export function scheduleBackups(dependencies: BackupDependencies): () => void {
	const { config, log } = dependencies;
	const { folder } = config;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let ended = false;
	let copied: string | undefined;
	async function run(): Promise<void> {
		const problems: BackupProblems = {};
		try {
			await backUpWhenDue(dependencies);
		} catch (error) {
			problems.backup = explainFailure(folder, error);
			log.error('the automatic backup failed', { error: problems.backup });
		}
		try {
			copied = await copyNewest(dependencies, copied);
		} catch (error) {
			problems.copy = explainFailure(folder, error);
			log.warn('the backup could not be copied', { error: problems.copy });
		}
		noteProblems(folder, problems);
		if (!ended) timer = setTimeout(run, Object.keys(problems).length > 0 ? 10 * minute : minute);
	}
	void run();
	return () => {
		ended = true;
		clearTimeout(timer);
	};
}

/**
 * Backs up if the newest backup is old enough or, without one, the first start is long enough ago. Removes old backups even
 * if it fails: with a lower BACKUP_KEEP, this makes room on a full disk.
 */
async function backUpWhenDue(dependencies: BackupDependencies): Promise<void> {
	const { folder, BACKUP_EVERY_HOURS: hours } = dependencies.config;
	const newest = listAutomaticBackups(folder.backups).at(-1);
	const isDue = newest ? Date.now() - newest.at.getTime() >= hours * hour : sinceFirstStart(folder) >= firstBackupDelay;
	try {
		// 0 hours stand for no automatic backups.
		if (hours > 0 && isDue) await backUp(dependencies);
	} finally {
		removeOld(dependencies);
	}
}

async function backUp({ config, program, log, db }: BackupDependencies): Promise<void> {
	const { backups } = config.folder;
	makeFolder(backups);
	// Recorded first, so that the backup itself holds its time.
	transaction(db, () => record(db, system(new Date().toISOString()), { action: 'BACKUP' }));
	const command = [...program, 'backup', '--json', backupPath(backups, new Date(), 'automatic')];
	const env = { DATA_DIR: config.DATA_DIR, SETTINGS_FILE: devNull };
	log.info('backed up', await runOwnCommand(command, { env }));
}

/** Removes old backups, also those of upgrades, and the databases that restores put aside. */
export function removeOld({ config: { folder, BACKUP_KEEP }, log }: Pick<BackupDependencies, 'config' | 'log'>): void {
	const old = removeOldBackups(folder.backups, ['automatic', 'before-upgrade'], BACKUP_KEEP);
	const removed = old.concat(removeOldBackups(folder.path, ['replaced'], BACKUP_KEEP));
	if (removed.length > 0) log.info('removed old backups', { removed });
}

/** Copies the newest backup to the other place, unless it was copied before. @returns the name of the copied one */
async function copyNewest(
	{ config, program, log }: BackupDependencies,
	copied: string | undefined,
): Promise<string | undefined> {
	const newest = listAutomaticBackups(config.folder.backups).at(-1)?.name;
	if (config.BACKUP_TO === undefined || newest === undefined || newest === copied) return copied;
	const stdin = new Blob([JSON.stringify(config)]);
	log.info('copied the backup', await runOwnCommand([...program, 'copy-backup'], { stdin }));
	return newest;
}

/** The milliseconds since the first start in a folder: 0 before it, and infinite if the clock was ahead then. */
export function sinceFirstStart({ mark }: DataFolder): number {
	const made = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
	if (made === undefined) return 0;
	// The clocks of files and of programs can differ a little.
	return made > Date.now() + minute ? Number.POSITIVE_INFINITY : Date.now() - made;
}

interface BackupProblems {
	backup?: string;
	copy?: string;
}

/** Reads the problems of the newest automatic backup and its copy, for a command that runs while the server does. */
export function readBackupProblems({ backupProblems: path }: DataFolder): BackupProblems {
	const known = isThere(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
	return (known ?? {}) as BackupProblems;
}

function noteProblems({ backupProblems: path }: DataFolder, problems: BackupProblems): void {
	try {
		if (Object.keys(problems).length > 0) writeDurably(path, JSON.stringify(problems));
		else rmSync(path, { force: true });
	} catch {
		// The log has the problem. The check of the disk reports a full disk.
	}
}

/**
 * Runs another command of this program for an hour at most. Without another environment it has that of the server, which
 * can name a proxy. @returns its answer. @throws OperationError with its message
 */
async function runOwnCommand(
	command: string[],
	given: { env?: Record<string, string>; stdin?: Blob },
): Promise<Record<string, unknown>> {
	const child = Bun.spawn(command, { ...given, stdout: 'pipe', stderr: 'pipe' });
	const ending = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	const ended = await Promise.race([ending, Bun.sleep(hour)]);
	if (ended === undefined) {
		// Its end is not awaited: on a network folder whose server is gone, it may not even be killed.
		child.kill('SIGKILL');
		throw new OperationError('it did not end within an hour: check that the disk and BACKUP_TO answer');
	}
	const [stdout, stderr, code] = ended;
	if (code !== 0) throw new OperationError(stderr.trim() || `it ended with ${code}`);
	return JSON.parse(stdout);
}
