/** Installs, upgrades and removes in steps that can be undone: a failure leaves everything as it was. */
import { chownSync, existsSync, lchownSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isInside } from '../../platform/backup-copies/place.ts';
import { backupPath } from '../../platform/database/backup.ts';
import { type Config, readAnyConfig, readConfig } from '../../platform/machine/config.ts';
import { removeDatabase, writeDurably } from '../../platform/machine/durable-file.ts';
import { isThere, shellWord, withExplanation } from '../../platform/machine/file-access.ts';
import { asUser, type UserIds } from '../../platform/machine/folder-owner.ts';
import { findHealthStatus, localUrl } from '../../platform/machine/local-service.ts';
import { findId } from '../../platform/machine/user-name.ts';
import { messageOf, OperationError } from '../../platform/vocabulary/errors.ts';
import { installingMark } from '../watch.ts';
import unitText from './access.service.txt' with { type: 'text' };
import watchText from './access-watch.service.txt' with { type: 'text' };
import timerText from './access-watch.timer.txt' with { type: 'text' };
import ofBoth from './both-services.conf.txt' with { type: 'text' };
import { inspectData, requireRoom, tryPlace } from './preflight.ts';
import { findLastMessage, type RunOptions, run, type ServiceManager, service } from './service-manager.ts';

export type Places = ReturnType<typeof placesBelow>;

const serviceUser = 'access';

const timer = 'access-watch.timer';

/** The paths of an installation. Tests have another root folder than `/`. */
export function placesBelow(root: string) {
	return {
		root,
		program: join(root, 'usr/local/bin/access'),
		settings: join(root, 'etc/access.conf'),
		/** Files that the service reads and cannot change, such as keys. */
		keys: join(root, 'etc/access'),
		installing: installingMark(join(root, 'etc/access.conf')),
		units: join(root, 'usr/local/lib/systemd/system'),
		/** Units of the same names in this folder take precedence over ours. */
		otherUnits: join(root, 'etc/systemd/system'),
		data: join(root, 'var/lib/access'),
		/** Folders that the units hide from the service, by ProtectHome= and PrivateTmp=. */
		hidden: ['home', 'root', 'run/user', 'tmp', 'var/tmp'].map((folder) => join(root, folder)),
	};
}

export interface Target {
	places: Places;
	manager: ServiceManager;
	program: string;
	/** The text of the settings file, of which `config` is the parsed form. */
	settings: string;
	config: Config;
	/** The path of the key of the copies. The key is copied to a folder where the service can read it. */
	key?: string | undefined;
	/** The place whose newest backup is restored before the first start, such as `s3://bucket/prefix`. */
	recoversFrom?: string | undefined;
	/** Whether the recipients of alerts get a test message: the settings change, and name one. */
	sendsTest: boolean;
	/** The time that a start may take, or a migration without progress, in milliseconds. */
	patience: number;
}

/** Options of the commands of a step. The signal is the operator's interruption. */
type StepOptions = RunOptions & Required<Pick<RunOptions, 'report'>>;

interface Step {
	/** The step in words, for the operator. */
	does: string;
	run(options: StepOptions): unknown;
	/** Undoes the step, also if it was done in part or not at all. */
	undo?: () => unknown;
}

type Plan = Awaited<ReturnType<typeof planInstallation>>;

/** Plans the steps, none if everything is installed and serves. @throws OperationError with what would stop a step */
export async function planInstallation(target: Target) {
	const { places, program } = target;
	const isUpgrade = existsSync(places.program);
	const replace = fileStep(places, places.program, readFileSync(program), 0o755);
	// Wrong settings of the installed program are no obstacle, because the new ones may correct them.
	const served = isUpgrade && existsSync(places.settings) && readAnyConfig({ SETTINGS_FILE: places.settings });
	const status = served ? await findHealthStatus(served) : undefined;
	const serves = status === 200;
	const files = planFiles(target, replace);
	const change = replace ? 'upgrade' : 'change';
	const what = isUpgrade ? change : 'installation';
	const pendingMigrations = await preflight(target, isUpgrade && replace !== undefined);
	if (files.length === 0 && serves && (await hasItsSettings(target))) return { steps: [], what, serves };
	const backUp = backupStep(target, isUpgrade);
	const steps = [
		isUpgrade ? stopStep(target, serves || status === 503) : undefined,
		isUpgrade && replace ? backUp : undefined,
		...files,
		// Without an installed program, the new one backs up what it will migrate.
		!isUpgrade && pendingMigrations > 0 ? backUp : undefined,
		replace && migrateStep(target, pendingMigrations),
		startStep(target),
		target.sendsTest ? testMessageStep(target) : undefined,
	];
	return { steps: steps.filter((step) => step !== undefined), what, serves };
}

