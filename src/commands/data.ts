/** How every command finds, opens and names the data it works on. */
import { type Db, explainDatabaseError, openExistingDatabase } from '../platform/database/open.ts';
import { readConfig } from '../platform/machine/config.ts';
import { type DataFolder, dataFolderAt } from '../platform/machine/data-folder.ts';
import { workAsOwnerOf } from '../platform/machine/folder-owner.ts';
import type { ProcessContext } from './process.ts';

export type Data = ReturnType<typeof findData>;

/** Finds the data. From here on, root works as the owner of the folder. @throws OperationError */
export function findData({ environment }: ProcessContext) {
	const config = readConfig(environment);
	const folder = dataFolderAt(config.DATA_DIR);
	workAsOwnerOf(folder.path);
	return { config, folder };
}

/** The database, also while a server uses it; `using` closes it. @throws OperationError */
export function openData(context: ProcessContext): Db {
	return openExistingDatabase(findData(context).folder.database);
}

/** One line for an error about a file: the one that it names, else the database. */
export function explainInData({ database }: DataFolder, error: unknown): string {
	const path = error instanceof Error && 'path' in error ? String(error.path) : database;
	return explainDatabaseError(path, error);
}
