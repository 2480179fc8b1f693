/** Checking the password that somebody gives, as often as the limits on guessing allow. */
import type { Db } from '../database/open.ts';
import { AppError, ruleBroken } from '../errors.ts';
import type { AccountType } from '../vocabulary/accounts.ts';
import { clientNetwork } from '../vocabulary/network.ts';
import type { Turn } from './hash-queue.ts';
import { authMessages, type ChangePassword } from './model.ts';
import type { Passwords } from './password.ts';
import type { Throttle } from './throttle.ts';

/** What a check works with. */
export interface PasswordCheck {
	db: Db;
	passwords: Passwords;
	throttle: Throttle;
	/** The time of day, in ISO 8601. */
	now: () => string;
}

/** An account. */
export interface AccountKey {
	accountType: AccountType;
	id: number;
}

/** A password that is about to be tried. */
export interface Attempt {
	/** What the throttle counts: the name that signs in, or the caller who changes another's password. */
	subject: string;
	/** Whose turn it is in the waiting line. */
	name: string;
	/** The account whose known places count; undefined for an unknown name. */
	account: AccountKey | undefined;
	address: string;
	/** Aborted when the caller is gone. */
	signal?: AbortSignal | undefined;
}

/** What a check found; `retryAfter` in seconds. */
export type Outcome = { result: 'right' } | { result: 'wrong' } | { result: 'too early'; retryAfter: number };

/** What a password is checked against; with `wait` (milliseconds), only the right one gets another answer than that. */
type Admission = { hash: string | undefined; wait?: number } | { wait: number };

/**
 * Tries a password against its hash; a wrong one is counted.
 * @throws AppError SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function tryPassword(
	check: PasswordCheck,
	attempt: Attempt,
	password: string,
	hash: string | undefined,
): Promise<Outcome> {
	const { passwords, throttle } = check;
	const guess = guessOf(attempt);
	const early = admit(check, attempt, hash);
	if (!('hash' in early)) return tooEarly(early.wait);
	return passwords.inTurn(turnOf(attempt), async () => {
		// Again: guesses that were sent at the same time must not all be checked.
		const admission = admit(check, attempt, hash);
		if (!('hash' in admission)) return tooEarly(admission.wait);
		if (await passwords.verify(password, admission.hash)) return { result: 'right' };
		const { wait } = admission;
		throttle.failed(guess, { onlyHere: wait !== undefined });
		return wait === undefined ? { result: 'wrong' } : tooEarly(wait);
	});
}

/**
 * Whether a password may be checked now. The limits that other callers can use up do not apply to an account at a place
 * that it is known at: there its right password is accepted, and a wrong one gets the answer that everybody else gets. Names
 * that are not known at the place are checked against nobody, so that neither answer nor time says which names are.
 */
function admit({ throttle }: PasswordCheck, attempt: Attempt, hash: string | undefined): Admission {
	const guess = guessOf(attempt);
	const { here, elsewhere } = throttle.waits(guess);
	if (here > 0) return { wait: here };
	if (elsewhere <= 0) return { hash };
	return { wait: elsewhere };
}

function tooEarly(wait: number): Outcome {
	return { result: 'too early', retryAfter: Math.ceil(wait / 1000) };
}

/** The guess that the throttle counts. */
export function guessOf({ subject, address }: Pick<Attempt, 'subject' | 'address'>) {
	return { subject, network: clientNetwork(address) };
}

/** The turn of an attempt in the waiting line. */
export function turnOf({ name, address, signal }: Attempt): Turn {
	const goesFirst = false;
	return { network: clientNetwork(address, 56), name, goesFirst, signal };
}

/**
 * Checks the old password of a change, and hashes the new one.
 * @throws AppError BAD_REQUEST when the old password is wrong; TOO_MANY_REQUESTS after too many wrong ones;
 * SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function exchangePassword(
	check: PasswordCheck,
	attempt: Attempt,
	{ oldPassword, newPassword }: ChangePassword,
	hash: string | undefined,
): Promise<string> {
	const outcome = await tryPassword(check, attempt, oldPassword, hash);
	if (outcome.result === 'too early') throw tooManyAttempts(outcome.retryAfter);
	if (outcome.result === 'wrong') throw wrongOldPassword();
	check.throttle.succeeded(guessOf(attempt));
	return check.passwords.inTurn(turnOf(attempt), () => check.passwords.hash(newPassword));
}

/** The attempt of a caller who changes another account's password: counted by caller, apart from sign-ins. */
export function attemptBy(account: AccountKey, address: string, signal?: AbortSignal): Attempt {
	const caller = `${account.accountType} ${account.id}`;
	return { subject: `change by ${caller}`, name: caller, account, address, signal };
}

/**
 * The new value of `passwordIsInitial` after a change of password: true for the configured initial password, undefined
 * (unchanged) if the password stays the same, false otherwise. The configured initial password may have changed since.
 */
export function initialMark(passwords: Passwords, { oldPassword, newPassword }: ChangePassword): boolean | undefined {
	if (passwords.isInitial(newPassword)) return true;
	return oldPassword === newPassword ? undefined : false;
}

/** The refusal after too many wrong passwords. */
export function tooManyAttempts(retryAfter: number): AppError {
	return new AppError('TOO_MANY_REQUESTS', authMessages.tooManyAttempts, { retryAfter });
}

/** The refusal of a password change. */
export function wrongOldPassword(): AppError {
	return ruleBroken('BAD_REQUEST', 'body.oldPassword', authMessages.wrongOldPassword);
}
