/** Areas, and the stores and areas granted to employees: the access they give, the right to grant it, and its end. */
import { describe, expect, test } from 'bun:test';
import { withinReach } from '../src/features/employees/authorization.ts';
import { expireDue } from '../src/features/employees/expiry.ts';
import { findEmployees } from '../src/features/employees/search.ts';
import { sentenceOf, textOf } from '../src/identity/history/sentence.ts';
import { actorOf } from '../src/identity/session/actor.ts';
import type { PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import { detailsOf, expectInvalid, expectRefusal, expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';
import { missing } from './matrix.ts';
import type { Person } from './world.ts';
import { inZone } from './zone.ts';

inZone('Asia/Shanghai');

const manages: PermissionCode[] = ['employee:view:store', 'employee:manage', 'store:manage'];
const today = '2026-03-10';
const lastDay = '2026-03-20';

const service = await Service.start();
let manager: Person;
moveTo('2026-03-10T02:00:00.000Z');
const area = await service.addArea('华东');
/** The manager's own store, a granted one, one out of reach, and two in a granted area. */
const home = await service.addStore({ name: '本店' });
const near = await service.addStore({ name: '邻店' });
const far = await service.addStore({ name: '远店' });
const east = await service.addStore({ name: '东店', areaId: area.id });
const west = await service.addStore({ name: '西店', areaId: area.id });
manager = await service.addPerson(home.id, ...manages);
const people = {
	home: await service.addEmployee(home.id, [], { name: '本店员工' }),
	near: await service.addEmployee(near.id, [], { name: '邻店员工' }),
	east: await service.addEmployee(east.id, [], { name: '东店员工' }),
	west: await service.addEmployee(west.id, [], { name: '西店员工' }),
	far: await service.addEmployee(far.id, [], { name: '远店员工' }),
};
expectStatus(await service.asSuper('PATCH', `/api/stores/${west.id}`, { status: 'INACTIVE' }), 200);
expectStatus(await give(manager.id, { stores: [[near.id]], areas: [[area.id, lastDay]] }), 200);
service.restoreBeforeEachTest();

/** Moves the clock. The manager's token may have expired then. */
function moveTo(time: string): void {
	service.time = new Date(time);
	if (manager) manager = { ...manager, token: service.tokenOf(manager.id) };
}

/** Grants an employee stores and areas, as the super administrator. */
function give(id: number, lists: Lists) {
	return service.asSuper('PUT', pathOf(id), bodyOf(lists));
}

function pathOf(id: number): string {
	return `/api/employees/${id}/reach`;
}

type Given = readonly (readonly [id: number, until?: string | null])[];
interface Lists {
	stores?: Given;
	areas?: Given;
}

function bodyOf({ stores = [], areas = [] }: Lists) {
	return {
		stores: stores.map(([storeId, until]) => ({ storeId, ...(until !== undefined && { until }) })),
		areas: areas.map(([areaId, until]) => ({ areaId, ...(until !== undefined && { until }) })),
	};
}

const as = ({ token }: Person, method: string, path: string, body?: unknown) => service.as(token, method, path, body);
const giveAs = (by: Person, id: number, lists: Lists) => as(by, 'PUT', pathOf(id), bodyOf(lists));
const reachOf = (id: number) => service.read(pathOf(id));
async function given(id: number): Promise<string[]> {
	const { stores, areas } = await reachOf(id);
	return [...stores, ...areas].map((each: Body) =>
		[each.storeName ?? each.areaName, each.until].filter(Boolean).join(' '),
	);
}
async function listed(by: Person, query = ''): Promise<string[]> {
	const { items, pagination } = expectStatus(await as(by, 'GET', `/api/employees?pageSize=100&${query}`), 200);
	expect(pagination.total).toBe(items.length);
	return items.map(({ name }: Body) => name).filter((name: string) => name.endsWith('员工'));
}
/** The newest records as sentences, latest first. A group's first record describes the group. */
async function lastRecords(count: number): Promise<string[]> {
	const { items } = await service.read(`/api/history?pageSize=${count}`);
	const toldAs = (record: Body) => sentenceOf(record as never, { asGroup: record.id === record.group.id });
	return items.map((record: Body) => `${record.action} ${textOf(toldAs(record))}`);
}
const expectForbidden = (answer: Awaited<ReturnType<typeof as>>, message?: string) =>
	expectRefusal(answer, 403, message);

describe('areas', () => {
	test('are at most 500, counted with their stores but without deleted ones', async () => {
		expectStatus(await service.asSuper('DELETE', `/api/employees/${people.east.id}`), 204);
		expectStatus(await service.asSuper('DELETE', `/api/stores/${east.id}`), 204);
		expect(await service.read('/api/areas')).toMatchObject([{ name: '华东', stores: 1 }]);
		// So reaching the other one is enough to manage somebody who has the area.
		expectStatus(await service.asSuper('PATCH', `/api/stores/${west.id}`, { status: 'ACTIVE' }), 200);
		const lead = await service.addPerson(near.id, 'employee:view:store');
		expectStatus(await give(lead.id, { areas: [[area.id]] }), 200);
		expectStatus(await give(manager.id, { stores: [[near.id], [west.id]] }), 200);
		expectStatus(await as(manager, 'PATCH', `/api/employees/${lead.id}`, { remark: '改' }), 200);
		const at = service.time.toISOString();
		const rows = Array.from({ length: 499 }, (_, index) => ({ name: `区${index}`, created_at: at, updated_at: at }));
		service.insert('areas', rows);
		expectRefusal(await service.asSuper('POST', '/api/areas', { name: '多' }), 400, '区域数量已达上限（500 个）');
	});

	test('stand in stores, their lists and their filter only where they are asked for', async () => {
		const shown = { id: area.id, name: '华东' };
		expect(Object.keys(await service.read(`/api/stores/${east.id}?employees=false`))).not.toContain('area');
		expect(await service.read(`/api/stores/${east.id}?include=area`)).toMatchObject({ area: shown });
		expect(await service.read(`/api/stores/${home.id}?include=area&employees=false`)).toMatchObject({ area: null });
		const options = await service.read('/api/stores?include=area');
		expect(options.map((store: Body) => store.area)).toEqual([null, null, null, shown]);
		expect(Object.keys((await service.read('/api/stores'))[0])).toEqual(['id', 'name', 'address', 'phone']);
		expect(Object.keys((await service.read('/api/stores?includeInactive=true'))[0])).not.toContain('area');
		const { items } = await service.read(`/api/stores?areaId=${area.id}&includeInactive=true&include=area`);
		expect(items).toMatchObject([
			{ name: '东店', area: shown },
			{ name: '西店', area: shown },
		]);
		expect((await service.read(`/api/stores?areaId=${area.id}`)).items).toHaveLength(1);
		expect((await service.read(`/api/stores?areaId=${missing}`)).items).toEqual([]);
	});

	test('are changed for many stores at once, all or none', async () => {
		const change = (ids: unknown[], areaId: number | null, query = '') =>
			service.asSuper('POST', `/api/stores/changes${query}`, { ids, change: { areaId } });
		const dry = expectStatus(await change([home.id, east.id], area.id, '?dryRun=true'), 200);
		expect(dry).toEqual({ changed: 1, unchanged: 1, groupId: null });
		const unknown = await change([home.id, missing, missing + 1], area.id);
		expectRefusal(unknown, 404, '有 2 家门店不能更改，因此没有做任何更改');
		expect(unknown.body.error.details.map(({ path }: Body) => path)).toEqual(['body.ids.1', 'body.ids.2']);
		expectRefusal(await change([home.id], missing), 400, '区域不存在或已删除');
		for (const method of ['POST', 'PATCH']) {
			const path = method === 'POST' ? '/api/stores' : `/api/stores/${home.id}`;
			const answer = await service.asSuper(method, path, { name: '新', areaId: missing });
			expectRefusal(answer, 400, '区域不存在或已删除');
		}
		const done = expectStatus(await change([home.id, near.id, east.id], area.id), 200);
		expect(done).toEqual({ changed: 2, unchanged: 1, groupId: expect.any(Number) });
		expect((await lastRecords(2))[1]).toBe('STORE_UPDATE admin 把 2 家门店归入区域 华东');
		const again = expectStatus(await change([home.id], area.id), 200);
		expect(again).toEqual({ changed: 0, unchanged: 1, groupId: null });
	});

	test('that are deleted leave their stores and everybody who was given them, in one group', async () => {
		// A store with the id of the area stays.
		expectStatus(await give(manager.id, { stores: [[near.id]] }), 200);
		expect(home.id).toBe(area.id);
		expectStatus(await give(people.near.id, { stores: [[home.id]], areas: [[area.id]] }), 200);
		expectStatus(await service.asSuper('DELETE', `/api/areas/${area.id}`), 204);
		expect(await given(people.near.id)).toEqual(['本店']);
		const records = await lastRecords(4);
		const kinds = records.map((text) => text.split(' ')[0]);
		expect(kinds.join(' ')).toBe('EMPLOYEE_REACH STORE_UPDATE STORE_UPDATE AREA_DELETE');
		expect(records[3]).toBe('AREA_DELETE admin 删除了区域“华东”，涉及 2 家门店');
		expect(await listed(manager)).toEqual(['本店员工', '邻店员工']);
	});

	test('are a column of files: an unknown name is a problem, an empty cell clears, a missing column changes nothing', async () => {
		const update = 'stores/import?mode=update';
		const areaOf = async (store: Body) =>
			(await service.read(`/api/stores/${store.id}?include=area&employees=false`)).area?.name;
		const unknown = await service.importCsv(`${update}&dryRun=true`, ['店名,区域', '本店,华北']);
		expect(expectStatus(unknown, 200).problems).toMatchObject([{ line: 2, column: 'area', reason: '没有区域“华北”' }]);
		expectStatus(await service.importCsv(update, ['店名,区域', '本店, 华东 ', '东店,']), 201);
		expectStatus(await service.importCsv(update, ['店名,电话', '本店,1']), 201);
		expect([await areaOf(home), await areaOf(east)]).toEqual(['华东', undefined]);
		const file = (await service.asSuper('GET', `/api/stores/export?format=csv&areaId=${area.id}`)).text;
		expect(file).toContain('区域');
		expect([file.includes('本店'), file.includes('东店')]).toEqual([true, false]);
	});
});

describe('reach', () => {
	test('is one’s own store, the given ones and those of given areas, in lists and for each person', async () => {
		const within = ['本店员工', '邻店员工', '东店员工', '西店员工'];
		expect(await listed(manager)).toEqual(within);
		expect(await listed(manager, 'order=desc')).toEqual(within.toReversed());
		expect(await listed(manager, `storeId=${near.id}`)).toEqual(['邻店员工']);
		for (const storeId of [far.id, missing]) expect(await listed(manager, `storeId=${storeId}`)).toEqual(['本店员工']);
		expect(await listed(manager, 'keyword=店员')).toEqual(within);
		expect(await listed(manager, 'lockedOut=true')).toEqual(['西店员工']);
		const { stores } = expectStatus(await as(manager, 'GET', '/api/employees/options'), 200);
		expect(stores.map(({ name }: Body) => name)).toEqual(['本店', '邻店', '东店']);
		for (const person of [people.near, people.west]) {
			expectStatus(await as(manager, 'PATCH', `/api/employees/${person.id}`, { remark: '改' }), 200);
			expectStatus(await as(manager, 'DELETE', `/api/employees/${person.id}`), 204);
		}
		expect(await listed(manager, 'deleted=true')).toEqual(['邻店员工', '西店员工']);
		expectStatus(await as(manager, 'POST', `/api/employees/${people.near.id}/restore`), 200);
		const { text } = await as(manager, 'GET', '/api/employees/export?format=csv');
		expect(['邻店员工', '远店员工'].map((name) => text.includes(name))).toEqual([true, false]);
		expect(await lastRecords(1)).toEqual([expect.stringMatching(/^EMPLOYEE_EXPORT .*导出了 4 名员工（负责的门店）$/)]);
	});

	test('is in the answer about an employee’s own account, if asked for', async () => {
		const get = (token: string, query = '') => service.read(`/api/auth/me${query}`, token);
		const areas = [{ areaId: area.id, areaName: '华东', stores: 2, until: lastDay }];
		const stores = [{ storeId: near.id, storeName: '邻店', until: null }];
		expect((await get(manager.token, '?include=reach')).reach).toEqual({ stores, areas });
		expect(await reachOf(manager.id)).toEqual({ stores, areas });
		const { token } = await service.addPerson(home.id);
		expect((await get(token, '?include=reach')).reach).toEqual({ stores: [], areas: [] });
		expect(Object.keys(await get(manager.token))).not.toContain('reach');
		expect(Object.keys(await get(service.superToken, '?include=reach'))).not.toContain('reach');
	});

	test('of many stores finds exactly the people of these stores, on every page', () => {
		const at = service.time.toISOString();
		const ids = Array.from({ length: 600 }, (_, index) => 1000 + index);
		const times = { created_at: at, updated_at: at };
		const statusOf = (odd: number) => (odd ? 'ACTIVE' : 'INACTIVE');
		const stores = ids.map((id) => ({ id, name: `店${id}`, status: statusOf(id % 2), area_id: area.id, ...times }));
		service.insert('stores', stores);
		// Too many to be sorted by id.
		const rows = Array.from({ length: 10_900 }, (_, index) => ({
			id: 5000 + index,
			store_id: 1000 + ((index * 7) % 600),
			name: `人${index}`,
			phone: `137${1e7 + index}`,
			password_hash: '',
			password_is_initial: 1,
			status: statusOf(index % 3),
			...times,
			deleted_at: index % 30 ? null : at,
		}));
		service.insert('employees', rows);
		const claims = { accountType: 'EMPLOYEE', id: manager.id, version: 1, signIn: 0 } as never;
		const actor = actorOf(service.db, { claims, requirements: { ownPassword: false, secondFactor: false } }, at);
		const everybody = { page: 1, pageSize: 20_000 };
		const disabled = "store_id in (select id from stores where status = 'INACTIVE')";
		for (const [asked, condition] of [
			[{}, 'deleted_at is null'],
			[{ status: 'ACTIVE' }, "deleted_at is null and status = 'ACTIVE'"],
			[{ lockedOut: true }, `deleted_at is null and status = 'ACTIVE' and ${disabled}`],
			[{ deleted: true }, 'deleted_at is not null'],
			[{ keyword: '人1', status: 'INACTIVE' }, "deleted_at is null and status = 'INACTIVE' and name like '人1%'"],
		] as const) {
			const { stores = [], ...rest } = withinReach(service.db, actor, asked);
			expect(stores.length).toBe(604);
			const idsOf = (sought: object, paging = everybody) => findEmployees(service.db, sought, paging);
			for (const some of [stores, stores.slice(0, 15), stores.slice(0, 90)]) {
				const query = `select id from employees where store_id in (${some.join()}) and ${condition} order by id`;
				const expected = service.rows(query).map(({ id }) => id);
				const all = { ...rest, stores: some };
				expect(idsOf(all)).toEqual({ ids: expected, total: expected.length });
				const desc = idsOf({ ...all, order: 'desc' }, { page: 3, pageSize: 7 });
				expect(desc).toEqual({ ids: expected.toReversed().slice(14, 21), total: expected.length });
			}
		}
	});

	test('decides before a deletion by the path of a store looks for the employee, whose rights come last', async () => {
		const above = await service.addPerson(home.id, 'role:manage');
		const remove = (from: Body, id: number) => as(manager, 'DELETE', `/api/stores/${from.id}/employees/${id}`);
		expect(detailsOf(await remove(far, missing))).toMatchObject([{ path: 'params.storeId' }]);
		expectRefusal(await remove(near, people.home.id), 404);
		expect(detailsOf(await remove(home, above.id))).toMatchObject([{ path: 'params.employeeId' }]);
	});

	test('concerns neither pages of stores nor holders who see no people', async () => {
		const viewer = await service.addPerson(home.id, 'store:view', 'employee:view:store');
		expectStatus(await as(viewer, 'GET', `/api/stores/${far.id}`), 200);
		expect(await listed(viewer)).toEqual(['本店员工']);
		const nobody = await service.addPerson(home.id);
		expectStatus(await give(nobody.id, { stores: [[near.id]] }), 200);
		expectForbidden(await as(nobody, 'GET', '/api/employees'));
	});
});

describe('giving reach', () => {
	test('is refused for an impossible entry, at its place, and keeps the earlier ones', async () => {
		const { id } = people.home;
		const closed = await service.addStore({ status: 'INACTIVE' });
		expectRefusal(await give(id, { stores: [[closed.id]] }), 400, '须为另一家已启用的门店');
		expectStatus(await give(id, { stores: [[near.id, lastDay]] }), 200);
		const refusals: [Lists, string, string][] = [
			[{ stores: [[missing]] }, 'body.stores.0.storeId', '须为另一家已启用的门店'],
			[{ stores: [[near.id, lastDay], [home.id]] }, 'body.stores.1.storeId', '须为另一家已启用的门店'],
			[{ stores: [[far.id], [near.id], [far.id]] }, 'body.stores.2.storeId', '同一门店或区域只能有一项'],
			[{ areas: [[missing]] }, 'body.areas.0.areaId', '区域不存在或已删除'],
			[{ stores: [[far.id]], areas: [[area.id], [area.id]] }, 'body.areas.1.areaId', '同一门店或区域只能有一项'],
			[{ stores: [[near.id, '2026-03-09']] }, 'body.stores.0.until', '到期日不能早于今天'],
			[{ areas: [[area.id, '2026-03-09']] }, 'body.areas.0.until', '到期日不能早于今天'],
		];
		for (const [lists, path, message] of refusals) {
			const { status, body } = await give(id, lists);
			expect([status, body.error.code, body.error.message]).toEqual([400, 'BAD_REQUEST', message]);
			expect(detailsOf({ body })).toEqual([{ path, message }]);
		}
		const fifty = Array.from({ length: 50 }, (_, index) => [index + 1] as const);
		expectRefusal(await give(id, { stores: fifty }), 400, '须为另一家已启用的门店');
		expectInvalid(await give(id, { stores: fifty, areas: [[area.id]] }), 'body');
		expect(await given(id)).toEqual([`邻店 ${lastDay}`]);
		// A store is checked only when added. This one was disabled later, and today is allowed.
		await service.asSuper('PATCH', `/api/stores/${near.id}`, { status: 'INACTIVE' });
		expectStatus(await give(id, { stores: [[near.id, today]] }), 200);
		expectRefusal(await service.asSuper('PUT', pathOf(missing), bodyOf({})), 404);
	});

	test('is only of stores and areas that the caller has for good', async () => {
		const { id } = people.home;
		const beyond = (words: string) => `超出您可以授予的范围：${words}`;
		const refused: [Lists, string][] = [
			[{ stores: [[far.id]] }, '您不负责门店“远店”'],
			[{ stores: [[far.id, today]] }, '您不负责门店“远店”'],
			[{ stores: [[east.id]] }, '您负责的门店“东店”有到期日'],
			[{ stores: [[east.id, today]] }, '您负责的门店“东店”有到期日'],
			[{ areas: [[area.id]] }, '您没有长期负责区域“华东”'],
			[{ areas: [[area.id, today]] }, '您没有长期负责区域“华东”'],
		];
		for (const [lists, words] of refused) {
			const answer = await giveAs(manager, id, lists);
			expectForbidden(answer, beyond(words));
			expect(answer.body.error.details[0].path).toBe(`body.${Object.keys(lists)}`);
		}
		for (const [count, end] of Object.entries({ 1: '', 5: '', 6: ' 等 6 家', 21: ' 等 21 家' })) {
			const stores = Array.from({ length: Number(count) }, (_, index) => [missing - index] as const);
			const names = stores.slice(0, 5).map(([storeId]) => `“编号 ${storeId}”`);
			const answer = await giveAs(manager, id, { stores });
			expectForbidden(answer, beyond(`您不负责门店${names.join('、')}${end}`));
			expect(answer.body.error.details[0].missing).toHaveLength(Math.min(20, stores.length));
		}
		expectForbidden(await giveAs(manager, id, { areas: [[missing]] }), beyond(`您没有长期负责区域“编号 ${missing}”`));
		// The store is not in the request, so the refusal names the roles.
		const roleIds = [(await service.addRole('employee:view:store')).id];
		const { id: eastern } = await service.addEmployee(east.id);
		const seeing = service.as(manager.token, 'PATCH', `/api/employees/${eastern}`, { roleIds });
		expect(detailsOf(await seeing)).toMatchObject([{ path: 'body.roleIds', message: expect.stringMatching(/东店/) }]);
		expectStatus(await giveAs(manager, id, { stores: [[near.id]] }), 200);
		expectStatus(await giveAs(manager, id, { stores: [[near.id, today]] }), 200);
		// Permanent access to everybody is enough for every store and area.
		const head = await service.addPerson(home.id, 'employee:view:all', 'employee:manage');
		expectStatus(await giveAs(head, id, { stores: [[far.id]], areas: [[area.id]] }), 200);
	});

	test('revoking or shortening it requires only that the caller manages the person', async () => {
		const { id } = people.home;
		expectStatus(await give(id, { stores: [[far.id]], areas: [[area.id]] }), 200);
		expectStatus(await giveAs(manager, id, { stores: [[far.id, lastDay]], areas: [[area.id, lastDay]] }), 200);
		expectForbidden(await giveAs(manager, id, { stores: [[far.id]] }), '超出您可以授予的范围：您不负责门店“远店”');
		expectStatus(await giveAs(manager, id, { areas: [[area.id, lastDay]] }), 200);
		expect(await given(id)).toEqual([`华东 ${lastDay}`]);
	});
});

describe('the end of reach', () => {
	test('is the end of its day in the time zone of the machine, whether or not it was swept', async () => {
		const versionOf = async () => (await service.asSuper('GET', pathOf(manager.id))).headers.get('etag');
		const version = await versionOf();
		expect(await listed(manager)).toContain('东店员工');
		moveTo('2026-03-20T15:59:59.999Z');
		expect(await listed(manager)).toContain('东店员工');
		moveTo('2026-03-20T16:00:00.000Z');
		expect(await listed(manager)).toEqual(['本店员工', '邻店员工']);
		expect(await given(manager.id)).toEqual(['邻店']);
		expectForbidden(await as(manager, 'PATCH', `/api/employees/${people.east.id}`, { remark: '晚' }));
		// Nobody has the area now, so a store can join it.
		const clerk = await service.addPerson(far.id, 'store:manage');
		for (const areaId of [area.id, null])
			expectStatus(await as(clerk, 'PATCH', `/api/stores/${far.id}`, { areaId }), 200);
		// Nothing is swept yet, so an earlier time restores access.
		moveTo('2026-03-20T15:00:00.000Z');
		expect(await listed(manager)).toContain('东店员工');
		moveTo('2026-03-20T16:00:00.000Z');
		expect(await versionOf()).toBe(version);
		while (expireDue(service.db, service.time));
		expect(await versionOf()).not.toBe(version);
		const ended = `${await nameOf(manager.id)} 的负责的区域 华东（到 ${lastDay} 为止）`;
		expect(await lastRecords(1)).toEqual([`EMPLOYEE_REACH 系统 移除了 ${ended}`]);
		moveTo('2026-03-20T15:00:00.000Z');
		expect(await listed(manager)).toEqual(['本店员工', '邻店员工']);
		while (expireDue(service.db, service.time));
		expectStatus(await give(manager.id, { areas: [[area.id, lastDay]] }), 200);
		expect(await listed(manager)).toEqual(['本店员工', '东店员工', '西店员工']);
	});

	test('comes with a store that is deleted or closed, not with one that is disabled', async () => {
		const entry = async () => (await given(manager.id)).filter((name) => name.startsWith('邻店'));
		await service.asSuper('PATCH', `/api/stores/${near.id}`, { status: 'INACTIVE' });
		expect(await entry()).toEqual(['邻店']);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${near.id}`, { status: 'ACTIVE' }), 200);
		expectStatus(await service.closeStore(near.id, far.id), 200);
		expect(await entry()).toEqual([]);
		const records = await lastRecords(3);
		const kinds = records.map((text) => text.split(' ')[0]).toSorted();
		expect(kinds).toEqual(['EMPLOYEE_REACH', 'EMPLOYEE_UPDATE', 'STORE_UPDATE']);
		expect(records[2]).toBe('STORE_UPDATE admin 关闭了门店“邻店”，调走 1 名员工');
		const empty = await service.addStore({ name: '空店' });
		expectStatus(await give(manager.id, { stores: [[empty.id]] }), 200);
		expectStatus(await service.asSuper('DELETE', `/api/stores/${empty.id}`), 204);
		expect(await given(manager.id)).toEqual([]);
		expect((await lastRecords(2))[1]).toBe('STORE_DELETE admin 删除了门店“空店”');
	});

	test('of a store comes with moving there, in every way, and undoing does not bring it back', async () => {
		const ids = [people.home.id, people.east.id];
		for (const id of ids) expectStatus(await give(id, { stores: [[near.id], [far.id]] }), 200);
		const body = { ids, change: { storeId: near.id } };
		const { groupId } = expectStatus(await service.asSuper('POST', '/api/employees/changes', body), 200);
		for (const id of ids) expect(await given(id)).toEqual(['远店']);
		expect((await lastRecords(4))[3]).toContain('把 2 人 调到“邻店”');
		expectStatus(await service.undo(groupId), 200);
		for (const id of ids) expect(await given(id)).toEqual(['远店']);
		const moved = ['手机号,门店,姓名', `${people.home.phone},远店,改名`];
		expectStatus(await service.importCsv('employees/import?mode=update', moved), 201);
		expect(await given(people.home.id)).toEqual([]);
		expect(await lastRecords(1)).toEqual(['EMPLOYEE_REACH admin 移除了 改名 的负责的门店 远店']);
		expectStatus(await service.closeStore(east.id, far.id, 'DELETE'), 200);
		expect(await given(people.east.id)).toEqual([]);
	});

	test('comes with the deletion of a person, who does not get it back', async () => {
		const name = await nameOf(manager.id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${manager.id}`), 204);
		expect((await lastRecords(2))[1]).toBe(`EMPLOYEE_DELETE admin 删除了员工 ${name}`);
		expectStatus(await service.asSuper('POST', `/api/employees/${manager.id}/restore`), 200);
		expect(await given(manager.id)).toEqual([]);
	});
});

