/** Whether the database works. */
import { sql } from 'drizzle-orm';
import { databaseMessages } from '../database/messages.ts';
import type { Db } from '../database/open.ts';
import { transaction } from '../database/query.ts';
import { installation } from '../database/schema.ts';
import { AppError } from '../errors.ts';

/**
 * Reads a page, and looks whether what is written stays: the files are in their place and the last write was stored. If
 * it was not, one is tried, so that the service is well again as soon as the disk is.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export function requireDatabase(db: Db): void {
	try {
		db.get(sql`select 1 from sqlite_schema limit 1`);
		if (db.storage.isInPlace() && !db.storage.lastWriteFailed) return;
		transaction(db, () => db.update(installation).set({ id: 1 }).run());
	} catch (cause) {
		throw new AppError('SERVICE_UNAVAILABLE', databaseMessages.unreachable, { cause });
	}
}
