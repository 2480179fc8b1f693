/** Ending an account's tokens for good. */
import { type SQL, sql } from 'drizzle-orm';
import type { administrators, employees } from '../database/schema.ts';

/** The values of an update that ends every token the account has: tokens carry the version that this one replaces. */
export function endingTokens(table: typeof administrators | typeof employees): { tokenVersion: SQL } {
	return { tokenVersion: sql`${table.tokenVersion} + 1` };
}
