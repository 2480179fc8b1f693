/** Reads CSV as spreadsheet programs write it. */
import { type Cell, mostColumns, type Row, type Sheet, SheetError, type SheetLimits } from './sheet.ts';

/** The names of encodings that contain nothing but GB18030 does. */
const chinese = /^(gb18030|gbk|gb2312|x-gbk|cp936|ms936|windows-936)$/i;

/**
 * Reads a file in UTF-8 or GB18030. `charset` is the name of its encoding; without one UTF-8 is tried first, then GB18030,
 * which Excel writes in China.
 * @throws SheetError
 */
export async function readCsv(bytes: Uint8Array, charset: string | undefined, limits: SheetLimits): Promise<Sheet> {
	const text = decode(bytes, charset);
	// Loaded when it is first needed, to keep the start quick.
	const { parse, CsvError } = await import('csv-parse/sync');
	const rows: Row[] = [];
	let line = 0;
	/** Keeps what is not empty; nothing is left for the parser to collect. */
	function take(record: string[]): null {
		line += 1;
		const cells = record.slice(0, mostColumns).map(cellOf);
		if (cells.every((cell) => cell === undefined)) return null;
		if (rows.length >= limits.rows) throw new SheetError('too many rows');
		rows.push({ line, cells });
		return null;
	}
	try {
		parse(text, { delimiter: delimiterOf(text), relax_column_count: true, relax_quotes: true, on_record: take });
	} catch (error) {
		if (error instanceof CsvError) throw new SheetError('unreadable', line + 1);
		throw error;
	}
	return { rows, merged: [] };
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
	if (charset !== undefined) return decodeAs(encodingOf(charset), bytes);
	try {
		return decodeAs('utf-8', bytes);
	} catch {
		return decodeAs('gb18030', bytes);
	}
}

function encodingOf(charset: string): 'utf-8' | 'gb18030' {
	if (/^utf-?8$/i.test(charset)) return 'utf-8';
	if (chinese.test(charset)) return 'gb18030';
	throw new SheetError('encoding');
}

/** Leaves out a byte order mark. */
function decodeAs(encoding: 'utf-8' | 'gb18030', bytes: Uint8Array): string {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		throw new SheetError('encoding');
	}
}

/** A comma, unless the first line has only one of the others that spreadsheet programs write. */
function delimiterOf(text: string): string {
	const [heading = ''] = text.split(/[\r\n]/, 1);
	return heading.includes(',') ? ',' : (['\t', ';'].find((delimiter) => heading.includes(delimiter)) ?? ',');
}

/** Spreadsheet programs evaluate what begins with `=`, and take an apostrophe before it for a mark of text. */
function cellOf(value: string): Cell | undefined {
	if (value.trim() === '') return undefined;
	if (value.startsWith('=')) return { kind: 'formula', text: value };
	return { kind: 'text', text: value.replace(/^'(?=[=+\-@＝＋－＠])/, '') };
}
