/** The accounts that can sign in, in one shape. */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { administrators, employees, stores } from '../database/schema.ts';
import type { RecordedActor } from '../history/record.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { heldRoles } from '../roles/held-roles.ts';
import { type Actor, everything, permissionsOf } from '../session/actor.ts';
import type { AccountType } from '../vocabulary/accounts.ts';
import { canManage, inOrder, type Permissions } from '../vocabulary/permissions.ts';
import type { Status } from '../vocabulary/status.ts';
import type { AuthUser } from './model.ts';

/** An account. */
export interface Account {
	accountType: AccountType;
	id: number;
	/** What it signs in with: the administrator's username, or the employee's phone. */
	username: string;
	/** The name in history records. */
	name: string;
	displayName: string;
	passwordHash: string;
	/** Until when the password can be used, in ISO 8601; employees only, and null unless it is a one-time password. */
	passwordExpiresAt?: string | null;
	tokenVersion: number;
	/** ISO 8601; null while it is the first one. */
	passwordChangedAt: string | null;
	/** Employees only. */
	employment?: { status: Status; storeId: number; storeName: string; storeStatus: Status };
}

/** Where somebody signs in: the back office, which asks for a menu permission, or the employee side. */
export type Door = 'back office' | 'employee side';

const read = queries(({ select }) => {
	const administratorWhere = (condition: SQL) =>
		select({
			id: administrators.id,
			username: administrators.username,
			name: administrators.username,
			passwordHash: administrators.passwordHash,
			tokenVersion: administrators.tokenVersion,
			passwordChangedAt: administrators.passwordChangedAt,
		})
			.from(administrators)
			.where(condition);
	const employeeWhere = (condition: SQL) =>
		select({
			id: employees.id,
			username: employees.phone,
			name: employees.name,
			displayName: employees.name,
			passwordHash: employees.passwordHash,
			passwordExpiresAt: employees.passwordExpiresAt,
			tokenVersion: employees.tokenVersion,
			passwordChangedAt: employees.passwordChangedAt,
			status: employees.status,
			storeId: employees.storeId,
			storeName: stores.name,
			storeStatus: stores.status,
		})
			.from(employees)
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.where(and(condition, isNull(employees.deletedAt)));
	return {
		administratorByUsername: administratorWhere(eq(administrators.username, bound('username'))),
		administratorById: administratorWhere(eq(administrators.id, bound('id'))),
		employeeByPhone: employeeWhere(eq(employees.phone, bound('phone'))),
		employeeById: employeeWhere(eq(employees.id, bound('id'))),
	};
});

type Reads = ReturnType<typeof read>;
type AdministratorRow = ReturnType<Reads['administratorById']['get']>;
type EmployeeRow = ReturnType<Reads['employeeById']['get']>;

/** The live account of a type and id, or undefined. */
export function findAccount(db: Db, { accountType, id }: Pick<Account, 'accountType' | 'id'>): Account | undefined {
	return accountType === 'SUPER_ADMIN'
		? administratorAccount(read(db).administratorById.get({ id }))
		: employeeAccount(read(db).employeeById.get({ id }));
}

/** The live accounts that have a username; both types can have the same one. */
export function findNamed(db: Db, username: string) {
	return {
		administrator: administratorAccount(read(db).administratorByUsername.get({ username })),
		employee: employeeAccount(read(db).employeeByPhone.get({ phone: username })),
	};
}

/** The accounts of a username. */
export type NamedAccounts = ReturnType<typeof findNamed>;

/** The account that a username stands for: in the back office the administrator's first, on the employee side only the employee's. */
export function accountAt(door: Door, { administrator, employee }: NamedAccounts): Account | undefined {
	return door === 'back office' ? (administrator ?? employee) : employee;
}

/**
 * What is counted when the password of a username is guessed. It does not depend on the door. A new password, a reset and a
 * deletion start a new count; signing out does not, or each would allow as many guesses more.
 */
export function guessedSubject(username: string, { administrator, employee }: NamedAccounts): string {
	return ['sign-in', username, generation(administrator), generation(employee)].join(' ');
}

function generation(account: Account | undefined): string {
	return account ? `${account.id}.${account.passwordChangedAt}` : '';
}

/** The account as the history records it. */
export function recordedAs({ accountType, id, name }: Account): RecordedActor {
	return { accountType, id, name };
}

/** What the account holds. */
export function heldBy(db: Db, { accountType, id }: Account): Permissions {
	return accountType === 'SUPER_ADMIN' ? everything : permissionsOf(db, id);
}

/** What an account shows of itself, besides its roles and permissions. */
export interface Identity extends Pick<Account, 'accountType' | 'id' | 'username' | 'displayName'> {
	/** Employees only. */
	employment?: Pick<NonNullable<Account['employment']>, 'storeId' | 'storeName'>;
}

/** The identity of the caller: what their request has read already. */
export function identityOf(actor: Actor): Identity {
	const { accountType, id, name } = actor;
	return accountType === 'SUPER_ADMIN'
		? { accountType, id, username: name, displayName: superAdministrator.name }
		: { accountType, id, username: actor.phone, displayName: name, employment: actor };
}

/** The account as a login and GET /api/auth/me show it. */
export function toAuthUser(db: Db, identity: Identity, permissions: Permissions): AuthUser {
	const { accountType, id, username, displayName, employment } = identity;
	return {
		id,
		username,
		displayName,
		accountType,
		...(employment && { storeId: employment.storeId, storeName: employment.storeName }),
		roles: employment ? heldRoles(db, id) : [superAdministratorRole],
		permissions: inOrder(permissions),
		canManage: canManage(permissions),
	};
}

const superAdministratorRole = {
	id: superAdministrator.id,
	code: superAdministrator.code,
	name: superAdministrator.name,
};

/** The table of an account type. */
export function tableOf(accountType: AccountType) {
	return accountType === 'SUPER_ADMIN' ? administrators : employees;
}

function administratorAccount(row: AdministratorRow): Account | undefined {
	return row && { ...row, accountType: 'SUPER_ADMIN', displayName: superAdministrator.name };
}

function employeeAccount(row: EmployeeRow): Account | undefined {
	if (!row) return undefined;
	const { status, storeId, storeName, storeStatus, ...account } = row;
	return { accountType: 'EMPLOYEE', ...account, employment: { status, storeId, storeName, storeStatus } };
}
