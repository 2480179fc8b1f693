/** The sign-in page: what a request to sign in answers, and what the page itself sends. */
import { record } from '../../identity/history/record.ts';
import { findAccount } from '../../identity/session/accounts.ts';
import { personOf } from '../../identity/session/actor.ts';
import { mayEnter } from '../../identity/session/client-tokens.ts';
import { forbidden, notSignedIn, refusalFor } from '../../identity/session/refusals.ts';
import type { Claims } from '../../identity/session/tokens.ts';
import { AppError, businessError } from '../../platform/vocabulary/errors.ts';
import type { ChangePassword, Credentials } from '../auth/model.ts';
import { authenticate, type SignInDependencies, type SignInRequest } from '../auth/sign-in.ts';
import { replaceOwnPassword } from '../own-account/service.ts';
import { subjectOf } from './claims.ts';
import { findClient } from './clients.ts';
import {
	beginSession,
	createGrant,
	endSession,
	endSignInOf,
	findReadyAccount,
	findSession,
	type Session,
	type Store,
	sessionLifetime,
} from './grants.ts';
import type { SigningKeys } from './keys.ts';
import { OAuthError, type OpenidPage, openidMessages, PageError } from './model.ts';
import {
	type Authorization,
	addressOf,
	readAuthorization,
	readParameters,
	readReturnAddress,
	withQuery,
} from './request.ts';

/** A provider of OpenID Connect, which an installation has if `PUBLIC_URL` allows it. */
export interface Provider {
	/** `PUBLIC_URL` without a slash at its end. */
	issuer: string;
	keys: SigningKeys;
	/** Renders the page. */
	page(state: OpenidPage, status?: number): Promise<Response>;
}

export interface OpenidDependencies extends Store, SignInDependencies {
	openid: Provider;
}

/** What a request brings besides its parameters. */
export interface Sender {
	headers: Headers;
	sent: URLSearchParams;
	address: string;
	requestId: string;
}

/** The name of the session's cookie. With TLS, no other host and no plain http can set it. */
const cookieName = (issuer: string) => (issuer.startsWith('https:') ? '__Host-openid' : 'openid');

function readCookie(issuer: string, headers: Headers): string | undefined {
	const start = `${cookieName(issuer)}=`;
	const cookies = (headers.get('cookie') ?? '').split(';').map((each) => each.trim());
	return cookies.find((each) => each.startsWith(start))?.slice(start.length);
}

/** The value of `Set-Cookie`; without a cookie, the browser forgets the one that it has. */
function cookieHeader(issuer: string, cookie = ''): string {
	const lifetime = cookie === '' ? 0 : sessionLifetime;
	const secure = issuer.startsWith('https:') ? '; Secure' : '';
	return `${cookieName(issuer)}=${cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime}${secure}`;
}

/** The session of a request's cookie. */
function sessionOf({ openid, ...store }: OpenidDependencies, { headers }: Sender, at: string): Session | undefined {
	return findSession(store, readCookie(openid.issuer, headers), at);
}

/**
 * Answers a request to sign in: back to the program, or the page. It writes only if somebody is signed in.
 * @throws PageError
 */
export async function authorize(dependencies: OpenidDependencies, sender: Sender): Promise<Response> {
	const { db, openid, now } = dependencies;
	const at = now();
	const to = readReturnAddress(db, sender.sent, at);
	try {
		const asked = readAuthorization(to, sender.sent);
		const location = await signedInAddress(dependencies, sender, asked, at);
		if (location) return redirect(location);
		if (asked.prompt === 'none') throw new OAuthError('login_required', 'nobody is signed in');
		const { client, username } = asked;
		const notice = signedInButRefused(dependencies, sender, asked, at);
		return await openid.page({ kind: 'SIGN_IN', program: client.name, ...(username && { username }), ...notice });
	} catch (error) {
		if (!(error instanceof OAuthError)) throw error;
		return redirect(addressOf(to, openid.issuer, { error: error.code, error_description: error.message }));
	}
}

