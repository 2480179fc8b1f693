/** The versions of the schema, and what each of them holds. */
import type { Database } from 'bun:sqlite';
import { migrations, schemas } from './migrations.ts' with { type: 'macro' };
import { objectsIn } from './schema-objects.ts';

/** The schema that the first migration makes. Databases of earlier ones are upgraded by version 0.8.0 of the program. */
export const firstSchema = 8;

/** The schema that this program writes. */
export function schemaVersion(): number {
	return firstSchema + migrations().length - 1;
}

/** How many migrations a database of a schema has seen; 0 is the schema of an empty one. */
export function migrationsUpTo(schema: number): number {
	return schema === 0 ? 0 : schema - firstSchema + 1;
}

/**
 * The first difference between the schema of a database and the one that the migrations up to schema `version` create, such as
 * `trigger history_no_update is missing`; undefined when both are the same.
 */
export function schemaDifference(client: Database, version: number): string | undefined {
	const found = objectsIn(client);
	const expected = schemas()[migrationsUpTo(version)];
	if (!expected) throw new Error(`there are no migrations that make schema ${version}`);
	for (const [name, statement] of Object.entries(expected)) {
		if (found[name] === undefined) return `${name} is missing`;
		if (found[name] !== statement) return `${name} is different`;
	}
	const extra = Object.keys(found).find((name) => expected[name] === undefined);
	return extra && `${extra} does not belong to it`;
}
