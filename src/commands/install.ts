import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { bucketVariables, type Config, defaultUsername } from '../machine/config.ts';
import { dataFolderAt } from '../machine/data-folder.ts';
import { localUrl } from '../machine/local-service.ts';
import { readSecrets } from '../machine/secrets.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { carryOut, configOf, placesBelow, planInstallation, remove, type Target } from './installer/install.ts';
import { systemd } from './installer/service-manager.ts';
import { type Choices, checkSettings, questions, settingsText } from './installer/settings.ts';
import type { ProcessContext } from './process.ts';

interface Options extends Choices {
	root: string;
	dryRun?: boolean | undefined;
	/** In seconds. */
	wait: number;
}

/**
 * `access install`: makes an installation for systemd, or upgrades the one that is there.
 * @throws OperationError
 */
export async function install(context: ProcessContext, { dryRun = false, ...options }: Options): Promise<number> {
	return installOn(context, targetOf(context, options), dryRun);
}

/**
 * `access recover --from PLACE`: on a new machine, installs this program, restores the newest backup with the secrets that are
 * kept beside it, and starts. The keys of a bucket are in the environment and become settings.
 * @throws OperationError
 */
export async function recover(
	context: ProcessContext,
	{ from, keyFile, ...options }: Options & { from: string; keyFile?: string },
): Promise<number> {
	const { environment } = context;
	const given = bucketVariables.map((name) => [name, environment[name]] as const).filter(([, value]) => value);
	const target = targetOf(context, options, {
		BACKUP_TO: from,
		...(keyFile && { BACKUP_KEY_FILE: resolve(keyFile), BACKUP_SECRETS: 'on' }),
		...Object.fromEntries(given),
	});
	return installOn(context, { ...target, recoversFrom: from.replace(/\/+$/, '') });
}

async function installOn({ write, report }: ProcessContext, target: Target, dryRun = false): Promise<number> {
	const { steps, isUpgrade } = await planInstallation(target);
	if (dryRun) {
		await write(steps.map(({ does }) => `would ${does}\n`).join('') || 'nothing to do\n');
		return 0;
	}
	await carryOut({ steps, isUpgrade }, target, report);
	const isNew = !isUpgrade && target.recoversFrom === undefined;
	if (steps.length === 0) await write('everything is installed already\n');
	else if (target.starts) await write(welcome(configOf(target.places), isNew));
	return 0;
}

function targetOf(context: ProcessContext, { wait, ...options }: Options, others: Record<string, string> = {}): Target {
	const root = resolve(options.root);
	const program = requireProgram(context);
	requireMachine(context, root);
	// The files of an installation are for everybody to read, unless they say otherwise.
	process.umask(0o022);
	const places = placesBelow(root);
	const isNew = !existsSync(places.settings);
	const settings = settingsText(isNew ? choose(context, options) : {}, '/var/lib/access', others);
	if (isNew) checkSettings(settings);
	else if (questions.some(({ name }) => options[name])) context.report(`${places.settings} is kept: change it there`);
	return { places, manager: systemd(root), program, settings, starts: root === '/', patience: wait * 1000 };
}

/** Removes the program and the service; with `purge` also the data, once the operator gives the folder's name. */
export async function uninstall(context: ProcessContext, options: { root: string; purge?: boolean }): Promise<number> {
	const root = resolve(options.root);
	requireMachine(context, root);
	const places = placesBelow(root);
	const { DATA_DIR: data = places.data, CHAIN_NAME } = existsSync(places.settings) ? configOf(places) : {};
	if (options.purge) {
		const name = CHAIN_NAME ?? data;
		const typed = context.ask(`This removes ${data} with every backup in it. Type ${name} to go on`, '');
		if (typed !== name) throw new OperationError(`${name} was not typed: nothing is removed`);
	}
	const removed = await remove(places, systemd(root), options.purge ? data : undefined);
	const kept = options.purge || !existsSync(data) ? '' : `${data} and ${places.settings} are kept\n`;
	await context.write(`${removed.map((path) => `removed ${path}\n`).join('')}${kept}`);
	return 0;
}

function requireProgram({ program: [program = '', ...rest] }: ProcessContext): string {
	if (rest.length === 0) return program;
	throw new OperationError('only the built program can be installed: run bun run build, then dist/access install');
}

function requireMachine({ userId, platform }: ProcessContext, root: string): void {
	if (platform !== 'linux')
		throw new OperationError('this is not Linux: run access serve under what starts services here');
	if (userId !== 0) throw new OperationError('only root can do this: run it with sudo');
	if (root === '/' && !existsSync('/run/systemd/system')) {
		throw new OperationError('this machine does not run systemd: run access serve under what starts services here');
	}
}

/** The options that were given; the others are asked for at a terminal. */
function choose({ isTerminal, ask }: ProcessContext, given: Choices): Choices {
	const isAnyGiven = questions.some(({ name }) => given[name] !== undefined);
	if (!isTerminal || isAnyGiven) return given;
	return Object.fromEntries(questions.map(({ name, asks, ...question }) => [name, ask(asks, question.default)]));
}

/** Where to go on, and the first password, which is shown only here. */
export function welcome(config: Config, isNew: boolean): string {
	const { ADMIN_PASSWORD: password } = readSecrets(dataFolderAt(config.DATA_DIR).secrets);
	const url = new URL('/back-office/', localUrl(config, hostname()));
	const username = config.ADMIN_USERNAME ?? defaultUsername;
	const signIn = password && isNew ? `Sign in as ${username} with the password ${password}\n` : '';
	return `It serves at ${url.href}\n${signIn}`;
}
