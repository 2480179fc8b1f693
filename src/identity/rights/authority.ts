/**
 * The rights that decide one transaction: the rights of the caller, and the grants of the employees concerned. They are
 * read once, at its start.
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, queries } from '../../platform/database/query.ts';
import { employees, stores } from '../../platform/database/schema.ts';
import { hasPermission, programCodes } from '../../platform/vocabulary/permissions.ts';
import type { Account } from '../session/accounts.ts';
import type { Actor } from '../session/actor.ts';
import { programPermissionsByRole } from '../session/granted-permissions.ts';
import { type Grants, noGrants, permanent, type Rights, reaches, type Structure, toRights } from './rules.ts';

const read = queries(({ select }) => ({
	grants: select({
		id: employees.id,
		storeId: employees.storeId,
		// Raw SQL: Drizzle omits the name of a single table, so a sub-select would take its columns for its own.
		roles: sql<string>`(
			select json_group_array(json_array(role_id, ends_on)) from employee_roles
			where employee_id = employees.id and unbound_at is null
		)`,
		places: sql<string>`(
			select json_group_array(json_array(store_id, area_id, ends_on)) from employee_reach
			where employee_id = employees.id and taken_at is null and coalesce(ends_on >= ${param('today')}, 1)
		)`,
	})
		.from(employees)
		.where(inJsonArray(employees.id, 'ids')),
	storesOfArea: select({ id: stores.id })
		.from(stores)
		.where(and(eq(stores.areaId, param('areaId')), isNull(stores.deletedAt))),
}));

type Row = ReturnType<ReturnType<typeof read>['grants']['all']>[number];

/** The grants of an employee in one row of JSON, so that one statement reads thousands of employees. */
function grantsIn({ storeId, roles, places }: Row): Grants {
	const given = JSON.parse(places) as [storeId: number | null, areaId: number | null, until: string | null][];
	return {
		storeId,
		roles: new Map(JSON.parse(roles) as [roleId: number, until: string | null][]),
		stores: new Map(given.flatMap(([id, , until]) => (id === null ? [] : [[id, until] as const]))),
		areas: new Map(given.flatMap(([, id, until]) => (id === null ? [] : [[id, until] as const]))),
	};
}

/** The grants of several employees that are not over on a day, by employee id. */
function readGrants(db: Db, ids: Iterable<number>, today: string): Map<number, Grants> {
	const rows = read(db).grants.all({ ids: JSON.stringify([...ids]), today });
	return new Map(rows.map((row) => [row.id, grantsIn(row)]));
}

/** Roles and areas as they are in this transaction. */
function readStructure(db: Db): Structure {
	const areas = new Map<number, ReadonlySet<number>>();
	const held = programPermissionsByRole(db);
	return {
		permissionsOf: (roleId) => held.get(roleId) ?? new Set(),
		storesOf(areaId) {
			return areas.getOrInsertComputed(areaId, () => {
				const rows = read(db).storesOfArea.all({ areaId });
				return new Set(rows.map(({ id }) => id));
			});
		},
	};
}

/** The caller's present rights in one transaction, for everything except granting, and what they are compared with. */
export interface Authority extends Rights {
	/** The database, in the transaction that these rights decide. */
	db: Db;
	actor: Actor;
	/** The part of the caller's rights without a last day: only this can be given to others. */
	forGood: Rights;
	structure: Structure;
	/** The grants of an employee; empty for one who does not exist yet. */
	grantsOf(id: number | undefined): Grants;
}

/**
 * Reads the rights of an actor and the grants of the employees concerned, with a fixed number of statements. Call it
 * inside the transaction that it decides.
 */
export function readAuthority(db: Db, actor: Actor, concerned: Iterable<number> = []): Authority {
	const isEmployee = actor.accountType === 'EMPLOYEE';
	const ids = isEmployee ? [...concerned, actor.id] : concerned;
	const people: ReadonlyMap<number | undefined, Grants> = readGrants(db, ids, actor.today);
	const structure = readStructure(db);
	const grantsOf = (id: number | undefined) => people.get(id) ?? noGrants;
	// An administrator has every permission. A program holds its codes for good, in the store that it is confined to.
	const rights = isEmployee
		? toRights(grantsOf(actor.id), structure)
		: rightsOfProgram({ storeId: null, ...actor, endsOn: null });
	return { ...rights, db, actor, forGood: permanent(rights), structure, grantsOf };
}

/** The grants of a program: codes, in one store or in all, until a day or for good. */
interface ProgramGrants {
	permissions: Iterable<string>;
	storeId: number | null;
	endsOn: string | null;
}

/** The rights that result from the grants of a program. */
export function rightsOfProgram({ permissions, storeId, endsOn }: ProgramGrants): Rights {
	const held = new Set<string>(permissions);
	const codes = (['*', ...programCodes] as const).filter((code) => held.has(code));
	const stores = storeId !== null && held.has('employee:view:store') ? [storeId] : [];
	const until = <Key>(keys: readonly Key[]) => new Map(keys.map((key) => [key, endsOn] as const));
	return { permissions: until(codes), stores: until(stores), areas: new Map() };
}

/** The stores whose employees an actor sees now; undefined for all stores. None for an actor who sees nobody. */
export function accessibleStores(db: Db, actor: Actor): readonly number[] | undefined {
	if (hasPermission(actor.permissions, 'employee:view:all')) return undefined;
	return [...readAuthority(db, actor).stores.keys()];
}

/** Whether an account sees the employees of a store on a day. */
export function reachesStore(db: Db, { id }: Account, storeId: number, today: string): boolean {
	const grants = readGrants(db, [id], today).get(id) ?? noGrants;
	return reaches(toRights(grants, readStructure(db)), storeId);
}
