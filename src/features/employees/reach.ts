/** Which employees an actor may change: those of the stores they manage, who hold nothing that the actor lacks. */
import { and, eq, isNull } from 'drizzle-orm';
import { type Entry, entriesOf, givenTo, reaches, reachOf, waysTo } from '../../identity/reach/service.ts';
import { type Actor, isLimited } from '../../identity/session/actor.ts';
import { naming, permissionsOfRoles } from '../../identity/session/points.ts';
import { forbidden } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { inJsonArray, param, queries, snapshot } from '../../platform/database/query.ts';
import { employeeRoles, employees } from '../../platform/database/schema.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import {
	covers,
	hasPermission,
	missingFrom,
	type Permission,
	type Permissions,
} from '../../platform/vocabulary/permissions.ts';
import { heldUntil, latest, outlasts, seesAllForGood } from '../roles/holding.ts';
import { heldRoles, listRoles } from '../roles/service.ts';
import { listStoreOptions } from '../stores/service.ts';
import {
	type EmployeeFilter,
	type EmployeeOptions,
	employeeMessages,
	type KnownEmployee,
	type LastDays,
} from './model.ts';
import { findEmployee, type StoredEmployee } from './read.ts';

const read = queries(({ select }) => ({
	holders: select({ id: employees.id, name: employees.name })
		.from(employees)
		.innerJoin(employeeRoles, and(eq(employeeRoles.employeeId, employees.id), isNull(employeeRoles.unboundAt)))
		.where(
			and(
				eq(employees.storeId, param('storeId')),
				isNull(employees.deletedAt),
				inJsonArray(employeeRoles.roleId, 'roleIds'),
			),
		)
		.groupBy(employees.id)
		.orderBy(employees.id),
	/** The newest link to each role comes last. */
	links: select({ roleId: employeeRoles.roleId, endsOn: employeeRoles.endsOn })
		.from(employeeRoles)
		.where(eq(employeeRoles.employeeId, param('id')))
		.orderBy(employeeRoles.id),
}));

/**
 * An employee that the actor may change.
 * @throws AppError NOT_FOUND; FORBIDDEN for a store out of reach, or an employee who holds or reaches what the actor does not.
 */
export function findManageable(db: Db, actor: Actor, id: number): StoredEmployee {
	const employee = findEmployee(db, id);
	refuseOtherStore(db, actor, employee.storeId);
	refuseFor(upwardRefusal(db, actor, employee));
	return employee;
}

/** Why an actor may not change somebody of a store that they reach: who holds or reaches what the actor does not is above them. */
export function upwardRefusal(db: Db, actor: Actor, { id, roles }: KnownEmployee): string | undefined {
	const { actsUpward } = employeeMessages;
	return lackingRefusal(db, actor, roles, actsUpward) ?? (isWider(db, actor, id, roles) ? actsUpward : undefined);
}

function refuseFor(reason: string | undefined): void {
	if (reason !== undefined) throw new AppError('FORBIDDEN', reason);
}

/**
 * Asks the rows, not the index: this is a permission.
 * @param moveTo where the people of the store would go.
 * @throws AppError FORBIDDEN when employees of a store are above the actor, which names them, or would see the other store for
 * longer than the actor reaches it.
 */
export function refusePeopleUpward(db: Db, actor: Actor, storeId: number, moveTo: number): void {
	const roles = listRoles(db);
	const bindable = new Set(bindableRoles(db, actor, roles));
	const holding = (some: readonly { id: number }[]) =>
		read(db).holders.all({ storeId, roleIds: JSON.stringify(some.map(({ id }) => id)) });
	function refuse(above: readonly { id: number; name: string }[]): void {
		if (above.length === 0) return;
		const names = above.map(({ name }) => name);
		const details = [{ path: 'params.id', message: employeeMessages.areAbove(names) }];
		const ids = above.map(({ id }) => id);
		const held = Array.from(heldRoles(db, ids).values()).flat();
		const message = lackingRefusal(db, actor, held, employeeMessages.actsUpward) ?? employeeMessages.actsUpward;
		throw new AppError('FORBIDDEN', message, { details });
	}
	refuse(holding(roles.filter((role) => !bindable.has(role))));
	if (seesAllForGood(db, actor)) return;
	const seeing = holding(roles.filter((role) => sightOf(db, forGood([role])) !== undefined));
	const people = seeing.map(({ id }) => findEmployee(db, id));
	refuse(people.filter(({ id, roles: held }) => isWider(db, actor, id, held)));
	for (const person of people) refuseFor(sightRefusal(db, actor, person, { storeId: moveTo, roles: rolesOf(person) }));
}

