/**
 * Root works in a data folder as the folder's owner, so that the server can use every file that a command leaves there.
 * The effective user is changed, not the files afterwards: root then follows no link that the owner placed.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** For root: goes on as the owner of a folder, or of the nearest one above it that exists. Does nothing for other users. */
export function workAsOwnerOf(folder: string): void {
	if (process.geteuid?.() !== 0) return;
	const { uid, gid } = nearestFolder(resolve(folder));
	// The group first: afterwards it may not be changed any more.
	process.setegid?.(gid);
	process.seteuid?.(uid);
}

/** Does what concerns a file outside the data folder, or a port, as the user who called the command. */
export function asCaller<T>(work: () => T): T {
	const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
	if (uid === undefined || gid === undefined || uid === process.getuid?.()) return work();
	process.seteuid?.(process.getuid?.() ?? uid);
	process.setegid?.(process.getgid?.() ?? gid);
	try {
		return work();
	} finally {
		process.setegid?.(gid);
		process.seteuid?.(uid);
	}
}

export interface UserIds {
	uid: number;
	gid: number;
}

/** For root: does what another user may do, with the groups of that user. It has to end at once: others would be that user, too. */
export function asUser<T>({ uid, gid }: UserIds, work: () => T): T {
	const groups = process.getgroups?.() ?? [];
	process.setgroups?.([gid]);
	process.setegid?.(gid);
	process.seteuid?.(uid);
	try {
		return work();
	} finally {
		process.seteuid?.(process.getuid?.() ?? 0);
		process.setegid?.(process.getgid?.() ?? 0);
		process.setgroups?.(groups);
	}
}

function nearestFolder(path: string): UserIds {
	return statSync(path, { throwIfNoEntry: false }) ?? nearestFolder(dirname(path));
}
