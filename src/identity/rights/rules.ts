/**
 * The rules of rights as pure functions: reach, manage, give. Decision 0021 has the four sentences, with examples. Only
 * the program's permissions count here: the chain's own permissions give no power over other employees.
 */
import { hasPermission, type ProgramCode, programCodes } from '../../platform/vocabulary/permissions.ts';

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
	storesOf(areaId: number): ReadonlySet<number>;
}

/** The permissions of an account or a program, and the places where they apply. */
export interface Rights {
	permissions: ReadonlySet<ProgramCode | '*'>;
	/** The stores whose employees `employee:view:store` shows. */
	stores: ReadonlySet<number>;
	/** The areas among these grants. An area includes the stores that join it later. */
	areas: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/**
 * The rights that result from grants. Last days are not kept: with up to 20,000 stores, each request would take five
 * times as long.
 */
export function toRights({ storeId, roles, stores, areas }: Grants, structure: Structure): Rights {
	const permissions = new Set(Array.from(roles.keys()).flatMap((id) => [...structure.permissionsOf(id)]));
	if (!permissions.has('employee:view:store')) return { permissions, stores: none, areas: none };
	const seen = new Set(stores.keys());
	for (const areaId of areas.keys()) for (const id of structure.storesOf(areaId)) seen.add(id);
	if (storeId !== undefined) seen.add(storeId);
	return { permissions, stores: seen, areas: new Set(areas.keys()) };
}

/** The last day of each code: that of the role which gives it longest. */
export function codeDays<Code>({ roles }: Grants, codesOf: (roleId: number) => ReadonlySet<Code>): Map<Code, LastDay> {
	const days = new Map<Code, LastDay>();
	for (const [id, until] of roles) for (const code of codesOf(id)) setIfLater(days, code, until);
	return days;
}

/** The last day of each store that `employee:view:store` shows until `sight`. Without it, no store is seen. */
function storeDays({ storeId, stores, areas }: Grants, sight: LastDay | undefined, { storesOf }: Structure): LastDays {
	const days = new Map<number, LastDay>();
	if (sight === undefined) return days;
	const see = (id: number, until: LastDay) => setIfLater(days, id, endsLater(until, sight) ? sight : until);
	for (const [id, until] of stores) see(id, until);
	for (const [areaId, until] of areas) for (const id of storesOf(areaId)) see(id, until);
	if (storeId !== undefined) see(storeId, null);
	return days;
}

function setIfLater<Key>(lastDays: Map<Key, LastDay>, key: Key, until: LastDay): void {
	const known = lastDays.get(key);
	if (known === undefined || endsLater(until, known)) lastDays.set(key, until);
}

/** The grants that an employee still has on a day; null: those for good. */
export function lasting({ storeId, roles, stores, areas }: Grants, day: LastDay): Grants {
	const until = (given: LastDays): LastDays => new Map([...given].filter(([, last]) => !endsLater(day, last)));
	return { storeId, roles: until(roles), stores: until(stores), areas: until(areas) };
}

/**
 * `employee:view:all` reaches every employee; `employee:view:store` reaches the employees of the account's own
 * store and of the stores and areas given to it.
 */
export function reaches({ permissions, stores }: Rights, storeId: number): boolean {
	return hasPermission(permissions, 'employee:view:all') || stores.has(storeId);
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
	const permissions = programCodes.filter((code) => theirs.permissions.has(code) && !includesPermission(mine, code));
	const stores = hasPermission(mine.permissions, 'employee:view:all') ? [] : theirs.stores.difference(mine.stores);
	return { permissions, stores: [...stores], areas: [] };
}

/** Like {@link missingFrom}, for the rights that result from grants. */
export function missingForGrants(mine: Rights, theirs: Grants, structure: Structure): Missing {
	return missingFrom(mine, toRights(theirs, beyond(mine, structure)));
}

/** Like {@link missingFrom}, for the rights that are {@link gained} by a change of grants. */
export function missingForGain(mine: Rights, before: Grants, after: Grants, structure: Structure): Missing {
	return missingFrom(mine, gained(before, after, beyond(mine, structure)));
}

/** A thousand people can have fifty areas each, so an area whose stores `mine` reaches has none in a comparison. */
function beyond({ permissions, areas }: Rights, { permissionsOf, storesOf }: Structure): Structure {
	const seesAll = hasPermission(permissions, 'employee:view:all');
	return { permissionsOf, storesOf: (areaId) => (seesAll || areas.has(areaId) ? none : storesOf(areaId)) };
}

/** Whether rights have a program permission; `employee:view:all` includes `employee:view:store`. */
export function includesPermission({ permissions }: Rights, code: ProgramCode): boolean {
	if (hasPermission(permissions, code)) return true;
	return code === 'employee:view:store' && hasPermission(permissions, 'employee:view:all');
}

/** An employee gains the rights that they have after a change and would not have without it, or not for as long. */
export function gained(before: Grants, after: Grants, structure: Structure): Rights {
	const [had, has] = [codeDays(before, structure.permissionsOf), codeDays(after, structure.permissionsOf)];
	const sight = 'employee:view:store';
	const sawAll = had.get('employee:view:all');
	if (sawAll !== undefined) setIfLater(had, sight, sawAll);
	const permissions = newOrLonger(had, has);
	const seen = storeDays(after, has.get(sight), structure);
	const saw = storeDays(before, had.get(sight), structure);
	const stores = Array.from(newOrLonger(saw, seen)).flatMap(([id, until]) =>
		sawAll === undefined || endsLater(until, sawAll) ? id : [],
	);
	return { permissions: new Set(permissions.keys()), stores: new Set(stores), areas: none };
}

/** The entries that are new or end later than before. */
export function newOrLonger<Key>(before: LastDays<Key>, after: LastDays<Key>): LastDays<Key> {
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
	const seesAll = hasPermission(mine.permissions, 'employee:view:all');
	const added = (kind: keyof Places) => [...newOrLonger(before[kind], after[kind]).keys()];
	return {
		permissions: [],
		stores: added('stores').filter((id) => !reaches(mine, id)),
		areas: added('areas').filter((id) => !seesAll && !mine.areas.has(id)),
	};
}

/** Combines several lists of missing rights. */
export function combineMissing(several: readonly Missing[]): Missing {
	const all = <Kind extends keyof Missing>(kind: Kind) =>
		Array.from(new Set(several.flatMap((each) => [...each[kind]])));
	return { permissions: all('permissions'), stores: all('stores'), areas: all('areas') } as Missing;
}

/** Whether nothing is missing. */
export function isNothing({ permissions, stores, areas }: Missing): boolean {
	return permissions.length + stores.length + areas.length === 0;
}
