/** Storing and checking passwords. Hashing runs on Bun's thread pool, except for one hash in the life of a process. */
import type { Account, StoredPassword } from '../../identity/session/accounts.ts';
import { hasNoPassword } from '../../identity/session/actor.ts';
import { findPattern, passwordAdvice, type Weakness } from '../../platform/vocabulary/password-rule.ts';
import { findReadings } from '../../platform/vocabulary/pinyin.ts';
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';
import commonPasswordsText from './common-passwords.txt' with { type: 'text' };
import { authMessages } from './model.ts';
import { createOneTimePasswords, isOneTime } from './one-time-password.ts';

/** OWASP's minimum for argon2id, some 35 ms of one core: memory in KiB and passes over it. */
export const productionCost = { memoryCost: 19_456, timeCost: 2 };
export type HashCost = typeof productionCost;

/** The argon2id hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
	return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

interface Settings {
	cost: HashCost;
	/** Whether employees need a password of their own, which must be hard to guess. */
	ownPassword: boolean;
	/** The chain's name, which a password must not contain. */
	chainName: () => string | undefined;
}

/** Makes the functions that hash and check passwords. For requests, both run in the guard's queue. */
export function createPasswords(
	secrets: Record<'INITIAL_EMPLOYEE_PASSWORD' | 'PASSWORD_KEY', string>,
	{ cost, ownPassword, chainName }: Settings,
) {
	const initialPassword = secrets.INITIAL_EMPLOYEE_PASSWORD;
	let initialHash: string | undefined;
	const dummy = dummyHash(cost);
	const oneTime = createOneTimePasswords(secrets.PASSWORD_KEY);
	/** Whether a stored password is checked with a slow hash. */
	const isSlow = (stored: StoredPassword) => !isOneTime(stored.passwordHash) && !hasNoPassword(stored, { ownPassword });
	return {
		hash: (password: string) => hashPassword(password, cost),
		/**
		 * Whether the password is the stored one. The check takes equally long for a one-time password, for an unknown
		 * account and where the initial password does not sign in.
		 */
		async verify(password: string, stored: StoredPassword | undefined): Promise<boolean> {
			const slow = stored && isSlow(stored) ? stored.passwordHash : undefined;
			const matches = await Bun.password.verify(password, slow ?? dummy);
			if (slow !== undefined) return matches;
			return stored !== undefined && oneTime.matches(password, stored.passwordHash, stored);
		},
		isInitial: (password: string) => password === initialPassword,
		/** The reason why an account may not choose a password that others know or guess, as a sentence for its owner. */
		weaknessOf(password: string, account: Account): Reason | undefined {
			if (!ownPassword) return undefined;
			if (password === initialPassword) return authMessages.sharedPassword;
			const weakness = findWeakness(password, account, chainName());
			return weakness && because(weakness, passwordAdvice[weakness]);
		},
		/** The hash of the initial password, shared by new employees. It is made for the first of them: a start needs none. */
		initialHash() {
			initialHash ??= Bun.password.hashSync(initialPassword, { algorithm: 'argon2id', ...cost });
			return initialHash;
		},
		oneTime,
	};
}

export type Passwords = ReturnType<typeof createPasswords>;

let commonPasswords: ReadonlySet<string> | undefined;

/** The reason why a password is easy to guess for an account; undefined otherwise. */
export function findWeakness(
	password: string,
	{ username, name }: Pick<Account, 'username' | 'name'>,
	chainName = '',
): Weakness | undefined {
	const readings = findReadings(name + chainName);
	const pinyin = [name, chainName].map((each) => Array.from(each, (sign) => readings.get(sign) ?? sign).join(''));
	commonPasswords ??= new Set(commonPasswordsText.split(/\s+/));
	const isCommon = commonPasswords.has(password.toLowerCase());
	return findPattern(password, [username, name, chainName, ...pinyin]) ?? (isCommon ? 'common_password' : undefined);
}

/** A hash without a password: its salt and digest are random. Checking it takes as long as any other of this cost. */
function dummyHash({ memoryCost, timeCost }: HashCost): string {
	const random = () => crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
	return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${random()}$${random()}`;
}
