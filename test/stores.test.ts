import { beforeEach, describe, expect, test } from 'bun:test';
import { expectRefusal, expectStatus, Service } from './harness.ts';
import { disabledTag, enabledTag, storeDisabledTag } from './oracle.ts';

type Store = Awaited<ReturnType<Service['addStore']>>;

const service = await Service.start();
service.restoreBeforeEachTest();

test('GET /api/stores/:id and /api/stores/:id/employees show the store and its employees in the order of their ids', async () => {
	const [store, other] = [await service.addStore(), await service.addStore()];
	const first = await service.addEmployee(store.id, [service.builtIn('cashier')], { remark: '早班' });
	const gone = await service.addEmployee(store.id);
	await service.addEmployee(other.id);
	const last = await service.addEmployee(store.id, [], { status: 'INACTIVE' });
	await service.asSuper('DELETE', `/api/employees/${gone.id}`);
	const path = `/api/stores/${store.id}`;
	expect(await service.read(path)).toEqual({ ...store, employees: [first, last] });
	expect(await service.read(`${path}/employees`)).toEqual([first, last]);
	expect(first.roles).toEqual([{ id: service.builtIn('cashier'), code: 'cashier', name: '收银员' }]);
	const changed = expectStatus(await service.asSuper('PATCH', path, { name: '改名店', status: 'INACTIVE' }), 200);
	const ofStore = { storeName: '改名店', storeStatus: 'INACTIVE' };
	const marked = [
		{ ...first, ...ofStore, statusTags: [enabledTag, storeDisabledTag] },
		{ ...last, ...ofStore, statusTags: [disabledTag, storeDisabledTag] },
	];
	expect(await service.read(path)).toEqual({ ...changed, employees: marked });
	expect(await service.read(`${path}/employees`)).toEqual(marked);
});

describe('GET /api/stores', () => {
	let [active, inactive, other]: Store[] = [];
	beforeEach(async () => {
		active = await service.addStore({ name: '人民路店', address: '人民路 1 号', phone: '021-111' });
		inactive = await service.addStore({ name: '停业店', status: 'INACTIVE' });
		const gone = await service.addStore({ name: '已删除店', phone: '021-999' });
		other = await service.addStore({ name: '南京路店', phone: '021-222' });
		await service.asSuper('DELETE', `/api/stores/${gone.id}`);
	});

	const get = (query: string) => service.asSuper('GET', `/api/stores${query}`);

	const queries = ['', '?includeInactive=false', '?includeInactive=false&sort=name'];
	test.each(queries)('"%s" gives the options: active stores, four fields', async (query) => {
		expect(expectStatus(await get(query), 200)).toEqual([
			{ id: active.id, name: '人民路店', address: '人民路 1 号', phone: '021-111' },
			{ id: other.id, name: '南京路店', address: null, phone: '021-222' },
		]);
	});

	test('"?includeInactive=true" gives every store that is not deleted', async () => {
		expect(expectStatus(await get('?includeInactive=true'), 200)).toEqual([active, inactive, other]);
	});

	test.each([
		{ query: '?page=1', shown: ['active', 'other'] },
		{ query: '?pageSize=20', shown: ['active', 'other'] },
		{ query: '?page=1&includeInactive=true', shown: ['active', 'inactive', 'other'] },
		{ query: '?status=ACTIVE', shown: ['active', 'other'] },
		{ query: '?status=INACTIVE', shown: ['inactive'] },
		{ query: '?status=ACTIVE&includeInactive=true', shown: ['active', 'other'] },
		{ query: '?status=INACTIVE&includeInactive=false', shown: ['inactive'] },
		{ query: '?keyword=店', shown: ['active', 'other'] },
	])('"$query" gives a page', async ({ query, shown }) => {
		const stores: Record<string, unknown> = { active, inactive, other };
		const total = shown.length;
		expect(expectStatus(await get(query), 200)).toEqual({
			items: shown.map((name) => stores[name]),
			pagination: { page: 1, pageSize: 20, total, totalPages: Math.min(total, 1) },
		});
	});
});

