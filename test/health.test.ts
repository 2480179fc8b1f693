/** The answer of `/health`, and changes while the disk loses writes. */
import { expect, spyOn, test } from 'bun:test';
import { copyFileSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../src/platform/database/open.ts';
import { transaction } from '../src/platform/database/query.ts';
import { getTokenEpoch } from '../src/platform/database/token-epoch.ts';
import { expectRefusal, expectStatus, Service } from './harness.ts';
import { removeFoldersAfterAll } from './installation.ts';
import { newFolder } from './program.ts';
import { withDatabase } from './server.ts';

removeFoldersAfterAll();

test('GET /health reports that the service and the database work, and the time', async () => {
	const service = await Service.start();
	service.time = new Date('2031-02-03T04:05:06.007Z');
	const answer = await service.as('not.a.token', 'GET', '/health');
	expect(answer.status).toBe(200);
	const data = { status: 'ok', database: 'up', now: '2031-02-03T04:05:06.007Z' };
	expect(answer.body).toEqual({ success: true, data });
});

test('GET /health tries no write while all is well', async () => {
	const service = await Service.start();
	for (const change of [() => {}, () => service.addStore()]) {
		await change();
		using begun = spyOn(service.db, 'transaction');
		expectStatus(await service.send('GET', '/health'), 200);
		expect(begun).not.toHaveBeenCalled();
	}
});

test('GET /health is 503 after a change that could not be stored, until one can be', async () => {
	const service = await Service.start();
	const health = () => service.send('GET', '/health');
	service.db.$client.run('pragma query_only = on');
	const change = await service.asSuper('POST', '/api/stores', { name: '一店' });
	for (const answer of [change, await health()]) expectRefusal(answer, 503);
	service.db.$client.run('pragma query_only = off');
	for (const _ of [1, 2]) expectStatus(await health(), 200);
});

test('the first start is refused as a change is when the disk has no room for its token epoch', () => {
	using db = openDatabase(':memory:');
	db.$client.run('create table filler (content)');
	db.$client.run(`create trigger fills before insert on installation begin
		insert into filler values (zeroblob(100000)); end`);
	db.$client.run('pragma max_page_count = 1');
	expect(() => getTokenEpoch(db)).toThrow('数据暂时无法保存，请稍后再试');
});

test('a change for which a full disk has no room is refused and leaves nothing; reads go on, and it works once there is room', async () => {
	const service = await Service.start();
	const { $client } = service.db;
	// SQLite keeps the existing pages.
	$client.run('pragma max_page_count = 1');
	const open = (number: number) =>
		service.asSuper('POST', '/api/stores', { name: `${number}店`, address: '路'.repeat(255) });
	let opened = 0;
	let before = service.everything();
	let last = await open(opened);
	for (; last.status === 201; last = await open(opened)) {
		opened += 1;
		before = service.everything();
	}
	expectRefusal(last, 503, '数据暂时无法保存，请稍后再试');
	expect(service.everything()).toEqual(before);
	expect(await service.read('/api/stores')).toHaveLength(opened);
	$client.run('pragma max_page_count = 100000');
	expectStatus(await open(opened), 201);
});

/** Moves files of a folder away. @returns a function that puts them back */
function removeFiles(folder: string, ...names: string[]): () => void {
	for (const name of names) renameSync(join(folder, name), join(folder, `${name}.aside`));
	return () => {
		for (const name of names) renameSync(join(folder, `${name}.aside`), join(folder, name));
	};
}

/** Replaces a file with a copy, in one step. @returns a function that puts the file back */
function replace(folder: string, name: string): () => void {
	const path = join(folder, name);
	copyFileSync(path, `${path}.copy`);
	linkSync(path, `${path}.aside`);
	renameSync(`${path}.copy`, path);
	return () => renameSync(`${path}.aside`, path);
}

const losses: [what: string, take: (folder: string) => () => void][] = [
	['the database is taken away', (folder) => removeFiles(folder, 'access.db')],
	['its log is taken away', (folder) => removeFiles(folder, 'access.db-wal')],
	['all files are taken away', (folder) => removeFiles(folder, 'access.db', 'access.db-wal', 'access.db-shm')],
	['the database is replaced', (folder) => replace(folder, 'access.db')],
	['its log is replaced', (folder) => replace(folder, 'access.db-wal')],
	['the folder is taken away', (folder) => removeFiles(folder, '../data')],
];
test.each(losses)('while %s no change is acknowledged; once it is back, nothing is lost', (_, take) => {
	const folder = join(newFolder(), 'data');
	mkdirSync(folder);
	const path = join(folder, 'access.db');
	const open = (name: string) =>
		transaction(db, () => {
			db.$client.run("insert into stores (name, status, created_at, updated_at) values (?, 'ACTIVE', '', '')", [name]);
		});
	using db = openDatabase(path);
	open('before');
	const putBack = take(folder);
	for (const name of ['lost', 'lost again']) expect(() => open(name)).toThrow('数据暂时无法保存，请稍后再试');
	putBack();
	open('after');
	const stored = withDatabase(path, (database) => database.query('select name from stores').values());
	expect(stored).toEqual([['before'], ['after']]);
});

test('a change is not acknowledged when the database is taken away while it is made', () => {
	const folder = join(newFolder(), 'data');
	mkdirSync(folder);
	using db = openDatabase(join(folder, 'access.db'));
	let putBack = () => {};
	const open = () =>
		transaction(db, () => {
			putBack = removeFiles(folder, 'access.db');
		});
	expect(open).toThrow('数据暂时无法保存，请稍后再试');
	putBack();
});

test('a change that another process holds up for too long says nothing about the disk', () => {
	const path = join(newFolder(), 'access.db');
	using db = openDatabase(path);
	db.$client.run('pragma busy_timeout = 0');
	withDatabase(path, (database) => {
		database.run('begin immediate');
		expect(() => transaction(db, () => {})).toThrow('数据暂时无法保存，请稍后再试');
	});
	expect(db.storage.lastUseFailed).toBe(false);
});
