/** How every command finds, opens and names the data it works on. */

import { type Db, openExistingDatabase } from '../database/open.ts';
import { readConfig } from '../machine/config.ts';
import { dataFolderAt, requireAccess } from '../machine/data-folder.ts';
import { workAsOwnerOf } from '../machine/folder-owner.ts';
import type { ProcessContext } from './process.ts';

/** The configuration and the data folder. */
export type Data = ReturnType<typeof findData>;

/** Finds the data. From here on, root works as the owner of the folder. @throws OperationError */
export function findData({ environment }: ProcessContext) {
	const config = readConfig(environment);
	const folder = dataFolderAt(config.DATA_DIR);
	workAsOwnerOf(folder.path);
	requireAccess(folder);
	return { config, folder };
}

/** The database, also while a server uses it; `using` closes it. @throws OperationError */
export function openData(context: ProcessContext): Db {
	return openExistingDatabase(findData(context).folder.database);
}
