/**
 * RFC 4180, and no spreadsheet takes a cell for a formula: an apostrophe goes before a formula character at the start of
 * the text. Some readers split at `;` or tab, and at every line break because they do not expect quotes inside a cell; so
 * an apostrophe goes behind those too. (csv-stringify escapes only the start of a cell, and takes three times as long.)
 */
export function csvCell(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const harmless = text
		.replace(/^(?=[\s"'\\]*[=+\-@＝＋－＠]|[\t\r\n])/, "'")
		.replace(/([;\t\r\n\v\f\u0085\u2028\u2029][\s"'\\]*)(?=[=+\-@＝＋－＠])/g, "$1'");
	return /[",\r\n]/.test(harmless) || harmless !== text ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
