/** Cells of CSV files, which no spreadsheet takes for formulas. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import papa from 'papaparse';
import { readCsvCell, writeCsvCell } from '../src/features/files/formats/csv-cell.ts';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);

/** Texts of the characters that matter. */
const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝＋－＠ \t\r\n;,\\\u2028a早') });

const cellOf = (written: string) =>
	papa.parse<string[]>(written, { delimiter: ',', newline: '\r\n' }).data[0]?.[0] ?? '';

test('reading gives back what was written, however often', () => {
	const check = (value: string) => expect(readCsvCell(cellOf(writeCsvCell(value)))).toBe(value);
	fc.assert(fc.property(text, check), { numRuns: 5000 });
	fc.assert(fc.property(fc.string({ unit: 'grapheme' }), check), { numRuns: 1000 });
	for (const value of ['- 早班\n- 晚班', "'", "''=1", "'\t", "\n'=1", '=1', '; = 1']) check(value);
});

test('no text begins with a formula character, however a program splits it', () => {
	const check = (value: string) => {
		for (const piece of writeCsvCell(value).split(/[;\t\r\n\v\f\u0085\u2028\u2029]/)) {
			expect(piece.replace(/^[\s"'\\]*/, (start) => (start.includes("'") ? 'x' : ''))).not.toMatch(/^[=+\-@＝＋－＠]/);
		}
	};
	fc.assert(fc.property(text, check), { numRuns: 5000 });
});
