/** The settings of an installation: questions, verification, and the text of the settings file. */
import { devNull } from 'node:os';
import { getNewest, readBeside } from '../../platform/backup-copies/copies.ts';
import { readKey } from '../../platform/backup-copies/key.ts';
import { placeAt } from '../../platform/backup-copies/place.ts';
import { createOpening } from '../../platform/backup-copies/sealing.ts';
import { type Config, findValueProblem, readConfig, retiredNames, secretNames } from '../../platform/machine/config.ts';
import { isThere } from '../../platform/machine/file-access.ts';
import { formatLine, parseSettings } from '../../platform/machine/settings-file.ts';
import { OperationError } from '../../platform/vocabulary/errors.ts';
import { readTls } from '../../server/certificate.ts';
import type { ProcessContext } from '../process.ts';

/** The operator's choices, by the name of the variable. */
export type Choices = Partial<Record<(typeof questions)[number]['name'], string>>;

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

type Question = (typeof questions)[number];

/** The questions about what may differ on the machine that replaces a lost one. */
export const machineQuestions = questions.filter((question) => 'ofMachine' in question);

type Terminal = Pick<ProcessContext, 'ask' | 'report'>;

/** Asks for settings. @param known the values of empty answers; a hyphen stands for none. @returns all choices */
export function askForSettings(
	terminal: Terminal,
	asked: readonly Question[],
	known: Readonly<Record<string, string>>,
	before: Choices = {},
): Choices {
	const chosen = { ...before };
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
	for (;;) {
		const given = ask(asks, missing === undefined ? known : '');
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
export async function readSettingsBeside(
	from: string,
	toReach: Readonly<Record<string, string>>,
): Promise<string | undefined> {
	const config = readConfig({ SETTINGS_FILE: devNull, ...toReach });
	const [place, opening] = [placeAt(from, config), createOpening(config)];
	const { name } = await getNewest(place, opening);
	return await readBeside(place, name, 'access.conf', opening);
}

/** The settings without the values of secrets, to show to a person. */
export function withoutSecrets(text: string): string {
	return text.replace(/^(\w+)=.*$/gm, (line, name) => (secretNames.includes(name) ? `${name}=…` : line));
}

/** A settings file without the lines of retired variables. */
export function withoutRetired(text: string): string {
	return text.replace(/^[ \t]*(\w+)[ \t]*=.*\n?/gm, (line, name) => (retiredNames.includes(name) ? '' : line));
}

/** The settings of a first installation. @param data the data folder */
export function firstSettings(data: string): string {
	return [
		'# The settings of the server and of every command. access --help lists all variables.',
		`DATA_DIR=${data}`,
		'HOST=127.0.0.1',
		'PORT=3000',
		'REQUIRE_OWN_PASSWORD=on',
		'',
	].join('\n');
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
	const config = readConfig({ SETTINGS_FILE: path }, () => parseSettings(text, path));
	readTls(config);
	readKey(config);
	return config;
}
