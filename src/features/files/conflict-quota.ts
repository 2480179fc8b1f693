/** Limits the number of taken values that an account learns from its files: nobody can list what is out of their reach. */
import { tooManyAttempts } from '../../platform/http/reply.ts';

/** The maximum number of values within an hour: five files that report as many as they can. */
const maxLearned = 100;
const hour = 3_600_000;

/** Counts in memory. `elapsed` returns milliseconds and never goes back. */
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
