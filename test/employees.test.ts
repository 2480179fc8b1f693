import { describe, expect, spyOn, test } from 'bun:test';
import type { PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import { expectRefusal, expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import { disabledTag, enabledTag, storeDisabledTag } from './oracle.ts';

type Employee = Awaited<ReturnType<Service['addEmployee']>>;

const badStore = '门店不存在或已禁用';
const badRole = '角色不存在或已删除：编号';

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

function create(fields: object) {
	return service.asSuper('POST', '/api/employees', { storeId, name: '王芳', phone: newPhone(), ...fields });
}

const change = (id: number, body: unknown) => service.asSuper('PATCH', `/api/employees/${id}`, body);
const setStoreStatus = (id: number, status: string) => service.asSuper('PATCH', `/api/stores/${id}`, { status });

/** The id of a deleted store or role. */
async function deleted(noun: 'stores' | 'roles'): Promise<number> {
	const { id } = await (noun === 'stores' ? service.addStore() : service.addRole());
	expectStatus(await service.asSuper('DELETE', `/api/${noun}/${id}`), 204);
	return id;
}

async function addRoles(count: number): Promise<number[]> {
	const ids = [];
	for (let index = 0; index < count; index += 1) ids.push((await service.addRole()).id);
	return ids;
}

/** The database rows of an employee, and of their links to roles. */
function recordOf(id: number) {
	return {
		row: service.rows('select * from employees where id = ?', id),
		links: service.rows('select * from employee_roles where employee_id = ? order by id', id),
	};
}

const idsOf = (items: { id: number }[]) => items.map((item) => item.id);

const unusable: [what: string, fields: () => Promise<object>, message: string][] = [
	['missing store', async () => ({ storeId: 999_999 }), badStore],
	['deleted store', async () => ({ storeId: await deleted('stores') }), badStore],
	['disabled store', async () => ({ storeId: (await service.addStore({ status: 'INACTIVE' })).id }), badStore],
	['missing role', async () => ({ roleIds: [999_999] }), `${badRole} 999999`],
	['deleted role', async () => ({ roleIds: [await deleted('roles')] }), `${badRole} 6`],
	['missing roles beside another', async () => ({ roleIds: [98, 3, 99] }), `${badRole} 98、99`],
];
test.each(unusable)('a hire and a change with a %s are refused, and nothing is stored', async (_, fields, message) => {
	const [{ id }, phone, bad] = [await service.addEmployee(storeId, [3]), newPhone(), await fields()];
	const before = recordOf(id);
	expectRefusal(await create({ phone, ...bad }), 400, message);
	expectRefusal(await change(id, { name: '改名', ...bad }), 400, message);
	expect(recordOf(id)).toEqual(before);
	expect(service.rows('select id from employees where phone = ?', phone)).toEqual([]);
});

describe('roleIds', () => {
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

	test('replace the roles: a role that stays keeps its record, one that comes back gets a new record', async () => {
		const boundAt = service.tick();
		const [leaving, staying, coming] = await addRoles(3);
		const { id } = await service.addEmployee(storeId, [Number(leaving), Number(staying)]);
		const replacedAt = service.tick();
		const changed = expectStatus(await change(id, { roleIds: [coming, staying] }), 200);
		expect(idsOf(changed.roles)).toEqual([Number(staying), Number(coming)]);
		const againAt = service.tick();
		await change(id, { roleIds: [leaving, staying, coming] });
		const links = () => recordOf(id).links.map(({ role_id, bound_at, unbound_at }) => [role_id, bound_at, unbound_at]);
		const first = [leaving, boundAt, replacedAt];
		const held = [first, [staying, boundAt, null], [coming, replacedAt, null], [leaving, againAt, null]];
		expect(links()).toEqual(held);
		const clearedAt = service.tick();
		await change(id, { roleIds: [] });
		expect(links()).toEqual(held.map(([role, bound, end]) => [role, bound, end ?? clearedAt]));
	});
});

test('an employee of a disabled store can be edited, enabled and deleted, and can leave it', async () => {
	const closing = await service.addStore();
	const [{ id }, other] = [await service.addEmployee(closing.id), await service.addEmployee(closing.id)];
	await setStoreStatus(closing.id, 'INACTIVE');
	const body = { storeId: closing.id, name: '改名', remark: '新', roleIds: [service.builtIn('cashier')] };
	const edited = expectStatus(await change(id, body), 200);
	expect(edited).toMatchObject({ name: '改名', remark: '新', statusTags: [enabledTag, storeDisabledTag] });
	expect(idsOf(edited.roles)).toEqual([service.builtIn('cashier')]);
	for (const [status, tag] of Object.entries({ INACTIVE: disabledTag, ACTIVE: enabledTag })) {
		const answer = await service.asSuper('PATCH', `/api/employees/${id}/status`, { status });
		expect(expectStatus(answer, 200).statusTags).toEqual([tag, storeDisabledTag]);
	}
	expect(expectStatus(await change(id, { storeId }), 200).statusTags).toEqual([enabledTag]);
	expectRefusal(await change(id, { storeId: closing.id }), 400, badStore);
	expectStatus(await service.asSuper('DELETE', `/api/employees/${other.id}`), 204);
});

test('the initial password is hashed once, for the first hire: no other one and no reset waits for it', async () => {
	const started = await Service.start();
	using hash = spyOn(Bun.password, 'hashSync');
	const { id: store } = await started.addStore();
	const [{ id }] = [await started.addEmployee(store), await started.addEmployee(store)];
	expectStatus(await started.asSuper('PATCH', `/api/employees/${id}/password/reset`), 200);
	expect(hash).toHaveBeenCalledTimes(1);
});

const paths = ['/api/employees', `/api/stores/${storeId}/employees`];
test.each(paths)('DELETE %s/:id keeps the record, inactive, and its links, with the time of the end', async (path) => {
	const [left, held] = await addRoles(2);
	const { id, phone, name } = await service.addEmployee(storeId, [Number(left), Number(held)]);
	const unboundAt = service.tick();
	await change(id, { roleIds: [held] });
	await setStoreStatus(storeId, 'INACTIVE');
	const at = service.tick();
	const answer = await service.asSuper('DELETE', `${path}/${id}`);
	expect([answer.status, answer.text]).toEqual([204, '']);
	const { row, links } = recordOf(id);
	expect(row).toMatchObject([{ id, store_id: storeId, name, phone, status: 'INACTIVE', deleted_at: at }]);
	expect(links.map(({ role_id, unbound_at }) => [role_id, unbound_at])).toEqual([
		[left, unboundAt],
		[held, at],
	]);
});

test('the employees of a role are listed and counted for callers who may view roles and employees, within their stores', async () => {
	const [home, other] = [await service.addStore(), await service.addStore()];
	const role = await service.addRole();
	const here = await service.addEmployee(home.id, [role.id]);
	const there = await service.addEmployee(other.id, [role.id, service.builtIn('cashier')]);
	await service.addEmployee(home.id, []);
	const listed = async (token: string, query = '') => {
		const path = `/api/roles/${role.id}/employees${query}`;
		const { items, pagination } = await service.read(path, token);
		return [pagination.total, ...items.map(({ id }: { id: number }) => id)];
	};
	const everywhere = await service.addPerson(home.id, 'role:view', 'employee:view:all', 'employee:view:store');
	const confined = await service.addPerson(home.id, 'role:view', 'employee:view:store');
	const counted = async (token: string) => {
		const counts = await service.read('/api/roles/holders', token);
		return counts.find(({ roleId }: { roleId: number }) => roleId === role.id);
	};
	expect(await listed(everywhere.token)).toEqual([2, here.id, there.id]);
	expect(await listed(everywhere.token, '?pageSize=1&page=2')).toEqual([2, there.id]);
	expect(await counted(everywhere.token)).toEqual({ roleId: role.id, employees: 2 });
	expect(await listed(confined.token)).toEqual([1, here.id]);
	expect(await counted(confined.token)).toEqual({ roleId: role.id, employees: 1 });
	expectStatus(await service.asSuper('DELETE', `/api/employees/${here.id}`), 204);
	expect(await listed(service.superToken)).toEqual([1, there.id]);
	expect(await counted(confined.token)).toBeUndefined();
});

test('the options of a form are the stores and roles that a hire accepts, for a manager who may view neither', async () => {
	const [home, gone] = [await service.addStore(), await service.addStore(), await service.addStore()];
	await service.addStore({ status: 'INACTIVE' });
	expectStatus(await service.asSuper('DELETE', `/api/stores/${gone.id}`), 204);
	for (const codes of [['employee:view:store'], ['employee:view:all', 'role:view'], ['permission:view']] as const) {
		await service.addPerson(home.id, ...codes);
	}
	const managers = [
		await service.addPerson(home.id, 'employee:view:store', 'employee:manage'),
		await service.addPerson(home.id, 'employee:view:all', 'employee:manage'),
	];
	for (const { token } of [...managers, { token: service.superToken }]) {
		const hire = async (storeId: number, roleIds: number[]) => {
			const body = { storeId, roleIds, name: '某', phone: newPhone() };
			return (await service.as(token, 'POST', '/api/employees', body)).status === 201;
		};
		const accepted: Record<'stores' | 'roles', object[]> = { stores: [], roles: [] };
		for (const store of service.rows('select id, name from stores')) {
			if (await hire(store.id, [])) accepted.stores.push(store);
		}
		for (const role of service.rows('select id, name from roles')) {
			if (await hire(home.id, [role.id])) accepted.roles.push(role);
		}
		expect(await service.read('/api/employees/options', token)).toEqual(accepted);
	}
});

test('explained access names the roles behind each permission, the scope, and whether the password is the initial one', async () => {
	const one = await service.addRole('store:view', 'employee:view:store');
	const two = await service.addRole('store:view', 'employee:manage');
	const { id } = await service.addEmployee(storeId, [one.id, two.id]);
	const explained = await service.read(`/api/employees/${id}/access`);
	const summary = ({ id, code, name }: Employee) => ({ id, code, name });
	const from: Partial<Record<PermissionCode, Employee[]>> = {
		'store:view': [one, two],
		'employee:view:store': [one],
		'employee:manage': [two],
	};
	const { permissions } = await service.read('/api/permissions/definitions');
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
		passwordExpiresAt: null,
		hasSecondFactor: false,
		manage: { allowed: true, message: null, roles: [], people: [] },
	});
	// A clerk who may manage employees, but not see what roles grant, sees everything else.
	const clerk = await service.addPerson(storeId, 'employee:view:all', 'employee:manage', 'store:view');
	const { scope: _, permissions: __, ...rest } = explained;
	expect(await service.read(`/api/employees/${id}/access`, service.tokenOf(clerk.id))).toEqual(rest);
	expectStatus(await service.changePassword(id, initialPassword, 'a-new-password'), 200);
	expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [] }), 200);
	const later = await service.read(`/api/employees/${id}/access`);
	expect(later).toMatchObject({ passwordIsInitial: false, scope: 'no back-office menu by default' });
});

