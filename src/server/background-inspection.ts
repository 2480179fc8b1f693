/** A look at every page of a large database, beside the server that already serves from it. */
import { statSync } from 'node:fs';
import { dataFolderAt } from '../data-folder.ts';
import { largestInspected } from '../database/open.ts';

/** The first requests come first, in milliseconds. */
const delay = 5000;

/**
 * Has another process of this program look through a database that is too large to be looked through before the start.
 * `onDamage` is told what is wrong with it.
 * @returns a function that ends the inspection.
 */
export function inspectInBackground(
	dataDir: string,
	program: readonly string[],
	onDamage: (problem: string) => void,
): () => void {
	if (statSync(dataFolderAt(dataDir).database).size <= largestInspected) return () => {};
	const ended = new AbortController();
	const timer = setTimeout(async () => {
		const child = Bun.spawn([...program, 'check', '--only', 'database'], {
			env: { DATA_DIR: dataDir },
			stdout: 'pipe',
			stderr: 'ignore',
			signal: ended.signal,
		});
		const [report, code] = await Promise.all([child.stdout.text(), child.exited]);
		if (code === 1 && report.startsWith('fail')) onDamage(report.trim());
	}, delay);
	return () => {
		clearTimeout(timer);
		ended.abort();
	};
}
