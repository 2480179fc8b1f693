/** Signing in. */
import { eq } from 'drizzle-orm';
import type { OwnCount } from '../../identity/guard/attempts.ts';
import type { Devices } from '../../identity/guard/device.ts';
import { type Guard, tryCode } from '../../identity/guard/guard.ts';
import { anonymous, type RefusedSignIns } from '../../identity/guard/refused-sign-ins.ts';
import { type RecordedActor, record } from '../../identity/history/record.ts';
import { type SecondFactors, type UsedCode, useCode } from '../../identity/second-factor/service.ts';
import {
	type Account,
	findAccount,
	findAccountsNamed,
	findPassword,
	hasSecondFactor,
	type StoredPassword,
} from '../../identity/session/accounts.ts';
import { type Person, personOf, type Requirements } from '../../identity/session/actor.ts';
import { inOrder } from '../../identity/session/granted-permissions.ts';
import { disabledReason, refusalFor, type SignInReason } from '../../identity/session/refusals.ts';
import type { Sender } from '../../identity/session/session.ts';
import { addSignIn } from '../../identity/session/sign-ins.ts';
import { type Claims, firstClaims, type Tokens, timesOf } from '../../identity/session/tokens.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { employees } from '../../platform/database/schema.ts';
import { tooManyAttempts } from '../../platform/http/reply.ts';
import { callerLabel } from '../../platform/vocabulary/accounts.ts';
import type { AppError } from '../../platform/vocabulary/errors.ts';
import type { RefusalReason } from '../../platform/vocabulary/history.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { canManage, hasBackOffice } from '../../platform/vocabulary/permissions.ts';
import { superAdministrator } from '../roles/built-in.ts';
import { listRolesOf } from '../roles/service.ts';
import type { AuthUser, Credentials, SignIn, SignInQuery } from './model.ts';
import { isExpired } from './one-time-password.ts';
import type { Passwords } from './password.ts';

/**
 * The entrance of a sign-in: the back office, which requires a menu permission, the employee side, or the page of
 * OpenID Connect, which is for every account.
 */
export type SignInPortal = 'BACK_OFFICE' | 'EMPLOYEE' | 'OPENID';

export interface SignInDependencies extends SecondFactors {
	passwords: Passwords;
	guard: Guard;
	devices: Devices;
	tokens: Tokens;
	refusedSignIns: RefusedSignIns;
	requirements: Requirements;
	/** The present time, in ISO 8601. */
	now: () => string;
}

export interface SignInRequest extends Sender {
	deviceToken: string | null;
	/** The name of the client program. */
	client: string | null;
	/** Aborted when the client disconnects. */
	signal?: AbortSignal;
}

/** A person who has just proved their password, as with the first token of the sign-in, and their known device. */
export interface Authenticated {
	person: Person;
	device: OwnCount | undefined;
}

/**
 * Checks a username, a password and, with a second factor, a code, and records the sign-in.
 * @throws AppError UNAUTHORIZED for any {@link SignInReason}; TOO_MANY_REQUESTS after too many wrong passwords or codes;
 * SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function authenticate(
	dependencies: SignInDependencies,
	portal: SignInPortal,
	{ username, password, code, client }: Credentials,
	request: SignInRequest,
): Promise<Authenticated> {
	const { db, guard, devices, passwords } = dependencies;
	const { administrator, employee } = findAccountsNamed(db, username);
	const named = administrator ?? employee;
	// The employee side never finds an administrator.
	const before = portal === 'EMPLOYEE' ? employee : named;
	const refusals = createRefusals(dependencies, before ?? anonymous, request);
	const device = devices.read(request.deviceToken, before);
	const subject = attemptSubject(username, named);
	const attempt = { subject, address: request.address, own: device, signal: request.signal };
	const matches = await guard.try(attempt, () => passwords.verify(password, before), refusals.tooEarly);

	if (!before) throw refusals.refusedFor('UNKNOWN_ACCOUNT');
	// Only now: the time of a refusal must not reveal the account's permissions.
	const account = matches ? findAccount(db, before) : undefined;
	// The account may have changed while the password was checked.
	const isUnchanged = account?.username === username && findPassword(db, before)?.passwordHash === before.passwordHash;
	if (!account || !isUnchanged) throw refusals.refusedFor('WRONG_PASSWORD');
	const reason = signInRefusal(portal, account, dependencies.now());
	if (reason) throw refusals.refusedFor(reason);
	const claims = admit(dependencies, account, { ...request, code, client: client ?? request.client }, refusals);

	guard.succeeded(attempt);
	return { person: personOf(db, { ...dependencies, claims }, dependencies.now()), device };
}

/** Creates the refusals of one sign-in, and records each of them. */
function createRefusals(
	{ refusedSignIns, now }: SignInDependencies,
	{ accountType, id, name }: RecordedActor,
	{ address, requestId }: SignInRequest,
) {
	const context = () => ({ actor: { accountType, id, name }, address, requestId, at: now() });
	function refused(reason: RefusalReason, refusal: AppError): AppError {
		refusedSignIns.add(context(), { action: 'SIGN_IN_REFUSED', reason });
		return refusal;
	}
	return {
		context,
		refusedFor: (reason: SignInReason) => refused(reason, refusalFor(reason)),
		tooEarly: (retryAfter: number) => refused('TOO_MANY_ATTEMPTS', tooManyAttempts(retryAfter)),
	};
}

