/** Finds employees: the ids on one page of a list, and the exact total. */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { typedLetters } from '../database/pinyin.ts';
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
import { finderOf } from '../search/finder.ts';
import type { Paging } from '../vocabulary/paging.ts';
import { phoneOrText } from '../vocabulary/phone.ts';
import type { Status } from '../vocabulary/status.ts';
import type { EmployeeFilter } from './model.ts';

const countsOfRows =
	'select store_id, status, count(*) as total from employees where deleted_at is null group by store_id, status';

/** Whether the counts are those of the rows. */
export function areCountsSound(client: Database): boolean {
	const counts = 'select store_id, status, total from employee_counts where total <> 0';
	const differences = `select 1 from (${counts} except ${countsOfRows}) union all select 1 from (${countsOfRows} except ${counts})`;
	return client.query(differences).get() === null;
}

/** Counts the rows again, inside the caller's transaction. */
export function rebuildCounts(client: Database): void {
	client.run('delete from employee_counts');
	client.run(`insert into employee_counts ${countsOfRows}`);
}

const statements = prepared(({ $client }) => ({
	finder: finderOf($client, employeeIndex),
	// Two statements, because a store that may be left out would hide the key of the counts: all of them would be read.
	ofChain: $client.prepare<{ total: number }, [Status | null]>(
		'select coalesce(sum(total), 0) as total from employee_counts where status = coalesce(?, status)',
	),
	ofStore: $client.prepare<{ total: number }, [Status | null, number]>(
		'select coalesce(sum(total), 0) as total from employee_counts where status = coalesce(?, status) and store_id = ?',
	),
	disabledStores: $client.prepare<{ id: number }, []>(
		`select id from stores where status = 'INACTIVE' and exists (
			select 1 from employee_counts where store_id = stores.id and status = 'ACTIVE' and total > 0
		)`,
	),
}));

/** The ids of one page of the employees that pass the filter, in the order of the list, and how many pass it; in steps. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging) {
	const wanted = { order: filter.order ?? 'asc', limit: pageSize, offset: (page - 1) * pageSize };
	const sought = () => ({ expression: expressionOf(db, filter), total: knownTotal(db, filter) });
	return statements(db).finder.page(sought, wanted);
}

const largestId = Number.MAX_SAFE_INTEGER;

/** The next ids behind one, or the first ones, in the order of the list. */
export function nextIds(db: Db, filter: EmployeeFilter, after: number | undefined, limit: number): number[] {
	const { order = 'asc' } = filter;
	const [first, last] = order === 'asc' ? [(after ?? 0) + 1, largestId] : [1, (after ?? largestId) - 1];
	return statements(db).finder.ids(expressionOf(db, filter), { order, limit, offset: 0 }, { first, last });
}

/** How many employees pass a filter. */
export function countEmployees(db: Db, filter: EmployeeFilter): number {
	return knownTotal(db, filter) ?? statements(db).finder.total(expressionOf(db, filter));
}

/** What the counts say of a filter by store and status only: counting a million takes 20 ms. */
function knownTotal(db: Db, { storeId, status, order: _, ...others }: EmployeeFilter): number | undefined {
	if (Object.values(others).some((value) => value !== undefined)) return undefined;
	const { ofChain, ofStore } = statements(db);
	const wanted = status ?? null;
	return (storeId === undefined ? ofChain.get(wanted) : ofStore.get(wanted, storeId))?.total ?? 0;
}

const disabled = propertyOf('d', '');
const day = 24 * 60 * 60 * 1000;

function expressionOf(db: Db, { deleted, ...filter }: EmployeeFilter): string {
	const { storeId, roleId, status, keyword, signedInBefore, passwordExpired } = filter;
	const conditions = [
		storeId !== undefined && propertyOf('s', storeId),
		roleId !== undefined && propertyOf('r', roleId),
		keyword !== undefined && containing(keyword),
		filter.search !== undefined && typed(filter.search),
		status === 'INACTIVE' && disabled,
		filter.passwordIsInitial && propertyOf('i', ''),
		passwordExpired !== undefined && smallerPropertyThan('o', passwordExpired),
		filter.neverSignedIn && propertyOf('n', ''),
		signedInBefore !== undefined && smallerPropertyThan('l', dayNumber(signedInBefore)),
		filter.lockedOut && inDisabledStore(db),
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

/** Stores are few, so closing one does not index its people again. */
function inDisabledStore(db: Db): string {
	return anyOf(
		statements(db)
			.disabledStores.all()
			.map(({ id }) => propertyOf('s', id)),
	);
}

/** The days since 1970, in five digits as the index has them. */
function dayNumber(date: string): string {
	return String(Math.max(0, Math.floor(Date.parse(date) / day))).padStart(5, '0');
}
