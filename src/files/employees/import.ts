/**
 * Adding and changing many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new
 * or changed employee, and what is wrong with it is said in the same words.
 */

import { and, type Column, isNull } from 'drizzle-orm';
import type { Passwords } from '../../auth/password.ts';
import type { Db } from '../../database/open.ts';
import { among, queries } from '../../database/query.ts';
import { employees } from '../../database/schema.ts';
import { CreateEmployee, employeeMessages, type GivenPassword, type KnownEmployee } from '../../employees/model.ts';
import { setOneTimePassword } from '../../employees/passwords.ts';
import {
	bindableRoles,
	bindableUntil,
	forGood,
	isWider,
	lastDaysOf,
	longerRefusal,
	rolesOf,
	sightRefusal,
	upwardRefusal,
} from '../../employees/reach.ts';
import { presentByIds } from '../../employees/read.ts';
import { addEmployee, type Hire, storeEdits } from '../../employees/writing.ts';
import { newestGroup } from '../../history/service.ts';
import { reachOf } from '../../reach/service.ts';
import { listRoles } from '../../roles/service.ts';
import { type Actor, type Caller, isSelf } from '../../session/actor.ts';
import { listStores } from '../../stores/service.ts';
import { maxPeopleAtOnce } from '../../vocabulary/limits.ts';
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

