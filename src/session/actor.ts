/** Who calls: the account behind a token, read from the database at every request. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import {
	administrators,
	employeeRoles,
	employees,
	rolePermissions,
	secondFactors,
	stores,
} from '../database/schema.ts';
import {
	hasBackOffice,
	holds,
	type Permission,
	type PermissionCode,
	type Permissions,
} from '../vocabulary/permissions.ts';
import { disabledReason, forbidden, notSignedIn, type Restriction, refusalFor } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** What the installation asks of its accounts. */
export interface Requirements {
	/** Whether employees set a password of their own in place of the initial one before they may do anything else. */
	ownPassword: boolean;
	/** Whether who has a back-office menu turns a second factor on before they may do anything but look after their own account. */
	secondFactor: boolean;
}

interface Account {
	id: number;
	name: string;
	permissions: Permissions;
	/** What the account has to do before it may do anything else, in this order. */
	restrictions: readonly Restriction[];
	/** What the token says and what is asked of the account, to read it again after a wait. */
	claims: Claims;
	requirements: Requirements;
}

/** A signed-in account and the permissions that it holds at this moment. */
export type Actor = Account &
	({ accountType: 'SUPER_ADMIN' } | { accountType: 'EMPLOYEE'; phone: string; storeId: number; storeName: string });

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
		passwordIsInitial: employees.passwordIsInitial,
		passwordExpiresAt: employees.passwordExpiresAt,
		codes: codesOf,
	})
		.from(employees)
		.innerJoin(stores, eq(stores.id, employees.storeId))
		.where(and(eq(employees.id, bound('id')), isNull(employees.deletedAt))),
	permissions: select({ codes: codesOf })
		.from(employees)
		.where(eq(employees.id, bound('id'))),
	secondFactor: select({ enabledAt: secondFactors.enabledAt })
		.from(secondFactors)
		.where(and(eq(secondFactors.accountType, bound('accountType')), eq(secondFactors.accountId, bound('id')))),
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
export function actorOf(db: Db, claims: Claims, requirements: Requirements): Actor {
	return claims.accountType === 'SUPER_ADMIN'
		? administratorOf(db, claims, requirements)
		: employeeOf(db, claims, requirements);
}

/** The actor read again. @throws AppError UNAUTHORIZED when the account is refused by now. */
export function rereadActor(db: Db, { claims, requirements }: Actor): Actor {
	return actorOf(db, claims, requirements);
}

/**
 * The caller read again, for a change that had to wait after authentication.
 * @throws AppError UNAUTHORIZED when the account is refused by now; FORBIDDEN when it lost a permission or is restricted.
 */
export function stillPermitted(db: Db, caller: Caller, ...codes: readonly PermissionCode[]): Caller {
	const actor = rereadActor(db, caller.actor);
	refuseRestricted(actor);
	if (!codes.every((code) => holds(actor.permissions, code))) throw forbidden();
	return { ...caller, actor };
}

/** @throws AppError FORBIDDEN when the account has something to do first, unless that is one of `despite`. */
export function refuseRestricted({ restrictions }: Actor, despite: readonly Restriction[] = []): void {
	for (const restriction of restrictions) if (!despite.includes(restriction)) throw refusalFor(restriction);
}

function administratorOf(db: Db, claims: Claims, requirements: Requirements): Actor {
	const row = read(db).administrator.get({ id: claims.accountId });
	if (row?.tokenVersion !== claims.version) throw notSignedIn();
	const account = { accountType: 'SUPER_ADMIN', id: row.id, name: row.name, permissions: everything } as const;
	return { ...account, restrictions: restrictionsOf(db, account, false, requirements), claims, requirements };
}

function employeeOf(db: Db, claims: Claims, requirements: Requirements): Actor {
	const row = read(db).employee.get({ id: claims.accountId });
	if (row?.tokenVersion !== claims.version) throw notSignedIn();
	const reason = disabledReason(row);
	if (reason) throw refusalFor(reason);
	const { id, name, phone, storeId, storeName, codes, passwordIsInitial, passwordExpiresAt } = row;
	const permissions = permissionsFrom(codes);
	const account = { accountType: 'EMPLOYEE', id, name, phone, storeId, storeName, permissions } as const;
	const lacksOwnPassword = passwordExpiresAt !== null || (requirements.ownPassword && passwordIsInitial);
	return {
		...account,
		restrictions: restrictionsOf(db, account, lacksOwnPassword, requirements),
		claims,
		requirements,
	};
}

/** In the order in which they are refused. */
function restrictionsOf(
	db: Db,
	{ accountType, id, permissions }: Pick<Actor, 'accountType' | 'id' | 'permissions'>,
	lacksOwnPassword: boolean,
	{ secondFactor }: Requirements,
): Restriction[] {
	const restrictions: Restriction[] = lacksOwnPassword ? ['OWN_PASSWORD'] : [];
	const isAsked = secondFactor && hasBackOffice(permissions);
	if (isAsked && !read(db).secondFactor.get({ accountType, id })?.enabledAt) restrictions.push('SECOND_FACTOR');
	return restrictions;
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
