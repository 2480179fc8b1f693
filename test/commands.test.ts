import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { createSecretCipher } from '../src/identity/second-factor/encryption.ts';
import { backupPath } from '../src/platform/database/backup.ts';
import { openExistingDatabase } from '../src/platform/database/open.ts';
import { makeCertificate } from './certificate.ts';
import { hanging } from './hanging.ts';
import {
	access,
	contentsOf,
	copyOfInstalled,
	databaseOf,
	expectFailed,
	failed,
	install,
	installed,
	mode,
	removeFoldersAfterAll,
	secretsOf,
	serveHere,
	startHere,
} from './installation.ts';
import { compiled, freePort, newFolder, type Program, root, runToEnd, spawn } from './program.ts';
import { runHere } from './run-here.ts';
import { firstStartWas, given, withDatabase } from './server.ts';
import { adminPassword, initialPassword } from './world.ts';

removeFoldersAfterAll();
beforeAll(install);

describe('the command line', () => {
	test('the help is sufficient: commands, variables with their defaults, exit codes', async () => {
		const ended = await access(newFolder(), ['--help']);
		for (const same of ['-h', 'help']) expect(await access(newFolder(), [same])).toEqual(ended);
		const { code, stdout, stderr } = ended;
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		expect(stdout).toStartWith('Usage: access [options] [command]');
		for (const name of ['serve', 'backup', 'restore', 'check', 'admin']) expect(stdout).toContain(`\n  ${name} `);
		const defaults = { PORT: '3000', DATA_DIR: './data', JWT_SECRET: 'generated', TLS_CERT_FILE: 'none' };
		for (const [name, byDefault] of Object.entries(defaults))
			expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*: .* \\(${byDefault}\\)$`, 'm'));
		for (const words of ['/etc/access.conf', 'SETTINGS_FILE', 'JWT_SECRET_FILE', 'Exit codes: 0 done, 1 failed'])
			expect(stdout).toContain(words);
	});

	test.each(['serve [options]', 'backup [options] [file]', 'admin rename [options] <username>'])(
		'the help of access %s begins so, and has exit codes',
		async (usage) => {
			const line = usage.replace(/ \[options\].*/, '');
			const { code, stdout, stderr } = await access(newFolder(), [...line.split(' '), '--help']);
			expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
			expect(stdout).toStartWith(`Usage: access ${usage}\n`);
			expect(stdout).toContain('Exit codes: 0 done, 1 failed');
		},
	);

	const tooMany = ['restore a.db b.db', 'backup a.db b.db', 'check more', 'serve more'];
	test.each([
		['bakup', /unknown command 'bakup'\n.*Did you mean backup\?/],
		['backup --jsno x.db', /unknown option '--jsno'\n.*Did you mean --json\?/],
		['admin reset-pasword', /unknown command 'reset-pasword'\n.*Did you mean reset-password\?/],
		['restore', /missing required argument/],
		...[...tooMany, 'admin reset-password more'].map((line): [string, RegExp] => [line, /too many arguments/]),
		['admin', /Usage: access admin/],
		['admin rename +86-138-0013-8000', /not a mobile number/],
		['admin rename \u200b', /1 to 50 characters/],
		['check --only nope', /Allowed choices are database, /],
		['install --wait 0', /takes a number of seconds/],
		['recover --from=', /argument '' is invalid\. It takes a path, or s3:/],
		['recover --from s3:x', /argument 's3:x' is invalid\. It takes a path, or s3:/],
		['check --watch --json', /cannot be used with/],
		...['backup ', 'backup s3://', 'backup s3:///prefix', 'backup s3:x'].map((line): [string, RegExp] => [
			line,
			/value '.*' is invalid .* It takes a path, or s3:\/\/bucket\/prefix\./,
		]),
		...['restore ', 'restore --verify s3://', 'restore s3://x', 'restore s3://x/', 'restore s3:///latest'].map(
			(line): [string, RegExp] => [
				line,
				/value '.*' is invalid .* It takes a path, or s3:\/\/bucket\/prefix\/latest\./,
			],
		),
	])('%s is wrong use: it exits 2, and names what was meant', async (line, complaint) => {
		const folder = newFolder();
		const ended = await access(folder, line.split(' '));
		expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(complaint) });
		expect(readdirSync(folder)).toEqual([]);
	});

	test.each(['--version', '-V'])('%s writes the version of the program', async (flag) => {
		expect(await access(newFolder(), [flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
	});
});

test.each([
	'backup',
	'backup copy.db',
	'admin reset-password',
	'admin rename owner',
	'openid rotate-key',
	'history export',
	'report initial-passwords',
])('%s without a database fails, names DATA_DIR, and makes nothing', async (line) => {
	const empty = newFolder();
	for (const folder of [empty, join(empty, 'mistyped')]) {
		expectFailed(await access(folder, line.split(' ')), databaseOf(folder), 'check DATA_DIR');
	}
	expect(readdirSync(empty)).toEqual([]);
});

test('a command whose output is lost fails and says so, unless its reader is gone; the service goes on', async () => {
	const environment = { DATA_DIR: copyOfInstalled(), ...given, PORT: freePort() };
	const shell = (line: string) => ({ command: ['sh', '-c', line, ...compiled()], environment });
	const lost = await runToEnd(shell('"$0" admin reset-password > /dev/full'));
	expectFailed(lost, /^cannot use standard output: the disk is full, make room$/m);
	const piped = await runToEnd(shell('{ "$0" history export; echo $? >&2; } | true'));
	expect(piped).toEqual({ code: 0, stdout: '', stderr: '0\n' });
	const service = spawn(shell('exec "$0" > /dev/full'));
	const isHealthy = () =>
		fetch(`http://127.0.0.1:${environment.PORT}/health`).then(
			({ ok }) => ok,
			() => false,
		);
	while (!(await isHealthy())) await Bun.sleep(20);
	service.kill('SIGTERM');
	expect(await service.exited).toBe(0);
});

test('a command that ends while another program reads does not wait for it: nobody could write meanwhile', () => {
	const path = databaseOf(copyOfInstalled());
	using reader = new Database(path, { readonly: true });
	using db = openExistingDatabase(path);
	reader.run('begin');
	reader.query('select count(*) from stores').get();
	// The reader needs the state before this write. Waiting for it takes as long as a hanging test.
	db.$client.run("update stores set name = '乙店'");
	db.$client.run(`pragma busy_timeout = ${hanging}`);
});

const certificate = (days: number) => makeCertificate(join(newFolder(), 'server'), { days });

type Finding = Record<'check' | 'result' | 'message', string>;

describe('check', () => {
	/** Returns the warnings and failures of a check of a folder, by name. */
	async function troubles(folder: string, environment: Record<string, string> = given) {
		const { code, stdout } = await runHere(['check', '--json'], { DATA_DIR: folder, ...environment });
		const findings: Finding[] = JSON.parse(stdout);
		const names = ['database', 'file modes', 'free disk', 'secrets', 'initial passwords'];
		expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(names));
		const wrong = findings.filter(({ result }) => result === 'warn' || result === 'fail');
		expect(code).toBe(wrong.some(({ result }) => result === 'fail') ? 1 : 0);
		return Object.fromEntries(wrong.map(({ check, result, message }) => [check, `${result}: ${message}`]));
	}

	test('finds the first password until it is changed by its owner or by access admin reset-password, and nothing else', async () => {
		const environment = { DATA_DIR: newFolder() };
		const program = await serveHere(environment);
		expect(await troubles(environment.DATA_DIR, {})).toEqual({
			secrets: expect.stringMatching(/^warn: .*secrets\.json still holds .*: run access admin reset-password$/),
		});
		const reset = { DATA_DIR: join(newFolder(), 'reset') };
		cpSync(environment.DATA_DIR, reset.DATA_DIR, { recursive: true });
		const { ADMIN_PASSWORD: oldPassword } = secretsOf(environment.DATA_DIR);
		const token = await program.signIn('admin', oldPassword);
		const body = { oldPassword, newPassword: 'a-password-of-their-own' };
		expect((await program.send('PATCH', '/api/auth/me/password', { token, body })).status).toBe(200);
		expect(await troubles(environment.DATA_DIR, {})).toEqual({});
		await program.end();

		await runHere(['admin', 'reset-password'], reset);
		const { code, stdout, stderr } = await runHere(['check'], reset);
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		const lines = stdout.trimEnd().split('\n');
		for (const line of lines) expect(line).toMatch(/^(ok {3}|none )[a-z ]+: \S/);
		expect(lines[0]).toMatch(/^ok {3}database: sound, .*schema \d+ is current$/);
		expect(stdout).toMatch(/\nok {3}free disk: \d+ MB free\n/);
		expect(stdout).toContain('\nnone copies: all backups are on this machine: BACKUP_TO copies them to another one\n');
	});

	const backups = (folder: string) => join(folder, 'backups');
	const backUp = async (folder: string) => expect((await access(folder, ['backup'])).code).toBe(0);
	const makeBackup = (hoursAgo: number) => (folder: string) => {
		mkdirSync(backups(folder), { mode: 0o700 });
		writeFileSync(backupPath(backups(folder), new Date(Date.now() - hoursAgo * 3_600_000)), '', { mode: 0o600 });
	};
	const started = (hoursAgo: number) => (folder: string) => firstStartWas(hoursAgo, folder);
	const open = (name: string) => (folder: string) => chmodSync(join(folder, name), 0o755);
	async function openBackup(folder: string): Promise<void> {
		await backUp(folder);
		open(join('backups', readdirSync(backups(folder))[0] ?? ''))(folder);
	}
	const circle = (folder: string) => symlinkSync(join(folder, 'secrets.json'), join(folder, 'secrets.json'));
	// Not every openssl can make an expired certificate. The file also holds its key.
	const expired = join(root, 'test/fixtures/expired-certificate.pem');
	const gone = (name: string) => (folder: string) => rmSync(join(folder, name), { recursive: true });
	const emptied = (folder: string) => writeFileSync(databaseOf(folder), '');
	const pair = (file: string) => () => ({ ...given, TLS_CERT_FILE: file, TLS_KEY_FILE: file });
	const valid = (days: number) => () => ({ ...given, ...certificate(days) });
	function exposed(): Record<string, string> {
		const files = certificate(30);
		chmodSync(files.TLS_KEY_FILE, 0o644);
		return { ...given, ...files };
	}
	const mixed = () => ({ ...given, ...certificate(30), TLS_KEY_FILE: certificate(30).TLS_KEY_FILE });
	const lostKey = () => ({ ...given, BACKUP_TO: newFolder(), BACKUP_KEY_FILE: '/nowhere/key' });
	const never = () => ({ ...given, BACKUP_EVERY_HOURS: '0' });
	const none = () => ({});
	const missing = 'INITIAL_EMPLOYEE_PASSWORD, JWT_SECRET, PASSWORD_KEY, and SECOND_FACTOR_KEY will be generated';

	type Prepare = (folder: string) => unknown;
	/** The case, its warnings and failures, the preparation, and the settings. */
	type Case = [string, found: string[], prepare?: Prepare | undefined, settings?: () => Record<string, string>];
	const cases: Case[] = [
		['others can read the folder', ['warn file modes: others can read what is private: run chmod -R go= /'], open('')],
		['others can read the database', ['warn file modes: others can read .*access\\.db[,)]'], open('access.db')],
		['others can read a backup', ['warn file modes: others can read .*: run .* \\(\\S+/backup-\\S+\\)$'], openBackup],
		['a link leads to nothing', [], (folder) => symlinkSync(join(folder, 'gone'), join(folder, 'replaced-link'))],
		['a file leads nowhere', ['fail file modes: .*links lead in a circle', 'fail secrets: .*in a circle'], circle],
		['secrets are missing', [`warn secrets: ${missing}`], undefined, none],
		['the file of a key is gone', ['fail copies: BACKUP_KEY_FILE: cannot use /nowhere/key: '], undefined, lostKey],
		['there is a backup', [], backUp],
		['the newest backup is old', ['warn backups: the newest .* 49 hours ago: run access backup'], makeBackup(49.5)],
		['the newest backup is not so old', [], makeBackup(47.5)],
		[
			'none is automatic, and the newest is a week old',
			['warn backups: .* 168 hours ago: run'],
			makeBackup(168.5),
			never,
		],
		['none is automatic, and the newest is not so old', [], makeBackup(167.5), never],
		['an installation of today has none', ['warn backups: there is none in .*: run access backup'], started(2.1)],
		['a new installation has none', [], started(1.9)],
		['a certificate has a day left', ['warn certificate: .* expires in (0 days|1 day), on'], undefined, valid(1)],
		['a certificate has 13 days left', ['warn certificate: .* expires in 1[23] days'], undefined, valid(13)],
		['a certificate has 14 days left', [], undefined, valid(15)],
		['a certificate expired', ['fail certificate: .* expired on '], undefined, pair(expired)],
		['a key is of another certificate', ['fail certificate: .* do not belong together: give '], undefined, mixed],
		['others can read a key', ['warn certificate: .* can read (\\S+): run chmod o= \\1$'], undefined, exposed],
		['there is no database', ['fail database: there is no database at .*: check DATA_DIR'], gone('access.db')],
		[
			'the database is empty',
			['fail database: .* is empty: start the server if it never ran, or restore a backup$'],
			emptied,
		],
		['there is no folder', ['fail database: there is no ', 'fail file modes: ', 'fail free disk: '], gone('')],
	];
	test.each(cases)('when %s, it says so and nothing else', async (_, found, prepare, settings = () => given) => {
		const folder = copyOfInstalled();
		await prepare?.(folder);
		const hadDatabase = existsSync(databaseOf(folder));
		const lines = Object.entries(await troubles(folder, settings())).map(([name, text]) =>
			text.replace(':', ` ${name}:`),
		);
		expect(lines).toEqual(found.map((line) => expect.stringMatching(new RegExp(`^${line}`))));
		expect(existsSync(databaseOf(folder))).toBe(hadDatabase);
	});

	test.each([
		['my $(data)', true],
		['data2', false],
		['s3:data2', false],
	])('names a command that runs as it is, in quotes only if its path needs them: %s', async (name, isQuoted) => {
		const folder = join(newFolder(), name);
		cpSync(installed.folder, folder, { recursive: true });
		open('')(folder);
		const [, command = ''] = /run (chmod .*) \(/.exec(Object.values(await troubles(folder)).join('')) ?? [];
		expect(command.includes('"')).toBe(isQuoted);
		expect(Bun.spawnSync(['sh', '-c', command]).exitCode).toBe(0);
		expect(await troubles(folder)).toEqual({});
	});

	test('fails with another key than that of second factors, as the log of a start says, until they are removed', async () => {
		const folder = copyOfInstalled();
		const { ADMIN_PASSWORD: _, SECOND_FACTOR_KEY: key, ...lost } = given;
		const owner = { accountType: 'SUPER_ADMIN', id: 1 } as const;
		const sealed = createSecretCipher(key).encrypt('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', owner);
		withDatabase(databaseOf(folder), (database) => {
			const row = "insert into second_factors values ('SUPER_ADMIN', 1, ?, '2026-01-01T00:00:00.000Z', 0, '[]')";
			database.query(row).run(sealed);
		});
		const problem = '1 second factor was made with another SECOND_FACTOR_KEY, so only their recovery codes work: ';
		const failure = { secrets: expect.stringContaining(`fail: ${problem}`) };
		expect(await troubles(folder)).toEqual({});
		expect(await troubles(folder, lost)).toEqual(failure);
		const warned = { level: 'warn', message: expect.stringContaining(problem) };
		const logged = (settings: object) => startHere({ DATA_DIR: folder, ...lost, ...settings });
		expect(await logged({})).toContainEqual(expect.objectContaining(warned));
		// That start has made a new key.
		expect(await troubles(folder, lost)).toEqual(failure);
		expect(await logged({ SECOND_FACTOR_KEY: key })).not.toContainEqual(expect.objectContaining(warned));
		const remove = () => access(folder, ['admin', 'remove-second-factor']);
		const said = 'the second factor of admin is removed: the password is enough\n';
		expect(await remove()).toEqual({ code: 0, stdout: said, stderr: '' });
		expect(await troubles(folder, lost)).toEqual({});
		expect((await access(folder, ['history', 'export'])).stdout).toContain('ADMINISTRATOR_SECOND_FACTOR_REMOVE');
		expect(await remove()).toEqual({ ...failed, stderr: 'the administrator has no second factor\n' });
	});

	test('counts the employees who still have the initial password', async () => {
		const folder = copyOfInstalled();
		await using program = await serveHere({ DATA_DIR: folder, ...given });
		const token = await program.signIn('admin', adminPassword);
		const counted = async () => (await troubles(folder))['initial passwords'];
		const remedy = 'access report initial-passwords lists them';
		expect(await counted()).toBeUndefined();
		for (const [index, holders] of ['1 employee', '2 employees'].entries()) {
			const body = { storeId: 1, name: '员工', phone: `1380013800${index}` };
			expect((await program.send('POST', '/api/employees', { token, body })).status).toBe(201);
			expect(await counted()).toBe(`warn: the initial password still works for ${holders}: ${remedy}`);
		}
		const settings = { DATA_DIR: folder, ...given, REQUIRE_OWN_PASSWORD: 'on' };
		const { stdout } = await runHere(['check', '--only', 'initial passwords'], settings);
		const nobody = 'the initial password signs nobody in; 2 employees without a password';
		expect(stdout).toContain(`ok   initial passwords: ${nobody}`);
		const passwords = { oldPassword: initialPassword, newPassword: 'a-password-of-their-own' };
		expect((await program.send('PATCH', '/api/employees/1/password', { token, body: passwords })).status).toBe(200);
		expect((await program.send('DELETE', '/api/employees/2', { token })).status).toBe(204);
		expect(await counted()).toBeUndefined();
	});
});

describe('several administrators', () => {
	test('are added, listed, named, and removed but for the last one, while the server runs', async () => {
		const folder = copyOfInstalled();
		await using program = await serveHere({ DATA_DIR: folder, ...given });
		const admin = async (...line: string[]) => {
			const { code, stdout, stderr } = await access(folder, ['admin', ...line]);
			return code === 0 ? stdout.trimEnd() : stderr.trimEnd();
		};
		const last = 'admin is the only administrator: add another one first, with access admin add NAME';
		expect(await admin('remove')).toBe(last);
		const added = await admin('add', '李总');
		expect(added).toMatch(/^李总 signs in with the one-time password \S{11} until \d{4}-\d\d-\d\d$/);
		expect(await admin('add', '李总')).toBe('there is an administrator 李总 already: choose another name');
		const token = await program.signIn('李总', added.split(' ')[7] ?? '');
		expect((await program.send('GET', '/api/auth/me', { token })).status).toBe(200);
		const several = 'there are several administrators: name one with --username: admin, 李总';
		for (const line of [['remove'], ['reset-password'], ['rename', 'x'], ['remove-second-factor']])
			expect([line, await admin(...line)]).toEqual([line, several]);
		expect(await admin('remove', '--username', '王总')).toBe(
			'there is no administrator 王总: name one of these: admin, 李总',
		);
		expect(await admin('rename', '李总', '--username', 'admin')).toContain('already');
		expect(await admin('reset-password', '--username', '李总')).toStartWith('the new password of 李总 is ');
		expect((await program.send('GET', '/api/auth/me', { token })).status).toBe(401);
		expect(await program.signIn('admin', adminPassword)).toBeString();
		expect(await admin('rename', 'boss', '--username', 'admin')).toBe('the administrator admin is now boss');
		expect(await admin('remove', '--username', 'boss')).toBe('the administrator boss is removed');
		expect(await admin('list')).toMatch(/^李总: since \S+, signed in on \S+, without a second factor$/);
		expect(JSON.parse(await admin('list', '--json'))).toEqual([expect.objectContaining({ id: 2, username: '李总' })]);
	});

	test('are 20 at most, and one more is refused in a line', async () => {
		const folder = copyOfInstalled();
		const add = (name: string) => access(folder, ['admin', 'add', name]);
		for (let count = 2; count <= 20; count += 1) expect(await add(`owner ${count}`)).toMatchObject({ code: 0 });
		const stderr = 'There are 20 already, which is the maximum.\n';
		expect(await add('one more')).toEqual({ code: 1, stdout: '', stderr });
	});

	test('leave the first password in secrets.json while one of them has it', async () => {
		const folder = newFolder();
		await (await serveHere({ DATA_DIR: folder })).end();
		const first = secretsOf(folder).ADMIN_PASSWORD;
		await access(folder, ['admin', 'add', 'second']);
		await access(folder, ['admin', 'reset-password', '--username', 'second']);
		expect(secretsOf(folder).ADMIN_PASSWORD).toBe(first);
		await access(folder, ['admin', 'remove', '--username', 'admin']);
		expect(secretsOf(folder).ADMIN_PASSWORD).toBeUndefined();
	});
});

describe('admin reset-password', () => {
	const canSignIn = async (program: Program, password: string) => {
		const { status } = await program.send('POST', '/api/auth/login', { body: { username: 'admin', password } });
		return status === 200;
	};

	test('makes a password, shows it once, and ends every token, also on a running server', async () => {
		const environment = { DATA_DIR: newFolder() };
		const program = await serveHere(environment);
		const { ADMIN_PASSWORD: old, ...others } = secretsOf(environment.DATA_DIR);
		const token = await program.signIn('admin', old);
		expect((await program.send('GET', '/api/auth/me', { token })).status).toBe(200);

		const ended = await runToEnd({ command: [...compiled(), 'admin', 'reset-password'], environment });
		expect(ended).toMatchObject({ code: 0, stderr: '' });
		const password = /^the new password of admin is (\S{16,})\n$/.exec(ended.stdout)?.[1] ?? '';
		expect((await program.send('GET', '/api/auth/me', { token })).status).toBe(401);
		expect([await canSignIn(program, old), await canSignIn(program, password)]).toEqual([false, true]);
		expect(secretsOf(environment.DATA_DIR)).toEqual(others);
		expect(mode(join(environment.DATA_DIR, 'secrets.json'))).toBe('600');
		expect(await program.end()).toBe(0);

		await using second = await serveHere(environment);
		expect([await canSignIn(second, old), await canSignIn(second, password)]).toEqual([false, true]);
		expect(secretsOf(environment.DATA_DIR)).toEqual(others);
	});

	test('takes a password from standard input and does not repeat it', async () => {
		const folder = copyOfInstalled();
		await using program = await serveHere({ DATA_DIR: folder, ...given });
		for (const input of ['密码 with spaces \n', 'windows-line\r\n', 'no-line-at-all']) {
			const password = input.replace(/\r?\n$/, '');
			const { code, stdout } = await access(folder, ['admin', 'reset-password', '--stdin'], input);
			expect({ code, stdout }).toEqual({ code: 0, stdout: 'the password of admin is changed\n' });
			expect([await canSignIn(program, adminPassword), await canSignIn(program, password)]).toEqual([false, true]);
		}
	});

	test('of an installation whose first start made no administrator says what to do', async () => {
		const folder = copyOfInstalled();
		withDatabase(databaseOf(folder), (database) => database.run('delete from administrators'));
		expectFailed(await access(folder, ['admin', 'reset-password']), 'no administrator yet: start the server once');
	});

	test('refuses a password that is easy to guess where own passwords are required', async () => {
		const folder = copyOfInstalled();
		const settings = { DATA_DIR: folder, ...given, REQUIRE_OWN_PASSWORD: 'on', CHAIN_NAME: '好邻居便利' };
		const reset = (input: string) => runHere(['admin', 'reset-password', '--stdin'], settings, input);
		for (const input of ['12345678', 'admin2026', 'HaoLinJuBianLi']) expectFailed(await reset(input), 'easy to guess');
		expect(await reset('a-password-of-my-own')).toMatchObject({ code: 0 });
	});

	const unreadable = '{"ADMIN_PASSWORD":"long-enough"}';
	test.each([
		['1234567\n', '{}', 0o600, '8 to 128 characters'],
		['', '{}', 0o600, '8 to 128 characters'],
		['\n', '{}', 0o600, '8 to 128 characters'],
		[`${'x'.repeat(129)}\n`, '{}', 0o600, '8 to 128 characters'],
		['a-good-password\n', unreadable, 0o644, 'chmod 600'],
	])('refuses %j with secrets %s of mode %d, and nothing changes', async (input, secrets, permissions, complaint) => {
		const folder = copyOfInstalled();
		writeFileSync(join(folder, 'secrets.json'), secrets);
		chmodSync(join(folder, 'secrets.json'), permissions);
		const before = contentsOf(folder);
		expectFailed(await access(folder, ['admin', 'reset-password', '--stdin'], input), complaint);
		expect(contentsOf(folder)).toMatchObject(before);
	});
});
