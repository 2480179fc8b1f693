/** The command line: the commands with their options and help. */
import { dirname } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { readInstant } from '../identity/history/model.ts';
import { isBucket } from '../platform/backup-copies/place.ts';
import { defaultSettingsFile, describeVariables, secretNames } from '../platform/machine/config.ts';
import { parseUsername, usernameRule } from '../platform/vocabulary/accounts.ts';
import {
	addAdministrator,
	removeAdministrator,
	removeSecondFactorOfAdministrator,
	renameAdministratorTo,
	resetAdministratorPassword,
	writeAdministrators,
} from './admin.ts';
import { backup, copyBackup } from './backup.ts';
import { check, checkNames } from './check.ts';
import { type Question, questions } from './installer/settings.ts';
import { exportHistory, historyFormats, reportInitialPasswords } from './lists.ts';
import { rotateOpenidKey } from './openid.ts';
import type { ProcessContext } from './process.ts';
import { restore } from './restore.ts';
import { alert, health } from './watch.ts';

/** Runs the command that the arguments name. @returns the exit code. @throws the error of the command */
export async function runNamedCommand(context: ProcessContext, args: readonly string[]): Promise<number> {
	let code = 0;
	const run: Run =
		(work) =>
		async (...given) => {
			code = (await work(context, ...given)) ?? 0;
		};
	try {
		await commandLine(context, run).parseAsync([...args], { from: 'user' });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		throw error;
	}
}

/** Makes the action of a command. The work receives the arguments, then the options, and may return an exit code. */
type Run = <Args extends unknown[]>(
	work: (context: ProcessContext, ...args: Args) => Promise<number> | Promise<void>,
) => (...args: Args) => Promise<void>;

const commonHelp = `
The data folder is DATA_DIR: access --help lists all variables.
Exit codes: 0 done, 1 failed (one line on standard error says why), 2 wrong use.`;

const jsonOption = ['--json', 'write the result as JSON'] as const;

function commandLine({ write, report }: ProcessContext, run: Run): Command {
	const program = new Command('access')
		.description('The access service of a store chain: stores, roles, employees, permissions and sign-in.')
		.version(version, '-V, --version', 'write the version of the program')
		.exitOverride()
		.configureOutput({ writeOut: (text) => void write(text), writeErr: (text) => report(text.trimEnd()) })
		.addHelpText('after', describeSettings())
		.addHelpText('afterAll', commonHelp);
	program
		.command('serve')
		.description('serve until SIGTERM or Ctrl-C (the default command)')
		.option('--new', 'start with an empty database although the folder had one before')
		.action(run(async (context, options) => (await import('./serve.ts')).serve(context, options)));
	addInstallation(program, run);
	addBackups(program, run);
	addChecks(program, run);
	addAdmin(program, run);
	program
		.command('openid')
		.description('sign-in to other programs (OpenID Connect)')
		.command('rotate-key')
		.description('create a new key for ID tokens; the previous one stays valid for a day; also while the server runs')
		.action(run(rotateOpenidKey));
	addLists(program, run);
	return program;
}

function addChecks(program: Command, run: Run): void {
	const watching =
		'run the quick checks, and all checks once a day; notify ALERT_COMMAND and ALERT_URL once of each problem that is ' +
		'new, worse or solved, also if the service does not answer';
	program
		.command('check')
		.description(
			'run all checks, also while the server runs: ok, none (nothing to check), warn or fail; exit code 1 for fail',
		)
		.addOption(new Option('--only <check>', 'run only this check').choices(checkNames))
		.addOption(new Option('--watch', watching).conflicts(['only', 'json']))
		.option(...jsonOption)
		.action(run(check));
	program.command('alert').description('send a test message to ALERT_COMMAND and ALERT_URL').action(run(alert));
	program
		.command('health')
		.description('check that the service answers, for a container; exit code 1 if it does not')
		.action(run(health));
}

function describeSettings(): string {
	return `
Variables (each can also be a line NAME=value in ${defaultSettingsFile}, which the server and every command read;
SETTINGS_FILE names another file; an environment variable wins over the file; an empty one counts as not given):
${describeVariables()}
Secrets can be given in a file, such as JWT_SECRET in the one that JWT_SECRET_FILE names: ${secretNames.join(', ')}.
Run as root, a command works as the owner of the data folder.`;
}

/** Makes the parser of an option or an argument. @param takes the allowed values, for the error message */
function createParser<Value>(takes: string, read: (text: string) => Value | undefined) {
	return (text: string): Value => {
		const value = read(text);
		if (value === undefined) throw new InvalidArgumentError(`It takes ${takes}.`);
		return value;
	};
}

function addInstallation(program: Command, run: Run): void {
	const install = program
		.command('install')
		.description(
			'install this program as a systemd service, or upgrade the installed one; without options, ask for the settings in a terminal',
		);
	addInstaller(install, questions, run);
	const recover = program
		.command('recover')
		.description('on a new machine: install this program and restore the newest backup from another place')
		.requiredOption('--from <place>', lostPlace, readPlace);
	const others = questions.filter(({ name }) => name !== 'BACKUP_TO');
	addInstaller(recover, others, run);
	program
		.command('uninstall')
		.description('remove the program and the service; the data and the settings stay')
		.action(run(async (context) => (await import('./install.ts')).uninstall(context)));
	program
		.command('migrate', { hidden: true })
		.action(run(async (context) => (await import('./install.ts')).migrate(context)));
}

