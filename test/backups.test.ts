/** Backups and restores, as an operator makes them, with a database of any size and whenever a command is killed. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { removeAbandoned, withCopyAt } from '../src/database/backup.ts';
import * as open from '../src/database/open.ts';
import { dataFolderAt } from '../src/machine/data-folder.ts';
import { createLog } from '../src/machine/log.ts';
import { inspectInBackground } from '../src/server/background-inspection.ts';
import {
	access,
	accessBinary,
	contentsOf,
	copyOfInstalled,
	damage,
	databaseOf,
	expectSound,
	failed,
	install,
	installed,
	killAfter,
	mode,
	namesIn,
	oneLine,
	serveHere,
	startHere,
} from './installation.ts';
import { compiled, type Ended, newFolder, type Program, removeFolders, runToEnd, spawn } from './program.ts';
import { given, serve, withDatabase } from './server.ts';
import { adminPassword, newName } from './world.ts';

beforeAll(install);
afterAll(removeFolders);

describe('backup', () => {
	test('writes its result to standard output and its progress to standard error; neither it nor a check changes a file', async () => {
		const file = join(newFolder(), 'copy.db');
		const folder = copyOfInstalled();
		const before = contentsOf(folder);
		expect(await accessBinary(folder, ['check'])).toMatchObject({ code: 0 });
		expect(contentsOf(folder)).toEqual(before);
		expect(await accessBinary(folder, ['backup', file])).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^\S+\/copy\.db \(\d+ bytes, \d+ rows\)\n$/),
			stderr: expect.stringMatching(/^copying .*\nverifying .*\n$/),
		});
		expect(contentsOf(folder)).toMatchObject(before);
		expect(mode(file)).toBe('600');
		expect(namesIn(file)).toEqual(['甲店']);
		expectSound(file);
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

	test.each([
		['without a file', (folder: string) => join(folder, 'backups'), []],
		['into a folder', () => newFolder(), ['target']],
	])('%s writes a private file named by the time', async (_, make, args) => {
		const folder = copyOfInstalled();
		const target = make(folder);
		const { code, stdout } = await access(folder, ['backup', '--json', ...args.map(() => target)]);
		expect(code).toBe(0);
		const [name = '', ...others] = readdirSync(target);
		expect(others).toEqual([]);
		expect(name).toMatch(/^backup-\d{8}T\d{6}Z\.db$/);
		expect(JSON.parse(stdout).path).toBe(join(target, name));
		expect([mode(target), mode(join(target, name))]).toEqual(['700', '600']);
	});

	test('writes into no file that was placed under a partial name', async () => {
		const [target, bait] = [newFolder(), join(newFolder(), 'bait')];
		writeFileSync(bait, '');
		// The name without the random part, as it was predictable from the process id.
		symlinkSync(bait, join(target, `.copy.db.${process.pid}.partial`));
		expect((await access(copyOfInstalled(), ['backup', join(target, 'copy.db')])).code).toBe(0);
		expect(readFileSync(bait, 'utf8')).toBe('');
		expectSound(join(target, 'copy.db'));
	});

	// Permissions do not stop root, but the proc file system does.
	const unwritable = () => {
		if (process.getuid?.() === 0) return '/proc';
		const folder = newFolder();
		chmodSync(folder, 0o500);
		return folder;
	};
	test.each([
		['a missing folder', () => join(newFolder(), 'missing', 'copy.db'), 'it or its folder is not there, check'],
		['an unwritable folder', () => join(unwritable(), 'copy.db'), ''],
		['a folder that is a file', () => join(installed.backup, 'copy.db'), 'a part of the path is a file and not'],
		[
			'a link to itself',
			() => {
				const link = join(newFolder(), 'link');
				symlinkSync(link, link);
				return link;
			},
			'its links lead in a circle, correct them',
		],
	])('into %s fails in one line that names the file and what to change', async (_, target, problem) => {
		const file = target();
		const ended = await access(copyOfInstalled(), ['backup', file]);
		expect(ended.code).toBe(1);
		expect(ended.stdout).toBe('');
		expect(ended.stderr.replace(/^copying .*\n/, '')).toEqual(oneLine);
		expect(ended.stderr).toContain(file);
		expect(ended.stderr).toContain(problem);
		expect(ended.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
		expect(existsSync(file)).toBe(false);
	});

	test.each([
		['a file', 'mine', () => join(newFolder(), 'copy.db')],
		['an empty file', '', () => join(newFolder(), 'copy.db')],
		['the database itself', undefined, databaseOf],
	])('never replaces %s', async (_, content, place) => {
		const folder = copyOfInstalled();
		const file = place(folder);
		if (content !== undefined) writeFileSync(file, content);
		const before = readFileSync(file);
		const ended = await access(folder, ['backup', file]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(file);
		expect(readFileSync(file).equals(before)).toBe(true);
	});

	test('several backups at once to one file leave a sound one or none', async () => {
		const folder = copyOfInstalled();
		const target = newFolder();
		const file = join(target, 'copy.db');
		const ended = await Promise.all([1, 2, 3].map(() => accessBinary(folder, ['backup', file])));
		const done = ended.filter(({ code }) => code === 0);
		for (const { code, stderr } of ended)
			expect([code, stderr]).toEqual([code, expect.not.stringContaining('    at ')]);
		expect(readdirSync(target)).toEqual(done.length === 0 ? [] : ['copy.db']);
		if (done.length > 0) expectSound(file);
	});
});

describe('a database of 20 MB', () => {
	const people = 5000;
	const phoneOf = (id: number) => `139${String(id).padStart(8, '0')}`;
	let large = '';
	let program: Program;
	let token = '';
	let copy = '';

	beforeAll(async () => {
		large = copyOfInstalled();
		withDatabase(databaseOf(large), (database) => {
			database.run('pragma synchronous = off');
			database.run(`
				with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${people})
				insert into employees
					(store_id, name, phone, password_hash, password_is_initial, status, remark, created_at, updated_at)
				select 1, '员工' || n, '139' || printf('%08d', n), 'none', 0, 'ACTIVE', hex(zeroblob(2000)),
					'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
				from numbers`);
		});
		program = await serve({ DATA_DIR: large });
		token = await program.signIn('admin', adminPassword);
	});

	/** Stops a command in its long steps, and each time asks the server to read and to write. */
	async function answersBeside(args: () => string[], steps: RegExp): Promise<Ended> {
		const child = spawn({ command: [...compiled(), ...args()], environment: { DATA_DIR: large, ...given } });
		const output = child.stdout.text();
		let [stderr, stops] = ['', 0];
		for await (const chunk of child.stderr) {
			stderr += new TextDecoder().decode(chunk);
			if (!steps.test(stderr)) continue;
			child.kill('SIGSTOP');
			stops += 1;
			const body = { name: newName('店') };
			expect((await program.send('GET', '/api/employees?pageSize=5', { token })).status).toBe(200);
			expect((await program.send('POST', '/api/stores', { token, body })).status).toBe(201);
			child.kill('SIGCONT');
		}
		const ended = { code: await child.exited, stdout: await output, stderr };
		// A slow machine may hear of a step when it is over.
		return stops > 0 ? ended : answersBeside(args, steps);
	}

	test('is backed up while the server goes on answering', async () => {
		const { code, stdout } = await answersBeside(
			() => ['backup', '--json', join(newFolder(), 'copy.db')],
			/(copying|verifying) .*\n$/,
		);
		expect(code).toBe(0);
		const { path, bytes } = JSON.parse(stdout);
		expect(bytes).toBeGreaterThan(18_000_000);
		copy = path;
	});

	test('is checked while the server goes on answering', async () => {
		const { stdout } = await answersBeside(() => ['check'], /checking: (database|search index)\n$/);
		expect(stdout).toContain('ok   database: sound');
	});

	test('is checked as a copy: while that is read, a busy server can start its write-ahead log over', () => {
		const folder = newFolder();
		copyFileSync(copy, databaseOf(folder));
		const writer = new Database(databaseOf(folder));
		writer.run('pragma journal_mode = wal');
		writer.run("update employees set remark = 'in the log' where id = 1");
		const client = open.connect(databaseOf(folder), { readonly: true });
		withCopyAt(client, `${databaseOf(folder)}.copy`, (path) => {
			const remark = 'select remark from employees where id = 1';
			withDatabase(path, (database) => expect(database.query(remark).values()).toEqual([['in the log']]));
			writer.run("update employees set remark = 'later' where id = 1");
			expect(writer.query('pragma wal_checkpoint(truncate)').values()).toEqual([[0, 0, 0]]);
		});
		client.close();
		writer.close();
	});

	/** Runs a command that may not write files of that size; the shell's limit stands for a full disk. */
	function withRoomFor(kilobytes: number, folder: string, args: string[]): Promise<Ended> {
		const limit = `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$@"`;
		const command = ['bash', '-c', limit, 'bash', ...compiled(), ...args];
		return runToEnd({ command, environment: { DATA_DIR: folder, ...given } });
	}

	test('is not checked, and not called damaged, on a disk without room for a copy', async () => {
		// Not in the folder of the server, which makes a copy for its own inspection.
		const folder = newFolder();
		copyFileSync(copy, databaseOf(folder));
		const ended = await withRoomFor(10_000, folder, ['check', '--only', 'database']);
		expect(ended).toMatchObject({ code: 0 });
		expect(ended.stdout).toMatch(/^warn database: not inspected: a copy of .* needs \d+ MB of free disk, make room\n$/);
		expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
	});

	test('is neither backed up nor restored to a disk without room for it', async () => {
		const [target, folder] = [newFolder(), copyOfInstalled()];
		const before = contentsOf(folder);
		const backup = await withRoomFor(10_000, large, ['backup', join(target, 'copy.db')]);
		expect(backup).toMatchObject({ code: 1, stdout: '' });
		expect(backup.stderr).toMatch(/^copying .*\ncannot back up to .*copy\.db: .*\n$/);
		expect(readdirSync(target)).toEqual([]);
		const restore = await withRoomFor(10_000, folder, ['restore', copy]);
		expect(restore).toMatchObject({ code: 1, stdout: '' });
		expect(restore.stderr).toMatch(/\ncannot restore .*copy\.db: .*\n$/);
		expect(contentsOf(folder)).toEqual(before);
	});

	test.each([
		['that has no room for a copy', ['bash', '-c', 'echo "warn database: not inspected"'], 'database: not inspected'],
		['that cannot be started', ['/there/is/no/such/program'], 'the database cannot be inspected'],
	])('takes an inspection %s for no damage', async (_, command, message) => {
		const warned = Promise.withResolvers<string>();
		const log = createLog({ write: warned.resolve }, 'info');
		const started = { program: command, log, onFatal: warned.resolve };
		const end = inspectInBackground(dataFolderAt(large), started, 0);
		expect(JSON.parse(await warned.promise)).toMatchObject({ level: 'warn', message });
		await end();
	});

	/** What a killed inspection leaves; no process has that id. The running server may have a copy of its own. */
	const leaveCopy = () =>
		writeFileSync(join(large, `.access.db-inspected.999999999-${crypto.randomUUID()}.partial`), '');
	const copiesIn = () => readdirSync(large).filter((name) => name.includes('.999999999'));

	test('keeps no copy of a check that was killed', async () => {
		leaveCopy();
		expect((await access(large, ['check', '--only', 'database'])).code).toBe(0);
		expect(copiesIn()).toEqual([]);
		leaveCopy();
		await program.end();
		expect(copiesIn()).toEqual([]);
		program = await serve({ DATA_DIR: large });
	});

	test('keeps the copy of another user, whose processes it may not ask', () => {
		const folder = newFolder();
		const name = `.access.db.77-${crypto.randomUUID()}.partial`;
		writeFileSync(join(folder, name), '');
		using _kill = spyOn(process, 'kill').mockImplementation(() => {
			throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
		});
		removeAbandoned(databaseOf(folder));
		expect(readdirSync(folder)).toEqual([name]);
	});

	test('is found to have an index that lacks a row', async () => {
		const folder = newFolder();
		copyFileSync(copy, databaseOf(folder));
		// A phone changes in its row, and not in the index.
		const content = readFileSync(databaseOf(folder));
		const place = content.indexOf(`员工4000${phoneOf(4000)}`);
		expect(place).toBeGreaterThan(0);
		content.write(`员工4000${phoneOf(4001)}`, place);
		writeFileSync(databaseOf(folder), content);
		const { code, stdout } = await access(folder, ['check', '--only', 'database']);
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('is damaged in employees') });
	});
});

