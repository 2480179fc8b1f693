/**
 * Reads the first visible sheet of an XLSX workbook. An import has to know which cells are formulas, dates or merged,
 * which most libraries do not tell. The process can be killed, so the workbook is read at once.
 */
import { resolve } from 'node:path/posix';
import { SaxesParser } from 'saxes';
import { orUndefined } from '../../../platform/vocabulary/errors.ts';
import { type Cell, fileRefusals, maxBytes, maxColumns, maxRows, type Row, shownIn, textCell } from './sheet.ts';
import { unzip } from './unzip.ts';

const parts =
	/^xl\/(?:workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/;

/** @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE */
export function readXlsx(archive: Uint8Array): Row[] {
	const files = unzip(archive, (name) => parts.test(name));
	const sheet = firstSheet(files);
	if (!sheet) throw fileRefusals.unreadable();
	const strings = readStrings(files.get('xl/sharedStrings.xml'));
	const styles = readStyles(files.get('xl/styles.xml'));
	return readSheet(sheet, strings, styles);
}

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
	open?(name: string, attributes: Attributes): void;
	/** `text` is the content of an element without child elements. */
	close?(name: string, text: string): void;
}

/** Walks through a file. Names have no prefix, and texts no pronunciation, which East Asian versions of Excel store. */
function walk(file: Uint8Array | undefined, { open, close }: Handlers): void {
	if (!file) return;
	const parser = new SaxesParser({ position: false, xmlns: false });
	let text = '';
	let isPronunciation = false;
	parser.on('error', refuse);
	parser.on('doctype', refuse);
	parser.on('opentag', (tag) => {
		const name = localName(tag.name);
		text = '';
		isPronunciation ||= name === 'rPh';
		open?.(name, tag.attributes);
	});
	function addText(part: string): void {
		if (!isPronunciation) text += part;
	}
	parser.on('text', addText);
	parser.on('cdata', addText);
	parser.on('closetag', (tag) => {
		const name = localName(tag.name);
		if (name === 'rPh') isPronunciation = false;
		close?.(name, text);
	});
	parser.write(orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(file)) ?? refuse()).close();
}

