/** The overview, counted once more row by row. */
import { expect, test } from 'bun:test';
import type { HistoryRecord } from '../src/identity/history/model.ts';
import { expectRefusal, expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { inZone } from './zone.ts';

// Shanghai is eight hours ahead of UTC, all year.
inZone('Asia/Shanghai');

const service = await Service.start();
service.restoreBeforeEachTest();

/** Counts the rows one by one. */
function counted(): Body {
	const live = 'where deleted_at is null';
	const byStatus = (table: string) => {
		const of = (status: string) => service.rows(`select id from ${table} ${live} and status = ?`, status).length;
		return { ACTIVE: of('ACTIVE'), INACTIVE: of('INACTIVE') };
	};
	const people = service.rows(`select id, store_id, status from employees ${live}`);
	const links = service.rows('select role_id from employee_roles where unbound_at is null');
	return {
		stores: byStatus('stores'),
		employees: byStatus('employees'),
		employeesPerStore: service
			.rows(`select id as storeId, name as storeName, status as storeStatus from stores ${live} order by id`)
			.map((store) => {
				const own = people.filter((each) => each.store_id === store.storeId);
				return { ...store, employees: own.length, enabled: own.filter(({ status }) => status === 'ACTIVE').length };
			}),
		holdersPerRole: service
			.rows(`select id as roleId, code as roleCode, name as roleName from roles ${live} order by id`)
			.map((role) => ({ ...role, holders: links.filter((each) => each.role_id === role.roleId).length })),
		initialPasswords: service.rows(`select id from employees ${live} and password_is_initial = 1`).length,
		...newsOf(),
	};
}

/** The lines of the overview, each with the filter for the same employees and the condition on their rows. */
const lines: Record<string, [filter: string, condition: string]> = {
	lockedOut: ['lockedOut=true', "s.status = 'INACTIVE'"],
	initialPasswords: ['passwordIsInitial=true', 'e.password_is_initial = 1'],
	expiredPasswords: ['passwordExpired=true', 'e.password_expires_at < :now'],
	neverSignedIn: ['neverSignedIn=true', 'e.last_sign_in_at is null'],
	notLately: ['signedInBefore=:since', 'e.last_sign_in_at < :since'],
	withoutRole: [
		'withoutRole=true',
		'not exists (select 1 from employee_roles l where l.employee_id = e.id and l.unbound_at is null)',
	],
};

const hours = 60 * 60 * 1000;
const days = 24 * hours;

/** The day that is some days after a time. */
function dayIn(time: Date, later: number): string {
	return new Date(time.getTime() + 8 * hours + later * days).toISOString().slice(0, 10);
}

function idsOfLine(name: string): number[] {
	const [now, since] = [service.time.toISOString(), dayIn(service.time, -90)];
	const condition = lines[name]?.[1].replace(':now', `'${now}'`).replace(':since', `'${since}'`);
	const query = `select e.id from employees e join stores s on s.id = e.store_id
		where e.deleted_at is null and e.status = 'ACTIVE' and ${condition} order by e.id`;
	return service.rows(query).map(({ id }) => id);
}

/** Counts record by record. */
function newsOf(): Body {
	const today = dayIn(service.time, 0);
	const records = service.records();
	const on = (day: string, counts: (record: HistoryRecord) => boolean) =>
		records.filter((record) => dayIn(new Date(record.at), 0) === day && counts(record)).length;
	return {
		today,
		attention: {
			signedInBefore: dayIn(service.time, -90),
			...Object.fromEntries(Object.keys(lines).map((name) => [name, idsOfLine(name).length])),
			refusedSignIns: records
				.filter(({ action, at }) => action === 'SIGN_IN_REFUSED' && dayIn(new Date(at), 0) === today)
				.reduce((sum, { count }) => sum + count, 0),
		},
		ending: expect.anything(),
		movements: movementsIn(records.filter(({ at }) => dayIn(new Date(at), 0) >= dayIn(service.time, -6))),
		week: [6, 5, 4, 3, 2, 1, 0].map((before) => {
			const day = dayIn(service.time, -before);
			return {
				day,
				...Object.fromEntries(Object.entries(kinds).map(([kind, is]) => [kind, on(day, is)])),
			};
		}),
	};
}

const has = (field: string, is: (before: unknown, after: unknown) => boolean) => (record: HistoryRecord) =>
	record.targetType === 'EMPLOYEE' &&
	record.changes.some((each) => each.field === field && is(each.before, each.after));

/** Movements of employees, by their records. */
const kinds = {
	hired: ({ action }: HistoryRecord) => action === 'EMPLOYEE_CREATE',
	left: has('status', (status, after) => status === 'ACTIVE' && after !== 'ACTIVE'),
	moved: has('storeId', (store, after) => store !== null && after !== null),
	newRoles: has('roleIds', gained),
};

/** The whole week. Each employee who left and is not back counts once. */
function movementsIn(records: readonly HistoryRecord[]): Body {
	const [hired, left, moved, newRoles] = Object.values(kinds).map((is) => records.filter(is));
	const storeOf = ({ targetId }: HistoryRecord) =>
		service.rows('select store_id from employees where id = ?', targetId ?? 0)[0]?.store_id;
	const hires = Array.from(Map.groupBy(hired ?? [], storeOf), ([storeId, { length }]) => ({ storeId, length }));
	const [busiest] = hires.toSorted((a, b) => b.length - a.length || a.storeId - b.storeId);
	const named = 'select id as storeId, name as storeName from stores where deleted_at is null and id = ?';
	const [store] = service.rows(named, busiest?.storeId ?? 0);
	const gone = new Set(service.rows("select id from employees where status = 'INACTIVE'").map(({ id }) => id));
	return {
		from: dayIn(service.time, -6),
		hired: hired?.length,
		left: new Set(left?.map(({ targetId }) => targetId)).intersection(gone).size,
		moved: moved?.length,
		newRoles: newRoles?.length,
		...(store && { busiest: store }),
	};
}

function gained(before: unknown, after: unknown): boolean {
	return Array.isArray(before) && Array.isArray(after) && after.some((id) => !before.includes(id));
}

test('the overview agrees with the rows, after every kind of change', async () => {
	const expectExact = async () => {
		const overview = await service.read('/api/overview');
		expect(overview).toEqual(counted());
		for (const [name, [filter]] of Object.entries(lines)) {
			const query = `status=ACTIVE&pageSize=100&${filter.replace(':since', overview.attention.signedInBefore)}`;
			const { items } = await service.read(`/api/employees?${query}`);
			expect([name, ...items.map(({ id }: Body) => id)]).toEqual([name, ...idsOfLine(name)]);
		}
	};
	await expectExact();
	const [one, two] = [await service.addStore(), await service.addStore()];
	const three = await service.addStore({ status: 'INACTIVE' });
	const role = await service.addRole();
	const people: Body[] = [];
	for (const [store, roleIds, status] of [
		[one, [], 'ACTIVE'],
		[one, [3, role.id], 'ACTIVE'],
		[two, [3], 'INACTIVE'],
		[two, [role.id], 'ACTIVE'],
	] as const) {
		people.push(await service.addEmployee(store.id, roleIds, { status }));
		await expectExact();
	}
	const at = (index: number) => `/api/employees/${people[index]?.id}`;
	const changed = { oldPassword: initialPassword, newPassword: 'another-password' };
	const unchanged = { oldPassword: 'another-password', newPassword: initialPassword };
	const changes: [method: string, path: string, body?: unknown][] = [
		['PATCH', at(0), { storeId: two.id }],
		['PATCH', at(1), { roleIds: [role.id], status: 'INACTIVE' }],
		['PATCH', at(1), { roleIds: [3, 4], storeId: two.id, name: '又一个', phone: newPhone() }],
		['PATCH', `${at(2)}/status`, { status: 'ACTIVE' }],
		['PATCH', `${at(0)}/password`, changed],
		['PATCH', `${at(0)}/password`, unchanged],
		['PATCH', `${at(1)}/password`, changed],
		['PATCH', `${at(1)}/password/reset`],
		['PATCH', `${at(3)}/password`, changed],
		['DELETE', at(3)],
		['DELETE', `/api/stores/${two.id}/employees/${people[0]?.id}`],
		['PATCH', `/api/stores/${two.id}`, { status: 'INACTIVE' }],
		['PATCH', `/api/stores/${two.id}`, { status: 'ACTIVE' }],
		['PATCH', `/api/stores/${two.id}`, { status: 'INACTIVE' }],
		['POST', `${at(2)}/roles`, { roleId: 4, until: '2999-12-31' }],
		['POST', `${at(3)}/restore?storeId=${one.id}`],
		['DELETE', `/api/stores/${three.id}`],
		['PATCH', at(3), { roleIds: [] }],
		['DELETE', `/api/roles/${role.id}`],
	];
	for (const [method, path, body] of changes) {
		const { status, text } = await service.asSuper(method, path, body);
		expect([method, path, status, text]).toEqual([method, path, method === 'DELETE' ? 204 : 200, text]);
		service.tick(days / 3000);
		await expectExact();
	}
	const { token } = await service.addPerson(one.id);
	expectStatus(await service.changeOwnPassword(token, initialPassword, 'another-password'), 200);
	await expectExact();
	const newcomer = await service.addEmployee(one.id, [3]);
	for (const password of ['wrong-password', initialPassword]) {
		await service.signIn(newcomer.phone, password);
	}
	expectRefusal(await service.login('/api/auth/admin/login', newcomer.phone, initialPassword), 401);
	service.refusedSignIns.flush(service.tick(), { now: true });
	await expectExact();
	service.alter((client) => {
		const expired = new Date(service.time.getTime() + 60_000).toISOString();
		client.run('update employees set password_expires_at = ? where id = ?', [expired, newcomer.id]);
	});
	for (const later of [0, 1, days, 89 * days, 2 * days]) {
		service.tick(later / 1000);
		await expectExact();
	}
});

test('the overview has everything that ends within 14 days, the next first', async () => {
	service.time = new Date('2026-03-01T10:00:00.000Z');
	const store = await service.addStore({ name: '一店' });
	const leave = async (name: string, leavesOn: string | null) => {
		const { id } = await service.addEmployee(store.id, [], { name });
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, { leavesOn }), 200);
		return id;
	};
	const [late, soon] = [await leave('晚', '2026-03-15'), await leave('早', '2026-03-02')];
	await leave('很晚', '2026-03-16');
	await leave('不走', null);
	const disabled = await leave('禁用', '2026-03-03');
	for (const [method, path, body] of [
		['PATCH', disabled, { status: 'INACTIVE' }],
		['POST', `${soon}/roles`, { roleId: 4, until: '2026-03-04' }],
		['PATCH', soon, { roleIds: [] }],
		['POST', `${late}/roles`, { roleId: 3, until: '2026-03-01' }],
		['POST', `${late}/roles`, { roleId: 4, until: '2026-03-15' }],
		['POST', `${late}/roles`, { roleId: 5, until: '2026-03-16' }],
	] as const)
		expectStatus(await service.asSuper(method, `/api/employees/${path}`, body), 200);
	const items = [
		{ on: '2026-03-01', employeeId: late, name: '晚', storeName: '一店', roleId: 3, roleName: '收银员' },
		{ on: '2026-03-02', employeeId: soon, name: '早', storeName: '一店', roleId: null, roleName: null },
		{ on: '2026-03-15', employeeId: late, name: '晚', storeName: '一店', roleId: null, roleName: null },
		{ on: '2026-03-15', employeeId: late, name: '晚', storeName: '一店', roleId: 4, roleName: '后厨' },
	];
	const { ending } = await service.read('/api/overview');
	expect(ending).toEqual({ total: 4, items });
});

