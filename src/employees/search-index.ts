/**
 * The index behind the list of employees, kept in the database and changed in the transaction of the row:
 *
 * - `employee_search`: which employees have a given part of a few characters in their name or phone, which hold a role and
 *   which are disabled, so that a keyword of any length is found without a scan;
 * - `employee_part_counts`: how many have a given part of one or two characters, which is the total of a short keyword
 *   and bounds that of a longer one;
 * - `employee_counts`: how many there are in each block of ids, for totals and deep pages without a keyword;
 * - `employee_store_counts` and `employee_role_counts`: how many are in a store, and how many hold a role.
 *
 * All of it changes in {@link addToIndex}, {@link removeFromIndex}, {@link reindex} and {@link moveStoreCounts} only.
 * Deleted employees are not in it. The index also checks and rebuilds `initial_password_count`, which triggers keep
 * current because passwords are written in several places.
 */
import type { Database } from 'bun:sqlite';
import type { AfterMigration } from '../database/open.ts';
import { fold } from '../text-rule.ts';
import type { Status } from '../vocabulary/status.ts';
import { coveringParts, isPart, partsOf, tokenOf } from './text-parts.ts';

/** The fields of an employee that the index depends on. */
export interface Searchable {
	id: number;
	name: string;
	phone: string;
	status: Status;
	storeId: number;
	roles: readonly { id: number }[];
}

const longestCounted = 2;
const disabled = 'disabled';

/** A block of ids in `employee_counts` is `id >> blockBits`. */
export const blockBits = 11;

/** Builds the index when the migration that changes it is applied: SQL alone cannot. */
export const fillSearchIndex: AfterMigration = {
	8: (client, progress) => rebuildIndex(client, (done) => progress(`indexing employees for the search: ${done}`)),
};

/** Adds employees who are not in the index. */
export function addToIndex(client: Database, employees: readonly Searchable[]): void {
	const insert = client.query(insertTokens);
	const counts = new IndexCounts();
	for (const employee of employees) {
		const parts = partsOfEmployee(employee);
		insert.run(employee.id, tokensOf(parts, employee));
		counts.add(employee, parts, 1);
	}
	counts.store(client);
}

/** Removes an employee, given with the fields they were added with. */
export function removeFromIndex(client: Database, employee: Searchable): void {
	client.query(deleteTokens).run(employee.id);
	const counts = new IndexCounts();
	counts.add(employee, partsOfEmployee(employee), -1);
	counts.store(client);
}

/** Updates the index after an employee changed. */
export function reindex(client: Database, before: Searchable, after: Searchable): void {
	const [oldParts, newParts] = [partsOfEmployee(before), partsOfEmployee(after)];
	const tokens = tokensOf(newParts, after);
	if (tokens !== tokensOf(oldParts, before)) {
		client.query(deleteTokens).run(before.id);
		client.query(insertTokens).run(after.id, tokens);
	}
	const counts = new IndexCounts();
	counts.add(before, oldParts, -1);
	counts.add(after, newParts, 1);
	counts.store(client);
}

/** Updates the index after every employee of a store moved to another one. */
export function moveStoreCounts(client: Database, from: number, to: number): void {
	const moved = client
		.query<[number, number], [number]>('select active, inactive from employee_store_counts where store_id = ?')
		.values(from)[0];
	if (!moved) return;
	const [active, inactive] = moved as [number, number];
	addCounts(client, 'employee_store_counts', [
		[from, -active, -inactive],
		[to, active, inactive],
	]);
}

const insertTokens = 'insert into employee_search (rowid, parts) values (?, ?)';
const deleteTokens = 'delete from employee_search where rowid = ?';

/** What is counted, by the table of the counts: the keys of an employee in it. */
const keysIn = {
	employee_counts: ({ id }) => [id >> blockBits],
	employee_part_counts: (_, parts) => countedParts(parts),
	employee_store_counts: ({ storeId }) => [storeId],
	employee_role_counts: ({ roles }) => roles.map((role) => role.id),
} as const satisfies Record<string, (employee: Searchable, parts: ReadonlySet<string>) => (string | number)[]>;
type CountTable = keyof typeof keysIn;
const countTables = Object.keys(keysIn) as CountTable[];
const keyColumns: Record<CountTable, string> = {
	employee_counts: 'block',
	employee_part_counts: 'part',
	employee_store_counts: 'store_id',
	employee_role_counts: 'role_id',
};

/** How much each count of the index changes. */
class IndexCounts {
	private readonly changes = new Map(
		countTables.map((table) => [table, new Map<string | number, Record<Status, number>>()]),
	);

	add(employee: Searchable, parts: ReadonlySet<string>, change: 1 | -1): void {
		for (const [table, changes] of this.changes) {
			for (const key of keysIn[table](employee, parts)) {
				const known = changes.get(key) ?? { ACTIVE: 0, INACTIVE: 0 };
				known[employee.status] += change;
				changes.set(key, known);
			}
		}
	}

	store(client: Database): void {
		for (const [table, changes] of this.changes) {
			const rows = Array.from(changes, ([key, { ACTIVE, INACTIVE }]) => [key, ACTIVE, INACTIVE] as const);
			addCounts(
				client,
				table,
				rows.filter(([_, active, inactive]) => active !== 0 || inactive !== 0),
			);
		}
	}
}

type CountRow = readonly [key: string | number, active: number, inactive: number];

