/** Copies of backups in other places: a bucket of a real S3 server, a folder, and their faults. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import * as fs from 'node:fs';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Encrypter } from 'age-encryption';
import { tryPlace } from '../src/commands/installer/preflight.ts';
import { copyTo, findNewest, getNewest, readBeside } from '../src/platform/backup-copies/copies.ts';
import { sortBackups } from '../src/platform/backup-copies/names.ts';
import { placeAt, writeNew } from '../src/platform/backup-copies/place.ts';
import { createOpening, seal, unseal } from '../src/platform/backup-copies/sealing.ts';
import { readConfig } from '../src/platform/machine/config.ts';
import { startBucket } from './bucket.ts';
import { sealCheaply } from './cheap-sealing.ts';
import { someOf } from './full.ts';
import { removeFoldersAfterAll, serveHere } from './installation.ts';
import { cheapProgram, compiled, newFolder, Program, runToEnd, spawn } from './program.ts';
import { copyHere, runHere } from './run-here.ts';
import { firstStartWas, given, newInstallation } from './server.ts';
import { noteUntested } from './untested.ts';
import { adminPassword } from './world.ts';

removeFoldersAfterAll();

afterAll(sealCheaply());

let bucket: Awaited<ReturnType<typeof startBucket>>;
let reach: Record<string, string>;
const kept = newFolder();
beforeAll(async () => {
	bucket = await startBucket(kept);
	reach = bucket.settings;
});
afterAll(() => bucket.close());

const key = 'the key of the chain, in one line';
const otherKey = 'another key of a chain, also long';
function newKeyFile(line: string | Buffer = key): string {
	const path = join(newFolder(), 'key');
	writeFileSync(path, Buffer.concat([Buffer.from(' '), Buffer.from(line), Buffer.from('\n')]));
	return path;
}

const opening = createOpening({ BACKUP_KEY_FILE: newKeyFile() });

async function* chunksOf(bytes: Uint8Array, length: number) {
	for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
	return Buffer.concat(await Array.fromAsync(content));
}

describe('a sealed copy', () => {
	const part = 64 * 1024;
	const sealed = (plain: Uint8Array) => bytesOf(seal(chunksOf(plain, 70_000), key));
	function opened(bytes: Uint8Array, by = opening, length = 50_000): Promise<Buffer> {
		const read = (_file: string, end?: number) => chunksOf(bytes.subarray(0, end), length);
		const source = { name: '', list: async () => [], read };
		return bytesOf(unseal(source, 'it', by));
	}

	test('comes back whatever its length, and shows nothing', async () => {
		for (const length of [0, 1, part, 2 * part + 5]) {
			const plain = Buffer.alloc(length, 'password');
			const secret = await sealed(plain);
			expect(secret.includes('password')).toBe(false);
			expect((await opened(secret)).equals(plain)).toBe(true);
			expect((await opened(secret, opening, 7)).equals(plain)).toBe(true);
		}
	});

	const damaged = 'it is damaged, incomplete, or sealed with another BACKUP_KEY_FILE';
	const text = Buffer.alloc(2 * part, 'x');
	let secret: Buffer;
	beforeAll(async () => {
		secret = await sealed(text);
	});
	test.each<[what: string, is: () => Uint8Array, by: typeof opening, says: string]>([
		['with a changed byte', () => secret.map((byte, index) => (index === part ? byte ^ 1 : byte)), opening, damaged],
		['without its end', () => secret.subarray(0, -1), opening, damaged],
		['with another key', () => secret, { ...opening, key: () => otherKey }, damaged],
		['without a key', () => secret, createOpening({ BACKUP_KEY_FILE: undefined }), 'sealed: set BACKUP_KEY_FILE'],
		['that is empty', () => Buffer.alloc(0), opening, 'it is empty'],
		['that is not sealed, where it has to be', () => text, opening, 'anybody could have written it'],
	])('%s is refused', async (_what, is, by, says) => {
		expect(await opened(is(), by).catch(String)).toContain(says);
	});
});

/** Opens a copy with the independent age program, and returns its first bytes. */
async function openedByAge(copy: string): Promise<string> {
	const to = join(newFolder(), 'opened');
	const typing = Bun.spawn(['python3', join(import.meta.dir, 'age.py'), key, copy, to], { stdout: 'ignore' });
	expect(await typing.exited).toBe(0);
	return readFileSync(to, 'latin1').slice(0, 15);
}

