/** The command line: which commands there are, and the exit codes 0, 1 for a failed one, 2 for wrong use. */
import { Argument, Command, CommanderError } from 'commander';
import { version as programVersion } from '../../package.json';
import { ConfigError } from '../config.ts';
import { OperationError } from '../errors.ts';
import { resetAdministratorPassword } from './admin.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { exportHistory } from './history.ts';
import { reportInitialPasswords } from './report.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Runs the command that the arguments name, `serve` when there are none; gives the exit code. */
export async function runCommandLine(terminal: Terminal, args: readonly string[]): Promise<number> {
	let code = 0;
	const run = (work: () => number | Promise<number>) => async () => {
		code = await work();
	};
	try {
		await commandLine(terminal, run).parseAsync(args.length === 0 ? ['serve'] : [...args], { from: 'user' });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		const expected = error instanceof ConfigError || error instanceof OperationError;
		terminal.stderr.write(`${expected ? error.message : Bun.inspect(error)}\n`);
		return 1;
	}
}

type Run = (work: () => number | Promise<number>) => () => Promise<void>;

function commandLine(terminal: Terminal, run: Run): Command {
	const program = new Command('access')
		.description('The access service of a store chain. Configured by environment variables, see the README.')
		.version(programVersion, '-V, --version')
		.exitOverride()
		.configureOutput({
			writeOut: (text) => void terminal.stdout.write(text),
			writeErr: (text) => void terminal.stderr.write(text),
		});
	const add = (name: string, description: string) =>
		program.command(name).description(description).allowExcessArguments(false);
	add('serve', 'serve until told to stop (the default)').action(run(() => serve(terminal)));
	const backupCommand = add('backup', 'copy the database to a file, also while the server runs')
		.addArgument(new Argument('[file]', 'where to; a name in DATA_DIR/backups when absent'))
		.option('--json', 'tell the result as JSON');
	backupCommand.action((file?: string) => run(() => backup(terminal, file, backupCommand.opts()))());
	const restoreCommand = add('restore', 'put a backup in the place of the database; the server must be stopped')
		.addArgument(new Argument('<file>', 'the backup'))
		.option('--json', 'tell the result as JSON');
	restoreCommand.action((file: string) => run(() => restore(terminal, file, restoreCommand.opts()))());
	const checkCommand = add('check', 'tell what needs attention')
		.option('--only <check>', 'make this one check, such as database')
		.option('--repair', 'build the search index or the history index anew if it is not in step')
		.option('--json', 'tell the result as JSON');
	checkCommand.action(() => run(() => check(terminal, checkCommand.opts()))());
	const reset = program
		.command('admin')
		.description('the super administrator')
		.command('reset-password')
		.description('give the super administrator a new password; it is made and shown unless --stdin is given')
		.option('--stdin', 'read the password from standard input')
		.option('--json', 'tell the result as JSON');
	reset.action(() => run(() => resetAdministratorPassword(terminal, reset.opts()))());
	const exported = program
		.command('history')
		.description('who changed what, and who signed in')
		.command('export')
		.description('write the history to standard output, oldest first, also while the server runs')
		.option('--from <time>', 'from this date or time on, such as 2026-11-21 or 2026-11-21T08:30:00+08:00')
		.option('--to <time>', 'before this date or time')
		.option('--format <format>', 'csv or jsonl', 'csv');
	exported.action(() => run(() => exportHistory(terminal, exported.opts()))());
	const initialPasswords = program
		.command('report')
		.description('lists for the operator')
		.command('initial-passwords')
		.description('who still has the initial password, by store')
		.option('--json', 'tell each as a line of JSON');
	initialPasswords.action(() => run(() => reportInitialPasswords(terminal, initialPasswords.opts()))());
	const versionCommand = add('version', 'tell the versions').option('--json', 'tell the result as JSON');
	versionCommand.action(() => run(() => version(terminal, versionCommand.opts()))());
	return program;
}
