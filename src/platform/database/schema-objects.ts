import type { Database } from 'bun:sqlite';

/** What a schema has under one name, such as `table stores`: a table, an index, a trigger or a view, and the statement that made it. */
export type SchemaObjects = Readonly<Record<string, string>>;

/** The schema of a database, without what `ANALYZE` and Litestream, which an operator may run beside the service, leave there. */
export function objectsIn(client: Database): SchemaObjects {
	const rows = client.query(
		`select type || ' ' || name, tbl_name || ' ' || coalesce(sql, '') from sqlite_schema
		where name not glob 'sqlite_stat*' and name not in ('_litestream_seq', '_litestream_lock')`,
	);
	return Object.fromEntries(rows.values());
}
