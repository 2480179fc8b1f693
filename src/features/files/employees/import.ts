/**
 * Adding and changing many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new
 * or changed employee, and what is wrong with it is said in the same words.
 */

import { and, type Column, isNull } from 'drizzle-orm';
import { newestGroup } from '../../../identity/history/service.ts';
import { reachOf } from '../../../identity/reach/service.ts';
import { type Actor, type Caller, isLimited, isSelf } from '../../../identity/session/actor.ts';
import type { Db } from '../../../platform/database/open.ts';
import { inJsonArray, queries } from '../../../platform/database/query.ts';
import { employees } from '../../../platform/database/schema.ts';
import { maxPeopleAtOnce } from '../../../platform/vocabulary/limits.ts';
import type { Passwords } from '../../auth/password.ts';
import {
	CreateEmployee,
	employeeMessages,
	type GivenPassword,
	type KnownEmployee,
	type LastDays,
} from '../../employees/model.ts';
import { setOneTimePassword } from '../../employees/passwords.ts';
import { bindingRefusal, forGood, lastDaysOf, rolesOf, sightRefusal, upwardRefusal } from '../../employees/reach.ts';
import { presentByIds } from '../../employees/read.ts';
import {
	editableFieldsAfter,
	insertEmployee,
	type NewEmployee,
	parkPhoneNumbers,
	saveEmployee,
} from '../../employees/save.ts';
import type { Role } from '../../roles/model.ts';
import { listRoles } from '../../roles/service.ts';
import type { StoredStore } from '../../stores/model.ts';
import { listStores } from '../../stores/service.ts';
import type { Importer } from '../import.ts';
import { holdersAmong, type ImportPlan, type LineRules, planLines, type Report } from '../plan.ts';
import { excerpt, type ImportTable } from '../read-lines.ts';
import { looseRoleSeparator, roleWords, type UniqueEmployeeColumn } from './columns.ts';
import { textsOf } from './export.ts';
import { type EmployeeLine, employeeLayout } from './layout.ts';
import type { ImportedPeople } from './model.ts';

const noStore = (word: string) => `没有门店“${word}”`;

const disabledStore = (name: string) => `门店“${name}”已禁用`;

const sameName = (word: string) => `有多个角色名为“${word}”，请填写角色代号`;

const otherPerson = (id: number, name: string) => `编号 ${id} 是${name}，与姓名和手机号不符`;

/** What is read once for all lines. */
interface Known {
	stores: readonly StoredStore[];
	roles: readonly Role[];
}

type ReportOn = Report<EmployeeLine>;

const { roleIds } = CreateEmployee.properties;

interface EmployeePlan extends ImportPlan<KnownEmployee, NewEmployee> {
	summary: ImportedPeople;
}

