import { afterEach, beforeAll, describe, expect, mock, spyOn, test } from 'bun:test';
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import {
	type Answer,
	expectInvalid,
	expectRefusal,
	expectStatus,
	initialPassword,
	newName,
	newPhone,
	Service,
} from './harness.ts';
import { codes } from './oracle.ts';

type Employee = Awaited<ReturnType<Service['addEmployee']>>;

const enabledTag = { code: 'EMPLOYEE_ACTIVE', label: '员工启用', variant: 'success' };
const disabledTag = { code: 'EMPLOYEE_INACTIVE', label: '员工禁用', variant: 'default' };
const storeDisabledTag = { code: 'STORE_INACTIVE', label: '门店禁用', variant: 'warning' };

const badStore = '门店不存在或已禁用';
const badRole = '角色不存在或已删除';
const phoneTaken = '手机号已存在';
const wrongOldPassword = '原密码错误';
const employeeSide = '/api/auth/employee/login';

let service: Service;
let storeId: number;
beforeAll(async () => {
	service = await Service.start();
	storeId = (await service.addStore()).id;
});

/** Lets a second pass; the time it is then. */
function tick(): string {
	service.time = new Date(service.time.getTime() + 1000);
	return service.time.toISOString();
}

function create(fields: object) {
	return service.asSuper('POST', '/api/employees', { storeId, name: '王芳', phone: newPhone(), ...fields });
}

function change(id: number, body: unknown) {
	return service.asSuper('PATCH', `/api/employees/${id}`, body);
}

function remove(id: number) {
	return service.asSuper('DELETE', `/api/employees/${id}`);
}

function changePassword(id: number, oldPassword: string, newPassword: string) {
	return service.asSuper('PATCH', `/api/employees/${id}/password`, { oldPassword, newPassword });
}

async function get(id: number): Promise<Employee> {
	return expectStatus(await service.asSuper('GET', `/api/employees/${id}`), 200);
}

function setStoreStatus(id: number, status: string) {
	return service.asSuper('PATCH', `/api/stores/${id}`, { status });
}

async function addClosedStore(): Promise<{ id: number }> {
	return service.addStore({ status: 'INACTIVE' });
}

async function addDeletedStore(): Promise<{ id: number }> {
	const store = await service.addStore();
	expectStatus(await service.asSuper('DELETE', `/api/stores/${store.id}`), 204);
	return store;
}

async function addDeletedRole(): Promise<{ id: number }> {
	const role = await service.addRole();
	expectStatus(await service.asSuper('DELETE', `/api/roles/${role.id}`), 204);
	return role;
}

async function addRoles(count: number): Promise<number[]> {
	const ids = [];
	for (let index = 0; index < count; index += 1) ids.push((await service.addRole()).id);
	return ids;
}

/** An employee as the database holds them, with links to roles. */
function recordOf(id: number) {
	return {
		row: service.rows('select * from employees where id = ?', id),
		links: service.rows('select * from employee_roles where employee_id = ? order by id', id),
	};
}

const idsOf = (items: { id: number }[]) => items.map((item) => item.id);

describe('POST /api/employees', () => {
	test('creates an employee with the defaults', async () => {
		const at = tick();
		const store = await service.addStore();
		const phone = newPhone();
		const answer = await service.asSuper('POST', '/api/employees', { storeId: store.id, name: ' 王芳\n', phone });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			success: true,
			data: {
				id: expect.any(Number),
				storeId: store.id,
				storeName: store.name,
				storeStatus: 'ACTIVE',
				name: '王芳',
				phone,
				status: 'ACTIVE',
				statusTags: [enabledTag],
				remark: null,
				roles: [],
				createdAt: at,
				updatedAt: at,
			},
		});
		expect(await get(answer.body.data.id)).toEqual(answer.body.data);
	});

	test('stores every field, texts trimmed, roles in the order of their ids', async () => {
		const at = tick();
		const role = await service.addRole();
		const [cashier, phone] = [service.builtIn('cashier'), newPhone()];
		const roleIds = [role.id, cashier];
		const answer = await create({ phone: `\t${phone} `, status: 'INACTIVE', remark: '  早班\n晚班 ', roleIds });
		const employee = expectStatus(answer, 201);
		expect(employee).toMatchObject({ phone, status: 'INACTIVE', statusTags: [disabledTag], remark: '早班\n晚班' });
		expect(employee.roles).toEqual([
			{ id: cashier, code: 'cashier', name: '收银员' },
			{ id: role.id, code: role.code, name: role.name },
		]);
		expect(await get(employee.id)).toEqual(employee);
		const links = 'select role_id, bound_at, unbound_at from employee_roles where employee_id = ? order by role_id';
		expect(service.rows(links, employee.id)).toEqual([
			{ role_id: cashier, bound_at: at, unbound_at: null },
			{ role_id: role.id, bound_at: at, unbound_at: null },
		]);
	});

	test('sets the initial password', async () => {
		const { phone } = await service.addEmployee(storeId);
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
	});

	test('refuses a taken phone, also that of a disabled employee', async () => {
		for (const status of ['ACTIVE', 'INACTIVE']) {
			const { phone } = await service.addEmployee(storeId, [], { status });
			const other = await service.addStore();
			for (const taken of [phone, ` ${phone} `]) {
				const answer = await create({ storeId: other.id, phone: taken });
				expectRefusal(answer, 409, 'CONFLICT', phoneTaken);
			}
			expect(service.rows('select id from employees where phone = ?', phone)).toHaveLength(1);
		}
	});

	test('takes the name of another employee', async () => {
		const [first, second] = [expectStatus(await create({}), 201), expectStatus(await create({}), 201)];
		expect(second.name).toBe(first.name);
	});

	test.each([
		['missing', async () => ({ id: 999_999 })],
		['deleted', addDeletedStore],
		['disabled', addClosedStore],
	])('refuses a %s store', async (_, addStore) => {
		const [{ id }, phone] = [await addStore(), newPhone()];
		expectRefusal(await create({ storeId: id, phone }), 400, 'BAD_REQUEST', badStore);
		expect(service.rows('select id from employees where phone = ?', phone)).toEqual([]);
	});

	test('takes a store that was disabled and is enabled again', async () => {
		const { id } = await addClosedStore();
		await setStoreStatus(id, 'ACTIVE');
		expectStatus(await create({ storeId: id }), 201);
	});

	test.each([
		['missing', async () => ({ id: 999_999 })],
		['deleted', addDeletedRole],
	])('refuses a %s role', async (_, addRole) => {
		const [{ id }, phone] = [await addRole(), newPhone()];
		for (const roleIds of [[id], [service.builtIn('cashier'), id]]) {
			expectRefusal(await create({ phone, roleIds }), 400, 'BAD_REQUEST', badRole);
		}
		expect(service.rows('select id from employees where phone = ?', phone)).toEqual([]);
	});
});

