/** The configuration: environment variables and the settings file, checked all at once. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import Type, { type StaticDecode } from 'typebox';
import Value from 'typebox/value';
import { logLevels } from '../log.ts';
import { counted } from '../vocabulary/counted.ts';
import { isLoopback, type Network, parseNetwork } from '../vocabulary/network.ts';
import { isPassword } from '../vocabulary/password-rule.ts';
import { followsRule } from '../vocabulary/text-rule.ts';
import { explainFileError } from './file-access.ts';
import { meantName } from './misspelling.ts';
import { readSettingsFile, SettingsError } from './settings-file.ts';

type VariableOptions = {
	/** What the variable is for; for the help. */
	about: string;
	/** What the variable takes: shown in the help, and to an operator who gave something else. */
	takes: string;
	default?: string;
	/** What holds without a value when there is no default; for the help. */
	otherwise?: string;
	/** Never shown, not even to say what was wrong with it. */
	secret?: boolean;
	/** A path: in the settings file it must be absolute, because commands run in any folder. */
	path?: boolean;
};

function variable(options: VariableOptions, isValid: (value: string) => boolean) {
	return Type.Refine(Type.String(options), isValid);
}

function password(about: string) {
	const options = { about, takes: '8 to 128 characters', otherwise: 'made on the first start', secret: true };
	return Type.Optional(variable(options, isPassword));
}

/** Takes any: the signing key is derived from it and a random value in the database, so a short one is weak but works. */
function tokenSecret(about: string, otherwise: string) {
	return Type.Optional(variable({ about, takes: '32 random bytes or more', otherwise, secret: true }, () => true));
}

/** Whether a signing secret can be guessed: it is short, or one character repeated. */
export function isWeakSecret(value: string): boolean {
	return Buffer.byteLength(value) < 32 || new Set(value).size === 1;
}

function wholeNumber(options: VariableOptions & { default: string }, maximum: number, minimum = 0) {
	const isValid = (value: string) =>
		/^(0|[1-9]\d{0,8})$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
	return Type.Decode(variable(options, isValid), Number);
}

function choice<Value extends string>(about: string, values: readonly Value[], byDefault: Value) {
	const isValid = (value: string) => values.some((each) => each === value);
	const takes = `one of ${values.join(', ')}`;
	return Type.Decode(variable({ about, takes, default: byDefault }, isValid), (value) => value as Value);
}

function pemFile(about: string) {
	const options = { about, takes: 'the path of a PEM file', path: true };
	return Type.Decode(
		variable(options, () => true),
		(value) => resolve(value),
	);
}

function listOf(value: string): string[] {
	return value.split(',').flatMap((each) => each.trim() || []);
}

function networksOf(value: string): Network[] {
	return listOf(value)
		.map(parseNetwork)
		.filter((network) => network !== undefined);
}

function isOrigin(value: string): boolean {
	return /^https?:/.test(value) && URL.parse(value)?.origin === value;
}

/** A username is what login can find: trimmed, and not a phone, which would lock that employee out. */
export function isAdminUsername(value: string): boolean {
	const isName = followsRule(value, { maximum: 50, mustBeVisible: true });
	return isName && value === value.trim() && !/^1[3-9]\d{9}$/.test(value);
}

/** A username as it is stored and as sign-in looks it up. */
export function normalizeUsername(value: string): string {
	return value.normalize('NFC');
}

