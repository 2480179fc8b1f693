/** Copies of backups in other places: a bucket that a real S3 server keeps, a folder, and their faults. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import S3rver from 's3rver';
import { copyTo, fetchFrom, newestIn } from '../src/backup-copies/copies.ts';
import { placeAt } from '../src/backup-copies/place.ts';
import { seal, unseal } from '../src/backup-copies/sealing.ts';
import { SmallDisk } from './campaigns/small-disk.ts';
import { serveHere } from './installation.ts';
import { newFolder, removeFolders } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation } from './server.ts';
import { adminPassword } from './world.ts';

afterAll(removeFolders);

let bucketServer: S3rver;
let reach: Record<string, string>;
const kept = newFolder();
beforeAll(async () => {
	const options = { address: '127.0.0.1', port: 0, silent: true, directory: kept };
	bucketServer = new S3rver({ ...options, configureBuckets: [{ name: 'chain', configs: [] }] });
	answerWhenWritten(bucketServer as unknown as { store: Store });
	const { port } = (await bucketServer.run()) as { port: number };
	reach = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
});
afterAll(() => bucketServer.close());

interface Store {
	putObject(object: { bucket: string; key: string }): Promise<{ size: number }>;
	getResourcePath(bucket: string, key: string, kind: 'object'): string;
}

/** s3rver answers before the bytes are in its file, so that who reads at once gets half of them; S3 answers after. */
function answerWhenWritten({ store }: { store: Store }): void {
	const put = store.putObject.bind(store);
	store.putObject = async (object) => {
		const done = await put(object);
		const path = store.getResourcePath(object.bucket, object.key, 'object');
		while (!existsSync(path) || statSync(path).size < done.size) await Bun.sleep(1);
		return done;
	};
}

function newKeyFile(byte = 7): string {
	const path = join(newFolder(), 'key');
	writeFileSync(path, Buffer.alloc(32, byte));
	return path;
}

async function* chunksOf(bytes: Uint8Array, length: number) {
	for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
	return Buffer.concat(await Array.fromAsync(content));
}

describe('what is encrypted', () => {
	const key = Buffer.alloc(32, 7);
	const mebibyte = 1024 * 1024;
	const sealed = (plain: Uint8Array) => bytesOf(seal(chunksOf(plain, 70_000), key));

	test('comes back whatever its length and the length of what arrives, and shows nothing', async () => {
		const lengths = [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte + 5];
		for (const [index, length] of lengths.entries()) {
			const plain = Buffer.alloc(length, 'password');
			const secret = await sealed(plain);
			expect(secret.includes('password')).toBe(false);
			const chunk = [1000, 3 * mebibyte, mebibyte + 7][index % 3] ?? 0;
			expect((await bytesOf(unseal(chunksOf(secret, chunk), () => key))).equals(plain)).toBe(true);
		}
	});

	const part = mebibyte + 16;
	const changed = (bytes: Buffer, index: number) =>
		Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte)));
	const faults: [what: string, harm: (bytes: Buffer) => Buffer][] = [
		['a changed byte', (bytes) => changed(bytes, bytes.length - 20)],
		['a changed salt', (bytes) => changed(bytes, 20)],
		['a missing end', (bytes) => bytes.subarray(0, -1)],
		['a missing last part', (bytes) => bytes.subarray(0, 32 + 2 * part)],
		[
			'parts in another order',
			(bytes) =>
				Buffer.concat([
					bytes.subarray(0, 32),
					bytes.subarray(32 + part, 32 + 2 * part),
					bytes.subarray(32, 32 + part),
					bytes.subarray(32 + 2 * part),
				]),
		],
	];
	test.each(faults)('with %s is refused', async (_what, harm) => {
		const secret = await sealed(Buffer.alloc(2 * mebibyte + 100, 'x'));
		expect(bytesOf(unseal(chunksOf(harm(secret), 500_000), () => key))).rejects.toThrow(/damaged/);
	});

	test('is refused with another key', async () => {
		const other = bytesOf(unseal(chunksOf(await sealed(Buffer.from('text')), 100), () => Buffer.alloc(32, 8)));
		expect(other).rejects.toThrow(/another BACKUP_KEY_FILE/);
	});
});

