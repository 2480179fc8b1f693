/** How passwords are stored and checked. The work is done on Bun's thread pool, never on the main thread. */

import type { AccountType } from '../vocabulary/accounts.ts';
import { createOneTimePasswords, isOneTime, type OneTimePasswords } from './one-time-password.ts';

/** The cost of one argon2id hash: memory in KiB and passes over it. */
export interface HashCost {
	memoryCost: number;
	timeCost: number;
}

/** OWASP's minimum for argon2id, some 35 ms of one core. */
export const productionCost: HashCost = { memoryCost: 19_456, timeCost: 2 };

/** The password of an account as it is stored. */
export interface StoredPassword {
	accountType: AccountType;
	id: number;
	passwordHash: string;
	/** Until when it can be used, in ISO 8601, if it is a one-time password. */
	passwordExpiresAt?: string | null;
}

/** Hashes and checks passwords at one cost. For a request both run in the guard's line. */
export interface Passwords {
	/** The argon2id hash of a password, with a salt of its own. */
	hash(password: string): Promise<string>;
	/**
	 * Whether the password is the stored one. It takes as long for a one-time password, and without a stored one (no such
	 * account), to which it says no.
	 */
	verify(password: string, stored: StoredPassword | undefined): Promise<boolean>;
	/** Whether a hash was made at a lower cost than hashes are made now. */
	isOutdated(hash: string): boolean;
	/** Whether a password is the initial one. */
	isInitial(password: string): boolean;
	/** The hash of the initial password, the same for every new employee. */
	initialHash: string;
	oneTime: OneTimePasswords;
}

/** The secrets that passwords depend on. */
export interface PasswordSecrets {
	/** The initial password of every new employee. */
	INITIAL_EMPLOYEE_PASSWORD: string;
	/** The key of one-time passwords. */
	PASSWORD_KEY: string;
}

/** The argon2id hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
	return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

/**
 * Makes the password functions for a hash cost and the installation's secrets. The initial password is hashed once, so that no
 * request waits for it.
 */
export async function createPasswords(
	cost: HashCost,
	{ INITIAL_EMPLOYEE_PASSWORD: initialPassword, PASSWORD_KEY }: PasswordSecrets,
): Promise<Passwords> {
	const nobody = hashOfNothing(cost);
	const oneTime = createOneTimePasswords(PASSWORD_KEY);
	const isOneTimePasswordOf = (stored: StoredPassword | undefined, password: string) =>
		stored?.accountType === 'EMPLOYEE' && oneTime.matches(password, stored.passwordHash, stored.id);
	return {
		hash: (password) => hashPassword(password, cost),
		async verify(password, stored) {
			const isFast = stored === undefined || isOneTime(stored.passwordHash);
			const matches = await Bun.password.verify(password, isFast ? nobody : stored.passwordHash);
			return isFast ? isOneTimePasswordOf(stored, password) : matches;
		},
		isOutdated: (stored) => isCheaper(stored, cost),
		isInitial: (password) => password === initialPassword,
		initialHash: await hashPassword(initialPassword, cost),
		oneTime,
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