const alter = (path: string, sql: string) => withDatabase(path, (database) => database.run(sql));

/** Files in the place of a database that are none of ours: what is said of each, and what makes it of a good one. */
const unusable: [name: string, complaint: string, spoil: string | ((path: string) => void)][] = [
	['a text', 'is not a database of this program', (path) => writeFileSync(path, 'not a database\n'.repeat(999))],
	[
		"another program's database",
		'is not a database of this program',
		(path) => {
			rmSync(path);
			alter(path, 'create table notes (text text)');
		},
	],
	['damaged pages', 'is damaged', damage],
	['its first half only', 'is damaged', (path) => truncateSync(path, statSync(path).size / 2)],
	['a damaged header', 'its first bytes are', (path) => writeFileSync(path, readFileSync(path).fill(0xff, 0, 16))],
	['a newer version', 'newer version', 'pragma user_version = 999'],
	['another trigger', 'trigger spy does not', 'create trigger spy after insert on stores begin select 1; end'],
	['a missing index', 'index employees_store_live is missing', 'drop index employees_store_live'],
	['another table', 'table notes does not belong to it', 'create table notes (text text)'],
	['a view', 'view everybody does not belong to it', 'create view everybody as select * from employees'],
	['another column', 'table stores is different', 'alter table stores add column city text'],
	[
		'a second administrator',
		'has 2 administrators',
		`insert into administrators (username, password_hash, token_version, created_at, updated_at)
		select 'intruder', password_hash, token_version, created_at, updated_at from administrators`,
	],
	['no administrator', 'has no administrator', 'pragma foreign_keys = off; delete from administrators'],
	['a missing table', 'table history is missing', 'pragma foreign_keys = off; drop table history'],
];

