/** The secrets that the configuration does not give. They are generated once and kept in the data folder. */
import { randomInt } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { counted } from '../vocabulary/counted.ts';
import { OperationError } from '../vocabulary/errors.ts';
import type { Config } from './config.ts';
import { parseJson, writeDurably } from './durable-file.ts';
import { isThere, shellWord, withExplanation } from './file-access.ts';

const StoredKey = Type.Object({ pem: Type.String(), madeAt: Type.String() });
/** A private key in PKCS 8, and the time at which it was made. */
export type StoredKey = Static<typeof StoredKey>;

const SecretsFile = Type.Object({
	ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	INITIAL_EMPLOYEE_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
	JWT_SECRET: Type.Optional(Type.String({ minLength: 32 })),
	PASSWORD_KEY: Type.Optional(Type.String({ minLength: 32 })),
	SECOND_FACTOR_KEY: Type.Optional(Type.String({ minLength: 32 })),
	/** The keys of OpenID Connect, the newest first. */
	OPENID_KEYS: Type.Optional(Type.Array(StoredKey, { minItems: 1 })),
});

/** Some or all of the secrets, by the name of the variable that configures them. */
export type Secrets = Static<typeof SecretsFile>;
export type SecretName = Exclude<keyof Secrets, 'OPENID_KEYS'>;

/**
 * Provides each secret that a start needs: the configured one, else the kept one, else a new one, which is kept.
 * @returns all secrets, and the new ones apart. @throws OperationError
 */
export function provideSecrets(path: string, configured: Pick<Config, SecretName>, isFirstStart: boolean) {
	const kept = readSecrets(path);
	const made: Secrets = {};
	const provide = (name: SecretName): string => {
		const known = configured[name] ?? kept[name];
		if (known !== undefined) return known;
		const secret = makeSecret(name);
		made[name] = secret;
		return secret;
	};
	const secrets = {
		// After the first start, the database has the hash of the password.
		ADMIN_PASSWORD: isFirstStart ? provide('ADMIN_PASSWORD') : undefined,
		INITIAL_EMPLOYEE_PASSWORD: provide('INITIAL_EMPLOYEE_PASSWORD'),
		JWT_SECRET: provide('JWT_SECRET'),
		PASSWORD_KEY: provide('PASSWORD_KEY'),
		SECOND_FACTOR_KEY: provide('SECOND_FACTOR_KEY'),
	};
	if (Object.keys(made).length > 0) writePrivately(path, { ...kept, ...made });
	return { secrets, made };
}

/** Makes a key the newest one for OpenID Connect, and keeps the previous one. */
export function addOpenidKey(path: string, key: StoredKey): void {
	const kept = readSecrets(path);
	writePrivately(path, { ...kept, OPENID_KEYS: [key, ...(kept.OPENID_KEYS ?? []).slice(0, 1)] });
}

/** Removes a kept secret that is no longer valid. */
export function forgetSecret(path: string, name: SecretName): void {
	const { [name]: forgotten, ...kept } = readSecrets(path);
	if (forgotten !== undefined) writePrivately(path, kept);
}

/** Reads the secrets in a file, if it exists. @throws OperationError when it is not private, or holds no secrets */
export function readSecrets(path: string): Secrets {
	if (!isThere(path)) return {};
	if ((statSync(path).mode & 0o077) !== 0) {
		throw new OperationError(`${path} can be read by other users: run chmod 600 ${shellWord(path)}`);
	}
	const text = withExplanation(path, () => readFileSync(path, 'utf8'));
	return parseSecrets(text, path);
}

/** Parses the text of a file with secrets. @throws OperationError for any other text */
export function parseSecrets(text: string, path: string): Secrets {
	const content = parseJson(text);
	if (Value.Check(SecretsFile, content)) return content;
	throw new OperationError(`${path} does not hold valid secrets: restore it, or remove it to generate new ones`);
}

/** A warning if the signing secret can be guessed: it is short, or one character repeated. */
export function findWeakSecret({ JWT_SECRET: secret = '' }: Pick<Config, 'JWT_SECRET'>): string | undefined {
	const bytes = Buffer.byteLength(secret);
	if (secret === '' || (bytes >= 32 && new Set(secret).size > 1)) return undefined;
	return `JWT_SECRET has ${counted(bytes, 'byte')} and is easy to guess: give 32 random bytes or more`;
}

/** Letters and digits that people do not confuse when they read them from a screen and type them. */
const typable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Makes a strong secret. A password is short enough to type. */
export function makeSecret(name: SecretName): string {
	if (name !== 'ADMIN_PASSWORD' && name !== 'INITIAL_EMPLOYEE_PASSWORD')
		return Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url');
	return Array.from({ length: 20 }, () => typable[randomInt(typable.length)]).join('');
}

/** Replaces the file as a whole. It is private and on the disk before anything relies on it. */
function writePrivately(path: string, secrets: Secrets): void {
	withExplanation(path, () => writeDurably(path, `${JSON.stringify(secrets, null, '\t')}\n`));
}