describe('a server', () => {
	test('copies each automatic backup, encrypted, with its secrets; the machine that is lost comes back from it', async () => {
		const folder = await newInstallation();
		const secrets = '{"JWT_SECRET":"a-secret-of-another-machine-that-is-long"}';
		writeFileSync(join(folder, 'secrets.json'), secrets, { mode: 0o600 });
		const to = { ...reach, BACKUP_TO: 's3://chain/shop', BACKUP_KEY_FILE: newKeyFile(), BACKUP_SECRETS: 'on' };
		const program = await serveHere({ DATA_DIR: folder, ...given, BACKUP_EVERY_HOURS: '1', ...to });
		await program.wrote(/copied the backup/);
		expect(await program.end()).toBe(0);
		const there = readdirSync(join(kept, 'chain/shop')).filter((name) => name.endsWith('_object'));
		expect(there.sort()).toEqual([
			expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.db\.enc\._S3rver_object$/),
			expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.secrets\.enc\._S3rver_object$/),
		]);
		for (const name of there)
			expect(readFileSync(join(kept, 'chain/shop', name)).includes('SQLite format')).toBe(false);

		const proof = await runHere(['restore', '--verify', 's3://chain/shop/latest'], { ...to, DATA_DIR: newFolder() });
		expect(proof).toEqual({
			code: 0,
			stdout: expect.stringMatching(
				/^s3:\/\/chain\/shop\/automatic-.* is sound: schema \d+, administrators: 1, .*; the newest record is of 20.*Z\n$/,
			),
			stderr: '',
		});
		const fresh = newFolder();
		const back = await runHere(['restore', 's3://chain/shop/latest'], { ...to, DATA_DIR: fresh });
		expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('secrets.json came with it') });
		expect(readFileSync(join(fresh, 'secrets.json'), 'utf8')).toBe(secrets);
		const again = await serveHere({ DATA_DIR: fresh, ...given });
		await again.signIn('admin', adminPassword);
		expect(await again.end()).toBe(0);
		expect(readdirSync(fresh).filter((name) => name.startsWith('.restoring'))).toEqual([]);
	});

	test('goes on when the place does not answer, says so, and check says so too', async () => {
		const folder = await newInstallation();
		const to = { ...reach, S3_ENDPOINT: 'http://127.0.0.1:1', BACKUP_TO: 's3://chain/none' };
		const program = await serveHere({ DATA_DIR: folder, ...given, BACKUP_EVERY_HOURS: '1', ...to });
		await program.wrote(/the backup could not be copied/);
		expect((await program.request('/health')).status).toBe(200);
		expect(await program.end()).toBe(0);
		const found = await runHere(['check', '--only', 'copies'], { DATA_DIR: folder, ...to });
		expect(found.stdout).toMatch(/^fail copies: cannot use s3:\/\/chain\/none: nobody answers at S3_ENDPOINT/);
	});
});