/** Whether the service started with the settings of this moment: a person may have edited them since. */
async function hasItsSettings({ places, manager }: Target): Promise<boolean> {
	return statSync(places.settings).mtimeMs <= (await manager.startedAt());
}

/** The steps that write files, in their order. @param replace writes the program, if it changes */
function planFiles(target: Target, replace: Step | undefined): Step[] {
	const { places, key } = target;
	const steps = [
		...userSteps(target),
		key === undefined ? undefined : fileStep(places, keyPath(places, key), readFileSync(key), forService),
		...listServiceFiles(target).map((path) => fileStep(places, path, readFileSync(path), forService)),
		fileStep(places, places.settings, Buffer.from(target.settings), forService),
		...Object.entries(createUnits(target.config)).map(([name, text]) =>
			fileStep(places, join(places.units, name), Buffer.from(text)),
		),
		// After its units, because a program without them counts as somebody else's.
		replace,
		recoverStep(target),
	];
	return steps.filter((step) => step !== undefined);
}

/** Looks for anything that could stop a later step. @returns the number of pending migrations @throws OperationError */
async function preflight(target: Target, replaces: boolean): Promise<number> {
	const { places, config, program } = target;
	refuseForeignFiles(places, replaces);
	requireDataFolder(target);
	// In a dry run on a new machine there is no user to look as.
	if (userSteps(target).length > 0) return 0;
	const user = getServiceUser(places);
	const written = listServiceFiles(target);
	for (const name of namesOfFiles) {
		const path = config[name];
		if (path === undefined || path === target.key) continue;
		// A step corrects the rights of these files, but not of their folder.
		const look = () => (written.includes(path) ? isThere(path) : readFileSync(path));
		asUser(user, () => withExplanation(path, look, `${name}: `));
	}
	if (replaces) requireRoom(dirname(places.program), 'the new program', statSync(program).size);
	await tryPlace(user, config);
	return inspectData(user, config, { program, backsUp: replaces });
}

/** Refuses what somebody else put where this program has its files. @throws OperationError */
function refuseForeignFiles({ otherUnits, data, program, units }: Places, replaces: boolean): void {
	if (replaces && !existsSync(join(units, service)))
		throw new OperationError(`${program} is not of an installation: move it away, then try again`);
	for (const unit of [service, timer]) {
		const path = join(otherUnits, unit);
		// A link is the work of systemctl enable or mask.
		if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
			throw new OperationError(`${path} would be used instead of the unit of this program: remove it, then try again`);
		}
	}
	if (lstatSync(data, { throwIfNoEntry: false })?.isDirectory() ?? true) return;
	const remedy = 'put the folder itself there, or remove it and set DATA_DIR to that folder';
	throw new OperationError(`${data} is a link or a file, with which systemd starts no service: ${remedy}`);
}

/** systemd makes the usual folder; the service can make another one only inside it. @throws OperationError */
function requireDataFolder({ places, recoversFrom, config: { DATA_DIR } }: Target): void {
	if (recoversFrom !== undefined || isInside(places.data, DATA_DIR) || existsSync(DATA_DIR)) return;
	const remedy = `mount its disk, or make it with install -d -m 700 -o ${serviceUser} ${shellWord(DATA_DIR)}`;
	throw new OperationError(`there is no folder ${DATA_DIR}: ${remedy}`);
}

/** Runs the steps of a plan. After a failure or an interruption all are undone. @throws OperationError with the reason */
export async function runPlan({ steps, what, serves }: Plan, options: StepOptions): Promise<void> {
	const { report, signal } = options;
	const done: Step[] = [];
	try {
		for (const step of steps) {
			signal?.throwIfAborted();
			report(step.does);
			done.push(step);
			await step.run(options);
		}
	} catch (error) {
		const reason = messageOf(error);
		report('it failed: rolling back');
		const failures = await undoSteps(done);
		if (failures.length > 0) {
			throw new OperationError(`${reason}; and the rollback failed: ${failures.join('; ')}`);
		}
		const again = `, ${what === 'upgrade' ? 'the old program' : 'it'} serves again`;
		throw new OperationError(`the ${what} was rolled back${serves ? again : ''}: ${reason}`);
	}
}

