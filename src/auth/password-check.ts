/** Checking the password that somebody gives, as often as the throttle allows. */
import { AppError } from '../errors.ts';
import { authMessages } from './messages.ts';
import type { Passwords } from './password.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** What a check works with. */
export interface PasswordCheck {
	passwords: Passwords;
	throttle: Throttle;
}

/**
 * Whether the password is the one that was hashed; a wrong one is counted.
 * @throws AppError TOO_MANY_REQUESTS; SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function tryPassword(
	{ passwords, throttle }: PasswordCheck,
	attempt: Attempt,
	password: string,
	hash: string | undefined,
): Promise<boolean> {
	throttle.require(attempt);
	// Again when its turn comes: many that were sent at once must not all be checked.
	const matches = await passwords.verify(password, hash, () => throttle.require(attempt));
	if (!matches) throttle.failed(attempt);
	return matches;
}

/**
 * Lets the old password of a password change through.
 * @throws AppError as {@link tryPassword} does; BAD_REQUEST when it is wrong.
 */
export async function requireOldPassword(
	check: PasswordCheck,
	attempt: Attempt,
	password: string,
	hash: string | undefined,
): Promise<void> {
	if (!(await tryPassword(check, attempt, password, hash))) throw wrongOldPassword();
	check.throttle.succeeded(attempt);
}

/**
 * The new value of `passwordIsInitial` after a change of password: true for the configured initial password, undefined
 * (unchanged) if the password stays the same, false otherwise. The configured initial password may have changed since.
 */
export function initialMark(
	passwords: Passwords,
	{ oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): boolean | undefined {
	if (passwords.isInitial(newPassword)) return true;
	return oldPassword === newPassword ? undefined : false;
}

/** The refusal of a password change (specification, section 7). */
export function wrongOldPassword(): AppError {
	return new AppError('BAD_REQUEST', authMessages.wrongOldPassword);
}