/** What a large database is not inspected for at the start. */
const orphans: (typeof unusable)[number] = [
	'orphaned rows',
	'has orphaned rows in employee_roles',
	"pragma foreign_keys = off; insert into employee_roles (employee_id, role_id, bound_at) values (99, 99, '2026')",
];

test.each([...unusable, orphans])(
	'a database with %s is refused by the start and by what changes it, fails a check, and is neither backed up nor restored',
	async (name, complaint, spoil) => {
		const folder = copyOfInstalled();
		if (typeof spoil === 'string') alter(databaseOf(folder), spoil);
		else spoil(databaseOf(folder));
		const before = contentsOf(folder);
		for (const args of name === orphans[0] ? [] : [['serve'], ['admin', 'reset-password']]) {
			const ended = await access(folder, args);
			expect(ended).toEqual(failed);
			expect(ended.stderr).toMatch(/: (restore a backup|install that version)\n$/);
			expect(ended.stderr).toContain(databaseOf(folder));
			expect(ended.stderr).toContain(complaint);
		}
		const { code, stdout } = await access(folder, ['check', '--only', 'database']);
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(complaint) });
		expect(stdout).toStartWith(`fail database: ${databaseOf(folder)} `);
		const target = newFolder();
		const ended = await access(folder, ['backup', join(target, 'copy.db')]);
		// Neither the place of the copy is to blame, nor is a hidden copy named, which is gone.
		const named = ended.stderr.split('\n').at(-2)?.replace('cannot back up ', '');
		expect(named).toStartWith(databaseOf(folder));
		expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(complaint) });
		expect(readdirSync(target)).toEqual([]);
		expect(contentsOf(folder)).toMatchObject(before);
		await expectNotRestored(databaseOf(folder), complaint);
	},
);

