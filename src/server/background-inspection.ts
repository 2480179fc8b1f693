/** The inspection of every page of a large database, beside the server that already uses it. */
import { inspectedCopy, removeAbandoned } from '../database/backup.ts';
import { maxInspected } from '../database/open.ts';
import type { DataFolder } from '../machine/data-folder.ts';
import { sizeOf } from '../machine/file-access.ts';
import { messageOf } from '../vocabulary/errors.ts';
import { runOwnCommand } from './scheduled-backups.ts';
import type { StartOptions } from './start-options.ts';

/**
 * Runs `access check --only database` in another process, for a database too large to be inspected before the start.
 * @param delay how long the first requests are spared the load, in milliseconds.
 * @returns a function that ends the inspection, and leaves nothing of it.
 */
export function inspectInBackground(
	folder: DataFolder,
	{ program, log, onFatal }: Pick<StartOptions, 'program' | 'log' | 'onFatal'>,
	delay = 5000,
): () => Promise<void> {
	if (sizeOf(folder.database) <= maxInspected) return async () => {};
	const ended = new AbortController();
	let running: Promise<void> | undefined;
	async function inspect(): Promise<void> {
		const command = [...program, 'check', '--only', 'database'];
		const { stdout, code } = await runOwnCommand(command, { DATA_DIR: folder.path }, ended.signal);
		if (code === 1 && stdout.startsWith('fail')) onFatal(`the database is damaged: ${stdout.trim()}`);
		if (stdout.startsWith('warn')) log.warn(stdout.replace(/^warn /, '').trim());
	}
	const timer = setTimeout(() => {
		running = inspect().catch((error) => log.warn('the database cannot be inspected', { error: messageOf(error) }));
	}, delay);
	return async () => {
		clearTimeout(timer);
		ended.abort();
		await running;
		removeAbandoned(inspectedCopy(folder.database));
	};
}
