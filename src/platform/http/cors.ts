import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';

/** Lets pages of the given origins call the service; none by default. Tokens travel in a header, so credentials are never allowed. */
export function crossOrigin(origins: readonly string[]) {
	if (origins.length === 0) return new Elysia();
	// A function, because the plugin looks up a list of names in an object: it would allow the origin `constructor`.
	const allowed: ReadonlySet<string | null> = new Set(origins);
	const plugin = cors({
		origin: ({ headers }) => allowed.has(headers.get('origin')),
		methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
		allowedHeaders: ['authorization', 'content-type', 'if-match', 'device-token'],
		exposeHeaders: ['x-request-id', 'retry-after', 'etag', 'device-token', 'deprecation', 'sunset'],
		credentials: false,
		maxAge: 600,
	});
	// Its OPTIONS routes are no part of the API, so the document must not have them.
	return new Elysia({ detail: { hide: true } }).use(plugin);
}
