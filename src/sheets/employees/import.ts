/**
 * Adding and changing many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new
 * or changed employee, and what is wrong with it is said in the same words.
 */

import { and, isNull } from 'drizzle-orm';
import type { Passwords } from '../../auth/password.ts';
import type { Db } from '../../database/open.ts';
import { among, queries } from '../../database/query.ts';
import { employees } from '../../database/schema.ts';
import { CreateEmployee, employeeMessages, type KnownEmployee } from '../../employees/model.ts';
import { setOneTimePassword } from '../../employees/passwords.ts';
import { bindableRoles, mayReachStore } from '../../employees/reach.ts';
import { presentByIds } from '../../employees/read.ts';
import { addEmployee, type Hire, storeEdits } from '../../employees/writing.ts';
import type { Steps } from '../../http/steps.ts';
import { listRoles } from '../../roles/service.ts';
import { type Actor, ownStoreOf, stillPermitted } from '../../session/actor.ts';
import { listStores } from '../../stores/service.ts';
import { compare, freedKeys, type Present, type Report, type Rules, stepSize } from '../checking.ts';
import type { Import } from '../importing.ts';
import { excerpt, type ImportTable } from '../read-file.ts';
import { looseRoleSeparator, roleWords } from './columns.ts';
import { textsOf } from './export.ts';
import { type EmployeeLine, employeeLayout } from './layout.ts';
import type { People } from './model.ts';

/** How many phones that are taken in other stores somebody confined to a store learns from one file. */
const maxNamedElsewhere = 20;

const noStore = (word: string) => `没有门店“${word}”`;

const disabledStore = (name: string) => `门店“${name}”已禁用`;

const sameName = (word: string) => `有多个角色名为“${word}”，请填写角色代号`;

const otherPerson = (id: number, name: string) => `编号 ${id} 是${name}，与姓名和手机号不符`;

const read = queries(({ select }) => ({
	withPhones: select({ id: employees.id })
		.from(employees)
		.where(and(among(employees.phone, 'phones'), isNull(employees.deletedAt))),
}));

/** The people with the ids and the phones in some lines; a step of lines at a time. */
function* peopleOf(db: Db, lines: readonly EmployeeLine[]): Steps<Present<KnownEmployee>> {
	const byId = new Map<number, KnownEmployee>();
	for (let start = 0; start < lines.length; start += stepSize) {
		const step = lines.slice(start, start + stepSize);
		const phones = JSON.stringify(step.flatMap(({ phone }) => phone ?? []));
		const holders = read(db).withPhones.all({ phones });
		const ids = [...holders.map(({ id }) => id), ...step.flatMap(({ id }) => id ?? [])];
		for (const person of presentByIds(db, ids)) byId.set(person.id, person);
		yield;
	}
	return { byId, byKey: new Map(Array.from(byId.values(), (person) => [person.phone, person])) };
}

/** How a file with employees is imported; new ones get the initial password or one-time passwords. */
export function employeeImport(
	db: Db,
	passwords: Passwords,
	{ oneTimePasswords }: { oneTimePasswords: boolean },
): Import {
	return {
		layout: employeeLayout,
		action: 'EMPLOYEE_IMPORT',
		*check(caller, table: ImportTable<EmployeeLine>, mode) {
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
				keep() {
					const hired = hires.map((hire) => ({
						...hire,
						id: addEmployee(db, current, passwords.initialHash, hire),
					}));
					storeEdits(db, current, edits);
					if (!oneTimePasswords) return;
					more.passwords = hired.map(({ id, name, phone, storeId }) => {
						const oneTime = setOneTimePassword({ db, passwords }, id, current.at, null);
						return { id, name, phone, storeName: known.storeNames.get(storeId) ?? '', ...oneTime };
					});
				},
			};
		},
	};
}

function rulesFor(known: Known): Rules<EmployeeLine, KnownEmployee, Hire> {
	const { actor, listed, roles, storeNames, bindable } = known;
	return {
		outOfReach: ({ storeId }) => (mayReachStore(actor, storeId) ? undefined : employeeMessages.otherStore),
		wantedOf: (line, before, report) => wantedOf({ line, before, known, report }),
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
		stores: countsAmong(
			stores,
			hires.map(({ storeId }) => storeId),
		),
		roles: countsAmong(
			listed,
			hires.flatMap(({ roleIds }) => roleIds),
		),
		withoutRole: hires.filter(({ roleIds }) => roleIds.length === 0).length,
	};
}

/** How often each occurs among some ids; those that do are left. */
function countsAmong(named: readonly { id: number; name: string }[], ids: readonly number[]): People['stores'] {
	const groups = Map.groupBy(ids, (id) => id);
	return named.flatMap(({ id, name }) => {
		const count = groups.get(id)?.length;
		return count === undefined ? [] : { id, name, count };
	});
}

/** What is read from the database once for all lines. */
function lookUp(db: Db, actor: Actor, people: Present<KnownEmployee>, lines: readonly EmployeeLine[]) {
	const roles = listRoles(db);
	const stores = listStores(db);
	return {
		actor,
		people,
		stores,
		// A word that is the name of one and the id of another is the name.
		storesByWord: new Map([
			...stores.map((store) => [String(store.id), store] as const),
			...stores.map((store) => [store.name, store] as const),
		]),
		storeNames: new Map(stores.map(({ id, name }) => [id, name])),
		listed: roles,
		roles: roleWords(roles),
		bindable: new Set(bindableRoles(db, actor, roles).map((role) => role.id)),
		elsewhere: { named: 0, hidden: 0 },
		freed: freedKeys(lines, people.byId, 'phone'),
	};
}

type Known = ReturnType<typeof lookUp>;

/** A line, the person that it finds, and where to say what is wrong with it. */
interface Asked {
	line: EmployeeLine;
	before: KnownEmployee | undefined;
	known: Known;
	report: Report<EmployeeLine>;
}

/** What a line asks for: a new employee, or one who is changed. Undefined when something is wrong or missing. */
function wantedOf(asked: Asked): Hire | undefined {
	const { line, before } = asked;
	const { name = before?.name, status = before?.status ?? 'ACTIVE', remark = before?.remark ?? null } = line;
	const phone = line.phone === undefined ? before?.phone : checkPhone(line.phone, asked);
	const storeId = line.store === undefined ? before?.storeId : checkStore(line.store, asked);
	const held = before?.roles.map(({ id }) => id) ?? [];
	const roleIds = line.roles === undefined ? held : checkRoles(line.roles, held, asked);
	if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
	return { name, phone, storeId, roleIds, status, remark };
}

function checkPhone(phone: string, { line: { name }, before, known, report }: Asked): string | undefined {
	const { actor, people, freed, elsewhere } = known;
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

function checkStore(word: string, { before, known, report }: Asked): number | undefined {
	const store = known.storesByWord.get(word);
	// Who is in a disabled store stays there.
	if (store && store.id === before?.storeId) return store.id;
	// As for a single one: whether another store exists is not said.
	const own = ownStoreOf(known.actor);
	if (own !== undefined && store?.id !== own) return void report('store', employeeMessages.otherStore);
	if (!store) return void report('store', noStore(excerpt(word) ?? ''));
	if (store.status !== 'ACTIVE') return void report('store', disabledStore(store.name));
	return store.id;
}

const { roleIds } = CreateEmployee.properties;

function checkRoles(words: readonly string[], held: readonly number[], { known, report }: Asked): number[] | undefined {
	const { roles, bindable } = known;
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