describe('closing a store', () => {
	const needsMoveTo = (people: number) => `门店下仍有 ${people} 名员工，请指定接收他们的门店`;
	const badMoveTo = '接收员工的门店不存在、已禁用或就是本店';

	test.each(['DISABLE', 'DELETE'])('moves everyone, then: %s, and records each', async (then) => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		const enabled = await service.addPerson(from.id, 'store:view');
		const disabled = await service.addEmployee(from.id, [3], { status: 'INACTIVE' });
		const gone = await service.addEmployee(from.id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
		const neighbour = await service.addEmployee(to.id);
		const before = service.records().length;
		const at = service.tick(60);

		const answer = expectStatus(await service.closeStore(from.id, to.id, then), 200);
		const [{ id: last }] = service.rows("select max(id) as id from history where target_type = 'STORE'");
		// A deleted store does not come back.
		expect(answer).toEqual({ moved: 2, then, groupId: then === 'DELETE' ? null : last });
		const listed = await service.read(`/api/stores/${to.id}/employees`);
		expect(listed.map((each: { id: number }) => each.id)).toEqual([enabled.id, disabled.id, neighbour.id]);
		expect(listed[1]).toMatchObject({ status: 'INACTIVE', roles: [{ id: 3 }], updatedAt: at, storeName: to.name });
		expect(service.rows('select store_id from employees where id = ?', gone.id)).toEqual([{ store_id: from.id }]);
		const closed = await service.asSuper('GET', `/api/stores/${from.id}`);
		if (then === 'DELETE') expectRefusal(closed, 404);
		else expect(expectStatus(closed, 200)).toMatchObject({ status: 'INACTIVE', updatedAt: at, employees: [] });
		// Their tokens still work, because their new store is enabled.
		await service.read('/api/stores', enabled.token);
		const move = { action: 'EMPLOYEE_UPDATE', changes: [{ field: 'storeId', before: from.id, after: to.id }] };
		const name = { field: 'name', before: from.name, after: null };
		const ends = {
			DELETE: { action: 'STORE_DELETE', changes: expect.arrayContaining([name]) },
			DISABLE: { action: 'STORE_UPDATE', changes: [{ field: 'status', before: 'ACTIVE', after: 'INACTIVE' }] },
		};
		expect(service.records(before)).toMatchObject([
			{ ...ends[then], targetId: from.id },
			{ ...move, targetId: enabled.id },
			{ ...move, targetId: disabled.id },
		]);
	});

	test('needs another store only when there are people', async () => {
		const [empty, full] = [await service.addStore(), await service.addStore()];
		await service.addEmployee(full.id, [], { status: 'INACTIVE' });
		await service.addEmployee(full.id);
		const before = service.everything();
		for (const then of ['DISABLE', 'DELETE'] as const) {
			expectRefusal(await service.closeStore(full.id, undefined, then), 409, needsMoveTo(2));
		}
		expect(service.everything()).toEqual(before);
		expect(expectStatus(await service.closeStore(empty.id, undefined, 'DELETE'), 200)).toMatchObject({ moved: 0 });
		expectRefusal(await service.closeStore(empty.id, undefined, 'DELETE'), 404);
	});

	test('that is disabled, empty and given to nobody changes and records nothing', async () => {
		const [closed, other] = [await service.addStore(), await service.addStore()];
		const { id } = await service.addEmployee(other.id);
		const reach = { stores: [{ storeId: closed.id }], areas: [] };
		expectStatus(await service.asSuper('PUT', `/api/employees/${id}/reach`, reach), 200);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' }), 200);
		const nobodyMoved = { moved: 0, groupId: null };
		const close = async () =>
			expect(expectStatus(await service.closeStore(closed.id, undefined), 200)).toMatchObject(nobodyMoved);
		const actions = () =>
			service.rows('select action from history order by id desc limit 2').map(({ action }) => action);
		await close();
		expect(actions()).toEqual(['EMPLOYEE_REACH', 'STORE_UPDATE']);
		const before = service.everything();
		service.tick();
		await close();
		expect(service.everything()).toEqual(before);
	});

	test('refuses a store to move to that is disabled, deleted, missing or the same', async () => {
		const [from, gone] = [await service.addStore(), await service.addStore()];
		const off = await service.addStore({ status: 'INACTIVE' });
		expectStatus(await service.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
		await service.addEmployee(from.id);
		const before = service.everything();
		for (const moveTo of [off.id, gone.id, 999_999, from.id]) {
			expectRefusal(await service.closeStore(from.id, moveTo), 400, badMoveTo);
		}
		expect(service.everything()).toEqual(before);
	});

	test('is refused as a whole if the caller may not change one of the employees', async () => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		await service.addEmployee(from.id);
		const manage = ['store:manage', 'employee:manage'] as const;
		const closer = await service.addPerson(to.id, 'employee:view:all', ...manage);
		const confined = await service.addPerson((await service.addStore()).id, 'employee:view:store', ...manage);
		await service.giveReach(confined.id, { stores: [from.id] });
		const neighbour = await service.addPerson(to.id, 'employee:view:store', ...manage);
		const role = await service.addRole('role:manage');
		const superiors = [await service.addEmployee(from.id, [role.id]), await service.addEmployee(from.id, [role.id])];
		const before = service.everything();
		const message = `不能操作${superiors.map(({ name }) => name).join('、')}：您没有“管理角色”权限`;
		expectRefusal(await service.closeStore(from.id, to.id, 'DELETE', closer.token), 403, message);
		expectRefusal(await service.closeStore(from.id, to.id, 'DELETE', confined.token), 403);
		expect(service.everything()).toEqual(before);
		expectStatus(await service.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions: [] }), 200);
		// One reaches only the closing store, the other only the receiving store.
		for (const { token } of [confined, neighbour]) {
			expectRefusal(await service.closeStore(from.id, to.id, 'DELETE', token), 403);
		}
		expect(expectStatus(await service.closeStore(from.id, to.id, 'DELETE', closer.token), 200).moved).toBe(3);
	});
});

