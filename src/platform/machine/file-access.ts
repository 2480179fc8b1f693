/** Explains why a file cannot be used: the path, its owner, and the remedy. */
import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf, OperationError } from '../vocabulary/errors.ts';
import { userName } from './user-name.ts';

/** Whether a path has a file or folder. @throws OperationError when this user may not look */
export function isThere(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch (error) {
		if (codeOf(error) === 'ENOTDIR') return false;
		throw new OperationError(explainFileError(path, error));
	}
}

/** The size of a file in bytes, or 0 if there is none. */
export function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The free space on the disk of a path, in bytes. */
export function freeBytesAt(path: string): number {
	const { bavail, bsize } = statfsSync(path);
	return bavail * bsize;
}

const fullDisk = 'the disk is full, make room';

/** The problem of a path and its remedy, by the error of the operating system or of SQLite. */
const faults: Readonly<Record<string, string>> = {
	ENOSPC: fullDisk,
	EDQUOT: fullDisk,
	SQLITE_FULL: fullDisk,
	EROFS: 'the file system is mounted read-only, mount it with write access',
	ENOENT: 'it or its folder is not there, check the path',
	ENOTDIR: 'a part of the path is a file and not a folder, check the path',
	EISDIR: 'it is a folder, name a file',
	EEXIST: 'it is a file or a broken link, name a folder',
	ELOOP: 'its links lead in a circle, correct them',
	ENAMETOOLONG: 'a name in the path is too long, choose a shorter one',
	EMFILE: 'too many files are open, raise LimitNOFILE in the unit or ulimit -n',
	ENFILE: 'the machine has too many open files, close some or raise fs.file-max',
	EIO: 'the disk reports an error, check it',
};

/** The remedy if a database itself is at fault. */
export const restoreBackup = 'restore a backup';

/**
 * Explains an error of the operating system or of SQLite in one line: the path, its owner, and the remedy.
 * @param remedy what to do about a damaged database
 */
export function explainFileError(path: string, error: unknown, remedy = restoreBackup): string {
	const code = codeOf(error);
	if (code === 'SQLITE_NOTADB') {
		return `${path} is not a database of this program, or its first bytes are damaged: ${remedy}`;
	}
	if (code.startsWith('SQLITE_CORRUPT')) return `${path} is damaged: ${remedy}`;
	if (code.startsWith('SQLITE_BUSY')) return `${path} is in use by another process for too long: try again`;
	if (code === 'EACCES' || code === 'EPERM') return explainDenial(path);
	if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code)) return explainByTrying(path, error);
	return `cannot use ${path}: ${faults[code] ?? messageOf(error).replace(/^E[A-Z]+: (.*), .*$/, '$1')}`;
}

/** Works with a path. @param subject the beginning of an error's line. @throws OperationError with one line */
export function withExplanation<T>(path: string, work: () => T, subject = ''): T {
	try {
		return work();
	} catch (error) {
		const problem = error instanceof OperationError ? error.message : explainFileError(path, error);
		throw new OperationError(`${subject}${problem}`);
	}
}

/** A path or place as one word of a command that a message suggests. Bun alone would also quote every one with a digit. */
export const shellWord = (path: string) => (/^[\w./:@%+,=-]+$/.test(path) ? path : Bun.$.escape(path));

/** The free space that SQLite needs for its files beside a database, in bytes. */
const minRoom = 65_536;

/** Finds the reason by trying the path, because SQLite does not report why it cannot open or write a file. */
function explainByTrying(path: string, error: unknown): string {
	if (isThere(path) && !isUsable(path)) return explainDenial(path);
	try {
		if (isThere(path)) accessSync(path, mayUse);
		accessSync(dirname(path), constants.W_OK | constants.X_OK);
	} catch (reason) {
		return explainFileError(path, reason);
	}
	if (freeBytesAt(dirname(path)) < minRoom) return `cannot use ${path}: ${fullDisk}`;
	return `cannot use ${path}: ${messageOf(error)} (${codeOf(error)})`;
}

/** Names the file or folder that this user may not use, its owner, and the user. */
function explainDenial(path: string): string {
	const closed = findClosed(resolve(path));
	const owner = userName(lstatSync(closed).uid);
	const me = userName(process.geteuid?.());
	const whose = `${closed === resolve(path) ? 'it' : closed} belongs to ${owner}, this runs as ${me}`;
	// Root is told to run nothing as root: it works as the owner of the data folder.
	const isCaller = owner === userName(process.getuid?.());
	const other = `${isCaller ? '' : `run this as ${owner}, or `}change the owner or mode with chown or chmod`;
	const remedy = owner === me ? `run chmod u+rwX ${shellWord(closed)}` : other;
	return `cannot use ${path}: permission denied (${whose}): ${remedy}`;
}

/** The path, or the nearest folder above it that this user can see: nothing in that folder can be seen or made. */
function findClosed(path: string): string {
	try {
		if (lstatSync(path, { throwIfNoEntry: false })) return path;
	} catch {
		// The folder above is closed, or one further up.
	}
	return findClosed(dirname(path));
}

const mayUse = constants.R_OK | constants.W_OK;

/** Decides by the mode, because the system would answer for the calling user, while root works as another user. */
function isUsable(path: string): boolean {
	const { uid, gid, mode } = statSync(path);
	const me = process.geteuid?.();
	if (me === 0) return true;
	const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
	const ofOthers = groups.includes(gid) ? mode >> 3 : mode;
	const granted = uid === me ? mode >> 6 : ofOthers;
	return (granted & mayUse) === mayUse;
}
