import { beforeAll, describe, expect, test } from 'bun:test';
import { expectInvalid, expectRefusal, expectStatus, newName, Service } from './harness.ts';

type Role = Awaited<ReturnType<Service['addRole']>>;

const builtInCodes = ['admin', 'store_manager', 'cashier', 'kitchen', 'part_time'];
const codeTaken = '角色编码已存在';
const tooMany = '角色数量已达上限（1000 个）';
const builtIn = '内置角色不可修改或删除';
const bound = '角色仍绑定 1 名员工，不能删除';

let service: Service;
beforeAll(async () => {
	service = await Service.start();
});

/** Lets a second pass; the time it is then. */
function tick(): string {
	service.time = new Date(service.time.getTime() + 1000);
	return service.time.toISOString();
}

const newCode = () => newName('code_');

function create(body: unknown) {
	return service.asSuper('POST', '/api/roles', body);
}

function change(id: number, body: unknown) {
	return service.asSuper('PATCH', `/api/roles/${id}`, body);
}

function remove(id: number) {
	return service.asSuper('DELETE', `/api/roles/${id}`);
}

async function get(id: number): Promise<Role> {
	return expectStatus(await service.asSuper('GET', `/api/roles/${id}`), 200);
}

describe('POST /api/roles', () => {
	test('creates a custom role, texts trimmed', async () => {
		const at = tick();
		const code = newCode();
		const answer = await create({ code: ` ${code}\n`, name: ' 值班长 ', description: '\t负责当班 ' });
		const role = expectStatus(answer, 201);
		expect(role).toEqual({
			id: expect.any(Number),
			code,
			name: '值班长',
			description: '负责当班',
			isSystem: false,
			createdAt: at,
			updatedAt: at,
		});
		expect(Object.keys(answer.body)).toEqual(['success', 'data']);
		expect(await get(role.id)).toEqual(role);
	});

	test('starts without permissions', async () => {
		const { id } = expectStatus(await create({ code: newCode(), name: '值班长' }), 201);
		expect(service.rows('select * from role_permissions where role_id = ?', id)).toEqual([]);
	});

	test('refuses a taken code', async () => {
		const { code } = await service.addRole();
		expectRefusal(await create({ code, name: '值班长' }), 409, 'CONFLICT', codeTaken);
		expectRefusal(await create({ code: ` ${code} `, name: '值班长' }), 409, 'CONFLICT', codeTaken);
		expect(service.rows('select id from roles where code = ?', code)).toHaveLength(1);
	});

	test.each(['super_admin', ' super_admin ', ...builtInCodes])('refuses the built-in code "%s"', async (code) => {
		expectRefusal(await create({ code, name: '值班长' }), 409, 'CONFLICT', codeTaken);
	});

	test('refuses more than 1,000 roles, built-in ones included, until one is deleted', async () => {
		const full = await Service.start();
		full.alter((database) => {
			const insert = database.prepare(
				"insert into roles (code, name, is_system, created_at, updated_at, deleted_at) values (?, '旧', 0, '', '', ?)",
			);
			for (let index = 0; index < 994; index += 1) insert.run(`code_${index}`, null);
			for (let index = 0; index < 10; index += 1) insert.run('deleted', full.now().toISOString());
		});
		const add = (code: string) => full.asSuper('POST', '/api/roles', { code, name: '值班长' });
		const { id } = expectStatus(await add('last'), 201);
		expectRefusal(await add('beyond'), 409, 'CONFLICT', tooMany);
		expect(full.rows('select count(*) as total from roles where deleted_at is null')).toEqual([{ total: 1000 }]);
		expectStatus(await full.asSuper('PATCH', `/api/roles/${id}`, { name: '改名' }), 200);
		expectStatus(await full.asSuper('DELETE', `/api/roles/${id}`), 204);
		expectStatus(await add('in_its_place'), 201);
		expectRefusal(await add('beyond'), 409, 'CONFLICT', tooMany);
	});

	test('takes the name of another role', async () => {
		const [first, second] = [
			await create({ code: newCode(), name: '同名' }),
			await create({ code: newCode(), name: '同名' }),
		];
		expect([first.status, second.status]).toEqual([201, 201]);
	});
});

