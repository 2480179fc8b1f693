import { readConfig } from '../config.ts';
import { dataFolderAt, lockFolder, makeFolder } from '../data-folder.ts';
import { restore as restoreDatabase } from '../database/restore.ts';
import type { Terminal } from './terminal.ts';

/**
 * `access restore FILE`: puts a backup in the place of the database, and keeps the replaced one aside.
 * @throws OperationError, and nothing has changed.
 */
export function restore(terminal: Terminal, file: string, { json = false }: { json?: boolean }): number {
	const folder = dataFolderAt(readConfig(terminal.environment).DATA_DIR);
	makeFolder(folder.path);
	const lock = lockFolder(folder);
	try {
		const done = restoreDatabase(folder, file, new Date(), (step) => void terminal.stderr.write(`${step}\n`));
		const kept = done.replaced ? `; the replaced one is ${done.replaced}` : '';
		terminal.stdout.write(json ? `${JSON.stringify(done)}\n` : `${done.database} is now ${file}${kept}\n`);
		return 0;
	} finally {
		lock.release();
	}
}
