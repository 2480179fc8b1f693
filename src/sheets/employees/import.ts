/**
 * Adding and changing many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new
 * or changed employee, and what is wrong with it is said in the same words.
 */

import type { Passwords } from '../../auth/password.ts';
import type { Db } from '../../database/open.ts';
import { CreateEmployee, employeeMessages, type KnownEmployee } from '../../employees/model.ts';
import { startWithOneTimePassword } from '../../employees/passwords.ts';
import { bindableRoles, mayReachStore } from '../../employees/reach.ts';
import { addEmployee, type Hire, storeEdits } from '../../employees/writing.ts';
import { listRoles } from '../../roles/service.ts';
import { type Actor, ownStoreOf, stillPermitted } from '../../session/actor.ts';
import { compare, freedKeys, type Present, type Report, type Rules } from '../checking.ts';
import type { Import } from '../importing.ts';
import { excerpt } from '../read-file.ts';
import { type Column, looseRoleSeparator, roleWords } from './columns.ts';
import { textsOf } from './export.ts';
import { peopleOf, storesForImport } from './import-lookup.ts';
import { type EmployeeLine, type EmployeeValues, employeeLayout } from './layout.ts';
import type { ImportCount, People } from './model.ts';

/** How many phones that are taken in other stores somebody confined to a store learns from one file. */
const maxNamedElsewhere = 20;

const noStore = (word: string) => `没有门店“${word}”`;

const disabledStore = (name: string) => `门店“${name}”已禁用`;

const sameName = (word: string) => `有多个角色名为“${word}”，请填写角色代号`;

const otherPerson = (id: number, name: string) => `编号 ${id} 是${name}，与姓名和手机号不符`;

/** How a file with employees is imported; new ones get the initial password or one-time passwords. */
export function employeeImport(
	db: Db,
	passwords: Passwords,
	{ oneTimePasswords = false } = {},
): Import<EmployeeValues, People> {
	return {
		layout: employeeLayout,
		action: 'EMPLOYEE_IMPORT',
		*check(caller, table, mode) {
			const current = stillPermitted(db, caller, 'employee:manage');
			const people = yield* peopleOf(db, table.lines);
			const known = lookUp(db, current.actor, people, table.lines);
			const found = yield* compare(employeeLayout, table, mode, people, rulesFor(known));
			const { added: hires, edits } = found;
			const { named, hidden } = known.elsewhere;
			const losing = edits.filter(({ before, after }) => before.roles.length > 0 && after.roleIds.length === 0);
			const more: People = { ...countsOf(hires, known), losingRoles: losing.length };
			return {
				...found,
				hidden,
				logged: { takenElsewhere: named + hidden },
				more,
				keep(at) {
					const people = hires.map((hire) => ({
						id: addEmployee(db, current, passwords.initialHash, hire, at),
						...hire,
					}));
					storeEdits(db, current, edits, at);
					if (!oneTimePasswords) return;
					more.passwords = people.map(({ id, name, phone, storeId }) => {
						const oneTime = startWithOneTimePassword({ db, passwords }, id, at);
						return { id, name, phone, storeName: known.storeNames.get(storeId) ?? '', ...oneTime };
					});
				},
			};
		},
	};
}

function rulesFor(known: Known): Rules<EmployeeValues, KnownEmployee, Hire> {
	const { actor, listed, roles, storeNames, bindable } = known;
	return {
		outOfReach: ({ storeId }) => (mayReachStore(actor, storeId) ? undefined : employeeMessages.otherStore),
		wantedOf: (line, before, report) => wantedOf(line, before, known, report),
		textsOf: (person) => textsOf(person, roles.wordFor),
		textsAfter(before, wanted) {
			const held = new Set(wanted.roleIds);
			const storeName = storeNames.get(wanted.storeId) ?? '';
			const changed = { ...before, ...wanted, storeName, roles: listed.filter(({ id }) => held.has(id)) };
			return textsOf(changed, roles.wordFor);
		},
		refusalOf: ({ roles }) => (roles.every(({ id }) => bindable.has(id)) ? undefined : employeeMessages.actsUpward),
	};
}

/** How many new people come into each store and role. */
function countsOf(hires: readonly Hire[], { stores, listed }: Known): Omit<People, 'losingRoles'> {
	return {
		stores: countOf(
			hires.map(({ storeId }) => storeId),
			stores.all,
		),
		roles: countOf(
			hires.flatMap(({ roleIds }) => roleIds),
			listed,
		),
		withoutRole: hires.filter(({ roleIds }) => roleIds.length === 0).length,
	};
}

