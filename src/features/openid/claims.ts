/** What programs learn of a person. */
import type { JWTPayload } from 'jose';
import type { Account } from '../../identity/session/accounts.ts';
import type { Grant } from '../../identity/session/client-tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import { toAuthUser } from '../auth/sign-in.ts';
import { idTokenLifetime } from './model.ts';

/** The name of an account for programs: it never changes and is never used again. */
export function subjectOf({ accountType, id }: AccountKey): string {
	return `${accountType === 'SUPER_ADMIN' ? 'admin' : 'employee'}:${id}`;
}

const secondsOf = (at: string) => Math.floor(Date.parse(at) / 1000);

/** The claims of the ID token of a grant. Only the first one has the nonce. */
export function idTokenClaims(grant: Grant, issuer: string, at: string): JWTPayload {
	const { accountType, accountId: id, programId, sessionId, signedInAt, nonce, isRedeemed } = grant;
	return {
		iss: issuer,
		sub: subjectOf({ accountType, id }),
		aud: `program-${programId}`,
		iat: secondsOf(at),
		exp: secondsOf(at) + idTokenLifetime,
		auth_time: secondsOf(signedInAt),
		sid: `${sessionId}`,
		...(nonce !== null && !isRedeemed && { nonce }),
	};
}

/** The claims of userinfo, as far as the scope goes. */
export function userinfoOf(db: Db, account: Account, scope: string): Record<string, unknown> {
	const asked = new Set(scope.split(' '));
	const { displayName, username, accountType, storeId, storeName, roles, permissions } = toAuthUser(db, account, []);
	const access = {
		account_type: accountType,
		store_id: storeId,
		store_name: storeName,
		roles: roles.map(({ id, code, name }) => ({ id, code, name })),
		permissions,
	};
	return {
		sub: subjectOf(account),
		...(asked.has('profile') && { name: displayName }),
		...(asked.has('phone') && accountType === 'EMPLOYEE' && { phone_number: `+86${username}` }),
		...(asked.has('access') && access),
	};
}
