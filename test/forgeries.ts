/** Ways to forge a token. The service must refuse every one. */
import { createHmac } from 'node:crypto';

type Json = Record<string, unknown>;
type Key = string | Buffer;

/** The material of a forger, who knows more than any attacker: the secret, the epoch and existing accounts. */
export interface Material {
	secret: string;
	epoch: string;
	/** A good token of version 1. */
	good: string;
	/** A good token of another account. */
	other: string;
	employeeId: number;
	/** The id of an employee who was deleted. */
	deletedId: number;
	/** The time of the service, in seconds since 1970. */
	now: number;
}

type Parts = readonly [header: string, claims: string, signature: string];

const missing = 999_999;
const attacker = 'a-key-of-the-attacker-that-is-long-enough';

const encode = (value: unknown) =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString());
const hmac = (hash: string, key: Key, text: string) => createHmac(hash, key).update(text).digest('base64url');
const without = (object: Json, key: string) =>
	Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
const partsOf = (token: string) => token.split('.') as unknown as Parts;

const attackersJwk = { kty: 'oct', k: encode(attacker), alg: 'HS256' };

/** The parsed material, and functions that build tokens. */
export function forgeWith(material: Material) {
	const { secret, epoch, good, other } = material;
	const parts = partsOf(good);
	const header = decode(parts[0]);
	const claims = decode(parts[1]);
	/** The signing key of the service for a token epoch. */
	const keyOf = (epoch: string) => createHmac('sha256', secret).update(epoch).digest();
	const rightKey = keyOf(epoch);
	/** Builds and signs a token. Header and payload may be text that is not valid JSON. */
	const make = (header: unknown, payload: unknown, key: Key = rightKey, hash = 'sha256') => {
		const content = `${encode(header)}.${encode(payload)}`;
		return `${content}.${hmac(hash, key, content)}`;
	};
	return {
		...material,
		parts,
		unsigned: `${parts[0]}.${parts[1]}`,
		otherParts: partsOf(other),
		header,
		claims,
		keyOf,
		rightKey,
		make,
		withHeader: (fields: Json, key?: Key, hash?: string) => make({ ...header, ...fields }, claims, key, hash),
		withClaims: (fields: Json) => make(header, { ...claims, ...fields }),
	};
}

/** The tools of {@link forgeWith}. */
export type Forge = ReturnType<typeof forgeWith>;

