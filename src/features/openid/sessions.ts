/** The sessions of the sign-in page, each a cookie in one browser. A session that ends is deleted. */
import { and, eq, gt, lte } from 'drizzle-orm';
import { type Person, personOf } from '../../identity/session/actor.ts';
import { randomText } from '../../identity/session/keys.ts';
import { endSignIn, extendSignIn } from '../../identity/session/sign-ins.ts';
import { type Claims, firstClaims, secondsOf, sessionLifetime } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, transaction } from '../../platform/database/query.ts';
import { openidGrants, openidSessions } from '../../platform/database/schema.ts';
import { addSeconds } from '../../platform/vocabulary/day.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';

const read = queries(({ select }) => ({
	byCookie: select()
		.from(openidSessions)
		.where(and(eq(openidSessions.cookieHash, param('hash')), gt(openidSessions.signedInAt, param('since')))),
}));

/** The dependencies of sessions and grants. */
export type GrantDependencies = Pick<SignInDependencies, 'db' | 'tokens' | 'requirements'>;

export type Session = NonNullable<ReturnType<typeof findSession>>;

/** The session of a cookie, at a time in ISO 8601. */
export function findSession({ db, tokens }: GrantDependencies, cookie: string | null, at: string) {
	if (cookie === null) return undefined;
	return read(db).byCookie.get({ hash: tokens.hash(cookie), since: addSeconds(at, -sessionLifetime) });
}

/** The maximum number of ended sessions, or of ended grants, that a new one deletes: a whole chain can end overnight. */
export const maxDeleted = 100;

/** The columns by which a session or a grant names its sign-in. */
type SignedIn = Pick<Session, 'accountType' | 'accountId' | 'tokenVersion' | 'signInId' | 'signedInAt'>;

/** The claims of a token for a session or a grant. It ends `lifetime` seconds after `at`, by default the sign-in. */
export function claimsOf(
	{ accountId: id, signInId, signedInAt, ...account }: SignedIn,
	lifetime: number,
	at = signedInAt,
): Claims {
	return { ...firstClaims({ ...account, id }, signInId, signedInAt), expiresAt: secondsOf(at) + lifetime };
}

/** The person behind claims; undefined if they can no longer work, or a restriction comes first. */
export function findReadyPerson(dependencies: GrantDependencies, claims: Claims, at: string): Person | undefined {
	try {
		const person = personOf(dependencies.db, { ...dependencies, claims }, at);
		return person.restrictions.length === 0 ? person : undefined;
	} catch (error) {
		if (error instanceof AppError) return undefined;
		throw error;
	}
}

/**
 * Starts a session for an account that has just proved its password. The cookie is always a new one. The session that
 * the browser had continues under the new sign-in if it has the same account and password, and otherwise ends.
 */
export function beginSession(dependencies: GrantDependencies, before: Session | undefined, claims: Claims, at: string) {
	const { db, tokens } = dependencies;
	const { accountType, id: accountId, version: tokenVersion, signIn: signInId } = claims;
	const cookie = randomText();
	const values = { accountType, accountId, tokenVersion, signInId, signedInAt: at, cookieHash: tokens.hash(cookie) };
	const session = transaction(db, () => {
		const isOver = lte(openidSessions.signedInAt, addSeconds(at, -sessionLifetime));
		db.delete(openidSessions).where(isOver).limit(maxDeleted).run();
		extendSignIn(db, signInId, at, addSeconds(at, sessionLifetime));
		const isSame = before?.accountType === accountType && before.accountId === accountId;
		if (isSame && before.tokenVersion === tokenVersion && endSignInOf(db, before, at)) {
			moveGrants(db, before.id, signInId, at);
			return db.update(openidSessions).set(values).where(eq(openidSessions.id, before.id)).returning().get();
		}
		if (before) endSession(db, before, at);
		return db.insert(openidSessions).values(values).returning().get();
	});
	return { cookie, session };
}

/** Ends the sign-in of a session or a grant. @returns whether it lasted until now */
function endSignInOf(db: Db, { accountType, accountId: id, tokenVersion, signInId }: SignedIn, at: string): boolean {
	return endSignIn(db, { accountType, id, tokenVersion }, signInId, at) !== undefined;
}

/** The grants of a session belong to its new sign-in from now on, which lasts as long as they can. */
function moveGrants(db: Db, sessionId: number, signInId: number, at: string): void {
	const moved = db
		.update(openidGrants)
		.set({ signInId })
		.where(eq(openidGrants.sessionId, sessionId))
		.returning({ expiresAt: openidGrants.expiresAt })
		.all();
	const ends = moved.map(({ expiresAt }) => expiresAt).toSorted();
	extendSignIn(db, signInId, at, ends.at(-1));
}

/** The session that an ID token names. After a restore, another account can have a session of the same id. */
export type SessionKey = Pick<Session, 'id' | 'accountType' | 'accountId'>;

/** Ends a session with its sign-in and grants, inside the caller's transaction. @returns whether a sign-in ended */
export function endSession(db: Db, { id, accountType, accountId }: SessionKey, at: string): boolean {
	const isOf = (table: typeof openidSessions | typeof openidGrants) =>
		and(eq(table.accountType, accountType), eq(table.accountId, accountId));
	const session = and(eq(openidSessions.id, id), isOf(openidSessions));
	const grants = and(eq(openidGrants.sessionId, id), isOf(openidGrants));
	// They all belong to one sign-in.
	const [ended] = [
		...db.delete(openidSessions).where(session).returning().all(),
		...db.delete(openidGrants).where(grants).returning().all(),
	];
	return ended !== undefined && endSignInOf(db, ended, at);
}
