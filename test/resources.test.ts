/** The common rules of stores, roles and employees: stored values, unique values, and the rows after a deletion. */
import { describe, expect, test } from 'bun:test';
import { expectRefusal, expectStatus, newName, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { disabledTag, enabledTag, serverOwned } from './oracle.ts';

interface Kind {
	path: string;
	table: string;
	/** The field that must be unique. */
	unique: string;
	taken: string;
	fresh: () => string;
	/** The other required fields of a new one. */
	needed: Record<string, unknown>;
	/** The other fields of a new one. */
	defaults: Record<string, unknown>;
	/** Field values that need not be unique and differ from the defaults. */
	fields: Record<string, unknown>;
	/** The store and roles of its employees, and the message that refuses its deletion. */
	people?: { with: (id: number) => [storeId: number, roleIds: number[]]; message: string };
	/** Changes, each with the stored values if they differ. */
	changes: [change: Record<string, unknown>, stored?: Record<string, unknown>][];
}

const firstStore = { storeName: '一店', storeStatus: 'ACTIVE' };

const kinds: Record<string, Kind> = {
	store: {
		path: '/api/stores',
		table: 'stores',
		unique: 'name',
		taken: '门店名称已存在',
		fresh: () => newName('门店'),
		needed: {},
		defaults: { address: null, phone: null, status: 'ACTIVE' },
		fields: { address: '人民路 3 号', phone: '021-3', status: 'INACTIVE' },
		people: { with: (id) => [id, []], message: '门店下仍有 1 名员工，不能删除' },
		changes: [[{ name: '只改名称' }], [{ status: 'ACTIVE' }], [{ status: 'INACTIVE' }], [{ address: null }]],
	},
	area: {
		path: '/api/areas',
		table: 'areas',
		unique: 'name',
		taken: '区域名称已存在',
		fresh: () => newName('区域'),
		needed: {},
		defaults: { stores: 0 },
		fields: {},
		changes: [[{ name: ' 只改名称 ' }, { name: '只改名称' }]],
	},
	role: {
		path: '/api/roles',
		table: 'roles',
		unique: 'code',
		taken: '角色编码已存在',
		fresh: () => newName('code_'),
		needed: { name: '值班长' },
		defaults: { description: null, isSystem: false },
		fields: { name: '值班长', description: '原说明' },
		people: { with: (id) => [1, [id]], message: '角色仍绑定 1 名员工，不能删除' },
		changes: [[{ code: 'only_the_code' }], [{ description: null }]],
	},
	employee: {
		path: '/api/employees',
		table: 'employees',
		unique: 'phone',
		taken: '手机号已存在',
		fresh: newPhone,
		needed: { name: '王芳', storeId: 1 },
		defaults: { ...firstStore, status: 'ACTIVE', statusTags: [enabledTag], remark: null, roles: [] },
		fields: { name: '王芳', storeId: 1, status: 'INACTIVE', remark: '原备注', roleIds: [3] },
		changes: [
			[{ name: '只改姓名' }],
			[{ phone: '13700000001' }],
			[{ storeId: 2 }, { storeId: 2, storeName: '二店' }],
			[{ status: 'ACTIVE' }, { status: 'ACTIVE', statusTags: [enabledTag] }],
			[{ status: 'INACTIVE' }, { status: 'INACTIVE', statusTags: [disabledTag] }],
			[{ remark: null }],
			[{ roleIds: [] }, { roles: [] }],
		],
	},
};

const service = await Service.start();
for (const name of ['一店', '二店']) await service.addStore({ name });
service.restoreBeforeEachTest();

describe.each(Object.entries(kinds))('a kind of thing: %s', (_, kind) => {
	const { path, table, unique, taken, fresh, needed, defaults, fields, people, changes } = kind;
	const create = (body: object) => service.asSuper('POST', path, body);
	const change = (id: number, body: object) => service.asSuper('PATCH', `${path}/${id}`, body);
	/** A deletion ignores its body. */
	const remove = (id: number) =>
		service.send('DELETE', `${path}/${id}`, { token: service.superToken, raw: '{"half":' });
	const add = async (): Promise<Body> => expectStatus(await create({ [unique]: fresh(), ...fields }), 201);
	const rowOf = (id: number) => service.rows(`select * from ${table} where id = ?`, id);
	const read = async (id: number): Promise<Body> => {
		const { employees: _, ...data } = await service.read(`${path}/${id}`);
		return data;
	};

	test('is created with the defaults, and read as it was answered', async () => {
		const at = service.tick();
		const value = fresh();
		const answer = await create({ ...serverOwned, [unique]: ` ${value}\n`, ...needed });
		const created = expectStatus(answer, 201);
		const times = { createdAt: at, updatedAt: at };
		expect(created).toEqual({ id: expect.any(Number), [unique]: value, ...needed, ...defaults, ...times });
		expect(Object.keys(answer.body)).toEqual(['success', 'data']);
		expect(await read(created.id)).toEqual(created);
	});

	test.each(changes)('changes what is given and nothing else: %j', async (body, stored = body) => {
		const before = await add();
		const same = { ...before, ...stored };
		const at = service.tick();
		// A request that changes nothing does not change the time either.
		const changed = Bun.deepEquals(same, before) ? before : { ...same, updatedAt: at };
		expect(expectStatus(await change(before.id, { ...serverOwned, ...body }), 200)).toEqual(changed);
		expect(await read(before.id)).toEqual(changed);
	});

	test(`has a ${unique} of its own, and may share the rest`, async () => {
		const [one, other] = [await add(), await add()];
		const before = rowOf(other.id);
		for (const value of [one[unique], ` ${one[unique]} `]) {
			expectRefusal(await create({ ...needed, [unique]: value }), 409, taken);
			expectRefusal(await change(other.id, { ...fields, name: '改名', [unique]: value }), 409, taken);
		}
		expect(service.rows(`select id from ${table} where ${unique} = ?`, one[unique])).toHaveLength(1);
		expect(rowOf(other.id)).toEqual(before);
		const kept = await change(other.id, { [unique]: other[unique], ...needed });
		expect(expectStatus(kept, 200)).toMatchObject({ [unique]: other[unique], ...needed });
	});

	if (people)
		test('is not deleted while it has an employee, enabled or not, who is neither deleted nor elsewhere', async () => {
			const { id } = expectStatus(await create({ [unique]: fresh(), ...needed }), 201);
			for (const [status, method, body] of [
				['ACTIVE', 'DELETE', undefined],
				['INACTIVE', 'PATCH', { storeId: 1, roleIds: [] }],
			] as const) {
				const person = await service.addEmployee(...people.with(id), { status });
				expectRefusal(await remove(id), 409, people.message);
				expect(rowOf(id)).toMatchObject([{ deleted_at: null }]);
				await service.asSuper(method, `/api/employees/${person.id}`, body);
			}
			expect((await remove(id)).status).toBe(204);
		});

	test(`keeps its record when it is deleted, and frees its ${unique}`, async () => {
		const [gone, other] = [await add(), await add()];
		const at = service.tick();
		const answer = await remove(gone.id);
		expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null]);
		expect(rowOf(gone.id)).toMatchObject([{ [unique]: gone[unique], deleted_at: at }]);
		const changed = expectStatus(await change(other.id, { [unique]: gone[unique] }), 200);
		expect(changed[unique]).toBe(gone[unique]);
		const again = expectStatus(await create({ ...needed, [unique]: other[unique] }), 201);
		expect([gone.id, other.id]).not.toContain(again.id);
		expectRefusal(await create({ ...needed, [unique]: other[unique] }), 409, taken);
	});
});
