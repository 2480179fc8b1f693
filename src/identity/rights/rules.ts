/**
 * The rules of rights as pure functions: reach, manage, give. Decision 0021 has the four sentences, with examples.
 * Only the program's permissions count here: the chain's own rank nobody.
 */
import { hasPermission, type ProgramCode, programCodes } from '../../platform/vocabulary/permissions.ts';

/** Last days by id; null: for good. */
export type LastDays = ReadonlyMap<number, string | null>;

/** What a person was given. What is over is not among it. */
export interface Grants {
	/** The store that they work in; undefined: none. */
	storeId: number | undefined;
	roles: LastDays;
	/** Other stores, and areas, whose people they see with `employee:view:store`. */
	stores: LastDays;
	areas: LastDays;
}

/** Nothing at all: a person who is not there yet. */
export const noGrants: Grants = { storeId: undefined, roles: new Map(), stores: new Map(), areas: new Map() };

/** What roles and areas are made of today. */
export interface Chain {
	/** The program permissions that some roles hold together. */
	permissionsOf(roleIds: Iterable<number>): ReadonlySet<ProgramCode>;
	storesOf(areaId: number): ReadonlySet<number>;
}

/** What somebody may do. */
export interface Rights {
	permissions: ReadonlySet<ProgramCode | '*'>;
	/** The stores whose people they see by `employee:view:store`. */
	stores: ReadonlySet<number>;
	/** The areas that stand for such stores, and for later ones. */
	areas: ReadonlySet<number>;
}

/** The rights that follow from some grants. */
export function rightsOf({ storeId, roles, stores, areas }: Grants, chain: Chain): Rights {
	const permissions = chain.permissionsOf(roles.keys());
	if (!permissions.has('employee:view:store')) return { permissions, stores: new Set(), areas: new Set() };
	// One set that grows: a thousand people can have fifty areas each.
	const seen = new Set(stores.keys());
	for (const areaId of areas.keys()) for (const id of chain.storesOf(areaId)) seen.add(id);
	if (storeId !== undefined) seen.add(storeId);
	return { permissions, stores: seen, areas: new Set(areas.keys()) };
}

/** The part of some grants that no day ends. */
export function forGood({ storeId, roles, stores, areas }: Grants): Grants {
	return { storeId, roles: endless(roles), stores: endless(stores), areas: endless(areas) };
}

const endless = (given: LastDays): LastDays => new Map([...given].filter(([, until]) => until === null));

/** `employee:view:all` reaches everybody; `employee:view:store` reaches the own store and the stores and areas that were given. */
export function reaches({ permissions, stores }: Rights, storeId: number): boolean {
	return hasPermission(permissions, 'employee:view:all') || stores.has(storeId);
}

/** What somebody lacks of what another has, or is to get. */
export interface Missing {
	permissions: readonly ProgramCode[];
	stores: readonly number[];
	areas: readonly number[];
}

/**
 * You hold every permission that they hold, and if they see people, you reach every store whose people they see.
 * `*` holds all permissions; `employee:view:all` includes `employee:view:store`.
 * @returns what `mine` lacks of `theirs`, areas apart: they count when one is given.
 */
export function missingFrom(mine: Rights, theirs: Rights): Missing {
	const permissions = programCodes.filter((code) => theirs.permissions.has(code) && !includes(mine, code));
	const stores = hasPermission(mine.permissions, 'employee:view:all') ? [] : theirs.stores.difference(mine.stores);
	return { permissions, stores: [...stores], areas: [] };
}

function includes({ permissions }: Rights, code: ProgramCode): boolean {
	if (hasPermission(permissions, code)) return true;
	return code === 'employee:view:store' && hasPermission(permissions, 'employee:view:all');
}

/**
 * What a person gains by a change: the permissions of roles that are new or last longer, but those that they have for good;
 * and, if they see people afterwards, the stores that are new or that they see for longer.
 */
export function gained(before: Grants, after: Grants, chain: Chain): Rights {
	const had = rightsOf(forGood(before), chain);
	const added = addedGrants(before, after);
	const permissions = chain.permissionsOf(added.roles.keys()).difference(had.permissions);
	const places = permissions.has('employee:view:store') ? after : { ...added, roles: after.roles };
	const sawAll = hasPermission(had.permissions, 'employee:view:all');
	const stores = sawAll ? none : rightsOf(places, chain).stores.difference(had.stores);
	return { permissions, stores, areas: none };
}

const none: ReadonlySet<number> = new Set();

/** The grants that are new, or end later than before. */
export function addedGrants(before: Grants, after: Grants): Grants {
	return {
		storeId: after.storeId === before.storeId ? undefined : after.storeId,
		roles: longer(before.roles, after.roles),
		stores: longer(before.stores, after.stores),
		areas: longer(before.areas, after.areas),
	};
}

function longer(before: LastDays, after: LastDays): LastDays {
	return new Map([...after].filter(([id, until]) => !before.has(id) || endsLater(until, before.get(id) ?? null)));
}

/** Whether one last day comes after another; null never comes. */
export function endsLater(until: string | null, than: string | null): boolean {
	return than !== null && (until === null || until > than);
}

/**
 * A store is given only by somebody who reaches it for good; an area only by somebody who has it for good or reaches everybody
 * for good, because it also stands for its later stores.
 * @returns which of some stores and areas `mine` cannot give.
 */
export function missingToGrant(mine: Rights, { stores, areas }: Pick<Grants, 'stores' | 'areas'>): Missing {
	const seesAll = hasPermission(mine.permissions, 'employee:view:all');
	return {
		permissions: [],
		stores: [...stores.keys()].filter((id) => !reaches(mine, id)),
		areas: [...areas.keys()].filter((id) => !seesAll && !mine.areas.has(id)),
	};
}

export const nothing: Missing = { permissions: [], stores: [], areas: [] };

/** All that is missing in several ways. */
export function together(several: readonly Missing[]): Missing {
	const all = <Kind extends keyof Missing>(kind: Kind) =>
		Array.from(new Set(several.flatMap((each) => [...each[kind]])));
	return { permissions: all('permissions'), stores: all('stores'), areas: all('areas') } as Missing;
}

/** Whether nothing is missing. */
export function isNothing({ permissions, stores, areas }: Missing): boolean {
	return permissions.length + stores.length + areas.length === 0;
}
