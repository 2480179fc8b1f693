/** The edge of the service: the `Host`, other origins, security headers, and compression. */
import { Elysia } from 'elysia';
import type { Log } from '../machine/log.ts';
import { answerHeaders, httpMessages, invalidRequest, varyBy } from './reply.ts';

/** Headers of every answer: a browser must not cache it, frame it or guess its type. */
export const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	vary: 'accept-encoding',
} as const;

/**
 * The policy of a page with scripts: those of the program itself only, nothing of another host, and no frame around it.
 * Ant Design and Swagger UI write styles at run time. @param base whether the page names its own base
 */
export const pagePolicy = (base: 'self' | 'none') =>
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	`base-uri '${base}'; form-action 'none'; frame-ancestors 'none'`;

/** A further header when the program itself speaks TLS: browsers must use TLS from then on. */
export const transportSecurityHeader = { 'strict-transport-security': 'max-age=31536000' } as const;

const wellFormed = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{0,5})?$/i;

/** Refuses a request whose `Host` is missing or malformed. @throws AppError VALIDATION_ERROR */
export function requireHost({ url, headers }: Request): void {
	const host = headers.get('host');
	// Without a usable Host, Bun leaves the path alone. Other code relies on a URL, which takes no port 99999, for example.
	if (!URL.canParse(url) || (host !== null && !wellFormed.test(host))) {
		throw invalidRequest([{ path: 'headers.host', ...httpMessages.badHost }]);
	}
}

/** Elysia looks for the path from this character of the URL on. */
const searchedFrom = 11;

/**
 * Elysia would take a part of the path, or of the query, for the route when the host is short (`http://x/q?u=/health`
 * for `/health`). So the URL of such a request gets a host that is long enough.
 */
export function widenShortHost(request: Request): void {
	const { url } = request;
	const authority = url.indexOf('//') + 2;
	const path = url.indexOf('/', authority);
	if (path >= searchedFrom) return;
	// Not a new request, because the server knows the connection by this object.
	Object.defineProperty(request, 'url', { value: `${url.slice(0, authority)}short-host${url.slice(path)}` });
}

/** The entry of `CORS_ORIGINS` for every page on localhost. */
const anyLocalOrigin = 'dev';

const localOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/** Headers of an answer to a page of another origin that may call. */
const sharedHeaders = {
	'access-control-allow-headers': 'authorization, content-type, if-match, device-token',
	'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
	'access-control-expose-headers': `${Object.keys(answerHeaders).join(', ')}, Allow, Deprecation, Sunset`,
};

/** Paths that the pages of further origins may call. */
interface OpenPaths {
	paths: ReadonlySet<string>;
	isAllowed(origin: string): boolean;
}

/** Lets pages of these origins call the service. Tokens travel in a header, so credentials are never allowed. */
export function crossOrigin(origins: readonly string[], log: Pick<Log, 'info'>, open?: OpenPaths) {
	const allowed = new Set(origins.filter((each) => each !== anyLocalOrigin));
	const isAllowed = (origin: string) =>
		allowed.has(origin) || (origins.includes(anyLocalOrigin) && localOrigin.test(origin));
	return new Elysia().onRequest(({ request: { method, headers, url }, set }) => {
		const origin = headers.get('origin') ?? '';
		const isPreflight = method === 'OPTIONS' && headers.has('access-control-request-method');
		const isOpen = origin !== '' && open?.paths.has(new URL(url).pathname);
		if (isAllowed(origin) || (isOpen && open?.isAllowed(origin)))
			Object.assign(set.headers, sharedHeaders, { 'access-control-allow-origin': origin });
		// Anything else is not a page, and may be a secret in the wrong place.
		else if (isPreflight && URL.parse(origin)?.origin === origin)
			log.info('a page of another origin is refused: add its origin to CORS_ORIGINS if it may call', { origin });
		if (origins.length === 0 && !isOpen) return undefined;
		varyBy(set, 'origin');
		if (method !== 'OPTIONS') return undefined;
		return new Response(null, { status: 204, headers: { 'access-control-max-age': '600' } });
	});
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Below this size, the headers of compression cost more than it saves. */
const minBytes = 2048;

/**
 * Answers in JSON above 2 kB are compressed. An answer with an `ETag` is left as it is, because its tag names these bytes, and a
 * file is streamed. The size reveals no secret to another page, because no browser sends the token for it. The lowest
 * level takes 0.4 ms for 2,000 stores and saves nine tenths of them.
 */
export function compressing(fetch: Fetch): Fetch {
	return (request) => {
		const answer = fetch(request);
		return takesGzip(request.headers.get('accept-encoding') ?? '') ? compressed(answer) : answer;
	};
}

async function compressed(answer: Response | Promise<Response>): Promise<Response> {
	const response = await answer;
	const { headers } = response;
	const isJson = headers.get('content-type')?.startsWith('application/json');
	if (!isJson || headers.has('etag') || headers.has('content-encoding')) return response;
	const bytes = new Uint8Array(await response.arrayBuffer());
	if (bytes.length < minBytes) return new Response(bytes, response);
	headers.set('content-encoding', 'gzip');
	return new Response(Bun.gzipSync(bytes, { level: 1 }), response);
}

/** Whether a client accepts gzip. */
export function takesGzip(accepted: string): boolean {
	return accepted.split(',').some((each) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(each));
}
