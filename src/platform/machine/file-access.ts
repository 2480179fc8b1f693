/** Explains why a file cannot be used: the path, its owner, and the remedy. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
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
	EEXIST: 'it is a file, name a folder',
	ELOOP: 'its links lead in a circle, correct them',
	ENAMETOOLONG: 'a name in the path is too long, choose a shorter one',
	EMFILE: 'too many files are open, raise LimitNOFILE in the unit or ulimit -n',
	ENFILE: 'the machine has too many open files, close some or raise fs.file-max',
	EIO: 'the disk reports an error, check it',
};

/** Explains an error of the operating system or of SQLite in one line: the path, its owner, and the remedy. */
export function explainFileError(path: string, error: unknown): string {
	const code = codeOf(error);
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

/** Whether {@link explainFileError} can explain an error. */
export function isFileError(error: unknown): boolean {
	return /^(SQLITE_|E[A-Z]+$)/.test(codeOf(error));
}

/** The free space that SQLite needs for its files beside a database, in bytes. */
const minRoom = 65_536;

/** Finds the reason by trying the path, because SQLite does not report why it cannot open or write a file. */
function explainByTrying(path: string, error: unknown): string {
	if (isThere(path) && !allows(path, mayUse)) return explainDenial(path);
	try {
		if (isThere(path)) accessSync(path, mayUse);
		accessSync(dirname(path), constants.W_OK | constants.X_OK);
	} catch (reason) {
		return explainFileError(path, reason);
	}
	const { bavail, bsize } = statfsSync(dirname(path));
	if (bavail * bsize < minRoom) return `cannot use ${path}: ${fullDisk}`;
	return `cannot use ${path}: ${messageOf(error)} (${codeOf(error)})`;
}

/** Names the file or folder that this user may not use, its owner, the user, and the command that corrects it. */
function explainDenial(path: string): string {
	const goal = resolve(path);
	const me = userName(process.geteuid?.());
	try {
		const closed = findClosed(goal);
		const owner = `${closed === goal ? 'it' : closed} belongs to ${findOwner(closed)}`;
		const command = suggestCommand(closed, goal, me);
		return `cannot use ${path}: permission denied (${owner}, this runs as ${me}): run ${command}`;
	} catch {
		// Something other than owners and modes forbids it, such as a security module.
		return `cannot use ${path}: permission denied (this runs as ${me})`;
	}
}

/**
 * The first folder on the way to a path that this user may not enter, else the path itself, else the folder above it.
 */
function findClosed(path: string): string {
	const closed = listFolders(dirname(path)).find((each) => !allows(each, constants.X_OK)) ?? path;
	return statSync(closed, { throwIfNoEntry: false }) ? closed : dirname(closed);
}

function listFolders(folder: string): string[] {
	return folder === dirname(folder) ? [folder] : [...listFolders(dirname(folder)), folder];
}

/** The command for the owner of a file or folder, or for root, that lets this user use it. */
function suggestCommand(closed: string, goal: string, me: string): string {
	const found = statSync(closed);
	const owner = userName(found.uid);
	if (owner === me) return `chmod u+rwX ${closed}`;
	// The owner is a user of another machine, as on the disk of a lost one.
	if (owner === `user ${found.uid}`) return `chown -R ${me} ${closed} as root`;
	if (found.uid !== 0) return `sudo -u ${owner} access …`;
	const isLeftByRoot = findOwner(dirname(closed)) === me || (closed === goal && found.isDirectory());
	return isLeftByRoot
		? `chown -R ${me} ${closed} as root`
		: `this command as root, or name another path that ${me} may use`;
}

const mayUse = constants.R_OK | constants.W_OK;

/** Decides by the mode, because the system would answer for the calling user, while root works as another user. */
function allows(path: string, wanted: number): boolean {
	const { uid, gid, mode } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0, mode: 0 };
	const me = process.geteuid?.();
	const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
	const granted = mode >> (uid === me ? 6 : groups.includes(gid) ? 3 : 0);
	return me === 0 || (granted & wanted) === wanted;
}

function findOwner(path: string): string {
	return userName(statSync(path, { throwIfNoEntry: false })?.uid);
}
