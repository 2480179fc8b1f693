import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { messageOf, OperationError } from '../errors.ts';
import { migrations } from './migrations.ts' with { type: 'macro' };
import { type Storage, storageAt, storageInMemory } from './storage.ts';

/** The open database: Drizzle over one bun:sqlite connection (`$client`), and the disk under it. */
export type Db = BunSQLiteDatabase & { $client: Database; storage: Storage };

/** Marks a file as this program's ("ACCS"), so that a foreign database is refused. */
const applicationId = 0x41434353;

/**
 * Up to this size a file is looked through before it is opened, in some 25 ms. Looking through a larger one would hold up
 * the start: the service has it done by another process while it serves.
 */
export const largestInspected = 16 * 1024 * 1024;

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

/** What the program does after a migration, by the schema version that the migration brings. */
export type AfterMigration = Readonly<Record<number, (client: Database, progress: (step: string) => void) => void>>;

/** What a caller wants to do or know while a database is opened. */
export interface OpenOptions {
	/** Called before an existing database is migrated. */
	beforeUpgrade?: (facts: DatabaseFacts) => void;
	/** Work that SQL alone cannot do, by the schema version after which it runs, in the migration's transaction. */
	afterMigration?: AfterMigration;
	/** Receives the progress of a long migration. */
	progress?: (step: string) => void;
}

/**
 * Opens the database file (or `:memory:`), creating it where there is none, brings its schema up to date and
 * sets it up to be durable.
 * @throws OperationError when the file is damaged, another program's, or newer than this program.
 */
export function openDatabase(
	path: string,
	{ beforeUpgrade, afterMigration = {}, progress = () => {} }: OpenOptions = {},
): Db {
	if (path !== ':memory:' && existsSync(path)) {
		refuseEmptied(path);
		const facts = inspectDatabase(path, statSync(path).size > largestInspected ? undefined : 'quick_check');
		if (facts.schemaVersion > 0 && facts.pendingMigrations > 0) beforeUpgrade?.(facts);
	}
	const client = connect(path);
	return closingOnError(client, path, () => {
		prepareConnection(client, path);
		migrate(client, afterMigration, progress);
		// Only now: while foreign keys are enforced, the table rebuilds drizzle-kit generates lose child rows.
		set(client, 'foreign_keys', 1);
		return dbOf(client, path);
	});
}

/** SQLite would take an emptied file for a new database, and throw its log away. */
function refuseEmptied(path: string): void {
	const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	// One byte is no more of a database than none.
	if (sizeOf(path) <= 1 && sizeOf(`${path}-wal`) > 0) {
		throw new OperationError(`${path} is empty though its log is not: restore a backup`);
	}
}

/**
 * Opens the database beside a server that may be using it, without migrating it.
 * @throws OperationError also when there is no database, or an older one.
 */
export function openExistingDatabase(path: string): Db {
	if (!existsSync(path)) throw new OperationError(`there is no database at ${path}: check DATA_DIR`);
	if (inspectDatabase(path, 'quick_check').pendingMigrations > 0) {
		throw new OperationError(`${path} is of an older version: start the server once to migrate it`);
	}
	const client = connect(path);
	return closingOnError(client, path, () => {
		prepareConnection(client, path);
		set(client, 'foreign_keys', 1);
		return dbOf(client, path);
	});
}

function dbOf(client: Database, path: string): Db {
	// A look at a page opens the log, which then is there to be looked after.
	client.query('select 1 from sqlite_schema limit 1').get();
	const storage = path === ':memory:' ? storageInMemory() : storageAt(path);
	return Object.assign(drizzle({ client }), { storage });
}

/** Folds the write-ahead log into the file and closes it. */
export function closeDatabase(db: Db): void {
	try {
		db.$client.run('pragma wal_checkpoint(truncate)');
	} finally {
		db.$client.close();
	}
}

/** What is known of a sound database file of this program. */
export interface DatabaseFacts {
	/** How many migrations it has seen. */
	schemaVersion: number;
	/** How many it has yet to see. */
	pendingMigrations: number;
}

/**
 * Looks at an existing file without touching it: whose it is and of which version, and with a `check` whether every page
 * of it is sound.
 * @throws OperationError when it is no sound database of this program, or newer than the program.
 */
