/** The commands beside `serve`, as an operator runs them: what they do, what they say, and what they leave alone. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
	chmodSync,
	closeSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { integrityProblem } from '../src/database/integrity.ts';
import { compiled, newFolder, Program, removeFolders, root, runToEnd, spawn } from './program.ts';
import { given, serve, withDatabase } from './server.ts';
import { adminPassword, initialPassword, newName } from './world.ts';

setDefaultTimeout(30_000);
afterAll(removeFolders);

/** Runs one command on a data folder. */
function access(folder: string, args: string[], input?: string) {
	const environment = { DATA_DIR: folder, ...given };
	return runToEnd({ command: [...compiled(), ...args], environment, ...(input !== undefined && { input }) });
}

const oneLine = expect.stringMatching(/^[^\n]+\n$/);
const failed = { code: 1, stdout: '', stderr: oneLine };
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const databaseOf = (folder: string) => join(folder, 'access.db');

function namesIn(path: string): string[] {
	return withDatabase(path, (database) =>
		database
			.query<{ name: string }, []>('select name from stores order by id')
			.all()
			.map(({ name }) => name),
	);
}

function expectSound(path: string): void {
	withDatabase(path, (database) => {
		expect(database.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
		expect(database.query('pragma foreign_key_check').all()).toEqual([]);
	});
}

// One installation that was stopped, to copy from, and a backup of it: a store "甲店" and nothing else.
let installed = '';
let goodBackup = '';

beforeAll(async () => {
	installed = newFolder();
	const program = await serve({ DATA_DIR: installed });
	const token = await program.signIn('admin', adminPassword);
	await program.send('POST', '/api/stores', { token, body: { name: '甲店' } });
	await program.end();
	const copy = copyOfInstalled();
	goodBackup = join(newFolder(), 'good.db');
	await access(copy, ['backup', goodBackup]);
});

function copyOfInstalled(): string {
	const folder = newFolder();
	cpSync(installed, folder, { recursive: true });
	return folder;
}

/** What is in the files of a folder, to see whether anything changed. */
function contentsOf(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		files.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [path, String(Bun.hash(readFileSync(path)))];
		}),
	);
}

describe('the command line', () => {
	test.each([
		[['--help'], 'Usage: access [options] [command]'],
		[['-h'], 'Usage: access [options] [command]'],
		[['help'], 'Usage: access [options] [command]'],
		[['serve', '--help'], 'Usage: access serve'],
		[['backup', '--help'], 'Usage: access backup [options] [file]'],
		[['restore', '--help'], 'Usage: access restore [options] <file>'],
		[['check', '--help'], 'Usage: access check [options]'],
		[['admin', '--help'], 'Usage: access admin [options] [command]'],
		[['admin', 'reset-password', '--help'], 'Usage: access admin reset-password [options]'],
		[['version', '--help'], 'Usage: access version [options]'],
	])('%p writes its help to standard output', async (args, usage) => {
		const { code, stdout, stderr } = await access(newFolder(), args);
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		expect(stdout).toStartWith(usage);
	});

	test('the help names every command', async () => {
		const { stdout } = await access(newFolder(), ['--help']);
		for (const name of ['serve', 'backup', 'restore', 'check', 'admin', 'version'])
			expect(stdout).toContain(`\n  ${name} `);
	});

	test('the help is sufficient: variables with their defaults, examples, exit codes', async () => {
		const { stdout } = await access(newFolder(), ['--help']);
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
		expect(stdout).toContain('/etc/access.conf');
		expect(stdout).toContain('SETTINGS_FILE');
		expect(stdout).toContain('JWT_SECRET_FILE');
		expect(stdout).toContain('Exit codes: 0 done, 1 failed');
	});

	test.each([
		'serve',
		'backup',
		'restore',
		'check',
		'admin reset-password',
		'admin rename',
		'history export',
		'report initial-passwords',
	])('the help of %s has examples and exit codes', async (line) => {
		const { stdout } = await access(newFolder(), [...line.split(' '), '--help']);
		expect(stdout).toContain(`Examples:\n  access ${line}`);
		expect(stdout).toContain('Exit codes: 0 done, 1 failed');
	});

	test.each([
		[['bakup'], "unknown command 'bakup'", 'backup'],
		[['restor'], "unknown command 'restor'", 'restore'],
		[['sreve'], "unknown command 'sreve'", 'serve'],
		[['check', '--jsn'], "unknown option '--jsn'", '--json'],
		[['backup', '--jsno', 'x.db'], "unknown option '--jsno'", '--json'],
		[['restore', '--jason', 'x.db'], "unknown option '--jason'", '--json'],
		[['version', '--jso'], "unknown option '--jso'", '--json'],
		[['serve', '--hlep'], "unknown option '--hlep'", '--help'],
		[['--versoin'], "unknown option '--versoin'", '--version'],
		[['admin', 'reset-pasword'], "unknown command 'reset-pasword'", 'reset-password'],
		[['admin', 'reset-password', '--stdn'], "unknown option '--stdn'", '--stdin'],
	])('%p is refused, with the nearest valid command or option', async (args, complaint, nearest) => {
		const folder = newFolder();
		const { code, stdout, stderr } = await access(folder, args);
		expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
		expect(stderr).toContain(complaint);
		expect(stderr).toContain(`Did you mean ${nearest}?`);
		expect(readdirSync(folder)).toEqual([]);
	});

	test.each([
		[['restore'], 'missing required argument'],
		[['restore', 'a.db', 'b.db'], 'too many arguments'],
		[['backup', 'a.db', 'b.db'], 'too many arguments'],
		[['check', 'more'], 'too many arguments'],
		[['serve', 'more'], 'too many arguments'],
		[['version', 'more'], 'too many arguments'],
		[['admin', 'reset-password', 'more'], 'too many arguments'],
		[['admin'], 'Usage: access admin'],
		[['admin', 'rename', '13800138000'], 'not a mobile number'],
		[['check', '--only', 'nope'], 'Allowed choices are database, '],
	])('%p exits 2', async (args, complaint) => {
		const folder = newFolder();
		const { code, stdout, stderr } = await access(folder, args);
		expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(complaint) });
		expect(readdirSync(folder)).toEqual([]);
	});

	test('version writes the versions of the program, schema, Bun and SQLite', async () => {
		const text = await access(newFolder(), ['version']);
		expect(text).toMatchObject({ code: 0, stderr: '' });
		expect(text.stdout).toMatch(/^access \S+\nschema \d+\nbun \S+\nsqlite \S+\n$/);
		const { code, stdout } = await access(newFolder(), ['version', '--json']);
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

	test('version writes the same from source and from the binary', async () => {
		const fromSource = await runToEnd({ command: [process.execPath, 'src/main.ts', 'version', '--json'] });
		expect(fromSource).toEqual(await access(newFolder(), ['version', '--json']));
	});

	test.each(['backup', 'restore x.db', 'check', 'admin reset-password'])(
		'%s names a variable that is wrong',
		async (line) => {
			const environment = { DATA_DIR: newFolder(), LOG_LEVEL: 'loud' };
			const ended = await runToEnd({ command: [...compiled(), ...line.split(' ')], environment });
			expect(ended).toEqual(failed);
			expect(ended.stderr).toStartWith('LOG_LEVEL is "loud", but takes one of ');
		},
	);
});

