/** The process, the configuration and the database of a command, and its output. */
import { type Db, openExistingDatabase } from '../platform/database/open.ts';
import { type Config, readConfig } from '../platform/machine/config.ts';
import { workAsOwnerOf } from '../platform/machine/folder-owner.ts';

/** The process that runs a command, as an argument: only `main.ts` uses the global process. */
export interface ProcessContext {
	environment: Readonly<Record<string, string | undefined>>;
	/** Writes results to standard output. Resolves when they are written, or cannot be: `main.ts` then reports it. */
	write(output: string | Uint8Array): Promise<void>;
	/** Whether standard output is a terminal, read by a person. */
	isTerminal: boolean;
	/** Writes one line about the work to standard error. */
	report(line: string): void;
	user: string;
	userId: number | undefined;
	/** Asks at the terminal; an empty answer, or none, stands for the default. */
	ask(question: string, byDefault: string): string;
	input: Pick<Blob, 'text' | 'bytes'>;
	/** The beginning of a command line that runs another command of this program. */
	program: readonly string[];
	/** Calls back on SIGINT or SIGTERM, and on SIGHUP unless it is ignored. */
	onStop(stop: () => void): void;
	/** Calls back on an error that nothing caught. */
	onUnforeseen(fail: (error: unknown) => void): void;
}

/** Reads the configuration. From here on, root works as the owner of the data folder. @throws OperationError */
export function configure({ environment }: ProcessContext): Config {
	const config = readConfig(environment);
	workAsOwnerOf(config.DATA_DIR);
	return config;
}

/** Opens the database, also while the server runs. `using` closes it. @throws OperationError */
export function openData(context: ProcessContext): Db {
	return openExistingDatabase(configure(context).folder.database);
}

/** The options of every command that writes a result. */
export interface OutputOptions {
	json?: boolean;
}

/** Writes the result of a command, as JSON or as a text. */
export async function answer(
	{ write }: ProcessContext,
	{ json }: OutputOptions,
	result: unknown,
	text: string,
): Promise<void> {
	await write(`${json ? JSON.stringify(result) : text}\n`);
}

const batchSize = 65_536;

/** Writes lines in constant memory. */
export async function writeLines({ write }: Pick<ProcessContext, 'write'>, lines: Iterable<string>): Promise<void> {
	let batch = '';
	for (const line of lines) {
		batch += line;
		if (batch.length < batchSize) continue;
		await write(batch);
		batch = '';
	}
	await write(batch);
}