/** A file that is no backup is refused in one line that names it, and changes nothing. */
async function expectNotRestored(file: string, complaint: string): Promise<void> {
	const folder = copyOfInstalled();
	const before = contentsOf(folder);
	const ended = await access(folder, ['restore', file]);
	expect(ended).toMatchObject({ code: 1, stdout: '' });
	expect(ended.stderr.replace('verifying the backup\n', '')).toEqual(oneLine);
	expect(ended.stderr).toContain(complaint);
	expect(ended.stderr).toContain(file);
	expect(contentsOf(folder)).toEqual(before);
}

describe('an emptied database beside its log, which SQLite would delete,', () => {
	const commands = [
		'check',
		'check --repair',
		'backup',
		'history export',
		'admin rename owner',
		'serve',
		'serve --new',
	];
	test.each(commands)('is refused by %s', async (command) => {
		const folder = copyOfInstalled();
		writeFileSync(databaseOf(folder), '');
		writeFileSync(`${databaseOf(folder)}-wal`, 'x'.repeat(5000));
		for (const hasLock of [true, false]) {
			rmSync(join(folder, 'access.lock'), { force: true });
			if (hasLock) writeFileSync(join(folder, 'access.lock'), '');
			const { code, stdout, stderr } = await access(folder, command.split(' '));
			expect([code, stdout + stderr]).toEqual([
				1,
				expect.stringMatching(/access\.db is (empty: restore a backup|missing or empty, but its log)/),
			]);
			expect(statSync(`${databaseOf(folder)}-wal`).size).toBe(5000);
		}
	});
});

