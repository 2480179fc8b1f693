/**
 * Adding and changing many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new
 * or changed employee, and what is wrong with it is said in the same words.
 */

import { and, type Column, isNotNull, isNull } from 'drizzle-orm';
import { newestGroup } from '../../../identity/history/service.ts';
import { readAuthority } from '../../../identity/rights/authority.ts';
import { reasonFor, rightsMessages } from '../../../identity/rights/refusal.ts';
import { endsLater, isNothing, noGrants, reaches } from '../../../identity/rights/rules.ts';
import type { Actor, Caller } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { inJsonArray, queries } from '../../../platform/database/query.ts';
import { employees } from '../../../platform/database/schema.ts';
import { violationOf } from '../../../platform/http/violation.ts';
import { maxPeopleAtOnce } from '../../../platform/vocabulary/limits.ts';
import { hasPermission } from '../../../platform/vocabulary/permissions.ts';
import { because, type Reason } from '../../../platform/vocabulary/reasons.ts';
import type { Passwords } from '../../auth/password.ts';
import { type Change, missingToGive, missingToManage, ownPointsMissing } from '../../employees/authorization.ts';
import {
	CreateEmployee,
	employeeMessages,
	type GivenPassword,
	type KnownEmployee,
	newEmployee,
} from '../../employees/model.ts';
import { setOneTimePassword } from '../../employees/passwords.ts';
import { findHolder, listByIds, listLiveByIds, type StoredEmployee } from '../../employees/read.ts';
import {
	type EditableFields,
	editableFields,
	editableFieldsAfter,
	insertEmployee,
	lastDayAfter,
	type NewEmployee,
	parkPhoneNumbers,
	saveEmployee,
} from '../../employees/save.ts';
import type { Role } from '../../roles/model.ts';
import { listRoles } from '../../roles/service.ts';
import type { StoredStore } from '../../stores/model.ts';
import { listStores } from '../../stores/service.ts';
import { columnsWith } from '../columns.ts';
import type { Importer } from '../import.ts';
import { holdersAmong, type ImportPlan, type LineRules, planLines, type Report } from '../plan.ts';
import { excerpt, type ImportTable } from '../read-lines.ts';
import { employeeColumns, looseRoleSeparator, roleWords, type UniqueEmployeeColumn } from './columns.ts';
import { textsOf } from './export.ts';
import { type EmployeeLine, employeeLayout, noRole } from './layout.ts';
import { type FormerEmployee, type ImportedPeople, maxRestored } from './model.ts';

const messages = {
	noStore: (word: string) => because('store_not_found', `没有门店“${word}”`),
	disabledStore: (name: string) => because('store_inactive', `门店“${name}”已禁用`),
	sameName: (word: string) => because('ambiguous_name', `有多个角色名为“${word}”，请填写角色编码`),
	otherPerson: (id: number, name: string) => because('id_of_another', `编号 ${id} 是${name}，与姓名和手机号不符`),
} as const;

/** What is read once for all lines. */
interface Known {
	stores: readonly StoredStore[];
	roles: readonly Role[];
	people: readonly KnownEmployee[];
	former: ReadonlyMap<string, StoredEmployee>;
}

type ReportOn = Report<EmployeeLine>;

const { roleIds } = CreateEmployee.properties;

/** A new employee, or a deleted one who comes back. */
interface Hire extends NewEmployee {
	former?: StoredEmployee;
}

interface EmployeePlan extends ImportPlan<KnownEmployee, Hire> {
	summary: Summary;
}

type Summary = ImportedPeople & { created: number };

interface Choices {
	oneTimePasswords: boolean;
	/** The ids of the deleted employees who come back. */
	restore: ReadonlySet<number>;
}

