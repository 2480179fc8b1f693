/**
 * Cells of a CSV file. No spreadsheet may take a cell for a formula, so writing puts an apostrophe before a formula
 * character at the start of a text. Some readers split at `;` or tab, and at every line break because they do not
 * expect quotes inside a cell; so an apostrophe goes after those too. Reading takes back exactly what writing put in.
 * (csv-stringify escapes only the start of a cell, and takes three times as long.)
 */
const atStart = /^(?=[\s"'\\]*[=+\-@＝＋－＠]|'*[\t\r\n])/;
const atStartWritten = new RegExp(atStart.source.replace('^', "^'"));
const inside = /([;\t\r\n\v\f\u0085\u2028\u2029][\s"'\\]*)(?=[=+\-@＝＋－＠])/g;
const insideWritten = new RegExp(inside.source.replace(')(?=', ")'(?="), 'g');

/** A value as a cell of RFC 4180 that no spreadsheet takes for a formula. */
export function writeCsvCell(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const harmless = withoutFormula(text);
	return /[",\r\n]/.test(harmless) || harmless !== text ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A text that no spreadsheet takes for a formula, even when pasted. */
export function withoutFormula(text: string): string {
	return text.replace(atStart, "'").replace(inside, "$1'");
}

/** The text behind a written cell, which is given without its enclosing quotes. */
export function readCsvCell(cell: string): string {
	return cell.replace(insideWritten, '$1').replace(atStartWritten, '');
}
