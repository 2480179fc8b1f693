/** Signing out: for a program that proves whose session it is, or after the person confirmed it on the page. */
import { record } from '../../identity/history/record.ts';
import { findAccount } from '../../identity/session/accounts.ts';
import { transaction } from '../../platform/database/query.ts';
import { isRegistered } from '../programs/redirect.ts';
import { sessionNamedBy } from './claims.ts';
import { findClient } from './clients.ts';
import { openidMessages, refusedOnPage } from './model.ts';
import { type OpenidDependencies, type OpenidRequest, sessionOf, setSessionCookie } from './page.ts';
import { readParameters, withQuery } from './request.ts';
import { endSession, type SessionKey } from './sessions.ts';

/**
 * Signs a person out for a program whose ID token names the session in this browser, or any session if the browser has
 * none. Otherwise the page asks the person. @throws AppError VALIDATION_ERROR
 */
export async function endSessionFor(dependencies: OpenidDependencies, request: OpenidRequest): Promise<Response> {
	const { openid, now } = dependencies;
	const { proven, location } = await readSignOut(dependencies, request);
	const present = sessionOf(dependencies, request, now());
	if (!proven || (present && !isSame(present, proven))) return openid.page({ kind: 'SIGN_OUT' });
	signOut(dependencies, request, proven);
	return location === undefined ? openid.page({ kind: 'SIGNED_OUT' }) : Response.redirect(location, 303);
}

/**
 * Signs out the person who confirmed it on the page. @returns the address to which the browser goes @throws AppError
 */
export async function signOutFromPage(dependencies: OpenidDependencies, request: OpenidRequest) {
	const { location } = await readSignOut(dependencies, request);
	const present = sessionOf(dependencies, request, dependencies.now());
	signOut(dependencies, request, present);
	return location === undefined ? {} : { location };
}

/**
 * The session that a request proves by an ID token, and the address to continue to.
 * @throws AppError VALIDATION_ERROR for an address that is not registered, and for parameters that contradict each other.
 */
async function readSignOut({ db, openid, now }: OpenidDependencies, { sent }: OpenidRequest) {
	const parameters = readParameters(sent);
	const hint = parameters.get('id_token_hint');
	const claims = hint === undefined ? undefined : await openid.keys.verify(hint, openid.issuer);
	const clientId = parameters.get('client_id') ?? claims?.aud;
	if (claims && claims.aud !== clientId) throw refusedOnPage(openidMessages.badRequest);
	const proven = claims && sessionNamedBy(claims);
	const uri = parameters.get('post_logout_redirect_uri');
	if (uri === undefined) return { proven, location: undefined };
	const client = findClient(db, String(clientId), now());
	if (!client || !isRegistered(client.signOutUris, uri)) throw refusedOnPage(openidMessages.unknownAddress);
	const state = parameters.get('state');
	return { proven, location: withQuery(uri, state === undefined ? {} : { state }) };
}

const isSame = (one: SessionKey, other: SessionKey) =>
	one.id === other.id && one.accountType === other.accountType && one.accountId === other.accountId;

/** Ends a session, if there is one, and records it for its account. The browser forgets its cookie. */
function signOut(dependencies: OpenidDependencies, request: OpenidRequest, session: SessionKey | undefined): void {
	const { db, now } = dependencies;
	setSessionCookie(dependencies, request);
	if (!session) return;
	const { address, requestId } = request;
	transaction(db, () => {
		const account = findAccount(db, { accountType: session.accountType, id: session.accountId });
		const isEnded = endSession(db, session, now());
		if (isEnded && account) record(db, { actor: account, address, requestId, at: now() }, { action: 'SIGN_OUT' });
	});
}
