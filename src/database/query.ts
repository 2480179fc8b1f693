import { SQLiteError } from 'bun:sqlite';
import { type Column, type GetColumnData, is, or, Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { storing } from './storage.ts';

/** A callback that returned a promise would commit at its first `await`: such a callback does not compile. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs the work in one immediate transaction: all of it or nothing, and nobody writes in between.
 * Statements made from `db` inside the callback belong to it, for there is one connection.
 * @throws AppError SERVICE_UNAVAILABLE when it could not be stored.
 */
export function transaction<T>(db: Db, work: () => Synchronous<T>): T {
	return storing(db.storage, () => db.transaction(() => work(), { behavior: 'immediate' }));
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

/** A query that Drizzle has built. */
interface BuiltQuery<Row> {
	toSQL(): { sql: string; params: unknown[] };
	readonly _: { readonly result: Row[] };
}

/** A prepared query; its placeholders are given by name. */
export interface Statement<Row> {
	get(values?: Values): Row | undefined;
	all(values?: Values): Row[];
}

/** The values of a statement's placeholders. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Prepares a query that Drizzle built and runs it without Drizzle: SQLite gives the rows as objects, which takes half as
 * long as mapping them. The selection has to be {@link named}.
 */
export function statement<Row>(db: Db, query: BuiltQuery<Row>): Statement<Row> {
	const { sql: text, params } = query.toSQL();
	const compiled = db.$client.prepare<Row, (string | number | boolean | null)[]>(text);
	const fixed = params.every((param) => !is(param, Placeholder));
	const bind = (values: Values = {}) =>
		params.map((param) => (is(param, Placeholder) ? (values[param.name] ?? null) : (param as string | number)));
	const constant = fixed ? bind() : undefined;
	return {
		get: (values) => compiled.get(...(constant ?? bind(values))) ?? undefined,
		all: (values) => compiled.all(...(constant ?? bind(values))),
	};
}

type Selected<C extends Column> = GetColumnData<C> extends boolean ? number : GetColumnData<C>;

/** A selection whose columns bear, in SQL too, the names they are selected under. A boolean comes as 0 or 1. */
export function named<Selection extends Record<string, Column>>(selection: Selection) {
	const entries = Object.entries(selection).map(([name, column]) => [name, sql`${column}`.as(name)]);
	return Object.fromEntries(entries) as { [Name in keyof Selection]: SQL.Aliased<Selected<Selection[Name]>> };
}

/**
 * The value of a placeholder in a condition. As a subquery, for SQLite plans a statement anew each time a value is bound
 * on which its plan could depend, in joins and LIKE: that takes twenty times as long as running it.
 */
export function bound(name: string): SQL {
	return sql`(select ${sql.placeholder(name)})`;
}

/** How many rows there are, as a column of a {@link statement}. */
export function count() {
	return sql<number>`count(*)`.as('total');
}

/** Runs reads that belong together on one state of the database; taking its lock once is also quicker. */
export function snapshot<T>(db: Db, work: () => Synchronous<T>): T {
	if (db.$client.inTransaction) return work();
	const { begin, end } = snapshotBounds(db);
	begin.run();
	try {
		return work();
	} finally {
		end.run();
	}
}

/** Prepared, for these two frame nearly every read; Drizzle's own transaction costs as much as a query. */
const snapshotBounds = prepared(({ $client }) => ({ begin: $client.prepare('begin'), end: $client.prepare('commit') }));

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
	return or(...columns.map((column) => sql`${column} like ${bound('pattern')} escape '\\'`));
}

/** The LIKE pattern of a substring in which every character stands for itself (decisions, "`keyword`"). */
export function substring(text: string): string {
	return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
