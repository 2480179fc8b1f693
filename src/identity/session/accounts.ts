/** Accounts in one shape, for signing in and for requests with a token. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import {
	administrators,
	employeeRoles,
	employees,
	permissionStamp,
	secondFactors,
	signIns,
	stores,
} from '../../platform/database/schema.ts';
import type { AccountKey } from '../../platform/vocabulary/accounts.ts';
import type { Permissions } from '../../platform/vocabulary/permissions.ts';
import { combinedPermissions } from './granted-permissions.ts';

/** The roles of an employee as a JSON array, and the present permission stamp. */
const roleIds = sql<string>`(
	select json_group_array(${employeeRoles.roleId}) from ${employeeRoles}
	where ${employeeRoles.employeeId} = ${employees.id} and ${employeeRoles.unboundAt} is null
)`;
const stamp = sql<string>`(select ${permissionStamp.value} from ${permissionStamp})`;
/** The end of a sign-in, which every request needs: empty once somebody ended it. A read of its own costs more. */
const signInEndsAt = sql<string | null>`(
	select ${signIns.endsAt} from ${signIns} where ${signIns.id} = ${param('signIn')}
)`;

const administrator = {
	accountType: sql<'SUPER_ADMIN'>`'SUPER_ADMIN'`,
	id: administrators.id,
	// The name in history records.
	name: administrators.username,
	// Null until the first password is changed.
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

const read = queries(({ select }) => {
	const { username, passwordExpiresAt } = administrators;
	return {
		administrator: select({ ...administrator, username, passwordExpiresAt, signInEndsAt })
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
			signInEndsAt,
		})
			.from(employees)
			.innerJoin(stores, eq(stores.id, employees.storeId))
			.where(and(eq(employees.id, param('id')), isNull(employees.deletedAt))),
		secondFactor: select()
			.from(secondFactors)
			.where(and(eq(secondFactors.accountType, param('accountType')), eq(secondFactors.accountId, param('id')))),
	};
});

const readPassword = queries(({ select }) => {
	const ofAdministrator = (condition: SQL) =>
		select({ ...administrator, passwordHash: administrators.passwordHash })
			.from(administrators)
			.where(condition);
	const ofEmployee = (condition: SQL) =>
		select({ ...employee, passwordHash: employees.passwordHash })
			.from(employees)
			.where(and(condition, isNull(employees.deletedAt)));
	return {
		administrator: ofAdministrator(eq(administrators.id, param('id'))),
		administratorNamed: ofAdministrator(eq(administrators.username, param('username'))),
		employee: ofEmployee(eq(employees.id, param('id'))),
		employeeNamed: ofEmployee(eq(employees.phone, param('username'))),
	};
});

/** The values of a super administrator where an employee has columns. */
const always = { permissions: new Set(['*']) as Permissions, status: 'ACTIVE', storeStatus: 'ACTIVE' } as const;

/** An account with its present permissions. */
export type Account = NonNullable<ReturnType<typeof findAccount>>;

/** The account of a type and id, unless it is deleted; with the end of one of its sign-ins. */
export function findAccount(db: Db, { accountType, id, signIn = 0 }: AccountKey & { signIn?: number }) {
	if (accountType === 'SUPER_ADMIN') {
		const row = read(db).administrator.get({ id, signIn });
		return row && Object.assign(row, always, { passwordIsInitial: row.passwordChangedAt === null });
	}
	const row = read(db).employee.get({ id, signIn });
	return row && Object.assign(row, { permissions: combinedPermissions(db, row) as Permissions });
}

/**
 * The stored password of an account. Only sign-in and password changes read it; an {@link Account}, which every request
 * loads, does not contain it.
 */
export interface StoredPassword extends AccountKey {
	name: string;
	passwordHash: string;
	passwordChangedAt: string | null;
	/** Whether it is the initial password; only for employees. */
	passwordIsInitial?: boolean;
}

/** The password of an account, unless it is deleted. */
export function findPassword(db: Db, { accountType, id }: AccountKey): StoredPassword | undefined {
	const { administrator, employee } = readPassword(db);
	return (accountType === 'SUPER_ADMIN' ? administrator : employee).get({ id });
}

/** The accounts with a username, without deleted ones. An administrator and an employee can have the same username. */
export function findAccountsNamed(db: Db, username: string) {
	const { administratorNamed, employeeNamed } = readPassword(db);
	return { administrator: administratorNamed.get({ username }), employee: employeeNamed.get({ username }) };
}

/** The second factor of an account, also one that is not enabled yet. */
export function findSecondFactor(db: Db, { accountType, id }: AccountKey) {
	return read(db).secondFactor.get({ accountType, id });
}

/** Whether sign-in requires a code. */
export function hasSecondFactor(db: Db, account: AccountKey): boolean {
	return findSecondFactor(db, account)?.enabledAt != null;
}

/** Ends all tokens of an account by raising their version. */
export function endTokens(db: Db, { accountType, id }: AccountKey): void {
	const table = accountType === 'SUPER_ADMIN' ? administrators : employees;
	db.update(table)
		.set({ tokenVersion: raised(table) })
		.where(eq(table.id, id))
		.run();
}

const raised = ({ tokenVersion }: typeof administrators | typeof employees) => sql`${tokenVersion} + 1`;

/** Saves a new password of a super administrator and ends all tokens; `at` in ISO 8601. */
export function saveAdministratorPassword(db: Db, id: number, passwordHash: string, at: string): void {
	const times = { passwordChangedAt: at, passwordExpiresAt: null, updatedAt: at };
	db.update(administrators)
		.set({ passwordHash, ...times, tokenVersion: raised(administrators) })
		.where(eq(administrators.id, id))
		.run();
}
