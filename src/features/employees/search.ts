/** The employees who pass a filter, in the order of their lists, and their number: SQL over the table's indexes. */
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, prepared, queries } from '../../platform/database/query.ts';
import { rememberUntilWrite } from '../../platform/database/remembered.ts';
import { employeeRoles, employees, searchText } from '../../platform/database/schema.ts';
import type { Paging } from '../../platform/vocabulary/paging.ts';
import { phoneOrText } from '../../platform/vocabulary/phone.ts';
import { parseLetters } from '../../platform/vocabulary/search-terms.ts';
import type { EmployeeStatus } from '../../platform/vocabulary/status.ts';
import { fold } from '../../platform/vocabulary/text-rule.ts';
import type { EmployeeFilter, Order } from './model.ts';

type Member = Exclude<keyof EmployeeFilter, 'order'>;

const contains = (text: SQLWrapper, name: string): SQL => sql`instr(${text}, ${param(name)})`;

/** The condition that the store of an employee is disabled. */
export const isInDisabledStore = sql`${employees.storeId} in (
	select id from stores where status = 'INACTIVE' and deleted_at is null
)`;

/** The condition of each member of a filter; its value is the parameter of that name. */
const conditions = {
	storeId: eq(employees.storeId, param('storeId')),
	stores: inJsonArray(employees.storeId, 'stores'),
	status: eq(employees.status, param('status')),
	roleId: and(eq(employeeRoles.roleId, param('roleId')), isNull(employeeRoles.unboundAt)) as SQL,
	externalId: eq(employees.externalId, param('externalId')),
	keyword: contains(searchText, 'keyword'),
	search: sql`(${contains(searchText, 'search')} or ${contains(employees.pinyin, 'letters')})`,
	// A literal, so that SQLite can read the index of these employees.
	passwordIsInitial: sql`${employees.passwordIsInitial} = 1`,
	passwordExpired: lt(employees.passwordExpiresAt, param('passwordExpired')),
	neverSignedIn: isNull(employees.lastSignInAt),
	signedInBefore: lt(employees.lastSignInAt, param('signedInBefore')),
	lockedOut: sql`${employees.status} = 'ACTIVE' and ${isInDisabledStore}`,
	// Both lists are in the order of their ids, so SQLite reads each once. Looking up each employee takes four times as
	// long. The plus keeps SQLite from doing so in each store of a list.
	withoutRole: sql`+${employees.id} in (
		select id from employees indexed by employees_live where deleted_at is null
		except select employee_id from employee_roles where unbound_at is null
	)`,
	deleted: isNotNull(employees.deletedAt),
} satisfies Record<Member, SQL>;

const hasRole = sql`exists (select 1 from employee_roles where employee_id = employees.id and unbound_at is null)`;

/** The members of a filter with a condition. A deleted employee holds no role. */
function membersOf({ order, ...filter }: EmployeeFilter): Member[] {
	const members = Object.keys(conditions) as Member[];
	const asked = members.filter((member) => filter[member] !== undefined);
	return asked.filter((member) => member !== 'withoutRole' || !filter.deleted);
}

const directions = {
	asc: { first: 0, isBeyond: gt, by: asc },
	desc: { first: Number.MAX_SAFE_INTEGER, isBeyond: lt, by: desc },
} satisfies Record<Order, unknown>;

/** The parameter values of a filter, for the employees after one, or for all. */
function valuesOf({ order = 'asc', stores, keyword, search, ...filter }: EmployeeFilter, after?: number) {
	const letters = search === undefined ? undefined : parseLetters(search);
	return {
		...filter,
		after: after ?? directions[order].first,
		stores: JSON.stringify(stores),
		keyword: keyword && fold(keyword),
		search: search && fold(phoneOrText(search)),
		letters: letters === undefined ? null : ` ${letters}`,
	};
}

/** The tables of a list, the one with fewer rows first: SQLite looks up each of its rows in the other one. */
function tablesOf(members: readonly Member[]): SQL {
	const people = sql`${employees} ${sql.raw(hintFor(members))}`;
	if (!members.includes('roleId')) return people;
	const holders = sql`${employeeRoles} indexed by employee_roles_role_live`;
	if (isRoleAlone(members)) return holders;
	const tables = isRoleFirst(members)
		? sql`${holders} cross join ${people}`
		: sql`${people} cross join ${employeeRoles} indexed by employee_roles_pair_live`;
	return sql`${tables} on employees.id = employee_id`;
}

/** A list by role alone does not read the employees, because a deleted employee holds no role. */
const isRoleAlone = (members: readonly Member[]) => members.length === 1 && members[0] === 'roleId';

/** A role usually has more employees than a store, and fewer than many stores. */
const isRoleFirst = (members: readonly Member[]) =>
	members.includes('roleId') && !members.includes('storeId') && !members.includes('externalId');

/** The members whose condition needs an employee's store, which `employees_live` does not contain. */
const needStore = ['storeId', 'stores', 'lockedOut'] as const satisfies Member[];

/**
 * The index to read. Without this hint SQLite counts in the table, which takes four times as long. The stores of a role's
 * employees are read from the table, by their ids.
 */
function hintFor(members: readonly Member[]): string {
	if (members.includes('deleted')) return 'indexed by employees_deleted';
	if (members.includes('externalId')) return 'indexed by employees_external_id_live';
	if (!needStore.some((member) => members.includes(member))) return 'indexed by employees_live';
	return isRoleFirst(members) ? 'not indexed' : 'indexed by employees_store_live';
}

