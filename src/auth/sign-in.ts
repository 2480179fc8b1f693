/** Signing in. */
import { eq } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { employees } from '../database/schema.ts';
import type { Devices } from '../guard/device.ts';
import type { Guard } from '../guard/guard.ts';
import { attemptAt, type OwnCount } from '../guard/limits.ts';
import { anonymous, type RefusedSignIns } from '../guard/refused-sign-ins.ts';
import { record } from '../history/record.ts';
import { tooManyAttempts } from '../http/reply.ts';
import { type SecondFactors, type UsedCode, useCode } from '../second-factor/service.ts';
import { type Account, findAccount, findNamed, hasSecondFactor, type StoredPassword } from '../session/accounts.ts';
import { disabledReason, refusalFor, type SignInReason } from '../session/refusals.ts';
import type { Tokens } from '../session/tokens.ts';
import type { AppError } from '../vocabulary/errors.ts';
import type { RefusalReason } from '../vocabulary/history.ts';
import { hasBackOffice } from '../vocabulary/permissions.ts';
import { accountAt, type Door, guessedSubject, toAuthUser } from './accounts.ts';
import { tryCode } from './code-check.ts';
import type { Credentials, SignIn } from './model.ts';
import { renewHash } from './new-password.ts';
import { isOver } from './one-time-password.ts';
import type { Passwords } from './password.ts';
import { addSignIn } from './sign-ins.ts';

/** What signing in works with. */
export interface SignInDependencies extends SecondFactors {
	db: Db;
	passwords: Passwords;
	guard: Guard;
	devices: Devices;
	tokens: Tokens;
	refusedSignIns: RefusedSignIns;
	/** The time of day, in ISO 8601. */
	now: () => string;
}

/** The request of a sign-in. */
export interface SignInRequest {
	address: string;
	requestId: string;
	/** The `Device-Token` that came with it. */
	deviceToken: string | null;
	/** The name of the program that sent it. */
	client: string | null;
	/** Aborted when the caller is gone. */
	signal?: AbortSignal;
}

/** What a sign-in gives: the answer, and the `Device-Token` to send with the next one. */
export interface SignedIn {
	answer: SignIn;
	deviceToken: string;
}

/**
 * Signs an account in.
 * @throws AppError UNAUTHORIZED for a wrong username or password, and, once the password was right, for a disabled
 * account, a disabled store, a one-time password that is over, a back office that the account has no menu of, or a second
 * factor without its code; TOO_MANY_REQUESTS after too many wrong passwords or codes; SERVICE_UNAVAILABLE when too many are
 * waiting.
 */
export async function signIn(
	dependencies: SignInDependencies,
	door: Door,
	{ username, password, code }: Credentials,
	{ address, requestId, deviceToken, client, signal }: SignInRequest,
): Promise<SignedIn> {
	const { db, guard, devices, refusedSignIns, now } = dependencies;
	const found = findNamed(db, username);
	const before = accountAt(door, found);
	const { accountType, id, name } = before ?? anonymous;
	const actor = { accountType, id, name };
	const context = () => ({ actor, address, requestId, at: now() });
	function refused(reason: RefusalReason, refusal: AppError): AppError {
		refusedSignIns.add(context(), reason);
		return refusal;
	}
	const refusedFor = (reason: SignInReason) => refused(reason, refusalFor(reason));
	const tooEarly = (retryAfter: number) => refused('TOO_MANY_ATTEMPTS', tooManyAttempts(retryAfter));

	const device = devices.read(deviceToken, before);
	const attempt = attemptAt(guessedSubject(username, found), { address, signal }, device);
	const outcome = await guard.try(attempt, () => dependencies.passwords.verify(password, before));
	if (outcome.result === 'too early') throw tooEarly(outcome.retryAfter);

	// Read again: while the password was checked, the account may have been disabled, deleted or changed.
	const stored = accountAt(door, findNamed(db, username));
	if (!before) throw refusedFor('UNKNOWN_ACCOUNT');
	const isRight = outcome.result === 'right' && isUnchanged(stored, before);
	// Only now: what a refusal costs must not show what the account holds.
	const account = isRight ? findAccount(db, before) : undefined;
	if (!account) throw refusedFor('WRONG_PASSWORD');
	const keptOut = keptOutAt(door, account, now());
	if (keptOut) throw refusedFor(keptOut);

	const enter = (used: UsedCode, at: string) => {
		record(db, { actor: account, address, requestId, at }, { action: 'SIGN_IN', ...used });
		addSignIn(db, account, { at, address, client });
		if (account.accountType === 'EMPLOYEE')
			db.update(employees).set({ lastSignInAt: at }).where(eq(employees.id, account.id)).run();
	};
	if (hasSecondFactor(db, account)) {
		if (code === undefined) {
			refusedSignIns.awaitCode(context());
			throw refusalFor('CODE_MISSING');
		}
		refusedSignIns.codeGiven(context());
		const entered = tryCode(dependencies, { account, address }, (at) => {
			const used = useCode(dependencies, account, code, at);
			if (used) enter(used, at);
			return used;
		});
		if (entered.result === 'wrong') throw refusedFor('WRONG_CODE');
		if (entered.result === 'too early') throw tooEarly(entered.retryAfter);
	} else transaction(db, () => enter({}, now()));

	guard.succeeded(attempt);
	await renewHash(dependencies, attempt, before, password);
	return signedIn(dependencies, account, device);
}

/** What an account gets that has just proved its password; `device` is the one that it came from, if that is known. */
export async function signedIn(
	dependencies: Pick<SignInDependencies, 'db' | 'tokens' | 'devices'>,
	account: Account,
	device: OwnCount | undefined,
): Promise<SignedIn> {
	const answer = await signInAnswer(dependencies, account);
	return { answer, deviceToken: dependencies.devices.issue(account, device) };
}

/** Why an account does not get in with the right password at a time in ISO 8601; undefined when it does. */
export function keptOutAt(
	door: Door,
	account: Pick<Account, 'status' | 'storeStatus' | 'passwordExpiresAt' | 'permissions'>,
	at: string,
): SignInReason | undefined {
	const reason = disabledReason(account);
	if (reason) return reason;
	if (isOver(account.passwordExpiresAt, at)) return 'PASSWORD_EXPIRED';
	return door === 'EMPLOYEE' || hasBackOffice(account.permissions) ? undefined : 'NO_BACK_OFFICE';
}

/** A new token of an account, and what the account is; `signedInAt` in seconds since 1970, now when absent. */
export async function signInAnswer(
	{ db, tokens }: Pick<SignInDependencies, 'db' | 'tokens'>,
	account: Account,
	signedInAt?: number,
): Promise<SignIn> {
	const token = await tokens.issue(account, signedInAt);
	return { token, tokenType: 'Bearer', expiresIn: '2h', user: toAuthUser(db, account) };
}

/** Whether the username stands for the same account as before, with the same password: another one also ends the tokens. */
function isUnchanged(now: StoredPassword | undefined, before: StoredPassword): boolean {
	const isSameAccount = now?.accountType === before.accountType && now.id === before.id;
	// Another sign-in may have renewed the hash meanwhile, and somebody may have signed out.
	return isSameAccount && (now.passwordHash === before.passwordHash || now.tokenVersion === before.tokenVersion);
}
