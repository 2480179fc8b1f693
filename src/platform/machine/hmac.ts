/**
 * The HMAC-SHA-256 of a text. With a text for each purpose, one secret gives keys of which none reveals another, or the
 * secret itself.
 */
export function hmac(key: string | Buffer, text: string): Buffer {
	return new Bun.CryptoHasher('sha256', key).update(text).digest();
}
