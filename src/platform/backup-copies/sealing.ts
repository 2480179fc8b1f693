/** Seals files that leave the machine, in the age format with a passphrase, so that `age -d` opens them, too. */
import { Decrypter, Encrypter } from 'age-encryption';
import type { Config } from '../machine/config.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { readKey } from './key.ts';
import type { CopySource } from './place.ts';

const magic = Buffer.from('age-encryption.org/v1\n');

/** The scrypt work factor. A file opens in half a second and 128 MiB, a backup with its secrets in a second. */
const workFactor = 17;

export type Opening = ReturnType<typeof createOpening>;

/**
 * A configured key opens sealed files only, unless the operator allows unsealed ones. Without a key, only unsealed
 * files open.
 */
export function createOpening(config: Pick<Config, 'BACKUP_KEY_FILE'>, { unsealed = false } = {}) {
	const hasKey = config.BACKUP_KEY_FILE !== undefined;
	const onlySealed = hasKey && !unsealed;
	return {
		/** Reads the configured key. It is called for sealed files only. */
		key: () => readKey(config),
		/** Whether unsealed files are refused: anybody can write one without the key. */
		onlySealed,
		/** Whether a sealed, or an unsealed, backup can be opened. */
		takes: (isSealed: boolean) => (isSealed ? hasKey : !onlySealed),
	};
}

/** The first bytes of a file, which show whether it is sealed. */
export async function readHead(source: CopySource, file: string): Promise<Buffer> {
	return Buffer.concat(await Array.fromAsync(source.read(file, magic.length)));
}

export function isSealed(head: Buffer): boolean {
	return magic.equals(head);
}

/** Encrypts a stream of bytes. */
export async function* seal(content: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
	const encrypter = new Encrypter();
	encrypter.setPassphrase(key);
	encrypter.setScryptWorkFactor(workFactor);
	yield* await encrypter.encrypt(toStream(content));
}

/**
 * The content of a file, decrypted if it is sealed.
 * @throws OperationError when it must not be opened, has another key, or is damaged or incomplete
 */
export async function* unseal(source: CopySource, file: string, opening: Opening): AsyncGenerator<Uint8Array> {
	const [name, head] = [`${source.name}/${file}`, await readHead(source, file)];
	if (head.length === 0) throw new OperationError(`${name} is empty`);
	if (!checkSeal(head, opening, name)) {
		yield* source.read(file);
		return;
	}
	const key = opening.key();
	if (key === undefined) throw new OperationError(`${name} is sealed: set BACKUP_KEY_FILE`);
	try {
		const decrypter = new Decrypter();
		decrypter.addPassphrase(key);
		yield* await decrypter.decrypt(toStream(source.read(file)));
	} catch (error) {
		if (error instanceof OperationError) throw error;
		throw new OperationError(`${name} is damaged, incomplete, or sealed with another BACKUP_KEY_FILE`);
	}
}

/** Whether a file with this beginning is sealed. @throws OperationError for an unsealed file that must be sealed */
export function checkSeal(head: Buffer, { onlySealed }: Opening, name: string): boolean {
	const sealed = isSealed(head);
	if (sealed || !onlySealed) return sealed;
	const remedy = 'anybody could have written it; if you trust it, give --unsealed';
	throw new OperationError(`${name} is not sealed, and BACKUP_KEY_FILE is set: ${remedy}`);
}

const toStream = (content: AsyncIterable<Uint8Array>) => new Response(content).body ?? new ReadableStream<Uint8Array>();
