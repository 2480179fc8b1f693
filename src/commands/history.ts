import { readConfig } from '../config.ts';
import { dataFolderAt } from '../data-folder.ts';
import { closeDatabase, openExistingDatabase } from '../database/open.ts';
import { OperationError } from '../errors.ts';
import { type HistoryFormat, headOf, historyFormats, lineOf } from '../history/formats.ts';
import { readInstant } from '../history/model.ts';
import { allHistory } from '../history/service.ts';
import type { Terminal } from './terminal.ts';

interface Options {
	from?: string;
	to?: string;
	format?: string;
}

/** How many characters are written at once. */
const batchSize = 65_536;

/**
 * `access history export`: writes the records of a period to standard output, oldest first, in constant memory. A server
 * may be running. Dates and times without a zone are in the time zone of the machine.
 * @throws OperationError
 */
export async function exportHistory(terminal: Terminal, options: Options): Promise<number> {
	const format = formatOf(options.format ?? 'csv');
	const filter = { from: instantOf('--from', options.from), to: instantOf('--to', options.to) };
	const db = openExistingDatabase(dataFolderAt(readConfig(terminal.environment).DATA_DIR).database);
	try {
		let batch = headOf(format);
		for (const record of allHistory(db, filter)) {
			batch += lineOf(format, record);
			if (batch.length < batchSize) continue;
			await terminal.writeOut(batch);
			batch = '';
		}
		await terminal.writeOut(batch);
		return 0;
	} finally {
		closeDatabase(db);
	}
}

function formatOf(given: string): HistoryFormat {
	const format = historyFormats.find((each) => each === given);
	if (!format) throw new OperationError(`--format is ${given}, but takes one of ${historyFormats.join(', ')}`);
	return format;
}

function instantOf(option: string, given: string | undefined): string | undefined {
	if (given === undefined) return undefined;
	const instant = readInstant(given, 'local');
	if (instant === undefined) {
		throw new OperationError(
			`${option} is ${given}, but takes a date or time such as 2026-11-21, 2026-11-21T08:30 or 2026-11-21T08:30:00Z`,
		);
	}
	return instant;
}
