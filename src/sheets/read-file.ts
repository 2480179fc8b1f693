/**
 * Reads the file of an import, and checks all that can be checked without the database: each line by the rules of a single
 * new one, in the same words. It runs in a process of its own, because a hostile file can make any of this take long.
 */

import { clean } from '../http/fields.ts';
import { csvType, xlsxType } from '../http/file-answer.ts';
import { readCsv } from '../spreadsheet/read-csv.ts';
import { readXlsx } from '../spreadsheet/read-xlsx.ts';
import {
	type Cell,
	columnLetters,
	maxCellLength,
	maxColumns,
	type Row,
	type Sheet,
	SheetError,
	type SheetProblem,
	shownIn,
} from '../spreadsheet/sheet.ts';
import { AppError, ruleBroken } from '../vocabulary/errors.ts';
import { maxImportLines } from '../vocabulary/limits.ts';
import {
	columnsOf,
	headingOf,
	type ImportLine,
	type ImportMode,
	type Layout,
	type Outcome,
	type Parser,
} from './layout.ts';
import type { Problem } from './model.ts';

const mebibyte = 1_048_576;

/** The headings are one of the first rows that are not empty: people put a title above them. */
const headingRows = 10;

/** What a file may have after decompression. */
const limits = { rows: maxImportLines + headingRows, bytes: 24 * mebibyte };

const messages = {
	unreadableCsv: (line: number | undefined) =>
		`不是可以读取的 CSV 文件${line === undefined ? '' : `：第 ${line} 行有误`}`,
	unreadableXlsx: '不是可以读取的 XLSX 文件',
	unreadable: '文件无法读取',
	oldFormat: '是旧版 XLS 文件或加密的文件，请另存为不加密的 XLSX 文件',
	encoding: 'CSV 文件中有无法识别的文字，请另存为 XLSX 文件后重试',
	tooManyLines: `一次最多导入 ${maxImportLines} 行`,
	tooManyColumns: `一行最多 ${maxColumns} 列`,
	tooManyBytes: (noun: string) => `文件内容过多，请只保留要导入的${noun}后重试`,
	noLines: (noun: string) => `文件中没有要导入的${noun}`,
	noHeading: (missing: readonly string[]) => `前 ${headingRows} 行中没有完整的标题，缺少：${missing.join('、')}`,
	sameHeading: (heading: string) => `标题“${heading}”出现了多次`,
	wideLine: '单元格比标题多，含逗号的内容须加双引号',
	merged: '有合并的单元格，请取消合并',
	formula: '单元格是公式，请改为文字',
	date: '单元格是日期，请改为文字',
	error: '单元格是错误值',
	long: `内容过长，最多 ${maxCellLength} 个字符`,
	sameValue: (line: number, heading: string) => `与第 ${line} 行的${heading}相同`,
} as const;

/** A file that was sent for an import. */
export interface ImportFile {
	/** Without parameters, in lower case. */
	contentType: string;
	charset: string | undefined;
	bytes: Uint8Array;
	mode: ImportMode;
	/** Whether the rows are wanted as they are, too. */
	keepsRows?: boolean;
}

/** A row of a file that is not empty. */
export interface KeptRow {
	line: number;
	texts: string[];
}

/** The lines of a file, and what is wrong with them. */
export interface ImportTable<Line = ImportLine> {
	lines: Line[];
	problems: Problem[];
	headingLine: number;
	/** The headings of the columns that are not read, or their letters. */
	unreadColumns: string[];
	/** Every row, also those above the headings; empty unless they are wanted. */
	rows: KeptRow[];
}

/** @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read. */
export function readImportFile(layout: Layout, file: ImportFile): ImportTable {
	const isCsv = isCsvFile(file);
	try {
		const sheet = isCsv ? readCsv(file.bytes, file.charset, limits) : readXlsx(file.bytes, limits);
		return tableOf(sheet, layout, isCsv, file);
	} catch (error) {
		throw error instanceof SheetError ? refusalOf(error, file, isCsv, layout.noun) : error;
	}
}