describe('PATCH /api/roles/:id', () => {
	test.each<[object, object?]>([
		[{ name: '只改名称' }],
		[{ code: 'only_the_code' }],
		[{ description: '只改说明' }],
		[{ description: null }],
		[{ description: '  ' }, { description: null }],
		[
			{ code: ' all_of_it ', name: ' 新名称 ', description: ' 新说明 ' },
			{ code: 'all_of_it', name: '新名称', description: '新说明' },
		],
	])('changes what is given and nothing else: %j', async (body, stored = body) => {
		const role = expectStatus(await create({ code: newCode(), name: '值班长', description: '原说明' }), 201);
		const at = tick();
		const changed = { ...role, ...stored, updatedAt: at };
		expect(expectStatus(await change(role.id, body), 200)).toEqual(changed);
		expect(await get(role.id)).toEqual(changed);
	});

	test('leaves the permissions of the role and its holders alone', async () => {
		const { id: storeId } = await service.addStore();
		const role = await service.addRole('store:view');
		const employee = await service.addEmployee(storeId, [role.id]);
		const links = service.rows('select * from employee_roles where role_id = ?', role.id);
		const granted = service.rows('select * from role_permissions where role_id = ?', role.id);
		await change(role.id, { code: newCode(), name: '改名' });
		expect(service.rows('select * from employee_roles where role_id = ?', role.id)).toEqual(links);
		expect(service.rows('select * from role_permissions where role_id = ?', role.id)).toEqual(granted);
		const { roles } = expectStatus(await service.asSuper('GET', `/api/employees/${employee.id}`), 200);
		expect(roles).toEqual([{ id: role.id, code: (await get(role.id)).code, name: '改名' }]);
	});

	test('refuses the code of another role, and then changes nothing', async () => {
		const { code } = await service.addRole();
		const role = await service.addRole();
		for (const taken of [code, ` ${code} `, 'super_admin', 'admin']) {
			expectRefusal(await change(role.id, { code: taken, name: '新名称' }), 409, 'CONFLICT', codeTaken);
		}
		expect(await get(role.id)).toEqual(role);
	});

	test('lets a role keep its code', async () => {
		const { id, code } = await service.addRole();
		expect(expectStatus(await change(id, { code, name: '新名称' }), 200)).toMatchObject({ code, name: '新名称' });
	});

	test.each(builtInCodes)('refuses the built-in role %s', async (code) => {
		const role = await get(service.builtIn(code));
		for (const body of [{ name: '新名称' }, { description: null }, { code: newCode() }, { code }]) {
			expectRefusal(await change(role.id, body), 409, 'CONFLICT', builtIn);
		}
		expect(await get(role.id)).toEqual(role);
	});

	test('does not find a missing or deleted role', async () => {
		const { id } = await service.addRole();
		await remove(id);
		expectRefusal(await change(id, { name: '新名称' }), 404, 'NOT_FOUND');
		expectRefusal(await change(999_999, { name: '新名称' }), 404, 'NOT_FOUND');
	});
});

describe('DELETE /api/roles/:id', () => {
	test('keeps the record and frees the code', async () => {
		const { id, code } = await service.addRole('store:view');
		const at = tick();
		const answer = await remove(id);
		expect([answer.status, answer.text]).toEqual([204, '']);
		expect(service.rows('select code, deleted_at from roles where id = ?', id)).toEqual([{ code, deleted_at: at }]);
		const reused = expectStatus(await create({ code, name: '值班长' }), 201);
		expect(reused.id).not.toBe(id);
		expectRefusal(await create({ code, name: '值班长' }), 409, 'CONFLICT', codeTaken);
	});

	test('frees the code for another role to change to', async () => {
		const { id, code } = await service.addRole();
		const other = await service.addRole();
		await remove(id);
		expect(expectStatus(await change(other.id, { code }), 200).code).toBe(code);
	});

	test('removes the role from detail, lists and policies', async () => {
		const { id, code } = await service.addRole();
		await remove(id);
		expectRefusal(await service.asSuper('GET', `/api/roles/${id}`), 404, 'NOT_FOUND');
		const lists = ['/api/roles', '/api/roles?pageSize=100', `/api/roles?keyword=${code}`, '/api/permissions/policies'];
		for (const path of lists) {
			const answer = await service.asSuper('GET', path);
			expect(answer.status).toBe(200);
			expect(answer.text).not.toContain(`"${code}"`);
		}
	});

	test('keeps links and grants as records; a new role of the same code inherits none', async () => {
		const { id: storeId } = await service.addStore();
		const role = await service.addRole('store:view', 'role:view');
		const employee = await service.addEmployee(storeId, [role.id]);
		const revokedAt = tick();
		await service.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions: ['role:view'] });
		const unboundAt = tick();
		await service.asSuper('PATCH', `/api/employees/${employee.id}`, { roleIds: [] });
		const deletedAt = tick();
		expectStatus(await remove(role.id), 204);
		expect(service.rows('select employee_id, unbound_at from employee_roles where role_id = ?', role.id)).toEqual([
			{ employee_id: employee.id, unbound_at: unboundAt },
		]);
		const grants = 'select permission, deleted_at from role_permissions where role_id = ? order by id';
		expect(service.rows(grants, role.id)).toEqual([
			{ permission: 'store:view', deleted_at: revokedAt },
			{ permission: 'role:view', deleted_at: deletedAt },
		]);
		const reused = expectStatus(await create({ code: role.code, name: role.name }), 201);
		expect(service.rows('select * from employee_roles where role_id = ?', reused.id)).toEqual([]);
		expect(service.rows(grants, reused.id)).toEqual([]);
	});

	test.each(['ACTIVE', 'INACTIVE'])('refuses a role that an %s employee holds', async (status) => {
		const { id: storeId } = await service.addStore();
		const role = await service.addRole();
		await service.addEmployee(storeId, [role.id], { status });
		expectRefusal(await remove(role.id), 409, 'CONFLICT', bound);
		expect(await get(role.id)).toEqual(role);
	});

	test('deletes a role whose holders are all deleted or unbound', async () => {
		const { id: storeId } = await service.addStore();
		const { id } = await service.addRole();
		const employee = await service.addEmployee(storeId, [id]);
		await service.asSuper('DELETE', `/api/employees/${employee.id}`);
		expectStatus(await remove(id), 204);
	});

	test.each(builtInCodes)('refuses the built-in role %s', async (code) => {
		const role = await get(service.builtIn(code));
		expectRefusal(await remove(role.id), 409, 'CONFLICT', builtIn);
		expect(await get(role.id)).toEqual(role);
	});

	test('answers 404 the second time', async () => {
		const { id } = await service.addRole();
		expectStatus(await remove(id), 204);
		expectRefusal(await remove(id), 404, 'NOT_FOUND');
		expectRefusal(await remove(999_999), 404, 'NOT_FOUND');
	});
});

