/** The keys that sign ID tokens: RS256, which every client knows. */
import { createPublicKey } from 'node:crypto';
import {
	calculateJwkThumbprint,
	createLocalJWKSet,
	exportPKCS8,
	generateKeyPair,
	importPKCS8,
	type JWK,
	type JWTPayload,
	jwtVerify,
	SignJWT,
} from 'jose';
import type { StoredKey } from '../../platform/machine/secrets.ts';
import { daySeconds } from '../../platform/vocabulary/day.ts';

const alg = 'RS256';

/** Makes a key of 2,048 bits; `madeAt` in ISO 8601. */
export async function makeSigningKey(madeAt: string): Promise<StoredKey> {
	const { privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true });
	return { pem: await exportPKCS8(privateKey), madeAt };
}

async function prepareKey({ pem }: StoredKey) {
	const jwk = createPublicKey(pem).export({ format: 'jwk' }) as JWK;
	const kid = await calculateJwkThumbprint(jwk);
	return { jwk: { ...jwk, kid, alg, use: 'sig' }, privateKey: await importPKCS8(pem, alg) };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

/** Makes the signing functions; `load` gives the stored keys, the newest first, and may give others later. */
export function createSigningKeys(load: () => readonly [StoredKey, ...StoredKey[]], clock: () => Date) {
	const known = new Map<string, ReturnType<typeof prepareKey>>();
	const prepared = (key: StoredKey) => known.getOrInsertComputed(key.pem, () => prepareKey(key));

	/** The newest key, and those that it replaced less than a day ago. */
	async function current() {
		const [newest, ...older] = load();
		const isFresh = clock().getTime() < Date.parse(newest.madeAt) + daySeconds * 1000;
		return [await prepared(newest), ...(await Promise.all(isFresh ? older.map(prepared) : []))] as const;
	}

	/** The public keys, as clients read them. */
	const jwks = async () => ({ keys: (await current()).map(({ jwk }) => jwk) });

	return {
		jwks,
		/** Signs the claims of an ID token. */
		async sign(claims: JWTPayload): Promise<string> {
			const [{ jwk, privateKey }] = await current();
			return new SignJWT(claims).setProtectedHeader({ alg, kid: jwk.kid, typ: 'JWT' }).sign(privateKey);
		},
		/** The claims of an ID token that this issuer signed, expired or not; undefined for any other text. */
		async verify(token: string, issuer: string): Promise<JWTPayload | undefined> {
			// At the beginning of time, nothing is expired.
			const options = { algorithms: [alg], issuer, currentDate: new Date(0) };
			const verified = await jwtVerify(token, createLocalJWKSet(await jwks()), options).catch(() => undefined);
			return verified?.payload;
		},
	};
}
