/** Copies of backups in a place: written, read back and compared; found again, and fetched. */
import { readSync } from 'node:fs';
import { basename } from 'node:path';
import { isThere } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { backupsAmong, futureProblem } from './names.ts';
import { type Place, writeNew } from './place.ts';
import { type Opening, requireSeal, seal, unseal } from './sealing.ts';

/**
 * Copies a backup to a place, unless it is there, and proves it. @returns where it is. @throws OperationError
 * @param secrets the file of the secrets that are kept beside it, which needs a key.
 */
export async function copyTo(place: Place, backup: string, key?: string, secrets?: string): Promise<string> {
	const name = `${basename(backup)}${key ? '.age' : ''}`;
	if (!(await place.list()).includes(name)) {
		// First, so that a copy that is there always has its secrets.
		if (key && secrets && isThere(secrets)) await writeProven(place, secretsBeside(name), secrets, key);
		await writeProven(place, name, backup, key);
	}
	return `${place.name}/${name}`;
}

async function writeProven(place: Place, name: string, path: string, key: string | undefined): Promise<void> {
	const content = Bun.file(path).stream();
	const written = new Bun.CryptoHasher('sha256');
	await place.write(name, hashing(key ? seal(content, key) : content, written));
	try {
		const read = new Bun.CryptoHasher('sha256');
		for await (const bytes of place.read(name)) read.update(bytes);
		if (read.digest('hex') === written.digest('hex')) return;
		throw new OperationError(`${place.name}/${name} was not what had been written, and is removed: check the place`);
	} catch (error) {
		// One that is not proven would be taken for a copy the next time.
		await place.remove(name).catch(() => {});
		throw error;
	}
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher) {
	for await (const bytes of content) {
		hash.update(bytes);
		yield bytes;
	}
}

/** Removes the automatic copies, and their secrets, from before a time. @returns the names of the copies. */
export async function removeBefore(place: Place, time: Date): Promise<string[]> {
	const files = await place.list();
	const removed = backupsAmong(files)
		.past.filter(({ kind, at }) => kind === 'automatic' && at < time)
		.map(({ name }) => name);
	const secrets = removed.map(secretsBeside).filter((name) => files.includes(name));
	for (const name of [...removed, ...secrets]) await place.remove(name);
	return removed;
}

function secretsBeside(name: string): string {
	return `${name.replace(/(?:\.db)?(?:\.age)?$/, '')}.secrets.json.age`;
}

/** The newest backup of a place, if there is one, and what is to be said of others. @throws OperationError */
export async function newestIn(place: Place) {
	const { past, future } = backupsAmong(await place.list());
	return { newest: past.at(-1), problem: futureProblem(future, place.name) };
}

/**
 * Fetches a backup, or the newest one when its name is `latest`, into a new file, which stays when the secrets cannot be read.
 * @returns its name, the text of the secrets beside it if there are any, and what is to be said of other backups.
 */
export async function fetchFrom(place: Place, wanted: string, into: string, opening: Opening) {
	const { newest, problem } = await newestIn(place);
	const name = wanted === 'latest' ? newest?.name : wanted;
	if (name === undefined)
		throw new OperationError(`there is no backup in ${place.name}${problem ? `: ${problem}` : ''}`);
	await writeNew(into, unseal(place.read(name), opening, `${place.name}/${name}`));
	return { name, secrets: await readSecretsBeside(place, name, opening), problem };
}

/** The text of the secrets beside a backup; the program only makes sealed ones. */
async function readSecretsBeside(place: Place, name: string, opening: Opening): Promise<string | undefined> {
	const beside = secretsBeside(name);
	if (!(await place.list()).includes(beside)) return undefined;
	const content = unseal(place.read(beside), opening, `${place.name}/${beside}`);
	return Buffer.concat(await Array.fromAsync(content)).toString();
}

/** Unseals a backup in an open file to another file. @returns false, and nothing is written, when it is not sealed. */
export async function unsealFile(file: number, name: string, into: string, opening: Opening): Promise<boolean> {
	const head = Buffer.alloc(64);
	readSync(file, head, 0, head.length, 0);
	if (!requireSeal(head, opening, name)) return false;
	await writeNew(into, unseal(Bun.file(file).stream(), opening, name));
	return true;
}
