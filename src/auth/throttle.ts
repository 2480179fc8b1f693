/**
 * How often passwords can be guessed (README, "Signing in too often"). In memory and bounded: a restart forgets. Known
 * and unknown names are treated alike, and no account is ever locked: its owner gets in from where he got in before.
 */
import { BoundedMap } from '../bounded-map.ts';
import { AppError } from '../errors.ts';
import { clientNetwork } from '../network.ts';
import { authMessages } from './messages.ts';

/** A password that is about to be tried: for which login name, and from where. */
export interface Attempt {
	name: string;
	address: string;
}

/** Counts wrong passwords and says when the next may be tried. */
export interface Throttle {
	/** @throws AppError TOO_MANY_REQUESTS when it is too early for this attempt. */
	require(attempt: Attempt): void;
	/** The password was wrong. */
	failed(attempt: Attempt): void;
	/** The password was right, and let its owner in; `ago` in milliseconds. */
	succeeded(attempt: Attempt, ago?: number): void;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** From one place, one name: ten free, then 2, 4, 8 … seconds between attempts; forgotten after half a day. */
const pairRule = { free: 10, longestWait: 900 * second, forgottenAfter: 12 * hour };
/** One name from everywhere: 30 in an hour, then one a minute, except from where its owner got in. */
const nameRule = { free: 30, window: hour, interval: minute, knownFor: 30 * day };
/** From one place, any name: 300 in ten minutes. */
const addressRule = { free: 300, window: 10 * minute };

/** Names are counted in 65,536 buckets: when all are full they take some 20 MB. */
const bucketBits = 16;

/** How many places are remembered in each of the other tables, some 5 MB in all. */
const remembered = 10_000;

interface PairRecord {
	failures: number;
	last: number;
}

interface AddressRecord {
	failures: number;
	since: number;
}

/** Makes a throttle; `elapsed` gives milliseconds and never goes back. */
export function createThrottle(elapsed: () => number): Throttle {
	const pairs = new BoundedMap<string, PairRecord>(remembered);
	const names = new Map<number, number[]>();
	const seed = crypto.getRandomValues(new BigUint64Array(1))[0];
	const addresses = new BoundedMap<string, AddressRecord>(remembered);
	const known = new BoundedMap<string, number>(remembered);

	/**
	 * Names are counted in buckets, so that no number of other names makes one forgotten; who shares one by chance shares the
	 * count. Which do cannot be found out.
	 */
	function bucketOf(name: string): number {
		return Number(BigInt.asUintN(bucketBits, Bun.hash(name, seed)));
	}

	function waitOfPair(pair: string): number {
		const record = pairs.get(pair);
		if (!record || record.failures < pairRule.free) return 0;
		const wait = Math.min(2 ** (record.failures - pairRule.free + 1) * second, pairRule.longestWait);
		return record.last + wait - elapsed();
	}

	function waitOfName(name: string, pair: string): number {
		const failures = names.get(bucketOf(name)) ?? [];
		const [first = 0] = failures;
		const isBusy = failures.length >= nameRule.free && elapsed() - first < nameRule.window;
		if (!isBusy || isKnown(pair)) return 0;
		return (failures.at(-1) ?? 0) + nameRule.interval - elapsed();
	}

	function isKnown(pair: string): boolean {
		const at = known.get(pair);
		return at !== undefined && elapsed() - at < nameRule.knownFor;
	}

	function waitOfAddress(customer: string): number {
		const record = addresses.get(customer);
		if (!record || record.failures < addressRule.free) return 0;
		return record.since + addressRule.window - elapsed();
	}

	return {
		require({ name, address }) {
			const customer = clientNetwork(address);
			const pair = pairOf(name, customer);
			const wait = Math.max(waitOfPair(pair), waitOfName(name, pair), waitOfAddress(customer));
			if (wait <= 0) return;
			throw new AppError('TOO_MANY_REQUESTS', authMessages.tooManyAttempts, { retryAfter: Math.ceil(wait / second) });
		},
		failed({ name, address }) {
			const now = elapsed();
			const customer = clientNetwork(address);
			const pair = pairOf(name, customer);
			const ofPair = pairs.get(pair);
			const isOld = ofPair === undefined || now - ofPair.last > pairRule.forgottenAfter;
			pairs.set(pair, { failures: (isOld ? 0 : ofPair.failures) + 1, last: now });
			const bucket = bucketOf(name);
			names.set(bucket, [...(names.get(bucket) ?? []), now].slice(-nameRule.free));
			const ofAddress = addresses.get(customer);
			const isOver = ofAddress === undefined || now - ofAddress.since >= addressRule.window;
			addresses.set(
				customer,
				isOver ? { failures: 1, since: now } : { ...ofAddress, failures: ofAddress.failures + 1 },
			);
		},
		succeeded({ name, address }, ago = 0) {
			const pair = pairOf(name, clientNetwork(address));
			pairs.delete(pair);
			known.set(pair, elapsed() - ago);
		},
	};
}

/** Lets everything through: for test rigs on loopback (LOGIN_THROTTLE=off). */
export const noThrottle: Throttle = { require() {}, failed() {}, succeeded() {} };

/** An address holds no space, so no two pairs are written alike. */
function pairOf(name: string, customer: string): string {
	return `${customer} ${name}`;
}
