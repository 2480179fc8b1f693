/**
 * The grants of programs: a code, then access tokens and, if a program asks for them, refresh tokens. Texts that open
 * something are stored as hashes. An ended grant is deleted, so a code or token without a grant is invalid.
 */
import { and, desc, eq, lte, type SQL } from 'drizzle-orm';
import { findOpenidGrant, hasScope, type OpenidGrant } from '../../identity/session/grants.ts';
import { randomText } from '../../identity/session/keys.ts';
import { extendSignIn } from '../../identity/session/sign-ins.ts';
import type { Claims } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { openidGrants } from '../../platform/database/schema.ts';
import { addSeconds, daySeconds } from '../../platform/vocabulary/day.ts';
import { accessTokenLifetime, OAuthError } from './model.ts';
import { type Authorization, type Parameters, required, scopesIn } from './request.ts';
import { claimsOf, findReadyPerson, type GrantDependencies, maxDeleted, type Session } from './sessions.ts';

/** Lifetimes in seconds. A refresh token ends when it is not used, and with its family. */
const lifetimes = { code: 60, unused: 14 * daySeconds, family: 90 * daySeconds } as const;

/** The maximum number of grants of a session. */
const maxGrants = 1000;

function deleteGrants(db: Db, which: SQL | undefined): void {
	db.delete(openidGrants).where(which).run();
}

/** Keeps the newest grants of a session only, because signing in again moves all of them. */
function deleteOldest(db: Db, sessionId: number): void {
	const { id } = openidGrants;
	const ofSession = eq(openidGrants.sessionId, sessionId);
	const newest = db.select({ id }).from(openidGrants).where(ofSession).orderBy(desc(id));
	deleteGrants(db, and(ofSession, lte(id, newest.limit(1).offset(maxGrants))));
}

/** Grants a program what it asked for. @returns the code that it exchanges for tokens */
export function createGrant(
	dependencies: GrantDependencies,
	session: Session,
	asked: Authorization,
	at: string,
): string {
	const { db, tokens } = dependencies;
	const code = randomText();
	const { id: sessionId, cookieHash, ...signedIn } = session;
	const { client, scope, nonce, redirectUri, challenge } = asked;
	const granted = { programId: client.id, scope, nonce, redirectUri, challenge, codeHash: tokens.hash(code) };
	const times = { createdAt: at, expiresAt: addSeconds(at, lifetimes.code) };
	transaction(db, () => {
		db.delete(openidGrants).where(lte(openidGrants.expiresAt, at)).limit(maxDeleted).run();
		const values = { ...signedIn, sessionId, ...granted, ...times };
		db.insert(openidGrants).values(values).run();
		deleteOldest(db, sessionId);
	});
	return code;
}

/** The answer to a code or a refresh token. */
export interface Renewed {
	/** The grant as it was before. */
	grant: OpenidGrant;
	/** The claims of the access token. */
	claims: Claims;
	refreshToken: string | undefined;
}

/** A request of a program about a grant. */
export interface ProgramRequest {
	programId: number;
	parameters: Parameters;
	/** In ISO 8601. */
	at: string;
}

/**
 * Exchanges a code, which works once. A second use, or one with a wrong verifier, address or program, ends the grant.
 * @throws OAuthError invalid_grant, invalid_request
 */
export function redeemCode(dependencies: GrantDependencies, { programId, parameters, at }: ProgramRequest): Renewed {
	const verifier = required(parameters, 'code_verifier');
	const challenge = Bun.SHA256.hash(verifier, 'base64url');
	const code = dependencies.tokens.hash(required(parameters, 'code'));
	const grant = findOpenidGrant(dependencies.db, 'codeHash', code, at);
	const isGenuine =
		grant?.programId === programId &&
		grant.redirectUri === parameters.get('redirect_uri') &&
		grant.challenge === challenge &&
		!grant.isRedeemed;
	return renewGrant(dependencies, { grant, isGenuine, family: randomText() }, at);
}

/**
 * Replaces a refresh token, which works once. A second use ends the whole family (RFC 9700, 4.14.2).
 * @throws OAuthError invalid_grant, invalid_request, invalid_scope
 */
export function redeemRefreshToken(dependencies: GrantDependencies, request: ProgramRequest): Renewed {
	const { programId, parameters, at } = request;
	const [family = '', newest = ''] = required(parameters, 'refresh_token').split('.');
	const { db, tokens } = dependencies;
	const grant = findOpenidGrant(db, 'familyHash', tokens.hash(family), at);
	const isSame = !parameters.has('scope') || scopesIn(parameters).join(' ') === grant?.scope;
	if (grant && !isSame) throw new OAuthError('invalid_scope', 'the scope stays the same');
	const isGenuine = grant?.programId === programId && grant.refreshHash === tokens.hash(newest);
	return renewGrant(dependencies, { grant, isGenuine, family }, at);
}

/** Renews a grant for a genuine request if its person may still use it, else ends it. @throws OAuthError invalid_grant */
function renewGrant(
	dependencies: GrantDependencies,
	{ grant, isGenuine, family }: { grant: OpenidGrant | undefined; isGenuine: boolean; family: string },
	at: string,
): Renewed {
	const { db } = dependencies;
	const claims = grant && { ...claimsOf(grant, accessTokenLifetime, at), grantId: grant.id };
	if (claims && isGenuine && findReadyPerson(dependencies, claims, at))
		return transaction(db, () => ({ grant, claims, refreshToken: extendGrant(dependencies, grant, family, at) }));
	// A made-up code must not start a write transaction.
	if (grant) transaction(db, () => deleteGrants(db, eq(openidGrants.id, grant.id)));
	throw new OAuthError('invalid_grant', 'the grant is unknown, used, or over');
}

/** Extends a grant. @returns the new refresh token, if the program asked for one */
function extendGrant({ db, tokens }: GrantDependencies, grant: OpenidGrant, family: string, at: string) {
	const newest = randomText();
	const isOffline = hasScope(grant, 'offline_access');
	const familyEnd = addSeconds(grant.createdAt, lifetimes.family);
	let expiresAt = addSeconds(at, isOffline ? lifetimes.unused : accessTokenLifetime);
	if (expiresAt > familyEnd) expiresAt = familyEnd;
	const hashes = { familyHash: tokens.hash(family), refreshHash: tokens.hash(newest) };
	db.update(openidGrants)
		.set({ isRedeemed: true, expiresAt, ...(isOffline && hashes) })
		.where(eq(openidGrants.id, grant.id))
		.run();
	extendSignIn(db, grant.signInId, at, expiresAt);
	return isOffline ? `${family}.${newest}` : undefined;
}

/** Ends the grant of a token, if it is the program's own (RFC 7009). */
export async function revokeToken(
	{ db, tokens }: GrantDependencies,
	{ programId, parameters, at }: ProgramRequest,
): Promise<void> {
	const token = required(parameters, 'token');
	const [family = ''] = token.split('.');
	const claims = await tokens.verify(token);
	const id = claims ? claims.grantId : findOpenidGrant(db, 'familyHash', tokens.hash(family), at)?.id;
	if (id === undefined) return;
	transaction(db, () => deleteGrants(db, and(eq(openidGrants.id, id), eq(openidGrants.programId, programId))));
}
