/** The client of the service. Paths, bodies and answers have the server's own types. */
import { treaty } from '@elysiajs/eden/treaty2';
import type { App } from '../../app.ts';
import { serviceUrl } from './base.ts';
import { reportAnswer } from './connection.ts';
import { refusalFrom } from './refusal.ts';
import { currentToken, endSession } from './session.ts';

/** The routes under `/api`. */
export const { api } = treaty<App>(serviceUrl.href, { parseDate: false, fetcher: send as typeof fetch });

/** The result of an Eden call, which never rejects. */
export interface Reply<Body> {
	data: Body | null;
	error: { value: unknown } | null;
	response: Response | undefined;
}

/** The `data` of an answer. @throws Refusal */
export async function answer<Body extends { data: unknown }>(call: Promise<Reply<Body>>): Promise<Body['data']> {
	const { data, error, response } = await call;
	if (error === null && data !== null) return data.data;
	throw refusalFrom(response, error?.value);
}

/** A resource with its version, if the service gives one. */
export type Versioned<Thing> = Thing & { version?: string | undefined };

/**
 * The `data` of an answer about one resource. Its version is a property, because the query cache copies shared data.
 * @throws Refusal
 */
export async function versioned<Thing extends object>(
	call: Promise<Reply<{ data: Thing }>>,
): Promise<Versioned<Thing>> {
	const data = await answer(call);
	return { ...data, version: (await call).response?.headers.get('etag') ?? undefined };
}

/** The options of a request that changes a resource only while it has this version. */
export function ifMatch(version: string | undefined) {
	return { headers: version === undefined ? {} : { 'if-match': version } };
}

/** The parameters of a query that have a value; a route takes no others. */
export function given<Values extends object>(values: Values) {
	const known = Object.entries(values).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/** One page of a list, as the routes answer it. */
export interface Page<Row> {
	items: Row[];
	pagination: { page: number; pageSize: number; total: number; totalIsMinimum?: boolean };
}

/** Waits for an answer without a body. @throws Refusal */
export async function done(call: Promise<Reply<unknown>>): Promise<void> {
	const { error, response } = await call;
	if (error !== null) throw refusalFrom(response, error.value);
}

/** Sends what Eden cannot: a file, or a request for one. `path` is relative to the service. @throws Refusal */
export async function sendFile(path: string, options: RequestInit = {}): Promise<Response> {
	const response = await send(new URL(path, serviceUrl), options).catch(() => undefined);
	if (response?.ok) return response;
	throw refusalFrom(response, await response?.json().catch(() => undefined));
}

/** Downloads a file. A plain link would not do, because the browser sends no token with it. @throws Refusal */
export async function saveFile(path: string, name: string, options?: RequestInit): Promise<void> {
	const response = await sendFile(path, options);
	const url = URL.createObjectURL(await response.blob());
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	URL.revokeObjectURL(url);
}

/**
 * Adds the token and the language of the screens, which may differ from the browser's. A 401 ends the session, unless a new
 * session has begun meanwhile.
 */
async function send(input: string | URL, options: RequestInit = {}): Promise<Response> {
	const token = currentToken();
	const headers = new Headers(options.headers);
	headers.set('accept-language', 'zh');
	if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
	const response = await fetchAll(input, { ...options, headers }).catch((error) => {
		reportAnswer(0);
		throw error;
	});
	reportAnswer(response.status);
	if (response.status === 401 && token !== undefined && token === currentToken()) {
		const refusal = refusalFrom(response, await response.clone().json());
		// A refused renewal does not end the session: the token is valid until it expires.
		if (!refusal.has('renewal_over')) endSession(refusal.message);
	}
	return response;
}

/** Fetches an answer with its content: one that breaks off counts as none. A file is a blob, which the browser does not copy. */
async function fetchAll(...request: Parameters<typeof fetch>): Promise<Response> {
	const answer = await fetch(...request);
	const content = await (answer.headers.has('content-disposition') ? answer.blob() : answer.arrayBuffer());
	// An answer 204 may have none, not even an empty one.
	return new Response(answer.status === 204 ? null : content, answer);
}
