import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { objectsIn, type SchemaObjects } from './schema-objects.ts';

/**
 * The statements of every migration in `drizzle/`, oldest first. Imported as a Bun macro: the folder is read
 * when the program is bundled, so the binary carries its migrations and needs no folder beside it.
 */
export function migrations(): string[][] {
	const migrationsFolder = join(import.meta.dir, '../../../drizzle');
	return readMigrationFiles({ migrationsFolder }).map((migration) => migration.sql);
}

/** How many there are: to count the statements themselves would be another copy of them in the program. */
export function migrationCount(): number {
	return migrations().length;
}

/**
 * The schema of an empty database, and the one after each migration. Imported as a Bun macro: to make a schema takes longer than
 * the rest of opening a database.
 */
export function schemas(): SchemaObjects[] {
	return schemasAfter(migrations());
}

/** The schema of an empty database, and the one after each of some migrations. */
export function schemasAfter(migrations: readonly (readonly string[])[]): SchemaObjects[] {
	using memory = new Database(':memory:');
	const made = [objectsIn(memory)];
	for (const statements of migrations) {
		for (const statement of statements) apply(memory, statement);
		made.push(objectsIn(memory));
	}
	return made;
}

/** The bundler shows of an error in a macro that it cannot show it, so what SQLite said is printed before. */
function apply(memory: Database, statement: string): void {
	try {
		memory.run(statement);
	} catch (error) {
		console.error(`a migration fails: ${error instanceof Error ? error.message : error}, in\n${statement}`);
		throw error;
	}
}
