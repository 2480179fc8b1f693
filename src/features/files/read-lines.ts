/**
 * Reads the file of an import, and checks each line by the rules for a single new one, as far as the database is not
 * needed. It runs in a process of its own, because a hostile file can make any part of this take long.
 */
import { csvType, xlsxType } from '../../platform/http/file-answer.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { maxImportLines } from '../../platform/vocabulary/limits.ts';
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';
import { clean } from '../../platform/vocabulary/text-rule.ts';
import { excerpt } from './cells.ts';
import { readCsv } from './formats/read-csv.ts';
import { readXlsx } from './formats/read-xlsx.ts';
import {
	type Cell,
	columnLetters,
	fileRefusals,
	headingRows,
	maxCellLength,
	type Row,
	shownIn,
} from './formats/sheet.ts';
import { type AskedMode, type CellReading, columnsWith, headingOf, type ImportMode, type Layout } from './layout.ts';
import type { Problem } from './model.ts';

const messages = {
	noLines: (noun: string) => because('no_lines', `第一个工作表中没有要导入的${noun}`),
	noHeading: (headings: readonly string[], allowed: readonly string[]) =>
		because('headings_missing', `第一个工作表的前 ${headingRows} 行中没有完整的标题，缺少：${headings.join('、')}`, {
			allowed,
		}),
	sameHeading: (heading: string, expected: string) =>
		because('heading_repeated', `标题“${heading}”出现了多次`, { expected }),
	wideLine: because('cell_without_heading', '单元格比标题多，含逗号的内容须加双引号'),
	merged: because('cell_merged', '有合并的单元格，请取消合并'),
	formula: because('cell_formula', '单元格是公式，请复制后粘贴为数值'),
	date: because('cell_date', '单元格是日期，请设为文本后重新填写'),
	error: because('cell_error', '单元格是错误值，请重新填写'),
	long: because('too_long', `内容过长，最多 ${maxCellLength} 个字符`, { limit: maxCellLength }),
	sameValue: (line: number, heading: string) => because('same_as_line', `与第 ${line} 行的${heading}相同`, { line }),
} as const;

export interface ImportFile {
	/** Without parameters, in lower case. */
	contentType: string;
	charset: string | undefined;
	bytes: Uint8Array<ArrayBuffer>;
	mode: AskedMode;
	/** The rows to leave out, and the only ones to read. */
	skip?: readonly number[] | undefined;
	only?: readonly number[] | undefined;
}

/** A line of a file: its values by column, and its problems. A missing value stays as it is, or has a problem. */
export interface ImportLine<Values = Record<string, unknown>> {
	number: number;
	values: Partial<Values>;
	problems: Problem[];
}

/** The lines of a file. */
export interface ImportTable<Values = Record<string, unknown>> {
	/** The mode, as asked for or as the file decided it. */
	mode: ImportMode;
	lines: ImportLine<Values>[];
	headingLine: number;
	/** The headings of the columns that are not read, or their letters. */
	unreadColumns: string[];
}

/** A file that was read: its rows without empty ones, also those above the headings, and its lines. */
export interface ImportRows {
	rows: readonly Row[];
	table: ImportTable;
}

/** @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read. */
export function readImportFile(layout: Layout, file: ImportFile): ImportRows {
	const { contentType, charset, bytes } = file;
	const startsWith = (...start: number[]) => start.every((byte, index) => bytes[index] === byte);
	// Other programs write a page of HTML or XML under the name of an XLS file.
	const isMarkup = /^\s*<[a-z!?]/i.test(new TextDecoder().decode(bytes.subarray(0, 100)));
	// A compound file: Excel until 2003, or with a password.
	if (isMarkup || startsWith(0xd0, 0xcf, 0x11, 0xe0)) throw fileRefusals.oldFormat();
	// Windows sends Excel's type for CSV files, too. Then the first bytes decide.
	const isCsv = contentType === csvType || (contentType !== xlsxType && !startsWith(0x50, 0x4b));
	const countHeadings = (row: readonly string[]) => positionsOf(row.map(headingIn), layout).size;
	return rowsOf(isCsv ? readCsv(bytes, charset, countHeadings) : readXlsx(bytes), layout, isCsv, file);
}

function rowsOf(rows: readonly Row[], layout: Layout, isCsv: boolean, asked: ImportFile): ImportRows {
	const { skip = [], only } = asked;
	const { index, head, positions, mode } = findHeadings(rows, layout, asked.mode);
	const below = rows.slice(index + 1).filter(({ line }) => !skip.includes(line) && (only?.includes(line) ?? true));
	if (below.length === 0) throw noLines(layout);
	if (below.length > maxImportLines) throw fileRefusals.tooManyRows();
	const readLine = lineReader(layout, positions);
	const lines = below.map((row) => readLine(row, isCsv && row.cells.length > head.cells.length));
	const unreadColumns = unreadIn(head, below, new Set(positions.values()));
	const table = { mode, lines, headingLine: head.line, unreadColumns };
	return { rows: [...rows.slice(0, index + 1), ...below], table };
}

