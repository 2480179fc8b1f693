/** The configuration and the database of a command. */
import { type Db, openExistingDatabase } from '../platform/database/open.ts';
import { type Config, readConfig } from '../platform/machine/config.ts';
import { workAsOwnerOf } from '../platform/machine/folder-owner.ts';
import type { ProcessContext } from './process.ts';

/** Reads the configuration. From here on, root works as the owner of the data folder. @throws OperationError */
export function configure({ environment }: ProcessContext): Config {
	const config = readConfig(environment);
	workAsOwnerOf(config.DATA_DIR);
	return config;
}

/** Opens the database, also while the server runs. `using` closes it. @throws OperationError */
export function openData(context: ProcessContext): Db {
	return openExistingDatabase(configure(context).folder.database);
}
