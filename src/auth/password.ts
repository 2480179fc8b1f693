/** How passwords are stored and checked. The work is done on Bun's thread pool, never on the main thread. */
import type { StoredPassword } from '../session/accounts.ts';
import { createOneTimePasswords, isOneTime } from './one-time-password.ts';

/** OWASP's minimum for argon2id, some 35 ms of one core: memory in KiB and passes over it. */
export const productionCost = { memoryCost: 19_456, timeCost: 2 };
export type HashCost = typeof productionCost;

/** The argon2id hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
	return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

type SecretName = 'INITIAL_EMPLOYEE_PASSWORD' | 'PASSWORD_KEY';

/**
 * Makes what hashes and checks passwords at one cost, with the installation's secrets. For a request both run in the guard's
 * line. The initial password is hashed once, so that no request waits for it.
 */
export async function createPasswords(
	cost: HashCost,
	{ INITIAL_EMPLOYEE_PASSWORD: initialPassword, PASSWORD_KEY }: Record<SecretName, string>,
) {
	const nobody = hashOfNothing(cost);
	const oneTime = createOneTimePasswords(PASSWORD_KEY);
	return {
		/** The argon2id hash of a password, with a salt of its own. */
		hash: (password: string) => hashPassword(password, cost),
		/**
		 * Whether the password is the stored one. It takes as long for a one-time password, and without a stored one (no such
		 * account), to which it says no.
		 */
		async verify(password: string, stored: StoredPassword | undefined): Promise<boolean> {
			const isFast = stored === undefined || isOneTime(stored.passwordHash);
			const matches = await Bun.password.verify(password, isFast ? nobody : stored.passwordHash);
			if (!isFast) return matches;
			return stored?.accountType === 'EMPLOYEE' && oneTime.matches(password, stored.passwordHash, stored.id);
		},
		/** Whether a password is the initial one. */
		isInitial: (password: string) => password === initialPassword,
		/** The hash of the initial password, the same for every new employee. */
		initialHash: await hashPassword(initialPassword, cost),
		oneTime,
	};
}

/** Hashes and checks passwords: see {@link createPasswords}. */
export type Passwords = Awaited<ReturnType<typeof createPasswords>>;

/** A hash that no password has: its salt and digest are random. Checking it takes as long as any other of that cost. */
function hashOfNothing({ memoryCost, timeCost }: HashCost): string {
	const random = () => crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
	return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${random()}$${random()}`;
}