/** Adds the options of a command that installs: one for each question, and the common ones. */
function addInstaller(command: Command, asked: readonly Question[], run: Run): void {
	const seconds = createParser('a number of seconds from 1 to 99999', (text) =>
		/^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined,
	);
	for (const { name, asks, ...question } of asked) {
		const option = 'option' in question ? question.option : name.toLowerCase().replaceAll('_', '-');
		// Its value has the name of the variable.
		command.addOption(Object.assign(new Option(`--${option} <value>`, asks), { attributeName: () => name }));
	}
	const wait = 'the time that a start, or a silent migration, may take before everything is rolled back';
	command
		.option('--wait <seconds>', wait, seconds, 60)
		.option('--dry-run', 'show the steps and change nothing')
		.action(run(async (context, options) => (await import('./install.ts')).install(context, options)));
}

// With an empty variable, `s3://$BUCKET` would name a file in the current folder.
const isPath = (text: string) => text !== '' && !text.startsWith('s3:');

const readPlace = createParser('a path, or s3://bucket/prefix', (text) =>
	isBucket(text) || isPath(text) ? text : undefined,
);

const lostPlace = 'a folder, or s3://bucket/prefix with S3_… in the environment (sudo -E)';

const readBackup = createParser('a path, or s3://bucket/prefix/latest', (text) =>
	isBucket(dirname(text)) || isPath(text) ? text : undefined,
);

function addBackups(program: Command, run: Run): void {
	program
		.command('backup')
		.description('copy the database to a file, also while the server runs')
		.argument(
			'[file]',
			'a file, or a folder or s3://bucket/prefix for backup-<time>.db (default: DATA_DIR/backups)',
			readPlace,
		)
		.option(...jsonOption)
		.action(run(backup));
	program.command('copy-backup', { hidden: true }).action(run(copyBackup));
	program
		.command('restore')
		.description('replace the database with a backup, and keep the old database; the server must be stopped')
		.argument('<file>', 'the backup, or <place>/latest for the newest one there: s3://bucket/prefix/latest', readBackup)
		.option('--verify', 'inspect and describe the backup, and change nothing')
		.option('--unsealed', 'accept an unsealed backup although BACKUP_KEY_FILE is set')
		.option(...jsonOption)
		.action(run(restore));
}

const readUsername = createParser(usernameRule, parseUsername);

const usernameOption = ['--username <name>', 'the administrator to change, if there are several'] as const;

function addAdmin(program: Command, run: Run): void {
	const admin = program
		.command('admin')
		.description('super administrators; each command also works while the server runs');
	admin
		.command('add')
		.description('add an administrator and show a one-time password')
		.argument('<username>', 'the username to sign in with', readUsername)
		.action(run(addAdministrator));
	admin
		.command('list')
		.description('list the administrators')
		.option(...jsonOption)
		.action(run(writeAdministrators));
	admin
		.command('remove')
		.description('remove an administrator and end their tokens; the last one stays')
		.option(...usernameOption)
		.action(run(removeAdministrator));
	addAdminChanges(admin, run);
}

function addAdminChanges(admin: Command, run: Run): void {
	admin
		.command('reset-password')
		.description('set a new password, show it, and end all tokens of the administrator')
		.option(...usernameOption)
		.option('--stdin', 'read the new password from standard input instead')
		.action(run(resetAdministratorPassword));
	admin
		.command('rename')
		.description('change the username')
		.argument('<username>', 'the new username', readUsername)
		.option(...usernameOption)
		.action(run(renameAdministratorTo));
	admin
		.command('remove-second-factor')
		.description('remove the second factor, after the phone and the recovery codes were lost')
		.option(...usernameOption)
		.action(run(removeSecondFactorOfAdministrator));
}

function addLists(program: Command, run: Run): void {
	addHistoryExport(program.command('history').description('the history of changes and sign-ins'), run);
	const report = program.command('report').description('lists for the operator');
	report
		.command('initial-passwords')
		.description(
			'list the employees with the initial password, or without a password under REQUIRE_OWN_PASSWORD=on, by store',
		)
		.option('--json', 'write each employee as a line of JSON')
		.action(run(reportInitialPasswords));
}

function addHistoryExport(history: Command, run: Run): void {
	const since =
		'from this date or time on, such as 2026-11-21 or 2026-11-21T08:30:00+08:00; without a zone, in the zone of this machine';
	const instant = createParser('a date or time such as 2026-11-21 or 2026-11-21T08:30:00+08:00', (text) =>
		readInstant(text, 'local'),
	);
	const exported = history
		.command('export')
		.description('write the history to standard output, oldest first; also while the server runs');
	exported
		.option('--from <time>', since, instant)
		.option('--to <time>', 'before this date or time', instant)
		.addOption(new Option('--format <format>', 'for spreadsheets or programs').choices(historyFormats).default('csv'))
		.action(
			run((context, options) => {
				const { from, to } = options;
				if (from !== undefined && to !== undefined && from >= to) {
					exported.error(`error: --from ${from} is not before --to ${to}`);
				}
				return exportHistory(context, options);
			}),
		);
}
