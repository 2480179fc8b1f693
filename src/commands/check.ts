import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findAdministratorWith } from '../features/administrators/service.ts';
import { countEmployees } from '../features/employees/search.ts';
import { createSecretCipher } from '../identity/second-factor/encryption.ts';
import { lostKeyProblem } from '../identity/second-factor/service.ts';
import { findNewest } from '../platform/backup-copies/copies.ts';
import { readKey } from '../platform/backup-copies/key.ts';
import { futureProblem, type NamedBackup } from '../platform/backup-copies/names.ts';
import { findInnerPlaceProblem, placeAt, shortPatience } from '../platform/backup-copies/place.ts';
import { createOpening } from '../platform/backup-copies/sealing.ts';
import { listBackups } from '../platform/database/backup.ts';
import { explainFailure } from '../platform/database/failure.ts';
import {
	type Db,
	findIntegrityProblem,
	inspectDatabase,
	openExistingDatabase,
	requireDatabaseFile,
} from '../platform/database/open.ts';
import { schemaVersion } from '../platform/database/schema-version.ts';
import { type Config, readAnyConfig, requireNone } from '../platform/machine/config.ts';
import { freeBytesAt, isThere, shellWord, sizeOf } from '../platform/machine/file-access.ts';
import { workAsOwnerOf } from '../platform/machine/folder-owner.ts';
import { findWeakSecret, readSecrets } from '../platform/machine/secrets.ts';
import { counted } from '../platform/vocabulary/counted.ts';
import { daySeconds } from '../platform/vocabulary/day.ts';
import { orUndefined } from '../platform/vocabulary/errors.ts';
import { findExposedKey, readTls } from '../server/certificate.ts';
import { readBackupProblems, sinceFirstStart } from '../server/scheduled-backups.ts';
import { answer, configure, type OutputOptions, type ProcessContext } from './process.ts';
import { type Finding, watch } from './watch.ts';

type Outcome = Omit<Finding, 'check'>;

interface CheckOptions extends OutputOptions {
	watch?: boolean;
	only?: string;
}

/** @param db opened once for all checks; undefined when it cannot be opened */
type Check = (config: Config, db: Db | undefined) => Outcome | Promise<Outcome>;

/** The checks, by the name that `--only` takes. */
const checks: Readonly<Record<string, Check>> = {
	database: checkDatabase,
	configuration: checkConfiguration,
	'file modes': checkModes,
	'free disk': checkDisk,
	secrets: checkSecrets,
	backups: checkBackups,
	copies: checkCopies,
	certificate: checkCertificate,
	'initial passwords': checkInitialPasswords,
};

export const checkNames: readonly string[] = Object.keys(checks);

/** The checks of every ten minutes. They take no longer with a million people; a place of copies can take ten seconds. */
const quickChecks = ['configuration', 'free disk', 'backups', 'copies', 'certificate'];

/** `access check`: makes the checks, also while the server runs. @returns 1 if a check fails */
export async function check(context: ProcessContext, { watch: watches, only, ...form }: CheckOptions): Promise<number> {
	if (watches) return await checkAndNotify(context);
	const findings = await runChecks(configure(context), only === undefined ? checkNames : [only]);
	const text = findings.map(({ check, result, message }) => `${result.padEnd(4)} ${check}: ${message}`).join('\n');
	await answer(context, form, findings, text);
	return findings.some(({ result }) => result === 'fail') ? 1 : 0;
}

/** `access check --watch`: goes on with wrong settings, which it reports. @throws OperationError */
async function checkAndNotify(context: ProcessContext): Promise<number> {
	const config = readAnyConfig(context.environment);
	workAsOwnerOf(config.DATA_DIR);
	const { problems, folder } = config;
	// With a wrong setting, a folder that is missing may not be the one that was meant.
	const isUnknown = problems.length > 0 && !isThere(folder.path);
	const namesFor = (isWhole: boolean) => (isWhole ? checkNames : quickChecks);
	await watch(context, config, (isWhole) => runChecks(config, isUnknown ? ['configuration'] : namesFor(isWhole)));
	// The unit fails, too, because a wrong setting may be that of a recipient.
	requireNone(problems);
	return 0;
}

