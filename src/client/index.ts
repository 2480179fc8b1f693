/** The typed client of the service. `bun run generate` writes its types, from the document of a running service, and `index.js`. */
import createClient, { type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

export type { components, paths };

/** An error answer. */
export type Failure = components['schemas']['Failure'];

/** The reasons of refusals, each a word. */
export type Reason = components['schemas']['Reason'];

/** A client of the service at an address, such as `https://access.example.com`. */
export function createAccess(baseUrl: string, options: ClientOptions = {}) {
	// A text or a blob is a file to import.
	const isFile = (body: unknown) => typeof body === 'string' || body instanceof Blob;
	const bodySerializer = (body: unknown) => (isFile(body) ? body : JSON.stringify(body));
	return createClient<paths>({ baseUrl, bodySerializer, ...options });
}

/** The reasons of an error answer; none in that of a proxy before the service. */
export function reasonsOf({ error }: Partial<Failure>): Reason[] {
	return error?.details.map(({ reason }) => reason) ?? [];
}
