/** OpenID Connect over HTTP. Answers to programs have the forms of its standards, so they are no part of the document. */
import { Elysia } from 'elysia';
import { maxPasswordSeconds } from '../../identity/guard/hashing.ts';
import type { RouteDependencies } from '../../identity/session/session.ts';
import { maxPasswordBody, publicFormBody, publicJsonBody } from '../../platform/http/body.ts';
import { success } from '../../platform/http/reply.ts';
import { requestFacts } from '../../platform/http/request-log.ts';
import { ChangePassword, Credentials } from '../auth/model.ts';
import { requestOrigin } from '../auth/routes.ts';
import { isOriginOfClient } from './clients.ts';
import { metadataOf, OAuthError, openidMessages, PageError, paths } from './model.ts';
import {
	authorize,
	type Entered,
	endSessionFor,
	type OpenidDependencies,
	redirect,
	type Sender,
	setPasswordFromPage,
	signInFromPage,
	signOutFromPage,
} from './page.ts';
import { exchange, revoke, type TokenDependencies, userinfo } from './token.ts';

type Dependencies = TokenDependencies & Pick<RouteDependencies, 'extendTimeout'>;

/** The paths that pages of programs call from a browser. Nobody signs in there. */
const callable: ReadonlySet<string> = new Set([paths.discovery, paths.jwks, paths.token, paths.userinfo, paths.revoke]);

/** Lets the pages of registered programs call. It comes before the plugin for `CORS_ORIGINS`, which would refuse. */
export function openidOrigins({ db, now }: Pick<OpenidDependencies, 'db' | 'now'>) {
	return new Elysia({ name: 'openid-origins' }).onRequest(({ request, set }) => {
		const origin = request.headers.get('origin');
		if (origin === null || !callable.has(new URL(request.url).pathname)) return undefined;
		set.headers.vary = 'origin';
		if (!isOriginOfClient(db, origin, now())) return undefined;
		set.headers['access-control-allow-origin'] = origin;
		if (request.method !== 'OPTIONS') return undefined;
		set.headers['access-control-allow-methods'] = 'GET, POST';
		set.headers['access-control-allow-headers'] = 'authorization, content-type';
		set.headers['access-control-max-age'] = '600';
		set.status = 204;
		return '';
	});
}

/** The routes of the provider. Bodies are parameters in a form, except those of the page. */
export function openidRoutes(dependencies: Dependencies) {
	const { openid, extendTimeout } = dependencies;
	const { issuer, keys } = openid;
	const form = publicFormBody(maxPasswordBody);

	return new Elysia({ name: 'openid', detail: { hide: true } })
		.use(requestFacts)
		.get(paths.discovery, () => Response.json(metadataOf(issuer)))
		.get(paths.jwks, async () => Response.json(await keys.jwks()))
		.get(paths.authorize, (context) => onPage(dependencies, () => authorize(dependencies, senderOf(context))))
		.post(paths.authorize, ({ body }) => redirect(`authorize?${body}`), form)
		.get(paths.endSession, (context) => onPage(dependencies, () => endSessionFor(dependencies, senderOf(context))))
		.post(paths.endSession, ({ body }) => redirect(`end-session?${body}`), form)
		.post(
			paths.token,
			({ body, ...context }) => toProgram(() => exchange(dependencies, { ...senderOf(context), sent: body })),
			form,
		)
		.post(
			paths.revoke,
			({ body, ...context }) => toProgram(() => revoke(dependencies, { ...senderOf(context), sent: body })),
			form,
		)
		.get(paths.userinfo, ({ request }) => toProgram(() => userinfo(dependencies, request.headers)))
		.post(paths.userinfo, ({ request }) => toProgram(() => userinfo(dependencies, request.headers)))
		.post(
			'/openid/sign-in',
			async ({ body, ...context }) => {
				const { request, set } = context;
				extendTimeout(request, maxPasswordSeconds);
				const sender = senderOf(context);
				return entered(set, await signInFromPage(dependencies, sender, body, originOf(context), saving(set)));
			},
			publicJsonBody(Credentials, maxPasswordBody),
		)
		.post(
			'/openid/password',
			async ({ body, ...context }) => {
				const { request, set } = context;
				extendTimeout(request, maxPasswordSeconds);
				const sender = senderOf(context);
				return entered(set, await setPasswordFromPage(dependencies, sender, body, originOf(context), saving(set)));
			},
			publicJsonBody(ChangePassword, maxPasswordBody),
		)
		.post('/openid/sign-out', async (context) =>
			success(await signOutFromPage(dependencies, senderOf(context), saving(context.set))),
		);
}

interface RequestContext {
	request: Request;
	address: string;
	requestId: string;
}

function senderOf({ request, address, requestId }: RequestContext): Sender {
	return { headers: request.headers, sent: new URL(request.url).searchParams, address, requestId };
}

const originOf = ({ request, address, requestId }: RequestContext) => ({
	address,
	requestId,
	...requestOrigin(request),
});

type Set = { headers: Record<string, string | number> };

const saving = (set: Set) => (header: string) => {
	set.headers['set-cookie'] = header;
};

function entered(set: Set, { location, deviceToken }: Entered) {
	if (deviceToken) set.headers['device-token'] = deviceToken;
	return success({ location });
}

/** Answers a program in JSON, also with a refusal. */
async function toProgram(work: () => Promise<object>): Promise<Response> {
	try {
		return Response.json(await work());
	} catch (error) {
		if (error instanceof OAuthError) return error.response;
		throw error;
	}
}

/** Shows what went wrong to the person in front of the browser. */
async function onPage({ openid }: Dependencies, work: () => Promise<Response>): Promise<Response> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof PageError) && !(error instanceof OAuthError)) throw error;
		const notice = error instanceof PageError ? error.message : openidMessages.badRequest.message;
		return openid.page({ kind: 'ERROR', notice }, 400);
	}
}
