/** Replacing a password: checks the old one, hashes and saves the new one. */
import type { Attempt } from '../../identity/guard/attempts.ts';
import type { Guard } from '../../identity/guard/guard.ts';
import { type Account, findPassword, saveAdministratorPassword } from '../../identity/session/accounts.ts';
import { reasonOf } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import { type AppError, businessError } from '../../platform/vocabulary/errors.ts';
import { authMessages, type ChangePassword } from './model.ts';
import { isExpired } from './one-time-password.ts';
import type { Passwords } from './password.ts';

interface NewPassword {
	passwordHash: string;
	isInitial: boolean;
	/** The time at which it expires (ISO 8601), if any. */
	expiresAt?: string;
	/** Null for a first password; without it, the time at which it is saved. */
	changedAt?: string | null;
}

/**
 * Checks the old password of a change, and hashes the new one.
 * @returns a function that saves it inside the caller's transaction, and ends the account's tokens; `at` in ISO 8601. It
 * throws BAD_REQUEST when the password has changed in the meantime.
 * @throws AppError BAD_REQUEST when the old one is wrong or expired, or the new one is easy to guess or known
 * to others; what `guard.try` throws.
 */
export async function prepareNewPassword(
	{ db, guard, passwords, now }: { db: Db; guard: Guard; passwords: Passwords; now: () => string },
	attempt: Attempt,
	{ oldPassword, newPassword }: ChangePassword,
	account: Account,
): Promise<(at: string) => void> {
	const stored = findPassword(db, account);
	if (!stored) throw wrongOldPassword();
	if (!(await guard.try(attempt, () => passwords.verify(oldPassword, stored)))) throw wrongOldPassword();
	if (isExpired(account.passwordExpiresAt, now()))
		throw businessError('BAD_REQUEST', 'body.oldPassword', reasonOf('PASSWORD_EXPIRED'));
	guard.succeeded(attempt);
	const isOneTime = passwords.oneTime.matches(newPassword, stored.passwordHash, stored);
	const objection = isOneTime ? authMessages.sameAsOneTime : passwords.weaknessOf(newPassword, account);
	if (objection) throw businessError('BAD_REQUEST', 'body.newPassword', objection);
	// The configured initial password may have changed since this account got its own.
	const staysInitial = oldPassword === newPassword && account.passwordIsInitial;
	const isInitial = passwords.isInitial(newPassword) || staysInitial;
	const passwordHash = await guard.inTurn(attempt, () => passwords.hash(newPassword));
	return (at) => {
		if (findPassword(db, account)?.passwordHash !== stored.passwordHash) throw wrongOldPassword();
		if (account.accountType === 'EMPLOYEE') replaceEmployeePassword(db, account.id, { passwordHash, isInitial }, at);
		else saveAdministratorPassword(db, account.id, passwordHash, at);
	};
}

// Raw SQL, because it runs for thousands of employees in one transaction.
const replacement = prepared(({ $client }) =>
	$client.prepare<null, (string | number | boolean | null)[]>(
		`update employees set password_hash = ?, password_is_initial = ?, password_expires_at = ?,
			password_changed_at = ?, updated_at = ?, token_version = token_version + 1
		where id = ?`,
	),
);

/** Saves an employee's password at a time in ISO 8601, in the caller's transaction, and ends their tokens. */
export function replaceEmployeePassword(db: Db, id: number, password: NewPassword, at: string): void {
	const { passwordHash, isInitial, expiresAt = null, changedAt = at } = password;
	replacement(db).run(passwordHash, isInitial, expiresAt, changedAt, at, id);
}

function wrongOldPassword(): AppError {
	return businessError('BAD_REQUEST', 'body.oldPassword', authMessages.wrongOldPassword);
}