describe('backup', () => {
	test('writes its result to standard output and its progress to standard error', async () => {
		const file = join(newFolder(), 'copy.db');
		const text = await access(copyOfInstalled(), ['backup', file]);
		expect(text).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^\S+\/copy\.db \(\d+ bytes, \d+ rows\)\n$/),
			stderr: expect.stringMatching(/^copying .*\nverifying .*\n$/),
		});
		expect(mode(file)).toBe('600');
		expect(namesIn(file)).toEqual(['甲店']);
		expectSound(file);
	});

	test('names several backups of one second apart', async () => {
		const folder = copyOfInstalled();
		for (let time = 0; time < 4; time += 1) expect((await access(folder, ['backup'])).code).toBe(0);
		expect(readdirSync(join(folder, 'backups'))).toHaveLength(4);
	});

	test('--json writes the path, the size, and the rows of each table', async () => {
		const file = join(newFolder(), 'copy.db');
		const { stdout } = await access(copyOfInstalled(), ['backup', '--json', file]);
		const result = JSON.parse(stdout);
		expect(result).toEqual({ path: file, bytes: statSync(file).size, rows: expect.any(Object) });
		expect(result.rows).toMatchObject({
			administrators: 1,
			stores: 1,
			employees: 0,
			employee_roles: 0,
			roles: 5,
			role_permissions: expect.any(Number),
		});
		for (const table of Object.keys(result.rows)) {
			const [[count] = []] = withDatabase(file, (database) => database.query(`select count(*) from ${table}`).values());
			expect([table, result.rows[table]]).toEqual([table, count]);
		}
	});

	test('without a file writes to DATA_DIR/backups, named by the time', async () => {
		const folder = copyOfInstalled();
		const { code, stdout } = await access(folder, ['backup', '--json']);
		expect(code).toBe(0);
		const [name = ''] = readdirSync(join(folder, 'backups'));
		expect(name).toMatch(/^backup-\d{8}T\d{6}Z\.db$/);
		expect(JSON.parse(stdout).path).toBe(join(folder, 'backups', name));
		expect([mode(join(folder, 'backups')), mode(join(folder, 'backups', name))]).toEqual(['700', '600']);
	});

	test('into a folder writes a file named by the time', async () => {
		const target = newFolder();
		const { code, stdout } = await access(copyOfInstalled(), ['backup', '--json', target]);
		expect(code).toBe(0);
		const [name = '', ...others] = readdirSync(target);
		expect(others).toEqual([]);
		expect(name).toMatch(/^backup-\d{8}T\d{6}Z\.db$/);
		expect(JSON.parse(stdout).path).toBe(join(target, name));
	});

	test('does not write into a file that was placed under a partial name', async () => {
		const target = newFolder();
		const bait = join(newFolder(), 'bait');
		writeFileSync(bait, '');
		const folder = copyOfInstalled();
		const child = spawn({
			command: [...compiled(), 'backup', join(target, 'copy.db')],
			environment: { DATA_DIR: folder, ...given },
		});
		// The name without the random part, as it was predictable from the process id.
		symlinkSync(bait, join(target, `.copy.db.${child.pid}.partial`));
		expect(await child.exited).toBe(0);
		expect(readFileSync(bait, 'utf8')).toBe('');
		expectSound(join(target, 'copy.db'));
	});

	test('changes no file of a stopped server', async () => {
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		await access(folder, ['backup', join(newFolder(), 'copy.db')]);
		expect(contentsOf(folder)).toMatchObject(before);
	});

	test('contains every write that a killed server had acknowledged', async () => {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		const token = await program.signIn('admin', adminPassword);
		await program.send('POST', '/api/stores', { token, body: { name: '乙店' } });
		await program.end('SIGKILL');
		const file = join(newFolder(), 'copy.db');
		expect((await access(folder, ['backup', file])).code).toBe(0);
		expect(namesIn(file)).toEqual(['甲店', '乙店']);
	});

	// Permissions do not stop root, but the proc file system does.
	const unwritable = () => {
		if (process.getuid?.() === 0) return '/proc';
		const folder = newFolder();
		chmodSync(folder, 0o500);
		return folder;
	};
	test.each([
		['a missing folder', () => join(newFolder(), 'missing', 'copy.db')],
		['an unwritable folder', () => join(unwritable(), 'copy.db')],
		['a folder that is a file', () => join(goodBackup, 'copy.db')],
	])('into %s fails in one line that names the file', async (_, target) => {
		const file = target();
		const ended = await access(copyOfInstalled(), ['backup', file]);
		expect(ended.code).toBe(1);
		expect(ended.stdout).toBe('');
		expect(ended.stderr.replace(/^copying .*\n/, '')).toEqual(oneLine);
		expect(ended.stderr).toContain(file);
		expect(existsSync(file)).toBe(false);
	});

	test.each([
		['a file', (path: string) => writeFileSync(path, 'mine')],
		['an empty file', (path: string) => writeFileSync(path, '')],
	])('never replaces %s that exists', async (_, make) => {
		const file = join(newFolder(), 'copy.db');
		make(file);
		const before = readFileSync(file, 'utf8');
		const ended = await access(copyOfInstalled(), ['backup', file]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(`${file} exists already`);
		expect(readFileSync(file, 'utf8')).toBe(before);
	});

	test('over the database itself is refused', async () => {
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		expect(await access(folder, ['backup', databaseOf(folder)])).toEqual(failed);
		expect(contentsOf(folder)).toEqual(before);
	});

	test('without a database fails and names DATA_DIR', async () => {
		const folder = newFolder();
		const target = newFolder();
		const ended = await access(folder, ['backup', join(target, 'copy.db')]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(databaseOf(folder));
		expect([readdirSync(folder), readdirSync(target)]).toEqual([[], []]);
	});

	test.each([[[]], [['copy.db']]])('creates nothing when DATA_DIR does not exist (arguments %p)', async (args) => {
		const folder = join(newFolder(), 'mistyped');
		expect(await access(folder, ['backup', ...args])).toEqual(failed);
		expect(existsSync(folder)).toBe(false);
	});

	test('of a damaged database fails and leaves nothing', async () => {
		const folder = copyOfInstalled();
		damage(databaseOf(folder));
		const target = newFolder();
		const ended = await access(folder, ['backup', join(target, 'copy.db')]);
		expect(ended).toMatchObject({ code: 1, stdout: '' });
		expect(ended.stderr.trimEnd().split('\n').at(-1)).toContain(folder);
		expect(readdirSync(target)).toEqual([]);
	});

	test('several backups at once to one file leave a sound one or none', async () => {
		const folder = copyOfInstalled();
		const target = newFolder();
		const file = join(target, 'copy.db');
		const ended = await Promise.all([1, 2, 3].map(() => access(folder, ['backup', file])));
		const done = ended.filter(({ code }) => code === 0);
		for (const { code, stderr } of ended)
			expect([code, stderr]).toEqual([code, expect.not.stringContaining('    at ')]);
		expect(readdirSync(target)).toEqual(done.length === 0 ? [] : ['copy.db']);
		if (done.length === 0) return;
		expectSound(file);
		expect(namesIn(file)).toEqual(['甲店']);
	});
});

