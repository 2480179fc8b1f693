/** Reads CSV as spreadsheet programs write it. */
import papa from 'papaparse';
import { readCsvCell } from './csv-cell.ts';
import {
	type Cell,
	maxCellLength,
	maxColumns,
	type Row,
	type Sheet,
	SheetError,
	type SheetLimits,
	textCell,
} from './sheet.ts';

/** The encodings that are read, in the order in which they are tried, by their names; GB18030 has all that older ones have. */
const encodings = [
	['utf-8', /^utf-?8$/i],
	['gb18030', /^(gb18030|gbk|gb2312|x-gbk|cp936|ms936|windows-936)$/i],
] as const;

/** Spreadsheet programs write empty rows behind the last one; a file with so many times more rows is refused. */
const maxEmptyRows = 4;

/**
 * Reads a file in UTF-8 or GB18030. `charset` is the name of its encoding; without one UTF-8 is tried first, then GB18030,
 * which Excel writes in China.
 * @throws SheetError
 */
export function readCsv(bytes: Uint8Array, charset: string | undefined, limits: SheetLimits): Sheet {
	const text = decode(bytes, charset);
	const rows: Row[] = [];
	let line = 0;
	let failure: SheetError | undefined;
	papa.parse<string[]>(text, {
		delimiter: delimiterOf(text),
		step({ data, errors }, parser) {
			line += 1;
			const cells = data.map(cellOf);
			const width = cells.findLastIndex((cell) => cell !== undefined) + 1;
			if (errors.length > 0) failure = new SheetError('unreadable', line);
			else if (width > maxColumns) failure = new SheetError('too many columns', line);
			else if (line > limits.rows * maxEmptyRows || (width > 0 && rows.length >= limits.rows)) {
				failure = new SheetError('too many rows');
			} else if (width > 0) rows.push({ line, cells: cells.slice(0, width) });
			if (failure) parser.abort();
		},
	});
	if (failure) throw failure;
	return { rows, merged: [] };
}

/** Leaves out a byte order mark. */
function decode(bytes: Uint8Array, charset: string | undefined): string {
	for (const [encoding, names] of encodings) {
		if (charset !== undefined && !names.test(charset)) continue;
		try {
			return new TextDecoder(encoding, { fatal: true }).decode(bytes);
		} catch {
			// Perhaps it is the next one.
		}
	}
	throw new SheetError('encoding');
}

/** How many lines show what separates cells: a title can stand above the headings. */
const shownLines = 10;

/** What separates cells: of those that spreadsheet programs write, the one in most of the first lines; then most of it. */
function delimiterOf(text: string): string {
	const lines = text.split(/[\r\n]+/, shownLines);
	const found = [',', '\t', ';'].map((delimiter) => {
		const counts = lines.map((line) => line.split(delimiter).length - 1);
		const total = counts.reduce((sum, count) => sum + count, 0);
		return { delimiter, total, lines: counts.filter((count) => count > 0).length };
	});
	return found.toSorted((a, b) => b.lines - a.lines || b.total - a.total)[0]?.delimiter ?? ',';
}

/** Spreadsheet programs evaluate what begins with `=`. */
function cellOf(value: string): Cell | undefined {
	return value.startsWith('=')
		? { kind: 'formula', text: value.slice(0, maxCellLength) }
		: textCell(readCsvCell(value));
}
