import type { Database } from 'bun:sqlite';

/** Changes a database without what its triggers would do. */
export function withoutTriggers(database: Database, work: () => void): void {
	const triggers = database
		.query<{ name: string; sql: string }, []>("select name, sql from sqlite_schema where type = 'trigger'")
		.all();
	for (const { name } of triggers) database.run(`drop trigger ${name}`);
	work();
	for (const { sql } of triggers) database.run(sql);
}