/** Every variable that the program reads. */
const Environment = Type.Object({
	PORT: wholeNumber(
		{ about: 'where to listen', takes: 'a port number from 0 to 65535, 0 for any free one', default: '3000' },
		65_535,
	),
	HOST: variable(
		{
			about: 'where to listen',
			takes: 'a host name or address to listen on, such as 127.0.0.1',
			default: '0.0.0.0',
		},
		(value) => /^[\w.:-]+$/.test(value),
	),
	DATA_DIR: Type.Decode(
		variable(
			{ about: 'where everything is kept', takes: 'the path of a folder', default: './data', path: true },
			(value) => !value.includes('\0'),
		),
		(value) => resolve(value),
	),
	ADMIN_USERNAME: Type.Optional(
		Type.Decode(
			variable(
				{
					about: 'the super administrator, on the first start only',
					takes: '1 to 50 characters, without spaces around, that are not a mobile number',
					otherwise: 'admin',
				},
				isAdminUsername,
			),
			normalizeUsername,
		),
	),
	ADMIN_PASSWORD: password('the password of the super administrator, on the first start only'),
	INITIAL_EMPLOYEE_PASSWORD: password('the first password of each new employee'),
	TLS_CERT_FILE: Type.Optional(pemFile('the certificate chain for TLS')),
	TLS_KEY_FILE: Type.Optional(pemFile('the private key for TLS')),
	CORS_ORIGINS: Type.Decode(
		variable(
			{
				about: 'web pages that may call the service from a browser',
				takes: 'origins such as https://shop.example, separated by commas',
				default: '',
			},
			(value) => listOf(value).every(isOrigin),
		),
		listOf,
	),
	TRUST_PROXY: Type.Decode(
		variable(
			{
				about: 'your proxies, whose X-Forwarded-For is believed',
				takes: 'addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas',
				default: '',
			},
			(value) => listOf(value).every((each) => parseNetwork(each) !== undefined),
		),
		networksOf,
	),
	LOGIN_THROTTLE: choice('limits on wrong passwords; off is for tests, on 127.0.0.1 only', ['on', 'off'], 'on'),
	SWAGGER: choice('Swagger UI and the OpenAPI document', ['on', 'off'], 'on'),
	BACK_OFFICE: choice('the screens of the back office', ['on', 'off'], 'on'),
	LOG_LEVEL: choice('what is logged', logLevels, 'info'),
	HISTORY_DAYS: wholeNumber(
		{
			about: 'how long the history is kept',
			takes: 'a number of days from 0 to 36500, 0 for ever',
			default: '365',
		},
		36_500,
	),
	BACKUP_EVERY_HOURS: wholeNumber(
		{ about: 'automatic backups', takes: 'a number of hours from 0 to 8760, 0 for never', default: '0' },
		8760,
	),
	BACKUP_KEEP: wholeNumber(
		{ about: 'automatic backups', takes: 'a number of backups to keep from 1 to 1000', default: '7' },
		1000,
		1,
	),
	JWT_SECRET: tokenSecret('signs the tokens; another one signs everybody out', 'made on the first start'),
	JWT_SECRET_PREVIOUS: tokenSecret('the JWT_SECRET before, whose tokens are still accepted', 'none'),
});

/** The secrets, which can also be given in a file named by a variable of their name and `_FILE`. */
const secretNames = ['ADMIN_PASSWORD', 'INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET', 'JWT_SECRET_PREVIOUS'] as const;

/** Where the settings file is unless `SETTINGS_FILE` names another one. */
export const defaultSettingsFile = '/etc/access.conf';

/** The checked configuration; secrets that are not given are made on the first start. */
export type Config = StaticDecode<typeof Environment> & {
	/** The settings file that was read, if there is one. */
	settingsFile?: string;
	/** A sentence for each environment variable that is ignored and looks like a mistyped one. */
	misspelt: readonly string[];
};

/** A configuration that cannot be used: one line for each variable that is wrong. */
export class ConfigError extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from the settings file and from environment variables, which win over it; an empty one counts
 * as not given.
 * @throws ConfigError naming every variable that is wrong, what it got and what it takes.
 */
export function readConfig(environment: Variables): Config {
	const { variables, settingsFile } = withSettingsFile(environment);
	const given: Record<string, string | undefined> = {
		...Object.fromEntries(
			Object.keys(Environment.properties).flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])),
		),
		...readSecretFiles(variables),
	};
	const complete = Value.Default(Environment, given);
	if (!Value.Check(Environment, complete)) {
		const names = new Set(Value.Errors(Environment, complete).map((error) => error.instancePath.slice(1)));
		throw new ConfigError(Array.from(names, (name) => complaint(name, given[name])).join('\n'));
	}
	const [present, absent] = given.TLS_CERT_FILE ? ['TLS_CERT_FILE', 'TLS_KEY_FILE'] : ['TLS_KEY_FILE', 'TLS_CERT_FILE'];
	if (given[present] && !given[absent]) throw new ConfigError(`${absent} is not given, but ${present} needs it`);
	const config = Value.Decode(Environment, complete);
	if (config.LOGIN_THROTTLE === 'off' && !isLoopback(config.HOST)) {
		throw new ConfigError(
			`LOGIN_THROTTLE is off, which is for tests: set HOST=127.0.0.1 as well (it is ${config.HOST})`,
		);
	}
	return { ...config, misspelt: misspeltIn(environment), ...(settingsFile !== undefined && { settingsFile }) };
}

