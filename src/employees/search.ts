/** Finds the employees on one page of a list, and the exact total, without a scan of the table. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { Steps } from '../database/slices.ts';
import type { Paging } from '../paging.ts';
import { fold } from '../text-rule.ts';
import type { Status } from '../vocabulary/status.ts';
import type { Order } from './model.ts';
import { blockBits, countedPartsOf, isCounted, lookupOf } from './search-index.ts';

/** Which employees a page is taken from, and in which order. */
export interface EmployeeFilter {
	storeId?: number | undefined;
	roleId?: number | undefined;
	status?: Status | undefined;
	keyword?: string | undefined;
	order?: Order | undefined;
}

/** The ids on a page in the order of the list, and how many employees pass the filter. */
export interface FoundPage {
	ids: number[];
	total: number;
}

/** Which of the matching employees to return, in the order of the list. */
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

/** The matches among the first rows behind an id: how many, of how many rows read, and the id of the last one read. */
interface Counted {
	hits: number;
	seen: number;
	last: number | null;
}

interface Counts {
	active: number;
	inactive: number;
}

const nobody: Counts = { active: 0, inactive: 0 };

interface Block extends Counts {
	block: number;
}

/** What SQL says in each order, and an id behind which there is none. */
const directions = {
	asc: {
		behind: '>',
		from: '>=',
		upTo: '<=',
		lastOf: 'max',
		sort: 'order by id',
		sortRows: 'order by rowid',
		end: Number.MAX_SAFE_INTEGER,
	},
	desc: {
		behind: '<',
		from: '<=',
		upTo: '>=',
		lastOf: 'min',
		sort: 'order by id desc',
		sortRows: 'order by rowid desc',
		end: 0,
	},
} as const;

function opposite(order: Order): Order {
	return order === 'asc' ? 'desc' : 'asc';
}

// Text instead of Drizzle queries: full-text search and nested limits.
const statements = prepared(({ $client }) => ({
	totals: $client.prepare<Counts, []>(
		'select coalesce(sum(active), 0) as active, coalesce(sum(inactive), 0) as inactive from employee_counts',
	),
	blocks: $client.prepare<Block, []>('select block, active, inactive from employee_counts order by block'),
	partCounts: $client.prepare<Counts, [string]>(
		`select coalesce(active, 0) as active, coalesce(inactive, 0) as inactive
		from json_each(?) left join employee_part_counts on part = value`,
	),
	storeCounts: $client.prepare<Counts, [number]>(
		'select active, inactive from employee_store_counts where store_id = ?',
	),
	roleCounts: $client.prepare<Counts, [number]>('select active, inactive from employee_role_counts where role_id = ?'),
	largestId: $client.prepare<{ id: number | null }, []>('select max(id) as id from employees'),
	asc: directedStatements($client, 'asc'),
	desc: directedStatements($client, 'desc'),
}));

