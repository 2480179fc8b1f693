/** The secrets of an installation that nobody gave: made once, kept in the data folder (decisions, "nothing configured"). */
import { randomInt } from 'node:crypto';
import {
	chmodSync,
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	statSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

const File = Type.Object({
	ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	INITIAL_EMPLOYEE_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	JWT_SECRET: Type.Optional(Type.String({ minLength: 32 })),
});

/** Some or all of the secrets, by the name of the variable that gives them. */
export type Secrets = Static<typeof File>;
export type SecretName = keyof Secrets;

/** A secrets file that cannot be used, with what to do about it in one line. */
export class SecretsError extends Error {}

/** Where the secrets of a data folder are kept. */
export function secretsPath(dataDir: string): string {
	return join(dataDir, 'secrets.json');
}

/**
 * Gives a value to each of the needed secrets: the configured one, else the kept one, else a new one, which is kept.
 * @returns every needed secret, and the names of those made just now.
 * @throws SecretsError when the file is not private or not readable as secrets.
 */
export function provideSecrets<Name extends SecretName>(
	dataDir: string,
	needed: readonly Name[],
	configured: Secrets,
): { secrets: Record<Name, string>; made: Name[] } {
	const path = secretsPath(dataDir);
	const kept = readSecrets(path);
	const made = needed.filter((name) => configured[name] === undefined && kept[name] === undefined);
	const fresh = Object.fromEntries(made.map((name) => [name, makeSecret(name)]));
	if (made.length > 0) writePrivately(path, `${JSON.stringify({ ...kept, ...fresh }, null, '\t')}\n`);
	const secrets = Object.fromEntries(
		needed.map((name) => [name, configured[name] ?? kept[name] ?? fresh[name]]),
	) as Record<Name, string>;
	return { secrets, made };
}

function readSecrets(path: string): Secrets {
	if (!existsSync(path)) return {};
	if ((statSync(path).mode & 0o077) !== 0) {
		throw new SecretsError(`${path} can be read by other users: run chmod 600 ${path}`);
	}
	let content: unknown;
	try {
		content = JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		content = undefined;
	}
	if (!Value.Check(File, content)) {
		throw new SecretsError(`${path} does not hold valid secrets: restore it, or remove it to have new ones made`);
	}
	return content;
}

/** No letters or digits that look alike: these are read from a screen and typed. */
const typable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';

function makeSecret(name: SecretName): string {
	if (name === 'JWT_SECRET') return Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url');
	return Array.from({ length: 20 }, () => typable[randomInt(typable.length)]).join('');
}

/** Whole or not at all, on the disk before anything relies on it, and nobody else's to read. */
function writePrivately(path: string, text: string): void {
	const temporary = `${path}.new`;
	const file = openSync(temporary, 'w', 0o600);
	try {
		chmodSync(temporary, 0o600);
		writeSync(file, text);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	renameSync(temporary, path);
}
