import { csvType } from '../http/file-answer.ts';
import { employeeLayout } from '../sheets/employees/layout.ts';
import { importModes } from '../sheets/layout.ts';
import { outputOf } from '../sheets/output.ts';
import { storeLayout } from '../sheets/stores/layout.ts';
import type { ProcessContext } from './process.ts';

/** How many characters are written at once. */
const batchSize = 65_536;

/**
 * `access read-import KIND MODE TYPE [CHARSET] [rows]`: reads the file of an import on standard input. The server starts it for
 * each file, and kills it when it takes too much. It knows no settings, secrets or database, so help does not show it.
 */
export async function readImport(
	{ readBytes, write }: Pick<ProcessContext, 'readBytes' | 'write'>,
	[kind, wanted, contentType = csvType, charset, rows]: readonly string[],
): Promise<number> {
	let batch = '';
	const mode = importModes.find((each) => each === wanted) ?? 'add';
	const file = {
		mode,
		contentType,
		charset: charset || undefined,
		bytes: await readBytes(),
		keepsRows: rows === 'rows',
	};
	for (const line of kind === 'stores' ? outputOf(storeLayout, file) : outputOf(employeeLayout, file)) {
		batch += line;
		if (batch.length < batchSize) continue;
		await write(batch);
		batch = '';
	}
	await write(batch);
	return 0;
}
