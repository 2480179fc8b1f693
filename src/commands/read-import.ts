import { csvType } from '../http/file-answer.ts';
import { employeeLayout } from '../sheets/employees/layout.ts';
import { importModes } from '../sheets/layout.ts';
import { outputOf } from '../sheets/output.ts';
import { storeLayout } from '../sheets/stores/layout.ts';
import { type ProcessContext, writeLines } from './process.ts';

/**
 * `access read-import KIND MODE TYPE [CHARSET] [rows]`: reads the file of an import on standard input. The server starts it for
 * each file, and kills it when it takes too much. It knows no settings, secrets or database, so help does not show it.
 */
export async function readImport(
	context: ProcessContext,
	[kind, wanted, contentType = csvType, charset, rows]: readonly string[],
): Promise<number> {
	const file = {
		mode: importModes.find((each) => each === wanted) ?? 'add',
		contentType,
		charset: charset || undefined,
		bytes: await context.input.bytes(),
		keepsRows: rows === 'rows',
	};
	return writeLines(context, outputOf(kind === 'stores' ? storeLayout : employeeLayout, file));
}