/** Overwrites pages in the middle of a database, so that it opens and is found out only by a check. */
function damage(path: string): void {
	const content = readFileSync(path);
	content.fill(0xff, 4096 * 2, 4096 * 4);
	writeFileSync(path, content);
}

/** Runs a command until it has said something on stderr, then a little longer, then kills it; its exit code or null. */
async function killAfter(folder: string, args: string[], said: string, milliseconds: number): Promise<number | null> {
	const child = spawn({ command: [...compiled(), ...args], environment: { DATA_DIR: folder, ...given } });
	let heard = '';
	for await (const chunk of child.stderr) {
		heard += new TextDecoder().decode(chunk);
		if (heard.includes(said)) break;
	}
	await Bun.sleep(milliseconds);
	child.kill('SIGKILL');
	await child.exited;
	return child.exitCode;
}

test('a command that ends while another program reads keeps nobody from writing', async () => {
	const folder = newFolder();
	const program = await serve({ DATA_DIR: folder });
	const token = await program.signIn('admin', adminPassword);
	const write = () => program.send('POST', '/api/stores', { token, body: { name: newName('店') } });
	using reader = new Database(databaseOf(folder), { readonly: true });
	reader.run('begin');
	reader.query('select count(*) from stores').get();
	// The reader needs the database as it was before this write.
	expect((await write()).status).toBe(201);
	let isRunning = true;
	const command = access(folder, ['report', 'initial-passwords']).finally(() => {
		isRunning = false;
	});
	let slowest = 0;
	while (isRunning) {
		const started = performance.now();
		expect((await write()).status).toBe(201);
		slowest = Math.max(slowest, performance.now() - started);
	}
	expect((await command).code).toBe(0);
	expect(slowest).toBeLessThan(2500);
	await program.end();
});

describe('a database of 40 MB', () => {
	const people = 32_000;
	const late = people - 1000;
	let large = '';
	let program: Program;
	let token = '';
	const copy = join(newFolder(), 'copy.db');

	beforeAll(async () => {
		large = copyOfInstalled();
		withDatabase(databaseOf(large), (database) => {
			database.run('pragma synchronous = off');
			database.run(`
				with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${people})
				insert into employees
					(store_id, name, phone, password_hash, password_is_initial, status, remark, created_at, updated_at)
				select 1, '员工' || n, '139' || printf('%08d', n), 'none', 0, 'ACTIVE', hex(zeroblob(550)),
					'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
				from numbers`);
		});
		program = await serve({ DATA_DIR: large });
		token = await program.signIn('admin', adminPassword);
	});

	/** Runs a command, and meanwhile asks the server one thing after the other; every tenth is a write. */
	async function answersDuring(args: string[]) {
		let running = true;
		const ending = access(large, args).finally(() => {
			running = false;
		});
		const answers: { status: number; ms: number }[] = [];
		while (running) {
			const begin = performance.now();
			const body = answers.length % 10 === 0 ? { name: `店${args[0]}${answers.length}` } : undefined;
			const { status } = body
				? await program.send('POST', '/api/stores', { token, body })
				: await program.send('GET', '/api/employees?pageSize=5', { token });
			answers.push({ status: body ? status - 1 : status, ms: performance.now() - begin });
		}
		expect(answers.length).toBeGreaterThan(10);
		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		return { ended: await ending, slowest: Math.max(...answers.map(({ ms }) => ms)) };
	}

	test('is backed up while the server goes on answering', async () => {
		const { ended, slowest } = await answersDuring(['backup', '--json', copy]);
		expect(ended.code).toBe(0);
		expect(JSON.parse(ended.stdout).bytes).toBeGreaterThan(36_000_000);
		expect(slowest).toBeLessThan(1000);
	});

	test('is checked while the server goes on answering', async () => {
		const { ended, slowest } = await answersDuring(['check']);
		expect(ended.stdout).toContain('ok   database: sound');
		expect(slowest).toBeLessThan(1000);
	});

	test('is checked in slices between which a busy server can start its write-ahead log over', () => {
		const folder = newFolder();
		copyFileSync(copy, databaseOf(folder));
		const writer = new Database(databaseOf(folder));
		writer.run('pragma journal_mode = wal');
		writer.run('pragma synchronous = off');
		const update = writer.query('update employees set remark = hex(randomblob(500)) where id = ?');
		let [pauses, largest, written] = [0, 0, 0];
		/** Another process writes two megabytes in each pause: without the pauses, or with a read open in them, they add up. */
		const write = () => {
			pauses += 1;
			for (let round = 0; round < 300; round += 1) {
				written += 1;
				update.run(1 + ((written * 7919) % people));
			}
			largest = Math.max(largest, statSync(`${databaseOf(folder)}-wal`).size);
		};
		withDatabase(databaseOf(folder), (client) => expect(integrityProblem(client, write)).toBeUndefined());
		writer.close();
		expect(pauses).toBeGreaterThan(9);
		expect(largest).toBeLessThan(16 * 1024 * 1024);
	});

	test.each([
		[
			'an index that lacks rows',
			'is damaged in employees',
			(path: string) => {
				// A phone changes in its row, and not in the index.
				const content = readFileSync(path);
				const place = content.indexOf(`员工${late}139000${late}`);
				expect(place).toBeGreaterThan(0);
				content.write(`员工${late}139000${late + 1}`, place);
				writeFileSync(path, content);
			},
		],
		[
			'orphaned rows',
			'has orphaned rows in employees',
			(path: string) =>
				withDatabase(path, (database) => {
					database.run('pragma foreign_keys = off');
					database.run(`update employees set store_id = 99 where id = ${late}`);
				}),
		],
	])('is found to have %s', async (_, complaint, spoil) => {
		const folder = newFolder();
		copyFileSync(copy, databaseOf(folder));
		spoil(databaseOf(folder));
		const { code, stdout } = await access(folder, ['check', '--only', 'database']);
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(complaint) });
	});

	test('is found to be damaged in any of its pages', async () => {
		const folder = newFolder();
		for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
			copyFileSync(copy, databaseOf(folder));
			const file = openSync(databaseOf(folder), 'r+');
			const page = Math.floor((statSync(databaseOf(folder)).size / 4096) * part);
			writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
			closeSync(file);
			const { code, stdout } = await access(folder, ['check', '--only', 'database']);
			expect([part, code, stdout]).toEqual([part, 1, expect.stringContaining('is damaged')]);
		}
	});

	test('leaves no file under the name of a backup that was killed', async () => {
		const target = newFolder();
		const file = join(target, 'copy.db');
		for (const [step, most] of [
			['copying', 0],
			['copying', 40],
			['verifying', 0],
			['verifying', 20],
		] as const) {
			const code = await killAfter(large, ['backup', file], step, Math.random() * most);
			expect([step, code, existsSync(file)]).toEqual([step, null, false]);
		}
		// What the killed ones left behind is in nobody's way, and does not stay.
		expect((await access(large, ['backup', file])).code).toBe(0);
		expect(readdirSync(target)).toEqual(['copy.db']);
	});

	test('is not backed up to a disk without room for it', async () => {
		const target = newFolder();
		// The shell's limit on file sizes, in units of 1024 bytes, stands for a full disk.
		const limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 20000; exec "$@"', 'bash', ...compiled()];
		const ended = await runToEnd({
			command: [...limited, 'backup', join(target, 'copy.db')],
			environment: { DATA_DIR: large, ...given },
		});
		expect(ended).toMatchObject({ code: 1, stdout: '' });
		expect(ended.stderr).toMatch(/^copying .*\ncannot back up .*copy\.db: .*\n$/);
		expect(readdirSync(target)).toEqual([]);
	});

	test('is not restored to a disk without room for it', async () => {
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		const limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 20000; exec "$@"', 'bash', ...compiled()];
		const ended = await runToEnd({
			command: [...limited, 'restore', copy],
			environment: { DATA_DIR: folder, ...given },
		});
		expect(ended).toMatchObject({ code: 1, stdout: '' });
		expect(ended.stderr).toMatch(/\ncannot restore .*copy\.db: .*\n$/);
		expect(contentsOf(folder)).toEqual(before);
	});
});

