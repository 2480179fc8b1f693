/** The history as files (README, "History"). */
import type { HistoryRecord } from './model.ts';

/** The kinds of files. */
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

/** What stands before the first record: for a table, a mark by which Excel knows UTF-8, and the names of the columns. */
export function headOf(format: HistoryFormat): string {
	return format === 'csv' ? `\uFEFF${fields.join(',')}\r\n` : '';
}

/** One record, with the end of its line. */
export function lineOf(format: HistoryFormat, record: HistoryRecord): string {
	if (format === 'jsonl') return `${JSON.stringify(record)}\n`;
	return `${fields.map((field) => cell(record[field])).join(',')}\r\n`;
}

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe before it, also behind a semicolon or tab, which
 * end a cell where the comma is a decimal point; RFC 4180 for the rest.
 */
function cell(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const harmless = text
		.replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'")
		.replace(/([;\t][\s"'\\]*)(?=[=+\-@＝＋－＠])/g, "$1'");
	return /[",\r\n]/.test(harmless) || harmless !== text ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
