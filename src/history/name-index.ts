/**
 * The index behind `keyword` on the history: which records tell a name with a given part. It is brought up to date
 * a moment after the records are written, many at a time, which costs a tenth; what is not in it yet is looked through.
 */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { coveringParts, fold, partsOf, tokenOf } from '../database/text-parts.ts';

/** User names and most names of stores are no longer. */
const longestPart = 5;

/** So many records take some three milliseconds. */
const recordsAtOnce = 250;

interface Named {
	id: number;
	actor_name: string;
	target_name: string | null;
}

/** Records up to this id are in the index. */
export function indexedTo({ $client }: Db): number {
	return $client.query<{ indexed_to: number }, []>('select indexed_to from history_state').get()?.indexed_to ?? 0;
}

/** Takes the next records into the index; false when there are no more. */
export function indexNextNames(db: Db): boolean {
	const rows = db.$client
		.query<Named, [number, number]>('select id, actor_name, target_name from history where id > ? order by id limit ?')
		.all(indexedTo(db), recordsAtOnce);
	const last = rows.at(-1);
	if (!last) return false;
	transaction(db, () => {
		const insert = db.$client.query('insert into history_search (rowid, parts) values (?, ?)');
		for (const row of rows) insert.run(row.id, Array.from(partsOfNames(row), tokenOf).join(' '));
		countParts(db.$client, rows, 1);
		db.$client.query('update history_state set indexed_to = ?').run(last.id);
	});
	return rows.length === recordsAtOnce;
}

/** Takes records out of the index that are about to be removed; inside the transaction that removes them. */
export function removeNames({ $client }: Db, rows: readonly Named[]): void {
	const remove = $client.query('delete from history_search where rowid = ?');
	for (const { id } of rows) remove.run(id);
	countParts($client, rows, -1);
}

/** Begins the index anew; the records are taken into it as new ones are. Inside a transaction of the caller. */
export function forgetNames({ $client }: Db): void {
	$client.run("insert into history_search (history_search) values ('delete-all')");
	$client.run('delete from history_part_counts');
	$client.run('update history_state set indexed_to = 0');
}

/** Whether the index has as many records as it should. */
export function isNameIndexSound(db: Db): boolean {
	const { indexed, expected } = db.$client
		.query<{ indexed: number; expected: number }, [number]>(
			`select (select count(*) from history_search_docsize) as indexed,
				(select count(*) from history where id <= ?) as expected`,
		)
		.get(indexedTo(db)) ?? { indexed: 0, expected: -1 };
	return indexed === expected;
}

/** How a keyword is looked up. */
export interface NameLookup {
	/** The full-text query that finds every candidate. */
	match: string;
	/** The part that is counted, when the keyword is one: then every candidate is a hit. */
	part: string | undefined;
}

/** How to look a keyword up. */
export function nameLookup(keyword: string): NameLookup {
	const parts = coveringParts(keyword, longestPart);
	const isPart = Array.from(keyword).length <= longestPart;
	return { match: parts.map(tokenOf).join(' AND '), part: isPart ? fold(keyword) : undefined };
}

/** How many indexed records tell a name with a part. */
export function countOfPart({ $client }: Db, part: string): number {
	const row = $client
		.query<{ total: number }, [string]>('select total from history_part_counts where part = ?')
		.get(part);
	return row?.total ?? 0;
}

function partsOfNames({ actor_name, target_name }: Named): Set<string> {
	return partsOf([actor_name, target_name ?? ''], longestPart);
}

function countParts(client: Database, rows: readonly Named[], change: 1 | -1): void {
	const counts = new Map<string, number>();
	for (const row of rows) {
		for (const part of partsOfNames(row)) counts.set(part, (counts.get(part) ?? 0) + change);
	}
	const count = client.query(
		'insert into history_part_counts values (?, ?) on conflict do update set total = total + excluded.total',
	);
	for (const [part, total] of counts) count.run(part, total);
}