/** Databases that are sound for SQLite and carry this program's marks, but are not what it made. */
const unlikeOurs: [name: string, complaint: string, change: (database: Database) => void][] = [
	[
		'another trigger',
		'trigger spy does not belong to it',
		(database) => database.run('create trigger spy after insert on stores begin select 1; end'),
	],
	[
		'a missing index',
		'index employees_store_live is missing',
		(database) => database.run('drop index employees_store_live'),
	],
	['another table', 'table notes does not belong to it', (database) => database.run('create table notes (text text)')],
	[
		'a view',
		'view everybody does not belong to it',
		(database) => database.run('create view everybody as select * from employees'),
	],
	[
		'another column',
		'table stores is different',
		(database) => database.run('alter table stores add column city text'),
	],
	[
		'a second administrator',
		'has 2 administrators',
		(database) =>
			database.run(
				`insert into administrators (username, password_hash, token_version, created_at, updated_at)
				select 'intruder', password_hash, token_version, created_at, updated_at from administrators`,
			),
	],
	[
		'no administrator',
		'has no administrator',
		(database) => {
			database.run('pragma foreign_keys = off');
			database.run('delete from administrators');
		},
	],
	[
		'nothing but its marks',
		'is missing',
		(database) => {
			database.run('pragma foreign_keys = off');
			const own = "type = 'table' and name not like 'sqlite_%'";
			const tables = database.query<{ name: string }, []>(`select name from sqlite_schema where ${own}`).all();
			const virtual = tables.filter(({ name }) => name.endsWith('_search'));
			for (const { name } of virtual) database.run(`drop table "${name}"`);
			for (const { name } of tables) database.run(`drop table if exists "${name}"`);
		},
	],
];

describe.each(unlikeOurs)('a database with %s', (_, complaint, change) => {
	test('is refused by the start and by check, in one line', async () => {
		const folder = copyOfInstalled();
		withDatabase(databaseOf(folder), change);
		const started = await access(folder, ['serve']);
		expect(started).toEqual(failed);
		expect(started.stderr).toContain(complaint);
		expect(started.stderr).toEndWith(': restore a backup\n');
		const { code, stdout } = await access(folder, ['check', '--only', 'database']);
		expect(code).toBe(1);
		expect(stdout).toStartWith('fail database: ');
		expect(stdout).toContain(complaint);
	});
});

