import { migrations } from './migrations.ts' with { type: 'macro' };

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
