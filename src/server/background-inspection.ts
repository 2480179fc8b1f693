/** The inspection of every page of a large database, beside the server that already uses it. */
import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { removeAbandoned } from '../database/backup.ts';
import { inspectedCopy } from '../database/inspection.ts';
import { maxInspected } from '../database/open.ts';
import type { DataFolder } from '../machine/data-folder.ts';
import type { Log } from '../machine/log.ts';
import { messageOf } from '../vocabulary/errors.ts';

interface Options {
	folder: DataFolder;
	/** How to run another command of this program. */
	program: readonly string[];
	log: Log;
	/** Receives what is wrong with the database. */
	onDamage: (problem: string) => void;
	/** How long the first requests are spared the load, in milliseconds. */
	delay?: number;
}

/**
 * Runs `access check --only database` in another process, for a database too large to be inspected before the start.
 * @returns a function that ends the inspection, and leaves nothing of it.
 */
export function inspectInBackground(options: Options): () => Promise<void> {
	const { folder, program, log, onDamage, delay = 5000 } = options;
	if (statSync(folder.database).size <= maxInspected) return async () => {};
	const ended = new AbortController();
	let running: Promise<void> | undefined;
	async function run(): Promise<void> {
		const child = Bun.spawn([...program, 'check', '--only', 'database'], {
			env: { DATA_DIR: folder.path, SETTINGS_FILE: devNull },
			stdout: 'pipe',
			stderr: 'ignore',
			signal: ended.signal,
		});
		const [report, code] = await Promise.all([child.stdout.text(), child.exited]);
		if (code === 1 && report.startsWith('fail')) onDamage(`the database is damaged: ${report.trim()}`);
		if (report.startsWith('warn')) log.warn(report.replace(/^warn /, '').trim());
	}
	const timer = setTimeout(() => {
		running = run().catch((error) => log.warn('the database cannot be inspected', { error: messageOf(error) }));
	}, delay);
	return async () => {
		clearTimeout(timer);
		ended.abort();
		await running;
		removeAbandoned(inspectedCopy(folder.database));
	};
}