/**
 * Records the sign-in of an account that has proved its password. With a second factor, the code must be correct.
 * @returns the claims of its token.
 * @throws AppError UNAUTHORIZED without a correct code; TOO_MANY_REQUESTS.
 */
function admit(
	dependencies: SignInDependencies,
	account: Account,
	{ code, address, requestId, client }: SignInRequest & { code: string | undefined },
	{ context, refusedFor, tooEarly }: ReturnType<typeof createRefusals>,
): Claims {
	const { db, refusedSignIns, now } = dependencies;
	function save(used: UsedCode, at: string): Claims {
		record(db, { actor: account, address, requestId, at }, { action: 'SIGN_IN', ...used });
		if (account.accountType === 'EMPLOYEE')
			db.update(employees).set({ lastSignInAt: at }).where(eq(employees.id, account.id)).run();
		return firstClaims(account, addSignIn(db, account, { at, address, client }), at);
	}
	if (!hasSecondFactor(db, account)) return transaction(db, () => save({}, now()));
	if (code === undefined) {
		refusedSignIns.awaitCode(context());
		throw refusalFor('CODE_MISSING');
	}
	refusedSignIns.codeGiven(context());
	const work = (at: string) => {
		const used = useCode(dependencies, account, code, at);
		return used && save(used, at);
	};
	return tryCode(dependencies, { actor: account, address }, work, { wrong: () => refusedFor('WRONG_CODE'), tooEarly });
}

/** The reason for refusing an account with a correct password at a time in ISO 8601; undefined when it may sign in. */
export function signInRefusal(
	portal: SignInPortal,
	account: Pick<Account, 'status' | 'storeStatus' | 'passwordExpiresAt' | 'permissions'>,
	at: string,
): SignInReason | undefined {
	const reason = disabledReason(account);
	if (reason) return reason;
	if (isExpired(account.passwordExpiresAt, at)) return 'PASSWORD_EXPIRED';
	return portal !== 'BACK_OFFICE' || hasBackOffice(account.permissions) ? undefined : 'NO_BACK_OFFICE';
}

/** Issues a person's token and describes their account, with its session if asked for. */
export async function signInAnswer(
	{ db, tokens }: SignInDependencies,
	person: Person,
	{ include }: SignInQuery,
): Promise<SignIn> {
	const token = await tokens.issue(person.claims);
	const user = { ...toAuthUser(db, person), ...(include && { session: timesOf(person.claims) }) };
	return { token, tokenType: 'Bearer', expiresIn: tokenLifetime.code, user };
}

/**
 * The subject under which guesses at a password are counted, the same for every portal: the username and its account. A
 * new password, a reset and a deletion start a new count. So does another phone: it must answer like an unknown one. A
 * sign-out does not: otherwise each would allow as many guesses again.
 */
export function attemptSubject(
	username: string,
	account: Pick<StoredPassword, 'accountType' | 'id' | 'passwordChangedAt'> | undefined,
): string {
	return ['sign-in', account && callerLabel(account), account?.passwordChangedAt, username].join(' ');
}

/** The account as a login and GET /api/auth/me show it, with its restrictions. */
export function toAuthUser(db: Db, person: Person): AuthUser {
	const { id, username, accountType, permissions, restrictions } = person;
	const held = {
		permissions: inOrder(db, permissions),
		canManage: canManage(permissions),
		...(restrictions.includes('OWN_PASSWORD') && { mustSetPassword: true }),
		...(restrictions.includes('SECOND_FACTOR') && { mustEnableSecondFactor: true }),
	};
	if (person.accountType === 'SUPER_ADMIN') {
		return { id, username, displayName: superAdministrator.name, accountType, roles: [superAdministrator], ...held };
	}
	const { name: displayName, storeId, storeName } = person;
	return { id, username, displayName, accountType, storeId, storeName, roles: listRolesOf(db, id), ...held };
}