describe('GET /api/roles/:id', () => {
	test.each(builtInCodes)('shows the built-in role %s', async (code) => {
		const fresh = await Service.start();
		const at = fresh.time.toISOString();
		const answer = await fresh.asSuper('GET', `/api/roles/${fresh.builtIn(code)}`);
		expect(expectStatus(answer, 200)).toEqual({
			id: fresh.builtIn(code),
			code,
			name: expect.any(String),
			description: expect.any(String),
			isSystem: true,
			createdAt: at,
			updatedAt: at,
		});
	});

	test('answers 404 to a missing role and 400 to the pseudo role', async () => {
		expectRefusal(await service.asSuper('GET', '/api/roles/999999'), 404, 'NOT_FOUND');
		expectInvalid(await service.asSuper('GET', '/api/roles/0'), 'params.id');
	});
});

describe('GET /api/roles', () => {
	let list: Service;
	let system: Role[];
	let custom: Role[];
	beforeAll(async () => {
		list = await Service.start();
		system = expectStatus(await list.asSuper('GET', '/api/roles'), 200);
		custom = [];
		for (const code of ['zulu', 'gone', 'alpha']) {
			const answer = await list.asSuper('POST', '/api/roles', { code, name: '自定义', description: null });
			custom.push(expectStatus(answer, 201));
		}
		const [zulu, gone, alpha] = custom;
		await list.asSuper('DELETE', `/api/roles/${gone.id}`);
		custom = [zulu, alpha];
	});

	const ask = (query: string) => list.asSuper('GET', `/api/roles${query}`);

	test('starts with the built-in roles, super_admin not among them', () => {
		expect(system.map(({ code, isSystem }) => ({ code, isSystem }))).toEqual(
			builtInCodes.map((code) => ({ code, isSystem: true })),
		);
	});

	test.each(['', '?unknown=1'])('"%s" gives every role that is not deleted, in the order of the ids', async (query) => {
		const roles = expectStatus(await ask(query), 200);
		expect(roles).toEqual([...system, ...custom]);
		const ids = roles.map((role: Role) => role.id);
		expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
	});

	test.each(['?page=1', '?pageSize=20', '?page=1&pageSize=20&unknown=1', '?keyword=a&page=1'])(
		'"%s" gives a page',
		async (query) => {
			const { items, ...rest } = expectStatus(await ask(query), 200);
			const all = [...system, ...custom];
			const shown = query.includes('keyword') ? all.filter((role) => role.code.includes('a')) : all;
			expect(items).toEqual(shown);
			expect(rest).toEqual({ pagination: { page: 1, pageSize: 20, total: shown.length, totalPages: 1 } });
		},
	);

	test('isSystem selects the built-in or the custom roles', async () => {
		const pagination = { page: 1, pageSize: 20, totalPages: 1 };
		expect(expectStatus(await ask('?isSystem=true'), 200)).toEqual({
			items: system,
			pagination: { ...pagination, total: 5 },
		});
		expect(expectStatus(await ask('?isSystem=false'), 200)).toEqual({
			items: custom,
			pagination: { ...pagination, total: 2 },
		});
		expect(expectStatus(await ask('?isSystem=false&keyword=admin'), 200)).toEqual({
			items: [],
			pagination: { ...pagination, total: 0, totalPages: 0 },
		});
	});

	test.each([
		{ query: '?page=1&pageSize=3', from: 0, to: 3, page: 1, pageSize: 3, totalPages: 3 },
		{ query: '?page=3&pageSize=3', from: 6, to: 7, page: 3, pageSize: 3, totalPages: 3 },
		{ query: '?page=4&pageSize=3', from: 7, to: 7, page: 4, pageSize: 3, totalPages: 3 },
		{ query: '?pageSize=100', from: 0, to: 7, page: 1, pageSize: 100, totalPages: 1 },
		{ query: '?page=9007199254740991', from: 7, to: 7, page: 9007199254740991, pageSize: 20, totalPages: 1 },
	])('"$query" takes that page', async ({ query, from, to, ...pagination }) => {
		expect(expectStatus(await ask(query), 200)).toEqual({
			items: [...system, ...custom].slice(from, to),
			pagination: { ...pagination, total: 7 },
		});
	});
});