export function inspectDatabase(path: string, check: 'quick_check' | 'integrity_check' | undefined): DatabaseFacts {
	const client = connect(path, { readonly: true });
	return closingOnError(client, path, () => {
		const empty = client.query('select 1 from sqlite_schema').get() === null;
		const id = pragmaNumber(client, 'application_id');
		if (id !== applicationId && !(id === 0 && empty)) {
			throw new OperationError(`${path} is not a database of this program: choose another one`);
		}
		const version = pragmaNumber(client, 'user_version');
		const pendingMigrations = migrations().length - version;
		if (pendingMigrations < 0) {
			throw new OperationError(`${path} was written by a newer version of this program: install that version`);
		}
		if (check && pragmaText(client, `pragma ${check}(1)`) !== 'ok') {
			throw new OperationError(`${path} is damaged: restore a backup`);
		}
		if (check === 'integrity_check' && client.query('pragma foreign_key_check').all().length > 0) {
			throw new OperationError(`${path} has orphaned rows: restore a backup`);
		}
		client.close();
		return { schemaVersion: version, pendingMigrations };
	});
}

function closingOnError<T>(client: Database, path: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		client.close();
		throw error instanceof SQLiteError ? new OperationError(explain(error, path)) : error;
	}
}

/** How many migrations this program knows: the version of the schema it writes. */
export function schemaVersion(): number {
	return migrations().length;
}

/** A bare connection. */
export function connect(path: string, { readonly = false } = {}): Database {
	try {
		return new Database(path, readonly ? { readonly } : { create: true, strict: true });
	} catch (error) {
		throw new OperationError(`cannot open ${path}: ${messageOf(error)}`);
	}
}

function prepareConnection(client: Database, path: string): void {
	// First: everything after it may have to wait for another process to let go.
	set(client, 'busy_timeout', 5000);
	const version = pragmaText(client, 'select sqlite_version()');
	if (compareVersions(version, oldestSafeSqlite) < 0) {
		throw new OperationError(`SQLite ${version} is too old, ${oldestSafeSqlite.join('.')} or newer is needed`);
	}
	const mode = pragmaText(client, 'pragma journal_mode = wal');
	if (mode !== (path === ':memory:' ? 'memory' : 'wal')) {
		throw new OperationError(`${path} cannot use a write-ahead log (journal_mode ${mode}): use a local disk`);
	}
	for (const [name, value] of pragmas) set(client, name, value);
}

/** `user_version` counts the migrations that were applied; each runs whole or not at all. */
function migrate(client: Database, afterMigration: AfterMigration, progress: (step: string) => void): void {
	const applied = pragmaNumber(client, 'user_version');
	migrations()
		.slice(applied)
		.forEach((statements, index) => {
			client
				.transaction(() => {
					for (const statement of statements) client.run(statement);
					const version = applied + index + 1;
					afterMigration[version]?.(client, progress);
					const orphans = client.query('pragma foreign_key_check').all();
					if (orphans.length > 0) throw new OperationError('the migration would leave orphaned rows: report this');
					client.run(`pragma application_id = ${applicationId}`);
					client.run(`pragma user_version = ${version}`);
				})
				.immediate();
		});
}

function set(client: Database, name: string, value: number): void {
	client.run(`pragma ${name} = ${value}`);
	const got = pragmaNumber(client, name);
	if (got !== value) throw new OperationError(`SQLite did not take the setting ${name} = ${value} (it is ${got})`);
}

function pragmaNumber(client: Database, name: string): number {
	return Number(pragmaText(client, `pragma ${name}`));
}

function pragmaText(client: Database, query: string): string {
	return String(client.query(query).values()[0]?.[0]);
}

function compareVersions(version: string, other: readonly number[]): number {
	const parts = version.split('.').map(Number);
	const index = other.findIndex((part, position) => parts[position] !== part);
	return index === -1 ? 0 : (parts[index] ?? 0) - (other[index] ?? 0);
}

function explain(error: SQLiteError, path: string): string {
	if (error.code === 'SQLITE_NOTADB') return `${path} is not a database of this program: choose another one`;
	if (error.code === 'SQLITE_CORRUPT') return `${path} is damaged: restore a backup`;
	return `cannot use ${path}: ${error.message} (${error.code})`;
}
