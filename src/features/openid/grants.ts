/**
 * The sessions of the sign-in page, and the grants that come from them. Texts that open something are stored as hashes.
 * What ends is deleted, so what is not there opens nothing.
 */
import { and, eq, gt, lte, type SQL } from 'drizzle-orm';
import { findAccount } from '../../identity/session/accounts.ts';
import { isReadyToWork, type Requirements } from '../../identity/session/actor.ts';
import {
	accessTokenLifetime,
	type ClientTokens,
	findGrant,
	type Grant,
	holdsFor,
} from '../../identity/session/client-tokens.ts';
import { randomText } from '../../identity/session/keys.ts';
import { endSignIn, extendSignIn } from '../../identity/session/sign-ins.ts';
import type { Claims } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, transaction } from '../../platform/database/query.ts';
import { openidGrants, openidSessions } from '../../platform/database/schema.ts';
import { OAuthError } from './model.ts';
import type { Authorization } from './request.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

/** How long a session of the page lasts, in seconds. */
export const sessionLifetime = 12 * 60 * 60;

/** Lifetimes in milliseconds. A refresh token ends when it is not used, and with its family. */
const lifetimes = {
	code: 60 * second,
	access: accessTokenLifetime * second,
	unused: 14 * day,
	family: 90 * day,
} as const;

