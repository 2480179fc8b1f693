import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { migrations } from './migrations.ts' with { type: 'macro' };

/** The open database: Drizzle over one bun:sqlite connection (`$client`). */
export type Db = BunSQLiteDatabase & { $client: Database };

/** A database that cannot be used, with what to do about it in one line. */
export class DatabaseError extends Error {}

/** Marks a file as this program's ("ACCS"), so that a foreign database is refused. */
const applicationId = 0x41434353;

/** From here on SQLite is free of the WAL-reset corruption bug (3.7.0 to 3.51.2). */
const oldestSafeSqlite = [3, 51, 3] as const;

/** Settings that must read back as set; a pragma that fails does so silently. */
const pragmas: readonly [name: string, value: number][] = [
	['synchronous', 2], // FULL: an acknowledged write survives a power cut
	['trusted_schema', 0],
	['cell_size_check', 1],
	['wal_autocheckpoint', 1000],
	['journal_size_limit', 67_108_864],
	['temp_store', 2],
];

/**
 * Opens the database file (or `:memory:`), creating it where there is none, brings its schema up to date and
 * sets it up to be durable.
 * @throws DatabaseError when the file is damaged, another program's, or newer than this program.
 */
export function openDatabase(path: string): Db {
	if (path !== ':memory:' && existsSync(path)) inspect(path);
	const client = connect(path);
	try {
		prepareConnection(client, path);
		migrate(client);
		// Only now: while foreign keys are enforced, the table rebuilds drizzle-kit generates lose child rows.
		set(client, 'foreign_keys', 1);
		return drizzle({ client });
	} catch (error) {
		client.close();
		throw error instanceof SQLiteError ? new DatabaseError(explain(error, path)) : error;
	}
}

/** Folds the write-ahead log into the file and closes it. */
export function closeDatabase(db: Db): void {
	db.$client.run('pragma wal_checkpoint(truncate)');
	db.$client.close();
}

/** Looks at an existing file without touching it: only then is it opened for writing. */
function inspect(path: string): void {
	const client = connect(path, { readonly: true });
	try {
		const empty = client.query('select 1 from sqlite_schema').get() === null;
		const id = pragmaNumber(client, 'application_id');
		if (id !== applicationId && !(id === 0 && empty)) {
			throw new DatabaseError(`${path} is not a database of this program: choose another DATA_DIR`);
		}
		if (pragmaNumber(client, 'user_version') > migrations().length) {
			throw new DatabaseError(`${path} was written by a newer version of this program: install that version`);
		}
		const problem = pragmaText(client, 'pragma quick_check(1)', 'quick_check');
		if (problem !== 'ok') throw new DatabaseError(`${path} is damaged: restore a backup`);
	} catch (error) {
		throw error instanceof SQLiteError ? new DatabaseError(explain(error, path)) : error;
	} finally {
		client.close();
	}
}

function connect(path: string, { readonly = false } = {}): Database {
	try {
		return new Database(path, readonly ? { readonly } : { create: true, strict: true });
	} catch (error) {
		throw new DatabaseError(`cannot open ${path}: ${error instanceof Error ? error.message : error}`);
	}
}

function prepareConnection(client: Database, path: string): void {
	// First: everything after it may have to wait for another process to let go.
	client.run('pragma busy_timeout = 5000');
	const version = pragmaText(client, 'select sqlite_version() as value');
	if (compareVersions(version, oldestSafeSqlite) < 0) {
		throw new DatabaseError(`SQLite ${version} is too old, ${oldestSafeSqlite.join('.')} or newer is needed`);
	}
	const mode = pragmaText(client, 'pragma journal_mode = wal', 'journal_mode');
	if (mode !== (path === ':memory:' ? 'memory' : 'wal')) {
		throw new DatabaseError(`${path} cannot use a write-ahead log (journal_mode ${mode}): use a local disk`);
	}
	for (const [name, value] of pragmas) set(client, name, value);
}

/** `user_version` counts the migrations that were applied; each runs whole or not at all. */
function migrate(client: Database): void {
	const applied = pragmaNumber(client, 'user_version');
	migrations()
		.slice(applied)
		.forEach((statements, index) => {
			client
				.transaction(() => {
					for (const statement of statements) client.run(statement);
					const orphans = client.query('pragma foreign_key_check').all();
					if (orphans.length > 0) throw new DatabaseError('the migration would leave orphaned rows: report this');
					client.run(`pragma application_id = ${applicationId}`);
					client.run(`pragma user_version = ${applied + index + 1}`);
				})
				.immediate();
		});
}

function set(client: Database, name: string, value: number): void {
	client.run(`pragma ${name} = ${value}`);
	const got = pragmaNumber(client, name);
	if (got !== value) throw new DatabaseError(`SQLite did not take the setting ${name} = ${value} (it is ${got})`);
}

function pragmaNumber(client: Database, name: string): number {
	return Number(pragmaText(client, `pragma ${name}`, name));
}

function pragmaText(client: Database, query: string, column = 'value'): string {
	const row = client.query<Record<string, unknown>, []>(query).get();
	return String(row?.[column]);
}

function compareVersions(version: string, other: readonly number[]): number {
	const parts = version.split('.').map(Number);
	const index = other.findIndex((part, position) => parts[position] !== part);
	return index === -1 ? 0 : (parts[index] ?? 0) - (other[index] ?? 0);
}

function explain(error: SQLiteError, path: string): string {
	if (error.code === 'SQLITE_NOTADB') return `${path} is not a database: choose another DATA_DIR`;
	if (error.code === 'SQLITE_CORRUPT') return `${path} is damaged: restore a backup`;
	return `cannot use ${path}: ${error.message} (${error.code})`;
}
