/** How passwords are stored and checked. The work is done on Bun's thread pool, never on the main thread. */
import { createHashQueue, type HashQueueLimits, productionLimits } from './hash-queue.ts';

/** The cost of one argon2id hash: memory in KiB and passes over it. */
export interface HashCost {
	memoryCost: number;
	timeCost: number;
}

/** OWASP's minimum for argon2id, some 50 ms of one core. */
export const productionCost: HashCost = { memoryCost: 19_456, timeCost: 2 };

/** Hashes and checks passwords at one cost. */
export interface Passwords {
	/**
	 * The argon2id hash of a password, with a salt of its own.
	 * @throws AppError SERVICE_UNAVAILABLE when too many are waiting for theirs; so does `verify`.
	 */
	hash(password: string): Promise<string>;
	/**
	 * Whether the password is the one that was hashed. Without a hash (no such account) it takes as long and says no.
	 * `beforeWork` is called when its turn has come, and may refuse by throwing.
	 */
	verify(password: string, hash: string | undefined, beforeWork?: () => void): Promise<boolean>;
	/** Whether a hash was made at a lower cost than hashes are made now. */
	isOutdated(hash: string): boolean;
	/** Whether a password is the initial one. */
	isInitial(password: string): boolean;
	/** The hash of the initial password, the same for every new employee; there once {@link prepare} is done. */
	readonly initialHash: string;
	/** Computes the initial hash, and the hash that unknown accounts are checked against. */
	prepare(): Promise<void>;
}

/** The argon2id hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
	return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

/** Makes the password functions for a hash cost and the installation's initial employee password. */
export function createPasswords(
	cost: HashCost,
	initialPassword: string,
	limits: HashQueueLimits = productionLimits,
): Passwords {
	const queue = createHashQueue(limits);
	let initialHash: string | undefined;
	const nobody = once(() => hashPassword(crypto.randomUUID(), cost));
	return {
		hash: (password) => queue(() => hashPassword(password, cost)),
		verify: (password, stored, beforeWork) =>
			queue(async () => {
				beforeWork?.();
				const matches = await Bun.password.verify(password, stored ?? (await nobody()));
				return matches && stored !== undefined;
			}),
		isOutdated: (stored) => isCheaper(stored, cost),
		isInitial: (password) => password === initialPassword,
		get initialHash() {
			if (initialHash === undefined) throw new Error('the initial password is hashed before requests are served');
			return initialHash;
		},
		async prepare() {
			initialHash ??= await hashPassword(initialPassword, cost);
			await nobody();
		},
	};
}

/** The cost of an argon2id hash stands in it: `$argon2id$v=19$m=19456,t=2,p=1$…`. */
function isCheaper(hash: string, { memoryCost, timeCost }: HashCost): boolean {
	const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
	return Number(memory) < memoryCost || Number(time) < timeCost;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
	let started: Promise<T> | undefined;
	return () => {
		started ??= work();
		return started;
	};
}
