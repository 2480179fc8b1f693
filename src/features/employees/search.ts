/** Finds employees: the ids on one page of a list, and the exact total. */
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import { employeeIndex } from '../../platform/database/schema.ts';
import {
	anyOf,
	anyPropertyOf,
	containing,
	marked,
	propertyBeginning,
	propertyOf,
	smallerPropertyThan,
} from '../../platform/search/expression.ts';
import { finderOf } from '../../platform/search/finder.ts';
import { typedLetters } from '../../platform/search/names.ts';
import type { Paging } from '../../platform/vocabulary/paging.ts';
import { phoneOrText } from '../../platform/vocabulary/phone.ts';
import type { EmployeeFilter } from './model.ts';

/** The people of stores, asked of each row that is found: a page needs few of them, and the totals are remembered. */
const ofStores = `from (
	select employee_search.rowid from employee_search cross join employees on id = employee_search.rowid
	where employee_search match ?1 and employee_search.rowid between ?2 and ?3
		and +store_id in (select value from json_each(?4))
)`;

/** The most stores that an expression has. More are a condition beside it: the time of an expression grows with their square. */
const maxInExpression = 100;

const statements = prepared(({ $client }) => ({
	finder: finderOf($client, employeeIndex, ofStores),
	disabledStores: $client.prepare<{ id: number }, [string | null]>(
		`select id from stores
		where status = 'INACTIVE' and deleted_at is null and (?1 is null or id in (select value from json_each(?1)))`,
	),
}));

/** A filter without `lockedOut`: who is locked out is enabled, in a store that is disabled now. */
function readNow(db: Db, { lockedOut, ...filter }: EmployeeFilter): Omit<EmployeeFilter, 'lockedOut'> {
	if (!lockedOut) return filter;
	const { storeId, stores = storeId && [storeId], status = 'ACTIVE', ...others } = filter;
	const asked = stores ? JSON.stringify(stores) : null;
	const disabled = status === 'ACTIVE' ? statements(db).disabledStores.all(asked) : [];
	return { ...others, status, stores: disabled.map(({ id }) => id) };
}

/** What the people who pass a filter are sought by, as of now. */
function searchOf(db: Db, asked: EmployeeFilter) {
	const filter = readNow(db, asked);
	const { stores, ...withoutStores } = filter;
	const isBeside = stores !== undefined && stores.length > maxInExpression;
	return isBeside
		? { expression: expressionOf(withoutStores), given: JSON.stringify(stores) }
		: { expression: expressionOf(filter) };
}

/** The ids of one page of the employees that pass the filter, in the order of the list, and how many pass it; in steps. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging) {
	const wanted = { order: filter.order ?? 'asc', limit: pageSize, offset: (page - 1) * pageSize };
	return statements(db).finder.page(() => searchOf(db, filter), wanted);
}

const largestId = Number.MAX_SAFE_INTEGER;

/** The next ids behind one, or the first ones, in the order of the list. */
export function nextIds(db: Db, filter: EmployeeFilter, after: number | undefined, limit: number): number[] {
	const { order = 'asc' } = filter;
	const [first, last] = order === 'asc' ? [(after ?? 0) + 1, largestId] : [1, (after ?? largestId) - 1];
	return statements(db).finder.ids(searchOf(db, filter), { order, limit, offset: 0 }, { first, last });
}

/** How many employees pass a filter. */
export function countEmployees(db: Db, filter: EmployeeFilter): number {
	return statements(db).finder.total(searchOf(db, filter));
}

const disabled = propertyOf('d', '');
const day = 24 * 60 * 60 * 1000;

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
	const found = status === 'ACTIVE' ? `(${all}) NOT ${disabled}` : all;
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