/** @throws AppError FORBIDDEN for a store that the actor does not reach. */
export function refuseOtherStore(db: Db, actor: Actor, storeId: number): void {
	if (!reaches(db, actor, storeId)) throw new AppError('FORBIDDEN', employeeMessages.otherStore);
}

/**
 * Who has somebody's password has their reach: so people with a role that lets them see stores, of which the actor does not
 * reach all that they were given, are above the actor.
 */
function isWider(db: Db, actor: Actor, id: number, roles: readonly { id: number }[]): boolean {
	if (!isLimited(actor) || sightOf(db, forGood(roles)) === undefined) return false;
	return entriesOf(givenTo(db, id, actor.today)).some((entry) => endOfReach(db, actor, entry) === undefined);
}

/** The roles that somebody holds, and their last days. */
export function rolesOf({ roles, roleEnds }: KnownEmployee): LastDays {
	return new Map([...forGood(roles), ...roleEnds.map(({ roleId, until }) => [roleId, until] as const)]);
}

/** The roles that somebody gets, and those that get another last day. */
export function boundBy(before: KnownEmployee | undefined, wanted: LastDays): LastDays {
	const held = before && rolesOf(before);
	return new Map([...wanted].filter(([id, until]) => held?.get(id) !== until));
}

/** A store for somebody, and the roles that they have in it. */
interface Place {
	storeId: number;
	roles: LastDays;
}

/**
 * @param before undefined for somebody new.
 * @throws AppError FORBIDDEN when the actor may not bring somebody to a store, or bind the roles that they get there.
 */
export function refuseOutOfReach(db: Db, actor: Actor, before: KnownEmployee | undefined, place: Place): void {
	refuseOtherStore(db, actor, place.storeId);
	refuseFor(bindingRefusal(db, actor, boundBy(before, place.roles)));
	refuseFor(sightRefusal(db, actor, before, place));
}

/**
 * Nobody sees stores by a role or a store which they get, unless the actor reaches these for as long: the actor could have their
 * password.
 * @param before undefined for somebody new.
 * @returns why they cannot be in a store with some roles.
 */
export function sightRefusal(
	db: Db,
	actor: Actor,
	before: KnownEmployee | undefined,
	{ storeId, roles }: Place,
): string | undefined {
	if (sightOf(db, roles) === undefined || seesAllForGood(db, actor)) return undefined;
	const store = { type: 'STORE', id: storeId, until: null } as const;
	const given = before ? entriesOf(givenTo(db, before.id, actor.today)) : [];
	const bound = boundBy(before, roles);
	const moved = before?.storeId === storeId ? new Map() : roles;
	return refusalOfSight(db, actor, bound, [store, ...given]) ?? refusalOfSight(db, actor, moved, [store]);
}

function refusalOfSight(db: Db, actor: Actor, roles: LastDays, places: readonly Entry[]): string | undefined {
	const sight = sightOf(db, roles);
	if (sight === undefined) return undefined;
	const ends = places.map((place) => endOfReach(db, actor, place));
	if (ends.includes(undefined)) return employeeMessages.bindsUpward;
	const ownEnd = heldUntil(db, actor, 'employee:manage');
	const isLonger = places.some(({ until }, index) =>
		outlasts(earliest([until, sight]), earliest([ends[index] ?? null, ownEnd])),
	);
	return isLonger ? employeeMessages.reachesLonger : undefined;
}

/** Until when some roles let somebody see the people of stores; undefined when they do not. */
function sightOf(db: Db, roles: LastDays): string | null | undefined {
	if (roles.size === 0) return undefined;
	const ids = Array.from(roles.keys(), (id) => ({ id }));
	const granted = permissionsOfRoles(db, ids);
	const showing = [...roles].filter(([id]) => granted.get(id)?.has('employee:view:store'));
	return showing.length === 0 ? undefined : latest(showing.map(([, until]) => ({ until })));
}

/** Some roles, held for good. */
export function forGood(roles: readonly { id: number }[]): LastDays {
	return new Map(roles.map(({ id }) => [id, null]));
}

/**
 * Until when an actor reaches a store, or has an area; the later end where they do in two ways.
 * @returns null for good; undefined when they do not.
 */
export function endOfReach(db: Db, actor: Actor, wanted: Pick<Entry, 'type' | 'id'>): string | null | undefined {
	if (actor.accountType === 'SUPER_ADMIN') return null;
	const ways = waysTo(db, actor, wanted);
	if (!isLimited(actor)) ways.push({ until: heldUntil(db, actor, 'employee:view:all') });
	return ways.length === 0 ? undefined : latest(ways);
}

