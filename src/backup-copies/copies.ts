/** Copies of backups in a place: written, read back and compared; found again, and fetched. */
import { readSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { isThere } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { type Place, writeNew } from './place.ts';
import { isSealed, type KeyIfAny, type SealingKey, seal, unseal } from './sealing.ts';

interface Options {
	key: SealingKey | undefined;
	/** How many automatic copies are kept. */
	keep: number;
	/** The secrets that are kept beside it, which needs a key. */
	secrets?: string | undefined;
}

const sealedEnding = '.enc';
const secretsEnding = '.secrets.enc';
const backupName = /^[a-z-]+-(\d{8}T\d{6}Z)(?:-(\d+))?\.db(?:\.enc)?$/;

/**
 * Copies a backup to a place, unless it is there, and proves that it can be read from there.
 * @returns where it is, whether it was there already, and the names of older copies that were removed.
 * @throws OperationError
 */
export async function copyTo(place: Place, backup: string, { key, keep, secrets }: Options) {
	const name = `${basename(backup)}${key ? sealedEnding : ''}`;
	const isOld = (await place.list()).includes(name);
	if (!isOld) {
		// First, so that a copy that is there always has its secrets.
		if (key && secrets && isThere(secrets)) await writeProven(place, secretsBeside(name), secrets, key);
		await writeProven(place, name, backup, key);
	}
	return { copy: `${place.name}/${name}`, isOld, removed: await removeOld(place, keep) };
}

async function writeProven(place: Place, name: string, path: string, key: SealingKey | undefined): Promise<void> {
	const content = () => Bun.file(path).stream();
	await place.write(name, key ? seal(content(), key) : content());
	try {
		const written = await digestOf(unseal(place.read(name), () => key));
		if (written === (await digestOf(content()))) return;
		throw new OperationError(`${place.name}/${name} was not what had been written, and is removed: check the place`);
	} catch (error) {
		// One that is not proven would be taken for a copy the next time.
		await place.remove(name).catch(() => {});
		throw error;
	}
}

async function digestOf(content: AsyncIterable<Uint8Array>): Promise<string> {
	const hash = new Bun.CryptoHasher('sha256');
	for await (const bytes of content) hash.update(bytes);
	return hash.digest('hex');
}

async function removeOld(place: Place, keep: number): Promise<string[]> {
	const files = await place.list();
	const automatic = inOrder(files).filter((name) => name.startsWith('automatic-'));
	const old = automatic.slice(0, -keep);
	const secrets = old.map(secretsBeside).filter((name) => files.includes(name));
	for (const name of [...old, ...secrets]) await place.remove(name);
	return old;
}

/** The backups among files, the oldest first. */
function inOrder(names: readonly string[]): string[] {
	const orderOf = (name: string) => {
		const [, time = '', count = '1'] = backupName.exec(name) ?? [];
		return `${time} ${count.padStart(9, '0')}`;
	};
	return names.filter((name) => backupName.test(name)).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function secretsBeside(name: string): string {
	return name.replace(/\.db(?:\.enc)?$/, secretsEnding);
}

/** The newest backup of a place and its time, or undefined. @throws OperationError */
export async function newestIn(place: Place): Promise<{ name: string; at: Date } | undefined> {
	const name = inOrder(await place.list()).at(-1);
	if (name === undefined) return undefined;
	return { name, at: new Date(name.replace(/^.*(\d{4})(..)(..)T(..)(..)(..)Z.*$/, '$1-$2-$3T$4:$5:$6Z')) };
}

/**
 * Fetches a backup, or the newest one when its name is `latest`, and the secrets that are kept beside it.
 * @param into the path of the new file.
 * @returns the name of the backup, and the text of the secrets if there are any.
 * @throws OperationError
 */
export async function fetchFrom(place: Place, wanted: string, into: string, keyIfAny: KeyIfAny) {
	const name = wanted === 'latest' ? (await newestIn(place))?.name : wanted;
	if (name === undefined) throw new OperationError(`there is no backup in ${place.name}`);
	await writeNew(into, unseal(place.read(name), keyIfAny));
	try {
		const beside = secretsBeside(name);
		if (!(await place.list()).includes(beside)) return { name };
		const parts = await Array.fromAsync(unseal(place.read(beside), keyIfAny));
		return { name, secrets: Buffer.concat(parts).toString() };
	} catch (error) {
		// It holds everything, decrypted.
		rmSync(into, { force: true });
		throw error;
	}
}

/**
 * Decrypts a backup in an open file to another file.
 * @returns false, and nothing is written, when it is not encrypted
 */
export async function unsealFile(file: number, into: string, keyIfAny: KeyIfAny): Promise<boolean> {
	const head = Buffer.alloc(64);
	readSync(file, head, 0, head.length, 0);
	if (!isSealed(head)) return false;
	await writeNew(into, unseal(Bun.file(file).stream(), keyIfAny));
	return true;
}
