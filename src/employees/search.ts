/** Finds employees: the ids on one page of a list, and the exact total. */
import type { Database } from 'bun:sqlite';
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { employeeIndex } from '../database/schema.ts';
import { anyPropertyOf, containing, finderOf, pageOf, propertyOf } from '../search/search-index.ts';
import type { Paging } from '../vocabulary/paging.ts';
import type { Status } from '../vocabulary/status.ts';
import type { Order } from './model.ts';

/** Which employees a page is taken from, and in which order. */
export interface EmployeeFilter {
	storeId?: number | undefined;
	roleId?: number | undefined;
	status?: Status | undefined;
	keyword?: string | undefined;
	passwordIsInitial?: true | undefined;
	order?: Order | undefined;
}

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
}));

/** The ids of one page of the employees that pass the filter, in the order of the list, and how many pass it. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging) {
	const { finder } = statements(db);
	const expression = expressionOf(filter);
	const total = countEmployees(db, filter);
	const wanted = { order: filter.order ?? 'asc', limit: pageSize, offset: (page - 1) * pageSize };
	return { ids: pageOf(finder, expression, wanted, total), total };
}

const largestId = Number.MAX_SAFE_INTEGER;

/** The next ids behind one, or the first ones, in the order of the list. */
export function nextIds(db: Db, filter: EmployeeFilter, after: number | undefined, limit: number): number[] {
	const { order = 'asc' } = filter;
	const [first, last] = order === 'asc' ? [(after ?? 0) + 1, largestId] : [1, (after ?? largestId) - 1];
	return statements(db).finder.ids(expressionOf(filter), { order, limit, offset: 0 }, { first, last });
}

/** How many employees pass a filter. By store and status the counts say it: counting a million takes 20 ms. */
export function countEmployees(db: Db, filter: EmployeeFilter): number {
	const { keyword, roleId, passwordIsInitial, storeId, status = null } = filter;
	const { finder, ofChain, ofStore } = statements(db);
	if (keyword ?? roleId ?? passwordIsInitial) return finder.total(expressionOf(filter));
	const counted = storeId === undefined ? ofChain.get(status) : ofStore.get(status, storeId);
	return counted?.total ?? 0;
}

const disabled = propertyOf('d', '');
const initialPassword = propertyOf('i', '');

function expressionOf({ storeId, roleId, status, keyword, passwordIsInitial }: EmployeeFilter): string {
	const conditions = [
		...(storeId === undefined ? [] : [propertyOf('s', storeId)]),
		...(roleId === undefined ? [] : [propertyOf('r', roleId)]),
		...(keyword === undefined ? [] : [containing(keyword)]),
		...(status === 'INACTIVE' ? [disabled] : []),
		...(passwordIsInitial ? [initialPassword] : []),
	];
	const all = conditions.length > 0 ? conditions.join(' AND ') : anyPropertyOf('s');
	return status === 'ACTIVE' ? `(${all}) NOT ${disabled}` : all;
}
