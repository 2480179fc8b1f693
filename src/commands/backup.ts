import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { dataFolderAt, makeFolder } from '../data-folder.ts';
import { backUp, backupName, requireDatabase } from '../database/backup.ts';
import type { Terminal } from './terminal.ts';

/**
 * `access backup [FILE]`: a verified copy of the database, also while a server serves from it.
 * @throws OperationError
 */
export function backup(terminal: Terminal, file: string | undefined, { json = false }: { json?: boolean }): number {
	const folder = dataFolderAt(readConfig(terminal.environment).DATA_DIR);
	requireDatabase(folder.database);
	if (file === undefined) makeFolder(folder.backups);
	const target = file ?? join(folder.backups, backupName(new Date()));
	const made = backUp(folder.database, target, (step) => void terminal.stderr.write(`${step}\n`));
	const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
	terminal.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.path} (${made.bytes} bytes, ${rows} rows)\n`);
	return 0;
}
