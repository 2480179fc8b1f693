import { employeeLayout } from '../features/files/employees/layout.ts';
import { decodeTask, runTask } from '../features/files/reader-task.ts';
import { storeLayout } from '../features/files/stores/layout.ts';
import type { ProcessContext } from './process.ts';

const layouts = { employees: employeeLayout, stores: storeLayout };

/**
 * `access read-import`: reads the file of an import from standard input. The server starts one for each file, and kills
 * it when it takes too much time or memory. It knows no settings, secrets or database. Help does not show it.
 */
export async function readImport({ input, write }: ProcessContext): Promise<void> {
	const task = decodeTask(await input.bytes());
	for await (const part of runTask(layouts[task.resource], task)) await write(part);
}
