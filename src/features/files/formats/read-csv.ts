/** Reads CSV as spreadsheet programs write it. */
import papa from 'papaparse';
import { orUndefined } from '../../../platform/vocabulary/errors.ts';
import { readCsvCell } from './csv-cell.ts';
import { type Cell, fileRefusals, headingRows, maxColumns, maxRows, type Row, textCell } from './sheet.ts';

/** The encodings in the order in which they are tried, and their names. GB18030 includes the older Chinese ones. */
const encodings = [
	['utf-8', /^utf-?8$/i],
	['gb18030', /^(gb18030|gbk|gb2312|x-gbk|cp936|ms936|windows-936)$/i],
] as const;

/**
 * Reads a file in UTF-8 or GB18030. `charset` is the name of its encoding; without one UTF-8 is tried first, then GB18030,
 * which Excel writes in China. The headings tell the delimiter.
 * @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE
 */
export function readCsv(
	bytes: Uint8Array,
	charset: string | undefined,
	countHeadings: (row: readonly string[]) => number,
): Row[] {
	const text = decode(bytes, charset);
	const rows: Row[] = [];
	let line = 0;
	papa.parse<string[]>(text, {
		delimiter: delimiterOf(text, countHeadings),
		step({ data, errors }) {
			line += 1;
			const cells = data.map(cellOf);
			const width = cells.findLastIndex((cell) => cell !== undefined) + 1;
			if (errors.length > 0) throw fileRefusals.unreadableLine(line);
			if (width > maxColumns) throw fileRefusals.tooManyColumns();
			if (width === 0) return;
			if (rows.length >= maxRows) throw fileRefusals.tooManyRows();
			rows.push({ line, cells: cells.slice(0, width) });
		},
	});
	return rows;
}

/** The delimiter with which a row has the most headings. If several have as many, the most cells in this row decide. */
function delimiterOf(text: string, countHeadings: (row: readonly string[]) => number): string {
	const weigh = (row: readonly string[]) => countHeadings(row) + row.length / 1000;
	const weightOf = (delimiter: string) => {
		const { data } = papa.parse<string[]>(text, { delimiter, preview: headingRows });
		return Math.max(0, ...data.map((row) => weigh(row.slice(0, maxColumns))));
	};
	const [best = ','] = [',', '\t', ';'].toSorted((a, b) => weightOf(b) - weightOf(a));
	return best;
}

/** The text without a byte order mark. */
function decode(bytes: Uint8Array, charset: string | undefined): string {
	for (const [encoding, names] of encodings) {
		if (charset !== undefined && !names.test(charset)) continue;
		const text = orUndefined(() => new TextDecoder(encoding, { fatal: true }).decode(bytes));
		if (text !== undefined) return text;
	}
	throw fileRefusals.encoding();
}

/** A text that begins with `=` is a formula. */
function cellOf(value: string): Cell | undefined {
	return value.startsWith('=') ? textCell(value, 'formula') : textCell(readCsvCell(value));
}