describe('roleIds', () => {
	test('up to twenty are accepted, twenty-one are refused', async () => {
		const ids = await addRoles(21);
		const twenty = ids.slice(0, 20);
		const created = expectStatus(await create({ roleIds: twenty }), 201);
		expect(idsOf(created.roles)).toEqual(twenty);
		const { id } = await service.addEmployee(storeId);
		expect(idsOf(expectStatus(await change(id, { roleIds: twenty }), 200).roles)).toEqual(twenty);
		expectInvalid(await create({ roleIds: ids }), 'body.roleIds');
		expectInvalid(await change(id, { roleIds: ids }), 'body.roleIds');
		expect(idsOf((await get(id)).roles)).toEqual(twenty);
	});

	test('duplicates are dropped', async () => {
		const [first, second] = await addRoles(2);
		const roleIds = [second, first, second, second];
		const created = expectStatus(await create({ roleIds }), 201);
		expect(idsOf(created.roles)).toEqual([Number(first), Number(second)]);
		expect(recordOf(created.id).links).toHaveLength(2);
		const { id } = await service.addEmployee(storeId);
		expect(idsOf(expectStatus(await change(id, { roleIds }), 200).roles)).toEqual([Number(first), Number(second)]);
		expect(recordOf(id).links).toHaveLength(2);
	});

	test('when omitted, the roles stay unchanged', async () => {
		const { id, roles } = await service.addEmployee(storeId, await addRoles(2));
		const { links } = recordOf(id);
		expect(expectStatus(await change(id, { name: '改名' }), 200).roles).toEqual(roles);
		expect(recordOf(id).links).toEqual(links);
	});

	test('an empty list clears the roles, and the unbinding is recorded', async () => {
		const boundAt = tick();
		const roleIds = await addRoles(2);
		const { id } = await service.addEmployee(storeId, roleIds);
		const unboundAt = tick();
		expect(expectStatus(await change(id, { roleIds: [] }), 200).roles).toEqual([]);
		expect(recordOf(id).links).toEqual(
			roleIds.map((roleId) => ({
				id: expect.any(Number),
				employee_id: id,
				role_id: roleId,
				bound_at: boundAt,
				unbound_at: unboundAt,
			})),
		);
	});

	test('changing them leaves the roles of other employees unchanged', async () => {
		const roleIds = await addRoles(1);
		const other = await service.addEmployee(storeId, roleIds);
		const cleared = await service.addEmployee(storeId, roleIds);
		const deleted = await service.addEmployee(storeId, roleIds);
		const before = recordOf(other.id);
		await change(cleared.id, { roleIds: [] });
		await remove(deleted.id);
		expect(recordOf(other.id)).toEqual(before);
		expect(idsOf((await get(other.id)).roles)).toEqual(roleIds);
	});

	test('replace the roles: a role that stays keeps its record, one that comes back gets a new record', async () => {
		const boundAt = tick();
		const [leaving, staying, coming] = await addRoles(3);
		const { id } = await service.addEmployee(storeId, [Number(leaving), Number(staying)]);
		const replacedAt = tick();
		const changed = expectStatus(await change(id, { roleIds: [coming, staying] }), 200);
		expect(idsOf(changed.roles)).toEqual([Number(staying), Number(coming)]);
		const againAt = tick();
		await change(id, { roleIds: [leaving, staying, coming] });
		const links = () => recordOf(id).links.map(({ role_id, bound_at, unbound_at }) => [role_id, bound_at, unbound_at]);
		const first = [leaving, boundAt, replacedAt];
		expect(links()).toEqual([first, [staying, boundAt, null], [coming, replacedAt, null], [leaving, againAt, null]]);
		const clearedAt = tick();
		await change(id, { roleIds: [] });
		expect(links()).toEqual([
			first,
			[staying, boundAt, clearedAt],
			[coming, replacedAt, clearedAt],
			[leaving, againAt, clearedAt],
		]);
	});
});

