import { SQLiteError } from 'bun:sqlite';
import { type Column, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from './open.ts';

/** A callback that returned a promise would commit at its first `await`: such a callback does not compile. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs the work in one immediate transaction: all of it or nothing, and nobody writes in between.
 * Statements made from `db` inside the callback belong to it, for there is one connection.
 */
export function transaction<T>(db: Db, work: () => Synchronous<T>): T {
	return db.transaction(() => work(), { behavior: 'immediate' });
}

/**
 * Gives each database its own set of prepared statements, built on first use: building a query costs ten
 * times what running it does.
 */
export function prepared<T>(build: (db: Db) => T): (db: Db) => T {
	const built = new WeakMap<Db, T>();
	return (db) => {
		const known = built.get(db);
		if (known) return known;
		const statements = build(db);
		built.set(db, statements);
		return statements;
	};
}

/**
 * The same for a query whose conditions depend on which filters are given: one prepared statement for each
 * combination. `build` is told which filters are there; their values are placeholders.
 */
export function preparedByFilter<Filter extends object, T>(
	build: (db: Db, given: (filter: keyof Filter) => boolean) => T,
): (db: Db, filter: Filter) => T {
	const combinations = prepared(() => new Map<string, T>());
	return (db, filter) => {
		const known = combinations(db);
		const given = Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [key]));
		const key = given.sort().join();
		const statements = known.get(key) ?? build(db, (name) => given.includes(String(name)));
		known.set(key, statements);
		return statements;
	};
}

/** Runs a write and throws what `conflict` gives when it breaks a unique index. */
export function rejectingDuplicates<T>(write: () => T, conflict: () => Error): T {
	try {
		return write();
	} catch (error) {
		if (error instanceof SQLiteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') throw conflict();
		throw error;
	}
}

/** Some column contains the text of the placeholder `pattern`, which {@link substring} makes. */
export function matchesPattern(...columns: Column[]): SQL | undefined {
	return or(...columns.map((column) => sql`${column} like ${sql.placeholder('pattern')} escape '\\'`));
}

/** The LIKE pattern of a substring in which every character stands for itself (decisions, "`keyword`"). */
export function substring(text: string): string {
	return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