/** How a file with employees is imported; new ones get the initial password or one-time passwords. */
export function employeeImporter(
	db: Db,
	passwords: Passwords,
	{ oneTimePasswords, restore }: Choices,
): Importer<EmployeePlan> {
	return {
		layout: employeeLayout,
		action: 'EMPLOYEE_IMPORT',
		permission: 'employee:manage',
		plan({ actor, at }, table: ImportTable<EmployeeLine>) {
			const people = findPeople(db, table.lines);
			const holderOf = holdersAmong(employeeLayout, people);
			const known = { stores: listStores(db), roles: listRoles(db), people, former: findFormer(db, table.lines) };
			const met: FormerEmployee[] = [];
			const plan = planLines(employeeLayout, table, holderOf, rulesFor(db, { actor, at }, known, { restore, met }));
			return { ...plan, summary: summaryOf(plan, known, met) };
		},
		apply(caller, { create, change }) {
			const hires = create.filter(({ former }) => !former);
			const ids = hires.map((hire) => insertEmployee(db, caller, passwords.initialHash(), hire));
			for (const { former, ...after } of create) {
				if (!former) continue;
				saveEmployee(db, caller, 'EMPLOYEE_RESTORE', { before: former, after: { ...after, leavesOn: null } });
			}
			parkPhoneNumbers(db, change);
			for (const { before, after } of change) {
				saveEmployee(db, caller, 'EMPLOYEE_UPDATE', { before, after: editableFieldsAfter(before, after, caller.at) });
			}
			const people = create.length + change.length;
			const isUndoable = people > 0 && people <= maxPeopleAtOnce;
			return {
				...(isUndoable && { groupId: newestGroup(db) }),
				...(oneTimePasswords && { passwords: givePasswords({ db, passwords }, caller, hires, ids) }),
			};
		},
	};
}

function givePasswords(
	{ db, passwords }: { db: Db; passwords: Passwords },
	{ at }: Caller,
	hires: readonly NewEmployee[],
	ids: readonly number[],
): GivenPassword[] {
	const storeNames = new Map(listStores(db).map(({ id, name }) => [id, name]));
	return hires.map(({ name, phone, storeId }, index) => {
		const id = ids[index] ?? 0;
		const oneTime = setOneTimePassword({ db, passwords }, id, at, null);
		return { id, name, phone, storeName: storeNames.get(storeId) ?? '', ...oneTime };
	});
}

const holders = queries(({ select }) => {
	const holding = (column: Column) =>
		select({ id: employees.id })
			.from(employees)
			.where(and(inJsonArray(column, 'values'), isNull(employees.deletedAt)));
	const columns = columnsWith(employeeColumns, 'unique') as UniqueEmployeeColumn[];
	const statements = columns.map((column) => [column, holding(employees[column])]);
	return Object.fromEntries(statements) as Record<UniqueEmployeeColumn, ReturnType<typeof holding>>;
});

/** The people who have the unique values in some lines. */
function findPeople(db: Db, lines: readonly EmployeeLine[]): KnownEmployee[] {
	const ids = Object.entries(holders(db)).flatMap(([column, holding]) => {
		const values = lines.flatMap((line) => line[column as UniqueEmployeeColumn] ?? []);
		return holding.all({ values: JSON.stringify(values) }).map(({ id }) => id);
	});
	return listLiveByIds(db, ids);
}

const read = queries(({ select }) => ({
	former: select({ id: employees.id })
		.from(employees)
		.where(and(inJsonArray(employees.phone, 'phones'), isNotNull(employees.deletedAt)))
		.orderBy(employees.deletedAt),
}));

/** The deleted employees who had the phones of some lines last, by phone. */
function findFormer(db: Db, lines: readonly EmployeeLine[]): Map<string, StoredEmployee> {
	const phones = lines.flatMap(({ phone }) => phone ?? []);
	const ids = read(db).former.all({ phones: JSON.stringify(phones) });
	const known = new Map(
		listByIds(
			db,
			ids.map(({ id }) => id),
		).map((person) => [person.id, person]),
	);
	const inOrder = ids.flatMap(({ id }) => known.get(id) ?? []);
	return new Map(inOrder.map((person) => [person.phone, person]));
}

/** The fields of a deleted employee who comes back: enabled, without a last day. */
const fieldsOnReturn = (former: StoredEmployee) =>
	({ ...editableFields(former), status: 'ACTIVE', leavesOn: null }) as const;

/** What a line asks for, as far as it can give rights. */
interface Wanted {
	storeId: number;
	roleIds: readonly number[];
	/** Whether it removes a last day that is over. */
	isProlonged: boolean;
}

