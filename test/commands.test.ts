/** The commands beside `serve`, as an operator runs them: what they do, what they say, and what they leave alone. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../package.json';
import { closeDatabase, openExistingDatabase } from '../src/database/open.ts';
import { createSealing } from '../src/second-factor/sealing.ts';
import { smallDiskFor } from './campaigns/small-disk.ts';
import { makeCertificate } from './certificate.ts';
import { hanging } from './hanging.ts';
import {
	access,
	accessBinary,
	contentsOf,
	copyOfInstalled,
	databaseOf,
	failed,
	install,
	installed,
	mode,
	namesIn,
	secretsOf,
	serveHere,
	startHere,
} from './installation.ts';
import { compiled, type Ended, logLines, newFolder, Program, removeFolders, root, runToEnd } from './program.ts';
import { runHere } from './run-here.ts';
import { given, serve, withDatabase } from './server.ts';
import { withoutTriggers } from './triggers.ts';
import { noteUntested } from './untested.ts';
import { adminPassword, initialPassword } from './world.ts';

beforeAll(install);
afterAll(removeFolders);

describe('the command line', () => {
	test('the help is sufficient: commands, variables with their defaults, exit codes', async () => {
		const ended = await access(newFolder(), ['--help']);
		for (const same of ['-h', 'help']) expect(await access(newFolder(), [same])).toEqual(ended);
		const { code, stdout, stderr } = ended;
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		expect(stdout).toStartWith('Usage: access [options] [command]');
		for (const name of ['serve', 'backup', 'restore', 'check', 'admin', 'version'])
			expect(stdout).toContain(`\n  ${name} `);
		for (const [name, byDefault] of [
			['PORT', '3000'],
			['HOST', '0.0.0.0'],
			['DATA_DIR', './data'],
			['ADMIN_USERNAME', 'admin'],
			['JWT_SECRET', 'made on the first start'],
			['BACKUP_EVERY_HOURS', '0'],
			['TLS_CERT_FILE', 'none'],
		]) {
			expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*: .* \\(${byDefault}\\)$`, 'm'));
		}
		for (const words of ['/etc/access.conf', 'SETTINGS_FILE', 'JWT_SECRET_FILE', 'Exit codes: 0 done, 1 failed']) {
			expect(stdout).toContain(words);
		}
	});

	test.each([
		['serve', '[options]'],
		['backup', '[options] [file]'],
		['restore', '[options] <file>'],
		['check', '[options]'],
		['admin reset-password', '[options]'],
		['admin rename', '[options] <username>'],
		['history export', '[options]'],
		['report initial-passwords', '[options]'],
	])('the help of %s has its usage, examples and exit codes', async (line, usage) => {
		const { code, stdout, stderr } = await access(newFolder(), [...line.split(' '), '--help']);
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		expect(stdout).toStartWith(`Usage: access ${line} ${usage}\n`);
		expect(stdout).toContain(`Examples:\n  access ${line}`);
		expect(stdout).toContain('Exit codes: 0 done, 1 failed');
	});

	test.each([
		['bakup', "unknown command 'bakup'", 'Did you mean backup?'],
		['sreve', "unknown command 'sreve'", 'Did you mean serve?'],
		['check --jsn', "unknown option '--jsn'", 'Did you mean --json?'],
		['backup --jsno x.db', "unknown option '--jsno'", 'Did you mean --json?'],
		['serve --hlep', "unknown option '--hlep'", 'Did you mean --help?'],
		['--versoin', "unknown option '--versoin'", 'Did you mean --version?'],
		['admin reset-pasword', "unknown command 'reset-pasword'", 'Did you mean reset-password?'],
		['admin reset-password --stdn', "unknown option '--stdn'", 'Did you mean --stdin?'],
		['restore', 'missing required argument', ''],
		['restore a.db b.db', 'too many arguments', ''],
		['backup a.db b.db', 'too many arguments', ''],
		['check more', 'too many arguments', ''],
		['serve more', 'too many arguments', ''],
		['version more', 'too many arguments', ''],
		['admin reset-password more', 'too many arguments', ''],
		['admin', 'Usage: access admin', ''],
		['admin rename +86-138-0013-8000', 'not a mobile number', ''],
		['check --only nope', 'Allowed choices are database, ', ''],
	])('%s is wrong use: it exits 2, and names what was meant', async (line, complaint, hint) => {
		const folder = newFolder();
		const { code, stdout, stderr } = await access(folder, line.split(' '));
		expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
		expect(stderr).toContain(complaint);
		expect(stderr).toContain(hint);
		expect(readdirSync(folder)).toEqual([]);
	});

	test('version writes the versions of the program, schema, Bun and SQLite', async () => {
		const text = await access(newFolder(), ['version']);
		expect(text).toMatchObject({ code: 0, stderr: '' });
		expect(text.stdout).toMatch(/^access \S+\nschema \d+\nbun \S+\nsqlite \S+\n$/);
		const { code, stdout } = await accessBinary(newFolder(), ['version', '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual({
			access: version,
			schema: expect.any(Number),
			bun: Bun.version,
			sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
		});
		for (const flag of ['--version', '-V']) {
			expect(await access(newFolder(), [flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
		}
	});

	test.each(['backup', 'restore x.db', 'check', 'admin reset-password'])(
		'%s names a variable that is wrong',
		async (line) => {
			const environment = { DATA_DIR: newFolder(), LOG_LEVEL: 'loud' };
			const ended = await runHere(line.split(' '), environment);
			expect(ended).toEqual(failed);
			expect(ended.stderr).toStartWith('LOG_LEVEL is "loud", but takes one of ');
		},
	);
});

test.each([
	...['backup', 'backup copy.db', 'admin reset-password', 'admin rename owner', 'history export'],
	'report initial-passwords',
])('%s without a database fails, names DATA_DIR, and makes nothing', async (line) => {
	const empty = newFolder();
	for (const folder of [empty, join(empty, 'mistyped')]) {
		const ended = await access(folder, line.split(' '));
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(databaseOf(folder));
		expect(ended.stderr).toContain('check DATA_DIR');
	}
	expect(readdirSync(empty)).toEqual([]);
});

test('a command that ends while another program reads does not wait for it: nobody could write meanwhile', () => {
	const path = databaseOf(copyOfInstalled());
	using reader = new Database(path, { readonly: true });
	const db = openExistingDatabase(path);
	reader.run('begin');
	reader.query('select count(*) from stores').get();
	// The reader needs the database as it was before this write.
	db.$client.run("update stores set name = '乙店'");
	// Waiting for the reader now takes as long as a test that hangs.
	db.$client.run(`pragma busy_timeout = ${hanging}`);
	closeDatabase(db);
	expect(namesIn(path)).toEqual(['乙店']);
});

/** A key and its self-signed certificate. */
const certificate = (days: number) => makeCertificate(join(newFolder(), 'server'), { days });

