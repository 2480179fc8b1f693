/**
 * The sentences of decision 0021 as pure functions: reach is {@link reaches}, manage {@link missingFrom}, give
 * {@link gained} and {@link missingPlaces}. The fourth, yourself, is in `features/employees/authorization.ts`. Only the
 * program's permissions count here: the chain's own permissions give no power over other employees.
 */
import { type ProgramCode, programCodes } from '../../platform/vocabulary/permissions.ts';

/** A last day; null for good. */
type LastDay = string | null;

/** Last days by id; null for a grant without an end. */
export type LastDays<Key = number> = ReadonlyMap<Key, LastDay>;

/** The grants of an employee, without expired ones. */
export interface Grants {
	/** The employee's own store, if any. */
	storeId: number | undefined;
	roles: LastDays;
	/** Further stores and areas; `employee:view:store` shows their employees. */
	stores: LastDays;
	areas: LastDays;
}

/** The stores and areas given to an employee. */
export type Places = Pick<Grants, 'stores' | 'areas'>;

/** The grants of an employee who does not exist yet. */
export const noGrants: Grants = { storeId: undefined, roles: new Map(), stores: new Map(), areas: new Map() };

/** The present permissions of roles and stores of areas. */
export interface Structure {
	/** The program permissions of a role. */
	permissionsOf(roleId: number): ReadonlySet<ProgramCode>;
	storesOf(areaId: number): Iterable<number>;
}

/** The permissions of an account or a program and the places where they apply, each with its last day. */
export interface Rights {
	permissions: LastDays<ProgramCode | '*'>;
	/** The stores whose employees `employee:view:store` shows. */
	stores: LastDays;
	/** The areas among these grants. An area includes the stores that join it later. */
	areas: LastDays;
}

/** The rights that result from grants. No place lasts longer than `employee:view:store`. */
export function toRights({ storeId, roles, stores, areas }: Grants, { permissionsOf, storesOf }: Structure): Rights {
	const permissions = codeDays(roles, permissionsOf);
	const sight = permissions.get('employee:view:store');
	if (sight === undefined) return { permissions, stores: new Map(), areas: new Map() };
	const whileSeeing = (until: LastDay) => (endsLater(until, sight) ? sight : until);
	const seen = new Map<number, LastDay>();
	for (const [id, until] of stores) setIfLater(seen, id, whileSeeing(until));
	for (const [areaId, until] of areas) for (const id of storesOf(areaId)) setIfLater(seen, id, whileSeeing(until));
	if (storeId !== undefined) seen.set(storeId, sight);
	return { permissions, stores: seen, areas: new Map(Array.from(areas, ([id, until]) => [id, whileSeeing(until)])) };
}

/** The last day of each code: that of the role which gives it longest. */
export function codeDays<Code>(roles: LastDays, codesOf: (roleId: number) => ReadonlySet<Code>): Map<Code, LastDay> {
	const days = new Map<Code, LastDay>();
	for (const [id, until] of roles) for (const code of codesOf(id)) setIfLater(days, code, until);
	return days;
}

function setIfLater<Key>(lastDays: Map<Key, LastDay>, key: Key, until: LastDay): void {
	const known = lastDays.get(key);
	if (known === undefined || endsLater(until, known)) lastDays.set(key, until);
}

/** The part of rights without a last day. */
export function permanent({ permissions, stores, areas }: Rights): Rights {
	const endless = <Key>(days: LastDays<Key>) => new Map([...days].filter(([, until]) => until === null));
	return { permissions: endless(permissions), stores: endless(stores), areas: endless(areas) };
}

/**
 * `employee:view:all` reaches every employee; `employee:view:store` reaches the employees of the account's own
 * store and of the stores and areas given to it.
 */
export function reaches(rights: Rights, storeId: number): boolean {
	return includesPermission(rights, 'employee:view:all') || rights.stores.has(storeId);
}

/** The rights that one account lacks in comparison with another's rights or a planned grant. */
export interface Missing {
	permissions: readonly ProgramCode[];
	stores: readonly number[];
	areas: readonly number[];
}

