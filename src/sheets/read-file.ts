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
	shownIn,
} from '../spreadsheet/sheet.ts';
import { AppError, ruleBroken } from '../vocabulary/errors.ts';
import { maxImportLines } from '../vocabulary/limits.ts';
import { type ColumnOf, columnsOf, type ImportMode, type Layout, type Outcome } from './layout.ts';
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
	noHeading: (missing: readonly (string | undefined)[]) =>
		`前 ${headingRows} 行中没有完整的标题，缺少：${missing.join('、')}`,
	sameHeading: (heading: string) => `标题“${heading}”出现了多次`,
	wideLine: '单元格比标题多，含逗号的内容须加双引号',
	merged: '有合并的单元格，请取消合并',
	formula: '单元格是公式，请改为文字',
	date: '单元格是日期，请改为文字',
	error: '单元格是错误值',
	long: `内容过长，最多 ${maxCellLength} 个字符`,
	sameValue: (line: number, heading: string | undefined) => `与第 ${line} 行的${heading}相同`,
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

/** A line of a file. A missing value is to stay as it is, or is among the problems of the table. */
export type ImportLine<Values extends object> = { number: number } & { [Name in ColumnOf<Values>]?: Values[Name] };

/** A row of a file that is not empty. */
export interface KeptRow {
	line: number;
	texts: string[];
}

/** The lines of a file, and what is wrong with them. */
export interface ImportTable<Values extends object> {
	lines: ImportLine<Values>[];
	problems: Problem<ColumnOf<Values>>[];
	headingLine: number;
	/** The headings of the columns that are not read, or their letters. */
	unreadColumns: string[];
	/** Every row, also those above the headings; empty unless they are wanted. */
	rows: KeptRow[];
}

/** @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read. */
export function readImportFile<Values extends object>(layout: Layout<Values>, file: ImportFile): ImportTable<Values> {
	const isCsv = isCsvFile(file);
	try {
		const sheet = isCsv ? readCsv(file.bytes, file.charset, limits) : readXlsx(file.bytes, limits);
		return {
			...tableOf(sheet, layout, { isCsv, mode: file.mode }),
			rows: file.keepsRows ? sheet.rows.map(keptRow) : [],
		};
	} catch (error) {
		throw error instanceof SheetError ? unreadable(error, file, { isCsv, noun: layout.noun }) : error;
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

function unreadable(
	{ problem, line }: SheetError,
	{ bytes }: ImportFile,
	{ isCsv, noun }: { isCsv: boolean; noun: string },
): AppError {
	switch (problem) {
		case 'encoding':
			return ruleBroken('BAD_REQUEST', 'body', messages.encoding);
		case 'unreadable': {
			const unreadableXlsx = isOldFormat(bytes) ? messages.oldFormat : messages.unreadableXlsx;
			return ruleBroken('BAD_REQUEST', 'body', isCsv ? messages.unreadableCsv(line) : unreadableXlsx);
		}
		case 'too many rows':
			return tooLarge(messages.tooManyLines);
		case 'too many columns':
			return tooLarge(messages.tooManyColumns);
		case 'too many bytes':
			return tooLarge(messages.tooManyBytes(noun));
	}
}

/** The refusal of a file that makes this program fail. */
export function unreadableFile(cause: Error): AppError {
	return new AppError('BAD_REQUEST', messages.unreadable, {
		details: [{ path: 'body', message: messages.unreadable }],
		cause,
	});
}

/** The refusal of a file that takes too much. */
export function tooLarge(message: string): AppError {
	return new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ path: 'body', message }] });
}

function keptRow({ line, cells }: Row): KeptRow {
	return { line, texts: Array.from(cells, shownIn) };
}

interface Reading {
	isCsv: boolean;
	mode: ImportMode;
}

function tableOf<Values extends object>(
	{ rows, merged }: Sheet,
	layout: Layout<Values>,
	{ isCsv, mode }: Reading,
): Omit<ImportTable<Values>, 'rows'> {
	const noLines = () => ruleBroken('BAD_REQUEST', 'body', messages.noLines(layout.noun));
	if (rows.length === 0) throw noLines();
	const { index, head, places } = findHeadings(rows, layout, mode);
	const below = rows.slice(index + 1);
	if (below.length === 0) throw noLines();
	if (below.length > maxImportLines) throw tooLarge(messages.tooManyLines);
	const problems: Problem<ColumnOf<Values>>[] = [];
	const isUsed = (from: number, to: number) => places.values().some((place) => place >= from && place <= to);
	for (const { firstLine, lastLine, firstColumn, lastColumn } of merged) {
		if (lastLine <= head.line || !isUsed(firstColumn, lastColumn)) continue;
		problems.push({ line: firstLine, column: null, name: null, value: null, reason: messages.merged });
	}
	const readLine = lineReader(layout, mode, places, problems);
	const lines = below.map((row) => {
		if (isCsv && row.cells.length > head.cells.length) {
			problems.push(problemOf<ColumnOf<Values>>(row, places, null, messages.wideLine));
		}
		return readLine(row);
	});
	const unreadColumns = unreadIn(head, below, new Set(places.values()));
	return { lines, problems: problems.sort(byPlace(layout)), headingLine: head.line, unreadColumns };
}