/** A forgery for each check of a token. All of them must be refused. */
export const forgeries: Record<string, (forge: Forge) => string> = {
	'alg none without a signature': ({ header, claims }) => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
	'alg none with a signature': ({ withHeader }) => withHeader({ alg: 'none' }),
	'no alg': ({ make, header, claims }) => make(without(header, 'alg'), claims),
	'HS384 with the right key': ({ withHeader, rightKey }) => withHeader({ alg: 'HS384' }, rightKey, 'sha384'),
	'HS256 in name, HS512 in fact': ({ withHeader, rightKey }) => withHeader({}, rightKey, 'sha512'),
	'RS256 in name, HS256 in fact': ({ withHeader }) => withHeader({ alg: 'RS256' }),
	'another key': ({ withHeader }) => withHeader({}, attacker),
	'an empty key': ({ withHeader }) => withHeader({}, ''),
	'the secret that the key is made of': ({ withHeader, secret }) => withHeader({}, secret),
	'the key of another epoch': ({ withHeader, keyOf }) => withHeader({}, keyOf('another')),
	'the key of no epoch': ({ withHeader, keyOf }) => withHeader({}, keyOf('')),
	'the attacker’s key under jwk': ({ withHeader }) => withHeader({ jwk: attackersJwk }, attacker),
	'crit of an unknown extension': ({ withHeader }) => withHeader({ crit: ['exp'], exp: 1 }),
	'another typ': ({ withHeader }) => withHeader({ typ: 'at+jwt' }),
	'no exp': ({ make, header, claims }) => make(header, without(claims, 'exp')),
	'no iat': ({ make, header, claims }) => make(header, without(claims, 'iat')),
	'no sub': ({ make, header, claims }) => make(header, without(claims, 'sub')),
	'no iss': ({ make, header, claims }) => make(header, without(claims, 'iss')),
	'no aud': ({ make, header, claims }) => make(header, without(claims, 'aud')),
	'no version': ({ make, header, claims }) => make(header, without(claims, 'version')),
	'exp past': ({ withClaims, now }) => withClaims({ exp: now - 1 }),
	'exp now': ({ withClaims, now }) => withClaims({ exp: now }),
	'exp a text': ({ withClaims, now }) => withClaims({ exp: String(now + 7200) }),
	'nbf in the future': ({ withClaims, now }) => withClaims({ nbf: now + 60 }),
	'another iss': ({ withClaims }) => withClaims({ iss: 'elsewhere' }),
	'another aud': ({ withClaims }) => withClaims({ aud: 'elsewhere' }),
	'an employee as super administrator': ({ withClaims, employeeId }) =>
		withClaims({ sub: `SUPER_ADMIN:${employeeId + 1}` }),
	'a deleted employee': ({ withClaims, deletedId }) => withClaims({ sub: `EMPLOYEE:${deletedId}`, version: 2 }),
	'a deleted employee, old version': ({ withClaims, deletedId }) => withClaims({ sub: `EMPLOYEE:${deletedId}` }),
	'an employee that never was': ({ withClaims }) => withClaims({ sub: `EMPLOYEE:${missing}` }),
	'sub with a float': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:1.0' }),
	'sub with a huge id': ({ withClaims }) => withClaims({ sub: `SUPER_ADMIN:1${'0'.repeat(40)}` }),
	'sub beyond 2^53': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:9007199254740993' }),
	'sub zero': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:0' }),
	'sub with a leading zero': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:01' }),
	'sub with a line after it': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:1\nEMPLOYEE:1' }),
	'sub without an id': ({ withClaims }) => withClaims({ sub: 'SUPER_ADMIN:' }),
	'sub without a kind': ({ withClaims }) => withClaims({ sub: '1' }),
	'sub of an unknown kind': ({ withClaims }) => withClaims({ sub: 'ROOT:1' }),
	'sub a list': ({ withClaims }) => withClaims({ sub: ['SUPER_ADMIN:1'] }),
	'another version': ({ withClaims }) => withClaims({ version: 2 }),
	'version zero': ({ withClaims }) => withClaims({ version: 0 }),
	'version a text': ({ withClaims }) => withClaims({ version: '1' }),
	'version a float': ({ withClaims }) => withClaims({ version: 1.5 }),
	'sub twice, a stranger last': ({ make, header, claims }) =>
		make(header, JSON.stringify(claims).replace(/}$/, `,"sub":"EMPLOYEE:${missing}"}`)),
	'a payload that is no JSON': ({ make, header }) => make(header, 'sub=SUPER_ADMIN:1'),
	'an empty payload': ({ make, header }) => make(header, ''),
	'16 kB of claims': ({ withClaims }) => withClaims({ padding: 'x'.repeat(16_000) }),
	'a middle character of the signature flipped': ({ parts, unsigned }) => {
		const third = parts[2];
		const flipped = third[20] === 'A' ? 'B' : 'A';
		return `${unsigned}.${third.slice(0, 20)}${flipped}${third.slice(21)}`;
	},
	'no signature': ({ unsigned }) => `${unsigned}.`,
	'two parts': ({ unsigned }) => unsigned,
	'the signature of another token': ({ parts, otherParts }) => [...parts.slice(0, 2), otherParts[2]].join('.'),
	'the payload of another token': ({ parts, otherParts }) => [parts[0], otherParts[1], parts[2]].join('.'),
	'the same header spelt otherwise': ({ header, parts }) =>
		[encode(` ${JSON.stringify(header)}`), ...parts.slice(1)].join('.'),
};
