import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { findAdministratorWith } from '../features/administrators/service.ts';
import { openDatabase, openExistingDatabase, requireDatabaseFile } from '../platform/database/open.ts';
import { lockFolder } from '../platform/machine/data-folder.ts';
import { asUser } from '../platform/machine/folder-owner.ts';
import { backOfficeUrl } from '../platform/machine/local-service.ts';
import { readSecrets } from '../platform/machine/secrets.ts';
import { parseSettings } from '../platform/machine/settings-file.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import {
	getServiceUser,
	keyPath,
	placesBelow,
	planInstallation,
	removeInstallation,
	runPlan,
	type Target,
	userSteps,
} from './installer/install.ts';
import { requireUsefulPlace } from './installer/preflight.ts';
import { service, systemd } from './installer/service-manager.ts';
import { type Choices, composeSettings, verifySettings, withValues } from './installer/settings.ts';
import { configure, type ProcessContext } from './process.ts';
import { isInstalling } from './watch.ts';

interface Options extends Choices {
	/** In seconds. */
	wait: number;
	from?: string | undefined;
}

type Machine = Pick<Target, 'places' | 'manager'>;

const thisMachine = (): Machine => ({ places: placesBelow('/'), manager: systemd() });

/**
 * `access install`: installs the program or upgrades the installation. `access recover`: installs it with the newest
 * backup of a place. Options and the environment's keys of a bucket are written into the settings.
 * @throws OperationError after everything was rolled back
 */
export async function install(
	context: ProcessContext,
	{ dryRun, ...options }: Options & { dryRun?: boolean | undefined },
	machine = thisMachine(),
): Promise<void> {
	const { write, report, onStop } = context;
	const target = await prepareTarget(context, options, machine);
	const interruption = new AbortController();
	onStop(() => interruption.abort(new OperationError('it was interrupted')));
	const work = { report, signal: interruption.signal };
	using _mark = dryRun ? undefined : markInstalling(target.places);
	if (!dryRun) await runPlan({ steps: userSteps(target), what: 'installation', serves: false }, work);
	const plan = await planInstallation(target);
	if (dryRun) return await write(plan.steps.map(({ does }) => `would ${does}\n`).join('') || 'nothing to do\n');
	await runPlan(plan, work);
	await write(plan.steps.length === 0 ? 'everything is installed already\n' : await describeNextSteps(context, target));
}

/** Marks a running installation: the watch is silent while this process lives. @throws OperationError if another one runs */
function markInstalling({ installing: path, settings }: Target['places']): Disposable {
	if (isInstalling({ settingsFile: settings }))
		throw new OperationError(`another installation is running: wait until it has ended, or remove ${path}`);
	mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
	rmSync(path, { force: true });
	writeFileSync(path, `${process.pid}\n`, { mode: 0o644 });
	return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

async function prepareTarget(
	context: ProcessContext,
	{ wait, from: recoversFrom, ...given }: Options,
	machine: Machine,
): Promise<Target> {
	const program = requireProgram(context);
	requireMachine(context, machine);
	// Every user may read the files of an installation, unless a step says otherwise.
	process.umask(0o022);
	const { places } = machine;
	const before = readSettings(places, recoversFrom);
	const { settings, key } = await composeSettings(context, given, { places, before, recoversFrom });
	const config = verifySettings(settings, places.settings);
	if (recoversFrom === undefined && config.BACKUP_TO !== parseSettings(before ?? '', '').settings.BACKUP_TO)
		await requireUsefulPlace(config, places.hidden);
	return {
		...machine,
		program,
		config,
		settings: key ? withValues(settings, { BACKUP_KEY_FILE: keyPath(places, key) }) : settings,
		key,
		recoversFrom,
		sendsTest: settings !== before && (config.ALERT_URL ?? config.ALERT_COMMAND) !== undefined,
		patience: wait * 1000,
	};
}

/** The text of the settings file before the installation. @throws OperationError when a service has lost its settings */
function readSettings({ settings: path, units }: Target['places'], recoversFrom: string | undefined) {
	if (existsSync(path)) return readFileSync(path, 'utf8');
	if (recoversFrom !== undefined || !existsSync(join(units, service))) return undefined;
	throw new OperationError(`${path} is missing: put it back, or run access uninstall to begin with new settings`);
}

/** `access uninstall`: removes the program and the service. @throws OperationError */
export async function uninstall(context: ProcessContext, machine = thisMachine()): Promise<void> {
	requireMachine(context, machine);
	const { places, manager } = machine;
	const removed = (await removeInstallation(places, manager)).map((path) => `removed ${path}\n`);
	const kept = existsSync(places.settings) ? `${places.settings} and its DATA_DIR are kept\n` : '';
	await context.write(`${removed.join('')}${kept}` || 'nothing is installed\n');
}

function requireProgram({ program: [program = '', ...rest] }: ProcessContext): string {
	if (rest.length === 0) return program;
	throw new OperationError('only the built program can be installed: run bun run build, then dist/access install');
}

function requireMachine({ userId }: ProcessContext, { manager }: Machine): void {
	const remedy = "run access serve under this machine's service manager";
	if (!manager.isThere()) throw new OperationError(`this machine does not run systemd: ${remedy}`);
	if (userId !== 0) throw new OperationError('only root can do this: run it with sudo');
}

/** `access migrate`, which the installer runs after its backup: migrates the database of a stopped server. */
export async function migrate(context: ProcessContext): Promise<void> {
	const { folder } = configure(context);
	requireDatabaseFile(folder.database);
	using _lock = lockFolder(folder);
	using _db = openDatabase(folder.database, { progress: context.report });
}

/** The next steps for the operator: how to sign in, as long as the first password is valid, and to copy the backups. */
async function describeNextSteps({ isTerminal }: ProcessContext, target: Target): Promise<string> {
	const { config } = target;
	const lines = [`It serves at ${backOfficeUrl(config, hostname())}`];
	const first = await findFirstSignIn(target);
	if (first !== undefined) {
		const where = isTerminal ? first.password : `in ${config.folder.secrets}`;
		lines.push(`Sign in as ${first.username} with the password ${where}`);
	}
	const remedy = 'access install --backup-to PLACE --key-file FILE copies them to another one';
	if (config.BACKUP_TO === undefined) lines.push(`All backups stay on this machine: ${remedy}`);
	return `${lines.join('\n')}\n`;
}

/** The password that the first start made, as long as an administrator has it, and their present username. */
async function findFirstSignIn({ places, config: { folder } }: Target) {
	const { ADMIN_PASSWORD: password } = readSecrets(folder.secrets);
	if (password === undefined) return undefined;
	const username = await asUser(getServiceUser(places), () => {
		using db = openExistingDatabase(folder.database);
		return findAdministratorWith(db, password);
	});
	return username === undefined ? undefined : { username, password };
}