/** A settings file refuses names that it does not know; the environment is full of them. */
function misspeltIn(environment: Variables): string[] {
	const files = secretNames.map((name) => `${name}_FILE`);
	const known = [...Object.keys(Environment.properties), ...files, 'SETTINGS_FILE'];
	return Object.keys(environment).flatMap((name) => {
		const meant = environment[name] ? meantName(name, known) : undefined;
		return meant ? [`${name} is not a variable of this program and is ignored: write ${meant} if you mean it`] : [];
	});
}

/** Every variable as the help shows it: its name, what it is for, what it takes, and what holds without it. */
export function describeVariables(): string {
	const lines = Object.keys(Environment.properties).map((name) => {
		const { about, takes, default: value, otherwise = value || 'none' } = optionsOf(name);
		return `  ${name.padEnd(26)}${about}: ${takes} (${otherwise})`;
	});
	return lines.join('\n');
}

function withSettingsFile(environment: Variables): { variables: Variables; settingsFile?: string } {
	const settingsFile = environment.SETTINGS_FILE || defaultSettingsFile;
	// Only the usual file may be missing: one that is named is expected to be there.
	if (!environment.SETTINGS_FILE && !existsSync(settingsFile)) return { variables: environment };
	const given = Object.entries(environment).filter(([, value]) => value);
	const hasValue = new Set(given.map(([name]) => name.replace(/_FILE$/, '')));
	const settings = readSettings(settingsFile).filter(([name]) => !hasValue.has(name.replace(/_FILE$/, '')));
	return { variables: { ...Object.fromEntries(settings), ...Object.fromEntries(given) }, settingsFile };
}

/** The settings of a file. One that this program does not know is a mistake: a mistyped DATA_DIR would be a new chain. */
function readSettings(path: string): [name: string, value: string][] {
	try {
		const settings = Object.entries(readSettingsFile(path));
		for (const [name, value] of settings) requireUsable(path, name, value);
		return settings;
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		throw new ConfigError(error instanceof SettingsError ? error.message : explainFileError(path, error));
	}
}

function requireUsable(file: string, name: string, value: string): void {
	const isSecretFile = secretNames.some((secret) => name === `${secret}_FILE`);
	if (!isSecretFile && !(name in Environment.properties)) {
		throw new ConfigError(`${file} sets ${name}, which is not a variable of this program: see access --help`);
	}
	const isPath = isSecretFile || optionsOf(name).path === true;
	if (isPath && value !== '' && !isAbsolute(value)) {
		throw new ConfigError(`${name} is ${JSON.stringify(value)} in ${file}, but takes a path that begins with / there`);
	}
}

/** One line each; its end is not part of the secret. */
function readSecretFiles(variables: Variables): Record<string, string> {
	return Object.fromEntries(
		secretNames.flatMap((name) => {
			const path = variables[`${name}_FILE`];
			if (!path) return [];
			if (variables[name]) throw new ConfigError(`${name} and ${name}_FILE are both given: give one of them`);
			try {
				return [[name, readFileSync(path, 'utf8').replace(/\r?\n$/, '')]];
			} catch (error) {
				throw new ConfigError(`${name}_FILE: ${explainFileError(path, error)}`);
			}
		}),
	);
}

function complaint(name: string, got: string | undefined): string {
	const { takes, secret } = optionsOf(name);
	const shown = secret ? counted(Buffer.byteLength(got ?? ''), 'byte') : JSON.stringify(got);
	return `${name} is ${shown}, but takes ${takes}`;
}

function optionsOf(name: string): VariableOptions {
	const schema = Object.entries(Environment.properties).find(([key]) => key === name)?.[1];
	return schema as unknown as VariableOptions;
}
