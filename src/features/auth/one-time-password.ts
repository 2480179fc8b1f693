/**
 * One-time passwords. The program makes each one for one person. They read it on a slip or a screen, and must replace it
 * at the first sign-in. It is random, and guessing it from its stored hash needs the key, which no database or backup
 * contains. So a slow hash would add nothing.
 */
import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../../platform/machine/hmac.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import { addSeconds, daySeconds } from '../../platform/vocabulary/day.ts';

/** 32 letters and digits without 0, O, 1 and I, so that no two look alike. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The number of characters: 50 bits. */
const length = 10;

/** The lifetime of a password, in seconds. */
const lifetime = 7 * daySeconds;

/** The beginning of a stored one-time password. */
const oneTimeForm = '$hmac-sha256$';

/** Makes and checks the one-time passwords of a key. A hash holds a short digest of its key, and fits one account only. */
export function createOneTimePasswords(key: string) {
	const digest = (text: string) => hmac(key, text).toString('base64url');
	const form = `${oneTimeForm}${digest('key').slice(0, 8)}$`;
	const hashOf = (password: string, { accountType, id }: AccountKey) => {
		const owner = accountType === 'EMPLOYEE' ? id : `administrator ${id}`;
		return `${form}${digest(`one-time password of ${owner}: ${normalForm(password)}`)}`;
	};
	return {
		/** A new password for an account, its stored form and its expiry; times in ISO 8601. */
		make(account: AccountKey, at: string) {
			const password = makePassword();
			return { password, passwordHash: hashOf(password, account), expiresAt: addSeconds(at, lifetime) };
		},
		/** Whether a text is the password behind an account's hash. False for a hash of any other kind. */
		matches(text: string, hash: string, account: AccountKey): boolean {
			const [made, stored] = [Buffer.from(hashOf(text, account)), Buffer.from(hash)];
			return made.length === stored.length && timingSafeEqual(made, stored);
		},
	};
}

export type OneTimePasswords = ReturnType<typeof createOneTimePasswords>;

/** Whether a stored password is a one-time password. */
export function isOneTime(hash: string): boolean {
	return hash.startsWith(oneTimeForm);
}

/** Whether a password has expired at a time; both in ISO 8601. Without an expiry it never does. */
export function isExpired(expiresAt: string | null, at: string): boolean {
	return expiresAt !== null && expiresAt <= at;
}

/** The normal form of a typed password: case, blanks and dashes do not matter, and I and 1 count as L. */
function normalForm(text: string): string {
	return text
		.normalize('NFKC')
		.toUpperCase()
		.replace(/[\s\p{Dash}]/gu, '')
		.replace(/[1I]/g, 'L');
}

/** Creates a password such as `K7M3Q-9TX2F`. */
function makePassword(): string {
	const characters = Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 32]);
	return characters.join('').replace(/^.{5}/, '$&-');
}
