/** The configuration: environment variables and the settings file, checked all at once. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parseUsername, usernameRule } from '../vocabulary/accounts.ts';
import { counted } from '../vocabulary/counted.ts';
import { messageOf, OperationError } from '../vocabulary/errors.ts';
import { maxChainName } from '../vocabulary/limits.ts';
import { isLoopback, parseListenAddress, parseNetwork } from '../vocabulary/network.ts';
import { isPassword } from '../vocabulary/password-rule.ts';
import { clean, followsRule } from '../vocabulary/text-rule.ts';
import { type DataFolder, dataFolderAt } from './data-folder.ts';
import { withExplanation } from './file-access.ts';
import { logLevels } from './log.ts';
import { type GivenSettings, parseSettings } from './settings-file.ts';

interface Variable {
	about: string;
	/** The allowed values, for the help and for the error message. */
	takes: string;
	default?: string;
	/** The effect of no value, for the help, if there is no default. */
	otherwise?: string;
	/**
	 * A value that is never shown, not even in an error. `<NAME>_FILE` can name a file that holds it. Copied settings hold
	 * it, encrypted, or its name only, or nothing of it.
	 */
	secret?: 'copied' | 'named' | 'left out';
	/** A path. It must be absolute in the settings file, because commands run in any folder. */
	path?: true;
	/** Parses a text. Returns undefined for an invalid one. */
	parse(text: string): unknown;
}

function textThat(isValid: (text: string) => boolean) {
	return (text: string) => (isValid(text) ? text : undefined);
}

/** @param zero the meaning of 0 */
function number(
	about: string,
	what: string,
	{ default: value, min = 0, max, zero }: { default: number; min?: number; max: number; zero?: string },
) {
	return {
		about,
		takes: `${what} from ${min} to ${max}${zero === undefined ? '' : `, 0 for ${zero}`}`,
		default: String(value),
		parse(text: string) {
			const isInRange = /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max;
			return isInRange ? Number(text) : undefined;
		},
	};
}

function choice<const Choice extends string>(about: string, choices: readonly Choice[], byDefault: Choice) {
	const parse = (text: string) => choices.find((each) => each === text);
	return { about, takes: `one of ${choices.join(', ')}`, default: byDefault, parse };
}

const toggle = (about: string, byDefault: 'on' | 'off') => choice(about, ['on', 'off'], byDefault);

function list<Item>(about: string, what: string, parseItem: (text: string) => Item | undefined) {
	const parse = (text: string) => {
		const items = text.split(',').flatMap((each) => (each.trim() === '' ? [] : [parseItem(each.trim())]));
		return items.every((item) => item !== undefined) ? items : undefined;
	};
	return { about, takes: `${what}, separated by commas`, default: '', parse };
}

const anyText = textThat(() => true);
const made = { secret: 'named', otherwise: 'generated' } as const;
const password = { ...made, takes: '8 to 128 characters', parse: textThat(isPassword) };
/** The secret of tokens. The signing key also has a random part from the database, so a short secret works. */
const signingSecret = { ...made, takes: '32 random bytes or more', parse: anyText };
/** A secret that protects alone, so a short one is refused. */
const key = { ...signingSecret, parse: textThat((text) => Buffer.byteLength(text) >= 32) };
/** A new machine needs it before it can read the bucket. */
const bucketKey = { secret: 'left out', takes: 'a text', parse: anyText } as const;
const file = { path: true, parse: (path: string) => resolve(path) } as const;
const pemFile = { ...file, takes: 'the path of a PEM file' };

function isOrigin(value: string): boolean {
	return /^https?:/.test(value) && URL.parse(value)?.origin === value;
}

/** Parses the address, and adds a slash at its end, because the pages are below it. */
function parsePublicUrl(text: string): string | undefined {
	const { protocol, origin, pathname, href } = URL.parse(text) ?? {};
	const isPlain = /^https?:$/.test(protocol ?? '') && href === `${origin}${pathname}`;
	return isPlain ? href.replace(/\/?$/, '/') : undefined;
}

/** The username of the super administrator unless `ADMIN_USERNAME` gives another one. */
export const defaultUsername = 'admin';

