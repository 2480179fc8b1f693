/** Copies of backups in a place: writes and verifies them, finds them, and opens them. */
import { basename } from 'node:path';
import { OperationError } from '../vocabulary/errors.ts';
import { describeFiles, futureProblem, type NamedBackup, sortBackups } from './names.ts';
import type { CopySource, Place } from './place.ts';
import { isSealed, type Opening, readHead, seal, unseal } from './sealing.ts';

/** The files that a machine needs besides its database. They are copied encrypted, so only with a key. */
const companions = ['secrets.json', 'access.conf'] as const;
type Companion = (typeof companions)[number];
export type Companions = Partial<Record<Companion, Blob>>;

/** Copies a backup to a place, unless it is there, and verifies the copy. @returns its path. @throws OperationError */
export async function copyTo(place: Place, backup: string, key?: string, beside: Companions = {}): Promise<string> {
	const name = `${basename(backup)}${key ? '.age' : ''}`;
	if (!(await place.list()).includes(name)) {
		// Written first, so that every copy has its secrets and settings.
		for (const each of companions) {
			const content = beside[each];
			if (key && content) await writeVerified(place, nameBeside(name, each), content, key);
		}
		await writeVerified(place, name, Bun.file(backup), key);
	}
	return `${place.name}/${name}`;
}

async function writeVerified(place: Place, name: string, file: Blob, key: string | undefined): Promise<void> {
	const content = file.stream();
	const written = new Bun.CryptoHasher('sha256');
	try {
		await place.write(name, hashChunks(key ? seal(content, key) : content, written));
		const read = new Bun.CryptoHasher('sha256');
		for await (const bytes of place.read(name)) read.update(bytes);
		if (read.digest('hex') === written.digest('hex')) return;
		throw new OperationError(`${place.name}/${name} differed from the written data and was removed: check the place`);
	} catch (error) {
		// Without this, the next run would take an unverified file for a copy, also one that arrived too late.
		await place.remove(name).catch(() => {});
		throw error;
	}
}

async function* hashChunks(content: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher) {
	for await (const bytes of content) {
		hash.update(bytes);
		yield bytes;
	}
}

/** Removes the automatic copies from before a time, and the files beside them. @returns the names of the copies */
export async function removeBefore(place: Place, time: Date): Promise<string[]> {
	const files = await place.list();
	const old = sortBackups(files).past.filter(({ kind, at }) => kind === 'automatic' && at < time);
	const removed = old.map(({ name }) => name);
	const beside = removed.flatMap((name) => companions.map((each) => nameBeside(name, each)));
	for (const name of [...removed, ...beside]) if (files.includes(name)) await place.remove(name);
	return removed;
}

/** The name of a file beside a backup. */
export function nameBeside(name: string, companion: Companion): string {
	return `${name.replace(/(?:\.db)?(?:\.age)?$/, '')}.${companion}.age`;
}

/**
 * The newest backup of a place that a restore accepts, if there is one, and the problem of the backups that it skips. A
 * name may be wrong, so the first bytes say whether it is sealed.
 * @throws OperationError
 */
export async function findNewest(place: CopySource, opening: Opening) {
	const { past, future } = sortBackups(await place.list());
	const refused: string[] = [];
	let newest: NamedBackup | undefined;
	for (const backup of past.toReversed()) {
		const { name } = backup;
		const mayBeSealed = name.endsWith('.age') && (newest !== undefined || isSealed(await readHead(place, name)));
		if (opening.takes(mayBeSealed)) newest ??= backup;
		else refused.push(name);
	}
	// Without an accepted backup, a refused one may be needed.
	const remedy = newest ? 'remove it' : 'restore it with --unsealed if you trust it';
	const why = opening.onlySealed
		? `not sealed, so it is ignored: ${remedy}`
		: 'sealed: set BACKUP_KEY_FILE (recover: --key-file)';
	const problems = [futureProblem(future, place.name), describeFiles(refused, place.name, why)];
	return { newest, problem: problems.filter((each) => each !== undefined).join('; ') || undefined };
}

/** @throws OperationError when the place has no backup that a restore accepts */
export async function getNewest(place: CopySource, opening: Opening) {
	const { newest, problem } = await findNewest(place, opening);
	if (newest === undefined)
		throw new OperationError(`there is no backup in ${place.name}: ${problem ?? 'check its name'}`);
	return { name: newest.name, problem };
}

/** The text of a file beside a backup. The program writes only encrypted ones. */
export async function readBeside(
	place: CopySource,
	name: string,
	companion: Companion,
	opening: Opening,
): Promise<string | undefined> {
	const beside = nameBeside(name, companion);
	if (!(await place.list()).includes(beside)) return undefined;
	return Buffer.concat(await Array.fromAsync(unseal(place, beside, opening))).toString();
}
