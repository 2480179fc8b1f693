import { describe, expect, test } from 'bun:test';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { dependencies } from '../package.json';
import { firstSettings } from '../src/commands/installer/settings.ts';
import { readConfig } from '../src/platform/machine/config.ts';
import { parseSettings } from '../src/platform/machine/settings-file.ts';
import {
	expectFailed,
	failToStart,
	mode,
	removeFoldersAfterAll,
	secretsOf,
	serveHere,
	startHere,
	stoppedFolder,
} from './installation.ts';
import { words } from './oracle.ts';
import { newFolder, Program, root } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation } from './server.ts';

removeFoldersAfterAll();

function newFile(text: string): string {
	const path = join(newFolder(), 'file');
	writeFileSync(path, text);
	return path;
}

test('a first start without settings makes strong secrets, private files and an owner, and ignores .env and bunfig.toml', async () => {
	const cwd = newFolder();
	writeFileSync(join(cwd, '.env'), 'ADMIN_USERNAME=evil\nPORT=1\n');
	writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
	writeFileSync(join(cwd, 'evil.ts'), 'require("node:fs").writeFileSync("evil.txt", "")');
	mkdirSync(join(cwd, 'drizzle'));
	// An empty variable counts as not given.
	const program = await Program.start({ cwd, environment: { JWT_SECRET: '', ADMIN_USERNAME: '' } });
	expect(existsSync(join(cwd, 'evil.txt'))).toBe(false);
	const folder = join(cwd, 'data');
	const secrets = secretsOf(folder);
	const passwords = ['ADMIN_PASSWORD', 'INITIAL_EMPLOYEE_PASSWORD'];
	expect(Object.keys(secrets)).toEqual([...passwords, 'JWT_SECRET', 'PASSWORD_KEY', 'SECOND_FACTOR_KEY']);
	expect(Buffer.byteLength(secrets.JWT_SECRET)).toBeGreaterThanOrEqual(32);
	expect(secrets.ADMIN_PASSWORD).not.toBe(secrets.INITIAL_EMPLOYEE_PASSWORD);
	expect(mode(folder)).toBe('700');
	for (const file of readdirSync(folder)) expect([file, mode(join(folder, file))]).toEqual([file, '600']);
	// The output is no terminal, so it names the file and not the passwords.
	expect(program.output).toContain(join(folder, 'secrets.json'));
	for (const secret of Object.values(secrets)) expect(program.output).not.toContain(String(secret));
	const token = await program.signIn('admin', secrets.ADMIN_PASSWORD);
	expect((await program.send('GET', '/api/roles', { token })).body.data).toHaveLength(5);
	expect((await program.send('GET', '/swagger/json')).body.openapi).toBe('3.1.0');
	expect(await program.end()).toBe(0);

	const other = newFolder();
	await startHere({ DATA_DIR: other });
	for (const [name, secret] of Object.entries(secretsOf(other))) expect(secret).not.toBe(secrets[name]);
});

const differs = /stored administrator/;

test('a restart with another ADMIN_USERNAME and ADMIN_PASSWORD leaves the account as it is, and warns once', async () => {
	const folder = newFolder();
	const given = { DATA_DIR: folder, ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'first-password' };
	await startHere(given);
	expect(secretsOf(folder)).not.toHaveProperty('ADMIN_PASSWORD');
	const other = { ...given, ADMIN_USERNAME: 'owner', ADMIN_PASSWORD: 'second-password' };
	const program = await serveHere(other);
	expect(await program.signIn('root', 'first-password')).toBeString();
	const body = { username: 'root', password: 'second-password' };
	expect((await program.send('POST', '/api/auth/login', { body })).status).toBe(401);
	await program.end();
	const warnings = program.log.filter(({ message }) => differs.test(message));
	expect(warnings).toEqual([
		expect.objectContaining({
			level: 'warn',
			message: expect.stringContaining('ADMIN_USERNAME and ADMIN_PASSWORD differ'),
			administrator: 'root',
			change: 'access admin rename, access admin reset-password',
		}),
	]);

	// The commands in the warning make the stored account match the settings.
	expect(await runHere(['admin', 'rename', 'owner'], other)).toMatchObject({ code: 0, stderr: '' });
	const reset = await runHere(['admin', 'reset-password', '--stdin'], other, 'second-password\n');
	expect(reset).toMatchObject({ code: 0, stderr: '' });
	const last = await serveHere(other);
	const token = await last.signIn('owner', 'second-password');
	const history = await last.send('GET', '/api/history?action=ADMINISTRATOR_UPDATE', { token });
	const change = { field: 'username', before: 'root', after: 'owner' };
	expect(history.body.data.items).toMatchObject([{ changes: [change] }]);
	await last.end();
	expect(last.log.filter(({ message }) => differs.test(message))).toEqual([]);
	// Without ADMIN_USERNAME there is no warning.
	const { ADMIN_USERNAME: _, ...unnamed } = other;
	expect((await startHere(unnamed)).filter(({ message }) => differs.test(message))).toEqual([]);
});

