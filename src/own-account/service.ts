/** What every account may do with itself: see who it is, renew its token, change its password, sign out. */
import { eq } from 'drizzle-orm';
import { type Account, findAccount, findNamed, guessedSubject, heldBy, identityOf, tableOf } from '../auth/accounts.ts';
import { authMessages, type ChangePassword, type SignIn } from '../auth/model.ts';
import { exchangePassword, initialMark, replaceEmployeePassword, wrongOldPassword } from '../auth/new-password.ts';
import { type SignedIn, type SignInDependencies, type SignInRequest, signedIn, signInAnswer } from '../auth/sign-in.ts';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { administrators } from '../database/schema.ts';
import { attemptAt } from '../guard/attempt.ts';
import { record } from '../history/record.ts';
import { type Actor, type Caller, rereadActor } from '../session/actor.ts';
import { endingTokens, newAdministratorPassword } from '../session/ending-tokens.ts';
import { notSignedIn } from '../session/refusals.ts';
import { ruleBroken } from '../vocabulary/errors.ts';

/** What the request of somebody says who gives their own password. */
export type Sent = Pick<SignInRequest, 'deviceToken' | 'signal'>;

/**
 * Gives the caller's account a new password, and ends its tokens. Of two changes with the same old password one wins.
 * @returns what a sign-in gives.
 * @throws AppError BAD_REQUEST when the old password is wrong or over, or a one-time password that the new one repeats; TOO_MANY_REQUESTS after too many wrong ones, counted
 * together with sign-ins.
 */
export async function changeOwnPassword(
	dependencies: SignInDependencies,
	caller: Caller,
	change: ChangePassword,
	sent: Sent,
): Promise<SignedIn> {
	const { db, passwords, now } = dependencies;
	const { account: before, attempt, device } = ownAttempt(dependencies, caller, sent);
	const passwordHash = await exchangePassword(dependencies, attempt, change, before);
	const account = transaction(db, () => {
		const actor = rereadActor(db, caller.actor);
		if (ownAccount(db, actor).passwordHash !== before.passwordHash) throw wrongOldPassword();
		const at = now();
		if (actor.accountType === 'EMPLOYEE') {
			replaceEmployeePassword(db, actor.id, { passwordHash, isInitial: initialMark(passwords, change) }, at);
		} else {
			const password = newAdministratorPassword(passwordHash, at);
			db.update(administrators).set(password).where(eq(administrators.id, actor.id)).run();
		}
		record(db, { ...caller, actor }, { action: 'OWN_PASSWORD_CHANGE' }, at);
		return ownAccount(db, actor);
	});
	return signedIn(dependencies, account, heldBy(db, account), device);
}

/** The attempt of a caller who gives their own password, counted together with sign-ins. */
export function ownAttempt(
	{ db, devices }: Pick<SignInDependencies, 'db' | 'devices'>,
	{ actor, address }: Caller,
	{ deviceToken, signal }: Sent,
) {
	const account = ownAccount(db, actor);
	const device = devices.read(deviceToken, account);
	const subject = guessedSubject(account.username, findNamed(db, account.username));
	return { account, attempt: attemptAt(subject, { address, signal }, device), device };
}

/**
 * Gives the caller another token for two hours. Nothing is stored: what ends the account's tokens also ends renewed ones.
 * @throws AppError UNAUTHORIZED twelve hours after the sign-in.
 */
export async function renewToken(
	{ db, tokens }: Pick<SignInDependencies, 'db' | 'tokens'>,
	actor: Actor,
): Promise<SignIn> {
	const { claims, permissions } = actor;
	if (!tokens.isRenewable(claims)) throw ruleBroken('UNAUTHORIZED', 'token', authMessages.shiftOver);
	// The request has found that the token has the account's version.
	const account = { ...identityOf(actor), tokenVersion: claims.version };
	return signInAnswer({ db, tokens }, account, permissions, claims.signedInAt);
}

/** What is known of the caller's password. The administrator's first password counts as initial until it is changed. */
export function getOwnPassword(db: Db, actor: Actor) {
	const { passwordIsInitial, passwordExpiresAt, passwordChangedAt } = ownAccount(db, actor);
	return { isInitial: passwordIsInitial || passwordExpiresAt !== null, changedAt: passwordChangedAt };
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

/** @throws AppError UNAUTHORIZED when it is gone. */
function ownAccount(db: Db, actor: Actor): Account {
	const account = findAccount(db, actor);
	if (!account) throw notSignedIn();
	return account;
}
