/** The search indexes of the program: what is done with all of them. */
import type { Database } from 'bun:sqlite';
import type { AfterMigration } from '../database/open.ts';
import { searchIndexes } from '../database/schema.ts';
import { areCountsSound, rebuildCounts } from '../employees/search.ts';
import { isSound, rebuild } from '../search/search-index.ts';

/** Fills the indexes when the migration that makes them, or changes what is in them, is applied. */
export const fillSearchIndexes: AfterMigration = {
	9: rebuildIndexes,
	10: (client, progress) => rebuildIndex(client, 'records of the history', progress),
	12: rebuildIndexes,
	13: (client, progress) => rebuildIndex(client, 'employees', progress),
};

/** Builds the indexes and the counts from the rows, inside the caller's transaction. */
export function rebuildIndexes(client: Database, progress: (step: string) => void = () => {}): void {
	for (const rows of Object.keys(searchIndexes) as Indexed[]) rebuildIndex(client, rows, progress);
	rebuildCounts(client);
}

type Indexed = keyof typeof searchIndexes;

function rebuildIndex(client: Database, rows: Indexed, progress: (step: string) => void): void {
	rebuild(client, searchIndexes[rows], (done) => progress(`indexing ${rows} for the search: ${done}`));
}

/** Whether the indexes and the counts hold what the rows say, at one moment. */
export function areIndexesSound(client: Database): boolean {
	const isEach = () => areCountsSound(client) && Object.values(searchIndexes).every((index) => isSound(client, index));
	return client.transaction(isEach)();
}
