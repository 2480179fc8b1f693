/** The claims by which programs know a person. */
import type { JWTPayload } from 'jose';
import type { Person } from '../../identity/session/actor.ts';
import { hasScope, type OpenidGrant } from '../../identity/session/grants.ts';
import { secondsOf } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import { toAuthUser } from '../auth/sign-in.ts';
import { accessTokenLifetime } from './model.ts';
import type { SessionKey } from './sessions.ts';

/** The name of an account for programs: it never changes and is never used again. */
export function subjectIdentifier({ accountType, id }: AccountKey): string {
	return `${accountType === 'SUPER_ADMIN' ? 'admin' : 'employee'}:${id}`;
}

/** The session that an ID token names. */
export function sessionNamedBy({ sid, sub = '' }: JWTPayload): SessionKey {
	const [kind, accountId] = sub.split(':');
	return { id: Number(sid), accountType: kind === 'admin' ? 'SUPER_ADMIN' : 'EMPLOYEE', accountId: Number(accountId) };
}

/** The claims of the ID token of a grant. Only the first one has the nonce. */
export function idTokenClaims(grant: OpenidGrant, issuer: string, at: string): JWTPayload {
	const { accountType, accountId: id, programId, sessionId, signedInAt, nonce, isRedeemed } = grant;
	return {
		iss: issuer,
		sub: subjectIdentifier({ accountType, id }),
		aud: `program-${programId}`,
		iat: secondsOf(at),
		exp: secondsOf(at) + accessTokenLifetime,
		auth_time: secondsOf(signedInAt),
		sid: `${sessionId}`,
		...(nonce !== null && !isRedeemed && { nonce }),
	};
}

/** The claims of userinfo, as far as the scope of the grant goes. */
export function userinfoOf(db: Db, person: Person, grant: OpenidGrant): Record<string, unknown> {
	const { displayName, username, accountType, storeId, storeName, roles, permissions } = toAuthUser(db, person);
	return {
		sub: subjectIdentifier(person),
		...(hasScope(grant, 'profile') && { name: displayName }),
		...(hasScope(grant, 'phone') && accountType === 'EMPLOYEE' && { phone_number: `+86${username}` }),
		...(hasScope(grant, 'access') && {
			account_type: accountType,
			store_id: storeId,
			store_name: storeName,
			roles: roles.map(({ id, code, name }) => ({ id, code, name })),
			permissions,
		}),
	};
}
