/** Installing, upgrading and removing: what is missing is made, what a person changed is kept, and an upgrade that fails is undone. */
import { Database } from 'bun:sqlite';
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backupPath } from '../../database/backup.ts';
import { type Config, readConfig } from '../../machine/config.ts';
import { dataFolderAt } from '../../machine/data-folder.ts';
import { writeDurably } from '../../machine/durable-file.ts';
import { explained } from '../../machine/file-access.ts';
import { isHealthy, localUrl } from '../../machine/local-service.ts';
import { idIn } from '../../machine/user-name.ts';
import { messageOf, OperationError } from '../../vocabulary/errors.ts';
import unitText from './access.service' with { type: 'text' };
import watchText from './access-watch.service' with { type: 'text' };
import timerText from './access-watch.timer' with { type: 'text' };
import { run, type ServiceManager } from './service-manager.ts';

/** The paths of an installation. */
type Places = ReturnType<typeof placesBelow>;

/** The user that the service runs as. */
const serviceUser = 'access';

/** Where the parts of an installation are, below a root folder: `/`, or one for an image. */
export function placesBelow(root: string) {
	return {
		root,
		program: join(root, 'usr/local/bin/access'),
		/** The program before the newest upgrade. */
		previous: join(root, 'usr/local/bin/access.previous'),
		settings: join(root, 'etc/access.conf'),
		unit: join(root, 'etc/systemd/system/access.service'),
		/** Says which user the service runs as, for `systemd-sysusers`. */
		users: join(root, 'etc/sysusers.d/access.conf'),
		data: join(root, 'var/lib/access'),
	};
}

/** An installation to make or to upgrade. */
export interface Target {
	places: Places;
	manager: ServiceManager;
	/** The program that is installed. */
	program: string;
	/** The text of the settings file, if there is none yet. */
	settings: string;
	/** Whether the service is started: false for an image. */
	starts: boolean;
	/** The place whose newest backup comes before the first start, such as `s3://bucket/prefix`. */
	recoversFrom?: string;
	/** How long a start may take, in milliseconds. */
	patience: number;
}

/** One step. */
interface Step {
	/** What it does, as a sentence for a person. */
	does: string;
	run(): void | Promise<void>;
	/** Takes it back. */
	undo?: () => void | Promise<void>;
}

/** What has to be done: no steps when everything is installed already. Nothing is changed yet. */
export async function planInstallation(target: Target) {
	const { places, program, recoversFrom } = target;
	const hasProgram = existsSync(places.program);
	const isSameProgram = hasProgram && readFileSync(places.program).equals(readFileSync(program));
	const folder = dirname(places.unit);
	const steps = [
		userStep(target),
		settingsStep(target),
		hasProgram && !isSameProgram ? backupStep(target) : undefined,
		isSameProgram ? undefined : programStep(target, hasProgram),
		...Object.entries(units).map(([name, text]) => unitStep(join(folder, name), marked(text), target.manager)),
		recoversFrom === undefined ? undefined : recoverStep(target, recoversFrom),
	].filter((step) => step !== undefined);
	const starts = target.starts && (steps.length > 0 || !(await isServing(places)));
	// Before a recovery nothing served, so nothing is taken back: another try goes on from here.
	const isUpgrade = steps.length > 0 && hasProgram && recoversFrom === undefined;
	return { steps: starts ? [...steps, startStep(target)] : steps, isUpgrade };
}

/**
 * Does what was planned. An upgrade that fails is taken back, so that the old program serves again.
 * @throws OperationError with the reason.
 */
export async function carryOut(
	{ steps, isUpgrade }: Awaited<ReturnType<typeof planInstallation>>,
	target: Target,
	report: (line: string) => void,
): Promise<void> {
	const done: Step[] = [];
	for (const step of steps) {
		report(step.does);
		try {
			await step.run();
			done.push(step);
		} catch (error) {
			if (!isUpgrade) throw error;
			const reason = messageOf(error);
			report(`it failed, so the upgrade is taken back: ${reason}`);
			await takeBack(done, target).catch((failure) => {
				throw new OperationError(`${reason}; and it could not be taken back: ${messageOf(failure)}`);
			});
			throw new OperationError(`the upgrade was taken back, the old program serves again: ${reason}`);
		}
	}
}

async function takeBack(done: readonly Step[], { manager, starts, patience }: Target): Promise<void> {
	if (!done.some(({ undo }) => undo)) return;
	if (starts) await manager.stop();
	for (const { undo } of done.toReversed()) await undo?.();
	if (!starts) return;
	await manager.enable();
	await manager.restart(patience);
}

function userStep({ places, manager }: Target): Step | undefined {
	if (existsSync(places.users) && idIn(places.root, 'group', serviceUser) !== undefined) return undefined;
	return {
		does: `make the user ${serviceUser}`,
		async run() {
			writeFile(places.users, `u ${serviceUser} - "Access service" /var/lib/access\n`);
			await manager.makeUser();
		},
	};
}

function settingsStep({ places, settings }: Target): Step | undefined {
	if (existsSync(places.settings)) return undefined;
	return {
		does: `write ${places.settings}`,
		run() {
			writeFile(places.settings, settings, 0o640);
			chownSync(places.settings, 0, idIn(places.root, 'group', serviceUser) ?? 0);
		},
	};
}

/** Writes a file that everybody may read, unless `mode` says otherwise, in a folder that may be missing. */
function writeFile(path: string, content: string | Uint8Array, mode = 0o644): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
	explained(path, () => writeDurably(path, content, mode));
}

/** The configuration of an installation; in an image the data are below its root, too. @throws OperationError */
export function configOf({ settings, root }: Places): Config {
	const config = readConfig({ SETTINGS_FILE: settings });
	return root === '/' ? config : { ...config, DATA_DIR: join(root, config.DATA_DIR) };
}

