import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createOneTimePasswords } from '../auth/one-time-password.ts';
import { newestIn } from '../backup-copies/copies.ts';
import { placeAt } from '../backup-copies/place.ts';
import { keyOf } from '../backup-copies/sealing.ts';
import { backupsIn, inspect } from '../database/backup.ts';
import {
	type Db,
	explainDatabaseError,
	hasDatabase,
	inspectDatabase,
	maxInspected,
	openExistingDatabase,
	requireDatabaseFile,
} from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { schemaVersion } from '../database/schema-version.ts';
import { countInitialPasswords, describeLostPasswords } from '../employees/password-report.ts';
import type { Config } from '../machine/config.ts';
import { type DataFolder, lockFolder } from '../machine/data-folder.ts';
import { isFileError, sizeOf } from '../machine/file-access.ts';
import { isWeakSecret, readSecrets } from '../machine/secrets.ts';
import { userName } from '../machine/user-name.ts';
import { createSealing } from '../second-factor/sealing.ts';
import { lostKeyProblem } from '../second-factor/service.ts';
import { findAdministrator, hasPassword } from '../server/administrator.ts';
import { isKeyExposed, readTls } from '../server/certificate.ts';
import { areIndexesSound, rebuildIndexes } from '../server/search-upkeep.ts';
import { counted } from '../vocabulary/counted.ts';
import { messageOf } from '../vocabulary/errors.ts';
import { findData } from './data.ts';
import { answer, type Form, type ProcessContext } from './process.ts';
import { checkService, type Finding, tellChanges } from './watch.ts';

type Outcome = Omit<Finding, 'check'>;

interface CheckOptions extends Form {
	/** Rebuild a search index that does not match the employees. */
	repair?: boolean;
	/** Tell somebody what changed since the last time. */
	watch?: boolean;
	/** The one check to make. */
	only?: string;
}

/** What is checked. */
interface Subject {
	config: Config;
	folder: DataFolder;
	/** Opened once for all checks; undefined when it cannot be opened. */
	db: Db | undefined;
	repair: boolean;
}

type Check = (subject: Subject) => Outcome | Promise<Outcome>;

/** The checks, by the name that `--only` takes. */
const checks: Readonly<Record<string, Check>> = {
	database: checkDatabase,
	configuration: checkConfiguration,
	'search index': onDatabase(checkSearchIndex),
	'file modes': checkModes,
	'free disk': checkDisk,
	secrets: checkSecrets,
	backups: checkBackups,
	copies: checkCopies,
	'kept files': checkKeptFiles,
	certificate: checkCertificate,
	clock: onDatabase(checkClock),
	'initial passwords': onDatabase(checkInitialPasswords),
};

/** What `--only` takes. */
export const checkNames: readonly string[] = Object.keys(checks);

/**
 * `access check [--repair]`: what an operator should know about an installation; 1 when anything fails. Also while a
 * server uses the database.
 */
export async function check(
	context: ProcessContext,
	{ repair = false, watch = false, only, ...form }: CheckOptions,
): Promise<number> {
	const { config, folder } = findData(context);
	using db = openIfPossible(folder);
	const isLarge = db !== undefined && sizeOf(folder.database) > maxInspected;
	const findings: Finding[] = [];
	for (const [name, run] of Object.entries(checks)) {
		if (only !== undefined && name !== only) continue;
		if (isLarge) context.report(`checking: ${name}`);
		findings.push({ check: name, ...(await guarded(folder, () => run({ config, folder, db, repair }))) });
	}
	if (watch) {
		findings.push({ check: 'service', ...(await checkService(config)) });
		await tellChanges(config, folder, findings);
	}
	const text = findings.map(({ check, result, message }) => `${result.padEnd(4)} ${check}: ${message}`).join('\n');
	await answer(context, form, findings, text);
	return findings.some(({ result }) => result === 'fail') ? 1 : 0;
}

function openIfPossible({ database }: DataFolder): Db | undefined {
	try {
		return openExistingDatabase(database);
	} catch {
		// `checkDatabase` reports why.
		return undefined;
	}
}

function onDatabase(look: (db: Db, subject: Subject) => Outcome | Promise<Outcome>): Check {
	return (subject) =>
		subject.db ? look(subject.db, subject) : warn('not checked: see what is reported about the database');
}

const ok = (message: string): Outcome => ({ result: 'ok', message });
const warn = (message: string): Outcome => ({ result: 'warn', message });
const fail = (message: string): Outcome => ({ result: 'fail', message });

async function guarded({ database }: DataFolder, look: () => Outcome | Promise<Outcome>): Promise<Outcome> {
	try {
		return await look();
	} catch (error) {
		if (!isFileError(error)) return fail(messageOf(error));
		const file = error instanceof Error && 'path' in error ? String(error.path) : database;
		return fail(explainDatabaseError(file, error));
	}
}