/** The address with a code, if somebody is signed in recently enough, is the expected person, and may sign in there. */
async function signedInAddress(dependencies: OpenidDependencies, sender: Sender, asked: Authorization, at: string) {
	const { openid } = dependencies;
	const { prompt, maxAge = Number.POSITIVE_INFINITY, hint, client } = asked;
	const session = sessionOf(dependencies, sender, at);
	const account = session && findReadyAccount(dependencies, session);
	if (!account || prompt === 'login') return undefined;
	if (Date.parse(at) - Date.parse(session.signedInAt) >= maxAge * 1000) return undefined;
	if (hint !== undefined && (await openid.keys.verify(hint, openid.issuer))?.sub !== subjectOf(account))
		return undefined;
	if (!mayEnter(account, client.signInPermission)) {
		if (prompt === 'none') throw new OAuthError('access_denied', 'the account may not sign in to this program');
		return undefined;
	}
	return addressOf(asked, openid.issuer, { code: createGrant(dependencies, session, asked, at) });
}

/** What the page says to somebody who is signed in, but may not sign in to this program. */
function signedInButRefused(dependencies: OpenidDependencies, sender: Sender, { client }: Authorization, at: string) {
	const session = sessionOf(dependencies, sender, at);
	const account = session && findReadyAccount(dependencies, session);
	if (!account || mayEnter(account, client.signInPermission)) return {};
	return { notice: openidMessages.notAdmitted(client.name).message };
}

/** The result of what the page sends: where the browser goes, and the cookie that it gets. */
export interface Entered {
	location: string;
	deviceToken?: string;
}

/** Saves the cookie of a new session, also when the sign-in is refused after it. */
type SaveCookie = (header: string) => void;

/**
 * Signs somebody in from the page, and goes on to the program.
 * @throws AppError as `authenticate`; FORBIDDEN for an account that must set a password or turn on its second factor
 * first, or may not sign in to this program; VALIDATION_ERROR for a request that no program sends.
 */
export async function signInFromPage(
	dependencies: OpenidDependencies,
	sender: Sender,
	credentials: Credentials,
	request: SignInRequest,
	saveCookie: SaveCookie,
): Promise<Entered> {
	const { openid, devices, now } = dependencies;
	const asked = requireFromPage(dependencies, sender);
	const before = sessionOf(dependencies, sender, now());
	const { account, claims, device } = await authenticate(dependencies, 'OPENID', credentials, request);
	const { cookie, session } = beginSession(dependencies, before, claims, now());
	saveCookie(cookieHeader(openid.issuer, cookie));
	return { location: enter(dependencies, session, asked), deviceToken: devices.issue(account, device) };
}

/** Sets the first own password of the person who just signed in, and goes on. @throws AppError as `changeOwnPassword` */
export async function setPasswordFromPage(
	dependencies: OpenidDependencies,
	sender: Sender,
	change: ChangePassword,
	request: SignInRequest,
	saveCookie: SaveCookie,
): Promise<Entered> {
	const { db, openid, devices, requirements, now } = dependencies;
	const asked = requireFromPage(dependencies, sender);
	const before = sessionOf(dependencies, sender, now());
	if (!before) throw notSignedIn('token_missing');
	const actor = personOf(db, { claims: claimsOf(before), requirements }, now());
	const caller = { actor, address: sender.address, requestId: sender.requestId, at: now() };
	const { account, claims, device } = await replaceOwnPassword(dependencies, caller, change, request);
	const { cookie, session } = beginSession(dependencies, before, claims, now());
	saveCookie(cookieHeader(openid.issuer, cookie));
	return { location: enter(dependencies, session, asked), deviceToken: devices.issue(account, device) };
}

/** The claims of a session, as those of a token for as long as it lasts. */
function claimsOf({
	accountType,
	accountId: id,
	tokenVersion: version,
	signInId: signIn,
	...session
}: Session): Claims {
	const signedInAt = Math.floor(Date.parse(session.signedInAt) / 1000);
	return { accountType, id, version, signIn, signedInAt, expiresAt: signedInAt + sessionLifetime };
}

/** The address with a code for a new session. @throws AppError FORBIDDEN */
function enter(dependencies: OpenidDependencies, session: Session, asked: Authorization): string {
	const { db, openid, requirements, now } = dependencies;
	const at = now();
	const account = personOf(db, { claims: claimsOf(session), requirements }, at);
	const [restriction] = account.restrictions;
	if (restriction) throw refusalFor(restriction);
	const { name, signInPermission } = asked.client;
	if (!mayEnter(account, signInPermission))
		throw businessError('FORBIDDEN', 'account.permissions', openidMessages.notAdmitted(name));
	return addressOf(asked, openid.issuer, { code: createGrant(dependencies, session, asked, at) });
}