/**
 * The part of a filter that an actor may see: of the stores that they reach. Another store is replaced by their own.
 * @throws AppError FORBIDDEN for deleted people when the actor does not manage people.
 */
export function withinReach(db: Db, actor: Actor, filter: EmployeeFilter): EmployeeFilter {
	if (filter.deleted && !hasPermission(actor.permissions, 'employee:manage')) throw forbidden();
	if (!isLimited(actor)) return filter;
	const { storeId } = filter;
	if (storeId !== undefined) return { ...filter, storeId: reaches(db, actor, storeId) ? storeId : actor.storeId };
	const stores = Array.from(reachOf(db, actor) ?? []);
	return stores.length === 1 ? { ...filter, storeId: actor.storeId } : { ...filter, stores };
}

/** Why an actor may not bind some roles: one holds a permission that the actor lacks, or holds for a shorter time. */
export function bindingRefusal(db: Db, actor: Actor, bound: LastDays): string | undefined {
	const roles = Array.from(bound.keys(), (id) => ({ id }));
	const refusal = lackingRefusal(db, actor, roles, employeeMessages.bindsUpward);
	if (refusal !== undefined) return refusal;
	const ends = endsOfCodes(db, actor, roles);
	const shorter = Array.from(bound).flatMap(([id, until]) =>
		Array.from(ends.get(id) ?? []).flatMap(([code, end]) => (outlasts(until, end) ? code : [])),
	);
	if (shorter.length === 0) return undefined;
	return naming(db, employeeMessages.bindsLonger, new Set(shorter), 'SHORTER');
}

/** Until when the actor holds each permission of some roles; empty when they hold everything for good. */
function endsOfCodes(
	db: Db,
	actor: Actor,
	roles: readonly { id: number }[],
): Map<number, Map<Permission, string | null>> {
	const isAsked = actor.accountType === 'EMPLOYEE' && roles.length > 0;
	const own = isAsked ? (heldRoles(db, [actor.id]).get(actor.id) ?? []) : [];
	if (own.every(({ until }) => until === null)) return new Map();
	const granted = permissionsOfRoles(db, [...own, ...roles]);
	const of = (id: number): Permissions => granted.get(id) ?? new Set();
	const endOf = (code: Permission) => latest(own.filter(({ id }) => covers(of(id), new Set([code]))));
	return new Map(roles.map(({ id }) => [id, new Map(Array.from(of(id), (code) => [code, endOf(code)]))]));
}

/** Until when somebody holds or last held each role that they ever held. */
export function lastDaysOf(db: Db, id: number): LastDays {
	const links = read(db).links.all({ id });
	return new Map(links.map(({ roleId, endsOn }) => [roleId, endsOn]));
}

function earliest(days: readonly (string | null)[]): string | null {
	return days.filter((day) => day !== null).toSorted()[0] ?? null;
}

/** The refusal of an actor who lacks a permission of some roles, with the titles of the chain's own points; undefined when there is none. */
function lackingRefusal(db: Db, actor: Actor, roles: readonly { id: number }[], message: string): string | undefined {
	if (roles.length === 0) return undefined;
	const granted = Array.from(permissionsOfRoles(db, roles).values());
	const lacked = new Set(granted.flatMap((codes) => missingFrom(actor.permissions, codes)));
	return lacked.size === 0 ? undefined : naming(db, message, lacked, 'LACKED');
}

/** Those of some roles that the actor may bind. */
function bindableRoles<Role extends { id: number }>(db: Db, actor: Actor, roles: readonly Role[]): Role[] {
	if (roles.length === 0) return [];
	const granted = permissionsOfRoles(db, roles);
	return roles.filter((role) => covers(actor.permissions, granted.get(role.id) ?? new Set()));
}

/** What a form for an employee offers: the active stores and the roles within the actor's reach, by id. */
export function listOptions(db: Db, actor: Actor): EmployeeOptions {
	return snapshot(db, () => {
		const reach = reachOf(db, actor);
		const stores = listStoreOptions(db).filter(({ id }) => reach?.has(id) ?? true);
		const roles = bindableRoles(db, actor, listRoles(db));
		// Who holds a permission until a day gives it no longer.
		const ends = endsOfCodes(db, actor, roles);
		const untilOf = (id: number) => earliest(Array.from(ends.get(id)?.values() ?? []));
		return { stores, roles: roles.map(({ id, name }) => ({ id, name, until: untilOf(id) })) };
	});
}