test('the overview of a caller who sees some stores has these stores only', async () => {
	const [own, given, other] = [await service.addStore(), await service.addStore(), await service.addStore()];
	const lead = await service.addPerson(own.id, 'employee:view:store');
	await service.giveReach(lead.id, { stores: [given.id] });
	const [today, in14days] = [dayIn(service.time, 0), dayIn(service.time, 14)];
	await service.addEmployee(own.id, [], { status: 'INACTIVE' });
	for (const { id } of [given, other]) {
		const { id: leaving } = await service.addEmployee(id, [3]);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${leaving}`, { leavesOn: in14days }), 200);
		await service.addEmployee(id);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${id}`, { status: 'INACTIVE' }), 200);
	}
	const found = await service.read('/api/overview/reach', service.tokenOf(lead.id));
	expect(found).toMatchObject({
		today,
		stores: {
			total: 2,
			items: [
				{ storeId: own.id, storeStatus: 'ACTIVE', employees: 2, enabled: 1, leads: expect.any(String) },
				{ storeId: given.id, storeStatus: 'INACTIVE', employees: 2, enabled: 2, leads: null, lastSignInAt: null },
			],
		},
		attention: { lockedOut: 2, initialPasswords: 3, expiredPasswords: 0, notLately: 0, withoutRole: 1 },
		ending: { total: 1, items: [{ storeName: given.name, on: in14days }] },
	});
	expect(await service.read('/api/overview/reach')).toMatchObject({ stores: { total: 3 }, ending: { total: 2 } });
	for (let count = 0; count < 20; count += 1) await service.addStore();
	const { stores } = await service.read('/api/overview/reach');
	expect([stores.total, stores.items.length]).toEqual([23, 20]);
});
