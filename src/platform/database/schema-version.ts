/** The versions of the schema, and the content of each. */
import type { Database } from 'bun:sqlite';
import { schemas } from './migrations.ts' with { type: 'macro' };
import { listObjects } from './schema-objects.ts';

const versions = schemas();

/** The schema version of this program. Each migration makes the next version, and an empty database has version 0. */
export const schemaVersion = versions.length - 1;

/** The last schema with the search engine of 1.0 and 1.1, and its objects. New databases never have one. */
const lastWithSearchEngine = 5;
const searchEngine = / (sqlite_autoindex_)?((employee|history)_(search|tokens)|employee_counts|pinyin|text_positions)/;

/** The first difference from the schema of a version, if any, such as `trigger history_no_update is missing`. */
export function findSchemaDifference(client: Database, version: number): string | undefined {
	const all = Object.entries(listObjects(client));
	const isCompared = (name: string) => version > lastWithSearchEngine || !searchEngine.test(name);
	const found = Object.fromEntries(all.filter(([name]) => isCompared(name)));
	const expected = versions[version];
	if (!expected) throw new Error(`there are no migrations that make schema ${version}`);
	for (const [name, statement] of Object.entries(expected)) {
		if (found[name] === undefined) return `${name} is missing`;
		if (found[name] !== statement) return `${name} is different`;
	}
	const extra = Object.keys(found).find((name) => expected[name] === undefined);
	return extra && `${extra} does not belong to it`;
}
