import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import {
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
import { addDays, dayOf } from '../src/platform/vocabulary/day.ts';
import { requireSound } from './campaigns/database.ts';
import {
	access,
	accessBinary,
	contentsOf,
	copyOfInstalled,
	databaseOf,
	expectFailed,
	failed,
	install,
	installed,
	mode,
	namesIn,
	oneLine,
	removeFoldersAfterAll,
	serveHere,
	startHere,
} from './installation.ts';
import { compiled, type Ended, newFolder, runToEnd, spawn } from './program.ts';
import { given, serve, withDatabase } from './server.ts';
import { adminPassword } from './world.ts';

removeFoldersAfterAll();
beforeAll(install);

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
		requireSound(file);
	});

	test('--json writes the path, the size, and the rows of each table', async () => {
		const file = join(newFolder(), 'copy.db');
		const { stdout } = await access(copyOfInstalled(), ['backup', '--json', file]);
		const result = JSON.parse(stdout);
		expect(result).toEqual({ path: file, bytes: statSync(file).size, rows: expect.any(Object) });
		const tables = ['administrators', 'employee_reach', 'points', 'stores'];
		expect(Object.keys(result.rows)).toEqual(expect.arrayContaining(tables));
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
		const [name = ''] = readdirSync(target);
		expect(readdirSync(target)).toEqual([expect.stringMatching(/^backup-\d{8}T\d{6}Z\.db$/)]);
		expect(JSON.parse(stdout).path).toBe(join(target, name));
		expect([mode(target), mode(join(target, name))]).toEqual(['700', '600']);
	});

	test.each([
		['a missing folder', () => join(newFolder(), 'missing', 'copy.db'), 'it or its folder is not there, check'],
		['a missing folder with a slash', () => `${join(newFolder(), 'missing')}/`, 'is not a folder: make or mount it'],
		['a folder that is a file', () => join(installed.backup, 'copy.db'), 'a part of the path is a file and not'],
	])('into %s fails in one line that names the file and what to change', async (_, target, problem) => {
		const file = target();
		const ended = await access(copyOfInstalled(), ['backup', file]);
		// No progress is reported for a copy that cannot be written.
		expectFailed(ended, file, problem);
		// Without the path, because the name of a temporary folder is random.
		expect(ended.stderr.replaceAll(file, '')).not.toMatch(/\bE[A-Z]{4,}\b/);
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
		expectFailed(await access(folder, ['backup', file]), file);
		expect(readFileSync(file).equals(before)).toBe(true);
	});
});

/** Runs a command that cannot write larger files than this. The shell's limit stands for a full disk. */
function withRoomFor(kilobytes: number, folder: string, args: string[]): Promise<Ended> {
	const limit = `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$@"`;
	const command = ['bash', '-c', limit, 'bash', ...compiled(), ...args];
	return runToEnd({ command, environment: { DATA_DIR: folder, ...given } });
}

test('a database is neither backed up nor restored to a disk without room for it', async () => {
	const [target, folder] = [newFolder(), copyOfInstalled()];
	const before = contentsOf(folder);
	const backup = await withRoomFor(200, folder, ['backup', join(target, 'copy.db')]);
	expect(backup).toMatchObject({ code: 1, stdout: '' });
	expect(backup.stderr).toMatch(/^copying .*\ncannot use \S+copy\.db: .*\n$/);
	expect(readdirSync(target)).toEqual([]);
	const restore = await withRoomFor(200, folder, ['restore', installed.backup]);
	expect(restore).toMatchObject({ code: 1, stdout: '' });
	expect(restore.stderr).toMatch(/\ncannot use \S+access\.db: .*\n$/);
	expect(contentsOf(folder)).toMatchObject(before);
});