const variables = {
	PORT: number('the port to listen on', 'a port number', { default: 3000, max: 65_535, zero: 'any free one' }),
	HOST: {
		about: 'the address to listen on',
		takes: 'a host name or address such as 127.0.0.1',
		default: '0.0.0.0',
		parse: textThat((text) => /^[\w.:-]+$/.test(text)),
	},
	DATA_DIR: {
		about: 'the folder of the database, the secrets and the backups',
		takes: 'the path of a folder',
		default: './data',
		path: true,
		parse: (path: string) => (path.includes('\0') ? undefined : resolve(path)),
	},
	CHAIN_NAME: {
		about: 'the name of the chain on pages and files, until a super administrator gives another',
		takes: `1 to ${maxChainName} characters in one line`,
		parse: (text: string) =>
			followsRule(text, { maximum: maxChainName, mustBeVisible: true }) ? clean(text) : undefined,
	},
	PUBLIC_URL: {
		about: 'the address that people open, shown on slips with passwords and at the start',
		takes: 'a URL such as https://shop.example or, behind a proxy with a path, https://shop.example/access',
		otherwise: 'the address of the page',
		parse: parsePublicUrl,
	},
	ADMIN_USERNAME: {
		about: 'the super administrator, on the first start only',
		takes: usernameRule,
		otherwise: defaultUsername,
		parse: parseUsername,
	},
	ADMIN_PASSWORD: { about: 'the password of the super administrator, on the first start only', ...password },
	INITIAL_EMPLOYEE_PASSWORD: {
		about: 'the first password of each new employee, unless REQUIRE_OWN_PASSWORD=on',
		...password,
	},
	TLS_CERT_FILE: { about: 'the certificate chain for TLS', ...pemFile },
	TLS_KEY_FILE: { about: 'the private key for TLS', ...pemFile },
	CORS_ORIGINS: list(
		'web pages that may call the service from a browser',
		'origins such as https://shop.example, with nothing behind the name or port, or dev for any on this machine',
		textThat((text) => text === 'dev' || isOrigin(text)),
	),
	TRUST_PROXY: list(
		'your proxies, whose X-Forwarded-For is believed',
		'addresses or networks such as 127.0.0.1 or 10.0.0.0/8',
		parseNetwork,
	),
	LOGIN_THROTTLE: toggle('limits on wrong passwords; off, for tests, needs HOST=127.0.0.1', 'on'),
	REQUIRE_OWN_PASSWORD: toggle('whether sign-in refuses the initial password', 'off'),
	SECOND_FACTOR: choice('two-step sign-in for everybody with a back-office menu', ['optional', 'required'], 'optional'),
	SWAGGER: toggle('Swagger UI and the OpenAPI document', 'on'),
	BACK_OFFICE: toggle('the pages of the back office', 'on'),
	LOG_LEVEL: choice('the least severe messages that are logged', logLevels, 'info'),
	HISTORY_DAYS: number('the time for which the history is kept', 'a whole number of days', {
		default: 365,
		max: 36_500,
		zero: 'ever',
	}),
	BACKUP_EVERY_HOURS: number('the time between automatic backups', 'a whole number of hours', {
		default: 24,
		max: 8760,
		zero: 'never',
	}),
	BACKUP_KEEP: number('the number of automatic backups to keep', 'a whole number', { default: 7, min: 1, max: 1000 }),
	BACKUP_TO: {
		about: 'the place to which each automatic backup is copied',
		takes: 'the absolute path of a folder, or s3://bucket/prefix',
		parse: textThat((text) => /^(\/|s3:\/\/[^/]+)/.test(text)),
	},
	BACKUP_KEY_FILE: {
		about:
			'the key that seals the copies; with it, secrets and settings are copied too, and unsealed copies are refused',
		takes: 'the path of a file with one line of 32 characters or more',
		...file,
	},
	S3_ENDPOINT: {
		about: 'the service of BACKUP_TO',
		takes: 'an origin such as https://s3.example.com',
		otherwise: 'AWS',
		parse: textThat(isOrigin),
	},
	S3_REGION: { about: 'the region of BACKUP_TO', takes: 'a name', otherwise: 'us-east-1', parse: anyText },
	S3_ACCESS_KEY_ID: { about: 'the name of the key for BACKUP_TO', ...bucketKey },
	S3_SECRET_ACCESS_KEY: { about: 'the key for BACKUP_TO', ...bucketKey },
	ALERT_COMMAND: {
		about: 'the command that access check --watch runs for a new problem, with the text on standard input',
		takes: 'a command line',
		parse: anyText,
	},
	ALERT_URL: {
		about: 'the WeCom, DingTalk or Feishu robot to which access check --watch sends the text as JSON',
		takes: 'a URL that begins with https:// or http://',
		// Without it, a new machine could report no problems.
		secret: 'copied',
		parse: textThat((text) => /^https?:/.test(text) && URL.canParse(text)),
	},
	METRICS_LISTEN: {
		about: 'a separate address for metrics in Prometheus format, at /metrics',
		takes: 'an address and a port such as 127.0.0.1:9464',
		parse: parseListenAddress,
	},
	JWT_SECRET: { about: 'the secret that signs tokens; changing it signs everybody out', ...signingSecret },
	PASSWORD_KEY: {
		about: 'the key of one-time passwords and approval codes; changing it invalidates those issued before',
		...key,
	},
	SECOND_FACTOR_KEY: { about: 'the key that encrypts second factors; changing it invalidates them', ...key },
} satisfies Record<string, Variable>;

