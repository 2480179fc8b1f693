/**
 * The index behind `keyword` on the history: which records tell a name with a given part. It is brought up to date
 * a moment after the records are written, many at a time, which costs a tenth; what is not in it yet is looked through.
 * A record is in it by each part of its names, alone and together with its kind, so that a keyword can be looked up
 * among some kinds without a look at the records.
 */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import type { HistoryAction, HistoryActorType } from '../database/schema.ts';
import { coveringParts, fold, partsOf, tokenOf } from '../database/text-parts.ts';
import type { Range } from './streams.ts';

/** User names and most names of stores are no longer. */
const longestPart = 5;

/** So many records take some three milliseconds. */
const recordsAtOnce = 100;

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
	/** Whether every candidate is a hit; else the names have to be looked at. */
	isExact: boolean;
	/** How many records it finds in all, when that is counted. */
	total: number | undefined;
}

/** How to look a keyword up among records of some kinds, or of any. */
export function nameLookup(db: Db, keyword: string, kinds?: readonly Kind[]): NameLookup {
	const parts = coveringParts(keyword, longestPart);
	const tokens = parts.map((part) =>
		kinds ? `(${kinds.map((kind) => tokenOfKind(part, kind)).join(' OR ')})` : tokenOf(part),
	);
	const length = Array.from(keyword).length;
	return {
		match: tokens.join(' AND '),
		isExact: length <= longestPart,
		total: length === 1 ? countOfCharacter(db, fold(keyword), kinds) : undefined,
	};
}

/** How many indexed records of a range a full-text query finds: some thirty nanoseconds each. */
export function countMatches({ $client }: Db, match: string, { first, last }: Range, atMost = -1): number {
	const row = $client
		.query<{ total: number }, [string, number, number, number]>(
			`select count(*) as total from (
				select 1 from history_search where history_search match ? and rowid between ? and ? limit ?
			)`,
		)
		.get(match, first, last, atMost);
	return row?.total ?? 0;
}

/** The ids of some of the records of a range that a full-text query finds, from the newest or from the oldest. */
export function matches(
	{ $client }: Db,
	match: string,
	{ first, last }: Range,
	from: 'newest' | 'oldest',
	{ offset, limit }: { offset: number; limit: number },
): number[] {
	return $client
		.query<{ id: number }, [string, number, number, number, number]>(
			`select rowid as id from history_search where history_search match ? and rowid between ? and ?
			order by rowid ${from === 'newest' ? 'desc' : 'asc'} limit ? offset ?`,
		)
		.all(match, first, last, limit, offset)
		.map(({ id }) => id);
}

function countOfCharacter({ $client }: Db, character: string, kinds?: readonly Kind[]): number {
	const wanted = kinds && new Set(kinds.map(nameOfKind));
	return $client
		.query<{ kind: string; total: number }, [string]>(
			'select kind, total from history_character_counts where character = ?',
		)
		.all(character)
		.reduce((sum, { kind, total }) => (!wanted || wanted.has(kind) ? sum + total : sum), 0);
}

/** Letters only, as a token has to be. */
function nameOfKind({ actorType, action }: Kind): string {
	return `${actorType}${action}`.toLowerCase().replaceAll('_', '');
}

function tokenOfKind(part: string, kind: Kind): string {
	return `${tokenOf(part)}k${nameOfKind(kind)}`;
}

function tokensOf(row: Named): string {
	const parts = Array.from(partsOf(namesOf(row), longestPart));
	return parts.flatMap((part) => [tokenOf(part), tokenOfKind(part, row)]).join(' ');
}

function namesOf({ actorName, targetName }: Named): string[] {
	return [actorName, targetName ?? ''];
}

function countCharacters(client: Database, rows: readonly Named[], change: 1 | -1): void {
	const counts = new Map<string, { character: string; kind: string; total: number }>();
	for (const row of rows) {
		const kind = nameOfKind(row);
		for (const character of partsOf(namesOf(row), 1)) {
			const key = character + kind;
			counts.set(key, { character, kind, total: (counts.get(key)?.total ?? 0) + change });
		}
	}
	const count = client.query(
		`insert into history_character_counts values (?, ?, ?)
		on conflict do update set total = total + excluded.total`,
	);
	for (const { character, kind, total } of counts.values()) count.run(character, kind, total);
}
