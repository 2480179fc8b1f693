/** Signing in, and who is signed in (specification, sections 4 and 5). */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { aliased, bound, prepared, snapshot, statement, transaction } from '../database/query.ts';
import { administrators, employees, stores } from '../database/schema.ts';
import { AppError } from '../errors.ts';
import { type RecordedActor, record } from '../history/record.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { heldRoles } from '../roles/held-roles.ts';
import { type Actor, actorOf, type Caller, everything, permissionsOf, refuseDisabled } from '../session/actor.ts';
import { endingTokens } from '../session/ending-tokens.ts';
import { sessionMessages } from '../session/messages.ts';
import type { Tokens } from '../session/tokens.ts';
import type { RefusalReason } from '../vocabulary/history.ts';
import { canManage, hasBackOffice, inOrder, type Permissions } from '../vocabulary/permissions.ts';
import { authMessages } from './messages.ts';
import type { AuthUser, ChangePassword, Credentials, SignIn } from './model.ts';
import type { Passwords } from './password.ts';
import { initialMark, requireOldPassword, tryPassword, wrongOldPassword } from './password-check.ts';
import { anonymous, type RefusedSignIns } from './refused-sign-ins.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** Where somebody signs in: the back office, which asks for a menu permission, or the employee side. */
export type Door = 'back office' | 'employee side';

