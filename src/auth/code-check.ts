/** Trying codes and passwords, as often as the limits on guessing allow. */
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import type { Guard, SignInOutcome } from '../guard/guard.ts';
import { attemptAt } from '../guard/limits.ts';
import { tooManyAttempts } from '../http/reply.ts';
import { type AccountKey, accountOf } from '../vocabulary/accounts.ts';
import type { AppError } from '../vocabulary/errors.ts';

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