/** The statements that read in one order. */
function directedStatements($client: Db['$client'], order: Order) {
	const { behind, from, upTo, lastOf, sort, sortRows } = directions[order];
	const first = <Row>(query: string) => $client.prepare<Row, [Values]>(query);
	const page = (query: string) =>
		$client.prepare<{ id: number }, [Values]>(`${query} ${sort} limit $limit offset $offset`);

	// instr and lower ignore the case of ASCII letters only, as LIKE does, and take half the time.
	const contains = '(instr(phone, $keyword) or instr(lower(name), $keyword))';
	const hasStatus = '((select $status) is null or status = (select $status))';
	const hasRole = (id: string) => `exists (
		select 1 from employee_roles where employee_id = ${id} and role_id = (select $roleId) and unbound_at is null)`;
	const ofStore = `from employees where deleted_at is null and store_id = (select $storeId) and id ${behind} (select $after)`;
	const ofIndex = `from employee_search where employee_search match (select $match)
		and rowid ${behind} (select $after) and rowid ${upTo} (select $last)`;
	const counted = (isHit: string, rows: string) =>
		first<Counted>(
			`select count(*) filter (where ${isHit}) as hits, count(*) as seen, ${lastOf}(id) as last from (${rows}) as found`,
		);
	const inStore = (columns: string, conditionOf: (id: string) => string) => ({
		count: counted(conditionOf('found.id'), `select ${columns} ${ofStore} ${sort} limit (select $most)`),
		ids: page(`select id ${ofStore} and id ${upTo} (select $last) and ${conditionOf('employees.id')}`),
	});

	return {
		any: page(`select id from employees where deleted_at is null and id ${from} (select $from)`),
		ofStatus: page(
			`select id from employees where deleted_at is null and status = (select $status) and id ${from} (select $from)`,
		),
		inStore: inStore('id, status', () => hasStatus),
		inStoreWithKeyword: inStore('id, status, name, phone', () => `${hasStatus} and ${contains}`),
		inStoreWithRole: inStore('id, status', (id) => `${hasStatus} and ${hasRole(id)}`),
		inStoreWithBoth: inStore('id, status, name, phone', (id) => `${hasStatus} and ${contains} and ${hasRole(id)}`),
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
				from (select rowid as found ${ofIndex} ${sortRows} limit (select $most)) join employees on id = found`,
			),
			ids: page(`select id from (select rowid as found ${ofIndex}) join employees on id = found where ${contains}`),
		},
	};
}

/** A search that can be done in steps, from one id to the next. */
interface Search {
	/** Where it starts: no id is on the other side. */
	start: number;
	/** Counts the matches behind an id. `end` is the last id that was looked at, undefined at the end of the table. */
	countBehind(after: number): { hits: number; end: number | undefined };
	/** Some of the matches behind one id, up to and including another or to the end of the table. */
	idsBetween(after: number, end: number | undefined, window: Window): number[];
}

/** Finds one page of the employees that pass the filter. Tests give smaller limits. */
export function findEmployees(
	db: Db,
	filter: EmployeeFilter,
	{ page, pageSize }: Paging,
	limits = usualLimits,
): Steps<FoundPage> {
	const window = { limit: pageSize, offset: (page - 1) * pageSize };
	if (filter.storeId !== undefined) return findInStore(db, filter, window, limits);
	if (filter.keyword !== undefined || filter.roleId !== undefined) return findInIndex(db, filter, window, limits);
	return findAmongAll(db, filter, window);
}

/**
 * Finds the employees that pass the filter in steps: the ids behind one, or the first ones, in the order of the list.
 * `end` is where the next step starts, undefined at the end.
 */
// biome-ignore lint/correctness/useYield: each call is one step.
export function* findIds(
	db: Db,
	filter: EmployeeFilter,
	after: number | undefined,
	limits = usualLimits,
): Steps<{ ids: number[]; end: number | undefined }> {
	const search = searchOf(db, filter, limits);
	if (!search) return { ids: [], end: undefined };
	const start = after ?? search.start;
	const { hits, end } = search.countBehind(start);
	return { ids: hits === 0 ? [] : search.idsBetween(start, end, { offset: 0, limit: hits }), end };
}

/** The search for a filter; undefined when the counts say that nobody matches. */
function searchOf(db: Db, filter: EmployeeFilter, limits: StepLimits): Search | undefined {
	if (filter.storeId !== undefined) return searchInStore(db, filter, limits);
	if (filter.keyword === undefined && filter.roleId === undefined) return searchAmongAll(db, filter, limits);
	const { most, ids } = extentOf(boundsOf(db, filter), filter.status, limits);
	return most === 0 ? undefined : searchInIndex(db, filter, { ids, rows: limits.rows });
}

/** The rows themselves, in the order of their ids. */
function searchAmongAll(db: Db, { status, order = 'asc' }: EmployeeFilter, { rows }: StepLimits): Search {
	const { any, ofStatus } = statements(db)[order];
	const step = order === 'asc' ? 1 : -1;
	function idsBehind(after: number, window: Window): number[] {
		const values = { from: after + step, ...window };
		return idsOf(status ? ofStatus.all({ ...values, status }) : any.all(values));
	}
	return {
		start: directions[opposite(order)].end,
		countBehind(after) {
			const ids = idsBehind(after, { limit: rows, offset: 0 });
			return { hits: ids.length, end: ids.length < rows ? undefined : ids.at(-1) };
		},
		idsBetween: (after, _, window) => idsBehind(after, window),
	};
}

/**
 * Walks through a search and collects the ids of the window on the way. It counts all matches, unless their total is
 * known; then it ends with the window.
 */
function* inSteps(
	{ start, countBehind, idsBetween }: Search,
	{ offset, limit }: Window,
	known?: number,
): Steps<FoundPage> {
	const ids: number[] = [];
	let counted = 0;
	for (let after: number | undefined = start; ; ) {
		const { hits, end } = countBehind(after);
		const skipped = offset + ids.length - counted;
		if (skipped < hits && ids.length < limit) {
			ids.push(...idsBetween(after, end, { offset: skipped, limit: limit - ids.length }));
		}
		counted += hits;
		if (end === undefined) break;
		if (known !== undefined && offset + ids.length >= Math.min(offset + limit, known)) break;
		after = end;
		yield;
	}
	return { ids, total: known ?? counted };
}

/** The total is counted only with a keyword or a role; otherwise only a page in a huge store takes several steps. */
function* findInStore(db: Db, filter: EmployeeFilter, window: Window, limits: StepLimits): Steps<FoundPage> {
	const search = searchInStore(db, filter, limits);
	const { storeId = 0, roleId, status, keyword } = filter;
	if (keyword !== undefined || roleId !== undefined) return yield* inSteps(search, window);
	const counts = statements(db).storeCounts.get(storeId) ?? nobody;
	const total = countOf(counts, status);
	if (window.offset >= total) return { ids: [], total };
	if (countOf(counts, undefined) > limits.entries) return yield* inSteps(search, window, total);
	return { ids: search.idsBetween(search.start, undefined, window), total };
}

/** Reads the store's own part of an index; with a keyword or a role, the rows of the store. */
function searchInStore(
	db: Db,
	{ storeId = 0, roleId, status, keyword, order = 'asc' }: EmployeeFilter,
	limits: StepLimits,
): Search {
	const { inStore, inStoreWithKeyword, inStoreWithRole, inStoreWithBoth } = statements(db)[order];
	const [withoutRole, withRole] =
		keyword === undefined ? [inStore, inStoreWithRole] : [inStoreWithKeyword, inStoreWithBoth];
	const { count, ids } = roleId === undefined ? withoutRole : withRole;
	const most = keyword === undefined && roleId === undefined ? limits.entries : limits.rows;
	const values = {
		storeId,
		status: status ?? null,
		...(keyword !== undefined && { keyword: fold(keyword) }),
		...(roleId !== undefined && { roleId }),
	};
	const { end: farEnd } = directions[order];
	return {
		start: directions[opposite(order)].end,
		countBehind: (after) => stepOf(count.get({ ...values, after, most }), most, undefined),
		idsBetween: (after, end, window) => idsOf(ids.all({ ...values, after, last: end ?? farEnd, ...window })),
	};
}

/**
 * Looks a keyword, a role or both up in the index. The rarest pair of characters and the role bound the number of
 * matches, and the work: only a search without a rare one of them is done in several steps.
 */
function* findInIndex(db: Db, filter: EmployeeFilter, window: Window, limits: StepLimits): Steps<FoundPage> {
	const { keyword, roleId, status } = filter;
	const counts = boundsOf(db, filter);
	const { most, ids: idsPerStep, isCommon } = extentOf(counts, status, limits);
	if (most === 0) return { ids: [], total: 0 };
	const search = searchInIndex(db, filter, { ids: idsPerStep, rows: limits.rows });
	const isKnown = keyword === undefined || (roleId === undefined && isCounted(keyword));
	if (!isKnown) return yield* inSteps(search, window);
	const wanted = Math.min(window.limit, most - window.offset);
	if (wanted <= 0) return { ids: [], total: most };
	if (!isCommon || window.offset < limits.ids) {
		const ids = search.idsBetween(search.start, search.firstEnd, window);
		if (ids.length === wanted) return { ids, total: most };
	}
	return yield* inSteps(search, window, most);
}

/** How many matches there are at most, and how many ids one step of a search may read. */
function extentOf(counts: readonly Counts[], status: Status | undefined, limits: StepLimits) {
	const most = Math.min(...counts.map((count) => countOf(count, status)));
	const isCommon = Math.min(...counts.map((count) => countOf(count, undefined))) > limits.common;
	return { most, isCommon, ids: isCommon ? limits.ids : Number.POSITIVE_INFINITY };
}

/** Counts of which each is at least the number of matches. */
function boundsOf(db: Db, { keyword, roleId }: EmployeeFilter): Counts[] {
	const { partCounts, roleCounts } = statements(db);
	const ofKeyword = keyword === undefined ? [] : partCounts.all(JSON.stringify(countedPartsOf(keyword)));
	if (roleId === undefined) return ofKeyword;
	return [...ofKeyword, roleCounts.get(roleId) ?? nobody];
}

function searchInIndex(db: Db, filter: EmployeeFilter, most: { ids: number; rows: number }) {
	const { keyword, order = 'asc' } = filter;
	const { allInIndex, inIndex, inIndexChecked } = statements(db)[order];
	const { match, isExact } = lookupOf(filter);
	const values = isExact ? { match } : { match, keyword: fold(keyword ?? '') };
	const { ids } = isExact ? inIndex : inIndexChecked;
	const largest = statements(db).largestId.get()?.id ?? 0;
	const [start, farEnd] = order === 'asc' ? [0, largest] : [largest + 1, 1];
	/** The last id of a step, undefined when the step reaches the end. */
	function endAfter(after: number): number | undefined {
		const end = order === 'asc' ? after + most.ids : after - most.ids;
		const isShort = order === 'asc' ? end < farEnd : end > farEnd;
		return isShort ? end : undefined;
	}
	return {
		start,
		/** Where the first step ends, when it is not shortened by the number of rows. */
		firstEnd: endAfter(start),
		countBehind(after: number) {
			if (isExact && most.ids === Number.POSITIVE_INFINITY) {
				return { hits: allInIndex.get({ match })?.hits ?? 0, end: undefined };
			}
			const end = endAfter(after);
			const range = { ...values, after, last: end ?? farEnd };
			if (isExact) return { hits: inIndex.count.get(range)?.hits ?? 0, end };
			return stepOf(inIndexChecked.count.get({ ...range, most: most.rows }), most.rows, end);
		},
		idsBetween: (after: number, end: number | undefined, window: Window) =>
			idsOf(ids.all({ ...values, after, last: end ?? farEnd, ...window })),
	};
}

/** What a step counted, and where it ended: at the last row read if it read as many as it may, else at `end`. */
function stepOf(counted: Counted | null, most: number, end: number | undefined) {
	if (!counted) return { hits: 0, end };
	return { hits: counted.hits, end: counted.seen === most && counted.last !== null ? counted.last : end };
}

/** Reads a page behind the middle from the other end, where fewer rows are skipped. */
// biome-ignore lint/correctness/useYield: it takes one step, unlike the searches it is an alternative to.
function* findAmongAll(db: Db, { status, order = 'asc' }: EmployeeFilter, { limit, offset }: Window): Steps<FoundPage> {
	const total = countOf(statements(db).totals.get() ?? nobody, status);
	if (offset >= total) return { ids: [], total };
	const size = Math.min(limit, total - offset);
	if (offset <= total / 2) return { ids: readAmongAll(db, status, order, { limit: size, offset }), total };
	const mirrored = { limit: size, offset: total - offset - size };
	return { ids: readAmongAll(db, status, opposite(order), mirrored).toReversed(), total };
}

/** Skips to a deep page by the counts of blocks of ids. */
function readAmongAll(db: Db, status: Status | undefined, order: Order, { limit, offset }: Window): number[] {
	const { blocks, [order]: directed } = statements(db);
	const start = { from: order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER, offset: 0 };
	const values = { limit, ...(offset === 0 ? start : skipBlocks(blocks.all(), { status, order }, offset)) };
	return idsOf(status ? directed.ofStatus.all({ ...values, status }) : directed.any.all(values));
}

/** Where to start reading for the row at an offset: the first id of its block in this order, and the rows to skip there. */
function skipBlocks(
	ascending: readonly Block[],
	{ status, order }: { status: Status | undefined; order: Order },
	offset: number,
): { from: number; offset: number } {
	let left = offset;
	for (const block of order === 'asc' ? ascending : ascending.toReversed()) {
		const count = countOf(block, status);
		if (left < count) {
			const first = block.block << blockBits;
			return { from: order === 'asc' ? first : first + (1 << blockBits) - 1, offset: left };
		}
		left -= count;
	}
	return { from: 0, offset: left };
}

function countOf({ active, inactive }: Counts, status: Status | undefined): number {
	if (status === 'ACTIVE') return active;
	return status === 'INACTIVE' ? inactive : active + inactive;
}

function idsOf(rows: readonly { id: number }[]): number[] {
	return rows.map((row) => row.id);
}
