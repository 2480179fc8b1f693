/** A table as it was read from a spreadsheet file. */

/** What a cell holds: its text, or something that only looks like a text on the screen. */
export interface Cell {
	kind: 'text' | 'number' | 'formula' | 'date' | 'error' | 'long';
	/** The text as far as it is read, or the number in digits; for a formula its last value, if it is known. */
	text: string;
}

/** A row with at least one cell that is not empty. */
export interface Row {
	/** Its number in the sheet, from 1. */
	line: number;
	/** By column, from 0; empty cells are missing. */
	cells: readonly (Cell | undefined)[];
}

/** Cells that were merged into one. All numbers are inclusive; lines count from 1, columns from 0. */
export interface MergedCells {
	firstLine: number;
	lastLine: number;
	firstColumn: number;
	lastColumn: number;
}

/** A sheet without its empty rows. */
export interface Sheet {
	rows: Row[];
	merged: MergedCells[];
}

/** How much of a file is read. */
export interface SheetLimits {
	/** Rows that are not empty. */
	rows: number;
	/** Bytes after decompression, and characters in all cells together: one text can stand in many cells. */
	bytes: number;
}

/** A file may have this many columns. */
export const maxColumns = 256;

/** A longer text, in UTF-16 units, is of the kind `long`. */
export const maxCellLength = 4096;

/** Why a file cannot be read. */
export type SheetProblem = 'unreadable' | 'too many rows' | 'too many columns' | 'too many bytes' | 'encoding';

/** Thrown for a file that cannot be read. */
export class SheetError extends Error {
	readonly problem: SheetProblem;
	/** The line of the file, if it is known. */
	readonly line: number | undefined;
	constructor(problem: SheetProblem, line?: number) {
		super(problem);
		this.problem = problem;
		this.line = line;
	}
}

/** The letters of a column, from 0: A, B … Z, AA. */
export function columnLetters(column: number): string {
	const last = String.fromCharCode(65 + (column % 26));
	return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** The days from the first one of spreadsheet programs to that of computers, and to the end of the year 9999. */
const days = { toEpoch: 25_569, toEnd: 2_958_466 };

/** What a cell shows, as far as it is known. */
export function shownIn(cell: Cell | undefined): string {
	if (cell?.kind !== 'date') return cell?.text ?? '';
	const day = Number(cell.text);
	if (!(day >= 1 && day < days.toEnd)) return cell.text;
	const [date = '', time = ''] = new Date(Math.round((day - days.toEpoch) * 86_400) * 1000).toISOString().split('T');
	return Number.isInteger(day) ? date : `${date} ${time.slice(0, 5)}`;
}

/** A cell with a text, or undefined for a blank one. */
export function textCell(text: string, kind: 'text' | 'number' | 'error' | 'date' = 'text'): Cell | undefined {
	if (text.length > maxCellLength) return { kind: 'long', text: text.slice(0, maxCellLength) };
	return text.trim() === '' ? undefined : { kind, text };
}
