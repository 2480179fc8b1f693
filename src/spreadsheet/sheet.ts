/** A table as it was read from a spreadsheet file. */

/** What a cell holds: its text, or something that only looks like a text on the screen. */
export interface Cell {
	kind: 'text' | 'number' | 'formula' | 'date' | 'error';
	/** The text, or the number in digits; what the cell shows is not known for the other kinds. */
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
	/** Bytes after decompression. */
	bytes: number;
}

/** Columns beyond this one are not read. */
export const mostColumns = 256;

/** Why a file cannot be read. */
export type SheetProblem = 'unreadable' | 'too many rows' | 'too many bytes' | 'encoding';

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

const sliceMilliseconds = 8;

/** Lets other requests run whenever the work between two calls has taken long enough. */
export function pacer(): () => Promise<void> {
	let until = performance.now() + sliceMilliseconds;
	return async () => {
		if (performance.now() < until) return;
		await new Promise((resolve) => setImmediate(resolve));
		until = performance.now() + sliceMilliseconds;
	};
}
