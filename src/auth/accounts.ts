/** The accounts that can sign in, in one shape. */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, queries } from '../database/query.ts';
import { administrators, employees, stores } from '../database/schema.ts';
import type { RecordedActor } from '../history/record.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { heldRoles } from '../roles/held-roles.ts';
import { type Actor, everything, permissionsOf } from '../session/actor.ts';
import type { AccountKey, AccountType } from '../vocabulary/accounts.ts';
import { canManage, inOrder, type Permissions } from '../vocabulary/permissions.ts';
import type { AuthUser } from './model.ts';

/** Where somebody signs in: the back office, which asks for a menu permission, or the employee side. */
export type Door = 'BACK_OFFICE' | 'EMPLOYEE';

const read = queries(({ select }) => {
	const administratorWhere = (condition: SQL) =>
		select({
			id: administrators.id,
			username: administrators.username,
			// The name in history records.
			name: administrators.username,
			passwordHash: administrators.passwordHash,
			// Null while it is the first one.
			passwordChangedAt: administrators.passwordChangedAt,
			tokenVersion: administrators.tokenVersion,
		})
			.from(administrators)
			.where(condition);
	const employeeWhere = (condition: SQL) =>
		select({
			id: employees.id,
			username: employees.phone,
			name: employees.name,
			passwordHash: employees.passwordHash,
			passwordChangedAt: employees.passwordChangedAt,
			passwordIsInitial: employees.passwordIsInitial,
			passwordExpiresAt: employees.passwordExpiresAt,
			tokenVersion: employees.tokenVersion,
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

function administratorOf(row: ReturnType<ReturnType<typeof read>['administratorById']['get']>) {
	if (!row) return undefined;
	const passwordIsInitial = row.passwordChangedAt === null;
	return { accountType: 'SUPER_ADMIN' as const, ...row, passwordIsInitial, passwordExpiresAt: null };
}

function employeeOf(row: ReturnType<ReturnType<typeof read>['employeeById']['get']>) {
	return row && { accountType: 'EMPLOYEE' as const, ...row };
}

/** An account that can sign in. */
export type Account = NonNullable<ReturnType<typeof administratorOf> | ReturnType<typeof employeeOf>>;

/** The live account of a type and id, or undefined. */
export function findAccount(db: Db, { accountType, id }: AccountKey): Account | undefined {
	return accountType === 'SUPER_ADMIN'
		? administratorOf(read(db).administratorById.get({ id }))
		: employeeOf(read(db).employeeById.get({ id }));
}

/** The live accounts that have a username; both types can have the same one. */
export function findNamed(db: Db, username: string) {
	return {
		administrator: administratorOf(read(db).administratorByUsername.get({ username })),
		employee: employeeOf(read(db).employeeByPhone.get({ phone: username })),
	};
}

/** The accounts of a username. */
export type NamedAccounts = ReturnType<typeof findNamed>;

/** The account that a username stands for: in the back office the administrator's first, on the employee side only the employee's. */
export function accountAt(door: Door, { administrator, employee }: NamedAccounts): Account | undefined {
	return door === 'BACK_OFFICE' ? (administrator ?? employee) : employee;
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
export type Identity = { id: number; username: string; name: string } & (
	| { accountType: 'SUPER_ADMIN' }
	| { accountType: 'EMPLOYEE'; storeId: number; storeName: string }
);

/** The identity of the caller: what their request has read already. */
export function identityOf(actor: Actor): Identity {
	return actor.accountType === 'SUPER_ADMIN' ? { ...actor, username: actor.name } : { ...actor, username: actor.phone };
}

const { description: _, ...superAdministratorRole } = superAdministrator;

/** The account as a login and GET /api/auth/me show it. */
export function toAuthUser(db: Db, identity: Identity, permissions: Permissions): AuthUser {
	const { id, username, name, accountType } = identity;
	const shown = { permissions: inOrder(permissions), canManage: canManage(permissions) };
	if (identity.accountType === 'SUPER_ADMIN') {
		const { name: displayName } = superAdministratorRole;
		return { id, username, displayName, accountType, roles: [superAdministratorRole], ...shown };
	}
	const { storeId, storeName } = identity;
	return { id, username, displayName: name, accountType, storeId, storeName, roles: heldRoles(db, id), ...shown };
}

/** The table of an account type. */
export function tableOf(accountType: AccountType) {
	return accountType === 'SUPER_ADMIN' ? administrators : employees;
}