function filterCondition(members: readonly Member[]): SQL | undefined {
	const live = members.includes('deleted') || isRoleAlone(members) ? undefined : isNull(employees.deletedAt);
	// In one store, looking up each employee is faster than reading the roles of everybody.
	const own = members.includes('storeId') ? { ...conditions, withoutRole: sql`not ${hasRole}` } : conditions;
	return and(live, ...members.map((member) => own[member]));
}

/** The statements of lists with the same members: building one takes longer than finding a page. */
const statements = prepared((db) => {
	const known = new QuickLRU<string, ReturnType<typeof statementsFor>>({ maxSize: 200 });
	return (filter: EmployeeFilter) => {
		const { order = 'asc' } = filter;
		const members = membersOf(filter);
		const key = `${order} ${members}`;
		const found = known.get(key) ?? statementsFor(db, members, order);
		known.set(key, found);
		return found;
	};
});

function statementsFor(db: Db, members: readonly Member[], order: Order) {
	const { isBeyond, by } = directions[order];
	// Raw SQL: Drizzle would omit the table of a column, because the tables are raw SQL, and two of them have an id.
	const id = sql<number>`${sql.raw(isRoleFirst(members) ? 'employee_roles.employee_id' : 'employees.id')}`;
	const where = and(filterCondition(members), isBeyond(id, param('after')));
	const [limit, offset] = [param('limit'), param('offset')];
	return {
		ids: db.select({ id }).from(tablesOf(members)).where(where).orderBy(by(id)).limit(limit).offset(offset).prepare(),
		total: db.select({ total: count() }).from(tablesOf(members)).where(where).prepare(),
	};
}

/** The ids of one page of the employees who pass the filter, in the order of the list, and the total. */
export function findEmployees(db: Db, filter: EmployeeFilter, { page, pageSize }: Paging) {
	const offset = (page - 1) * pageSize;
	const ids = nextIds(db, filter, { limit: pageSize, offset });
	const total = rememberUntilWrite(db, keyOf(filter), () => {
		// Beyond the last page the total is unknown.
		if (ids.length === 0 && offset > 0) return countAfter(db, filter);
		// Employees before the end of the page are not counted again.
		return offset + ids.length + (ids.length < pageSize ? 0 : countAfter(db, filter, ids.at(-1)));
	});
	return { ids, total };
}

/** Hashed, because the stores of a large chain take 100 kB. */
const keyOf = ({ order, ...filter }: EmployeeFilter) => `employees ${Bun.hash(JSON.stringify(filter))}`;

interface Part {
	/** The id before the first one; undefined for the beginning of the list. */
	after?: number | undefined;
	limit: number;
	offset?: number;
}

/** The ids of a part of a list, in its order. */
export function nextIds(db: Db, filter: EmployeeFilter, { after, limit, offset = 0 }: Part): number[] {
	const found = statements(db)(filter).ids.all({ ...valuesOf(filter, after), limit, offset });
	return found.map(({ id }) => id);
}

/** The number of employees who pass a filter. */
export function countEmployees(db: Db, filter: EmployeeFilter): number {
	return rememberUntilWrite(db, keyOf(filter), () => countAfter(db, filter));
}

function countAfter(db: Db, filter: EmployeeFilter, after?: number): number {
	return statements(db)(filter).total.get(valuesOf(filter, after))?.total ?? 0;
}

/** The filters that the overview counts, each with an index of only the enabled employees who pass it. */
const ownIndexes = {
	passwordIsInitial: 'employees_initial_password',
	passwordExpired: 'employees_password_expiry',
	neverSignedIn: 'employees_never_signed_in',
	signedInBefore: 'employees_signed_in',
} as const satisfies Partial<Record<Member, string>>;
type Flag = keyof typeof ownIndexes;

/** The columns that count each of these filters. */
function columnsBy(count: (flag: Flag) => SQL) {
	const columns = (Object.keys(ownIndexes) as Flag[]).map((flag) => [flag, count(flag)]);
	return Object.fromEntries(columns) as Record<Flag, SQL<number>>;
}

const counts = queries(({ select }) => {
	const countIf = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`;
	const has = (status: EmployeeStatus) =>
		sql`${employees.status} = ${sql.raw(`'${status}'`)} and ${isNull(employees.deletedAt)}`;
	const ofEverybody = columnsBy((flag) => {
		const table = sql`${employees} indexed by ${sql.raw(ownIndexes[flag])}`;
		return sql`(select count(*) from ${table} where ${has('ACTIVE')} and ${conditions[flag]})`;
	});
	return {
		enabled: select(ofEverybody).from(sql`(select 1)`),
		enabledOf: select(columnsBy((flag) => countIf(conditions[flag])))
			.from(sql`${employees} indexed by employees_store_live`)
			.where(and(has('ACTIVE'), conditions.stores)),
		disabled: select({ passwordIsInitial: countIf(conditions.passwordIsInitial), withRole: countIf(hasRole) })
			.from(sql`${employees} indexed by employees_state_live`)
			.where(has('INACTIVE')),
	};
});

/** Counts the enabled employees, of all stores or of some, who pass each filter that the overview counts. */
export function countEnabled(db: Db, filter: EmployeeFilter) {
	const { enabled, enabledOf } = counts(db);
	return (filter.stores ? enabledOf : enabled).get(valuesOf(filter)) as Record<Flag, number>;
}

/** Counts the disabled employees with the initial password, and those with a role. */
export function countDisabled(db: Db) {
	return counts(db).disabled.get() as { passwordIsInitial: number; withRole: number };
}
