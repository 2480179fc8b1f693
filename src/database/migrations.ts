import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';

/**
 * The statements of every migration in `drizzle/`, oldest first. Imported as a Bun macro: the folder is read
 * when the program is bundled, so the binary carries its migrations and needs no folder beside it.
 */
export function migrations(): string[][] {
	const migrationsFolder = join(import.meta.dir, '../../drizzle');
	return readMigrationFiles({ migrationsFolder }).map((migration) => migration.sql);
}
