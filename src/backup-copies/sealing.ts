/**
 * Encrypts what leaves the machine: AES-256-GCM in parts, so that a file of any size needs little memory. Each part is bound
 * to its place and says whether it is the last, so parts can be neither reordered nor left out. Our own format over
 * Node's cipher: libraries for files, such as age, are programs, or hold the file in memory.
 *
 *     magic (16 bytes) · salt (16 bytes) · parts of 1 MiB, each with a tag of 16 bytes; the last one is shorter
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { explainFileError } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';

const magic = Buffer.from('access-sealed-1\n');
/** By so many bytes an encrypted file is known. */
export const magicLength = magic.length;
const saltLength = 16;
const partLength = 1024 * 1024;
const tagLength = 16;

/** What keys of files are derived from. */
export type SealingKey = Buffer;

/** Reads a key file. @throws OperationError when it cannot be read or is short */
export function readKey(path: string): SealingKey {
	try {
		const key = readFileSync(path);
		if (key.length >= 32) return key;
	} catch (error) {
		throw new OperationError(`BACKUP_KEY_FILE: ${explainFileError(path, error)}`);
	}
	throw new OperationError(`BACKUP_KEY_FILE has less than 32 bytes: make one with head -c 32 /dev/urandom > ${path}`);
}

/** The encrypted form of a content. */
export async function* seal(content: AsyncIterable<Uint8Array>, key: SealingKey): AsyncGenerator<Uint8Array> {
	const salt = randomBytes(saltLength);
	yield Buffer.concat([magic, salt]);
	const secret = derive(key, salt);
	let index = 0;
	for await (const { part, isLast } of partsOf(content, partLength)) {
		const cipher = createCipheriv('aes-256-gcm', secret, nonceOf(index, isLast));
		yield Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()]);
		index += 1;
	}
}

/** What was encrypted. @throws OperationError when it is not what `seal` made with this key, or not all of it */
export async function* unseal(content: AsyncIterable<Uint8Array>, key: SealingKey): AsyncGenerator<Uint8Array> {
	const source = content[Symbol.asyncIterator]();
	const { head, rest } = await take(source, magicLength + saltLength);
	if (!isSealed(head)) throw new OperationError('the file is not an encrypted backup');
	const secret = derive(key, head.subarray(magicLength));
	let index = 0;
	for await (const { part, isLast } of partsOf(following(rest, source), partLength + tagLength)) {
		yield decrypt(part, secret, nonceOf(index, isLast));
		index += 1;
	}
}

/** Whether a file begins as an encrypted one does. */
export function isSealed(head: Uint8Array): boolean {
	return magic.equals(head.subarray(0, magicLength));
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

/** The same bytes in parts of one length; the last is shorter, or empty. */
async function* partsOf(content: AsyncIterable<Uint8Array>, length: number) {
	let kept = Buffer.alloc(0);
	for await (const bytes of content) {
		kept = Buffer.concat([kept, bytes]);
		while (kept.length >= length) {
			yield { part: kept.subarray(0, length), isLast: false };
			kept = kept.subarray(length);
		}
	}
	yield { part: kept, isLast: true };
}

/** The first bytes of a content, and what arrived behind them. */
export async function take(source: AsyncIterator<Uint8Array>, length: number) {
	let kept = Buffer.alloc(0);
	while (kept.length < length) {
		const { done, value } = await source.next();
		if (done) break;
		kept = Buffer.concat([kept, value]);
	}
	return { head: kept.subarray(0, length), rest: kept.subarray(length) };
}

/** Bytes that were taken, and the content behind them. */
export async function* following(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield first;
	for (;;) {
		const { done, value } = await source.next();
		if (done) return;
		yield value;
	}
}
