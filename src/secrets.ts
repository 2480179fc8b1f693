/** The secrets of an installation that nobody gave: made once, kept in the data folder (decisions, "nothing configured"). */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { publish } from './durable-file.ts';
import { messageOf, OperationError } from './errors.ts';

const File = Type.Object({
	ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	INITIAL_EMPLOYEE_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	JWT_SECRET: Type.Optional(Type.String({ minLength: 32 })),
});

/** Some or all of the secrets, by the name of the variable that gives them. */
export type Secrets = Static<typeof File>;
export type SecretName = keyof Secrets;

/**
 * Gives a value to each of the needed secrets: the configured one, else the kept one, else a new one, which is kept.
 * @returns every needed secret, and those of them made just now.
 * @throws OperationError when the file is not private or not readable as secrets.
 */
export function provideSecrets<Name extends SecretName>(
	path: string,
	needed: readonly Name[],
	configured: Secrets,
): { secrets: Record<Name, string>; made: Secrets } {
	const kept = readSecrets(path);
	const missing = needed.filter((name) => configured[name] === undefined && kept[name] === undefined);
	const made: Secrets = Object.fromEntries(missing.map((name) => [name, makeSecret(name)]));
	if (missing.length > 0) writePrivately(path, { ...kept, ...made });
	const secrets = Object.fromEntries(
		needed.map((name) => [name, configured[name] ?? kept[name] ?? made[name]]),
	) as Record<Name, string>;
	return { secrets, made };
}

/** Forgets a kept secret that is no longer true. */
export function forgetSecret(path: string, name: SecretName): void {
	const { [name]: forgotten, ...kept } = readSecrets(path);
	if (forgotten !== undefined) writePrivately(path, kept);
}

/**
 * The secrets that a file keeps; none when there is no file.
 * @throws OperationError when it is not private, or does not hold secrets.
 */
export function readSecrets(path: string): Secrets {
	if (!existsSync(path)) return {};
	if ((statSync(path).mode & 0o077) !== 0) {
		throw new OperationError(`${path} can be read by other users: run chmod 600 ${path}`);
	}
	const content = parse(readText(path));
	if (!Value.Check(File, content)) {
		throw new OperationError(`${path} does not hold valid secrets: restore it, or remove it to have new ones made`);
	}
	return content;
}

function readText(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		throw new OperationError(`cannot read ${path}, use the same user for every command: ${messageOf(error)}`);
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** No letters or digits that look alike: these are read from a screen and typed. */
const typable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A new secret: strong, and unless it is the key, one that can be typed. */
export function makeSecret(name: SecretName): string {
	if (name === 'JWT_SECRET') return Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url');
	return Array.from({ length: 20 }, () => typable[randomInt(typable.length)]).join('');
}

/** Whole or not at all, on the disk before anything relies on it, and nobody else's to read. */
function writePrivately(path: string, secrets: Secrets): void {
	const temporary = `${path}.new`;
	rmSync(temporary, { force: true });
	writeFileSync(temporary, `${JSON.stringify(secrets, null, '\t')}\n`, { mode: 0o600 });
	publish(temporary, path);
}