function checkConfiguration({ config: { DATA_DIR, settingsFile, JWT_SECRET, misspelt } }: Subject): Outcome {
	const problems = [...misspelt];
	if (JWT_SECRET !== undefined && isWeakSecret(JWT_SECRET)) {
		const bytes = counted(Buffer.byteLength(JWT_SECRET), 'byte');
		problems.push(`JWT_SECRET has ${bytes} and is easy to guess: give 32 random bytes or more`);
	}
	if (problems.length > 0) return warn(problems.join('; '));
	return ok(`DATA_DIR is ${DATA_DIR}, ${settingsFile ? `settings file ${settingsFile}` : 'no settings file'}`);
}

function checkDatabase({ folder: { database }, db }: Subject): Outcome {
	if (!db) {
		requireDatabaseFile(database);
		if (!hasDatabase(database)) return fail(`${database} is empty: restore a backup`);
		const { pendingMigrations } = inspectDatabase(database, 'full');
		const pending = counted(pendingMigrations, 'migration');
		return warn(`sound; ${pending} ${pendingMigrations === 1 ? 'is' : 'are'} pending: start the server`);
	}
	const { problem, roomNeeded } = inspect(db.$client, database);
	if (problem !== undefined) return fail(`${database} ${problem}: restore a backup`);
	if (roomNeeded !== undefined) {
		return warn(`not inspected: a copy of ${database} needs ${megabytes(roomNeeded)} of free disk, make room`);
	}
	return ok(`sound, no orphaned rows, schema ${schemaVersion()} is current`);
}

/** Rebuilds the index only without a server, which could not write meanwhile. */
function checkSearchIndex(db: Db, { folder, repair }: Subject): Outcome {
	if (areIndexesSound(db.$client)) return ok('matches the employees and the history');
	if (!repair)
		return fail('does not match the employees and the history: stop the server and run access check --repair');
	using _lock = lockFolder(folder);
	transaction(db, () => rebuildIndexes(db.$client));
	return ok('did not match the employees and the history, and was rebuilt');
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * The times of records never decrease, so records made while the clock was ahead keep later ones at their time. That is
 * no fault of the clock as it is now. When even the oldest record is ahead of it, the clock is behind.
 */
function checkClock(db: Db): Outcome {
	const ends = db.$client.query<{ oldest: string | null; newest: string | null }, []>(
		`select (select at from history order by id limit 1) as oldest,
			(select at from history order by id desc limit 1) as newest`,
	);
	const { oldest, newest } = ends.get() ?? {};
	const isAhead = (at: string | null | undefined) => typeof at === 'string' && Date.parse(at) - Date.now() > minute;
	if (isAhead(oldest)) return warn(`behind all records of the history, the oldest is of ${oldest}: set the clock`);
	if (!isAhead(newest)) return ok('not behind the history');
	return ok(`the history has records of ${newest}, made while the clock was ahead: new ones get that time until then`);
}

function checkModes({ folder: { path, backups } }: Subject): Outcome {
	const { uid } = statSync(path);
	const files = [path, ...filesIn(path), ...filesIn(backups)];
	const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
	if (open.length > 0) return warn(`others can read ${open.join(', ')}: run chmod -R go= ${path}`);
	const foreign = files.filter((file) => statSync(file).uid !== uid);
	if (foreign.length > 0) {
		const names = foreign.join(', ');
		return warn(`${names} do not belong to ${userName(uid)} as ${path} does: run chown -R ${userName(uid)} ${path}`);
	}
	return ok(`${path} and everything in it can be read by ${userName(uid)} only`);
}

function filesIn(folder: string): string[] {
	return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** With less free space than this, in bytes, changes are refused, or soon will be. */
const fullDisk = 1_000_000;

/** A backup and a migration each need room for another copy. */
function checkDisk({ folder: { path, database } }: Subject): Outcome {
	const { bavail, bsize } = statfsSync(path);
	const free = bavail * bsize;
	const needed = 2 * sizeOf(database) + 100_000_000;
	const shown = `${megabytes(free)} free`;
	if (free < fullDisk) return fail(`the disk of ${path} is full: make room`);
	return free < needed ? warn(`${shown}, but ${megabytes(needed)} are advised: make room`) : ok(shown);
}

function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1e6)} MB`;
}

async function checkSecrets({ folder, config, db }: Subject): Promise<Outcome> {
	const { ADMIN_PASSWORD: first, ...kept } = readSecrets(folder.secrets);
	const needed = ['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET', 'PASSWORD_KEY', 'SECOND_FACTOR_KEY'] as const;
	const missing = needed.filter((name) => !config[name] && !kept[name]);
	const problems =
		missing.length > 0 ? [`${new Intl.ListFormat('en').format(missing)} will be made at the next start`] : [];
	const key = config.PASSWORD_KEY ?? kept.PASSWORD_KEY;
	const asked = { at: new Date().toISOString(), ...(key && { form: createOneTimePasswords(key).form }) };
	const lost = db && (await describeLostPasswords(db, asked));
	if (lost !== undefined) problems.push(lost);
	if (first && db && (await hasPassword(db, first))) {
		problems.push(`${folder.secrets} still holds the administrator's first password: run access admin reset-password`);
	}
	const sealing = createSealing(config.SECOND_FACTOR_KEY ?? kept.SECOND_FACTOR_KEY ?? '');
	const lostKey = db && lostKeyProblem({ db, sealing });
	if (lostKey !== undefined) return fail([lostKey, ...problems].join('; '));
	return problems.length > 0 ? warn(problems.join('; ')) : ok('all there');
}

