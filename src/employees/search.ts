/** Finds the employees on one page of a list, and the exact total, without a scan of the table. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { Steps } from '../database/slices.ts';
import type { Paging } from '../paging.ts';
import type { Status } from '../vocabulary/status.ts';
import { blockBits, countedPartsOf, isCounted, lookupOf } from './search-index.ts';
import { fold } from './text-parts.ts';

/** Which employees a page is taken from. */
export interface EmployeeFilter {
	storeId?: number | undefined;
	status?: Status | undefined;
	keyword?: string | undefined;
}

/** The ids on a page in ascending order, and how many employees pass the filter. */
export interface FoundPage {
	ids: number[];
	total: number;
}

/** Which of the matching employees to return, in order of their ids. */
interface Window {
	offset: number;
	limit: number;
}

/** How much one step of a search reads at most. Each of these takes less than 10 ms. */
export interface StepLimits {
	/** From this many matches of its rarest pair of characters on, a keyword is searched in steps. */
	common: number;
	/** Ids in the index of parts. */
	ids: number;
	/** Rows of employees. */
	rows: number;
	/** Entries in the index of a store. */
	entries: number;
}

const usualLimits: StepLimits = { common: 131_072, ids: 65_536, rows: 2048, entries: 65_536 };

type Values = Record<string, string | number | null>;

/** The matches among the first rows after an id: how many, of how many rows read, and the id of the last one read. */
interface Counted {
	hits: number;
	seen: number;
	last: number | null;
}

// Text instead of Drizzle queries: full-text search and nested limits.
const statements = prepared(({ $client }) => {
	const first = <Row>(query: string) => $client.prepare<Row, [Values]>(query);
	const page = (query: string) =>
		$client.prepare<{ id: number }, [Values]>(`${query} order by id limit $limit offset $offset`);

	// instr and lower ignore the case of ASCII letters only, as LIKE does, and take half the time.
	const contains = '(instr(phone, $keyword) or instr(lower(name), $keyword))';
	const hasStatus = '((select $status) is null or status = (select $status))';
	const ofStore = 'from employees where deleted_at is null and store_id = (select $storeId) and id > (select $after)';
	const ofIndex = `from employee_search where employee_search match (select $match)
		and rowid > (select $after) and rowid <= (select $last)`;
	const counted = (isHit: string, rows: string) =>
		first<Counted>(`select count(*) filter (where ${isHit}) as hits, count(*) as seen, max(id) as last from (${rows})`);

	return {
		blocks: $client.prepare<Block, []>('select block, active, inactive from employee_counts order by block'),
		any: page('select id from employees where deleted_at is null and id >= (select $from)'),
		ofStatus: page(
			'select id from employees where deleted_at is null and status = (select $status) and id >= (select $from)',
		),
		mostHits: first<Counts & { all: number }>(`select min(coalesce(active, 0)) as active,
			min(coalesce(inactive, 0)) as inactive, min(coalesce(active + inactive, 0)) as "all"
			from json_each((select $parts)) left join employee_part_counts on part = value`),
		largestId: $client.prepare<{ id: number | null }, []>('select max(id) as id from employees'),
		inStore: {
			count: counted(hasStatus, `select id, status ${ofStore} order by id limit (select $most)`),
			ids: page(`select id ${ofStore} and id <= (select $last) and ${hasStatus}`),
		},
		inStoreWithKeyword: {
			count: counted(
				`${hasStatus} and ${contains}`,
				`select id, status, name, phone ${ofStore} order by id limit (select $most)`,
			),
			ids: page(`select id ${ofStore} and id <= (select $last) and ${hasStatus} and ${contains}`),
		},
		// Without a range, because the range is checked for every id that is counted.
		allInIndex: first<{ hits: number }>(
			'select count(*) as hits from employee_search where employee_search match (select $match)',
		),
		inIndex: {
			count: first<{ hits: number }>(`select count(*) as hits ${ofIndex}`),
			ids: page(`select id from (select rowid as id ${ofIndex})`),
		},
		inIndexChecked: {
			count: counted(
				contains,
				`select id, name, phone
				from (select rowid as found ${ofIndex} order by rowid limit (select $most)) join employees on id = found`,
			),
			ids: page(`select id from (select rowid as found ${ofIndex}) join employees on id = found where ${contains}`),
		},
	};
});

interface Counts {
	active: number;
	inactive: number;
}

interface Block extends Counts {
	block: number;
}

/** A search that can be done in steps, from one id to the next. */
interface Search {
	/** Counts the matches after an id. `end` is the last id that was looked at, infinite at the end of the table. */
	countAfter(after: number): { hits: number; end: number };
	/** Some of the matches after one id, up to and including another. */
	idsBetween(after: number, end: number, window: Window): number[];
}

/** Finds one page of the employees that pass the filter. Tests give smaller limits. */
export function findEmployees(
	db: Db,
	filter: EmployeeFilter,
	{ page, pageSize }: Paging,
	limits = usualLimits,
): Steps<FoundPage> {
	const window = { limit: pageSize, offset: (page - 1) * pageSize };
	const { storeId, status, keyword } = filter;
	if (storeId !== undefined) return inSteps(searchInStore(db, storeId, status, keyword, limits), window);
	if (keyword !== undefined) return findByKeyword(db, keyword, status, window, limits);
	return findAmongAll(db, status, window);
}

/**
 * Walks through a search and collects the ids of the window on the way. It counts all matches, unless their total is
 * known; then it ends with the window.
 */