describe('restore', () => {
	test('refuses a copy that is gone before it takes the place of the database', async () => {
		const folder = copyOfInstalled();
		const before = readFileSync(databaseOf(folder));
		using _inspect = spyOn(open, 'inspectDatabase').mockImplementation((path) => {
			if (path.endsWith('.restoring')) rmSync(path);
			return { schemaVersion: 14, pendingMigrations: 0 };
		});
		const ended = await access(folder, ['restore', installed.backup]);
		expect(ended).toMatchObject({ code: 1, stdout: '' });
		expect(readFileSync(databaseOf(folder)).equals(before)).toBe(true);
	});

	const replacedIn = (folder: string) => readdirSync(folder).filter((name) => /^replaced-.*\.db$/.test(name));

	test('refuses while a server uses the folder', async () => {
		const folder = copyOfInstalled();
		await using program = await serve({ DATA_DIR: folder });
		const before = contentsOf(folder);
		const ended = await access(folder, ['restore', installed.backup]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toContain(`DATA_DIR=${folder} is in use`);
		expect(contentsOf(folder)).toEqual(before);
		expect((await program.send('GET', '/health')).status).toBe(200);
	});

	test.each([
		['an empty file', 'is empty', (path: string) => writeFileSync(path, '')],
		['an empty database', 'is empty', (path: string) => withDatabase(path, (database) => database.run('vacuum'))],
		['a file that is not there', 'there is no file', () => {}],
		[
			'an installation without its administrator',
			'has no administrator',
			(path: string) => {
				copyFileSync(installed.backup, path);
				withDatabase(path, (database) => database.run('delete from administrators; delete from stores'));
			},
		],
		['a folder', 'is a folder, not a file', (path: string) => mkdirSync(path)],
		['a pipe', 'is not a regular file', (path: string) => expect(Bun.spawnSync(['mkfifo', path]).success).toBe(true)],
	])('refuses %s and changes nothing, and a proof says the same', async (_, complaint, make) => {
		const file = join(newFolder(), 'foreign.db');
		make(file);
		await expectNotRestored(file, complaint);
		const proof = await access(newFolder(), ['restore', '--verify', file]);
		expect([proof.code, proof.stderr]).toEqual([1, expect.stringMatching(new RegExp(`^[^\n]*${file} ?[^\n]*\n$`))]);
		expect(proof.stderr).toContain(complaint);
	});

	/** Another name of a file. */
	const linkedBy = (link: typeof linkSync) => (path: string) => {
		const other = join(newFolder(), 'other.db');
		link(path, other);
		return other;
	};
	test.each([
		['a relative path', (path: string) => relative(process.cwd(), path)],
		['a link', linkedBy(symlinkSync)],
		['a second name', linkedBy(linkSync)],
	])('refuses the database itself by %s, and changes nothing', async (_, name) => {
		const folder = copyOfInstalled();
		const file = name(databaseOf(folder));
		const before = contentsOf(folder);
		const ended = await access(folder, ['restore', file]);
		expect(ended).toEqual(failed);
		expect(ended.stderr).toBe(`${resolve(file)} is the database that would be replaced: choose a backup\n`);
		expect(contentsOf(folder)).toEqual(before);
	});

	test('replaces all data and keeps the replaced database, which can be restored again', async () => {
		const folder = copyOfInstalled();
		const file = join(newFolder(), 'copy.db');
		await access(folder, ['backup', file]);
		const first = await serveHere({ DATA_DIR: folder, ...given });
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
		const second = await serveHere({ DATA_DIR: folder, ...given });
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

	test('brings back the one-time passwords of then, with the end that they had', async () => {
		const folder = copyOfInstalled();
		const file = join(newFolder(), 'copy.db');
		const username = '13800000001';
		const running = await serveHere({ DATA_DIR: folder, ...given });
		const token = await running.signIn('admin', adminPassword);
		await running.send('POST', '/api/employees', { token, body: { storeId: 1, name: '王芳', phone: username } });
		const { body } = await running.send('POST', '/api/employees/1/one-time-password', { token });
		const { password, expiresAt } = body.data;
		await access(folder, ['backup', file]);
		const change = { oldPassword: password, newPassword: 'a-password-of-my-own' };
		expect((await running.send('PATCH', '/api/employees/1/password', { token, body: change })).status).toBe(200);
		await running.end();

		await access(folder, ['restore', file]);
		const restored = await serveHere({ DATA_DIR: folder, ...given });
		const statuses = [password, 'a-password-of-my-own'].map(async (each) => {
			const signIn = { body: { username, password: each } };
			return (await restored.send('POST', '/api/auth/employee/login', signIn)).status;
		});
		expect(await Promise.all(statuses)).toEqual([200, 401]);
		await restored.end();
		const end = 'select password_expires_at as end from employees';
		expect(withDatabase(databaseOf(folder), (database) => database.query(end).get())).toEqual({ end: expiresAt });
	});

	test('keeps each replaced database when run several times within a second, as each backup is kept', async () => {
		const folder = copyOfInstalled();
		for (let round = 0; round < 3; round += 1) {
			expect(await access(folder, ['restore', installed.backup])).toMatchObject({ code: 0 });
			expect(await access(folder, ['backup'])).toMatchObject({ code: 0 });
		}
		expect([replacedIn(folder).length, readdirSync(join(folder, 'backups')).length]).toEqual([3, 3]);
	});

	test.each([
		['an empty folder', () => newFolder()],
		['a folder that is not there', () => join(newFolder(), 'new', 'data')],
	])('into %s makes a working installation, and does not change the backup', async (_, make) => {
		const folder = make();
		const before = readFileSync(installed.backup);
		const { code, stdout } = await access(folder, ['restore', '--json', installed.backup]);
		expect(readFileSync(installed.backup).equals(before)).toBe(true);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual({ database: databaseOf(folder) });
		expect([mode(folder), mode(databaseOf(folder))]).toEqual(['700', '600']);
		const program = await serveHere({ DATA_DIR: folder, ...given });
		expect(await program.signIn('admin', adminPassword)).toBeString();
		await program.end();
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});

	test.each([
		['damaged', (path: string) => damage(path)],
		['another program’s', (path: string) => writeFileSync(path, 'not a database\n'.repeat(999))],
	])('replaces a database that is %s, and keeps it', async (_, spoil) => {
		const folder = copyOfInstalled();
		spoil(databaseOf(folder));
		const spoilt = readFileSync(databaseOf(folder));
		expect((await access(folder, ['restore', installed.backup])).code).toBe(0);
		const [name = ''] = replacedIn(folder);
		expect(readFileSync(join(folder, name)).equals(spoilt)).toBe(true);
		expectSound(databaseOf(folder));
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});

	/** A copy of a folder whose server was killed: its last writes are in the log file only. */
	async function killedServer(): Promise<string> {
		killed ??= killOne();
		const folder = newFolder();
		cpSync(await killed, folder, { recursive: true });
		return folder;
	}

	let killed: Promise<string> | undefined;

	async function killOne(): Promise<string> {
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

	test('never applies the write-ahead log of a killed server to the restored database; a backup has it', async () => {
		const folder = await killedServer();
		const file = join(newFolder(), 'copy.db');
		expect((await access(folder, ['backup', file])).code).toBe(0);
		expect(namesIn(file)).toHaveLength(21);
		const { stdout } = await access(folder, ['restore', '--json', installed.backup]);
		expect(existsSync(`${databaseOf(folder)}-wal`)).toBe(false);
		await startHere({ DATA_DIR: folder, ...given });
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
		await accessBinary(folder, ['restore', installed.backup]);
		// Each kill halves the time in which the new database may take the old one's place, so most come close to it.
		let [before, after] = [0, 2 * (performance.now() - begin)];
		const seen = new Set<number>();
		for (let round = 0; round < 8 || seen.size < 2; round += 1) {
			rmSync(folder, { recursive: true });
			cpSync(killed, folder, { recursive: true });
			const moment = (before + after) / 2;
			await killAfter(folder, ['restore', installed.backup], 'verifying', moment);
			expect(existsSync(databaseOf(folder))).toBe(true);
			const { length } = namesIn(databaseOf(folder));
			expectSound(databaseOf(folder));
			expect([1, 21]).toContain(length);
			seen.add(length);
			if (length === 21) before = moment;
			else after = moment;
			// The time that a process takes varies.
			if (after - before < 1) [before, after] = [before / 2, after * 2];
			if (round % 8 > 0) continue;
			// Whatever was left behind, the next attempt succeeds.
			for (const name of replacedIn(folder)) rmSync(join(folder, name));
			expect(await access(folder, ['restore', installed.backup])).toMatchObject({ code: 0 });
			expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
		}
	});
});
