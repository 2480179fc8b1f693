/** A browser and a program that use the OpenID Connect provider, in the test process. */
import { createSigningKeys, makeSigningKey } from '../src/features/openid/keys.ts';
import { expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';

export const issuer = 'https://access.example/chain';
export const redirectUri = 'https://till.example/signed-in';
export const signedOutUri = 'https://till.example/';

const key = makeSigningKey('2026-11-01T00:00:00.000Z');

/** Signs the claims of an ID token, as the provider does. */
export async function signIdToken(claims: object): Promise<string> {
	const stored = await key;
	const clock = () => new Date();
	return createSigningKeys(() => [stored], clock).sign({ iss: issuer, ...claims });
}

/** An installation whose programs sign people in. The page answers its state as JSON. */
export async function startWithOpenid(settings: Parameters<typeof Service.start>[0] = {}): Promise<Service> {
	const stored = await key;
	return Service.start({
		...settings,
		openid: (clock) => ({
			issuer,
			keys: createSigningKeys(() => [stored], clock),
			page: async (state, status) => Response.json(state, { status: status ?? 200 }),
		}),
	});
}

/** Registers a program that signs people in. */
export async function register(service: Service, fields: object = {}) {
	const name = `收银 ${crypto.randomUUID().slice(0, 8)}`;
	const body = { name, permissions: [], redirectUris: [redirectUri], ...fields };
	const made = expectStatus(await service.asSuper('POST', '/api/programs', body), 201);
	return { id: made.id as number, clientId: `program-${made.id}`, secret: made.clientSecret as string | undefined };
}

/** The PKCE verifier of all requests to sign in, and its challenge. */
export const verifier = 'a-verifier-of-the-tests-that-is-long-enough-for-it';
export const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url');

export type Form = Record<string, string | undefined>;

const entriesOf = (parameters: Form) =>
	Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);

/** A request to sign in; an undefined parameter is left out. */
export function asking({ clientId }: { clientId: string }, parameters: Form = {}): URL {
	const url = new URL(`${issuer}/openid/authorize`);
	const given = {
		client_id: clientId,
		redirect_uri: redirectUri,
		response_type: 'code',
		scope: 'openid',
		state: 'st',
		nonce: 'no',
		code_challenge: challenge,
		code_challenge_method: 'S256',
		...parameters,
	};
	for (const [name, value] of entriesOf(given)) url.searchParams.set(name, value);
	return url;
}

/** A program, with its secret if it has one. */
export interface Client {
	clientId: string;
	secret: string | undefined;
}

/** The parameters that authenticate a program. */
export const proof = ({ clientId, secret }: Client) => ({ client_id: clientId, client_secret: secret });

/** Sends a form as a program does. */
export async function postForm(service: Service, path: string, form: Form, headers: Record<string, string> = {}) {
	const body = new URLSearchParams(entriesOf(form));
	return answerIn(await through(service)(`${issuer}/openid/${path}`, { method: 'POST', body, headers }));
}

async function answerIn(response: Response) {
	const { status, headers } = response;
	const text = await response.text();
	return { status, headers, body: text === '' ? {} : (JSON.parse(text) as Body) };
}

/** Returns a `fetch` through a proxy that adds the path of the issuer. */
export function through(service: Service): (url: string | URL, init?: RequestInit) => Promise<Response> {
	return async (url, init) => {
		return service.app.handle(new Request(String(url).replace(issuer, new URL(issuer).origin), init));
	};
}

/** A browser that keeps the provider's cookie and follows no redirects. */
export class Browser {
	cookie: string | undefined;
	readonly #fetch: ReturnType<typeof through>;

	constructor(service: Service) {
		this.#fetch = through(service);
	}

	async send(path: string | URL, init: RequestInit = {}): Promise<Response> {
		const headers = new Headers(init.headers);
		if (this.cookie) headers.set('cookie', this.cookie);
		const response = await this.#fetch(path, { ...init, headers });
		const [set] = response.headers.getSetCookie();
		if (set) this.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
		return response;
	}

	/** Sends a request of the page, with the query that opened the page. */
	async post(what: string, asked: URL, body: object, headers: Record<string, string> = {}) {
		const sent = { 'content-type': 'application/json', origin: new URL(issuer).origin, ...headers };
		const init = { method: 'POST', headers: sent, body: JSON.stringify(body) };
		return answerIn(await this.send(`${issuer}/openid/${what}${asked.search}`, init));
	}

	/** Opens a request to sign in, and signs in. @returns the address at the program */
	async signIn(asked: URL, username: string, password: string): Promise<URL> {
		const { body } = await this.post('sign-in', asked, { username, password });
		if (!body.data) throw new Error(JSON.stringify(body.error));
		return new URL(body.data.location);
	}

	/** The address that a request redirects to. */
	async follow(asked: URL): Promise<URL> {
		const location = (await this.send(asked)).headers.get('location');
		if (location === null) throw new Error('no redirection');
		return new URL(location);
	}
}
