/** The automatic backups of a server (BACKUP_EVERY_HOURS, BACKUP_KEEP). */
import { devNull } from 'node:os';
import { record } from '../identity/history/record.ts';
import { automaticBackups, backupPath, removeOldBackups } from '../platform/database/backup.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/query.ts';
import { bucketVariables, type Config } from '../platform/machine/config.ts';
import { dataFolderAt, makeFolder } from '../platform/machine/data-folder.ts';
import { explainFileError, isFileError } from '../platform/machine/file-access.ts';
import type { Log } from '../platform/machine/log.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';

interface Running {
	config: Config;
	program: readonly string[];
	log: Log;
	/** Leaves a record of a backup in the history, so that the backup itself tells its time. */
	record(): void;
}

const minute = 60 * 1000;
const hour = 60 * minute;

/**
 * Backs up whenever the newest automatic backup is older than the configured age, and removes the old ones, in another process of
 * this program: the server goes on answering. @returns what ends the schedule.
 */
export function scheduleBackups(running: Running): () => void {
	const { config, program, log } = running;
	const { backups } = dataFolderAt(config.DATA_DIR);
	let timer: ReturnType<typeof setTimeout> | undefined;
	let ended = false;
	async function run(): Promise<void> {
		let pause = minute;
		try {
			if (isDue()) await backUp();
			removeOld();
		} catch (error) {
			log.error('the automatic backup failed', { error: explain(backups, error) });
			pause = 10 * minute;
		}
		try {
			await copyNewest();
		} catch (error) {
			log.warn('the backup could not be copied', { error: explain(backups, error) });
			pause = 10 * minute;
		}
		if (!ended) timer = setTimeout(run, pause);
	}
	function isDue(): boolean {
		if (config.BACKUP_EVERY_HOURS === 0) return false;
		const newest = automaticBackups(backups).at(-1);
		return newest === undefined || Date.now() - newest.at.getTime() >= config.BACKUP_EVERY_HOURS * hour;
	}
	async function backUp(): Promise<void> {
		running.record();
		makeFolder(backups);
		const command = [...program, 'backup', '--json', backupPath(backups, new Date(), 'automatic')];
		log.info('backed up', await runOwnCommand(command, { DATA_DIR: config.DATA_DIR }));
	}
	/** Also those of installing and upgrading, where none are made by the time. */
	function removeOld(): void {
		const removed = removeOldBackups(backups, config.BACKUP_KEEP);
		if (removed.length > 0) log.info('removed old backups', { removed });
	}
	let copied: string | undefined;
	async function copyNewest(): Promise<void> {
		const newest = automaticBackups(backups).at(-1)?.name;
		if (config.BACKUP_TO === undefined || newest === undefined || newest === copied) return;
		const given = copySettings.flatMap((name) => (config[name] === undefined ? [] : [[name, String(config[name])]]));
		const command = [...program, 'copy-backup', '--json'];
		log.info('copied the backup', await runOwnCommand(command, Object.fromEntries(given)));
		copied = newest;
	}
	void run();
	return () => {
		ended = true;
		clearTimeout(timer);
	};
}

/** Records that the program backs up. */
export function recordBackup(db: Db, at: Date): void {
	const actor = { accountType: 'SYSTEM', id: null, name: 'system' } as const;
	const context = { actor, address: null, requestId: null, at: at.toISOString() };
	transaction(db, () => record(db, context, { action: 'BACKUP' }));
}

function explain(folder: string, error: unknown): string {
	if (error instanceof OperationError) return error.message;
	return isFileError(error) ? explainFileError(folder, error) : Bun.inspect(error);
}

const copySettings = [
	'DATA_DIR',
	'BACKUP_TO',
	'BACKUP_KEEP',
	'BACKUP_KEY_FILE',
	'BACKUP_SECRETS',
	...bucketVariables,
] as const;

/** Runs another command of this program, which knows no other settings than these. @throws OperationError with what it said */
async function runOwnCommand(command: string[], environment: Record<string, string>): Promise<Record<string, unknown>> {
	const env = { ...environment, SETTINGS_FILE: devNull };
	const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' });
	const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	if (code !== 0) throw new OperationError(stderr.trim());
	return JSON.parse(stdout);
}
