import { requireDatabaseFile } from '../database/open.ts';
import { lockFolder } from '../machine/data-folder.ts';
import { migrateInstallation } from '../server/installation.ts';
import { findData } from './data.ts';
import type { ProcessContext } from './process.ts';

/** `access migrate`, which the installer runs after its backup: brings the database of a stopped server up to date. @throws OperationError */
export async function migrate(context: ProcessContext): Promise<number> {
	const { folder } = findData(context);
	requireDatabaseFile(folder.database);
	using _lock = lockFolder(folder);
	migrateInstallation(folder, context.report);
	return 0;
}
