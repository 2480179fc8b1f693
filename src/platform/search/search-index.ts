/**
 * Exact search by a part of a text and by properties. A text contains a keyword if and only if one of its suffixes begins
 * with it. So each row has the suffixes of its texts as tokens in one full-text table, and a token for each property by
 * which it can be found. Views make the tokens, triggers note which rows changed, and the end of each transaction indexes
 * those (`drizzle/`, `transaction`): no service has to remember it.
 */
import type { Database } from 'bun:sqlite';
import { endCounting, forgetChanged, forgetCounts } from './counts.ts';

/** A full-text table, and the view with the `id` and the `tokens` of each row that belongs into it. */
export interface SearchIndex {
	table: string;
	view: string;
}

/** How many rows a connection has changed since it was opened. */
export function changesOf(client: Database): number {
	return client.query<{ count: number }, []>('select total_changes() as count').get()?.count ?? 0;
}

/** How many pages one step of merging writes: it takes some 5 ms. */
const mergedPages = 32;

/**
 * Merges some of what earlier changes left apart. The table never merges by itself, because that would be in somebody's
 * commit and can take seconds.
 * @returns whether there may be more.
 */
export function mergeSome(client: Database, { table }: SearchIndex): boolean {
	const before = changesOf(client);
	// Nobody was told of a merge, so nobody waits until the disk has it: a power cut takes it back whole.
	client.run('pragma synchronous = normal');
	try {
		client.run(`insert into ${table} (${table}, rank) values ('merge', ${mergedPages})`);
	} finally {
		client.run('pragma synchronous = full');
	}
	// A step that finds nothing to merge changes one row.
	return changesOf(client) - before > 1;
}

/** Indexes the rows that changed in the present transaction. */
export function indexChanges(client: Database, { table, view }: SearchIndex): void {
	if (client.query(`select 1 from ${table}_pending limit 1`).get() === null) return;
	const pending = `(select id from ${table}_pending)`;
	forgetChanged(client, table);
	// Looking for a row that is not in the table would take as long as adding one.
	client.query(`delete from ${table} where rowid in (select id from ${table}_docsize where id in ${pending})`).run();
	client.query(`insert into ${table} (rowid, tokens) select id, tokens from ${view} where id in ${pending}`).run();
	client.query(`delete from ${table}_pending`).run();
}

/** What the transactions of a database do so that indexes have what changed, and no total of what was undone. */
export function keepingIndexes(indexes: readonly SearchIndex[]) {
	return {
		beforeEnd(client: Database): void {
			for (const index of indexes) indexChanges(client, index);
		},
		afterEnd: endCounting,
	};
}

/** Whether each token stands for as many rows as the view says. */
export function isSound(client: Database, { table, view }: SearchIndex): boolean {
	client.run(`create virtual table temp.indexed_tokens using fts5vocab(main, ${table}, row)`);
	try {
		const differences = client.query(
			`with expected as materialized (
				select value as term, count(*) as doc from (
					select distinct ${view}.id, value from ${view}, json_each('[' || replace(json_quote(tokens), ' ', '","') || ']')
				) group by value
			), found as materialized (select term, doc from temp.indexed_tokens where doc > 0)
			select 1 from (select * from expected except select * from found)
			union all select 1 from (select * from found except select * from expected)
			union all select 1 from ${table}_pending limit 1`,
		);
		return differences.get() === null;
	} finally {
		client.run('drop table temp.indexed_tokens');
	}
}

/** How many rows are indexed between two reports. */
const rowsAtOnce = 10_000;

/** Builds the table from the rows, inside the caller's transaction. */
export function rebuild(
	client: Database,
	{ table, view }: SearchIndex,
	progress: (done: number) => void = () => {},
): void {
	client.run(`insert into ${table} (${table}) values ('delete-all')`);
	const last = client.query<{ id: number | null }, []>(`select max(id) as id from ${view}`).get()?.id ?? 0;
	const insert = client.prepare(
		`insert into ${table} (rowid, tokens) select id, tokens from ${view} where id > ? and id <= ?`,
	);
	for (let done = 0; done < last; done += rowsAtOnce) {
		insert.run(done, done + rowsAtOnce);
		progress(Math.min(done + rowsAtOnce, last));
	}
	client.run(`delete from ${table}_pending`);
	client.run(`insert into ${table} (${table}) values ('optimize')`);
	forgetCounts(client);
}
