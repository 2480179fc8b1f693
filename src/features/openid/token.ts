/** What programs ask for by themselves: tokens, and who the person is. */
import type { RefuseKey } from '../../identity/session/session.ts';
import { idTokenClaims, userinfoOf } from './claims.ts';
import { requireClient } from './clients.ts';
import { type Renewed, redeemCode, redeemRefreshToken, revokeToken } from './grants.ts';
import { OAuthError, tokenLifetime } from './model.ts';
import type { OpenidDependencies, Visit } from './page.ts';
import { readParameters } from './request.ts';
import { findReadyPerson } from './sessions.ts';

export interface TokenDependencies extends OpenidDependencies {
	refuseKey: RefuseKey;
}

/** The parameters of a program's request, and the program. @throws OAuthError; AppError TOO_MANY_REQUESTS */
function readRequest(
	{ db, now, refuseKey }: TokenDependencies,
	{ headers, address, requestId }: Visit,
	sent: URLSearchParams,
) {
	const parameters = readParameters(sent);
	const at = now();
	const countWrongSecret = () => void refuseKey({ address, requestId, at }, 'key_invalid');
	const client = requireClient({ db, headers, parameters, at, countWrongSecret });
	const required = (name: string) => {
		const value = parameters.get(name);
		if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
		return value;
	};
	return { client, parameters, required, at };
}

/** Exchanges a code or a refresh token. @throws OAuthError */
export async function exchange(dependencies: TokenDependencies, visit: Visit, sent: URLSearchParams): Promise<object> {
	const { client, parameters, required, at } = readRequest(dependencies, visit, sent);
	const { id: programId } = client;
	switch (required('grant_type')) {
		case 'authorization_code': {
			const redirectUri = parameters.get('redirect_uri');
			const redemption = { code: required('code'), verifier: required('code_verifier'), programId, redirectUri };
			return tokensOf(dependencies, redeemCode(dependencies, redemption, at), at);
		}
		case 'refresh_token':
			if (parameters.has('scope')) throw new OAuthError('invalid_scope', 'the scope stays the same');
			return tokensOf(dependencies, redeemRefreshToken(dependencies, required('refresh_token'), programId, at), at);
		default:
			throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
	}
}

async function tokensOf({ tokens, openid }: TokenDependencies, { grant, claims, refreshToken }: Renewed, at: string) {
	return {
		access_token: await tokens.issue(claims),
		token_type: 'Bearer',
		expires_in: tokenLifetime,
		scope: grant.scope,
		id_token: await openid.keys.sign(idTokenClaims(grant, openid.issuer, at)),
		...(refreshToken && { refresh_token: refreshToken }),
	};
}

/** Ends what a token came from; one that is unknown has ended already. @throws OAuthError */
export async function revoke(dependencies: TokenDependencies, visit: Visit, sent: URLSearchParams): Promise<object> {
	const { client, required } = readRequest(dependencies, visit, sent);
	await revokeToken(dependencies, required('token'), client.id);
	return {};
}

/** The claims of the person behind an access token, as they are now. @throws OAuthError */
export async function userinfo(dependencies: OpenidDependencies, { headers }: Visit): Promise<object> {
	const { db, tokens, now } = dependencies;
	const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
	const claims = await tokens.verify(token);
	const person = claims && findReadyPerson(dependencies, claims, now());
	if (!person?.grant) throw new OAuthError('invalid_token', 'the token is unknown or over');
	return userinfoOf(db, person, person.grant);
}
