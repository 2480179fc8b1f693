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

/** What a list is found by; its total where that is known without counting. */
interface Sought {
	expression: string;
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

function inOrder({ order }: Page, pieces: IdRange[]): IdRange[] {
	return order === 'asc' ? pieces : pieces.reverse();
}

/** Finds the rows of a table by an expression of `expression.ts`. */
export function finderOf(client: Database, { table }: SearchIndex) {
	const from = `from ${table} where ${table} match ?1 and rowid between ?2 and ?3`;
	const pageIn = (order: string) =>
		client.prepare<{ id: number }, (string | number)[]>(
			`select rowid as id ${from} order by rowid ${order} limit ?4 offset ?5`,
		);
	const pages = { asc: pageIn('asc'), desc: pageIn('desc') };
	const counted = client.prepare<{ total: number }, (string | number)[]>(`select count(*) as total ${from}`);
	const lastId = client.prepare<{ id: number | null }, []>(`select max(id) as id from ${table}_docsize`);

	const pieces = (range: IdRange) => piecesOf(range, lastId.get()?.id ?? 0);

	function totalIn(expression: string, piece: IdRange, counts: ReturnType<typeof countsOf>): number {
		const before = counts.get(expression, piece);
		if (before !== undefined) return before;
		const total = counted.get(expression, piece.first, piece.last)?.total ?? 0;
		counts.set(expression, piece, total);
		return total;
	}

	/** How many rows an expression finds. */
	function total(expression: string, range = everyId): number {
		const counts = countsOf(client, table);
		return pieces(range).reduce((sum, piece) => sum + totalIn(expression, piece, counts), 0);
	}

	/** The ids of some of them. */
	function ids(expression: string, { order, limit, offset }: Page, { first, last } = everyId): number[] {
		return pages[order].all(expression, first, last, limit, offset).map((row) => row.id);
	}

	/** The ids of a page that are in a range, read from its nearer end; the offset is from its beginning, or before it. */
	function idsIn(expression: string, { order, limit, offset }: Page, range: IdRange, count: number): number[] {
		const begin = Math.max(0, offset);
		const end = Math.min(count, offset + limit);
		if (begin >= end) return [];
		if (begin <= count - end) return ids(expression, { order, limit: end - begin, offset: begin }, range);
		const fromEnd = { order: opposite[order], limit: end - begin, offset: count - end };
		return ids(expression, fromEnd, range).reverse();
	}

	function idsFarDown(expression: string, page: Page, range: IdRange): number[] {
		const found: number[] = [];
		const counts = countsOf(client, table);
		let before = 0;
		for (const piece of inOrder(page, pieces(range))) {
			if (before >= page.offset + page.limit) break;
			const count = totalIn(expression, piece, counts);
			found.push(...idsIn(expression, { ...page, offset: page.offset - before }, piece, count));
			before += count;
		}
		return found;
	}

	const isFarDown = ({ offset, limit }: Page, total: number) => Math.min(offset, total - offset - limit) >= farDown;

	/** One page of what is sought, and how many there are, counted a few milliseconds in each step. */
	function* page(sought: () => Sought, wanted: Page) {
		yield* counting(sought(), wanted);
		// Asked again, because others may have changed it between the steps.
		const { expression, range = everyId, total: known } = sought();
		const count = known ?? total(expression, range);
		const find = isFarDown(wanted, count) ? idsFarDown : idsIn;
		return { ids: find(expression, wanted, range, count), total: count };
	}

	/** Counts what a page needs. */
	function* counting({ expression, range = everyId, total: known }: Sought, wanted: Page) {
		if (known !== undefined && !isFarDown(wanted, known)) return;
		let before = 0;
		for (const piece of inOrder(wanted, pieces(range))) {
			if (known !== undefined && before >= wanted.offset + wanted.limit) return;
			const counts = countsOf(client, table);
			const isCounted = counts.get(expression, piece) !== undefined;
			before += totalIn(expression, piece, counts);
			if (!isCounted) yield;
		}
	}

	return { total, ids, page };
}
