/**
 * One-time passwords: made by the program for one employee, read from a slip or a screen, and replaced by them first of all.
 * They are random, so guessing one from what is stored is hopeless without the key, which is in no database or backup; a
 * slow hash would add nothing.
 */
import { timingSafeEqual } from 'node:crypto';

/** 32 letters and digits without 0, O, 1 and I, so that none looks like another one. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** How many of them a password has: 50 bits. */
const length = 10;

/** For how many days one can be used. */
const oneTimeDays = 7;

/** How a stored one begins. */
const oneTimeForm = '$hmac-sha256$';

/** Makes and checks the one-time passwords of a key. A hash names its key by a short digest, and is of use to one employee only. */
export function createOneTimePasswords(key: string) {
	const digest = (text: string) => new Bun.CryptoHasher('sha256', key).update(text).digest('base64url');
	const form = `${oneTimeForm}${digest('key').slice(0, 8)}$`;
	const hashOf = (password: string, employeeId: number) =>
		`${form}${digest(`one-time password of ${employeeId}: ${normalForm(password)}`)}`;
	return {
		/** A new password for an employee, how it is stored, and until when it can be used; times in ISO 8601. */
		make(employeeId: number, at: string) {
			const password = makePassword();
			const expiresAt = new Date(Date.parse(at) + oneTimeDays * 24 * 60 * 60 * 1000).toISOString();
			return { password, passwordHash: hashOf(password, employeeId), expiresAt };
		},
		/** Whether a text is the password that an employee's hash was made of. False for a hash of any other kind. */
		matches(text: string, hash: string, employeeId: number): boolean {
			const [made, stored] = [Buffer.from(hashOf(text, employeeId)), Buffer.from(hash)];
			return made.length === stored.length && timingSafeEqual(made, stored);
		},
	};
}

/** Whether a stored password is a one-time password. */
export function isOneTime(hash: string): boolean {
	return hash.startsWith(oneTimeForm);
}

/** Whether a password can no longer be used at a time; without an end it always can. Both in ISO 8601. */
export function isOver(expiresAt: string | null, at: string): boolean {
	return expiresAt !== null && expiresAt <= at;
}

/** What two ways of typing one password have in common: no case, blank or dash, and an L that was read as 1 or I. */
function normalForm(text: string): string {
	return text
		.normalize('NFKC')
		.toUpperCase()
		.replace(/[\s\p{Dash}]/gu, '')
		.replace(/[1I]/g, 'L');
}

/** Such as `K7M3-9QTX-2F`. */
function makePassword(): string {
	const characters = Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 32]);
	return characters.join('').replace(/.{4}/g, '$&-');
}