/** Only the page itself sends passwords, with the request that opened it. @throws AppError FORBIDDEN, VALIDATION_ERROR */
function requireFromPage(dependencies: OpenidDependencies, { headers, sent }: Sender): Authorization {
	requireOwnOrigin(dependencies, headers);
	try {
		return readAuthorization(readReturnAddress(dependencies.db, sent, dependencies.now()), sent);
	} catch (error) {
		if (!(error instanceof OAuthError) && !(error instanceof PageError)) throw error;
		throw new AppError('VALIDATION_ERROR', openidMessages.badRequest, { details: [{ ...openidMessages.badRequest }] });
	}
}

/** @throws AppError FORBIDDEN for a page of another site, and for a program that is no browser. */
function requireOwnOrigin({ openid }: OpenidDependencies, headers: Headers): void {
	if (headers.get('origin') !== new URL(openid.issuer).origin) throw forbidden(openidMessages.otherSite);
}

/** A request of a program to sign somebody out. */
interface SignOut {
	/** The session, if the program proved which one. */
	sessionId: number | undefined;
	/** Where the person goes afterwards; undefined to stay. */
	location: string | undefined;
}

/** @throws PageError for an address that is not registered, and for parameters that contradict each other. */
async function readSignOut({ db, openid, now }: OpenidDependencies, sent: URLSearchParams): Promise<SignOut> {
	const parameters = readParameters(sent);
	const hint = parameters.get('id_token_hint');
	const { aud, sid } = (hint && (await openid.keys.verify(hint, openid.issuer))) || {};
	const clientId = parameters.get('client_id') ?? (typeof aud === 'string' ? aud : undefined);
	if (aud !== undefined && aud !== clientId) throw new PageError(openidMessages.badRequest.message);
	const sessionId = aud === undefined ? undefined : Number(sid);
	const uri = parameters.get('post_logout_redirect_uri');
	if (uri === undefined) return { sessionId, location: undefined };
	const client = findClient(db, clientId ?? '', now());
	if (!client?.signOutUris.includes(uri)) throw new PageError(openidMessages.unknownAddress);
	const state = parameters.get('state');
	return { sessionId, location: withQuery(uri, state === undefined ? {} : { state }) };
}

/** Signs somebody out for a program that knows the session, or asks the person. @throws PageError, OAuthError */
export async function endSessionFor(dependencies: OpenidDependencies, sender: Sender): Promise<Response> {
	const { openid, now } = dependencies;
	const { sessionId, location } = await readSignOut(dependencies, sender.sent);
	const present = sessionOf(dependencies, sender, now());
	// A program names the session of its own sign-in. Another one is the person's to end.
	if (present ? present.id !== sessionId : sessionId === undefined) return openid.page({ kind: 'SIGN_OUT' });
	if (sessionId !== undefined) end(dependencies, sender, sessionId, present);
	const answer = location === undefined ? await openid.page({ kind: 'SIGNED_OUT' }) : redirect(location);
	answer.headers.append('set-cookie', cookieHeader(openid.issuer));
	return answer;
}

/** Signs the person out who confirmed it on the page. @returns the address to go on to. @throws AppError, PageError */
export async function signOutFromPage(
	dependencies: OpenidDependencies,
	sender: Sender,
	saveCookie: SaveCookie,
): Promise<{ location?: string }> {
	requireOwnOrigin(dependencies, sender.headers);
	const { location } = await readSignOut(dependencies, sender.sent);
	const present = sessionOf(dependencies, sender, dependencies.now());
	if (present) end(dependencies, sender, present.id, present);
	saveCookie(cookieHeader(dependencies.openid.issuer));
	return location === undefined ? {} : { location };
}

function end({ db, now }: OpenidDependencies, sender: Sender, id: number, session: Session | undefined): void {
	const account = session && findAccount(db, { accountType: session.accountType, id: session.accountId });
	const { address, requestId } = sender;
	endSession(db, id, () => {
		if (session) endSignInOf(db, session, now());
		if (account) record(db, { actor: account, address, requestId, at: now() }, { action: 'SIGN_OUT' });
	});
}

/** Sends a browser on. It asks with GET, whatever it sent before. */
export function redirect(location: string): Response {
	return new Response(null, { status: 303, headers: { location } });
}