function refuse(): never {
	throw fileRefusals.unreadable();
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

/** The first sheet of cells that the workbook does not hide. A chart can be a sheet, too. */
function firstSheet(files: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
	const visible: string[] = [];
	walk(files.get('xl/workbook.xml'), {
		open(name, { state = 'visible', ...attributes }) {
			if (name !== 'sheet' || state !== 'visible') return;
			visible.push(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
		},
	});
	const paths = new Map<string, string>();
	walk(files.get('xl/_rels/workbook.xml.rels'), {
		open: (_, { Id = '', Target = '' }) => paths.set(Id, resolve('/xl', Target).slice(1)),
	});
	const path = visible.map((id) => paths.get(id)).find((each) => !each?.startsWith('xl/chartsheets/'));
	return path === undefined ? undefined : files.get(path);
}

/** The texts that cells refer to by number. */
function readStrings(file: Uint8Array | undefined): string[] {
	const strings: string[] = [];
	let current = '';
	walk(file, {
		close(name, text) {
			if (name === 't') current += text;
			if (name !== 'si') return;
			strings.push(unescapeText(current));
			current = '';
		},
	});
	return strings;
}

/** The way in which a cell style shows a number: as a date or a time, or with this many digits at least. */
type Style = 'date' | number;

/** The cell styles, which cells refer to by number. */
function readStyles(file: Uint8Array | undefined): Style[] {
	const formats = new Map<string, Style>();
	const styles: string[] = [];
	let isCellStyle = false;
	walk(file, {
		open(name, { numFmtId = '0', formatCode = '' }) {
			if (name === 'numFmt') formats.set(numFmtId, styleOf(formatCode));
			if (name === 'cellXfs') isCellStyle = true;
			if (name === 'xf' && isCellStyle) styles.push(numFmtId);
		},
		close(name) {
			if (name === 'cellXfs') isCellStyle = false;
		},
	});
	return styles.map((id) => formats.get(id) ?? (isBuiltInDate(Number(id)) ? 'date' : 0));
}

/** The standard numbers of formats for dates and times, including those of East Asian versions. */
function isBuiltInDate(id: number): boolean {
	return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** A format for dates has a letter outside quoted texts, escaped letters and conditions; `0000` shows 12 as 0012. */
function styleOf(format: string): Style {
	const shown = format.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g, '');
	if (/[ymdhs]/i.test(shown)) return 'date';
	// Excel's limit. Thousands of cells, each padded to millions of zeros, would take minutes.
	return /^0{1,255}$/.test(format) ? format.length : 0;
}

interface OpenCell {
	type: string;
	style: string;
	value: string;
	hasFormula: boolean;
}

/** A row or a cell without a reference follows the previous one. */
function readSheet(file: Uint8Array, strings: readonly string[], styles: readonly Style[]): Row[] {
	const rows: Row[] = [];
	let [line, column, characters] = [0, -1, 0];
	let cells: Row['cells'] = [];
	let open: OpenCell | undefined;
	function add(cell: Cell | undefined): void {
		if (!cell || column >= maxColumns) return;
		// A text that many cells share counts each time.
		characters += cell.text.length;
		if (characters > maxBytes) throw fileRefusals.tooManyBytes();
		cells[column] = cell;
	}
	walk(file, {
		open(name, { r, t = 'n', s = '', ref = '' }) {
			if (name === 'row') {
				line = r === undefined ? line + 1 : lineOf(r);
				[column, cells] = [-1, []];
			} else if (name === 'c') {
				column = r === undefined ? column + 1 : columnOf(r);
				open = { type: t, style: s, value: '', hasFormula: false };
			} else if (name === 'f' && open) open.hasFormula = true;
			else if (name === 'mergeCell') markMerged(rows, ref);
		},
		close(name, text) {
			if ((name === 'v' || name === 't') && open) open.value += text;
			else if (name === 'c' && open) add(cellOf(open, strings, styles));
			else if (name === 'row' && cells.length > 0) {
				if (rows.length >= maxRows) throw fileRefusals.tooManyRows();
				rows.push({ line, cells });
			}
		},
	});
	return rows;
}

/** Marks the cells of a reference such as `A2:B3`, which were merged into the first of them. */
function markMerged(rows: readonly Row[], reference: string): void {
	const [first = '', last = first] = reference.split(':');
	const [firstLine = 0, lastLine = 0] = [first, last].map((corner) => lineOf(corner.replace(/^[A-Z]+/, '')));
	const [firstColumn, lastColumn] = [columnOf(first), Math.min(columnOf(last), maxColumns - 1)];
	for (const { cells } of rows.filter(({ line }) => line >= firstLine && line <= lastLine)) {
		for (let column = firstColumn; column <= lastColumn; column += 1)
			cells[column] = { kind: 'merged', text: shownIn(cells[column]) };
	}
}

function cellOf(
	{ type, style, value, hasFormula }: OpenCell,
	strings: readonly string[],
	styles: readonly Style[],
): Cell | undefined {
	if (hasFormula) return textCell(unescapeText(value), 'formula') ?? { kind: 'formula', text: '' };
	if (type === 's') return textCell(strings[Number(value)] ?? '');
	if (type === 'inlineStr' || type === 'str') return textCell(unescapeText(value));
	if (type === 'b') return textCell(value === '1' ? 'TRUE' : 'FALSE');
	if (type === 'e') return textCell(value, 'error');
	if (value === '') return undefined;
	const shown = styles[Number(style)] ?? 0;
	if (type === 'd' || shown === 'date') return textCell(value, 'date');
	return textCell(String(Number(value)).padStart(shown, '0'));
}

/** Excel writes characters that XML does not allow as `_x0001_`, and the underscore of such a text as `_x005F_`. */
function unescapeText(text: string): string {
	return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function lineOf(number: string): number {
	return /^[1-9]\d{0,6}$/.test(number) ? Number(number) : refuse();
}

/** The column of a cell such as `AB12`, from 0. */
function columnOf(reference: string): number {
	const [letters] = /^[A-Z]+/.exec(reference) ?? [];
	if (letters === undefined) return refuse();
	return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