/** Undoes steps, also after a failure: the service may start although a file was not restored. @returns the failures */
async function undoSteps(done: readonly Step[]): Promise<string[]> {
	const failures: string[] = [];
	for (const { undo } of done.toReversed())
		await Promise.try(() => undo?.()).catch((failure) => failures.push(messageOf(failure)));
	return failures;
}

/** The user of the service. @throws OperationError before it is made */
export function getServiceUser({ root }: Places): UserIds {
	const [uid, gid] = findServiceIds(root);
	if (uid === undefined || gid === undefined) throw new OperationError(`there is no user or group ${serviceUser}`);
	return { uid, gid };
}

function findServiceIds(root: string) {
	return [findId(root, 'passwd', serviceUser), findId(root, 'group', serviceUser)] as const;
}

/** Makes the user of the service if there is none. It is made first, because the plan tries this user's rights. */
export function userSteps({ places, manager }: Target): Step[] {
	if (!findServiceIds(places.root).includes(undefined)) return [];
	return [{ does: `make the user ${serviceUser}`, run: () => manager.makeUser(serviceUser) }];
}

/** The mode of a file that only root and the group of the service may read. */
const forService = 0o640;

/** Writes a file of root that is missing, or has another content or other rights. */
function fileStep({ root }: Places, path: string, content: Buffer, mode = 0o644): Step | undefined {
	const before = readFile(path);
	const wanted = () => ({ content, mode, uid: 0, gid: (mode === forService ? findServiceIds(root)[1] : 0) ?? 0 });
	if (isDeepStrictEqual(before, wanted())) return undefined;
	return {
		does: `write ${path}`,
		run: () => writeFile(path, wanted()),
		undo() {
			// A full or read-only disk refuses even a file that is there already.
			if (isDeepStrictEqual(before, readFile(path))) return;
			if (before) writeFile(path, before);
			else rmSync(path);
		},
	};
}

interface FileState extends UserIds {
	content: Buffer;
	mode: number;
}

function readFile(path: string): FileState | undefined {
	if (!existsSync(path)) return undefined;
	const { mode, uid, gid } = statSync(path);
	return { content: readFileSync(path), mode: mode & 0o777, uid, gid };
}

function writeFile(path: string, { content, mode, uid, gid }: FileState): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
	withExplanation(path, () => writeDurably(path, content, mode));
	chownSync(path, uid, gid);
}

const namesOfFiles = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'BACKUP_KEY_FILE'] as const;

/** The files in the folder for keys that the settings name. An operator may have put them there with other rights. */
function listServiceFiles({ places, config, key }: Target): string[] {
	const named = namesOfFiles.map((name) => config[name]).filter((path) => path !== undefined);
	return named.filter((path) => path !== key && dirname(path) === places.keys && lstatSync(path).isFile());
}

/** The path where the service reads a copy of the operator's key. */
export function keyPath({ keys }: Places, key: string): string {
	return join(keys, basename(key));
}

/** The units by their names. The settings decide which folders they can write to. */
export function createUnits({ DATA_DIR, BACKUP_TO = '' }: Pick<Config, 'DATA_DIR' | 'BACKUP_TO'>) {
	const folders = [DATA_DIR, BACKUP_TO].filter((path) => path.startsWith('/'));
	// The hyphen lets the service start without the folder, such as a disk that is not mounted.
	const writable = folders.map((path) => `ReadWritePaths="-${path.replaceAll('%', '%%')}"\n`).join('');
	return {
		'access-watch.service': watchText + ofBoth + writable,
		[timer]: timerText,
		[service]: unitText + ofBoth + writable,
	};
}

/** Runs a command of the program as the user of the service: root would follow a link that somebody placed in its folder. */
function runInstalled(places: Places, args: readonly string[], options?: RunOptions): Promise<string> {
	const { uid, gid } = getServiceUser(places);
	const asService = [`--reuid=${uid}`, `--regid=${gid}`, '--init-groups'];
	const command = ['env', '-i', `SETTINGS_FILE=${places.settings}`, places.program, ...args];
	return run(['setpriv', ...asService, ...command], { ...options, isOwn: true });
}

/** From here on the service confirms no change that an undo could lose. The watch goes on, in case this process is killed. */
function stopStep(target: Target, answers: boolean): Step {
	// The operator's time limit is for the new program: the old one gets at least a minute.
	const restart = () => start({ ...target, patience: Math.max(target.patience, 60_000) });
	// systemd has the new units in memory, after a start that failed.
	const undo = () => (answers ? restart() : target.manager.reload());
	return { does: 'stop the service', run: () => stop(target), undo };
}

