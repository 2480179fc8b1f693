/** The versions of the schema, and what each of them holds. */
import type { Database } from 'bun:sqlite';
import { migrationCount, schemas } from './migrations.ts' with { type: 'macro' };
import { objectsIn } from './schema-objects.ts';

/** The schema that this program writes: each migration makes the next one, and 0 is that of an empty database. */
export function schemaVersion(): number {
	return migrationCount();
}

/** The first difference to the schema of a version, such as `trigger history_no_update is missing`, if there is one. */
export function schemaDifference(client: Database, version: number): string | undefined {
	const found = objectsIn(client);
	const expected = schemas()[version];
	if (!expected) throw new Error(`there are no migrations that make schema ${version}`);
	for (const [name, statement] of Object.entries(expected)) {
		if (found[name] === undefined) return `${name} is missing`;
		if (found[name] !== statement) return `${name} is different`;
	}
	const extra = Object.keys(found).find((name) => expected[name] === undefined);
	return extra && `${extra} does not belong to it`;
}
