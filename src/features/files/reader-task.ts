/** The input of the process that reads the file of an import, and its answer: the lines as JSON, or a workbook. */
import { AppError } from '../../platform/vocabulary/errors.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import type { Layout } from './layout.ts';
import { type FileFindings, findingsFile } from './marked-file.ts';
import { type ImportFile, type ImportTable, readImportFile } from './read-lines.ts';

/** A file, its kind and, for a workbook, the findings. */
type ReaderTask = ImportFile & Pick<Layout, 'resource'> & { findings?: FileFindings };

/** A table or a refusal, with the place of a mistake in this program. */
type ReaderAnswer = { table: ImportTable } | (Pick<AppError, 'code' | 'reason'> & { mistake?: string });

const lineEnd = 10;

/** The refusal of a file that makes this program fail. */
const unreadable = because('file_unreadable', '文件无法读取');

/** A task as input: a line of JSON, then the file. */
export function encodeTask({ resource }: Layout, { bytes, ...about }: ImportFile, findings?: FileFindings): Blob {
	return new Blob([`${JSON.stringify({ resource, ...about, findings })}\n`, bytes]);
}

/** The task in an input. */
export function decodeTask(input: Uint8Array<ArrayBuffer>): ReaderTask {
	const end = input.indexOf(lineEnd);
	return { ...JSON.parse(new TextDecoder().decode(input.subarray(0, end))), bytes: input.subarray(end + 1) };
}

/** The parts of the answer to a task. */
export async function* runTask(layout: Layout, { findings, ...file }: ReaderTask): AsyncGenerator<string | Uint8Array> {
	if (findings) yield* findingsFile(layout, readImportFile(layout, file), findings);
	else yield JSON.stringify(tableOrRefusal(layout, file));
}

function tableOrRefusal(layout: Layout, file: ImportFile): ReaderAnswer {
	try {
		return { table: readImportFile(layout, file).table };
	} catch (error) {
		if (error instanceof AppError) return { code: error.code, reason: error.reason };
		return { code: 'BAD_REQUEST', reason: unreadable, mistake: placeOf(error) };
	}
}

/** The name and the place of an error, without its message, which could repeat the file. */
function placeOf(error: unknown): string {
	if (!(error instanceof Error)) return typeof error;
	const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
	return [error.name, ...frames].join('\n');
}

/** The table in an answer. @throws AppError as {@link readImportFile} does; with a cause for a mistake in this program. */
export function decodeTable(output: string): ImportTable {
	const answer: ReaderAnswer = JSON.parse(output);
	if ('table' in answer) return answer.table;
	const { code, reason, mistake } = answer;
	const cause = mistake === undefined ? undefined : new Error(mistake);
	throw new AppError(code, reason, { details: [{ path: 'body', ...reason }], cause });
}