describe('PATCH /api/employees/:id', () => {
	test.each<[object, object?]>([
		[{ name: '只改姓名' }],
		[{ phone: '13700000001' }],
		[{ status: 'ACTIVE' }, { status: 'ACTIVE', statusTags: [enabledTag] }],
		[{ remark: '只改备注' }],
		[{ remark: null }],
		[{ remark: ' ' }, { remark: null }],
		[{ roleIds: [] }, { roles: [] }],
		[
			{ name: ' 新姓名 ', phone: ' 13700000002 ', remark: ' 新备注 ' },
			{ name: '新姓名', phone: '13700000002', remark: '新备注' },
		],
	])('changes what is given and nothing else: %j', async (body, stored = body) => {
		const fields = { status: 'INACTIVE', remark: '原备注' };
		const employee = await service.addEmployee(storeId, [service.builtIn('cashier')], fields);
		const at = tick();
		const changed = { ...employee, ...stored, updatedAt: at };
		expect(expectStatus(await change(employee.id, body), 200)).toEqual(changed);
		expect(await get(employee.id)).toEqual(changed);
	});

	test('goes from either status to either', async () => {
		const { id } = await service.addEmployee(storeId);
		for (const status of ['ACTIVE', 'INACTIVE', 'INACTIVE', 'ACTIVE']) {
			const employee = expectStatus(await change(id, { status }), 200);
			expect([employee.status, employee.statusTags]).toEqual([
				status,
				[status === 'ACTIVE' ? enabledTag : disabledTag],
			]);
		}
	});

	test('moves an employee to another store', async () => {
		const employee = await service.addEmployee(storeId);
		const { id, name } = await service.addStore();
		const at = tick();
		expect(expectStatus(await change(employee.id, { storeId: id }), 200)).toEqual({
			...employee,
			storeId: id,
			storeName: name,
			updatedAt: at,
		});
	});

	test('refuses the phone of another employee, and then changes nothing', async () => {
		const { phone } = await service.addEmployee(storeId, [], { status: 'INACTIVE' });
		const { id } = await service.addEmployee(storeId, [service.builtIn('cashier')]);
		const before = recordOf(id);
		const other = await service.addStore();
		const body = { storeId: other.id, name: '改名', phone: ` ${phone}`, roleIds: [service.builtIn('kitchen')] };
		expectRefusal(await change(id, body), 409, 'CONFLICT', phoneTaken);
		expect(recordOf(id)).toEqual(before);
	});

	test('lets an employee keep their phone', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		expect(expectStatus(await change(id, { phone, name: '改名' }), 200)).toMatchObject({ phone, name: '改名' });
	});

	test.each([
		['missing', async () => ({ id: 999_999 })],
		['deleted', addDeletedStore],
		['disabled', addClosedStore],
	])('refuses a move to a %s store, and then changes nothing', async (_, addStore) => {
		const { id } = await service.addEmployee(storeId);
		const before = recordOf(id);
		const body = { storeId: (await addStore()).id, name: '改名', roleIds: [service.builtIn('cashier')] };
		expectRefusal(await change(id, body), 400, 'BAD_REQUEST', badStore);
		expect(recordOf(id)).toEqual(before);
	});

	test.each([
		['missing', async () => ({ id: 999_999 })],
		['deleted', addDeletedRole],
	])('refuses a %s role, and then changes nothing', async (_, addRole) => {
		const { id } = await service.addEmployee(storeId, [service.builtIn('cashier')]);
		const before = recordOf(id);
		const bad = (await addRole()).id;
		for (const roleIds of [[bad], [service.builtIn('kitchen'), bad]]) {
			expectRefusal(await change(id, { name: '改名', roleIds }), 400, 'BAD_REQUEST', badRole);
		}
		expect(recordOf(id)).toEqual(before);
	});

	test('edits an employee of a disabled store in place, and lets them leave it', async () => {
		const closing = await service.addStore();
		const { id } = await service.addEmployee(closing.id);
		await setStoreStatus(closing.id, 'INACTIVE');
		const body = { storeId: closing.id, name: '改名', remark: '新', roleIds: [service.builtIn('cashier')] };
		const edited = expectStatus(await change(id, body), 200);
		expect(edited).toMatchObject({ name: '改名', remark: '新', statusTags: [enabledTag, storeDisabledTag] });
		expect(idsOf(edited.roles)).toEqual([service.builtIn('cashier')]);
		const disabled = expectStatus(await change(id, { status: 'INACTIVE' }), 200);
		expect(disabled.statusTags).toEqual([disabledTag, storeDisabledTag]);
		expect(expectStatus(await change(id, { storeId }), 200).statusTags).toEqual([disabledTag]);
		expectRefusal(await change(id, { storeId: closing.id }), 400, 'BAD_REQUEST', badStore);
	});
});

