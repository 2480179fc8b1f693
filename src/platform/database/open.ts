import { Database, SQLiteError } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { BunSQLiteDatabase, SQLiteBunSession } from 'drizzle-orm/bun-sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { explainFileError, isThere, restoreBackup, sizeOf, withExplanation } from '../machine/file-access.ts';
import { OperationError } from '../vocabulary/errors.ts';
import { isDamage } from './failure.ts';
import { migrations } from './migrations.ts' with { type: 'macro' };
import { findSchemaDifference, schemaVersion as presentSchema } from './schema-version.ts';
import { spellNames } from './spelling.ts';
import { storageAt } from './storage.ts';

/** The open database: Drizzle on one bun:sqlite connection (`$client`), and the disk under it. `using` closes it. */
export type Db = ReturnType<typeof drizzleOn> & Disposable;

/** Marks a file as this program's ("ACCS"), so that a foreign database is refused. */
const applicationId = 0x41434353;

/** The size up to which opening a file checks every page, in some 25 ms. `access check` checks larger files. */
const maxInspected = 16 * 1024 * 1024;

/** The number of pages in the log at which a commit copies them into the database. */
export const checkpointPages = 1000;

/** Settings that are read back, because a pragma fails silently. */
export const pragmas: readonly [name: string, value: number][] = [
	['synchronous', 2], // FULL: an acknowledged write survives a power cut
	['trusted_schema', 0],
	['cell_size_check', 1],
	['wal_autocheckpoint', checkpointPages],
	['journal_size_limit', 67_108_864],
	['temp_store', 2],
];

/**
 * The page cache of the server: 32 MiB (a negative number counts KiB) instead of 2 MiB. With 2 MiB, reading a store
 * with its people takes almost three times as long in a chain of a million. Commands read everything once, so the
 * default is enough.
 */
const serverCache = -32_768;

type Progress = (step: string) => void;

/** The work after a migration that SQL alone cannot do, by the schema version that the migration makes. */
const afterMigration: Readonly<Record<number, (client: Database, progress: Progress) => void>> = { 6: spellNames };

/** Callbacks of a caller while a database is opened. */
interface OpenOptions {
	/** Called before a database of this schema version is migrated. */
	beforeUpgrade?: (version: number) => void;
	/** Receives the progress of a long migration. */
	progress?: Progress;
}

/**
 * Opens the database file (or `:memory:`), creates a missing one, and migrates its schema.
 * @throws OperationError when the file is damaged or cannot be written, belongs to another program, or is newer than this one
 */
export function openDatabase(path: string, { beforeUpgrade, progress = () => {} }: OpenOptions = {}): Db {
	if (isThere(path)) {
		const version = inspectDatabase(path, 'quick');
		if (version > 0 && version < presentSchema) beforeUpgrade?.(version);
	}
	return open(path, (client) => {
		migrate(client, progress);
		// Changes nothing, but fails for a file that this user may only read: SQLite opens it all the same.
		client.run('delete from installation where false');
		setPragma(client, 'cache_size', serverCache);
	});
}

/** Whether a path has a database. SQLite takes a missing, empty or single-byte file for a new one. */
export function hasDatabase(path: string): boolean {
	return isThere(path) && (!statSync(path).isFile() || statSync(path).size > 1);
}

/** Opens a database without migrating it, also while a server runs. @throws OperationError, also for an older schema */
export function openExistingDatabase(path: string): Db {
	requireDatabaseFile(path);
	if (inspectDatabase(path, 'quick') < presentSchema) {
		throw new OperationError(`${path} is from an older version: start the server once to migrate it`);
	}
	return open(path);
}

function open(path: string, upgrade = (_client: Database) => {}): Db {
	const client = connect(path);
	try {
		prepareConnection(client, path);
		upgrade(client);
		// Set after the migration: with foreign keys enforced, the table rebuilds of drizzle-kit lose child rows.
		setPragma(client, 'foreign_keys', 1);
		// Reading one page creates the -wal file, whose identity `storageAt` records next.
		client.query('select 1 from sqlite_schema limit 1').get();
		return Object.assign(drizzleOn(client, path), { [Symbol.dispose]: () => closeDatabase(client) });
	} catch (error) {
		client.close();
		throw explainToOperator(path, error);
	}
}

