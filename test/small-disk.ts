import { expect } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './program.ts';
import { noteUntested } from './untested.ts';

/** Mounts a small disk in memory. If mounting is not allowed, notes the untested part and returns undefined. */
export function smallDiskFor(what: string, mebibytes: number, path = newFolder()) {
	const mount = (...options: string[]) => Bun.spawnSync(['mount', ...options, path]).success;
	if (!mount('-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs')) {
		noteUntested(what, 'mounting a small disk takes root');
		return undefined;
	}
	const filler = join(path, 'filler');
	return {
		path,
		fill: () => expect(Bun.spawnSync(['dd', 'if=/dev/zero', `of=${filler}`]).success).toBe(false),
		makeRoom: () => rmSync(filler),
		makeReadOnly: () => expect(mount('-o', 'remount,ro')).toBe(true),
		[Symbol.dispose]: () => void Bun.spawnSync(['umount', '--lazy', path]),
	};
}
