/**
 * Device tokens: every sign-in answers one, and a client that sends it with the next sign-in gets a count of its own. A
 * token is a random device id, a time and a signature, so it reveals nothing about the account that it is bound to.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hmac } from '../../platform/machine/hmac.ts';
import { daySeconds } from '../../platform/vocabulary/day.ts';
import type { StoredPassword } from '../session/accounts.ts';
import type { OwnCount } from './attempts.ts';

/** The account of a token. A new password ends its tokens; a sign-out does not. */
type Owner = Pick<StoredPassword, 'accountType' | 'id' | 'passwordChangedAt'>;

/** Issues and checks device tokens. A device is counted under its id. */
export type Devices = ReturnType<typeof createDevices>;

const lifetime = 180 * daySeconds;
const form = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;
/** A dummy account, so that checking a token takes the same time without an account. */
const nobody: Owner = { accountType: 'EMPLOYEE', id: 0, passwordChangedAt: null };

/**
 * Makes the device tokens of an installation. Their key, like that of access tokens, comes from the secret and the token
 * epoch, so a new secret or a restored backup ends them.
 */
export function createDevices(secret: string, epoch: string, clock: () => Date) {
	const ownKey = hmac(secret, `device ${epoch}`);
	const now = () => Math.floor(clock().getTime() / 1000);
	const sign = (device: string, expiresAt: string, owner: Owner) =>
		hmac(ownKey, JSON.stringify([device, expiresAt, owner.accountType, owner.id, owner.passwordChangedAt]));
	return {
		/** Issues a token for 180 days, for the known device or for a new one. */
		issue(owner: Owner, device?: OwnCount): string {
			const id = device?.key ?? randomBytes(16).toString('base64url');
			const expiresAt = String(now() + lifetime);
			return `${id}.${expiresAt}.${sign(id, expiresAt, owner).toString('base64url')}`;
		},
		/** The device of a token; undefined without an account and for a token that is not genuine for this account. */
		read(token: string | null, owner: Owner = nobody): OwnCount | undefined {
			const [, key = '', expiresAt = '', text = ''] = form.exec(token ?? '') ?? [];
			if (Number(expiresAt) <= now()) return undefined;
			const signature = Buffer.from(text, 'base64url');
			const isGenuine = timingSafeEqual(signature, sign(key, expiresAt, owner));
			return isGenuine && owner !== nobody ? { kind: 'device', key } : undefined;
		},
	};
}