const statements = prepared((db) => {
	const administratorWhere = (condition: SQL) =>
		statement(
			db,
			db
				.select(
					aliased({
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
					aliased({
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

/** What signing in works with. */
interface SignInDependencies {
	db: Db;
	passwords: Passwords;
	tokens: Tokens;
	throttle: Throttle;
	now: () => string;
}

/**
 * Signs an account in (section 4, "Login endpoints", rules 1 to 6).
 * @throws AppError UNAUTHORIZED for a wrong username or password, and, once the password was right, for a
 * disabled account, a disabled store, or a back office that the account has no menu of; TOO_MANY_REQUESTS after too
 * many wrong passwords.
 */
export async function signIn(
	dependencies: SignInDependencies & { refusedSignIns: RefusedSignIns },
	door: Door,
	credentials: Credentials,
	from: Pick<Caller, 'address' | 'requestId'>,
): Promise<SignIn> {
	const { db, refusedSignIns, now } = dependencies;
	const named = findAccount(db, door, credentials.username);
	try {
		return await admit(dependencies, door, credentials, from);
	} catch (error) {
		const reason = error instanceof AppError ? reasonOf(error, named) : undefined;
		if (reason) refusedSignIns.add({ ...from, actor: named ? doerOf(named) : anonymous }, reason, now());
		throw error;
	}
}

async function admit(
	{ db, passwords, tokens, throttle, now }: SignInDependencies,
	door: Door,
	{ username, password }: Credentials,
	from: Pick<Caller, 'address' | 'requestId'>,
): Promise<SignIn> {
	const attempt: Attempt = { name: username, address: from.address };
	const hash = findAccount(db, door, username)?.row.passwordHash;
	const matches = await tryPassword({ passwords, throttle }, attempt, password, hash);
	// Read again: while the password was checked the account may have been disabled, deleted or changed.
	const account = findAccount(db, door, username);
	if (!matches || !account || account.row.passwordHash !== hash) {
		throw new AppError('UNAUTHORIZED', authMessages.wrongCredentials);
	}
	if (account.accountType === 'EMPLOYEE') refuseDisabled(account.row);
	if (door === 'back office' && !hasBackOffice(heldBy(db, account))) {
		throw new AppError('UNAUTHORIZED', authMessages.noBackOffice);
	}
	throttle.succeeded(attempt);
	transaction(db, () => record(db, { ...from, actor: doerOf(account) }, { action: 'SIGN_IN' }, now()));
	if (passwords.isOutdated(account.row.passwordHash)) await renewHash({ db, passwords }, account, password);
	return present({ db, tokens }, account);
}

/** A new token of an account, and what the account is. */
async function present({ db, tokens }: Pick<SignInDependencies, 'db' | 'tokens'>, account: Account): Promise<SignIn> {
	const token = await tokens.issue({
		accountType: account.accountType,
		accountId: account.row.id,
		version: account.row.tokenVersion,
	});
	return { token, tokenType: 'Bearer', expiresIn: '2h', user: userOf(db, account, heldBy(db, account)) };
}

/** What the history says of a refusal; undefined when it was none, such as of a service that is too busy. */
function reasonOf({ message }: AppError, named: Account | undefined): RefusalReason | undefined {
	const reasons: Record<string, RefusalReason> = {
		[authMessages.wrongCredentials]: named ? 'WRONG_PASSWORD' : 'UNKNOWN_ACCOUNT',
		[sessionMessages.accountDisabled]: 'ACCOUNT_DISABLED',
		[sessionMessages.storeDisabled]: 'STORE_DISABLED',
		[authMessages.noBackOffice]: 'NO_BACK_OFFICE',
		[authMessages.tooManyAttempts]: 'TOO_MANY_ATTEMPTS',
	};
	return reasons[message];
}

function doerOf({ accountType, row }: Account): RecordedActor {
	return { accountType, id: row.id, name: accountType === 'SUPER_ADMIN' ? row.username : row.name };
}

/** Hashes a password anew that was hashed when that was to cost less; nothing else of the account changes. */
async function renewHash(
	{ db, passwords }: { db: Db; passwords: Passwords },
	{ accountType, row }: Account,
	password: string,
): Promise<void> {
	const table = tableOf(accountType);
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
	return snapshot(db, () => userOf(db, accountOf(db, actor), actor.permissions));
}

/** @throws AppError UNAUTHORIZED when it is gone. */
function accountOf(db: Db, { accountType, id }: Actor): Account {
	if (accountType === 'SUPER_ADMIN') {
		const row = statements(db).administratorById.get({ id });
		if (row) return { accountType, row };
	} else {
		const row = statements(db).employeeById.get({ id });
		if (row) return { accountType, row };
	}
	throw new AppError('UNAUTHORIZED', sessionMessages.notSignedIn);
}

function usernameOf({ accountType, row }: Account): string {
	return accountType === 'SUPER_ADMIN' ? row.username : row.phone;
}

/**
 * Gives the account of the caller a new password, and ends its tokens.
 * @returns a new token, in the shape of a sign-in.
 * @throws AppError BAD_REQUEST when the old password is wrong; TOO_MANY_REQUESTS when it was too often.
 */
export async function changeOwnPassword(
	{ db, passwords, tokens, throttle, now }: SignInDependencies,
	caller: Caller,
	{ oldPassword, newPassword }: ChangePassword,
): Promise<SignIn> {
	const before = accountOf(db, caller.actor);
	const attempt: Attempt = { name: usernameOf(before), address: caller.address };
	await requireOldPassword({ passwords, throttle }, attempt, oldPassword, before.row.passwordHash);
	const passwordHash = await passwords.hash(newPassword);
	const account = transaction(db, () => {
		const actor = actorOf(db, caller.actor.claims);
		// Of two changes with the same old password one wins.
		if (accountOf(db, actor).row.passwordHash !== before.row.passwordHash) throw wrongOldPassword();
		const at = now();
		const passwordIsInitial = initialMark(passwords, { oldPassword, newPassword });
		setPassword(db, actor, { passwordHash, passwordIsInitial }, at);
		record(db, { ...caller, actor }, { action: 'OWN_PASSWORD_CHANGE' }, at);
		return accountOf(db, actor);
	});
	return present({ db, tokens }, account);
}

/** Where accounts of a type are kept. */
function tableOf(accountType: Actor['accountType']) {
	return accountType === 'SUPER_ADMIN' ? administrators : employees;
}

/** Ends every token of the caller's account. */
export function signOut(db: Db, caller: Caller, at: string): void {
	transaction(db, () => {
		const { accountType, id } = caller.actor;
		const table = tableOf(accountType);
		db.update(table).set(endingTokens(table)).where(eq(table.id, id)).run();
		record(db, caller, { action: 'SIGN_OUT' }, at);
	});
}

function setPassword(
	db: Db,
	{ accountType, id }: Actor,
	{ passwordHash, passwordIsInitial }: { passwordHash: string; passwordIsInitial: boolean | undefined },
	at: string,
): void {
	const table = tableOf(accountType);
	db.update(table)
		.set({ passwordHash, ...endingTokens(table), updatedAt: at })
		.where(eq(table.id, id))
		.run();
	if (accountType === 'EMPLOYEE' && passwordIsInitial !== undefined) {
		db.update(employees).set({ passwordIsInitial }).where(eq(employees.id, id)).run();
	}
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
