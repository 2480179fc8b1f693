/** Lets passwords and codes be tried as often as the limits allow. */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { tooManyAttempts } from '../http/reply.ts';
import { type AccountKey, accountOf } from '../vocabulary/accounts.ts';
import type { AppError } from '../vocabulary/errors.ts';
import { createLine, type Line } from './hashing.ts';
import { type Attempt, attemptAt, type Limits } from './limits.ts';

/** What a try found, with what the check gave; `retryAfter` in seconds. */
export type SignInOutcome<Done = true> =
	| { result: 'right'; done: Done }
	| { result: 'wrong' }
	| { result: 'too early'; retryAfter: number };

export type Guard = ReturnType<typeof createGuard>;

/** Makes a guard of limits and a waiting line. */
export function createGuard(limits: Limits, inTurn: Line = createLine()) {
	function tooEarly(attempt: Attempt) {
		const wait = limits.wait(attempt);
		return wait > 0 ? ({ result: 'too early', retryAfter: Math.ceil(wait / 1000) } as const) : undefined;
	}

	async function check(attempt: Attempt, isRight: () => Promise<boolean>): Promise<SignInOutcome> {
		const early = tooEarly(attempt);
		if (early) return early;
		// Counted until it is right: of guesses that run at the same time, no more are checked than are free.
		limits.add(attempt);
		if (!(await isRight())) return { result: 'wrong' };
		limits.remove(attempt);
		return { result: 'right', done: true };
	}

	return {
		/**
		 * Runs a check in its turn, unless the attempt comes too early. A wrong one is counted; a right one clears nothing yet.
		 * @throws AppError SERVICE_UNAVAILABLE when too many are waiting, or the client is gone.
		 */
		try: async (attempt: Attempt, isRight: () => Promise<boolean>) =>
			tooEarly(attempt) ?? inTurn(attempt, () => check(attempt, isRight)),
		/** The same for a check that takes no time; it returns undefined when it is wrong. It counts as several attempts. */
		tryNow<Done>(attempts: readonly Attempt[], check: () => Done | undefined): SignInOutcome<Done> {
			const early = attempts.flatMap((attempt) => tooEarly(attempt) ?? []);
			const [longest] = early.toSorted((a, b) => b.retryAfter - a.retryAfter);
			if (longest) return longest;
			const done = check();
			if (done !== undefined) return { result: 'right', done };
			for (const attempt of attempts) limits.add(attempt);
			return { result: 'wrong' };
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
 */
export function tryCode<Done>(
	{ db, guard, now }: { db: Db; guard: Guard; now: () => string },
	{ account, address }: { account: AccountKey; address: string },
	work: (at: string) => Done | undefined,
): SignInOutcome<Done> {
	const attempt = attemptAt(`code of ${accountOf(account)}`, { address });
	const outcome = guard.tryNow([attempt], () => transaction(db, () => ({ done: work(now()) })).done);
	if (outcome.result === 'right') guard.succeeded(attempt);
	return outcome;
}

/** What a right one gives. @throws AppError TOO_MANY_REQUESTS; what `wrong` makes. */
export function rightOf<Done>(outcome: SignInOutcome<Done>, wrong: () => AppError): Done {
	if (outcome.result === 'too early') throw tooManyAttempts(outcome.retryAfter);
	if (outcome.result === 'wrong') throw wrong();
	return outcome.done;
}
