import { Database } from 'bun:sqlite';
import { migrations } from './migrations.ts' with { type: 'macro' };

/** What a schema has under one name: a table, an index, a trigger or a view, and the statement that made it. */
type SchemaObjects = ReadonlyMap<string, string>;

/**
 * The first difference between the schema of a database and the one that the migrations up to `version` create, such as
 * `trigger history_no_update is missing`; undefined when both are the same.
 */
export function schemaDifference(client: Database, version: number): string | undefined {
	const [expected, found] = [expectedSchema(version), objectsIn(client)];
	for (const [name, statement] of expected) {
		const other = found.get(name);
		if (other === undefined) return `${name} is missing`;
		if (other !== statement) return `${name} is different`;
	}
	const extra = Array.from(found.keys()).find((name) => !expected.has(name));
	return extra && `${extra} does not belong to it`;
}

function expectedSchema(version: number): SchemaObjects {
	const memory = new Database(':memory:');
	try {
		for (const statement of migrations().slice(0, version).flat()) memory.run(statement);
		return objectsIn(memory);
	} finally {
		memory.close();
	}
}

/** Without the statistics that `ANALYZE` leaves, which change no data. */
function objectsIn(client: Database): SchemaObjects {
	const rows = client
		.query<{ type: string; name: string; tbl_name: string; sql: string | null }, []>(
			"select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite\\_stat%' escape '\\'",
		)
		.all();
	return new Map(rows.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${sql}`]));
}
