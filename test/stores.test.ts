import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { closeInSteps } from '../src/employees/closing.ts';
import { allHistory } from '../src/history/service.ts';
import { toTheEnd } from '../src/http/steps.ts';
import { areIndexesSound } from '../src/server/search-upkeep.ts';
import { actorOf } from '../src/session/actor.ts';
import { expectRefusal, expectStatus, Service } from './harness.ts';

const enabledTag = { code: 'EMPLOYEE_ACTIVE', label: '员工启用', variant: 'success' };
const disabledTag = { code: 'EMPLOYEE_INACTIVE', label: '员工禁用', variant: 'default' };
const storeDisabledTag = { code: 'STORE_INACTIVE', label: '门店禁用', variant: 'warning' };

type Store = Awaited<ReturnType<Service['addStore']>>;

let service: Service;
beforeAll(async () => {
	service = await Service.start();
	service.keep();
});
beforeEach(() => service.rewind());

test('GET /api/stores/:id and /api/stores/:id/employees show the store and its employees in the order of their ids', async () => {
	const [store, other] = [await service.addStore(), await service.addStore()];
	const first = await service.addEmployee(store.id, [service.builtIn('cashier')], { remark: '早班' });
	const gone = await service.addEmployee(store.id);
	await service.addEmployee(other.id);
	const last = await service.addEmployee(store.id, [], { status: 'INACTIVE' });
	await service.asSuper('DELETE', `/api/employees/${gone.id}`);
	const path = `/api/stores/${store.id}`;
	expect(expectStatus(await service.asSuper('GET', path), 200)).toEqual({ ...store, employees: [first, last] });
	expect(expectStatus(await service.asSuper('GET', `${path}/employees`), 200)).toEqual([first, last]);
	expect(first.roles).toEqual([{ id: service.builtIn('cashier'), code: 'cashier', name: '收银员' }]);
	const changed = expectStatus(await service.asSuper('PATCH', path, { name: '改名店', status: 'INACTIVE' }), 200);
	const ofStore = { storeName: '改名店', storeStatus: 'INACTIVE' };
	const marked = [
		{ ...first, ...ofStore, statusTags: [enabledTag, storeDisabledTag] },
		{ ...last, ...ofStore, statusTags: [disabledTag, storeDisabledTag] },
	];
	expect(expectStatus(await service.asSuper('GET', path), 200)).toEqual({ ...changed, employees: marked });
	expect(expectStatus(await service.asSuper('GET', `${path}/employees`), 200)).toEqual(marked);
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

	test.each(['', '?includeInactive=false', '?includeInactive=false&sort=name'])(
		'"%s" gives the options: active stores, four fields',
		async (query) => {
			expect(expectStatus(await get(query), 200)).toEqual([
				{ id: active.id, name: '人民路店', address: '人民路 1 号', phone: '021-111' },
				{ id: other.id, name: '南京路店', address: null, phone: '021-222' },
			]);
		},
	);

	test('"?includeInactive=true" gives every store that is not deleted', async () => {
		expect(expectStatus(await get('?includeInactive=true'), 200)).toEqual([active, inactive, other]);
	});

	test.each([
		{ query: '?page=1', shown: ['active', 'other'] },
		{ query: '?pageSize=20', shown: ['active', 'other'] },
		{ query: '?page=1&pageSize=20&includeInactive=false', shown: ['active', 'other'] },
		{ query: '?page=1&includeInactive=true', shown: ['active', 'inactive', 'other'] },
		{ query: '?status=ACTIVE', shown: ['active', 'other'] },
		{ query: '?status=INACTIVE', shown: ['inactive'] },
		{ query: '?status=ACTIVE&includeInactive=true', shown: ['active', 'other'] },
		{ query: '?status=INACTIVE&includeInactive=true', shown: ['inactive'] },
		{ query: '?status=INACTIVE&includeInactive=false', shown: ['inactive'] },
		{ query: '?keyword=店', shown: ['active', 'other'] },
		{ query: '?keyword=店&includeInactive=true', shown: ['active', 'inactive', 'other'] },
		{ query: '?keyword=店&status=INACTIVE', shown: ['inactive'] },
		{ query: '?keyword=路&status=INACTIVE', shown: [] },
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
	const close = (id: number, then: string, moveTo?: number, token = service.superToken) =>
		service.send('POST', `/api/stores/${id}/close`, { token, body: { moveTo, then } });

	/** Everything that closing may change. */
	const stored = () =>
		JSON.stringify(
			['stores', 'employees', 'employee_roles', 'employee_counts', 'history'].map((table) =>
				service.rows(`select * from ${table} order by 1`),
			),
		);

	test.each(['DISABLE', 'DELETE'])('moves everyone, then: %s, and records each', async (then) => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		const enabled = await service.addPerson(from.id, 'store:view');
		const disabled = await service.addEmployee(from.id, [3], { status: 'INACTIVE' });
		const gone = await service.addEmployee(from.id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
		const neighbour = await service.addEmployee(to.id);
		const before = Math.max(...Array.from(allHistory(service.db, {}), ({ id }) => id));
		service.time = new Date(service.time.getTime() + 60_000);

		expect(expectStatus(await close(from.id, then, to.id), 200)).toMatchObject({ moved: 2 });
		const at = service.time.toISOString();
		const listed = expectStatus(await service.asSuper('GET', `/api/stores/${to.id}/employees`), 200);
		expect(listed.map((each: { id: number }) => each.id)).toEqual([enabled.id, disabled.id, neighbour.id]);
		expect(listed[1]).toMatchObject({ status: 'INACTIVE', roles: [{ id: 3 }], updatedAt: at, storeName: to.name });
		expect(service.rows('select store_id from employees where id = ?', gone.id)).toEqual([{ store_id: from.id }]);
		const closed = await service.asSuper('GET', `/api/stores/${from.id}`);
		if (then === 'DELETE') expectRefusal(closed, 404, 'NOT_FOUND');
		else expect(expectStatus(closed, 200)).toMatchObject({ status: 'INACTIVE', updatedAt: at, employees: [] });
		// Their tokens still work, because their new store is enabled.
		expectStatus(await service.send('GET', '/api/stores', { token: enabled.token }), 200);
		const records = Array.from(allHistory(service.db, {})).filter(({ id }) => id > before);
		const recorded = records
			.toSorted((one, other) => one.id - other.id)
			.map(({ action, targetType, targetId, changes }) => [action, targetType, targetId, changes]);
		const moved = [{ field: 'storeId', before: from.id, after: to.id }];
		const ended =
			then === 'DELETE'
				? ['STORE_DELETE', expect.arrayContaining([{ field: 'name', before: from.name, after: null }])]
				: ['STORE_UPDATE', [{ field: 'status', before: 'ACTIVE', after: 'INACTIVE' }]];
		expect(recorded).toEqual([
			[ended[0], 'STORE', from.id, ended[1]],
			['EMPLOYEE_UPDATE', 'EMPLOYEE', enabled.id, moved],
			['EMPLOYEE_UPDATE', 'EMPLOYEE', disabled.id, moved],
		]);
		expect(areIndexesSound(service.db.$client)).toBe(true);
		expect(service.brokenRows()).toEqual([]);
	});

	test('needs another store only when there are people', async () => {
		const [empty, full] = [await service.addStore(), await service.addStore()];
		await service.addEmployee(full.id, [], { status: 'INACTIVE' });
		await service.addEmployee(full.id);
		const before = stored();
		for (const then of ['DISABLE', 'DELETE']) {
			expectRefusal(await close(full.id, then), 409, 'CONFLICT', needsMoveTo(2));
		}
		expect(stored()).toBe(before);
		expect(expectStatus(await close(empty.id, 'DELETE'), 200)).toMatchObject({ moved: 0 });
		expectRefusal(await close(empty.id, 'DELETE'), 404, 'NOT_FOUND');
	});

	test('refuses a store to move to that is disabled, deleted, missing or the same', async () => {
		const [from, off, gone] = [
			await service.addStore(),
			await service.addStore({ status: 'INACTIVE' }),
			await service.addStore(),
		];
		expectStatus(await service.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
		await service.addEmployee(from.id);
		const before = stored();
		for (const moveTo of [off.id, gone.id, 999_999, from.id]) {
			expectRefusal(await close(from.id, 'DISABLE', moveTo), 400, 'BAD_REQUEST', badMoveTo);
		}
		expect(stored()).toBe(before);
	});

	test('is refused as a whole if the caller may not change one of the employees', async () => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		await service.addEmployee(from.id);
		const manage = ['store:manage', 'employee:manage'] as const;
		const closer = await service.addPerson(to.id, 'employee:view:all', ...manage);
		const confined = await service.addPerson(from.id, 'employee:view:store', ...manage);
		const superior = await service.addPerson(from.id, 'role:manage');
		const before = stored();
		for (const { token } of [closer, confined]) {
			expectRefusal(await close(from.id, 'DELETE', to.id, token), 403, 'FORBIDDEN');
		}
		expect(stored()).toBe(before);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${superior.id}`, { roleIds: [] }), 200);
		expectRefusal(await close(from.id, 'DELETE', to.id, confined.token), 403, 'FORBIDDEN');
		expect(expectStatus(await close(from.id, 'DELETE', to.id, closer.token), 200).moved).toBe(3);
	});

	test('looks at people that a damaged search index has lost', async () => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		const above = await service.addPerson(from.id, 'permission:manage');
		await service.addEmployee(from.id);
		service.alter((db) => db.run('delete from employee_search where rowid >= ?', [above.id]));
		const closer = await service.addPerson(to.id, 'store:manage', 'employee:manage', 'employee:view:all');
		expectRefusal(await close(from.id, 'DISABLE', to.id, closer.token), 403, 'FORBIDDEN');
		expect(expectStatus(await close(from.id, 'DISABLE', to.id), 200).moved).toBe(2);
	});
});

describe('closing a store of many people', () => {
	const many = 753;
	let service: Service;
	let [from, to]: Store[] = [];
	beforeAll(async () => {
		service = await Service.start();
		[from, to] = [await service.addStore(), await service.addStore()];
		const at = service.time.toISOString();
		service.db.$client.run(
			`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${many})
			insert into employees (store_id, name, phone, password_hash, password_is_initial, status, created_at, updated_at)
			select ${from.id}, '员工' || n, 13700000000 + n, 'none', 1, 'ACTIVE', '${at}', '${at}' from numbers`,
		);
		service.keep();
	});
	beforeEach(async () => {
		service.rewind();
		// The first request of a token waits for its signature.
		await service.asSuper('GET', '/api/auth/me');
	});
	const close = (id: number, then: string, moveTo: number, token = service.superToken) =>
		service.send('POST', `/api/stores/${id}/close`, { token, body: { moveTo, then } });
	const peopleOf = (id: number): number[] =>
		service.rows('select id from employees where store_id = ? and deleted_at is null', id).map((row) => row.id);
	const list = async (query: string) => expectStatus(await service.asSuper('GET', `/api/history?${query}`), 200);

	/** Closes the store without HTTP, so that something can happen between the first step and the second. */
	async function closeWhile(between: () => Promise<unknown>, { id, tag }: { id?: number; tag?: string } = {}) {
		const claims = { id: id ?? 1, version: 1, signedInAt: 0, expiresAt: 0 };
		const accountType = id === undefined ? 'SUPER_ADMIN' : 'EMPLOYEE';
		const requirements = { ownPassword: false, secondFactor: false };
		const actor = actorOf(service.db, { claims: { accountType, ...claims }, requirements });
		const at = service.now().toISOString();
		const caller = { actor, address: '192.0.2.1', requestId: 'closing', at, expectedTags: tag ? [tag] : undefined };
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		const wanted = { moveTo: to.id, then: 'DISABLE' } as const;
		const steps = closeInSteps(service.db, () => service.tick(), caller, from.id, wanted);
		expect(steps.next().done).toBe(false);
		await between();
		return toTheEnd(steps);
	}

	test('moves them in steps, and others are served in between', async () => {
		const then = 'DELETE';
		const totals: number[] = [];
		const closing = close(from.id, then, to.id).finally(() => totals.push(-1));
		while (totals.at(-1) !== -1) {
			const { pagination } = expectStatus(await service.asSuper('GET', `/api/employees?storeId=${to.id}`), 200);
			totals.unshift(pagination.total);
		}
		expect(totals.some((total) => total > 0 && total < many)).toBe(true);
		expect(expectStatus(await closing, 200)).toEqual({ moved: many, then });
		expect(service.extended).toContainEqual({ path: `/api/stores/${from.id}/close`, seconds: 255 });
		expect(peopleOf(to.id).length).toBe(many);
		const { items } = await list('grouped=true&pageSize=2');
		expect(items).toMatchObject([
			{ action: 'STORE_DELETE', targetId: from.id, group: { size: 1 } },
			{ action: 'EMPLOYEE_UPDATE', group: { size: many } },
		]);
		expectRefusal(await close(from.id, then, from.id), 404, 'NOT_FOUND');
	});

	test('moves who is there at each step, and their records are a group despite others in between', async () => {
		const [leaving = 0, deleted = 0] = peopleOf(from.id).reverse();
		const elsewhere = await service.addStore();
		let hired = 0;
		let between = '';
		const closed = await closeWhile(async () => {
			expectStatus(await service.asSuper('DELETE', `/api/employees/${deleted}`), 204);
			expectStatus(await service.asSuper('PATCH', `/api/employees/${leaving}`, { storeId: elsewhere.id }), 200);
			between = service.tick();
			hired = (await service.addEmployee(from.id)).id;
			// Nobody is refused while they wait for their turn.
			expectStatus(await service.send('GET', '/api/auth/me', { token: service.tokenOf(hired) }), 200);
		});
		expect(closed.moved).toBe(many - 1);
		expect(peopleOf(from.id)).toEqual([]);
		expect(peopleOf(elsewhere.id)).toEqual([leaving]);
		expect(peopleOf(to.id).length).toBe(many - 1);
		expect(peopleOf(to.id)).toContain(hired);
		const { items: newest } = await list('grouped=true&pageSize=9');
		const { id } = newest.find(
			({ requestId, action }: { requestId: string; action: string }) =>
				requestId === 'closing' && action === 'EMPLOYEE_UPDATE',
		).group;
		const { items, pagination } = await list(`groupId=${id}&pageSize=100&page=7`);
		expect(pagination.total).toBe(many - 1);
		const isMember = { requestId: 'closing', action: 'EMPLOYEE_UPDATE', group: { id, size: many - 1 } };
		expect(items).toEqual(Array(100).fill(expect.objectContaining(isMember)));
		expect((await list(`groupId=${id}&targetType=EMPLOYEE&targetId=${leaving}`)).items).toEqual([]);
		expect((await list(`groupId=${id}&targetType=EMPLOYEE&targetId=${hired}`)).items).toMatchObject([isMember]);
		const later = await list(`groupId=${id}&from=${between}`);
		expect(later.pagination.total).toBe(many - 1 - 250);
		const { text } = await service.asSuper('GET', `/api/history/export?format=csv&groupId=${id}`);
		expect(text.trim().split('\n').length).toBe(many);
		expect(areIndexesSound(service.db.$client)).toBe(true);
		expect(service.brokenRows()).toEqual([]);
	});

	const patch = (path: () => string, body: object) => () => service.asSuper('PATCH', path(), body);
	const statusOfOther = (status: string) => patch(() => `/api/stores/${to.id}`, { status });
	const ofCaller = (body: object) => patch(() => `/api/employees/${many + 1}`, body);
	const fullDisk = (mode: 'on' | 'off') => async () => service.db.$client.run(`pragma query_only = ${mode}`);
	test.each<[what: string, code: string, harm: () => Promise<unknown>, mend?: () => unknown]>([
		['the program is killed', 'killed', () => Promise.reject(new Error('killed'))],
		['the other store is disabled', 'BAD_REQUEST', statusOfOther('INACTIVE'), statusOfOther('ACTIVE')],
		['the disk is full', 'SERVICE_UNAVAILABLE', fullDisk('on'), fullDisk('off')],
		['the store is changed', 'PRECONDITION_FAILED', patch(() => `/api/stores/${from.id}`, { phone: '1' })],
		['the caller loses their role', 'FORBIDDEN', ofCaller({ roleIds: [] })],
		['the caller is disabled', 'UNAUTHORIZED', ofCaller({ status: 'INACTIVE' })],
		[
			'somebody gets more than the caller has',
			'FORBIDDEN',
			async () => {
				const { id } = await service.addRole('role:manage');
				expectStatus(await service.asSuper('PATCH', '/api/employees/300', { roleIds: [id] }), 200);
			},
		],
	])('that fails because %s leaves who moved where they are, and can be finished', async (_, code, harm, mend) => {
		const { id: office } = await service.addStore();
		const closer = await service.addPerson(office, 'store:manage', 'employee:manage', 'employee:view:all');
		const tag = (await service.asSuper('GET', `/api/stores/${from.id}`)).headers.get('etag') ?? '';
		const failed = await closeWhile(harm, { id: closer.id, tag }).catch((error) => error);
		expect(failed.code ?? failed.message).toBe(code);
		await mend?.();
		expect([peopleOf(from.id).length, peopleOf(to.id).length]).toEqual([many - 250, 250]);
		expect(service.rows('select status, deleted_at from stores where id = ?', from.id)).toEqual([
			{ status: 'ACTIVE', deleted_at: null },
		]);
		// What was stored is the same whatever failed, so one is finished for all; also when the store was disabled first.
		if (code !== 'killed') return;
		expectStatus(await service.asSuper('PATCH', `/api/stores/${from.id}`, { status: 'INACTIVE' }), 200);
		expect(expectStatus(await close(from.id, 'DELETE', to.id), 200).moved).toBe(many - 250);
		expect([peopleOf(from.id).length, peopleOf(to.id).length]).toEqual([0, many]);
		expect(areIndexesSound(service.db.$client)).toBe(true);
		expect(service.brokenRows()).toEqual([]);
	});

	test('is refused before anybody moves when the last of them is above the caller', async () => {
		const { id: office } = await service.addStore();
		const { token } = await service.addPerson(office, 'store:manage', 'employee:manage', 'employee:view:all');
		await service.addPerson(from.id, 'role:manage');
		expectRefusal(await close(from.id, 'DISABLE', to.id, token), 403, 'FORBIDDEN');
		expect(peopleOf(to.id)).toEqual([]);
	});

	test.each([
		[500, [{ action: 'STORE_UPDATE', group: { size: 501 } }]],
		[
			501,
			[
				{ action: 'STORE_UPDATE', group: { size: 1 } },
				{ action: 'EMPLOYEE_UPDATE', group: { size: 501 } },
			],
		],
	])('of %i people leaves the entries %j in the history', async (count, entries) => {
		const { id: office } = await service.addStore();
		service.db.$client.run(`update employees set store_id = ${office} where id > ${count}`);
		expect(expectStatus(await close(from.id, 'DISABLE', to.id), 200).moved).toBe(count);
		expect((await list(`grouped=true&pageSize=${entries.length}`)).items).toMatchObject(entries);
	});

	test('is not begun when its caller has gone while another one was carried out', async () => {
		const caller = new AbortController();
		const { id } = await service.addStore();
		const first = close(from.id, 'DELETE', to.id);
		const headers = { authorization: `Bearer ${service.superToken}`, 'content-type': 'application/json' };
		const path = `http://localhost/api/stores/${id}/close`;
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		const body = JSON.stringify({ then: 'DELETE' });
		const second = service.app.handle(new Request(path, { method: 'POST', headers, body, signal: caller.signal }));
		caller.abort();
		expect([(await first).status, (await second).status]).toEqual([200, 503]);
		expect((await service.asSuper('GET', `/api/stores/${id}`)).status).toBe(200);
	});

	test.each([
		['twice', () => close(from.id, 'DELETE', to.id), [200, 404]],
		['into each other', () => close(to.id, 'DISABLE', from.id), [200, 400]],
	])('follows another closing that begins at the same time: %s', async (_, other, statuses) => {
		const answers = await Promise.all([close(from.id, 'DELETE', to.id), other()]);
		expect(answers.map(({ status }) => status)).toEqual(statuses);
		expect([peopleOf(from.id).length, peopleOf(to.id).length]).toEqual([0, many]);
	});
});
