/** Ending an account's tokens for good. */
import { type SQL, sql } from 'drizzle-orm';
import { administrators, type employees } from '../database/schema.ts';

/** The values of an update that ends every token the account has: tokens carry the version that this one replaces. */
export function endingTokens(table: typeof administrators | typeof employees): { tokenVersion: SQL } {
	return { tokenVersion: sql`${table.tokenVersion} + 1` };
}

/** The values of an update that sets another password of the administrator, which also ends the account's tokens; `at` in ISO 8601. */
export function newAdministratorPassword(passwordHash: string, at: string) {
	return { passwordHash, passwordChangedAt: at, updatedAt: at, ...endingTokens(administrators) };
}
