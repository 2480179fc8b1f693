/** The history: one record for each change and each sign-in, found again however it is asked for (README, "History"). */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { noThrottle } from '../src/auth/throttle.ts';
import { headOf, lineOf } from '../src/history/formats.ts';
import { readInstant } from '../src/history/instant.ts';
import type { HistoryRecord } from '../src/history/model.ts';
import { blockSize, forgetNames, indexNextNames, isNameIndexSound } from '../src/history/name-index.ts';
import { type Origin, operator, record } from '../src/history/record.ts';
import { removeOldestRecords } from '../src/history/retention.ts';
import { allHistory } from '../src/history/service.ts';
import { fetchDocument } from './contract.ts';
import { adminPassword, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import { seeded } from './oracle.ts';

let service: Service;
const records = (): HistoryRecord[] => [...allHistory(service.db, {})];
const last = (): HistoryRecord => records().at(-1) as HistoryRecord;
const rows = (query: string) => service.rows(query);

describe('every change', () => {
	beforeAll(async () => {
		service = await Service.start({ throttle: noThrottle });
	});

	/** What signs in, or changes one's own password, which has a test of its own (own-account.test.ts). */
	const elsewhere = [
		'POST /api/auth/login',
		'POST /api/auth/admin/login',
		'POST /api/auth/employee/login',
		'PATCH /api/auth/me/password',
	];

	test('leaves exactly one record that says what changed, who did it, and in which request', async () => {
		const by = {
			actorType: 'SUPER_ADMIN',
			actorId: 1,
			actorName: 'admin',
			address: '127.0.0.1',
			reason: null,
			count: 1,
		};
		const steps: [method: string, path: string, body: object | undefined, expected: Partial<HistoryRecord>][] = [
			[
				'POST',
				'/api/stores',
				{ name: '甲店', phone: '1' },
				{
					action: 'STORE_CREATE',
					targetType: 'STORE',
					targetId: 1,
					targetName: '甲店',
					changes: [
						{ field: 'name', before: null, after: '甲店' },
						{ field: 'phone', before: null, after: '1' },
						{ field: 'status', before: null, after: 'ACTIVE' },
					],
				},
			],
			[
				'PATCH',
				'/api/stores/1',
				{ name: '乙店', phone: null },
				{
					action: 'STORE_UPDATE',
					targetName: '乙店',
					changes: [
						{ field: 'name', before: '甲店', after: '乙店' },
						{ field: 'phone', before: '1', after: null },
					],
				},
			],
			['PATCH', '/api/stores/1', { name: '乙店' }, { action: 'STORE_UPDATE', changes: [] }],
			[
				'POST',
				'/api/roles',
				{ code: 'area', name: '区域' },
				{ action: 'ROLE_CREATE', targetType: 'ROLE', targetId: 6 },
			],
			[
				'PATCH',
				'/api/roles/6',
				{ description: '述' },
				{ action: 'ROLE_UPDATE', changes: [{ field: 'description', before: null, after: '述' }] },
			],
			[
				'PUT',
				'/api/permissions/roles/6',
				{ permissions: ['store:manage'] },
				{
					action: 'ROLE_PERMISSIONS_REPLACE',
					targetId: 6,
					changes: [{ field: 'permissions', before: [], after: ['store:view', 'store:manage'] }],
				},
			],
			[
				'POST',
				'/api/employees',
				{ storeId: 1, name: '王芳', phone: '13800138000', roleIds: [6] },
				{ action: 'EMPLOYEE_CREATE', targetType: 'EMPLOYEE', targetId: 1, targetName: '王芳' },
			],
			[
				'PATCH',
				'/api/employees/1',
				{ phone: '13800138001', roleIds: [] },
				{
					action: 'EMPLOYEE_UPDATE',
					changes: [
						{ field: 'phone', before: '13800138000', after: '13800138001' },
						{ field: 'roleIds', before: [6], after: [] },
					],
				},
			],
			[
				'PATCH',
				'/api/employees/1/status',
				{ status: 'INACTIVE' },
				{ action: 'EMPLOYEE_UPDATE', changes: [{ field: 'status', before: 'ACTIVE', after: 'INACTIVE' }] },
			],
			[
				'PATCH',
				'/api/employees/1/password',
				{ oldPassword: initialPassword, newPassword: 'another-password' },
				{ action: 'EMPLOYEE_PASSWORD_CHANGE', changes: [] },
			],
			[
				'PATCH',
				'/api/employees/1/password/reset',
				undefined,
				{ action: 'EMPLOYEE_PASSWORD_RESET', targetId: 1, changes: [] },
			],
			['DELETE', '/api/employees/1', undefined, { action: 'EMPLOYEE_DELETE', targetName: '王芳' }],
			[
				'POST',
				'/api/employees',
				{ storeId: 1, name: '李伟', phone: '13800138000' },
				{ action: 'EMPLOYEE_CREATE', targetId: 2 },
			],
			['DELETE', '/api/stores/1/employees/2', undefined, { action: 'EMPLOYEE_DELETE', targetId: 2 }],
			['DELETE', '/api/roles/6', undefined, { action: 'ROLE_DELETE', targetName: '区域' }],
			['DELETE', '/api/stores/1', undefined, { action: 'STORE_DELETE', targetName: '乙店' }],
			[
				'POST',
				'/api/auth/logout',
				undefined,
				{ action: 'SIGN_OUT', targetType: null, targetId: null, targetName: null },
			],
		];
		for (const [method, path, body, expected] of steps) {
			const before = records().length;
			const answer = await service.asSuper(method, path, body);
			expect([path, answer.status < 300]).toEqual([path, true]);
			expect(records().length - before).toBe(1);
			expect(last()).toMatchObject({ ...by, requestId: answer.headers.get('x-request-id'), ...expected });
		}
		const tried = steps.map(([method, path]) => `${method} ${path.replaceAll(/\d+/g, '0')}`);
		const document = await fetchDocument(service.app);
		const announced = Object.entries(document.paths).flatMap(([path, operations]) =>
			Object.keys(operations)
				.filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
				.map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '0')}`),
		);
		expect(Array.from(new Set([...tried, ...elsewhere])).toSorted()).toEqual(announced.toSorted());
		expect(rows("select 1 from history where instr(changes, 'argon2')")).toEqual([]);
	});

	test('that is refused leaves none', async () => {
		const { token } = expectStatus(await service.login('/api/auth/login', 'admin', adminPassword), 200);
		const before = records().length;
		const refused = [
			service.send('POST', '/api/stores', { token, body: {} }),
			service.send('PATCH', '/api/stores/99', { token, body: { name: 'x' } }),
			service.send('POST', '/api/roles', { token, body: { code: 'admin', name: 'x' } }),
			service.send('DELETE', '/api/roles/1', { token }),
			service.send('POST', '/api/employees', { token, body: { storeId: 99, name: 'x', phone: '13800138000' } }),
			service.send('PATCH', '/api/auth/me/password', {
				token,
				body: { oldPassword: 'not-mine-at-all', newPassword: 'x'.repeat(8) },
			}),
			service.send('POST', '/api/auth/logout', { token: 'a.b.c' }),
		];
		for (const answer of await Promise.all(refused)) expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(records().length).toBe(before);
	});

	test('cannot be changed or taken back in the database itself', () => {
		const { $client } = service.db;
		expect(() => $client.run("update history set actor_name = 'somebody else'")).toThrow('append-only');
		expect(() => $client.run('delete from history where id = 1')).toThrow('append-only');
		expect(() => $client.run('insert or replace into history select * from history where id = 1')).toThrow(
			'append-only',
		);
		expect(() => $client.run('delete from history_state')).toThrow('append-only');
		expect(() => $client.run('replace into history_state values (1, 0, 9)')).toThrow('append-only');
		$client.run('update history_state set kept_from = 2');
		expect(() => $client.run('update history_state set kept_from = 1')).toThrow('append-only');
		expect(() => $client.run('delete from history where id = 2')).toThrow('append-only');
	});

	test('began with the administrator, by whoever ran the program', () => {
		expect(records()[0]).toMatchObject({
			action: 'ADMINISTRATOR_CREATE',
			actorType: 'OPERATOR',
			actorName: 'tester',
			targetName: 'admin',
		});
	});
});

describe('sign-ins', () => {
	beforeEach(async () => {
		service = await Service.start();
	});

	test('that succeed leave one record each', async () => {
		expectStatus(await service.login('/api/auth/login', 'admin', adminPassword), 200);
		expect(last()).toMatchObject({ action: 'SIGN_IN', actorType: 'SUPER_ADMIN', actorId: 1, targetId: null });
	});

	test('that are refused say why; of a name that no account has, not even the name', async () => {
		const store = await service.addStore();
		const { id, phone, name } = await service.addEmployee(store.id);
		await service.login('/api/auth/login', phone, initialPassword);
		service.refusedSignIns.flush(service.time.toISOString());
		expect(last()).toMatchObject({
			action: 'SIGN_IN_REFUSED',
			actorType: 'EMPLOYEE',
			actorId: id,
			actorName: name,
			reason: 'NO_BACK_OFFICE',
			count: 1,
		});
		await service.login('/api/auth/login', phone, 'wrong-password');
		service.refusedSignIns.flush(service.time.toISOString());
		expect(last()).toMatchObject({ actorId: id, reason: 'WRONG_PASSWORD' });
		await service.login('/api/auth/login', 'my secret password', 'wrong-password');
		service.refusedSignIns.flush(service.time.toISOString());
		expect(last()).toMatchObject({ actorType: 'ANONYMOUS', actorId: null, actorName: '', reason: 'UNKNOWN_ACCOUNT' });
		expect(JSON.stringify(records())).not.toContain('my secret');
	});

	test('that are refused again and again are told together', async () => {
		service = await Service.start({ throttle: noThrottle });
		const before = records().length;
		await refuse(500, (time) => `192.0.2.${time % 250}`);
		// One each for the first hundred addresses.
		expect(records().length - before).toBe(100);
		service.time = new Date(service.time.getTime() + 11 * 60_000);
		service.refusedSignIns.flush(service.time.toISOString());
		const told = records().slice(before);
		expect(told.length).toBe(101);
		expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(500);
		expect(last()).toMatchObject({ reason: 'VARIOUS', address: null, count: 300 });
	});

	test('of an account are told as such, from however many addresses unknown names were tried', async () => {
		service = await Service.start({ throttle: noThrottle });
		await refuse(300, (time) => `2001:db8:0:${time.toString(16)}::1`);
		await refuse(120, (time) => `2001:db8:1:${time.toString(16)}::1`, 'admin');
		await refuse(50, (time) => `2001:db8:2:0::${time.toString(16)}`, 'admin');
		service.refusedSignIns.flush(service.time.toISOString(), { now: true });
		const ofAdmin = records().filter(({ action, actorId }) => action === 'SIGN_IN_REFUSED' && actorId === 1);
		expect(ofAdmin.reduce((sum, { count }) => sum + count, 0)).toBe(170);
		expect(ofAdmin.filter(({ address }) => address === null)).toHaveLength(2);
		expect(ofAdmin).toHaveLength(102);
	});

	test('cannot be recorded while the disk takes nothing: the answers are the same, and it is told later', async () => {
		const before = records().length;
		const { $client } = service.db;
		$client.run('pragma query_only = on');
		for (const username of ['admin', 'nobody']) {
			expectRefusal(await service.login('/api/auth/login', username, 'wrong-password'), 401, 'UNAUTHORIZED');
		}
		expect(() => service.refusedSignIns.flush(service.time.toISOString())).toThrow();
		$client.run('pragma query_only = off');
		service.refusedSignIns.flush(service.time.toISOString());
		expect(records().slice(before)).toMatchObject([{ reason: 'WRONG_PASSWORD' }, { reason: 'UNKNOWN_ACCOUNT' }]);
	});

	async function refuse(times: number, address: (time: number) => string, username = 'nobody'): Promise<void> {
		for (let time = 0; time < times; time += 1) {
			await service.send('POST', '/api/auth/login', {
				body: { username, password: 'wrong-password' },
				headers: { [Service.peerHeader]: address(time) },
			});
		}
		service.refusedSignIns.flush(service.time.toISOString());
	}
});

describe('a list', () => {
	const count = 3000;
	const all: HistoryRecord[] = [];

	beforeAll(async () => {
		service = await Service.start();
		// In the middle of them a new block begins, in which the hits of a character are counted anew.
		service.db.$client.run('drop trigger history_no_update');
		service.db.$client.run('update history set id = ?', [blockSize - count / 2]);
		const { pick, below } = seeded(7);
		const actions = ['SIGN_IN', 'STORE_UPDATE', 'EMPLOYEE_UPDATE', 'EMPLOYEE_CREATE', 'ROLE_UPDATE'] as const;
		const names = ['王芳', '王伟', '李芳', 'Mary Ann', 'administrator', '李'];
		for (let index = 0; index < count; index += 1) {
			const action = pick(actions);
			const actor = pick([
				{ accountType: 'SUPER_ADMIN', id: 1, name: 'admin' },
				{ accountType: 'EMPLOYEE', id: 1, name: pick(names) },
				{ accountType: 'EMPLOYEE', id: below(20) + 1, name: pick(names) },
			] as const);
			const origin: Origin = { actor, address: null, requestId: null };
			const type = action.split('_')[0] as 'STORE';
			const target = action === 'SIGN_IN' ? {} : { target: { type, id: below(30) + 1, name: pick(names) } };
			const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
			// The first record is of the installation, now: none is told to be before it.
			record(service.db, origin, { action, ...target }, at);
		}
		for (let step = 0; step < 9; step += 1) indexNextNames(service.db);
		all.push(...records());
	});

	const matches = (each: HistoryRecord, filter: Record<string, string>) =>
		Object.entries(filter).every(([name, value]) => {
			if (name === 'from') return each.at >= value;
			if (name === 'to') return each.at < value;
			if (name !== 'keyword') return String(each[name as keyof HistoryRecord]) === value;
			return [each.actorName, each.targetName ?? ''].some((text) => text.toLowerCase().includes(value.toLowerCase()));
		});

	test('says the same as a plain look through every record, whatever the filter and the page', async () => {
		const { pick, random, below } = seeded(11);
		const choices: Record<string, readonly string[]> = {
			actorType: ['SUPER_ADMIN', 'EMPLOYEE', 'OPERATOR'],
			actorId: ['1', '7', '99'],
			action: ['SIGN_IN', 'STORE_UPDATE', 'ROLE_UPDATE', 'ADMINISTRATOR_CREATE'],
			targetType: ['STORE', 'EMPLOYEE', 'ROLE'],
			targetId: ['1', '5', '77'],
			keyword: ['王', '王芳', 'ADMIN', 'min', 'a', 'administra', 'nn', '芳', 'zz'],
			from: ['2026-01-01T05:00:00.000Z', '2020-01-01T00:00:00.000Z'],
			to: ['2026-01-02T00:00:00.000Z', '2100-01-01T00:00:00.000Z'],
		};
		for (let round = 0; round < 400; round += 1) {
			const filter = Object.fromEntries(
				Object.entries(choices).flatMap(([name, values]) => (random() < 0.25 ? [[name, pick(values)]] : [])),
			);
			const expected = all.filter((each) => matches(each, filter)).toReversed();
			const pageSize = pick([1, 7, 20, 100]);
			const page = 1 + below(Math.ceil(expected.length / pageSize) + 1);
			const query = new URLSearchParams({ ...filter, page: String(page), pageSize: String(pageSize) });
			const { items, pagination } = expectStatus(await service.asSuper('GET', `/api/history?${query}`), 200);
			expect([query.toString(), pagination.total]).toEqual([query.toString(), expected.length]);
			expect(items).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
		}
	});

	test('is the super administrator’s only, and one record has an address of its own', async () => {
		const store = await service.addStore();
		const { token } = await service.addPerson(store.id, 'permission:manage', 'employee:manage');
		expectRefusal(await service.send('GET', '/api/history', { token }), 403, 'FORBIDDEN');
		expect(expectStatus(await service.asSuper('GET', `/api/history/${all[1]?.id}`), 200)).toEqual(all[1]);
		expectRefusal(await service.asSuper('GET', '/api/history/999999'), 404, 'NOT_FOUND', '记录不存在');
	});

	test('the index of names can be made anew, and is told from one that is not in step', () => {
		expect(isNameIndexSound(service.db)).toBe(true);
		for (const damage of [
			'delete from history_search where rowid = (select min(id) from history)',
			"update history_character_counts set total = total + 1 where character = '王'",
		]) {
			service.db.$client.run('savepoint damage');
			service.db.$client.run(damage);
			expect(isNameIndexSound(service.db)).toBe(false);
			service.db.$client.run('rollback to damage');
			service.db.$client.run('release damage');
		}
		forgetNames(service.db);
		while (indexNextNames(service.db));
		expect(isNameIndexSound(service.db)).toBe(true);
	});
});

test('a record is never before the one before it, whatever the clock does', () => {
	record(service.db, operator('x'), { action: 'SIGN_OUT' }, '2099-01-01T00:00:00.000Z');
	record(service.db, operator('x'), { action: 'SIGN_OUT' }, '2001-01-01T00:00:00.000Z');
	expect(last().at).toBe('2099-01-01T00:00:00.000Z');
});

test('what is too old goes a little at a time, from the oldest end, and totals follow', async () => {
	service = await Service.start();
	for (let index = 0; index < 250; index += 1)
		record(service.db, operator('某人'), { action: 'SIGN_OUT' }, '2099-01-01T00:00:00.000Z');
	const limit = '2099-06-01T00:00:00.000Z';
	// What is not indexed yet stays.
	expect(removeOldestRecords(service.db, limit)).toBe(false);
	while (indexNextNames(service.db));
	expect(removeOldestRecords(service.db, limit)).toBe(true);
	expect(records()).toHaveLength(226);
	const total = async (query: string) =>
		expectStatus(await service.asSuper('GET', `/api/history?${query}`), 200).pagination.total;
	for (const query of ['', 'actorType=OPERATOR', 'action=SIGN_OUT', `keyword=${encodeURIComponent('某')}`]) {
		expect([query, await total(query)]).toEqual([query, 226]);
	}
	while (removeOldestRecords(service.db, limit));
	// The newest stays, for the next one to be numbered after it.
	expect(records()).toHaveLength(1);
	expect(removeOldestRecords(service.db, limit)).toBe(false);
	expect(isNameIndexSound(service.db)).toBe(true);
	expect(rows('select character, total from history_character_counts')).toEqual(
		Array.from('人某', (character) => ({ character, total: 1 })),
	);
	expect(() => service.db.$client.run('update history_state set kept_from = 999')).toThrow('append-only');
});

test.each([
	['2026-11-21', '2026-11-21T00:00:00.000Z'],
	['2026-11-21T08:30Z', '2026-11-21T08:30:00.000Z'],
	['2026-11-21T08:30:15.5+08:00', '2026-11-21T00:30:15.500Z'],
	['2026-11-21T08:30:15-02:30', '2026-11-21T11:00:15.000Z'],
	['0001-01-01', '0001-01-01T00:00:00.000Z'],
	['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z'],
	['0000-01-01T00:00:00+05:00', '0000-01-01T00:00:00.000Z'],
	['2026-11-21 08:30', undefined],
	['tomorrow', undefined],
])('the time %p is %p', (text, instant) => {
	expect(readInstant(text)).toBe(instant as string);
});

test('a table opens in a spreadsheet with its texts as texts', () => {
	const hostile: HistoryRecord = {
		id: 1,
		at: '2026-11-21T00:00:00.000Z',
		action: 'STORE_UPDATE',
		actorType: 'EMPLOYEE',
		actorId: 7,
		actorName: '=HYPERLINK("http://x","y")',
		address: '::1',
		requestId: '-1',
		targetType: 'STORE',
		targetId: 2,
		targetName: '@甲, "乙"\n店',
		changes: [{ field: 'name', before: null, after: '+1' }],
		reason: null,
		count: 1,
	};
	expect(headOf('csv').startsWith('\uFEFFid,at,action,')).toBe(true);
	expect(lineOf('csv', hostile)).toBe(
		'1,2026-11-21T00:00:00.000Z,STORE_UPDATE,EMPLOYEE,7,"\'=HYPERLINK(""http://x"",""y"")",::1,"\'-1",STORE,2,' +
			'"\'@甲, ""乙""\n店","[{""field"":""name"",""before"":null,""after"":""+1""}]",,1\r\n',
	);
	expect(JSON.parse(lineOf('jsonl', hostile))).toEqual(hostile);
	// Where Excel takes the semicolon for the end of a cell.
	for (const [name, told] of [
		['甲;=1+1', '"甲;\'=1+1"'],
		['甲; "=1+1', '"甲; ""\'=1+1"'],
		['甲\t@x', '"甲\t\'@x"'],
		['甲;乙=1', '甲;乙=1'],
	] as const) {
		expect(lineOf('csv', { ...hostile, targetName: name })).toContain(`,2,${told},`);
	}
});
