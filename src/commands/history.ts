import { InvalidArgumentError } from 'commander';
import { readInstant } from '../history/model.ts';
import { allHistory } from '../history/service.ts';
import { openData } from './data.ts';
import { type HistoryFormat, headOf, lineOf } from './history-formats.ts';
import type { ProcessContext } from './process.ts';

interface Options {
	/** ISO 8601 in UTC. */
	from?: string;
	to?: string;
	format: HistoryFormat;
}

/** How many characters are written at once. */
const batchSize = 65_536;

/**
 * `access history export`: the records of a period on standard output, oldest first, in constant memory; also while a
 * server uses the database.
 * @throws OperationError
 */
export async function exportHistory(context: ProcessContext, { from, to, format }: Options): Promise<number> {
	using db = openData(context);
	let batch = headOf(format);
	for (const record of allHistory(db, { from, to })) {
		batch += lineOf(format, record);
		if (batch.length < batchSize) continue;
		await context.write(batch);
		batch = '';
	}
	await context.write(batch);
	return 0;
}

/**
 * The instant that an option names; without a zone it is in the zone of this machine.
 * @throws InvalidArgumentError
 */
export function instantOption(text: string): string {
	const instant = readInstant(text, 'local');
	if (instant !== undefined) return instant;
	throw new InvalidArgumentError('It takes a date or time such as 2026-11-21 or 2026-11-21T08:30:00+08:00.');
}