describe('PATCH /api/employees/:id/status', () => {
	test('sets the status and nothing else', async () => {
		const employee = await service.addEmployee(storeId, [service.builtIn('cashier')], { remark: '原备注' });
		const path = `/api/employees/${employee.id}/status`;
		for (const status of ['INACTIVE', 'INACTIVE', 'ACTIVE', 'ACTIVE']) {
			const at = tick();
			const body = { status, name: '改名', remark: null, roleIds: [], phone: newPhone() };
			expect(expectStatus(await service.asSuper('PATCH', path, body), 200)).toEqual({
				...employee,
				status,
				statusTags: [status === 'ACTIVE' ? enabledTag : disabledTag],
				updatedAt: at,
			});
		}
	});

	test('works in a disabled store', async () => {
		const { id } = await service.addStore();
		const employee = await service.addEmployee(id, [], { status: 'INACTIVE' });
		await setStoreStatus(id, 'INACTIVE');
		const answer = await service.asSuper('PATCH', `/api/employees/${employee.id}/status`, { status: 'ACTIVE' });
		expect(expectStatus(answer, 200).statusTags).toEqual([enabledTag, storeDisabledTag]);
	});
});

describe('PATCH /api/employees/:id/password', () => {
	test('sets the new password; the old one is wrong from then on', async () => {
		const employee = await service.addEmployee(storeId);
		const { id, phone } = employee;
		const at = tick();
		const answer = await changePassword(id, initialPassword, 'the-second-password');
		expect(expectStatus(answer, 200)).toEqual({ ...employee, updatedAt: at });
		expectStatus(await service.login(employeeSide, phone, 'the-second-password'), 200);
		expectRefusal(await service.login(employeeSide, phone, initialPassword), 401, 'UNAUTHORIZED');
		expectRefusal(await changePassword(id, initialPassword, 'the-third-password'), 400, 'BAD_REQUEST');
		expectStatus(await changePassword(id, 'the-second-password', 'the-third-password'), 200);
		expectStatus(await service.login(employeeSide, phone, 'the-third-password'), 200);
	});

	test('refuses a wrong old password, and stores nothing', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const before = recordOf(id);
		for (const wrong of ['a-wrong-password', `${initialPassword} `, initialPassword.toUpperCase()]) {
			const answer = await changePassword(id, wrong, 'the-second-password');
			expectRefusal(answer, 400, 'BAD_REQUEST', wrongOldPassword);
			expect(answer.body.error.details).toEqual([{ path: 'body.oldPassword', message: wrongOldPassword }]);
		}
		expect(recordOf(id)).toEqual(before);
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
	});
});

