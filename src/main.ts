/** The process: reads the command line, runs one command, and ends with its exit code. */
import { runCommandLine } from './commands/command-line.ts';
import type { Terminal } from './commands/terminal.ts';
import { nameOfUser } from './commands/user-name.ts';

// Before anything is created: the data is nobody else's to read.
process.umask(0o077);

// Whoever reads the log may go away; the service stays.
process.stdout.on('error', () => {});

// The compiled binary is its own interpreter; its source lies in a folder that only it can see.
const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main);

const terminal: Terminal = {
	environment: process.env,
	stdout: process.stdout,
	stderr: process.stderr,
	writeOut: (text) =>
		new Promise((resolve) => {
			if (process.stdout.write(text)) resolve();
			else process.stdout.once('drain', resolve);
		}),
	user: nameOfUser(process.env),
	readInput: () => Bun.stdin.text(),
	program: isCompiled ? [process.execPath] : [process.execPath, Bun.main],
	onStop(stop) {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
	},
	onUnforeseen(fail) {
		for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.once(event, fail);
	},
};

runCommandLine(terminal, process.argv.slice(2)).then((code) => process.exit(code));