/**
 * Writes each value as `+?`. Beside a column, in LIKE or after LIMIT, a bare `?` can make SQLite prepare the statement
 * again for every run, which takes up to twenty times as long as running it. The plus changes nothing else.
 */
class Dialect extends SQLiteSyncDialect {
	override escapeParam(): string {
		return '+?';
	}
}

/** Drizzle on the connection to a database. */
export function drizzleOn(client: Database, path: string) {
	const dialect = new Dialect();
	const db = new BunSQLiteDatabase('sync', dialect, new SQLiteBunSession(client, dialect, undefined), undefined);
	return Object.assign(db, { $client: client, storage: storageAt(path) });
}

/** Writes the write-ahead log into the database file and closes it. */
function closeDatabase(client: Database): void {
	try {
		// No wait for readers of other processes, because nobody could write meanwhile.
		client.run('pragma busy_timeout = 0');
		client.run('pragma wal_checkpoint(truncate)');
	} catch {
		// A full disk loses nothing: the log stays, and the next start reads it.
	} finally {
		client.close();
	}
}

/** @throws OperationError when there is no database at the path, or an empty one */
export function requireDatabaseFile(path: string): void {
	if (!isThere(path)) throw new OperationError(`there is no database at ${path}: check DATA_DIR, or restore a backup`);
	if (hasDatabase(path)) return;
	requireDatabaseOfLog(path);
	// A first start that was killed leaves an empty file, too.
	throw new OperationError(`${path} is empty: start the server if it never ran, or ${restoreBackup}`);
}

/** Requires that an existing path is a regular file: reading a pipe would never end. @throws OperationError */
function requireRegularFile(path: string, remedy: string): void {
	if (isThere(path) && !statSync(path).isFile()) throw new OperationError(`${path} is not a regular file: ${remedy}`);
}

/** The extent of a check: the structure of a small file, or everything with indexes and foreign keys. */
type Pages = 'quick' | 'full';

/**
 * Inspects a file: it must be a database of this program, have the schema of its version, and sound pages. Nothing in
 * it changes, but a write that a crash interrupted is undone.
 * @param remedy the end of an error's line
 * @param name names the file in an error, because a copy is gone when the error is read
 * @returns its schema version, 0 for an empty file
 * @throws OperationError when it is damaged, or newer than the program
 */
export function inspectDatabase(path: string, pages: Pages, remedy = restoreBackup, name = path): number {
	try {
		using client = connect(path, { readonly: true, remedy });
		requireOurs(client, name, remedy);
		const version = readNumber(client, 'pragma user_version');
		if (version > presentSchema) {
			const known = `this program knows ${presentSchema}, so a newer version wrote it`;
			throw new OperationError(`${name} has schema ${version}, but ${known}: install that version`);
		}
		const problem = findPageProblem(client, pages) ?? findSchemaProblem(client, version);
		if (problem !== undefined) throw new OperationError(`${name} ${problem}: ${remedy}`);
		return version;
	} catch (error) {
		// Damage concerns the named file. Any other error concerns the disk of the file that is read.
		throw explainToOperator(isDamage(error) ? name : path, error, remedy);
	}
}

/** Turns an error of SQLite into a line for the operator. Other errors stay as they are. */
function explainToOperator(path: string, error: unknown, remedy = restoreBackup): unknown {
	return error instanceof SQLiteError ? new OperationError(explainFileError(path, error, remedy)) : error;
}

/** The schema version of a database, which may be newer than this program. @throws OperationError */
export function readSchemaVersion(path: string): number {
	return withExplanation(path, () => {
		using client = connect(path, { readonly: true });
		requireOurs(client, path, restoreBackup);
		return readNumber(client, 'pragma user_version');
	});
}

