/**
 * Device tokens: a sign-in answers one, and a client that sends it with the next has a count of its own. A token is a random
 * device id, a time and a signature, so it says nothing about the account that the signature binds it to.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountType } from '../vocabulary/accounts.ts';
import type { OwnCount } from './attempt.ts';

/** The account that a token is for. A new password ends its tokens; signing out and a renewed hash do not. */
export interface DeviceOwner {
	accountType: AccountType;
	id: number;
	passwordChangedAt: string | null;
}

/** A known device of an account: `key` is its id. */
export interface Device extends OwnCount {
	kind: 'device';
}

/** Issues and checks device tokens. */
export interface Devices {
	/** A token for 180 days; of the device that the request came from, or of a new one. */
	issue(owner: DeviceOwner, device?: Device): string;
	/** The device of a token; undefined for every token that is not a genuine one of this account, and without an account. */
	read(token: string | null, owner: DeviceOwner | undefined): Device | undefined;
}

const lifetime = 180 * 24 * 60 * 60;
const form = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/** Takes as long to check as any other. */
const nobody: DeviceOwner = { accountType: 'EMPLOYEE', id: 0, passwordChangedAt: null };

/**
 * Makes the device tokens of an installation. Like the key of access tokens, theirs comes from the secret and the token
 * epoch, so a restored backup ends them. Those of the previous secret, if there is one, are still accepted.
 */
export function createDevices(secret: string, epoch: string, clock: () => Date, previous?: string): Devices {
	const keyOf = (each: string) => new Bun.CryptoHasher('sha256', each).update(`device ${epoch}`).digest();
	const key = keyOf(secret);
	const keys = previous === undefined ? [key] : [key, keyOf(previous)];
	const now = () => Math.floor(clock().getTime() / 1000);
	return {
		issue(owner, device) {
			const id = device?.key ?? randomBytes(16).toString('base64url');
			const expiresAt = String(now() + lifetime);
			return `${id}.${expiresAt}.${signature(key, id, expiresAt, owner)}`;
		},
		read(token, owner) {
			const [, id = '', expiresAt = '', signed = ''] = form.exec(token ?? '') ?? [];
			const isGenuine = keys.some((each) => isSame(signed, signature(each, id, expiresAt, owner ?? nobody)));
			return isGenuine && owner && Number(expiresAt) > now() ? { kind: 'device', key: id } : undefined;
		},
	};
}

function signature(key: Buffer, device: string, expiresAt: string, owner: DeviceOwner): string {
	const { accountType, id, passwordChangedAt } = owner;
	const signed = JSON.stringify([device, expiresAt, accountType, id, passwordChangedAt]);
	return new Bun.CryptoHasher('sha256', key).update(signed).digest('base64url');
}

function isSame(a: string, b: string): boolean {
	return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