const later = (at: string, milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();
const sessionsSince = (at: string) => later(at, -sessionLifetime * second);

const read = queries(({ select }) => ({
	session: select()
		.from(openidSessions)
		.where(and(eq(openidSessions.cookieHash, param('hash')), gt(openidSessions.signedInAt, param('since')))),
	byCode: select({ id: openidGrants.id })
		.from(openidGrants)
		.where(eq(openidGrants.codeHash, param('hash'))),
	byFamily: select({ id: openidGrants.id })
		.from(openidGrants)
		.where(eq(openidGrants.familyHash, param('hash'))),
}));

/** What grants are made with. */
export interface Store {
	db: Db;
	clientTokens: ClientTokens;
	requirements: Requirements;
}

/** The account of a session or a grant, unless its tokens have ended, or it cannot work now. */
export function findReadyAccount(
	{ db, requirements }: Store,
	known: Pick<Grant, 'accountType' | 'accountId' | 'tokenVersion' | 'signInId'>,
) {
	const { accountType, accountId: id, tokenVersion, signInId: signIn } = known;
	const account = findAccount(db, { accountType, id, signIn });
	if (account?.tokenVersion !== tokenVersion || !account.signInEndsAt) return undefined;
	return isReadyToWork(db, account, requirements) ? account : undefined;
}

/** The claims of an account that has just signed in. */
type SignedIn = Pick<Claims, 'accountType' | 'id' | 'version' | 'signIn'>;

export type Session = NonNullable<ReturnType<typeof findSession>>;

/** The session of a cookie, at a time in ISO 8601. */
export function findSession({ db, clientTokens }: Store, cookie: string | undefined, at: string) {
	if (cookie === undefined) return undefined;
	return read(db).session.get({ hash: clientTokens.hash(cookie), since: sessionsSince(at) });
}

/**
 * Starts a session for an account that has just proved its password. The cookie is always a new one. The session that
 * the browser had goes on if it is of the same account, and otherwise ends.
 */
export function beginSession(store: Store, before: Session | undefined, { signIn, ...account }: SignedIn, at: string) {
	const { db, clientTokens } = store;
	const { accountType, id: accountId, version: tokenVersion } = account;
	const cookie = randomText();
	const owner = { accountType, accountId, tokenVersion, signInId: signIn ?? 0 };
	const values = { ...owner, cookieHash: clientTokens.hash(cookie), signedInAt: at };
	extendSignIn(db, values.signInId, at, later(at, sessionLifetime * second));
	const session = transaction(db, () => {
		db.delete(openidSessions)
			.where(lte(openidSessions.signedInAt, sessionsSince(at)))
			.run();
		if (before?.accountType === accountType && before.accountId === accountId)
			return db.update(openidSessions).set(values).where(eq(openidSessions.id, before.id)).returning().get();
		if (before) endSession(db, before.id, () => endSignInOf(db, before, at));
		return db.insert(openidSessions).values(values).returning().get();
	});
	return { cookie, session };
}

/** Ends the sign-in of a session, which then is over for its owner, too. */
export function endSignInOf(db: Db, session: Session, at: string): void {
	const { accountType, accountId: id, tokenVersion, signInId } = session;
	endSignIn(db, { accountType, id, tokenVersion }, signInId, at);
}

/** Ends a session and all that programs received for it, in one transaction with the record of it. */
export function endSession(db: Db, id: number, recordIt: () => void = () => {}): void {
	transaction(db, () => {
		recordIt();
		db.delete(openidSessions).where(eq(openidSessions.id, id)).run();
		deleteGrants(db, eq(openidGrants.sessionId, id));
	});
}

function deleteGrants(db: Db, which: SQL): void {
	db.delete(openidGrants).where(which).run();
}

/** Grants a program what it asked for. @returns the code that it exchanges for tokens */
export function createGrant({ db, clientTokens }: Store, session: Session, asked: Authorization, at: string): string {
	const code = randomText();
	const { id: sessionId, accountType, accountId, tokenVersion, signInId, signedInAt } = session;
	const { client, scope, nonce, redirectUri, challenge } = asked;
	transaction(db, () => {
		deleteGrants(db, lte(openidGrants.expiresAt, at));
		db.insert(openidGrants)
			.values({
				...{ sessionId, accountType, accountId, tokenVersion, signInId, signedInAt },
				...{ programId: client.id, scope, nonce, redirectUri, challenge },
				codeHash: clientTokens.hash(code),
				createdAt: at,
				expiresAt: later(at, lifetimes.code),
			})
			.run();
	});
	return code;
}

/** A grant with the refresh token that it has now, if the program asked for one. */
export interface Renewed {
	grant: Grant;
	refreshToken: string | undefined;
}

interface Redemption {
	code: string;
	programId: number;
	redirectUri: string | undefined;
	verifier: string;
}

/**
 * Exchanges a code, which works once. A second use, or one by somebody who cannot know the rest, ends all that came from
 * it. @throws OAuthError invalid_grant
 */
export function redeemCode(store: Store, { code, programId, redirectUri, verifier }: Redemption, at: string): Renewed {
	const { db, clientTokens } = store;
	const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url');
	return changeOrEnd(store, read(db).byCode.get({ hash: clientTokens.hash(code) }), at, (grant) => {
		const isGenuine = grant.programId === programId && grant.redirectUri === redirectUri;
		if (!isGenuine || grant.isRedeemed || grant.challenge !== challenge) return undefined;
		return renew(store, grant, randomText(), at);
	});
}

/**
 * Replaces a refresh token, which works once. A second use ends the whole family (RFC 9700, 4.14.2).
 * @throws OAuthError invalid_grant
 */
export function redeemRefreshToken(
	store: Store,
	{ token, programId }: { token: string; programId: number },
	at: string,
) {
	const { db, clientTokens } = store;
	const [family = '', newest = ''] = token.split('.');
	return changeOrEnd(store, read(db).byFamily.get({ hash: clientTokens.hash(family) }), at, (grant) => {
		const isNewest = grant.programId === programId && grant.refreshHash === clientTokens.hash(newest);
		return isNewest ? renew(store, grant, family, at) : undefined;
	});
}

/**
 * Changes a grant whose account may still use it, in one transaction. Otherwise, or if the change refuses, the grant
 * ends. @throws OAuthError invalid_grant
 */
function changeOrEnd<Done>(
	store: Store,
	found: { id: number } | undefined,
	at: string,
	change: (grant: Grant) => Done | undefined,
): Done {
	const { db } = store;
	// An invented text must not wait for a turn to write.
	if (!found) throw invalidGrant();
	const { done } = transaction(db, () => {
		const grant = findGrant(db, found.id, at);
		const account = grant && findReadyAccount(store, grant);
		const result = account && holdsFor(grant, account) ? change(grant) : undefined;
		if (result === undefined) deleteGrants(db, eq(openidGrants.id, found.id));
		return { done: result };
	});
	if (done === undefined) throw invalidGrant();
	return done;
}

const invalidGrant = () => new OAuthError('invalid_grant', 'the grant is unknown, used, or over');

/** Lets a grant go on, with a new refresh token if the program asked for one. */
function renew({ db, clientTokens }: Store, grant: Grant, family: string, at: string): Renewed {
	const isKept = grant.scope.split(' ').includes('offline_access');
	const newest = randomText();
	const ends = [later(at, lifetimes.unused), later(grant.createdAt, lifetimes.family)].toSorted();
	const kept = {
		familyHash: clientTokens.hash(family),
		refreshHash: clientTokens.hash(newest),
		expiresAt: ends[0],
	};
	const values = { isRedeemed: true, ...(isKept ? kept : { expiresAt: later(at, lifetimes.access) }) };
	db.update(openidGrants).set(values).where(eq(openidGrants.id, grant.id)).run();
	extendSignIn(db, grant.signInId, at, values.expiresAt);
	return { grant, refreshToken: isKept ? `${family}.${newest}` : undefined };
}

/** Ends the grant of a token, if it is the program's own (RFC 7009). */
export async function revokeToken({ db, clientTokens }: Store, programId: number, token: string): Promise<void> {
	const [family = ''] = token.split('.');
	const ofAccess = await clientTokens.verify(token);
	const id = ofAccess?.grantId ?? read(db).byFamily.get({ hash: clientTokens.hash(family) })?.id;
	if (id === undefined) return;
	const isOwn = and(eq(openidGrants.id, id), eq(openidGrants.programId, programId));
	transaction(db, () => {
		db.delete(openidGrants).where(isOwn).run();
	});
}
