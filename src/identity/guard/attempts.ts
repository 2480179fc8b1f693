/**
 * Limits how often passwords can be guessed. Every key has one of a fixed number of slots, so no flood of names needs more
 * memory or pushes a count out. Keys that share a slot share its count; the seed is random, so nobody can find them.
 */
import { clientNetwork } from '../../platform/vocabulary/network.ts';

/** A password that is about to be tried. */
export interface Attempt {
	/** The owner of the password: the name that signs in, or the caller who changes another's. A new password is a new subject. */
	subject: string;
	/** Where it comes from: what limits count. */
	network: string;
	/** Where it comes from: what shares the waiting line. A customer who has an IPv6 /56 has 256 networks. */
	neighborhood: string;
	/** A count of its own, of a device, a caller or somebody's approvals: no other limit concerns the attempt, and it goes first in the line. */
	own?: { kind: 'device' | 'caller' | 'approval'; key: string } | undefined;
	/** Aborted when the client is gone. */
	signal?: AbortSignal | undefined;
}

export type OwnCount = NonNullable<Attempt['own']>;

/** An attempt from an address, counted by `own` if that is given. */
export function attemptAt(
	subject: string,
	{ address, signal }: { address: string; signal?: AbortSignal | undefined },
	own?: OwnCount,
): Attempt {
	return { subject, network: clientNetwork(address), neighborhood: clientNetwork(address, 56), own, signal };
}

const minute = 60_000;

/** The limits; times in milliseconds. */
const rules = {
	/** Some wrong passwords are free, then each waits twice as long as the one before. */
	growing: {
		free: { 'name and network': 30, device: 10, caller: 30, approval: 10 },
		first: 1000,
		max: 5 * minute,
		forgottenAfter: 60 * minute,
	},
	/** A name from everywhere: 40, and one more each minute; so at most 100 in any hour. */
	name: { free: 40, every: minute },
	/** Any names from one network: so many, then none until the time since the first is over. */
	network: { free: 1000, within: 10 * minute },
} as const;

/** Counts attempts and says how long the next one must wait. */
export type Limits = ReturnType<typeof createLimits>;

/** Makes the limits; `elapsed` gives milliseconds and never goes back. */
export function createLimits(elapsed: () => number) {
	const own = createCounts(rules.growing.forgottenAfter, 'newest');
	const networks = createCounts(rules.network.within, 'oldest');
	const names = createBuckets();
	/** How much of the bucket of a name each network filled. */
	const shares = createBuckets();

	function change(attempt: Attempt, by: 1 | -1): void {
		const now = elapsed();
		own.change(keyOf(attempt), by, now);
		if (attempt.own) return;
		networks.change(attempt.network, by, now);
		names.fill(attempt.subject, by * rules.name.every, now);
		shares.fill(keyOf(attempt), by * rules.name.every, now);
	}

	return {
		/** How long an attempt must wait, in milliseconds; 0 or less when it need not. */
		wait(attempt: Attempt): number {
			const now = elapsed();
			const { failures, at: newest } = own.read(keyOf(attempt), now);
			const beyond = failures - rules.growing.free[attempt.own?.kind ?? 'name and network'];
			const growing = Math.min(2 ** beyond * rules.growing.first, rules.growing.max);
			const ownWait = beyond < 0 ? 0 : newest + growing - now;
			if (attempt.own) return ownWait;
			const network = networks.read(attempt.network, now);
			const networkWait = network.failures < rules.network.free ? 0 : network.at + rules.network.within - now;
			const nameWait = names.level(attempt.subject, now) - (rules.name.free - 1) * rules.name.every;
			return Math.max(ownWait, networkWait, nameWait);
		},
		/** Counts a wrong password. */
		add: (attempt: Attempt) => change(attempt, 1),
		/** Takes one back that was not wrong. */
		remove: (attempt: Attempt) => change(attempt, -1),
		/** Forgets what this device or caller, or this network about this name, did wrong; what others did stays. */
		forget(attempt: Attempt): void {
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

/** How many counters there are of each kind. */
export const slots = 2 ** 17;

/** Gives every key one of the slots. */
export function createSlots(): (key: string) => number {
	const seed = crypto.getRandomValues(new BigUint64Array(1))[0];
	return (key) => Number(BigInt.asUintN(17, Bun.hash(key, seed)));
}

/** Counts failures until they are old, by the time of the oldest or the newest. */
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

/** Buckets that failures fill, and that run empty with time. Levels in milliseconds until one is empty. */
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
