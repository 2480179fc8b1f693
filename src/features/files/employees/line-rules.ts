/** The rules for one line of a file: those for a single employee, with the same messages. */
import type { Authority } from '../../../identity/rights/authority.ts';
import { rightsMessages } from '../../../identity/rights/refusal.ts';
import { type LastDays, reaches } from '../../../identity/rights/rules.ts';
import type { Db } from '../../../platform/database/open.ts';
import { because } from '../../../platform/vocabulary/reasons.ts';
import { type GrantChange, giveRefusal, manageRefusal, newGrants } from '../../employees/authorization.ts';
import { CreateEmployee, employeeMessages, newEmployee, type StoredEmployee } from '../../employees/model.ts';
import { findHolder } from '../../employees/read.ts';
import { readLostRoles, restoredFields, restoredRoles } from '../../employees/restoration.ts';
import { type EditableFields, editableFields, editableFieldsAfter } from '../../employees/save.ts';
import { grantChange } from '../../employees/service.ts';
import type { Role } from '../../roles/model.ts';
import type { StoredStore } from '../../stores/model.ts';
import { excerpt, readField } from '../cells.ts';
import { closeNameFinder } from '../close-name.ts';
import type { CellReading } from '../layout.ts';
import { type LineRules, report } from '../plan.ts';
import { looseRoleSeparator, roleWords } from './columns.ts';
import { textsOf } from './export.ts';
import type { EmployeeLine, EmployeeValues } from './layout.ts';

const messages = {
	noStore: (word: string, close?: string) =>
		because('store_not_found', `没有门店“${word}”${close ? `，是不是“${close}”？` : ''}`),
	disabledStore: (name: string) => because('store_inactive', `门店“${name}”已禁用`),
	sameName: (word: string) => because('ambiguous_name', `有多个角色名为“${word}”，请填写角色编码`),
} as const;

/** The data that all lines share. */
export interface Known {
	stores: readonly StoredStore[];
	roles: readonly Role[];
	/** The deleted employees within reach who had the phone of a line, by phone. */
	former: ReadonlyMap<string, StoredEmployee>;
	/** The ids of the deleted employees to restore. */
	restore: ReadonlySet<number>;
	externalIds: readonly string[];
}

/** A new employee, or a deleted employee to restore. Former roles keep their last days. */
export interface AddedEmployee extends EditableFields {
	former: StoredEmployee | undefined;
	ends: LastDays | undefined;
}

/** The rules for all lines of one file. */
export function rulesFor(authority: Authority, known: Known): LineRules<EmployeeValues, StoredEmployee, AddedEmployee> {
	const { stores, roles } = known;
	const { wordFor } = roleWords(roles);
	const storeNames = new Map(stores.map(({ id, name }) => [id, name]));
	return {
		outOfReach: ({ storeId }) => (reaches(authority, storeId) ? undefined : rightsMessages.otherStore),
		resolveLine: lineResolver(authority, known),
		wordsFor: ({ name, storeName }) => `${name}（${storeName}）`,
		textsOf(employee) {
			const held = 'roleIds' in employee ? roles.filter(({ id }) => employee.roleIds.includes(id)) : employee.roles;
			const storeName = storeNames.get(employee.storeId) ?? '';
			return textsOf({ ...employee, storeName, roles: held }, wordFor);
		},
		refusalOf: ({ id }) => manageRefusal(authority, id),
	};
}

