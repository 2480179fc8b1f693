/** The accounts, in one shape: those that sign in, and those behind a token. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import {
	administrators,
	employeeRoles,
	employees,
	permissionStamp,
	secondFactors,
	stores,
} from '../../platform/database/schema.ts';
import type { AccountKey, AccountType } from '../../platform/vocabulary/accounts.ts';
import type { Permission, Permissions } from '../../platform/vocabulary/permissions.ts';
import { heldTogether } from './granted-permissions.ts';

/** The roles that an employee holds, as a JSON array, and the stamp of what roles grant. */
const roleIds = sql<string>`(
	select json_group_array(${employeeRoles.roleId}) from ${employeeRoles}
	where ${employeeRoles.employeeId} = ${employees.id} and ${employeeRoles.unboundAt} is null
)`;
const stamp = sql<string>`(select ${permissionStamp.value} from ${permissionStamp})`;

const read = queries(({ select }) => {
	const administrator = {
		accountType: sql<'SUPER_ADMIN'>`'SUPER_ADMIN'`,
		id: administrators.id,
		// The name in history records.
		name: administrators.username,
		// Null while it is the first one.
		passwordChangedAt: administrators.passwordChangedAt,
		tokenVersion: administrators.tokenVersion,
	};
	const employee = {
		accountType: sql<'EMPLOYEE'>`'EMPLOYEE'`,
		id: employees.id,
		name: employees.name,
		passwordIsInitial: employees.passwordIsInitial,
		passwordChangedAt: employees.passwordChangedAt,
		tokenVersion: employees.tokenVersion,
	};
	const administratorPassword = (condition: SQL) =>
		select({ ...administrator, passwordHash: administrators.passwordHash })
			.from(administrators)
			.where(condition);
	const employeePassword = (condition: SQL) =>
		select({ ...employee, passwordHash: employees.passwordHash })
			.from(employees)
			.where(and(condition, isNull(employees.deletedAt)));
	return {
		administrator: select({ ...administrator, username: administrators.username })
			.from(administrators)
			.where(eq(administrators.id, param('id'))),
		employee: select({
			...employee,
			username: employees.phone,
			passwordExpiresAt: employees.passwordExpiresAt,
			status: employees.status,
			storeId: employees.storeId,
			storeName: stores.name,
			storeStatus: stores.status,
			roleIds,
			stamp,
		})
			.from(employees)
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.where(and(eq(employees.id, param('id')), isNull(employees.deletedAt))),
		administratorNamed: administratorPassword(eq(administrators.username, param('username'))),
		administratorPassword: administratorPassword(eq(administrators.id, param('id'))),
		employeeNamed: employeePassword(eq(employees.phone, param('phone'))),
		employeePassword: employeePassword(eq(employees.id, param('id'))),
		secondFactor: select({ enabledAt: secondFactors.enabledAt })
			.from(secondFactors)
			.where(and(eq(secondFactors.accountType, param('accountType')), eq(secondFactors.accountId, param('id')))),
	};
});

/** What the super administrator holds. */
const everything: Permissions = new Set<Permission>(['*']);

function findAdministrator(db: Db, id: number) {
	const row = read(db).administrator.get({ id });
	if (!row) return undefined;
	return Object.assign(row, {
		permissions: everything,
		passwordIsInitial: row.passwordChangedAt === null,
		passwordExpiresAt: null,
		status: 'ACTIVE' as const,
		storeStatus: 'ACTIVE' as const,
	});
}

function findEmployee(db: Db, id: number) {
	const row = read(db).employee.get({ id });
	if (!row) return undefined;
	const permissions: Permissions = heldTogether(db, row);
	return Object.assign(row, { permissions });
}

/** An account and the permissions that it holds at this moment. */
export type Account = NonNullable<ReturnType<typeof findAccount>>;

/** The live account of a type and id, or undefined. */
export function findAccount(db: Db, { accountType, id }: AccountKey) {
	return accountType === 'SUPER_ADMIN' ? findAdministrator(db, id) : findEmployee(db, id);
}

/**
 * The stored password of an account. Only signing in and changes of a password read it; an {@link Account}, which comes with every
 * request, is without it.
 */
export interface StoredPassword extends AccountKey {
	/** The name of the owner. */
	name: string;
	passwordHash: string;
	passwordChangedAt: string | null;
	/** Another password raises it, and so does signing out. */
	tokenVersion: number;
	/** Whether it is the initial password; of employees only. */
	passwordIsInitial?: boolean;
}

/** The password of a live account, or undefined. */
export function findPassword(db: Db, { accountType, id }: AccountKey): StoredPassword | undefined {
	const { administratorPassword, employeePassword } = read(db);
	return (accountType === 'SUPER_ADMIN' ? administratorPassword : employeePassword).get({ id });
}

/** Those of the live accounts that have a username; both types can have the same one. */
export function findAccountsNamed(db: Db, username: string): NamedAccounts {
	const { administratorNamed, employeeNamed } = read(db);
	return { administrator: administratorNamed.get({ username }), employee: employeeNamed.get({ phone: username }) };
}

/** The accounts of a username. */
export type NamedAccounts = Record<'administrator' | 'employee', StoredPassword | undefined>;

/** Whether signing in asks the account for a code. */
export function hasSecondFactor(db: Db, { accountType, id }: AccountKey): boolean {
	return read(db).secondFactor.get({ accountType, id })?.enabledAt != null;
}

/** The table of an account type. */
export function tableOf(accountType: AccountType) {
	return accountType === 'SUPER_ADMIN' ? administrators : employees;
}

/** The values of an update that ends every token the account has: tokens carry the version that this one replaces. */
export function withTokensEnded(table: ReturnType<typeof tableOf>): { tokenVersion: SQL } {
	return { tokenVersion: sql`${table.tokenVersion} + 1` };
}

/** The values of an update that sets another password of the administrator, which also ends the account's tokens; `at` in ISO 8601. */
export function newAdministratorPassword(passwordHash: string, at: string) {
	return { passwordHash, passwordChangedAt: at, updatedAt: at, ...withTokensEnded(administrators) };
}
