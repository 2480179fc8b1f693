/** Writes a table as CSV or XLSX. */
import type { ExportFormat } from '../../../platform/http/file-answer.ts';
import { writeCsvCell } from './csv-cell.ts';
import { inParts, type WrittenSheet, writeXlsx } from './write-xlsx.ts';

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