describe('PATCH /api/employees/:id/password/reset', () => {
	test('sets the initial password again', async () => {
		const employee = await service.addEmployee(storeId);
		const { id, phone } = employee;
		await changePassword(id, initialPassword, 'the-second-password');
		const at = tick();
		const answer = await service.asSuper('PATCH', `/api/employees/${id}/password/reset`);
		expect(expectStatus(answer, 200)).toEqual({ ...employee, updatedAt: at });
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
		expectRefusal(await service.login(employeeSide, phone, 'the-second-password'), 401, 'UNAUTHORIZED');
	});

	test.each(['ACTIVE', 'INACTIVE'])('does not change the status of an %s employee', async (status) => {
		const { id } = await service.addEmployee(storeId, [], { status });
		expect(expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/password/reset`), 200).status).toBe(
			status,
		);
	});
});

describe('the initial password', () => {
	afterEach(() => mock.restore());

	test('is hashed once, before the first request: no hire and no reset waits for it', async () => {
		const hash = spyOn(Bun.password, 'hash');
		const started = await Service.start();
		expect(hash.mock.calls.filter(([password]) => password === initialPassword)).toHaveLength(1);
		hash.mockClear();
		const { id: store } = await started.addStore();
		const { id } = await started.addEmployee(store);
		expectStatus(await started.asSuper('PATCH', `/api/employees/${id}/password/reset`), 200);
		expect(hash).not.toHaveBeenCalled();
	});
});

describe('DELETE /api/employees/:id', () => {
	test('keeps the record, inactive, with the time, and its role links as unbound', async () => {
		const roleIds = await addRoles(2);
		const { id, phone, name } = await service.addEmployee(storeId, roleIds);
		const at = tick();
		const answer = await remove(id);
		expect([answer.status, answer.text]).toEqual([204, '']);
		const { row, links } = recordOf(id);
		expect(row).toMatchObject([{ id, store_id: storeId, name, phone, status: 'INACTIVE', deleted_at: at }]);
		expect(links.map(({ role_id, unbound_at }) => [role_id, unbound_at])).toEqual(
			roleIds.map((roleId) => [roleId, at]),
		);
	});

	test('keeps the time of an earlier unbinding', async () => {
		const [roleId] = await addRoles(1);
		const { id } = await service.addEmployee(storeId, [Number(roleId)]);
		const unboundAt = tick();
		await change(id, { roleIds: [] });
		tick();
		await remove(id);
		expect(recordOf(id).links).toMatchObject([{ unbound_at: unboundAt }]);
	});

	test('frees the phone for a new employee, who inherits nothing', async () => {
		const { id, phone } = await service.addEmployee(storeId, [service.builtIn('admin')], { remark: '旧' });
		await changePassword(id, initialPassword, 'the-second-password');
		await remove(id);
		const next = await service.addEmployee(storeId, [], { phone });
		expect(next).toMatchObject({ phone, status: 'ACTIVE', remark: null, roles: [] });
		expect(next.id).not.toBe(id);
		expectRefusal(await service.login(employeeSide, phone, 'the-second-password'), 401, 'UNAUTHORIZED');
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
		expectRefusal(await create({ phone }), 409, 'CONFLICT', phoneTaken);
	});

	test('frees the phone for another employee to change to', async () => {
		const [gone, other] = [await service.addEmployee(storeId), await service.addEmployee(storeId)];
		await remove(gone.id);
		expect(expectStatus(await change(other.id, { phone: gone.phone }), 200).phone).toBe(gone.phone);
	});

	test('removes the employee from every list', async () => {
		const store = await service.addStore();
		const { id, phone } = await service.addEmployee(store.id);
		await remove(id);
		const none = { page: 1, pageSize: 20, total: 0, totalPages: 0 };
		for (const query of [`storeId=${store.id}`, `keyword=${phone}`, `storeId=${store.id}&status=INACTIVE`]) {
			const page = expectStatus(await service.asSuper('GET', `/api/employees?${query}`), 200);
			expect(page).toEqual({ items: [], pagination: none });
		}
		expect(expectStatus(await service.asSuper('GET', `/api/stores/${store.id}`), 200).employees).toEqual([]);
		expect(expectStatus(await service.asSuper('GET', `/api/stores/${store.id}/employees`), 200)).toEqual([]);
	});

	test('deletes a disabled employee, and one of a disabled store', async () => {
		const store = await service.addStore();
		const disabled = await service.addEmployee(storeId, [], { status: 'INACTIVE' });
		const closed = await service.addEmployee(store.id);
		await setStoreStatus(store.id, 'INACTIVE');
		for (const { id } of [disabled, closed]) expectStatus(await remove(id), 204);
	});
});

describe('GET /api/employees', () => {
	let list: Service;
	let first: Employee;
	let disabled: Employee;
	let inClosed: Employee;
	let disabledInClosed: Employee;
	let last: Employee;
	let open: number;
	let closed: number;
	beforeAll(async () => {
		list = await Service.start();
		open = (await list.addStore()).id;
		closed = (await list.addStore()).id;
		const roles = [list.builtIn('store_manager'), list.builtIn('cashier')];
		first = await list.addEmployee(open, roles, { name: '赵一', phone: '13900000009' });
		disabled = await list.addEmployee(open, [], { name: '钱二', phone: '13900000008', status: 'INACTIVE' });
		const gone = await list.addEmployee(open, [], { name: '赵零', phone: '13900000007' });
		inClosed = await list.addEmployee(closed, [list.builtIn('cashier')], { name: '孙三', phone: '13900000006' });
		disabledInClosed = await list.addEmployee(closed, [], { name: '李四', phone: '13900000005', status: 'INACTIVE' });
		last = await list.addEmployee(open, [], { name: '赵五', phone: '13900000004', remark: '钱' });
		await list.asSuper('DELETE', `/api/employees/${gone.id}`);
		await list.asSuper('PATCH', `/api/stores/${closed}`, { status: 'INACTIVE' });
	});

	const ask = (query: string) => list.asSuper('GET', `/api/employees${query}`);

	test.each(['', '?unknown=1', '?page=1', '?page=1&pageSize=20'])(
		'"%s" gives the first page, in the order of the ids',
		async (query) => {
			const inClosedStore = { storeStatus: 'INACTIVE' };
			expect(expectStatus(await ask(query), 200)).toEqual({
				items: [
					first,
					disabled,
					{ ...inClosed, ...inClosedStore, statusTags: [enabledTag, storeDisabledTag] },
					{ ...disabledInClosed, ...inClosedStore, statusTags: [disabledTag, storeDisabledTag] },
					last,
				],
				pagination: { page: 1, pageSize: 20, total: 5, totalPages: 1 },
			});
			expect(idsOf(first.roles)).toEqual([list.builtIn('store_manager'), list.builtIn('cashier')]);
			expect(disabled.statusTags).toEqual([disabledTag]);
		},
	);

	test('the keyword is not sought in the remark', async () => {
		const { items } = expectStatus(await ask('?keyword=钱'), 200);
		expect(items.map(({ name }: Employee) => name)).toEqual(['钱二']);
	});
});

test('a refused change leaves the list as it was', async () => {
	const { phone } = await service.addEmployee(storeId);
	const { id } = await service.addEmployee(storeId, [], { name: '司马懿仲' });
	expectRefusal(await change(id, { name: '诸葛孔明', phone }), 409, 'CONFLICT');
	for (const [keyword, ids] of [
		['司马懿仲', [id]],
		['诸', []],
	] as const) {
		const { items, pagination } = expectStatus(await service.asSuper('GET', `/api/employees?keyword=${keyword}`), 200);
		expect([idsOf(items), pagination.total]).toEqual([[...ids], ids.length]);
	}
});

/** Every endpoint that changes an employee. */
const writes: [what: string, path: (id: number, storeId: number) => string, body?: object][] = [
	['PATCH', (id) => `/api/employees/${id}`, { name: '改名' }],
	['PATCH', (id) => `/api/employees/${id}`, { status: 'INACTIVE' }],
	['PATCH', (id) => `/api/employees/${id}`, { roleIds: [] }],
	['PATCH', (id) => `/api/employees/${id}/status`, { status: 'INACTIVE' }],
	[
		'PATCH',
		(id) => `/api/employees/${id}/password`,
		{ oldPassword: initialPassword, newPassword: 'the-second-password' },
	],
	['PATCH', (id) => `/api/employees/${id}/password/reset`],
	['DELETE', (id) => `/api/employees/${id}`],
	['DELETE', (id, storeId) => `/api/stores/${storeId}/employees/${id}`],
];
const describedWrites = writes.map(
	([method, path, body]) => [`${method} ${path(0, 0)} ${JSON.stringify(body ?? '')}`, method, path, body] as const,
);

function expectForbidden(answer: Answer): void {
	expectRefusal(answer, 403, 'FORBIDDEN');
}

describe('nobody acts upward', () => {
	let actor: string;
	let above: number;
	let equal: number;
	beforeAll(async () => {
		actor = (await service.addPerson(storeId, 'employee:view:all', 'employee:manage', 'role:view')).token;
		above = (await service.addRole('role:view', 'store:view')).id;
		equal = (await service.addRole('role:view', 'employee:view:all', 'employee:view:store', 'employee:manage')).id;
	});

	const write = (method: string, path: string, body?: object) => service.send(method, path, { token: actor, body });

	test.each(describedWrites)('%s', async (_, method, path, body) => {
		const higher = await service.addEmployee(storeId, [above]);
		const before = recordOf(higher.id);
		expectForbidden(await write(method, path(higher.id, storeId), body));
		expect(recordOf(higher.id)).toEqual(before);
		const same = await service.addEmployee(storeId, [equal]);
		expect([200, 204]).toContain((await write(method, path(same.id, storeId), body)).status);
		expect(recordOf(same.id)).not.toEqual(before);
	});

	test('the permissions of all roles of the employee count together', async () => {
		const low = await service.addRole('role:view');
		const { id } = await service.addEmployee(storeId, [low.id, above]);
		expectForbidden(await write('PATCH', `/api/employees/${id}`, { name: '改名' }));
		await change(id, { roleIds: [low.id] });
		expectStatus(await write('PATCH', `/api/employees/${id}`, { name: '改名' }), 200);
	});

	test('the present permissions of the roles decide', async () => {
		const role = await service.addRole();
		const { id } = await service.addEmployee(storeId, [role.id]);
		const path = `/api/permissions/roles/${role.id}`;
		await service.asSuper('PUT', path, { permissions: ['store:view'] });
		expectForbidden(await write('PATCH', `/api/employees/${id}`, { name: '改名' }));
		const hire = () =>
			write('POST', '/api/employees', { storeId, name: '王芳', phone: newPhone(), roleIds: [role.id] });
		expectForbidden(await hire());
		await service.asSuper('PUT', path, { permissions: ['role:view'] });
		expectStatus(await write('PATCH', `/api/employees/${id}`, { name: '改名' }), 200);
		expectStatus(await hire(), 201);
	});

	test('an actor cannot assign a role with a permission the actor lacks', async () => {
		const phone = newPhone();
		const fields = { storeId, name: '王芳', phone, roleIds: [service.builtIn('cashier'), above] };
		expectForbidden(await write('POST', '/api/employees', fields));
		expect(service.rows('select id from employees where phone = ?', phone)).toEqual([]);
		const { id } = await service.addEmployee(storeId, [equal]);
		const before = recordOf(id);
		expectForbidden(await write('PATCH', `/api/employees/${id}`, { roleIds: [equal, above] }));
		expect(recordOf(id)).toEqual(before);
	});

	test('an actor can assign and remove roles whose permissions the actor holds', async () => {
		const roleIds = [service.builtIn('cashier'), equal];
		const fields = { storeId, name: '王芳', phone: newPhone(), roleIds };
		const created = expectStatus(await write('POST', '/api/employees', fields), 201);
		expect(idsOf(created.roles)).toEqual(roleIds);
		const path = `/api/employees/${created.id}`;
		const fewer = expectStatus(await write('PATCH', path, { roleIds: [equal] }), 200);
		expect(idsOf(fewer.roles)).toEqual([equal]);
		expect(idsOf(expectStatus(await write('PATCH', path, { roleIds }), 200).roles)).toEqual(roleIds);
	});

	test('reading is not restricted', async () => {
		const higher = await service.addEmployee(storeId, [above]);
		const answer = await service.send('GET', `/api/employees/${higher.id}`, { token: actor });
		expect(expectStatus(answer, 200)).toEqual(higher);
	});

	test('the super administrator is not restricted', async () => {
		for (const [, method, path, body] of describedWrites) {
			const { id } = await service.addPerson(storeId, ...codes);
			expect([200, 204]).toContain((await service.asSuper(method, path(id, storeId), body)).status);
		}
	});
});

test('a manager who is moved to another store sees that store from then on, and no longer the first', async () => {
	const [home, away] = [await service.addStore(), await service.addStore()];
	const { id: own } = await service.addEmployee(home.id);
	const { id: other } = await service.addEmployee(away.id);
	const { id, token } = await service.addPerson(home.id, 'employee:view:store');
	const seen = async () => idsOf(expectStatus(await service.send('GET', '/api/employees', { token }), 200).items);
	expect(await seen()).toEqual([own, id]);
	await change(id, { storeId: away.id });
	expect(await seen()).toEqual([other, id]);
	expectForbidden(await service.send('GET', `/api/employees/${own}`, { token }));
});

test('a store that is renamed or disabled shows in its employees at once', async () => {
	const store = await service.addStore();
	const employee = await service.addEmployee(store.id);
	const storeName = newName('改名店');
	await service.asSuper('PATCH', `/api/stores/${store.id}`, { name: storeName, status: 'INACTIVE' });
	expect(await get(employee.id)).toEqual({
		...employee,
		storeName,
		storeStatus: 'INACTIVE',
		statusTags: [enabledTag, storeDisabledTag],
	});
});

describe('the employees of a role', () => {
	test('are listed to those who may view roles and employees, within their stores', async () => {
		const service = await Service.start();
		const [home, other] = [await service.addStore(), await service.addStore()];
		const role = await service.addRole();
		const here = await service.addEmployee(home.id, [role.id]);
		const there = await service.addEmployee(other.id, [role.id, service.builtIn('cashier')]);
		await service.addEmployee(home.id, []);
		const listed = async (token: string, query = '') => {
			const path = `/api/roles/${role.id}/employees${query}`;
			const { items, pagination } = expectStatus(await service.send('GET', path, { token }), 200);
			return [pagination.total, ...items.map(({ id }: { id: number }) => id)];
		};
		const everywhere = await service.addPerson(home.id, 'role:view', 'employee:view:all');
		const confined = await service.addPerson(home.id, 'role:view', 'employee:view:store');
		expect(await listed(everywhere.token)).toEqual([2, here.id, there.id]);
		expect(await listed(everywhere.token, '?pageSize=1&page=2')).toEqual([2, there.id]);
		expect(await listed(confined.token)).toEqual([1, here.id]);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${here.id}`), 204);
		expect(await listed(service.superToken)).toEqual([1, there.id]);
	});

	test('are newest first when that is asked for', async () => {
		const service = await Service.start();
		const { id: storeId } = await service.addStore();
		for (let made = 0; made < 3; made += 1) await service.addEmployee(storeId, [service.builtIn('kitchen')]);
		const path = `/api/employees?roleId=${service.builtIn('kitchen')}&order=desc&pageSize=2`;
		expect(expectStatus(await service.asSuper('GET', path), 200).items.map(({ id }: { id: number }) => id)).toEqual([
			3, 2,
		]);
	});
});

