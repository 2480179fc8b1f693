/**
 * Limits how often passwords can be guessed. Everything is in memory, of fixed size and never evicted: names and places
 * hash into counters, so no number of other names can push one out. Names that share a counter share a limit; the seed is
 * random, so an attacker cannot find them. Known and unknown names are counted alike, and no account is ever locked.
 *
 * Our own code: rate-limiter-flexible keeps one object per name, and neither grows its waits nor survives a flood of names.
 */

/** A guess at a password. */
export interface Guess {
	/** Whose password is guessed. A new password is another subject, and starts at zero. */
	subject: string;
	/** The network that it comes from. */
	network: string;
}

/** How long a guess must wait, in milliseconds; 0 or less when it need not. */
export interface Waits {
	/** Because of earlier guesses at the same subject from the same network. */
	here: number;
	/** Because of guesses at the same subject from everywhere, or at any subject from this network. */
	elsewhere: number;
}

/** Counts wrong passwords and says how long the next guess must wait. */
export interface Throttle {
	waits(guess: Guess): Waits;
	/** The password was wrong. With `onlyHere`, it counts for this subject and network, and nowhere else. */
	failed(guess: Guess, options?: { onlyHere?: boolean }): void;
	/** The password was right: the failures of this subject from this network are forgotten. */
	succeeded(guess: Guess): void;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Makes a throttle; `elapsed` gives milliseconds and never goes back. */
export function createThrottle(elapsed: () => number): Throttle {
	// Made for the first wrong password: their 16 MB would start the garbage collector at every start of the program.
	let counters: Counters | undefined;
	return {
		waits({ subject, network }) {
			if (counters === undefined) return { here: 0, elsewhere: 0 };
			const { pairs, subjects, networks } = counters;
			const now = elapsed();
			return {
				here: pairs.wait(pairOf(subject, network), now),
				elsewhere: Math.max(subjects.wait(subject, now), networks.wait(network, now)),
			};
		},
		failed({ subject, network }, { onlyHere = false } = {}) {
			counters ??= { pairs: new GrowingWait(), subjects: new Pacing(), networks: new Quota() };
			const now = elapsed();
			counters.pairs.failed(pairOf(subject, network), now);
			if (onlyHere) return;
			counters.subjects.failed(subject, network, now);
			counters.networks.failed(network, now);
		},
		succeeded({ subject, network }) {
			counters?.pairs.clear(pairOf(subject, network));
			counters?.subjects.forgive(subject, network);
		},
	};
}

interface Counters {
	pairs: GrowingWait;
	subjects: Pacing;
	networks: Quota;
}

/** Lets everything through: for tests on one address (LOGIN_THROTTLE=off). */
export const noThrottle: Throttle = {
	waits: () => ({ here: 0, elsewhere: 0 }),
	failed() {},
	succeeded() {},
};

/** A network contains no space, so no two pairs are written alike. */
function pairOf(subject: string, network: string): string {
	return `${network} ${subject}`;
}

/** Gives every key one of a fixed number of slots. */
class Slots {
	readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0];
	readonly #bits: number;
	readonly total: number;

	constructor(bits: number) {
		this.#bits = bits;
		this.total = 2 ** bits;
	}

