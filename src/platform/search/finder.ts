/** Finds the rows of an index. */
import type { Database } from 'bun:sqlite';
import { countsOf, type IdRange, pieceSize } from './counts.ts';
import type { SearchIndex } from './search-index.ts';

/** Which of the rows that were found to read. */
interface Page {
	order: 'asc' | 'desc';
	limit: number;
	offset: number;
}

/** What the index is asked for. */
interface Search {
	expression: string;
	/** The value of the finder's own condition; without one it looks for the expression only. */
	given?: string | number | undefined;
}

const everyId: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** The ids of a range in pieces. Their bounds do not depend on how many rows there are, so counts stay useful. */
function piecesOf(range: IdRange, lastId: number): IdRange[] {
	const firstPiece = Math.floor(range.first / pieceSize);
	const length = Math.floor(Math.min(range.last, lastId) / pieceSize) - firstPiece + 1;
	return Array.from({ length: Math.max(0, length) }, (_, index) => {
		const start = (firstPiece + index) * pieceSize;
		const last = start + pieceSize - 1;
		// A row that is added later belongs to the last piece, too.
		return { first: Math.max(range.first, start), last: range.last < lastId ? Math.min(range.last, last) : last };
	});
}

/** By what totals of a search are remembered. Short: the stores of a large chain have 100 kB, and totals are thousands. */
const keyOf = ({ expression, given }: Search) =>
	given === undefined ? expression : `${Bun.hash(String(given))} ${expression}`;

/** Where an expression is looked for, in SQL: among ids from `?2` to `?3`. */
function matching({ table }: SearchIndex): string {
	return `from ${table} where ${table} match ?1 and rowid between ?2 and ?3`;
}

/**
 * Finds the rows of a table by an expression of `expression.ts`.
 * @param givenFrom where a search with a value `?4` looks.
 */
export function finderOf(client: Database, index: SearchIndex, givenFrom = matching(index)) {
	const { table } = index;
	const statementsFor = (rows: string) => {
		const pageIn = (order: string) =>
			client.prepare<{ id: number }, (string | number)[]>(
				`select rowid as id ${rows} order by rowid ${order} limit ? offset ?`,
			);
		const counted = client.prepare<{ total: number }, (string | number)[]>(`select count(*) as total ${rows}`);
		return { asc: pageIn('asc'), desc: pageIn('desc'), counted };
	};
	// Not one for both: a condition that does not apply takes longer than the rest of a page.
	const [statements, conditional] = [statementsFor(matching(index)), statementsFor(givenFrom)];
	const statementsOf = ({ given }: Search) => (given === undefined ? statements : conditional);
	const bindingsOf = ({ expression, given }: Search, { first, last }: IdRange) =>
		given === undefined ? [expression, first, last] : [expression, first, last, given];
	const lastId = client.prepare<{ id: number | null }, []>(`select max(id) as id from ${table}_docsize`);

	const pieces = (range: IdRange) => piecesOf(range, lastId.get()?.id ?? 0);

	function totalIn(search: Search, piece: IdRange, counts = countsOf(client, table)): number {
		const before = counts.get(keyOf(search), piece);
		if (before !== undefined) return before;
		const total = statementsOf(search).counted.get(...bindingsOf(search, piece))?.total ?? 0;
		counts.set(keyOf(search), piece, total);
		return total;
	}

	/** How many rows a search finds. */
	function total(search: Search, range = everyId): number {
		const counts = countsOf(client, table);
		return pieces(range).reduce((sum, piece) => sum + totalIn(search, piece, counts), 0);
	}

	/** The ids of some of them. */
	function ids(search: Search, { order, limit, offset }: Page, range = everyId): number[] {
		const found = statementsOf(search)[order].all(...bindingsOf(search, range), limit, offset);
		return found.map((row) => row.id);
	}

	/** One page of what is sought, and how many there are. Each step counts a piece that is not counted yet. */
	function* page(sought: () => Search & { range?: IdRange }, { order, limit, offset }: Page) {
		const { range: asked = everyId, ...first } = sought();
		for (const piece of pieces(asked)) {
			if (countsOf(client, table).get(keyOf(first), piece) !== undefined) continue;
			yield;
			totalIn(first, piece);
		}
		// Asked again, because others may have changed it between the steps.
		const { range = everyId, ...search } = sought();
		const counts = countsOf(client, table);
		const inOrder = order === 'asc' ? pieces(range) : pieces(range).reverse();
		const found: number[] = [];
		let before = 0;
		for (const piece of inOrder) {
			const count = totalIn(search, piece, counts);
			const [skipped, wanted] = [Math.max(0, offset - before), limit - found.length];
			if (skipped < count && wanted > 0) found.push(...ids(search, { order, limit: wanted, offset: skipped }, piece));
			before += count;
		}
		return { ids: found, total: before };
	}

	return { total, ids, page };
}
