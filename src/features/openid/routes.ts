/** OpenID Connect over HTTP. Answers to programs have the forms of its standards, so they are not part of the document. */
import { Elysia } from 'elysia';
import { maxPasswordSeconds } from '../../identity/guard/hashing.ts';
import { forbidden } from '../../identity/session/refusals.ts';
import type { RouteDependencies } from '../../identity/session/session.ts';
import { maxPasswordBody, publicFormBody, publicJsonBody } from '../../platform/http/body.ts';
import { success } from '../../platform/http/reply.ts';
import { requestFacts } from '../../platform/http/request-log.ts';
import { AppError, statusOf } from '../../platform/vocabulary/errors.ts';
import { ChangePassword, Credentials } from '../auth/model.ts';
import { type RequestContext, requestOrigin } from '../auth/routes.ts';
import { isOriginOfClient } from './clients.ts';
import { metadataOf, OAuthError, openidMessages, paths } from './model.ts';
import {
	authorize,
	type OpenidDependencies,
	type OpenidRequest,
	type Provider,
	setPasswordFromPage,
	signInFromPage,
} from './page.ts';
import { endSessionFor, signOutFromPage } from './sign-out.ts';
import { exchange, revoke, userinfo } from './token.ts';

/** The paths that pages of registered programs call from a browser. Nobody signs in there. */
export function programPages({ db, now }: Pick<OpenidDependencies, 'db' | 'now'>) {
	return {
		paths: new Set<string>([paths.discovery, paths.jwks, paths.token, paths.userinfo, paths.revoke]),
		isAllowed: (origin: string) => isOriginOfClient(db, origin, now()),
	};
}

/** Without it, Elysia reads a body of any length for a handler that takes the whole context. */
const withoutBody = { parse: 'none' } as const;

/** The routes of the provider. Bodies are parameters in a form, except those of the page. */
export function openidRoutes(dependencies: OpenidDependencies & Pick<RouteDependencies, 'extendTimeout'>) {
	const { openid, extendTimeout } = dependencies;
	const { issuer, keys } = openid;
	const form = publicFormBody(maxPasswordBody);
	/** Answers the page, which waits for the check of a password. @throws AppError FORBIDDEN for another site. */
	const toPage = async (context: RequestContext, work: (request: OpenidRequest) => Promise<object>) => {
		extendTimeout(context.request, maxPasswordSeconds);
		const origin = context.request.headers.get('origin');
		if (origin !== new URL(issuer).origin) throw forbidden(openidMessages.otherSite);
		return success(await work(requestOf(context)));
	};

	return new Elysia({ name: 'openid', detail: { hide: true } })
		.use(requestFacts)
		.get(paths.discovery, () => Response.json(metadataOf(issuer)))
		.get(paths.jwks, async () => Response.json(await keys.jwks()))
		.get(paths.authorize, (context) => toPerson(openid, () => authorize(dependencies, requestOf(context))))
		.post(paths.authorize, ({ body }) => Response.redirect(`authorize?${body}`, 303), form)
		.get(paths.endSession, (context) => toPerson(openid, () => endSessionFor(dependencies, requestOf(context))))
		.post(paths.endSession, ({ body }) => Response.redirect(`end-session?${body}`, 303), form)
		.post(paths.token, (context) => toProgram(exchange(dependencies, requestOf(context, context.body))), form)
		.post(paths.revoke, (context) => toProgram(revoke(dependencies, requestOf(context, context.body))), form)
		.get(paths.userinfo, (context) => toProgram(userinfo(dependencies, requestOf(context))))
		.post(paths.userinfo, (context) => toProgram(userinfo(dependencies, requestOf(context))), withoutBody)
		.post(
			'/openid/sign-in',
			({ body, ...context }) => toPage(context, (request) => signInFromPage(dependencies, request, body)),
			publicJsonBody(Credentials, maxPasswordBody),
		)
		.post(
			'/openid/password',
			({ body, ...context }) => toPage(context, (request) => setPasswordFromPage(dependencies, request, body)),
			publicJsonBody(ChangePassword, maxPasswordBody),
		)
		.post(
			'/openid/sign-out',
			(context) => toPage(context, (request) => signOutFromPage(dependencies, request)),
			withoutBody,
		);
}

function requestOf({ request, address, requestId, set }: RequestContext, form?: URLSearchParams): OpenidRequest {
	const { headers, url } = request;
	const sent = form ?? new URL(url).searchParams;
	return { headers, sent, address, requestId, responseHeaders: set.headers, ...requestOrigin(request) };
}

/** Answers a program in JSON, also with a refusal. */
async function toProgram(work: Promise<object>): Promise<Response> {
	try {
		return Response.json(await work);
	} catch (error) {
		if (error instanceof OAuthError) return error.response;
		throw error;
	}
}

/** Shows the error to the person at the browser. */
async function toPerson({ page }: Provider, work: () => Promise<Response>): Promise<Response> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		return page({ kind: 'ERROR', notice: error.message }, statusOf[error.code]);
	}
}
