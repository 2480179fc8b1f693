/**
 * Exact search by a part of a text and by properties. A text contains a keyword if and only if one of its suffixes begins
 * with it. So each row has the suffixes of its texts as tokens in one full-text table, and a token for each property by
 * which it can be found. Views make the tokens, triggers note which rows changed, and the end of each transaction indexes
 * those (`drizzle/`, `transaction`): no service has to remember it.
 */
import type { Database } from 'bun:sqlite';
import QuickLRU from 'quick-lru';
import { fold } from '../vocabulary/text-rule.ts';

/** A full-text table, and the view with the `id` and the `tokens` of each row that belongs into it. */
export interface SearchIndex {
	table: string;
	view: string;
}

/** What no text contains begins a property and stands for a space, which would end a token. */
const marks = { property: '\u0080', space: '\u0081' };

/** The rows that have a property, such as role 3: `propertyOf('r', 3)`. */
export function propertyOf(kind: string, value: string | number): string {
	return quoted(`${marks.property}${kind}${value}`);
}

/** The rows that have a value of a property that begins with a text. */
export function propertyBeginning(kind: string, start: string): string {
	return `${propertyOf(kind, start)} *`;
}

/** The rows that have any value of a property. */
export function anyPropertyOf(kind: string): string {
	return propertyBeginning(kind, '');
}

/** No row. */
const nothing = propertyOf('', '');

/**
 * The rows with a smaller value of a property than this one; all values have the same length. They are those that are equal up to
 * some digit, which is smaller.
 */
export function smallerPropertyThan(kind: string, value: string): string {
	const smaller = Array.from(value, (character, index) => {
		const digits = Array.from({ length: Number(character) || 0 }, (_, digit) => value.slice(0, index) + digit);
		const isWhole = index === value.length - 1;
		return digits.map((start) => (isWhole ? propertyOf(kind, start) : `${propertyOf(kind, start)} *`));
	}).flat();
	return anyOf(smaller);
}

/** The rows that any of some expressions finds. */
export function anyOf(expressions: readonly string[]): string {
	return expressions.length === 0 ? nothing : `(${expressions.join(' OR ')})`;
}

/** The same expression for the rows whose tokens all have a mark in front. */
export function marked(mark: string, expression: string): string {
	return expression.replaceAll(/"((?:[^"]|"")*)"/g, (_, token) => `"${marks.property}${mark}${token}"`);
}

/** The rows with a text that contains a keyword, in either case of ASCII letters. */
export function containing(keyword: string): string {
	return `${quoted(fold(keyword).replaceAll(' ', marks.space))} *`;
}

function quoted(token: string): string {
	return `"${token.replaceAll('"', '""')}"`;
}

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

/** Which of the rows that were found to read. */
interface Page {
	order: 'asc' | 'desc';
	limit: number;
	offset: number;
}

/** Finds rows by an expression of the functions above, joined by AND and NOT. */
export interface Finder {
	/** How many there are. */
	total(expression: string, range?: IdRange): number;
	/** The ids of some of them. */
	ids(expression: string, page: Page, range?: IdRange): number[];
	/** One page of them, and how many there are; `total` if that is known. */
	page(expression: string, page: Page, known?: { total?: number | undefined; range?: IdRange }): Found;
}

