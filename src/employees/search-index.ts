/**
 * The index behind the list of employees, kept in the database and changed in the transaction of the row:
 *
 * - `employee_search`: which employees have a given part of a few characters in their name or phone, and which are
 *   disabled, so that a keyword of any length is found without a scan;
 * - `employee_part_counts`: how many have a given part of one or two characters, which is the total of a short keyword
 *   and bounds that of a longer one;
 * - `employee_counts`: how many there are in each block of ids, for totals and deep pages without a keyword.
 *
 * All of it changes in {@link addToIndex} and {@link removeFromIndex} only. Deleted employees are not in it.
 */
import type { Database, Statement } from 'bun:sqlite';
import type { AfterMigration } from '../database/open.ts';
import type { Status } from '../vocabulary/status.ts';
import { coveringParts, fold, isPart, partsOf, tokenOf } from './text-parts.ts';

/** The fields of an employee that the index depends on. */
export interface Searchable {
	id: number;
	name: string;
	phone: string;
	status: Status;
}

const longestCounted = 2;
const disabled = 'disabled';

/** A block of ids in `employee_counts` is `id >> blockBits`. */
export const blockBits = 12;

/** Builds the index when the migration that changes it is applied: SQL alone cannot. */
export const fillSearchIndex: AfterMigration = {
	4: (client, progress) => rebuildIndex(client, (done) => progress(`indexing employees for the search: ${done}`)),
};

/** Adds an employee who is not in the index. */
export function addToIndex(client: Database, employee: Searchable): void {
	const parts = partsOfEmployee(employee);
	client.query(insertTokens).run(employee.id, tokensOf(parts, employee.status));
	count(client, employee, parts, 1);
}

/** Removes an employee, given with the fields they were added with. */
export function removeFromIndex(client: Database, employee: Searchable): void {
	client.query('delete from employee_search where rowid = ?').run(employee.id);
	count(client, employee, partsOfEmployee(employee), -1);
}

const insertTokens = 'insert into employee_search (rowid, parts) values (?, ?)';

function count(client: Database, { id, status }: Searchable, parts: ReadonlySet<string>, change: 1 | -1): void {
	const [active, inactive] = status === 'ACTIVE' ? [change, 0] : [0, change];
	const add = 'on conflict do update set active = active + excluded.active, inactive = inactive + excluded.inactive';
	client.query(`insert into employee_counts values (?, ?, ?) ${add}`).run(id >> blockBits, active, inactive);
	client
		.query(`insert into employee_part_counts select value, ?, ? from json_each(?) where true ${add}`)
		.run(active, inactive, JSON.stringify(countedParts(parts)));
}

/** Builds the whole index from the rows, inside the caller's transaction. */
export function rebuildIndex(client: Database, progress: (done: number) => void = () => {}): void {
	client.run("insert into employee_search (employee_search) values ('delete-all')");
	client.run('delete from employee_part_counts');
	client.run('delete from employee_counts');
	const insert = client.query(insertTokens);
	const parts = new StatusCounts<string>();
	const blocks = new StatusCounts<number>();
	let done = 0;
	for (const row of liveRows(client)) {
		const found = partsOfEmployee(row);
		insert.run(row.id, tokensOf(found, row.status));
		for (const part of countedParts(found)) parts.add(part, row.status);
		blocks.add(row.id >> blockBits, row.status);
		done += 1;
		progress(done);
	}
	parts.store(client.query('insert into employee_part_counts values (?, ?, ?)'));
	blocks.store(client.query('insert into employee_counts values (?, ?, ?)'));
	// Otherwise the index merges its segments during later commits, some of which then take more than a second.
	client.run("insert into employee_search (employee_search) values ('optimize')");
}

/** Counts the employees of each status under a key. */
class StatusCounts<Key extends string | number> {
	private readonly counts = new Map<Key, Record<Status, number>>();

	add(key: Key, status: Status): void {
		const known = this.counts.get(key) ?? { ACTIVE: 0, INACTIVE: 0 };
		known[status] += 1;
		this.counts.set(key, known);
	}

	store(insert: Statement): void {
		for (const [key, { ACTIVE, INACTIVE }] of this.counts) insert.run(key, ACTIVE, INACTIVE);
	}
}

/**
 * Whether the index holds exactly what the rows say: each part has as many employees in the index as in the rows, and so
 * have the counts.
 *
 * It reads in many short transactions, so that a busy server can truncate its log in between. If employees change
 * meanwhile and something differs, it looks again, at last in one transaction.
 */
export function isIndexSound(client: Database): boolean {
	for (let attempt = 0; attempt < 3; attempt += 1) {
		const before = fingerprint(client);
		if (isConsistent(client)) return true;
		if (fingerprint(client) === before) return false;
	}
	return client.transaction(() => isConsistent(client))();
}