describe('externalId', () => {
	const numbered = async (externalId: string | null, fields: object = {}) =>
		expectStatus(await create({ externalId, ...fields }), 201);
	const listed = async (query: string, token = service.superToken) =>
		idsOf((await service.read(`/api/employees?${query}`, token)).items);
	const detailsOf = (answer: Awaited<ReturnType<typeof change>>) =>
		answer.body.error.details.map(({ path, message }: { path: string; message: string }) => [path, message]);
	const taken = (name: string) => [['body.externalId', `工号已存在：${name}`]];

	test('is answered only where it is asked for, and a list finds exactly it', async () => {
		const wang = await numbered(' P-1 ');
		const [{ id: other }] = [await numbered('p-1'), await numbered('P-10'), await numbered(null)];
		expect(Object.keys(wang)).not.toContain('externalId');
		const asked = await service.read(`/api/employees/${wang.id}?include=externalId`);
		expect(asked).toEqual({ ...(await service.read(`/api/employees/${wang.id}`)), externalId: 'P-1' });
		const all = await service.read(`/api/employees/${wang.id}?include=activity,externalId`);
		expect(all).toMatchObject({ externalId: 'P-1', lastSignInAt: null });
		expect(await listed('externalId=P-1')).toEqual([wang.id]);
		expect(await listed('externalId=%20p-1')).toEqual([other]);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${wang.id}`), 204);
		expect(await listed('externalId=P-1')).toEqual([]);
		expect(await listed('externalId=P-1&deleted=true')).toEqual([wang.id]);
	});

	test('is unique among employees who are not deleted; the refusal names the holder only within reach', async () => {
		const wang = await numbered('P-1');
		const far = await service.addStore();
		const li = await numbered('P-2', { storeId: far.id, name: '李伟' });
		for (const externalId of ['P-1', ' P-1\t']) {
			expect(detailsOf(await create({ externalId }))).toEqual(taken(`王芳（${wang.storeName}）`));
			const answer = await change(li.id, { name: '改名', externalId });
			expectRefusal(answer, 409, '工号已存在');
			expect(detailsOf(answer)).toEqual(taken(`王芳（${wang.storeName}）`));
		}
		const lead = await service.addPerson(storeId, 'employee:view:store', 'employee:manage');
		const sent = { token: service.tokenOf(lead.id), body: { externalId: 'P-2' } };
		const outOfReach = await service.send('PATCH', `/api/employees/${wang.id}`, sent);
		expect(detailsOf(outOfReach)).toEqual([['body.externalId', '工号已存在']]);
		expectStatus(await change(wang.id, { externalId: 'P-1', name: '同名' }), 200);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${wang.id}`), 204);
		expectStatus(await change(li.id, { externalId: 'P-1' }), 200);
		const restore = await service.asSuper('POST', `/api/employees/${wang.id}/restore`);
		expectRefusal(restore, 409);
		expect(detailsOf(restore)).toEqual([['params.id', '工号已被“李伟”使用']]);
		expectStatus(await change(li.id, { externalId: '' }), 200);
		expectStatus(await service.asSuper('POST', `/api/employees/${wang.id}/restore`), 200);
		expect(await listed('externalId=P-1')).toEqual([wang.id]);
	});
});

