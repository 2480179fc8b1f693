/** Exports in the columns of an import, so that an exported file can be imported as it is. */
import type { ExportFormat } from '../../platform/http/file-answer.ts';
import { writeCsvCell } from './formats/csv-cell.ts';
import { inParts, type WrittenSheet, writeXlsx } from './formats/write-xlsx.ts';
import { headOf, type Layout } from './layout.ts';

/** The parts of a file with these lines. */
export function writeSheet(
	format: ExportFormat,
	{ noun, columns }: Layout,
	lines: Iterable<Readonly<Record<string, string>>>,
): AsyncGenerator<Uint8Array> {
	const names = Object.keys(columns);
	const { headings, widths } = headOf(Object.values(columns));
	function* rows(): Generator<string[]> {
		yield headings;
		for (const texts of lines) yield names.map((name) => texts[name] ?? '');
	}
	return writeTable(format, { name: noun, widths, rows: rows() });
}

/** The parts of a file with one table. */
export function writeTable(format: ExportFormat, sheet: WrittenSheet): AsyncGenerator<Uint8Array> {
	return format === 'csv' ? writeCsv(sheet) : writeXlsx([sheet]);
}

/** The bytes of a CSV file, in which no cell is a formula. */
async function* writeCsv({ rows }: WrittenSheet): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	// Excel detects UTF-8 by the byte order mark.
	yield encoder.encode('\uFEFF');
	for await (const part of inParts(rows)) {
		yield encoder.encode(part.map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join(''));
	}
}