/** How often each id occurs, by id. */
function countOf(ids: readonly number[], named: readonly { id: number; name: string }[]): ImportCount[] {
	const counts = new Map<number, number>();
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	return named.map(({ id, name }) => ({ id, name, count: counts.get(id) ?? 0 })).filter(({ count }) => count > 0);
}

/** What is read from the database once for all lines. */
function lookUp(db: Db, actor: Actor, people: Present<KnownEmployee>, lines: readonly EmployeeLine[]) {
	const roles = listRoles(db);
	const stores = storesForImport(db);
	return {
		actor,
		people,
		stores,
		storeNames: new Map(stores.all.map(({ id, name }) => [id, name])),
		listed: roles,
		roles: roleWords(roles),
		bindable: new Set(bindableRoles(db, actor, roles).map((role) => role.id)),
		elsewhere: { named: 0, hidden: 0 },
		freed: freedKeys(lines, people.byId, 'phone'),
	};
}

type Known = ReturnType<typeof lookUp>;

type ReportColumn = Report<Column>;

/** What a line asks for: a new employee, or one who is changed. Undefined when something is wrong or missing. */
function wantedOf(
	line: EmployeeLine,
	before: KnownEmployee | undefined,
	known: Known,
	report: ReportColumn,
): Hire | undefined {
	const { name = before?.name, status = before?.status ?? 'ACTIVE', remark = before?.remark ?? null } = line;
	const phone = line.phone === undefined ? before?.phone : checkPhone(line.phone, line, before, known, report);
	const storeId = line.store === undefined ? before?.storeId : checkStore(line.store, before, known, report);
	const held = before?.roles.map(({ id }) => id) ?? [];
	const roleIds = line.roles === undefined ? held : checkRoles(line.roles, held, known, report);
	if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
	return { name, phone, storeId, roleIds, status, remark };
}

function checkPhone(
	phone: string,
	{ name }: EmployeeLine,
	before: KnownEmployee | undefined,
	{ actor, people, freed, elsewhere }: Known,
	report: ReportColumn,
) {
	const holder = people.byKey.get(phone);
	if (!holder || holder.id === before?.id) return phone;
	if (mayReachStore(actor, holder.storeId)) {
		// A number of another kind, such as that of the row, must not turn one person into another.
		if (before && name === holder.name && name !== before.name) {
			return void report('id', otherPerson(before.id, before.name));
		}
		if (before && freed.has(phone)) return phone;
		report('phone', `${employeeMessages.phoneTaken}：${holder.name}（${holder.storeName}）`);
	} else if (elsewhere.named < maxNamedElsewhere) {
		elsewhere.named += 1;
		report('phone', employeeMessages.phoneTaken);
	} else elsewhere.hidden += 1;
	return undefined;
}

function checkStore(
	word: string,
	before: KnownEmployee | undefined,
	{ actor, stores }: Known,
	report: ReportColumn,
): number | undefined {
	const store = stores.byName.get(word) ?? stores.byId.get(word);
	// Who is in a disabled store stays there.
	if (store && store.id === before?.storeId) return store.id;
	// As for a single one: whether another store exists is not said.
	const own = ownStoreOf(actor);
	if (own !== undefined && store?.id !== own) return void report('store', employeeMessages.otherStore);
	if (!store) return void report('store', noStore(excerpt(word) ?? ''));
	if (store.status !== 'ACTIVE') return void report('store', disabledStore(store.name));
	return store.id;
}

const { roleIds } = CreateEmployee.properties;

function checkRoles(
	words: readonly string[],
	held: readonly number[],
	{ roles, bindable }: Known,
	report: ReportColumn,
): number[] | undefined {
	const ids = new Set<number>();
	const single = words.flatMap((word) => (roles.find(word).length > 0 ? word : word.split(looseRoleSeparator)));
	for (const word of single.filter((each) => each !== '')) {
		const [role, ...others] = roles.find(word);
		if (!role) return void report('roles', `${employeeMessages.badRole}：${word}`);
		if (others.length > 0) return void report('roles', sameName(word));
		if (!bindable.has(role.id) && !held.includes(role.id)) {
			return void report('roles', `${employeeMessages.bindsUpward}：${word}`);
		}
		ids.add(role.id);
	}
	return ids.size > (roleIds.maxItems ?? ids.size) ? void report('roles', String(roleIds.error)) : Array.from(ids);
}
