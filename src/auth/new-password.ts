/** Replacing a password: the old one is checked, the new one hashed and stored. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { Attempt } from '../guard/attempt.ts';
import type { Guard } from '../guard/guard.ts';
import { type AppError, ruleBroken } from '../vocabulary/errors.ts';
import type { Account } from './accounts.ts';
import { rightOf } from './code-check.ts';
import { authMessages, type ChangePassword } from './model.ts';
import { isOver } from './one-time-password.ts';
import type { Passwords } from './password.ts';

/**
 * Checks the old password of a change, and hashes the new one.
 * @throws AppError BAD_REQUEST when the old password is wrong or over, or a one-time password that the new one repeats; TOO_MANY_REQUESTS after too many wrong ones;
 * SERVICE_UNAVAILABLE when too many are waiting.
 */
export async function exchangePassword(
	{ guard, passwords, now }: { guard: Guard; passwords: Passwords; now: () => string },
	attempt: Attempt,
	{ oldPassword, newPassword }: ChangePassword,
	stored: Account | undefined,
): Promise<string> {
	rightOf(await guard.try(attempt, () => passwords.verify(oldPassword, stored)), wrongOldPassword);
	if (isOver(stored?.passwordExpiresAt, now())) throw refusal('body.oldPassword', authMessages.expiredPassword);
	guard.succeeded(attempt);
	if (stored && passwords.oneTime.matches(newPassword, stored.passwordHash, stored.id)) {
		throw refusal('body.newPassword', authMessages.sameAsOneTime);
	}
	return guard.inTurn(attempt, () => passwords.hash(newPassword));
}

/**
 * The new value of `passwordIsInitial` after a change of password: true for the configured initial password, undefined
 * (unchanged) if the password stays the same, false otherwise. The configured initial password may have changed since.
 */
export function initialMark(passwords: Passwords, { oldPassword, newPassword }: ChangePassword): boolean | undefined {
	if (passwords.isInitial(newPassword)) return true;
	return oldPassword === newPassword ? undefined : false;
}

// Text, because it runs for thousands in a transaction.
const replacement = prepared(({ $client }) =>
	$client.prepare<null, (string | number | boolean | null)[]>(
		`update employees set password_hash = ?, password_is_initial = coalesce(?, password_is_initial),
			password_expires_at = ?, password_changed_at = ?, updated_at = ?, token_version = token_version + 1
		where id = ?`,
	),
);

/**
 * Stores another password of an employee, inside the caller's transaction, which ends their tokens. Without `isInitial` it is the
 * initial one if the one before was; without `expiresAt` (ISO 8601) it can be used without an end.
 * @param changedAt null for the first password of somebody who was just added.
 */
export function replaceEmployeePassword(
	db: Db,
	id: number,
	stored: { passwordHash: string; isInitial: boolean | undefined; expiresAt?: string },
	at: string,
	changedAt: string | null = at,
): void {
	const { passwordHash, isInitial = null, expiresAt = null } = stored;
	replacement(db).run(passwordHash, isInitial, expiresAt, changedAt, at, id);
}

/** The refusal of a password change. */
export function wrongOldPassword(): AppError {
	return refusal('body.oldPassword', authMessages.wrongOldPassword);
}

function refusal(path: string, message: string): AppError {
	return ruleBroken('BAD_REQUEST', path, message);
}
