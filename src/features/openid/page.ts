/** The sign-in page: the answers to requests to sign in, and the requests of the page itself. */
import type { Context } from 'elysia';
import { type Person, personOf } from '../../identity/session/actor.ts';
import { canSignInTo } from '../../identity/session/grants.ts';
import { notSignedIn, refusalFor } from '../../identity/session/refusals.ts';
import { sessionLifetime } from '../../identity/session/tokens.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import type { ChangePassword, Credentials } from '../auth/model.ts';
import { type Authenticated, authenticate, type SignInDependencies, type SignInRequest } from '../auth/sign-in.ts';
import { changeOwnPassword } from '../own-account/service.ts';
import { subjectIdentifier } from './claims.ts';
import { createGrant } from './grants.ts';
import type { SigningKeys } from './keys.ts';
import { OAuthError, type OpenidPage, openidMessages } from './model.ts';
import { type Authorization, addressOf, readAuthorization, readReturnAddress } from './request.ts';
import { beginSession, claimsOf, findReadyPerson, findSession, type Session } from './sessions.ts';

/** A provider of OpenID Connect, which an installation has if `PUBLIC_URL` allows it. */
export interface Provider {
	/** `PUBLIC_URL` without a slash at its end. */
	issuer: string;
	keys: SigningKeys;
	page(state: OpenidPage, status?: number): Promise<Response>;
}

export interface OpenidDependencies extends SignInDependencies {
	openid: Provider;
}

/** A request to the provider, and the headers of its answer, also of a refusal. */
export interface OpenidRequest extends SignInRequest {
	headers: Headers;
	/** The parameters in the address or the form. */
	sent: URLSearchParams;
	responseHeaders: Context['set']['headers'];
}

/** The name of the session's cookie. With TLS, no other host and no plain http can set it. */
const cookieName = (issuer: string) => (issuer.startsWith('https:') ? '__Host-openid' : 'openid');

/** Sets the cookie of a session in the browser; without a value, deletes it. */
export function setSessionCookie({ openid }: OpenidDependencies, request: OpenidRequest, value = ''): void {
	const { issuer } = openid;
	request.responseHeaders['set-cookie'] = new Bun.Cookie(cookieName(issuer), value, {
		path: '/',
		httpOnly: true,
		sameSite: 'lax',
		secure: issuer.startsWith('https:'),
		maxAge: value === '' ? 0 : sessionLifetime,
	}).serialize();
}

/** The session of a request's cookie, at a time in ISO 8601. */
export function sessionOf(dependencies: OpenidDependencies, request: OpenidRequest, at: string): Session | undefined {
	const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '');
	return findSession(dependencies, cookies.get(cookieName(dependencies.openid.issuer)), at);
}

/**
 * Answers a request to sign in: back to the program, or the page. It writes only if somebody is signed in.
 * @throws AppError VALIDATION_ERROR for an unknown program or address
 */
export async function authorize(dependencies: OpenidDependencies, request: OpenidRequest): Promise<Response> {
	const { db, openid, now } = dependencies;
	const at = now();
	const to = readReturnAddress(db, request.sent, at);
	try {
		const asked = readAuthorization(to, request.sent);
		const { client, prompt, username } = asked;
		const session = sessionOf(dependencies, request, at);
		const person = session && (await findMatchingPerson(dependencies, session, asked, at));
		if (person && canSignInTo(person, client.signInPermission))
			return Response.redirect(codeAddress(dependencies, session, asked, at), 303);
		if (prompt === 'none' && person) throw new OAuthError('access_denied', 'the account may not sign in here');
		if (prompt === 'none') throw new OAuthError('login_required', 'nobody is signed in');
		const notice = person && openidMessages.notAdmitted(client.name).message;
		return await openid.page({ kind: 'SIGN_IN', program: client.name, username, notice });
	} catch (error) {
		if (!(error instanceof OAuthError)) throw error;
		return Response.redirect(addressOf(to, openid.issuer, error.answer), 303);
	}
}

/** The person of a session, unless a request asks for a newer sign-in or for somebody else. */
async function findMatchingPerson(
	dependencies: OpenidDependencies,
	session: Session,
	{ prompt, maxAge, hint }: Authorization,
	at: string,
): Promise<Person | undefined> {
	const { keys, issuer } = dependencies.openid;
	if (prompt === 'login' || Date.parse(at) - Date.parse(session.signedInAt) >= maxAge * 1000) return undefined;
	const person = findReadyPerson(dependencies, claimsOf(session, sessionLifetime), at);
	if (person && hint !== undefined && (await keys.verify(hint, issuer))?.sub !== subjectIdentifier(person))
		return undefined;
	return person;
}

function codeAddress(dependencies: OpenidDependencies, session: Session, asked: Authorization, at: string): string {
	const code = createGrant(dependencies, session, asked, at);
	return addressOf(asked, dependencies.openid.issuer, { code });
}

/**
 * Signs a person in from the page, and continues to the program.
 * @throws AppError as `authenticate` and {@link enter}; VALIDATION_ERROR for a request that no program sends.
 */
export async function signInFromPage(dependencies: OpenidDependencies, request: OpenidRequest, body: Credentials) {
	const asked = readAsked(dependencies, request);
	return enter(dependencies, request, asked, await authenticate(dependencies, 'OPENID', body, request));
}

/** Sets a person's own password, and continues. @throws AppError as `changeOwnPassword` and {@link signInFromPage} do. */
export async function setPasswordFromPage(
	dependencies: OpenidDependencies,
	request: OpenidRequest,
	change: ChangePassword,
) {
	const { db, requirements, now } = dependencies;
	const asked = readAsked(dependencies, request);
	const at = now();
	const session = sessionOf(dependencies, request, at);
	if (!session) throw notSignedIn('token_missing');
	const actor = personOf(db, { claims: claimsOf(session, sessionLifetime), requirements }, at);
	const authenticated = await changeOwnPassword(dependencies, { ...request, actor, at }, change);
	return enter(dependencies, request, asked, authenticated);
}

/**
 * Starts a session for a person who has just proved their password. @returns the address to which the browser goes
 * @throws AppError FORBIDDEN for an account that must set a password or turn on its second factor first, or may not
 * sign in to this program.
 */
function enter(
	dependencies: OpenidDependencies,
	request: OpenidRequest,
	asked: Authorization,
	{ person, device }: Authenticated,
): { location: string } {
	const { devices, now } = dependencies;
	const at = now();
	const before = sessionOf(dependencies, request, at);
	const { cookie, session } = beginSession(dependencies, before, person.claims, at);
	setSessionCookie(dependencies, request, cookie);
	const [restriction] = person.restrictions;
	if (restriction) throw refusalFor(restriction);
	const { name, signInPermission } = asked.client;
	if (!canSignInTo(person, signInPermission))
		throw businessError('FORBIDDEN', 'account.permissions', openidMessages.notAdmitted(name));
	request.responseHeaders['device-token'] = devices.issue(person, device);
	return { location: codeAddress(dependencies, session, asked, at) };
}

/** The request that opened the page, which the page sends with a password. @throws AppError VALIDATION_ERROR */
function readAsked({ db, now }: OpenidDependencies, { sent }: OpenidRequest): Authorization {
	return readAuthorization(readReturnAddress(db, sent, now()), sent);
}