describe('configuration', () => {
	type Refused = [environment: Record<string, string>, complaint: RegExp];
	/** Values of a variable with the same refusal. */
	const refused = (name: string, complaint: string, ...values: string[]) =>
		values.map((value): Refused => [{ [name]: value }, new RegExp(`^${name} is ${complaint}`)]);
	const files = {
		'/nowhere/file': 'it or its folder is not there, check the path\n$',
		'/tmp': 'it is a folder, name a file\n$',
		'/etc/passwd/file': 'a part of the path is a file and not a folder, check',
		[`/${'x'.repeat(300)}`]: 'a name in the path is too long, choose a shorter one\n$',
	};
	const filesRefused = (name: string, prefix: string) =>
		Object.entries(files).map(
			([path, complaint]): Refused => [{ [name]: path }, new RegExp(`^${prefix}cannot use ${path}: ${complaint}`)],
		);
	/** A data folder on a disk that is not mounted. */
	function brokenLink(): string {
		const link = join(newFolder(), 'data');
		symlinkSync('/nowhere/data', link);
		return link;
	}
	const noFolder = (path: string) =>
		new RegExp(`^DATA_DIR: cannot use ${path}: it is a file or a broken link, name a folder\n$`);
	const both = { ADMIN_PASSWORD: 'given-password', ADMIN_PASSWORD_FILE: '/there' };
	const refusals: Refused[] = [
		...refused(
			'TRUST_PROXY',
			'".*", but takes addresses or networks such as',
			...words('10.0.0.0/8,nginx 10.0.0.0/33 010.0.0.0/8 10/8 ::ffff:10.0.0.0/104'),
		),
		...refused('LOGIN_THROTTLE', '"no", but takes one of on, off\n$', 'no'),
		...refused(
			'CORS_ORIGINS',
			'".*", but takes origins such as https://shop.example, with nothing behind the name or port, ' +
				'or dev for any on this machine, separated by commas\n$',
			...words('* shop.example https://shop.example/ https://shop.example/app ftp://shop.example null'),
		),
		...refused('HOST', '".*", but takes a host name or address such as', 'no host'),
		...refused('ADMIN_USERNAME', '".*", but takes 1 to 50 characters that are not a mobile', '13800138000'),
		...refused(
			'PORT',
			'".*", but takes a port number from 0 to 65535, 0 for any free one',
			...words('65536 abc -1 3000.5 0x10 1e3'),
			' 3000',
		),
		...refused('BACKUP_EVERY_HOURS', '".*", but takes a whole number of hours from 0 to 8760,', '-1', '0.5', '9000'),
		...refused('CHAIN_NAME', '.*, but takes 1 to 20 characters in one line', '长'.repeat(21)),
		...refused(
			'PUBLIC_URL',
			'".*", but takes a URL such as https://shop.example or, behind',
			...words(
				'shop.example ftp://shop.example https://shop.example/?a https://shop.example/#a https://me@shop.example',
			),
		),
		...refused('BACKUP_KEEP', '".*", but takes ', '0', 'all'),
		...filesRefused('JWT_SECRET_FILE', 'JWT_SECRET_FILE: '),
		[{ DATA_DIR: '/etc/passwd' }, noFolder('/etc/passwd')],
		[{ DATA_DIR: brokenLink() }, noFolder('.*')],
		// Root first looks up the folder's owner, others create it.
		[{ DATA_DIR: '/etc/passwd/data' }, /cannot use \/etc\/passwd\/data: a part of the path is a file and not a/],
		...filesRefused('SETTINGS_FILE', 'SETTINGS_FILE: '),
		[{ LOGIN_THROTTLE: 'off', HOST: '0.0.0.0' }, /^LOGIN_THROTTLE is off, .* for tests: set HOST=127\.0\.0\.1 as well/],
		[both, /^ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both given/],
	];
	test.each(refusals)('%j is refused in one line', async (environment, complaint) => {
		expectFailed(await failToStart(environment), complaint);
	});

	test('a JWT_SECRET that is easy to guess and a variable of an earlier version work, with a warning', async () => {
		const environment = { DATA_DIR: await newInstallation(), ...given };
		const find = async (settings: Record<string, string>) =>
			(await runHere(['check', '--only', 'configuration'], { ...environment, ...settings })).stdout;
		const ignored = 'BACKUP_SECRETS is ignored, remove it: with BACKUP_KEY_FILE the secrets are always copied';
		const short = 'JWT_SECRET has 5 bytes and is easy to guess: give 32 random bytes or more';
		const settings = { BACKUP_SECRETS: 'on', JWT_SECRET: 'short' };
		const log = await startHere({ ...environment, ...settings });
		for (const message of [ignored, short])
			expect(log).toContainEqual(expect.objectContaining({ level: 'warn', message }));
		expect(await find(settings)).toBe(`warn configuration: ${ignored}; ${short}\n`);
		expect(await find({ JWT_SECRET: 'a'.repeat(32) })).toStartWith('warn configuration: ');
		expect(await find({ JWT_SECRET: 'ab'.repeat(16) })).toMatch(/^ok +configuration/);
	});

	const notThere = 'BACKUP_KEY_FILE: cannot use /nope: it or its folder is not there, check the path';
	const tooShort = / must hold one line of text of 32 characters or more: openssl rand -base64 32 > /;
	const withKey = (BACKUP_KEY_FILE: string) => ({ BACKUP_KEY_FILE, BACKUP_TO: newFolder() });
	function placeIn(folder: string) {
		mkdirSync(join(folder, 'backups'), { mode: 0o700 });
		return { BACKUP_TO: join(folder, 'backups') };
	}
	type Misplaced = [what: string, place: (folder: string) => object, result: string, message: string | RegExp];
	test.each<Misplaced>([
		['a missing key', () => withKey('/nope'), 'fail', notThere],
		['a short key', () => withKey(newFile('12345')), 'fail', tooShort],
		['a place in the data folder', placeIn, 'warn', /\/backups is in DATA_DIR and is lost/],
	])('copies with %s stop no start, which warns as access check does', async (_, place, result, message) => {
		const DATA_DIR = await newInstallation();
		const environment = { DATA_DIR, ...given, ...place(DATA_DIR) };
		const [warning, ...others] = (await startHere(environment)).filter(({ level }) => level === 'warn');
		expect([warning?.message, others]).toEqual([expect.stringMatching(message), []]);
		const { stdout } = await runHere(['check', '--only', 'copies'], environment);
		expect(stdout).toBe(`${result} copies: ${warning?.message}\n`);
	});

	/** Makes a store, and an employee in it who may use the back office. */
	async function hire(program: Program, adminPassword: string, phone: string): Promise<void> {
		const token = await program.signIn('admin', adminPassword);
		await program.send('POST', '/api/stores', { token, body: { name: '店' } });
		await program.send('POST', '/api/employees', { token, body: { storeId: 1, name: '员', phone, roleIds: [1] } });
	}

	test('secrets can be given in files', async () => {
		const environment = {
			DATA_DIR: newFolder(),
			ADMIN_PASSWORD_FILE: newFile('admin-password-of-a-file\n'),
			INITIAL_EMPLOYEE_PASSWORD_FILE: newFile(' spaces count \n'),
			JWT_SECRET_FILE: newFile('a-secret-of-a-file-of-at-least-32-bytes'),
			PASSWORD_KEY_FILE: newFile('a-key-of-a-file-of-at-least-32-bytes'),
			SECOND_FACTOR_KEY_FILE: newFile('a-key-of-a-file-for-second-factors'),
		};
		await using program = await serveHere(environment);
		expect(existsSync(join(environment.DATA_DIR, 'secrets.json'))).toBe(false);
		await hire(program, 'admin-password-of-a-file', '13800138000');
		expect(await program.signIn('13800138000', ' spaces count ')).toBeString();
	});

	test('earlier tokens work after a restart, but not with another JWT_SECRET or, like the initial password, as installed', async () => {
		const SETTINGS_FILE = newFile(firstSettings('/var/lib/access'));
		const environment = { DATA_DIR: await newInstallation(), ...given };
		const body = { username: '13800138000', password: given.INITIAL_EMPLOYEE_PASSWORD };
		let before = '';
		for (const [settings, signIn, earlier] of [
			[{}, 200, 200],
			[{ SETTINGS_FILE }, 401, 401],
			[{ JWT_SECRET: 'another-secret-of-at-least-32-bytes' }, 200, 401],
			[{}, 200, 200],
		] as const) {
			await using program = await serveHere({ ...environment, ...settings });
			if (before === '') {
				await hire(program, given.ADMIN_PASSWORD, body.username);
				before = await program.signIn(body.username, body.password);
			}
			expect((await program.send('POST', '/api/auth/login', { body })).status).toBe(signIn);
			expect((await program.send('GET', '/api/auth/me', { token: before })).status).toBe(earlier);
		}
	});

	test('SECOND_FACTOR=required lets the administrator do nothing before theirs is on; SWAGGER=off serves no document', async () => {
		const settings = { ...given, SECOND_FACTOR: 'required', SWAGGER: 'off' };
		await using program = await serveHere({ DATA_DIR: await newInstallation(), ...settings });
		const token = await program.signIn('admin', given.ADMIN_PASSWORD);
		const statusOf = async (path: string) => (await program.send('GET', path, { token })).status;
		expect([await statusOf('/api/auth/me'), await statusOf('/api/stores')]).toEqual([200, 403]);
		for (const path of ['/swagger', '/swagger/json', '/swagger/start.js']) expect(await statusOf(path)).toBe(404);
	});

	test('only a trusted proxy can give the address of a client', async () => {
		const environment = { DATA_DIR: await newInstallation(), ...given };
		const addressWith = async (settings: Record<string, string>) => {
			const program = await serveHere({ ...environment, ...settings });
			await program.request('/health', { headers: { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' } });
			await program.end();
			return program.log.find(({ message }) => message === 'request').address;
		};
		expect(await addressWith({})).toBe('127.0.0.1');
		expect(await addressWith({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.0/8' })).toBe('192.0.2.1');
	});
});

describe('the settings file', () => {
	test('gives variables to the server and to every command', async () => {
		const DATA_DIR = join(newFolder(), 'data of the chain');
		const SETTINGS_FILE = newFile(`# The chain\n; of stores\n\n DATA_DIR = "${DATA_DIR}" \nADMIN_USERNAME='owner'\r\n`);
		const program = await serveHere({ SETTINGS_FILE });
		expect(await program.signIn('owner', secretsOf(DATA_DIR).ADMIN_PASSWORD)).toBeString();
		await program.end();
		for (const line of ['check', 'backup', 'admin reset-password', 'history export']) {
			expect([line, (await runHere(line.split(' '), { SETTINGS_FILE })).code]).toEqual([line, 0]);
		}
		const [name = ''] = readdirSync(join(DATA_DIR, 'backups'));
		const restored = await runHere(['restore', join(DATA_DIR, 'backups', name)], { SETTINGS_FILE });
		expect(restored.stdout).toStartWith(`${join(DATA_DIR, 'access.db')} is now `);
		expect(restored.stdout).toContain(`; the database that was there is kept as ${DATA_DIR}/replaced-`);
	});

	test('is overruled by environment variables, except empty ones', async () => {
		const [first, second] = [join(newFolder(), 'first'), join(newFolder(), 'second')];
		const SETTINGS_FILE = newFile(`DATA_DIR=${first}\nADMIN_PASSWORD_FILE=/nowhere\n`);
		const environment = { SETTINGS_FILE, ADMIN_PASSWORD: 'given-admin-password', ADMIN_USERNAME: '' };
		await startHere({ ...environment, DATA_DIR: second });
		expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
		await startHere({ ...environment, DATA_DIR: '' });
		expect(existsSync(first)).toBe(true);
	});

	test('is not overruled by a name without _FILE that is no variable of the program', () => {
		const files = { BACKUP_KEY_FILE: '/k', TLS_KEY_FILE: '/t', TLS_CERT_FILE: '/c' };
		const SETTINGS_FILE = newFile('BACKUP_KEY_FILE=/k\nTLS_KEY_FILE=/t\nTLS_CERT_FILE=/c\n');
		expect(readConfig({ SETTINGS_FILE, BACKUP_KEY: 'x', TLS_KEY: 'x', TLS_CERT: 'x' })).toMatchObject(files);
	});

	test('has all its problems named at once, with those of the environment, and no secret is shown', async () => {
		const lines = 'S3_ENDPOINT=abc FOO=1 BACKUP_TO=./x DATA_DIR=./x HISTORY_DAYS=-'.split(' ');
		const SETTINGS_FILE = newFile([...lines, 'export SWAGGER=on', 'FOO=2'].join('\n'));
		const passwords = { ADMIN_PASSWORD: 's', INITIAL_EMPLOYEE_PASSWORD: 'x'.repeat(129) };
		const given = { SETTINGS_FILE, JWT_SECRET_FILE: '/nope', LOG_LEVEL: 'loud', ...passwords };
		const { code, stdout, stderr } = await failToStart(given);
		expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
		const said = stderr.trimEnd().replaceAll(SETTINGS_FILE, 'file').split('\n');
		expect(said.map((line) => line.replace(/, (but|which|check).*|:.*/, ''))).toEqual([
			'file line 6 is not NAME=value',
			'file line 7 sets FOO again',
			'file sets FOO',
			'DATA_DIR is "./x" in file',
			'JWT_SECRET_FILE',
			'ADMIN_PASSWORD is 1 byte',
			'INITIAL_EMPLOYEE_PASSWORD is 129 bytes',
			'LOG_LEVEL is "loud"',
			'HISTORY_DAYS is "-"',
			'BACKUP_TO is "./x"',
			'S3_ENDPOINT is "abc"',
		]);
	});

	test('is read as systemd reads it', () => {
		const text =
			"DATA_DIR=/srv/a b  \n# c\nADMIN_USERNAME=\"the 'owner'\"\nCORS_ORIGINS='https://shop.example'\nPORT=2\n";
		const read = { DATA_DIR: '/srv/a b', ADMIN_USERNAME: "the 'owner'", CORS_ORIGINS: 'https://shop.example' };
		expect(parseSettings(text, '')).toEqual({ settings: { ...read, PORT: '2' }, problems: [] });
	});

	test.each([
		['DATA_DIR=./data', /^DATA_DIR is "\.\/data" in .*, but takes a path that begins with \/$/m],
		['ADMIN_USERNAME="owner', /line 2 has a backslash or an unmatched quote/],
		['ADMIN_USERNAME=own\\er', /line 2 has a backslash or an unmatched quote/],
		['PORT=80\n\nPORT = 81', /file line 4 sets PORT again: remove one$/m],
	])('with %j is refused in one line', async (line, complaint) => {
		expectFailed(await failToStart({ SETTINGS_FILE: newFile(`# settings\n${line}\n`) }), complaint);
	});
});

describe('a start that fails says in one line what to change, and leaves the files as they are', () => {
	test.each([
		['that others can read', 0o644, '{}', 'chmod 600'],
		...['{', '{"JWT_SECRET":"short"}', '[]'].map(
			(content) => [`that holds ${content}`, 0o600, content, 'does not hold valid secrets'] as const,
		),
	])('a secrets file %s', async (_, permissions, content, complaint) => {
		const DATA_DIR = await newInstallation();
		const file = join(DATA_DIR, 'secrets.json');
		writeFileSync(file, content);
		chmodSync(file, permissions);
		expectFailed(await failToStart({ DATA_DIR }), complaint);
		expect(readFileSync(file, 'utf8')).toBe(content);
		const { code, stdout } = await runHere(['check', '--only', 'secrets'], { DATA_DIR });
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(complaint) });
		expect(stdout).toStartWith(`fail secrets: ${file}`);
	});

	const remedy = 'restore a backup with access restore FILE, or start from nothing with access serve --new';

	const losses: [string, string, (path: string) => void][] = [
		['deleted', 'made', () => {}],
		['emptied', 'given', (path) => writeFileSync(path, '')],
	];
	test.each(losses)('a database %s, with secrets %s, until --new asks for an empty chain', async (_, origin, spoil) => {
		const environment = { DATA_DIR: newFolder(), ...(origin === 'given' && given) };
		const { DATA_DIR } = environment;
		await startHere(environment);
		rmSync(join(DATA_DIR, 'access.db'));
		spoil(join(DATA_DIR, 'access.db'));
		const before = readdirSync(DATA_DIR);
		expectFailed(await failToStart(environment), remedy);
		expect(readdirSync(DATA_DIR)).toEqual(before);
		const checked = await runHere(['check'], environment);
		expect(checked.code).toBe(1);
		expect(checked.stdout).toMatch(/^fail database: .*(there is no database|is empty).*restore a backup$/m);

		await startHere(environment, ['--new']);
		const password = origin === 'given' ? given.ADMIN_PASSWORD : secretsOf(DATA_DIR).ADMIN_PASSWORD;
		const program = await serveHere(environment);
		expect(await program.signIn('admin', password)).toBeString();
		expect(await program.end()).toBe(0);
		const again = await runHere(['serve', '--new'], environment);
		expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^--new is for .*: leave out --new\n$/) });
	});

	test('a database is missed after its start, which leaves a mark', async () => {
		const environment = { DATA_DIR: await newInstallation(), ...given };
		const mark = join(environment.DATA_DIR, 'access.installed');
		expect(existsSync(mark)).toBe(false);
		await startHere(environment);
		expect(mode(mark)).toBe('600');
		expect(readFileSync(mark, 'utf8')).toMatch(/^[^\n]+ access serve --new\.\n$/);
		expect((await runHere(['check', '--only', 'file modes'], environment)).stdout).toStartWith('ok ');
		rmSync(join(environment.DATA_DIR, 'access.db'));
		expect((await failToStart(environment)).stderr).toContain(`${mark} is from an earlier one: ${remedy}`);
	});

	test('a first start that could not make the database can be repeated', async () => {
		const environment = { DATA_DIR: newFolder(), ...given };
		const obstacle = join(environment.DATA_DIR, 'access.db-journal');
		mkdirSync(obstacle);
		expect(await failToStart(environment)).toMatchObject({ code: 1, stdout: '' });
		rmSync(obstacle, { recursive: true });
		// A start that is killed leaves the database empty.
		writeFileSync(join(environment.DATA_DIR, 'access.db'), '');
		const program = await serveHere(environment);
		expect(await program.signIn('admin', given.ADMIN_PASSWORD)).toBeString();
		await program.end();
		expect(readdirSync(environment.DATA_DIR)).toEqual(expect.arrayContaining(stoppedFolder));
	});
});

// The client is a separate package, for other people's programs.
test('every package that src imports is installed for production', () => {
	const installed = new Set([...Object.keys(dependencies), 'bun', ...builtinModules]);
	for (const file of new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)) {
		if (file.startsWith('src/client/')) continue;
		const source = readFileSync(join(root, file), 'utf8');
		const imports = source.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/g);
		const names = Array.from(imports, ([, name = '']) => name);
		expect([file, names.filter((name) => !installed.has(name))]).toEqual([file, []]);
	}
});
