/** The formats of exported records. */

import type { HistoryRecord } from '../history/model.ts';
import { writeCsvCell } from '../spreadsheet/csv-cell.ts';

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
	return `${fields.map((field) => writeCsvCell(record[field])).join(',')}\r\n`;
}
