/** The data that a command works on. */
import { type Db, openExistingDatabase } from '../platform/database/open.ts';
import { readAnyConfig, readConfig } from '../platform/machine/config.ts';
import { dataFolderAt } from '../platform/machine/data-folder.ts';
import { workAsOwnerOf } from '../platform/machine/folder-owner.ts';
import type { ProcessContext } from './process.ts';

export type Data = ReturnType<typeof findData>;

/**
 * Reads the configuration and finds the data folder. From here on, root works as its owner. @param mayBeWrong whether a
 * wrong configuration is no error
 * @throws OperationError
 */
export function findData({ environment }: ProcessContext, mayBeWrong = false) {
	const config = mayBeWrong ? readAnyConfig(environment) : readConfig(environment);
	const folder = dataFolderAt(config.DATA_DIR);
	workAsOwnerOf(folder.path);
	return { config, folder };
}

/** Opens the database, also while the server runs. `using` closes it. @throws OperationError */
export function openData(context: ProcessContext): Db {
	return openExistingDatabase(findData(context).folder.database);
}
