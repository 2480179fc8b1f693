/** Runs one command, by default the server. Exit codes: 0 done, 1 failed, 2 wrong use. */
import { explainFailure } from '../platform/database/failure.ts';
import { readAnyConfig } from '../platform/machine/config.ts';
import { OperationError } from '../platform/vocabulary/errors.ts';
import type { ProcessContext } from './process.ts';

/** Runs the command that the arguments name, `serve` when there are none. @returns the exit code. */
export async function runCommandLine(context: ProcessContext, args: readonly string[]): Promise<number> {
	try {
		// The server and the command line are separate chunks: each starts faster without the other.
		if (args.length === 0) {
			const { serve } = await import('./serve.ts');
			return await serve(context, {});
		}
		if (args[0] === 'read-import') {
			const { readImport } = await import('./read-import.ts');
			await readImport(context);
			return 0;
		}
		const { runNamedCommand } = await import('./command-line.ts');
		return await runNamedCommand(context, args);
	} catch (error) {
		context.report(explain(error, context));
		return 1;
	}
}

function explain(error: unknown, { environment }: ProcessContext): string {
	// It may be about the configuration, which could not be read again here.
	if (error instanceof OperationError) return error.message;
	// The watch runs with wrong settings, too.
	return explainFailure(readAnyConfig(environment).folder, error);
}