async function runChecks(config: Config, names: readonly string[]): Promise<Finding[]> {
	const { folder } = config;
	// `checkDatabase` reports why it cannot be opened.
	using db = orUndefined(() => openExistingDatabase(folder.database));
	const findings: Finding[] = [];
	for (const [check, run] of Object.entries(checks)) {
		if (!names.includes(check)) continue;
		const outcome = Promise.try(run, config, db);
		findings.push({ check, ...(await outcome.catch((error) => fail(explainFailure(folder, error)))) });
	}
	return findings;
}

const none = (message: string): Outcome => ({ result: 'none', message });
const ok = (message: string): Outcome => ({ result: 'ok', message });
const warn = (message: string): Outcome => ({ result: 'warn', message });
const fail = (message: string): Outcome => ({ result: 'fail', message });

function checkConfiguration(config: Config): Outcome {
	const { DATA_DIR, settingsFile, ignored } = config;
	if (config.problems.length > 0) return fail(config.problems.join('; '));
	const problems = [...ignored, findWeakSecret(config) ?? []].flat();
	if (problems.length > 0) return warn(problems.join('; '));
	return ok(`DATA_DIR is ${DATA_DIR}, ${settingsFile ? `settings file ${settingsFile}` : 'no settings file'}`);
}

function checkDatabase({ folder: { database } }: Config, db: Db | undefined): Outcome {
	if (!db) {
		requireDatabaseFile(database);
		const pending = counted(schemaVersion - inspectDatabase(database, 'full'), 'pending migration');
		return warn(`sound, with ${pending}: start the server`);
	}
	const problem = findIntegrityProblem(db.$client);
	if (problem !== undefined) return fail(`${database} ${problem}: restore a backup`);
	return ok(`sound, no orphaned rows, schema ${schemaVersion} is current`);
}

function checkModes({ folder: { path, backups } }: Config): Outcome {
	const files = [path, ...[...listFiles(path), ...listFiles(backups)].filter(isThere)];
	const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
	if (open.length > 0)
		return warn(`others can read what is private: run chmod -R go= ${shellWord(path)} (${open.join(', ')})`);
	return ok(`${path} and everything in it can be read by its owner only`);
}

