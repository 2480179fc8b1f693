/** Signing in, and who is signed in (specification, sections 4 and 5). */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { bound, named, prepared, snapshot, statement, transaction } from '../database/query.ts';
import { administrators, employees, stores } from '../database/schema.ts';
import { AppError, OperationError } from '../errors.ts';
import { canManage, hasBackOffice, inOrder, type Permissions, superAdministrator } from '../permissions/catalog.ts';
import { heldRoles } from '../roles/held-roles.ts';
import { type Actor, everything, permissionsOf, refuseDisabled } from './actor.ts';
import { authMessages } from './messages.ts';
import type { AuthUser, Credentials, SignIn } from './model.ts';
import type { Passwords } from './password.ts';
import { type Attempt, type Throttle, tryPassword } from './throttle.ts';
import type { Tokens } from './tokens.ts';

/** Where somebody signs in: the back office, which asks for a menu permission, or the employee side. */
export type Door = 'back office' | 'employee side';

const statements = prepared((db) => {
	const administratorWhere = (condition: SQL) =>
		statement(
			db,
			db
				.select(
					named({
						id: administrators.id,
						username: administrators.username,
						passwordHash: administrators.passwordHash,
						tokenVersion: administrators.tokenVersion,
					}),
				)
				.from(administrators)
				.where(condition),
		);
	const employeeWhere = (condition: SQL) =>
		statement(
			db,
			db
				.select(
					named({
						id: employees.id,
						phone: employees.phone,
						name: employees.name,
						passwordHash: employees.passwordHash,
						tokenVersion: employees.tokenVersion,
						status: employees.status,
						storeId: employees.storeId,
						storeName: stores.name,
						storeStatus: stores.status,
					}),
				)
				.from(employees)
				.innerJoin(stores, eq(stores.id, employees.storeId))
				.where(and(condition, isNull(employees.deletedAt))),
		);
	return {
		administratorByUsername: administratorWhere(eq(administrators.username, bound('username'))),
		administratorById: administratorWhere(eq(administrators.id, bound('id'))),
		employeeByPhone: employeeWhere(eq(employees.phone, bound('phone'))),
		employeeById: employeeWhere(eq(employees.id, bound('id'))),
	};
});

type AdministratorRow = NonNullable<ReturnType<ReturnType<typeof statements>['administratorById']['get']>>;
type EmployeeRow = NonNullable<ReturnType<ReturnType<typeof statements>['employeeById']['get']>>;

/** The account that a username names at a door. */
type Account = { accountType: 'SUPER_ADMIN'; row: AdministratorRow } | { accountType: 'EMPLOYEE'; row: EmployeeRow };

/**
 * Signs an account in (section 4, "Login endpoints", rules 1 to 6).
 * @throws AppError UNAUTHORIZED for a wrong username or password, and, once the password was right, for a
 * disabled account, a disabled store, or a back office that the account has no menu of; TOO_MANY_REQUESTS after too
 * many wrong passwords.
 */
export async function signIn(
	{ db, passwords, tokens, throttle }: { db: Db; passwords: Passwords; tokens: Tokens; throttle: Throttle },
	door: Door,
	{ username, password }: Credentials,
	address: string,
): Promise<SignIn> {
	const attempt: Attempt = { name: username, address };
	const hash = findAccount(db, door, username)?.row.passwordHash;
	const matches = await tryPassword({ passwords, throttle }, attempt, password, hash);
	// Read again: while the password was checked the account may have been disabled, deleted or changed.
	const account = findAccount(db, door, username);
	if (!matches || !account || account.row.passwordHash !== hash) {
		throw new AppError('UNAUTHORIZED', authMessages.wrongCredentials);
	}
	if (account.accountType === 'EMPLOYEE') refuseDisabled(account.row);
	const permissions = heldBy(db, account);
	if (door === 'back office' && !hasBackOffice(permissions)) {
		throw new AppError('UNAUTHORIZED', authMessages.noBackOffice);
	}
	throttle.succeeded(attempt);
	if (passwords.isOutdated(account.row.passwordHash)) await renewHash({ db, passwords }, account, password);
	const token = await tokens.issue({
		accountType: account.accountType,
		accountId: account.row.id,
		version: account.row.tokenVersion,
	});
	return { token, tokenType: 'Bearer', expiresIn: '2h', user: userOf(db, account, permissions) };
}

