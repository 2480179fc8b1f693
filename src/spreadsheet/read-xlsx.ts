/**
 * Reads the first sheet of an XLSX workbook. The libraries for it read the whole workbook at once, which a hostile file
 * makes take seconds, and most do not say which cells are formulas or merged; so this reads its XML in small steps.
 */
import {
	type Cell,
	type MergedCells,
	mostColumns,
	pacer,
	type Row,
	type Sheet,
	SheetError,
	type SheetLimits,
} from './sheet.ts';
import { unzip } from './unzip.ts';

const parts =
	/^xl\/(?:workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/;

/** @throws SheetError */
export async function readXlsx(archive: Uint8Array, limits: SheetLimits): Promise<Sheet> {
	const files = await unzip(archive, (name) => parts.test(name), limits.bytes);
	const sheet = files.get(await firstSheetPath(files));
	if (!sheet) throw new SheetError('unreadable');
	const strings = await readStrings(files.get('xl/sharedStrings.xml'));
	const dateStyles = await readDateStyles(files.get('xl/styles.xml'));
	return await readSheet(sheet, strings, dateStyles, limits.rows);
}

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
	open?(name: string, attributes: Attributes): void;
	text?(text: string): void;
	close?(name: string): void;
}

const bytesPerStep = 32_768;

/** More merged cells are not reported. */
const mostMerged = 1000;

