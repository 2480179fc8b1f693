/** `ETag` and `If-Match`, and the details of a refusal of an old version. */
import { describe, expect, test } from 'bun:test';
import {
	type Answer,
	detailsOf,
	expectInvalid,
	expectRefusal,
	expectStatus,
	newName,
	newPhone,
	Service,
} from './harness.ts';
import { endpoints, fill, isConditional } from './oracle.ts';

const service = await Service.start();
// The sample of a closing needs another store.
for (const _ of [1, 2]) await service.addStore();

/** A versioned resource: a function that makes one, its path, and the method and body of a change. */
interface Kind {
	add(): Promise<{ id: number }>;
	path(id: number): string;
	method: 'PATCH' | 'PUT';
	change(): Record<string, unknown>;
}

const kind = (path: string, add: Kind['add'], change: Kind['change'], method: Kind['method'] = 'PATCH'): Kind => ({
	add,
	change,
	method,
	path: (id) => `/api/${path.replace(':id', String(id))}`,
});
const addEmployee = async () => service.addEmployee((await service.addStore()).id);
const named = () => ({ name: newName('名称') });
/** A program with a key and a client secret. */
async function addClient() {
	const { id } = service.addProgram(['store:view']);
	const redirectUris = ['https://till.example/'];
	return expectStatus(await service.asSuper('PATCH', `/api/programs/${id}`, { redirectUris }), 200) as { id: number };
}

const kinds: Record<string, Kind> = {
	store: kind('stores/:id', () => service.addStore(), named),
	role: kind('roles/:id', () => service.addRole(), named),
	area: kind('areas/:id', () => service.addArea(), named),
	policy: kind(
		'permissions/roles/:id',
		() => service.addRole(),
		() => ({ permissions: ['role:view'] }),
		'PUT',
	),
	employee: kind('employees/:id', addEmployee, () => ({ phone: newPhone() })),
	point: kind(
		'permissions/points/:id',
		() => service.addPoint(`till:${newName('p')}`),
		() => ({ title: newName('权限') }),
	),
	program: kind('programs/:id', addClient, named),
	reach: kind('employees/:id/reach', addEmployee, () => ({ stores: [{ storeId: 1 }], areas: [] }), 'PUT'),
};

/** All endpoints with `If-Match` for this kind. A second factor must exist first: see second-factor.test.ts. */
const conditional = (kind: Kind) =>
	endpoints.filter(
		(each) =>
			isConditional(each) &&
			fill(each.path, 7).startsWith(kind.path(7)) &&
			!/factor|:employeeId/.test(each.path) &&
			// A reach has its own version.
			each.path.endsWith('/reach') === kind.path(7).endsWith('/reach'),
	);

function send(method: string, path: string, ifMatch: string | undefined, body?: unknown): Promise<Answer> {
	const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
	return service.send(method, path, { token: service.superToken, body, headers });
}

async function tagOf(path: string): Promise<string> {
	const tag = (await send('GET', path, undefined)).headers.get('etag') ?? '';
	expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
	return tag;
}

