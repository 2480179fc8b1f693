/** The search indexes of the program: what is done with all of them. */
import { type Database, SQLiteError } from 'bun:sqlite';
import type { AfterMigration, Db } from '../platform/database/open.ts';
import { searchIndexes } from '../platform/database/schema.ts';
import { inSteps } from '../platform/machine/background.ts';
import { changesOf, isSound, mergeSome, rebuild } from '../platform/search/search-index.ts';

/** Fills the indexes after a migration that changes what is in them, by the schema that it makes: `{ 2: rebuildIndexes }`. */
export const fillSearchIndexes: AfterMigration = {};

/** Builds the indexes from the rows, inside the caller's transaction. */
export function rebuildIndexes(client: Database, progress: (step: string) => void = () => {}): void {
	for (const [rows, index] of Object.entries(searchIndexes)) {
		rebuild(client, index, (done) => progress(`indexing ${rows} for the search: ${done}`));
	}
}

/** Whether the indexes hold what the rows say, at one moment. */
export function areIndexesSound(client: Database): boolean {
	const isEach = () => Object.values(searchIndexes).every((index) => isSound(client, index));
	return client.transaction(isEach)();
}

/** Merges the search indexes after changes, in a quarter of the time: faster than imports can follow one another. @returns stop. */
export function mergeInBackground({ $client }: Db): () => void {
	let merged = -1;
	return inSteps(() => {
		if (changesOf($client) === merged) return false;
		try {
			const hasMore = Object.values(searchIndexes).some((index) => mergeSome($client, index));
			if (!hasMore) merged = changesOf($client);
			return hasMore;
		} catch (error) {
			// A full disk, for one: the next change reports it, and the next step tries again.
			if (error instanceof SQLiteError) return false;
			throw error;
		}
	}, 1000);
}
