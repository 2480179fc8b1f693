/** What the first start adds to an empty installation. */
import { lacksAdministrator, seedAdministrator } from '../auth/administrator.ts';
import type { Passwords } from '../auth/password.ts';
import type { Db } from '../database/open.ts';
import { operator } from '../history/record.ts';
import type { SecretName } from '../secrets.ts';

/** Adds the super administrator on the first start. Hashing takes as long as the rest of that start, so only sign-ins wait for it. */
export async function installAdministrator(
	{ db, passwords, clock, user }: { db: Db; passwords: Passwords; clock: () => Date; user: string },
	{ username, password }: { username: string; password: string },
): Promise<void> {
	if (!lacksAdministrator(db)) return;
	seedAdministrator(db, operator(user), username, await passwords.hash(password), clock().toISOString());
}

/** The secrets that this start needs. The administrator's password is needed on the first start only; later the database has its hash. */
export function neededSecrets(db: Db): SecretName[] {
	const always: SecretName[] = ['INITIAL_EMPLOYEE_PASSWORD', 'JWT_SECRET'];
	return lacksAdministrator(db) ? ['ADMIN_PASSWORD', ...always] : always;
}
