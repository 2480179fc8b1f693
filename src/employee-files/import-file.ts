/**
 * Reads the file of an import, and checks all that can be checked without the database: each line by the rules of a single
 * new employee, in the same words. It runs in a process of its own, because a hostile file can make any of this take long.
 */

import { Value } from '@sinclair/typebox/value';
import { CreateEmployee, employeeMessages } from '../employees/model.ts';
import { AppError, ruleBroken } from '../errors.ts';
import { clean } from '../http/fields.ts';
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
import { readPhone } from '../vocabulary/phone.ts';
import type { Status } from '../vocabulary/status.ts';
import { type Column, columns, headings, maxLines, requiredColumns, roleSeparator, statusWords } from './columns.ts';
import { csvType, type ImportProblem, xlsxType } from './model.ts';

const mebibyte = 1_048_576;

/** The headings are one of the first rows that are not empty: people put a title above them. */
const headingRows = 10;

/** What a file may have after decompression. */
const limits = { rows: maxLines + headingRows, bytes: 24 * mebibyte };

/** No name or code of a store or role is longer, in UTF-16 units before they are composed. */
const maxWord = 400;

const messages = {
	unreadableCsv: (line: number | undefined) =>
		`不是可以读取的 CSV 文件${line === undefined ? '' : `：第 ${line} 行有误`}`,
	unreadableXlsx: '不是可以读取的 XLSX 文件',
	unreadable: '文件无法读取',
	oldFormat: '是旧版 XLS 文件或加密的文件，请另存为不加密的 XLSX 文件',
	encoding: 'CSV 文件中有无法识别的文字，请另存为 XLSX 文件后重试',
	tooManyLines: `一次最多导入 ${maxLines} 行`,
	tooManyColumns: `一行最多 ${maxColumns} 列`,
	tooManyBytes: '文件内容过多，请只保留要导入的员工后重试',
	noLines: '文件中没有要导入的员工',
	noHeading: (missing: readonly Column[]) =>
		`前 ${headingRows} 行中没有完整的标题，缺少：${missing.map((column) => headings[column][0]).join('、')}`,
	sameHeading: (heading: string) => `标题“${heading}”出现了多次`,
	wideLine: '单元格比标题多，含逗号的内容须加双引号',
	merged: '有合并的单元格，请取消合并',
	formula: '单元格是公式，请改为文字',
	date: '单元格是日期，请改为文字',
	error: '单元格是错误值',
	long: `内容过长，最多 ${maxCellLength} 个字符`,
	shortened: (text: string) => `电子表格把号码缩写成了 ${text}，请把这一列设为文本后重新填写`,
	required: '必填',
	badStatus: `须为 ${Object.values(statusWords)
		.map(([word]) => word)
		.join(' 或 ')}`,
	samePhone: (line: number) => `与第 ${line} 行的手机号相同`,
} as const;

/** A file that was sent for an import. */
export interface ImportFile {
	/** Without parameters, in lower case. */
	contentType: string;
	charset: string | undefined;
	bytes: Uint8Array;
	/** Whether the rows are wanted as they are, too. */
	keepsRows?: boolean;
}

/** What the columns of a line hold: the words for store and roles are not looked up yet. */
interface Values {
	name: string;
	phone: string;
	/** A name or an id. */
	store: string;
	/** Names or codes. */
	roles: string[];
	status: Status;
	remark: string | null;
}

/** A line of a file. What is wrong with a missing value is among the problems of the table. */
export type ImportLine = { number: number } & { [Name in Column]?: Values[Name] | undefined };

/** A row of a file that is not empty. */
export interface KeptRow {
	line: number;
	texts: string[];
}

/** The lines of a file, and what is wrong with them. */
export interface ImportTable {
	lines: ImportLine[];
	problems: ImportProblem[];
	headingLine: number;
	/** The headings of the columns that are not read, or their letters. */
	unreadColumns: string[];
	/** Every row, also those above the headings; empty unless they are wanted. */
	rows: KeptRow[];
}

