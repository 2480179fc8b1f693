/** Lets passwords, codes and keys be tried as often as the limits allow. */
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { tooManyAttempts } from '../../platform/http/reply.ts';
import { type AccountKey, accountOf } from '../../platform/vocabulary/accounts.ts';
import type { AppError } from '../../platform/vocabulary/errors.ts';
import { clientNetwork } from '../../platform/vocabulary/network.ts';
import { notSignedIn } from '../session/refusals.ts';
import type { RefuseKey } from '../session/session.ts';
import { type Attempt, attemptAt, type Limits } from './attempts.ts';
import { createLine, type Line } from './hashing.ts';
import { anonymous, type RefusedSignIns } from './refused-sign-ins.ts';

export type Guard = ReturnType<typeof createGuard>;

/** Makes the refusal of an attempt that comes too early; `retryAfter` in seconds. */
type TooEarly = (retryAfter: number) => AppError;

/** Makes a guard of limits and a waiting line. */
export function createGuard(limits: Limits, inTurn: Line = createLine()) {
	function requireNotTooEarly(attempts: readonly Attempt[], tooEarly: TooEarly): void {
		const wait = Math.max(...attempts.map((attempt) => limits.wait(attempt)));
		if (wait > 0) throw tooEarly(Math.ceil(wait / 1000));
	}

	return {
		/**
		 * Whether an attempt is right, checked in its turn. A wrong one is counted; a right one clears nothing yet.
		 * @throws AppError TOO_MANY_REQUESTS when it comes too early; SERVICE_UNAVAILABLE when too many are waiting, or the client
		 * is gone.
		 */
		async try(attempt: Attempt, check: () => Promise<boolean>, tooEarly: TooEarly = tooManyAttempts): Promise<boolean> {
			requireNotTooEarly([attempt], tooEarly);
			return inTurn(attempt, async () => {
				requireNotTooEarly([attempt], tooEarly);
				// Counted until it is right: of guesses that run at the same time, no more are checked than are free.
				limits.add(attempt);
				const isRight = await check();
				if (isRight) limits.remove(attempt);
				return isRight;
			});
		},
		/** What a check gives that takes no time; undefined when it is wrong. It counts as several attempts. Throws like `try`. */
		tryNow<Done>(
			attempts: readonly Attempt[],
			check: () => Done | undefined,
			tooEarly: TooEarly = tooManyAttempts,
		): Done | undefined {
			requireNotTooEarly(attempts, tooEarly);
			const done = check();
			if (done === undefined) for (const attempt of attempts) limits.add(attempt);
			return done;
		},
		/** Clears the count after a success. */
		succeeded: (attempt: Attempt) => limits.forget(attempt),
		/** Runs other work that takes as long as a check. Throws like `try`. */
		inTurn,
	};
}

/**
 * Runs what uses up a code, in one transaction with what the code is for; it returns undefined for a wrong one. Wrong codes
 * are counted by account and network, never by device, and a new password starts no new count: with a password and a
 * token one could otherwise make new devices and passwords for ever.
 * @throws AppError TOO_MANY_REQUESTS
 */
export function tryCode<Done>(
	{ db, guard, now }: { db: Db; guard: Guard; now: () => string },
	{ account, address }: { account: AccountKey; address: string },
	work: (at: string) => Done | undefined,
	tooEarly?: TooEarly,
): Done | undefined {
	const attempt = attemptAt(`code of ${accountOf(account)}`, { address });
	const done = guard.tryNow([attempt], () => transaction(db, () => ({ done: work(now()) })).done, tooEarly);
	if (done !== undefined) guard.succeeded(attempt);
	return done;
}

/** Records a wrong key of a program, and makes its refusal: 401, or 429 after many from one network. */
export function refusingKeys(guard: Guard, refusedSignIns: RefusedSignIns): RefuseKey {
	return ({ address, requestId, at }) => {
		refusedSignIns.add({ actor: anonymous, address, requestId, at }, 'WRONG_KEY');
		const attempt = attemptAt('key', { address }, { kind: 'caller', key: `key ${clientNetwork(address)}` });
		guard.tryNow([attempt], () => undefined);
		return notSignedIn();
	};
}