	of(key: string): number {
		return Number(BigInt.asUintN(this.#bits, Bun.hash(key, this.#seed)));
	}
}

/** 30 failures are free; then each waits twice as long as the one before, from 1 to 300 seconds. Forgotten after an hour. */
class GrowingWait {
	static readonly #free = 30;
	static readonly #max = 300 * second;
	static readonly #forgottenAfter = hour;
	readonly #slots = new Slots(17);
	readonly #failures = new Uint32Array(this.#slots.total);
	/** When the newest failure was. */
	readonly #newest = new Float64Array(this.#slots.total);

	wait(key: string, now: number): number {
		const slot = this.#slots.of(key);
		const beyond = this.#failuresAt(slot, now) - GrowingWait.#free;
		if (beyond < 0) return 0;
		return (this.#newest[slot] ?? 0) + Math.min(2 ** beyond * second, GrowingWait.#max) - now;
	}

	failed(key: string, now: number): void {
		const slot = this.#slots.of(key);
		this.#failures[slot] = this.#failuresAt(slot, now) + 1;
		this.#newest[slot] = now;
	}

	clear(key: string): void {
		this.#failures[this.#slots.of(key)] = 0;
	}

	#failuresAt(slot: number, now: number): number {
		const isOld = now - (this.#newest[slot] ?? 0) > GrowingWait.#forgottenAfter;
		return isOld ? 0 : (this.#failures[slot] ?? 0);
	}
}

/** 40 failures in an hour, then one a minute: at most 100 in any hour. */
class Pacing {
	static readonly #free = 40;
	static readonly #window = hour;
	static readonly #interval = minute;
	readonly #slots = new Slots(15);
	/** Until when each of a slot's newest failures counts, as a ring: the next one replaces the oldest. */
	readonly #countsUntil = new Float64Array(this.#slots.total * Pacing.#free);
	/** Which network each of them came from, as a short hash. */
	readonly #networks = new Uint16Array(this.#countsUntil.length);
	readonly #networkHash = new Slots(16);
	readonly #next = new Uint8Array(this.#slots.total);

	wait(key: string, now: number): number {
		const slot = this.#slots.of(key);
		const oldest = this.#countsUntil[this.#at(slot, 0)] ?? 0;
		if (now >= oldest) return 0;
		const newest = (this.#countsUntil[this.#at(slot, Pacing.#free - 1)] ?? 0) - Pacing.#window;
		return newest + Pacing.#interval - now;
	}

	failed(key: string, network: string, now: number): void {
		const slot = this.#slots.of(key);
		const oldest = this.#at(slot, 0);
		this.#countsUntil[oldest] = now + Pacing.#window;
		this.#networks[oldest] = this.#networkHash.of(network);
		this.#next[slot] = ((this.#next[slot] ?? 0) + 1) % Pacing.#free;
	}

	/** Forgets the failures of a network, and moves those that are left to the new end of the ring. */
	forgive(key: string, network: string): void {
		const slot = this.#slots.of(key);
		const forgiven = this.#networkHash.of(network);
		let kept = Pacing.#free;
		for (let age = Pacing.#free - 1; age >= 0; age -= 1) {
			const from = this.#at(slot, age);
			if (this.#networks[from] === forgiven) continue;
			kept -= 1;
			const to = this.#at(slot, kept);
			this.#countsUntil[to] = this.#countsUntil[from] ?? 0;
			this.#networks[to] = this.#networks[from] ?? 0;
		}
		for (let age = 0; age < kept; age += 1) this.#countsUntil[this.#at(slot, age)] = 0;
	}

	/** The place of one of a slot's failures in the arrays: 0 is the oldest. */
	#at(slot: number, age: number): number {
		return slot * Pacing.#free + (((this.#next[slot] ?? 0) + age) % Pacing.#free);
	}
}

/** 1,000 failures in ten minutes, then none until the ten minutes are over. */
class Quota {
	static readonly #free = 1000;
	static readonly #window = 10 * minute;
	readonly #slots = new Slots(17);
	readonly #failures = new Uint32Array(this.#slots.total);
	/** When the first of them was. */
	readonly #since = new Float64Array(this.#slots.total);

	wait(key: string, now: number): number {
		const slot = this.#slots.of(key);
		if ((this.#failures[slot] ?? 0) < Quota.#free) return 0;
		return (this.#since[slot] ?? 0) + Quota.#window - now;
	}

	failed(key: string, now: number): void {
		const slot = this.#slots.of(key);
		const isOver = now - (this.#since[slot] ?? 0) >= Quota.#window;
		if (isOver || this.#failures[slot] === 0) {
			this.#since[slot] = now;
			this.#failures[slot] = 0;
		}
		this.#failures[slot] = (this.#failures[slot] ?? 0) + 1;
	}
}
