/**
 * Writes XLSX workbooks of texts, row by row into a compressed stream. Libraries that write whole workbooks hold every
 * cell in memory; the streaming ones bring a dozen packages. Every cell is a text, which no program takes for a formula.
 */
import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import { columnLetters } from './sheet.ts';

/** A sheet: its name, the widths of its columns in characters, and its rows. */
export interface WrittenSheet {
	name: string;
	widths: readonly number[];
	rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
	/** The line of each row; by default they follow one another. */
	lines?: readonly number[];
	/** The line of the headings, which stay in view with the lines above them; by default the first one. */
	heading?: number;
}

/** The number of characters after which a part is written. */
const partLength = 16_384;

/** Collects rows into parts of at least {@link partLength} characters; only the last one can be shorter. */
export async function* inParts(rows: WrittenSheet['rows']): AsyncGenerator<(readonly string[])[]> {
	let part: (readonly string[])[] = [];
	let length = 0;
	for await (const row of rows) {
		part.push(row);
		for (const text of row) length += text.length + 1;
		if (length < partLength) continue;
		yield part;
		part = [];
		length = 0;
	}
	yield part;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The bytes of a workbook. The headings of each sheet stay in view, in bold. */
export async function* writeXlsx(sheets: readonly WrittenSheet[]): AsyncGenerator<Uint8Array> {
	const { open, end, ready } = createArchive();
	for (const [path, text] of frame(sheets)) open(path)(text, true);
	for (const [index, sheet] of sheets.entries()) {
		const write = open(`xl/worksheets/sheet${index + 1}.xml`);
		for await (const text of textsOf(sheet)) {
			write(text);
			yield* ready.splice(0);
		}
		write('</sheetData></worksheet>', true);
	}
	end();
	yield* ready.splice(0);
}

/** Excel opens no sheet with more rows. */
const maxRows = 1_048_576;

const moreRows = `这里最多 ${maxRows.toLocaleString('en-US')} 行，其余内容不在这个文件中，请缩小筛选范围后重新导出。`;

/** The text of a sheet in parts, without its end. The last row of a full sheet says that there are more. */
async function* textsOf({ widths, rows, lines, heading = 1 }: WrittenSheet): AsyncGenerator<string> {
	yield sheetStart(widths, heading);
	let count = 0;
	for await (const part of inParts(rows)) {
		const fitting = part.slice(0, maxRows - 1 - count);
		const texts = fitting.map((row) => {
			count += 1;
			const line = lines?.[count - 1] ?? count;
			return rowOf(row, line, line === heading);
		});
		yield texts.join('');
		if (fitting.length < part.length) return yield rowOf([moreRows], maxRows, false);
	}
}

/** The number of the compression method in ZIP archives. */
const deflated = 8;

/** Compresses each part on its own, without memory of earlier parts: zlib needs a tenth of the time of fflate. */
class DeflatedFile extends ZipPassThrough {
	override compression = deflated;
	/** All parts but the last end at a byte, so that they can be joined. */
	protected override process(part: Uint8Array, isLast: boolean): void {
		const bytes = deflateRawSync(part, isLast ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
		this.ondata(null, new Uint8Array(bytes), isLast);
	}
}

/** A ZIP archive of XML files; `ready` has its finished parts. */
function createArchive() {
	const encoder = new TextEncoder();
	const ready: Uint8Array[] = [];
	const zip = new Zip((error, chunk) => {
		if (error) throw error;
		ready.push(chunk);
	});
	function open(path: string) {
		const file = new DeflatedFile(path);
		// The same content gives the same file at any time.
		file.mtime = new Date(1980, 0, 1);
		zip.add(file);
		file.push(encoder.encode(head));
		return (text: string, isLast = false) => file.push(encoder.encode(text), isLast);
	}
	return { open, ready, end: () => zip.end() };
}

/** The files around the sheets, by path. */
function frame(sheets: readonly WrittenSheet[]): [path: string, text: string][] {
	const each = (text: (number: number, name: string) => string) =>
		sheets.map(({ name }, index) => text(index + 1, escapeXml(name))).join('');
	return [
		['[Content_Types].xml', contentTypes(each((number) => part(`worksheets/sheet${number}`, 'worksheet')))],
		['_rels/.rels', relationships(relationship(1, 'officeDocument', 'xl/workbook.xml'))],
		[
			'xl/workbook.xml',
			`<workbook xmlns="${main}" xmlns:r="${documents}"><sheets>` +
				each((number, name) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`) +
				'</sheets></workbook>',
		],
		[
			'xl/_rels/workbook.xml.rels',
			relationships(
				each((number) => relationship(number, 'worksheet', `worksheets/sheet${number}.xml`)) +
					relationship(sheets.length + 1, 'styles', 'styles.xml'),
			),
		],
		['xl/styles.xml', stylesheet],
	];
}

function contentTypes(sheets: string): string {
	const rels = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`;
	const parts = part('workbook', 'sheet.main') + part('styles', 'styles') + sheets;
	return `<Types xmlns="${packages}/content-types">${rels}${parts}</Types>`;
}

function part(name: string, type: string): string {
	return `<Override PartName="/xl/${name}.xml" ContentType="${types}.${type}+xml"/>`;
}

function relationships(each: string): string {
	return `<Relationships xmlns="${packages}/relationships">${each}</Relationships>`;
}

function relationship(id: number, type: string, target: string): string {
	return `<Relationship Id="rId${id}" Type="${documents}/${type}" Target="${target}"/>`;
}

/** Format 49 is text: what is typed into such a cell stays as it is typed. */
const stylesheet = [
	`<styleSheet xmlns="${main}">`,
	'<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
	'<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
	'<fills count="2"><fill><patternFill patternType="none"/></fill>',
	'<fill><patternFill patternType="gray125"/></fill></fills>',
	'<borders count="1"><border/></borders>',
	'<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
	'<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
	'<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
	'<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>',
	'</styleSheet>',
].join('');

function sheetStart(widths: readonly number[], heading: number): string {
	const columns = widths.map(
		(width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" style="1" customWidth="1"/>`,
	);
	const pane = `<pane ySplit="${heading}" topLeftCell="A${heading + 1}" activePane="bottomLeft" state="frozen"/>`;
	const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
	return `<worksheet xmlns="${main}">${view}<cols>${columns.join('')}</cols><sheetData>`;
}

function rowOf(texts: readonly string[], line: number, isHeading: boolean): string {
	const style = isHeading ? 2 : 1;
	const cells = texts.map((text, column) =>
		text === ''
			? ''
			: `<c r="${columnLetters(column)}${line}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`,
	);
	return `<row r="${line}">${cells.join('')}</row>`;
}

/** Characters that XML cannot represent. The service refuses them, but rows of earlier versions can contain them. */
const notXml = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Excel reads `_x0041_` as a character, so the underscore of such a text is written in that form. */
function escapeXml(text: string): string {
	return text
		.replace(notXml, '\uFFFD')
		.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
		.replace(/[&<>"\r]/g, (character) => entities[character] ?? character);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };
