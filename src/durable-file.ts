/** Files that appear whole and survive a power cut. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Gives a finished file its name in one step, once it is on the disk and private; then puts the name on the disk too. */
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
