/** A look at every page of a large database, beside the server that already serves from it. */
import { statSync } from 'node:fs';
import { dataFolderAt } from '../data-folder.ts';
import { largestInspected } from '../database/open.ts';

/**
 * Has another process of this program look through a database that is too large to be looked through before the start.
 * @returns what is wrong with it, or undefined when it is sound or was looked through already.
 */
export async function inspectInBackground(dataDir: string, program: readonly string[]): Promise<string | undefined> {
	if (statSync(dataFolderAt(dataDir).database).size <= largestInspected) return undefined;
	const child = Bun.spawn([...program, 'check', '--only', 'database'], {
		env: { DATA_DIR: dataDir },
		stdout: 'pipe',
		stderr: 'ignore',
	});
	const [report, code] = await Promise.all([child.stdout.text(), child.exited]);
	return code === 1 && report.startsWith('fail') ? report.trim() : undefined;
}
