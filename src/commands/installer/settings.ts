/** The settings of an installation: asked for, proven, and written into the settings file. */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeAt } from '../../platform/backup-copies/place.ts';
import { keyOf } from '../../platform/backup-copies/sealing.ts';
import { type Config, problemWith, readConfig } from '../../platform/machine/config.ts';
import { isThere } from '../../platform/machine/file-access.ts';
import { readTls } from '../../server/certificate.ts';
import type { ProcessContext } from '../process.ts';

/** What an operator chooses, by the name of the variable. */
export type Choices = Partial<Record<(typeof questions)[number]['name'], string>>;

/** What is asked when there is a terminal; the options of the command have the same names. */
export const questions = [
	{ name: 'CHAIN_NAME', asks: 'Name of the chain, for the pages' },
	{ name: 'HOST', asks: 'Address to listen on (0.0.0.0 for the network, 127.0.0.1 behind a proxy)' },
	{ name: 'PORT', asks: 'Port' },
	{ name: 'TLS_CERT_FILE', asks: 'Certificate for TLS (empty for none)' },
	{ name: 'TLS_KEY_FILE', asks: 'Private key for TLS', needs: 'TLS_CERT_FILE' },
	{ name: 'PUBLIC_URL', asks: 'Address that phones open, such as https://shop.example (empty for that of the page)' },
	{ name: 'TRUST_PROXY', asks: 'Address of your proxy (empty for none)' },
	{ name: 'BACKUP_TO', asks: 'Folder or s3://bucket/prefix for copies of the backups (empty for none)' },
	{
		name: 'BACKUP_KEY_FILE',
		option: 'key-file',
		asks: 'File with the key of these copies (empty for none)',
		needs: 'BACKUP_TO',
	},
	{ name: 'ALERT_URL', asks: 'Robot of WeCom, DingTalk or Feishu that is told of problems (empty for none)' },
	{ name: 'ALERT_COMMAND', asks: 'Command that is told of problems (empty for none)' },
] as const;

/** What a first installation has unless somebody chooses otherwise. */
const byDefault: Choices = { HOST: '127.0.0.1', PORT: '3000' };

/** Asks for all settings; what is wrong is said at once, and asked for again. */
export function askForSettings({ ask, report }: Pick<ProcessContext, 'ask' | 'report'>): Choices {
	const chosen: Choices = {};
	for (const { name, asks, ...question } of questions) {
		if ('needs' in question && !chosen[question.needs]) continue;
		for (let problem: string | undefined = ''; problem !== undefined; ) {
			const answer = ask(asks, byDefault[name] ?? '');
			problem = problemOf(name, answer);
			if (problem === undefined) chosen[name] = answer;
			else report(problem);
		}
	}
	return chosen;
}

function problemOf(name: string, answer: string): string | undefined {
	if (answer === '') return undefined;
	if (name.endsWith('_FILE') && !isThere(answer)) return `${name}: there is no file ${answer}`;
	return problemWith(name, answer);
}

/** The settings of a first installation. @param data the folder of the data. */
export function firstSettings(data: string): string {
	return [
		'# The settings of the server and of every command. access --help lists all variables.',
		`DATA_DIR=${data}`,
		`HOST=${byDefault.HOST}`,
		`PORT=${byDefault.PORT}`,
		'REQUIRE_OWN_PASSWORD=on',
		'',
	].join('\n');
}

/** The text of a settings file with other values; everything else in it stays. */
export function withValues(text: string, values: Readonly<Record<string, string>>): string {
	return Object.entries(values).reduce((before, [name, value]) => {
		const line = new RegExp(`^[ \\t]*${name}[ \\t]*=.*$`, 'm');
		if (line.test(before)) return before.replace(line, () => `${name}=${value}`);
		return value === '' ? before : `${before.replace(/(?<=.)$/, '\n')}${name}=${value}\n`;
	}, text);
}

/**
 * Proves settings before anything is written: the values, the certificate, the key, and that the place of copies answers.
 * @param more looks at what else depends on them; it gets the path of a file that holds them.
 */
export async function prove(text: string, more: (settingsFile: string) => Promise<unknown>): Promise<Config> {
	const path = join(tmpdir(), `access-settings-${crypto.randomUUID()}`);
	writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
	try {
		const config = readConfig({ SETTINGS_FILE: path });
		readTls(config);
		keyOf(config);
		if (config.BACKUP_TO !== undefined) await placeAt(config.BACKUP_TO, config).list();
		await more(path);
		return config;
	} finally {
		rmSync(path);
	}
}
