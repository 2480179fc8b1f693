/** Limits attempts at passwords, codes and keys. */
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { tooManyAttempts } from '../../platform/http/reply.ts';
import { type AccountKey, callerLabel } from '../../platform/vocabulary/accounts.ts';
import type { AppError } from '../../platform/vocabulary/errors.ts';
import { clientNetwork } from '../../platform/vocabulary/network.ts';
import type { Sender } from '../session/session.ts';
import type { Attempt, Limits } from './attempts.ts';
import { createQueue } from './hashing.ts';
import { anonymous, type RefusedSignIns } from './refused-sign-ins.ts';

export type Guard = ReturnType<typeof createGuard>;

/** Creates the refusal of an attempt that comes too early; `retryAfter` in seconds. */
type TooEarly = (retryAfter: number) => AppError;

/** Creates a guard with limits and a queue of its own. */
export function createGuard(limits: Limits) {
	const inTurn = createQueue();
	function requireNotTooEarly(attempts: readonly Attempt[], tooEarly: TooEarly): void {
		const wait = Math.max(...attempts.map(limits.wait));
		if (wait > 0) throw tooEarly(Math.ceil(wait / 1000));
	}

	return {
		/**
		 * Checks an attempt in its turn. A wrong one is counted; a right one clears no count yet.
		 * @returns whether it is right.
		 * @throws AppError TOO_MANY_REQUESTS when it comes too early; SERVICE_UNAVAILABLE when too many are waiting, or the
		 * client has disconnected.
		 */
		async try(attempt: Attempt, check: () => Promise<boolean>, tooEarly: TooEarly = tooManyAttempts): Promise<boolean> {
			requireNotTooEarly([attempt], tooEarly);
			return inTurn(attempt, async () => {
				requireNotTooEarly([attempt], tooEarly);
				// Counted until it proves right, so that simultaneous guesses cannot exceed the free attempts.
				limits.add(attempt);
				const isRight = await check();
				if (isRight) limits.remove(attempt);
				return isRight;
			});
		},
		/**
		 * Runs a check that takes no time. A wrong one is counted as each of the attempts. Throws like `try`, with the longest
		 * of their waits.
		 * @returns the result of the check; undefined when it is wrong.
		 */
		tryNow<Done>(attempts: readonly Attempt[], check: () => Done | undefined, tooEarly: TooEarly = tooManyAttempts) {
			requireNotTooEarly(attempts, tooEarly);
			const done = check();
			if (done === undefined) for (const attempt of attempts) limits.add(attempt);
			return done;
		},
		/** Clears the count of an attempt after a success. */
		succeeded: (attempt: Attempt) => limits.forget(attempt),
		/** Runs other work that takes as long as a check, in its turn. Throws like `try`. */
		inTurn,
	};
}

/**
 * Runs work that uses up a code, in one transaction with the work that the code allows. The work returns undefined for
 * a wrong code. Wrong codes count by account and network. A device has no count of its own here, and a new password does
 * not start a new count: otherwise new devices and passwords would allow guesses without end.
 * @throws AppError the refusal that `wrong` creates; TOO_MANY_REQUESTS, or what `tooEarly` creates.
 */
export function tryCode<Done>(
	{ db, guard, now }: { db: Db; guard: Guard; now: () => string },
	{ actor, address }: { actor: AccountKey; address: string },
	work: (at: string) => Done | undefined,
	{ wrong, tooEarly }: { wrong: () => AppError; tooEarly?: TooEarly },
): Done {
	const attempt = { subject: `code of ${callerLabel(actor)}`, address };
	const done = guard.tryNow([attempt], () => transaction(db, () => ({ done: work(now()) })).done, tooEarly);
	if (done === undefined) throw wrong();
	guard.succeeded(attempt);
	return done;
}

/** Counts and records a wrong program key. @throws AppError TOO_MANY_REQUESTS after many from one network */
export function countWrongKey(
	{ guard, refusedSignIns }: { guard: Guard; refusedSignIns: RefusedSignIns },
	{ address, requestId, at }: Sender & { at: string },
): void {
	const event = { action: 'SIGN_IN_REFUSED', reason: 'WRONG_KEY' } as const;
	refusedSignIns.add({ actor: anonymous, address, requestId, at }, event);
	const own = { kind: 'caller', key: `key ${clientNetwork(address)}` } as const;
	guard.tryNow([{ subject: 'key', address, own }], () => undefined);
}
