/** Access tokens: HS256 JSON Web Tokens that identify an account and contain nothing personal. */
import { jwt } from '@elysiajs/jwt';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import QuickLRU from 'quick-lru';
import { hmac } from '../../platform/machine/hmac.ts';
import type { AccountKey, AccountType } from '../../platform/vocabulary/accounts.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';

/** The time after a sign-in for which nobody asks for the password again, in seconds: twelve hours. */
export const sessionLifetime = 12 * 60 * 60;

export interface Claims extends AccountKey {
	/** The account's token version at the time of issue. Raising the account's version ends the token. */
	version: number;
	/** The id of the sign-in, which is the session of the token. 0 for a token from before version 1.3. */
	signIn: number;
	/** The time of the sign-in, in seconds since 1970. A renewed token keeps it. */
	signedInAt: number;
	/** The time at which the token ends, in seconds since 1970. */
	expiresAt: number;
	/** The grant of OpenID Connect, if the token belongs to a program in which the account signed in. */
	grantId?: number;
}

/** The claims of the first token of a sign-in at a time in ISO 8601. */
export function firstClaims(account: AccountKey & { tokenVersion: number }, signIn: number, at: string): Claims {
	const { accountType, id, tokenVersion: version } = account;
	const signedInAt = secondsOf(at);
	return { accountType, id, version, signIn, signedInAt, expiresAt: signedInAt + tokenLifetime.seconds };
}

/** The claims of a token that renews another one at a time in ISO 8601; undefined when it cannot be renewed. */
export function renewedClaims(claims: Claims, at: string): Claims | undefined {
	const now = secondsOf(at);
	return now < renewableUntil(claims) ? { ...claims, expiresAt: now + tokenLifetime.seconds } : undefined;
}

/** The times of a token in ISO 8601. */
export function timesOf(claims: Claims) {
	const text = (seconds: number) => new Date(seconds * 1000).toISOString();
	return { expiresAt: text(claims.expiresAt), renewableUntil: text(renewableUntil(claims)) };
}

const renewableUntil = ({ signedInAt }: Claims) => signedInAt + sessionLifetime;

/** A time in ISO 8601 as seconds since 1970. */
export const secondsOf = (at: string) => Math.floor(Date.parse(at) / 1000);

export type Tokens = ReturnType<typeof createTokens>;

/** This service, which issues every token and accepts it. */
const service = 'access';

const Payload = Type.Object({
	sub: Type.String({ pattern: '^(SUPER_ADMIN|EMPLOYEE):[1-9][0-9]{0,15}$' }),
	version: Type.Integer({ minimum: 1 }),
	signIn: Type.Optional(Type.Integer({ minimum: 0 })),
	signedInAt: Type.Integer({ minimum: 0 }),
	grantId: Type.Optional(Type.Integer({ minimum: 1 })),
	exp: Type.Number(),
});

/** Tokens have some 250 characters; a longer one is refused unread. */
const maxTokenLength = 1024;

/**
 * Makes the token functions. The signing key is derived from the secret and the token epoch, a random value in the
 * database. So a short secret is never the whole key, and a new secret or epoch ends every token, and every session and
 * grant of OpenID Connect.
 */
export function createTokens(secret: string, epoch: string) {
	const always = { alg: 'HS256', typ: 'JWT', iss: service, aud: service } as const;
	// Without a schema: compiling one in the plugin would take a seventh of the start.
	const { signer } = jwt({ name: 'signer', secret: hmac(secret, epoch), ...always }).decorator;
	// Keyed by the exact text of the token: verifying a signature costs more than the rest of a read.
	const checked = new QuickLRU<string, Claims>({ maxSize: 5000 });

	/** The claims of a genuine token, expired or not; undefined for any other. */
	async function verify(token: string): Promise<Claims | undefined> {
		const known = checked.get(token);
		if (known) return known;
		if (token.length > maxTokenLength) return undefined;
		const payload = await signer.verify(token, {
			algorithms: ['HS256'],
			issuer: service,
			audience: service,
			typ: 'JWT',
			requiredClaims: ['sub', 'iat', 'exp'],
			// `personOf` decides whether it has expired, and tells its holder so.
			currentDate: new Date(0),
		});
		if (!Value.Check(Payload, payload)) return undefined;
		const claims = claimsIn(payload);
		checked.set(token, claims);
		return claims;
	}

	/** Issues a token with these claims. */
	function issue({ accountType, id, expiresAt: exp, ...claims }: Claims): Promise<string> {
		return signer.sign({ ...claims, sub: `${accountType}:${id}`, exp });
	}

	const storedKey = hmac(secret, `openid ${epoch}`);
	/** The stored form of a random text of OpenID Connect. */
	const hash = (text: string) => hmac(storedKey, text).toString('base64url');

	return { issue, verify, hash };
}

function claimsIn(payload: Static<typeof Payload>): Claims {
	const { sub, exp: expiresAt, version, signIn = 0, signedInAt, grantId } = payload;
	const [accountType, id] = sub.split(':');
	const account = { accountType: accountType as AccountType, id: Number(id) };
	return { ...account, version, signIn, ...(grantId && { grantId }), signedInAt, expiresAt };
}
