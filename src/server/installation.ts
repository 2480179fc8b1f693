/** What makes a data folder an installation: its database, its mark, and what it says about its administrator. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OneTimePasswords } from '../auth/one-time-password.ts';
import { backUp, backupPath, backupsIn } from '../database/backup.ts';
import { type DatabaseFacts, type Db, hasDatabase, openDatabase, requireDatabaseOfLog } from '../database/open.ts';
import { describeLostPasswords } from '../employees/password-report.ts';
import type { Config } from '../machine/config.ts';
import { type DataFolder, makeFolder } from '../machine/data-folder.ts';
import { writeDurably } from '../machine/durable-file.ts';
import { explained, isThere } from '../machine/file-access.ts';
import type { Log } from '../machine/log.ts';
import { messageOf, OperationError } from '../vocabulary/errors.ts';
import { findAdministrator, hasPassword } from './administrator.ts';
import { fillSearchIndexes } from './search-upkeep.ts';
import type { StartOptions } from './start-options.ts';

/**
 * Opens the database of a server, creating it in a folder that never had one, and migrates it after a backup.
 * @throws OperationError when the database of an earlier installation is gone: a new one would be an empty chain.
 */
export function openInstallation(
	folder: DataFolder,
	{ startsNew, log }: Pick<StartOptions, 'startsNew' | 'log'>,
	clock: () => Date,
): Db {
	requireExpectedDatabase(folder, startsNew);
	return openDatabase(folder.database, {
		beforeUpgrade: (facts) => backUpBeforeUpgrade(folder, facts, clock(), log),
		afterMigration: fillSearchIndexes,
		progress: everyTwoSeconds((step) => log.info(step)),
	});
}

const markText =
	'This folder has had a database. If access.db is missing, the server does not start with an empty one: restore a backup, or start from nothing with access serve --new.\n';

/**
 * Leaves a mark in a folder whose database exists by now, so that a start without it is refused. Before anything is
 * entered; an installation of an earlier version gets it at its next start.
 * @throws OperationError
 */
export function markInstalled({ mark }: DataFolder): void {
	if (isThere(mark)) return;
	explained(mark, () => writeDurably(mark, markText));
}

function requireExpectedDatabase(folder: DataFolder, startsNew: boolean): void {
	const { database } = folder;
	if (hasDatabase(database)) {
		if (!startsNew) return;
		throw new OperationError(`--new is for a folder without a database, but there is ${database}: leave out --new`);
	}
	requireDatabaseOfLog(database);
	const trace = traceOfEarlier(folder);
	if (trace === undefined || startsNew) return;
	const remedy = 'restore a backup with access restore FILE, or start from nothing with access serve --new';
	throw new OperationError(`${database} is missing or empty, but ${trace} is from an earlier one: ${remedy}`);
}

/** A file that shows that the folder had a database before. */
function traceOfEarlier({ path, mark, secrets, backups }: DataFolder): string | undefined {
	for (const file of [mark, secrets]) if (isThere(file)) return file;
	const [backup] = backupsIn(backups);
	if (backup) return join(backups, backup);
	const replaced = readdirSync(path).find((name) => name.startsWith('replaced-'));
	return replaced && join(path, replaced);
}

/** The backup allows to undo an upgrade. */
function backUpBeforeUpgrade(folder: DataFolder, facts: DatabaseFacts, at: Date, log: Log): void {
	const { schemaVersion, pendingMigrations } = facts;
	makeFolder(folder.backups);
	const target = backupPath(folder.backups, at, `before-upgrade-from-${schemaVersion}`);
	backUp(folder.database, target, (step) => log.info(`backup before the upgrade: ${step}`));
	log.info('migrating the database', { from: schemaVersion, migrations: pendingMigrations, backup: target });
}

/** Lets a report through at most once in two seconds. */
function everyTwoSeconds(report: (step: string) => void): (step: string) => void {
	let last = performance.now();
	return (step) => {
		if (performance.now() - last < 2000) return;
		last = performance.now();
		report(step);
	};
}

/** Warns once of one-time passwords that this installation cannot check. @returns a function that ends the search for them. */
export function warnOfLostPasswords(
	db: Db,
	{ form }: OneTimePasswords,
	clock: () => Date,
	log: Log,
): () => Promise<void> {
	const ended = new AbortController();
	async function warn(): Promise<void> {
		const problem = await describeLostPasswords(db, { form, at: clock().toISOString(), signal: ended.signal });
		if (problem !== undefined) log.warn(problem);
	}
	const searched = warn().catch((error) =>
		log.warn('one-time passwords cannot be counted', { error: messageOf(error) }),
	);
	return () => {
		ended.abort();
		return searched;
	};
}

/**
 * Warns once when `ADMIN_USERNAME` or `ADMIN_PASSWORD` differ from the stored account, which they do not change after the
 * first start.
 */
export async function warnOfOtherAdministrator(db: Db, config: Config, log: Log): Promise<void> {
	const stored = findAdministrator(db)?.name;
	const commands: Record<string, string> = {};
	if (config.ADMIN_USERNAME !== undefined && config.ADMIN_USERNAME !== stored) {
		commands.ADMIN_USERNAME = 'access admin rename';
	}
	if (config.ADMIN_PASSWORD !== undefined && !(await hasPassword(db, config.ADMIN_PASSWORD))) {
		commands.ADMIN_PASSWORD = 'access admin reset-password';
	}
	const [variables, remedies] = [Object.keys(commands), Object.values(commands)];
	if (variables.length === 0) return;
	const verb = variables.length === 1 ? 'differs' : 'differ';
	log.warn(`${variables.join(' and ')} ${verb} from the stored administrator, who is not changed by a start`, {
		administrator: stored,
		change: remedies.join(', '),
	});
}
