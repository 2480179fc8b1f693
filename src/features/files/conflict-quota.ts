/** How much accounts learn from their files of what is out of their reach: who sends many files must not get a list of it. */
import { tooManyAttempts } from '../../platform/http/reply.ts';

/** How many values an account is told within an hour; five files with as many as one names. */
const maxLearned = 100;
const hour = 3_600_000;

/** Counts in memory; `elapsed` gives milliseconds and never goes back. */
export function createConflictQuota(elapsed: () => number) {
	const learned = new Map<string, { count: number; since: number }>();
	function currentOf(account: string): { count: number; since: number } {
		const kept = learned.get(account);
		return kept && elapsed() - kept.since < hour ? kept : { count: 0, since: elapsed() };
	}
	return {
		/** @throws AppError TOO_MANY_REQUESTS when an account has learned too much. */
		requireFew(account: string): void {
			const { count, since } = currentOf(account);
			if (count >= maxLearned) throw tooManyAttempts(Math.ceil((since + hour - elapsed()) / 1000));
		},
		add(account: string, count: number): void {
			const current = currentOf(account);
			if (count > 0) learned.set(account, { ...current, count: current.count + count });
		},
	};
}

export type ConflictQuota = ReturnType<typeof createConflictQuota>;
