/** The codes of a second factor, as an authenticator app makes them. */
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Computes the code of RFC 6238 and RFC 4226, written from their text, `steps` time steps after a time. */
export function totp(base32: string, time: Date, steps = 0): string {
	const bits = Array.from(base32, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
	const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / 30_000) + steps));
	const digest = createHmac('sha1', key).update(counter).digest();
	const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
	return String(number % 1_000_000).padStart(6, '0');
}