/** A page, and how many rows there are in all. */
interface Found {
	ids: number[];
	total: number;
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

const everyId: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** Pages further down are found by counting {@link pieces}, because skipping half of a million rows takes 20 ms. */
const farDown = 20_000;

/** In how many ranges of ids the rows are counted for a page far down: what is skipped is an eighth of them at most. */
const pieces = 4;

/** Prepares the statements of a table. */
export function finderOf(client: Database, { table }: SearchIndex): Finder {
	const from = `from ${table} where ${table} match ?1`;
	const within = `${from} and rowid between ?2 and ?3`;
	const count = (rows: string) =>
		client.prepare<{ total: number }, (string | number)[]>(`select count(*) as total ${rows}`);
	const page = (rows: string, order: string) =>
		client.prepare<{ id: number }, (string | number)[]>(
			`select rowid as id ${rows} order by rowid ${order} limit ?4 offset ?5`,
		);
	const totals = { all: count(from), within: count(within) };
	const pages = { asc: page(within, 'asc'), desc: page(within, 'desc') };
	const lastId = client.prepare<{ id: number | null }, []>(`select max(id) as id from ${table}_docsize`);
	// Other processes change it, too: a command on the machine, for one.
	const version = client.prepare<{ data_version: number }, []>('pragma data_version');

	function piecesOf(range: IdRange, order: Page['order']): IdRange[] {
		const last = Math.min(range.last, lastId.get()?.id ?? 0);
		const size = Math.ceil((last - range.first + 1) / pieces);
		const found = Array.from({ length: pieces }, (_, index) => {
			const first = range.first + index * size;
			return { first, last: Math.min(last, first + size - 1) };
		});
		return order === 'asc' ? found : found.reverse();
	}

	function total(expression: string, range = everyId): number {
		const known = totalsOf(client, table);
		const key = `${version.get()?.data_version} ${range.first} ${range.last} ${expression}`;
		const before = known.get(key);
		if (before !== undefined) return before;
		const found =
			range === everyId ? totals.all.get(expression) : totals.within.get(expression, range.first, range.last);
		known.set(key, found?.total ?? 0);
		return found?.total ?? 0;
	}

	function ids(expression: string, { order, limit, offset }: Page, { first, last } = everyId): number[] {
		return pages[order].all(expression, first, last, limit, offset).map((row) => row.id);
	}

	/** The ids of a page that are in a range, read from its nearer end; the offset is from its beginning, or before it. */
	function idsIn(expression: string, { order, limit, offset }: Page, range: IdRange, count: number): number[] {
		const begin = Math.max(0, offset);
		const end = Math.min(count, offset + limit);
		if (begin >= end) return [];
		if (begin <= count - end) return ids(expression, { order, limit: end - begin, offset: begin }, range);
		const fromEnd = { order: opposite[order], limit: end - begin, offset: count - end };
		return ids(expression, fromEnd, range).reverse();
	}

	/** The ids of a page far down. Only the ranges up to it are counted, and what was counted is remembered. */
	function idsFarDown(expression: string, page: Page, range: IdRange): number[] {
		const end = page.offset + page.limit;
		const found: number[] = [];
		let before = 0;
		for (const piece of piecesOf(range, page.order)) {
			if (before >= end) break;
			const count = total(expression, piece);
			found.push(...idsIn(expression, { ...page, offset: page.offset - before }, piece, count));
			before += count;
		}
		return found;
	}

	return {
		total,
		ids,
		page(expression, page, { total: known, range = everyId } = {}) {
			const count = known ?? total(expression, range);
			const behind = count - page.offset - page.limit;
			if (Math.min(page.offset, behind) < farDown) {
				return { ids: idsIn(expression, page, range, count), total: count };
			}
			if (page.offset <= behind) return { ids: idsFarDown(expression, page, range), total: count };
			const fromEnd = { ...page, order: opposite[page.order], offset: behind };
			return { ids: idsFarDown(expression, fromEnd, range).reverse(), total: count };
		},
	};
}

type Totals = QuickLRU<string, number>;

const remembered = new WeakMap<Database, Map<string, Totals>>();

/** The totals that were counted since an index changed, for the next page of a list or the next reader of it. */
function totalsOf(client: Database, table: string): Totals {
	const tables = remembered.getOrInsertComputed(client, () => new Map<string, Totals>());
	return tables.getOrInsertComputed(table, () => new QuickLRU({ maxSize: 400 }));
}

/** Forgets what was counted, because changes were undone. */
export function forgetTotals(client: Database): void {
	remembered.delete(client);
}

/** How many rows a connection has changed since it was opened. */
export function changesOf(client: Database): number {
	return client.query<{ count: number }, []>('select total_changes() as count').get()?.count ?? 0;
}

/** How many pages one step of merging writes: it takes less than 20 ms. */
const mergedPages = 50;

/**
 * Merges some of what earlier changes left apart. The table never merges by itself, because that would be in somebody's
 * commit and can take seconds.
 * @returns whether there may be more.
 */
export function mergeSome(client: Database, { table }: SearchIndex): boolean {
	const before = changesOf(client);
	client.run(`insert into ${table} (${table}, rank) values ('merge', ${mergedPages})`);
	// A step that finds nothing to merge changes one row.
	return changesOf(client) - before > 1;
}

/** Indexes the rows that changed in the present transaction. */
export function indexChanges(client: Database, { table, view }: SearchIndex): void {
	if (client.query(`select 1 from ${table}_pending limit 1`).get() === null) return;
	totalsOf(client, table).clear();
	const pending = `(select id from ${table}_pending)`;
	// Looking for a row that is not in the table would take as long as adding one.
	client.query(`delete from ${table} where rowid in (select id from ${table}_docsize where id in ${pending})`).run();
	client.query(`insert into ${table} (rowid, tokens) select id, tokens from ${view} where id in ${pending}`).run();
	client.query(`delete from ${table}_pending`).run();
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
	forgetTotals(client);
}
