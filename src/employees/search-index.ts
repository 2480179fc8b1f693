/**
 * The index behind `keyword` on employees: which of them have a given part in their name or phone. It holds every part
 * of one, two and three characters, so that a keyword of any length is answered without a scan. It lives in the
 * database and changes in the transaction of the row.
 */
import type { Database } from 'bun:sqlite';
import type { AfterMigration } from '../database/open.ts';
import { coveringParts, fold, partsOf, tokenOf } from '../text-parts.ts';
import type { Status } from '../vocabulary/status.ts';

/** What the index needs to know of an employee. */
export interface Searchable {
	id: number;
	name: string;
	phone: string;
	status: Status;
}

const longestPart = 3;

/** Fills the index when the migration that brings it is applied: SQL alone cannot. */
export const fillSearchIndex: AfterMigration = {
	2: (client, progress) => rebuildIndex(client, (done) => progress(`indexing employees for the search: ${done}`)),
};

/** Adds an employee that is not in the index. */
export function addToIndex(client: Database, employee: Searchable): void {
	const parts = partsOfEmployee(employee);
	client
		.query('insert into employee_search (rowid, parts) values (?, ?)')
		.run(employee.id, tokensOf(parts, employee.status).join(' '));
	countParts(client, parts, employee.status, 1);
}

/** Removes an employee, given as he was when he was added. */
export function removeFromIndex(client: Database, employee: Searchable): void {
	client.query('delete from employee_search where rowid = ?').run(employee.id);
	countParts(client, partsOfEmployee(employee), employee.status, -1);
}

/** Builds the index and the counts anew from the rows; inside a transaction of the caller. */
export function rebuildIndex(client: Database, progress: (done: number) => void = () => {}): void {
	client.run("insert into employee_search (employee_search) values ('delete-all')");
	client.run('delete from employee_part_counts');
	client.run('delete from employee_counts');
	client.run(`insert into employee_counts ${blockCounts}`);
	const insert = client.query('insert into employee_search (rowid, parts) values (?, ?)');
	const counts = new Map<string, Record<Status, number>>();
	let done = 0;
	for (const row of liveRows(client)) {
		const parts = partsOfEmployee(row);
		insert.run(row.id, tokensOf(parts, row.status).join(' '));
		for (const part of shortParts(parts)) {
			const count = counts.get(part) ?? { ACTIVE: 0, INACTIVE: 0 };
			count[row.status] += 1;
			counts.set(part, count);
		}
		done += 1;
		progress(done);
	}
	const insertCount = client.query('insert into employee_part_counts values (?, ?, ?)');
	for (const [part, { ACTIVE, INACTIVE }] of counts) insertCount.run(part, ACTIVE, INACTIVE);
}

/**
 * Whether the index and the counts say what the rows say: each part has as many employees in the index as in the rows,
 * and each block of ids as many as there are.
 */
export function isIndexSound(client: Database): boolean {
	client.run('create virtual table temp.indexed_parts using fts5vocab(main, employee_search, row)');
	try {
		return (
			hasSameCounts(client, 'select term, doc from temp.indexed_parts', expectedTokens(client)) &&
			areCountsSound(client)
		);
	} finally {
		client.run('drop table temp.indexed_parts');
	}
}

function expectedTokens(client: Database): Map<string, number> {
	const expected = new Map<string, number>();
	for (const row of liveRows(client)) {
		for (const token of tokensOf(partsOfEmployee(row), row.status)) expected.set(token, (expected.get(token) ?? 0) + 1);
	}
	return expected;
}

function hasSameCounts(client: Database, query: string, expected: Map<string, number>): boolean {
	const found = client.query<[string, number], []>(query).values() as [string, number][];
	return found.length === expected.size && found.every(([key, count]) => expected.get(key) === count);
}

function areCountsSound(client: Database): boolean {
	const parts = new Map<string, number>();
	for (const row of liveRows(client)) {
		for (const part of shortParts(partsOfEmployee(row))) {
			const key = `${part} ${row.status}`;
			parts.set(key, (parts.get(key) ?? 0) + 1);
		}
	}
	const partsQuery = `select part || ' ACTIVE', active from employee_part_counts where active <> 0
		union all select part || ' INACTIVE', inactive from employee_part_counts where inactive <> 0`;
	const blocks = client.query(blockDifferences).get() === null;
	return blocks && hasSameCounts(client, partsQuery, parts);
}

const blockCounts = `
	select 0 as level, id >> 9 as block, sum(status = 'ACTIVE') as active, sum(status = 'INACTIVE') as inactive
		from employees where deleted_at is null group by 2
	union all
	select 1, id >> 18, sum(status = 'ACTIVE'), sum(status = 'INACTIVE')
		from employees where deleted_at is null group by 2`;

const blockDifferences = `
	with actual as (${blockCounts}), counted as (
		select level, block, active, inactive from employee_counts where active <> 0 or inactive <> 0
	)
	select * from (select * from actual except select * from counted)
	union all
	select * from (select * from counted except select * from actual)`;

/** How a keyword is looked up. */
export interface Lookup {
	/** The full-text query that finds every candidate. */
	match: string;
	/** The part whose count is the total, when the keyword is so short that it is one that is counted. */
	countedPart?: string;
	/** Whether every candidate is a hit; else the row itself has to be looked at. */
	exact: boolean;
}

/** How to look a keyword up, among the employees of a status if one is given. */
export function lookupOf(keyword: string, status: Status | undefined): Lookup {
	const { length } = Array.from(keyword);
	const tokens = [...coveringParts(keyword, longestPart).map(tokenOf), ...(status ? [statusToken(status)] : [])];
	return {
		match: tokens.join(' AND '),
		...(length < longestPart && { countedPart: fold(keyword) }),
		exact: length <= longestPart,
	};
}

function partsOfEmployee({ name, phone }: Searchable): Set<string> {
	return partsOf([name, phone], longestPart);
}

function shortParts(parts: ReadonlySet<string>): string[] {
	return Array.from(parts).filter((part) => Array.from(part).length < longestPart);
}

function statusToken(status: Status): string {
	return `s${status.toLowerCase()}`;
}

function tokensOf(parts: ReadonlySet<string>, status: Status): string[] {
	return [...Array.from(parts, tokenOf), statusToken(status)];
}

/** The employees that are not deleted, a thousand in memory at a time. */
function* liveRows(client: Database): Generator<Searchable> {
	const next = client.query<Searchable, [number]>(
		'select id, name, phone, status from employees where id > ? and deleted_at is null order by id limit 1000',
	);
	for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.id ?? 0)) yield* rows;
}

function countParts(client: Database, parts: ReadonlySet<string>, status: Status, change: 1 | -1): void {
	const [active, inactive] = status === 'ACTIVE' ? [change, 0] : [0, change];
	client
		.query(
			`insert into employee_part_counts select value, ?, ? from json_each(?) where true
			on conflict do update set active = active + excluded.active, inactive = inactive + excluded.inactive`,
		)
		.run(active, inactive, JSON.stringify(shortParts(parts)));
}
