import { expect, test } from 'bun:test';
import { areIndexesSound } from '../src/server/search-upkeep.ts';
import { expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';

/** What the rows say, counted one by one. */
function counted(service: Service): Body {
	const live = 'where deleted_at is null';
	const byStatus = (table: string) => {
		const of = (status: string) => service.rows(`select id from ${table} ${live} and status = ?`, status).length;
		return { ACTIVE: of('ACTIVE'), INACTIVE: of('INACTIVE') };
	};
	const people = service.rows(`select id, store_id from employees ${live}`);
	const links = service.rows('select role_id from employee_roles where unbound_at is null');
	return {
		stores: byStatus('stores'),
		employees: byStatus('employees'),
		employeesPerStore: service
			.rows(`select id as storeId, name as storeName, status as storeStatus from stores ${live} order by id`)
			.map((store) => ({ ...store, employees: people.filter((each) => each.store_id === store.storeId).length })),
		holdersPerRole: service
			.rows(`select id as roleId, code as roleCode, name as roleName from roles ${live} order by id`)
			.map((role) => ({ ...role, holders: links.filter((each) => each.role_id === role.roleId).length })),
		initialPasswords: haveInitialPassword(service).length,
	};
}

function haveInitialPassword(service: Service): number[] {
	const query = 'select id from employees where deleted_at is null and password_is_initial = 1 order by id';
	return service.rows(query).map(({ id }) => id);
}

test('the overview is what the rows say, after every kind of change', async () => {
	const service = await Service.start();
	const expectExact = async () => {
		const overview = expectStatus(await service.asSuper('GET', '/api/overview'), 200);
		expect(overview).toEqual(counted(service));
		const listed = await service.asSuper('GET', '/api/employees?passwordIsInitial=true&order=asc');
		expect(expectStatus(listed, 200).items.map(({ id }: Body) => id)).toEqual(haveInitialPassword(service));
		expect(areIndexesSound(service.db.$client)).toBe(true);
	};
	await expectExact();
	const [one, two, three] = [
		await service.addStore(),
		await service.addStore(),
		await service.addStore({ status: 'INACTIVE' }),
	];
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
		['DELETE', `/api/stores/${three.id}`],
		['DELETE', `/api/roles/${role.id}`],
	];
	for (const [method, path, body] of changes) {
		const { status, text } = await service.asSuper(method, path, body);
		expect([method, path, status, text]).toEqual([method, path, method === 'DELETE' ? 204 : 200, text]);
		await expectExact();
	}
	const { token } = await service.addPerson(one.id);
	expectStatus(await service.send('PATCH', '/api/auth/me/password', { token, body: changed }), 200);
	await expectExact();
});
