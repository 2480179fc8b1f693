/** Changes of an employee's password, second factor and sign-ins by a colleague. */
import type { Attempt } from '../../identity/guard/attempts.ts';
import { record } from '../../identity/history/record.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { secondFactorMessages } from '../../identity/second-factor/model.ts';
import { removeSecondFactor } from '../../identity/second-factor/service.ts';
import { endTokens, findAccount } from '../../identity/session/accounts.ts';
import { type Caller, isSelf, requireStillPermitted } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction, transaction } from '../../platform/database/query.ts';
import { type AccountKey, callerLabel } from '../../platform/vocabulary/accounts.ts';
import { AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import type { ChangePassword } from '../auth/model.ts';
import { prepareNewPassword, replaceEmployeePassword } from '../auth/new-password.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { forEachManaged } from './all-or-none.ts';
import { getManageable, requireMayActAs } from './authorization.ts';
import { employeeMessages, type GivenPassword, type OneTimePassword, type StoredEmployee } from './model.ts';
import { getStoredEmployee } from './read.ts';
import { employeeVersion } from './service.ts';

type Dependencies = Pick<SignInDependencies, 'db' | 'passwords'>;

/**
 * Changes an employee's password and ends their tokens. If two changes use the same old password, only one succeeds.
 * @throws AppError as {@link getForPassword} does; BAD_REQUEST when the old password is wrong; TOO_MANY_REQUESTS after too
 * many wrong ones by this caller.
 */
export async function changePassword(
	dependencies: Pick<SignInDependencies, 'db' | 'passwords' | 'guard' | 'now'>,
	caller: Caller & Pick<Attempt, 'signal'>,
	id: number,
	change: ChangePassword,
): Promise<StoredEmployee> {
	const { db } = dependencies;
	getForPassword(db, caller, id);
	const before = orNotFound(findAccount(db, keyOf(id)), employeeMessages.notFound);
	const key = callerLabel(caller.actor);
	const attempt = { ...caller, subject: `by ${key}`, own: { kind: 'caller', key } } as const;
	const savePassword = await prepareNewPassword(dependencies, attempt, change, before);
	return transaction(db, () => {
		const current = requireStillPermitted(dependencies, caller);
		const employee = getForPassword(db, current, id);
		savePassword(current.at);
		record(db, current, { action: 'EMPLOYEE_PASSWORD_CHANGE', target: employee });
		return getStoredEmployee(db, id);
	});
}

/** Sets the initial password and ends the employee's tokens. @throws AppError as {@link getForPassword} does. */
export function resetPassword({ db, passwords }: Dependencies, caller: Caller, id: number): StoredEmployee {
	return transaction(db, () => {
		const employee = getForPassword(db, caller, id);
		replaceEmployeePassword(db, id, { passwordHash: passwords.initialHash(), isInitial: true }, caller.at);
		record(db, caller, { action: 'EMPLOYEE_PASSWORD_RESET', target: employee });
		return getStoredEmployee(db, id);
	});
}

/**
 * Issues a one-time password in place of the employee's present one, and ends their tokens.
 * @throws AppError as {@link getForPassword} does; FORBIDDEN for the caller's own account, because a token must not become
 * its password.
 */
export function issueOneTimePassword(dependencies: Dependencies, caller: Caller, id: number): OneTimePassword {
	const { db } = dependencies;
	requireOther(caller, id, employeeMessages.ownOneTime);
	return transaction(db, () => issue(dependencies, caller, getForPassword(db, caller, id)));
}

/**
 * Issues one-time passwords to several employees: all of them or none.
 * @returns the passwords in the order of the ids; a repeated id counts once.
 * @throws AppError FORBIDDEN or NOT_FOUND with the place of each refused id.
 */
export function issueOneTimePasswords(
	dependencies: Dependencies,
	caller: Caller,
	ids: readonly number[],
): GivenPassword[] {
	const { db } = dependencies;
	return largeTransaction(db, () => {
		const allowed = forEachManaged(db, caller, { ids, reason: employeeMessages.noneGiven }, (employee, authority) => {
			requireOther(caller, employee.id, employeeMessages.ownOneTime);
			requireMayActAs(authority, employee.id);
			return employee;
		});
		return allowed.map((employee) => issue(dependencies, caller, employee));
	});
}

/** Saves a one-time password, inside the caller's transaction. `changedAt` is null for a new employee's first password. */
export function setOneTimePassword(
	{ db, passwords }: Dependencies,
	{ id, name, phone, storeName }: StoredEmployee,
	{ at, changedAt = at }: { at: string; changedAt?: string | null },
): GivenPassword {
	const { password, ...stored } = passwords.oneTime.make(keyOf(id), at);
	replaceEmployeePassword(db, id, { ...stored, isInitial: false, changedAt }, at);
	return { id, name, phone, storeName, password, expiresAt: stored.expiresAt };
}

function issue(dependencies: Dependencies, caller: Caller, employee: StoredEmployee): GivenPassword {
	record(dependencies.db, caller, { action: 'EMPLOYEE_ONE_TIME_PASSWORD', target: employee });
	return setOneTimePassword(dependencies, employee, { at: caller.at });
}

/**
 * Removes the second factor of an employee who lost their phone and recovery codes.
 * @throws AppError as {@link getForPassword} does; NOT_FOUND without a second factor; FORBIDDEN for the caller's own one,
 * which only the password and a code remove.
 */
export function removeEmployeeSecondFactor(db: Db, caller: Caller, id: number): void {
	requireOther(caller, id, secondFactorMessages.ownAccount);
	transaction(db, () => {
		const employee = getForPassword(db, caller, id);
		if (!removeSecondFactor(db, keyOf(id))) throw new AppError('NOT_FOUND', secondFactorMessages.notEnabled);
		record(db, caller, { action: 'EMPLOYEE_SECOND_FACTOR_REMOVE', target: employee });
	});
}

/** Ends all sign-ins of an employee the caller manages. @throws AppError NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED. */
export function endEmployeeSignIns(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const { employee } = getManageable(db, caller.actor, id);
		requireCurrent(db, caller, employee, employeeVersion);
		endTokens(db, keyOf(id));
		record(db, caller, { action: 'EMPLOYEE_SIGN_OUT', target: employee });
	});
}

/**
 * An employee whose password or second factor the caller may set, in the version that the caller expects.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee the caller does not manage, or whose rights the caller does not
 * have for good; PRECONDITION_FAILED.
 */
function getForPassword(db: Db, caller: Caller, id: number): StoredEmployee {
	const { authority, employee } = getManageable(db, caller.actor, id);
	requireMayActAs(authority, id);
	return requireCurrent(db, caller, employee, employeeVersion);
}

/** The employee must not be the actor. @throws AppError FORBIDDEN */
function requireOther({ actor }: Caller, id: number, reason: Reason): void {
	if (isSelf(actor, id)) throw businessError('FORBIDDEN', 'params.id', reason);
}

function keyOf(id: number): AccountKey {
	return { accountType: 'EMPLOYEE', id };
}
