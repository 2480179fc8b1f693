/** What leaves the machine is sealed in the age format with a passphrase, so that `age -d` opens it, too. */
import { readFileSync } from 'node:fs';
import { Decrypter, Encrypter } from 'age-encryption';
import type { Config } from '../machine/config.ts';
import { withExplanation } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';

const magic = Buffer.from('age-encryption.org/v1\n');

/** The scrypt work factor: opening takes half a second and 128 MiB, so a backup with its secrets a second. */
const workFactor = 17;

/** The key of the configuration. @throws OperationError when its file cannot be read, or holds something else */
export function keyOf({ BACKUP_KEY_FILE: path }: Pick<Config, 'BACKUP_KEY_FILE'>): string | undefined {
	if (path === undefined) return undefined;
	const key = withExplanation(path, () => readFileSync(path), 'BACKUP_KEY_FILE: ')
		.toString()
		.trim();
	// U+FFFD stands for bytes that are no text.
	if (/^[^\p{C}\uFFFD]{32,}$/u.test(key)) return key;
	throw new OperationError(
		`BACKUP_KEY_FILE: ${path} must hold one line of text of 32 characters or more: openssl rand -base64 32 > ${path}`,
	);
}

export interface Opening {
	/** Gives the configured key; it is asked for what is sealed only. */
	key(): string | undefined;
	/** Whether what is not sealed is refused: without the key anybody can write it. */
	onlySealed: boolean;
	/** Whether a backup is one that can be opened so, by whether it is sealed. */
	takes(isSealed: boolean): boolean;
}

/** With a key configured only what is sealed is opened, unless somebody says otherwise; without one only what is not. */
export function openingOf(config: Pick<Config, 'BACKUP_KEY_FILE'>, { unsealed = false } = {}): Opening {
	const hasKey = config.BACKUP_KEY_FILE !== undefined;
	const onlySealed = hasKey && !unsealed;
	return { key: () => keyOf(config), onlySealed, takes: (isSealed) => (isSealed ? hasKey : !onlySealed) };
}

export function isSealed(head: Uint8Array): boolean {
	return magic.equals(head.subarray(0, magic.length));
}

/** What is said of backups that an opening does not take. */
export function whyRefused([first, ...others]: readonly string[], place: string, opening: Opening): string | undefined {
	if (first === undefined) return undefined;
	const more = others.length > 0 ? ` and ${others.length} more` : '';
	const why = opening.onlySealed ? 'not sealed, so it counts for nothing: remove it' : 'sealed: set BACKUP_KEY_FILE';
	return `${first}${more} in ${place}: ${why}`;
}

/** The sealed form of a content. */
export async function* seal(content: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
	const encrypter = new Encrypter();
	encrypter.setPassphrase(key);
	encrypter.setScryptWorkFactor(workFactor);
	yield* await encrypter.encrypt(streamOf(content));
}

/**
 * A content without its seal, if it has one. @param name what an error calls it.
 * @throws OperationError when it may not be opened, or is not what was sealed with this key, or not all of it
 */
export async function* unseal(
	content: AsyncIterable<Uint8Array>,
	opening: Opening,
	name: string,
): AsyncGenerator<Uint8Array> {
	const { head, whole } = await begin(content);
	if (head.length === 0) throw new OperationError(`${name} is empty`);
	if (!requireSeal(head, opening, name)) {
		yield* whole;
		return;
	}
	const key = opening.key();
	if (key === undefined) throw new OperationError(`${name} is sealed: set BACKUP_KEY_FILE`);
	try {
		const decrypter = new Decrypter();
		decrypter.addPassphrase(key);
		yield* await decrypter.decrypt(streamOf(whole));
	} catch (error) {
		if (error instanceof OperationError) throw error;
		throw new OperationError(`${name} is damaged, not complete, or of another BACKUP_KEY_FILE`);
	}
}

/** Whether a file with this beginning is sealed. @throws OperationError when it is not, and has to be */
export function requireSeal(head: Uint8Array, { onlySealed }: Opening, name: string): boolean {
	const sealed = isSealed(head);
	if (sealed || !onlySealed) return sealed;
	throw new OperationError(
		`${name} is not sealed, and BACKUP_KEY_FILE is set: anybody can have written it; if you know it, give --unsealed`,
	);
}

const streamOf = (content: AsyncIterable<Uint8Array>) => new Response(content).body ?? new ReadableStream<Uint8Array>();

/** The first bytes of a content, and all of it. */
async function begin(content: AsyncIterable<Uint8Array>) {
	const source = content[Symbol.asyncIterator]();
	let head = Buffer.alloc(0);
	while (head.length < magic.length) {
		const { done, value } = await source.next();
		if (done) break;
		head = Buffer.concat([head, value]);
	}
	async function* whole() {
		yield head;
		yield* { [Symbol.asyncIterator]: () => source };
	}
	return { head, whole: whole() };
}
