/** Access tokens: HS256 JSON Web Tokens that name an account and hold nothing personal. */
import { jwt } from '@elysiajs/jwt';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import QuickLRU from 'quick-lru';
import type { AccountKey, AccountType } from '../../platform/vocabulary/accounts.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';

/** For how long after a sign-in its token can be renewed, in seconds: twelve hours. */
const shift = 12 * 60 * 60;

export interface Claims extends AccountKey {
	/** The account's token version when the token was issued; raising the account's ends the token. */
	version: number;
	/** When the account signed in, in seconds since 1970; a renewed token keeps it. */
	signedInAt: number;
	/** When the token ends, in seconds since 1970. */
	expiresAt: number;
}

export type Tokens = ReturnType<typeof createTokens>;

const audience = 'access';

const Payload = Type.Object({
	sub: Type.String({ pattern: '^(SUPER_ADMIN|EMPLOYEE):[1-9][0-9]{0,15}$' }),
	version: Type.Integer({ minimum: 1 }),
	signedInAt: Type.Integer({ minimum: 0 }),
	exp: Type.Number(),
});

/** Tokens have some 250 characters; longer ones are refused unread. */
const maxTokenLength = 1024;

/**
 * Makes the token functions. The signing key is derived from the secret and the token epoch, a random value in the database:
 * a short secret is never the whole key, and another one ends every token.
 */
export function createTokens(secret: string, epoch: string, clock: () => Date) {
	const signer = createSigner(secret, epoch);
	// By the exact text of the token: verifying a signature costs more than the rest of a read.
	const checked = new QuickLRU<string, Claims>({ maxSize: 5000 });
	const now = () => Math.floor(clock().getTime() / 1000);

	/** The claims of a genuine token that has not ended, or undefined. */
	async function verify(token: string): Promise<Claims | undefined> {
		const known = checked.get(token);
		if (known) return known.expiresAt > now() ? known : undefined;
		if (token.length > maxTokenLength) return undefined;
		const payload = await signer.verify(token, {
			algorithms: ['HS256'],
			issuer: audience,
			audience,
			typ: 'JWT',
			requiredClaims: ['sub', 'iat', 'exp'],
			currentDate: clock(),
		});
		if (!Value.Check(Payload, payload)) return undefined;
		const { sub, version, exp: expiresAt, signedInAt } = payload;
		const [accountType, id] = sub.split(':');
		const account = { accountType: accountType as AccountType, id: Number(id) };
		const claims = { ...account, version, signedInAt, expiresAt };
		checked.set(token, claims);
		return claims;
	}

	/** A token of an account; `signedInAt` in seconds since 1970. */
	function issue(account: AccountKey & { tokenVersion: number }, signedInAt = now()): Promise<string> {
		const { accountType, id, tokenVersion: version } = account;
		return signer.sign({ sub: `${accountType}:${id}`, version, signedInAt, exp: now() + tokenLifetime.seconds });
	}

	/** Whether a token of these claims can be renewed now. */
	const isRenewable = ({ signedInAt }: Claims) => now() < signedInAt + shift;

	return { issue, verify, isRenewable };
}

/** Signs tokens and checks signatures. Without a schema, which the plugin would compile: a seventh of the time of a start. */
function createSigner(secret: string, epoch: string) {
	return jwt({
		name: 'signer',
		secret: new Bun.CryptoHasher('sha256', secret).update(epoch).digest(),
		alg: 'HS256',
		typ: 'JWT',
		iss: audience,
		aud: audience,
	}).decorator.signer;
}
