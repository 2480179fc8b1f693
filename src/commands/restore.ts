import { resolve } from 'node:path';
import { restore as restoreDatabase } from '../database/restore.ts';
import { lockFolder, makeFolder } from '../machine/data-folder.ts';
import { findData } from './data.ts';
import type { ProcessContext } from './process.ts';

/**
 * `access restore FILE`: puts a backup in the place of the database, and keeps the replaced one.
 * @throws OperationError, and nothing has changed.
 */
export async function restore(
	context: ProcessContext,
	file: string,
	{ json = false }: { json?: boolean },
): Promise<number> {
	const { folder } = findData(context);
	makeFolder(folder.path);
	const lock = lockFolder(folder);
	try {
		const backup = resolve(file);
		const done = restoreDatabase(folder, backup, new Date(), context.report);
		const before = done.replaced
			? `the database that was there is kept as ${done.replaced}`
			: 'there was no database before';
		await context.write(json ? `${JSON.stringify(done)}\n` : `${done.database} is now ${backup}; ${before}\n`);
		return 0;
	} finally {
		lock.release();
	}
}
