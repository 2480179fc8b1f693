/** The search indexes of the program: what is done with all of them. */
import { type Database, SQLiteError } from 'bun:sqlite';
import type { AfterMigration, Db } from '../database/open.ts';
import { searchIndexes } from '../database/schema.ts';
import { areCountsSound, rebuildCounts } from '../employees/search.ts';
import { changesOf, isSound, mergeSome, rebuild } from '../search/search-index.ts';

/** Fills the indexes when the migration that makes them, or changes what is in them, is applied. */
export const fillSearchIndexes: AfterMigration = {
	9: rebuildIndexes,
	10: (client, progress) => rebuildIndex(client, 'records of the history', progress),
	12: rebuildIndexes,
	13: (client, progress) => rebuildIndex(client, 'employees', progress),
};

/** Builds the indexes and the counts from the rows, inside the caller's transaction. */
export function rebuildIndexes(client: Database, progress: (step: string) => void = () => {}): void {
	for (const rows of indexedRows) rebuildIndex(client, rows, progress);
	rebuildCounts(client);
}

const indexedRows = Object.keys(searchIndexes) as (keyof typeof searchIndexes)[];

function rebuildIndex(client: Database, rows: keyof typeof searchIndexes, progress: (step: string) => void): void {
	rebuild(client, searchIndexes[rows], (done) => progress(`indexing ${rows} for the search: ${done}`));
}

/** Whether the indexes and the counts hold what the rows say, at one moment. */
export function areIndexesSound(client: Database): boolean {
	const isEach = () => areCountsSound(client) && Object.values(searchIndexes).every((index) => isSound(client, index));
	return client.transaction(isEach)();
}

/** The pause after a step of merging, in milliseconds: when there is more to do, and when there is not. */
const pauses = { busy: 20, idle: 1000 };

/** Starts to merge the indexes in the background, after changes. @returns stop. */
export function mergeInBackground({ $client }: Db): () => void {
	let merged = -1;
	let timer: ReturnType<typeof setTimeout>;

	/** @returns whether there may be more to merge. */
	function step(): boolean {
		if (changesOf($client) === merged) return false;
		try {
			const found = Object.values(searchIndexes).map((index) => mergeSome($client, index));
			if (!found.includes(true)) merged = changesOf($client);
			return found.includes(true);
		} catch (error) {
			// A full disk, for one: the next change reports it, and the next step tries again.
			if (error instanceof SQLiteError) return false;
			throw error;
		}
	}

	function run(): void {
		timer = setTimeout(run, step() ? pauses.busy : pauses.idle);
	}

	timer = setTimeout(run, pauses.idle);
	return () => clearTimeout(timer);
}