/** Walks through a file. Names come without their prefix. */
async function walk(file: Uint8Array | undefined, { open, text, close }: Handlers): Promise<void> {
	if (!file) return;
	const { SaxesParser } = await import('saxes');
	const parser = new SaxesParser({ position: false, xmlns: false });
	const refuse = () => {
		throw new SheetError('unreadable');
	};
	parser.on('error', refuse);
	parser.on('doctype', refuse);
	parser.on('opentag', (tag) => open?.(localName(tag.name), tag.attributes));
	if (text) parser.on('text', text);
	parser.on('closetag', (tag) => close?.(localName(tag.name)));
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const pace = pacer();
	for (let start = 0; start < file.byteLength; start += bytesPerStep) {
		const end = start + bytesPerStep;
		parser.write(decode(decoder, file.subarray(start, end), end < file.byteLength));
		await pace();
	}
	parser.close();
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
	try {
		return decoder.decode(bytes, { stream });
	} catch {
		throw new SheetError('unreadable');
	}
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

/** The path of the sheet that the workbook lists first. */
async function firstSheetPath(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
	let id: string | undefined;
	await walk(files.get('xl/workbook.xml'), {
		open(name, attributes) {
			if (name !== 'sheet' || id !== undefined) return;
			id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
		},
	});
	let path = '';
	await walk(files.get('xl/_rels/workbook.xml.rels'), {
		open(name, { Id, Target = '' }) {
			if (name === 'Relationship' && Id === id) path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
		},
	});
	return path;
}

/** The texts that cells refer to by number, without the pronunciation that East Asian versions of Excel store. */
async function readStrings(file: Uint8Array | undefined): Promise<string[]> {
	const strings: string[] = [];
	let current = '';
	let isText = false;
	let isPronunciation = false;
	await walk(file, {
		open(name) {
			if (name === 'si') current = '';
			if (name === 'rPh') isPronunciation = true;
			isText = name === 't' && !isPronunciation;
		},
		text(text) {
			if (isText) current += text;
		},
		close(name) {
			if (name === 't') isText = false;
			if (name === 'rPh') isPronunciation = false;
			if (name === 'si') strings.push(unescapeText(current));
		},
	});
	return strings;
}

/** The numbers of the cell styles that show a number as a date or a time. */
async function readDateStyles(file: Uint8Array | undefined): Promise<Set<string>> {
	const formats = new Map<string, string>();
	const styles: string[] = [];
	let isCellStyle = false;
	await walk(file, {
		open(name, { numFmtId = '0', formatCode = '' }) {
			if (name === 'numFmt') formats.set(numFmtId, formatCode);
			if (name === 'cellXfs') isCellStyle = true;
			if (name === 'xf' && isCellStyle) styles.push(numFmtId);
		},
		close(name) {
			if (name === 'cellXfs') isCellStyle = false;
		},
	});
	const isDate = (id: string) => {
		const format = formats.get(id);
		return format === undefined ? isBuiltInDate(Number(id)) : isDateFormat(format);
	};
	return new Set(styles.flatMap((id, index) => (isDate(id) ? [String(index)] : [])));
}

/** The numbers that the standard gives to formats of dates and times, those of East Asian versions included. */
function isBuiltInDate(id: number): boolean {
	return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Whether a format has a letter for a part of a date, outside of quoted texts, escaped letters and conditions. */
function isDateFormat(format: string): boolean {
	return /[ymdhs]/i.test(format.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').replace(/general/gi, ''));
}

/** A cell while it is read. */
interface OpenCell {
	type: string;
	style: string;
	value: string;
	hasFormula: boolean;
}

async function readSheet(
	file: Uint8Array,
	strings: readonly string[],
	dateStyles: ReadonlySet<string>,
	mostRows: number,
): Promise<Sheet> {
	const rows: Row[] = [];
	const merged: MergedCells[] = [];
	let line = 0;
	let column = -1;
	let cells: (Cell | undefined)[] = [];
	let cell: OpenCell | undefined;
	let isValue = false;
	let isPronunciation = false;
	const opening: Record<string, (attributes: Attributes) => void> = {
		row({ r }) {
			line = r === undefined ? line + 1 : Number(r);
			column = -1;
			cells = [];
		},
		c({ r, t = 'n', s = '' }) {
			column = r === undefined ? column + 1 : columnOf(r);
			cell = { type: t, style: s, value: '', hasFormula: false };
		},
		f() {
			if (cell) cell.hasFormula = true;
		},
		rPh() {
			isPronunciation = true;
		},
		mergeCell({ ref = '' }) {
			if (merged.length < mostMerged) merged.push(mergedCells(ref));
		},
	};
	const closing: Record<string, () => void> = {
		rPh() {
			isPronunciation = false;
		},
		c() {
			const read = cell && cellOf(cell, strings, dateStyles);
			if (read && column >= 0 && column < mostColumns) cells[column] = read;
			cell = undefined;
		},
		row() {
			if (cells.length === 0) return;
			if (rows.length >= mostRows) throw new SheetError('too many rows');
			rows.push({ line, cells });
		},
	};
	await walk(file, {
		open(name, attributes) {
			isValue = name === 'v' || (name === 't' && !isPronunciation);
			opening[name]?.(attributes);
		},
		text(text) {
			if (isValue && cell) cell.value += text;
		},
		close(name) {
			isValue = false;
			closing[name]?.();
		},
	});
	return { rows, merged };
}

function cellOf(
	{ type, style, value, hasFormula }: OpenCell,
	strings: readonly string[],
	dateStyles: ReadonlySet<string>,
) {
	const read = (kind: Cell['kind'], text: string): Cell | undefined =>
		text.trim() === '' ? undefined : { kind, text };
	if (hasFormula) return { kind: 'formula', text: value } satisfies Cell;
	if (type === 's') return read('text', strings[Number(value)] ?? '');
	if (type === 'inlineStr' || type === 'str') return read('text', unescapeText(value));
	if (type === 'b') return read('text', value === '1' ? 'TRUE' : 'FALSE');
	if (type === 'e') return read('error', value);
	if (type === 'd' || (value !== '' && dateStyles.has(style))) return read('date', value);
	return read('number', value === '' ? '' : String(Number(value)));
}

/** Excel writes characters that XML does not allow as `_x0001_`, and the underscore of such a text as `_x005F_`. */
function unescapeText(text: string): string {
	return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The column of a cell such as `AB12`, from 0. */
function columnOf(reference: string): number {
	const [letters = ''] = /^[A-Z]{1,3}/.exec(reference) ?? [];
	return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function mergedCells(reference: string): MergedCells {
	const [first = '', last = first] = reference.split(':');
	const lineOf = (corner: string) => Number(/\d+$/.exec(corner)?.[0] ?? 0);
	return {
		firstLine: lineOf(first),
		lastLine: lineOf(last),
		firstColumn: columnOf(first),
		lastColumn: columnOf(last),
	};
}
