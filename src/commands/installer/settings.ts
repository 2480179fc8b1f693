/** The settings of a new installation. */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../machine/config.ts';

/** What an operator chooses, by the name of the variable. */
export type Choices = Partial<Record<(typeof questions)[number]['name'], string>>;

/** What is asked when there is a terminal; the options of the command have the same names. */
export const questions = [
	{ name: 'CHAIN_NAME', asks: 'Name of the chain, for the pages', default: '' },
	{
		name: 'HOST',
		asks: 'Address to listen on (0.0.0.0 for the network, 127.0.0.1 behind a proxy)',
		default: '127.0.0.1',
	},
	{ name: 'PORT', asks: 'Port', default: '3000' },
	{ name: 'TLS_CERT_FILE', asks: 'Certificate for TLS (empty for none)', default: '' },
	{ name: 'TLS_KEY_FILE', asks: 'Private key for TLS (empty for none)', default: '' },
	{ name: 'TRUST_PROXY', asks: 'Address of your proxy (empty for none)', default: '' },
] as const;

/** The text of a settings file. */
export function settingsText(choices: Choices, data: string, others: Readonly<Record<string, string>> = {}): string {
	const chosen = questions.flatMap(({ name, ...question }) => {
		const value = choices[name] ?? question.default;
		return value === '' ? [] : [`${name}=${value}`];
	});
	return [
		'# The settings of the server and of every command. access --help lists all variables.',
		`DATA_DIR=${data}`,
		...chosen,
		'REQUIRE_OWN_PASSWORD=on',
		'BACKUP_EVERY_HOURS=24',
		...Object.entries(others).map(([name, value]) => `${name}=${value}`),
		'',
	].join('\n');
}

/** Reads settings before anything is installed. @throws OperationError naming every value that is wrong */
export function checkSettings(text: string): Config {
	const path = join(tmpdir(), `access-settings-${crypto.randomUUID()}`);
	writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
	try {
		return readConfig({ SETTINGS_FILE: path });
	} finally {
		rmSync(path);
	}
}
