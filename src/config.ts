/** The configuration: environment variables, checked all at once (decisions, "Running"). */
import { existsSync, readFileSync } from 'node:fs';
import Type, { type StaticDecode } from 'typebox';
import Value from 'typebox/value';
import { messageOf } from './errors.ts';
import { logLevels } from './log.ts';
import { isLoopback, type Network, parseNetwork } from './network.ts';
import { isPassword } from './password-rule.ts';

type VariableOptions = {
	/** What the variable takes, for the operator who gave something else. */
	takes: string;
	default?: string;
	/** Never shown, not even to say what was wrong with it. */
	secret?: boolean;
};

function variable(options: VariableOptions, isValid: (value: string) => boolean) {
	return Type.Refine(Type.String(options), isValid);
}

function password() {
	return Type.Optional(variable({ takes: '8 to 128 characters', secret: true }, isPassword));
}

function tokenSecret() {
	const isStrong = (value: string) => Buffer.byteLength(value) >= 32 && new Set(value).size > 1;
	return Type.Optional(variable({ takes: 'at least 32 bytes that are not all the same', secret: true }, isStrong));
}

function wholeNumber(takes: string, byDefault: string, maximum: number, minimum = 0) {
	const isValid = (value: string) =>
		/^(0|[1-9]\d{0,8})$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
	return Type.Decode(variable({ takes, default: byDefault }, isValid), Number);
}

function oneOf<Value extends string>(values: readonly Value[], byDefault: Value) {
	const isValid = (value: string) => values.some((each) => each === value);
	const takes = `one of ${values.join(', ')}`;
	return Type.Decode(variable({ takes, default: byDefault }, isValid), (value) => value as Value);
}

function file() {
	return variable({ takes: 'the path of a PEM file that can be read' }, (value) => existsSync(value));
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
function isAdminUsername(value: string): boolean {
	return /^[^\p{Cc}]{1,50}$/u.test(value) && value === value.trim() && !/^1[3-9]\d{9}$/.test(value);
}

/** Every variable that the program reads. */
const Environment = Type.Object({
	PORT: wholeNumber('a port number from 0 to 65535, 0 for any free one', '3000', 65_535),
	HOST: variable({ takes: 'a host name or address to listen on, such as 127.0.0.1', default: '0.0.0.0' }, (value) =>
		/^[\w.:-]+$/.test(value),
	),
	DATA_DIR: variable({ takes: 'the path of a folder', default: './data' }, (value) => !value.includes('\0')),
	ADMIN_USERNAME: Type.Decode(
		variable(
			{ takes: '1 to 50 characters, without spaces around, that are not a mobile number', default: 'admin' },
			isAdminUsername,
		),
		// As login looks it up.
		(value) => value.normalize('NFC'),
	),
	ADMIN_PASSWORD: password(),
	INITIAL_EMPLOYEE_PASSWORD: password(),
	TLS_CERT_FILE: Type.Optional(file()),
	TLS_KEY_FILE: Type.Optional(file()),
	CORS_ORIGINS: Type.Decode(
		variable({ takes: 'origins such as https://shop.example, separated by commas', default: '' }, (value) =>
			listOf(value).every(isOrigin),
		),
		listOf,
	),
	TRUST_PROXY: Type.Decode(
		variable(
			{ takes: 'addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas', default: '' },
			(value) => listOf(value).every((each) => parseNetwork(each) !== undefined),
		),
		networksOf,
	),
	LOGIN_THROTTLE: oneOf(['on', 'off'], 'on'),
	SWAGGER: oneOf(['on', 'off'], 'on'),
	BACK_OFFICE: oneOf(['on', 'off'], 'on'),
	LOG_LEVEL: oneOf(logLevels, 'info'),
	HISTORY_DAYS: wholeNumber('a number of days from 0 to 36500, 0 for ever', '365', 36_500),
	BACKUP_EVERY_HOURS: wholeNumber('a number of hours from 0 to 8760, 0 for never', '0', 8760),
	BACKUP_KEEP: wholeNumber('a number of backups to keep from 1 to 1000', '7', 1000, 1),
	JWT_SECRET: tokenSecret(),
	JWT_SECRET_PREVIOUS: tokenSecret(),
});

/** The secrets, which can also be given in a file named by a variable of their name and `_FILE`. */
const secretNames = ['ADMIN_PASSWORD', 'INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET', 'JWT_SECRET_PREVIOUS'] as const;

/** The checked configuration; the secrets that are not given are made on the first start. */
export type Config = StaticDecode<typeof Environment>;

/** A configuration that cannot be used: one line for each variable that is wrong. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables; an empty one counts as not given.
 * @throws ConfigError naming every variable that is wrong, what it got and what it takes.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
	const given: Record<string, string | undefined> = {
		...Object.fromEntries(
			Object.keys(Environment.properties).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
		),
		...readSecretFiles(environment),
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
	return config;
}

/** One line each; its end is not part of the secret. */
function readSecretFiles(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
	return Object.fromEntries(
		secretNames.flatMap((name) => {
			const path = environment[`${name}_FILE`];
			if (!path) return [];
			if (environment[name]) throw new ConfigError(`${name} and ${name}_FILE are both given: give one of them`);
			try {
				return [[name, readFileSync(path, 'utf8').replace(/\r?\n$/, '')]];
			} catch (error) {
				throw new ConfigError(`${name}_FILE is ${JSON.stringify(path)}, but takes a file to read: ${messageOf(error)}`);
			}
		}),
	);
}

function complaint(name: string, got: string | undefined): string {
	const options = Object.entries(Environment.properties).find(([key]) => key === name)?.[1];
	const { takes, secret } = options as unknown as VariableOptions;
	const shown = secret ? `${Buffer.byteLength(got ?? '')} bytes` : JSON.stringify(got);
	return `${name} is ${shown}, but takes ${takes}`;
}
