/**
 * How the program talks to SQLite:
 *
 * - Reads are Drizzle queries, prepared once per database: `queries(({ select }) => ({ byId: select(columns).from(…)… }))`.
 * - Writes are Drizzle statements, run inside {@link transaction}.
 * - SQL as text (`db.$client.prepare`) only where Drizzle cannot express the statement, or where
 *   it runs for thousands of rows in one transaction. The reason stands beside the text.
 */
import { type Column, type SQL, sql } from 'drizzle-orm';
import { AppError, messageOf } from '../vocabulary/errors.ts';
import { checkpointPages, type Db } from './open.ts';
import { databaseMessages, isStorageError, reportFailure, requireInPlace } from './storage.ts';

/** Rejects async callbacks at compile time: a transaction commits at the first `await` of its callback. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs the work in one immediate transaction: all of it is stored or none, and nobody else writes in between. There is one
 * connection, so every statement from `db` belongs to it, and a transaction inside of another one is part of it; see {@link Db}.
 * @throws AppError SERVICE_UNAVAILABLE when it could not be stored; nothing has changed then.
 */
export function transaction<T>(db: Db, work: () => Synchronous<T>): T {
	const { storage } = db;
	try {
		requireInPlace(storage);
		const result = db.transaction(work, { behavior: 'immediate' });
		for (const listener of listenersTo(db)) listener();
		// Again: a write into a file that was removed meanwhile must not be acknowledged.
		requireInPlace(storage);
		storage.lastUseFailed = false;
		storage.report(undefined);
		return result;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		reportFailure(storage, error);
		throw new AppError('SERVICE_UNAVAILABLE', databaseMessages.cannotWrite, { cause: error });
	}
}

const listenersTo = prepared(() => new Set<() => void>());

/** Calls a listener after each transaction, also one inside of another, which may still be undone. @returns what ends that. */
export function afterEachTransaction(db: Db, listener: () => void): () => void {
	listenersTo(db).add(listener);
	return () => listenersTo(db).delete(listener);
}

/** Milliseconds in which those who waited are answered. `setImmediate` would run before any of them. */
const restBeforeCopying = 50;

/**
 * The same for a change of thousands of rows. SQLite would copy them from the log into the database within the commit,
 * which takes as long again; so that is done somewhat later, and others are served in between.
 */
export function largeTransaction<T>(db: Db, work: () => Synchronous<T>): T {
	db.$client.run('pragma wal_autocheckpoint = 0');
	try {
		return transaction(db, work);
	} finally {
		db.$client.run(`pragma wal_autocheckpoint = ${checkpointPages}`);
		setTimeout(() => copyLog(db), restBeforeCopying);
	}
}

function copyLog({ $client }: Db): void {
	try {
		$client.run('pragma wal_checkpoint(passive)');
	} catch {
		// A database that was closed has copied its log. Otherwise the next commit tries again and says what is wrong.
	}
}

/** Builds statements, and what is kept in memory beside them, once per database: that costs ten times as much as running one. */
export function prepared<T>(build: (db: Db) => T): (db: Db) => T {
	const built = new WeakMap<Db, T>();
	return (db) => built.getOrInsertComputed(db, build);
}

/**
 * The reads of a file, built by Drizzle and prepared once per database:
 * `const read = queries(({ select }) => ({ byId: select(columns).from(stores).where(…) }))`, then `read(db).byId.get({ id })`.
 */
export function queries<Built extends Readonly<Record<string, Preparable>>>(
	build: (reader: Pick<Db, 'select'>) => Built,
) {
	return prepared((db) => {
		const built = Object.entries(build({ select: db.select.bind(db) as Db['select'] }));
		return Object.fromEntries(built.map(([name, query]) => [name, query.prepare()])) as {
			[Name in keyof Built]: ReturnType<Built[Name]['prepare']>;
		};
	});
}

interface Preparable {
	prepare(): unknown;
}

/**
 * The value of a placeholder in a condition, wrapped in a sub-select. A bare `?` in a join or in LIKE makes SQLite
 * prepare the statement again for every new value, which takes twenty times as long as running it.
 */
export function param(name: string): SQL {
	return sql`(select ${sql.placeholder(name)})`;
}

/** The column is one of the values of the placeholder, a JSON array: one statement serves a list of any length. */
export function inJsonArray(column: Column, name: string): SQL {
	return sql`${column} in (select value from json_each(${param(name)}))`;
}

/** Runs several reads on one state of the database. Taking the read lock once is also faster. Drizzle's own would take as long as a read. */
export function snapshot<T>(db: Db, work: () => Synchronous<T>): T {
	return db.$client.inTransaction ? work() : db.$client.transaction(work)();
}

/** Runs a write. @param taken makes the error of each unique column, by its name in SQL, such as `employees.phone`. */
export function mapUniqueViolation<T>(write: () => T, taken: Readonly<Record<string, () => Error>>): T {
	try {
		return write();
	} catch (error) {
		const [, column = ''] = /^UNIQUE constraint failed: (.+)$/.exec(messageOf(error)) ?? [];
		throw taken[column]?.() ?? error;
	}
}