test('backups are ordered by their time and count, whatever their kind, and of two copies the sealed one is the newest', () => {
	const second = 'backup-20261121T083001Z';
	const ofOneSecond = ['.db', '.db.age', '-2.db.age', '-10.db'].map((end) => `${second}${end}`);
	const names = [...ofOneSecond, 'automatic-20261121T083002Z.db'];
	const others = ['automatic-mine.db', 'automatic-20269999T083002Z.db'];
	const { past } = sortBackups([...names, ...others].toReversed(), new Date('2026-11-22'));
	expect(past.map(({ name }) => name)).toEqual(names);
});

describe('a server', () => {
	test('copies each automatic backup, encrypted, with secrets and settings; the machine that is lost comes back from it', async () => {
		const folder = await newInstallation();
		firstStartWas(1, folder);
		const secrets = '{"JWT_SECRET":"a-secret-of-another-machine-that-is-long"}';
		writeFileSync(join(folder, 'secrets.json'), secrets, { mode: 0o600 });
		const to = { ...reach, BACKUP_TO: 's3://chain/shop', BACKUP_KEY_FILE: newKeyFile() };
		const travels = { CHAIN_NAME: '好邻居', ALERT_URL: 'http://127.0.0.1:9/robot', ALERT_COMMAND: '"/opt/tell it"' };
		const program = await serveHere({ DATA_DIR: folder, ...given, ...to, ...travels }, cheapProgram);
		await program.wrote(/copied the backup/);
		expect(await program.end()).toBe(0);
		const there = readdirSync(join(kept, 'chain/shop')).filter((name) => name.endsWith('_object'));
		expect(there.sort()).toEqual([
			expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.access\.conf\.age\._S3rver_object$/),
			expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.db\.age\._S3rver_object$/),
			expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.secrets\.json\.age\._S3rver_object$/),
		]);
		const copies = there.map((name) => join(kept, 'chain/shop', name));
		if (Bun.which('age') && Bun.which('python3'))
			expect(await Promise.all(copies.map(openedByAge))).toEqual(
				['# Given on that ', 'SQLite format 3', secrets.slice(0, 15)].map((text) => text.slice(0, 15)),
			);
		else noteUntested('a copy opened by age', 'there is no age, or no python3: apt-get install age python3');

		const proof = await runHere(['restore', '--verify', 's3://chain/shop/latest'], { ...to, DATA_DIR: newFolder() });
		const sound = / is sound: schema \d+, administrators: 1, .*; its newest record is from 20.*Z\n$/;
		expect(proof).toEqual({ code: 0, stdout: expect.stringMatching(sound), stderr: '' });
		expect(proof.stdout).toStartWith('s3://chain/shop/automatic-');
		const fresh = join(newFolder(), 'new', 'data');
		const back = await runHere(['restore', 's3://chain/shop/latest'], { ...to, DATA_DIR: fresh });
		expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('secrets.json came with it') });
		expect(readFileSync(join(fresh, 'secrets.json'), 'utf8')).toBe(secrets);
		const again = await serveHere({ DATA_DIR: fresh, ...given });
		await again.signIn('admin', adminPassword);
		expect(await again.end()).toBe(0);
		expect(readdirSync(fresh).filter((name) => name.startsWith('.'))).toEqual([]);

		const bucket = placeAt('s3://chain/shop', reach as never);
		const { name } = await getNewest(bucket, createOpening(to));
		const settings = await readBeside(bucket, name, 'access.conf', createOpening(to));
		const missing = 'ADMIN_PASSWORD, INITIAL_EMPLOYEE_PASSWORD, JWT_SECRET, PASSWORD_KEY, SECOND_FACTOR_KEY';
		expect(settings).toStartWith(`# Given on that machine and not copied: ${missing}\n`);
		const file = join(newFolder(), 'access.conf');
		writeFileSync(file, settings ?? '');
		const { DATA_DIR, HOST, PORT, given: travelled } = readConfig({ SETTINGS_FILE: file });
		expect({ DATA_DIR, HOST, PORT }).toEqual({ DATA_DIR: folder, HOST: '127.0.0.1', PORT: 0 });
		const { S3_ACCESS_KEY_ID: _id, S3_SECRET_ACCESS_KEY: _secret, ...open } = to as Record<string, string>;
		expect(travelled.settings).toEqual({ DATA_DIR, HOST, PORT: '0', ...open, ...travels });
		for (const secret of [...Object.values(given), 'S3RVER']) expect(settings).not.toContain(secret);
	});

	test('goes on when the place does not answer, says so, and check says so too', async () => {
		const folder = await newInstallation();
		firstStartWas(1, folder);
		const to = { ...reach, S3_ENDPOINT: 'http://127.0.0.1:1', BACKUP_TO: 's3://chain/none' };
		const program = await serveHere({ DATA_DIR: folder, ...given, BACKUP_EVERY_HOURS: '1', ...to });
		await program.wrote(/the backup could not be copied/);
		expect((await program.request('/health')).status).toBe(200);
		expect(await program.end()).toBe(0);
		const found = await runHere(['check', '--only', 'copies'], { DATA_DIR: folder, ...to });
		expect(found.stdout).toMatch(/^fail copies: cannot use s3:\/\/chain\/none: nothing answers at S3_ENDPOINT/);
	});

	test('copies through the proxy of its environment', async () => {
		const folder = await newInstallation();
		firstStartWas(1, folder);
		const denied = '<Error><Code>AccessDenied</Code></Error>';
		using proxy = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(denied, { status: 403 }) });
		const to = { ...reach, S3_ENDPOINT: 'http://s3.invalid', BACKUP_TO: 's3://chain/none' };
		const environment = { DATA_DIR: folder, ...given, ...to, HTTP_PROXY: proxy.url.origin };
		await using program = await Program.start({ environment });
		await program.wrote(/the backup could not be copied.*\n/);
		expect(program.output).toContain('cannot use s3://chain/none: the key may not do this');
	});
});

