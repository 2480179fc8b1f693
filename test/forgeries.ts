/** Ways to forge a token. The service must refuse every one. */
import { createHmac } from 'node:crypto';
import { missing } from './matrix.ts';
import { words } from './oracle.ts';

type Json = Record<string, unknown>;
type Key = string | Buffer;

/** The material of a forger, who knows more than any attacker: the secret, the epoch and existing accounts. */
interface Material {
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

const attacker = 'a-key-of-the-attacker-that-is-long-enough';

const encode = (value: unknown) =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Signs a token. Header and payload may be text that is not valid JSON. */
function sign(header: unknown, payload: unknown, key: Key, hash = 'sha256'): string {
	const content = `${encode(header)}.${encode(payload)}`;
	return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}

/** Changes of the header, each with the key and the hash of the signature if they are not the right ones. */
const headers = (
	secret: string,
	keyOf: (epoch: string) => Key,
): [change: Json, key?: Key | undefined, hash?: string][] => [
	[{ alg: 'none' }],
	[{ alg: undefined }],
	[{ alg: 'HS384' }, undefined, 'sha384'],
	[{}, undefined, 'sha512'],
	[{ alg: 'RS256' }],
	[{ crit: ['exp'], exp: 1 }],
	[{ typ: 'at+jwt' }],
	[{ jwk: { kty: 'oct', k: encode(attacker), alg: 'HS256' } }, attacker],
	...[attacker, '', secret, keyOf('another'), keyOf('')].map((key): [Json, Key] => [{}, key]),
];

/** Changes of the claims; an undefined claim is left out. */
const claimsOf = ({ employeeId, deletedId, now }: Material): Json[] => [
	...words('exp iat sub iss aud version').map((name) => ({ [name]: undefined })),
	...[now - 1, now, String(now + 7200)].map((exp) => ({ exp })),
	{ nbf: now + 60 },
	{ iss: 'elsewhere' },
	{ aud: 'elsewhere' },
	// An employee as super administrator.
	{ sub: `SUPER_ADMIN:${employeeId + 1}` },
	{ sub: `EMPLOYEE:${deletedId}`, version: 2 },
	{ sub: `EMPLOYEE:${deletedId}` },
	{ sub: `EMPLOYEE:${missing}` },
	...words('SUPER_ADMIN:1.0 SUPER_ADMIN:0 SUPER_ADMIN:01 SUPER_ADMIN: 1 ROOT:1').map((sub) => ({ sub })),
	...['1'.padEnd(41, '0'), 2n ** 53n + 1n, '1\nEMPLOYEE:1'].map((id) => ({ sub: `SUPER_ADMIN:${id}` })),
	{ sub: ['SUPER_ADMIN:1'] },
	...[2, 0, '1', 1.5].map((version) => ({ version })),
	{ padding: 'x'.repeat(16_000) },
];

/** A token that is signed as the service does it, and the forgeries of each check, by what is wrong in them. */
export function forge(material: Material): { right: string; wrong: Record<string, string> } {
	const { secret, epoch, good, other } = material;
	const keyOf = (epoch: string) => createHmac('sha256', secret).update(epoch).digest();
	const key = keyOf(epoch);
	const [first = '', second = '', signature = ''] = good.split('.');
	const [, otherClaims, otherSignature] = other.split('.');
	const [header, claims] = [decode(first), decode(second)];
	const flipped = signature[20] === 'A' ? 'B' : 'A';
	const byHeader = headers(secret, keyOf).map(([change, own = key, hash = 'sha256'], index) => {
		return [`header ${index}: ${JSON.stringify(change)} ${hash}`, sign({ ...header, ...change }, claims, own, hash)];
	});
	const byClaims = claimsOf(material).map((change) => {
		return [`claims: ${Object.keys(change)} ${JSON.stringify(change)}`, sign(header, { ...claims, ...change }, key)];
	});
	const wrong = {
		...Object.fromEntries([...byHeader, ...byClaims]),
		'alg none without a signature': `${encode({ ...header, alg: 'none' })}.${second}.`,
		'sub twice, a stranger last': sign(
			header,
			JSON.stringify(claims).replace(/}$/, `,"sub":"EMPLOYEE:${missing}"}`),
			key,
		),
		'a payload that is no JSON': sign(header, 'sub=SUPER_ADMIN:1', key),
		'an empty payload': sign(header, '', key),
		'a flipped character of the signature': `${first}.${second}.${signature.slice(0, 20)}${flipped}${signature.slice(21)}`,
		'no signature': `${first}.${second}.`,
		'two parts': `${first}.${second}`,
		'the signature of another token': `${first}.${second}.${otherSignature}`,
		'the payload of another token': `${first}.${otherClaims}.${signature}`,
		'the same header spelt otherwise': `${encode(` ${JSON.stringify(header)}`)}.${second}.${signature}`,
	};
	return { right: sign(header, claims, key), wrong };
}