describe('restore', () => {
	const replacedIn = (folder: string) => readdirSync(folder).filter((name) => /^replaced-.*\.db$/.test(name));

	test('refuses while a server uses the folder', async () => {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		const before = contentsOf(folder);
		const ended = await access(folder, ['restore', goodBackup]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(`DATA_DIR=${folder} is in use`);
		expect(contentsOf(folder)).toEqual(before);
		expect((await program.send('GET', '/health')).status).toBe(200);
		expect(await program.end()).toBe(0);
	});

	test.each([
		[
			'a text',
			'is not a database of this program',
			(path: string) => writeFileSync(path, 'not a database\n'.repeat(99)),
		],
		['an empty file', 'is empty', (path: string) => writeFileSync(path, '')],
		[
			"another program's database",
			'is not a database of this program',
			(path: string) => withDatabase(path, (database) => database.run('create table notes (text text)')),
		],
		['an empty database', 'is empty', (path: string) => withDatabase(path, (database) => database.run('vacuum'))],
		[
			'a damaged backup',
			'is damaged',
			(path: string) => {
				copyFileSync(goodBackup, path);
				damage(path);
			},
		],
		[
			'half a backup',
			'is damaged',
			(path: string) => {
				copyFileSync(goodBackup, path);
				truncateSync(path, statSync(path).size / 2);
			},
		],
		[
			'a backup with orphans',
			'has orphaned rows',
			(path: string) => {
				copyFileSync(goodBackup, path);
				withDatabase(path, (database) => {
					database.run('pragma foreign_keys = off');
					database.run("insert into employee_roles (employee_id, role_id, bound_at) values (99, 99, '2026')");
				});
			},
		],
		[
			'a backup of a newer version',
			'newer version',
			(path: string) => {
				copyFileSync(goodBackup, path);
				withDatabase(path, (database) => database.run('pragma user_version = 999'));
			},
		],
		['a file that is not there', 'there is no file', () => {}],
		['a folder', 'is a folder, not a file', (path: string) => mkdirSync(path)],
		['a pipe', 'is not a regular file', (path: string) => expect(Bun.spawnSync(['mkfifo', path]).success).toBe(true)],
		[
			'a damaged header',
			'first bytes are damaged: choose another backup',
			(path: string) => {
				copyFileSync(goodBackup, path);
				const content = readFileSync(path);
				writeFileSync(path, content.fill(0xff, 0, 16));
			},
		],
		...unlikeOurs.map(
			([name, complaint, change]) =>
				[
					name,
					complaint,
					(path: string) => {
						copyFileSync(goodBackup, path);
						withDatabase(path, change);
					},
				] as const,
		),
	])('refuses %s and changes nothing', async (_, complaint, make) => {
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		const file = join(newFolder(), 'foreign.db');
		make(file);
		const ended = await access(folder, ['restore', file]);
		expect(ended).toMatchObject({ code: 1, stdout: '' });
		expect(ended.stderr.replace('verifying the backup\n', '')).toEqual(oneLine);
		expect(ended.stderr).toContain(complaint);
		expect(ended.stderr).toContain(file);
		expect(contentsOf(folder)).toEqual(before);
	});

	test('replaces all data and keeps the replaced database, which can be restored again', async () => {
		const folder = copyOfInstalled();
		const file = join(newFolder(), 'copy.db');
		await access(folder, ['backup', file]);
		const first = await serve({ DATA_DIR: folder });
		const token = await first.signIn('admin', adminPassword);
		expect((await first.send('GET', '/api/auth/me', { token })).status).toBe(200);
		await first.send('PATCH', '/api/stores/1', { token, body: { name: '改名' } });
		await first.send('POST', '/api/stores', { token, body: { name: '乙店' } });
		await first.end();

		const { code, stdout } = await access(folder, ['restore', '--json', file]);
		expect(code).toBe(0);
		const [name = ''] = replacedIn(folder);
		expect(name).toMatch(/^replaced-\d{8}T\d{6}Z\.db$/);
		expect(JSON.parse(stdout)).toEqual({ database: databaseOf(folder), replaced: join(folder, name) });
		expect([mode(databaseOf(folder)), mode(join(folder, name))]).toEqual(['600', '600']);
		const second = await serve({ DATA_DIR: folder });
		// What was signed in before is not: an id may name somebody else now.
		expect((await second.send('GET', '/api/auth/me', { token })).status).toBe(401);
		const again = await second.signIn('admin', adminPassword);
		const stores = await second.send('GET', '/api/stores', { token: again });
		expect(stores.body.data).toEqual([expect.objectContaining({ id: 1, name: '甲店' })]);
		await second.end();

		const kept = join(newFolder(), 'kept.db');
		renameSync(join(folder, name), kept);
		const back = await access(folder, ['restore', kept]);
		expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`${databaseOf(folder)} is now ${kept}`) });
		expect(namesIn(databaseOf(folder))).toEqual(['改名', '乙店']);
		expectSound(databaseOf(folder));
	});

	test('keeps each replaced database when run several times within a second', async () => {
		const folder = copyOfInstalled();
		for (let round = 0; round < 3; round += 1) {
			expect(await access(folder, ['restore', goodBackup])).toMatchObject({ code: 0 });
		}
		expect(replacedIn(folder)).toHaveLength(3);
	});

	test.each([
		['an empty folder', () => newFolder()],
		['a folder that is not there', () => join(newFolder(), 'new', 'data')],
	])('into %s makes a working installation', async (_, make) => {
		const folder = make();
		const { code, stdout } = await access(folder, ['restore', '--json', goodBackup]);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual({ database: databaseOf(folder) });
		expect([mode(folder), mode(databaseOf(folder))]).toEqual([_ === 'an empty folder' ? mode(folder) : '700', '600']);
		const program = await serve({ DATA_DIR: folder });
		expect(await program.signIn('admin', adminPassword)).toBeString();
		await program.end();
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});

	test('does not change the backup', async () => {
		const backups = newFolder();
		copyFileSync(goodBackup, join(backups, 'copy.db'));
		const before = contentsOf(backups);
		await access(newFolder(), ['restore', join(backups, 'copy.db')]);
		expect(contentsOf(backups)).toEqual(before);
	});

	test.each([
		['damaged', (path: string) => damage(path)],
		['another program’s', (path: string) => writeFileSync(path, 'not a database\n'.repeat(999))],
	])('replaces a database that is %s, and keeps it', async (_, spoil) => {
		const folder = copyOfInstalled();
		spoil(databaseOf(folder));
		const spoilt = readFileSync(databaseOf(folder));
		expect((await access(folder, ['restore', goodBackup])).code).toBe(0);
		const [name = ''] = replacedIn(folder);
		expect(readFileSync(join(folder, name)).equals(spoilt)).toBe(true);
		expectSound(databaseOf(folder));
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});

	/** A folder whose server was killed: its last writes are in the log file only. */
	async function killedServer(): Promise<string> {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		const token = await program.signIn('admin', adminPassword);
		for (let index = 0; index < 20; index += 1) {
			await program.send('POST', '/api/stores', { token, body: { name: `新${index}` } });
		}
		await program.end('SIGKILL');
		expect(statSync(`${databaseOf(folder)}-wal`).size).toBeGreaterThan(4096);
		return folder;
	}

	test('never applies the write-ahead log of a killed server to the restored database', async () => {
		const folder = await killedServer();
		const { stdout } = await access(folder, ['restore', '--json', goodBackup]);
		expect(existsSync(`${databaseOf(folder)}-wal`)).toBe(false);
		const program = await serve({ DATA_DIR: folder });
		await program.end();
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
		expectSound(databaseOf(folder));
		expect(namesIn(JSON.parse(stdout).replaced)).toHaveLength(21);
	});

	test('restores what is in the write-ahead log beside a backup, or refuses', async () => {
		const source = await killedServer();
		const folder = newFolder();
		const { code } = await access(folder, ['restore', databaseOf(source)]);
		if (code === 0) expect(namesIn(databaseOf(folder))).toHaveLength(21);
		else expect(existsSync(databaseOf(folder))).toBe(false);
	});

	test('leaves the old database or the new one when killed at any moment', async () => {
		const killed = await killedServer();
		const folder = newFolder();
		const begin = performance.now();
		cpSync(killed, folder, { recursive: true });
		await access(folder, ['restore', goodBackup]);
		const whole = performance.now() - begin;
		const seen = { old: 0, new: 0 };
		const steps = ['verifying', 'copying'] as const;
		const mostOf = { verifying: 1 / 3, copying: 2 / 3 };
		for (let round = 0; round < 16; round += 1) {
			rmSync(folder, { recursive: true });
			cpSync(killed, folder, { recursive: true });
			const step = steps[round % 2] ?? 'verifying';
			await killAfter(folder, ['restore', goodBackup], step, Math.random() * whole * mostOf[step]);
			expect(existsSync(databaseOf(folder))).toBe(true);
			const { length } = namesIn(databaseOf(folder));
			expectSound(databaseOf(folder));
			expect([1, 21]).toContain(length);
			seen[length === 21 ? 'old' : 'new'] += 1;
			if (round % 8 > 0) continue;
			// Whatever was left behind, the next attempt succeeds.
			for (const name of replacedIn(folder)) rmSync(join(folder, name));
			expect(await access(folder, ['restore', goodBackup])).toMatchObject({ code: 0 });
			expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
		}
		// The moments were well chosen.
		expect(Math.min(seen.old, seen.new)).toBeGreaterThan(0);
	});
});

