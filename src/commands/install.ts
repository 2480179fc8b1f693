import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { isBucket } from '../platform/backup-copies/place.ts';
import { requireDatabaseFile } from '../platform/database/open.ts';
import { bucketVariables, type Config, defaultUsername } from '../platform/machine/config.ts';
import { dataFolderAt, lockFolder, makeDataFolder } from '../platform/machine/data-folder.ts';
import { backOfficeUrl } from '../platform/machine/local-service.ts';
import { readSecrets } from '../platform/machine/secrets.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import { migrateInstallation } from '../server/installation.ts';
import { findData } from './data.ts';
import {
	carryOut,
	configOf,
	keyPath,
	placesBelow,
	planInstallation,
	remove,
	startTimer,
	type Target,
} from './installer/install.ts';
import { run, systemd } from './installer/service-manager.ts';
import { askForSettings, type Choices, firstSettings, prove, questions, withValues } from './installer/settings.ts';
import type { ProcessContext } from './process.ts';

interface Options extends Choices {
	dryRun?: boolean | undefined;
	/** In seconds. */
	wait: number;
	from?: string | undefined;
}

type Machine = Pick<Target, 'places' | 'manager'>;

const thisMachine = (): Machine => ({ places: placesBelow('/'), manager: systemd() });

/**
 * `access install`: makes an installation, or upgrades it; `access recover`: the same with the newest backup of a place.
 * Options are written into the settings, and so are the keys of a bucket in the environment.
 * @throws OperationError, and everything is as it was.
 */
export async function install(
	context: ProcessContext,
	{ dryRun, ...options }: Options,
	machine = thisMachine(),
): Promise<number> {
	const { write, report, onStop } = context;
	const target = await targetOf(context, options, machine);
	const plan = await planInstallation(target);
	if (dryRun) {
		await write(plan.steps.map(({ does }) => `would ${does}\n`).join('') || 'nothing to do\n');
		return 0;
	}
	let isInterrupted = false;
	onStop(() => {
		isInterrupted = true;
	});
	await carryOut(plan, report, () => isInterrupted);
	if (plan.steps.length === 0) {
		// One that was killed may have come as far as the service only.
		await startTimer(target);
		await write('everything is installed already\n');
	} else await write(welcome(configOf(machine.places), !plan.isUpgrade && target.recoversFrom === undefined));
	return 0;
}

async function targetOf(context: ProcessContext, options: Options, machine: Machine): Promise<Target> {
	const program = requireProgram(context);
	requireMachine(context, machine);
	// The files of an installation are for everybody to read, unless they say otherwise.
	process.umask(0o022);
	const { report } = context;
	const { places } = machine;
	const before = existsSync(places.settings) ? readFileSync(places.settings, 'utf8') : undefined;
	const recoversFrom = options.from?.replace(/\/+$/, '');
	const given = questions.flatMap(({ name }) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
	const isAsked = before === undefined && given.length === 0 && recoversFrom === undefined && context.isTerminal;
	const chosen: Choices = isAsked ? askForSettings(context) : Object.fromEntries(given);
	if (recoversFrom !== undefined) chosen.BACKUP_TO = recoversFrom;
	const key = chosen.BACKUP_KEY_FILE && resolve(chosen.BACKUP_KEY_FILE);
	const values = {
		...chosen,
		...(key && { BACKUP_KEY_FILE: key }),
		...(isBucket(chosen.BACKUP_TO ?? '') && bucketSettings(context.environment)),
	};
	const settings = withValues(before ?? firstSettings(places.data), values);
	const isProven = settings === before && recoversFrom === undefined;
	const proof = async (SETTINGS_FILE: string) => {
		if (recoversFrom === undefined) return;
		// As root, who can read the key where it is: the folder of the data would make it another user.
		const command = ['env', '-i', `SETTINGS_FILE=${SETTINGS_FILE}`, 'DATA_DIR=/', program];
		report(await run([...command, 'restore', '--verify', `${recoversFrom}/latest`], { report }));
	};
	return {
		...machine,
		program,
		config: isProven ? configOf(places) : await prove(settings, proof),
		settings: key ? withValues(settings, { BACKUP_KEY_FILE: keyPath(places, key) }) : settings,
		key: key || undefined,
		recoversFrom,
		tells: [chosen.ALERT_URL, chosen.ALERT_COMMAND].some(Boolean),
		patience: options.wait * 1000,
	};
}

function bucketSettings(environment: ProcessContext['environment']): Record<string, string> {
	return Object.fromEntries(bucketVariables.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

/** `access uninstall`: removes the program and the service. @throws OperationError */
export async function uninstall(context: ProcessContext, machine = thisMachine()): Promise<number> {
	requireMachine(context, machine);
	const { places, manager } = machine;
	const { DATA_DIR: data } = existsSync(places.settings) ? configOf(places) : { DATA_DIR: places.data };
	const removed = await remove(places, manager);
	const kept = existsSync(data) ? `${data} and ${places.settings} are kept\n` : '';
	await context.write(`${removed.map((path) => `removed ${path}\n`).join('')}${kept}`);
	return 0;
}

function requireProgram({ program: [program = '', ...rest] }: ProcessContext): string {
	if (rest.length === 0) return program;
	throw new OperationError('only the built program can be installed: run bun run build, then dist/access install');
}

function requireMachine({ userId }: ProcessContext, { manager }: Machine): void {
	if (!manager.isThere()) {
		throw new OperationError('this machine does not run systemd: run access serve under what starts services here');
	}
	if (userId !== 0) throw new OperationError('only root can do this: run it with sudo');
}

/** `access migrate`, which the installer runs after its backup: brings the database of a stopped server up to date. @throws OperationError */
export async function migrate(context: ProcessContext): Promise<number> {
	const { folder } = findData(context);
	makeDataFolder(folder);
	requireDatabaseFile(folder.database);
	using _lock = lockFolder(folder);
	migrateInstallation(folder, context.report);
	return 0;
}

/** Where to go on, and the first password, which is shown only here. */
export function welcome(config: Config, isNew: boolean): string {
	const { ADMIN_PASSWORD: password } = readSecrets(dataFolderAt(config.DATA_DIR).secrets);
	const username = config.ADMIN_USERNAME ?? defaultUsername;
	const signIn = password && isNew ? `Sign in as ${username} with the password ${password}\n` : '';
	return `It serves at ${backOfficeUrl(config, hostname())}\n${signIn}`;
}
