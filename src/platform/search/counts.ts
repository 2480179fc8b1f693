/**
 * How many rows an expression finds, remembered for the next page of a list or the next reader of it. Counting a million
 * rows takes 50 ms, so they are counted among some ids at a time: a change makes only the pieces useless that it touches.
 */
import type { Database } from 'bun:sqlite';
import QuickLRU from 'quick-lru';

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

/** Rows are counted among so many ids at a time: 1 ms, or 6 with stores beside the expression. */
export const pieceSize = 2 ** 14;

/** What is remembered of a table. */
interface Remembered {
	/** Another one after another process changed the database, such as a command. */
	dataVersion: number | undefined;
	/** How often a piece changed. */
	changes: Map<number, number>;
	totals: QuickLRU<string, number>;
}

const remembered = new WeakMap<Database, Map<string, Remembered>>();

function rememberedOf(client: Database, table: string): Remembered {
	const dataVersion = client.query<{ data_version: number }, []>('pragma data_version').get()?.data_version;
	const tables = remembered.getOrInsertComputed(client, () => new Map());
	const known = tables.get(table);
	if (known && known.dataVersion === dataVersion) return known;
	const empty: Remembered = { dataVersion, changes: new Map(), totals: new QuickLRU({ maxSize: 4000 }) };
	tables.set(table, empty);
	return empty;
}

/** The totals of a table that are still right, by the expression and a range of ids within one piece. */
export function countsOf(client: Database, table: string) {
	const { totals, changes } = rememberedOf(client, table);
	const keyOf = (expression: string, { first, last }: IdRange) =>
		`${first} ${last} ${changes.get(Math.floor(first / pieceSize))} ${expression}`;
	return {
		get: (expression: string, piece: IdRange) => totals.get(keyOf(expression, piece)),
		set: (expression: string, piece: IdRange, total: number) => void totals.set(keyOf(expression, piece), total),
	};
}

/** The databases whose present transaction has changed an index. */
const changing = new WeakSet<Database>();

/** Forgets what was counted among the ids that change now. */
export function forgetChanged(client: Database, table: string): void {
	changing.add(client);
	const { changes } = rememberedOf(client, table);
	const pieces = client.query<{ piece: number }, [number]>(`select distinct id / ? as piece from ${table}_pending`);
	for (const { piece } of pieces.all(pieceSize)) changes.set(piece, (changes.get(piece) ?? 0) + 1);
}

/** Ends a transaction. What was counted in one that is undone is wrong only if it had changed an index. */
export function endCounting(client: Database, { isKept }: { isKept: boolean }): void {
	if (!isKept && changing.has(client)) forgetCounts(client);
	if (!client.inTransaction) changing.delete(client);
}

/** Forgets all that was counted, because changes were undone or the index was built again. */
export function forgetCounts(client: Database): void {
	remembered.delete(client);
}