test('a backup removes the files of killed ones, but not those of another user, whose processes it may not ask', async () => {
	const [folder, partial] = [newFolder(), (pid: number) => `.automatic.db.${pid}-${crypto.randomUUID()}.partial`];
	// In a container, every start has the same process id.
	const names = [partial(999_999_999), partial(77), partial(process.pid)];
	for (const name of names) writeFileSync(join(folder, name), '');
	using _kill = spyOn(process, 'kill').mockImplementation((pid) => {
		if (pid === process.pid) return true;
		throw Object.assign(new Error('no'), { code: pid === 77 ? 'EPERM' : 'ESRCH' });
	});
	expect(await access(copyOfInstalled(), ['backup', join(folder, 'copy.db')])).toMatchObject({ code: 0 });
	expect(readdirSync(folder).sort()).toEqual([String(names[1]), 'copy.db']);
});

const alter = (path: string, sql: string) => withDatabase(path, (database) => database.run(sql));

function replaceByNotes(path: string): void {
	rmSync(path);
	alter(path, 'create table notes (text text)');
}

const orphan =
	"pragma foreign_keys = off; insert into employee_roles (employee_id, role_id, bound_at) values (99, 99, '2026')";

function damage(path: string): void {
	const content = readFileSync(path);
	content.fill(0xff, 4096 * 2, 4096 * 4);
	writeFileSync(path, content);
}

function renameOutsideOfIndex(path: string): void {
	const query = "select rootpage from sqlite_schema where name = 'stores'";
	const page = withDatabase(path, (database) => Number(database.query(query).values()[0]?.[0]));
	const content = readFileSync(path);
	content.write('乙店', content.indexOf('甲店', (page - 1) * 4096));
	writeFileSync(path, content);
}

/** Foreign files in the place of a database: the message for each, and the change that makes it from a good one. */
const unusable: [name: string, complaint: string, spoil: string | ((path: string) => void)][] = [
	['a text', 'is not a database of this program', (path) => writeFileSync(path, 'not a database\n'.repeat(999))],
	["another program's database", 'is not a database of this program', replaceByNotes],
	['damaged pages', 'is damaged', damage],
	['its first half only', 'is damaged', (path) => truncateSync(path, statSync(path).size / 2)],
	['a damaged header', 'its first bytes are', (path) => writeFileSync(path, readFileSync(path).fill(0xff, 0, 16))],
	['a newer version', 'has schema 999, but this program knows', 'pragma user_version = 999'],
	['another trigger', 'trigger spy does not', 'create trigger spy after insert on stores begin select 1; end'],
	['a missing index', 'index employees_store_live is missing', 'drop index employees_store_live'],
	['another table', 'table notes does not belong to it', 'create table notes (text text)'],
	['a view', 'view everybody does not belong to it', 'create view everybody as select * from employees'],
	['another column', 'table stores is different', 'alter table stores add column city text'],
	['a missing table', 'table history is missing', 'pragma foreign_keys = off; drop table history'],
];

/** Damage that only the whole inspection finds. A start does not wait for it. */
const deep: typeof unusable = [
	['orphaned rows', 'has orphaned rows in employee_roles', orphan],
	['an index that lacks a row', 'is damaged', renameOutsideOfIndex],
];

const spoiled = [...unusable, ...deep];
test.each(spoiled)('a database with %s is refused by all commands, and restored', async (name, complaint, spoil) => {
	const folder = copyOfInstalled();
	if (typeof spoil === 'string') alter(databaseOf(folder), spoil);
	else spoil(databaseOf(folder));
	const before = contentsOf(folder);
	for (const args of deep.some(([other]) => other === name) ? [] : [['serve'], ['admin', 'reset-password']]) {
		const remedy = /: (restore a backup|install that version)\n$/;
		expectFailed(await access(folder, args), remedy, databaseOf(folder), complaint);
	}
	const { code, stdout } = await access(folder, ['check', '--only', 'database']);
	expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(complaint) });
	expect(stdout).toStartWith(`fail database: ${databaseOf(folder)} `);
	const target = newFolder();
	const ended = await access(folder, ['backup', join(target, 'copy.db')]);
	// The message blames the database, not the target, and names no hidden copy, which is gone.
	expect(ended.stderr.split('\n').at(-2)).toStartWith(databaseOf(folder));
	expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(complaint) });
	expect(readdirSync(target)).toEqual([]);
	expect(contentsOf(folder)).toMatchObject(before);
	await expectNotRestored(databaseOf(folder), complaint);
	// A restore keeps the replaced file.
	const { stdout: answer } = await access(folder, ['restore', '--json', installed.backup]);
	const { replaced } = JSON.parse(answer);
	expect(contentsOf(folder)[replaced]).toBe(before[databaseOf(folder)] ?? '');
	requireSound(databaseOf(folder));
	expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
});

