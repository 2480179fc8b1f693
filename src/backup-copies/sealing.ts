/**
 * Encrypts what leaves the machine: AES-256-GCM in parts, so that a file of any size needs little memory. Each part is bound
 * to its place and says whether it is the last, so parts can be neither reordered nor left out. Our own format over
 * Node's cipher: libraries for files, such as age, are programs, or hold the file in memory.
 *
 *     magic (16 bytes) · salt (16 bytes) · parts of 1 MiB, each with a tag of 16 bytes; the last one is shorter
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { explained } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';

const magic = Buffer.from('access-sealed-1\n');
const saltLength = 16;
const partLength = 1024 * 1024;
const tagLength = 16;

/** What keys of files are derived from. */
export type SealingKey = Buffer;

/** Gives the key of the configuration, if there is one; it is asked for what is encrypted only. */
export type KeyIfAny = () => SealingKey | undefined;

/** The key of the configuration. @throws OperationError when its file cannot be read or is short */
export function keyOf({ BACKUP_KEY_FILE: path }: { BACKUP_KEY_FILE?: string | undefined }): SealingKey | undefined {
	if (path === undefined) return undefined;
	const key = explained(path, () => readFileSync(path), 'BACKUP_KEY_FILE: ');
	if (key.length >= 32) return key;
	throw new OperationError(`BACKUP_KEY_FILE has less than 32 bytes: make one with head -c 32 /dev/urandom > ${path}`);
}

/** The encrypted form of a content. */
export async function* seal(content: AsyncIterable<Uint8Array>, key: SealingKey): AsyncGenerator<Uint8Array> {
	const salt = randomBytes(saltLength);
	yield Buffer.concat([magic, salt]);
	const secret = derive(key, salt);
	for await (const { part, nonce } of partsOf(takerOf(content), partLength)) {
		const cipher = createCipheriv('aes-256-gcm', secret, nonce);
		yield Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()]);
	}
}

/**
 * A content without its encryption, if it has one.
 * @throws OperationError when it is not what `seal` made with this key, or not all of it
 */
export async function* unseal(content: AsyncIterable<Uint8Array>, keyIfAny: KeyIfAny): AsyncGenerator<Uint8Array> {
	const take = takerOf(content);
	const head = await take(magic.length);
	if (head.length === 0) throw new OperationError('the file is empty');
	if (!isSealed(head)) {
		for (let part = head; part.length > 0; part = await take(partLength)) yield part;
		return;
	}
	const key = keyIfAny();
	if (key === undefined) throw new OperationError('the backup is encrypted: set BACKUP_KEY_FILE');
	const secret = derive(key, await take(saltLength));
	for await (const { part, nonce } of partsOf(take, partLength + tagLength)) yield decrypt(part, secret, nonce);
}

/** Whether a file begins as an encrypted one does. */
export function isSealed(head: Uint8Array): boolean {
	return magic.equals(head.subarray(0, magic.length));
}

function decrypt(part: Buffer, secret: Buffer, nonce: Buffer): Buffer {
	try {
		const end = part.length - tagLength;
		const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagLength });
		decipher.setAuthTag(part.subarray(end));
		return Buffer.concat([decipher.update(part.subarray(0, end)), decipher.final()]);
	} catch {
		throw new OperationError('the backup is damaged, not complete, or of another BACKUP_KEY_FILE');
	}
}

function derive(key: SealingKey, salt: Uint8Array): Buffer {
	return Buffer.from(hkdfSync('sha256', key, salt, 'access backup', 32));
}

/** A nonce is never used twice with a key, because each file has a key of its own. */
function nonceOf(index: number, isLast: boolean): Buffer {
	const nonce = Buffer.alloc(12);
	nonce.writeUInt8(isLast ? 1 : 0, 0);
	nonce.writeUInt32BE(index, 8);
	return nonce;
}

/** Gives the next bytes of a content: as many as are asked for, or what is left. */
type Taker = (length: number) => Promise<Buffer>;

function takerOf(content: AsyncIterable<Uint8Array>): Taker {
	const source = content[Symbol.asyncIterator]();
	let kept = Buffer.alloc(0);
	return async (length) => {
		while (kept.length < length) {
			const { done, value } = await source.next();
			if (done) break;
			kept = Buffer.concat([kept, value]);
		}
		const taken = kept.subarray(0, length);
		kept = kept.subarray(length);
		return taken;
	};
}

/** Parts of one length, each with its nonce; the last is shorter, or empty. */
async function* partsOf(take: Taker, length: number) {
	for (let index = 0, isLast = false; !isLast; index += 1) {
		const part = await take(length);
		isLast = part.length < length;
		yield { part, nonce: nonceOf(index, isLast) };
	}
}