type Finding = { check: string; result: string; message: string };

describe('check', () => {
	/** The findings that are not ok, by their name. */
	async function troubles(folder: string, environment: Record<string, string> = given) {
		const ended = await runToEnd({
			command: [...compiled(), 'check', '--json'],
			environment: { DATA_DIR: folder, ...environment },
		});
		const findings: Finding[] = JSON.parse(ended.stdout);
		const names = ['database', 'file modes', 'free disk', 'secrets', 'initial passwords'];
		expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(names));
		const wrong = findings.filter(({ result }) => result !== 'ok');
		expect(ended.code).toBe(wrong.some(({ result }) => result === 'fail') ? 1 : 0);
		return Object.fromEntries(wrong.map(({ check, result, message }) => [check, `${result}: ${message}`]));
	}

	test('finds nothing after access admin reset-password replaced the first password', async () => {
		const environment = { DATA_DIR: newFolder() };
		await (await Program.start({ command: compiled(), environment })).end();
		expect(await troubles(environment.DATA_DIR, {})).toEqual({
			secrets: expect.stringMatching(/^warn: .*secrets\.json still holds .*: run access admin reset-password$/),
		});
		await runToEnd({ command: [...compiled(), 'admin', 'reset-password'], environment });
		const { code, stdout, stderr } = await runToEnd({ command: [...compiled(), 'check'], environment });
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		const lines = stdout.trimEnd().split('\n');
		for (const line of lines) expect(line).toMatch(/^ok {3}[a-z ]+: \S/);
		expect(lines[0]).toMatch(/^ok {3}database: sound, .*schema \d+ is current$/);
		expect(stdout).toMatch(/\nok {3}free disk: \d+ MB free\n/);
	});

	test('finds nothing after the administrator changed the first password', async () => {
		const environment = { DATA_DIR: newFolder() };
		const program = await Program.start({ command: compiled(), environment });
		const { ADMIN_PASSWORD: oldPassword } = JSON.parse(
			readFileSync(join(environment.DATA_DIR, 'secrets.json'), 'utf8'),
		);
		const token = await program.signIn('admin', oldPassword);
		const body = { oldPassword, newPassword: 'a-password-of-their-own' };
		expect((await program.send('PATCH', '/api/auth/me/password', { token, body })).status).toBe(200);
		expect(await troubles(environment.DATA_DIR, {})).toEqual({});
		await program.end();
	});

	test('works beside a server and changes no file', async () => {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		expect(await troubles(folder)).toEqual({});
		const token = await program.signIn('admin', adminPassword);
		const created = await program.send('POST', '/api/stores', { token, body: { name: '乙店' } });
		expect(created.status).toBe(201);
		expect(await program.end()).toBe(0);
		const before = contentsOf(folder);
		expect(await troubles(folder)).toEqual({});
		expect(contentsOf(folder)).toEqual(before);
	});

	test.each([
		['no database', 'fail: there is no database at', (path: string) => rmSync(path)],
		['a damaged one', 'is damaged: restore a backup', damage],
		[
			'a text for a database',
			'is not a database of this program',
			(path: string) => writeFileSync(path, 'text'.repeat(2000)),
		],
		[
			'orphaned rows',
			'has orphaned rows in employee_roles: restore a backup',
			(path: string) =>
				withDatabase(path, (database) => {
					database.run('pragma foreign_keys = off');
					database.run("insert into employee_roles (employee_id, role_id, bound_at) values (99, 99, '2026')");
				}),
		],
		[
			'one of a newer version',
			'newer version',
			(path: string) => withDatabase(path, (database) => database.run('pragma user_version = 999')),
		],
	])('fails for %s and names the file and the remedy', async (_, complaint, spoil) => {
		const folder = copyOfInstalled();
		spoil(databaseOf(folder));
		const { database } = await troubles(folder);
		expect(database).toStartWith('fail: ');
		expect(database).toContain(complaint);
		expect(database).toContain(databaseOf(folder));
	});

	test('warns when migrations are pending', async () => {
		const folder = newFolder();
		withDatabase(databaseOf(folder), (database) =>
			database.run(readFileSync(join(root, 'test/fixtures/schema-1.sql'), 'utf8')),
		);
		expect((await troubles(folder)).database).toMatch(/^warn: .* migrations are pending: start the server$/);
	});

	test('fails without a data folder and creates none', async () => {
		const folder = join(newFolder(), 'mistyped');
		expect((await troubles(folder)).database).toContain('check DATA_DIR');
		expect(existsSync(folder)).toBe(false);
	});

	test.each([['.'], ['access.db'], ['backups'], ['backups/old.db']])('warns when others can read %s', async (name) => {
		const folder = copyOfInstalled();
		mkdirSync(join(folder, 'backups'), { mode: 0o700 });
		copyFileSync(goodBackup, join(folder, 'backups/old.db'));
		expect(await troubles(folder)).toEqual({});
		chmodSync(join(folder, name), 0o755);
		const { 'file modes': modes, ...others } = await troubles(folder);
		expect(others).toEqual({});
		expect(modes).toStartWith('warn: others can read ');
		expect(modes).toContain(join(folder, name));
		expect(modes).toEndWith(`: run chmod -R go= ${folder}`);
	});

	test.each([
		['that others can read', 0o644, '{}', 'run chmod 600'],
		['that does not hold secrets', 0o600, '{"JWT_SECRET": "short"}', 'does not hold valid secrets'],
	])('fails for a secrets file %s', async (_, permissions, content, complaint) => {
		const folder = copyOfInstalled();
		const file = join(folder, 'secrets.json');
		writeFileSync(file, content);
		chmodSync(file, permissions);
		const { secrets } = await troubles(folder);
		expect(secrets).toStartWith(`fail: ${file}`);
		expect(secrets).toContain(complaint);
	});

	test('warns about missing secrets', async () => {
		expect((await troubles(copyOfInstalled(), {})).secrets).toBe(
			'warn: INITIAL_EMPLOYEE_PASSWORD and JWT_SECRET will be made at the next start',
		);
	});

	test('finds a search index that lacks an employee, and repairs it', async () => {
		const folder = copyOfInstalled();
		withDatabase(databaseOf(folder), (database) =>
			database.run(`
				insert into employees
					(store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
				values (1, '王芳', '13812345678', 'none', 0, 'ACTIVE', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`),
		);
		expect(await troubles(folder)).toEqual({ 'search index': expect.stringMatching(/^fail: .*check --repair$/) });
		expect((await access(folder, ['check', '--repair'])).code).toBe(0);
		expect(await troubles(folder)).toEqual({});
		const program = await serve({ DATA_DIR: folder });
		const token = await program.signIn('admin', adminPassword);
		const found = await program.send('GET', `/api/employees?keyword=${encodeURIComponent('芳')}`, { token });
		expect(found.body.data.items).toEqual([expect.objectContaining({ id: 1, name: '王芳' })]);
		await program.end();
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
		for (let count = 0; count < 6; count += 1) {
			expect(await troubles(folder)).toEqual({});
			copyFileSync(goodBackup, join(folder, `replaced-2026010${count}T000000Z.db`));
		}
		expect(await troubles(folder)).toEqual({
			'kept files': expect.stringMatching(/^warn: 6 \(\d+ MB\): remove the replaced-/),
		});
	});

	test.each([
		[2, /^warn: .* expires in [12] days/],
		[13, /^warn: .* expires in 1[23] days/],
		[30, undefined],
	] as const)('warns about a certificate within 14 days of its end (%d days left)', async (days, warning) => {
		const files = certificate(days);
		const { certificate: found } = await troubles(copyOfInstalled(), { ...given, ...files });
		if (warning) expect(found).toMatch(warning);
		else expect(found).toBeUndefined();
	});

	test('fails for a certificate that has expired', async () => {
		const files = { ...certificate(30), TLS_CERT_FILE: join(root, 'test/fixtures/expired-certificate.pem') };
		const { certificate: found } = await troubles(copyOfInstalled(), { ...given, ...files });
		expect(found).toMatch(/^fail: .* expired on /);
	});

	test('warns when others can read the private key', async () => {
		const files = certificate(30);
		chmodSync(files.TLS_KEY_FILE, 0o644);
		const { certificate: found } = await troubles(copyOfInstalled(), { ...given, ...files });
		expect(found).toBe(
			`warn: every user of this machine can read ${files.TLS_KEY_FILE}: run chmod o= ${files.TLS_KEY_FILE}`,
		);
	});

	/** A key and its self-signed certificate. */
	function certificate(days: number) {
		const files = { TLS_KEY_FILE: join(newFolder(), 'key.pem'), TLS_CERT_FILE: join(newFolder(), 'cert.pem') };
		const request = ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
		const names = ['-subj', '/CN=localhost', '-keyout', files.TLS_KEY_FILE, '-out', files.TLS_CERT_FILE];
		const made = Bun.spawnSync([...request, ...names, '-days', String(days)]);
		expect(made.success, made.stderr.toString()).toBe(true);
		return files;
	}

	/** Makes all records of the history, or only the newest one, later than any clock. */
	function moveHistoryAhead(folder: string, records: 'all' | 'newest'): void {
		withDatabase(databaseOf(folder), (database) => {
			const triggers = database
				.query<{ name: string; sql: string }, []>("select name, sql from sqlite_schema where type = 'trigger'")
				.all();
			for (const { name } of triggers) database.run(`drop trigger "${name}"`);
			const condition = records === 'newest' ? 'where id = (select max(id) from history)' : '';
			database.run(`update history set at = '2099-01-01T00:00:00.000Z' ${condition}`);
			for (const { sql } of triggers) database.run(sql);
		});
	}

	test('warns when the clock is behind all of the history', async () => {
		const folder = copyOfInstalled();
		moveHistoryAhead(folder, 'all');
		expect((await troubles(folder)).clock).toMatch(/^warn: .*2099-01-01T00:00:00.000Z: set the clock/);
	});

	test('does not call a clock wrong that was ahead and is now correct', async () => {
		const folder = copyOfInstalled();
		moveHistoryAhead(folder, 'newest');
		expect(await troubles(folder)).toEqual({});
		const { stdout } = await access(folder, ['check', '--only', 'clock']);
		expect(stdout).toMatch(/^ok {3}clock: .*2099-01-01T00:00:00.000Z.* while the clock was ahead/);
	});

	test('counts the employees who still have the initial password', async () => {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		const token = await program.signIn('admin', adminPassword);
		const expectInitial = async (count: number) => {
			const found = (await troubles(folder))['initial passwords'];
			expect(found === undefined ? 0 : Number(/^warn: (\d+) /.exec(found)?.[1])).toBe(count);
		};
		await expectInitial(0);
		for (const index of [1, 2, 3]) {
			const body = { storeId: 1, name: `员工${index}`, phone: `1380013800${index}` };
			expect((await program.send('POST', '/api/employees', { token, body })).status).toBe(201);
			await expectInitial(index);
		}
		const passwords = { oldPassword: initialPassword, newPassword: 'a-password-of-their-own' };
		expect((await program.send('PATCH', '/api/employees/1/password', { token, body: passwords })).status).toBe(200);
		await expectInitial(2);
		expect((await program.send('PATCH', '/api/employees/1/password/reset', { token })).status).toBe(200);
		await expectInitial(3);
		expect((await program.send('DELETE', '/api/employees/2', { token })).status).toBe(204);
		await expectInitial(2);
		await program.end();
	});
});