test('a bucket is tried by an installation, which leaves nothing there', async () => {
	const config = readConfig({ SETTINGS_FILE: '/dev/null', ...reach, BACKUP_TO: 's3://chain/tried' });
	using used = spyOn(Bun.S3Client.prototype, 'file');
	await tryPlace({ uid: 0, gid: 0 }, config);
	expect(used).toHaveBeenCalledWith(expect.stringMatching(/^tried\/\.access-/));
	expect(await placeAt('s3://chain/tried', reach as never).list()).toEqual([]);
});

describe('access backup and copy-backup', () => {
	test('keep the configured number of automatic copies in a folder, and never copy one twice', async () => {
		const folder = await newInstallation();
		const place = newFolder();
		mkdirSync(join(folder, 'backups'));
		const settings = { DATA_DIR: folder, BACKUP_TO: place, BACKUP_KEEP: '2' };
		writeFileSync(join(place, 'automatic-19990101T000000Z.txt'), 'of somebody else');
		for (const second of ['01', '02', '03', '03']) {
			const name = `automatic-20261121T0830${second}Z.db`;
			cpSync(join(folder, 'access.db'), join(folder, 'backups', name));
			expect(await copyHere(settings)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(name) });
		}
		const left = ['19990101T000000Z.txt', '20261121T083002Z.db', '20261121T083003Z.db'];
		expect(readdirSync(place).sort()).toEqual(left.map((name) => `automatic-${name}`));
		const { stdout } = await runHere(['check', '--only', 'copies'], settings);
		expect(stdout).toMatch(/^(ok {2}|warn) copies: the newest in .* is from 2026-11-21T08:30:03.000Z/);
	});

	test('to a bucket leaves nothing here, and an encrypted file is restored like any other', async () => {
		const folder = await newInstallation();
		const settings = { ...reach, BACKUP_KEY_FILE: newKeyFile() };
		using workFactor = spyOn(Encrypter.prototype, 'setScryptWorkFactor');
		const made = await runHere(['backup', 's3://chain/by-hand'], { DATA_DIR: folder, ...settings });
		// The database and its settings.
		expect(workFactor.mock.calls).toEqual([[17], [17]]);
		expect(made.stdout).toMatch(/^s3:\/\/chain\/by-hand\/backup-.*\.db\.age \(\d+ bytes\)\n$/);
		expect(readdirSync(join(folder, 'backups'))).toEqual([]);
		const [object = ''] = readdirSync(join(kept, 'chain/by-hand')).filter((name) =>
			name.endsWith('.db.age._S3rver_object'),
		);
		const file = join(newFolder(), 'moved.db.age');
		cpSync(join(kept, 'chain/by-hand', object), file);
		expect(readFileSync(file, 'latin1')).toStartWith('age-encryption.org/v1\n-> scrypt ');
		const fresh = newFolder();
		expect(await runHere(['restore', file], { DATA_DIR: fresh, ...settings })).toMatchObject({ code: 0 });
		using db = new Database(join(fresh, 'access.db'), { readonly: true });
		expect(db.query('select count(*) as count from administrators').get()).toEqual({ count: 1 });
	});

	const allLosses: [what: string, read: (bytes: Buffer) => Buffer, isLate: boolean][] = [
		['loses the end', (bytes) => bytes.subarray(0, -1), false],
		['loses everything', () => Buffer.alloc(0), false],
		['keeps other bytes', (bytes) => bytes.fill('x'), false],
		['has it, but said too late that it has', (bytes) => bytes, true],
	];
	const losses = someOf(allLosses, ([what, , isLate]) => what === 'loses the end' || isLate);
	test.each(losses)('remove a copy from a place that %s, encrypted or not', async (_what, read, isLate) => {
		const folder = newFolder();
		const backup = join(newFolder(), 'automatic-20261121T083001Z.db');
		writeFileSync(backup, Buffer.alloc(2000, 'backup'));
		const place = placeAt(folder, {} as never);
		const losing: typeof place = {
			...place,
			read: (name) => chunksOf(read(readFileSync(join(folder, name))), 500),
			async write(name, content) {
				await place.write(name, content);
				if (isLate) throw new Error('it did nothing for 60 seconds');
			},
		};
		for (const by of [undefined, key]) {
			expect(await copyTo(losing, backup, by).catch(String)).toContain('Error: ');
			expect(readdirSync(folder)).toEqual([]);
		}
	});

	test.each(['/', '//'])('can be in the root folder, %s', (text) => {
		expect(placeAt(text, {} as never).name).toBe('/');
	});

	test('remove what a killed copy left in a folder', async () => {
		const folder = newFolder();
		const ending = 'async function* () { yield Buffer.from("a part"); process.kill(process.pid, "SIGKILL"); }';
		const source = join(import.meta.dir, '../src/platform/backup-copies/place.ts');
		const killed = `const { placeAt } = await import("${source}"); await placeAt("${folder}", {}).write("old.db", (${ending})())`;
		Bun.spawnSync([process.execPath, '-e', killed]);
		expect(readdirSync(folder)).toEqual([expect.stringContaining('old.db')]);
		await placeAt(folder, {} as never).write('new.db', chunksOf(Buffer.from('whole'), 9));
		expect(readdirSync(folder)).toEqual(['new.db']);
	});

	/** Makes an installation, and a place with a sealed copy of its database and secrets. */
	async function sealedPlace() {
		const [folder, place] = [await newInstallation(), newFolder()];
		const backup = join(folder, 'automatic-20261121T083001Z.db');
		cpSync(join(folder, 'access.db'), backup);
		const secrets = join(folder, 'of-the-chain.json');
		writeFileSync(secrets, foreign);
		await copyTo(placeAt(place, {} as never), backup, key, { 'secrets.json': Bun.file(secrets) });
		return { folder, place, plain: readFileSync(backup), database: join(place, `${basename(backup)}.age`) };
	}

	const foreign = '{"JWT_SECRET":"a-secret-of-somebody-else-that-is-long"}';
	const unsealed =
		/^\/\S+\.(db|db\.age|secrets\.json\.age) is not sealed, and BACKUP_KEY_FILE is set.* give --unsealed\n$/;
	type Place = Awaited<ReturnType<typeof sealedPlace>> & { secrets: string };
	test.each<[what: string, change: (place: Place) => unknown, says: RegExp]>([
		['unsealed secrets', ({ secrets }) => writeFileSync(secrets, foreign), unsealed],
		['secrets as the database', ({ secrets, database }) => cpSync(secrets, database), /is not a database/],
		['a database as the secrets', ({ secrets, database }) => cpSync(database, secrets), /does not hold valid secrets/],
		[
			'secrets of another key',
			async ({ secrets }) => writeFileSync(secrets, await bytesOf(seal(chunksOf(Buffer.from(foreign), 9), otherKey))),
			/sealed with another BACKUP_KEY_FILE/,
		],
	])('with a key, %s in the place of sealed copies: refused, and nothing is left', async (_what, change, says) => {
		const found = await sealedPlace();
		const secrets = found.database.replace('.db.age', '.secrets.json.age');
		await change({ ...found, secrets });
		const settings = { BACKUP_KEY_FILE: newKeyFile(), DATA_DIR: newFolder() };
		const latest = `${found.place}/latest`;
		for (const args of [['restore'], ['restore', '--verify']]) {
			const ended = await runHere([...args, latest], settings);
			expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
			expect(readdirSync(settings.DATA_DIR).filter((name) => name !== 'access.lock')).toEqual([]);
		}
		const known = await runHere(['restore', '--unsealed', latest], settings);
		expect(known.code).toBe(says === unsealed ? 0 : 1);
	});

	test.each(['.db', '.db.age'])('with a key, an unsealed backup named %s is ignored, and is named', async (end) => {
		const { folder, place, plain } = await sealedPlace();
		const settings = { BACKUP_TO: place, BACKUP_KEY_FILE: newKeyFile(), DATA_DIR: newFolder() };
		const [sealed, later] = ['automatic-20261121T083001Z.db.age', `automatic-20261122T083001Z${end}`];
		writeFileSync(join(place, later), plain);
		writeFileSync(join(place, 'backup-20260101T000000Z.db'), plain);
		const named = `${later} and 1 more in ${place}: not sealed, so it is ignored: remove it`;
		for (const args of [['restore', '--verify'], ['restore']]) {
			const ended = await runHere([...args, `${place}/latest`], settings);
			expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(sealed) });
			expect(ended.stderr).toContain(`warning: ${named}\n`);
		}
		const found = await runHere(['check', '--only', 'copies'], { ...settings, DATA_DIR: folder });
		expect(found.stdout).toMatch(
			/^warn copies: .*: not sealed, so it is ignored: remove it; the newest in .*21T08:30:01/,
		);
		const known = await runHere(['restore', '--unsealed', `${place}/latest`], settings);
		expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining(later) });
	});

	test('into the folder of BACKUP_TO, by any path, is one as the automatic ones: sealed, with its secrets', async () => {
		const [folder, place] = [await newInstallation(), newFolder()];
		writeFileSync(join(folder, 'secrets.json'), foreign, { mode: 0o600 });
		const link = join(newFolder(), 'link');
		symlinkSync(place, link);
		const settings = { DATA_DIR: folder, BACKUP_TO: `${place}/`, BACKUP_KEY_FILE: newKeyFile() };
		for (const path of [place, link]) {
			const made = await runHere(['backup', path], settings);
			expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/backup-\d{8}T\d{6}Z(-2)?\.db\.age \(/) });
		}
		const there = readdirSync(place);
		expect(there.filter((name) => name.endsWith('.db.age'))).toHaveLength(2);
		expect(there).toHaveLength(6);
		for (const name of there) expect(readFileSync(join(place, name), 'latin1')).toStartWith('age-encryption.org/v1\n');
		expect(readdirSync(join(folder, 'backups'))).toEqual([]);
		const own = await runHere(['backup', join(link, 'mine.db')], settings);
		const stderr = expect.stringContaining('is in the place of copies: run access backup ');
		expect(own).toMatchObject({ code: 1, stderr });
		expect(readdirSync(place)).toEqual(there);
		const proof = await runHere(['restore', '--verify', `${place}/latest`], { ...settings, DATA_DIR: newFolder() });
		expect(proof).toMatchObject({ code: 0, stderr: '' });
		for (const name of ['latest', there.find((each) => each.endsWith('.db.age')) ?? '']) {
			const fresh = newFolder();
			const back = await runHere(['restore', join(place, name)], { ...settings, DATA_DIR: fresh });
			expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('secrets.json came with it') });
			expect(readFileSync(join(fresh, 'secrets.json'), 'utf8')).toBe(foreign);
		}
		const copy = join(place, there.find((each) => each.endsWith('.db.age')) ?? '');
		for (const name of readdirSync(place).filter((each) => each.endsWith('.secrets.json.age')))
			writeFileSync(join(place, name), 'foreign');
		for (const name of [copy, `${place}/latest`]) {
			for (const args of [['restore'], ['restore', '--verify']]) {
				const lost = await runHere([...args, name], { ...settings, DATA_DIR: newFolder() });
				expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('is not sealed') });
			}
			// A folder with secrets needs no others.
			expect(await runHere(['restore', name], settings)).toMatchObject({ code: 0 });
		}
	});

	test('to a folder of BACKUP_TO that is gone is refused: a file in its place would be unsealed', async () => {
		const [DATA_DIR, place] = [await newInstallation(), join(newFolder(), 'gone')];
		const settings = { DATA_DIR, BACKUP_TO: `${place}/`, BACKUP_KEY_FILE: newKeyFile() };
		const stderr = expect.stringContaining(`cannot use ${place}: it or its folder is not there, check the path\n`);
		expect(await runHere(['backup', place], settings)).toMatchObject({ code: 1, stderr });
		expect(existsSync(place)).toBe(false);
	});

	test('to another file is made although the place of copies does not answer, which is never waited for', async () => {
		const [DATA_DIR, BACKUP_TO] = [await newInstallation(), newFolder()];
		const { sleep } = Bun;
		using _soon = spyOn(Bun, 'sleep').mockImplementation((time) => sleep(Number(time) / 100));
		using _dead = spyOn(files, 'stat').mockReturnValue(Promise.withResolvers<never>().promise);
		using looked = spyOn(fs, 'statSync');
		const file = join(newFolder(), 'moved.db');
		expect(await runHere(['backup', file], { DATA_DIR, BACKUP_TO })).toMatchObject({ code: 0 });
		expect(looked.mock.calls.flat()).toContain(file);
		expect(looked.mock.calls.flat()).not.toContain(BACKUP_TO);
	});

	test('a sealed copy under a later name tells the time of its newest record', async () => {
		const { place } = await sealedPlace();
		const settings = { BACKUP_KEY_FILE: newKeyFile(), DATA_DIR: newFolder() };
		cpSync(join(place, 'automatic-20261121T083001Z.db.age'), join(place, 'automatic-20261122T083001Z.db.age'));
		for (const args of [['restore', '--verify'], ['restore']]) {
			const ended = await runHere([...args, `${place}/latest`], settings);
			expect(ended.stdout).toMatch(/automatic-20261122T083001Z.db.age.* its newest record is from \d{4}-/);
			expect(ended.stderr).toMatch(/^warning: automatic-20261122T.*: its newest record is from .* older backup/m);
		}
	});

	test('strange files and files from the future count for nothing, and never remove a copy', async () => {
		const { folder, place } = await sealedPlace();
		mkdirSync(join(folder, 'backups'));
		const settings = { DATA_DIR: folder, BACKUP_TO: place, BACKUP_KEY_FILE: newKeyFile(), BACKUP_KEEP: '2' };
		const junk = ['01', '02', '03'].map((day) => `automatic-299901${day}T000000Z.db.age`);
		const past = ['2', '3', '4'].map((count) => `automatic-20261121T083001Z-${count}.db.age`);
		for (const name of [...junk, ...past]) writeFileSync(join(place, name), '');
		for (const time of ['29990101T000000Z', '20261121T083001Z', '20261121T083002Z'])
			cpSync(join(folder, 'access.db'), join(folder, 'backups', `automatic-${time}.db`));
		const ended = await copyHere(settings);
		expect(JSON.parse(ended.stdout)).toEqual({
			copy: `${place}/automatic-20261121T083002Z.db.age`,
			removed: [],
		});
		expect(readdirSync(place)).toEqual(expect.arrayContaining(['automatic-20261121T083001Z.db.age', ...junk]));
		const proof = await runHere(['restore', '--verify', `${place}/latest`], settings);
		expect(proof.stdout).toStartWith(`${place}/automatic-20261121T083002Z.db.age is sound`);
		expect(proof.stderr).toMatch(
			/^warning: automatic-29990101T000000Z.db.age and 2 more in .* is ignored: correct the clock/m,
		);
		for (const only of ['backups', 'copies'])
			expect((await runHere(['check', '--only', only], settings)).stdout).toMatch(
				/^warn .*29990101T000000Z\.db(\.age and 2 more)? in .* is ignored/,
			);
	});

	const large = join(newFolder(), 'large.db.age');
	/** Starts a command, and waits until it has begun to decrypt a large copy. */
	async function startOpening(args: string[], { TMPDIR, DATA_DIR }: Record<'TMPDIR' | 'DATA_DIR', string>) {
		if (!existsSync(large)) await writeNew(large, seal(chunksOf(Buffer.alloc(40_000_000), 1_000_000), key));
		const command = [...compiled(), ...args, large];
		const child = spawn({ command, environment: { TMPDIR, DATA_DIR, BACKUP_KEY_FILE: newKeyFile() } });
		const left = () =>
			[TMPDIR, DATA_DIR].flatMap((folder) => readdirSync(folder)).filter((name) => name.startsWith('.access'));
		while (left().length === 0) await Bun.sleep(1);
		return { child, left };
	}

	const stops: [signal: 'SIGTERM' | 'SIGINT', args: string[]][] = [
		['SIGTERM', ['restore', '--verify']],
		['SIGINT', ['restore']],
	];
	const someStops = someOf(stops, ([signal]) => signal === 'SIGTERM');
	test.each(someStops)('a restore that %s ends leaves nothing unsealed', async (signal, args) => {
		const { child, left } = await startOpening(args, { TMPDIR: newFolder(), DATA_DIR: newFolder() });
		child.kill(signal);
		expect([await child.exited, await child.stderr.text(), left()]).toEqual([1, 'stopped\n', []]);
	});

	test('the unsealed copy of a killed verification is removed by the next one, unless a running one needs it', async () => {
		const folders = { TMPDIR: newFolder(), DATA_DIR: newFolder() };
		const killed = await startOpening(['restore', '--verify'], folders);
		killed.child.kill('SIGKILL');
		await killed.child.exited;
		const [abandoned] = killed.left();
		const used = `.access.db.${process.pid}-${crypto.randomUUID()}.partial`;
		writeFileSync(join(folders.TMPDIR, used), '');
		const command = [...compiled(), 'restore', '--verify', '/nowhere.db'];
		expect((await runToEnd({ command, environment: folders })).code).toBe(1);
		expect([abandoned, killed.left()]).toEqual([expect.any(String), [used]]);
	});

	const hangs = () => Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
	const place = 's3://chain/x';
	const withKeyFile = (BACKUP_KEY_FILE: string) => ({ ...reach, BACKUP_KEY_FILE });
	function elsewhere(): string {
		const said = '<Error><Code>Moved</Code><Message>use eu</Message></Error>';
		const server = Bun.serve({ port: 0, fetch: () => new Response(said, { status: 400 }) });
		server.unref();
		return server.url.origin;
	}
	const withTls = () => ({ ...reach, S3_ENDPOINT: reach.S3_ENDPOINT?.replace('http:', 'https:') ?? '' });
	const withoutKey = () => ({ S3_ENDPOINT: reach.S3_ENDPOINT ?? '' });
	const faults: [what: string, settings: () => Record<string, string>, to: string, says: RegExp][] = [
		['an unknown bucket', () => reach, 's3://nobody/x', /cannot use s3:\/\/nobody\/x: there is no such bucket/],
		['an unknown key', () => ({ ...reach, S3_ACCESS_KEY_ID: 'other' }), place, /S3_ACCESS_KEY_ID is not known there/],
		['no key', withoutKey, place, /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not given, give both/],
		['no TLS', withTls, place, /: S3_ENDPOINT does not speak TLS, correct it$/m],
		[
			'another region',
			() => ({ ...reach, S3_ENDPOINT: elsewhere() }),
			place,
			/: use eu \(Moved\), check its name and the S3_ settings$/m,
		],
		// The whole text: it is refused before anything is copied.
		['no key file', () => withKeyFile('/nowhere'), place, /^BACKUP_KEY_FILE: cannot use \/nowhere: .*\n$/],
		...[key.slice(0, 31), `${key}\n${key}`, `${key}\0`, Buffer.alloc(40, 0xff)].map((line): (typeof faults)[number] => [
			`a key file of ${JSON.stringify(line)}`,
			() => withKeyFile(newKeyFile(line)),
			place,
			/^BACKUP_KEY_FILE: .* must hold one line of text of 32 characters or more: openssl rand -base64 32 > /m,
		]),
	];
	test.each(faults)('with %s say so in one line, and leave nothing', async (_what, settings, to, says) => {
		const folder = await newInstallation();
		const ended = await runHere(['backup', to], { DATA_DIR: folder, ...settings() });
		expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
		const backups = join(folder, 'backups');
		expect(existsSync(backups) ? readdirSync(backups) : []).toEqual([]);
	});

	test('a place of sealed copies needs the key, one that is missing or empty says so, and a file may be named latest', async () => {
		const { place, plain } = await sealedPlace();
		const { stderr } = await runHere(['restore', `${place}/latest`], { DATA_DIR: newFolder() });
		expect(stderr).toEndWith(`.db.age in ${place}: sealed: set BACKUP_KEY_FILE (recover: --key-file)\n`);
		const empty = getNewest(placeAt('s3://chain/empty', reach as never), opening);
		expect(await empty.catch(String)).toEndWith('Error: there is no backup in s3://chain/empty: check its name');
		const gone = await runHere(['restore', '--verify', '/nowhere/latest'], { DATA_DIR: newFolder() });
		expect(gone.stderr).toBe('cannot use /nowhere: it or its folder is not there, check the path\n');
		const file = join(newFolder(), 'latest');
		writeFileSync(file, plain);
		const own = await runHere(['restore', '--verify', file], { DATA_DIR: newFolder() });
		expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file} is sound`) });
	});

	test('backups that are not sealed, as all from before the key, are not called worthless where there is no other', async () => {
		const [DATA_DIR, place] = [await newInstallation(), newFolder()];
		writeFileSync(join(place, 'backup-20260101T000000Z.db'), 'unsealed');
		const { stderr } = await runHere(['restore', `${place}/latest`], { DATA_DIR, BACKUP_KEY_FILE: newKeyFile() });
		const ignored = `backup-20260101T000000Z.db in ${place}: not sealed, so it is ignored`;
		expect(stderr).toBe(`there is no backup in ${place}: ${ignored}: restore it with --unsealed if you trust it\n`);
	});

	test('a bucket named with two slashes has what was written to it', async () => {
		const place = placeAt('s3://chain//twice', reach as never);
		await place.write('copy', new Blob(['text']).stream());
		expect(await place.list()).toEqual(['copy']);
		await place.remove('copy');
		expect(await place.list()).toEqual([]);
	});

	test('a network that stops ends the copy', async () => {
		using server = hangs();
		const stalled = placeAt('s3://chain/x', { ...reach, S3_ENDPOINT: `http://127.0.0.1:${server.port}` } as never, 300);
		const nothing = 'cannot use s3://chain/x: it did nothing for 0.3 seconds';
		expect(await findNewest(stalled, opening).catch(String)).toContain(nothing);
		expect(await stalled.write('y', chunksOf(Buffer.alloc(100), 10)).catch(String)).toContain(nothing);
		using _folder = spyOn(files, 'readdir').mockReturnValue(Promise.withResolvers<never>().promise);
		const folder = placeAt('/mnt/x', {} as never, 50);
		expect(await folder.list().catch(String)).toContain('cannot use /mnt/x: it did nothing for');
	});
});
