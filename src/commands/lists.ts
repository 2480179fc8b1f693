/** Lists on standard output. The server may run. */
import { eachEmployee } from '../features/employees/read.ts';
import { writeCsvCell } from '../features/files/formats/csv-cell.ts';
import { HistoryRecord } from '../identity/history/model.ts';
import { allHistory } from '../identity/history/service.ts';
import { type OutputOptions, openData, type ProcessContext, writeLines } from './process.ts';

/** A table for spreadsheets, or a line of JSON for each record. */
export const historyFormats = ['csv', 'jsonl'] as const;
type HistoryFormat = (typeof historyFormats)[number];

interface Options {
	/** ISO 8601 in UTC. */
	from?: string;
	to?: string;
	format: HistoryFormat;
}

/** `access history export`: writes the records of a period, oldest first, in constant memory. @throws OperationError */
export async function exportHistory(context: ProcessContext, { from, to, format }: Options): Promise<void> {
	using db = openData(context);
	await writeLines(context, formatHistory(format, allHistory(db, { from, to })));
}

const fields = Object.keys(HistoryRecord.properties) as (keyof HistoryRecord)[];

/** The lines of the file. A table begins with a byte order mark, so that Excel detects UTF-8, and the column names. */
function* formatHistory(format: HistoryFormat, records: Iterable<HistoryRecord>): Generator<string> {
	if (format === 'csv') yield `\uFEFF${fields.join(',')}\r\n`;
	for (const record of records) {
		if (format === 'jsonl') yield `${JSON.stringify(record)}\n`;
		else yield `${fields.map((field) => writeCsvCell(record[field])).join(',')}\r\n`;
	}
}

/** `access report initial-passwords`: lists the employees who have the initial password, by store. @throws OperationError */
export async function reportInitialPasswords(context: ProcessContext, { json = false }: OutputOptions): Promise<void> {
	using db = openData(context);
	const people = eachEmployee(db, { passwordIsInitial: true }).toArray();
	people.sort((a, b) => a.storeId - b.storeId);
	const lines = people.map(({ storeId, storeName, id, name, phone }, index) => {
		if (json) return `${JSON.stringify({ storeId, storeName, id, name, phone })}\n`;
		const line = `  ${phone} ${name} (${id})\n`;
		if (storeId === people[index - 1]?.storeId) return line;
		return `${index > 0 ? '\n' : ''}${storeName} (${storeId})\n${line}`;
	});
	await writeLines(context, lines);
}