/** Differs after any change of an employee. */
function fingerprint(client: Database): string {
	return JSON.stringify(client.query('select count(*), max(id), max(updated_at) from employees').values());
}

function isConsistent(client: Database): boolean {
	const expected = expectedCounts(client);
	client.run('create virtual table temp.indexed_parts using fts5vocab(main, employee_search, row)');
	try {
		for (const [key, count] of indexedCounts(client)) {
			if (count === 0) continue;
			if (expected.get(key) !== count) return false;
			expected.delete(key);
		}
		return expected.size === 0;
	} finally {
		client.run('drop table temp.indexed_parts');
	}
}

/** What the index should count, by a key that is unlike for tokens, parts and blocks. */
function expectedCounts(client: Database): Map<string, number> {
	const expected = new Map<string, number>();
	const add = (key: string) => expected.set(key, (expected.get(key) ?? 0) + 1);
	for (const row of liveRows(client)) {
		const parts = partsOfEmployee(row);
		for (const token of tokensOf(parts, row.status).split(' ')) add(token);
		for (const part of countedParts(parts)) add(partKey(part, row.status));
		add(blockKey(row.id >> blockBits, row.status));
	}
	return expected;
}

function* indexedCounts(client: Database): Generator<[key: string, count: number]> {
	for (const [token, count] of inPieces<[string, number]>(client, 'term, doc', 'temp.indexed_parts')) {
		yield [token, count];
	}
	for (const row of inPieces<[string, number, number]>(client, 'part, active, inactive', 'employee_part_counts')) {
		yield [partKey(row[0], 'ACTIVE'), row[1]];
		yield [partKey(row[0], 'INACTIVE'), row[2]];
	}
	for (const row of inPieces<[number, number, number]>(client, 'block, active, inactive', 'employee_counts')) {
		yield [blockKey(row[0], 'ACTIVE'), row[1]];
		yield [blockKey(row[0], 'INACTIVE'), row[2]];
	}
}

function partKey(part: string, status: Status): string {
	return `part ${status} ${part}`;
}

function blockKey(block: number, status: Status): string {
	return `block ${status} ${block}`;
}

/** The rows of a table in order of the first column, each thousand read on its own. */
function* inPieces<Row extends [string | number, ...number[]]>(
	client: Database,
	columns: string,
	table: string,
): Generator<Row> {
	const [key] = columns.split(',');
	const page = (where: string) => `select ${columns} from ${table} ${where} order by ${key} limit 1000`;
	let rows = client.query(page('')).values() as Row[];
	const next = client.query(page(`where ${key} > ?`));
	for (let last = rows.at(-1); last; last = rows.at(-1)) {
		yield* rows;
		rows = next.values(last[0]) as Row[];
	}
}

/** How to look a keyword up in `employee_search`. */
export interface Lookup {
	/** The full-text query that finds every candidate. */
	match: string;
	/** Whether every candidate matches; otherwise its row has to be checked. */
	isExact: boolean;
}

/** How to look a keyword up, among the employees of a status if one is given. */
export function lookupOf(keyword: string, status: Status | undefined): Lookup {
	const parts = coveringParts(keyword).map(tokenOf).join(' AND ');
	const isExact = isPart(keyword);
	if (status === undefined) return { match: parts, isExact };
	return { match: `(${parts}) ${status === 'INACTIVE' ? 'AND' : 'NOT'} ${disabled}`, isExact };
}

/** Whether a keyword is a part whose employees are counted. */
export function isCounted(keyword: string): boolean {
	return lengthOf(keyword) <= longestCounted;
}

/** The counted parts that a match has to contain; of a short keyword itself only. */
export function countedPartsOf(keyword: string): string[] {
	const characters = Array.from(fold(keyword));
	if (characters.length <= longestCounted) return [characters.join('')];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function partsOfEmployee({ name, phone }: Searchable): Set<string> {
	return partsOf([name, phone]);
}

function countedParts(parts: ReadonlySet<string>): string[] {
	return Array.from(parts).filter(isCounted);
}

function lengthOf(text: string): number {
	return Array.from(text).length;
}

function tokensOf(parts: ReadonlySet<string>, status: Status): string {
	const tokens = Array.from(parts, tokenOf);
	return [...tokens, ...(status === 'INACTIVE' ? [disabled] : [])].join(' ');
}

/** The employees that are not deleted, a thousand in memory at a time. */
function* liveRows(client: Database): Generator<Searchable> {
	const next = client.query<Searchable, [number]>(
		'select id, name, phone, status from employees where id > ? and deleted_at is null order by id limit 1000',
	);
	for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.id ?? 0)) yield* rows;
}
