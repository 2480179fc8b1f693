import { findAdministratorWith, listAdministrators } from '../features/administrators/service.ts';
import { backUp, backupPath } from '../platform/database/backup.ts';
import { type Db, hasDatabase, openDatabase, requireDatabaseOfLog } from '../platform/database/open.ts';
import { schemaVersion } from '../platform/database/schema-version.ts';
import type { Config } from '../platform/machine/config.ts';
import { type DataFolder, makeFolder } from '../platform/machine/data-folder.ts';
import { removeAbandoned, writeDurably } from '../platform/machine/durable-file.ts';
import { isThere, withExplanation } from '../platform/machine/file-access.ts';
import type { Log } from '../platform/machine/log.ts';
import { OperationError, orUndefined } from '../platform/vocabulary/errors.ts';
import { removeOld } from './scheduled-backups.ts';

/**
 * Opens the database of a server and migrates it after a backup. A folder that never had a database gets a new one.
 * @throws OperationError when the database of an earlier installation is missing: a new one would be an empty chain
 */
export function openInstallation(config: Config, { startsNew, log }: { startsNew: boolean; log: Log }): Db {
	const { folder } = config;
	requireExpectedDatabase(folder, startsNew);
	// Removes what a killed restore left.
	removeAbandoned(folder.path);
	return openDatabase(folder.database, {
		beforeUpgrade: (version) => backUpBeforeUpgrade(config, version, log),
		progress: (step) => log.info(step),
	});
}

const markText =
	'This folder has had a database. If access.db is missing, the server does not start with an empty one: ' +
	'restore a backup, or start from nothing with access serve --new.\n';

/** Marks a folder that has a database, so that a later start without it is refused. @throws OperationError */
export function markInstalled({ mark }: DataFolder): void {
	if (isThere(mark)) return;
	withExplanation(mark, () => writeDurably(mark, markText));
}

function requireExpectedDatabase({ database, mark }: DataFolder, startsNew: boolean): void {
	if (hasDatabase(database)) {
		if (!startsNew) return;
		throw new OperationError(`--new is for a folder without a database, but there is ${database}: leave out --new`);
	}
	requireDatabaseOfLog(database);
	if (startsNew || !isThere(mark)) return;
	const remedy = 'restore a backup with access restore FILE, or start from nothing with access serve --new';
	throw new OperationError(`${database} is missing or empty, but ${mark} is from an earlier one: ${remedy}`);
}

/** Backs up before a migration, so that an upgrade can be undone. */
function backUpBeforeUpgrade(config: Config, version: number, log: Log): void {
	const { folder } = config;
	makeFolder(folder.backups);
	const target = backupPath(folder.backups, new Date(), `before-upgrade-from-${version}`);
	backUp(folder.database, target, (step) => log.info(`backup before the upgrade: ${step}`));
	// A migration that fails is tried again for ever by a service manager. The running server reports a failed removal.
	orUndefined(() => removeOld({ config, log }));
	log.info('migrating the database', { from: version, migrations: schemaVersion - version, backup: target });
}

/** Warns if the configured administrator is none of the stored ones. Only the first start makes the administrator. */
export async function warnOfOtherAdministrator(db: Db, config: Config, log: Log): Promise<void> {
	const stored = listAdministrators(db).map(({ username }) => username);
	const { ADMIN_USERNAME: name, ADMIN_PASSWORD: password } = config;
	const isOtherName = name !== undefined && !stored.includes(name);
	const isOtherPassword = password !== undefined && !(await findAdministratorWith(db, password));
	const commands = {
		...(isOtherName && { ADMIN_USERNAME: 'access admin rename' }),
		...(isOtherPassword && { ADMIN_PASSWORD: 'access admin reset-password' }),
	};
	const variables = Object.keys(commands);
	if (variables.length === 0) return;
	const verb = variables.length === 1 ? 'differs' : 'differ';
	log.warn(`${variables.join(' and ')} ${verb} from the stored administrator, and a start changes nothing`, {
		administrator: stored.join(', '),
		change: Object.values(commands).join(', '),
	});
}