/** The settings for access to a bucket, besides its name. */
export const bucketVariables = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Variables of earlier versions, which are ignored, with the reason. */
const retired: Readonly<Record<string, string>> = {
	BACKUP_SECRETS: 'with BACKUP_KEY_FILE the secrets are always copied',
	JWT_SECRET_PREVIOUS: 'another JWT_SECRET signs everybody out',
	JWT_SECRET_PREVIOUS_FILE: 'another JWT_SECRET signs everybody out',
};

type Variables = typeof variables;
/** The value of a variable. It can be undefined only without a default. */
type ValueOf<V extends Variable> = V extends { default: string }
	? Exclude<ReturnType<V['parse']>, undefined>
	: ReturnType<V['parse']> | undefined;
type Values = { [Name in keyof Variables]: ValueOf<Variables[Name]> };

const table: Readonly<Record<string, Variable>> = variables;
/** The variables that `<NAME>_FILE` can give in a file. */
export const secretNames = Object.keys(table).filter((name) => table[name]?.secret);

/** The secrets by the variable that names their file. `BACKUP_KEY_FILE` is none: it is a setting of its own. */
const secretFiles: ReadonlyMap<string, string> = new Map(secretNames.map((name) => [`${name}_FILE`, name]));

/** The path of the settings file, unless `SETTINGS_FILE` names another one. */
export const defaultSettingsFile = '/etc/access.conf';

