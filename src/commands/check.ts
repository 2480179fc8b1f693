import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasPassword } from '../auth/administrator.ts';
import { readConfig } from '../config.ts';
import { type DataFolder, dataFolderAt, lockFolder } from '../data-folder.ts';
import { closeDatabase, type Db, inspectDatabase, largestInspected, openExistingDatabase } from '../database/open.ts';
import { snapshot, transaction } from '../database/query.ts';
import { countInitialPasswords } from '../employees/initial-passwords.ts';
import { isIndexSound, rebuildIndex } from '../employees/search-index.ts';
import { messageOf, OperationError } from '../errors.ts';
import { timeOfNewest } from '../history/query.ts';
import { readSecrets } from '../secrets.ts';
import type { Terminal } from './terminal.ts';

/** One line of a report. */
interface Finding {
	check: string;
	result: 'ok' | 'warn' | 'fail';
	/** What was found, and for a warning or failure what to do about it. */
	message: string;
}

interface CheckOptions {
	json?: boolean;
	/** Build an index anew that is not in step. */
	repair?: boolean;
	/** The one check to make. */
	only?: string;
}

/**
 * `access check [--repair]`: what an operator should know of an installation; 1 when anything fails. Also while a server
 * serves.
 */
export function check(terminal: Terminal, { json = false, repair = false, only }: CheckOptions): number {
	const config = readConfig(terminal.environment);
	const folder = dataFolderAt(config.DATA_DIR);
	const all: [name: string, look: () => Outcome][] = [
		['database', () => checkDatabase(folder)],
		['search index', () => checkIndex(folder, repair, searchIndex)],
		['file modes', () => checkModes(folder)],
		['free disk', () => checkDisk(folder)],
		['secrets', () => checkSecrets(folder, config)],
		['clock', () => checkClock(folder)],
		['initial passwords', () => checkInitialPasswords(folder)],
	];
	const checks = all.filter(([name]) => only === undefined || name === only);
	if (checks.length === 0) {
		throw new OperationError(`--only is ${only}, but takes one of ${all.map(([name]) => name).join(', ')}`);
	}
	const isLarge = existsSync(folder.database) && statSync(folder.database).size > largestInspected;
	const findings = checks.map(([name, look]) => {
		if (isLarge) terminal.stderr.write(`checking: ${name}\n`);
		return { check: name, ...guarded(look) };
	});
	const text = findings.map(({ check, result, message }) => `${result.padEnd(4)} ${check}: ${message}\n`).join('');
	terminal.stdout.write(json ? `${JSON.stringify(findings)}\n` : text);
	return findings.some(({ result }) => result === 'fail') ? 1 : 0;
}

type Outcome = Omit<Finding, 'check'>;

function ok(message: string): Outcome {
	return { result: 'ok', message };
}

function warn(message: string): Outcome {
	return { result: 'warn', message };
}

function fail(message: string): Outcome {
	return { result: 'fail', message };
}

function guarded(look: () => Outcome): Outcome {
	try {
		return look();
	} catch (error) {
		return fail(messageOf(error));
	}
}

function checkDatabase({ database }: DataFolder): Outcome {
	if (!existsSync(database)) return fail(`there is no database at ${database}: check DATA_DIR`);
	const { schemaVersion, pendingMigrations } = inspectDatabase(database, 'integrity_check');
	if (pendingMigrations > 0) return warn(`sound; ${pendingMigrations} migrations are pending: start the server`);
	return ok(`sound, no orphaned rows, schema ${schemaVersion} is current`);
}

/** An index that is made from rows, so that it can always be made again. */
interface Index {
	/** What it is made from. */
	of: string;
	/** On one state of the database: what a server writes meanwhile would look like a difference. */
	isSound(db: Db): boolean;
	rebuild(db: Db): void;
	/** What is said of one that was built anew. */
	rebuilt: string;
}

const searchIndex: Index = {
	of: 'employees',
	isSound: (db) => isIndexSound(db.$client),
	rebuild: (db) => transaction(db, () => rebuildIndex(db.$client)),
	rebuilt: 'was not in step with the employees, and is built anew',
};

/** Not rebuilt under a server, which could not write meanwhile. */
function checkIndex(folder: DataFolder, repair: boolean, index: Index): Outcome {
	return withDatabase(folder, (db) => {
		if (snapshot(db, () => index.isSound(db))) return ok(`in step with the ${index.of}`);
		if (!repair) return fail(`not in step with the ${index.of}: stop the server and run access check --repair`);
		const lock = lockFolder(folder);
		try {
			index.rebuild(db);
			return ok(index.rebuilt);
		} finally {
			lock.release();
		}
	});
}

function withDatabase<Result>({ database }: DataFolder, work: (db: Db) => Result): Result {
	const db = openExistingDatabase(database);
	try {
		return work(db);
	} finally {
		closeDatabase(db);
	}
}

/** The history is told in the order of its times: one that is to come keeps those after it waiting. */
function checkClock(folder: DataFolder): Outcome {
	const newest = withDatabase(folder, timeOfNewest);
	const ahead = newest === undefined ? 0 : Date.parse(newest) - Date.now();
	if (ahead < 60_000) return ok('not behind the history');
	return warn(`the newest record of the history is of ${newest}, which is to come: set the clock of this machine`);
}

function checkModes({ path, backups }: DataFolder): Outcome {
	const files = [path, backups].flatMap((folder) =>
		existsSync(folder) ? [folder, ...readdirSync(folder).map((name) => join(folder, name))] : [],
	);
	const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
	return open.length === 0
		? ok(`${path} and all in it are its owner's only`)
		: warn(`others can read ${open.join(', ')}: run chmod -R go= ${path}`);
}

/** A backup and a migration each need room for another copy. */
function checkDisk({ path, database }: DataFolder): Outcome {
	const { bavail, bsize } = statfsSync(path);
	const free = bavail * bsize;
	const needed = existsSync(database) ? 2 * statSync(database).size + 100_000_000 : 100_000_000;
	const shown = `${Math.round(free / 1e6)} MB free`;
	return free < needed ? warn(`${shown}, ${Math.round(needed / 1e6)} MB are advised: make room`) : ok(shown);
}

function checkSecrets(folder: DataFolder, config: ReturnType<typeof readConfig>): Outcome {
	const { ADMIN_PASSWORD: first, ...kept } = readSecrets(folder.secrets);
	const missing = (['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET'] as const).filter((name) => !config[name] && !kept[name]);
	if (missing.length > 0) return warn(`${missing.join(' and ')} will be made at the next start`);
	if (first && withDatabase(folder, (db) => hasPassword(db, first))) {
		return warn(`${folder.secrets} still tells the administrator's first password: run access admin reset-password`);
	}
	return ok('all there');
}

function checkInitialPasswords(folder: DataFolder): Outcome {
	const count = withDatabase(folder, countInitialPasswords);
	return count === 0
		? ok('no employee has the initial password')
		: warn(`${count} employees still have the initial password: access report initial-passwords lists them`);
}
