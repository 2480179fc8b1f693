/** Who calls: the account behind a token, read from the database at every request. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { administrators, employeeRoles, employees, rolePermissions, stores } from '../database/schema.ts';
import { holds, type Permission, type PermissionCode, type Permissions } from '../vocabulary/permissions.ts';
import { disabled, disabledReason, forbidden, notSignedIn } from './refusals.ts';
import type { Claims } from './tokens.ts';

interface Account {
	id: number;
	name: string;
	permissions: Permissions;
	/** What the token says, to read the account again after a wait. */
	claims: Claims;
}

interface SuperAdministrator extends Account {
	accountType: 'SUPER_ADMIN';
}

interface EmployeeActor extends Account {
	accountType: 'EMPLOYEE';
	phone: string;
	storeId: number;
	storeName: string;
}

/** A signed-in account and the permissions that it holds at this moment. */
export type Actor = SuperAdministrator | EmployeeActor;

/** An actor in one request. */
export interface Caller {
	actor: Actor;
	address: string;
	requestId: string;
	/** The versions of what is to be changed that the caller has seen; undefined when any will do. */
	expectedTags?: readonly string[] | undefined;
}

/** The name of an account in the log, and where accounts are counted: `EMPLOYEE:7`. */
export function accountOf({ accountType, id }: Pick<Actor, 'accountType' | 'id'>): string {
	return `${accountType}:${id}`;
}

/** What the super administrator holds. */
export const everything: Permissions = new Set<Permission>(['*']);

const codesOf = sql<string | null>`(
	select group_concat(${rolePermissions.permission})
	from ${employeeRoles} join ${rolePermissions} on ${rolePermissions.roleId} = ${employeeRoles.roleId}
	where ${employeeRoles.employeeId} = ${employees.id} and ${employeeRoles.unboundAt} is null
		and ${rolePermissions.deletedAt} is null
)`;

const read = queries(({ select }) => ({
	administrator: select({
		id: administrators.id,
		name: administrators.username,
		tokenVersion: administrators.tokenVersion,
	})
		.from(administrators)
		.where(eq(administrators.id, bound('id'))),
	employee: select({
		id: employees.id,
		name: employees.name,
		phone: employees.phone,
		tokenVersion: employees.tokenVersion,
		status: employees.status,
		storeId: employees.storeId,
		storeName: stores.name,
		storeStatus: stores.status,
		codes: codesOf,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(and(eq(employees.id, bound('id')), isNull(employees.deletedAt))),
	permissions: select({ codes: codesOf })
		.from(employees)
		.where(eq(employees.id, bound('id'))),
}));

/** The permissions of all roles of an employee. */
export function permissionsOf(db: Db, employeeId: number): Permissions {
	return permissionsFrom(read(db).permissions.get({ id: employeeId })?.codes ?? null);
}

/** Only codes of the catalog are granted, and none contains a comma. */
function permissionsFrom(codes: string | null): Permissions {
	return new Set((codes?.split(',') ?? []) as PermissionCode[]);
}

/**
 * The account that a token names, as it is now.
 * @throws AppError UNAUTHORIZED when it is gone, disabled, in a disabled store, or its tokens were ended.
 */
export function actorOf(db: Db, claims: Claims): Actor {
	return claims.accountType === 'SUPER_ADMIN' ? administratorOf(db, claims) : employeeOf(db, claims);
}

/**
 * The caller read again, for a change that had to wait after authentication.
 * @throws AppError UNAUTHORIZED when the account is refused by now; FORBIDDEN when it lost the permission.
 */
export function stillPermitted(db: Db, caller: Caller, code: PermissionCode): Caller {
	const actor = actorOf(db, caller.actor.claims);
	if (!holds(actor.permissions, code)) throw forbidden();
	return { ...caller, actor };
}

function administratorOf(db: Db, claims: Claims): Actor {
	const { accountId, version } = claims;
	const row = read(db).administrator.get({ id: accountId });
	if (row?.tokenVersion !== version) throw notSignedIn();
	return { accountType: 'SUPER_ADMIN', id: row.id, name: row.name, permissions: everything, claims };
}

function employeeOf(db: Db, claims: Claims): Actor {
	const { accountId, version } = claims;
	const row = read(db).employee.get({ id: accountId });
	if (row?.tokenVersion !== version) throw notSignedIn();
	const reason = disabledReason(row);
	if (reason) throw disabled(reason);
	const { id, name, phone, storeId, storeName, codes } = row;
	return { accountType: 'EMPLOYEE', id, name, phone, storeId, storeName, permissions: permissionsFrom(codes), claims };
}

/**
 * The one store that the actor is confined to, or undefined without such a limit: `employee:view:store` without
 * `employee:view:all` reaches the own store only, for reading and for writing.
 */
export function ownStoreOf(actor: Actor): number | undefined {
	if (actor.accountType === 'SUPER_ADMIN') return undefined;
	const confined = holds(actor.permissions, 'employee:view:store') && !holds(actor.permissions, 'employee:view:all');
	return confined ? actor.storeId : undefined;
}
