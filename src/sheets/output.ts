/**
 * How a process hands on what it read from the file of an import: a line of JSON for each line of the file, each problem and
 * each row that is wanted, then one that ends the output.
 */
import { AppError } from '../vocabulary/errors.ts';
import type { ColumnOf, Layout } from './layout.ts';
import type { Problem } from './model.ts';
import {
	type ImportFile,
	type ImportLine,
	type ImportTable,
	type KeptRow,
	readImportFile,
	unreadableFile,
} from './read-file.ts';

/** What concerns the whole file, or why it cannot be read. */
type End =
	| { end: Pick<ImportTable<object>, 'headingLine' | 'unreadColumns'> }
	| { refusal: Pick<AppError, 'code' | 'message' | 'details'> }
	/** A mistake in this program: where it is. */
	| { mistake: string };

type Output<Values extends object> =
	| ImportLine<Values>
	| { problem: Problem<ColumnOf<Values>> }
	| { row: KeptRow }
	| End;

/** The output for a file. */
export function* outputOf<Values extends object>(layout: Layout<Values>, file: ImportFile): Generator<string> {
	for (const output of recordsOf(layout, file)) yield `${JSON.stringify(output)}\n`;
}

function* recordsOf<Values extends object>(layout: Layout<Values>, file: ImportFile): Generator<Output<Values>> {
	try {
		const { lines, problems, rows, ...end } = readImportFile(layout, file);
		yield* lines;
		for (const problem of problems) yield { problem };
		for (const row of rows) yield { row };
		yield { end };
	} catch (error) {
		if (!(error instanceof AppError)) yield { mistake: placeOf(error) };
		else yield { refusal: { code: error.code, message: error.message, details: error.details } };
	}
}

/** The kind of an error and where it happened; its message could repeat what is in the file. */
function placeOf(error: unknown): string {
	if (!(error instanceof Error)) return typeof error;
	const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
	return [error.name, ...frames].join('\n');
}

/**
 * The table in an output; undefined when it has no end.
 * @throws AppError as {@link readImportFile} does; with a cause for a mistake in this program.
 */
export async function tableOf<Values extends object>(
	output: Iterable<string> | AsyncIterable<string>,
): Promise<ImportTable<Values> | undefined> {
	const {
		lines,
		problems,
		rows,
	}: Pick<ImportTable<Values>, 'lines' | 'problems' | 'rows'> = {
		...{ lines: [], problems: [], rows: [] },
	};
	for await (const text of output) {
		const record: Output<Values> = JSON.parse(text);
		if ('number' in record) lines.push(record);
		else if ('problem' in record) problems.push(record.problem);
		else if ('row' in record) rows.push(record.row);
		else if ('end' in record) return { lines, problems, rows, ...record.end };
		else if ('mistake' in record) throw unreadableFile(new Error(record.mistake));
		else throw new AppError(record.refusal.code, record.refusal.message, { details: record.refusal.details });
	}
	return undefined;
}