describe.each(Object.entries(kinds))('a %s', (_, kind) => {
	const changed = async (id: number, ifMatch?: string) => {
		service.tick(60);
		return send(kind.method, kind.path(id), ifMatch, kind.change());
	};

	test('has the same tag until it changes, in every answer about it', async () => {
		const { id } = await kind.add();
		const tag = await tagOf(kind.path(id));
		expect(await tagOf(kind.path(id))).toBe(tag);
		const answer = await changed(id, tag);
		expectStatus(answer, 200);
		expect(answer.headers.get('etag')).not.toBe(tag);
		expect(await tagOf(kind.path(id))).toBe(answer.headers.get('etag') ?? '');
	});

	test('is not changed by somebody who has seen another version', async () => {
		const { id } = await kind.add();
		const stale = await tagOf(kind.path(id));
		expectStatus(await changed(id), 200);
		const before = await send('GET', kind.path(id), undefined);
		for (const { method, path, sample } of conditional(kind)) {
			const answer = await send(method, fill(path, id), stale, sample);
			expectRefusal(answer, 412, '内容已被他人修改');
			expect(answer.body.error.details).toHaveLength(1);
		}
		const after = await send('GET', kind.path(id), undefined);
		expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
	});

	test('is changed by somebody who has seen this version, among others', async () => {
		for (const expected of [(tag: string) => `"other", W/${tag} ,"third"`, () => '*', (tag: string) => tag]) {
			const { id } = await kind.add();
			expectStatus(await changed(id, expected(await tagOf(kind.path(id)))), 200);
		}
		// The sample has a wrong old password.
		for (const { method, path, sample } of conditional(kind).filter((each) => !each.path.endsWith('/password'))) {
			const { id } = await kind.add();
			const answer = await send(method, fill(path, id), await tagOf(kind.path(id)), sample);
			expect([200, 204], answer.text).toContain(answer.status);
		}
	});

	test('takes no foreign tag', async () => {
		const { id } = await kind.add();
		for (const tag of ['W/"foreign"', '"foreign"', '""', '"é"']) {
			const answer = await changed(id, tag);
			expectRefusal(answer, 412);
			expect(detailsOf(answer)).toEqual([{ message: expect.any(String) }]);
		}
	});

	test('refuses a malformed If-Match, and looks for the thing first', async () => {
		const { id } = await kind.add();
		for (const header of ['', 'x', '"', '"a', '"a" "b"', '*, "a"', '"a b"', "'a'", 'w/"a"', ','])
			expectInvalid(await changed(id, header), 'headers.if-match');
		expectRefusal(await changed(999_999, '"foreign"'), 404);
	});

	test('is another version after a change there and back', async () => {
		const { id } = await kind.add();
		const stale = await tagOf(kind.path(id));
		const { data: before } = (await send('GET', kind.path(id), undefined)).body;
		const change = kind.change();
		expectStatus(await changed(id), 200);
		service.tick(60);
		const back = Object.fromEntries(Object.keys(change).map((field) => [field, before[field]]));
		expectStatus(await send(kind.method, kind.path(id), undefined, back), 200);
		expectRefusal(await changed(id, stale), 412);
	});
});

