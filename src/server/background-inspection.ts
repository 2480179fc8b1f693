/** The inspection of every page of a large database, beside the server that already uses it. */
import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { maxInspected } from '../database/open.ts';
import type { DataFolder } from '../machine/data-folder.ts';

/** How long the first requests are spared the load, in milliseconds. */
const delay = 5000;

/**
 * Runs `access check --only database` in another process, for a database too large to be inspected before the start.
 * `onDamage` receives what is wrong with it.
 * @returns a function that ends the inspection.
 */
export function inspectInBackground(
	folder: DataFolder,
	program: readonly string[],
	onDamage: (problem: string) => void,
): () => void {
	if (statSync(folder.database).size <= maxInspected) return () => {};
	const ended = new AbortController();
	const timer = setTimeout(async () => {
		const child = Bun.spawn([...program, 'check', '--only', 'database'], {
			env: { DATA_DIR: folder.path, SETTINGS_FILE: devNull },
			stdout: 'pipe',
			stderr: 'ignore',
			signal: ended.signal,
		});
		const [report, code] = await Promise.all([child.stdout.text(), child.exited]);
		if (code === 1 && report.startsWith('fail')) onDamage(`the database is damaged: ${report.trim()}`);
	}, delay);
	return () => {
		clearTimeout(timer);
		ended.abort();
	};
}
