/**
 * How a process is given the file of an import, and hands on what it read from it: lines of JSON, each an array of some of
 * the lines, problems and rows; the last one ends with what concerns the whole file.
 */
import { AppError } from '../vocabulary/errors.ts';
import type { ImportLine, Layout } from './layout.ts';
import type { Problem } from './model.ts';
import { type ImportFile, type ImportTable, type KeptRow, readImportFile, unreadableFile } from './read-file.ts';

type Output =
	| { line: ImportLine }
	| { problem: Problem }
	| { row: KeptRow }
	| { end: Pick<ImportTable, 'headingLine' | 'unreadColumns'> }
	/** Why the file cannot be read. */
	| { refusal: Pick<AppError, 'code' | 'message' | 'details'> }
	/** A mistake in this program: where it is. */
	| { mistake: string };

const lineEnd = 10;

/** What the process is given, in two parts: a line of JSON, which says how to read the file, and the file. */
export function inputOf({ kind }: Layout, { bytes, ...asked }: ImportFile): Uint8Array[] {
	return [new TextEncoder().encode(`${JSON.stringify({ kind, ...asked })}\n`), bytes];
}

/** The file in an input, and its kind; undefined when it ended before. */
export function askedIn(input: Uint8Array): (ImportFile & Pick<Layout, 'kind'>) | undefined {
	const end = input.indexOf(lineEnd);
	if (end < 0) return undefined;
	return { ...JSON.parse(new TextDecoder().decode(input.subarray(0, end))), bytes: input.subarray(end + 1) };
}

/** How many characters make a line: the one who reads it serves others between two of them. */
const lineLength = 65_536;

/** The output for a file. */
export function* outputOf(layout: Layout, file: ImportFile): Generator<string> {
	let line = '';
	for (const output of recordsOf(layout, file)) {
		line += `${line === '' ? '[' : ','}${JSON.stringify(output)}`;
		if (line.length < lineLength) continue;
		yield `${line}]\n`;
		line = '';
	}
	if (line !== '') yield `${line}]\n`;
}

function* recordsOf(layout: Layout, file: ImportFile): Generator<Output> {
	try {
		const { lines, problems, rows, ...end } = readImportFile(layout, file);
		for (const line of lines) yield { line };
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
export async function tableOf(output: Iterable<string> | AsyncIterable<string>): Promise<ImportTable | undefined> {
	const table: Pick<ImportTable, 'lines' | 'problems' | 'rows'> = { lines: [], problems: [], rows: [] };
	for await (const line of output) {
		const records: Output[] = JSON.parse(line);
		for (const record of records) addTo(table, record);
		const last = records.at(-1);
		if (last && 'end' in last) return { ...table, ...last.end };
	}
	return undefined;
}

function addTo({ lines, problems, rows }: Pick<ImportTable, 'lines' | 'problems' | 'rows'>, record: Output): void {
	if ('line' in record) lines.push(record.line);
	else if ('problem' in record) problems.push(record.problem);
	else if ('row' in record) rows.push(record.row);
	else if ('mistake' in record) throw unreadableFile(new Error(record.mistake));
	else if ('refusal' in record) {
		throw new AppError(record.refusal.code, record.refusal.message, { details: record.refusal.details });
	}
}
