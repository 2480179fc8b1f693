/** The configuration: environment variables, checked all at once (decisions, "Running"). */
import { existsSync } from 'node:fs';
import Type, { type StaticDecode } from 'typebox';
import Value from 'typebox/value';
import { logLevels } from './log.ts';
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

function originsOf(value: string): string[] {
	return value.split(',').flatMap((origin) => origin.trim() || []);
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
	ADMIN_USERNAME: variable(
		{ takes: '1 to 50 characters, without spaces around, that are not a mobile number', default: 'admin' },
		isAdminUsername,
	),
	ADMIN_PASSWORD: password(),
	INITIAL_EMPLOYEE_PASSWORD: password(),
	TLS_CERT_FILE: Type.Optional(file()),
	TLS_KEY_FILE: Type.Optional(file()),
	CORS_ORIGINS: Type.Decode(
		variable({ takes: 'origins such as https://shop.example, separated by commas', default: '' }, (value) =>
			originsOf(value).every(isOrigin),
		),
		originsOf,
	),
	LOG_LEVEL: oneOf(logLevels, 'info'),
	BACKUP_EVERY_HOURS: wholeNumber('a number of hours from 0 to 8760, 0 for never', '0', 8760),
	BACKUP_KEEP: wholeNumber('a number of backups to keep from 1 to 1000', '7', 1000, 1),
	JWT_SECRET: Type.Optional(
		variable({ takes: 'at least 32 bytes', secret: true }, (value) => Buffer.byteLength(value) >= 32),
	),
});

/** The checked configuration; the secrets that are not given are made on the first start. */
export type Config = StaticDecode<typeof Environment>;

/** A configuration that cannot be used: one line for each variable that is wrong. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables; an empty one counts as not given.
 * @throws ConfigError naming every variable that is wrong, what it got and what it takes.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
	const given = Object.fromEntries(
		Object.keys(Environment.properties).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
	);
	const complete = Value.Default(Environment, given);
	if (!Value.Check(Environment, complete)) {
		const names = new Set(Value.Errors(Environment, complete).map((error) => error.instancePath.slice(1)));
		throw new ConfigError(Array.from(names, (name) => complaint(name, given[name])).join('\n'));
	}
	const [present, absent] = given.TLS_CERT_FILE ? ['TLS_CERT_FILE', 'TLS_KEY_FILE'] : ['TLS_KEY_FILE', 'TLS_CERT_FILE'];
	if (given[present] && !given[absent]) throw new ConfigError(`${absent} is not given, but ${present} needs it`);
	return Value.Decode(Environment, complete);
}

function complaint(name: string, got: string | undefined): string {
	const options = Object.entries(Environment.properties).find(([key]) => key === name)?.[1];
	const { takes, secret } = options as unknown as VariableOptions;
	const shown = secret ? `${Buffer.byteLength(got ?? '')} bytes` : JSON.stringify(got);
	return `${name} is ${shown}, but takes ${takes}`;
}