/** The columns by the headings in one of the first rows: the one that misses the fewest of those that must be there. */
function findHeadings<Values extends object>(rows: readonly Row[], layout: Layout<Values>, mode: ImportMode) {
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
		throw ruleBroken('BAD_REQUEST', 'body', messages.noHeading(missing.map((column) => layout.headings[column][0])));
	}
	for (const place of best.places.values()) {
		const word = best.words[place] ?? '';
		if (best.words.lastIndexOf(word) > place) throw ruleBroken('BAD_REQUEST', 'body', messages.sameHeading(word));
	}
	return best;
}

/** The columns that are not there: those of something new, or what finds something that is there. */
function missingIn<Values extends object>(
	places: ReadonlyMap<string, number>,
	{ required, key }: Layout<Values>,
	mode: ImportMode,
): readonly ColumnOf<Values>[] {
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
function problemOf<Column extends string>(
	{ line, cells }: Row,
	places: ReadonlyMap<string, number>,
	column: Column | null,
	reason: string,
): Problem<Column> {
	const textIn = (each: string) => excerpt(shownIn(cells[places.get(each) ?? -1]));
	return { line, column, name: textIn('name'), value: column && textIn(column), reason };
}

/** The order in which problems and changes are listed. */
export function byPlace<Values extends object>(layout: Layout<Values>) {
	const columns = columnsOf(layout, 'upsert');
	const orderOf = (column: ColumnOf<Values> | null) => (column === null ? -1 : columns.indexOf(column));
	return (a: Place<Values>, b: Place<Values>) => a.line - b.line || orderOf(a.column) - orderOf(b.column);
}

type Place<Values extends object> = Pick<Problem<ColumnOf<Values>>, 'line' | 'column'>;

/** The longest heading that has a meaning, in UTF-16 units. */
const maxHeading = 32;

/** The text of a heading without what people add to it: blanks, `*` where something must be filled in, `（必填）`, `：`. */
function headingIn(cell: Cell | undefined): string {
	if (!cell || cell.text.length > maxHeading) return '';
	return clean(cell.text.replace(/[\s*＊:：]|[（(].*/g, '')).toLowerCase();
}

function placesOf<Values extends object>(words: readonly string[], layout: Layout<Values>, mode: ImportMode) {
	const places = new Map<ColumnOf<Values>, number>();
	for (const column of columnsOf(layout, mode)) {
		const heading = layout.headings[column].find((word) => words.includes(word));
		if (heading !== undefined) places.set(column, words.indexOf(heading));
	}
	return places;
}

/** Reads one line after the other, and reports what is wrong with them. */
function lineReader<Values extends object>(
	layout: Layout<Values>,
	mode: ImportMode,
	places: ReadonlyMap<ColumnOf<Values>, number>,
	problems: Problem<ColumnOf<Values>>[],
) {
	const { headings, parsers, key, clearable } = layout;
	const columns = columnsOf(layout, mode);
	const uniqueColumns = columns.filter((column) => column === 'id' || column === key);
	const readsEmpty = new Set(mode === 'add' ? columns : clearable.filter((column) => places.has(column)));
	const firstLines = new Map<unknown, number>();
	return (row: Row): ImportLine<Values> => {
		const { line, cells } = row;
		const values = new Map<string, unknown>();
		const report = (column: ColumnOf<Values>, reason: string) => problems.push(problemOf(row, places, column, reason));
		for (const column of columns) {
			const cell = cells[places.get(column) ?? -1];
			if (cell === undefined && !readsEmpty.has(column)) continue;
			const outcome = readCell(parsers[column], cell);
			if ('problem' in outcome) report(column, outcome.problem);
			else values.set(column, outcome.value);
		}
		for (const column of uniqueColumns.filter((each) => values.has(each))) {
			const value = `${column} ${values.get(column)}`;
			const firstLine = firstLines.get(value);
			if (firstLine === undefined) firstLines.set(value, line);
			else {
				report(column, messages.sameValue(firstLine, headings[column][0]));
				values.delete(column);
			}
		}
		return { number: line, ...Object.fromEntries(values) } as ImportLine<Values>;
	};
}

function readCell<Value>(parse: (text: string | undefined) => Outcome<Value>, cell: Cell | undefined): Outcome<Value> {
	if (cell === undefined || cell.kind === 'text' || cell.kind === 'number') return parse(cell?.text);
	return { problem: messages[cell.kind] };
}
