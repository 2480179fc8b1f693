/**
 * Root works in a data folder as the folder's owner, so that the server can use every file that a command leaves there.
 * The effective user is changed, instead of the files afterwards, so that root follows no link that the owner placed.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { groupsOf } from './user-name.ts';

/** Makes root, and no other user, continue as the owner of a folder or of the nearest existing folder above it. */
export function workAsOwnerOf(folder: string): void {
	if (process.geteuid?.() !== 0) return;
	const { uid, gid } = findNearestFolder(resolve(folder));
	// Root in a container may not be allowed to change anything. The folder can have another group than its owner.
	if (uid !== 0) become({ uid, gid: groupsOf(uid)[0] ?? gid });
}

/** Works as the user who called the command, for a port or a file outside the data folder. */
export function asCaller<T>(work: () => T): T {
	const [uid, gid] = [process.getuid?.(), process.getgid?.()];
	if (uid === undefined || gid === undefined || uid === process.geteuid?.()) return work();
	return asUser({ uid, gid }, work);
}

export interface UserIds {
	uid: number;
	gid: number;
}

/** Lets root work as another user and group. The work must be synchronous, because the whole process changes. */
export function asUser<T>(user: UserIds, work: () => T): T {
	const before = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
	become(user);
	try {
		return work();
	} finally {
		become(before);
	}
}

/** Continues with all groups of a user. Only root may change them, so the process is root again until the last step. */
function become({ uid, gid }: UserIds): void {
	process.seteuid?.(process.getuid?.() ?? uid);
	process.setgroups?.([gid, ...groupsOf(uid)]);
	process.setegid?.(gid);
	process.seteuid?.(uid);
}

function findNearestFolder(path: string): UserIds {
	return statSync(path, { throwIfNoEntry: false }) ?? findNearestFolder(dirname(path));
}
