/** A table that was read from a spreadsheet. */
import { businessError } from '../../../platform/vocabulary/errors.ts';
import { maxImportLines } from '../../../platform/vocabulary/limits.ts';
import { because, type Reason } from '../../../platform/vocabulary/reasons.ts';

/** The content of a cell: a text or a number, or something that only looks like a text on the screen. */
export interface Cell {
	kind: 'text' | 'formula' | 'date' | 'error' | 'long' | 'merged';
	/** The text, or the number in digits; for a formula its last value, if known. */
	text: string;
}

/** A row with at least one cell that is not empty. */
export interface Row {
	/** Its number in the sheet, from 1. */
	line: number;
	/** By column, from 0; empty cells are missing. */
	cells: (Cell | undefined)[];
}

/** The headings are one of the first rows that are not empty: people put a title above them. */
export const headingRows = 10;

/** The maximum number of rows, without empty ones. */
export const maxRows = maxImportLines + headingRows;

/** The maximum number of bytes after decompression, and of characters in all cells: many cells can share one text. */
export const maxBytes = 24 * 1_048_576;

export const maxColumns = 256;

/** The maximum length of a text in UTF-16 units; a longer one is of the kind `long`. */
export const maxCellLength = 4096;

export const fileRefusals = {
	unreadable: () => unreadable(because('file_unreadable', '文件已损坏，或不是 XLSX 文件，请另存为 XLSX 文件后重试')),
	unreadableLine: (line: number) =>
		unreadable(
			because('line_unreadable', `CSV 文件第 ${line} 行的双引号有误，请改正，或另存为 XLSX 文件后重试`, { line }),
		),
	encoding: () => unreadable(because('encoding_unknown', 'CSV 文件中有无法识别的文字，请另存为 XLSX 文件后重试')),
	oldFormat: () => unreadable(because('old_format', '是旧版 XLS 文件或加密的文件，请另存为不加密的 XLSX 文件')),
	tooManyRows: () =>
		tooLarge(because('too_many_lines', `一次最多导入 ${maxImportLines} 行`, { limit: maxImportLines })),
	tooManyColumns: () => tooLarge(because('too_many_columns', `一行最多 ${maxColumns} 列`, { limit: maxColumns })),
	tooManyBytes: () => tooLarge(because('file_too_complex', '文件内容过多，请只保留要导入的行后重试')),
} as const;

const unreadable = (reason: Reason) => businessError('BAD_REQUEST', 'body', reason);
const tooLarge = (reason: Reason) => businessError('PAYLOAD_TOO_LARGE', 'body', reason);

/** The letters of a column, from 0: A, B … Z, AA. */
export function columnLetters(column: number): string {
	const last = String.fromCharCode(65 + (column % 26));
	return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** The days from the first one of spreadsheet programs to that of computers, and to the end of the year 9999. */
const days = { toEpoch: 25_569, toEnd: 2_958_466 };

/** The text that a cell shows, as far as it is known. */
export function shownIn(cell: Cell | undefined): string {
	if (cell?.kind !== 'date') return cell?.text ?? '';
	const day = Number(cell.text);
	if (!(day >= 1 && day < days.toEnd)) return cell.text;
	const [date = '', time = ''] = new Date(Math.round((day - days.toEpoch) * 86_400) * 1000).toISOString().split('T');
	return Number.isInteger(day) ? date : `${date} ${time.slice(0, 5)}`;
}

/** A cell of a kind, or undefined for a blank one. */
export function textCell(text: string, kind: Cell['kind'] = 'text'): Cell | undefined {
	if (text.length > maxCellLength) return { kind: 'long', text: text.slice(0, maxCellLength) };
	return text.trim() === '' ? undefined : { kind, text };
}
