/** The schema of a database, as SQLite stores it. */
import { Database } from 'bun:sqlite';
import { migrations } from './migrations.ts';

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

/** The same for two schemas that have the same objects. */
export function digestOf(objects: SchemaObjects): string {
	return new Bun.CryptoHasher('sha256').update(JSON.stringify([...objects].sort())).digest('base64url');
}

/**
 * The digest of the schema of each version, up to the first migration that fails: that one is reported when it is applied.
 * Imported as a Bun macro, because making a schema takes longer than the rest of opening a database.
 */
export function schemaDigests(): string[] {
	using memory = new Database(':memory:');
	const digests = [digestOf(objectsIn(memory))];
	try {
		for (const statements of migrations()) {
			for (const statement of statements) memory.run(statement);
			digests.push(digestOf(objectsIn(memory)));
		}
	} catch {}
	return digests;
}
