/** The formats of exported records. */
import type { HistoryRecord } from './model.ts';

/** A table for spreadsheets, or a line of JSON for each record. */
export const historyFormats = ['csv', 'jsonl'] as const;
/** One of {@link historyFormats}. */
export type HistoryFormat = (typeof historyFormats)[number];

const fields = [
	'id',
	'at',
	'action',
	'actorType',
	'actorId',
	'actorName',
	'address',
	'requestId',
	'targetType',
	'targetId',
	'targetName',
	'changes',
	'reason',
	'count',
] as const satisfies readonly (keyof HistoryRecord)[];

/** The start of the file: for a table, the byte order mark by which Excel detects UTF-8, and the column names. */
export function headOf(format: HistoryFormat): string {
	return format === 'csv' ? `\uFEFF${fields.join(',')}\r\n` : '';
}

/** One record with its line end. */
export function lineOf(format: HistoryFormat, record: HistoryRecord): string {
	if (format === 'jsonl') return `${JSON.stringify(record)}\n`;
	return `${fields.map((field) => cell(record[field])).join(',')}\r\n`;
}

/**
 * RFC 4180, and no spreadsheet takes a cell for a formula: an apostrophe goes before a formula character at the start of
 * the text. Some readers split at `;` or tab, and at every line break because they do not expect quotes inside a cell; so
 * an apostrophe goes behind those too. (csv-stringify escapes only the start of a cell, and takes three times as long.)
 */
function cell(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const harmless = text
		.replace(/^(?=[\s"'\\]*[=+\-@＝＋－＠]|[\t\r\n])/, "'")
		.replace(/([;\t\r\n\v\f\u0085\u2028\u2029][\s"'\\]*)(?=[=+\-@＝＋－＠])/g, "$1'");
	return /[",\r\n]/.test(harmless) || harmless !== text ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
