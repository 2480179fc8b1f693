import { employeeLayout } from '../sheets/employees/layout.ts';
import { askedIn, outputOf } from '../sheets/output.ts';
import { storeLayout } from '../sheets/stores/layout.ts';
import { type ProcessContext, writeLines } from './process.ts';

/** The input for a small file. */
const example = `{"kind":"employees","mode":"add","contentType":"text/csv"}
姓名,手机号,门店,角色,状态,备注
${'王芳,13800138000,人民路店,店长,启用,早班\n'.repeat(50)}`;

/**
 * `access read-import`: reads the file of an import on standard input. The server starts it before there is a file, and kills
 * it when that takes too much. It knows no settings, secrets or database, so help does not show it.
 */
export async function readImport(context: ProcessContext): Promise<number> {
	// Code that has run is quicker: a file of 1,000 lines is read in two thirds of the time.
	for (const _ of outputFor(new TextEncoder().encode(example)));
	return writeLines(context, outputFor(await context.input.bytes()));
}

/** Nothing without a file: the server has gone, or does not need the process any more. */
function outputFor(input: Uint8Array): Iterable<string> {
	const asked = askedIn(input);
	return asked ? outputOf(asked.kind === 'stores' ? storeLayout : employeeLayout, asked) : [];
}
