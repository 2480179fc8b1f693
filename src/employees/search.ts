/** Finds employees: the ids on one page of a list, and the exact total. */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { employeeIndex } from '../database/schema.ts';
import {
	anyOf,
	anyPropertyOf,
	containing,
	marked,
	propertyBeginning,
	propertyOf,
	smallerPropertyThan,
} from '../search/expression.ts';
import { finderOf, matching } from '../search/finder.ts';
import { typedLetters } from '../search/names.ts';
import type { Paging } from '../vocabulary/paging.ts';
import { phoneOrText } from '../vocabulary/phone.ts';
import type { Status } from '../vocabulary/status.ts';
import type { EmployeeFilter } from './model.ts';

/** The chain counts as store 0. */
const countsOfRows = ['store_id', '0']
	.map((store) => `select ${store}, status, count(*) from employees where deleted_at is null group by 1, 2`)
	.join(' union all ');

/** Whether the counts are those of the rows. */
export function areCountsSound(client: Database): boolean {
	const counts = 'select store_id, status, total from employee_counts where total <> 0';
	const differences = `with rows as (${countsOfRows}) select 1 from (${counts} except select * from rows)
		union all select 1 from (select * from rows except ${counts})`;
	return client.query(differences).get() === null;
}

/** Counts the rows again, inside the caller's transaction. */
export function rebuildCounts(client: Database): void {
	client.run('delete from employee_counts');
	client.run(`insert into employee_counts ${countsOfRows}`);
}

/** The people of stores: disabling a store indexes nobody again, and an OR of thousands of stores takes the square of their number. */
const ofStores = `rowid in (
	select id from employees
	where store_id in (select value from json_each(?4)) and id between ?2 and ?3 and deleted_at is null
)`;

/** The same, asked of each row that is found, deleted ones too: a page needs few of them, and the totals are remembered. */
const eachOfStores = `(select store_id from employees where id = employee_search.rowid) in (select value from json_each(?4))`;

/** As many stores stand in an expression; more beside it, because each of them takes its time for every page. */
const maxInExpression = 20;

/** Without anything else to look for, the rows are read: `?1` is their status or nothing. */
const rowsOfStores = (source: string, store: string) => `from employees ${source}
	where deleted_at is null and id between ?2 and ?3 and (?1 = '' or status = ?1) and ${store} in (select value from json_each(?4))`;

/** So many are sorted by id sooner than they are found among all others. */
const few = 10_000;

const statements = prepared(({ $client }) => ({
	lockedOutFinder: finderOf($client, employeeIndex, `${matching(employeeIndex)} and ${ofStores}`),
	finder: finderOf($client, employeeIndex, `${matching(employeeIndex)} and ${eachOfStores}`),
	fewFinder: finderOf($client, employeeIndex, rowsOfStores('indexed by employees_store_live', 'store_id')),
	manyFinder: finderOf($client, employeeIndex, rowsOfStores('not indexed', '+store_id')),
	counted: $client.prepare<{ total: number }, [string, Status | null]>(
		`select coalesce(sum(total), 0) as total from employee_counts
		where store_id in (select value from json_each(?)) and status = coalesce(?, status)`,
	),
	lockedOut: $client.prepare<{ stores: string; total: number }, [string | null]>(
		`select json_group_array(store_id) as stores, coalesce(sum(total), 0) as total
		from stores join employee_counts on store_id = stores.id
		where stores.status = 'INACTIVE' and employee_counts.status = 'ACTIVE' and total > 0
			and (?1 is null or store_id in (select value from json_each(?1)))`,
	),
}));

/** How people are found who pass a filter. */
function wayOf(db: Db, filter: EmployeeFilter) {
	const { lockedOutFinder, finder, fewFinder, manyFinder } = statements(db);
	const { stores, lockedOut, status, ...others } = filter;
	if (lockedOut) {
		const disabledStores = () => statements(db).lockedOut.get(jsonOf(stores))?.stores;
		const expression = expressionOf({ ...others, status, lockedOut });
		return { finder: lockedOutFinder, search: () => ({ expression, given: disabledStores() }) };
	}
	if (stores === undefined) return { finder, search: () => ({ expression: expressionOf(filter) }) };
	const [total, given] = [knownTotal(db, filter), JSON.stringify(stores)];
	const rows = { expression: status ?? '', given };
	if (total !== undefined) return { finder: total > few ? manyFinder : fewFinder, search: () => rows };
	const isShort = stores.length <= maxInExpression;
	const search = isShort
		? { expression: expressionOf(filter) }
		: { expression: expressionOf({ ...others, status }), given };
	return { finder, search: () => search };
}

