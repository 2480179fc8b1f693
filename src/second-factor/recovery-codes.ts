/** Recovery codes: each signs in once, in place of a code from the phone. */
import { randomInt } from 'node:crypto';
import type { AccountKey } from '../vocabulary/accounts.ts';

const amount = 10;

/** No letters and digits that look alike: people write these down and type them. */
const typable = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** New codes such as `K7M3-9QTX-2FHB-4WND`, of 79 random bits each. */
export function makeRecoveryCodes(): string[] {
	const part = () => Array.from({ length: 4 }, () => typable[randomInt(typable.length)]).join('');
	return Array.from({ length: amount }, () => [part(), part(), part(), part()].join('-'));
}

/**
 * What is stored of a code of an account. Without a key, so that the codes survive a lost `secrets.json`: they are too long
 * to be tried out.
 */
export function hashRecoveryCode({ accountType, id }: AccountKey, code: string): string {
	return new Bun.CryptoHasher('sha256').update(`${accountType}:${id} ${typedCode(code)}`).digest('base64url');
}

/** A code as people type it: case, spaces, dashes and full-width characters do not matter. */
export function typedCode(code: string): string {
	return code.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}
