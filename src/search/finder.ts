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

/** What a list is found by; its total where that is known without counting. */
interface Sought extends Search {
	range?: IdRange;
	total?: number | undefined;
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

const everyId: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** Pages further down are found by counting {@link piecesOf}, because skipping half of a million rows takes 20 ms. */
const farDown = 20_000;

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

function inOrder({ order }: Page, pieces: IdRange[]): IdRange[] {
	return order === 'asc' ? pieces : pieces.reverse();
}

/** Where an expression is looked for, in SQL: among ids from `?2` to `?3`. */
export function matching({ table }: SearchIndex): string {
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

	function totalIn(search: Search, piece: IdRange, counts: ReturnType<typeof countsOf>): number {
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

	/** The ids of a page that are in a range, read from its nearer end; the offset is from its beginning, or before it. */
	function idsIn(search: Search, { order, limit, offset }: Page, range: IdRange, count: number): number[] {
		const begin = Math.max(0, offset);
		const end = Math.min(count, offset + limit);
		if (begin >= end) return [];
		if (begin <= count - end) return ids(search, { order, limit: end - begin, offset: begin }, range);
		const fromEnd = { order: opposite[order], limit: end - begin, offset: count - end };
		return ids(search, fromEnd, range).reverse();
	}

	function idsFarDown(search: Search, page: Page, range: IdRange): number[] {
		const found: number[] = [];
		const counts = countsOf(client, table);
		let before = 0;
		for (const piece of inOrder(page, pieces(range))) {
			if (before >= page.offset + page.limit) break;
			const count = totalIn(search, piece, counts);
			found.push(...idsIn(search, { ...page, offset: page.offset - before }, piece, count));
			before += count;
		}
		return found;
	}

	const isFarDown = ({ offset, limit }: Page, total: number) => Math.min(offset, total - offset - limit) >= farDown;

	/** One page of what is sought, and how many there are, counted a few milliseconds in each step. */
	function* page(sought: () => Sought, wanted: Page) {
		yield* counting(sought(), wanted);
		// Asked again, because others may have changed it between the steps.
		const { range = everyId, total: known, ...search } = sought();
		const count = known ?? total(search, range);
		const find = isFarDown(wanted, count) ? idsFarDown : idsIn;
		return { ids: find(search, wanted, range, count), total: count };
	}

	/** Counts what a page needs; without anything to count, it takes no step. */
	function* counting({ range = everyId, total: known, ...search }: Sought, wanted: Page) {
		if (known !== undefined && !isFarDown(wanted, known)) return;
		// Even a search that was counted takes long enough to wait for its turn.
		yield;
		let before = 0;
		for (const piece of inOrder(wanted, pieces(range))) {
			if (known !== undefined && before >= wanted.offset + wanted.limit) return;
			const counts = countsOf(client, table);
			const isCounted = counts.get(keyOf(search), piece) !== undefined;
			before += totalIn(search, piece, counts);
			if (!isCounted) yield;
		}
	}

	return { total, ids, page };
}
