/** Files that cannot be used: which one, whose it is, and what to do about it. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, OperationError } from './errors.ts';
import { userName } from './user-name.ts';

/**
 * Whether there is a file or folder at a path.
 * @throws OperationError when this user may not look.
 */
export function isThere(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch (error) {
		if (codeOf(error) === 'ENOTDIR') return false;
		throw new OperationError(explainFileError(path, error));
	}
}

/**
 * Requires that a path, if anything is there, is a regular file: reading from a pipe would never end.
 * @throws OperationError with the remedy at its end.
 */
export function requireRegularFile(path: string, remedy: string): void {
	if (!isThere(path)) return;
	const found = statSync(path);
	if (found.isDirectory()) throw new OperationError(`${path} is a folder, not a file: ${remedy}`);
	if (!found.isFile()) throw new OperationError(`${path} is not a regular file: ${remedy}`);
}

/** One line for an error of the operating system or of SQLite: the path, its owner, and what to do. */
export function explainFileError(path: string, error: unknown): string {
	const code = codeOf(error);
	if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) return `cannot write ${path}: the disk is full, make room`;
	if (/^(EROFS)$/.test(code)) {
		return `cannot write ${path}: the file system is mounted read-only, mount it with write access`;
	}
	if (/^(EACCES|EPERM)$/.test(code)) return explainDenial(path);
	if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code)) return explainByTrying(path, error);
	return `cannot use ${path}: ${messageOf(error)}`;
}

/** Whether an error is one that {@link explainFileError} can explain. */
export function isFileError(error: unknown): boolean {
	return /^(SQLITE_|E[A-Z]+$)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** With less free space than this, in bytes, SQLite cannot make the files that it needs beside a database. */
const smallestRoom = 65_536;

/** SQLite does not report why it cannot open or write a file: the operating system does. */
function explainByTrying(path: string, error: unknown): string {
	try {
		if (isThere(path)) accessSync(path, constants.R_OK | constants.W_OK);
		accessSync(dirname(path), constants.W_OK | constants.X_OK);
	} catch (reason) {
		return explainFileError(path, reason);
	}
	const { bavail, bsize } = statfsSync(dirname(path));
	if (bavail * bsize < smallestRoom) return explainFileError(path, Object.assign(new Error(), { code: 'ENOSPC' }));
	return `cannot use ${path}: ${messageOf(error)} (${codeOf(error)})`;
}

/** Names the first file or folder on the way to a path that this user may not use. */
function explainDenial(path: string): string {
	const me = userName(process.geteuid?.());
	const closed = closedOn(path);
	const owner = ownerOf(closed);
	if (owner === me)
		return `cannot use ${path}: ${closed} does not let its owner ${me} use it, run chmod u+rwX ${closed}`;
	const folderOwner = ownerOf(dirname(closed));
	if (closed === path && folderOwner === me) {
		return `cannot use ${path}: it belongs to ${owner}, and its folder to ${me}; run chown ${me} ${path} as root`;
	}
	return `cannot use ${path}: ${closed} belongs to ${owner}; run this command as ${owner} or as root`;
}

function closedOn(path: string): string {
	const target = resolve(path);
	const parents = [dirname(target)];
	for (let folder = parents[0] ?? '/'; folder !== dirname(folder); folder = dirname(folder))
		parents.unshift(dirname(folder));
	const closed = parents.find((folder) => !allows(folder, constants.X_OK));
	if (closed !== undefined) return closed;
	const isMissing = statSync(target, { throwIfNoEntry: false }) === undefined;
	return isMissing || (allows(target, constants.R_OK | constants.W_OK) && !allows(dirname(target), constants.W_OK))
		? dirname(target)
		: target;
}

function allows(path: string, mode: number): boolean {
	try {
		accessSync(path, mode);
		return true;
	} catch {
		return false;
	}
}

function ownerOf(path: string): string {
	return userName(statSync(path, { throwIfNoEntry: false })?.uid);
}