describe('closing a store of many people', () => {
	const many = 1001;
	let [from, to]: Store[] = [];
	let token: string;
	beforeEach(async () => {
		[from, to] = [await service.addStore(), await service.addStore()];
		service.insertEmployees(from.id, many);
		const closer = await service.addPerson(to.id, 'store:manage', 'employee:manage', 'employee:view:all');
		token = closer.token;
	});
	const close = () => service.closeStore(from.id, to.id, 'DISABLE', token);
	const peopleOf = (id: number) =>
		service.rows('select count(*) as total from employees where store_id = ?', id)[0].total;
	const undo = async () => {
		const { items } = await service.read('/api/history?grouped=true&pageSize=1');
		return service.undo(items[0].id, token);
	};

	test('is one entry of the history, and cannot be undone', async () => {
		expect(expectStatus(await close(), 200)).toMatchObject({ moved: many, groupId: null });
		const { items } = await service.read('/api/history?grouped=true&pageSize=1');
		expect(items).toMatchObject([{ action: 'STORE_UPDATE', targetId: from.id, group: { size: many + 1 } }]);
		expectRefusal(await undo(), 404);
	});

	test('that fails half way moves nobody', async () => {
		const before = service.everything();
		service.alter((db) =>
			db.run(
				`create trigger fails before insert on history when new.target_name = '员工700' begin select raise(abort, 'half way'); end`,
			),
		);
		expect((await close()).status).toBe(500);
		expect(service.everything()).toEqual(before);
	});

	test('can be undone for up to 1,000 of them, also once the store is enabled again', async () => {
		const [last] = service.rows('select max(id) as id from employees where store_id = ?', from.id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${last.id}`), 204);
		const { groupId } = expectStatus(await close(), 200);
		expect((await service.read(`/api/history/${groupId}`)).group.undoUntil).toBeString();
		expectStatus(await service.asSuper('PATCH', `/api/stores/${from.id}`, { status: 'ACTIVE' }), 200);
		const undone = await service.undo(groupId, token);
		expect(expectStatus(undone, 200).changed).toBe(1000);
		expect(peopleOf(from.id)).toBe(many);
		// The closing, and the store enabled by hand.
		expect(service.rows("select id from history where action = 'STORE_UPDATE'")).toHaveLength(2);
	});
});

test('a closed store names the people that its closing moved, while they are there and within reach', async () => {
	const [from, to, other] = [await service.addStore(), await service.addStore(), await service.addStore()];
	const people = [];
	for (const name of ['一', '二', '三']) people.push(await service.addEmployee(from.id, [], { name }));
	const closing = async () => (await service.read(`/api/stores/${from.id}/closing`)).people;
	expect(await closing()).toEqual([]);
	await service.closeStore(from.id, to.id);
	await service.asSuper('PATCH', `/api/employees/${people[0].id}`, { storeId: other.id });
	await service.asSuper('DELETE', `/api/employees/${people[1].id}`);
	await service.asSuper('PATCH', `/api/stores/${from.id}`, { phone: '021-55667788' });
	expect(await closing()).toEqual([{ id: people[2].id, name: '三', storeName: to.name }]);
	const { token } = await service.addPerson(other.id, 'store:manage', 'employee:manage', 'employee:view:store');
	expect((await service.read(`/api/stores/${from.id}/closing`, token)).people).toEqual([]);
	for (const status of ['ACTIVE', 'INACTIVE']) {
		await service.asSuper('PATCH', `/api/stores/${from.id}`, { status });
		expect(await closing()).toEqual([]);
	}
});

test('the activity of stores counts their people, names their managers, and tells sign-ins to those who see everybody', async () => {
	const [{ id }, empty] = [await service.addStore(), await service.addStore()];
	const lead = await service.addRole('employee:view:store', 'employee:manage');
	// An employee who may only view is listed after the managers, although they were hired first.
	await service.addEmployee(id, [2], { name: '看店的' });
	const people = [
		await service.addEmployee(id, [lead.id], { name: '带店的' }),
		await service.addEmployee(id, [lead.id], { name: '禁用的', status: 'INACTIVE' }),
		await service.addEmployee(id, [3]),
	];
	const { id: office } = await service.addStore();
	await service.addEmployee(office, [1], { name: '管全部的' });
	await service.asSuper('DELETE', `/api/employees/${(await service.addEmployee(id, [lead.id])).id}`);
	const at = '2026-11-21T08:00:00.000Z';
	service.alter((database) =>
		database.run('update employees set last_sign_in_at = ? where id = ?', [at, people[2].id]),
	);
	const activity = await service.read(`/api/stores/activity?ids=${empty.id},${id},${office},999999`);
	expect(activity).toEqual([
		{ storeId: empty.id, employees: 0, enabled: 0, leads: null, lastSignInAt: null },
		{ storeId: id, employees: 4, enabled: 3, leads: '带店的、看店的', lastSignInAt: at },
		{ storeId: office, employees: 1, enabled: 1, leads: '管全部的', lastSignInAt: null },
	]);
	const [, shown] = activity;
	for (const [code, lastSignInAt] of [
		['employee:view:all', at],
		['employee:view:store', null],
	] as const) {
		const { token } = await service.addPerson(empty.id, 'store:view', code);
		expect(await service.read(`/api/stores/activity?ids=${id}`, token)).toEqual([{ ...shown, lastSignInAt }]);
	}
});
