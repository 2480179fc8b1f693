/**
 * Device tokens: a sign-in answers one, and a client that sends it with the next has a count of its own. A token is a random
 * device id, a time and a signature, so it says nothing about the account that the signature binds it to.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoredPassword } from '../session/accounts.ts';
import type { OwnCount } from './attempts.ts';

/** The account that a token is for. A new password ends its tokens; signing out does not. */
type Owner = Pick<StoredPassword, 'accountType' | 'id' | 'passwordChangedAt'>;

/** Issues and checks device tokens. A device is counted under its id. */
export type Devices = ReturnType<typeof createDevices>;

const lifetime = 180 * 24 * 60 * 60;
const form = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;
/** An account whose tokens take as long to check as those of any other. */
const nobody: Owner = { accountType: 'EMPLOYEE', id: 0, passwordChangedAt: null };

/**
 * Makes the device tokens of an installation. Like the key of access tokens, theirs comes from the secret and the token
 * epoch, so another secret or a restored backup ends them.
 */
export function createDevices(secret: string, epoch: string, clock: () => Date) {
	const ownKey = hmac(secret, `device ${epoch}`).digest();
	const now = () => Math.floor(clock().getTime() / 1000);
	const sign = (device: string, expiresAt: string, owner: Owner) =>
		hmac(ownKey, JSON.stringify([device, expiresAt, owner.accountType, owner.id, owner.passwordChangedAt])).digest();
	return {
		/** A token for 180 days; of the device that the request came from, or of a new one. */
		issue(owner: Owner, device?: OwnCount): string {
			const id = device?.key ?? randomBytes(16).toString('base64url');
			const expiresAt = String(now() + lifetime);
			return `${id}.${expiresAt}.${sign(id, expiresAt, owner).toString('base64url')}`;
		},
		/** The device of a token; undefined for every token that is not a genuine one of this account, and without an account. */
		read(token: string | null, owner: Owner = nobody): OwnCount | undefined {
			const [, key = '', expiresAt = '', text = ''] = form.exec(token ?? '') ?? [];
			if (Number(expiresAt) <= now()) return undefined;
			const signature = Buffer.from(text, 'base64url');
			const isGenuine = timingSafeEqual(signature, sign(key, expiresAt, owner));
			return isGenuine && owner !== nobody ? { kind: 'device', key } : undefined;
		},
	};
}

const hmac = (key: string | Buffer, text: string) => new Bun.CryptoHasher('sha256', key).update(text);