/** The checked configuration. The first start makes the missing secrets. */
export type Config = Values & {
	folder: DataFolder;
	settingsFile: string | undefined;
	/** A sentence for each given variable of an earlier version. */
	ignored: readonly string[];
	/** A line for each problem. Only the watch goes on with them, to report them. */
	problems: readonly string[];
	given: GivenSettings;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings file and the environment, which wins. An empty variable counts as not given.
 * @param text the text of a settings file that is not written yet
 * @throws OperationError naming every invalid variable, its value and the allowed values
 */
export function readConfig(environment: Environment, text?: string): Config {
	const config = readAnyConfig(environment, text);
	requireNone(config.problems);
	return config;
}

/** Reads a configuration that may be wrong: an invalid variable has its default. @throws OperationError without the file */
export function readAnyConfig(environment: Environment, text?: string): Config {
	const { settings, settingsFile, problems } = readSettings(environment, text);
	const texts: Environment = { ...settings, ...readSecretFiles(settings, problems) };
	const values: Record<string, unknown> = {};
	for (const [name, variable] of Object.entries(table)) {
		const text = texts[name];
		const value = text === undefined ? undefined : variable.parse(text);
		values[name] = value ?? (variable.default === undefined ? undefined : variable.parse(variable.default));
		if (text !== undefined && value === undefined) problems.push(describeProblem(name, variable, text));
	}
	// Each value has the type of the variable that parsed it.
	const checked = values as Values;
	const config = {
		...checked,
		folder: dataFolderAt(checked.DATA_DIR),
		settingsFile,
		ignored: Object.entries(retired)
			.filter(([name]) => texts[name])
			.map(([name, reason]) => `${name} is ignored, remove it: ${reason}`),
		problems,
		given: listGiven(texts),
	};
	if (problems.length === 0) problems.push(...findContradictions(config));
	return config;
}

/** Undefined stands for no problem. @throws OperationError with a line for each problem, if there are any */
export function requireNone(problems: readonly (string | undefined)[]): void {
	const found = problems.filter((problem) => problem !== undefined);
	if (found.length > 0) throw new OperationError(found.join('\n'));
}

/** The problem with a value of a variable, if there is one. */
export function findValueProblem(name: string, text: string): string | undefined {
	const variable = table[name];
	return variable && variable.parse(text) === undefined ? describeProblem(name, variable, text) : undefined;
}

function describeProblem(name: string, { takes, secret }: Variable, text: string): string {
	const shown = secret ? counted(Buffer.byteLength(text), 'byte') : JSON.stringify(text);
	return `${name} is ${shown}, but takes ${takes}`;
}

/** A sentence for each two variables that contradict each other. */
function findContradictions({ TLS_CERT_FILE, TLS_KEY_FILE, LOGIN_THROTTLE, HOST }: Config): string[] {
	if (TLS_CERT_FILE && !TLS_KEY_FILE) return ['TLS_KEY_FILE is not given, but TLS_CERT_FILE needs it'];
	if (TLS_KEY_FILE && !TLS_CERT_FILE) return ['TLS_CERT_FILE is not given, but TLS_KEY_FILE needs it'];
	if (LOGIN_THROTTLE !== 'off' || isLoopback(HOST)) return [];
	return [`LOGIN_THROTTLE is off, which is for tests: set HOST=127.0.0.1 as well (it is ${HOST})`];
}

/** The given values, with absolute paths: a relative path would mean another folder on another machine. */
function listGiven(texts: Environment): GivenSettings {
	const settings: Record<string, string> = {};
	const secrets: string[] = [];
	for (const [name, { secret, path, parse }] of Object.entries(table)) {
		const text = texts[name];
		if (text === undefined || secret === 'left out') continue;
		if (secret === 'named') secrets.push(name);
		else settings[name] = path ? String(parse(text)) : text;
	}
	return { settings, secrets };
}

/** Describes every variable for the help: its name, its purpose, the allowed values, and the default. */
export function describeVariables(): string {
	const lines = Object.entries(table).map(([name, variable]) => {
		const absent = variable.otherwise ?? (variable.default || 'none');
		return `  ${name.padEnd(26)}${variable.about}: ${variable.takes} (${absent})`;
	});
	return lines.join('\n');
}

/** Reads the environment and the settings file, without empty and wrong values. */
function readSettings(environment: Environment, text?: string) {
	const used = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
	const path = environment.SETTINGS_FILE || defaultSettingsFile;
	// Only the default file may be missing. A named file must exist.
	const settingsFile = environment.SETTINGS_FILE || existsSync(path) ? path : undefined;
	const read = () => withExplanation(path, () => readFileSync(path, 'utf8'), 'SETTINGS_FILE: ');
	const { settings, problems } = parseSettings(text ?? (settingsFile ? read() : ''), path);
	const hasValue = new Set(Object.keys(used).map((name) => secretFiles.get(name) ?? name));
	for (const [name, value] of Object.entries(settings)) {
		const problem = findProblemInFile(path, name, value);
		if (problem !== undefined) problems.push(problem);
		else if (value !== '' && !hasValue.has(secretFiles.get(name) ?? name)) used[name] = value;
	}
	return { settings: used, settingsFile, problems };
}

/** A setting that this program does not know is a problem: with a mistyped DATA_DIR, it would start an empty chain. */
function findProblemInFile(file: string, name: string, value: string): string | undefined {
	if (!secretFiles.has(name) && !Object.hasOwn(table, name) && !Object.hasOwn(retired, name)) {
		return `${file} sets ${name}, which is not a variable of this program: see access --help`;
	}
	const isPath = secretFiles.has(name) || table[name]?.path;
	if (isPath && value !== '' && !isAbsolute(value)) {
		return `${name} is ${JSON.stringify(value)} in ${file}, but takes a path that begins with /`;
	}
	return undefined;
}

/**
 * Reads the secrets that are given in files, one line each. The line break is not part of the secret.
 * @param problems receives one for each that cannot be read
 */
function readSecretFiles(settings: Environment, problems: string[]): Record<string, string> {
	const secrets: Record<string, string> = {};
	for (const [variable, name] of secretFiles) {
		const path = settings[variable];
		if (!path) continue;
		if (settings[name]) {
			problems.push(`${name} and ${variable} are both given: give one of them`);
			continue;
		}
		try {
			const text = withExplanation(path, () => readFileSync(path, 'utf8'), `${variable}: `);
			secrets[name] = text.replace(/\r?\n$/, '');
		} catch (error) {
			problems.push(messageOf(error));
		}
	}
	return secrets;
}