/** Expects a restore to refuse a file in one line that names it, and to change nothing. */
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

const commands = ['check', 'backup', 'history export', 'admin rename owner', 'serve', 'serve --new'];
// SQLite would delete the log.
test.each(commands)('an emptied database beside its log is refused by %s', async (command) => {
	const folder = copyOfInstalled();
	writeFileSync(databaseOf(folder), '');
	writeFileSync(`${databaseOf(folder)}-wal`, 'x'.repeat(5000));
	const { code, stdout, stderr } = await access(folder, command.split(' '));
	expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('access.db is missing or empty, but its log')]);
	expect(statSync(`${databaseOf(folder)}-wal`).size).toBe(5000);
});

test.each(['check', 'backup', 'serve'])('a folder in the place of the log is named by %s', async (command) => {
	const folder = copyOfInstalled();
	mkdirSync(`${databaseOf(folder)}-wal`);
	const { code, stdout, stderr } = await access(folder, [command]);
	expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('access.db-wal is not a regular file: restore')]);
});

/** Runs a command until it writes a text to stderr, then a little longer, and kills it. */
async function killAfter(folder: string, args: string[], said: string, milliseconds: number): Promise<void> {
	const child = spawn({ command: [...compiled(), ...args], environment: { DATA_DIR: folder, ...given } });
	let heard = '';
	for await (const chunk of child.stderr) {
		heard += new TextDecoder().decode(chunk);
		if (heard.includes(said)) break;
	}
	await Bun.sleep(milliseconds);
	child.kill('SIGKILL');
	await child.exited;
}

/** Leaves a database as a power cut during a write does: half written, with the journal that undoes it. */
function cutPower(path: string): void {
	const written = join(newFolder(), 'written.db');
	if (existsSync(path)) copyFileSync(path, written);
	withDatabase(written, (database) => {
		for (const pragma of ['journal_mode = delete', 'cache_size = 1']) database.run(`pragma ${pragma}`);
		database.run('begin');
		database.run('create table half as select zeroblob(1000000) as content');
		for (const suffix of ['', '-journal']) copyFileSync(`${written}${suffix}`, `${path}${suffix}`);
	});
}

test.each([
	['serve', 'in the first start', newFolder, []],
	...['serve', 'check', 'backup', 'admin list'].map(
		(command) => [command, 'in the start after a restore', copyOfInstalled, ['甲店']] as const,
	),
])('%s works after a power cut %s', async (command, _, make, stores) => {
	const folder = make();
	cutPower(databaseOf(folder));
	expect(await access(folder, command.split(' '))).toMatchObject({ code: 0 });
	expect(namesIn(databaseOf(folder))).toEqual([...stores]);
	requireSound(databaseOf(folder));
});

