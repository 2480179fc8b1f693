/**
 * Limits how often passwords can be guessed. Every key has one of a fixed number of slots, so no flood of names needs more
 * memory or pushes a count out. Keys that share a slot share its count; the seed is random, so nobody can find them. Known
 * and unknown names are counted alike, and no account is ever locked.
 *
 * Our own code: rate-limiter-flexible keeps one object per name, and neither grows its waits nor survives a flood of names.
 */
import type { Attempt } from './attempt.ts';

const second = 1000;
const minute = 60 * second;

/** The limits; times in milliseconds. */
const rules = {
	/** Some wrong passwords are free, then each waits twice as long as the one before. */
	growing: {
		free: { 'name and network': 30, device: 10, caller: 30 },
		first: second,
		max: 300 * second,
		forgottenAfter: 60 * minute,
	},
	/** A name from everywhere: 40, and one more each minute. So there are at most 100 in any hour. */
	name: { free: 40, every: minute },
	/** Any names from one network: so many, then none until the time since the first is over. */
	network: { free: 1000, within: 10 * minute },
} as const;

/** Counts attempts and says how long the next one must wait. */
export interface Limits {
	/** How long an attempt must wait, in milliseconds; 0 or less when it need not. */
	wait(attempt: Attempt): number;
	/** Counts a wrong password. */
	add(attempt: Attempt): void;
	/** Takes one back that was not wrong. */
	remove(attempt: Attempt): void;
	/** Forgets what this device or caller, or this network about this name, did wrong; what others did stays. */
	forget(attempt: Attempt): void;
}

/** Makes the limits; `elapsed` gives milliseconds and never goes back. */
export function createLimits(elapsed: () => number): Limits {
	const own = new Counts(rules.growing.forgottenAfter, 'newest');
	const networks = new Counts(rules.network.within, 'oldest');
	const names = new Buckets();
	/** How much of the bucket of a name each network filled. */
	const shares = new Buckets();

	function change(attempt: Attempt, by: 1 | -1): void {
		const now = elapsed();
		own.change(keyOf(attempt), by, now);
		if (attempt.own) return;
		networks.change(attempt.network, by, now);
		names.fill(attempt.subject, by * rules.name.every, now);
		shares.fill(keyOf(attempt), by * rules.name.every, now);
	}

	return {
		wait(attempt) {
			const now = elapsed();
			const { failures, at: newest } = own.of(keyOf(attempt), now);
			const beyond = failures - rules.growing.free[attempt.own?.kind ?? 'name and network'];
			const growing = Math.min(2 ** beyond * rules.growing.first, rules.growing.max);
			const ownWait = beyond < 0 ? 0 : newest + growing - now;
			if (attempt.own) return ownWait;
			const network = networks.of(attempt.network, now);
			const networkWait = network.failures < rules.network.free ? 0 : network.at + rules.network.within - now;
			const nameWait = names.level(attempt.subject, now) - (rules.name.free - 1) * rules.name.every;
			return Math.max(ownWait, networkWait, nameWait);
		},
		add: (attempt) => change(attempt, 1),
		remove: (attempt) => change(attempt, -1),
		forget(attempt) {
			own.clear(keyOf(attempt));
			if (attempt.own) return;
			const now = elapsed();
			const share = shares.level(keyOf(attempt), now);
			names.fill(attempt.subject, -share, now);
			shares.fill(keyOf(attempt), -share, now);
		},
	};
}

/** Lets everything through: for tests on one address (LOGIN_THROTTLE=off). */
export const noLimits: Limits = { wait: () => 0, add() {}, remove() {}, forget() {} };

/** What growing waits are for. A network contains no space, so no two keys are written alike. */
function keyOf({ own, network, subject }: Attempt): string {
	return own ? `${own.kind} ${own.key}` : `${network} ${subject}`;
}

/** Gives every key one of a fixed number of slots. */
export class Slots {
	readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0];
	readonly total = 2 ** 17;

	of(key: string): number {
		return Number(BigInt.asUintN(17, Bun.hash(key, this.#seed)));
	}
}

/** Counts failures until they are old, with the time of the oldest or the newest. */
class Counts {
	readonly #slots = new Slots();
	readonly #failures = new Uint32Array(this.#slots.total);
	readonly #at = new Float64Array(this.#slots.total);
	readonly #forgottenAfter: number;
	readonly #timeOf: 'oldest' | 'newest';

	constructor(forgottenAfter: number, timeOf: 'oldest' | 'newest') {
		this.#forgottenAfter = forgottenAfter;
		this.#timeOf = timeOf;
	}

	of(key: string, now: number): { failures: number; at: number } {
		const slot = this.#slots.of(key);
		const at = this.#at[slot] ?? 0;
		return { failures: now - at >= this.#forgottenAfter ? 0 : (this.#failures[slot] ?? 0), at };
	}

	change(key: string, by: 1 | -1, now: number): void {
		const slot = this.#slots.of(key);
		const { failures } = this.of(key, now);
		this.#failures[slot] = Math.max(0, failures + by);
		if (by > 0 && (failures === 0 || this.#timeOf === 'newest')) this.#at[slot] = now;
	}

	clear(key: string): void {
		this.#failures[this.#slots.of(key)] = 0;
	}
}

/** A bucket that failures fill, and that runs empty with time. Levels in milliseconds until it is empty. */
class Buckets {
	readonly #slots = new Slots();
	readonly #emptyAt = new Float64Array(this.#slots.total);

	level(key: string, now: number): number {
		return Math.max(0, (this.#emptyAt[this.#slots.of(key)] ?? 0) - now);
	}

	fill(key: string, by: number, now: number): void {
		const level = this.level(key, now) + by;
		this.#emptyAt[this.#slots.of(key)] = level > 0 ? now + level : 0;
	}
}