/** Windows says of a CSV file, too, that it is one of Excel: then its first bytes decide. */
function isCsvFile({ contentType, bytes }: ImportFile): boolean {
	if (contentType === xlsxType || isOldFormat(bytes)) return false;
	return contentType === csvType || !startsWith(bytes, [0x50, 0x4b]);
}

/** Whether it is a compound file, as Excel wrote until 2003 and writes with a password. */
function isOldFormat(bytes: Uint8Array): boolean {
	return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
	return start.every((byte, index) => bytes[index] === byte);
}

function refusalOf({ problem, line }: SheetError, { bytes }: ImportFile, isCsv: boolean, noun: string): AppError {
	const unreadableXlsx = isOldFormat(bytes) ? messages.oldFormat : messages.unreadableXlsx;
	const reasons: Record<SheetProblem, string> = {
		encoding: messages.encoding,
		unreadable: isCsv ? messages.unreadableCsv(line) : unreadableXlsx,
		'too many rows': messages.tooManyLines,
		'too many columns': messages.tooManyColumns,
		'too many bytes': messages.tooManyBytes(noun),
	};
	const isUnreadable = problem === 'encoding' || problem === 'unreadable';
	return ruleBroken(isUnreadable ? 'BAD_REQUEST' : 'PAYLOAD_TOO_LARGE', 'body', reasons[problem]);
}

/** The refusal of a file that makes this program fail. */
export function unreadableFile(cause: Error): AppError {
	return new AppError('BAD_REQUEST', messages.unreadable, {
		details: [{ path: 'body', message: messages.unreadable }],
		cause,
	});
}

function tableOf({ rows, merged }: Sheet, layout: Layout, isCsv: boolean, file: ImportFile): ImportTable {
	const noLines = () => ruleBroken('BAD_REQUEST', 'body', messages.noLines(layout.noun));
	if (rows.length === 0) throw noLines();
	const { index, head, places } = findHeadings(rows, layout, file.mode);
	const below = rows.slice(index + 1);
	if (below.length === 0) throw noLines();
	if (below.length > maxImportLines) throw ruleBroken('PAYLOAD_TOO_LARGE', 'body', messages.tooManyLines);
	const isUsed = (from: number, to: number) => places.values().some((place) => place >= from && place <= to);
	const problems: Problem[] = merged
		.filter((cells) => cells.lastLine > head.line && isUsed(cells.firstColumn, cells.lastColumn))
		.map((cells) => ({ line: cells.firstLine, column: null, name: null, value: null, reason: messages.merged }));
	const readLine = lineReader(layout, file.mode, places, problems);
	const lines = below.map((row) => {
		if (isCsv && row.cells.length > head.cells.length) problems.push(problemOf(row, places, null, messages.wideLine));
		return readLine(row);
	});
	return {
		lines,
		problems,
		headingLine: head.line,
		unreadColumns: unreadIn(head, below, new Set(places.values())),
		rows: file.keepsRows ? rows.map(({ line, cells }) => ({ line, texts: Array.from(cells, shownIn) })) : [],
	};
}

/** The columns by the headings in one of the first rows: the one that misses the fewest of those that must be there. */
function findHeadings(rows: readonly Row[], layout: Layout, mode: ImportMode) {
	const [best] = rows
		.slice(0, headingRows)
		.map((head, index) => {
			const words = Array.from(head.cells, headingIn);
			const places = placesOf(words, layout, mode);
			return { index, head, words, places, missing: missingIn(places, layout, mode) };
		})
		.sort((a, b) => a.missing.length - b.missing.length);
	if (!best || best.missing.length > 0) {
		const missing = best?.missing ?? layout.required;
		throw ruleBroken('BAD_REQUEST', 'body', messages.noHeading(missing.map((column) => headingOf(layout, column))));
	}
	for (const place of best.places.values()) {
		const word = best.words[place] ?? '';
		if (best.words.lastIndexOf(word) > place) throw ruleBroken('BAD_REQUEST', 'body', messages.sameHeading(word));
	}
	return best;
}

/** The columns that are not there: those of something new, or what finds something that is there. */
function missingIn(places: Places, { required, key }: Layout, mode: ImportMode): readonly string[] {
	if (mode === 'add') return required.filter((column) => !places.has(column));
	return places.has('id') || places.has(key) ? [] : [key];
}