describe('restore', () => {
	function withoutAdministrator(path: string): void {
		copyFileSync(installed.backup, path);
		alter(path, 'delete from administrators');
	}
	const newestRecord = expect.stringMatching(/^\d{4}-.*Z$/);
	const replacedIn = (folder: string) => readdirSync(folder).filter((name) => /^replaced-.*\.db$/.test(name));

	test('refuses while a server uses the folder', async () => {
		const folder = copyOfInstalled();
		await using program = await serve({ DATA_DIR: folder });
		const before = contentsOf(folder);
		expectFailed(await access(folder, ['restore', installed.backup]), `DATA_DIR=${folder} is in use`);
		expect(contentsOf(folder)).toEqual(before);
		expect((await program.send('GET', '/health')).status).toBe(200);
	});

	test.each([
		['an empty file', 'is empty', (path: string) => writeFileSync(path, '')],
		['an empty database', 'is empty', (path: string) => withDatabase(path, (database) => database.run('vacuum'))],
		['a database without an administrator', 'has no administrator', withoutAdministrator],
		['a file that is not there', 'there is no file', () => {}],
		['a folder', 'is not a regular file', (path: string) => mkdirSync(path)],
		['a pipe', 'is not a regular file', (path: string) => expect(Bun.spawnSync(['mkfifo', path]).success).toBe(true)],
	])('refuses %s and changes nothing, and a proof says the same', async (_, complaint, make) => {
		const file = join(newFolder(), 'foreign.db');
		make(file);
		await expectNotRestored(file, complaint);
		const proof = await access(newFolder(), ['restore', '--verify', file]);
		expect([proof.code, proof.stderr]).toEqual([1, expect.stringMatching(new RegExp(`^[^\n]*${file} ?[^\n]*\n$`))]);
		expect(proof.stderr).toContain(complaint);
	});

	test('proves an unsealed backup without a place for a copy', async () => {
		const environment = { DATA_DIR: newFolder(), TMPDIR: '/nowhere' };
		const command = [...compiled(), 'restore', '--verify', installed.backup];
		expect(await runToEnd({ command, environment })).toMatchObject({ code: 0, stderr: '' });
	});

	function linkedBy(link: typeof linkSync, path: string, other = join(newFolder(), 'other.db')): string {
		link(path, other);
		return other;
	}
	test.each([
		['a relative path', (path: string) => relative(process.cwd(), path)],
		['a link', (path: string) => linkedBy(symlinkSync, path)],
		['a second name', (path: string) => linkedBy(linkSync, path)],
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
		const first = await serveHere({ DATA_DIR: folder, ...given });
		const token = await first.signIn('admin', adminPassword);
		const redirectUris = ['https://till.example/'];
		const body = { name: '同步', permissions: ['store:view'], endsOn: addDays(dayOf(new Date()), 2), redirectUris };
		const made = await first.send('POST', '/api/programs', { token, body });
		const { key } = made.body.data;
		await access(folder, ['backup', file]);
		expect((await first.send('GET', '/api/permissions/me', { token: key })).status).toBe(200);
		await first.send('PATCH', '/api/stores/1', { token, body: { name: '改名' } });
		await first.send('POST', '/api/stores', { token, body: { name: '乙店' } });
		await first.end();

		const { code, stdout, stderr } = await access(folder, ['restore', '--json', file]);
		expect([code, stderr]).toEqual([0, expect.stringContaining('the keys of 1 program end: each needs another one\n')]);
		expect(stderr).toContain('the client secrets of 1 program end: each needs another one\n');
		const [name = ''] = replacedIn(folder);
		expect(name).toMatch(/^replaced-\d{8}T\d{6}Z\.db$/);
		expect(JSON.parse(stdout)).toEqual({ database: databaseOf(folder), replaced: join(folder, name), newestRecord });
		expect([mode(databaseOf(folder)), mode(join(folder, name))]).toEqual(['600', '600']);
		// So that the next start does not rewrite it in place.
		const journal = withDatabase(databaseOf(folder), (database) => database.query('pragma journal_mode').values());
		expect(journal).toEqual([['wal']]);
		const second = await serveHere({ DATA_DIR: folder, ...given });
		// Earlier tokens are invalid, because an id may name another person now.
		expect((await second.send('GET', '/api/auth/me', { token })).status).toBe(401);
		// Keys are invalid, too: one may have been revoked after the backup.
		expect((await second.send('GET', '/api/permissions/me', { token: key })).status).toBe(401);
		const again = await second.signIn('admin', adminPassword);
		const renewed = (await second.send('POST', '/api/programs/1/key', { token: again })).body.data.key;
		expect((await second.send('GET', '/api/permissions/me', { token: renewed })).status).toBe(200);
		const stores = await second.send('GET', '/api/stores', { token: again });
		expect(stores.body.data).toEqual([expect.objectContaining({ id: 1, name: '甲店' })]);
		await second.end();

		const kept = join(newFolder(), 'kept.db');
		renameSync(join(folder, name), kept);
		const back = await access(folder, ['restore', kept]);
		expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`${databaseOf(folder)} is now ${kept}`) });
		expect(namesIn(databaseOf(folder))).toEqual(['改名', '乙店']);
		requireSound(databaseOf(folder));
	});

	test('keeps each replaced database when run several times within a second, as each backup is kept', async () => {
		const folder = copyOfInstalled();
		for (let round = 0; round < 3; round += 1) {
			expect(await access(folder, ['restore', installed.backup])).toMatchObject({ code: 0 });
			expect(await access(folder, ['backup'])).toMatchObject({ code: 0 });
		}
		expect([replacedIn(folder).length, readdirSync(join(folder, 'backups')).length]).toEqual([3, 3]);
	});

	/** A folder whose server was killed: its last writes are in the log file only. */
	let killed = '';
	beforeAll(async () => {
		killed = copyOfInstalled();
		const program = await serve({ DATA_DIR: killed });
		const token = await program.signIn('admin', adminPassword);
		for (let index = 0; index < 20; index += 1) {
			await program.send('POST', '/api/stores', { token, body: { name: `新${index}` } });
		}
		await program.end('SIGKILL');
		expect(statSync(`${databaseOf(killed)}-wal`).size).toBeGreaterThan(4096);
	});

	test('never applies the write-ahead log of a killed server to the restored database; a backup has it', async () => {
		const folder = newFolder();
		cpSync(killed, folder, { recursive: true });
		const file = join(newFolder(), 'copy.db');
		expect((await access(folder, ['backup', file])).code).toBe(0);
		expect(namesIn(file)).toHaveLength(21);
		const { stdout } = await access(folder, ['restore', '--json', installed.backup]);
		expect(existsSync(`${databaseOf(folder)}-wal`)).toBe(false);
		await startHere({ DATA_DIR: folder, ...given });
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
		requireSound(databaseOf(folder));
		expect(namesIn(JSON.parse(stdout).replaced)).toHaveLength(21);
	});

	test.each([
		['log', (path: string) => cpSync(`${databaseOf(killed)}-wal`, `${path}-wal`)],
		['journal', cutPower],
	])('never applies the %s of a database that is gone, either', async (_, leave) => {
		const folder = newFolder();
		leave(databaseOf(folder));
		rmSync(databaseOf(folder), { force: true });
		expect((await access(folder, ['restore', installed.backup])).code).toBe(0);
		await startHere({ DATA_DIR: folder, ...given });
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});

	test('leaves the old database or the new one when killed at any moment', async () => {
		const folder = newFolder();
		const begin = performance.now();
		cpSync(killed, folder, { recursive: true });
		await accessBinary(folder, ['restore', installed.backup]);
		// Each kill halves the interval in which the new database replaces the old one, so most kills come close to it.
		let [before, after] = [0, 2 * (performance.now() - begin)];
		for (let round = 0; round < 8; round += 1) {
			rmSync(folder, { recursive: true });
			cpSync(killed, folder, { recursive: true });
			const moment = (before + after) / 2;
			await killAfter(folder, ['restore', installed.backup], 'verifying', moment);
			expect(existsSync(databaseOf(folder))).toBe(true);
			const { length } = namesIn(databaseOf(folder));
			requireSound(databaseOf(folder));
			expect([1, 21]).toContain(length);
			if (length === 21) before = moment;
			else after = moment;
			// The time that a process takes varies.
			if (after - before < 1) [before, after] = [before / 2, after * 2];
		}
		// The next attempt succeeds despite all leftovers.
		expect(await access(folder, ['restore', installed.backup])).toMatchObject({ code: 0 });
		expect(namesIn(databaseOf(folder))).toEqual(['甲店']);
	});
});
