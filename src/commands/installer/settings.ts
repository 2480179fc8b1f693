/** The settings of an installation: questions, verification, and the text of the settings file. */
import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { getNewest, readBeside } from '../../platform/backup-copies/copies.ts';
import { readKey } from '../../platform/backup-copies/key.ts';
import { isBucket, placeAt } from '../../platform/backup-copies/place.ts';
import { createOpening } from '../../platform/backup-copies/sealing.ts';
import {
	bucketVariables,
	type Config,
	findValueProblem,
	readConfig,
	secretNames,
} from '../../platform/machine/config.ts';
import { dataFolderAt } from '../../platform/machine/data-folder.ts';
import { isThere } from '../../platform/machine/file-access.ts';
import { formatLine, parseSettings } from '../../platform/machine/settings-file.ts';
import { OperationError } from '../../platform/vocabulary/errors.ts';
import { readTls } from '../../server/certificate.ts';
import type { ProcessContext } from '../process.ts';
import type { Places } from './install.ts';
import { service } from './service-manager.ts';

/** The choices of the operator, by the name of the variable. */
export type Choices = Partial<Record<Question['name'], string>>;

/** The questions at a terminal. The options of the command have the same names. */
export const questions = [
	{ name: 'CHAIN_NAME', asks: 'Name of the chain, for the pages' },
	{ name: 'HOST', ofMachine: true, asks: 'Address to listen on (0.0.0.0 for the network, 127.0.0.1 behind a proxy)' },
	{ name: 'PORT', ofMachine: true, asks: 'Port' },
	{ name: 'TLS_CERT_FILE', ofMachine: true, asks: 'Certificate for TLS (empty for none)' },
	{ name: 'TLS_KEY_FILE', ofMachine: true, asks: 'Private key for TLS', needs: 'TLS_CERT_FILE' },
	{
		name: 'PUBLIC_URL',
		ofMachine: true,
		asks: 'Address that phones open, such as https://shop.example (empty for the address of the page)',
	},
	{ name: 'TRUST_PROXY', ofMachine: true, asks: 'Address of your proxy (empty for none)' },
	{ name: 'BACKUP_TO', asks: 'Folder or s3://bucket/prefix for copies of the backups (empty for none)' },
	{
		name: 'BACKUP_KEY_FILE',
		option: 'key-file',
		asks: 'File with the key that seals these copies (empty for none)',
		needs: 'BACKUP_TO',
	},
	{ name: 'ALERT_URL', asks: 'URL of a WeCom, DingTalk or Feishu robot for problems (empty for none)' },
	{ name: 'ALERT_COMMAND', asks: 'Command to run for problems (empty for none)' },
] as const;

export type Question = (typeof questions)[number];

interface Machine {
	places: Places;
	/** The text of its settings file. */
	before: string | undefined;
	recoversFrom: string | undefined;
}

/**
 * The text of the settings file, with the options and the answers of the operator, and the path of the key of the copies.
 * @throws OperationError
 */
export async function composeSettings(context: ProcessContext, given: Choices, machine: Machine) {
	const { places, recoversFrom } = machine;
	const chosen = recoversFrom === undefined ? given : { ...given, BACKUP_TO: recoversFrom };
	const { text, asked } = await findStart(context, chosen, machine);
	const { settings: known } = parseSettings(text, places.settings);
	const answers = context.isTerminal ? askForSettings(context, asked, known, chosen) : chosen;
	const access = findCopyAccess(context, answers);
	const settings = withValues(text, { ...answers, ...access });
	return { settings, key: access.BACKUP_KEY_FILE };
}

/**
 * Chooses the text to begin with: the settings of this machine, else those of the lost one, else the first ones.
 * @returns also the questions for a terminal. @throws OperationError
 */
async function findStart(context: ProcessContext, chosen: Choices, { before, recoversFrom, places }: Machine) {
	const { data } = places;
	if (before !== undefined) return { text: completeSettings(before, places, recoversFrom), asked: [] };
	const access = findCopyAccess(context, chosen);
	const copied = recoversFrom === undefined ? undefined : await readSettingsBeside(recoversFrom, access);
	if (copied !== undefined) {
		context.report(`the settings of the lost machine:\n${withoutSecrets(copied).trimEnd()}`);
		// Only these answers may differ on the machine that replaces a lost one.
		const asked = questions.filter((question) => 'ofMachine' in question);
		return { text: withMissing(copied, { DATA_DIR: data }), asked };
	}
	// An operator who gives options to an installation is not asked.
	const isComplete = recoversFrom === undefined && Object.keys(chosen).length > 0;
	return { text: firstSettings(data), asked: isComplete ? [] : questions };
}