const noLines = ({ noun }: Layout) => businessError('BAD_REQUEST', 'body', messages.noLines(noun));

/** The row with the headings: of the first rows, that with the fewest required headings missing. */
function findHeadings(rows: readonly Row[], layout: Layout, asked: AskedMode) {
	const [best] = rows
		.slice(0, headingRows)
		.map((head, index) => ({ index, head, ...headingsIn(head, layout, asked) }))
		.sort((a, b) => a.missing.length - b.missing.length);
	if (!best) throw noLines(layout);
	if (best.missing.length > 0) {
		const headings = best.missing.map((column) => headingOf(layout.columns, column));
		throw businessError('BAD_REQUEST', 'body', messages.noHeading(headings, best.missing));
	}
	for (const [column, position] of best.positions) {
		const word = best.words[position] ?? '';
		if (best.words.lastIndexOf(word) > position) {
			throw businessError('BAD_REQUEST', 'body', messages.sameHeading(word, column));
		}
	}
	return best;
}

/** The columns that a row would give as headings, and the missing ones: those of a new line, or the key for changes. */
function headingsIn({ cells }: Row, layout: Layout, asked: AskedMode) {
	const { columns, key } = layout;
	const words = Array.from(cells, shownIn).map(headingIn);
	const positions = positionsOf(words, layout);
	// A single word for ids can be a remark, or the number of a form in its title.
	const suggested = positions.has('id') && positions.size > 1 ? 'upsert' : 'add';
	const mode = asked === 'auto' ? suggested : asked;
	// A file from another installation can be added, so its ids are not read.
	if (mode === 'add') positions.delete('id');
	const needed = mode === 'add' ? columnsWith(columns, 'required') : [key];
	const missing = positions.has('id') ? [] : needed.filter((column) => !positions.has(column));
	return { words, positions, mode, missing };
}

/** The columns that are not read: their headings, or the letters of a column with cells but no heading. */
function unreadIn(head: Row, below: readonly Row[], read: ReadonlySet<number>): string[] {
	const width = below.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length);
	return Array.from({ length: width }, (_, position) => {
		if (read.has(position)) return [];
		const heading = excerpt(shownIn(head.cells[position]));
		if (heading !== null) return [heading];
		return below.some(({ cells }) => cells[position]?.text) ? [`${columnLetters(position)} 列`] : [];
	}).flat();
}

/** The maximum length of a heading that is recognized, in UTF-16 units. */
const maxHeading = 32;

/** The text of a heading without additions such as blanks, `*`, `（必填）` and `：`. */
function headingIn(text: string): string {
	return text.length > maxHeading ? '' : clean(text.replace(/[\s*＊:：]|[（(].*/g, '')).toLowerCase();
}

type Positions = ReadonlyMap<string, number>;

function positionsOf(words: readonly string[], { columns }: Layout): Map<string, number> {
	const positions = new Map<string, number>();
	for (const [column, { headings }] of Object.entries(columns)) {
		const found = headings.map((heading) => heading.toLowerCase()).find((heading) => words.includes(heading));
		if (found !== undefined) positions.set(column, words.indexOf(found));
	}
	return positions;
}

/** Reads one line after the other. */
function lineReader({ columns, parsers }: Layout, positions: Positions) {
	/** The first line with a value, for each unique column. */
	const firstLines = new Map(columnsWith(columns, 'unique').map((column) => [column, new Map<unknown, number>()]));
	function readCell(column: string, cell: Cell | undefined, line: number): CellReading<unknown> {
		if (cell && cell.kind !== 'text') return { problem: messages[cell.kind] };
		const reading = parsers[column]?.(cell?.text ?? '') ?? { value: null };
		if ('problem' in reading) return reading;
		const first = firstLines.get(column)?.getOrInsert(reading.value, line) ?? line;
		return first === line ? reading : { problem: messages.sameValue(first, headingOf(columns, column)) };
	}
	return ({ line, cells }: Row, isWide: boolean): ImportLine => {
		const read: ImportLine = { number: line, values: {}, problems: [] };
		const textIn = (column: string) => excerpt(shownIn(cells[positions.get(column) ?? -1]));
		const report = (column: string | null, reason: Reason) =>
			read.problems.push({ line, column, name: textIn('name'), value: column && textIn(column), reason });
		if (isWide) report(null, messages.wideLine);
		for (const [column, position] of positions) {
			if (!cells[position] && !columns[column]?.clearable) continue;
			const reading = readCell(column, cells[position], line);
			if ('problem' in reading) report(column, reading.problem);
			else read.values[column] = reading.value;
		}
		return read;
	};
}