function checkBackups({ folder: { backups }, db }: Subject): Outcome {
	const times = backupsIn(backups).map((name) => statSync(join(backups, name)).mtimeMs);
	const newest = times.length > 0 ? Math.max(...times) : undefined;
	const installedAt = () => Date.parse((db && findAdministrator(db)?.createdAt) ?? '');
	// Not a number before the first start has finished.
	const days = Math.floor((Date.now() - (newest ?? installedAt())) / day);
	const remedy = 'run access backup, or set BACKUP_EVERY_HOURS=24';
	if (days >= 7 && newest === undefined) return warn(`there is none in ${backups}: ${remedy}`);
	if (days >= 7) return warn(`the newest in ${backups} is ${days} days old: ${remedy}`);
	return ok(newest === undefined ? 'none yet' : `the newest is of ${new Date(newest).toISOString()}`);
}

/** How long a place may take to answer, in milliseconds. */
const placePatience = 10_000;

async function checkCopies({ config }: Subject): Promise<Outcome> {
	const { BACKUP_TO, BACKUP_EVERY_HOURS } = config;
	if (BACKUP_TO === undefined) return ok('BACKUP_TO is not set');
	keyOf(config);
	const newest = await newestIn(placeAt(BACKUP_TO, config, placePatience));
	if (newest === undefined) return warn(`there is no backup in ${BACKUP_TO}`);
	const hours = Math.floor((Date.now() - newest.at.getTime()) / (60 * 60 * 1000));
	const shown = `the newest in ${BACKUP_TO} is of ${newest.at.toISOString()}`;
	if (hours < 2 * (BACKUP_EVERY_HOURS || 84)) return ok(shown);
	return warn(`${shown}, ${counted(hours, 'hour')} ago: look into the log, or run access backup ${BACKUP_TO}`);
}

/** How many files that the program keeps for the operator are no cause to tidy up. */
const fewKeptFiles = 5;

function checkKeptFiles({ folder: { path, backups } }: Subject): Outcome {
	const kept = [...filesIn(path), ...filesIn(backups)].filter((file) =>
		/[/\\](replaced-|before-upgrade-)[^/\\]*\.db$/.test(file),
	);
	const bytes = kept.reduce((sum, file) => sum + statSync(file).size, 0);
	const shown = `${kept.length} (${megabytes(bytes)})`;
	if (kept.length <= fewKeptFiles) return ok(shown);
	return warn(`${shown}: remove the replaced-* in ${path} and before-upgrade-* in ${backups} that you no longer need`);
}

function checkCertificate({ config }: Subject): Outcome {
	const { TLS_CERT_FILE, TLS_KEY_FILE } = config;
	const tls = readTls(config);
	if (tls === undefined || TLS_KEY_FILE === undefined) return ok('no TLS');
	const days = Math.floor((tls.validTo.getTime() - Date.now()) / day);
	const until = tls.validTo.toISOString();
	if (days < 0) return fail(`${TLS_CERT_FILE} expired on ${until}: renew it`);
	if (days < 14) return warn(`${TLS_CERT_FILE} expires in ${counted(days, 'day')}, on ${until}: renew it`);
	if (isKeyExposed(TLS_KEY_FILE)) {
		return warn(`every user of this machine can read ${TLS_KEY_FILE}: run chmod o= ${TLS_KEY_FILE}`);
	}
	return ok(`valid until ${until}`);
}

function checkInitialPasswords(db: Db): Outcome {
	const count = countInitialPasswords(db);
	if (count === 0) return ok('no employee has the initial password');
	const holders = `${counted(count, 'employee')} still ${count === 1 ? 'has' : 'have'} the initial password`;
	return warn(`${holders}: access report initial-passwords lists them`);
}