describe('the details of a refusal', () => {
	const details = (answer: Answer) => {
		expectRefusal(answer, 412);
		return detailsOf(answer);
	};
	/** The day, the time and the zone of the machine. */
	const clock = (at: Date) => {
		const [day, time, zone] = at.toLocaleString('sv-SE', { timeZoneName: 'longOffset' }).split(' ') as string[];
		// The format has a typographic minus.
		const offset = zone === 'GMT' ? '+00:00' : zone?.replace('GMT', '').replace('\u2212', '-');
		return `${day} ${time?.slice(0, 5)} ${offset}`;
	};

	const detail = (field: string, value: string | null, by: string, at: string, message: string) => ({
		path: `body.${field}`,
		message,
		field,
		by,
		at,
		value,
	});
	const now = () => service.time.toISOString();

	test('name the author, the field, the time and the new value', async () => {
		service.time = new Date(2050, 10, 22, 15, 30);
		const [from, to] = [await service.addStore(), await service.addStore()];
		const [cashier, lead] = [await service.addRole(), await service.addRole()];
		const { id } = await service.addEmployee(from.id, [cashier.id], { name: '李伟', remark: '早班' });
		const path = `/api/employees/${id}`;
		const stale = await tagOf(path);
		const manager = await service.addPerson(to.id, 'employee:manage', 'employee:view:all');
		const { name } = await service.read(`/api/employees/${manager.id}`);
		service.tick(60);
		const [first, second] = [newPhone(), newPhone()];
		const asManager = (body: unknown) => service.as(manager.token, 'PATCH', path, body);
		expectStatus(await asManager({ phone: first, remark: null, roleIds: [lead.id] }), 200);
		const [earlier, before] = [clock(service.time), service.time.toISOString()];
		service.tick(60);
		expectStatus(await service.asSuper('PATCH', path, { phone: second, storeId: to.id }), 200);
		const [later, after] = [clock(service.time), service.time.toISOString()];
		expectStatus(await service.asSuper('PATCH', `${path}/password/reset`), 200);

		const found = details(await send('PATCH', path, stale, { remark: '晚班' }));
		expect(found.toSorted((a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path))).toEqual([
			detail('phone', second, 'admin', after, `admin ${later} 改为“${second}”`),
			detail('remark', null, name, before, `${name} ${earlier} 已清空`),
			detail('roleIds', lead.name, name, before, `${name} ${earlier} 改为“${lead.name}”`),
			detail('storeId', to.name, 'admin', after, `admin ${later} 改为“${to.name}”`),
		]);
		service.time = new Date(2050, 10, 23, 9, 0);
		expect(details(await send('PATCH', path, stale, { remark: '晚班' }))).toContainEqual(
			detail('storeId', to.name, 'admin', after, `admin ${later} 改为“${to.name}”`),
		);
	});

	test('name what a program may do in words, also permissions of the chain', async () => {
		const { code, title } = await service.addPoint('till:refund', { title: '退款' });
		const { id } = await addClient();
		const [stale, store] = [await tagOf(`/api/programs/${id}`), await service.addStore()];
		const redirectUris = ['https://till.example/', `https://till.example/${'second/'.repeat(9)}`];
		const scope = { permissions: ['employee:view:store', code], storeId: store.id };
		const body = { ...scope, signInPermission: code, isPublic: true, redirectUris };
		expectStatus(await send('PATCH', `/api/programs/${id}`, undefined, body), 200);
		const found = details(await send('PATCH', `/api/programs/${id}`, stale, { name: '收银台' }));
		expect(Object.fromEntries(found.map((each: { field: string; value: string }) => [each.field, each.value]))).toEqual(
			{
				permissions: `查看本店员工、${title}`,
				storeId: store.name,
				redirectUris: redirectUris.join('、'),
				isPublic: '是',
				signInPermission: title,
			},
		);
		const role = `/api/permissions/roles/${(await service.addRole()).id}`;
		const before = await tagOf(role);
		expectStatus(await send('PUT', role, undefined, { permissions: ['store:view', code] }), 200);
		const granted = { value: `查看门店、${title}` };
		expect(details(await send('PUT', role, before, { permissions: [] }))).toMatchObject([granted]);
	});

	test('name the permissions of a role, the state of a store, and the end of a reach', async () => {
		const role = await service.addRole();
		const policy = `/api/permissions/roles/${role.id}`;
		const [stalePolicy, staleRole] = [await tagOf(policy), await tagOf(`/api/roles/${role.id}`)];
		expectStatus(await send('PUT', policy, undefined, { permissions: ['store:manage'] }), 200);
		const [held, time] = ['查看门店、管理门店', clock(service.time)];
		const granted = detail('permissions', held, 'admin', now(), `admin ${time} 改为“${held}”`);
		expect(details(await send('PUT', policy, stalePolicy, { permissions: [] }))).toEqual([granted]);
		expectStatus(await send('PATCH', `/api/roles/${role.id}`, staleRole, { name: '值班长' }), 200);
		const store = await service.addStore();
		const path = `/api/stores/${store.id}`;
		const stale = await tagOf(path);
		expectStatus(await send('PATCH', path, undefined, { status: 'INACTIVE' }), 200);
		const disabled = detail('status', '禁用', 'admin', now(), `admin ${clock(service.time)} 改为“禁用”`);
		expect(details(await send('DELETE', path, stale))).toEqual([disabled]);
		const { id } = await service.addEmployee(1);
		const reach = `/api/employees/${id}/reach`;
		const nowhere = await tagOf(reach);
		const given = { stores: [{ storeId: 2, until: '2999-12-31' }], areas: [] };
		expectStatus(await send('PUT', reach, undefined, given), 200);
		const { name } = await service.read('/api/stores/2');
		expect(details(await send('PUT', reach, nowhere, given))).toMatchObject([
			{ path: 'body.storeIds', field: 'storeIds', by: 'admin', value: `${name}（到 2999-12-31 为止）` },
		]);
	});

	test('name no field that was changed there and back, nor one that the history no longer has', async () => {
		const store = await service.addStore({ address: '一号' });
		const path = `/api/stores/${store.id}`;
		const stale = await tagOf(path);
		service.tick(60);
		for (const address of ['二号', '一号']) expectStatus(await send('PATCH', path, undefined, { address }), 200);
		expect(details(await send('PATCH', path, stale, { phone: '1' }))).toEqual([
			{ message: `admin ${clock(service.time)} 有其他修改`, by: 'admin', at: now() },
		]);
		const role = await service.addRole();
		const person = `/api/employees/${(await service.addEmployee(store.id)).id}`;
		const give = (until: string) => service.asSuper('POST', `${person}/roles`, { roleId: role.id, until });
		expectStatus(await give('2999-01-01'), 200);
		const earlier = await tagOf(person);
		service.tick(60);
		expectStatus(await give('2999-02-01'), 200);
		expect(details(await send('PATCH', person, earlier, { name: '王芳' }))).toMatchObject([{ by: 'admin', at: now() }]);
		expectStatus(await send('PATCH', path, undefined, { address: '三号' }), 200);
		service.alter((database) => {
			database.run('delete from history where id < (select max(id) from history)');
		});
		const lost = await send('PATCH', path, `${stale.slice(0, -3)}xy"`, { phone: '1' });
		expect(details(lost)).toEqual([{ message: '修改记录已不存在，请核对后再保存' }]);
	});

	test('reveal nothing to somebody who may not reach the person', async () => {
		const [own, other] = [await service.addStore(), await service.addStore()];
		const lead = await service.addPerson(own.id, 'employee:manage', 'employee:view:store');
		const { id } = await service.addEmployee(other.id);
		const sent = { token: lead.token, body: { remark: 'x' }, headers: { 'if-match': '"foreign"' } };
		expectRefusal(await service.send('PATCH', `/api/employees/${id}`, sent), 403);
		const closer = await service.addPerson(own.id, 'employee:manage', 'employee:view:store', 'store:manage');
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		const closing = { ...sent, token: closer.token, body: { moveTo: other.id, then: 'DISABLE' } };
		expectRefusal(await service.send('POST', `/api/stores/${own.id}/close`, closing), 403);
	});
});

test('a role link changes the version of the employee, the name of a role does not', async () => {
	const [store, role] = [await service.addStore(), await service.addRole()];
	const { id } = await service.addEmployee(store.id);
	const path = `/api/employees/${id}`;
	const without = await tagOf(path);
	expectStatus(await send('PATCH', path, undefined, { roleIds: [role.id] }), 200);
	const bound = await tagOf(path);
	expect(bound).not.toBe(without);
	service.tick(60);
	expectStatus(await send('PATCH', `/api/roles/${role.id}`, undefined, { name: newName('角色') }), 200);
	expect(await tagOf(path)).toBe(bound);
});

test('a store comes without its people where nobody asks for them', async () => {
	const store = await service.addStore();
	await service.addEmployee(store.id);
	const answer = await send('GET', `/api/stores/${store.id}?employees=false`, undefined);
	expect(expectStatus(answer, 200)).toEqual(store);
	expect(answer.headers.get('etag')).toBe(await tagOf(`/api/stores/${store.id}`));
	for (const query of ['', '?employees=true'])
		expect((await send('GET', `/api/stores/${store.id}${query}`, undefined)).body.data.employees).toHaveLength(1);
});
