/** Spreadsheet files of every shape, for the tests of import and export. */
import { strToU8, unzipSync, zipSync } from 'fflate';

/** A CSV file of these cells; each is quoted. */
export function csvOf(rows: readonly (readonly string[])[]): string {
	return rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A cell of an XLSX sheet, as XML without its position. A string is a text cell. */
export type XmlCell = string | { type?: string; style?: number; inside: string };

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An XLSX file. Style 1 is a date, 2 one with a custom format, 3 a number with two decimals, 4 with four digits, 5 with too many. */
export function xlsxOf(
	rows: Readonly<Record<number, readonly (XmlCell | undefined)[]>>,
	{ merged = [], more = {} }: { merged?: string[]; more?: Record<string, string> } = {},
): Uint8Array {
	const cellOf = (cell: XmlCell | undefined, place: string) => {
		if (cell === undefined) return '';
		if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
		const { type, style, inside } = cell;
		return `<c r="${place}"${type ? ` t="${type}"` : ''}${style ? ` s="${style}"` : ''}>${inside}</c>`;
	};
	const lines = Object.entries(rows).map(([line, cells]) => {
		const content = cells.map((cell, column) => cellOf(cell, `${String.fromCharCode(65 + column)}${line}`));
		return `<row r="${line}">${content.join('')}</row>`;
	});
	const refs = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
	const merges = refs && `<mergeCells>${refs}</mergeCells>`;
	const sheet = '<sheet name="x" sheetId="1" r:id="rId7"/>';
	const formats = ['yyyy&quot;年&quot;m&quot;月&quot;', '0000', '0'.repeat(256)].map(
		(code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`,
	);
	const styles = [0, 14, 164, 2, 165, 166].map((id) => `<xf numFmtId="${id}"/>`).join('');
	const files = {
		'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets>${sheet}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels':
			'<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>',
		'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
		'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData>${merges}</worksheet>`,
		...more,
	};
	return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
}

/** The texts in the first sheet of a workbook that the program wrote, by row; empty cells are empty texts. */
export function textsIn(workbook: Uint8Array): string[][] {
	const file = unzipSync(workbook)['xl/worksheets/sheet1.xml'];
	const xml = new TextDecoder().decode(file);
	const plain = (text: string) =>
		text
			.replaceAll('&lt;', '<')
			.replaceAll('&gt;', '>')
			.replaceAll('&quot;', '"')
			.replaceAll('&#13;', '\r')
			.replaceAll('&amp;', '&')
			.replaceAll('_x005F_', '_');
	return Array.from(xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs), ([, row = '']) => {
		const cells = ['', '', '', '', '', ''];
		for (const [, column = 'A', text = ''] of row.matchAll(/<c r="([A-Z])\d+"[^>]*><is><t[^>]*>(.*?)<\/t>/gs)) {
			cells[column.charCodeAt(0) - 65] = plain(text);
		}
		return cells;
	});
}
