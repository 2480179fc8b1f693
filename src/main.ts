/** The process: reads the command line, runs one command, and ends with its exit code. */
import { readFileSync, writeFile } from 'node:fs';
import type { ProcessContext } from './commands/process.ts';
import { runCommandLine } from './commands/run.ts';
import { explainFileError } from './platform/machine/file-access.ts';
import { getOperator } from './platform/machine/user-name.ts';
import { codeOf, orUndefined } from './platform/vocabulary/errors.ts';

// Set before any file is created: only the owner may read the data.
process.umask(0o077);

// The service outlives the reader of its log, and an installation outlives its terminal.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** The time that the exit waits for a stalled reader of standard output, in milliseconds. */
const patience = 1000;

// The compiled binary is its own interpreter: it sees its source in a virtual folder.
const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main);

type Done = (error?: Error | null) => void;

// A paused terminal (Ctrl+S) blocks the thread that writes to it, so a thread of the pool writes.
const writeOut = process.stdout.isTTY
	? (output: string | Uint8Array, done: Done) => writeFile(1, output, done)
	: (output: string | Uint8Array, done: Done) => void process.stdout.write(output, done);

let written: Promise<void> = Promise.resolve();
/** The first failure to write, unless the reader is gone. */
let failure: Error | undefined;

const context: ProcessContext = {
	environment: process.env,
	write(output) {
		const write = (resolve: () => void) =>
			writeOut(output, (error) => {
				if (error && codeOf(error) !== 'EPIPE') failure ??= error;
				resolve();
			});
		written = written.then(() => new Promise(write));
		return written;
	},
	isTerminal: process.stdout.isTTY === true,
	report: (line) => void process.stderr.write(`${line}\n`),
	user: getOperator(process.env),
	userId: process.getuid?.(),
	ask: (question, byDefault) => (byDefault ? prompt(`${question}:`, byDefault) : prompt(`${question}:`)) || byDefault,
	input: Bun.stdin,
	program: isCompiled ? [process.execPath] : [process.execPath, Bun.main],
	onStop(stop) {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
		if (!ignoresHangUp()) process.on('SIGHUP', stop);
	},
	onUnforeseen(fail) {
		for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.once(event, fail);
	},
};

/** Whether the program was started to outlive its terminal, as with `nohup`. Known on Linux only. */
function ignoresHangUp(): boolean {
	const status = orUndefined(() => readFileSync('/proc/self/status', 'utf8')) ?? '';
	return /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m.test(status);
}

// A function, because a build once refused `await` at the top level of this file.
async function main(): Promise<never> {
	const args = process.argv.slice(2);
	const code = await runCommandLine(context, args);
	await Promise.race([written, Bun.sleep(patience)]);
	const isService = args.length === 0 || args[0] === 'serve';
	if (failure === undefined || isService) process.exit(code);
	context.report(explainFileError('standard output', failure));
	process.exit(code || 1);
}

void main();
