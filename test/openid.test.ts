/** OpenID Connect, with two third-party clients, and all its refusals. */
import { describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { createSigningKeys } from '../src/features/openid/keys.ts';
import { afterEachTransaction } from '../src/platform/database/query.ts';
import { readSecrets } from '../src/platform/machine/secrets.ts';
import { dayOf } from '../src/platform/vocabulary/day.ts';
import { openidProblem } from '../src/server/openid.ts';
import {
	adminPassword,
	adminUsername,
	detailsOf,
	expectRefusal,
	expectStatus,
	initialPassword,
	Service,
} from './harness.ts';
import type { Body } from './http.ts';
import { removeFoldersAfterAll, serveHere } from './installation.ts';
import { missing } from './matrix.ts';
import {
	asking as askingFor,
	Browser,
	type Client,
	challenge,
	type Form,
	issuer,
	postForm,
	proof,
	redirectUri,
	register,
	signedOutUri,
	signIdToken,
	startWithOpenid,
	through,
	verifier,
} from './openid-world.ts';
import { fill, nameOf, namesOf, protectedEndpoints } from './oracle.ts';
import { newFolder } from './program.ts';
import { runHere } from './run-here.ts';
import { given } from './server.ts';
import { totp } from './totp.ts';

const service = await startWithOpenid();
const home = await service.addStore();
const held = ['store:view', 'employee:view:all', 'employee:manage', 'role:manage', 'permission:manage'] as const;
const role = await service.addRole(...held);
const person = await service.addEmployee(home.id, [role.id], { name: '王芳' });
const credentials = { username: person.phone, password: initialPassword };
const web = await register(service, { signOutUris: [signedOutUri] });
const page = await register(service, { isPublic: true, redirectUris: [redirectUri, 'http://127.0.0.1:1/back'] });
service.restoreBeforeEachTest();
removeFoldersAfterAll();

const everything = 'openid profile phone access offline_access';
const asking = (of: Client, parameters: Form = {}) => askingFor(of, { scope: everything, ...parameters });

/** The parameters of an answer at the program. */
const paramsOf = (url: URL) => Object.fromEntries(url.searchParams);

const post = (path: string, form: Form, headers?: Record<string, string>) => postForm(service, path, form, headers);

const redeem = (of: Client, code: string, changes: Form = {}) => {
	const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
	return post('token', { ...form, ...proof(of), ...changes });
};

const refresh = (of: Client, token: string, changes: Form = {}) =>
	post('token', { grant_type: 'refresh_token', refresh_token: token, ...proof(of), ...changes });

async function userinfo(token: string) {
	const headers = { authorization: `Bearer ${token}` };
	const response = await through(service)(`${issuer}/openid/userinfo`, { headers });
	return { status: response.status, body: (await response.json()) as Body };
}

/** Signs the person in. @returns the browser, the code and the tokens */
async function signedIn(
	of: Client = web,
	parameters: Form = {},
	username = person.phone,
	password: string = initialPassword,
) {
	const browser = new Browser(service);
	const back = await browser.signIn(asking(of, parameters), username, password);
	const code = back.searchParams.get('code') ?? '';
	const { status, body: tokens } = await redeem(of, code);
	expect([status, tokens]).toEqual([200, expect.objectContaining({ token_type: 'Bearer', expires_in: 600 })]);
	return { browser, code, tokens };
}

/** The live sign-ins of the person, newest first. */
async function liveSignIns(): Promise<Body[]> {
	const token = service.tokenOf(person.id);
	const { items } = await service.read('/api/auth/me/sign-ins', token);
	return items.filter(({ isLive }: Body) => isLive);
}

async function endNewestSignIn() {
	const [newest] = await liveSignIns();
	const token = service.tokenOf(person.id);
	expectStatus(await service.as(token, 'DELETE', `/api/auth/me/sign-ins/${newest?.id}`), 204);
}

const codeOf = async (browser: Browser, of: Client = web) =>
	(await browser.follow(asking(of, { prompt: 'none' }))).searchParams.get('code') ?? '';

/** The state of the page that a request shows. */
const shownAt = async (browser: Browser, asked: URL): Promise<unknown> => (await browser.send(asked)).json();
describe('a program signs people in', () => {
	test('with openid-client: discovery, PKCE, ID token, userinfo, refresh, revocation, sign-out', async () => {
		const options = { [client.customFetch]: through(service) as client.CustomFetch };
		const config = await client.discovery(new URL(issuer), web.clientId, web.secret, undefined, options);
		// Of the greatest length.
		const nonce = 'n'.repeat(500);
		const request = { redirect_uri: redirectUri, scope: everything, state: 'a b&c', nonce, max_age: '3600' };
		const proofKey = { code_challenge: challenge, code_challenge_method: 'S256' };
		const asked = client.buildAuthorizationUrl(config, { ...request, ...proofKey });
		const browser = new Browser(service);
		expect(await shownAt(browser, asked)).toEqual({ kind: 'SIGN_IN', program: expect.stringMatching('收银') });
		const back = await browser.signIn(asked, person.phone, initialPassword);
		const tokens = await client.authorizationCodeGrant(config, back, {
			pkceCodeVerifier: verifier,
			expectedState: 'a b&c',
			expectedNonce: nonce,
			maxAge: 3600,
			idTokenExpected: true,
		});
		const { sub = '' } = tokens.claims() ?? {};
		expect(sub).toBe(`employee:${person.id}`);
		const known: object = await client.fetchUserInfo(config, tokens.access_token, sub);
		expect(known).toEqual({
			sub,
			name: '王芳',
			phone_number: `+86${person.phone}`,
			account_type: 'EMPLOYEE',
			store_id: home.id,
			store_name: home.name,
			roles: [{ id: role.id, code: role.code, name: role.name }],
			permissions: ['store:view', 'role:manage', 'employee:view:all', 'employee:manage', 'permission:manage'],
		});
		service.tick();
		const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
		expect(renewed.claims()).toMatchObject({ sub, sid: tokens.claims()?.sid, auth_time: tokens.claims()?.auth_time });
		expect(renewed.claims()).not.toHaveProperty('nonce');
		await client.tokenRevocation(config, renewed.refresh_token ?? '');
		expect((await userinfo(renewed.access_token)).status).toBe(401);
		const leaving = client.buildEndSessionUrl(config, {
			id_token_hint: renewed.id_token ?? '',
			post_logout_redirect_uri: signedOutUri,
			state: 'bye',
		});
		expect(String(await browser.follow(leaving))).toBe(`${signedOutUri}?state=bye`);
		expect(browser.cookie).toBeUndefined();
	});

	test('with oauth4webapi, as a page without a secret, on a loopback address with any port', async () => {
		const options = { [oauth.customFetch]: through(service) as typeof fetch };
		const at = new URL(issuer);
		const server = await oauth.processDiscoveryResponse(at, await oauth.discoveryRequest(at, options));
		const own: oauth.Client = { client_id: page.clientId };
		const back = 'http://127.0.0.1:54321/back';
		const browser = new Browser(service);
		const location = await browser.signIn(asking(page, { redirect_uri: back }), adminUsername, adminPassword);
		const answered = oauth.validateAuthResponse(server, own, location, 'st');
		const none = oauth.None();
		const response = await oauth.authorizationCodeGrantRequest(server, own, none, answered, back, verifier, options);
		const result = await oauth.processAuthorizationCodeResponse(server, own, response, { expectedNonce: 'no' });
		await oauth.validateApplicationLevelSignature(server, response, options);
		const claims = oauth.getValidatedIdTokenClaims(result);
		const names = Object.keys(claims ?? {}).toSorted();
		expect(names).toEqual(['aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sid', 'sub']);
		expect(claims).toMatchObject({ exp: Number(claims?.iat) + 600 });
		const { access_token } = result;
		const info = await oauth.userInfoRequest(server, own, access_token, options);
		const known = await oauth.processUserInfoResponse(server, own, 'admin:1', info);
		expect(known).toMatchObject({ name: '超级管理员', account_type: 'SUPER_ADMIN', permissions: ['*'] });
		expect(known).not.toHaveProperty('phone_number');
		const again = await oauth.refreshTokenGrantRequest(server, own, none, result.refresh_token ?? '', options);
		expect(await oauth.processRefreshTokenResponse(server, own, again)).toMatchObject({ scope: everything });
	});

	test('if the page knows them, they go on at once, until the session is twelve hours old or the program asks again', async () => {
		const { browser } = await signedIn();
		const at = (parameters: Form) => browser.follow(asking(page, parameters)).then(paramsOf);
		expect(await at({})).toEqual({ code: expect.any(String), state: 'st', iss: issuer });
		service.tick(60);
		expect(await at({ max_age: '61' })).toHaveProperty('code');
		const again = [{ prompt: 'login' }, { max_age: '60' }, { prompt: 'select_account' }, { id_token_hint: 'x' }];
		for (const parameters of again)
			expect(await shownAt(browser, asking(page, parameters))).toMatchObject({ kind: 'SIGN_IN' });
		expect(await at({ prompt: 'none', max_age: '60' })).toEqual({
			error: 'login_required',
			error_description: 'nobody is signed in',
			state: 'st',
			iss: issuer,
		});
		service.tick(12 * 3600 - 60);
		expect(await at({ prompt: 'none' })).toHaveProperty('error', 'login_required');
	});

	test('without a request for them there is no refresh token and no claim, for the ten minutes of an access token', async () => {
		const { tokens } = await signedIn(web, { scope: 'openid something' });
		expect([tokens.scope, tokens.refresh_token]).toEqual(['openid', undefined]);
		service.tick(599);
		expect((await userinfo(tokens.access_token)).body).toEqual({ sub: `employee:${person.id}` });
		const { access_token } = (await signedIn(web, { scope: 'openid profile' })).tokens;
		expect((await userinfo(access_token)).body).toEqual({ sub: `employee:${person.id}`, name: '王芳' });
	});

	test('a refresh token ends after 14 days without use, and after 90 days in all', async () => {
		let { refresh_token: token } = (await signedIn()).tokens;
		for (let days = 13; days < 90; days += 13) {
			service.tick(13 * 86_400);
			const { status, body } = await refresh(web, token);
			expect([days, status]).toEqual([days, 200]);
			token = body.refresh_token;
		}
		service.tick(12 * 86_400);
		expect((await refresh(web, token)).status).toBe(400);
		const { tokens } = await signedIn();
		service.tick(14 * 86_400);
		expect((await refresh(web, tokens.refresh_token)).status).toBe(400);
	});

	test('whose username it may know already', async () => {
		const asked = asking(web, { login_hint: person.phone });
		expect(await shownAt(new Browser(service), asked)).toMatchObject({ username: person.phone });
	});

	test('until the end of its last day', async () => {
		const endsOn = dayOf(service.time);
		const change = { permissions: ['store:view'], endsOn };
		expectStatus(await service.asSuper('PATCH', `/api/programs/${web.id}`, change), 200);
		const { tokens } = await signedIn();
		while (dayOf(service.time) === endsOn) service.tick(3600);
		expect((await refresh(web, tokens.refresh_token)).body.error).toBe('invalid_client');
	});

	test('the documents of discovery have every address below the issuer, whatever Host says', async () => {
		const response = await through(service)(`${issuer}/.well-known/openid-configuration`, {
			headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
		});
		const document = await response.text();
		expect(document).not.toContain('evil');
		expect(JSON.parse(document)).toMatchObject({ issuer, request_parameter_supported: false });
		const jwks = (await (await through(service)(`${issuer}/openid/jwks`)).json()) as Body;
		expect(Object.keys(jwks.keys[0]).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
	});
});

describe('a request to sign in is refused', () => {
	const onPage: [name: string, parameters: Form, twice: string][] = [
		['another address', { redirect_uri: 'https://evil.example/' }, ''],
		['an address that goes on', { redirect_uri: `${redirectUri}/../x` }, ''],
		['an address with a query', { redirect_uri: `${redirectUri}?x=1` }, ''],
		['no address', { redirect_uri: undefined }, ''],
		['another path on loopback', { redirect_uri: 'http://127.0.0.1:1/other' }, ''],
		['another name of loopback', { redirect_uri: 'http://localhost:1/back' }, ''],
		['an address that only begins as loopback', { redirect_uri: 'http://127.0.0.1:1@evil.example/back' }, ''],
		['an unknown client', { client_id: 'program-99' }, ''],
		['a number as client', { client_id: '1' }, ''],
		['two addresses', {}, 'redirect_uri'],
		['two clients', {}, 'client_id'],
		['two states', {}, 'state'],
	];
	test.each(onPage)('on the page, without a redirection: %s', async (_, parameters, twice) => {
		const { browser } = await signedIn(page);
		const asked = asking(page, parameters);
		if (twice) asked.searchParams.append(twice, 'again');
		const response = await browser.send(asked);
		expect([response.status, response.headers.get('location')]).toEqual([400, null]);
		expect(await response.json()).toEqual({ kind: 'ERROR', notice: expect.any(String) });
		const sent = await browser.post('sign-in', asked, credentials);
		expect([sent.status, sent.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
	});

	const atProgram: [name: string, error: string, parameters: Form, twice: string][] = [
		['no challenge of PKCE', 'invalid_request', { code_challenge: undefined }, ''],
		['no method of PKCE', 'invalid_request', { code_challenge_method: undefined }, ''],
		['plain PKCE', 'invalid_request', { code_challenge_method: 'plain' }, ''],
		['a short challenge', 'invalid_request', { code_challenge: 'short' }, ''],
		['the implicit flow', 'unsupported_response_type', { response_type: 'id_token' }, ''],
		['the hybrid flow', 'unsupported_response_type', { response_type: 'code id_token' }, ''],
		['an answer in a form', 'invalid_request', { response_mode: 'form_post' }, ''],
		['no openid', 'invalid_scope', { scope: 'profile' }, ''],
		['a request object', 'request_not_supported', { request: 'e30.e30.' }, ''],
		['a request by address', 'request_uri_not_supported', { request_uri: 'https://evil.example/' }, ''],
		['a bad age', 'invalid_request', { max_age: '-1' }, ''],
		['a long nonce', 'invalid_request', { nonce: 'n'.repeat(501) }, ''],
		['none and login', 'invalid_request', { prompt: 'none login' }, ''],
		['two of a name, even an unknown one', 'invalid_request', { 'x"名': '1' }, 'x"名'],
	];
	test.each(atProgram)('at the program, signed in or not: %s', async (_, error, parameters, twice) => {
		const asked = asking(web, parameters);
		if (twice) asked.searchParams.append(twice, 'again');
		for (const browser of [new Browser(service), (await signedIn()).browser]) {
			const to = await browser.follow(asked);
			expect(to.href).toStartWith(redirectUri);
			const plain = expect.stringMatching(/^[ !#-[\]-~]+$/);
			expect(paramsOf(to)).toEqual({ error, error_description: plain, state: 'st', iss: issuer });
		}
	});

	test('and a request of somebody who is not signed in writes nothing', async () => {
		const changes = () => service.rows('select total_changes() as count');
		const before = changes();
		await new Browser(service).send(asking(web));
		await redeem(web, 'x', { client_secret: web.secret });
		expect(changes()).toEqual(before);
	});

	test('a form becomes an address, which then carries the cookie', async () => {
		const { browser } = await signedIn();
		const body = asking(web).searchParams;
		const sent = await browser.send(`${issuer}/openid/authorize`, { method: 'POST', body });
		expect([sent.status, sent.headers.get('location')]).toEqual([303, `authorize?${body}`]);
	});
});

describe('a code', () => {
	test('works once; a second use ends what came from it', async () => {
		const { code, tokens } = await signedIn();
		expect((await userinfo(tokens.access_token)).status).toBe(200);
		expect(await redeem(web, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
		expect((await userinfo(tokens.access_token)).status).toBe(401);
		expect((await refresh(web, tokens.refresh_token)).status).toBe(400);
	});

	const stolen: [name: string, changes: Form][] = [
		['without its verifier', { code_verifier: 'x'.repeat(43) }],
		['by another client', proof(page)],
		['with another address', { redirect_uri: 'https://evil.example/' }],
		['without its address', { redirect_uri: undefined }],
	];
	test.each(stolen)('that is used %s is worth nothing, also afterwards', async (_, changes) => {
		const { browser } = await signedIn();
		const code = await codeOf(browser);
		const refused = await redeem(web, code, changes);
		expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
		expect((await redeem(web, code)).status).toBe(400);
	});

	test('lives 60 seconds', async () => {
		const { browser } = await signedIn();
		const [first, second] = [await codeOf(browser), await codeOf(browser)];
		service.tick(59);
		expect((await redeem(web, first)).status).toBe(200);
		service.tick(1);
		expect((await redeem(web, second)).status).toBe(400);
	});

	test('that is over is deleted when the next one is made, as is every grant that is over', async () => {
		const { browser } = await signedIn(web, { scope: 'openid' });
		await codeOf(browser);
		service.tick(600);
		await codeOf(browser);
		expect(service.rows('select count(*) as total from openid_grants')).toEqual([{ total: 1 }]);
	});
});

describe('a program proves itself', () => {
	const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });
	const noProof = { client_id: undefined, client_secret: undefined };

	test('with its secret in the header or the form; without one, PKCE alone', async () => {
		const { browser } = await signedIn();
		const form = { grant_type: 'authorization_code', code: await codeOf(browser), code_verifier: verifier };
		const sent = await post('token', { ...form, redirect_uri: redirectUri }, basic(web.clientId, web.secret ?? ''));
		expect(sent.status).toBe(200);
		expect((await redeem(page, await codeOf(browser, page))).status).toBe(200);
	});

	const wrong: [name: string, changes: Form, headers: Record<string, string>][] = [
		['no secret', { client_secret: undefined }, {}],
		['a wrong secret', { client_secret: 'secret_x' }, {}],
		['no client', noProof, {}],
		['a secret of a public client', { ...proof(page), client_secret: 'secret_x' }, {}],
		['a wrong secret in the header', noProof, basic(web.clientId, 'x')],
		['a header that is none', noProof, { authorization: 'Basic !' }],
	];
	test.each(wrong)('and is refused with %s', async (_, changes, headers) => {
		const form = { grant_type: 'refresh_token', refresh_token: 'x', ...proof(web), ...changes };
		const answer = await post('token', form, headers);
		expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
		expect(answer.headers.get('www-authenticate')).toStartWith('Basic ');
		expect((await post('revoke', { ...proof(web), token: 'x', ...changes }, headers)).status).toBe(401);
	});

	test('and after 30 wrong secrets, its network has to wait', async () => {
		const guess = () => post('revoke', { ...proof(web), client_secret: 'secret_x', token: 'x' });
		for (let tried = 0; tried < 30; tried += 1) expect((await guess()).status).toBe(401);
		expect((await guess()).status).toBe(429);
	});

	test('and not in two ways, with parameters twice, or with another grant', async () => {
		const form = { grant_type: 'refresh_token', ...proof(web) };
		const twice = await post('token', form, basic(web.clientId, web.secret ?? ''));
		expect(twice.body.error).toBe('invalid_request');
		const body = new URLSearchParams({ grant_type: 'refresh_token', ...proof(page), client_secret: '' });
		body.append('client_id', page.clientId);
		const doubled = await through(service)(`${issuer}/openid/token`, { method: 'POST', body });
		expect(await doubled.json()).toMatchObject({ error: 'invalid_request' });
		const password = { grant_type: 'password', ...credentials, ...proof(web) };
		expect((await post('token', password)).body.error).toBe('unsupported_grant_type');
		expect((await post('token', proof(web))).body.error).toBe('invalid_request');
		// JSON counts as an empty form.
		expect((await post('token', {})).body.error_description).toStartWith('there is no client_id');
	});

	test('and of thousands of parameters, which a stranger can send, none is looked up among the others', async () => {
		const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [index.toString(36), '']));
		using lookUp = spyOn(URLSearchParams.prototype, 'getAll');
		expect((await post('token', many)).status).toBe(401);
		expect(lookUp).not.toHaveBeenCalled();
	});

	test('a new secret leaves the old one for an hour, or ends it at once', async () => {
		const renew = async (query = '') =>
			expectStatus(await service.asSuper('POST', `/api/programs/${web.id}/secret${query}`), 200).clientSecret as string;
		const isRight = async (secret: string | undefined) =>
			(await post('revoke', { client_id: web.clientId, client_secret: secret, token: 'x' })).status === 200;
		const second = await renew();
		expect([await isRight(web.secret), await isRight(second)]).toEqual([true, true]);
		service.tick(3600);
		expect([await isRight(web.secret), await isRight(second)]).toEqual([false, true]);
		const third = await renew('?at=once');
		expect([await isRight(second), await isRight(third)]).toEqual([false, true]);
	});
});

describe('a refresh token', () => {
	test('works once; of two at once one goes on, and then the family ends', async () => {
		const { tokens } = await signedIn();
		const both = await Promise.all([refresh(web, tokens.refresh_token), refresh(web, tokens.refresh_token)]);
		expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
		const newest = both.find(({ status }) => status === 200)?.body;
		expect((await refresh(web, newest?.refresh_token)).status).toBe(400);
		expect((await userinfo(newest?.access_token)).status).toBe(401);
	});

	test('of another client, or for another scope, is refused; the latter stays usable, with the same scope in any order', async () => {
		const first = (await signedIn()).tokens;
		expect((await refresh(page, first.refresh_token)).body.error).toBe('invalid_grant');
		expect((await refresh(web, first.refresh_token)).status).toBe(400);
		const second = (await signedIn(web, { scope: 'openid offline_access' })).tokens;
		for (const scope of [everything, 'openid', 'something'])
			expect((await refresh(web, second.refresh_token, { scope })).body.error).toBe('invalid_scope');
		const same = { scope: 'offline_access something openid' };
		expect((await refresh(web, second.refresh_token, same)).body.scope).toBe('openid offline_access');
	});

	test.each(['this version', 'an earlier version'])(
		'ends when its program signed nobody in for a moment, in %s',
		async (version) => {
			const { tokens } = await signedIn(page);
			const change = async (redirectUris: string[]) => {
				const body = { permissions: ['store:view'], endsOn: dayOf(service.time), redirectUris };
				expectStatus(await service.asSuper('PATCH', `/api/programs/${page.id}`, body), 200);
			};
			if (version === 'this version') await change([]);
			else service.db.$client.run("update programs set redirect_uris = '[]' where id = ?", [page.id]);
			await change([redirectUri]);
			expect((await userinfo(tokens.access_token)).status).toBe(401);
			expect((await refresh(page, tokens.refresh_token)).status).toBe(400);
		},
	);

	test('is revoked by its own client only', async () => {
		const { tokens } = await signedIn();
		expect((await post('revoke', { ...proof(page), token: tokens.refresh_token })).status).toBe(200);
		expect((await userinfo(tokens.access_token)).status).toBe(200);
		expect((await post('revoke', { ...proof(web), token: tokens.access_token })).status).toBe(200);
		expect((await userinfo(tokens.access_token)).status).toBe(401);
		expect((await refresh(web, tokens.refresh_token)).status).toBe(400);
	});
});

describe('everything ends at once', () => {
	const path = `/api/employees/${person.id}`;
	const disable = (path: string) => service.asSuper('PATCH', path, { status: 'INACTIVE' });
	const editProgram = async (body: object) =>
		expectStatus(await service.asSuper('PATCH', `/api/programs/${web.id}`, body), 200);
	const signsNobodyIn = { permissions: ['store:view'], endsOn: dayOf(service.time), redirectUris: [] };
	const ends: [name: string, end: () => Promise<unknown> | unknown][] = [
		['with a disabled account', () => disable(`${path}/status`)],
		['with a disabled store', () => disable(`/api/stores/${home.id}`)],
		['with a deleted account', () => service.asSuper('DELETE', path)],
		['with another password', () => service.asSuper('PATCH', `${path}/password/reset`)],
		['with a one-time password', () => service.giveOneTimePassword(person.id)],
		['with a sign-in that its owner ends', endNewestSignIn],
		['with a deleted program', () => service.asSuper('DELETE', `/api/programs/${web.id}`)],
		['with a program that signs nobody in', () => editProgram(signsNobodyIn)],
		[
			'with the permission that the program asks for',
			async () => {
				await editProgram({ signInPermission: 'store:view' });
				expectStatus(await service.asSuper('PATCH', path, { roleIds: [] }), 200);
			},
		],
	];
	test.each(ends)('%s', async (_, end) => {
		const { browser, tokens } = await signedIn();
		const code = await codeOf(browser);
		await end();
		expect((await userinfo(tokens.access_token)).status).toBe(401);
		expect((await service.as(tokens.access_token, 'GET', '/api/stores')).status).toBe(401);
		expect((await redeem(web, code)).status).toBeGreaterThanOrEqual(400);
		expect((await refresh(web, tokens.refresh_token)).status).toBeGreaterThanOrEqual(400);
		expect((await browser.send(asking(web, { prompt: 'none' }))).headers.get('location') ?? '').not.toContain('code=');
	});
});

test('no route reads more of a body than its limit, or fails at a broken one', async () => {
	for (const { method, path } of service.app.routes.filter((route) => route.method !== 'GET'))
		for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
			let pieces = 0;
			const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
				pieces += 1;
				if (pieces > 50) controller.close();
				else controller.enqueue(new Uint8Array(16_384).fill(0x7b));
			};
			const body = new ReadableStream({ pull }, { highWaterMark: 0 });
			const headers = { 'content-type': type, origin: new URL(issuer).origin };
			const { status } = await through(service)(issuer + path.replaceAll(/:\w+/g, '1'), { method, body, headers });
			expect([path, type, status < 500, pieces <= 2]).toEqual([path, type, true, true]);
		}
});

describe('the page', () => {
	const wrong = { username: '13900000000', password: 'wrong-password' };

	test('refuses other sites, other programs than browsers, and frames', async () => {
		const browser = new Browser(service);
		for (const origin of ['https://evil.example', 'null', 'https://till.example', '']) {
			const answer = await browser.post('sign-in', asking(web), credentials, { origin });
			expect([origin, answer.status, browser.cookie]).toEqual([origin, 403, undefined]);
		}
		const { headers } = await browser.send(asking(web));
		expect(headers.get('x-frame-options')).toBe('DENY');
		const form = await browser.send(`${issuer}/openid/sign-in${asking(web).search}`, {
			method: 'POST',
			headers: { origin: new URL(issuer).origin },
			body: new URLSearchParams(credentials),
		});
		expect(form.status).toBe(400);
	});

	test('has the messages and the limits of the other sign-ins', async () => {
		const browser = new Browser(service);
		const send = async () => {
			const { status, body } = await browser.post('sign-in', asking(web), wrong);
			return [status, body.error.message];
		};
		for (let tried = 0; tried < 30; tried += 1) expect(await send()).toEqual([401, '用户名或密码错误']);
		expect(await send()).toEqual([429, '尝试次数过多，请稍后再试']);
		expect(browser.cookie).toBeUndefined();
		expect(service.extended.at(-1)).toEqual({ path: '/openid/sign-in', seconds: 40 });
	});

	test('gives another cookie at each sign-in, which opens nothing else and which nobody can choose', async () => {
		const browser = new Browser(service);
		browser.cookie = '__Host-openid=chosen';
		await browser.signIn(asking(web), person.phone, initialPassword);
		const first = browser.cookie ?? '';
		expect(first).toMatch(/^__Host-openid=[\w-]{43}$/);
		const { headers } = await browser.post('sign-in', asking(web), credentials);
		expect(headers.get('device-token')).toBeString();
		expect(headers.get('set-cookie')).toEndWith('; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax');
		const stale = new Browser(service);
		stale.cookie = first;
		expect(paramsOf(await stale.follow(asking(web, { prompt: 'none' })))).toHaveProperty('error', 'login_required');
		const [, value = ''] = (browser.cookie ?? '').split('=');
		expect((await service.as(value, 'GET', '/api/auth/me')).status).toBe(401);
		expect((await browser.send(`${issuer}/api/auth/me`)).status).toBe(401);
	});

	const resetPassword = () => service.asSuper('PATCH', `/api/employees/${person.id}/password/reset`);
	test.each<[what: string, status: number, before: () => unknown, username?: string, password?: string]>([
		['keeps what the person has in this browser', 200, () => {}],
		['ends what another person had', 401, () => {}, adminUsername, adminPassword],
		['ends what the person had before a new password', 401, resetPassword],
		['brings nothing back that the person ended', 401, endNewestSignIn],
	])('%s', async (_, status, before, username = person.phone, password = initialPassword) => {
		const { browser, tokens } = await signedIn();
		await before();
		await browser.signIn(asking(web, { prompt: 'login' }), username, password);
		expect((await userinfo(tokens.access_token)).status).toBe(status);
		expect(service.rows('select count(*) as total from openid_grants')).toEqual([{ total: status === 200 ? 2 : 1 }]);
	});

	test('has a session for twelve hours, in which its owner can end it, and then none', async () => {
		await signedIn(web, { scope: 'openid' });
		service.tick(12 * 3600 - 1);
		expect(await liveSignIns()).toHaveLength(1);
		service.tick(1);
		await signedIn();
		expect(service.rows('select count(*) as total from openid_sessions')).toEqual([{ total: 1 }]);
	});

	test.each([
		['openid_sessions', 'cookie_hash'],
		['openid_grants', 'code_hash'],
	])('deletes some of the ended %s only, because others wait meanwhile', async (table, hash) => {
		await signedIn(web, { scope: 'openid' });
		const [row] = service.rows(`select * from ${table}`);
		service.insert(
			table,
			Array.from({ length: 150 }, (_, index) => ({ ...row, id: 1000 + index, [hash]: String(index) })),
		);
		service.tick(12 * 3600);
		await signedIn();
		expect(service.rows(`select count(*) as total from ${table}`)).toEqual([{ total: 52 }]);
	});

	test('signs in again as the same session: the newer sign-in replaces the one before', async () => {
		const { browser, tokens } = await signedIn();
		const [first] = await liveSignIns();
		service.tick(60);
		// A grant that ends before the other one.
		await codeOf(browser);
		await browser.signIn(asking(web, { prompt: 'login' }), person.phone, initialPassword);
		const live = await liveSignIns();
		expect([live.length, live[0].id > first.id]).toEqual([1, true]);
		service.tick(13 * 86_400);
		expect(await liveSignIns()).toMatchObject([{ id: live[0].id }]);
		const { body } = await refresh(web, tokens.refresh_token);
		await endNewestSignIn();
		expect((await refresh(web, body.refresh_token)).status).toBe(400);
	});

	test('keeps the newest thousand grants of a session, which move and end in one write', async () => {
		const { browser, tokens } = await signedIn();
		const { $client } = service.db;
		const columns = `program_id, session_id, account_type, account_id, token_version, sign_in_id, signed_in_at, scope,
			redirect_uri, challenge, is_redeemed, created_at, expires_at`;
		$client.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1500)
			insert into openid_grants (code_hash, ${columns}) select n, ${columns} from openid_grants, numbers`);
		expect((await userinfo(tokens.access_token)).status).toBe(200);
		expect((await redeem(web, await codeOf(browser))).status).toBe(200);
		const grants = () => $client.query('select count(*) as total from openid_grants').get();
		expect(grants()).toEqual({ total: 1000 });
		expect((await userinfo(tokens.access_token)).status).toBe(401);
		let writes = 0;
		const stopListening = afterEachTransaction(service.db, () => {
			writes += 1;
		});
		await browser.signIn(asking(web, { prompt: 'login' }), person.phone, initialPassword);
		expect((await browser.post('sign-out', new URL(`${issuer}/openid/end-session`), {})).status).toBe(200);
		stopListening();
		expect([writes < 20, grants()]).toEqual([true, { total: 0 }]);
	});

	test('asks for a code, and for a password of one’s own, before going on', async () => {
		const { secret } = await service.turnOnSecondFactor(service.tokenOf(person.id));
		service.tick(30);
		const password = await service.giveOneTimePassword(person.id);
		const browser = new Browser(service);
		const send = async (what: string, body: object) => (await browser.post(what, asking(web), body)).body;
		const given = { ...credentials, password };
		expect((await send('sign-in', given)).error.details).toMatchObject([{ path: 'body.code' }]);
		expect(browser.cookie).toBeUndefined();
		const asked = await send('sign-in', { ...given, code: totp(secret, service.time) });
		expect(asked.error.details).toMatchObject([{ path: 'account.password' }]);
		expect(paramsOf(await browser.follow(asking(web, { prompt: 'none' })))).toHaveProperty('error', 'login_required');
		const change = { oldPassword: password, newPassword: 'a-password-of-their-own' };
		const { data } = await send('password', change);
		expect((await redeem(web, new URL(data.location).searchParams.get('code') ?? '')).status).toBe(200);
		expect((await new Browser(service).post('password', asking(web), change)).status).toBe(401);
	});

	test('sends on only people with the permission that the program requires', async () => {
		const cashier = await service.addEmployee(home.id);
		expectStatus(await service.asSuper('PATCH', `/api/programs/${web.id}`, { signInPermission: 'store:view' }), 200);
		const browser = new Browser(service);
		const theirs = { username: cashier.phone, password: initialPassword };
		const { status, body } = await browser.post('sign-in', asking(web), theirs);
		expect([status, body.error.message]).toEqual([403, expect.stringMatching(/^该账号不能登录“收银/)]);
		expect(await shownAt(browser, asking(web))).toMatchObject({ kind: 'SIGN_IN', notice: expect.any(String) });
		expect(paramsOf(await browser.follow(asking(web, { prompt: 'none' })))).toHaveProperty('error', 'access_denied');
		expect(paramsOf(await browser.follow(asking(page, { prompt: 'none' })))).toHaveProperty('code');
	});
});

describe('signing out', () => {
	const leaving = (parameters: Record<string, string>) => {
		const url = new URL(`${issuer}/openid/end-session`);
		for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
		return url;
	};

	test('with an ID token, also an expired one, ends the session and what came from it', async () => {
		const { browser, tokens } = await signedIn();
		service.tick(3600);
		const { body: renewed } = await refresh(web, tokens.refresh_token);
		const url = leaving({ id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOutUri });
		expect(String(await browser.follow(url))).toBe(signedOutUri);
		expect((await userinfo(renewed.access_token)).status).toBe(401);
		expect((await refresh(web, renewed.refresh_token)).status).toBe(400);
	});

	test('without one it asks first; another site cannot answer', async () => {
		const { browser, tokens } = await signedIn();
		const url = leaving({ client_id: web.clientId, post_logout_redirect_uri: signedOutUri, state: 's' });
		expect(await (await browser.send(url)).json()).toEqual({ kind: 'SIGN_OUT' });
		expect((await browser.post('sign-out', url, {}, { origin: 'https://evil.example' })).status).toBe(403);
		expect((await userinfo(tokens.access_token)).status).toBe(200);
		const { body } = await browser.post('sign-out', url, {});
		expect(body.data).toEqual({ location: `${signedOutUri}?state=s` });
		expect([(await userinfo(tokens.access_token)).status, browser.cookie]).toEqual([401, undefined]);
		browser.cookie = '__Host-openid=over';
		await browser.post('sign-out', url, {});
		expect(browser.cookie).toBeUndefined();
	});

	test('with the ID token of another session it asks, too', async () => {
		const [mine, theirs] = [await signedIn(), await signedIn()];
		const response = await mine.browser.send(leaving({ id_token_hint: theirs.tokens.id_token }));
		expect(await response.json()).toEqual({ kind: 'SIGN_OUT' });
		expect((await userinfo(theirs.tokens.access_token)).status).toBe(200);
	});

	test('with an ID token alone, in another browser or after the session, ends the sign-in, with a record', async () => {
		const { tokens } = await signedIn();
		service.tick(13 * 3600);
		const { body: renewed } = await refresh(web, tokens.refresh_token);
		expect((await liveSignIns()).length).toBe(1);
		const url = leaving({ id_token_hint: renewed.id_token, post_logout_redirect_uri: signedOutUri });
		expect(String(await new Browser(service).follow(url))).toBe(signedOutUri);
		expect(await liveSignIns()).toEqual([]);
		const { items } = await service.read('/api/history?action=SIGN_OUT');
		expect(items).toMatchObject([{ actorType: 'EMPLOYEE', actorId: person.id, action: 'SIGN_OUT' }]);
		expect((await refresh(web, renewed.refresh_token)).status).toBe(400);
		expect(String(await new Browser(service).follow(url))).toBe(signedOutUri);
		const after = await service.read('/api/history?action=SIGN_OUT');
		expect(after.items.length).toBe(1);
	});

	test('the session of an ID token is that of its subject only', async () => {
		const { browser, tokens } = await signedIn();
		const { sid, aud } = JSON.parse(atob(tokens.id_token.split('.')[1])) as Body;
		const url = leaving({ id_token_hint: await signIdToken({ sid, aud, sub: 'employee:999' }) });
		expect(await (await browser.send(url)).json()).toEqual({ kind: 'SIGN_OUT' });
		await new Browser(service).send(url);
		expect((await userinfo(tokens.access_token)).status).toBe(200);
		expect((await liveSignIns()).length).toBe(1);
	});

	test('leads to a loopback address with any port', async () => {
		const local = await register(service, { isPublic: true, signOutUris: ['http://127.0.0.1/out'] });
		const { browser, tokens } = await signedIn(local);
		const uri = 'http://127.0.0.1:5173/out';
		const url = leaving({ id_token_hint: tokens.id_token, post_logout_redirect_uri: uri });
		expect((await browser.follow(url)).href).toBe(uri);
	});

	test('never leads to an address that is not registered', async () => {
		const { browser, tokens } = await signedIn();
		const { id_token: hint } = tokens;
		for (const parameters of [
			{ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' },
			{ post_logout_redirect_uri: signedOutUri },
			{ client_id: page.clientId, post_logout_redirect_uri: signedOutUri },
			{ id_token_hint: hint, client_id: page.clientId },
		]) {
			const response = await browser.send(leaving(parameters));
			expect([response.status, response.headers.get('location')]).toEqual([400, null]);
			expect((await browser.post('sign-out', leaving(parameters), {})).status).toBe(400);
		}
		expect((await userinfo(tokens.access_token)).status).toBe(200);
	});
});

describe('an access token at /api', () => {
	test('does what the person may, but never changes their account, a password, programs, roles or permissions', async () => {
		const { access_token: token } = (await signedIn()).tokens;
		for (const path of ['/api/auth/me', '/api/permissions/me'])
			for (const method of ['GET', 'HEAD']) expect((await service.as(token, method, path)).status).toBe(200);
		const { id } = await service.addEmployee(home.id);
		expectStatus(await service.as(token, 'PATCH', `/api/employees/${id}`, { remark: '改' }), 200);
		// The history does not name the program. The log does, under the request of the record.
		const line = service.logged.find((each) => each.includes(`"id":"${service.records().at(-1)?.requestId}"`));
		expect(JSON.parse(line ?? '{}')).toMatchObject({ account: `EMPLOYEE:${person.id}`, program: `program:${web.id}` });
		const passwords = { oldPassword: initialPassword, newPassword: 'another-password' };
		for (const [method, path, body] of [
			['PATCH', `/api/employees/${person.id}`, { remark: '改' }],
			['PATCH', `/api/employees/${person.id}/password`, passwords],
			['PATCH', `/api/employees/${person.id}/password/reset`],
			['POST', '/api/employees/changes', { ids: [person.id], change: { status: 'INACTIVE' } }],
		] as const) {
			const answer = await service.as(token, method, path, body);
			expect([method, path, answer.status]).toEqual([method, path, 403]);
		}
		service.tick(600);
		expect((await service.as(token, 'GET', '/api/auth/me')).status).toBe(401);
	});

	test('a route that changes something is for people only unless it is listed, a route that reads if it is', async () => {
		const { access_token: token } = (await signedIn(web, {}, adminUsername, adminPassword)).tokens;
		const found: string[] = [];
		for (const endpoint of protectedEndpoints) {
			const { body } = await service.as(token, endpoint.method, fill(endpoint.path, missing));
			const isForPeople = body?.error?.details[0]?.reason === 'not_for_programs';
			if (isForPeople === (endpoint.method === 'GET')) found.push(nameOf(endpoint));
		}
		const listed = namesOf({
			GET: `
				/api/administrators /api/auth/me/approval-code /api/auth/me/approvals /api/auth/me/password
				/api/auth/me/second-factor /api/auth/me/sign-ins /api/employees/import/template /api/programs /api/programs/:id
			`,
			DELETE: '/api/areas/:id /api/employees/:id /api/stores/:id /api/stores/:storeId/employees/:employeeId',
			PATCH: '/api/areas/:id /api/employees/:id /api/employees/:id/status /api/stores/:id',
			POST: `
				/api/approvals /api/areas /api/employees /api/employees/:id/restore /api/employees/:id/roles
				/api/employees/changes /api/employees/changes/:groupId/undo /api/stores /api/stores/:id/close
				/api/stores/changes /api/stores/import /api/stores/import/problems
			`,
			PUT: '/api/chain /api/employees/:id/reach',
		});
		expect(found.toSorted()).toEqual(listed.toSorted());
	});

	test('closes a store of others, but never moves the person by closing their own store', async () => {
		const roleIds = [role.id, (await service.addRole('store:manage')).id];
		expectStatus(await service.asSuper('PATCH', `/api/employees/${person.id}`, { roleIds }), 200);
		const [other, target] = [await service.addStore(), await service.addStore()];
		await service.addEmployee(other.id);
		const { access_token: token } = (await signedIn()).tokens;
		const close = (id: number) => service.closeStore(id, target.id, 'DISABLE', token);
		expectStatus(await close(other.id), 200);
		const refused = await close(home.id);
		expectRefusal(refused, 403, '没有权限执行此操作');
		expect(detailsOf(refused)).toEqual([{ path: 'account.permissions', message: '接入程序不能执行此操作' }]);
		expect(await service.read(`/api/employees/${person.id}`)).toMatchObject({ storeId: home.id });
		const { manage } = await service.read(`/api/employees/${person.id}/access`, token);
		expect(manage).toEqual({ allowed: false, message: '接入程序不能执行此操作', roles: [], people: [] });
	});

	test('without the scope is refused, as an ID token and a refresh token are', async () => {
		const { tokens } = await signedIn(web, { scope: 'openid profile offline_access' });
		expect((await service.as(tokens.access_token, 'GET', '/api/stores')).status).toBe(403);
		const { access_token: access, id_token, refresh_token } = tokens;
		for (const token of [id_token, refresh_token, `${access}x`, access.slice(7)])
			expect((await service.as(token, 'GET', '/api/stores')).status).toBe(401);
		expect((await userinfo(service.tokenOf(person.id))).status).toBe(401);
	});
});

describe('pages of other origins', () => {
	const origin = new URL(redirectUri).origin;

	test.each([[[]], [['https://shop.example']]])(
		'call the provider if a program registered them, but never sign in, with CORS_ORIGINS=%p',
		async (corsOrigins) => {
			const provider = await startWithOpenid({ corsOrigins });
			await register(provider, { redirectUris: [redirectUri, 'http://127.0.0.1/'] });
			const ask = async (path: string, method: string, from: string) => {
				const { status, headers } = await through(provider)(issuer + path, { method, headers: { origin: from } });
				return { path, status, ...headers.toJSON() };
			};
			const called = '/.well-known/openid-configuration /openid/jwks /openid/token /openid/userinfo /openid/revoke';
			for (const path of called.split(' ')) {
				expect(await ask(path, 'OPTIONS', origin)).toMatchObject({
					path,
					status: 204,
					'access-control-allow-origin': origin,
					'access-control-allow-methods': expect.stringContaining('GET, POST'),
					'access-control-allow-headers': expect.stringContaining('authorization, content-type'),
				});
				expect(await ask(path, 'GET', 'http://127.0.0.1:8080')).toMatchObject({
					path,
					vary: expect.stringMatching(/^accept-encoding, origin(, accept-language)?$/),
					'access-control-allow-origin': 'http://127.0.0.1:8080',
					'access-control-expose-headers': expect.stringMatching(/WWW-Authenticate.*Retry-After/),
				});
				for (const from of ['https://evil.example', 'null', 'http://localhost:1', `${origin}.evil.example`])
					expect(await ask(path, 'GET', from)).not.toHaveProperty('access-control-allow-origin');
			}
			for (const path of ['/openid/authorize', '/openid/sign-in', '/openid/end-session', '/api/auth/login'])
				expect(await ask(path, 'OPTIONS', origin)).not.toHaveProperty('access-control-allow-origin');
		},
	);
});

describe('the keys of an installation', () => {
	const access = (folder: string, command: string[]) => runHere(command, { DATA_DIR: folder });

	test('are made on the first start with a provider; another one leaves the one before for a day', async () => {
		const folder = newFolder();
		const at = 'http://127.0.0.1';
		const program = await serveHere({ DATA_DIR: folder, ...given, PUBLIC_URL: `${at}/` });
		const { keys: before } = (await program.send('GET', '/openid/jwks')).body as Body;
		expect(before).toHaveLength(1);
		expect(await access(folder, ['openid', 'rotate-key'])).toMatchObject({ code: 0, stderr: '' });
		const { keys } = (await program.send('GET', '/openid/jwks')).body as Body;
		expect([keys.length, keys[1]]).toEqual([2, before[0]]);
		await program.end();

		const [newest, older] = readSecrets(join(folder, 'secrets.json')).OPENID_KEYS ?? [];
		if (!newest || !older) throw new Error('two keys are kept');
		let now = new Date(Date.parse(newest.madeAt) + 86_399_999);
		const clock = () => now;
		const signedBefore = await createSigningKeys(() => [older], clock).sign({ iss: at, sub: 'admin:1' });
		const present = createSigningKeys(() => [newest, older], clock);
		expect(await present.verify(signedBefore, at)).toMatchObject({ sub: 'admin:1' });
		expect(await present.verify(signedBefore, 'https://other.example')).toBeUndefined();
		now = new Date(now.getTime() + 1);
		expect([await present.verify(signedBefore, at), (await present.jwks()).keys.length]).toEqual([undefined, 1]);
	});

	test.each([
		[undefined, /is not set/],
		['http://shop.example/', /begins with http:/],
		['http://127.shop.example/', /begins with http:/],
		['https://shop.example/', undefined],
		['http://127.0.0.1:3000/', undefined],
		['http://[::1]/', undefined],
		['http://localhost/', undefined],
	])('with PUBLIC_URL %p the provider is off because %p', (url, why) => {
		const problem = openidProblem({ PUBLIC_URL: url });
		if (why) expect(problem).toMatch(why);
		else expect(problem).toBeUndefined();
	});

	test('are not served where the provider is off', async () => {
		const off = await Service.start();
		expect((await off.app.handle(new Request('http://localhost/openid/jwks'))).status).toBe(404);
	});
});
