/** The history: one record of each change and each sign-in, and the search for them. */

import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import papa from 'papaparse';
import { type Change, type HistoryRecord, readInstant, type ShownRecord } from '../src/identity/history/model.ts';
import { operator, type RecordedActor, record, recordAll } from '../src/identity/history/record.ts';
import { pruneHistory } from '../src/identity/history/retention.ts';
import { searchFor } from '../src/identity/history/search.ts';
import { sentenceOf } from '../src/identity/history/sentence.ts';
import { listHistory } from '../src/identity/history/service.ts';
import { fieldWord } from '../src/identity/history/words.ts';
import { transaction } from '../src/platform/database/query.ts';
import { addDays, dayOf } from '../src/platform/vocabulary/day.ts';
import { actions } from '../src/platform/vocabulary/history.ts';
import { fetchDocument } from './contract.ts';
import { adminPassword, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import { additions, nameOf, seeded, specified } from './oracle.ts';

const service = await Service.start();
service.restoreBeforeEachTest();
const records = () => service.records();
const last = () => records().at(-1) as HistoryRecord;
const rows = (query: string) => service.rows(query);
const none = { targetType: null, targetId: null, targetName: null };

describe('a change', () => {
	const by = { actorType: 'SUPER_ADMIN', actorId: 1, actorName: 'admin', address: '127.0.0.1', reason: null, count: 1 };

	const field = (name: string, before: unknown, after: unknown) => ({ field: name, before, after });
	const nothing = { changes: [] };
	const gone = field('status', 'ACTIVE', 'INACTIVE');
	const until = '2999-12-31';
	const passwords = { oldPassword: initialPassword, newPassword: 'another-password' };
	const program = { name: '工资系统', permissions: ['store:view'], endsOn: addDays(dayOf(service.time), 1) };
	const point = { code: 'till:refund', title: '退款' };
	const retitled = { changes: [field('title', '退款', '退货')] };
	const redirectUris = ['https://till.example/'];
	const readdressed = { changes: [field('redirectUris', [], redirectUris)] };
	const hired = { storeId: 1, name: '王芳', phone: '13800138000', roleIds: [6] };
	const granted = { targetId: 6, changes: [field('permissions', [], ['store:view', 'store:manage'])] };
	const given = [field('roleIds', [], [3]), field('roleId', null, 3), field('until', null, until)];
	const unlimited = [field('roleId', null, 3), field('until', until, null)];
	const { roleIds: _, ...person } = hired;
	const known = { ...person, status: 'ACTIVE', roleIds: [3] };
	const restored = Object.entries(known).map(([name, value]) => field(name, null, value));
	const asked = { storeId: 1, keyword: true, format: 'csv', total: 1 };
	const exported = { ...none, changes: Object.entries(asked).map(([name, value]) => field(name, null, value)) };
	const reach = { stores: [{ storeId: 2, until: '2999-12-31' }], areas: [] };
	const inArea = { ids: [1], change: { areaId: 1 } };
	/** Another test checks the record of every field of a creation and an update. */
	const steps: [action: string, request: string, body: object | undefined, record: Partial<HistoryRecord>][] = [
		['CHAIN_UPDATE', 'PUT /api/chain', { name: '甲' }, { targetType: 'CHAIN', changes: [field('name', null, '甲')] }],
		['CHAIN_UPDATE', 'PUT /api/chain', { name: '乙' }, { targetName: '乙', changes: [field('name', '甲', '乙')] }],
		['STORE_CREATE', 'POST /api/stores', { name: '甲店' }, { targetType: 'STORE', targetId: 1, targetName: '甲店' }],
		['STORE_UPDATE', 'PATCH /api/stores/1', { name: '乙店' }, { targetName: '乙店' }],
		['AREA_CREATE', 'POST /api/areas', { name: '华东' }, { targetType: 'AREA', targetId: 1, targetName: '华东' }],
		['AREA_UPDATE', 'PATCH /api/areas/1', { name: '华南' }, { changes: [field('name', '华东', '华南')] }],
		['STORE_UPDATE', 'POST /api/stores/changes', inArea, { changes: [field('areaId', null, 1)] }],
		['STORE_UPDATE', 'PATCH /api/stores/1', { areaId: null }, { changes: [field('areaId', 1, null)] }],
		['AREA_DELETE', 'DELETE /api/areas/1', undefined, { targetName: '华南' }],
		['STORE_CREATE', 'POST /api/stores', { name: '丙店' }, { targetId: 2 }],
		['ROLE_CREATE', 'POST /api/roles', { code: 'area', name: '区域' }, { targetType: 'ROLE', targetId: 6 }],
		['ROLE_UPDATE', 'PATCH /api/roles/6', { description: '述' }, { changes: [field('description', null, '述')] }],
		['ROLE_PERMISSIONS_REPLACE', 'PUT /api/permissions/roles/6', { permissions: ['store:manage'] }, granted],
		['EMPLOYEE_CREATE', 'POST /api/employees', hired, { targetType: 'EMPLOYEE', targetId: 1, targetName: '王芳' }],
		['EMPLOYEE_UPDATE', 'PATCH /api/employees/1', { roleIds: [] }, { changes: [field('roleIds', [6], [])] }],
		['EMPLOYEE_UPDATE', 'PATCH /api/employees/1/status', { status: 'INACTIVE' }, { changes: [gone] }],
		['EMPLOYEE_PASSWORD_CHANGE', 'PATCH /api/employees/1/password', passwords, nothing],
		['EMPLOYEE_EXPORT', 'GET /api/employees/export?format=csv&storeId=1&keyword=王', undefined, exported],
		['EMPLOYEE_EXPORT', 'GET /api/employees/export?format=csv&storeId=1&search=王', undefined, exported],
		['EMPLOYEE_PASSWORD_RESET', 'PATCH /api/employees/1/password/reset', undefined, { targetId: 1, changes: [] }],
		['EMPLOYEE_ONE_TIME_PASSWORD', 'POST /api/employees/1/one-time-password', undefined, { targetId: 1, changes: [] }],
		['EMPLOYEE_ONE_TIME_PASSWORD', 'POST /api/employees/one-time-passwords', { ids: [1, 1] }, nothing],
		['EMPLOYEE_ROLE_GIVE', 'POST /api/employees/1/roles', { roleId: 3, until }, { changes: given }],
		['EMPLOYEE_ROLE_GIVE', 'POST /api/employees/1/roles', { roleId: 3 }, { changes: unlimited }],
		['EMPLOYEE_REACH', 'PUT /api/employees/1/reach', reach, { changes: [field('storeIds', [], ['2 2999-12-31'])] }],
		['EMPLOYEE_REACH', 'PUT /api/employees/1/reach', { stores: [], areas: [] }, { targetName: '王芳' }],
		['EMPLOYEE_SIGN_OUT', 'DELETE /api/employees/1/sign-ins', undefined, { targetName: '王芳', changes: [] }],
		['EMPLOYEE_DELETE', 'DELETE /api/employees/1', undefined, { targetId: 1, targetName: '王芳' }],
		['EMPLOYEE_RESTORE', 'POST /api/employees/1/restore', undefined, { changes: restored }],
		['EMPLOYEE_DELETE', 'DELETE /api/stores/1/employees/1', undefined, { targetId: 1 }],
		['ROLE_DELETE', 'DELETE /api/roles/6', undefined, { targetName: '区域' }],
		['STORE_DELETE', 'DELETE /api/stores/1', undefined, { targetName: '乙店' }],
		['POINT_CREATE', 'POST /api/permissions/points', point, { targetType: 'PERMISSION_POINT', targetName: '退款' }],
		['POINT_UPDATE', 'PATCH /api/permissions/points/1', { title: '退货' }, retitled],
		['POINT_DELETE', 'DELETE /api/permissions/points/1', undefined, { targetId: 1, targetName: '退货' }],
		['PROGRAM_CREATE', 'POST /api/programs', program, { targetType: 'PROGRAM', targetName: '工资系统' }],
		['PROGRAM_UPDATE', 'PATCH /api/programs/1', { name: '薪酬' }, { changes: [field('name', '工资系统', '薪酬')] }],
		['PROGRAM_KEY', 'POST /api/programs/1/key', undefined, { targetId: 1, changes: [] }],
		['PROGRAM_UPDATE', 'PATCH /api/programs/1', { redirectUris }, readdressed],
		['PROGRAM_SECRET', 'POST /api/programs/1/secret', undefined, { targetId: 1, changes: [] }],
		['PROGRAM_DELETE', 'DELETE /api/programs/1', undefined, { targetName: '薪酬' }],
		['ADMINISTRATOR_CREATE', 'POST /api/administrators', { username: 'owner' }, { targetId: 2, targetName: 'owner' }],
		['ADMINISTRATOR_DELETE', 'DELETE /api/administrators/2', undefined, { targetId: 2, targetName: 'owner' }],
		['SIGN_OUT_EVERYWHERE', 'POST /api/auth/logout', undefined, none],
	];

	test('leaves exactly one record with the change, the actor and the request, and no password hash', async () => {
		for (const [action, request, body, expected] of steps) {
			service.tick();
			const [method = '', path = ''] = request.split(' ');
			const before = records().length;
			const answer = await service.asSuper(method, path, body);
			expect(answer.status, answer.text).toBeLessThan(300);
			expect([request, records().length - before]).toEqual([request, 1]);
			expect(last()).toMatchObject({ ...by, action, requestId: answer.headers.get('x-request-id'), ...expected });
			if (!/^(PUT|PATCH|POST.*\/(1\/roles|stores\/changes)$)(?!.*password)/.test(request)) continue;
			// The same again changes nothing, so it writes nothing.
			const written = service.everything();
			service.tick();
			const again = await service.asSuper(method, path, body);
			expect([request, again.status]).toEqual([request, 200]);
			expect(service.everything(), request).toEqual(written);
		}
		expect(rows("select 1 from history where instr(changes, 'argon2') or instr(changes, 'hmac')")).toEqual([]);
	});

	test('is not left for the headers of an export, because nobody gets the file', async () => {
		const before = records().length;
		const headers = { authorization: `Bearer ${service.superToken}` };
		const request = new Request('http://localhost/api/employees/export', { method: 'HEAD', headers });
		expect((await service.app.handle(request)).status).toBe(200);
		expect(records().length).toBe(before);
	});

	test('of every route is in this table, or has a test elsewhere', async () => {
		const elsewhere = [
			'POST /api/auth/login',
			'POST /api/auth/admin/login',
			'POST /api/auth/employee/login',
			// own-account.test.ts
			'PATCH /api/auth/me/password',
			'DELETE /api/auth/me/sign-ins/0',
			// second-factor.test.ts
			...['POST', 'PUT', 'DELETE'].map((method) => `${method} /api/auth/me/second-factor`),
			'POST /api/auth/me/second-factor/recovery-codes',
			'DELETE /api/employees/0/second-factor',
			// approvals.test.ts
			'POST /api/approvals',
			// One record for each employee: stores, import, store-files and changes.
			'POST /api/stores/0/close',
			'POST /api/employees/import',
			'POST /api/stores/import',
			'POST /api/employees/changes',
			'POST /api/employees/changes/0/undo',
		];
		const withoutRecord = additions.filter(({ writesNothing }) => writesNothing).map(nameOf);
		const tried = steps.map(([, request]) => request.replaceAll(/\d+/g, '0')).filter((each) => !each.startsWith('GET'));
		const document = await fetchDocument(service.app);
		const published = Object.entries(document.paths).flatMap(([path, operations]) =>
			Object.keys(operations)
				.filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
				.map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '0')}`),
		);
		const known = new Set([...tried, ...elsewhere, ...withoutRecord]);
		const cause = 'a new route that writes is a row of `steps`, or in `elsewhere` with the file of its test';
		expect([...known].toSorted(), cause).toEqual(published.toSorted());
	});
});

const resources = specified.filter(({ path }) => ['/api/stores', '/api/roles', '/api/employees'].includes(path));
const creations = resources.filter(({ method }) => method === 'POST');
test.each(creations)(
	'every field that people write is stored, answered and recorded: $path',
	async ({ path, body = {} }) => {
		await service.addArea();
		const stores = [await service.addStore(), await service.addStore()].map(({ id }) => id);
		const valuesOf = (place: 0 | 1) =>
			Object.fromEntries(
				Object.entries(body).map(([name, { good }]) => [name, (name === 'storeId' ? stores : good)[place]]),
			);
		// The first good value may be the default.
		const [created, changed] = [valuesOf(1), valuesOf(0)];
		const { id } = expectStatus(await service.asSuper('POST', path, created), 201);
		const creation = last().changes;
		const include = { '/api/stores': '?include=area', '/api/employees': '?include=externalId' }[path] ?? '';
		async function expectStored(fields: object): Promise<void> {
			const { roles, area, ...read } = await service.read(`${path}/${id}${include}`);
			const ids = { roleIds: roles?.map((role: { id: number }) => role.id), areaId: area?.id ?? null };
			expect({ ...read, ...ids }).toMatchObject(fields);
		}
		await expectStored(created);
		expectStatus(await service.asSuper('PATCH', `${path}/${id}`, changed), 200);
		await expectStored(changed);
		for (const [field, after] of Object.entries(created)) {
			expect(creation).toContainEqual({ field, before: null, after });
			expect(last().changes).toContainEqual({ field, before: after, after: changed[field] });
			expect(fieldWord(field, null), 'its word in history/words.ts').not.toBe(field);
		}
	},
);

describe('the history', () => {
	test('has no record of a refused password or sign-out', async () => {
		const { token } = expectStatus(await service.login('/api/auth/login', 'admin', adminPassword), 200);
		const before = records().length;
		expectRefusal(await service.changeOwnPassword(token, 'not-mine-at-all', 'x'.repeat(8)), 400);
		expect((await service.as('a.b.c', 'POST', '/api/auth/logout')).status).toBe(401);
		expect(records().length).toBe(before);
	});

	test('has a record of each export of people, or there is no export', async () => {
		const { $client } = service.db;
		$client.run('pragma query_only = on');
		const refused = await service.asSuper('GET', '/api/employees/export');
		$client.run('pragma query_only = off');
		expectRefusal(refused, 503);
	});

	test('never goes back in time, even when the clock does', () => {
		record(service.db, operator('x', '2099-01-01T00:00:00.000Z'), { action: 'SIGN_OUT' });
		record(service.db, operator('x', '2001-01-01T00:00:00.000Z'), { action: 'SIGN_OUT' });
		expect(last().at).toBe('2099-01-01T00:00:00.000Z');
	});

	const [, ...columns] = rows("select name from pragma_table_info('history')").map(({ name }) => `"${name}"`);
	test.each([
		['an update', "update history set actor_name = 'somebody else'"],
		['a replaced record', 'insert or replace into history select * from history where id = 2'],
		['a gap in the ids', `insert into history select 99, ${columns} from history where id = 2`],
		['an id before the oldest', `insert into history select 0, ${columns} from history where id = 2`],
		['deleting a record in the middle', 'delete from history where id = 2'],
		['deleting everything', 'delete from history'],
	])('refuses %s in the database itself', (_, statement) => {
		for (const name of ['甲店', '乙店']) record(service.db, operator(name, service.tick()), { action: 'SIGN_OUT' });
		const before = records();
		expect(before.length).toBeGreaterThan(2);
		expect(() => service.db.$client.run(statement)).toThrow(/append-only|history_id/);
		expect(records()).toEqual(before);
	});
});

test('the records of one request make a group, the first stands for it, and what they name by id is named', async () => {
	const [from, to] = [await service.addStore({ name: '城西店' }), await service.addStore({ name: '城东店' })];
	const [one, other] = [await service.addEmployee(from.id), await service.addEmployee(from.id)];
	await service.asSuper('DELETE', `/api/employees/${other.id}`);
	const third = await service.addEmployee(from.id, [3]);
	expectStatus(await service.closeStore(from.id, to.id, 'DELETE'), 200);
	const list = async (query: string) => (await listOverHttp(new URLSearchParams(query))).items;
	const [closing, hiring, deletion] = await list('grouped=true');
	const store = { type: 'STORE', id: from.id, name: '城西店', isDeleted: true };
	const group = { id: closing?.id, size: 3, ended: 0 };
	expect(closing).toMatchObject({ action: 'STORE_DELETE', group, mentioned: [store] });
	const id = Number(closing?.id);
	expect(await list(`groupId=${id}`)).toMatchObject([
		{ id: id + 2, action: 'EMPLOYEE_UPDATE', targetId: third.id, group: { id, size: 3 } },
		{ id: id + 1, action: 'EMPLOYEE_UPDATE', targetId: one.id },
		{ id },
	]);
	expect((await list(`groupId=${id + 1}`)).length).toBe(0);
	const person = expect.objectContaining({ type: 'EMPLOYEE', id: third.id, isDeleted: false });
	const mentioned = [person, store, { type: 'STORE', id: to.id, name: '城东店', isDeleted: false }];
	expect(new Set((await list(`groupId=${id}`))[0]?.mentioned)).toEqual(new Set(mentioned));
	const role = { type: 'ROLE', id: 3, name: '收银员' };
	expect(hiring).toMatchObject({ group: { size: 1 }, mentioned: [{ type: 'EMPLOYEE' }, store, role] });
	expect(deletion?.mentioned).toContainEqual({ type: 'EMPLOYEE', id: other.id, name: other.name, isDeleted: true });

	// A whole phone number finds the records about and by its holder. A part finds only changes of the number.
	const { phone } = third;
	await service.asSuper('PATCH', `/api/employees/${third.id}/status`, { status: 'INACTIVE' });
	await service.asSuper('PATCH', `/api/employees/${third.id}/status`, { status: 'ACTIVE' });
	const { token } = expectStatus(await service.signIn(phone), 200);
	expectStatus(await service.as(token, 'POST', '/api/auth/logout'), 204);
	const found = (await list(`keyword=${phone}`)).map(({ action }) => action);
	expect(found).toEqual(['SIGN_OUT', 'SIGN_IN', ...Array(3).fill('EMPLOYEE_UPDATE'), 'EMPLOYEE_CREATE']);
	expect((await list(`keyword=${phone.slice(1)}`)).map(({ action }) => action)).toEqual(['EMPLOYEE_CREATE']);

	// Pruning keeps the newest record and its group.
	while (pruneHistory(service.db, '2099-01-01T00:00:00.000Z'));
	expectStatus(await service.closeStore(to.id, (await service.addStore()).id), 200);
	while (pruneHistory(service.db, '2099-01-01T00:00:00.000Z'));
	expect(records().map(({ action }) => action)).toEqual(['STORE_UPDATE', 'EMPLOYEE_UPDATE', 'EMPLOYEE_UPDATE']);
});

describe('a record as a sentence', () => {
	const person = { action: 'EMPLOYEE_UPDATE', targetType: 'EMPLOYEE', targetId: 7, targetName: '李伟' } as const;
	const store = { action: 'STORE_UPDATE', targetType: 'STORE', targetId: 1, targetName: '城西店' } as const;
	const role = { action: 'ROLE_PERMISSIONS_REPLACE', targetType: 'ROLE', targetId: 6, targetName: '店长' } as const;
	const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });
	const given = { ...person, action: 'EMPLOYEE_ROLE_GIVE' } as const;
	const undone = { ...person, action: 'EMPLOYEE_UPDATE_UNDO' } as const;
	const created = { ...person, action: 'EMPLOYEE_CREATE' } as const;
	const restored = { ...person, action: 'EMPLOYEE_RESTORE' } as const;
	const renamed = { ...person, changes: [change('name', '李维', '李伟'), change('remark', '早', null)] };
	const dated = [change('roleIds', [], [6]), change('roleId', null, 6), change('until', null, '2026-12-31')];
	const undated = [change('roleId', null, 6), change('until', '2026-12-31', null)];
	const [on, off] = [change('status', 'INACTIVE', 'ACTIVE'), change('status', 'ACTIVE', 'INACTIVE')];
	const bySystem = { actorType: 'SYSTEM', actorId: null } as const;
	const newPhone = change('phone', '13900139000', '13800138000');
	const longAddress = change('address', null, '长'.repeat(31));
	const granted = change('permissions', ['store:view'], ['store:manage']);
	const program = { action: 'PROGRAM_UPDATE', targetType: 'PROGRAM', targetId: 1, targetName: '收银台' } as const;
	const administrator = { targetType: 'ADMINISTRATOR', targetId: 1, targetName: 'admin' } as const;
	const counts = (added: number, changed: number) => [change('created', null, added), change('updated', null, changed)];
	const renamedChain = { action: 'CHAIN_UPDATE', targetType: 'CHAIN', targetId: 1, targetName: '乙' } as const;
	const hired = [change('name', null, '李伟'), change('phone', null, '13900139000'), change('roleIds', null, [6, 9])];
	const filters = [change('storeId', null, 1), change('keyword', null, true), change('total', null, 1312)];
	const cases: [sentence: string, record: Partial<ShownRecord>, size?: number][] = [
		['把 <李伟> 的手机号从“139 0013 9000”改为“138 0013 8000”', { ...person, changes: [newPhone] }],
		['把 <李伟> 从“<城西店>”调到“城东店”', { ...person, changes: [change('storeId', 1, 2)] }],
		['禁用了 <李伟>', { ...person, changes: [off] }],
		['启用了门店“<城西店>”', { ...store, changes: [on] }],
		['给 <李伟> 增加了角色 <店长>', { ...person, changes: [change('roleIds', [], [6])] }],
		['移除了 <李伟> 的角色 编号 9', { ...person, changes: [change('roleIds', [6, 9], [6])] }],
		['修改了 <李伟>：姓名从“李维”改为“李伟”；备注清空', renamed],
		['清空了 <李伟> 的备注（原为“早班”）', { ...person, changes: [change('remark', '早班', null)] }],
		[`把门店“<城西店>”的地址设为“${'长'.repeat(30)}…”`, { ...store, changes: [longAddress] }],
		[
			`把门店“<城西店>”的地址设为“${'长'.repeat(30)}”`,
			{ ...store, changes: [change('address', null, '长'.repeat(30))] },
		],
		['保存了 <李伟>，没有修改', person],
		['把 <李伟> 的shoeSize从“41”改为“42”', { ...person, changes: [change('shoeSize', 41, 42)] }],
		['修改了角色“<店长>”的权限：增加 管理门店，移除 查看门店', { ...role, changes: [granted] }],
		['新增了员工 <李伟>（139 0013 9000，<店长>、编号 9）', { ...created, changes: hired }],
		['让已删除的员工 <李伟>（139 0013 9000，<店长>、编号 9）返岗', { ...restored, changes: hired }],
		['给 <李伟> 增加了角色 <店长>，到 2026-12-31 为止', { ...given, changes: dated }],
		['设定了 <李伟> 的角色 <店长> 的期限，不限期', { ...given, changes: undated }],
		['把 <李伟> 的最后工作日设为“2026-12-31”', { ...person, changes: [change('leavesOn', null, '2026-12-31')] }],
		['禁用了 <李伟>', { ...person, ...bySystem, changes: [off] }],
		['给 312 名员工生成了一次性密码', { ...person, action: 'EMPLOYEE_ONE_TIME_PASSWORD' }, 312],
		['登录了（使用恢复码，还剩 9 个）', { action: 'SIGN_IN', changes: [change('recoveryCodesLeft', 10, 9)] }],
		['登录了 4 次', { action: 'SIGN_IN', count: 4 }],
		['把品牌的名称设为“乙”', { ...renamedChain, changes: [change('name', '', '乙')] }],
		['把品牌的名称从“甲”改为“乙”', { ...renamedChain, changes: [change('name', '甲', '乙')] }],
		['把接入程序“收银台”的不能保密从“否”改为“是”', { ...program, changes: [change('isPublic', false, true)] }],
		['新增了超级管理员 admin', { action: 'ADMINISTRATOR_CREATE', ...administrator }],
		['登录被拒绝 5 次（密码错误）', { action: 'SIGN_IN_REFUSED', reason: 'WRONG_PASSWORD', count: 5 }],
		['导入了 312 名员工', { ...created, changes: hired }, 312],
		['用表格新增 12 名员工，修改 1,030 名员工', { action: 'EMPLOYEE_IMPORT', changes: counts(12, 1030) }, 1043],
		['用表格修改 2 家门店', { action: 'STORE_IMPORT', changes: counts(0, 2) }, 3],
		['关闭了门店“<城西店>”，调走 25 名员工', { ...store, changes: [off] }, 26],
		['重新启用了门店“<城西店>”，25 名员工调回', { ...store, changes: [on] }, 26],
		['让 12 名已删除的员工返岗', restored, 12],
		['把 300 人 调到“<城西店>”', { ...person, changes: [change('storeId', 2, 1)] }, 300],
		['禁用了 1,000 人', { ...person, changes: [off] }, 1000],
		['给 2 人 增加了角色 <店长>', { ...person, changes: [change('roleIds', [9], [6, 9])] }, 2],
		['移除了 2 人 的角色 <店长>、编号 9', { ...person, changes: [change('roleIds', [6, 9], [])] }, 2],
		['删除了 12 名员工', { ...person, action: 'EMPLOYEE_DELETE', changes: hired }, 12],
		['撤销更改，启用了 <李伟>', { ...undone, changes: [on] }],
		['撤销了对 300 人的更改', undone, 300],
		['导出了 1,312 名员工（门店：<城西店>，按关键字搜索）', { action: 'EMPLOYEE_EXPORT', changes: filters }],
		['FROM_LATER：员工 <李伟>', { ...person, action: 'FROM_LATER' as 'SIGN_IN' }],
	];

	test.each(cases)('%s', (sentence, fields, size = 1) => {
		const record: ShownRecord = {
			id: 1,
			at: '2026-11-21T00:00:00.000Z',
			action: 'SIGN_OUT',
			address: null,
			requestId: null,
			actorType: 'EMPLOYEE',
			actorId: 3,
			actorName: '王芳',
			...none,
			changes: [],
			reason: null,
			count: 1,
			group: { id: 1, size, ended: 0, undoUntil: null },
			mentioned: [
				{ type: 'EMPLOYEE', id: 7, name: '李伟伟', isDeleted: false },
				{ type: 'STORE', id: 1, name: '城西店', isDeleted: false },
				{ type: 'STORE', id: 2, name: '城东店', isDeleted: true },
				{ type: 'ROLE', id: 6, name: '店长', isDeleted: false },
			],
			...fields,
		};
		const parts = sentenceOf(record, { asGroup: true }).map((part) =>
			typeof part === 'string' ? part : `<${part.text}>`,
		);
		expect(parts.join('')).toBe(`${fields.actorType === 'SYSTEM' ? '系统' : '王芳'} ${sentence}`);
	});
});

test('a page looks for the title of a permission among the points of its code only', async () => {
	const codes = ['till:refund', 'till:price', 'till:void'] as const;
	for (const code of codes) await service.addPoint(code);
	const { id } = await service.addRole();
	expectStatus(await service.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions: codes }), 200);
	using searches = spyOn(Array.prototype, 'findLast');
	const { items } = await service.read('/api/history?pageSize=1');
	expect(items[0].points.map((point: { code: string }) => point.code)).toEqual(codes);
	expect(searches.mock.contexts.map((list) => (list as unknown[]).length)).toEqual([1, 1, 1]);
});

test('a file has every record as a sentence, in the zone that was asked for and without formulas', async () => {
	fill(250);
	const store = await service.addStore({ name: '=1+1' });
	const person = await service.addEmployee(store.id, [3], { name: '=2' });
	expectStatus(await service.signIn(person.phone), 200);
	await service.asSuper('PATCH', `/api/employees/${person.id}`, { remark: '长'.repeat(40) });
	const file = async (query: string) => {
		const { text } = await service.asSuper('GET', `/api/history/export?format=csv&utcOffset=%2B08:00&${query}`);
		return papa.parse<string[]>(text, { skipEmptyLines: true }).data;
	};
	const [heading, ...lines] = await file('');
	expect(heading).toEqual(['时间（UTC+08:00）', '操作人', '操作', '内容', '改动', '来源地址', '编号']);
	const ids = records().map(({ id }) => id);
	expect(lines.map((each) => Number(each[6]))).toEqual(ids.toReversed());
	expect(lines.flat().filter((cell) => cell.startsWith('='))).toEqual([]);
	expect(lines.map((each) => each[1])).toContain("'=2");
	const [, line = []] = await file('targetType=STORE&keyword=%3D1');
	const { at } = service.rows('select at from history where id = ?', Number(line[6]))[0];
	expect(line.slice(0, 5)).toEqual([
		new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
		'admin',
		'新增门店',
		'admin 新增了门店“=1+1”',
		'名称：（空） → =1+1；状态：（空） → 启用',
	]);
	const edited = await file('action=EMPLOYEE_UPDATE&actorType=SUPER_ADMIN');
	expect(edited.join()).toContain(`备注：（空） → ${'长'.repeat(40)}`);
	const { name, phone } = await service.addEmployee((await service.addStore()).id);
	const [, hired = []] = await file(`action=EMPLOYEE_CREATE&keyword=${phone}`);
	expect(hired[4]).toContain(`姓名：（空） → ${name}`);
	expect(hired[4]).not.toContain('（空） → （空）');
});

describe('sign-ins', () => {
	test('that are refused record the reason; the name is not recorded when no account has it', async () => {
		const store = await service.addStore();
		const { id, phone, name } = await service.addEmployee(store.id);
		const known = { actorType: 'EMPLOYEE', actorId: id, actorName: name };
		const nobody = { actorType: 'ANONYMOUS', actorId: null, actorName: '' };
		for (const [username, password, record] of [
			[phone, initialPassword, { ...known, reason: 'NO_BACK_OFFICE' }],
			[phone, 'wrong-password', { ...known, reason: 'WRONG_PASSWORD' }],
			['my secret password', 'wrong-password', { ...nobody, reason: 'UNKNOWN_ACCOUNT' }],
		] as const) {
			await service.login('/api/auth/login', username, password);
			service.refusedSignIns.flush(service.time.toISOString());
			expect(last()).toMatchObject({ action: 'SIGN_IN_REFUSED', count: 1, ...record });
		}
		expect(JSON.stringify(records())).not.toContain('my secret');
	});

	test('that are refused many times share records with a count, those of the administrator apart from others', () => {
		const before = records().length;
		const at = service.now().toISOString();
		const refuse = (accountType: RecordedActor['accountType'], id: number | null, place: number) => {
			const actor = { accountType, id, name: 'name' };
			const context = { actor, address: `192.0.2.${place}`, requestId: 'request', at };
			service.refusedSignIns.add(context, { action: 'SIGN_IN_REFUSED', reason: 'WRONG_PASSWORD' });
		};
		for (let id = 10; id < 410; id += 1) refuse('EMPLOYEE', id, 1);
		for (let place = 0; place < 150; place += 1) refuse('ANONYMOUS', null, place);
		for (let place = 0; place < 300; place += 1) refuse('SUPER_ADMIN', 1, place % 150);
		service.refusedSignIns.flush(at);
		// One record for each of the first hundred of a kind of account, and one for the administrator's rest.
		expect(records().length - before).toBe(301);
		// A group has its first record at once, and one with the number of the others at the end.
		for (let time = 0; time < 3; time += 1) refuse('EMPLOYEE', 10, 1);
		service.refusedSignIns.flush(service.tick());
		expect(records().length - before).toBe(301);
		service.refusedSignIns.flush(service.tick(11 * 60));
		const recorded = records().slice(before);
		expect(recorded.filter(({ actorId }) => actorId === 10).map(({ count }) => count)).toEqual([1, 3]);
		expect(recorded.reduce((sum, { count }) => sum + count, 0)).toBe(853);
		expect(recorded.at(-1)?.at).toBe(service.time.toISOString());
		const shared = recorded.filter(({ address }) => address === null);
		expect(shared.map(({ actorType, reason, count }) => [actorType, reason, count])).toEqual([
			['SUPER_ADMIN', 'WRONG_PASSWORD', 100],
			['ANONYMOUS', 'VARIOUS', 300],
			['ANONYMOUS', 'VARIOUS', 50],
		]);
	});

	test('that cannot be recorded on a full disk get the same answers, and are recorded later', async () => {
		const before = records().length;
		const { $client } = service.db;
		$client.run('pragma query_only = on');
		for (const username of ['admin', 'nobody']) {
			expectRefusal(await service.login('/api/auth/login', username, 'wrong-password'), 401);
		}
		expect(() => service.refusedSignIns.flush(service.time.toISOString())).toThrow();
		$client.run('pragma query_only = off');
		service.refusedSignIns.flush(service.time.toISOString());
		expect(records().slice(before)).toMatchObject([{ reason: 'WRONG_PASSWORD' }, { reason: 'UNKNOWN_ACCOUNT' }]);
	});
});

/** The time of the record with an id: one per minute, all after the installation. */
const minute = (id: number) => new Date(Date.UTC(2090, 0, 1) + id * 60_000).toISOString();

/** Adds random records. */
function fill(count: number): void {
	const { pick, below } = seeded(7);
	const names = ['王芳', '王伟', '李芳', 'Mary Ann', 'administrator', '李', '100%', 'a_b'];
	/** The actor, the same in all records of a request. */
	const anybody = (): RecordedActor => {
		const [accountType, id, name] = pick([
			['SUPER_ADMIN', 1, 'admin'],
			['EMPLOYEE', 1, pick(names)],
			['EMPLOYEE', below(20) + 1, pick(names)],
			['ANONYMOUS', null, ''],
		] as const);
		return { accountType, id, name };
	};
	const valuesOf: Record<string, readonly unknown[]> = {
		phone: [null, '13800138000', '13912345678', '021-1 A'],
		name: ['139'],
		status: ['ACTIVE', 'INACTIVE'],
		storeId: [1, 2],
		roleIds: [[], [3], [3, 4], [5]],
	};
	const newest = last().id;
	let [request, actor] = [newest, anybody()];
	transaction(service.db, () => {
		for (let id = newest + 1; id <= newest + count; id += 1) {
			if (below(3) > 0) [request, actor] = [id, anybody()];
			const action = pick(['SIGN_IN', 'STORE_UPDATE', 'EMPLOYEE_UPDATE', 'EMPLOYEE_CREATE', 'ROLE_UPDATE'] as const);
			const type = actions[action].on;
			const fields = Object.entries(valuesOf).filter(() => below(3) === 0);
			record(
				service.db,
				{ actor, address: null, requestId: `r${request}`, at: minute(id) },
				{
					action,
					...(type && { target: { id: below(30) + 1, name: pick(names) } }),
					changes: fields.map(([field, values]) => ({ field, before: pick(values), after: pick(values) })),
				},
			);
		}
	});
}

/** Whether a change of an existing employee is a departure, a move or a new role. */
const movementOf: Record<string, (change: Change) => boolean> = {
	left: ({ field, before }) => field === 'status' && before === 'ACTIVE',
	moved: ({ field }) => field === 'storeId',
	newRoles: ({ field, before, after }) =>
		field === 'roleIds' && new Set(after as number[]).difference(new Set(before as number[])).size > 0,
};

function matches(each: ShownRecord, filter: Record<string, string>): boolean {
	return Object.entries(filter).every(([name, value]) => {
		if (name === 'from') return each.at >= value;
		if (name === 'to') return each.at < value;
		if (name === 'groupId') return String(each.group.id) === value;
		if (name === 'movement' && value === 'hired') return each.action === 'EMPLOYEE_CREATE';
		if (name === 'movement')
			return each.action === 'EMPLOYEE_UPDATE' && each.changes.some((change) => movementOf[value]?.(change));
		if (name !== 'keyword') return String(each[name as keyof HistoryRecord]) === value;
		const phones = each.changes.flatMap(({ field, before, after }) => (field === 'phone' ? [before, after] : []));
		const texts = [each.actorName, each.targetName, ...phones];
		return texts.join('\0').toLowerCase().includes(value.toLowerCase());
	});
}

async function listOverHttp(query: URLSearchParams): Promise<{ items: ShownRecord[]; total: number }> {
	const { items, pagination } = await service.read(`/api/history?${query}`);
	return { items, total: pagination.total };
}

/** Compares random filters and pages with a plain search of every record. */
async function expectExactLists(times: number): Promise<void> {
	const groups = rows('select group_id as id from history order by id').map(({ id }) => id);
	const sizes = Map.groupBy(groups, (id) => id);
	const all: ShownRecord[] = records().map((record, index) => {
		const id = groups[index];
		const group = { id, size: sizes.get(id)?.length ?? 0, ended: 0, undoUntil: null };
		return { ...record, group, mentioned: expect.any(Array) };
	});
	const present = all.filter(({ id, group }) => group.size > 3 && id < group.id + 2);
	const { pick, random, below } = seeded(11);
	const choices: Record<string, readonly string[]> = {
		actorType: ['SUPER_ADMIN', 'EMPLOYEE', 'OPERATOR', 'ANONYMOUS'],
		actorId: ['1', '7', '99'],
		action: ['SIGN_IN', 'STORE_UPDATE', 'ROLE_UPDATE', 'ADMINISTRATOR_CREATE'],
		targetType: ['STORE', 'EMPLOYEE', 'ROLE'],
		targetId: ['1', '5', '77'],
		keyword: [...'王 王芳 ADMIN min a administra nn 芳 zz % _ 0% 1391234 139'.split(' '), '-1 a'],
		grouped: ['true', 'true'],
		movement: ['hired', 'left', 'moved', 'newRoles'],
		groupId: ['1', ...present.map(({ id }) => String(id))],
		from: [minute(300), minute(900), '2020-01-01T00:00:00.000Z'],
		to: [minute(840), minute(60), '2100-01-01T00:00:00.000Z'],
	};
	for (let round = 0; round < times; round += 1) {
		const filter = Object.fromEntries(
			Object.entries(choices).flatMap(([name, values]) => (random() < 0.25 ? [[name, pick(values)]] : [])),
		);
		const { grouped, ...conditions } = filter;
		const found = all.filter((each) => matches(each, conditions));
		const isFirst = ({ group }: ShownRecord, index: number) => found[index - 1]?.group.id !== group.id;
		const expected = (grouped ? found.filter(isFirst) : found).toReversed();
		const pageSize = pick([1, 7, 20, 100]);
		const page = 1 + below(Math.ceil(expected.length / pageSize) + 1);
		const query = new URLSearchParams({ ...filter, page: String(page), pageSize: String(pageSize) });
		const { items, total } = await listOverHttp(query);
		expect([query.toString(), total]).toEqual([query.toString(), expected.length]);
		// Other tests check the time for undoing.
		const listed = items.map((item) => ({ ...item, group: { ...item.group, undoUntil: null } }));
		expect<ShownRecord[]>(listed).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
	}
}

describe('every list has exactly the records and the total of a plain search, whatever the filter and page,', () => {
	test('of many records', async () => {
		fill(1600);
		await expectExactLists(60);
		transaction(service.db, () => record(service.db, operator('新人', minute(1700)), { action: 'SIGN_OUT' }));
		expect((await listOverHttp(new URLSearchParams({ keyword: '新人' }))).total).toBe(1);
	});

	test('after pruning', async () => {
		fill(1000);
		for (const oldest of [180, 700]) {
			while (pruneHistory(service.db, minute(oldest)));
			expect(records()[0]?.id).toBe(oldest);
			await expectExactLists(20);
		}
		fill(300);
		await expectExactLists(20);
	});
});

describe('of a history of some length, a list', () => {
	beforeEach(() => {
		const targets = Array.from({ length: 10_001 }, (_, id) => ({ id: id + 1, name: `员工${id}` }));
		transaction(service.db, () => {
			for (const requestId of ['a', 'b']) {
				const context = { ...operator('某人', minute(1)), requestId };
				recordAll(service.db, context, { action: 'EMPLOYEE_DELETE' }, targets);
			}
		});
	});

	test.each([
		['action=EMPLOYEE_DELETE', { total: 10_000, totalIsMinimum: true, totalPages: 100 }],
		['keyword=员工', { total: 10_000, totalIsMinimum: true, totalPages: 100 }],
		['action=EMPLOYEE_DELETE&grouped=true', { total: 2, totalPages: 1 }],
		[`from=${minute(1)}`, { total: 20_002, totalPages: 201 }],
	])('with %s is counted to 10,000 at most, and every page can be read', async (query, pages) => {
		const at = (page: number) => service.read(`/api/history?${query}&pageSize=100&page=${page}`);
		expect((await at(1)).pagination).toEqual({ page: 1, pageSize: 100, ...pages });
		const all = query.includes('grouped') ? 2 : 20_002;
		const { items, pagination } = await at(Math.ceil(all / 100));
		expect([items.length, pagination.total]).toEqual([2, pages.total]);
		expect((await at(Number.MAX_SAFE_INTEGER)).items).toEqual([]);
	});

	test('of a keyword gives way to others', async () => {
		const found = listHistory(service.db, { keyword: '没有' }, { page: 1, pageSize: 20 });
		let isServed = false;
		setImmediate(() => {
			isServed = true;
		});
		expect([await found, isServed]).toEqual([{ items: [], total: 0 }, true]);
	});

	test('of more than a thousand records that have to be looked up gives way to others', async () => {
		const each = (index: number) => ({ ...operator('某人', minute(2)), requestId: String(index) });
		transaction(service.db, () => {
			for (let index = 0; index < 1001; index += 1) record(service.db, each(index), { action: 'SIGN_OUT' });
		});
		const filter = { action: 'SIGN_OUT', keyword: '某人' } as const;
		expect((await Array.fromAsync(searchFor(service.db, filter).steps())).length).toBeGreaterThan(1);
		expect(await listHistory(service.db, filter, { page: 1, pageSize: 20 })).toMatchObject({ total: 1001 });
	});

	test.each([
		['a frequent and a rare action', { action: 'ADMINISTRATOR_CREATE', actorType: 'OPERATOR' }, 1],
		['a frequent actor and an action that never was', { action: 'ROLE_UPDATE', actorType: 'OPERATOR' }, 0],
		['two frequent filters', { action: 'EMPLOYEE_DELETE', actorType: 'OPERATOR' }, 10_000],
		['a rare filter alone', { targetType: 'EMPLOYEE', targetId: 7 }, 2],
	] as const)('of %s takes one step', async (_, filter, total) => {
		const steps = Array.fromAsync(searchFor(service.db, filter).steps());
		expect((await steps).length).toBe(1);
		expect(await listHistory(service.db, filter, { page: 1, pageSize: 20 })).toMatchObject({ total });
	});
});

test('no list of the history scans it: each filter has its index, and a keyword a range of ids', async () => {
	const { $client } = service.db;
	await service.addEmployee((await service.addStore()).id);
	using prepared = spyOn($client, 'prepare');
	const searches = {
		'actorType=EMPLOYEE': 'actor_type',
		'actorId=1': 'actor',
		'actorType=EMPLOYEE&actorId=1': 'actor',
		'action=STORE_CREATE': 'action',
		'action=STORE_CREATE&actorType=EMPLOYEE': 'action without the table',
		'action=STORE_CREATE&actorType=EMPLOYEE&targetType=STORE': 'action without the table',
		'targetType=STORE&actorType=EMPLOYEE': 'target_type without the table',
		'targetType=STORE': 'target_type',
		'targetId=1': 'target',
		'targetType=STORE&targetId=1&action=STORE_CREATE': 'target',
		'movement=hired': 'action',
		'movement=left': 'left',
		'movement=moved': 'moved',
		'movement=newRoles': 'new_roles',
		'groupId=2': 'group',
		'grouped=true': 'group',
		'keyword=x': undefined,
		'keyword=x&action=STORE_CREATE': 'action',
	};
	const cases = Object.entries(searches).flatMap(([query, index]) =>
		[query, ...(query === 'grouped=true' ? [] : [`${query}&grouped=true`])].map((each) => [each, index] as const),
	);
	for (const [query, index] of cases) {
		prepared.mockClear();
		await service.read(`/api/history?${query}`);
		const searched = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /from "history" (not )?indexed/.test(sql));
		// Otherwise SQLite prepares the statement again for every run.
		expect(searched.filter((sql) => /( = |limit |offset )\?/.test(sql))).toEqual([]);
		const plans = searched.flatMap((sql) => $client.query(`explain query plan ${sql}`).values().map(String));
		const reads = plans.filter((plan) => /(SCAN|SEARCH) history/.test(plan)).map((plan) => plan.split(',').at(-1));
		const [name, isCovering] = index?.split(' ') ?? [];
		const way = name
			? new RegExp(`^SEARCH history USING ${isCovering ? 'COVERING ' : '(COVERING )?'}INDEX history_${name} `)
			: /^SEARCH history USING INTEGER PRIMARY KEY /;
		// The last two queries read the page and its total, others the steps.
		for (const read of reads) expect(read).toStartWith('SEARCH history USING ');
		expect([query, reads.slice(-2)]).toEqual([query, Array(2).fill(expect.stringMatching(way))]);
	}
});

describe('pruning', () => {
	beforeEach(() => {
		service.db.$client.transaction(() => {
			for (let index = 0; index < 250; index += 1)
				record(service.db, operator('某人', '2099-01-01T00:00:00.000Z'), { action: 'SIGN_OUT' });
		})();
	});

	test('removes a hundred records at a time, the oldest first', () => {
		// Records within the limit are kept.
		expect([pruneHistory(service.db, '2099-01-01T00:00:00.000Z'), records().length]).toEqual([false, 250]);
		expect(pruneHistory(service.db, '2099-06-01T00:00:00.000Z')).toBe(true);
		expect(records().map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => 102 + index));
	});

	test('keeps the newest record, however old, so that no id is used twice', () => {
		while (pruneHistory(service.db, '2099-06-01T00:00:00.000Z'));
		expect(records().map(({ id }) => id)).toEqual([251]);
		expect(pruneHistory(service.db, '2099-06-01T00:00:00.000Z')).toBe(false);
		record(service.db, operator('某人', '2099-01-01T00:00:00.000Z'), { action: 'SIGN_OUT' });
		expect(last().id).toBe(252);
	});
});

test.each([
	['2026-11-21', '2026-11-21T00:00:00.000Z'],
	['2026-02-31', '2026-03-03T00:00:00.000Z'],
	['2026-11-21T08:30Z', '2026-11-21T08:30:00.000Z'],
	['2026-11-21T08:30:15.5+08:00', '2026-11-21T00:30:15.500Z'],
	['2026-11-21T08:30:15.25Z', '2026-11-21T08:30:15.250Z'],
	['2026-11-21T08:30:15-02:30', '2026-11-21T11:00:15.000Z'],
	['0001-01-01', '0001-01-01T00:00:00.000Z'],
	['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z'],
	['0000-01-01T00:00:00+05:00', '0000-01-01T00:00:00.000Z'],
	['2026-11-21 08:30Z', undefined],
	['tomorrow', undefined],
])('the point in time %p is %p', (text, instant) => {
	expect(readInstant(text)).toBe(instant as string);
});