/** The settings of this machine. If nothing has served with them yet, they get the first settings that they lack. */
function completeSettings(text: string, { data, units }: Places, recoversFrom: string | undefined): string {
	// Without DATA_DIR, a service has its data in ./data, below the folder that its unit works in.
	const complete = withMissing(text, { DATA_DIR: join(data, 'data') });
	const { DATA_DIR = '' } = parseSettings(complete, '').settings;
	const isOfService = existsSync(join(units, service)) || existsSync(dataFolderAt(DATA_DIR).database);
	return isOfService || recoversFrom !== undefined ? complete : firstSettings(data, text);
}

/** The settings that give access to the copies: the file of the key, and the keys of the bucket. */
function findCopyAccess({ environment }: ProcessContext, { BACKUP_TO = '', BACKUP_KEY_FILE }: Choices) {
	const keys = bucketVariables.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
	return {
		...(BACKUP_KEY_FILE && { BACKUP_KEY_FILE: resolve(BACKUP_KEY_FILE) }),
		...(isBucket(BACKUP_TO) && Object.fromEntries(keys)),
	};
}

type Terminal = Pick<ProcessContext, 'ask' | 'report'>;

/** Asks for settings. @param known the values of empty answers; a hyphen stands for none. @returns all choices */
function askForSettings(
	terminal: Terminal,
	asked: readonly Question[],
	known: Readonly<Record<string, string>>,
	given: Choices,
): Choices {
	const chosen = { ...given };
	for (const question of asked) {
		if (chosen[question.name] !== undefined) continue;
		const isNeeded = !('needs' in question) || Boolean(chosen[question.needs]);
		chosen[question.name] = isNeeded ? askUntilValid(terminal, question, known[question.name] ?? '') : '';
	}
	return chosen;
}

function askUntilValid({ ask, report }: Terminal, { name, asks }: Question, known: string): string {
	// A file of the lost machine, such as its certificate, may be missing here: an empty answer then means no file.
	const missing = findProblem(name, known);
	if (missing !== undefined) report(missing);
	const byDefault = missing === undefined ? known : '';
	for (;;) {
		const given = ask(byDefault === '' ? asks : asks.replace('(empty for', '(- for'), byDefault);
		const answer = given === '-' ? '' : given;
		const problem = findProblem(name, answer);
		if (problem === undefined) return answer;
		report(problem);
	}
}

function findProblem(name: string, answer: string): string | undefined {
	if (answer === '') return undefined;
	if (name.endsWith('_FILE') && !isThere(answer)) return `${name}: there is no file ${answer}`;
	return findValueProblem(name, answer);
}

/** The settings of the lost machine, beside its newest copy in a place. Undefined if there are none. @throws OperationError */
async function readSettingsBeside(from: string, access: Readonly<Record<string, string>>): Promise<string | undefined> {
	const config = readConfig({ SETTINGS_FILE: devNull, ...access });
	const [place, opening] = [placeAt(from, config), createOpening(config)];
	const { name } = await getNewest(place, opening);
	return await readBeside(place, name, 'access.conf', opening);
}

/** The settings without the values of secrets, to show to a person. */
function withoutSecrets(text: string): string {
	return text.replace(/^(\w+)=.*$/gm, (line, name) => (secretNames.includes(name) ? `${name}=…` : line));
}

const heading = '# The settings of the server and of every command. access --help lists all variables.\n';

/** The settings of a first installation. @param data the data folder. @param prepared settings, which win */
export function firstSettings(data: string, prepared = heading): string {
	return withMissing(prepared, { DATA_DIR: data, HOST: '127.0.0.1', PORT: '3000', REQUIRE_OWN_PASSWORD: 'on' });
}

function withMissing(text: string, values: Readonly<Record<string, string>>): string {
	const { settings: known } = parseSettings(text, '');
	return withValues(text, Object.fromEntries(Object.entries(values).filter(([name]) => !known[name])));
}

/** The text of a settings file with new values. All other lines stay. @throws OperationError */
export function withValues(text: string, values: Readonly<Record<string, string>>): string {
	let changed = text;
	for (const [name, value] of Object.entries(values)) {
		const present = new RegExp(`^[ \\t]*${name}[ \\t]*=.*$`, 'm');
		const line = formatLine(name, value);
		if (line === undefined)
			throw new OperationError(`${name} has a backslash, a line break or both kinds of quotes: leave them out`);
		if (present.test(changed)) changed = changed.replace(present, () => line);
		// A last line without a line break gets one.
		else if (value !== '') changed = `${changed.replace(/(?<=.)$/, '\n')}${line}\n`;
	}
	return changed;
}

/** Verifies settings before anything is written: the values, the certificate and the key. @param path where they will be */
export function verifySettings(text: string, path: string): Config {
	const config = readConfig({ SETTINGS_FILE: path }, text);
	if (config.PORT === 0) throw new OperationError('PORT is 0, another port after each start: choose one');
	readTls(config);
	readKey(config);
	return config;
}
