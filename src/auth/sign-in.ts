/** Signing in. */
import { and, eq } from 'drizzle-orm';
import { transaction } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import { AppError, ruleBroken } from '../errors.ts';
import { record } from '../history/record.ts';
import { disabled, disabledReason } from '../session/refusals.ts';
import type { Tokens } from '../session/tokens.ts';
import type { RefusalReason } from '../vocabulary/history.ts';
import { hasBackOffice, type Permissions } from '../vocabulary/permissions.ts';
import type { Status } from '../vocabulary/status.ts';
import {
	type Account,
	accountAt,
	type Door,
	findNamed,
	guessedSubject,
	heldBy,
	type Identity,
	recordedAs,
	tableOf,
	toAuthUser,
} from './accounts.ts';
import { authMessages, type Credentials, type SignIn } from './model.ts';
import { type Attempt, guessOf, type PasswordCheck, tooManyAttempts, tryPassword, turnOf } from './password-check.ts';
import { anonymous, type RefusedSignIns } from './refused-sign-ins.ts';

/** What signing in works with. */
export interface SignInDependencies extends PasswordCheck {
	tokens: Tokens;
	refusedSignIns: RefusedSignIns;
}

/** The request of a sign-in. */
export interface SignInRequest {
	address: string;
	requestId: string;
	/** Aborted when the caller is gone. */
	signal?: AbortSignal;
}

/**
 * Signs an account in.
 * @throws AppError UNAUTHORIZED for a wrong username or password, and, once the password was right, for a disabled
 * account, a disabled store, or a back office that the account has no menu of; TOO_MANY_REQUESTS after too many wrong
 * passwords; SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function signIn(
	dependencies: SignInDependencies,
	door: Door,
	{ username, password }: Credentials,
	{ address, requestId, signal }: SignInRequest,
): Promise<SignIn> {
	const { db, tokens, throttle, refusedSignIns, now } = dependencies;
	const found = findNamed(db, username);
	const before = accountAt(door, found);
	const actor = before ? recordedAs(before) : anonymous;
	function refused(reason: RefusalReason, refusal: AppError): AppError {
		refusedSignIns.add({ actor, address, requestId }, reason, now());
		return refusal;
	}

	const subject = guessedSubject(username, found);
	const attempt: Attempt = { subject, name: username, account: before, address, signal };
	const outcome = await tryPassword(dependencies, attempt, password, before?.passwordHash);
	if (outcome.result === 'too early') throw refused('TOO_MANY_ATTEMPTS', tooManyAttempts(outcome.retryAfter));

	// Read again: while the password was checked, the account may have been disabled, deleted or changed.
	const account = accountAt(door, findNamed(db, username));
	if (!before) throw refused('UNKNOWN_ACCOUNT', wrongCredentials());
	if (outcome.result === 'wrong' || !account || hasOtherPassword(account, before)) {
		throw refused('WRONG_PASSWORD', wrongCredentials());
	}
	const permissions = heldBy(db, account);
	const keptOut = keptOutAt(door, account.employment, permissions);
	if (keptOut) throw refused(keptOut.reason, keptOut.refusal);

	throttle.succeeded(guessOf(attempt));
	const at = now();
	transaction(db, () => {
		record(db, { actor: recordedAs(account), address, requestId }, { action: 'SIGN_IN' }, at);
		if (account.employment) db.update(employees).set({ lastSignInAt: at }).where(eq(employees.id, account.id)).run();
	});
	await renewOutdatedHash(dependencies, account, attempt, password);
	return signInAnswer({ db, tokens }, account, permissions);
}

/** Why an account does not get in with the right password; undefined when it does. The administrator has no employment. */
export function keptOutAt(
	door: Door,
	employment: { status: Status; storeStatus: Status } | undefined,
	permissions: Permissions,
): { reason: RefusalReason; refusal: AppError } | undefined {
	const reason = employment && disabledReason(employment);
	if (reason) return { reason, refusal: disabled(reason) };
	if (door === 'back office' && !hasBackOffice(permissions))
		return { reason: 'NO_BACK_OFFICE', refusal: noBackOffice() };
	return undefined;
}

/** A new token of an account, and what the account is; `signedInAt` in seconds since 1970, now when absent. */
export async function signInAnswer(
	{ db, tokens }: Pick<SignInDependencies, 'db' | 'tokens'>,
	account: Identity & Pick<Account, 'tokenVersion'>,
	permissions: Permissions,
	signedInAt?: number,
): Promise<SignIn> {
	const { accountType, id, tokenVersion } = account;
	const token = await tokens.issue({
		accountType,
		accountId: id,
		version: tokenVersion,
		...(signedInAt !== undefined && { signedInAt }),
	});
	return { token, tokenType: 'Bearer', expiresIn: '2h', user: toAuthUser(db, account, permissions) };
}

/**
 * Whether the username now stands for another account, or for another password. A change of password changes the hash
 * and ends the tokens; a renewed hash alone is the same password.
 */
function hasOtherPassword(now: Account, before: Account): boolean {
	if (now.accountType !== before.accountType || now.id !== before.id) return true;
	return now.passwordHash !== before.passwordHash && now.tokenVersion !== before.tokenVersion;
}

/** Hashes a password again whose stored hash cost less than hashes cost now; nothing else of the account changes. */
async function renewOutdatedHash(
	check: PasswordCheck,
	account: Account,
	attempt: Attempt,
	password: string,
): Promise<void> {
	const { db, passwords } = check;
	if (!passwords.isOutdated(account.passwordHash)) return;
	const table = tableOf(account.accountType);
	const unchanged = and(eq(table.id, account.id), eq(table.passwordHash, account.passwordHash));
	try {
		const passwordHash = await passwords.inTurn(turnOf(attempt), () => passwords.hash(password));
		transaction(db, () => db.update(table).set({ passwordHash }).where(unchanged).run());
	} catch (error) {
		// Too busy, or unable to write: no reason to refuse the sign-in, and the next one tries again.
		if (!(error instanceof AppError)) throw error;
	}
}

function wrongCredentials(): AppError {
	return new AppError('UNAUTHORIZED', authMessages.wrongCredentials);
}

function noBackOffice(): AppError {
	return ruleBroken('UNAUTHORIZED', 'account.permissions', authMessages.noBackOffice);
}
