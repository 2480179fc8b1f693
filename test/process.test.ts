import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import packageJson from '../package.json';
import { settingsText } from '../src/commands/installer/settings.ts';
import { readConfig } from '../src/machine/config.ts';
import { readSettingsFile } from '../src/machine/settings-file.ts';
import { failed, failToStart, mode, secretsOf, serveHere, startHere, stoppedFolder } from './installation.ts';
import { newFolder, Program, removeFolders, root } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation } from './server.ts';

afterAll(removeFolders);

describe('the first start with nothing configured', () => {
	test('makes strong secrets of its own, private files and an administrator who can sign in, and ignores .env and bunfig.toml', async () => {
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
		// The output is no terminal: it names the file and not the passwords.
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
});

describe('a restart', () => {
	test('keeps data, secrets and tokens, and seeds nothing twice', async () => {
		const environment = { DATA_DIR: newFolder() };
		const first = await serveHere(environment);
		const secrets = secretsOf(environment.DATA_DIR);
		const token = await first.signIn('admin', secrets.ADMIN_PASSWORD);
		const created = await first.send('POST', '/api/stores', { token, body: { name: '人民路店' } });
		const roles = await first.send('GET', '/api/roles', { token });
		expect(await first.end()).toBe(0);

		await using second = await serveHere(environment);
		expect(secretsOf(environment.DATA_DIR)).toEqual(secrets);
		expect((await second.send('GET', '/api/stores/1', { token })).body.data).toEqual({
			...created.body.data,
			employees: [],
		});
		expect((await second.send('GET', '/api/roles', { token })).body).toEqual(roles.body);
	});

	const differs = /stored administrator/;

	test('with another ADMIN_USERNAME and ADMIN_PASSWORD leaves the account as it is, and warns once', async () => {
		const folder = newFolder();
		const given = { DATA_DIR: folder, ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'first-password' };
		await startHere(given);
		expect(secretsOf(folder)).not.toHaveProperty('ADMIN_PASSWORD');
		const other = { ...given, ADMIN_USERNAME: 'owner', ADMIN_PASSWORD: 'second-password' };
		const program = await serveHere(other);
		expect(await program.signIn('root', 'first-password')).toBeString();
		const refused = await program.send('POST', '/api/auth/login', {
			body: { username: 'root', password: 'second-password' },
		});
		expect(refused.status).toBe(401);
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

		// The commands that it names make the stored account the configured one.
		for (const [line, input] of [
			['admin rename owner', ''],
			['admin reset-password --stdin', 'second-password\n'],
		] as const) {
			expect(await runHere(line.split(' '), other, input)).toMatchObject({ code: 0, stderr: '' });
		}
		const last = await serveHere(other);
		const token = await last.signIn('owner', 'second-password');
		const { body } = await last.send('GET', '/api/history?action=ADMINISTRATOR_UPDATE', { token });
		expect(body.data.items).toEqual([
			expect.objectContaining({ changes: [{ field: 'username', before: 'root', after: 'owner' }] }),
		]);
		await last.end();
		expect(last.log.filter(({ message }) => differs.test(message))).toEqual([]);
	});

	test('without ADMIN_USERNAME says nothing about an administrator with another name', async () => {
		const given = { DATA_DIR: newFolder(), ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'first-password' };
		await startHere(given);
		const log = await startHere({ DATA_DIR: given.DATA_DIR });
		expect(log.filter(({ message }) => differs.test(message))).toEqual([]);
	});
});

describe('configuration', () => {
	test('all wrong variables are named at once with what they got and take, and no secret is shown', async () => {
		const environment = {
			PORT: '70000',
			HOST: 'no host',
			ADMIN_USERNAME: '13800138000',
			ADMIN_PASSWORD: 's',
			INITIAL_EMPLOYEE_PASSWORD: 'x'.repeat(129),
		};
		const { code, stdout, stderr } = await failToStart(environment);
		expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
		expect(stderr.trimEnd().split('\n')).toEqual([
			'PORT is "70000", but takes a port number from 0 to 65535, 0 for any free one',
			'HOST is "no host", but takes a host name or address to listen on, such as 127.0.0.1',
			'ADMIN_USERNAME is "13800138000", but takes 1 to 50 characters, without spaces around, that are not a mobile number',
			'ADMIN_PASSWORD is 1 byte, but takes 8 to 128 characters',
			'INITIAL_EMPLOYEE_PASSWORD is 129 bytes, but takes 8 to 128 characters',
		]);
	});

	type Refused = [environment: Record<string, string>, complaint: RegExp];
	/** Values of a variable that are refused alike. */
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
	const refusals: Refused[] = [
		...refused('TRUST_PROXY', '".*", but takes addresses or networks such as', '10.0.0.0/8,nginx', '10.0.0.0/33'),
		...refused('LOGIN_THROTTLE', '"no", but takes one of on, off\n$', 'no'),
		...refused('SWAGGER', '"false", but takes one of on, off\n$', 'false'),
		...refused('CORS_ORIGINS', '".*", but takes origins', '*', 'shop.example', 'https://shop.example/', 'null'),
		...refused('CORS_ORIGINS', '".*", but takes origins', 'https://shop.example/app', 'ftp://shop.example'),
		...refused('PORT', '".*", but takes a port number from 0 to 65535', 'abc', '-1', '3000.5', '0x10', '1e3', ' 3000'),
		...refused('PORT', '"65536", but takes a port number from 0 to 65535', '65536'),
		...refused('BACKUP_EVERY_HOURS', '".*", but takes ', '-1', '0.5', '9000'),
		...refused('CHAIN_NAME', '.*, but takes 1 to 20 characters in one line', '长'.repeat(21)),
		...refused('BACKUP_KEEP', '".*", but takes ', '0', 'all'),
		...filesRefused('JWT_SECRET_FILE', 'JWT_SECRET_FILE: '),
		...filesRefused('SETTINGS_FILE', ''),
		[
			{ LOGIN_THROTTLE: 'off', HOST: '0.0.0.0' },
			/^LOGIN_THROTTLE is off, which is for tests: set HOST=127\.0\.0\.1 as well/,
		],
		[
			{ ADMIN_PASSWORD: 'given-here', ADMIN_PASSWORD_FILE: '/there' },
			/^ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both given/,
		],
	];
	test.each(refusals)('%j is refused in one line', async (environment, complaint) => {
		const ended = await failToStart(environment);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toMatch(complaint);
	});

	test('a JWT_SECRET that is easy to guess works, with a warning', async () => {
		const environment = { DATA_DIR: await newInstallation(), JWT_SECRET: 'short' };
		expect(await startHere(environment)).toContainEqual(
			expect.objectContaining({ level: 'warn', message: expect.stringContaining('JWT_SECRET is easy to guess') }),
		);
		expect((await runHere(['check', '--only', 'configuration'], environment)).stdout).toBe(
			'warn configuration: JWT_SECRET has 5 bytes and is easy to guess: give 32 random bytes or more\n',
		);
		const enough = { ...environment, JWT_SECRET: 'ab'.repeat(16) };
		expect((await runHere(['check', '--only', 'configuration'], enough)).stdout).toMatch(/^ok +configuration/);
	});

	test('environment variables that look like ours are warned about, by the start and by check', async () => {
		const mistyped = { POTR: '80', DATA_DIRR: '/srv/access', HOSTNAME: 'store', JWT_SECRT: 'x' };
		const environment = { DATA_DIR: await newInstallation(), ...mistyped };
		const log = await startHere(environment);
		const said = (name: string, meant: string) =>
			`${name} is not a variable of this program and is ignored: write ${meant} if you mean it`;
		const expected = [said('POTR', 'PORT'), said('DATA_DIRR', 'DATA_DIR'), said('JWT_SECRT', 'JWT_SECRET')];
		const warnings = log.filter(({ level }) => level === 'warn').map(({ message }) => message);
		expect(warnings.sort()).toEqual(expected.sort());
		const { code, stdout } = await runHere(['check', '--only', 'configuration'], environment);
		expect(code).toBe(0);
		expect(stdout).toStartWith('warn configuration: ');
		for (const each of expected) expect(stdout).toContain(each);
	});

	test.each([
		...['POTR', 'PROT', 'OPRT', 'port', 'Port'].map((name) => [name, 'PORT']),
		...['HSOT', 'HOTS', 'host'].map((name) => [name, 'HOST']),
		...['DATA_DIRR', 'DATADIR', 'DATA_DRI', 'DATE_DIR', 'data_dir'].map((name) => [name, 'DATA_DIR']),
		['SWAGER', 'SWAGGER'],
		['CORS_ORIGIN', 'CORS_ORIGINS'],
		['TLS_KEYFILE', 'TLS_KEY_FILE'],
		['JWT_SECRET_FIEL', 'JWT_SECRET_FILE'],
		['ADMIN_PASSWORD_FIL', 'ADMIN_PASSWORD_FILE'],
		['SETTING_FILE', 'SETTINGS_FILE'],
		['LOGIN_THROTLE', 'LOGIN_THROTTLE'],
	])('%s is taken for %s', (name = '', meant = '') => {
		const said = `${name} is not a variable of this program and is ignored: write ${meant} if you mean it`;
		expect(misspeltWith([name])).toEqual([said]);
	});

	/** What shells, systemd, containers, continuous integration, languages and libraries put into an environment. */
	const foreign = `
		HOME HOSTNAME HOSTTYPE HOSTS PATH PWD OLDPWD LOGNAME USER USERNAME UID SHELL SHLVL TERM LANG LANGUAGE LC_ALL TZ MAIL
		EDITOR VISUAL PAGER DISPLAY _ COLUMNS LINES HISTSIZE HISTFILE HISTCONTROL IFS OSTYPE MACHTYPE TMPDIR TEMP TMP
		PORTS PORT1 PORT_HTTP POST PART SPORT EXPORT REPORT HTTP_PORT HOST_IP HOST1 GHOST DOCKER_HOST DBHOST
		SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND
		XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_RUNTIME_DIR XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS PGDATA
		INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID WATCHDOG_USEC STATE_DIRECTORY
		CREDENTIALS_DIRECTORY RUNTIME_DIRECTORY LOGS_DIRECTORY SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH
		KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_SERVICE_PORT ACCESS_PORT ACCESS_SERVICE_HOST ACCESS_SERVICE_PORT
		NODE_ENV NODE_OPTIONS NODE_PATH NPM_CONFIG_LOGLEVEL npm_config_loglevel npm_package_name BUN_INSTALL BUN_OPTIONS
		HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR SSL_KEY_FILE
		CURL_CA_BUNDLE REQUESTS_CA_BUNDLE AWS_SECRET_ACCESS_KEY DATABASE_URL REDIS_URL LOG_FILE LOG_FORMAT RUST_LOG DEBUG
		CI GITHUB_ACTIONS GITHUB_TOKEN JAVA_HOME GOPATH PYTHONPATH VIRTUAL_ENV MYSQL_ROOT_PASSWORD POSTGRES_PASSWORD
		POSTGRES_PASSWORD_FILE ADMIN_EMAIL ADMIN_USER APP_SECRET SESSION_SECRET JWT_KEY BACKUP_DIR WSL_DISTRO_NAME`;

	test('common foreign variables, and our own, are not taken for mistyped ones', () => {
		const names = foreign.trim().split(/\s+/);
		expect(names.length).toBeGreaterThan(120);
		expect(misspeltWith(names)).toEqual([]);
		expect(misspeltWith(['SETTINGS_FILE', 'JWT_SECRET_PREVIOUS_FILE'])).toEqual([]);
	});

	/** What is said about environment variables with these names; an own one is given the empty file. */
	function misspeltWith(names: string[]): readonly string[] {
		const given = Object.fromEntries(names.map((name) => [name, '/dev/null']));
		return readConfig({ SETTINGS_FILE: '/dev/null', ...given }).misspelt;
	}

	test('secrets can be given in files', async () => {
		const folder = newFolder();
		const file = (name: string, content: string) => {
			writeFileSync(join(folder, name), content);
			return join(folder, name);
		};
		const environment = {
			DATA_DIR: join(folder, 'data'),
			ADMIN_PASSWORD_FILE: file('admin', 'admin-password-of-a-file\n'),
			INITIAL_EMPLOYEE_PASSWORD_FILE: file('initial', ' spaces count \n'),
			JWT_SECRET_FILE: file('secret', 'a-secret-of-a-file-of-at-least-32-bytes'),
			PASSWORD_KEY_FILE: file('key', 'a-key-of-a-file-of-at-least-32-bytes'),
			SECOND_FACTOR_KEY_FILE: file('factor', 'a-key-of-a-file-for-second-factors'),
		};
		await using program = await serveHere(environment);
		expect(existsSync(join(environment.DATA_DIR, 'secrets.json'))).toBe(false);
		const token = await program.signIn('admin', 'admin-password-of-a-file');
		await program.send('POST', '/api/stores', { token, body: { name: '店' } });
		const hired = { storeId: 1, name: '员', phone: '13800138000', roleIds: [2] };
		await program.send('POST', '/api/employees', { token, body: hired });
		expect(await program.signIn('13800138000', ' spaces count ')).toBeString();
	});

	test('the settings that are installed let nobody keep the initial password', async () => {
		const SETTINGS_FILE = join(newFolder(), 'access.conf');
		writeFileSync(SETTINGS_FILE, settingsText({}, '/var/lib/access'));
		const environment = { DATA_DIR: await newInstallation(), SETTINGS_FILE, ...given };
		await using program = await serveHere(environment);
		const token = await program.signIn('admin', given.ADMIN_PASSWORD);
		await program.send('POST', '/api/stores', { token, body: { name: '店' } });
		const hired = { storeId: 1, name: '员', phone: '13800138000', roleIds: [1] };
		expect((await program.send('POST', '/api/employees', { token, body: hired })).status).toBe(201);
		const own = await program.signIn('13800138000', given.INITIAL_EMPLOYEE_PASSWORD);
		const listed = async (token: string) => (await program.send('GET', '/api/stores', { token })).status;
		expect(await listed(own)).toBe(403);
		const body = { oldPassword: given.INITIAL_EMPLOYEE_PASSWORD, newPassword: 'a-password-of-my-own' };
		const changed = await program.send('PATCH', '/api/auth/me/password', { token: own, body });
		expect(await listed(changed.body.data.token)).toBe(200);
	});

	test('tokens of JWT_SECRET_PREVIOUS are accepted while it is given', async () => {
		const [first, second] = ['the-first-secret-of-at-least-32-bytes', 'the-second-secret-of-at-least-32-bytes'];
		const environment = { ...given, DATA_DIR: await newInstallation() };
		const statusWith = async (secrets: Record<string, string>, token: string) => {
			const program = await serveHere({ ...environment, ...secrets });
			const { status } = await program.send('GET', '/api/auth/me', { token });
			const issued = await program.signIn('admin', given.ADMIN_PASSWORD);
			await program.end();
			return { status, issued };
		};
		const { issued: old } = await statusWith({ JWT_SECRET: first }, '');
		const rotated = await statusWith({ JWT_SECRET: second, JWT_SECRET_PREVIOUS: first }, old);
		expect(rotated.status).toBe(200);
		expect((await statusWith({ JWT_SECRET: second }, old)).status).toBe(401);
		// New tokens are of the new secret.
		expect((await statusWith({ JWT_SECRET: second }, rotated.issued)).status).toBe(200);
	});

	test('SECOND_FACTOR=required lets the administrator do nothing else before theirs is on; SWAGGER=off serves no page and no document', async () => {
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
			await program.wrote(/"message":"request".*\n/);
			await program.end();
			return program.log.find(({ message }) => message === 'request').address;
		};
		expect(await addressWith({})).toBe('127.0.0.1');
		expect(await addressWith({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.0/8' })).toBe('192.0.2.1');
	});
});

describe('the settings file', () => {
	/** A settings file with the given text. */
	function settingsFile(text: string): string {
		const path = join(newFolder(), 'access.conf');
		writeFileSync(path, text);
		return path;
	}

	test('gives variables to the server and to every command', async () => {
		const DATA_DIR = join(newFolder(), 'data of the chain');
		const SETTINGS_FILE = settingsFile(
			`# The chain\n; of stores\n\n DATA_DIR = "${DATA_DIR}" \nADMIN_USERNAME='owner'\r\n`,
		);
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
		const SETTINGS_FILE = settingsFile(`DATA_DIR=${first}\nADMIN_PASSWORD_FILE=/nowhere\n`);
		const environment = { SETTINGS_FILE, ADMIN_PASSWORD: 'given-admin-password', ADMIN_USERNAME: '' };
		await startHere({ ...environment, DATA_DIR: second });
		expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
		await startHere({ ...environment, DATA_DIR: '' });
		expect(existsSync(first)).toBe(true);
	});

	test('reads what systemd reads', async () => {
		const text =
			"DATA_DIR=/srv/a b  \n# c\nADMIN_USERNAME=\"the 'owner'\"\nCORS_ORIGINS='https://shop.example'\nPORT=2\n";
		expect(readSettingsFile(settingsFile(text))).toEqual({
			DATA_DIR: '/srv/a b',
			ADMIN_USERNAME: "the 'owner'",
			CORS_ORIGINS: 'https://shop.example',
			PORT: '2',
		});
	});

	test.each([
		['DATADIR=/srv/access', /sets DATADIR, which is not a variable of this program/],
		['DATA_DIR=./data', /^DATA_DIR is "\.\/data" in .*, but takes a path that begins with \/ there/],
		['TLS_KEY_FILE=key.pem', /^TLS_KEY_FILE is "key\.pem" in /],
		['export PORT=80', /line 2 is not NAME=value/],
		['PORT', /line 2 is not NAME=value/],
		['ADMIN_USERNAME="owner', /line 2 has a backslash or an unmatched quote/],
		['ADMIN_USERNAME=own\\er', /line 2 has a backslash or an unmatched quote/],
		['PORT=80\n\nPORT = 81', /access\.conf sets PORT in lines 2 and 4: remove one$/m],
		['SWAGGER=maybe', /^SWAGGER is "maybe", but takes one of on, off/],
	])('with %j is refused in one line', async (line, complaint) => {
		const ended = await failToStart({ SETTINGS_FILE: settingsFile(`# settings\n${line}\n`) });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toMatch(complaint);
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
		const ended = await failToStart({ DATA_DIR });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(complaint);
		expect(readFileSync(file, 'utf8')).toBe(content);
		const { code, stdout } = await runHere(['check', '--only', 'secrets'], { DATA_DIR });
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(complaint) });
		expect(stdout).toStartWith(`fail secrets: ${file}`);
	});

	const remedy = 'restore a backup with access restore FILE, or start from nothing with access serve --new';

	test.each([
		['deleted', 'made', () => {}],
		['emptied', 'given', (path: string) => writeFileSync(path, '')],
	])(
		'a database that was %s, with secrets that were %s, until --new asks for an empty chain',
		async (_, origin, spoil) => {
			const environment = { DATA_DIR: newFolder(), ...(origin === 'given' && given) };
			const { DATA_DIR } = environment;
			await startHere(environment);
			rmSync(join(DATA_DIR, 'access.db'));
			spoil(join(DATA_DIR, 'access.db'));
			const before = readdirSync(DATA_DIR);
			const ended = await failToStart(environment);
			expect(ended).toEqual(failed);
			expect(ended.stderr).toContain(remedy);
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
		},
	);

	test('the database of an earlier version, which left no mark, is missed after its next start', async () => {
		const environment = { DATA_DIR: await newInstallation(), ...given };
		const mark = join(environment.DATA_DIR, 'access.installed');
		expect(existsSync(mark)).toBe(false);
		await startHere(environment);
		expect([mode(mark), readFileSync(mark, 'utf8')]).toEqual([
			'600',
			expect.stringMatching(/^[^\n]+ access serve --new\.\n$/),
		]);
		expect((await runHere(['check', '--only', 'file modes'], environment)).stdout).toStartWith('ok ');
		rmSync(join(environment.DATA_DIR, 'access.db'));
		expect((await failToStart(environment)).stderr).toContain(`${mark} is from an earlier one: ${remedy}`);
	});

	test('a first start that could not make the database can be repeated', async () => {
		const environment = { DATA_DIR: newFolder(), ...given };
		const obstacle = join(environment.DATA_DIR, 'access.db-journal');
		mkdirSync(obstacle);
		expect(await failToStart(environment)).toMatchObject({ code: 1, stdout: '' });
		expect(existsSync(join(environment.DATA_DIR, 'access.db'))).toBe(true);
		rmSync(obstacle, { recursive: true });
		// What a start leaves that is killed while it writes the mark.
		writeFileSync(join(environment.DATA_DIR, 'access.installed.new'), 'This fol');
		const program = await serveHere(environment);
		expect(await program.signIn('admin', given.ADMIN_PASSWORD)).toBeString();
		await program.end();
		expect(readdirSync(environment.DATA_DIR)).toEqual(expect.arrayContaining(stoppedFolder));
		expect(readdirSync(environment.DATA_DIR)).not.toContain('access.installed.new');
	});

	test.each([
		['backups', (folder: string) => join(folder, 'backups', 'backup-20260101T000000Z.db')],
		['a replaced database', (folder: string) => join(folder, 'replaced-20260101T000000Z.db')],
	])('%s without a database', async (_, place) => {
		const DATA_DIR = newFolder();
		mkdirSync(join(DATA_DIR, 'backups'));
		writeFileSync(place(DATA_DIR), 'an earlier database');
		const ended = await failToStart({ DATA_DIR });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(place(DATA_DIR));
		expect(existsSync(join(DATA_DIR, 'access.db'))).toBe(false);
	});

	test.each([
		['is a file', '', 'it is a file, name a folder'],
		['is in a file', 'data', 'a part of the path is a file and not a folder, check the path'],
	])('a DATA_DIR that %s', async (_, name, complaint) => {
		const file = join(newFolder(), 'file');
		writeFileSync(file, '');
		const ended = await failToStart({ DATA_DIR: join(file, name) });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(file);
		expect(ended.stderr).toEndWith(`: ${complaint}\n`);
	});
});

describe('package.json', () => {
	const { scripts } = packageJson;

	test('start installs what runs, and build and test install everything', () => {
		expect(scripts.start).toBe('bun install --production --frozen-lockfile --silent && bun src/main.ts');
		for (const name of ['build', 'test'] as const) {
			expect([name, scripts[name]]).toEqual([
				name,
				expect.stringMatching(/^bun install --frozen-lockfile --silent && /),
			]);
		}
	});

	test('every package that src imports is installed for production', () => {
		const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
			.map((file) => readFileSync(join(root, 'src', file), 'utf8'));
		const imported = sources.flatMap((source) =>
			Array.from(
				source.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/g),
				([, name]) => name as string,
			),
		);
		const own = new Set([...Object.keys(packageJson.dependencies), 'bun', ...builtinModules]);
		expect(Array.from(new Set(imported)).filter((name) => !own.has(name))).toEqual([]);
	});
});
