/** Files that appear whole and survive a power cut. Our own: write-file-atomic does not sync the folder. */
import {
	chmodSync,
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orUndefined } from '../vocabulary/errors.ts';
import { isRunning } from './running.ts';

/** Writes a file completely or not at all, private unless `mode` says otherwise. @throws the error of the system */
export function writeDurably(path: string, content: string | Uint8Array, mode?: number): void {
	writeWhole(path, (partial) => {
		writeFileSync(partial, content);
		if (mode !== undefined) chmodSync(partial, mode);
	});
}

/** Makes a file completely or not at all. @param fill writes to a private, empty file, which then takes the place of `path` */
export function writeWhole<T>(path: string, fill: (partial: string) => T): T {
	const partial = partialPath(path);
	// Created exclusively, so that no file or link that somebody placed there is overwritten.
	closeSync(openSync(partial, 'wx', 0o600));
	try {
		const result = fill(partial);
		publish(partial, path);
		return result;
	} finally {
		// The file can be a database.
		orUndefined(() => removeDatabase(partial));
	}
}

/** Removes a database and the files of SQLite beside it. */
export function removeDatabase(path: string): void {
	// A read-only disk refuses to remove even a file that is not there.
	for (const file of ['', '-journal', '-wal', '-shm'].map((suffix) => `${path}${suffix}`))
		if (existsSync(file)) rmSync(file, { force: true });
}

/** Parses a JSON text. Returns undefined for any other text. */
export function parseJson(text: string): unknown {
	return orUndefined(() => JSON.parse(text));
}

/** Syncs a finished file, then renames it to `target` in one step and syncs the folder. */
export function publish(finished: string, target: string): void {
	syncToDisk(finished);
	// Tried before, because nothing may appear in a folder that cannot be opened for the sync.
	closeSync(openSync(dirname(target), 'r'));
	renameSync(finished, target);
	syncToDisk(dirname(target));
}

function syncToDisk(path: string): void {
	const file = openSync(path, 'r');
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/** The ids of the paths that this process made. A killed process can have had the same id; in a container it always has. */
const made = new Set<string>();

/** A hidden, unused path beside a file, under which this process writes it. */
export function partialPath(target: string): string {
	const folder = dirname(target);
	removeAbandoned(folder);
	const id = crypto.randomUUID();
	made.add(id);
	return join(folder, `.${basename(target)}.${process.pid}-${id}.partial`);
}

/** Removes the files at {@link partialPath} that killed processes left in a folder, unless they are of other users. */
export function removeAbandoned(folder: string): void {
	// A folder that this user may not list is reported by what is written to it.
	for (const found of orUndefined(() => readdirSync(folder)) ?? []) {
		const [, digits, id = ''] = /^\..+\.(\d+)-([\da-f-]{36})\.partial(?:-(?:journal|wal|shm))?$/.exec(found) ?? [];
		const pid = Number(digits);
		const isKept = id === '' || made.has(id) || (pid !== process.pid && isRunning(pid));
		if (!isKept) orUndefined(() => rmSync(join(folder, found), { force: true }));
	}
}
