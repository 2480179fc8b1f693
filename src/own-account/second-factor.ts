/** What every account may do with its second factor. */

import { identityOf } from '../auth/accounts.ts';
import { rightOf, tryCode } from '../auth/code-check.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { transaction } from '../database/query.ts';
import type { Attempt } from '../guard/attempt.ts';
import { record } from '../history/record.ts';
import { type SecondFactorKey, secondFactorMessages } from '../second-factor/model.ts';
import {
	enableSecondFactor,
	expectSecondFactor,
	removeSecondFactor,
	startSecondFactor,
	useCode,
} from '../second-factor/service.ts';
import { type Caller, rereadActor } from '../session/actor.ts';
import { ruleBroken } from '../vocabulary/errors.ts';
import { ownAttempt, type Sent } from './service.ts';

/**
 * Gives the caller's account a new secret; nobody is asked for its codes before the first one is entered.
 * @throws AppError CONFLICT when the second factor is on; BAD_REQUEST when the password is wrong; TOO_MANY_REQUESTS after too
 * many wrong ones, counted together with sign-ins.
 */
export async function startOwnSecondFactor(
	dependencies: SignInDependencies,
	caller: Caller,
	{ password }: { password: string },
	sent: Sent,
): Promise<SecondFactorKey> {
	const { db, now, guard } = dependencies;
	expectSecondFactor(db, caller.actor, false);
	const attempt = await requireOwnPassword(dependencies, caller, password, sent);
	guard.succeeded(attempt);
	return transaction(db, () => {
		const actor = rereadActor(db, caller.actor);
		const key = startSecondFactor(dependencies, actor, identityOf(actor).username);
		record(db, { ...caller, actor }, { action: 'SECOND_FACTOR_START' }, now());
		return key;
	});
}

/**
 * Turns the second factor on.
 * @throws AppError CONFLICT when it is on, or has no secret; BAD_REQUEST when the code is wrong; TOO_MANY_REQUESTS after too
 * many wrong ones.
 */
export function enableOwnSecondFactor(
	dependencies: SignInDependencies,
	caller: Caller,
	{ code }: { code: string },
): { recoveryCodes: string[] } {
	const { db } = dependencies;
	return requireOwnCode(dependencies, caller, (at) => {
		const recoveryCodes = enableSecondFactor(dependencies, caller.actor, code, at);
		if (!recoveryCodes) return undefined;
		record(db, caller, { action: 'SECOND_FACTOR_ENABLE' }, at);
		return { recoveryCodes };
	});
}

/**
 * Turns the second factor off.
 * @throws AppError CONFLICT when it is off; BAD_REQUEST when the password or the code is wrong; TOO_MANY_REQUESTS after too
 * many wrong ones.
 */
export async function disableOwnSecondFactor(
	dependencies: SignInDependencies,
	caller: Caller,
	{ password, code }: { password: string; code: string },
	sent: Sent,
): Promise<void> {
	const { db, guard } = dependencies;
	expectSecondFactor(db, caller.actor, true);
	const attempt = await requireOwnPassword(dependencies, caller, password, sent);
	requireOwnCode(dependencies, caller, (at) => {
		const actor = rereadActor(db, caller.actor);
		const used = useCode(dependencies, actor, code, at);
		if (!used) return undefined;
		record(db, { ...caller, actor }, { action: 'SECOND_FACTOR_DISABLE', ...used }, at);
		return removeSecondFactor(db, actor);
	});
	guard.succeeded(attempt);
}

/** @throws AppError BAD_REQUEST, TOO_MANY_REQUESTS. */
function requireOwnCode<Done>(
	dependencies: SignInDependencies,
	{ actor, address }: Caller,
	work: (at: string) => Done | undefined,
): Done {
	const wrong = () => ruleBroken('BAD_REQUEST', 'body.code', secondFactorMessages.wrongCode);
	return rightOf(tryCode(dependencies, { account: actor, address }, work), wrong);
}

/** @returns the attempt, which clears no count yet. @throws AppError BAD_REQUEST, TOO_MANY_REQUESTS. */
async function requireOwnPassword(
	dependencies: SignInDependencies,
	caller: Caller,
	password: string,
	sent: Sent,
): Promise<Attempt> {
	const { guard, passwords } = dependencies;
	const { account, attempt } = ownAttempt(dependencies, caller, sent);
	const wrong = () => ruleBroken('BAD_REQUEST', 'body.password', secondFactorMessages.wrongPassword);
	rightOf(await guard.try(attempt, () => passwords.verify(password, account)), wrong);
	return attempt;
}
