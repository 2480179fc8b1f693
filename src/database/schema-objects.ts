/** The schema of a database, as SQLite stores it. */
import { Database } from 'bun:sqlite';

/** What a schema has under one name: a table, an index, a trigger or a view, and the statement that made it. */
export type SchemaObjects = ReadonlyMap<string, string>;

/** Without the statistics that `ANALYZE` leaves, which change no data. */
export function objectsIn(client: Database): SchemaObjects {
	const rows = client
		.query<{ type: string; name: string; tbl_name: string; sql: string | null }, []>(
			"select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite\\_stat%' escape '\\'",
		)
		.all();
	return new Map(rows.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${sql}`]));
}

/** The schema of an empty database, and the one after each of its migrations. */
export function* schemasOf(migrations: readonly string[][]): Generator<SchemaObjects> {
	using memory = new Database(':memory:');
	yield objectsIn(memory);
	for (const statements of migrations) {
		for (const statement of statements) memory.run(statement);
		yield objectsIn(memory);
	}
}

/** The same for two schemas that have the same objects. */
export function digestOf(objects: SchemaObjects): string {
	return new Bun.CryptoHasher('sha256').update(JSON.stringify([...objects].sort())).digest('base64url');
}