/** Without an old program to go back to, its undo keeps the backup: the database may have been migrated. */
function backupStep({ places, config: { folder } }: Target, isUpgrade: boolean): Step | undefined {
	const { database, backups } = folder;
	if (!existsSync(database)) return undefined;
	const backup = backupPath(backups, new Date(), 'before-upgrade');
	return {
		does: `back up to ${backup}`,
		run: (options) => runInstalled(places, ['backup', backup], options),
		async undo() {
			// Without a backup, nothing was changed.
			if (!isUpgrade || !existsSync(backup)) return;
			try {
				await runInstalled(places, ['check', '--only', 'database']);
			} catch {
				// Only a database that the old program cannot use is replaced, because a restore signs everybody out.
				await runInstalled(places, ['restore', '--unsealed', backup]);
			}
			// The database is as before. This backup would only push out the backup of a successful upgrade.
			asUser(getServiceUser(places), () => rmSync(backup));
		},
	};
}

function recoverStep({ places, recoversFrom: from, config: { folder } }: Target): Step | undefined {
	if (from === undefined) return undefined;
	const { path: data, database, secrets, mark } = folder;
	if (existsSync(database))
		throw new OperationError(`${data} has a database already: access install serves it, access restore replaces it`);
	const added = [database, secrets, mark].filter((path) => !existsSync(path));
	return {
		does: `restore the newest backup of ${from}`,
		async run(options) {
			mkdirSync(dirname(data), { recursive: true });
			if (!existsSync(data)) mkdirSync(data, { mode: 0o700 });
			const { uid, gid } = getServiceUser(places);
			lchownSync(data, uid, gid);
			options.report(await runInstalled(places, ['restore', `${from}/latest`], options));
		},
		undo: () => asUser(getServiceUser(places), () => added.forEach(removeDatabase)),
	};
}

/** Migrates in a step of its own, so that the operator sees the progress, and a slow start is a failure. */
function migrateStep({ places, patience, recoversFrom, config }: Target, pending: number): Step | undefined {
	if (recoversFrom === undefined && !existsSync(config.folder.database)) return undefined;
	const does = pending > 0 ? 'migrate the database' : 'open the database with this program';
	return { does, run: (options) => runInstalled(places, ['migrate'], { ...options, patience }) };
}

function startStep(target: Target): Step {
	const { places, manager } = target;
	const made = [timer, service].filter((unit) => !existsSync(join(places.units, unit)));
	return {
		does: 'start the service',
		run: () => start(target),
		async undo() {
			await stop(target);
			for (const unit of made) await manager.disable(unit);
			await manager.reload();
		},
	};
}

async function stop({ places, manager }: Target): Promise<void> {
	if (existsSync(join(places.units, service))) await manager.stop(service);
}

/** Starts the service and waits until it answers. @throws OperationError with the last message of the service */
async function start({ manager, places, patience }: Target): Promise<void> {
	const startedAt = new Date();
	const config = readConfig({ SETTINGS_FILE: places.settings });
	// The service comes last, so that an installation that serves is complete. Old programs have no timer.
	for (const unit of [timer, service]) if (existsSync(join(places.units, unit))) await manager.start(unit);
	do {
		await Bun.sleep(200);
		const hasEnded = await manager.hasEnded();
		if (hasEnded || Date.now() - startedAt.getTime() > patience) {
			const said = findLastMessage((await manager.logSince(startedAt)).split('\n'));
			const problem = hasEnded ? 'the service ended' : `the service does not answer at ${localUrl(config)}`;
			throw new OperationError(`${problem}${said && `; its log says: ${said}`}`);
		}
	} while ((await findHealthStatus(config)) !== 200);
}

function testMessageStep({ places }: Target): Step {
	return {
		does: 'send a test message',
		async run({ report }) {
			try {
				await runInstalled(places, ['alert']);
			} catch (error) {
				report(`the test message failed: ${messageOf(error)}. Correct ${places.settings}, then run access alert`);
			}
		},
	};
}

/** Removes the service and the program; the data and the settings stay. @returns what was removed. */
export async function removeInstallation({ units, program }: Places, manager: ServiceManager): Promise<string[]> {
	for (const unit of [timer, service]) if (existsSync(join(units, unit))) await manager.disable(unit);
	const names = [service, timer, 'access-watch.service'];
	const removed = [program, ...names.map((name) => join(units, name))].filter(existsSync);
	for (const path of removed) rmSync(path);
	await manager.reload();
	return removed;
}
