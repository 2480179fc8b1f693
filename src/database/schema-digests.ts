import { migrations } from './migrations.ts';
import { digestOf, schemasOf } from './schema-objects.ts';

/**
 * The digest of the schema of each version, up to the first migration that fails. Imported as a Bun macro: to make a schema
 * takes longer than the rest of opening a database.
 */
export function schemaDigests(): string[] {
	const digests: string[] = [];
	try {
		for (const objects of schemasOf(migrations())) digests.push(digestOf(objects));
	} catch {
		// A migration that fails is reported when it is applied to a database.
	}
	return digests;
}
