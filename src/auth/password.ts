/** How passwords are stored and checked. The work is done on Bun's thread pool, never on the main thread. */

/** The cost of one argon2id hash: memory in KiB and passes over it. */
export interface HashCost {
	memoryCost: number;
	timeCost: number;
}

/** OWASP's minimum for argon2id, some 35 ms of one core. */
export const productionCost: HashCost = { memoryCost: 19_456, timeCost: 2 };

/** Hashes and checks passwords at one cost. For a request both run in the guard's line. */
export interface Passwords {
	/** The argon2id hash of a password, with a salt of its own. */
	hash(password: string): Promise<string>;
	/** Whether the password is the one that was hashed. Without a hash (no such account) it takes as long and says no. */
	verify(password: string, hash: string | undefined): Promise<boolean>;
	/** Whether a hash was made at a lower cost than hashes are made now. */
	isOutdated(hash: string): boolean;
	/** Whether a password is the initial one. */
	isInitial(password: string): boolean;
	/** The hash of the initial password, the same for every new employee. */
	initialHash: string;
}

/** The argon2id hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
	return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

/**
 * Makes the password functions for a hash cost and the installation's initial employee password, which is hashed once, so
 * that no request waits for it.
 */
export async function createPasswords(cost: HashCost, initialPassword: string): Promise<Passwords> {
	const nobody = hashOfNothing(cost);
	return {
		hash: (password) => hashPassword(password, cost),
		async verify(password, stored) {
			const matches = await Bun.password.verify(password, stored ?? nobody);
			return matches && stored !== undefined;
		},
		isOutdated: (stored) => isCheaper(stored, cost),
		isInitial: (password) => password === initialPassword,
		initialHash: await hashPassword(initialPassword, cost),
	};
}

/** The cost is part of an argon2id hash: `$argon2id$v=19$m=19456,t=2,p=1$…`. */
function isCheaper(hash: string, { memoryCost, timeCost }: HashCost): boolean {
	const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
	return Number(memory) < memoryCost || Number(time) < timeCost;
}

/** A hash that no password has: its salt and digest are random. Checking it takes as long as any other of that cost. */
function hashOfNothing({ memoryCost, timeCost }: HashCost): string {
	const random = () => crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
	return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${random()}$${random()}`;
}
