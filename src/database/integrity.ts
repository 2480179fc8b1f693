import type { Database } from 'bun:sqlite';

/**
 * The first problem with the pages, indexes and foreign keys of a database; undefined when it is sound. Each table is
 * checked in a transaction of its own, so that a server that writes meanwhile can shorten its write-ahead log in between.
 */
export function integrityProblem(client: Database): string | undefined {
	const tables = client
		.query<{ name: string }, []>("select name from pragma_table_list where schema = 'main' order by name")
		.all();
	for (const { name } of tables) {
		const found = client.query<[string], [string]>('select * from pragma_integrity_check(?)').values(name)[0]?.[0];
		if (found !== 'ok') return `is damaged in ${name}`;
		const orphans = client.query<object, [string]>('select * from pragma_foreign_key_check(?)');
		if (orphans.get(name) !== null) return `has orphaned rows in ${name}`;
	}
	return undefined;
}
