import type { Database } from 'bun:sqlite';
import { migrations } from './migrations.ts' with { type: 'macro' };
import { schemaDigests } from './schema-digests.ts' with { type: 'macro' };
import { digestOf, objectsIn, type SchemaObjects, schemasOf } from './schema-objects.ts';
import { migrationsUpTo } from './schema-version.ts';

/**
 * The first difference between the schema of a database and the one that the migrations up to schema `version` create, such as
 * `trigger history_no_update is missing`; undefined when both are the same.
 */
export function schemaDifference(client: Database, version: number): string | undefined {
	const found = objectsIn(client);
	if (digestOf(found) === schemaDigests()[migrationsUpTo(version)]) return undefined;
	const expected = expectedSchema(version);
	for (const [name, statement] of expected) {
		const other = found.get(name);
		if (other === undefined) return `${name} is missing`;
		if (other !== statement) return `${name} is different`;
	}
	const extra = Array.from(found.keys()).find((name) => !expected.has(name));
	return extra && `${extra} does not belong to it`;
}

function expectedSchema(version: number): SchemaObjects {
	const schemas = Array.from(schemasOf(migrations().slice(0, migrationsUpTo(version))));
	return schemas.at(-1) ?? new Map();
}
