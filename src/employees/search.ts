/** Which employees are on a page, and how many there are in all: exact, and as quick at a million as at a thousand. */
import type { Db } from '../database/open.ts';
import { prepared, substring } from '../database/query.ts';
import type { Paging } from '../paging.ts';
import type { Status } from '../vocabulary/status.ts';
import { lookupOf } from './search-index.ts';

/** Which employees a page is taken from. */
export interface EmployeeFilter {
	storeId?: number | undefined;
	status?: Status | undefined;
	keyword?: string | undefined;
}

/** The ids on a page, in order, and how many employees pass the filter. */
export interface FoundPage {
	ids: number[];
	total: number;
}

/** A range of the result; past the end it is empty without asking, so no page number is too large for SQLite. */
type Range = {
	limit: number;
	offset: number;
};

const hit = `(name like (select $pattern) escape '\\' or phone like (select $pattern) escape '\\')`;

const statements = prepared(({ $client }) => {
	const first = <Values extends Record<string, string | number | null>>(query: string) =>
		$client.prepare<{ value: number }, [Values]>(query);
	const page = 'order by id limit $limit offset $offset';
	const inStore = 'from employees where deleted_at is null and store_id = (select $storeId)';
	const inStoreOfStatus = `${inStore} and ($status is null or status = (select $status))`;
	const inStoreWithKeyword = `${inStoreOfStatus} and ${hit}`;
	const candidates = 'from employee_search where employee_search match (select $match)';
	const checked = `from employee_search join employees on id = employee_search.rowid
		where employee_search match (select $match) and ${hit}`;
	return {
		counts: $client.prepare<{ block: number; active: number; inactive: number }, [number, number, number]>(
			'select block, active, inactive from employee_counts where level = ? and block between ? and ? order by block',
		),
		any: first<Range & { from: number }>(`select id as value from employees
			where deleted_at is null and id >= (select $from) ${page}`),
		ofStatus: first<Range & { from: number; status: Status }>(`select id as value from employees
			where deleted_at is null and status = (select $status) and id >= (select $from) ${page}`),
		store: first<Range & StoreValues>(`select id as value ${inStoreOfStatus} ${page}`),
		storeTotal: first<StoreValues>(`select count(*) as value ${inStoreOfStatus}`),
		storeKeyword: first<Range & StoreValues & Pattern>(`select id as value ${inStoreWithKeyword} ${page}`),
		storeKeywordTotal: first<StoreValues & Pattern>(`select count(*) as value ${inStoreWithKeyword}`),
		partCount: $client.prepare<{ active: number; inactive: number }, [string]>(
			'select active, inactive from employee_part_counts where part = ?',
		),
		candidates: first<Range & Match>(`select rowid as value ${candidates} order by rowid limit $limit offset $offset`),
		candidatesTotal: first<Match>(`select count(*) as value ${candidates}`),
		checked: first<Range & Match & Pattern>(`select id as value ${checked}
			order by employee_search.rowid limit $limit offset $offset`),
		checkedTotal: first<Match & Pattern>(`select count(*) as value ${checked}`),
	};
});

type StoreValues = {
	storeId: number;
	status: Status | null;
};

type Pattern = {
	pattern: string;
};

type Match = {
	match: string;
};

/** Finds one page of the employees that pass the filter, by id. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging): FoundPage {
	const range = { limit: pageSize, offset: (page - 1) * pageSize };
	if (filter.storeId !== undefined) return findInStore(db, { ...filter, storeId: filter.storeId }, range);
	if (filter.keyword !== undefined) return findByKeyword(db, filter.keyword, filter.status, range);
	return findAmongAll(db, filter.status, range);
}

/** A store has hundreds of people: its own part of an index is walked. */
function findInStore(
	db: Db,
	{
		storeId,
		status = null,
		keyword,
	}: { storeId: number; status?: Status | undefined | null; keyword?: string | undefined },
	range: Range,
): FoundPage {
	const { store, storeTotal, storeKeyword, storeKeywordTotal } = statements(db);
	const values = { storeId, status };
	if (keyword === undefined) {
		const total = storeTotal.get(values)?.value ?? 0;
		return { total, ids: within(range, total, () => store.all({ ...values, ...range })) };
	}
	const pattern = substring(keyword);
	const total = storeKeywordTotal.get({ ...values, pattern })?.value ?? 0;
	return { total, ids: within(range, total, () => storeKeyword.all({ ...values, pattern, ...range })) };
}

function findByKeyword(db: Db, keyword: string, status: Status | undefined, range: Range): FoundPage {
	const { candidates, candidatesTotal, checked, checkedTotal, partCount } = statements(db);
	const { match, countedPart, exact } = lookupOf(keyword, status);
	if (!exact) {
		const values = { match, pattern: substring(keyword) };
		const total = checkedTotal.get(values)?.value ?? 0;
		return { total, ids: within(range, total, () => checked.all({ ...values, ...range })) };
	}
	const total =
		countedPart === undefined
			? (candidatesTotal.get({ match })?.value ?? 0)
			: countOf(partCount.get(countedPart) ?? { active: 0, inactive: 0 }, status);
	return { total, ids: within(range, total, () => candidates.all({ match, ...range })) };
}

/** Deep pages are found through the counts of blocks of ids, first the large ones and then the small ones. */
function findAmongAll(db: Db, status: Status | undefined, { limit, offset }: Range): FoundPage {
	const { counts, any, ofStatus } = statements(db);
	const large = counts.all(1, 0, Number.MAX_SAFE_INTEGER);
	const total = large.reduce((sum, block) => sum + countOf(block, status), 0);
	const ids = within({ limit, offset }, total, () => {
		const inLarge = skipBlocks(large, status, offset);
		const small = counts.all(0, inLarge.block << 9, (inLarge.block << 9) + 511);
		const inSmall = skipBlocks(small, status, inLarge.left);
		const values = { from: inSmall.block * 512, limit, offset: inSmall.left };
		return status ? ofStatus.all({ ...values, status }) : any.all(values);
	});
	return { total, ids };
}

/** The block that holds the row at an offset, and how many rows are left to skip in it. */
function skipBlocks(
	blocks: readonly { block: number; active: number; inactive: number }[],
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

function countOf({ active, inactive }: { active: number; inactive: number }, status: Status | undefined): number {
	if (status === 'ACTIVE') return active;
	return status === 'INACTIVE' ? inactive : active + inactive;
}

function within({ offset }: Range, total: number, read: () => { value: number }[]): number[] {
	return offset < total ? read().map((row) => row.value) : [];
}