describe('access backup and copy-backup', () => {
	test('keep so many automatic copies in a folder, and never copy one twice', async () => {
		const folder = await newInstallation();
		const place = newFolder();
		mkdirSync(join(folder, 'backups'));
		const settings = { DATA_DIR: folder, BACKUP_TO: place, BACKUP_KEEP: '2' };
		writeFileSync(join(place, 'automatic-19990101T000000Z.txt'), 'of somebody else');
		for (const second of ['01', '02', '03', '03']) {
			const name = `automatic-20261121T0830${second}Z.db`;
			cpSync(join(folder, 'access.db'), join(folder, 'backups', name));
			expect(await runHere(['copy-backup'], settings)).toEqual({ code: 0, stdout: `${place}/${name}\n`, stderr: '' });
		}
		expect(readdirSync(place).sort()).toEqual([
			'automatic-19990101T000000Z.txt',
			'automatic-20261121T083002Z.db',
			'automatic-20261121T083003Z.db',
		]);
		expect(await runHere(['check', '--only', 'copies'], settings)).toMatchObject({
			stdout: expect.stringMatching(/^(ok {2}|warn) copies: the newest in .* is of 2026-11-21T08:30:03.000Z/),
		});
	});

	test('to a bucket leaves nothing here, and an encrypted file is restored like any other', async () => {
		const folder = await newInstallation();
		const settings = { ...reach, BACKUP_KEY_FILE: newKeyFile() };
		const made = await runHere(['backup', 's3://chain/by-hand'], { DATA_DIR: folder, ...settings });
		expect(made.stdout).toMatch(/^s3:\/\/chain\/by-hand\/backup-.*\.db\.enc \(\d+ bytes\)\n$/);
		expect(readdirSync(join(folder, 'backups'))).toEqual([]);
		const [object = ''] = readdirSync(join(kept, 'chain/by-hand')).filter((name) => name.endsWith('_object'));
		const file = join(newFolder(), 'moved.db.enc');
		cpSync(join(kept, 'chain/by-hand', object), file);
		const fresh = newFolder();
		expect(await runHere(['restore', file], { DATA_DIR: fresh, ...settings })).toMatchObject({ code: 0 });
		using db = new Database(join(fresh, 'access.db'), { readonly: true });
		expect(db.query('select count(*) as count from administrators').get()).toEqual({ count: 1 });
	});

	test('within one second are two copies, and the second one is the newest', async () => {
		const folder = await newInstallation();
		const settings = { DATA_DIR: folder, ...reach };
		const names: string[] = [];
		while (!names.some((name) => name.endsWith('-2.db'))) {
			const made = await runHere(['backup', 's3://chain/twice', '--json'], settings);
			expect(made, made.stderr).toMatchObject({ code: 0 });
			names.push(JSON.parse(made.stdout).path);
		}
		expect(new Set(names).size).toBe(names.length);
		expect(`s3://chain/twice/${(await newestIn(placeAt('s3://chain/twice', reach as never)))?.name}`).toBe(
			names.at(-1) ?? '',
		);
	});

	const losses: [what: string, read: (bytes: Buffer) => Buffer][] = [
		['loses the end', (bytes) => bytes.subarray(0, -1)],
		['loses everything', () => Buffer.alloc(0)],
		['keeps other bytes', (bytes) => bytes.fill('x')],
	];
	test.each(losses)('remove a copy from a place that %s, encrypted or not', async (_what, read) => {
		const folder = newFolder();
		const backup = join(newFolder(), 'automatic-20261121T083001Z.db');
		writeFileSync(backup, Buffer.alloc(2000, 'backup'));
		const place = placeAt(folder, {} as never);
		const losing = { ...place, read: (name: string) => chunksOf(read(readFileSync(join(folder, name))), 500) };
		for (const key of [undefined, Buffer.alloc(32, 7)]) {
			await expect(copyTo(losing, backup, { key, keep: 1 })).rejects.toThrow();
			expect(readdirSync(folder)).toEqual([]);
		}
	});

	test('leave a copy that is there when a second one cannot be written, and nothing of the second one', async () => {
		const folder = newFolder();
		const backup = join(newFolder(), 'automatic-20261121T083001Z.db');
		writeFileSync(backup, 'backup');
		const place = placeAt(folder, {} as never);
		await copyTo(place, backup, { key: undefined, keep: 1 });
		const failing = { ...place, list: async () => [], write: () => Promise.reject(new Error('no write')) };
		await expect(copyTo(failing, backup, { key: undefined, keep: 1 })).rejects.toThrow('no write');
		expect(readdirSync(folder)).toEqual(['automatic-20261121T083001Z.db']);
		mkdirSync(join(folder, 'taken.db'));
		await expect(place.write('taken.db', chunksOf(Buffer.from('x'), 1))).rejects.toThrow(folder);
		expect(readdirSync(folder).sort()).toEqual(['automatic-20261121T083001Z.db', 'taken.db']);
	});

	test('say which folder has gone when it goes while they are written', async () => {
		const folder = newFolder();
		async function* going() {
			yield Buffer.from('x');
			rmSync(folder, { recursive: true });
		}
		await expect(placeAt(folder, {} as never).write('x.db', going())).rejects.toThrow(`cannot use ${folder}`);
	});

	test('leave no decrypted backup when the secrets beside it cannot be decrypted', async () => {
		const [folder, into] = [newFolder(), join(newFolder(), 'fetched.db')];
		const key = Buffer.alloc(32, 7);
		const backup = join(newFolder(), 'automatic-20261121T083001Z.db');
		writeFileSync(backup, 'backup');
		const place = placeAt(folder, {} as never);
		await copyTo(place, backup, { key, keep: 1, secrets: backup });
		await place.write(
			'automatic-20261121T083001Z.secrets.enc',
			seal(chunksOf(Buffer.from('x'), 1), Buffer.alloc(32, 8)),
		);
		await expect(fetchFrom(place, 'latest', into, () => key)).rejects.toThrow(/another BACKUP_KEY_FILE/);
		expect(existsSync(into)).toBe(false);
	});

	const hangs = () => Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
	const place = 's3://chain/x';
	const withoutKey = () => ({ S3_ENDPOINT: reach.S3_ENDPOINT ?? '' });
	const faults: [what: string, settings: () => Record<string, string>, to: string, says: RegExp][] = [
		[
			'a bucket that is not there',
			() => reach,
			's3://nobody/x',
			/cannot use s3:\/\/nobody\/x: there is no such bucket/,
		],
		['an unknown key', () => ({ ...reach, S3_ACCESS_KEY_ID: 'other' }), place, /S3_ACCESS_KEY_ID is not known there/],
		['no key', withoutKey, place, /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not given/],
		[
			'no key file',
			() => ({ ...reach, BACKUP_KEY_FILE: '/nowhere' }),
			place,
			/^BACKUP_KEY_FILE: cannot use \/nowhere/m,
		],
		[
			'secrets but no key',
			() => ({ ...reach, BACKUP_SECRETS: 'on' }),
			place,
			/is on, but BACKUP_KEY_FILE is not given/,
		],
	];
	test.each(faults)('with %s say so in one line, and leave nothing', async (_what, settings, to, says) => {
		const folder = await newInstallation();
		const ended = await runHere(['backup', to], { DATA_DIR: folder, ...settings() });
		expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
		const backups = join(folder, 'backups');
		expect(existsSync(backups) ? readdirSync(backups) : []).toEqual([]);
	});

	test('an encrypted backup needs its key, and a bucket without backups says so', async () => {
		const folder = await newInstallation();
		const encrypted = { ...reach, BACKUP_KEY_FILE: newKeyFile() };
		await runHere(['backup', 's3://chain/locked'], { DATA_DIR: folder, ...encrypted });
		const restored = (place: string, settings: Record<string, string>) =>
			runHere(['restore', place], { DATA_DIR: newFolder(), ...reach, ...settings });
		expect((await restored('s3://chain/locked/latest', {})).stderr).toMatch(/encrypted: set BACKUP_KEY_FILE/);
		const other = { BACKUP_KEY_FILE: newKeyFile(8) };
		expect((await restored('s3://chain/locked/latest', other)).stderr).toMatch(/of another BACKUP_KEY_FILE/);
		expect((await restored('s3://chain/empty/latest', {})).stderr).toMatch(/there is no backup in s3:\/\/chain\/empty/);
	});

	test('a network that stops ends the copy, and a full disk leaves no half copy', async () => {
		using server = hangs();
		const stalled = placeAt('s3://chain/x', { ...reach, S3_ENDPOINT: `http://127.0.0.1:${server.port}` } as never, 300);
		expect(newestIn(stalled)).rejects.toThrow('cannot use s3://chain/x: it did nothing for 0.3 seconds');
		expect(stalled.write('y', chunksOf(Buffer.alloc(100), 10))).rejects.toThrow('it did nothing');
		if (process.getuid?.() !== 0) return;
		const disk = new SmallDisk(1);
		try {
			const place = placeAt(disk.path, {} as never);
			await expect(place.write('backup', chunksOf(Buffer.alloc(3_000_000), 50_000))).rejects.toThrow(
				/the disk is full, make room/,
			);
			expect(readdirSync(disk.path)).toEqual([]);
		} finally {
			disk[Symbol.dispose]();
		}
	});
});
