/**
 * The index behind `keyword` on the history: which records tell a name with a given part. It is brought up to date
 * a moment after the records are written, many at a time, which costs a tenth; what is not in it yet is looked through.
 * A record is in it by each part of its names, alone and together with its kind, so that a keyword can be looked up
 * among some kinds without a look at the records.
 */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { partsOf, tokenOf } from '../text-parts.ts';
import type { HistoryAction, HistoryActorType } from '../vocabulary/history.ts';

/** User names and most names of stores are no longer than a part can be. */
export const longestPart = 5;

/** The hits of a character are counted in blocks of so many ids. */
export const blockSize = 131_072;

/** So many records take some seven milliseconds; fewer at once would cost a busy server a tenth of its writes. */
const recordsAtOnce = 250;

/** What sort of record it is. */
export interface Kind {
	actorType: HistoryActorType;
	action: HistoryAction;
}

/** What the index takes of a record. */
export interface Named extends Kind {
	id: number;
	actorName: string;
	targetName: string | null;
}

/** The columns of a record that the index is made of. */
export const namedColumns =
	'id, actor_type as actorType, action, actor_name as actorName, target_name as targetName' as const;

/** Records up to this id are in the index. */
export function indexedTo({ $client }: Db): number {
	return $client.query<{ indexed_to: number }, []>('select indexed_to from history_state').get()?.indexed_to ?? 0;
}

/** The last id of the block of an id. */
export function blockEnd(id: number): number {
	return (blockOf(id) + 1) * blockSize - 1;
}

function blockOf(id: number): number {
	return Math.floor(id / blockSize);
}

/** Takes the next records into the index; false when there are no more. */
export function indexNextNames(db: Db): boolean {
	const rows = db.$client
		.query<Named, [number, number]>(`select ${namedColumns} from history where id > ? order by id limit ?`)
		.all(indexedTo(db), recordsAtOnce);
	const last = rows.at(-1);
	if (!last) return false;
	transaction(db, () => {
		const insert = db.$client.query('insert into history_search (rowid, parts) values (?, ?)');
		for (const row of rows) insert.run(row.id, tokensOf(row));
		countCharacters(db.$client, rows, 1);
		db.$client.query('update history_state set indexed_to = ?').run(last.id);
	});
	return rows.length === recordsAtOnce;
}

/** Takes records out of the index that are about to be removed; inside the transaction that removes them. */
export function removeNames({ $client }: Db, rows: readonly Named[]): void {
	const remove = $client.query('delete from history_search where rowid = ?');
	for (const { id } of rows) remove.run(id);
	countCharacters($client, rows, -1);
}

/** Begins the index anew; the records are taken into it as new ones are. Inside a transaction of the caller. */
export function forgetNames({ $client }: Db): void {
	$client.run("insert into history_search (history_search) values ('delete-all')");
	$client.run('delete from history_character_counts');
	$client.run('update history_state set indexed_to = 0');
}

/** Whether the index has as many records as it should, and its counts are right; within a snapshot of the caller. */
export function isNameIndexSound(db: Db): boolean {
	return hasAllRecords(db) && areCountsRight(db);
}

function areCountsRight(db: Db): boolean {
	const { $client } = db;
	const rows = $client.query<CharacterCount, []>(
		'select character, block, kind, total from history_character_counts order by 1, 2, 3',
	);
	const counts = new Map(rows.all().map(({ total, ...count }) => [keyOf(count), total]));
	const next = $client.query<Named, [number, number]>(
		`select ${namedColumns} from history where id > ? and id <= ? order by id limit 10000`,
	);
	const last = indexedTo(db);
	for (let named = next.all(0, last); named.length > 0; named = next.all(named.at(-1)?.id ?? last, last)) {
		for (const [key, { total }] of charactersOf(named)) counts.set(key, (counts.get(key) ?? 0) - total);
	}
	return [...counts.values()].every((left) => left === 0);
}

function hasAllRecords(db: Db): boolean {
	const { indexed, expected } = db.$client
		.query<{ indexed: number; expected: number }, [number]>(
			`select (select count(*) from history_search_docsize) as indexed,
				(select count(*) from history where id <= ?) as expected`,
		)
		.get(indexedTo(db)) ?? { indexed: 0, expected: -1 };
	return indexed === expected;
}

/** A kind, in letters only, as a token has to be. */
export function nameOfKind({ actorType, action }: Kind): string {
	return `${actorType}${action}`.toLowerCase().replaceAll('_', '');
}

/** The token of a part in the names of records of a kind. */
export function tokenOfKind(part: string, kind: Kind): string {
	return `${tokenOf(part)}k${nameOfKind(kind)}`;
}

function tokensOf(row: Named): string {
	const parts = Array.from(partsOf(namesOf(row), longestPart));
	return parts.flatMap((part) => [tokenOf(part), tokenOfKind(part, row)]).join(' ');
}

function namesOf({ actorName, targetName }: Named): string[] {
	return [actorName, targetName ?? ''];
}

/** How many records of a kind have a character in their names, in one block. */
interface CharacterCount {
	character: string;
	block: number;
	kind: string;
	total: number;
}

function keyOf({ character, block, kind }: Omit<CharacterCount, 'total'>): string {
	return `${character} ${block} ${kind}`;
}

function charactersOf(rows: readonly Named[]): Map<string, CharacterCount> {
	const counts = new Map<string, CharacterCount>();
	for (const row of rows) {
		const [block, kind] = [blockOf(row.id), nameOfKind(row)];
		for (const character of partsOf(namesOf(row), 1)) {
			const key = keyOf({ character, block, kind });
			counts.set(key, { character, block, kind, total: (counts.get(key)?.total ?? 0) + 1 });
		}
	}
	return counts;
}

function countCharacters(client: Database, rows: readonly Named[], sign: 1 | -1): void {
	const count = client.query(
		`insert into history_character_counts values (?, ?, ?, ?)
		on conflict do update set total = total + excluded.total`,
	);
	const forget = client.query(
		'delete from history_character_counts where character = ? and block = ? and kind = ? and total = 0',
	);
	for (const { character, block, kind, total } of charactersOf(rows).values()) {
		count.run(character, block, kind, sign * total);
		if (sign < 0) forget.run(character, block, kind);
	}
}