/** Refusals by the rules of rights, each worked out once: thousands of lines are alike. */
function rightsFor(db: Db, actor: Actor, people: readonly KnownEmployee[]) {
	const isAdministrator = actor.accountType === 'SUPER_ADMIN';
	const authority = readAuthority(db, actor, isAdministrator ? [] : people.map(({ id }) => id));
	const giving = new Map<string, Problem>();

	/** Why the caller cannot give what a person gains, and the column that says so. */
	function problemOf(before: KnownEmployee | undefined, { storeId, roleIds, isProlonged }: Wanted): Problem {
		const granted = before ? authority.grantsOf(before.id) : noGrants;
		const roles = new Map(roleIds.map((id) => [id, granted.roles.get(id) ?? null]));
		const change: Change = { id: before?.id, after: { ...granted, storeId, roles }, isProlonged };
		const missing = missingToGive(authority, change);
		const isStore = missing.permissions.length === 0 && storeId !== before?.storeId;
		if (!isNothing(missing)) {
			const column = isStore ? 'store' : 'roles';
			return { column: isProlonged ? 'status' : column, reason: reasonFor(db, authority, 'give', missing) };
		}
		const points = ownPointsMissing(db, authority, change);
		return points.length === 0 ? undefined : { column: 'roles', reason: rightsMessages.ownPoints(points) };
	}

	return {
		reaches: (storeId: number) => reaches(authority.now, storeId),
		findGiveProblem(before: KnownEmployee | undefined, wanted: Wanted): Problem {
			if (isAdministrator) return undefined;
			const held = new Set(before?.roles.map(({ id }) => id));
			const isSame = wanted.storeId === before?.storeId && wanted.roleIds.every((id) => held.has(id));
			if (isSame && !wanted.isProlonged) return undefined;
			if (before) return problemOf(before, wanted);
			return giving.getOrInsertComputed(JSON.stringify(wanted), () => problemOf(undefined, wanted));
		},
		manageRefusal({ id }: KnownEmployee): Reason | undefined {
			const missing = missingToManage(authority, id);
			return isNothing(missing) ? undefined : reasonFor(db, authority, 'manage', missing);
		},
	};
}

type Problem = { column: 'store' | 'roles' | 'status'; reason: Reason } | undefined;

/** Finds the store that a line names, by the rules of a single employee. */
function storeFinder(actor: Actor, stores: readonly StoredStore[], { reaches }: ReturnType<typeof rightsFor>) {
	const isEverywhere = hasPermission(actor.permissions, 'employee:view:all');
	// A word that is the name of one and the id of another is the name.
	const storesByWord = new Map([
		...stores.map((store) => [String(store.id), store] as const),
		...stores.map((store) => [store.name, store] as const),
	]);
	return (word: string | undefined, before: KnownEmployee | undefined, report: ReportOn): number | undefined => {
		if (word === undefined) return before?.storeId;
		const store = storesByWord.get(word);
		// An employee of a disabled store stays there.
		if (store && store.id === before?.storeId) return store.id;
		// As for a single one: whether another store exists is not said.
		if (!isEverywhere && !(store && reaches(store.id))) return void report('store', rightsMessages.otherStore);
		if (!store) return void report('store', messages.noStore(excerpt(word) ?? ''));
		if (store.status !== 'ACTIVE') return void report('store', messages.disabledStore(store.name));
		return store.id;
	};
}

/** Finds the roles that a line names. */
function roleFinder(words: ReturnType<typeof roleWords<Role>>) {
	/** What is wrong with a word for a role. */
	function problemOf(word: string): Reason | undefined {
		const found = words.find(word);
		if (found.length > 1) return messages.sameName(word);
		return found.length === 1 ? undefined : noRole(word);
	}
	return (asked: readonly string[], report: ReportOn) => {
		const single = asked
			.flatMap((word) => (words.find(word).length > 0 ? word : word.split(looseRoleSeparator)))
			.filter((word) => word !== '');
		const [problem] = single.flatMap((word) => problemOf(word) ?? []);
		if (problem !== undefined) return void report('roles', problem);
		const ids = Array.from(new Set(single.flatMap((word) => words.find(word).map(({ id }) => id))));
		const isTooMany = ids.length > (roleIds.maxItems ?? ids.length);
		return isTooMany ? void report('roles', violationOf({ schema: roleIds, value: ids })) : ids;
	};
}

