/** Employees who leave and come back, and automatic ends: last days and temporary roles. */
import { afterAll, describe, expect, jest, test } from 'bun:test';
import { expireDue, expireInBackground } from '../src/features/employees/expiry.ts';
import { createLog } from '../src/platform/machine/log.ts';
import { requireSound } from './campaigns/database.ts';
import { detailsOf, expectRefusal, expectStatus, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { databaseOf, startHere } from './installation.ts';
import { removeFolders } from './program.ts';
import { given, newInstallation, withDatabase } from './server.ts';
import { inZone } from './zone.ts';

afterAll(removeFolders);

inZone('UTC');

const service = await Service.start();
moveTo('2026-03-10T10:00:00.000Z');
const store = await service.addStore({ name: '城西店' });
service.restoreBeforeEachTest();

const at = (id: number, path = '') => `/api/employees/${id}${path}`;
const patch = (id: number, body: object) => service.asSuper('PATCH', at(id), body);
const give = (id: number, body: object) => service.asSuper('POST', at(id, '/roles'), body);
const restore = (id: number, query = '') => service.asSuper('POST', at(id, `/restore${query}`));
const remove = async (id: number) => expectStatus(await service.asSuper('DELETE', at(id)), 204);
const known = (id: number) => service.read(at(id, '?include=activity'));
const records = () => service.records();
const update = (lines: string[], token?: string) => service.importCsv('employees/import?mode=update', lines, token);
const found = async (query: string): Promise<number[]> => {
	const { items } = await service.read(`/api/employees?pageSize=100&${query}`);
	return items.map(({ id }: Body) => id);
};

function moveTo(time: string): void {
	service.time = new Date(time);
}

/** Moves the clock and ends what is due. */
function runAt(time: string): void {
	moveTo(time);
	while (expireDue(service.db, service.time));
}

describe('the activity of an employee', () => {
	test('is in one answer and in lists with include=activity, and only then', async () => {
		const plain = await service.addEmployee(store.id, [3]);
		const activity = { lastSignInAt: null, passwordIsInitial: true, leavesOn: null, roleEnds: [] };
		expect(await known(plain.id)).toEqual({ ...plain, ...activity });
		for (const _ of [1, 2]) {
			const lastSignInAt = service.tick();
			expectStatus(await service.signIn(plain.phone), 200);
			service.tick();
			expect((await service.signIn(plain.phone, 'wrong-password')).status).toBe(401);
			// A sign-in is no change of the person.
			expect(await known(plain.id)).toEqual({ ...plain, ...activity, lastSignInAt });
		}
		expectStatus(await patch(plain.id, { leavesOn: '2026-03-31' }), 200);
		expectStatus(await give(plain.id, { roleId: 4, until: '2026-03-20' }), 200);
		const roleEnds = [{ roleId: 4, until: '2026-03-20' }];
		expect(await known(plain.id)).toMatchObject({ leavesOn: '2026-03-31', roleEnds });
		const list = async (query = '') => (await service.read(`/api/employees${query}`)).items;
		expect(await list('?include=activity')).toEqual([await known(plain.id)]);
		expect(await list()).toEqual([await service.read(at(plain.id))]);
		expect(Object.keys((await list())[0]).toSorted()).toEqual(Object.keys(plain).toSorted());
	});
});

describe('a last day', () => {
	test.each([
		['UTC', '2026-03-12T23:59:59.999Z', '2026-03-13T00:00:00.000Z'],
		['Asia/Shanghai', '2026-03-12T15:59:59.999Z', '2026-03-12T16:00:00.000Z'],
		['America/New_York', '2026-03-13T03:59:59.999Z', '2026-03-13T04:00:00.000Z'],
	])('ends with the day of %s, once, whatever the clock does', async (name, last, next) => {
		process.env.TZ = name;
		const { id } = await service.addEmployee(store.id, [3]);
		expectStatus(await patch(id, { leavesOn: '2026-03-12' }), 200);
		const before = records().length;
		runAt(last);
		expect(records()).toHaveLength(before);
		runAt(next);
		expect(await known(id)).toMatchObject({ status: 'INACTIVE', leavesOn: '2026-03-12', roles: [{ id: 3 }] });
		const system = { actorType: 'SYSTEM', actorId: null, address: null, requestId: null, action: 'EMPLOYEE_UPDATE' };
		const changes = [{ field: 'status', before: 'ACTIVE', after: 'INACTIVE' }];
		expect(records().slice(before)).toMatchObject([{ ...system, targetId: id, changes }]);
		for (const time of ['2026-03-01T00:00:00.000Z', next, '2027-01-01T00:00:00.000Z']) runAt(time);
		expect(records()).toHaveLength(before + 1);
		expect((await known(id)).status).toBe('INACTIVE');
	});

	test('that is over is cleared when somebody comes back, by a form or a file, so that they stay', async () => {
		const [person, other] = [await service.addEmployee(store.id), await service.addEmployee(store.id)];
		const listed = await service.addEmployee(store.id);
		for (const { id } of [person, other, listed]) expectStatus(await patch(id, { leavesOn: '2026-03-12' }), 200);
		runAt('2026-03-13T00:00:00.000Z');
		const enabled = { field: 'status', before: 'INACTIVE', after: 'ACTIVE' };
		const comesBack = [enabled, { field: 'leavesOn', before: '2026-03-12', after: null }];
		expectStatus(await service.asSuper('PATCH', at(person.id, '/status'), { status: 'ACTIVE' }), 200);
		expect(records().at(-1)?.changes).toEqual(comesBack);
		expectStatus(await update(['编号,状态', `${listed.id},启用`]), 201);
		expect(records().at(-1)?.changes).toEqual(comesBack);
		expectStatus(await patch(other.id, { remark: '还会回来' }), 200);
		runAt('2026-03-14T00:00:00.000Z');
		for (const { id } of [person, listed]) expect(await known(id)).toMatchObject({ status: 'ACTIVE', leavesOn: null });
		expect(await known(other.id)).toMatchObject({ status: 'INACTIVE', leavesOn: '2026-03-12' });
	});

	test('that is over by the time of an undo stays: nobody works again, and no ended role comes back', async () => {
		const [leaver, gone, holder] = [
			await service.addEmployee(store.id, [3]),
			await service.addEmployee(store.id, [3]),
			await service.addEmployee(store.id, [3, 4]),
		];
		for (const { id } of [leaver, gone]) expectStatus(await patch(id, { leavesOn: '2026-03-10' }), 200);
		expectStatus(await give(holder.id, { roleId: 4, until: '2026-03-10' }), 200);
		const groupOf = async (ids: number[], change: object) =>
			expectStatus(await service.asSuper('POST', '/api/employees/changes', { ids, change }), 200).groupId;
		const groups = [
			await groupOf([leaver.id, holder.id], { status: 'INACTIVE' }),
			await groupOf([holder.id], { removeRoleIds: [3, 4] }),
			await groupOf([gone.id, (await service.addEmployee(store.id)).id], { delete: true }),
		];
		moveTo('2026-03-11T00:00:00.000Z');
		for (const group of groups) {
			expectStatus(await service.undo(group), 200);
		}
		for (const { id } of [leaver, gone]) {
			expect(await known(id)).toMatchObject({ status: 'INACTIVE', leavesOn: '2026-03-10', roles: [{ id: 3 }] });
		}
		expect(await known(holder.id)).toMatchObject({ status: 'ACTIVE', roles: [{ id: 3 }] });
		// All of them have left: nothing can be undone.
		expectStatus(await patch(holder.id, { leavesOn: '2026-03-11' }), 200);
		const all = await groupOf([holder.id], { status: 'INACTIVE' });
		moveTo('2026-03-12T00:00:00.000Z');
		expectRefusal(await service.undo(all), 409, '没有可以撤销的更改');
	});

	test('goes back by the undo of its change, unless it is over', async () => {
		const { id } = await service.addEmployee(store.id);
		const undo = async () => {
			const [record] = (await service.read(`/api/history?targetType=EMPLOYEE&targetId=${id}`)).items;
			return service.undo(record.group.id);
		};
		expectStatus(await patch(id, { remark: '晚班', leavesOn: '2026-03-12' }), 200);
		expectStatus(await undo(), 200);
		expect(await known(id)).toMatchObject({ remark: null, leavesOn: null });
		expectStatus(await patch(id, { leavesOn: '2026-03-12' }), 200);
		runAt('2026-03-13T00:00:00.000Z');
		// Enabling removes the day, which does not come back.
		expectStatus(await patch(id, { status: 'ACTIVE' }), 200);
		expectStatus(await undo(), 200);
		expect(await known(id)).toMatchObject({ status: 'INACTIVE', leavesOn: null });
		expectStatus(await patch(id, { status: 'ACTIVE', leavesOn: '2026-03-13' }), 200);
		expectStatus(await patch(id, { remark: '早班', leavesOn: '2026-03-20' }), 200);
		moveTo('2026-03-14T00:00:00.000Z');
		expectStatus(await undo(), 200);
		expect(await known(id)).toMatchObject({ status: 'ACTIVE', remark: null, leavesOn: '2026-03-20' });
	});

	test('can be today or later, be changed and be taken back, and is part of the version', async () => {
		const { id } = await service.addEmployee(store.id);
		expectRefusal(await patch(id, { leavesOn: '2026-03-09' }), 400, '最后工作日不能早于今天');
		const etag = (await service.asSuper('GET', at(id))).headers.get('etag') ?? '';
		for (const leavesOn of ['2026-03-10', '2026-12-31', null, '2026-03-10']) {
			expectStatus(await patch(id, { leavesOn }), 200);
			expect((await known(id)).leavesOn).toBe(leavesOn);
		}
		/** The refusal of a change to this version. */
		const details = async (version: string) => {
			const late = { token: service.superToken, body: { remark: 'x' }, headers: { 'if-match': version } };
			const refused = await service.send('PATCH', at(id), late);
			expectRefusal(refused, 412);
			return detailsOf(refused);
		};
		const day = { path: 'body.leavesOn', message: expect.stringContaining('2026-03-10') };
		expect(await details(etag)).toMatchObject([day]);
		const latest = (await service.asSuper('GET', at(id))).headers.get('etag') ?? '';
		runAt('2026-03-11T00:00:00.000Z');
		const by = { field: 'status', by: '系统', at: expect.any(String), value: '禁用' };
		const message = expect.stringMatching(/^系统 .*改为“禁用”$/);
		expect(await details(latest)).toEqual([{ path: 'body.status', message, ...by }]);
	});

	test('ends for many at once, and nobody else', async () => {
		const people: number[] = [];
		for (let index = 0; index < 45; index += 1) people.push((await service.addEmployee(store.id, [3])).id);
		// Batches of twenty: the second one has exactly twenty, and there are more.
		const leaves = (id: number) => people.indexOf(id) > 2;
		const stays = await service.addEmployee(store.id, [3]);
		for (const id of people) {
			const body = leaves(id) ? { leavesOn: '2026-03-11' } : { roleId: 3, until: '2026-03-11' };
			expectStatus(await (leaves(id) ? patch(id, body) : give(id, body)), 200);
		}
		runAt('2026-03-12T00:00:00.000Z');
		expect(await found('status=INACTIVE')).toEqual(people.filter(leaves));
		expect(await found('withoutRole=true')).toEqual(people.slice(0, 3));
		expect(await known(stays.id)).toMatchObject({ status: 'ACTIVE', roles: [{ id: 3 }] });
	});
});

test('a running service ends what is over, and tries again after a failure that it logs once', async () => {
	const { id } = await service.addEmployee(store.id);
	expectStatus(await patch(id, { leavesOn: '2026-03-10' }), 200);
	const statusOf = () => service.rows('select status from employees where id = ?', id)[0].status;
	const { db, logged } = service;
	jest.useFakeTimers();
	try {
		const log = createLog({ write: (line) => logged.push(line) }, 'error');
		const stop = expireInBackground({ db, clock: () => service.time, log });
		const pass = () => jest.advanceTimersByTime(30_000);
		pass();
		expect(statusOf()).toBe('ACTIVE');
		db.$client.run("create trigger refuses before update on employees begin select raise(abort, 'refused'); end");
		moveTo('2026-03-11T00:00:00.000Z');
		for (let times = 0; times < 3; times += 1) pass();
		expect(statusOf()).toBe('ACTIVE');
		expect(logged.filter((line) => line.includes('last days that are over cannot be applied'))).toHaveLength(1);
		db.$client.run('drop trigger refuses');
		pass();
		expect(statusOf()).toBe('INACTIVE');
		stop();
		expect(jest.getTimerCount()).toBe(0);
	} finally {
		jest.useRealTimers();
	}
});

test('a start ends everything that is over, before the first request', async () => {
	const folder = await newInstallation();
	withDatabase(databaseOf(folder), (database) => {
		const at = '2026-01-01T00:00:00.000Z';
		database.run("insert into stores (name, status, created_at, updated_at) values ('店', 'ACTIVE', ?, ?)", [at, at]);
		const insert = database.prepare(
			`insert into employees (store_id, name, phone, password_hash, password_is_initial, status, leaves_on, created_at, updated_at)
			values (1, '王', ?, 'x', 1, 'ACTIVE', ?, ?, ?)`,
		);
		for (const leavesOn of ['2026-01-31', '2999-12-31']) insert.run(newPhone(), leavesOn, at, at);
	});
	await startHere({ DATA_DIR: folder, ...given });
	const [people, by] = withDatabase(databaseOf(folder), (database) => [
		database.query('select status from employees order by id').values(),
		database.query("select actor_type, target_id from history where action = 'EMPLOYEE_UPDATE'").values(),
	]);
	expect({ people, by }).toEqual({ people: [['INACTIVE'], ['ACTIVE']], by: [['SYSTEM', 1]] });
	requireSound(databaseOf(folder));
});

describe('a role until a day', () => {
	test('ends with that day, is recorded as the act of the program, and can be given again', async () => {
		const role = await service.addRole('store:view');
		const { id } = await service.addEmployee(store.id, [3]);
		const given = expectStatus(await give(id, { roleId: role.id, until: '2026-03-10' }), 200);
		expect(given.roles.map((each: Body) => each.id)).toEqual([3, role.id]);
		expect(given).not.toHaveProperty('roleEnds');
		expectStatus(await patch(id, { leavesOn: '2999-12-31' }), 200);
		await service.read('/api/stores', service.tokenOf(id));
		runAt('2026-03-11T00:00:00.000Z');
		expectRefusal(await service.as(service.tokenOf(id), 'GET', '/api/stores'), 403);
		expect(records().at(-1)).toMatchObject({
			actorType: 'SYSTEM',
			action: 'EMPLOYEE_UPDATE',
			targetId: id,
			changes: [{ field: 'roleIds', before: [3, role.id], after: [3] }],
		});
		const before = records().length;
		runAt('2026-03-01T00:00:00.000Z');
		runAt('2026-04-01T00:00:00.000Z');
		expect(records()).toHaveLength(before);
		expectStatus(await give(id, { roleId: role.id }), 200);
		runAt('2999-01-01T00:00:00.000Z');
		expect(await known(id)).toMatchObject({ roles: [{ id: 3 }, { id: role.id }], roleEnds: [] });
	});

	test('keeps its day when other roles change, and gets another or none', async () => {
		const { id } = await service.addEmployee(store.id, [3]);
		for (const until of ['2026-03-20', '2026-03-15', undefined, '2026-03-10']) {
			expectStatus(await give(id, { roleId: 3, until }), 200);
			expectStatus(await patch(id, { roleIds: [3, 4] }), 200);
			expect((await known(id)).roleEnds).toEqual(until ? [{ roleId: 3, until }] : []);
		}
		expectStatus(await patch(id, { roleIds: [4] }), 200);
		expectStatus(await patch(id, { roleIds: [3, 4] }), 200);
		expect((await known(id)).roleEnds).toEqual([]);
	});

	test('is refused for a day that is over, an unknown role, and one role too many', async () => {
		const { id } = await service.addEmployee(store.id);
		expectRefusal(await give(id, { roleId: 3, until: '2026-03-09' }), 400, '到期日不能早于今天');
		expectRefusal(await give(id, { roleId: 99 }), 400, '角色不存在或已删除：编号 99');
		const roleIds: number[] = [];
		while (roleIds.length < 20) roleIds.push((await service.addRole()).id);
		expectStatus(await patch(id, { roleIds }), 200);
		expectRefusal(await give(id, { roleId: 3 }), 400, '一名员工最多有 20 个角色');
		expectStatus(await give(id, { roleId: roleIds[0], until: '2026-03-10' }), 200);
	});
});

describe('POST /api/employees/:id/restore', () => {
	test('brings the same person back: id, phone, password, history, store and the roles that still exist', async () => {
		const [kept, gone, earlier] = [await service.addRole(), await service.addRole(), await service.addRole()];
		const person = await service.addEmployee(store.id, [kept.id, gone.id, earlier.id], { remark: '早班' });
		service.tick();
		expectStatus(await patch(person.id, { roleIds: [kept.id, gone.id] }), 200);
		expectStatus(await give(person.id, { roleId: 3, until: '2026-03-31' }), 200);
		expectStatus(await give(person.id, { roleId: 4, until: '2026-03-10' }), 200);
		const token = service.tokenOf(person.id);
		// In the millisecond in which the person lost a role.
		await remove(person.id);
		expectStatus(await service.asSuper('DELETE', `/api/roles/${gone.id}`), 204);
		moveTo('2026-03-11T00:00:00.000Z');
		const answer = await restore(person.id);
		const back = expectStatus(answer, 200);
		const summary = (role: Body) => ({ id: role.id, code: role.code, name: role.name });
		const roles = [expect.objectContaining({ id: 3 }), summary(kept)];
		expect(back).toEqual({ ...person, updatedAt: service.time.toISOString(), roles });
		expect(answer.headers.get('etag')).toBe((await service.asSuper('GET', at(person.id))).headers.get('etag'));
		expect(await known(person.id)).toMatchObject({ roleEnds: [{ roleId: 3, until: '2026-03-31' }], leavesOn: null });
		expect((await service.as(token, 'GET', '/api/auth/me')).status).toBe(401);
		expectStatus(await service.signIn(person.phone), 200);
		const before = ['EMPLOYEE_CREATE', 'EMPLOYEE_UPDATE', 'EMPLOYEE_ROLE_GIVE', 'EMPLOYEE_ROLE_GIVE'];
		const own = records().filter(({ targetType, targetId }) => targetType === 'EMPLOYEE' && targetId === person.id);
		expect(own.map(({ action }) => String(action))).toEqual([...before, 'EMPLOYEE_DELETE', 'EMPLOYEE_RESTORE']);
	});

	test('with given roles assigns exactly these; a former role ends when it did', async () => {
		const [former, next] = [await service.addRole(), await service.addRole('store:view')];
		const person = await service.addEmployee(store.id, [former.id, 2]);
		expectStatus(await give(person.id, { roleId: former.id, until: '2026-03-31' }), 200);
		await remove(person.id);
		expectRefusal(await restore(person.id, `?roleIds=${next.id},999`), 400, '角色不存在或已删除：编号 999');
		const { token } = await service.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const upward = await service.as(token, 'POST', at(person.id, `/restore?roleIds=${next.id}`));
		expectRefusal(upward, 403, '超出您可以授予的范围：您没有“查看门店”权限');
		const back = expectStatus(await restore(person.id, `?roleIds=${next.id},${former.id},${next.id}`), 200);
		expect(back.roles.map(({ id }: Body) => id)).toEqual([former.id, next.id]);
		expect((await known(person.id)).roleEnds).toEqual([{ roleId: former.id, until: '2026-03-31' }]);
	});

	test('is refused for a taken phone and for a store that is gone, with their names, and for an employee who was not deleted', async () => {
		const phone = newPhone();
		const person = await service.addEmployee(store.id, [], { phone });
		expectRefusal(await restore(person.id), 409, '该员工没有被删除，无需返岗');
		await remove(person.id);
		const holder = await service.addEmployee((await service.addStore()).id, [], { phone, name: '王芳' });
		expectRefusal(await restore(person.id), 409, '手机号已被“王芳”使用');
		expectStatus(await patch(holder.id, { phone: newPhone() }), 200);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${store.id}`, { status: 'INACTIVE' }), 200);
		expectRefusal(await restore(person.id), 400, '原门店“城西店”已删除或已禁用，请选择其他门店');
		expectRefusal(await restore(person.id, `?storeId=${store.id}`), 400, '门店不存在或已禁用');
		const other = await service.addStore();
		expect(expectStatus(await restore(person.id, `?storeId=${other.id}`), 200).storeId).toBe(other.id);
		expectRefusal(await restore(999), 404);
	});

	test('and the list of deleted people are for callers who may manage people', async () => {
		const role = await service.addRole('role:view');
		const [here, above] = [await service.addEmployee(store.id), await service.addEmployee(store.id, [role.id])];
		const elsewhere = await service.addEmployee((await service.addStore()).id);
		for (const { id } of [here, above, elsewhere]) await remove(id);
		const reader = await service.addPerson(store.id, 'employee:view:all');
		for (const path of ['/api/employees', '/api/employees/export'])
			expectRefusal(await service.as(reader.token, 'GET', `${path}?deleted=true`), 403);
		const leader = await service.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const seen = (await service.read('/api/employees?deleted=true', leader.token)).items;
		expect(seen.map(({ id }: Body) => id)).toEqual([here.id, above.id]);
		for (const { status, roles } of seen) expect([status, roles]).toEqual(['INACTIVE', []]);
		const back = (id: number) => service.as(leader.token, 'POST', at(id, '/restore'));
		expectRefusal(await back(above.id), 403, '超出您可以授予的范围：您没有“查看角色”权限');
		expectStatus(await back(here.id), 200);
		// Present people lose roles, too, but these do not decide about somebody who is not deleted.
		expectStatus(await patch(here.id, { roleIds: [role.id] }), 200);
		expectStatus(await patch(here.id, { roleIds: [] }), 200);
		expectRefusal(await back(here.id), 409, '该员工没有被删除，无需返岗');
		expect(await found('deleted=true')).toEqual([above.id, elsewhere.id]);
		expect(await found(`deleted=true&keyword=${encodeURIComponent(above.name)}`)).toEqual([above.id]);
		expect(await found(`keyword=${encodeURIComponent(above.name)}`)).toEqual([]);
	});
});