/** The columns whose cells are not read: by their headings or, where something stands below none, by their letters. */
function unreadIn(head: Row, below: readonly Row[], read: ReadonlySet<number>): string[] {
	const width = below.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length);
	return Array.from({ length: width }, (_, place) => {
		if (read.has(place)) return [];
		const heading = excerpt(shownIn(head.cells[place]));
		if (heading !== null) return [heading];
		return below.some(({ cells }) => cells[place]) ? [`${columnLetters(place)} 列`] : [];
	}).flat();
}

/** How much of a cell is repeated, in UTF-16 units. */
const maxExcerpt = 50;

/** The text of a cell as it is repeated in an answer; null for a blank one. */
export function excerpt(text: string): string | null {
	const trimmed = text.trim().toWellFormed();
	if (trimmed.length > maxExcerpt) return `${trimmed.slice(0, maxExcerpt).toWellFormed()}…`;
	return trimmed || null;
}

/** Something that is wrong with a row, with the name and what the cell holds. */
function problemOf({ line, cells }: Row, places: Places, column: string | null, reason: string): Problem {
	const textIn = (each: string) => excerpt(shownIn(cells[places.get(each) ?? -1]));
	return { line, column, name: textIn('name'), value: column && textIn(column), reason };
}

/** The longest heading that has a meaning, in UTF-16 units. */
const maxHeading = 32;

/** The text of a heading without what people add to it: blanks, `*` where something must be filled in, `（必填）`, `：`. */
function headingIn(cell: Cell | undefined): string {
	if (!cell || cell.text.length > maxHeading) return '';
	return clean(cell.text.replace(/[\s*＊:：]|[（(].*/g, '')).toLowerCase();
}

/** Where each column is that is read. */
type Places = ReadonlyMap<string, number>;

function placesOf(words: readonly string[], layout: Layout, mode: ImportMode): Places {
	const places = new Map<string, number>();
	for (const column of columnsOf(layout, mode)) {
		const heading = layout.headings[column]?.find((word) => words.includes(word));
		if (heading !== undefined) places.set(column, words.indexOf(heading));
	}
	return places;
}

/** Reads one line after the other, and reports what is wrong with them. */
function lineReader(layout: Layout, mode: ImportMode, places: Places, problems: Problem[]) {
	const { parsers, key, clearable } = layout;
	const read = columnsOf(layout, mode);
	const readsEmpty = new Set(mode === 'add' ? read : clearable.filter((column) => places.has(column)));
	const columns = Object.entries(parsers)
		.filter(([column]) => read.includes(column))
		.map(([column, parse]) => ({
			...{ column, parse, place: places.get(column) ?? -1 },
			check:
				column === 'id' || column === key
					? onlyOnce(headingOf(layout, column))
					: (outcome: Outcome<unknown>) => outcome,
		}));
	return (row: Row): ImportLine => {
		const values: ImportLine = { number: row.line };
		for (const { column, parse, place, check } of columns) {
			const cell = row.cells[place];
			if (cell === undefined && !readsEmpty.has(column)) continue;
			const outcome = check(readCell(parse, cell), row.line);
			if ('problem' in outcome) problems.push(problemOf(row, places, column, outcome.problem));
			else values[column] = outcome.value;
		}
		return values;
	};
}

function readCell(parse: Parser, cell: Cell | undefined): Outcome<unknown> {
	if (cell === undefined || cell.kind === 'text' || cell.kind === 'number') return parse(cell?.text);
	return { problem: messages[cell.kind] };
}

/** Refuses what an earlier line has in the same column. */
function onlyOnce(heading: string) {
	const firstLines = new Map<unknown, number>();
	return (outcome: Outcome<unknown>, line: number): Outcome<unknown> => {
		if ('problem' in outcome) return outcome;
		const firstLine = firstLines.get(outcome.value);
		if (firstLine !== undefined) return { problem: messages.sameValue(firstLine, heading) };
		firstLines.set(outcome.value, line);
		return outcome;
	};
}