function rulesFor(
	db: Db,
	{ actor, at }: Pick<Caller, 'actor' | 'at'>,
	{ stores, roles, people, former: deleted }: Known,
	{ restore, met }: { restore: ReadonlySet<number>; met: FormerEmployee[] },
): LineRules<EmployeeLine, KnownEmployee, Hire> {
	const rights = rightsFor(db, actor, people);
	const words = roleWords(roles);
	const [findStore, findRoles] = [storeFinder(actor, stores, rights), roleFinder(words)];
	const storeNames = new Map(stores.map(({ id, name }) => [id, name]));

	/** Whether a line enables an employee whose last day is over. */
	function removesLastDay(before: KnownEmployee | undefined, fields: Partial<EditableFields>): boolean {
		return before !== undefined && endsLater(lastDayAfter(before, fields, at), before.leavesOn);
	}

	/** The deleted employee who had the phone of a new line, if the line brings them back. */
	function formerOf(line: number, phone = ''): StoredEmployee | undefined {
		const former = deleted.get(phone);
		if (!former || !rights.reaches(former.storeId)) return undefined;
		const { id, name, storeName, leavesOn, deletedAt } = former;
		const isRestored = restore.has(id);
		met.push({ line, id, name, storeName, leavesOn, deletedAt: deletedAt ?? '', isRestored });
		return isRestored ? former : undefined;
	}

	/** Without a column of external ids, a person comes back with the former one, unless another has it by now. */
	function hasLostNumber(former: StoredEmployee | undefined, given: Pick<EmployeeLine, 'externalId'>): boolean {
		const isKept = former !== undefined && given.externalId === undefined;
		return isKept && findHolder(db, 'externalId', former.externalId) !== undefined;
	}

	return {
		outOfReach: ({ storeId }) => (rights.reaches(storeId) ? undefined : rightsMessages.otherStore),
		resolveLine({ number, id: _, store, roles, ...given }, before, report) {
			const former = before ? undefined : formerOf(number, given.phone);
			const present = before ? editableFields(before) : former && fieldsOnReturn(former);
			const fields = { ...newEmployee, ...present, ...given };
			const { name, phone } = fields;
			const storeId = findStore(store, before, report);
			const roleIds = roles === undefined ? fields.roleIds : findRoles(roles, report);
			if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
			if (hasLostNumber(former, given)) return void report('externalId', employeeMessages.externalIdTaken);
			const isProlonged = removesLastDay(before, fields);
			const problem = rights.findGiveProblem(before, { storeId, roleIds, isProlonged });
			if (problem) return void report(problem.column, problem.reason);
			return { ...fields, name, phone, storeId, roleIds, ...(former && { former }) };
		},
		// A number of another kind, such as that of the row, must not turn one person into another.
		mistakeOf: ({ name }, { id, name: present }, holder) =>
			name === holder.name && name !== present ? messages.otherPerson(id, present) : undefined,
		wordsFor: ({ name, storeName }) => `${name}（${storeName}）`,
		textsOf: (person) => textsOf(person, words.wordFor),
		textsAfter(before, wanted) {
			const held = new Set(wanted.roleIds);
			const storeName = storeNames.get(wanted.storeId) ?? '';
			const changed = { ...before, ...wanted, storeName, roles: roles.filter(({ id }) => held.has(id)) };
			return textsOf(changed, words.wordFor);
		},
		refusalOf: rights.manageRefusal,
	};
}

/** How many new people come into each store and role, and who loses all roles. */
function summaryOf(
	{ create, change }: ImportPlan<KnownEmployee, Hire>,
	{ stores, roles }: Known,
	met: readonly FormerEmployee[],
): Summary {
	const restored = create.filter(({ former }) => former).length;
	const storeIds = create.map(({ storeId }) => storeId);
	const roleIds = create.flatMap((hire) => hire.roleIds);
	return {
		stores: countsAmong(stores, storeIds),
		roles: countsAmong(roles, roleIds),
		withoutRole: create.filter(({ roleIds }) => roleIds.length === 0).length,
		created: create.length - restored,
		restored,
		former: met.slice(0, maxRestored),
		losingRoles: change.filter(({ before, after }) => before.roles.length > 0 && after.roleIds.length === 0).length,
	};
}

/** How often each occurs among some ids; those that do are left. */
function countsAmong(named: readonly { id: number; name: string }[], ids: readonly number[]): ImportedPeople['stores'] {
	const groups = Map.groupBy(ids, (id) => id);
	return named.flatMap(({ id, name }) => {
		const count = groups.get(id)?.length;
		return count === undefined ? [] : { id, name, count };
	});
}