test('of somebody out of reach who has a number, a restoration does not say the name', async () => {
	const taken = async (field: string, value: string, message: string) => {
		await service.asSuper('PATCH', `/api/employees/${people.near.id}`, { [field]: value });
		expectStatus(await service.asSuper('DELETE', `/api/employees/${people.near.id}`), 204);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${people.far.id}`, { [field]: value }), 200);
		expectRefusal(await as(manager, 'POST', `/api/employees/${people.near.id}/restore`), 409, message);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${people.far.id}`, { [field]: '13700000001' }), 200);
		expectStatus(await as(manager, 'POST', `/api/employees/${people.near.id}/restore`), 200);
	};
	await taken('phone', '13700000009', '手机号已被其他门店的员工使用');
	await taken('externalId', 'P-1', '工号已被其他门店的员工使用');
});

describe('reach is not gained', () => {
	test('by an account in a store that the caller reaches until a day: nobody who sees people is placed there', async () => {
		const message = '超出您可以授予的范围：您负责的门店“东店”有到期日';
		const role = await service.addRole('employee:view:store');
		const hire = { storeId: east.id, name: '新人', phone: '13700000008' };
		expectForbidden(await as(manager, 'PATCH', `/api/employees/${manager.id}`, { storeId: east.id }), message);
		const problemsOf = async (...lines: string[]) => {
			const answer = await service.importCsv('employees/import?mode=upsert&dryRun=true', lines, manager.token);
			return expectStatus(answer, 200).problems.map(({ line, column, reason }: Body) => [line, column, reason]);
		};
		expect(await problemsOf('手机号,门店', `${manager.phone},东店`)).toEqual([[2, 'store', message]]);
		const placed = [
			'姓名,手机号,门店,角色',
			`东店员工,${people.east.phone},,${role.code}`,
			`新人,${hire.phone},东店,${role.code}`,
			'无角色,13700000009,东店,',
		];
		expect(await problemsOf(...placed)).toEqual([
			[2, 'roles', message],
			[3, 'store', message],
		]);
		// A hire without the role is allowed, because they see nobody. No end date permits the role.
		const { id } = expectStatus(await as(manager, 'POST', '/api/employees', hire), 201);
		const bind = (until: string | null) =>
			as(manager, 'POST', `/api/employees/${id}/roles`, { roleId: role.id, until });
		for (const until of [null, today, lastDay]) expectForbidden(await bind(until), message);
		// The role also shows the stores of a granted area.
		expectStatus(await give(people.home.id, { areas: [[area.id]] }), 200);
		const both = '超出您可以授予的范围：您负责的门店“东店”、“西店”有到期日';
		expectForbidden(await as(manager, 'PATCH', `/api/employees/${people.home.id}`, { roleIds: [role.id] }), both);
		expectStatus(await as(manager, 'PATCH', `/api/employees/${manager.id}`, { storeId: near.id }), 200);
	});

	test('by placing somebody in a store out of reach, or bringing them back from it', async () => {
		for (const { id } of [people.near, people.far])
			expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		for (const [method, path, body] of [
			['POST', '', { storeId: far.id, name: '新人', phone: '13700000008' }],
			['PATCH', `/${people.home.id}`, { storeId: far.id }],
			['POST', '/changes', { ids: [people.home.id], change: { storeId: far.id } }],
			['POST', `/${people.near.id}/restore?storeId=${far.id}`, undefined],
			['POST', `/${people.far.id}/restore?storeId=${home.id}`, undefined],
		] as const) {
			expectForbidden(await as(manager, method, `/api/employees${path}`, body));
		}
	});

	test('by the area of a store: into an area that somebody has, only by a caller who reaches the store for good', async () => {
		const message = '该区域已有员工负责，须长期负责该门店才能加入';
		const free = await service.addArea('华南');
		const clerk = await service.addPerson(near.id, 'store:manage');
		const head = await service.addPerson(near.id, 'store:manage', 'employee:view:all');
		const put = (by: Person, store: Body, areaId: number | null) =>
			as(by, 'PATCH', `/api/stores/${store.id}`, { areaId });
		for (const [by, store] of [
			[manager, far],
			[clerk, far],
			[clerk, near],
		] as const) {
			expectForbidden(await put(by, store, area.id), message);
			const body = { ids: [store.id], change: { areaId: area.id } };
			expectForbidden(await as(by, 'POST', '/api/stores/changes', body), message);
			const lines = ['编号,区域', `${store.id},${area.name}`];
			const file = await service.importCsv('stores/import?mode=upsert&dryRun=true', lines, by.token);
			expect(expectStatus(file, 200).problems).toMatchObject([{ line: 2, column: 'area', reason: message }]);
		}
		// Staying in an area, leaving it, or joining one that nobody has, grants nothing.
		for (const areaId of [area.id, free.id, null]) expectStatus(await put(clerk, east, areaId), 200);
		expectForbidden(await put(manager, east, area.id), message);
		expectStatus(await put(manager, near, area.id), 200);
		expectStatus(await put(head, far, area.id), 200);
	});
});

const nameOf = async (id: number) => (await service.read(`/api/employees/${id}`)).name;