/** Hashes a password anew that was hashed when that was to cost less; nothing else of the account changes. */
async function renewHash(
	{ db, passwords }: { db: Db; passwords: Passwords },
	{ accountType, row }: Account,
	password: string,
): Promise<void> {
	const table = accountType === 'SUPER_ADMIN' ? administrators : employees;
	const unchanged = and(eq(table.id, row.id), eq(table.passwordHash, row.passwordHash));
	try {
		const passwordHash = await passwords.hash(password);
		transaction(db, () => db.update(table).set({ passwordHash }).where(unchanged).run());
	} catch (error) {
		// Too busy, or unable to write: no reason to keep him out, and the next sign-in tries again.
		if (!(error instanceof AppError)) throw error;
	}
}

/** The signed-in account as GET /api/auth/me shows it. */
export function getAuthUser(db: Db, actor: Actor): AuthUser {
	const { id } = actor;
	return snapshot(db, () => {
		if (actor.accountType === 'SUPER_ADMIN') {
			const row = statements(db).administratorById.get({ id });
			if (row) return administratorUser(row);
		} else {
			const row = statements(db).employeeById.get({ id });
			if (row) return employeeUser(db, row, actor.permissions);
		}
		throw new AppError('UNAUTHORIZED', authMessages.notSignedIn);
	});
}

/**
 * Gives the super administrator a new password and ends his tokens.
 * @returns his username.
 * @throws OperationError when there is none yet.
 */
export function replaceAdministratorPassword(db: Db, passwordHash: string, at: string): string {
	return transaction(db, () => {
		const changed = db
			.update(administrators)
			.set({ passwordHash, tokenVersion: sql`${administrators.tokenVersion} + 1`, updatedAt: at })
			.returning({ username: administrators.username })
			.get();
		if (!changed) throw new OperationError('there is no administrator yet: start the server once');
		return changed.username;
	});
}

/** The super administrator comes first in the back office and is never found on the employee side. */
function findAccount(db: Db, door: Door, username: string): Account | undefined {
	if (door === 'back office') {
		const row = statements(db).administratorByUsername.get({ username });
		if (row) return { accountType: 'SUPER_ADMIN', row };
	}
	const row = statements(db).employeeByPhone.get({ phone: username });
	return row && { accountType: 'EMPLOYEE', row };
}

function heldBy(db: Db, { accountType, row }: Account): Permissions {
	return accountType === 'SUPER_ADMIN' ? everything : permissionsOf(db, row.id);
}

function userOf(db: Db, { accountType, row }: Account, permissions: Permissions): AuthUser {
	return accountType === 'SUPER_ADMIN' ? administratorUser(row) : employeeUser(db, row, permissions);
}

function administratorUser({ id, username }: AdministratorRow): AuthUser {
	return {
		id,
		username,
		displayName: superAdministrator.name,
		accountType: 'SUPER_ADMIN',
		roles: [{ id: superAdministrator.id, code: superAdministrator.code, name: superAdministrator.name }],
		permissions: ['*'],
		canManage: true,
	};
}

function employeeUser(db: Db, row: EmployeeRow, permissions: Permissions): AuthUser {
	return {
		id: row.id,
		username: row.phone,
		displayName: row.name,
		accountType: 'EMPLOYEE',
		storeId: row.storeId,
		storeName: row.storeName,
		roles: heldRoles(db, row.id),
		permissions: inOrder(permissions),
		canManage: canManage(permissions),
	};
}
