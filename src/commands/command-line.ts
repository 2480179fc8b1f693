/** The command line: the commands with their options and help. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version as programVersion } from '../../package.json';
import { readInstant } from '../history/model.ts';
import { defaultSettingsFile, describeVariables } from '../machine/config.ts';
import { parseUsername, usernameRule } from '../vocabulary/accounts.ts';
import { removeSecondFactorOfAdministrator, renameAdministratorTo, resetAdministratorPassword } from './admin.ts';
import { backup, copyBackup } from './backup.ts';
import { check, checkNames } from './check.ts';
import { exportHistory, historyFormats } from './history.ts';
import { questions } from './installer/settings.ts';
import type { ProcessContext } from './process.ts';
import { reportInitialPasswords } from './report.ts';
import { restore } from './restore.ts';
import { version } from './version.ts';

/**
 * Runs the command that the arguments name.
 * @returns the exit code.
 * @throws whatever the command throws, such as OperationError.
 */
export async function runNamedCommand(context: ProcessContext, args: readonly string[]): Promise<number> {
	let code = 0;
	const run: Run =
		(work) =>
		async (...args) => {
			code = await work(context, ...args);
		};
	try {
		await commandLine(context, run).parseAsync([...args], { from: 'user' });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		throw error;
	}
}

/** Makes the action of a command, which gets its arguments and then its options. */
type Run = <Args extends unknown[]>(
	work: (context: ProcessContext, ...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

const exitCodes = `
Exit codes: 0 done, 1 failed (one line on standard error says why), 2 wrong use.`;

const json = ['--json', 'write the result as JSON'] as const;

function commandLine({ write, report }: ProcessContext, run: Run): Command {
	const program = new Command('access')
		.description('The access service of a store chain: stores, roles, employees, permissions and sign-in.')
		.version(programVersion, '-V, --version', 'write the version of the program')
		.exitOverride()
		.configureOutput({ writeOut: (text) => void write(text), writeErr: (text) => report(text.trimEnd()) })
		.addHelpText('after', `${settingsHelp()}\n${examples(programExamples)}${exitCodes}`);
	add(program, 'serve', 'serve until SIGTERM or Ctrl-C (the default command)', [
		['access serve', 'on HOST and PORT, with the data in DATA_DIR'],
		['access serve --new', 'with an empty database, after the old one was removed on purpose'],
	])
		.option('--new', 'start with an empty database although the folder had one before')
		.action(run(async (context, options) => (await import('./serve.ts')).serve(context, options)));
	addInstallation(program, run);
	addBackups(program, run);
	add(program, 'check', 'report problems, also while the server runs; 1 when something fails', [
		['access check', 'one line for each check: ok, warn or fail'],
		["access check --only 'free disk'", 'one check'],
		['access check --repair', 'rebuild the search index, without a server'],
		['access check --watch', 'for a timer: tells somebody once'],
	])
		.addOption(new Option('--only <check>', 'make this check only').choices(checkNames))
		.option('--repair', 'rebuild the search index if it does not match the employees')
		.option(
			'--watch',
			'tell ALERT_COMMAND or ALERT_URL what starts to fail and what is well again, also whether the service answers',
		)
		.option(...json)
		.action(run(check));
	addAdmin(program, run);
	addLists(program, run);
	add(program, 'version', 'write the versions of the program, its schema, Bun and SQLite')
		.option(...json)
		.action(run(version));
	return program;
}

/** A command under another one, with its examples. */
function add(parent: Command, name: string, description: string, shown: readonly Example[] = []): Command {
	const command = parent.command(name).description(description).allowExcessArguments(false);
	return command.addHelpText('after', `${examples(shown)}${commandHelp}${exitCodes}`);
}

const commandHelp = `
The data folder is DATA_DIR: access --help lists all variables.`;

type Example = readonly [line: string, does: string];

function examples(shown: readonly Example[]): string {
	if (shown.length === 0) return '';
	const width = Math.max(...shown.map(([line]) => line.length)) + 2;
	return `\nExamples:\n${shown.map(([line, does]) => `  ${line.padEnd(width)}${does}`).join('\n')}\n`;
}

const programExamples: readonly Example[] = [
	['access', 'serve on http://localhost:3000, with data in ./data'],
	['PORT=8080 access serve', 'serve on another port'],
	['access backup', 'copy the database into DATA_DIR/backups'],
	['access check', 'report problems'],
	['access admin reset-password', 'when the password of the administrator is lost'],
];

function settingsHelp(): string {
	return `
Variables (each can also be a line NAME=value in ${defaultSettingsFile}, which the server and every command read;
SETTINGS_FILE names another file; an environment variable wins over the file; an empty one counts as not given):
${describeVariables()}
Secrets can be given in a file: ADMIN_PASSWORD_FILE, INITIAL_EMPLOYEE_PASSWORD_FILE, JWT_SECRET_FILE, JWT_SECRET_PREVIOUS_FILE,
PASSWORD_KEY_FILE, SECOND_FACTOR_KEY_FILE, S3_ACCESS_KEY_ID_FILE, S3_SECRET_ACCESS_KEY_FILE, ALERT_URL_FILE.
Run as root, a command works as the owner of the data folder.`;
}

/** Reads an option or an argument. @param takes what it takes, for who gave something else. */
function taking<Value>(takes: string, read: (text: string) => Value | undefined) {
	return (text: string): Value => {
		const value = read(text);
		if (value === undefined) throw new InvalidArgumentError(`It takes ${takes}.`);
		return value;
	};
}

/** An option whose value has the name of a variable: `TLS_KEY_FILE` of `--tls-key-file`. */
class Choice extends Option {
	override attributeName(): string {
		return this.name().replaceAll('-', '_').toUpperCase();
	}
}

function addInstallation(program: Command, run: Run): void {
	const seconds = taking('a number of seconds from 1 to 99999', (text) =>
		/^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined,
	);
	const root = ['--root <folder>', 'work below this folder, as for an image; nothing is started', '/'] as const;
	const installing = (command: Command) => {
		for (const { name, asks } of questions) {
			command.addOption(new Choice(`--${name.toLowerCase().replaceAll('_', '-')} <value>`, asks));
		}
		return command
			.option(...root)
			.option('--wait <seconds>', 'how long a start may take before an upgrade is taken back', seconds, 60);
	};
	installing(
		add(program, 'install', 'install this program as a service of systemd, or upgrade the one that is there', [
			['sudo ./access install', 'asks for the settings at a terminal'],
			['sudo ./access install --host 0.0.0.0 --port 443 --tls-cert-file /etc/access/fullchain.pem …', 'asks nothing'],
			['sudo ./access install --dry-run', 'say what it would do'],
		]),
	)
		.option('--dry-run', 'change nothing, say what would be done')
		.action(run(async (context, options) => (await import('./install.ts')).install(context, options)));
	installing(
		add(program, 'recover', 'on a new machine: install this program with the newest backup of another place', [
			['sudo -E ./access recover --from s3://bucket/prefix --key-file /root/backup.key', 'S3_… in the environment'],
		]),
	)
		.requiredOption('--from <place>', 'a folder or s3://bucket/prefix, as in BACKUP_TO')
		.option('--key-file <path>', 'the key of the backups, as in BACKUP_KEY_FILE')
		.action(run(async (context, options) => (await import('./install.ts')).recover(context, options)));
	add(program, 'uninstall', 'remove the program and the service; the data stay', [
		['sudo access uninstall', 'keeps the data folder and the settings'],
		['sudo access uninstall --purge', 'asks for the name of the data folder, and removes it too'],
	])
		.option(...root)
		.option('--purge', 'remove data, backups and settings too, for good')
		.action(run(async (context, options) => (await import('./install.ts')).uninstall(context, options)));
}

function addBackups(program: Command, run: Run): void {
	add(program, 'backup', 'copy the database to a file, also while the server runs', [
		['access backup', 'to DATA_DIR/backups/backup-<time>.db'],
		['access backup /mnt/usb', 'to backup-<time>.db in that folder'],
		['access backup s3://bucket/prefix', 'to a bucket, see BACKUP_TO'],
		['access backup /mnt/usb/monday.db', 'to that file, which must not exist'],
	])
		.argument('[file]', 'the new file, or a folder in which it is named by the time')
		.option(...json)
		.action(run(backup));
	program
		.command('copy-backup', { hidden: true })
		.option(...json)
		.action(run(copyBackup));
	add(program, 'restore', 'replace the database by a backup; the server must be stopped', [
		['access restore /mnt/usb/monday.db', 'the replaced database is kept as DATA_DIR/replaced-<time>.db'],
		['access restore s3://bucket/prefix/latest', 'the newest backup in a bucket'],
		['access restore --verify s3://bucket/prefix/latest', 'prove a backup, change nothing'],
	])
		.argument('<file>', 'the backup')
		.option('--verify', 'open and inspect the backup, say what it holds, and change nothing')
		.option(...json)
		.action(run(restore));
}

function addAdmin(program: Command, run: Run): void {
	const admin = program.command('admin').description('change the super administrator');
	add(admin, 'reset-password', 'replace the password, which ends all tokens; also while the server runs', [
		['access admin reset-password', 'make a password and show it'],
		['access admin reset-password --stdin < file', 'read it from the first line of a file'],
	])
		.option('--stdin', 'read the password from standard input')
		.option(...json)
		.action(run(resetAdministratorPassword));
	add(admin, 'rename', 'change the username; also while the server runs', [
		['access admin rename owner', 'sign in as owner from now on'],
	])
		.argument('<username>', 'the new username', taking(usernameRule, parseUsername))
		.option(...json)
		.action(run(renameAdministratorTo));
	add(admin, 'remove-second-factor', 'sign in without a code again; also while the server runs', [
		['access admin remove-second-factor', 'after the phone and the recovery codes were lost'],
	])
		.option(...json)
		.action(run(removeSecondFactorOfAdministrator));
}

function addLists(program: Command, run: Run): void {
	const history = program.command('history').description('who changed what, and who signed in');
	const since =
		'from this date or time on, such as 2026-11-21 or 2026-11-21T08:30:00+08:00; without a zone, in the zone of this machine';
	const instant = taking('a date or time such as 2026-11-21 or 2026-11-21T08:30:00+08:00', (text) =>
		readInstant(text, 'local'),
	);
	const exported = add(
		history,
		'export',
		'write the history to standard output, oldest first; also while the server runs',
		[
			['access history export > history.csv', 'all of it, for a spreadsheet'],
			['access history export --from 2026-11-01 --to 2026-12-01 --format jsonl', 'November'],
		],
	);
	exported
		.option('--from <time>', since, instant)
		.option('--to <time>', 'before this date or time', instant)
		.addOption(
			new Option('--format <format>', 'for a spreadsheet or for programs').choices(historyFormats).default('csv'),
		)
		.action(
			run((context, options) => {
				const { from, to } = options;
				if (from !== undefined && to !== undefined && from >= to) {
					exported.error(`error: --from ${from} is not before --to ${to}`);
				}
				return exportHistory(context, options);
			}),
		);
	const report = program.command('report').description('lists for the operator');
	add(report, 'initial-passwords', 'list the employees who still have the initial password, by store', [
		['access report initial-passwords', 'phone, name and id under each store'],
	])
		.option('--json', 'write each employee as a line of JSON')
		.action(run(reportInitialPasswords));
}
