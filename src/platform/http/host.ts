import { httpMessages, invalidRequest } from './reply.ts';

const wellFormed = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{0,5})?$/i;

/** Refuses a request whose `Host` is missing or malformed. @throws AppError VALIDATION_ERROR */
export function requireHost({ url, headers }: Request): void {
	const host = headers.get('host');
	// Bun cannot make a whole URL without a usable Host, and leaves the path.
	if (url.startsWith('/') || (host !== null && !wellFormed.test(host))) {
		throw invalidRequest([{ path: 'headers.host', message: httpMessages.badHost }]);
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
	if (url.startsWith('/') || path >= searchedFrom) return;
	// Not a new request, because the server knows the connection by this object.
	Object.defineProperty(request, 'url', { value: `${url.slice(0, authority)}short-host${url.slice(path)}` });
}