test('with former=refuse, the number of a deleted employee out of reach is refused without a name', async () => {
	const [here, there] = [await service.addStore(), await service.addStore()];
	const ours = await service.addEmployee(here.id);
	const theirs = await service.addEmployee(there.id, [], { name: '林超' });
	for (const { id } of [ours, theirs]) expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
	const { token } = await service.addPerson(here.id, 'employee:view:store', 'employee:manage');
	const hire = (phone: string, query = '?former=refuse', by = token) =>
		service.as(by, 'POST', `/api/employees${query}`, { storeId: here.id, name: '新人', phone });
	const refused = await hire(theirs.phone);
	expect(refused.status).toBe(409);
	expect(refused.body.error.details).toMatchObject([{ path: 'body.phone', reason: 'former_elsewhere' }]);
	expect(refused.text).not.toContain('林超');
	const taken = { externalId: 'P-1' };
	await service.addEmployee(here.id, [], taken);
	// A request that fails anyway tells nothing of the phone: looking numbers up would cost nothing.
	for (const phone of [theirs.phone, newPhone()]) {
		const body = { storeId: here.id, name: '新人', phone, ...taken };
		const { details } = (await service.as(token, 'POST', '/api/employees?former=refuse', body)).body.error;
		expect(details).toMatchObject([{ path: 'body.externalId' }]);
	}
	expectStatus(await hire(ours.phone), 201);
	expectStatus(await hire(newPhone()), 201);
	const clerk = await service.addPerson(here.id, 'employee:view:store');
	expect((await hire(theirs.phone, '?former=refuse', clerk.token)).status).toBe(403);
	// Accounts that see everybody need no such refusal, and the contract has none.
	expectStatus(await hire(theirs.phone, '?former=refuse', service.superToken), 201);
	const [{ id }] = service.rows('select id from employees where phone = ? and deleted_at is null', theirs.phone);
	expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
	expectStatus(await hire(theirs.phone, ''), 201);
});
