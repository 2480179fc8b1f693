import { outputOf } from '../employee-files/import-output.ts';
import { csvType } from '../employee-files/model.ts';
import type { ProcessContext } from './process.ts';

/** How many characters are written at once. */
const batchSize = 65_536;

/**
 * `access read-import TYPE [CHARSET] [rows]`: reads the file of an import on standard input. The server starts it for each file,
 * and kills it when it takes too much. It knows no settings, secrets or database, so help does not show it.
 */
export async function readImport(
	{ readBytes, write }: Pick<ProcessContext, 'readBytes' | 'write'>,
	[contentType = csvType, charset, rows]: readonly string[],
): Promise<number> {
	let batch = '';
	const file = { contentType, charset: charset || undefined, bytes: await readBytes(), keepsRows: rows === 'rows' };
	for (const line of outputOf(file)) {
		batch += line;
		if (batch.length < batchSize) continue;
		await write(batch);
		batch = '';
	}
	await write(batch);
	return 0;
}