describe('admin reset-password', () => {
	const secretsOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
	const canSignIn = async (program: Program, password: string) => {
		const { status } = await program.send('POST', '/api/auth/login', { body: { username: 'admin', password } });
		return status === 200;
	};

	test('makes a password, shows it once, and ends every token, also on a running server', async () => {
		const environment = { DATA_DIR: newFolder() };
		const program = await Program.start({ command: compiled(), environment });
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

		const second = await Program.start({ command: compiled(), environment });
		expect([await canSignIn(second, old), await canSignIn(second, password)]).toEqual([false, true]);
		expect(secretsOf(environment.DATA_DIR)).toEqual(others);
		await second.end();
	});

	test('takes a password from standard input and does not repeat it', async () => {
		const folder = copyOfInstalled();
		const program = await serve({ DATA_DIR: folder });
		for (const [input, password] of [
			['密码 with spaces \n', '密码 with spaces '],
			['windows-line\r\n', 'windows-line'],
			['no-line-at-all', 'no-line-at-all'],
		] as const) {
			const { code, stdout } = await access(folder, ['admin', 'reset-password', '--stdin'], input);
			expect({ code, stdout }).toEqual({ code: 0, stdout: 'the password of admin is changed\n' });
			expect([await canSignIn(program, adminPassword), await canSignIn(program, password)]).toEqual([false, true]);
		}
		await program.end();
	});

	test('--json writes the username, and the password that was made', async () => {
		const folder = copyOfInstalled();
		const made = await access(folder, ['admin', 'reset-password', '--json']);
		expect(JSON.parse(made.stdout)).toEqual({ username: 'admin', password: expect.stringMatching(/^\S{16,}$/) });
		const given = await access(folder, ['admin', 'reset-password', '--stdin', '--json'], 'another-password\n');
		expect(JSON.parse(given.stdout)).toEqual({ username: 'admin' });
	});

	test('refuses a password that is too short, too long or missing, and nothing changes', async () => {
		const environment = { DATA_DIR: newFolder() };
		const program = await Program.start({ command: compiled(), environment });
		const old = secretsOf(environment.DATA_DIR).ADMIN_PASSWORD;
		const token = await program.signIn('admin', old);
		const before = readFileSync(join(environment.DATA_DIR, 'secrets.json'), 'utf8');
		const command = [...compiled(), 'admin', 'reset-password', '--stdin'];
		for (const input of ['1234567\n', '', '\n', `${'x'.repeat(129)}\n`]) {
			const ended = await runToEnd({ command, environment, input });
			expect(ended).toEqual(failed);
			expect(ended.stderr).toContain('8 to 128 characters');
			expect(readFileSync(join(environment.DATA_DIR, 'secrets.json'), 'utf8')).toBe(before);
			expect((await program.send('GET', '/api/auth/me', { token })).status).toBe(200);
		}
		expect(await canSignIn(program, old)).toBe(true);
		await program.end();
	});

	test.each([
		['no database', (folder: string) => rmSync(databaseOf(folder)), 'check DATA_DIR'],
		['a damaged one', (folder: string) => damage(databaseOf(folder)), 'is damaged'],
	])('fails for %s', async (_, spoil, complaint) => {
		const folder = copyOfInstalled();
		spoil(folder);
		const before = contentsOf(folder);
		const ended = await access(folder, ['admin', 'reset-password']);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(complaint);
		expect(contentsOf(folder)).toMatchObject(before);
	});

	test('changes nothing when the secrets file cannot be read', async () => {
		const folder = copyOfInstalled();
		writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ADMIN_PASSWORD: adminPassword }), { mode: 0o644 });
		chmodSync(join(folder, 'secrets.json'), 0o644);
		expect(await access(folder, ['admin', 'reset-password'])).toEqual(failed);
		chmodSync(join(folder, 'secrets.json'), 0o600);
		const program = await serve({ DATA_DIR: folder });
		expect(await canSignIn(program, adminPassword)).toBe(true);
		await program.end();
	});
});