/** Where there is a database. */
function backupStep({ places }: Target): Step | undefined {
	const { path, database, backups } = dataFolderAt(configOf(places).DATA_DIR);
	if (!existsSync(database)) return undefined;
	const backup = backupPath(backups, new Date(), 'before-install');
	return {
		does: `back up to ${backup}`,
		run() {
			if (!existsSync(backups)) {
				mkdirSync(backups, { mode: 0o700 });
				const { uid, gid } = statSync(path);
				chownSync(backups, uid, gid);
			}
			return runInstalled(places, 'backup', backup);
		},
		async undo() {
			// Only another schema is a reason: a restore signs everybody out.
			if (!existsSync(backup) || schemaOf(backup) === schemaOf(database)) return;
			await runInstalled(places, 'restore', backup);
		},
	};
}

function recoverStep({ places }: Target, from: string): Step {
	return {
		does: `restore the newest backup of ${from}`,
		async run() {
			const { DATA_DIR } = configOf(places);
			if (existsSync(dataFolderAt(DATA_DIR).database)) {
				throw new OperationError(`${DATA_DIR} has a database already: access restore replaces it`);
			}
			mkdirSync(DATA_DIR, { recursive: true });
			chmodSync(DATA_DIR, 0o700);
			// As root, who can read every place; the service gets what is there afterwards.
			await runInstalled(places, 'restore', `${from}/latest`);
			const user = idIn(places.root, 'passwd', serviceUser) ?? 0;
			const group = idIn(places.root, 'group', serviceUser) ?? 0;
			for (const name of ['', ...readdirSync(DATA_DIR)]) chownSync(join(DATA_DIR, name), user, group);
		},
	};
}

function runInstalled(places: Places, ...args: string[]): Promise<void> {
	const variables = [`SETTINGS_FILE=${places.settings}`, `DATA_DIR=${configOf(places).DATA_DIR}`];
	return run(['env', '-i', ...variables, places.program, ...args]);
}

function schemaOf(path: string): number {
	using db = new Database(path, { readonly: true });
	return db.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
}

function programStep({ places, program }: Target, isUpgrade: boolean): Step {
	return {
		does: `${isUpgrade ? 'replace' : 'install'} ${places.program}`,
		run() {
			// A running program cannot be written to, but it can be replaced.
			if (isUpgrade) writeFile(places.previous, readFileSync(places.program), 0o755);
			writeFile(places.program, readFileSync(program), 0o755);
		},
		...(isUpgrade && { undo: () => renameSync(places.previous, places.program) }),
	};
}

/** The units by their names; the one that is enabled comes last. */
const units = {
	'access-watch.service': watchText,
	'access-watch.timer': timerText,
	'access.service': unitText,
};

/** A text with a first line by which a change of the rest is seen. */
function marked(text: string): string {
	const digest = Bun.CryptoHasher.hash('sha256', text, 'hex').slice(0, 16);
	return `# Made by access install; a changed file is kept (${digest}).\n${text}`;
}

function unitStep(unit: string, wanted: string, manager: ServiceManager): Step | undefined {
	const before = existsSync(unit) ? readFileSync(unit, 'utf8') : undefined;
	if (before === wanted) return undefined;
	// A first line that does not fit the rest: a person wrote it, or changed the rest.
	if (before !== undefined && before !== marked(before.replace(/^.*\n/, ''))) {
		const beside = `${unit}.new`;
		if (existsSync(beside) && readFileSync(beside, 'utf8') === wanted) return undefined;
		const run = () => writeFile(beside, wanted);
		return { does: `keep ${unit}, which somebody changed, and write ${beside}`, run };
	}
	return {
		does: `write ${unit}`,
		async run() {
			writeFile(unit, wanted);
			if (unit.endsWith('access.service')) await manager.enable();
		},
		...(before !== undefined && { undo: () => writeFile(unit, before) }),
	};
}

function startStep({ manager, places, patience }: Target): Step {
	return {
		does: 'start the service',
		async run() {
			const until = Date.now() + patience;
			try {
				await manager.restart(patience);
				await answers(configOf(places), until);
			} catch (error) {
				const said = (await manager.newestLines()).split('\n').findLast((line) => line !== '');
				throw new OperationError(`${messageOf(error)}${said ? `; its log says: ${said}` : ''}`);
			}
		},
	};
}

/** Waits until the service answers. @throws OperationError at the time `until`, in milliseconds since 1970 */
async function answers(config: Config, until: number): Promise<void> {
	while (!(await isHealthy(config))) {
		if (Date.now() > until) throw new OperationError(`the service does not answer at ${localUrl(config)}`);
		await Bun.sleep(200);
	}
}

async function isServing(places: Places): Promise<boolean> {
	return existsSync(places.settings) && (await isHealthy(configOf(places)));
}

/**
 * Removes the service and the program; the data and the settings stay.
 * @param purged the folder of the data, which go for good then, with the settings and the user.
 * @returns what was removed.
 */
export async function remove(places: Places, manager: ServiceManager, purged?: string): Promise<string[]> {
	if (existsSync(places.unit)) await manager.disable();
	const written = Object.keys(units).flatMap((name) => [name, `${name}.new`]);
	const ours = [...written.map((name) => join(dirname(places.unit), name)), places.program, places.previous];
	const theirs = purged === undefined ? [] : [purged, places.settings, places.users];
	const there = [...ours, ...theirs].filter((path) => existsSync(path));
	for (const path of there) rmSync(path, { recursive: true });
	if (purged !== undefined && places.root === '/') await run(['userdel', serviceUser]).catch(() => {});
	return there;
}