/** How a file with employees is imported; new ones get the initial password or one-time passwords. */
export function employeeImporter(
	db: Db,
	passwords: Passwords,
	{ oneTimePasswords }: { oneTimePasswords: boolean },
): Importer<EmployeePlan> {
	return {
		layout: employeeLayout,
		action: 'EMPLOYEE_IMPORT',
		permission: 'employee:manage',
		plan({ actor }, table: ImportTable<EmployeeLine>) {
			const holderOf = holdersAmong(employeeLayout, peopleIn(db, table.lines));
			const known = { stores: listStores(db), roles: listRoles(db) };
			const plan = planLines(employeeLayout, table, holderOf, rulesFor(db, actor, known));
			return { ...plan, summary: summaryOf(plan, known) };
		},
		apply(caller, { create, change }) {
			const ids = create.map((hire) => insertEmployee(db, caller, passwords.initialHash(), hire));
			parkPhoneNumbers(db, change);
			for (const { before, after } of change) {
				saveEmployee(db, caller, 'EMPLOYEE_UPDATE', { before, after: editableFieldsAfter(before, after, caller.at) });
			}
			const people = create.length + change.length;
			const isUndoable = people > 0 && people <= maxPeopleAtOnce;
			return {
				...(isUndoable && { groupId: newestGroup(db) }),
				...(oneTimePasswords && { passwords: givePasswords({ db, passwords }, caller, create, ids) }),
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
	return { id: holding(employees.id), phone: holding(employees.phone) } satisfies Record<UniqueEmployeeColumn, unknown>;
});

/** The people who have the unique values in some lines. */
function peopleIn(db: Db, lines: readonly EmployeeLine[]): KnownEmployee[] {
	const ids = Object.entries(holders(db)).flatMap(([column, holding]) => {
		const values = lines.flatMap((line) => line[column as UniqueEmployeeColumn] ?? []);
		return holding.all({ values: JSON.stringify(values) }).map(({ id }) => id);
	});
	return presentByIds(db, ids);
}

function rulesFor(db: Db, actor: Actor, { stores, roles }: Known): LineRules<EmployeeLine, KnownEmployee, NewEmployee> {
	const reach = reachOf(db, actor);
	const words = roleWords(roles);
	const storeNames = new Map(stores.map(({ id, name }) => [id, name]));
	// A word that is the name of one and the id of another is the name.
	const storesByWord = new Map([
		...stores.map((store) => [String(store.id), store] as const),
		...stores.map((store) => [store.name, store] as const),
	]);
	const bindingRefusals = new Map(roles.map(({ id }) => [id, bindingRefusal(db, actor, forGood([{ id }]))]));
	const ownLastDays = lastDaysOf(db, actor.id);

	function findStore(
		word: string | undefined,
		before: KnownEmployee | undefined,
		report: ReportOn,
	): number | undefined {
		if (word === undefined) return before?.storeId;
		const store = storesByWord.get(word);
		// Who is in a disabled store stays there.
		if (store && store.id === before?.storeId) return store.id;
		// As for a single one: whether another store exists is not said.
		if (reach && !(store && reach.has(store.id))) return void report('store', employeeMessages.otherStore);
		if (!store) return void report('store', noStore(excerpt(word) ?? ''));
		if (store.status !== 'ACTIVE') return void report('store', disabledStore(store.name));
		return store.id;
	}

	/** What is wrong with a word for a role. */
	function problemOf(word: string, before: KnownEmployee | undefined): string | undefined {
		const [role, ...others] = words.find(word);
		if (!role) return `${employeeMessages.badRole}：${word}`;
		if (others.length > 0) return sameName(word);
		if (before?.roles.some(({ id }) => id === role.id)) return undefined;
		const ownEnd = isSelf(actor, before?.id) && ownLastDays.get(role.id) ? employeeMessages.ownEnd : undefined;
		const refusal = bindingRefusals.get(role.id) ?? ownEnd;
		return refusal === undefined ? undefined : `${refusal}：${word}`;
	}

	function findRoles(asked: readonly string[], before: KnownEmployee | undefined, report: ReportOn) {
		const single = asked
			.flatMap((word) => (words.find(word).length > 0 ? word : word.split(looseRoleSeparator)))
			.filter((word) => word !== '');
		const [problem] = single.flatMap((word) => problemOf(word, before) ?? []);
		if (problem !== undefined) return void report('roles', problem);
		const ids = Array.from(new Set(single.flatMap((word) => words.find(word).map(({ id }) => id))));
		return ids.length > (roleIds.maxItems ?? ids.length) ? void report('roles', String(roleIds.error)) : ids;
	}

	return {
		outOfReach: ({ storeId }) => (reach?.has(storeId) === false ? employeeMessages.otherStore : undefined),
		wantedOf(line, before, report) {
			const { name = before?.name, phone = before?.phone } = line;
			const { status = before?.status ?? 'ACTIVE', remark = before?.remark ?? null } = line;
			const held: LastDays = before ? rolesOf(before) : new Map();
			const storeId = findStore(line.store, before, report);
			const roleIds = line.roles === undefined ? [...held.keys()] : findRoles(line.roles, before, report);
			if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
			const wanted = new Map(roleIds.map((id) => [id, held.get(id) ?? null]));
			const refusal = sightRefusal(db, actor, before, { storeId, roles: wanted });
			if (refusal !== undefined) return void report(storeId === before?.storeId ? 'roles' : 'store', refusal);
			return { name, phone, storeId, roleIds, status, remark };
		},
		// A number of another kind, such as that of the row, must not turn one person into another.
		mistakeOf: ({ name }, { id, name: present }, holder) =>
			name === holder.name && name !== present ? otherPerson(id, present) : undefined,
		wordsFor: ({ name, storeName }) => `${name}（${storeName}）`,
		textsOf: (person) => textsOf(person, words.wordFor),
		textsAfter(before, wanted) {
			const held = new Set(wanted.roleIds);
			const storeName = storeNames.get(wanted.storeId) ?? '';
			const changed = { ...before, ...wanted, storeName, roles: roles.filter(({ id }) => held.has(id)) };
			return textsOf(changed, words.wordFor);
		},
		refusalOf(person) {
			// Whose roles the actor may bind is not above, and needs no question of their own.
			const isBelow = !isLimited(actor) && person.roles.every(({ id }) => bindingRefusals.get(id) === undefined);
			return isBelow ? undefined : upwardRefusal(db, actor, person);
		},
	};
}

/** How many new people come into each store and role, and who loses all roles. */
function summaryOf(
	{ create, change }: ImportPlan<KnownEmployee, NewEmployee>,
	{ stores, roles }: Known,
): ImportedPeople {
	const storeIds = create.map(({ storeId }) => storeId);
	const roleIds = create.flatMap((hire) => hire.roleIds);
	return {
		stores: countsAmong(stores, storeIds),
		roles: countsAmong(roles, roleIds),
		withoutRole: create.filter(({ roleIds }) => roleIds.length === 0).length,
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
