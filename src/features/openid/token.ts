/** The requests of programs themselves: for tokens, and for the claims of a person. */
import { countWrongKey } from '../../identity/guard/guard.ts';
import { idTokenClaims, userinfoOf } from './claims.ts';
import { authenticates, findClient } from './clients.ts';
import { type ProgramRequest, type Renewed, redeemCode, redeemRefreshToken, revokeToken } from './grants.ts';
import { accessTokenLifetime, OAuthError } from './model.ts';
import type { OpenidDependencies, OpenidRequest } from './page.ts';
import { readCredentials, readParameters, required } from './request.ts';
import { findReadyPerson } from './sessions.ts';

/** The parameters of a program's request, and the program. @throws OAuthError; AppError TOO_MANY_REQUESTS */
function readRequest(dependencies: OpenidDependencies, request: OpenidRequest): ProgramRequest {
	const { db, now } = dependencies;
	const { headers, address, requestId, sent } = request;
	const parameters = readParameters(sent);
	const at = now();
	const { clientId, secret } = readCredentials(headers.get('authorization'), parameters);
	const client = findClient(db, clientId, at);
	if (client && authenticates(client, secret, at)) return { programId: client.id, parameters, at };
	if (client) countWrongKey(dependencies, { address, requestId, at });
	if (clientId === '') throw new OAuthError('invalid_client', 'there is no client_id in a form or in HTTP Basic');
	throw new OAuthError('invalid_client', 'the client is unknown, or its secret is wrong');
}

/** Exchanges a code or a refresh token. @throws OAuthError */
export async function exchange(dependencies: OpenidDependencies, request: OpenidRequest): Promise<object> {
	const asked = readRequest(dependencies, request);
	const type = required(asked.parameters, 'grant_type');
	if (type === 'authorization_code') return tokensOf(dependencies, redeemCode(dependencies, asked), asked.at);
	if (type === 'refresh_token') return tokensOf(dependencies, redeemRefreshToken(dependencies, asked), asked.at);
	throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

async function tokensOf({ tokens, openid }: OpenidDependencies, { grant, claims, refreshToken }: Renewed, at: string) {
	return {
		access_token: await tokens.issue(claims),
		token_type: 'Bearer',
		expires_in: accessTokenLifetime,
		scope: grant.scope,
		id_token: await openid.keys.sign(idTokenClaims(grant, openid.issuer, at)),
		...(refreshToken && { refresh_token: refreshToken }),
	};
}

/** Ends the grant behind a token. An unknown token has ended already. @throws OAuthError */
export async function revoke(dependencies: OpenidDependencies, request: OpenidRequest): Promise<object> {
	await revokeToken(dependencies, readRequest(dependencies, request));
	return {};
}

/** The claims of the person behind an access token, as they are now. @throws OAuthError */
export async function userinfo(dependencies: OpenidDependencies, { headers }: OpenidRequest): Promise<object> {
	const { db, tokens, now } = dependencies;
	const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
	const claims = await tokens.verify(token);
	const person = claims && findReadyPerson(dependencies, claims, now());
	if (!person?.grant) throw new OAuthError('invalid_token', 'the token is unknown or over');
	return userinfoOf(db, person, person.grant);
}