/** The ids of one page of the employees that pass the filter, in the order of the list, and how many pass it; in steps. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging) {
	const wanted = { order: filter.order ?? 'asc', limit: pageSize, offset: (page - 1) * pageSize };
	const { finder, search } = wayOf(db, filter);
	return finder.page(() => ({ ...search(), total: knownTotal(db, filter) }), wanted);
}

const largestId = Number.MAX_SAFE_INTEGER;

/** The next ids behind one, or the first ones, in the order of the list. */
export function nextIds(db: Db, filter: EmployeeFilter, after: number | undefined, limit: number): number[] {
	const { order = 'asc' } = filter;
	const [first, last] = order === 'asc' ? [(after ?? 0) + 1, largestId] : [1, (after ?? largestId) - 1];
	const { finder, search } = wayOf(db, filter);
	return finder.ids(search(), { order, limit, offset: 0 }, { first, last });
}

/** How many employees pass a filter. */
export function countEmployees(db: Db, filter: EmployeeFilter): number {
	const { finder, search } = wayOf(db, filter);
	return knownTotal(db, filter) ?? finder.total(search());
}

/** What the counts say of a filter by stores and status only, or of all who are locked out: counting a million takes 20 ms. */
function knownTotal(db: Db, filter: EmployeeFilter): number | undefined {
	const { storeId, stores, status, lockedOut, order: _, ...others } = filter;
	if (Object.values(others).some((value) => value !== undefined)) return undefined;
	const { counted, lockedOut: ofDisabledStores } = statements(db);
	if (!lockedOut) return counted.get(JSON.stringify(stores ?? [storeId ?? 0]), status ?? null)?.total;
	return storeId === undefined && status !== 'INACTIVE' ? ofDisabledStores.get(jsonOf(stores))?.total : undefined;
}

const disabled = propertyOf('d', '');
const day = 24 * 60 * 60 * 1000;

function jsonOf(stores: readonly number[] | undefined): string | null {
	return stores === undefined ? null : JSON.stringify(stores);
}

function expressionOf({ deleted, ...filter }: EmployeeFilter): string {
	const { storeId, stores, roleId, status, keyword, signedInBefore, passwordExpired } = filter;
	const conditions = [
		storeId !== undefined && propertyOf('s', storeId),
		stores !== undefined && anyOf(stores.map((store) => propertyOf('s', store))),
		roleId !== undefined && propertyOf('r', roleId),
		keyword !== undefined && containing(keyword),
		filter.search !== undefined && typed(filter.search),
		status === 'INACTIVE' && disabled,
		filter.passwordIsInitial && propertyOf('i', ''),
		passwordExpired !== undefined && smallerPropertyThan('o', passwordExpired),
		filter.neverSignedIn && propertyOf('n', ''),
		signedInBefore !== undefined && smallerPropertyThan('l', dayNumber(signedInBefore)),
		filter.withoutRole && propertyOf('w', ''),
	].filter((condition) => typeof condition === 'string');
	const all = conditions.length > 0 ? conditions.join(' AND ') : anyPropertyOf('s');
	const found = status === 'ACTIVE' || filter.lockedOut ? `(${all}) NOT ${disabled}` : all;
	return deleted ? marked('x', found) : found;
}

/** What people mean by a text that they typed to find somebody. */
function typed(text: string): string {
	const letters = typedLetters(text);
	const byPinyin = letters === undefined ? [] : [propertyBeginning('p', letters)];
	return anyOf([containing(phoneOrText(text)), ...byPinyin]);
}

/** The days since 1970, in five digits as the index has them. */
function dayNumber(date: string): string {
	return String(Math.max(0, Math.floor(Date.parse(date) / day))).padStart(5, '0');
}