/**
 * You manage an employee if you hold every permission that they hold and, if they see employees, you reach every store
 * that they see. `*` holds all permissions; `employee:view:all` includes `employee:view:store`.
 * @returns the part of `theirs` that `mine` lacks. Areas count only when one is given.
 */
export function missingFrom(mine: Rights, theirs: Rights): Missing {
	return {
		permissions: programCodes.filter((code) => theirs.permissions.has(code) && !includesPermission(mine, code)),
		stores: [...theirs.stores.keys()].filter((id) => !reaches(mine, id)),
		areas: [],
	};
}

/** Like {@link missingFrom}, for the rights that result from grants and did not from those before. */
export function missingForGrants(mine: Rights, theirs: Grants, structure: Structure, before = noGrants): Missing {
	const compared = withoutReachedAreas(mine, structure);
	return missingFrom(mine, gained(toRights(before, compared), toRights(theirs, compared)));
}

/** Leaves out the stores of areas that `mine` has: none is missing, and a thousand employees can have fifty areas each. */
function withoutReachedAreas(mine: Rights, { permissionsOf, storesOf }: Structure): Structure {
	const seesAll = includesPermission(mine, 'employee:view:all');
	return { permissionsOf, storesOf: (areaId) => (seesAll || mine.areas.has(areaId) ? [] : storesOf(areaId)) };
}

/** Whether rights have a program permission. `*` includes all, and `employee:view:all` includes `employee:view:store`. */
export function includesPermission({ permissions }: Rights, code: ProgramCode): boolean {
	const isInAll = code === 'employee:view:store' && permissions.has('employee:view:all');
	return isInAll || permissions.has('*') || permissions.has(code);
}

/** An employee gains the rights that they have after a change and would not have without it, or not for as long. */
export function gained(before: Rights, after: Rights): Rights {
	const had = new Map(before.permissions);
	const all = had.get('employee:view:all');
	if (all !== undefined) setIfLater(had, 'employee:view:store', all);
	const stores = newOrLonger(before.stores, after.stores);
	return {
		permissions: newOrLonger(had, after.permissions),
		stores: all === undefined ? stores : new Map([...stores].filter(([, until]) => endsLater(until, all))),
		areas: new Map(),
	};
}

/** The entries that are new or end later than before. */
export function newOrLonger<Key>(before: LastDays<Key>, after: LastDays<Key>): LastDays<Key> {
	// A thousand employees can have thousands of stores each.
	if (before.size === 0) return after;
	return new Map([...after].filter(([key, until]) => !before.has(key) || endsLater(until, before.get(key) ?? null)));
}

/** Whether one last day is later than another; null is later than any day. */
export function endsLater(until: LastDay, than: LastDay): boolean {
	return than !== null && (until === null || until > than);
}

/**
 * To give a store, you must reach it for good. To give an area, you must have it for good or reach every employee for
 * good, because the area also includes its later stores.
 * @returns the places that are new or end later than before, and that `mine` cannot give.
 */
export function missingPlaces(mine: Rights, before: Places, after: Places): Missing {
	const seesAll = includesPermission(mine, 'employee:view:all');
	const added = (kind: keyof Places) => [...newOrLonger(before[kind], after[kind]).keys()];
	return {
		permissions: [],
		stores: added('stores').filter((id) => !reaches(mine, id)),
		areas: added('areas').filter((id) => !seesAll && !mine.areas.has(id)),
	};
}

/** Combines several lists of missing rights. */
export function combineMissing(several: readonly Missing[]): Missing {
	const distinct = <Item>(items: readonly Item[]) => Array.from(new Set(items));
	return {
		permissions: distinct(several.flatMap(({ permissions }) => permissions)),
		stores: distinct(several.flatMap(({ stores }) => stores)),
		areas: distinct(several.flatMap(({ areas }) => areas)),
	};
}

/** Whether nothing is missing. */
export function isNothing({ permissions, stores, areas }: Missing): boolean {
	return permissions.length + stores.length + areas.length === 0;
}