function addCounts(client: Database, table: CountTable, rows: readonly CountRow[]): void {
	if (rows.length === 0) return;
	client
		.query(
			`insert into ${table} select value ->> 0, value ->> 1, value ->> 2 from json_each(?) where true
			on conflict do update set active = active + excluded.active, inactive = inactive + excluded.inactive`,
		)
		.run(JSON.stringify(rows));
}

/** Builds the whole index from the rows, inside the caller's transaction. */
export function rebuildIndex(client: Database, progress: (done: number) => void = () => {}): void {
	client.run("insert into employee_search (employee_search) values ('delete-all')");
	for (const table of countTables) client.run(`delete from ${table}`);
	const insert = client.query(insertTokens);
	const counts = new IndexCounts();
	let done = 0;
	for (const row of liveRows(client)) {
		const parts = partsOfEmployee(row);
		insert.run(row.id, tokensOf(parts, row));
		counts.add(row, parts, 1);
		done += 1;
		progress(done);
	}
	counts.store(client);
	client.query('update initial_password_count set total = ?').run(initialPasswords(client));
	// Otherwise the index merges its segments during later commits, some of which then take more than a second.
	client.run("insert into employee_search (employee_search) values ('optimize')");
}

function initialPasswords(client: Database): number {
	const count = 'select count(*) as count from employees where password_is_initial = 1 and deleted_at is null';
	return client.query<{ count: number }, []>(count).get()?.count ?? 0;
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

/** What the index should count, by a key that is different for each token and each row of counts. */
function expectedCounts(client: Database): Map<string, number> {
	const expected = new Map<string, number>();
	const add = (key: string) => expected.set(key, (expected.get(key) ?? 0) + 1);
	for (const row of liveRows(client)) {
		const parts = partsOfEmployee(row);
		for (const token of tokensOf(parts, row).split(' ')) add(token);
		for (const table of countTables) {
			for (const key of keysIn[table](row, parts)) add(countKey(table, key, row.status));
		}
	}
	const initial = initialPasswords(client);
	if (initial > 0) expected.set(initialKey, initial);
	return expected;
}

function* indexedCounts(client: Database): Generator<[key: string, count: number]> {
	for (const [token, count] of inPieces<[string, number]>(client, 'term, doc', 'temp.indexed_parts')) {
		yield [token, count];
	}
	for (const table of countTables) {
		const columns = `${keyColumns[table]}, active, inactive`;
		for (const [key, active, inactive] of inPieces<[string | number, number, number]>(client, columns, table)) {
			yield [countKey(table, key, 'ACTIVE'), active];
			yield [countKey(table, key, 'INACTIVE'), inactive];
		}
	}
	yield [initialKey, client.query<{ total: number }, []>('select total from initial_password_count').get()?.total ?? 0];
}

const initialKey = 'initial passwords';

function countKey(table: CountTable, key: string | number, status: Status): string {
	return `${table} ${status} ${key}`;
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

/** How to look employees up in `employee_search`. */
export interface Lookup {
	/** The full-text query that finds every candidate. */
	match: string;
	/** Whether every candidate matches; otherwise its row has to be checked for the keyword. */
	isExact: boolean;
}

/** How to look up the employees with a keyword, a role or both; among those of a status if one is given. */
export function lookupOf({
	keyword,
	roleId,
	status,
}: {
	keyword?: string | undefined;
	roleId?: number | undefined;
	status?: Status | undefined;
}): Lookup {
	const parts = keyword === undefined ? [] : coveringParts(keyword).map(tokenOf);
	const all = [...(roleId === undefined ? [] : [roleToken(roleId)]), ...parts].join(' AND ');
	const isExact = keyword === undefined || isPart(keyword);
	if (status === undefined) return { match: all, isExact };
	return { match: `(${all}) ${status === 'INACTIVE' ? 'AND' : 'NOT'} ${disabled}`, isExact };
}

/** No part of a name or phone is such a token: those begin with `n` or `p`. */
function roleToken(id: number): string {
	return `r${id}`;
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

function partsOfEmployee({ name, phone }: Pick<Searchable, 'name' | 'phone'>): Set<string> {
	return partsOf([name, phone]);
}

function countedParts(parts: ReadonlySet<string>): string[] {
	return Array.from(parts).filter(isCounted);
}

function lengthOf(text: string): number {
	return Array.from(text).length;
}

function tokensOf(parts: ReadonlySet<string>, { status, roles }: Searchable): string {
	const tokens = [...Array.from(parts, tokenOf), ...roles.map((role) => roleToken(role.id))];
	return [...tokens, ...(status === 'INACTIVE' ? [disabled] : [])].join(' ');
}

type IndexedRow = Omit<Searchable, 'roles'> & { roleIds: string | null };

/** The employees that are not deleted, a thousand in memory at a time. */
function* liveRows(client: Database): Generator<Searchable> {
	const next = client.query<IndexedRow, [number]>(
		`select id, name, phone, status, store_id as storeId, (
			select group_concat(role_id) from employee_roles where employee_id = employees.id and unbound_at is null
		) as roleIds
		from employees where id > ? and deleted_at is null order by id limit 1000`,
	);
	for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.id ?? 0)) {
		for (const { roleIds, ...row } of rows) {
			yield { ...row, roles: (roleIds?.split(',') ?? []).map((id) => ({ id: Number(id) })) };
		}
	}
}