function listFiles(folder: string): string[] {
	return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** With less free space than this, in bytes, the service refuses changes, or soon will. */
const minFreeBytes = 1_000_000;

/** A backup and a migration each need room for another copy of the database. */
function checkDisk({ folder: { path, database } }: Config): Outcome {
	const free = freeBytesAt(path);
	const needed = 2 * sizeOf(database) + 100_000_000;
	const shown = `${formatMegabytes(free)} free`;
	if (free < minFreeBytes) return fail(`the disk of ${path} is full: make room`);
	return free < needed ? warn(`${shown}, but ${formatMegabytes(needed)} are advised: make room`) : ok(shown);
}

function formatMegabytes(bytes: number): string {
	return `${Math.round(bytes / 1e6)} MB`;
}

async function checkSecrets(config: Config, db: Db | undefined): Promise<Outcome> {
	const { secrets } = config.folder;
	const { ADMIN_PASSWORD: first, ...kept } = readSecrets(secrets);
	const needed = ['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET', 'PASSWORD_KEY', 'SECOND_FACTOR_KEY'] as const;
	const missing = needed.filter((name) => !config[name] && !kept[name]);
	const problems =
		missing.length > 0 ? [`${new Intl.ListFormat('en').format(missing)} will be generated at the next start`] : [];
	if (first && db && (await findAdministratorWith(db, first))) {
		problems.push(`${secrets} still holds the administrator's first password: run access admin reset-password`);
	}
	const secretCipher = createSecretCipher(config.SECOND_FACTOR_KEY ?? kept.SECOND_FACTOR_KEY ?? '');
	const lostKey = db && lostKeyProblem({ db, secretCipher });
	if (lostKey !== undefined) return fail([lostKey, ...problems].join('; '));
	return problems.length > 0 ? warn(problems.join('; ')) : ok('all there');
}

/** The time after the first start in which the first backup may be missing, in milliseconds. */
const firstBackupTime = 2 * 60 * 60 * 1000;

function checkBackups(config: Config): Outcome {
	const { backups } = config.folder;
	const { past, future } = listBackups(backups);
	const { backup: failure } = readBackupProblems(config.folder);
	const failed = failure && `the last automatic one failed: ${failure}`;
	const known = [futureProblem(future, backups), failed];
	return judgeAge(config, { place: backups, newest: past.at(-1), known, remedy: 'run access backup' });
}

async function checkCopies(config: Config): Promise<Outcome> {
	const { BACKUP_TO: place } = config;
	if (place === undefined) return none('all backups are on this machine: BACKUP_TO copies them to another one');
	readKey(config);
	const { newest, problem } = await findNewest(placeAt(place, config, shortPatience), createOpening(config));
	const { copy: failure } = readBackupProblems(config.folder);
	const failed = failure && `the last copy failed: ${failure}`;
	const known = [findInnerPlaceProblem(config), problem, failed];
	return judgeAge(config, { place, newest, known, remedy: `run access backup ${shellWord(place)}` });
}

interface BackupsOfPlace {
	place: string;
	newest: NamedBackup | undefined;
	known: readonly (string | undefined)[];
	/** What to do about old or missing backups. */
	remedy: string;
}

/** Judges the backups of a place by the age of the newest one and by the problems that are known. */
function judgeAge({ folder, BACKUP_EVERY_HOURS }: Config, { place, newest, known, remedy }: BackupsOfPlace): Outcome {
	const problems = known.filter((each) => each !== undefined);
	const shown = newest ? `the newest in ${place} is from ${newest.at.toISOString()}` : 'none yet';
	const hours = newest ? Math.floor((Date.now() - newest.at.getTime()) / (60 * 60 * 1000)) : 0;
	// Without automatic backups, one a week is expected.
	if (hours >= 2 * (BACKUP_EVERY_HOURS || 84)) problems.push(`${shown}, ${counted(hours, 'hour')} ago: ${remedy}`);
	if (!newest && sinceFirstStart(folder) >= firstBackupTime) problems.push(`there is none in ${place}: ${remedy}`);
	return problems.length > 0 ? warn(problems.join('; ')) : ok(shown);
}

function checkCertificate(config: Config): Outcome {
	const { TLS_CERT_FILE } = config;
	const tls = readTls(config);
	if (tls === undefined) return none('no TLS');
	const days = Math.floor((tls.validTo.getTime() - Date.now()) / 1000 / daySeconds);
	const until = tls.validTo.toISOString();
	if (days < 0) return fail(`${TLS_CERT_FILE} expired on ${until}: renew it`);
	if (days < 14) return warn(`${TLS_CERT_FILE} expires in ${counted(days, 'day')}, on ${until}: renew it`);
	const exposed = findExposedKey(config);
	return exposed ? warn(exposed) : ok(`valid until ${until}`);
}

function checkInitialPasswords(config: Config, db: Db | undefined): Outcome {
	if (!db) return none('not checked: the database cannot be opened');
	const count = countEmployees(db, { passwordIsInitial: true });
	if (count === 0) return ok('no employee has the initial password');
	const [people, listed] = [counted(count, 'employee'), 'access report initial-passwords lists them'];
	if (config.REQUIRE_OWN_PASSWORD === 'off') return warn(`the initial password still works for ${people}: ${listed}`);
	return ok(`the initial password signs nobody in; ${people} without a password: ${listed}`);
}
