import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';

/** Lets the pages of the listed origins call the service, none by default. Tokens travel in a header, so no credentials are ever allowed. */
export function crossOrigin(origins: readonly string[]) {
	if (origins.length === 0) return new Elysia();
	return cors({
		origin: [...origins],
		methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
		allowedHeaders: ['authorization', 'content-type'],
		exposeHeaders: ['x-request-id', 'retry-after'],
		credentials: false,
		maxAge: 600,
	});
}
