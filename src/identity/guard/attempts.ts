/**
 * Limits how often passwords can be guessed. Every key has one of a fixed number of slots, so a flood of names needs no
 * more memory and displaces no count. Keys that share a slot share its count; the seed is random, so collisions cannot
 * be predicted.
 */
import { clientNetwork } from '../../platform/vocabulary/network.ts';

/** An attempt to guess a password. */
export interface Attempt {
	/** The owner of the secret: the username and its account, or the caller, key or approver. */
	subject: string;
	/** The address of the client. The limits count its network. */
	address: string;
	/**
	 * A separate count for a device, a caller or an approver. No other limit applies to the attempt, and it goes first in
	 * the queue.
	 */
	own?: { kind: 'device' | 'caller' | 'approval'; key: string } | undefined;
	/** Aborted when the client disconnects. */
	signal?: AbortSignal | undefined;
}

export type OwnCount = NonNullable<Attempt['own']>;

const minute = 60_000;

/** The limits; times in milliseconds. */
const rules = {
	/** Some wrong passwords are free. After that, each attempt waits twice as long as the previous one. */
	growing: {
		free: { 'name and network': 30, device: 10, caller: 30, approval: 10 },
		first: 1000,
		max: 5 * minute,
		forgottenAfter: 60 * minute,
	},
	/** For one name from all networks: 40, and one more each minute, so at most 100 in any hour. */
	name: { free: 40, every: minute },
	/** For one network with any names: this many, then none until the period that began with the first is over. */
	network: { free: 1000, within: 10 * minute },
} as const;

/** Counts attempts and determines how long the next one must wait. */
export type Limits = ReturnType<typeof createLimits>;

/** Creates the limits; `elapsed` gives milliseconds and never goes back. */
export function createLimits(elapsed: () => number) {
	const counters = createCounters();
	return {
		/** The remaining wait of an attempt, in milliseconds; 0 or less when there is none. */
		wait(attempt: Attempt): number {
			const now = elapsed();
			const growing = growingWait(counters, attempt, now);
			if (attempt.own) return growing;
			const { failures, at: oldest } = counters.networks.read(clientNetwork(attempt.address), now);
			const ofNetwork = failures < rules.network.free ? 0 : oldest + rules.network.within - now;
			const ofName = counters.names.level(attempt.subject, now) - (rules.name.free - 1) * rules.name.every;
			return Math.max(growing, ofNetwork, ofName);
		},
		/** Counts a wrong password. */
		add: (attempt: Attempt) => change(counters, attempt, 1, elapsed()),
		/** Removes an attempt that turned out to be right. */
		remove: (attempt: Attempt) => change(counters, attempt, -1, elapsed()),
		/** Forgets the failures of this device or caller, or of this network with this name. Failures of others stay. */
		forget(attempt: Attempt): void {
			const key = keyOf(attempt);
			counters.own.clear(key);
			const now = elapsed();
			const share = counters.shares.level(key, now);
			counters.names.fill(attempt.subject, -share, now);
			counters.shares.fill(key, -share, now);
		},
	};
}

type Counters = ReturnType<typeof createCounters>;

function createCounters() {
	return {
		own: createCounts(rules.growing.forgottenAfter, 'newest'),
		networks: createCounts(rules.network.within, 'oldest'),
		names: createBuckets(),
		/** Each network's share of the bucket of a name. */
		shares: createBuckets(),
	};
}

function change({ own, networks, names, shares }: Counters, attempt: Attempt, by: 1 | -1, now: number): void {
	const key = keyOf(attempt);
	own.change(key, by, now);
	if (attempt.own) return;
	networks.change(clientNetwork(attempt.address), by, now);
	names.fill(attempt.subject, by * rules.name.every, now);
	shares.fill(key, by * rules.name.every, now);
}

/** The wait that grows with each failure of a device, a caller, an approver, or a name from one network. */
function growingWait({ own }: Counters, attempt: Attempt, now: number): number {
	const { failures, at: newest } = own.read(keyOf(attempt), now);
	const beyond = failures - rules.growing.free[attempt.own?.kind ?? 'name and network'];
	const growing = Math.min(2 ** beyond * rules.growing.first, rules.growing.max);
	return beyond < 0 ? 0 : newest + growing - now;
}

/** No limits: for tests on one address (LOGIN_THROTTLE=off). */
export const noLimits: Limits = { wait: () => 0, add() {}, remove() {}, forget() {} };

/** The key of the growing waits. A network contains no space, so different keys never look alike. */
function keyOf({ own, address, subject }: Attempt): string {
	return own ? `${own.kind} ${own.key}` : `${clientNetwork(address)} ${subject}`;
}

/** The number of counters of each kind. */
export const slots = 2 ** 17;

/** Assigns a slot to every key. */
export function createSlots(): (key: string) => number {
	const seed = crypto.getRandomValues(new BigUint64Array(1))[0];
	return (key) => Number(BigInt.asUintN(Math.log2(slots), Bun.hash(key, seed)));
}

/** Counts failures until they are old, by the time of the oldest or the newest failure. */
function createCounts(forgottenAfter: number, timeOf: 'oldest' | 'newest') {
	const slotOf = createSlots();
	const counts = new Uint32Array(slots);
	const times = new Float64Array(slots);
	function read(key: string, now: number): { failures: number; at: number } {
		const at = times[slotOf(key)] ?? 0;
		return { failures: now - at >= forgottenAfter ? 0 : (counts[slotOf(key)] ?? 0), at };
	}
	return {
		read,
		change(key: string, by: 1 | -1, now: number): void {
			const { failures } = read(key, now);
			counts[slotOf(key)] = Math.max(0, failures + by);
			if (by > 0 && (failures === 0 || timeOf === 'newest')) times[slotOf(key)] = now;
		},
		clear(key: string): void {
			counts[slotOf(key)] = 0;
		},
	};
}

/** Buckets that fill with failures and empty over time. Levels are the milliseconds until a bucket is empty. */
function createBuckets() {
	const slotOf = createSlots();
	const emptyAt = new Float64Array(slots);
	const level = (key: string, now: number) => Math.max(0, (emptyAt[slotOf(key)] ?? 0) - now);
	return {
		level,
		fill(key: string, by: number, now: number): void {
			const filled = level(key, now) + by;
			emptyAt[slotOf(key)] = filled > 0 ? now + filled : 0;
		},
	};
}
