import { readConfig } from '../config.ts';
import { dataFolderAt } from '../data-folder.ts';
import { closeDatabase, openExistingDatabase } from '../database/open.ts';
import { OperationError } from '../errors.ts';
import { type HistoryFormat, headOf, historyFormats, lineOf } from '../history/formats.ts';
import { readInstant } from '../history/instant.ts';
import { allHistory } from '../history/service.ts';
import type { Terminal } from './terminal.ts';

interface Options {
	from?: string;
	to?: string;
	format?: string;
}

/** So many characters are written at once. */
const batchSize = 65_536;

/**
 * `access history export`: the records of a time on standard output, oldest first, however many there are; also while a
 * server serves.
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
	const instant = readInstant(given);
	if (instant === undefined) {
		throw new OperationError(
			`${option} is ${given}, but takes a date or time such as 2026-11-21 or 2026-11-21T08:30:00Z`,
		);
	}
	return instant;
}
