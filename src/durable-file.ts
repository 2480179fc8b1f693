/** Files that appear whole and survive a power cut. Our own: write-file-atomic does not sync the folder. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a finished file private and syncs it, then renames it to `target` in one step and syncs the folder. */
export function publish(finished: string, target: string): void {
	chmodSync(finished, 0o600);
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