function* inSteps({ countAfter, idsBetween }: Search, { offset, limit }: Window, known?: number): Steps<FoundPage> {
	const ids: number[] = [];
	let counted = 0;
	for (let after = 0; after < Number.POSITIVE_INFINITY; ) {
		const { hits, end } = countAfter(after);
		const skipped = offset + ids.length - counted;
		if (skipped < hits && ids.length < limit) {
			ids.push(...idsBetween(after, end, { offset: skipped, limit: limit - ids.length }));
		}
		counted += hits;
		after = end;
		if (known !== undefined && offset + ids.length >= Math.min(offset + limit, known)) break;
		if (after < Number.POSITIVE_INFINITY) yield;
	}
	return { ids, total: known ?? counted };
}

/** Reads the store's own part of an index; with a keyword, the rows of the store. */
function searchInStore(
	db: Db,
	storeId: number,
	status: Status | undefined,
	keyword: string | undefined,
	limits: StepLimits,
): Search {
	const { inStore, inStoreWithKeyword } = statements(db);
	const { count, ids } = keyword === undefined ? inStore : inStoreWithKeyword;
	const most = keyword === undefined ? limits.entries : limits.rows;
	const values = { storeId, status: status ?? null, ...(keyword !== undefined && { keyword: fold(keyword) }) };
	return {
		countAfter: (after) => stepOf(count.get({ ...values, after, most }), most, Number.POSITIVE_INFINITY),
		idsBetween: (after, end, window) => idsOf(ids.all({ ...values, after, last: finite(end), ...window })),
	};
}

/**
 * Looks a keyword up in the index. The rarest pair of characters in it bounds the number of matches, and the work: only
 * a keyword without a rare pair is searched in several steps.
 */
function* findByKeyword(
	db: Db,
	keyword: string,
	status: Status | undefined,
	window: Window,
	limits: StepLimits,
): Steps<FoundPage> {
	const bound = statements(db).mostHits.get({ parts: JSON.stringify(countedPartsOf(keyword)) });
	const most = bound === null ? 0 : countOf(bound, status);
	if (most === 0) return { ids: [], total: 0 };
	const isCommon = (bound?.all ?? 0) > limits.common;
	const search = searchInIndex(db, keyword, status, {
		ids: isCommon ? limits.ids : Number.POSITIVE_INFINITY,
		rows: limits.rows,
	});
	if (!isCounted(keyword)) return yield* inSteps(search, window);
	const wanted = Math.min(window.limit, most - window.offset);
	if (wanted <= 0) return { ids: [], total: most };
	if (!isCommon || window.offset < limits.ids) {
		const ids = search.idsBetween(0, isCommon ? limits.ids : Number.POSITIVE_INFINITY, window);
		if (ids.length === wanted) return { ids, total: most };
	}
	return yield* inSteps(search, window, most);
}

function searchInIndex(
	db: Db,
	keyword: string,
	status: Status | undefined,
	most: { ids: number; rows: number },
): Search {
	const { allInIndex, inIndex, inIndexChecked, largestId } = statements(db);
	const { match, isExact } = lookupOf(keyword, status);
	const values = isExact ? { match } : { match, keyword: fold(keyword) };
	const { ids } = isExact ? inIndex : inIndexChecked;
	const largest = largestId.get()?.id ?? 0;
	return {
		countAfter(after) {
			if (isExact && most.ids === Number.POSITIVE_INFINITY) {
				return { hits: allInIndex.get({ match })?.hits ?? 0, end: Number.POSITIVE_INFINITY };
			}
			const last = Math.min(after + most.ids, largest);
			const range = { ...values, after, last };
			const end = last >= largest ? Number.POSITIVE_INFINITY : last;
			if (isExact) return { hits: inIndex.count.get(range)?.hits ?? 0, end };
			return stepOf(inIndexChecked.count.get({ ...range, most: most.rows }), most.rows, end);
		},
		idsBetween: (after, end, window) => idsOf(ids.all({ ...values, after, last: finite(end), ...window })),
	};
}

/** What a step counted, and where it ended: at the last row read if it read as many as it may, else at `end`. */
function stepOf(counted: Counted | null, most: number, end: number): { hits: number; end: number } {
	if (!counted) return { hits: 0, end };
	return { hits: counted.hits, end: counted.seen === most && counted.last !== null ? counted.last : end };
}

/** Skips to a deep page by the counts of blocks of ids. */
function* findAmongAll(db: Db, status: Status | undefined, { limit, offset }: Window): Steps<FoundPage> {
	const { blocks, any, ofStatus } = statements(db);
	const counts = blocks.all();
	const total = counts.reduce((sum, block) => sum + countOf(block, status), 0);
	if (offset >= total) return { ids: [], total };
	const { block, left } = skipBlocks(counts, status, offset);
	const values = { from: block << blockBits, limit, offset: left };
	return { ids: idsOf(status ? ofStatus.all({ ...values, status }) : any.all(values)), total };
}

/** The block that holds the row at an offset, and how many rows to skip in it. */
function skipBlocks(
	blocks: readonly Block[],
	status: Status | undefined,
	offset: number,
): { block: number; left: number } {
	let left = offset;
	for (const block of blocks) {
		const count = countOf(block, status);
		if (left < count) return { block: block.block, left };
		left -= count;
	}
	return { block: blocks.at(-1)?.block ?? 0, left };
}

function countOf({ active, inactive }: Counts, status: Status | undefined): number {
	if (status === 'ACTIVE') return active;
	return status === 'INACTIVE' ? inactive : active + inactive;
}

function idsOf(rows: readonly { id: number }[]): number[] {
	return rows.map((row) => row.id);
}

/** SQLite takes no infinite number as an id. */
function finite(id: number): number {
	return Math.min(id, Number.MAX_SAFE_INTEGER);
}
