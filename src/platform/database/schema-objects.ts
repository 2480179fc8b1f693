import type { Database } from 'bun:sqlite';

/** The statements of a schema's tables, indexes, triggers and views, by a name such as `table stores`. */
export type SchemaObjects = Readonly<Record<string, string>>;

/** The schema of a database, without the tables of `ANALYZE` and Litestream, which an operator may run. */
export function listObjects(client: Database): SchemaObjects {
	const rows = client.query(
		`select type || ' ' || name, tbl_name || ' ' || coalesce(sql, '') from sqlite_schema
		where name not glob 'sqlite_stat*' and name not in ('_litestream_seq', '_litestream_lock')`,
	);
	return Object.fromEntries(rows.values());
}
