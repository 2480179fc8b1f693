/** Copies of the database that are known to be good before they get their name. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { publish } from '../durable-file.ts';
import { messageOf, OperationError } from '../errors.ts';
import { connect, inspectDatabase } from './open.ts';
import { administrators, employeeRoles, employees, rolePermissions, roles, stores } from './schema.ts';

/** What a backup holds. */
export interface Backup {
	path: string;
	bytes: number;
	/** How many rows each table has. */
	rows: Record<string, number>;
}

/** The name of a backup made at a time, such as `backup-20261121T083000Z.db`. */
export function backupName(at: Date, prefix = 'backup'): string {
	return `${prefix}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
}

/**
 * Writes a consistent, verified copy of a database that may be in use. The copy appears under its name only when it is
 * complete, sound and on the disk; a failed one leaves nothing.
 * @throws OperationError
 */
export function backUp(source: string, target: string, progress: (step: string) => void): Backup {
	requireDatabase(source);
	if (existsSync(target)) throw new OperationError(`${target} exists already: choose another name`);
	const partial = join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
	try {
		removeAbandoned(target);
		progress(`copying ${statSync(source).size} bytes`);
		const [before, after] = copyAndCount(source, partial);
		progress('verifying the copy');
		inspectDatabase(partial, 'integrity_check');
		const rows = countRows(partial);
		requireRowsBetween(before, rows, after);
		publish(partial, target);
		return { path: target, bytes: statSync(target).size, rows };
	} catch (error) {
		if (error instanceof OperationError) throw error;
		throw new OperationError(`cannot back up ${source} to ${target}: ${messageOf(error)}`);
	} finally {
		removeDatabase(partial);
	}
}

/** What killed backups to the same file have left: the partial file of a process that is no more. */
function removeAbandoned(target: string): void {
	const partial = /^\.(.+)\.(\d+)\.partial(?:-journal)?$/;
	for (const name of readdirSync(dirname(target))) {
		const [, file, pid] = partial.exec(name) ?? [];
		if (file === basename(target) && !isRunning(Number(pid))) rmSync(join(dirname(target), name), { force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** @throws OperationError when there is no database at a path. */
export function requireDatabase(path: string): void {
	if (!existsSync(path)) throw new OperationError(`there is no database at ${path}: check DATA_DIR`);
}

/** Removes a database that is not needed, with whatever SQLite left beside it. */
export function removeDatabase(path: string): void {
	for (const suffix of ['', '-journal', '-wal', '-shm']) {
		if (existsSync(`${path}${suffix}`)) rmSync(`${path}${suffix}`);
	}
}

/** Removes the oldest automatic backups of a folder but for the newest `keep`; gives their names. */
export function removeOldBackups(folder: string, keep: number): string[] {
	const old = automaticBackups(folder).slice(0, -keep);
	for (const name of old) rmSync(join(folder, name));
	return old;
}

/** The automatic backups of a folder, oldest first. */
export function automaticBackups(folder: string): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => /^automatic-\d{8}T\d{6}Z\.db$/.test(name))
		.sort();
}

/** Copies, and counts the rows before and after: rows are never removed, so the copy must lie between. */
function copyAndCount(
	source: string,
	partial: string,
): [before: Record<string, number>, after: Record<string, number>] {
	const before = countRows(source);
	copyDatabase(source, partial);
	return [before, countRows(source)];
}

/** A consistent copy of a database in a new file, what is still in its log included. */
export function copyDatabase(source: string, target: string): void {
	const client = connect(source, { readonly: true });
	try {
		client.query('vacuum into ?').run(target);
	} finally {
		client.close();
	}
}

/** Of the tables whose rows are never removed; what is derived from them shrinks now and then. */
const countedTables = [administrators, stores, roles, employees, employeeRoles, rolePermissions].map(getTableName);

function countRows(path: string): Record<string, number> {
	const client = connect(path, { readonly: true });
	try {
		// A database that is about to be upgraded may not have all of them yet.
		const there = new Set(client.query("select name from sqlite_schema where type = 'table'").values().flat());
		const tables = countedTables.filter((table) => there.has(table));
		const rows = tables.map((table) => [
			table,
			client.query<{ rows: number }, []>(`select count(*) as rows from ${table}`).get()?.rows ?? 0,
		]);
		return Object.fromEntries(rows);
	} finally {
		client.close();
	}
}

function requireRowsBetween(
	before: Record<string, number>,
	rows: Record<string, number>,
	after: Record<string, number>,
): void {
	for (const [table, count] of Object.entries(before)) {
		const copied = rows[table] ?? -1;
		if (copied < count || copied > (after[table] ?? -1)) {
			throw new OperationError(`the copy of ${table} has ${copied} rows, not ${count}: check the disk`);
		}
	}
}
