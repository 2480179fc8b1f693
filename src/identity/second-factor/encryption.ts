/** Encrypts the secrets of second factors, so that neither a database nor a backup gives them away. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { hmac } from '../../platform/machine/hmac.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Makes the functions that encrypt and decrypt texts with a secret. Each text is bound to one account. */
export function createSecretCipher(secret: string) {
	const key = hmac(secret, 'the key of second factors');
	const mark = `${hmac(secret, 'the mark of second factors').toString('hex').slice(0, 12)}.`;
	const nameOf = ({ accountType, id }: AccountKey) => Buffer.from(`${accountType}:${id}`);
	return {
		/** The beginning of every text encrypted with this key. */
		mark,
		encrypt(text: string, account: AccountKey): string {
			const nonce = randomBytes(nonceLength);
			const cipher = createCipheriv(algorithm, key, nonce).setAAD(nameOf(account));
			const content = [cipher.update(text, 'utf8'), cipher.final()];
			return mark + Buffer.concat([nonce, ...content, cipher.getAuthTag()]).toString('base64url');
		},
		/** The text; undefined when it was encrypted with another key or for another account, or is damaged. */
		decrypt(encrypted: string, account: AccountKey): string | undefined {
			const bytes = Buffer.from(encrypted.slice(mark.length), 'base64url');
			const content = bytes.subarray(nonceLength, -tagLength);
			try {
				const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
					.setAAD(nameOf(account))
					.setAuthTag(bytes.subarray(-tagLength));
				return decipher.update(content, undefined, 'utf8') + decipher.final('utf8');
			} catch {
				return undefined;
			}
		},
	};
}

/** The functions of {@link createSecretCipher}. */
export type SecretCipher = ReturnType<typeof createSecretCipher>;
