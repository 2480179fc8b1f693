/**
 * The access tokens of OpenID Connect, and the grants behind them. A token names a grant and nothing else, and the grant
 * is read at every request: so a token ends with its program, its account and its sign-in.
 */
import { and, eq, getTableColumns, gt, gte, isNull, ne, or } from 'drizzle-orm';
import { jwtVerify, SignJWT } from 'jose';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { openidGrants, programs } from '../../platform/database/schema.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import type { Account } from './accounts.ts';

/** The condition for a program that can sign people in; `today` is a parameter. */
export const signsPeopleIn = and(
	isNull(programs.deletedAt),
	or(isNull(programs.endsOn), gte(programs.endsOn, param('today'))),
	ne(programs.redirectUris, '[]'),
);

const read = queries(({ select }) => ({
	grant: select({ ...getTableColumns(openidGrants), signInPermission: programs.signInPermission })
		.from(openidGrants)
		.innerJoin(programs, eq(programs.id, openidGrants.programId))
		.where(and(eq(openidGrants.id, param('id')), gt(openidGrants.expiresAt, param('at')), signsPeopleIn)),
}));

/** A grant of a program that signs people in. */
export type Grant = NonNullable<ReturnType<typeof findGrant>>;

/** A grant at a time in ISO 8601, unless it or its program is over. */
export function findGrant(db: Db, id: number, at: string) {
	return read(db).grant.get({ id, at, today: dayOf(new Date(at)) });
}

/** Whether a grant holds for its account: the account has the same tokens as then, and may sign in to the program. */
export function holdsFor({ tokenVersion, signInPermission }: Grant, account: Account): boolean {
	return account.tokenVersion === tokenVersion && mayEnter(account, signInPermission);
}

/** Whether an account may sign in to a program that asks for a permission, or for none. */
export function mayEnter({ permissions }: Pick<Account, 'permissions'>, asked: Grant['signInPermission']): boolean {
	return asked === null || permissions.has(asked) || permissions.has('*');
}

/** How long an access token works, in seconds. */
export const accessTokenLifetime = 600;

/** Tells an access token of a program from a token of the contract. */
const prefix = 'openid_';

/** Whether a bearer token is an access token of OpenID Connect. */
export const isClientToken = (token: string) => token.startsWith(prefix);

export type ClientTokens = ReturnType<typeof createClientTokens>;

/** Makes the token functions. As for other tokens, another secret or token epoch ends every token. */
export function createClientTokens(secret: string, epoch: string, clock: () => Date) {
	const key = new Bun.CryptoHasher('sha256', secret).update(`openid ${epoch}`).digest();
	const now = () => Math.floor(clock().getTime() / 1000);
	return {
		/** Issues an access token. */
		async issue(grantId: number): Promise<string> {
			const jwt = new SignJWT({}).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).setSubject(`${grantId}`);
			return prefix + (await jwt.setExpirationTime(now() + accessTokenLifetime).sign(key));
		},
		/** The grant of a genuine, unexpired token, and its end in seconds since 1970; otherwise undefined. */
		async verify(token: string): Promise<{ grantId: number; expiresAt: number } | undefined> {
			if (!isClientToken(token) || token.length > 1024) return undefined;
			const options = { algorithms: ['HS256'], typ: 'at+jwt', requiredClaims: ['sub', 'exp'], currentDate: clock() };
			const verified = await jwtVerify(token.slice(prefix.length), key, options).catch(() => undefined);
			const { sub, exp: expiresAt } = verified?.payload ?? {};
			return expiresAt === undefined ? undefined : { grantId: Number(sub), expiresAt };
		},
		/** The stored form of a random text. With another secret or token epoch, no text has a stored form. */
		hash: (text: string) => new Bun.CryptoHasher('sha256', key).update(text).digest('base64url'),
	};
}
