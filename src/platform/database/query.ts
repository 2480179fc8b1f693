/**
 * The program's use of SQLite:
 *
 * - Reads are Drizzle queries, prepared once per database: {@link queries}. Several of them need no transaction: nothing
 *   runs in between, and other processes write only about administrators.
 * - Writes are Drizzle statements, run inside {@link transaction}.
 * - Raw SQL (`db.$client.prepare`) is only for statements that Drizzle cannot express, or that run for thousands of rows in
 *   one transaction. The reason stands beside it.
 */
import { type Column, type SQL, sql } from 'drizzle-orm';
import { AppError, messageOf } from '../vocabulary/errors.ts';
import { checkpointPages, type Db } from './open.ts';
import { databaseMessages, isStorageError, reportFailure, requireInPlace } from './storage.ts';

/** Rejects async callbacks at compile time, because a transaction commits at the first `await` of its callback. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs the work in one immediate transaction: all of it is stored or none, and nobody else writes in between. There is
 * one connection, so every statement of `db` belongs to the transaction, and an inner transaction is part of the outer
 * one; see {@link Db}. @throws AppError SERVICE_UNAVAILABLE and changes nothing when the work cannot be stored
 */
export function transaction<T>(db: Db, work: () => Synchronous<T>): T {
	const { storage } = db;
	endSharedReads(db);
	try {
		requireInPlace(storage);
		const result = db.transaction(work, { behavior: 'immediate' });
		for (const listener of listenersTo(db)) listener();
		// Checked again: a write into a file that was removed meanwhile must not be confirmed.
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

/** Writes something that the request does not depend on. If it cannot be stored, the request continues. */
export function writeIfPossible(db: Db, write: () => void): void {
	try {
		transaction(db, write);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
	}
}

const listenersTo = prepared(() => new Set<() => void>());

/**
 * Calls a listener after each transaction, also after an inner one, which may be rolled back. @returns a function that
 * removes the listener
 */
export function afterEachTransaction(db: Db, listener: () => void): () => void {
	listenersTo(db).add(listener);
	return () => listenersTo(db).delete(listener);
}

/** A pause in which waiting requests are served, in milliseconds. `setImmediate` would run before them. */
const restBeforeCopying = 50;

/**
 * A transaction for a change of thousands of rows. Within the commit, SQLite would copy them from the log into the
 * database, which takes as long again. So they are copied a little later, and other requests are served in between.
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

function copyLog(db: Db): void {
	try {
		endSharedReads(db);
		db.$client.run('pragma wal_checkpoint(passive)');
	} catch {
		// A closed database has copied its log. Otherwise the next commit tries again and reports the problem.
	}
}

/** Builds statements, and their memory, once per database: building one costs ten times as much as running it. */
export function prepared<T>(build: (db: Db) => T): (db: Db) => T {
	const built = new WeakMap<Db, T>();
	return (db) => built.getOrInsertComputed(db, build);
}

/**
 * The reads of a file, built by Drizzle and prepared once per database: `const read = queries(({ select }) => ({ byId:
 * select(columns).from(stores).where(…) }))`, then `read(db).byId.get({ id })`.
 */
export function queries<Built extends Readonly<Record<string, { prepare(): unknown }>>>(
	build: (reader: Pick<Db, 'select'>) => Built,
) {
	return prepared((db) => {
		const built = Object.entries(build({ select: db.select.bind(db) as Db['select'] }));
		return Object.fromEntries(built.map(([name, query]) => [name, query.prepare()])) as {
			[Name in keyof Built]: ReturnType<Built[Name]['prepare']>;
		};
	});
}

/** A value that each run of a prepared statement gives. */
export const param = sql.placeholder;

/** Tests a column for the values of a placeholder, a JSON array, so that one statement serves a list of any length. */
export function inJsonArray(column: Column | SQL, name: string): SQL {
	return sql`${column} in (select value from json_each(${param(name)}))`;
}

const sharing = new WeakSet<Db>();

/**
 * Puts all reads of this turn of the event loop, also those of other requests, into one transaction. Beginning and ending
 * one takes longer than reading an employee. A write ends it first.
 */
export function shareReads(db: Db): void {
	if (db.$client.inTransaction) return;
	db.$client.run('begin');
	sharing.add(db);
	setImmediate(endSharedReads, db);
}

/** Ends the transaction of {@link shareReads}, if it is open. */
export function endSharedReads(db: Db): void {
	if (!sharing.delete(db)) return;
	try {
		db.$client.run('commit');
	} catch {
		// SQLite has ended it already: after a disk error, or because the database was closed.
	}
}

/** Whether data that is read now may be rolled back: a transaction other than that of {@link shareReads} is open. */
export const canBeRolledBack = (db: Db) => db.$client.inTransaction && !sharing.has(db);

/** Runs a write. @param taken makes the error of each unique column, by its name in SQL, such as `employees.phone` */
export function mapUniqueViolation<T>(write: () => T, taken: Readonly<Record<string, () => Error>>): T {
	try {
		return write();
	} catch (error) {
		const [, column = ''] = /^UNIQUE constraint failed: (.+)$/.exec(messageOf(error)) ?? [];
		throw taken[column]?.() ?? error;
	}
}