/** Resolves a line to the employee after the import; undefined when a value is missing or wrong, which is reported. */
function lineResolver(authority: Authority, known: Known) {
	const { db, actor } = authority;
	const restored = new Map(Array.from(known.former).filter(([, { id }]) => known.restore.has(id)));
	const claimExternalId = externalIdClaimer(db, known);
	const findStore = storeFinder(authority, known.stores);
	const findRoles = roleFinder(known.roles);
	const refusalOfGain = gainChecker(authority);
	const lost = readLostRoles(db, known.restore);
	return (line: EmployeeLine, before: StoredEmployee | undefined): AddedEmployee | undefined => {
		const { roles, phone: given = '' } = line.values;
		const former = before ? undefined : restored.get(given);
		const { name, phone, ...fields } = requestedFields(line.values, before, former, actor.today);
		const storeId = findStore(line, before);
		const roleIds = roles ? findRoles(line, roles) : fields.roleIds;
		if (name === undefined || phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
		const ends = former && restoredRoles(lost(former), roles && roleIds, actor.today);
		const added = { ...fields, name, phone, storeId, roleIds: ends ? Array.from(ends.keys()) : roleIds };
		if (!claimExternalId(former, line.values)) return report(line, 'externalId', employeeMessages.taken.externalId);
		const refusal = refusalOfGain(before, added);
		if (refusal) return report(line, refusal.column, refusal.reason);
		return { ...added, former, ends };
	};
}

/** The fields of an employee after a line, except the store and the roles that it names. */
function requestedFields(
	{ id, store, roles, ...given }: Partial<EmployeeValues>,
	before: StoredEmployee | undefined,
	former: StoredEmployee | undefined,
	today: string,
) {
	if (before) return editableFieldsAfter(before, given, today);
	return { ...newEmployee, ...(former && { ...editableFields(former), ...restoredFields }), ...given };
}

/** The columns that a refusal to give names. A file has a status, but no last day. */
const columnOf = { roles: 'roles', store: 'store', lastDay: 'status' } as const;

/** Finds the refusal of the rights that an employee gains by a line, and its column. */
function gainChecker(authority: Authority) {
	function refusalOf(change: GrantChange) {
		const refusal = giveRefusal(authority, change);
		return refusal && { ...refusal, column: columnOf[refusal.cause] };
	}
	// All new employees with the same store and roles gain the same.
	const ofNew = new Map<string, ReturnType<typeof refusalOf>>();
	return (before: StoredEmployee | undefined, after: EditableFields) => {
		if (before) return refusalOf(grantChange(authority, before, after));
		const { storeId, roleIds } = after;
		return ofNew.getOrInsertComputed(`${storeId} ${roleIds}`, () => refusalOf(newGrants(storeId, roleIds)));
	};
}

/** Claims the former external id of a restored employee, if their line has none. Another employee or line can have it. */
function externalIdClaimer(db: Db, { externalIds }: Known) {
	const claimed = new Set(externalIds);
	return (former: StoredEmployee | undefined, values: Partial<EmployeeValues>): boolean => {
		const { externalId = null } = former ?? {};
		if (values.externalId !== undefined || externalId === null) return true;
		const isFree = !claimed.has(externalId) && findHolder(db, 'externalId', externalId) === undefined;
		claimed.add(externalId);
		return isFree;
	};
}

/** Finds the store that a line names, by the rules for a single employee. */
function storeFinder(authority: Authority, stores: readonly StoredStore[]) {
	// A word that is the name of one store and the id of another means the name.
	const storesByWord = new Map([
		...stores.map((store) => [String(store.id), store] as const),
		...stores.map((store) => [store.name, store] as const),
	]);
	const closeName = closeNameFinder(stores.filter(({ status }) => status === 'ACTIVE').map(({ name }) => name));
	return (line: EmployeeLine, before: StoredEmployee | undefined): number | undefined => {
		const { store: word } = line.values;
		if (word === undefined) return before?.storeId;
		const store = storesByWord.get(word);
		// An employee of a disabled store can stay there.
		if (store && store.id === before?.storeId) return store.id;
		// An unknown store is out of reach as well, unless the caller reaches all stores.
		if (!reaches(authority, store?.id ?? 0)) return report(line, 'store', rightsMessages.otherStore);
		if (!store) return report(line, 'store', messages.noStore(excerpt(word) ?? '', closeName(word)));
		if (store.status !== 'ACTIVE') return report(line, 'store', messages.disabledStore(store.name));
		return store.id;
	};
}

function roleFinder(roles: readonly Role[]) {
	const { find } = roleWords(roles);
	/** It ends at the first problem, because a cell can have a thousand words. */
	function read(asked: readonly string[]): CellReading<number[]> {
		const parts = asked.values().flatMap((word) => (find(word).length > 0 ? [word] : word.split(looseRoleSeparator)));
		const ids = new Set<number>();
		for (const word of parts.filter((part) => part !== '')) {
			const [role, other] = find(word);
			if (!role) return { problem: employeeMessages.badRole(excerpt(word) ?? '') };
			if (other) return { problem: messages.sameName(word) };
			ids.add(role.id);
		}
		return readField(CreateEmployee.properties.roleIds, [...ids]);
	}
	// Thousands of lines have the same few cells.
	const readings = new Map<string, CellReading<number[]>>();
	return (line: EmployeeLine, asked: readonly string[]) => {
		const reading = readings.getOrInsertComputed(asked.join('、'), () => read(asked));
		return 'value' in reading ? reading.value : report(line, 'roles', reading.problem);
	};
}
