/** Files that appear whole and survive a power cut. Our own: write-file-atomic does not sync the folder. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUndefined } from '../vocabulary/errors.ts';

/**
 * Writes a file completely or not at all. It is private unless `mode` says otherwise. @throws the error of the system
 */
export function writeDurably(path: string, content: string | Uint8Array, mode?: number): void {
	const temporary = `${path}.new`;
	try {
		rmSync(temporary, { force: true });
		writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
		publish(temporary, path, mode);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

/** Parses a JSON text. Returns undefined for any other text. */
export function parseJson(text: string): unknown {
	return orUndefined(() => JSON.parse(text));
}

/** Sets the rights of a finished file and syncs it, then renames it to `target` in one step and syncs the folder. */
export function publish(finished: string, target: string, mode = 0o600): void {
	chmodSync(finished, mode);
	syncToDisk(finished);
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
