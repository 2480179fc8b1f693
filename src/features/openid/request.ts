/** Reads the parameters of a request, and checks those of a request to sign in. */
import type { Db } from '../../platform/database/open.ts';
import { isRegistered } from '../programs/redirect.ts';
import { findClient } from './clients.ts';
import { OAuthError, openidMessages, refusedOnPage, scopes } from './model.ts';

/** Parameters by name. */
export type Parameters = ReadonlyMap<string, string>;

/** The parameters that were sent, without empty ones (RFC 6749, 3.1). @throws OAuthError for a repeated one */
export function readParameters(sent: URLSearchParams): Parameters {
	const parameters = new Map<string, string>();
	for (const [name, value] of sent) {
		if (parameters.has(name)) throw new OAuthError('invalid_request', `${printable(name)} is repeated`);
		parameters.set(name, value);
	}
	return new Map([...parameters].filter(([, value]) => value !== ''));
}

/** @throws OAuthError for a parameter that is missing */
export function required(parameters: Parameters, name: string): string {
	const value = parameters.get(name);
	if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
	return value;
}

/** The id and the secret that a program sends, in the header or the form. @throws OAuthError invalid_request for both */
export function readCredentials(authorization: string | null, parameters: Parameters) {
	const [clientId, secret] = authorization === null ? [] : readBasic(authorization);
	const sentId = parameters.get('client_id');
	const sentSecret = parameters.get('client_secret');
	if (authorization !== null && (sentSecret !== undefined || (sentId ?? clientId) !== clientId))
		throw new OAuthError('invalid_request', 'the client is named twice');
	return { clientId: clientId ?? sentId ?? '', secret: secret ?? sentSecret };
}

/** The id and the secret of HTTP Basic, each encoded as in a form (RFC 6749, 2.3.1). */
function readBasic(authorization: string): [clientId: string, secret: string] {
	const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
	const parts = Buffer.from(encoded, 'base64').toString().split(':');
	const [clientId = '', secret = ''] = parts.map((part) => new URLSearchParams(`value=${part}`).get('value') ?? '');
	return [clientId, secret];
}

/** A name in the characters that a description can have (RFC 6749, 5.2). */
const printable = (text: string) => text.replaceAll(/[^a-z_]/g, '').slice(0, 40);

/** The program and the address to which the answer of a request to sign in goes, also a refusal. */
type ReturnAddress = ReturnType<typeof readReturnAddress>;

/** A request of a registered program to sign somebody in. */
export type Authorization = ReturnType<typeof readAuthorization>;

/** The program and the address to which an answer goes. @throws AppError when either is not registered */
export function readReturnAddress(db: Db, sent: URLSearchParams, at: string) {
	const one = (name: string) => {
		const [value = '', another] = sent.getAll(name);
		if (another !== undefined) throw refusedOnPage(openidMessages.badRequest);
		return value;
	};
	const client = findClient(db, one('client_id'), at);
	if (!client) throw refusedOnPage(openidMessages.unknownClient);
	const redirectUri = one('redirect_uri');
	if (!isRegistered(client.redirectUris, redirectUri)) throw refusedOnPage(openidMessages.unknownAddress);
	return { client, redirectUri, state: one('state') || undefined };
}

/** The rules for a request to sign in, with the error of a request that breaks them. */
const rules: readonly (readonly [error: string, description: string, holds: (sent: Parameters) => boolean])[] = [
	['request_not_supported', 'request is not supported', (sent) => !sent.has('request')],
	['request_uri_not_supported', 'request_uri is not supported', (sent) => !sent.has('request_uri')],
	['registration_not_supported', 'registration is not supported', (sent) => !sent.has('registration')],
	['unsupported_response_type', 'response_type must be code', (sent) => sent.get('response_type') === 'code'],
	['invalid_request', 'response_mode must be query', (sent) => (sent.get('response_mode') ?? 'query') === 'query'],
	['invalid_scope', 'scope must have openid', (sent) => scopesIn(sent).includes('openid')],
	['invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256', hasChallenge],
	['invalid_request', 'nonce is longer than 500 characters', (sent) => (sent.get('nonce') ?? '').length <= 500],
	['invalid_request', 'max_age must be a number of seconds', (sent) => /^\d{1,9}$/.test(sent.get('max_age') ?? '0')],
	['invalid_request', 'prompt must not combine none with other values', (sent) => isAloneIfNone(sent.get('prompt'))],
];

/** The known scopes of a request, in one order. */
export function scopesIn(sent: Parameters) {
	const asked = sent.get('scope')?.split(' ') ?? [];
	return scopes.filter((each) => asked.includes(each));
}

const isAloneIfNone = (prompt = '') => prompt === 'none' || !prompt.split(' ').includes('none');

function hasChallenge(sent: Parameters): boolean {
	return sent.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(sent.get('code_challenge') ?? '');
}

/** The rest of a request to sign in. @throws OAuthError for a request that is not supported */
export function readAuthorization(to: ReturnAddress, sent: URLSearchParams) {
	const parameters = readParameters(sent);
	for (const [error, description, holds] of rules) if (!holds(parameters)) throw new OAuthError(error, description);
	return {
		...to,
		scope: scopesIn(parameters).join(' '),
		nonce: parameters.get('nonce') ?? null,
		challenge: parameters.get('code_challenge') ?? '',
		prompt: readPrompt(parameters.get('prompt')),
		/** In seconds. */
		maxAge: Number(parameters.get('max_age') ?? Number.POSITIVE_INFINITY),
		username: parameters.get('login_hint')?.slice(0, 50),
		/** An ID token of the person who should be signed in. */
		hint: parameters.get('id_token_hint'),
	};
}

/** Reads `select_account` as `login`. */
function readPrompt(prompt = ''): 'none' | 'login' | undefined {
	const asked = prompt.split(' ');
	if (asked.includes('none')) return 'none';
	return asked.includes('login') || asked.includes('select_account') ? 'login' : undefined;
}

/** The address of an answer to a program. Every answer names the issuer (RFC 9207). */
export function addressOf(to: ReturnAddress, issuer: string, answer: Record<string, string>): string {
	return withQuery(to.redirectUri, { ...answer, ...(to.state !== undefined && { state: to.state }), iss: issuer });
}

/** An address with these parameters added to those it has. */
export function withQuery(uri: string, parameters: Record<string, string>): string {
	const added = new URLSearchParams(parameters);
	return added.size === 0 ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${added}`;
}
