import { writeCsvCell } from './csv-cell.ts';

/** The bytes of a CSV file, in which no cell is a formula, from its rows in parts. */
export async function* writeCsv(rows: AsyncIterable<string[][]> | Iterable<string[][]>): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	// Excel detects UTF-8 by the byte order mark.
	yield encoder.encode('\uFEFF');
	for await (const part of rows) {
		yield encoder.encode(part.map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join(''));
	}
}