type Finding = { check: string; result: string; message: string };

describe('check', () => {
	/** The findings that are not ok, by their name. */
	function troublesIn({ code, stdout }: Ended) {
		const findings: Finding[] = JSON.parse(stdout);
		const names = ['database', 'file modes', 'free disk', 'secrets', 'initial passwords'];
		expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(names));
		const wrong = findings.filter(({ result }) => result !== 'ok');
		expect(code).toBe(wrong.some(({ result }) => result === 'fail') ? 1 : 0);
		return Object.fromEntries(wrong.map(({ check, result, message }) => [check, `${result}: ${message}`]));
	}

	/** What a check of a folder finds. */
	async function troubles(folder: string, environment: Record<string, string> = given) {
		return troublesIn(await runHere(['check', '--json'], { DATA_DIR: folder, ...environment }));
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
		for (const line of lines) expect(line).toMatch(/^ok {3}[a-z ]+: \S/);
		expect(lines[0]).toMatch(/^ok {3}database: sound, .*schema \d+ is current$/);
		expect(stdout).toMatch(/\nok {3}free disk: \d+ MB free\n/);
	});

	test.each([
		['a database', () => newFolder(), 'fail: there is no database at '],
		['a data folder', () => join(newFolder(), 'mistyped'), 'fail: there is no '],
	])('fails without %s, and creates none', async (_, make, complaint) => {
		const folder = make();
		const { database } = await troubles(folder);
		expect(database).toStartWith(complaint);
		expect(database).toContain(folder);
		expect(database).toContain('check DATA_DIR');
		expect(existsSync(databaseOf(folder))).toBe(false);
	});

	test.each([['.'], ['access.db'], ['backups'], ['backups/old.db']])('warns when others can read %s', async (name) => {
		const folder = copyOfInstalled();
		mkdirSync(join(folder, 'backups'), { mode: 0o700 });
		copyFileSync(installed.backup, join(folder, 'backups/old.db'));
		expect(await troubles(folder)).toEqual({});
		chmodSync(join(folder, name), 0o755);
		const { 'file modes': modes, ...others } = await troubles(folder);
		expect(others).toEqual({});
		expect(modes).toStartWith('warn: others can read ');
		expect(modes).toContain(join(folder, name));
		expect(modes).toEndWith(`: run chmod -R go= ${folder}`);
	});

	test('names the file in the data folder that leads nowhere', async () => {
		const folder = copyOfInstalled();
		const link = join(folder, 'secrets.json');
		rmSync(link, { force: true });
		symlinkSync(link, link);
		const problem = `fail: cannot use ${link}: its links lead in a circle, correct them`;
		expect(await troubles(folder)).toEqual({ 'file modes': problem, secrets: problem });
	});

	test('warns about missing secrets', async () => {
		expect((await troubles(copyOfInstalled(), {})).secrets).toBe(
			'warn: INITIAL_EMPLOYEE_PASSWORD, JWT_SECRET, PASSWORD_KEY, and SECOND_FACTOR_KEY will be made at the next start',
		);
	});

	test('says how many one-time passwords are lost with their key, as the start does', async () => {
		const folder = copyOfInstalled();
		const program = await serveHere({ DATA_DIR: folder, ...given });
		const token = await program.signIn('admin', adminPassword);
		const people = ['13800000001', '13800000002', '13800000003'];
		for (const phone of people) {
			await program.send('POST', '/api/employees', { token, body: { storeId: 1, name: '王芳', phone } });
		}
		const { body } = await program.send('POST', '/api/employees/one-time-passwords', {
			token,
			body: { ids: [1, 2, 3] },
		});
		await program.end();
		withDatabase(databaseOf(folder), (database) => {
			// One of them is over, and so not lost.
			database.run("update employees set password_expires_at = '2026-01-01T00:00:00.000Z' where id = 3");
		});
		expect((await troubles(folder)).secrets).toBeUndefined();
		const lost =
			'2 one-time passwords made with another PASSWORD_KEY cannot be used: restore the key in secrets.json, or give new ones';
		const { password } = body.data.items[0];
		const signsInWith = async (environment: Record<string, string>) => {
			const started = await serveHere({ DATA_DIR: folder, ...given, ...environment });
			const signIn = { body: { username: people[0], password } };
			const { status } = await started.send('POST', '/api/auth/employee/login', signIn);
			await started.end();
			return {
				status,
				warnings: logLines(started.output).flatMap(({ level, message }) => (level === 'warn' ? message : [])),
			};
		};
		for (const PASSWORD_KEY of ['another-key-of-at-least-thirty-two-bytes', '']) {
			const missing = PASSWORD_KEY === '' ? 'PASSWORD_KEY will be made at the next start; ' : '';
			expect((await troubles(folder, { ...given, PASSWORD_KEY })).secrets).toBe(`warn: ${missing}${lost}`);
			expect(await signsInWith({ PASSWORD_KEY })).toEqual({ status: 401, warnings: [expect.stringContaining(lost)] });
		}
		expect(await signsInWith({})).toEqual({ status: 200, warnings: [] });
	});

	test('fails with another key than that of second factors, as the log of a start says, until they are removed', async () => {
		const folder = copyOfInstalled();
		const { ADMIN_PASSWORD: _, SECOND_FACTOR_KEY: key, ...lost } = given;
		const sealed = createSealing(key).seal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', { accountType: 'SUPER_ADMIN', id: 1 });
		withDatabase(databaseOf(folder), (database) => {
			const row = "insert into second_factors values ('SUPER_ADMIN', 1, ?, '2026-01-01T00:00:00.000Z', 0, '[]')";
			database.query(row).run(sealed);
		});
		const problem = '1 second factor was made with another SECOND_FACTOR_KEY, so only their recovery codes work: ';
		const failure = { secrets: expect.stringContaining(`fail: ${problem}`) };
		expect(await troubles(folder)).toEqual({});
		expect(await troubles(folder, lost)).toEqual(failure);
		const warned = { level: 'warn', message: expect.stringContaining(problem) };
		expect(await startHere({ DATA_DIR: folder, ...lost })).toContainEqual(expect.objectContaining(warned));
		// That start has made another key.
		expect(await troubles(folder, lost)).toEqual(failure);
		expect(await startHere({ DATA_DIR: folder, ...lost, SECOND_FACTOR_KEY: key })).not.toContainEqual(
			expect.objectContaining(warned),
		);
		const remove = () => access(folder, ['admin', 'remove-second-factor']);
		const said = 'the second factor of admin is removed: the password is enough\n';
		expect(await remove()).toEqual({ code: 0, stdout: said, stderr: '' });
		expect(await troubles(folder, lost)).toEqual({});
		expect((await access(folder, ['history', 'export'])).stdout).toContain('ADMINISTRATOR_SECOND_FACTOR_REMOVE');
		expect(await remove()).toEqual({ ...failed, stderr: 'the administrator has no second factor\n' });
	});

	test('finds a search index that lacks an employee, and repairs it', async () => {
		const folder = copyOfInstalled();
		withDatabase(databaseOf(folder), (database) => {
			database.run(`
				insert into employees
					(store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
				values (1, '王芳', '13812345678', 'none', 0, 'ACTIVE', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
			database.run('delete from employee_search where rowid = 1');
		});
		expect(await troubles(folder)).toEqual({ 'search index': expect.stringMatching(/^fail: .*check --repair$/) });
		expect((await access(folder, ['check', '--repair'])).code).toBe(0);
		expect(await troubles(folder)).toEqual({});
		await using program = await serveHere({ DATA_DIR: folder, ...given });
		const token = await program.signIn('admin', adminPassword);
		const found = await program.send('GET', `/api/employees?keyword=${encodeURIComponent('芳')}`, { token });
		expect(found.body.data.items).toEqual([expect.objectContaining({ id: 1, name: '王芳' })]);
	});

	test('warns when the newest backup is older than a week', async () => {
		const folder = copyOfInstalled();
		expect((await access(folder, ['backup'])).code).toBe(0);
		expect(await troubles(folder)).toEqual({});
		const [name = ''] = readdirSync(join(folder, 'backups'));
		const then = Date.now() / 1000 - 8 * 24 * 3600;
		utimesSync(join(folder, 'backups', name), then, then);
		expect(await troubles(folder)).toEqual({
			backups: expect.stringMatching(/^warn: .* is 8 days old: run access backup/),
		});
	});

	test('warns when an installation of more than a week has no backup', async () => {
		const folder = copyOfInstalled();
		withDatabase(databaseOf(folder), (database) =>
			database.run("update administrators set created_at = '2026-01-01T00:00:00.000Z'"),
		);
		expect(await troubles(folder)).toEqual({
			backups: expect.stringMatching(/^warn: there is none in .*: run access backup/),
		});
	});

	test('warns when kept files pile up', async () => {
		const folder = copyOfInstalled();
		const keepAnother = (day: number) =>
			copyFileSync(installed.backup, join(folder, `replaced-2026010${day}T000000Z.db`));
		for (const day of [1, 2, 3, 4, 5]) keepAnother(day);
		expect(await troubles(folder)).toEqual({});
		keepAnother(6);
		expect(await troubles(folder)).toEqual({
			'kept files': expect.stringMatching(/^warn: 6 \(\d+ MB\): remove the replaced-/),
		});
	});

	/** A pair of files with a key that others can read. */
	function exposed(): Record<string, string> {
		const files = certificate(30);
		chmodSync(files.TLS_KEY_FILE, 0o644);
		return files;
	}

	// It also holds the key; openssl makes no such certificate on every machine.
	const expired = join(root, 'test/fixtures/expired-certificate.pem');
	test.each([
		['with a day left', () => certificate(1), /^warn: .* expires in (0 days|1 day), on/],
		['with two days left', () => certificate(2), /^warn: .* expires in (1 day|2 days), on/],
		['with 13 days left', () => certificate(13), /^warn: .* expires in 1[23] days/],
		['with 14 days left', () => certificate(15), undefined],
		['that expired', () => ({ TLS_CERT_FILE: expired, TLS_KEY_FILE: expired }), /^fail: .* expired on /],
		[
			'with the key of another',
			() => ({ ...certificate(30), TLS_KEY_FILE: certificate(30).TLS_KEY_FILE }),
			/^fail: TLS_CERT_FILE=\S+ and TLS_KEY_FILE=\S+ do not belong together: give the key that the certificate was made for$/,
		],
		['with a key that others can read', exposed, /^warn: every user of this machine can read (\S+): run chmod o= \1$/],
	])('judges a certificate %s', async (_, files, judgement) => {
		const { certificate: found } = await troubles(copyOfInstalled(), { ...given, ...files() });
		if (judgement) expect(found).toMatch(judgement);
		else expect(found).toBeUndefined();
	});

	test('warns when the clock is behind all of the history, not when it was ahead and is now correct', async () => {
		const folder = copyOfInstalled();
		/** Makes records of the history later than any clock. */
		const moveAhead = (condition: string) =>
			withDatabase(databaseOf(folder), (database) => {
				const move = `update history set at = '2099-01-01T00:00:00.000Z' ${condition}`;
				withoutTriggers(database, () => database.run(move));
			});
		moveAhead('where id = (select max(id) from history)');
		expect(await troubles(folder)).toEqual({});
		const { stdout } = await access(folder, ['check', '--only', 'clock']);
		expect(stdout).toMatch(/^ok {3}clock: .*2099-01-01T00:00:00.000Z.* while the clock was ahead/);
		moveAhead('');
		expect((await troubles(folder)).clock).toMatch(/^warn: .*2099-01-01T00:00:00.000Z: set the clock/);
	});

	test('counts the employees who still have the initial password', async () => {
		const folder = copyOfInstalled();
		await using program = await serveHere({ DATA_DIR: folder, ...given });
		const token = await program.signIn('admin', adminPassword);
		const counted = async () => (await troubles(folder))['initial passwords'];
		const remedy = 'the initial password: access report initial-passwords lists them';
		expect(await counted()).toBeUndefined();
		for (const [index, holders] of ['1 employee still has', '2 employees still have'].entries()) {
			const body = { storeId: 1, name: '员工', phone: `1380013800${index}` };
			expect((await program.send('POST', '/api/employees', { token, body })).status).toBe(201);
			expect(await counted()).toBe(`warn: ${holders} ${remedy}`);
		}
		const passwords = { oldPassword: initialPassword, newPassword: 'a-password-of-their-own' };
		expect((await program.send('PATCH', '/api/employees/1/password', { token, body: passwords })).status).toBe(200);
		expect((await program.send('DELETE', '/api/employees/2', { token })).status).toBe(204);
		expect(await counted()).toBeUndefined();
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
		for (const [input, password] of [
			['密码 with spaces \n', '密码 with spaces '],
			['windows-line\r\n', 'windows-line'],
			['no-line-at-all', 'no-line-at-all'],
		] as const) {
			const { code, stdout } = await access(folder, ['admin', 'reset-password', '--stdin'], input);
			expect({ code, stdout }).toEqual({ code: 0, stdout: 'the password of admin is changed\n' });
			expect([await canSignIn(program, adminPassword), await canSignIn(program, password)]).toEqual([false, true]);
		}
	});

	test('--json writes the username, and the password that was made', async () => {
		const folder = copyOfInstalled();
		const made = await access(folder, ['admin', 'reset-password', '--json']);
		expect(JSON.parse(made.stdout)).toEqual({ username: 'admin', password: expect.stringMatching(/^\S{16,}$/) });
		const given = await access(folder, ['admin', 'reset-password', '--stdin', '--json'], 'another-password\n');
		expect(JSON.parse(given.stdout)).toEqual({ username: 'admin' });
	});

	test('refuses a password that is too short, too long or missing, and nothing changes', async () => {
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		for (const input of ['1234567\n', '', '\n', `${'x'.repeat(129)}\n`]) {
			const ended = await access(folder, ['admin', 'reset-password', '--stdin'], input);
			expect(ended).toEqual(failed);
			expect(ended.stderr).toContain('8 to 128 characters');
			expect(contentsOf(folder)).toMatchObject(before);
		}
	});

	test('changes nothing when the secrets file cannot be read', async () => {
		const folder = copyOfInstalled();
		writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ADMIN_PASSWORD: adminPassword }), { mode: 0o644 });
		chmodSync(join(folder, 'secrets.json'), 0o644);
		const before = contentsOf(folder);
		expect(await access(folder, ['admin', 'reset-password'])).toEqual(failed);
		expect(contentsOf(folder)).toMatchObject(before);
	});
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) noteUntested('files of other users', 'only root can act as several users');
describe.skipIf(!isRoot)('files of other users', () => {
	const [owner, stranger] = ['daemon', 'nobody'];
	const [ownerId, strangerId] = [1, 65_534];
	const as = (id: number) => ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', ...compiled()];

	function chown(user: string, path: string): void {
		expect(Bun.spawnSync(['chown', '-R', `${user}:`, path]).success).toBe(true);
	}

	/** An installation of the owner; everybody can reach the folder itself. */
	function folderOfOwner(): string {
		const outer = newFolder();
		chmodSync(outer, 0o755);
		const folder = join(outer, 'data');
		cpSync(installed.folder, folder, { recursive: true });
		chmodSync(folder, 0o700);
		chown(owner, folder);
		return folder;
	}

	function ownersIn(folder: string): string[] {
		const listed = Bun.spawnSync(['find', folder, '-printf', '%u\n']).stdout.toString().trim().split('\n');
		return Array.from(new Set(listed));
	}

	test('commands that root runs leave files that belong to the owner of the folder', async () => {
		const folder = folderOfOwner();
		const environment = { DATA_DIR: folder };
		const program = await Program.start({
			command: compiled(),
			environment: { ...environment, BACKUP_EVERY_HOURS: '1' },
		});
		await program.wrote(/"message":"backed up".*\n/);
		expect(existsSync(`${databaseOf(folder)}-wal`)).toBe(true);
		expect(ownersIn(folder)).toEqual([owner]);
		await program.end();
		for (const args of [['backup'], ['restore', installed.backup], ['admin', 'reset-password'], ['check']]) {
			const { code, stderr } = await runToEnd({ command: [...compiled(), ...args], environment });
			expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
			expect([args, ownersIn(folder)]).toEqual([args, [owner]]);
		}
		await using _again = await Program.start({ command: as(ownerId), environment });
	});

	test('a backup that root writes elsewhere belongs to root', async () => {
		const target = newFolder();
		const ended = await accessBinary(folderOfOwner(), ['backup', target]);
		expect(ended.code).toBe(0);
		expect(ownersIn(target)).toEqual(['root']);
	});

	test.each(['serve', 'restore /nowhere', 'history export'])(
		'%s by a stranger fails in one line that names the folder and its owner',
		async (line) => {
			const folder = folderOfOwner();
			const command = [...as(strangerId), ...line.split(' ')];
			const ended = await runToEnd({ command, environment: { DATA_DIR: folder } });
			expect(ended).toEqual(failed);
			expect(ended.stderr).toBe(
				`cannot use ${folder}: permission denied (it belongs to ${owner}, this runs as ${stranger}): run sudo -u ${owner} access …\n`,
			);
		},
	);

	/** One of root in a folder that the owner can reach. */
	function ofRoot(name: string, mode: number, group = 'root'): string {
		const path = join(dirname(folderOfOwner()), name);
		writeFileSync(path, '', { mode });
		expect(Bun.spawnSync(['chgrp', group, path]).success).toBe(true);
		return path;
	}

	/** Where certbot keeps a certificate: a link in one closed folder to a file in another one. */
	function likeCertbot(): Record<string, string> {
		const outer = dirname(folderOfOwner());
		for (const name of ['live', 'archive']) mkdirSync(join(outer, name), { mode: 0o700 });
		const { TLS_CERT_FILE, TLS_KEY_FILE } = certificate(30);
		renameSync(TLS_CERT_FILE, join(outer, 'archive/cert1.pem'));
		renameSync(TLS_KEY_FILE, join(outer, 'archive/key1.pem'));
		for (const name of ['cert', 'key']) symlinkSync(`../archive/${name}1.pem`, join(outer, `live/${name}.pem`));
		return { TLS_CERT_FILE: join(outer, 'live/cert.pem'), TLS_KEY_FILE: join(outer, 'live/key.pem') };
	}

	const letIn = (path: string, permission: 'r' | 'x') =>
		`chgrp ${owner} ${path} && chmod g+${permission} ${path} as root, or this command as root`;

	/** A file or folder of root that a mistake has left to the owner, and what they run into. */
	type Mistake = [environment: Record<string, string>, closed: string, remedy: string];

	const mistakes: [string, () => Mistake][] = [
		...['access.db', 'access.lock', 'secrets.json'].map((name): [string, () => Mistake] => [
			`the ${name} is of root`,
			() => {
				const folder = folderOfOwner();
				writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o600 });
				chown(owner, folder);
				chown('root', join(folder, name));
				return [{ DATA_DIR: folder }, join(folder, name), `chown -R ${owner} ${folder} as root`];
			},
		]),
		[
			'root copied the data folder',
			() => {
				const folder = folderOfOwner();
				chown('root', folder);
				return [{ DATA_DIR: folder }, folder, `chown -R ${owner} ${folder} as root, or this command as root`];
			},
		],
		[
			'the folder above the data folder is of root',
			() => {
				const outer = dirname(folderOfOwner());
				return [{ DATA_DIR: join(outer, 'more/data') }, outer, 'this command as root, or choose another folder'];
			},
		],
		...['SETTINGS_FILE', 'JWT_SECRET_FILE'].map((variable): [string, () => Mistake] => [
			`the file of ${variable} is for root only`,
			() => {
				const path = ofRoot('file', 0o600);
				return [{ [variable]: path }, path, letIn(path, 'r')];
			},
		]),
		[
			'the settings file is for a group',
			() => {
				const path = ofRoot('access.conf', 0o640, 'tty');
				return [{ SETTINGS_FILE: path }, path, `usermod -aG tty ${owner} as root, or this command as root`];
			},
		],
		[
			'a certificate is in a folder for root only',
			() => {
				const environment = likeCertbot();
				const folder = dirname(environment.TLS_CERT_FILE ?? '');
				return [environment, folder, letIn(folder, 'x')];
			},
		],
	];

	test.each(mistakes)('when %s, a start names its owner, the user and the command that mends it', async (_, make) => {
		const [environment, closed, remedy] = make();
		const ended = await runToEnd({ command: as(ownerId), environment: { DATA_DIR: folderOfOwner(), ...environment } });
		expect(ended).toEqual(failed);
		const [, used, subject, command] =
			/cannot use (\S+): permission denied \((\S+) belongs to root, this runs as daemon\): run (.*)\n$/.exec(
				ended.stderr,
			) ?? [];
		expect({ closed: subject === 'it' ? used : subject, command }).toEqual({ closed, command: remedy });
	});

	test('a certificate of certbot is served once every command that a start names was run', async () => {
		const environment = { ...given, DATA_DIR: folderOfOwner(), ...likeCertbot() };
		const seen: string[] = [];
		for (let round = 0; round < 3; round += 1) {
			const { stdout } = await runToEnd({ command: [...as(ownerId), 'check', '--only', 'certificate'], environment });
			const command = /: run (chgrp .*) as root, or/.exec(stdout)?.[1] ?? '';
			expect(Bun.spawnSync(['sh', '-c', command]).success).toBe(true);
			seen.push(command.split(' ')[2]?.split('/').at(-1) ?? '');
		}
		expect(seen).toEqual(['live', 'archive', 'key1.pem']);
		await using program = await Program.start({ command: as(ownerId), environment });
		expect(program.url).toStartWith('https://');
	});

	test('a check by root in a folder of another user says whose the database is', async () => {
		const folder = folderOfOwner();
		chown('root', databaseOf(folder));
		const { stdout } = await accessBinary(folder, ['check', '--only', 'database']);
		expect(stdout).toBe(
			`fail database: cannot use ${databaseOf(folder)}: permission denied (it belongs to root, this runs as ${owner}): run chown -R ${owner} ${folder} as root\n`,
		);
	});

	test('on a read-only mount every command fails in one line', async () => {
		using disk = smallDiskFor('commands on a read-only disk', 10);
		if (disk === undefined) return;
		const folder = join(disk.path, 'data');
		cpSync(installed.folder, folder, { recursive: true });
		disk.setWritable(false);
		for (const args of [['serve'], ['admin', 'reset-password'], ['restore', installed.backup]]) {
			const { code, stderr } = await access(folder, args);
			expect([args, code]).toEqual([args, 1]);
			const lines = stderr.split('\n').filter((line) => !/^((verifying|copying) the backup|)$/.test(line));
			expect(lines).toEqual([expect.stringContaining('mounted read-only, mount it with write access')]);
		}
	});

	test.each([
		['beside a server', true],
		['without a server', false],
	])('on a full disk %s what writes fails in one line, and check reports it', async (_, isServed) => {
		using disk = smallDiskFor('commands on a full disk', 4);
		if (disk === undefined) return;
		const folder = join(disk.path, 'data');
		// After a first start everything is still in the log: a command that ends would write it into the database.
		const program = isServed ? await serve({ DATA_DIR: folder }) : undefined;
		if (program) await program.signIn('admin', adminPassword);
		else cpSync(installed.folder, folder, { recursive: true });
		disk.fill(0);
		for (const line of ['admin reset-password', 'admin rename owner']) {
			const ended = await access(folder, line.split(' '));
			expect(ended).toEqual(failed);
			expect(ended.stderr).toContain('the disk is full, make room');
		}
		const checked = await access(folder, ['check']);
		expect(checked.code).toBe(1);
		expect(checked.stdout).toContain(`fail free disk: the disk of ${folder} is full: make room\n`);
		if (program) {
			expect(checked.stdout).toContain('ok   database: ');
			expect((await access(folder, ['history', 'export'])).code).toBe(0);
			expect(await program.end()).toBe(0);
		}
		disk.makeRoom();
		await using again = await serveHere({ DATA_DIR: folder, ...given });
		expect(await again.signIn('admin', adminPassword)).toBeString();
	});
});