/** @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read. */
export function readImportFile(file: ImportFile): ImportTable {
	const isCsv = isCsvFile(file);
	try {
		const sheet = isCsv ? readCsv(file.bytes, file.charset, limits) : readXlsx(file.bytes, limits);
		return { ...tableOf(sheet, isCsv), rows: file.keepsRows ? sheet.rows.map(keptRow) : [] };
	} catch (error) {
		throw error instanceof SheetError ? unreadable(error, file, isCsv) : error;
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

function unreadable({ problem, line }: SheetError, { bytes }: ImportFile, isCsv: boolean): AppError {
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
			return tooLarge(messages.tooManyBytes);
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

function tableOf({ rows, merged }: Sheet, isCsv: boolean): Omit<ImportTable, 'rows'> {
	if (rows.length === 0) throw ruleBroken('BAD_REQUEST', 'body', messages.noLines);
	const { index, head, places } = findHeadings(rows);
	const below = rows.slice(index + 1);
	if (below.length === 0) throw ruleBroken('BAD_REQUEST', 'body', messages.noLines);
	if (below.length > maxLines) throw tooLarge(messages.tooManyLines);
	const problems: ImportProblem[] = [];
	const isUsed = (from: number, to: number) => places.values().some((place) => place >= from && place <= to);
	for (const { firstLine, lastLine, firstColumn, lastColumn } of merged) {
		if (lastLine <= head.line || !isUsed(firstColumn, lastColumn)) continue;
		problems.push({ line: firstLine, column: null, name: null, value: null, reason: messages.merged });
	}
	const firstLines = new Map<string, number>();
	const lines = below.map((row) => {
		if (isCsv && row.cells.length > head.cells.length) problems.push(problemOf(row, places, null, messages.wideLine));
		return readLine(row, places, firstLines, problems);
	});
	const unreadColumns = unreadIn(head, below, new Set(places.values()));
	return { lines, problems: problems.sort(byPlace), headingLine: head.line, unreadColumns };
}

/** The columns by the headings in one of the first rows: the one that misses the fewest of those that must be there. */
function findHeadings(rows: readonly Row[]) {
	const [best] = rows
		.slice(0, headingRows)
		.map((head, index) => {
			const words = Array.from(head.cells, headingIn);
			const places = placesOf(words);
			return { index, head, words, places, missing: requiredColumns.filter((column) => !places.has(column)) };
		})
		.sort((a, b) => a.missing.length - b.missing.length);
	if (!best || best.missing.length > 0) {
		throw ruleBroken('BAD_REQUEST', 'body', messages.noHeading(best?.missing ?? requiredColumns));
	}
	for (const place of best.places.values()) {
		const word = best.words[place] ?? '';
		if (best.words.lastIndexOf(word) > place) throw ruleBroken('BAD_REQUEST', 'body', messages.sameHeading(word));
	}
	return best;
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

/** Something that is wrong with a row, with the person's name and what the cell holds. */
function problemOf(
	{ line, cells }: Row,
	places: ReadonlyMap<Column, number>,
	column: Column | null,
	reason: string,
): ImportProblem {
	const textIn = (each: Column) => excerpt(shownIn(cells[places.get(each) ?? -1]));
	return { line, column, name: textIn('name'), value: column && textIn(column), reason };
}

/** The order in which problems are listed. */
export function byPlace(a: ImportProblem, b: ImportProblem): number {
	return a.line - b.line || orderOf(a) - orderOf(b);
}

function orderOf({ column }: ImportProblem): number {
	return column === null ? -1 : columns.indexOf(column);
}

/** The longest heading that has a meaning, in UTF-16 units. */
const maxHeading = 32;

/** The text of a heading without what people add to it: blanks, `*` where something must be filled in, `（必填）`, `：`. */
function headingIn(cell: Cell | undefined): string {
	if (!cell || cell.text.length > maxHeading) return '';
	return clean(cell.text.replace(/[\s*＊:：]|[（(].*/g, '')).toLowerCase();
}

function placesOf(words: readonly string[]): Map<Column, number> {
	const places = new Map<Column, number>();
	for (const column of columns) {
		const heading = headings[column].find((word) => words.includes(word));
		if (heading !== undefined) places.set(column, words.indexOf(heading));
	}
	return places;
}

type Outcome<Value> = { value: Value } | { problem: string };

/** How the text of each column is read; undefined stands for an empty cell. */
const parsers: { readonly [Name in Column]: (text: string | undefined) => Outcome<Values[Name]> } = {
	name: (text) => readField('name', text),
	phone: (text) => {
		if (text === undefined) return { problem: messages.required };
		const phone = readPhone(text);
		if (phone !== undefined) return { value: phone };
		const isShortened = text.length <= maxWord && /^[\d.]+E\+?\d+$/i.test(text.trim());
		return { problem: isShortened ? messages.shortened(text.trim()) : String(CreateEmployee.properties.phone.error) };
	},
	store: (text) => (text === undefined ? { problem: messages.required } : { value: wordOf(text) ?? '' }),
	roles: (text = '') => readRoles(text),
	status: (text) => {
		if (text === undefined) return { value: 'ACTIVE' };
		const word = wordOf(text)?.toUpperCase() ?? '';
		const [status] = statusEntries.find(([, words]) => words.includes(word)) ?? [];
		return status === undefined ? { problem: messages.badStatus } : { value: status };
	},
	remark: (text) => readField('remark', text ?? null),
};

const statusEntries = Object.entries(statusWords) as [Status, readonly string[]][];

function readField<Name extends 'name' | 'remark'>(name: Name, text: string | null | undefined) {
	const field = CreateEmployee.properties[name];
	if (text === undefined) return { problem: messages.required };
	if (!Value.Check(field, text)) return { problem: String(field.error) };
	return { value: Value.Decode(field, text) as Values[Name] };
}

/** A word as names are stored; undefined for one that is longer than any. */
function wordOf(text: string): string | undefined {
	return text.length > maxWord ? undefined : clean(text);
}

const { roleIds } = CreateEmployee.properties;

function readRoles(text: string): Outcome<string[]> {
	const roles: string[] = [];
	for (const part of text.split(roleSeparator)) {
		const word = wordOf(part);
		if (word === undefined) return { problem: `${employeeMessages.badRole}：${part.trim().slice(0, 50)}…` };
		if (word !== '') roles.push(word);
	}
	return roles.length > (roleIds.maxItems ?? roles.length) ? { problem: String(roleIds.error) } : { value: roles };
}

/** One line; `firstLines` has the first line of each phone so far. */
function readLine(
	row: Row,
	places: ReadonlyMap<Column, number>,
	firstLines: Map<string, number>,
	problems: ImportProblem[],
): ImportLine {
	const { line, cells } = row;
	const read: ImportLine = { number: line };
	const report = (column: Column, reason: string) => problems.push(problemOf(row, places, column, reason));
	for (const column of columns) {
		const place = places.get(column);
		const outcome = readCell(column, place === undefined ? undefined : cells[place]);
		if ('problem' in outcome) report(column, outcome.problem);
		else Object.assign(read, { [column]: outcome.value });
	}
	const { phone } = read;
	const firstLine = phone === undefined ? undefined : firstLines.get(phone);
	if (phone !== undefined && firstLine === undefined) firstLines.set(phone, line);
	if (firstLine === undefined) return read;
	report('phone', messages.samePhone(firstLine));
	return { ...read, phone: undefined };
}

function readCell(column: Column, cell: Cell | undefined): Outcome<unknown> {
	if (cell?.kind === 'text' || cell?.kind === 'number' || cell === undefined) return parsers[column](cell?.text);
	return { problem: messages[cell.kind] };
}
