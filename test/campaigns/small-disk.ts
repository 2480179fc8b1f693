/** A disk of its own in memory, small enough to be filled. */
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../program.ts';
import { noteUntested } from '../untested.ts';
import { NotPossibleHere } from './campaign.ts';

/** A mounted file system in memory. */
export class SmallDisk {
	readonly path: string;

	/** @throws NotPossibleHere when nothing may be mounted. */
	constructor(mebibytes: number) {
		this.path = newFolder();
		const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', this.path]);
		if (!mounted.success) {
			throw new NotPossibleHere('mounting a small disk takes root, or to run the campaign under `unshare -rm`');
		}
	}

	/** How many bytes are free. */
	get room(): number {
		const { bavail, bsize } = statfsSync(this.path);
		return bavail * bsize;
	}

	/** Leaves at most so many bytes free. */
	fill(room: number): void {
		const file = openSync(this.#filler, 'a');
		try {
			while (this.room > room) writeSync(file, Buffer.alloc(Math.min(65_536, this.room - room)));
		} catch {
			// Others took what was left.
		} finally {
			closeSync(file);
		}
	}

	/** Gives back what {@link fill} took. */
	makeRoom(): void {
		rmSync(this.#filler, { force: true });
	}

	/** Makes it writable or not; nobody may be writing to it. */
	setWritable(isWritable: boolean): void {
		const done = Bun.spawnSync(['mount', '-o', `remount,${isWritable ? 'rw' : 'ro'}`, this.path]);
		if (!done.success) throw new Error(`the small disk cannot be mounted again: ${done.stderr}`);
	}

	/** Unmounts it and drops its content, once nothing uses it any more. */
	[Symbol.dispose](): void {
		if (existsSync(this.path)) Bun.spawnSync(['umount', '--lazy', this.path]);
	}

	get #filler(): string {
		return join(this.path, 'filler');
	}
}

/** A small disk for a test; undefined, and a note of what is not tested, when nothing may be mounted. */
export function smallDiskFor(what: string, mebibytes: number): SmallDisk | undefined {
	try {
		return new SmallDisk(mebibytes);
	} catch (error) {
		if (!(error instanceof NotPossibleHere)) throw error;
		noteUntested(what, error.message);
		return undefined;
	}
}