/** @throws OperationError for the database of another program. An empty one can become ours. */
function requireOurs(client: Database, name: string, remedy: string): void {
	const isEmpty = client.query('select 1 from sqlite_schema').get() === null;
	const id = readNumber(client, 'pragma application_id');
	if (id === applicationId || (id === 0 && isEmpty)) return;
	throw new OperationError(`${name} is not a database of this program: ${remedy}`);
}

function findPageProblem(client: Database, pages: Pages): string | undefined {
	if (pages === 'full') return findIntegrityProblem(client);
	if (sizeOf(client.filename) > maxInspected) return undefined;
	return readText(client, 'pragma quick_check(1)') === 'ok' ? undefined : 'is damaged';
}

function findSchemaProblem(client: Database, version: number): string | undefined {
	const difference = findSchemaDifference(client, version);
	return difference && `does not have the schema of this program, ${difference}`;
}

/** The first problem with the pages, rows, indexes and foreign keys of a database. Undefined when it is sound. */
export function findIntegrityProblem(client: Database): string | undefined {
	if (readText(client, 'pragma integrity_check(1)') !== 'ok') return 'is damaged';
	const orphan = client.query<{ table: string }, []>('pragma foreign_key_check').get();
	return orphan === null ? undefined : `has orphaned rows in ${orphan.table}`;
}

/** Opens a connection without any settings. @throws OperationError */
export function connect(path: string, { readonly = false, remedy = restoreBackup } = {}): Database {
	for (const suffix of ['', '-wal', '-journal', '-shm']) requireRegularFile(`${path}${suffix}`, remedy);
	requireDatabaseOfLog(path);
	if (readonly && isThere(`${path}-journal`)) rollBack(path);
	return withExplanation(path, () => new Database(path, readonly ? { readonly } : { create: true, strict: true }));
}

/** Undoes a write that a crash interrupted, such as that of the first start: a connection that only reads cannot. */
function rollBack(path: string): void {
	using client = new Database(path, { readwrite: true, strict: true });
	client.query('select 1 from sqlite_schema').get();
}

/**
 * Requires the database of an existing log, because SQLite takes an empty file for a new database and deletes the log
 * beside it.
 * @throws OperationError when the database of a log is missing or empty
 */
export function requireDatabaseOfLog(path: string): void {
	const log = `${path}-wal`;
	if (hasDatabase(path) || sizeOf(log) === 0) return;
	const remedy = `restore a backup with access restore FILE, or move ${log} away`;
	throw new OperationError(`${path} is missing or empty, but its log ${log} is not: ${remedy}`);
}

function prepareConnection(client: Database, path: string): void {
	// Set first: everything after it may have to wait for another process.
	setPragma(client, 'busy_timeout', 5000);
	const mode = readText(client, 'pragma journal_mode = wal');
	if (mode !== (path === ':memory:' ? 'memory' : 'wal')) {
		throw new OperationError(`${path} cannot use a write-ahead log (journal_mode ${mode}): use a local disk`);
	}
	for (const [name, value] of pragmas) setPragma(client, name, value);
}

/** Runs each pending migration in one transaction. `user_version` is the schema version of a database. */
function migrate(client: Database, progress: Progress): void {
	const applied = readNumber(client, 'pragma user_version');
	for (const [index, statements] of migrations().slice(applied).entries()) {
		const version = applied + index + 1;
		const upgrade = client.transaction(() => {
			for (const statement of statements) client.run(statement);
			afterMigration[version]?.(client, progress);
			const orphans = client.query('pragma foreign_key_check').all();
			if (orphans.length > 0) throw new OperationError('the migration would leave orphaned rows: report this');
			client.run(`pragma application_id = ${applicationId}`);
			client.run(`pragma user_version = ${version}`);
		});
		upgrade.immediate();
	}
}

function setPragma(client: Database, name: string, value: number): void {
	client.run(`pragma ${name} = ${value}`);
	const got = readNumber(client, `pragma ${name}`);
	if (got !== value) throw new OperationError(`SQLite did not take the setting ${name} = ${value} (it is ${got})`);
}

function readNumber(client: Database, query: string): number {
	return Number(readText(client, query));
}

function readText(client: Database, query: string): string {
	return String(client.query(query).values()[0]?.[0]);
}