describe('the options of a form', () => {
	test('are the active stores and the roles within reach, for a manager who may view neither', async () => {
		const service = await Service.start();
		const [home, other] = [await service.addStore(), await service.addStore()];
		await service.addStore({ status: 'INACTIVE' });
		const gone = await service.addStore();
		expectStatus(await service.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
		const confined = await service.addPerson(home.id, 'employee:view:store', 'employee:manage');
		const everywhere = await service.addPerson(home.id, 'employee:view:all', 'employee:manage');
		const options = async (token: string) =>
			expectStatus(await service.send('GET', '/api/employees/options', { token }), 200);
		const codesOf = async (token: string) => {
			const ids = (await options(token)).roles.map(({ id }: { id: number }) => id);
			const held = service.rows('select role_id, permission from role_permissions where deleted_at is null');
			return new Set(held.filter(({ role_id }) => ids.includes(role_id)).map(({ permission }) => permission));
		};
		expect((await options(confined.token)).stores).toEqual([{ id: home.id, name: home.name }]);
		expect((await options(everywhere.token)).stores).toEqual([home, other].map(({ id, name }) => ({ id, name })));
		expect(await codesOf(confined.token)).toEqual(new Set(['employee:view:store', 'employee:manage']));
		expect(await codesOf(everywhere.token)).toEqual(
			new Set(['employee:view:all', 'employee:view:store', 'employee:manage']),
		);
		const all = await options(service.superToken);
		expect(all.roles).toEqual(
			expectStatus(await service.asSuper('GET', '/api/roles'), 200).map(
				({ id, name }: { id: number; name: string }) => ({
					id,
					name,
				}),
			),
		);
	});

	test('are all accepted for a new employee, and nothing else is', async () => {
		const service = await Service.start();
		const stores = [await service.addStore(), await service.addStore()];
		for (const codes of [['employee:view:store'], ['employee:view:all', 'role:view'], ['permission:view']] as const) {
			await service.addPerson(stores[0]?.id ?? 0, ...codes);
		}
		const manager = await service.addPerson(stores[1]?.id ?? 0, 'employee:view:store', 'employee:manage');
		const { token } = manager;
		const offered = expectStatus(await service.send('GET', '/api/employees/options', { token }), 200);
		const offers = (list: { id: number }[], id: number) => list.some((each) => each.id === id);
		const hire = (storeId: number, roleIds: number[]) =>
			service.send('POST', '/api/employees', { token, body: { storeId, roleIds, name: '某', phone: newPhone() } });
		for (const { id } of service.rows('select id from roles where deleted_at is null')) {
			const { status } = await hire(manager.storeId, [id]);
			expect([id, status]).toEqual([id, offers(offered.roles, id) ? 201 : 403]);
		}
		for (const { id } of stores) {
			expect([id, (await hire(id, [])).status]).toEqual([id, offers(offered.stores, id) ? 201 : 403]);
		}
	});
});

describe('explained access', () => {
	const disabled = '账号已被禁用';
	const storeDisabled = '所属门店已被禁用';
	const noBackOffice = '当前账号没有后台登录权限';

	test('names the roles behind each permission, and the scope', async () => {
		const service = await Service.start();
		const { id: storeId } = await service.addStore();
		const [one, two] = [
			await service.addRole('store:view', 'employee:view:store'),
			await service.addRole('store:view', 'employee:manage'),
		];
		const { id } = await service.addEmployee(storeId, [one.id, two.id]);
		const explained = expectStatus(await service.asSuper('GET', `/api/employees/${id}/access`), 200);
		const summary = ({ id, code, name }: Employee) => ({ id, code, name });
		const from: Partial<Record<PermissionCode, Employee[]>> = {
			'store:view': [one, two],
			'employee:view:store': [one],
			'employee:manage': [two],
		};
		const { permissions } = expectStatus(await service.asSuper('GET', '/api/permissions/definitions'), 200);
		expect(explained).toEqual({
			employeeId: id,
			scope: 'current store',
			permissions: permissions.map(({ code, title }: { code: PermissionCode; title: string }) => ({
				code,
				title,
				held: code in from,
				roles: (from[code] ?? []).map(summary),
			})),
			doors: [
				{ door: 'BACK_OFFICE', allowed: true, message: null },
				{ door: 'EMPLOYEE', allowed: true, message: null },
			],
			passwordIsInitial: true,
		});
	});

	const cases: [what: string, codes: PermissionCode[], employee: string, store: string][] = [
		['an enabled employee with a menu', ['store:view'], 'ACTIVE', 'ACTIVE'],
		['an enabled employee without a menu', ['employee:manage'], 'ACTIVE', 'ACTIVE'],
		['a disabled employee', ['store:view'], 'INACTIVE', 'ACTIVE'],
		['an employee of a disabled store', ['store:view'], 'ACTIVE', 'INACTIVE'],
		['a disabled employee of a disabled store', [], 'INACTIVE', 'INACTIVE'],
	];
	test.each(cases)('says of %s what signing in says', async (_, codes, status, storeStatus) => {
		const service = await Service.start();
		const { id: storeId } = await service.addStore();
		const { id, phone } = await service.addPerson(storeId, ...codes);
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/status`, { status }), 200);
		expectStatus(await service.asSuper('PATCH', `/api/stores/${storeId}`, { status: storeStatus }), 200);
		const { doors } = expectStatus(await service.asSuper('GET', `/api/employees/${id}/access`), 200);
		for (const [door, path] of [
			['BACK_OFFICE', '/api/auth/admin/login'],
			['EMPLOYEE', employeeSide],
		] as const) {
			const answer = await service.login(path, phone, initialPassword);
			const message = answer.status === 200 ? null : answer.body.error.message;
			expect([null, disabled, storeDisabled, noBackOffice]).toContain(message);
			expect(doors.find((each: { door: string }) => each.door === door)).toEqual({
				door,
				allowed: answer.status === 200,
				message,
			});
		}
	});

	test('follows the password, and is out of reach for a manager of another store', async () => {
		const service = await Service.start();
		const [home, other] = [await service.addStore(), await service.addStore()];
		const { id } = await service.addEmployee(other.id);
		const change = { oldPassword: initialPassword, newPassword: 'a-new-password' };
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/password`, change), 200);
		const path = `/api/employees/${id}/access`;
		expect(expectStatus(await service.asSuper('GET', path), 200)).toMatchObject({
			passwordIsInitial: false,
			scope: 'no back-office menu by default',
		});
		const confined = await service.addPerson(home.id, 'employee:view:store', 'permission:view');
		expectRefusal(await service.send('GET', path, { token: confined.token }), 403, 'FORBIDDEN');
		expectStatus(await service.send('GET', `/api/employees/${confined.id}/access`, { token: confined.token }), 200);
		expectRefusal(await service.asSuper('GET', '/api/employees/999999/access'), 404, 'NOT_FOUND');
	});
});
