import { beforeEach, describe, expect, test } from 'bun:test';
import { expectRefusal, expectStatus, newName, Service } from './harness.ts';

type Role = Awaited<ReturnType<Service['addRole']>>;

const builtInCodes = ['admin', 'store_manager', 'cashier', 'kitchen', 'part_time'];
const codeTaken = '角色编码已存在';
const tooMany = '角色数量已达上限（1000 个）';
const builtIn = '内置角色不可修改或删除';

const service = await Service.start();
service.restoreBeforeEachTest();

const newCode = () => newName('code_');

const create = (body: unknown) => service.asSuper('POST', '/api/roles', body);
const change = (id: number, body: unknown) => service.asSuper('PATCH', `/api/roles/${id}`, body);
const remove = (id: number) => service.asSuper('DELETE', `/api/roles/${id}`);
const get = (id: number): Promise<Role> => service.read(`/api/roles/${id}`);

describe('POST /api/roles', () => {
	test.each(['super_admin', ' super_admin ', ...builtInCodes])('refuses the built-in code "%s"', async (code) => {
		expectRefusal(await create({ code, name: '值班长' }), 409, codeTaken);
		const { id } = await service.addRole();
		expectRefusal(await change(id, { code }), 409, codeTaken);
		expectRefusal(await change(999_999, { code }), 404, '角色不存在');
	});

	test('refuses more than 1,000 roles, built-in ones included, until one is deleted', async () => {
		const role = { name: '旧', is_system: 0, created_at: '', updated_at: '' };
		const codes = Array.from({ length: 994 }, (_, index) => ({ code: `code_${index}`, deleted_at: null, ...role }));
		service.insert('roles', [...codes, ...Array(10).fill({ code: 'deleted', deleted_at: 'x', ...role })]);
		const add = (code: string) => service.asSuper('POST', '/api/roles', { code, name: '值班长' });
		const { id } = expectStatus(await add('last'), 201);
		expectRefusal(await add('beyond'), 409, tooMany);
		expect(service.rows('select count(*) as total from roles where deleted_at is null')).toEqual([{ total: 1000 }]);
		expectStatus(await service.asSuper('PATCH', `/api/roles/${id}`, { name: '改名' }), 200);
		expectStatus(await service.asSuper('DELETE', `/api/roles/${id}`), 204);
		expectStatus(await add('in_its_place'), 201);
		expectRefusal(await add('beyond'), 409, tooMany);
	});
});

describe('PATCH /api/roles/:id', () => {
	test('leaves the permissions of the role and its holders alone', async () => {
		const { id: storeId } = await service.addStore();
		const role = await service.addRole('store:view');
		const employee = await service.addEmployee(storeId, [role.id]);
		const links = service.rows('select * from employee_roles where role_id = ?', role.id);
		const granted = service.rows('select * from role_permissions where role_id = ?', role.id);
		await change(role.id, { code: newCode(), name: '改名' });
		expect(service.rows('select * from employee_roles where role_id = ?', role.id)).toEqual(links);
		expect(service.rows('select * from role_permissions where role_id = ?', role.id)).toEqual(granted);
		const { roles } = await service.read(`/api/employees/${employee.id}`);
		expect(roles).toEqual([{ id: role.id, code: (await get(role.id)).code, name: '改名' }]);
	});

	test.each(builtInCodes)('the built-in role %s can be neither changed nor deleted', async (code) => {
		const role = await get(service.builtIn(code));
		for (const body of [{ name: '新名称' }, { description: null }, { code: newCode() }, { code }]) {
			expectRefusal(await change(role.id, body), 409, builtIn);
		}
		expectRefusal(await remove(role.id), 409, builtIn);
		expect(await get(role.id)).toEqual(role);
	});
});

test('DELETE /api/roles/:id keeps links and grants as records; a new role of the same code inherits none', async () => {
	const { id: storeId } = await service.addStore();
	const role = await service.addRole('store:view', 'role:view');
	const employee = await service.addEmployee(storeId, [role.id]);
	const revokedAt = service.tick();
	await service.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions: ['role:view'] });
	const unboundAt = service.tick();
	await service.asSuper('PATCH', `/api/employees/${employee.id}`, { roleIds: [] });
	const deletedAt = service.tick();
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

describe('GET /api/roles', () => {
	let system: Role[];
	let custom: Role[];
	beforeEach(async () => {
		system = await service.read('/api/roles');
		custom = [];
		for (const code of ['zulu', 'gone', 'alpha']) {
			const answer = await service.asSuper('POST', '/api/roles', { code, name: '自定义', description: null });
			custom.push(expectStatus(answer, 201));
		}
		const [zulu, gone, alpha] = custom;
		await service.asSuper('DELETE', `/api/roles/${gone.id}`);
		custom = [zulu, alpha];
	});

	const ask = (query: string) => service.asSuper('GET', `/api/roles${query}`);

	test('starts with the built-in roles, super_admin not among them', async () => {
		const text = expect.stringMatching(/\S/);
		const at = service.time.toISOString();
		const same = { name: text, description: text, isSystem: true, createdAt: at, updatedAt: at };
		expect(system).toEqual(builtInCodes.map((code) => ({ ...same, id: service.builtIn(code), code })));
		for (const role of system) expect(await service.read(`/api/roles/${role.id}`)).toEqual(role);
	});

	test.each(['', '?unknown=1'])('"%s" gives every role that is not deleted, in the order of the ids', async (query) => {
		expect(expectStatus(await ask(query), 200)).toEqual([...system, ...custom]);
	});

	test('every other query gives a page; isSystem selects the built-in or the custom roles', async () => {
		const all = [...system, ...custom];
		for (const [query, items] of [
			['?page=1', all],
			['?pageSize=20', all],
			['?keyword=a&page=1', all.filter((role) => role.code.includes('a'))],
			['?isSystem=true', system],
			['?isSystem=false', custom],
		] as const) {
			const pagination = { page: 1, pageSize: 20, total: items.length, totalPages: Math.min(items.length, 1) };
			expect(expectStatus(await ask(query), 200)).toEqual({ items: [...items], pagination });
		}
	});
});

test('the code of a new role is proposed from the pinyin of its name, and is one that no role has', async () => {
	await service.asSuper('POST', '/api/roles', { code: 'ye_ban', name: '夜班' });
	for (const [name, code] of [
		['区域经理', 'qu_yu_jing_li'],
		['夜班', 'ye_ban_2'],
		['A 组 Leader（早班）', 'a_zu_leader_zao_ban'],
		['super admin', 'super_admin_2'],
		['2 号店长', 'hao_dian_chang'],
		['😀', 'role'],
		['长'.repeat(50), 'chang_chang_chang_chang_chang_chang_chang_cha'],
	] as const) {
		expect([name, await service.read(`/api/roles/code?name=${encodeURIComponent(name)}`)]).toEqual([name, { code }]);
		expectStatus(await service.asSuper('POST', '/api/roles', { code, name }), 201);
	}
});

test('a text is answered with the usual reading of each of its characters that has one', async () => {
	const { token } = await service.addPerson((await service.addStore()).id);
	const readings = (text: string) => service.read(`/api/pinyin?text=${encodeURIComponent(text)}`, token);
	const [wang, fang] = [
		{ character: '王', reading: 'wang' },
		{ character: '芳', reading: 'fang' },
	];
	expect(new Set(await readings('王芳 A1王'))).toEqual(new Set([wang, fang]));
	expect(await readings('A1')).toEqual([]);
});
