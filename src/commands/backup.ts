import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { backUp, backupPath } from '../database/backup.ts';
import { requireDatabaseFile } from '../database/open.ts';
import { makeFolder } from '../machine/data-folder.ts';
import { asCaller } from '../machine/folder-owner.ts';
import { findData } from './data.ts';
import type { ProcessContext } from './process.ts';

/**
 * `access backup [FILE]`: a verified copy of the database, also while a server uses it. In a folder the name is made
 * from the time; without an argument the folder is `backups` in the data folder.
 * @throws OperationError
 */
export async function backup(
	context: ProcessContext,
	file: string | undefined,
	{ json = false }: { json?: boolean },
): Promise<number> {
	const { folder } = findData(context);
	requireDatabaseFile(folder.database);
	if (file === undefined) makeFolder(folder.backups);
	const place = resolve(file ?? folder.backups);
	// What is in the data folder belongs to its owner, also when root makes it.
	const isInside = !relative(folder.path, place).startsWith('..');
	const writer: typeof asCaller = isInside ? (work) => work() : asCaller;
	const isFolder = writer(() => existsSync(place) && statSync(place).isDirectory());
	const target = isFolder ? backupPath(place, new Date()) : place;
	const made = backUp(folder.database, target, context.report, writer);
	const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
	await context.write(json ? `${JSON.stringify(made)}\n` : `${made.path} (${made.bytes} bytes, ${rows} rows)\n`);
	return 0;
}
