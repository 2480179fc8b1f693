import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { listObjects, type SchemaObjects } from './schema-objects.ts';

/**
 * The statements of every migration in `drizzle/`, oldest first. Imported as a Bun macro: the bundler reads the folder,
 * so the binary carries its migrations.
 */
export function migrations(): string[][] {
	const migrationsFolder = join(import.meta.dir, '../../../drizzle');
	return readMigrationFiles({ migrationsFolder }).map((migration) => migration.sql);
}

/**
 * The schema of an empty database, and the schema after each migration. Imported as a Bun macro, because making a
 * schema takes longer than the rest of opening a database.
 */
export function schemas(applied: readonly (readonly string[])[] = migrations()): SchemaObjects[] {
	using memory = new Database(':memory:');
	const made = [listObjects(memory)];
	for (const statements of applied) {
		for (const statement of statements) apply(memory, statement);
		made.push(listObjects(memory));
	}
	return made;
}

/** Runs a statement, and prints an error of SQLite, because the bundler cannot show the error of a macro. */
function apply(memory: Database, statement: string): void {
	try {
		memory.run(statement);
	} catch (error) {
		console.error(`a migration fails: ${error instanceof Error ? error.message : error}, in\n${statement}`);
		throw error;
	}
}
