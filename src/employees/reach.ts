/** Which employees an actor may change: those of the stores they manage, who hold nothing that the actor lacks. */
import { and, eq, isNull, lte } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, bound, queries, snapshot } from '../database/query.ts';
import { employeeRoles, employees } from '../database/schema.ts';
import { listRoles, permissionsOfRoles } from '../roles/service.ts';
import { type Actor, ownStoreOf } from '../session/actor.ts';
import { forbidden } from '../session/refusals.ts';
import { listStoreOptions } from '../stores/service.ts';
import { AppError } from '../vocabulary/errors.ts';
import { covers, holds } from '../vocabulary/permissions.ts';
import { type EmployeeFilter, type EmployeeOptions, employeeMessages } from './model.ts';
import { findEmployee, type StoredEmployee } from './read.ts';

const read = queries(({ select }) => ({
	holders: select({ name: employees.name })
		.from(employees)
		.innerJoin(employeeRoles, and(eq(employeeRoles.employeeId, employees.id), isNull(employeeRoles.unboundAt)))
		.where(
			and(
				eq(employees.storeId, bound('storeId')),
				lte(employees.id, bound('last')),
				isNull(employees.deletedAt),
				among(employeeRoles.roleId, 'roleIds'),
			),
		)
		.groupBy(employees.id)
		.orderBy(employees.id),
}));

/**
 * An employee that the actor may change.
 * @throws AppError NOT_FOUND; FORBIDDEN for another store, or an employee who holds a permission the actor lacks.
 */
export function findManageable(db: Db, actor: Actor, id: number): StoredEmployee {
	const employee = findEmployee(db, id);
	refuseOtherStore(actor, employee.storeId);
	refuseUpward(db, actor, employee.roles, employeeMessages.actsUpward);
	return employee;
}

/**
 * Asks the rows, not the index: this is a permission.
 * @throws AppError FORBIDDEN, which names them, when employees of a store, up to the id `last`, hold a permission the actor lacks.
 */
export function refusePeopleUpward(db: Db, actor: Actor, storeId: number, last = Number.MAX_SAFE_INTEGER): void {
	const roles = listRoles(db);
	const above = new Set(roles).difference(new Set(bindableRoles(db, actor, roles)));
	if (above.size === 0) return;
	const roleIds = JSON.stringify(Array.from(above, ({ id }) => id));
	const people = read(db).holders.all({ storeId, last, roleIds });
	if (people.length === 0) return;
	const names = people.map(({ name }) => name);
	const details = [{ path: 'params.id', message: employeeMessages.areAbove(names) }];
	throw new AppError('FORBIDDEN', employeeMessages.actsUpward, { details });
}

/** @throws AppError FORBIDDEN when the actor is confined to a store, and this is another one. */
export function refuseOtherStore(actor: Actor, storeId: number): void {
	if (!mayReachStore(actor, storeId)) throw new AppError('FORBIDDEN', employeeMessages.otherStore);
}

/**
 * The part of a filter that an actor may see: of their store only when they are confined to it.
 * @throws AppError FORBIDDEN for deleted people when the actor does not manage people.
 */
export function withinReach(actor: Actor, filter: EmployeeFilter): EmployeeFilter {
	if (filter.deleted && !holds(actor.permissions, 'employee:manage')) throw forbidden();
	return { ...filter, storeId: ownStoreOf(actor) ?? filter.storeId };
}

/** Whether the actor is confined to no store, or to this one. */
export function mayReachStore(actor: Actor, storeId: number): boolean {
	const own = ownStoreOf(actor);
	return own === undefined || own === storeId;
}

/** @throws AppError FORBIDDEN when one of the roles holds a permission the actor lacks. */
export function refuseBindingUpward(db: Db, actor: Actor, roleIds: readonly number[]): void {
	const roles = roleIds.map((id) => ({ id }));
	refuseUpward(db, actor, roles, employeeMessages.bindsUpward);
}

function refuseUpward(db: Db, actor: Actor, roles: readonly { id: number }[], message: string): void {
	if (bindableRoles(db, actor, roles).length < roles.length) throw new AppError('FORBIDDEN', message);
}

/** Those of some roles that the actor may bind. */
export function bindableRoles<Role extends { id: number }>(db: Db, actor: Actor, roles: readonly Role[]): Role[] {
	if (roles.length === 0) return [];
	const granted = permissionsOfRoles(db, roles);
	return roles.filter((role) => covers(actor.permissions, granted.get(role.id) ?? new Set()));
}

/** What a form for an employee offers: the active stores and the roles within the actor's reach, by id. */
export function listOptions(db: Db, actor: Actor): EmployeeOptions {
	return snapshot(db, () => {
		const stores = listStoreOptions(db).filter(({ id }) => mayReachStore(actor, id));
		return { stores, roles: bindableRoles(db, actor, listRoles(db)) };
	});
}
