/** What programs ask for by themselves: tokens, and who the person is. */

import { accessTokenLifetime, findGrant, holdsFor } from '../../identity/session/client-tokens.ts';
import type { RefuseKey } from '../../identity/session/session.ts';
import { idTokenClaims, userinfoOf } from './claims.ts';
import { type Client, requireClient } from './clients.ts';
import { findReadyAccount, type Renewed, redeemCode, redeemRefreshToken, revokeToken } from './grants.ts';
import { OAuthError } from './model.ts';
import type { OpenidDependencies, Sender } from './page.ts';
import { readParameters } from './request.ts';

export interface TokenDependencies extends OpenidDependencies {
	refuseKey: RefuseKey;
}

/** The parameters of a program's request, and the program. @throws OAuthError; AppError TOO_MANY_REQUESTS */
function readRequest({ db, now, refuseKey }: TokenDependencies, { headers, sent, address, requestId }: Sender) {
	const parameters = readParameters(sent);
	const at = now();
	const countWrongSecret = () => void refuseKey({ address, requestId, at }, 'key_invalid');
	const client: Client = requireClient({ db, headers, parameters, at, countWrongSecret });
	const required = (name: string) => {
		const value = parameters.get(name);
		if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
		return value;
	};
	return { client, parameters, required, at };
}

/** Exchanges a code or a refresh token. @throws OAuthError */
export async function exchange(dependencies: TokenDependencies, sender: Sender): Promise<object> {
	const { client, parameters, required, at } = readRequest(dependencies, sender);
	const { id: programId } = client;
	switch (required('grant_type')) {
		case 'authorization_code': {
			const redirectUri = parameters.get('redirect_uri');
			const redemption = { code: required('code'), verifier: required('code_verifier'), programId, redirectUri };
			return tokensOf(dependencies, redeemCode(dependencies, redemption, at), at);
		}
		case 'refresh_token': {
			if (parameters.has('scope')) throw new OAuthError('invalid_scope', 'the scope stays the same');
			const redemption = { token: required('refresh_token'), programId };
			return tokensOf(dependencies, redeemRefreshToken(dependencies, redemption, at), at);
		}
		default:
			throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
	}
}

async function tokensOf({ clientTokens, openid }: TokenDependencies, { grant, refreshToken }: Renewed, at: string) {
	return {
		access_token: await clientTokens.issue(grant.id),
		token_type: 'Bearer',
		expires_in: accessTokenLifetime,
		scope: grant.scope,
		id_token: await openid.keys.sign(idTokenClaims(grant, openid.issuer, at)),
		...(refreshToken && { refresh_token: refreshToken }),
	};
}

/** Ends what a token came from; one that is unknown has ended already. @throws OAuthError */
export async function revoke(dependencies: TokenDependencies, sender: Sender): Promise<object> {
	const { client, required } = readRequest(dependencies, sender);
	await revokeToken(dependencies, client.id, required('token'));
	return {};
}

/** The claims of the person behind an access token, as they are now. @throws OAuthError */
export async function userinfo(dependencies: OpenidDependencies, headers: Headers): Promise<object> {
	const { db, clientTokens, now } = dependencies;
	const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
	const known = await clientTokens.verify(token);
	const grant = known && findGrant(db, known.grantId, now());
	const account = grant && findReadyAccount(dependencies, grant);
	if (!account || !holdsFor(grant, account)) throw new OAuthError('invalid_token', 'the token is unknown or over');
	return userinfoOf(db, account, grant.scope);
}