/** Only root can act as several users. */
describe.skipIf(process.getuid?.() !== 0)('files of other users', () => {
	const owner = 'daemon';
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
		cpSync(installed, folder, { recursive: true });
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
		for (const args of [['backup'], ['restore', goodBackup], ['admin', 'reset-password'], ['check']]) {
			const { code, stderr } = await runToEnd({ command: [...compiled(), ...args], environment });
			expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
			expect([args, ownersIn(folder)]).toEqual([args, [owner]]);
		}
		const again = await Program.start({ command: as(ownerId), environment });
		await again.end();
	});

	test('a backup that root writes elsewhere belongs to root', async () => {
		const target = newFolder();
		const ended = await access(folderOfOwner(), ['backup', target]);
		expect(ended.code).toBe(0);
		expect(ownersIn(target)).toEqual(['root']);
	});

	const commands = [['serve'], ['backup'], ['restore', '/nowhere'], ['admin', 'reset-password'], ['history', 'export']];

	test.each(commands)('%s by a stranger fails in one line that names the folder and its owner', async (...args) => {
		const folder = folderOfOwner();
		const ended = await runToEnd({ command: [...as(strangerId), ...args], environment: { DATA_DIR: folder } });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(`${folder} belongs to ${owner}; run this command as ${owner} or as root`);
	});

	test.each(['access.db', 'access.lock', 'secrets.json'])(
		'a start with the %s of root fails in one line',
		async (name) => {
			const folder = folderOfOwner();
			writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o600 });
			chown(owner, folder);
			chown('root', join(folder, name));
			const ended = await runToEnd({ command: as(ownerId), environment: { DATA_DIR: folder } });
			expect(ended).toEqual(failed);
			expect(ended.stderr).toBe(
				`cannot use ${join(folder, name)}: it belongs to root, and its folder to ${owner}; run chown ${owner} ${join(folder, name)} as root\n`,
			);
		},
	);

	/** Whether this machine lets root mount a file system of a given size. */
	function mount(folder: string, options: string): boolean {
		return Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'none', folder]).success;
	}

	test('on a read-only mount every command fails in one line', async () => {
		const folder = newFolder();
		if (!mount(folder, 'size=10m')) return;
		try {
			cpSync(installed, folder, { recursive: true });
			expect(Bun.spawnSync(['mount', '-o', 'remount,ro', folder]).success).toBe(true);
			for (const args of [['serve'], ['admin', 'reset-password'], ['restore', goodBackup]]) {
				const { code, stderr } = await access(folder, args);
				expect([args, code]).toEqual([args, 1]);
				const lines = stderr
					.trimEnd()
					.split('\n')
					.filter((line) => !/^(verifying|copying) the backup$/.test(line));
				expect(lines).toEqual([expect.stringContaining('mounted read-only, mount it with write access')]);
			}
		} finally {
			Bun.spawnSync(['umount', folder]);
		}
	});

	test('on a full disk admin reset-password fails in one line, and nothing changes', async () => {
		const folder = newFolder();
		if (!mount(folder, 'size=1m')) return;
		try {
			cpSync(installed, folder, { recursive: true });
			Bun.spawnSync(['dd', 'if=/dev/zero', `of=${join(folder, 'filler')}`, 'bs=4096']);
			const ended = await access(folder, ['admin', 'reset-password']);
			expect(ended).toEqual(failed);
			expect(ended.stderr).toContain('the disk is full, make room');
			rmSync(join(folder, 'filler'));
			const program = await serve({ DATA_DIR: folder });
			expect(await program.signIn('admin', adminPassword)).toBeString();
			await program.end();
		} finally {
			Bun.spawnSync(['umount', folder]);
		}
	});
});