interface EmployeePlan extends ImportPlan<KnownEmployee, Hire> {
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
			const known = lookUp(db, actor);
			const plan = planLines(employeeLayout, table, holderOf, rulesFor(known));
			return { ...plan, summary: summaryOf(plan, known) };
		},
		apply(caller, { create, change }) {
			const ids = create.map((hire) => addEmployee(db, caller, passwords.initialHash(), hire));
			storeEdits(db, caller, change);
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
	hires: readonly Hire[],
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
			.where(and(among(column, 'values'), isNull(employees.deletedAt)));
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

function rulesFor(known: Lookups): LineRules<EmployeeLine, KnownEmployee, Hire> {
	const { listed, roles, storeNames, bindable } = known;
	return {
		outOfReach: ({ storeId }) => (known.reach?.has(storeId) === false ? employeeMessages.otherStore : undefined),
		wantedOf: (line, before, report) => wantedOf({ line, before, known, report }),
		reportConflict({ line: { name }, before, holder, column, isGivenUp, reason }, report) {
			// A number of another kind, such as that of the row, must not turn one person into another.
			if (before && name === holder.name && name !== before.name) report('id', otherPerson(before.id, before.name));
			else if (!isGivenUp) report(column, `${reason}：${holder.name}（${holder.storeName}）`);
		},
		textsOf: (person) => textsOf(person, roles.wordFor),
		textsAfter(before, wanted) {
			const held = new Set(wanted.roleIds);
			const storeName = storeNames.get(wanted.storeId) ?? '';
			const changed = { ...before, ...wanted, storeName, roles: listed.filter(({ id }) => held.has(id)) };
			return textsOf(changed, roles.wordFor);
		},
		refusalOf(person) {
			if (!person.roles.every(({ id }) => bindable.has(id))) {
				return known.upwardRefusal(person.roles, employeeMessages.actsUpward);
			}
			return known.isWider(person) ? employeeMessages.actsUpward : undefined;
		},
	};
}

/** How many new people come into each store and role, and who loses all roles. */
function summaryOf({ create, change }: ImportPlan<KnownEmployee, Hire>, { stores, listed }: Lookups): ImportedPeople {
	const storeIds = create.map(({ storeId }) => storeId);
	const roleIds = create.flatMap((hire) => hire.roleIds);
	return {
		stores: countsAmong(stores, storeIds),
		roles: countsAmong(listed, roleIds),
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

/** What is read from the database once for all lines. */
function lookUp(db: Db, actor: Actor) {
	const roles = listRoles(db);
	const stores = listStores(db);
	const bindable = bindableRoles(db, actor, roles);
	const reach = reachOf(db, actor);
	return {
		actor,
		upwardRefusal: (held: readonly { id: number }[], message: string) => upwardRefusal(db, actor, held, message),
		longerRefusal: (id: number) => longerRefusal(db, actor, forGood([{ id }])),
		reach,
		isWider: ({ id, roles: held }: KnownEmployee) => isWider(db, actor, id, held),
		sightRefusal: (before: KnownEmployee | undefined, { storeId, roleIds }: Pick<Hire, 'storeId' | 'roleIds'>) => {
			const held = before ? rolesOf(before) : new Map<number, null>();
			const wanted = new Map(roleIds.map((id) => [id, held.get(id) ?? null]));
			return sightRefusal(db, actor, before, { storeId, roles: wanted });
		},
		stores,
		// A word that is the name of one and the id of another is the name.
		storesByWord: new Map([
			...stores.map((store) => [String(store.id), store] as const),
			...stores.map((store) => [store.name, store] as const),
		]),
		storeNames: new Map(stores.map(({ id, name }) => [id, name])),
		listed: roles,
		roles: roleWords(roles),
		bindable: new Set(bindable.map((role) => role.id)),
		bindableUntil: bindableUntil(db, actor, bindable),
		ownLastDays: lastDaysOf(db, actor.id),
	};
}

type Lookups = ReturnType<typeof lookUp>;

/** A line, the person that it finds, and where to say what is wrong with it. */
interface AskedLine {
	line: EmployeeLine;
	before: KnownEmployee | undefined;
	known: Lookups;
	report: Report<EmployeeLine>;
}

/** What a line asks for: a new employee, or one who is changed. Undefined when something is wrong or missing. */
function wantedOf(asked: AskedLine): Hire | undefined {
	const { line, before, known, report } = asked;
	const { name = before?.name, phone = before?.phone } = line;
	const { status = before?.status ?? 'ACTIVE', remark = before?.remark ?? null } = line;
	const storeId = line.store === undefined ? before?.storeId : checkStore(line.store, asked);
	const held = before?.roles.map(({ id }) => id) ?? [];
	const roleIds = line.roles === undefined ? held : checkRoles(line.roles, asked);
	if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
	const refusal = known.sightRefusal(before, { storeId, roleIds });
	if (refusal !== undefined) return void report(storeId === before?.storeId ? 'roles' : 'store', refusal);
	return { name, phone, storeId, roleIds, status, remark };
}

function checkStore(word: string, { before, known, report }: AskedLine): number | undefined {
	const store = known.storesByWord.get(word);
	// Who is in a disabled store stays there.
	if (store && store.id === before?.storeId) return store.id;
	// As for a single one: whether another store exists is not said.
	const { reach } = known;
	if (reach && !(store && reach.has(store.id))) return void report('store', employeeMessages.otherStore);
	if (!store) return void report('store', noStore(excerpt(word) ?? ''));
	if (store.status !== 'ACTIVE') return void report('store', disabledStore(store.name));
	return store.id;
}

const { roleIds } = CreateEmployee.properties;

function checkRoles(words: readonly string[], { before, known, report }: AskedLine): number[] | undefined {
	const { roles } = known;
	const held = new Set(before?.roles.map(({ id }) => id));
	const ids = new Set<number>();
	const single = words.flatMap((word) => (roles.find(word).length > 0 ? word : word.split(looseRoleSeparator)));
	for (const word of single.filter((each) => each !== '')) {
		const [role, ...others] = roles.find(word);
		if (!role) return void report('roles', `${employeeMessages.badRole}：${word}`);
		if (others.length > 0) return void report('roles', sameName(word));
		const refusal = held.has(role.id) ? undefined : bindingRefusal(role.id, before, known);
		if (refusal !== undefined) return void report('roles', `${refusal}：${word}`);
		ids.add(role.id);
	}
	return ids.size > (roleIds.maxItems ?? ids.size) ? void report('roles', String(roleIds.error)) : Array.from(ids);
}

/** Why the actor may not bind a role for good. */
function bindingRefusal(id: number, before: KnownEmployee | undefined, known: Lookups): string | undefined {
	const { actor, bindable, bindableUntil, ownLastDays } = known;
	if (!bindable.has(id)) return known.upwardRefusal([{ id }], employeeMessages.bindsUpward);
	if (bindableUntil.get(id)) return known.longerRefusal(id);
	const isOwn = isSelf(actor, before?.id);
	return isOwn && ownLastDays.get(id) ? employeeMessages.ownEnd : undefined;
}
