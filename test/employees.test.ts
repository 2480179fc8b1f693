import { beforeAll, describe, expect, test } from 'bun:test';
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

type Employee = Awaited<ReturnType<Service['addEmployee']>>;

const enabledTag = { code: 'EMPLOYEE_ACTIVE', label: '员工启用', variant: 'success' };
const disabledTag = { code: 'EMPLOYEE_INACTIVE', label: '员工禁用', variant: 'default' };
const storeDisabledTag = { code: 'STORE_INACTIVE', label: '门店禁用', variant: 'warning' };

const badStore = '门店不存在或已停用';
const badRole = '角色不存在或已删除';
const phoneTaken = '手机号已存在';
const wrongOldPassword = '原密码错误';
const employeeSide = '/api/auth/employee/login';

const codes: PermissionCode[] = [
	'store:view',
	'store:manage',
	'role:view',
	'role:manage',
	'employee:view:all',
	'employee:view:store',
	'employee:manage',
	'permission:view',
	'permission:manage',
];

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

function hashOf(id: number): string {
	return service.rows('select password_hash from employees where id = ?', id)[0].password_hash;
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

	test.each(['', '   ', null])('takes %j for no remark', async (remark) => {
		expect(expectStatus(await create({ remark }), 201).remark).toBeNull();
	});

	test('sets the initial password', async () => {
		const { phone } = await service.addEmployee(storeId);
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
	});

	test('stores no password in clear, and never answers with a hash', async () => {
		const answer = await create({});
		const { id } = expectStatus(answer, 201);
		expect(hashOf(id)).toStartWith('$argon2id$');
		const path = `/api/employees/${id}`;
		const passwords = { oldPassword: initialPassword, newPassword: 'another-password' };
		const answers = [
			answer,
			await service.asSuper('GET', path),
			await change(id, { name: '改名' }),
			await service.asSuper('PATCH', `${path}/status`, { status: 'ACTIVE' }),
			await service.asSuper('PATCH', `${path}/password`, passwords),
			await service.asSuper('PATCH', `${path}/password/reset`),
			await service.asSuper('GET', '/api/employees?pageSize=100'),
			await service.asSuper('GET', `/api/stores/${storeId}`),
		];
		for (const { status, text } of answers) {
			expect([200, 201]).toContain(status);
			expect(text).not.toMatch(/password|argon2|hash|version/i);
		}
		const everything = JSON.stringify(service.rows('select * from employees'));
		for (const password of [initialPassword, 'another-password']) expect(everything).not.toContain(password);
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

	test.each(['admin', 'store_manager', 'cashier', 'kitchen', 'part_time'])(
		'may name the built-in role %s',
		async (code) => {
			const { roles } = await service.addEmployee(storeId, [service.builtIn(code)]);
			expect(roles).toEqual([{ id: service.builtIn(code), code, name: expect.any(String) }]);
		},
	);

	test('the pseudo role of the super administrator is refused', async () => {
		expectInvalid(await create({ roleIds: [0] }), 'body.roleIds.0');
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

	test.each([{}, { unknown: 1 }])('refuses %j, for no field is given', async (body) => {
		const { id } = await service.addEmployee(storeId);
		expectInvalid(await change(id, body));
	});

	test('has the constraints of creation', async () => {
		const { id } = await service.addEmployee(storeId);
		const wrong = { storeId: 0, name: ' ', phone: '1', status: 'ON', remark: 5, roleIds: [0] };
		const paths = ['body.storeId', 'body.name', 'body.phone', 'body.status', 'body.remark', 'body.roleIds.0'];
		expectInvalid(await change(id, wrong), ...paths);
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

	test.each(['12345678', 'a'.repeat(128), '密'.repeat(8), '🔑'.repeat(8), '🔑'.repeat(128), ' '.repeat(8)])(
		'takes "%s"',
		async (password) => {
			const { id, phone } = await service.addEmployee(storeId);
			expectStatus(await changePassword(id, initialPassword, password), 200);
			expectStatus(await service.login(employeeSide, phone, password), 200);
			expectStatus(await changePassword(id, password, initialPassword), 200);
		},
	);
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

	test('ignores a body', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const body = { newPassword: 'the-second-password', name: '改名' };
		expect(
			expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/password/reset`, body), 200).name,
		).not.toBe('改名');
		expectStatus(await service.login(employeeSide, phone, initialPassword), 200);
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

describe('a missing or deleted employee', () => {
	test.each<[method: string, rest: string, body?: object]>([
		['GET', ''],
		['PATCH', '', { name: '改名' }],
		['PATCH', '/status', { status: 'ACTIVE' }],
		['PATCH', '/password', { oldPassword: initialPassword, newPassword: 'the-second-password' }],
		['PATCH', '/password/reset'],
		['DELETE', ''],
	])('answers 404 to %s :id%s', async (method, rest, body) => {
		const { id } = await service.addEmployee(storeId);
		await remove(id);
		const before = recordOf(id);
		for (const each of [id, 999_999]) {
			const answer = await service.asSuper(method, `/api/employees/${each}${rest}`, body);
			expectRefusal(answer, 404, 'NOT_FOUND', '员工不存在');
		}
		expect(recordOf(id)).toEqual(before);
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
	const named = (names: string) => names.split(' ').filter((name) => name !== '');

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

	test.each([
		['status=ACTIVE', '赵一 孙三 赵五'],
		['status=INACTIVE', '钱二 李四'],
		['keyword=赵', '赵一 赵五'],
		['keyword=钱', '钱二'],
		['keyword=1390000000', '赵一 钱二 孙三 李四 赵五'],
		['keyword=0006', '孙三'],
		['keyword=0007', ''],
		['keyword=赵&status=INACTIVE', ''],
		['keyword=0005&status=INACTIVE', '李四'],
	])('"?%s" finds "%s"', async (query, names) => {
		const { items, pagination } = expectStatus(await ask(`?${query}`), 200);
		expect(items.map((employee: Employee) => employee.name)).toEqual(named(names));
		const total = named(names).length;
		expect(pagination).toEqual({ page: 1, pageSize: 20, total, totalPages: Math.min(total, 1) });
	});

	test('storeId applies, alone and with the other filters', async () => {
		const names = async (query: string) =>
			expectStatus(await ask(query), 200).items.map((employee: Employee) => employee.name);
		expect(await names(`?storeId=${open}`)).toEqual(['赵一', '钱二', '赵五']);
		expect(await names(`?storeId=${closed}`)).toEqual(['孙三', '李四']);
		expect(await names(`?storeId=${closed}&status=ACTIVE`)).toEqual(['孙三']);
		expect(await names(`?storeId=${open}&status=ACTIVE&keyword=五`)).toEqual(['赵五']);
		expect(await names(`?storeId=${open}&pageSize=1&page=2`)).toEqual(['钱二']);
	});

	test.each([
		{ query: '?pageSize=1', names: '赵一', page: 1, pageSize: 1, totalPages: 5 },
		{ query: '?page=1&pageSize=2', names: '赵一 钱二', page: 1, pageSize: 2, totalPages: 3 },
		{ query: '?page=2&pageSize=2', names: '孙三 李四', page: 2, pageSize: 2, totalPages: 3 },
		{ query: '?page=3&pageSize=2', names: '赵五', page: 3, pageSize: 2, totalPages: 3 },
		{ query: '?page=4&pageSize=2', names: '', page: 4, pageSize: 2, totalPages: 3 },
		{ query: '?pageSize=100', names: '赵一 钱二 孙三 李四 赵五', page: 1, pageSize: 100, totalPages: 1 },
		{ query: '?pageSize=5', names: '赵一 钱二 孙三 李四 赵五', page: 1, pageSize: 5, totalPages: 1 },
		{ query: '?page=9007199254740991', names: '', page: 9007199254740991, pageSize: 20, totalPages: 1 },
	])('"$query" takes that page', async ({ query, names, ...pagination }) => {
		const answer = expectStatus(await ask(query), 200);
		expect(answer.items.map((employee: Employee) => employee.name)).toEqual(named(names));
		if (names.startsWith('赵一')) expect(answer.items[0]).toEqual(first);
		expect(answer.pagination).toEqual({ ...pagination, total: 5 });
	});
});

describe('the keyword of GET /api/employees', () => {
	let list: Service;
	beforeAll(async () => {
		list = await Service.start();
		const { id } = await list.addStore({ name: 'Store' });
		const names = ['a%b', 'a_b', 'a\\b', "a'b", 'a"b', 'axb', '欧阳娜👩', 'Mary Ann', '\u017fohn', 'Éva', 'uvw vwx'];
		for (const name of names) await list.addEmployee(id, [], { name, remark: 'Remark' });
		await list.addEmployee(id, [], { name: '最后', phone: '18812345678' });
	});

	test.each([
		['%', ['a%b']],
		['_', ['a_b']],
		['\\', ['a\\b']],
		["'", ["a'b"]],
		['"', ['a"b']],
		['a_b', ['a_b']],
		['a%', ['a%b']],
		['\\_', []],
		['阳', ['欧阳娜👩']],
		['👩', ['欧阳娜👩']],
		['阳娜', ['欧阳娜👩']],
		['欧娜', []],
		['mARY a', ['Mary Ann']],
		[' ann ', ['Mary Ann']],
		['18812345678', ['最后']],
		['234567', ['最后']],
		['ohn', ['\u017fohn']],
		['sohn', []],
		['\u017f', ['\u017fohn']],
		['ÉVA', ['Éva']],
		['éva', []],
		['uvw', ['uvw vwx']],
		['uvwx', []],
		['后188', []],
		['后1', []],
		['remark', []],
		['store', []],
		["' or ''='", []],
	])('%j finds %j', async (keyword, names) => {
		const answer = await list.asSuper('GET', `/api/employees?keyword=${encodeURIComponent(keyword)}`);
		const { items, pagination } = expectStatus(answer, 200);
		expect(items.map((employee: Employee) => employee.name)).toEqual(names);
		expect(pagination.total).toBe(names.length);
	});
});

describe('the list follows a change', () => {
	const totalOf = async (query: string) =>
		expectStatus(await service.asSuper('GET', `/api/employees?${query}`), 200).pagination.total;
	const found = async (id: number, query: string) => {
		const { items } = expectStatus(await service.asSuper('GET', `/api/employees?pageSize=100&${query}`), 200);
		return idsOf(items).includes(id);
	};

	test.each<[string, object, gone: string[], come: string[]]>([
		['of the name', { name: '上官云霞' }, ['慕', '慕容', '慕容复生', '容复生'], ['上', '上官', '上官云', '上官云霞']],
		['of the phone', { phone: '19912345678' }, ['186', '18687654321', '7654321'], ['199', '19912345678', '345678']],
		['of both', { name: '上官', phone: '19812345678' }, ['复', '8765432'], ['官', '2345678']],
		[
			'to disabled',
			{ status: 'INACTIVE' },
			['慕&status=ACTIVE', '慕容复生&status=ACTIVE'],
			['慕&status=INACTIVE', '1868&status=INACTIVE'],
		],
	])('%s', async (_, body, gone, come) => {
		const { id } = await service.addEmployee(storeId, [], { name: '慕容复生', phone: '18687654321' });
		for (const keyword of gone) expect(await found(id, `keyword=${keyword}`), keyword).toBe(true);
		for (const keyword of come) expect(await found(id, `keyword=${keyword}`), keyword).toBe(false);
		expectStatus(await change(id, body), 200);
		for (const keyword of gone) expect(await found(id, `keyword=${keyword}`), keyword).toBe(false);
		for (const keyword of come) expect(await found(id, `keyword=${keyword}`), keyword).toBe(true);
		await remove(id);
		for (const keyword of come) expect(await found(id, `keyword=${keyword}`), keyword).toBe(false);
	});

	test('the totals follow too', async () => {
		const queries = [
			'status=ACTIVE',
			'status=INACTIVE',
			'page=1',
			'keyword=尉',
			'keyword=尉&status=ACTIVE',
			'keyword=尉迟恭德',
		];
		const before = await Promise.all(queries.map(totalOf));
		const added = async () => {
			const now = await Promise.all(queries.map(totalOf));
			return now.map((total, index) => total - (before[index] ?? 0));
		};
		const { id } = await service.addEmployee(storeId, [], { name: '尉迟恭德' });
		expect(await added()).toEqual([1, 0, 1, 1, 1, 1]);
		await change(id, { status: 'INACTIVE' });
		expect(await added()).toEqual([0, 1, 1, 1, 0, 1]);
		await change(id, { status: 'ACTIVE', name: '尉迟' });
		expect(await added()).toEqual([1, 0, 1, 1, 1, 0]);
		await change(id, { name: '秦琼' });
		expect(await added()).toEqual([1, 0, 1, 0, 0, 0]);
		await remove(id);
		expect(await added()).toEqual([0, 0, 0, 0, 0, 0]);
	});

	test('a refused change leaves the list as it was', async () => {
		const { phone } = await service.addEmployee(storeId);
		const { id } = await service.addEmployee(storeId, [], { name: '司马懿仲' });
		expectRefusal(await change(id, { name: '诸葛孔明', phone }), 409, 'CONFLICT');
		expect(await found(id, 'keyword=司马懿仲')).toBe(true);
		expect(await found(id, 'keyword=诸')).toBe(false);
		expect(await totalOf('keyword=诸')).toBe(0);
	});
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

	test.each(codes.filter((code) => !['employee:manage', 'employee:view:store'].includes(code)))(
		'%s is above everybody who lacks it',
		async (code) => {
			const rest = codes.filter((each) => each !== code);
			const { token } = await service.addPerson(storeId, ...rest);
			const { id } = await service.addPerson(storeId, code);
			expectForbidden(await service.send('PATCH', `/api/employees/${id}`, { token, body: { name: '改名' } }));
			const peer = await service.addPerson(storeId, ...rest);
			expectStatus(await service.send('PATCH', `/api/employees/${peer.id}`, { token, body: { name: '改名' } }), 200);
		},
	);

	test.each<[PermissionCode[], PermissionCode[], number]>([
		[['employee:manage', 'employee:view:all'], ['employee:view:store'], 200],
		[['employee:manage', 'employee:view:store'], ['employee:view:store'], 200],
		[['employee:manage', 'employee:view:store'], ['employee:view:all'], 403],
		[['employee:manage'], ['employee:view:store'], 403],
		[['employee:manage'], ['employee:manage'], 200],
		[['employee:manage'], [], 200],
		[codes, codes, 200],
	])('an actor with %j on an employee with %j: %i', async (held, targetHolds, status) => {
		const { token } = await service.addPerson(storeId, ...held);
		const { id } = await service.addPerson(storeId, ...targetHolds);
		const edit = await service.send('PATCH', `/api/employees/${id}`, { token, body: { name: '改名' } });
		expect(edit.status).toBe(status);
		const role = await service.addRole(...targetHolds);
		const fields = { storeId, name: '王芳', phone: newPhone(), roleIds: [role.id] };
		const bind = await service.send('POST', '/api/employees', { token, body: fields });
		expect(bind.status).toBe(status === 200 ? 201 : status);
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

	test('an employee cannot gain permissions by changing their own account', async () => {
		const person = await service.addPerson(storeId, 'employee:view:all', 'employee:manage');
		const { token } = person;
		const path = `/api/employees/${person.id}`;
		const roleIds = [service.builtIn('admin')];
		expectForbidden(await service.send('PATCH', path, { token, body: { roleIds } }));
		expectStatus(await service.send('PATCH', path, { token, body: { name: '改名' } }), 200);
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

describe('an actor who sees the own store only', () => {
	let home: number;
	let away: number;
	let token: string;
	let own: Employee;
	let other: Employee;
	beforeAll(async () => {
		home = (await service.addStore()).id;
		away = (await service.addStore()).id;
		const manager = await service.addEmployee(home, [service.builtIn('store_manager')]);
		token = await service.tokenOf(manager.id);
		own = await service.addEmployee(home);
		other = await service.addEmployee(away);
	});

	const list = async (query: string, as = token) =>
		expectStatus(await service.send('GET', `/api/employees${query}`, { token: as }), 200);

	test('lists its employees, whatever storeId is passed', async () => {
		for (const query of ['', `?storeId=${home}`, `?storeId=${away}`, '?storeId=999999', '?status=ACTIVE']) {
			const { items, pagination } = await list(query);
			expect(items.map((employee: Employee) => employee.storeId)).toEqual([home, home]);
			expect(items[1]).toEqual(own);
			expect(pagination).toEqual({ page: 1, pageSize: 20, total: 2, totalPages: 1 });
		}
		expect((await list(`?keyword=${own.phone}`)).items).toEqual([own]);
		expect((await list(`?keyword=${other.phone}`)).items).toEqual([]);
	});

	test('reads an employee of the own store, and gets 403 for one of another store', async () => {
		expect(expectStatus(await service.send('GET', `/api/employees/${own.id}`, { token }), 200)).toEqual(own);
		expectForbidden(await service.send('GET', `/api/employees/${other.id}`, { token }));
		expectRefusal(await service.send('GET', '/api/employees/999999', { token }), 404, 'NOT_FOUND');
	});

	test('sees the new store after moving to another store', async () => {
		const manager = await service.addEmployee(home, [service.builtIn('store_manager')]);
		const moving = await service.tokenOf(manager.id);
		await change(manager.id, { storeId: away });
		expect(idsOf((await list('', moving)).items)).toEqual([other.id, manager.id]);
		expectForbidden(await service.send('GET', `/api/employees/${own.id}`, { token: moving }));
		await remove(manager.id);
	});

	test.each<[PermissionCode[]]>([[['employee:view:all']], [['employee:view:all', 'employee:view:store']]])(
		'is not who holds %j',
		async (held) => {
			const store = await service.addStore();
			const person = await service.addPerson(store.id, ...held);
			expect((await list(`?storeId=${away}`, person.token)).items).toEqual([other]);
			expect((await list(`?keyword=${other.phone}`, person.token)).items).toEqual([other]);
			const answer = await service.send('GET', `/api/employees/${other.id}`, { token: person.token });
			expect(expectStatus(answer, 200)).toEqual(other);
		},
	);

	test('does not include the built-in admin', async () => {
		const admin = await service.addEmployee(storeId, [service.builtIn('admin')]);
		const adminToken = await service.tokenOf(admin.id);
		expect((await list(`?storeId=${away}`, adminToken)).items).toEqual([other]);
		const all = await list('', adminToken);
		expect(all.pagination).toEqual((await list('', service.superToken)).pagination);
	});

	describe('and manages', () => {
		let manager: string;
		beforeAll(async () => {
			manager = (await service.addPerson(home, 'employee:view:store', 'employee:manage')).token;
		});

		test.each(describedWrites)('%s', async (_, method, path, body) => {
			const stranger = await service.addEmployee(away);
			const before = recordOf(stranger.id);
			expectForbidden(await service.send(method, path(stranger.id, away), { token: manager, body }));
			expect(recordOf(stranger.id)).toEqual(before);
			const colleague = await service.addEmployee(home);
			const answer = await service.send(method, path(colleague.id, home), { token: manager, body });
			expect([200, 204]).toContain(answer.status);
		});

		test('creates employees in the own store only', async () => {
			const hire = (where: number, phone: string) =>
				service.send('POST', '/api/employees', { token: manager, body: { storeId: where, name: '王芳', phone } });
			expect(expectStatus(await hire(home, newPhone()), 201).storeId).toBe(home);
			const phone = newPhone();
			expectForbidden(await hire(away, phone));
			expect(service.rows('select id from employees where phone = ?', phone)).toEqual([]);
		});

		test('cannot move an employee out of the own store or into it', async () => {
			const [colleague, stranger] = [await service.addEmployee(home), await service.addEmployee(away)];
			const move = (id: number, where: number) =>
				service.send('PATCH', `/api/employees/${id}`, { token: manager, body: { storeId: where, name: '改名' } });
			expectForbidden(await move(colleague.id, away));
			expectForbidden(await move(stranger.id, home));
			expect([await get(colleague.id), await get(stranger.id)]).toEqual([colleague, stranger]);
			expect(expectStatus(await move(colleague.id, home), 200).name).toBe('改名');
		});

		test('manages every store after getting employee:view:all', async () => {
			const person = await service.addPerson(home, 'employee:view:all', 'employee:view:store', 'employee:manage');
			const stranger = await service.addEmployee(away);
			const body = { storeId: home };
			const answer = await service.send('PATCH', `/api/employees/${stranger.id}`, { token: person.token, body });
			expect(expectStatus(answer, 200).storeId).toBe(home);
		});
	});
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
