/** The permission points that a chain makes for its own programs. */
import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { moveOutOfProgramGroups } from '../src/features/permissions/points.ts';
import { sentenceOf, textOf } from '../src/identity/history/sentence.ts';
import { addDays, dayOf } from '../src/platform/vocabulary/day.ts';
import { expectInvalid, expectRefusal, expectStatus, initialPassword, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { codes } from './oracle.ts';

const path = '/api/permissions/points';
const service = await Service.start();
const home = await service.addStore();
service.restoreBeforeEachTest();

const data = async (method: string, where: string, body?: unknown) =>
	expectStatus(await service.asSuper(method, where, body), method === 'POST' ? 201 : 200);
const list = (): Promise<Body[]> => data('GET', path) as Promise<Body[]>;
const grant = (roleId: number, ...permissions: string[]) =>
	data('PUT', `/api/permissions/roles/${roleId}`, { permissions });
const newest = async () => (await data('GET', '/api/history?pageSize=5')).items;

describe('a code that a later version of the program uses', () => {
	/** Rewrites a role, a program and a point as if the chain had made the point before this group was built in. */
	async function upgrade(code: string) {
		const point = await service.addPoint('report:view');
		const role = await service.addRole('report:view');
		const person = await service.addPerson(home.id, 'report:view');
		const [program, asking] = [service.addProgram(['report:view']), service.addProgram(['role:view'])];
		service.alter((db) => {
			db.run('delete from role_permissions where permission = ?', [code]);
			db.run("update role_permissions set permission = ? where permission = 'report:view'", [code]);
			db.run("update points set code = ? where code = 'report:view'", [code]);
			db.run('update programs set permissions = ? where id = ?', [JSON.stringify([code]), program.id]);
			db.run('update programs set sign_in_permission = ? where id = ?', [code, asking.id]);
		});
		const warned: unknown[] = [];
		moveOutOfProgramGroups(service.db, service.time.toISOString(), { warn: (_, facts) => warned.push(facts) });
		return { point, role, person, program, asking, warned };
	}

	test('stays with the program: the point of the chain gets another one, and its holders gain nothing', async () => {
		const { point, role, person, program, asking, warned } = await upgrade('store:manage');
		const after = 'own_store:manage';
		expect(warned).toEqual([{ before: 'store:manage', after }]);
		expect((await data('GET', `${path}/${point.id}`)).code).toBe(after);
		expect((await data('GET', `/api/permissions/roles/${role.id}`)).permissions).toEqual([after]);
		expect((await data('GET', `/api/programs/${program.id}`)).permissions).toEqual([after]);
		expect((await data('GET', `/api/programs/${asking.id}`)).signInPermission).toBe(after);
		const make = (token: string) => service.as(token, 'POST', '/api/stores', { name: '某店' });
		expectStatus(await make(person.token), 403);
		expectStatus(await make(program.key), 403);
		const records = (await newest()).map(({ action, actorType }: Body) => [actorType, action]);
		expect(records).toEqual([
			['SYSTEM', 'PROGRAM_UPDATE'],
			['SYSTEM', 'PROGRAM_UPDATE'],
			['SYSTEM', 'ROLE_PERMISSIONS_REPLACE'],
			['SYSTEM', 'ROLE_PERMISSIONS_REPLACE'],
			['SYSTEM', 'POINT_UPDATE'],
		]);
	});

	test('is moved aside once, to a code that is free', async () => {
		await service.addPoint('own_store:export');
		const { warned } = await upgrade('store:export');
		expect(warned).toEqual([{ before: 'store:export', after: 'own_own_store:export' }]);
		moveOutOfProgramGroups(service.db, service.time.toISOString(), { warn: () => expect.unreachable() });
	});
});

describe('a point', () => {
	test('is made, listed by id, changed and deleted', async () => {
		const refund = await service.addPoint('till:refund', { title: ' 退款 ', description: '', groupTitle: '收银' });
		const at = service.time.toISOString();
		const shown = { id: 1, code: 'till:refund', title: '退款', description: null, groupTitle: '收银' };
		expect(refund).toEqual({ ...shown, roles: 0, employees: 0, createdAt: at, updatedAt: at });
		const count = await service.addPoint('stock:count');
		expect(count.groupTitle).toBe('stock');
		expect(await list()).toEqual([refund, count]);
		const updatedAt = service.tick();
		const changed = await data('PATCH', `${path}/1`, { description: '一\n二', title: '退货' });
		expect(changed).toEqual({ ...refund, title: '退货', description: '一\n二', updatedAt });
		expect(await data('GET', `${path}/1`)).toEqual(changed);
		expectStatus(await service.asSuper('DELETE', `${path}/1`), 204);
		expectRefusal(await service.asSuper('GET', `${path}/1`), 404, '权限不存在');
		expect(await list()).toEqual([count]);
	});

	test('has a code that is free and of no group of the program; 200 are the limit', async () => {
		await service.addPoint('till:refund');
		const make = (code: string) => service.asSuper('POST', path, { code, title: '某' });
		expectRefusal(await make('till:refund'), 409, '权限编码已存在');
		for (const group of ['store', 'stores', 'role', 'roles', 'employee', 'employees', 'permission', 'permissions'])
			expectRefusal(await make(`${group}:export`), 400, `“${group}”是系统权限的分组，请换一个`);
		for (let made = 1; made < 200; made += 1) await service.addPoint(`till:p${made}`);
		expectRefusal(await make('till:one_more'), 400, '自定义权限数量已达上限（200 个）');
		expect(await list()).toHaveLength(200);
		expectStatus(await service.asSuper('DELETE', `${path}/7`), 204);
		expectStatus(await make('till:one_more'), 201);
	});

	test('shares the title of its group', async () => {
		const [refund, other] = [await service.addPoint('till:refund'), await service.addPoint('till_2:refund')];
		const at = service.tick();
		const price = await service.addPoint('till:price', { groupTitle: '收银' });
		const titles = async () => (await list()).map(({ groupTitle, updatedAt }) => [groupTitle, updatedAt]);
		expect(await titles()).toEqual([
			['收银', at],
			['till_2', other.updatedAt],
			['收银', at],
		]);
		const tagOf = async () => (await service.asSuper('GET', `${path}/${refund.id}`)).headers.get('etag');
		expect((await service.addPoint('till:void')).groupTitle).toBe('收银');
		expect((await service.addPoint('a_group_of_many_letters:any')).groupTitle).toBe('a_group_of_many_lett');
		const before = await tagOf();
		for (const groupTitle of [null, '  ']) {
			await data('PATCH', `${path}/${price.id}`, { groupTitle: '收款' });
			const { next } = await service.read('/api/changes?newest=true');
			const again = service.tick();
			expect((await data('PATCH', `${path}/${price.id}`, { groupTitle })).groupTitle).toBe('till');
			expect((await titles()).filter(([title]) => title === 'till')).toEqual(Array(3).fill(['till', again]));
			expect((await service.read(`/api/changes?after=${next}`)).items).toHaveLength(3);
		}
		expect(await tagOf()).not.toBe(before);
		// Each other point has a record in the group of the change.
		const records = (await newest()).slice(0, 3);
		expect(records.map(({ targetId }: Body) => targetId).at(-1)).toBe(price.id);
		const change = { action: 'POINT_UPDATE', changes: [{ field: 'groupTitle', before: '收款', after: 'till' }] };
		for (const each of records) expect(each).toMatchObject({ ...change, group: { id: records[2].id, size: 3 } });
	});

	test('counts the roles and employees that hold it, not the super administrator', async () => {
		await service.addPoint('till:refund');
		const [cashier, shift] = [await service.addRole('till:refund'), await service.addRole('till:refund', 'store:view')];
		await service.addRole('store:view');
		await service.addEmployee(home.id, [cashier.id, shift.id]);
		await service.addEmployee(home.id, [shift.id], { status: 'INACTIVE' });
		const gone = await service.addEmployee(home.id, [cashier.id]);
		await service.asSuper('DELETE', `/api/employees/${gone.id}`);
		expect(await list()).toMatchObject([{ roles: 2, employees: 2 }]);
		expect(await data('PATCH', `${path}/1`, { title: '某' })).toMatchObject({ roles: 2, employees: 2 });
		await service.asSuper('PATCH', `/api/employees/1`, { roleIds: [] });
		expect(await data('GET', `${path}/1`)).toMatchObject({ roles: 2, employees: 1 });
	});

	test('is counted without a search through all roles for each combination that people hold', async () => {
		await service.addPoint('till:refund');
		for (let count = 0; count < 20; count += 1) await service.addPerson(home.id, 'till:refund');
		using searches = spyOn(Array.prototype, 'some');
		expect((await list())[0]).toMatchObject({ roles: 20, employees: 20 });
		expect(searches.mock.contexts.filter((each) => (each as unknown[]).length === 20)).toEqual([]);
	});

	test('that is deleted leaves every role, in one group of records, and comes back with none', async () => {
		await service.addPoint('till:refund', { title: '退款' });
		const earlier = await service.addRole('till:refund');
		await grant(earlier.id);
		const revoked = () => service.rows('select * from role_permissions where role_id = ?', earlier.id);
		const before = revoked();
		service.tick();
		const [one, two] = [await service.addRole('till:refund'), await service.addRole('till:refund', 'store:view')];
		const { token } = await service.addPerson(home.id, 'till:refund');
		const own = async () => (await service.read('/api/permissions/me', token)).permissions;
		expect(await own()).toEqual(['till:refund']);
		expectStatus(await service.asSuper('DELETE', `${path}/1`), 204);
		expect([await own(), revoked()]).toEqual([[], before]);
		const records = await newest();
		expect(records.slice(0, 4).map((each: Body) => [each.action, each.targetId, each.group])).toEqual([
			...[3, 2, 1].map((nth) => ['ROLE_PERMISSIONS_REPLACE', records[3 - nth].targetId, records[0].group]),
			['POINT_DELETE', 1, { id: records[3].id, size: 4, ended: 0, undoUntil: null }],
		]);
		const change = { field: 'permissions', before: ['store:view', 'till:refund'], after: ['store:view'] };
		expect(records[1].changes).toEqual([change]);
		expect([records[2].targetId, records[1].targetId]).toEqual([one.id, two.id]);
		await service.addPoint('till:refund');
		expect([await own(), (await list())[0]]).toEqual([[], expect.objectContaining({ id: 2, roles: 0, employees: 0 })]);
	});
});

test('a hostile title is a text in every sentence', async () => {
	const title = '=1+1,"<b>&{new}%_';
	await service.addPoint('till:refund', { title });
	const role = await service.addRole();
	await grant(role.id, 'till:refund');
	const [granted, made] = (await newest()).filter(({ action }: Body) => /^(POINT_CREATE|ROLE_PERM)/.test(action));
	expect(textOf(sentenceOf(made))).toBe(`admin 新增了权限“${title}”`);
	expect(textOf(sentenceOf(granted))).toBe(`admin 给角色“${role.name}”增加了权限 ${title}`);
	expect(granted.points).toEqual([{ code: 'till:refund', title }]);
});

test.each([
	['title', '管理员工'],
	['title', ' 员工管理 '],
	['groupTitle', '员工管理'],
	['groupTitle', '分配权限'],
])('a point does not look like one of the program: its %s is not %s', async (field, title) => {
	const point = await service.addPoint('till:refund', { title: '退款', groupTitle: '收银' });
	const refused = [
		await service.asSuper('POST', path, { code: 'till:other', title: '其他', [field]: title }),
		await service.asSuper('PATCH', `${path}/${point.id}`, { [field]: title }),
	];
	for (const answer of refused) expectRefusal(answer, 400);
	service.alter((database) => database.run('update points set title = ?', ['管理员工']));
	expectStatus(await service.asSuper('PATCH', `${path}/${point.id}`, { title: '管理员工', description: '旧' }), 200);
});

test('a point that people need to sign in to a program stays until the program changes', async () => {
	const point = await service.addPoint('till:refund');
	const body = { name: '收银台', permissions: [], redirectUris: ['https://till.example/'] };
	const { id } = await data('POST', '/api/programs', { ...body, signInPermission: point.code });
	const refusal = await service.asSuper('DELETE', `${path}/${point.id}`);
	expectRefusal(refusal, 409, '登录“收银台”需要该权限，请先修改该接入程序');
	await service.asSuper('PATCH', `/api/programs/${id}`, { signInPermission: null });
	const [freed] = await newest();
	expect(textOf(sentenceOf(freed))).toEndWith(`清空了接入程序“收银台”的登录所需权限（原为“${point.title}”）`);
	expectStatus(await service.asSuper('DELETE', `${path}/${point.id}`), 204);
	const later = await service.asSuper('PATCH', `/api/programs/${id}`, { signInPermission: point.code });
	expectInvalid(later, 'body.signInPermission');
});

describe('the code of a point', () => {
	/** Two groups whose ids are mixed. */
	const inOrder = ['till:refund', 'till:price', 'stock:manage'];
	beforeEach(async () => {
		for (const code of ['till:refund', 'stock:manage', 'till:price'] as const) await service.addPoint(code);
	});

	test('stands behind the program’s in the definitions, by group', async () => {
		const { permissions, groups, menus } = await data('GET', '/api/permissions/definitions');
		expect(permissions.map((each: Body) => each.code)).toEqual([...codes, ...inOrder]);
		expect(permissions.at(-1)).toMatchObject({ description: '', groupKey: 'stock', groupTitle: 'stock' });
		const sizes = groups.slice(-2).map((each: Body) => `${each.key} ${each.permissions.length}`);
		expect(sizes).toEqual(['till 2', 'stock 1']);
		expect(menus).toHaveLength(4);
	});

	test('is granted like the others, and read in every answer, from the next request on', async () => {
		const role = await service.addRole();
		const { id, phone } = await service.addEmployee(home.id, [role.id]);
		const token = service.tokenOf(id);
		const own = (where: string) => service.as(token, 'GET', where);
		const held = ['store:view', 'store:manage', ...inOrder];
		const granted = await grant(role.id, ...inOrder.toReversed(), 'store:manage');
		expect(granted.permissions).toEqual(held);
		for (const where of ['/api/auth/me', '/api/permissions/me'])
			expect(expectStatus(await own(where), 200).permissions).toEqual(held);
		const policies: Body = await data('GET', '/api/permissions/policies');
		expect(policies.at(-1)).toMatchObject({ permissions: held, menus: [{ key: 'stores' }] });
		await grant(role.id, ...inOrder);
		const signedIn = await service.signIn(phone);
		expect(expectStatus(signedIn, 200).user).toMatchObject({ permissions: inOrder, canManage: false });
		expect(expectStatus(await own('/api/permissions/me'), 200)).toEqual({ permissions: inOrder, menus: [] });
		const defined: Body = await data('GET', '/api/permissions/definitions');
		const texts = expectStatus(await own('/api/permissions/me/definitions'), 200);
		expect(texts).toEqual(inOrder.map((code) => defined.permissions.find((each: Body) => each.code === code)));
		expect(await data('GET', '/api/permissions/me/definitions')).toEqual(defined.permissions);
		expectRefusal(await service.login('/api/auth/admin/login', phone, initialPassword), 401);
		const access = await data('GET', `/api/employees/${id}/access`);
		expect(
			access.permissions.slice(codes.length).map((each: Body) => [each.code, each.held, each.roles.length]),
		).toEqual(inOrder.map((code) => [code, true, 1]));
		expect(access.scope).toBe('no back-office menu by default');
	});

	const unknown = [['till:nothing'], ['store:nothing'], ['*'], ['till:Refund'], ['']];
	test.each(unknown)('%j cannot be granted', async (code) => {
		const role = await service.addRole('till:refund');
		const ask = (id: number) =>
			service.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions: ['till:refund', code] });
		for (const id of [role.id, 999_999]) expectInvalid(await ask(id), 'body.permissions.1');
		expectRefusal(await service.asSuper('PUT', '/api/permissions/roles/999999', { permissions: inOrder }), 404);
	});

	test('ranks nobody: a manager of people manages its holders, and gives it to others and to programs', async () => {
		const cashier = await service.addRole('till:refund');
		const other = await service.addStore();
		const target = await service.addEmployee(other.id, [cashier.id]);
		const managing = ['employee:manage', 'employee:view:all', 'store:manage', 'permission:manage'] as const;
		const manager = await service.addPerson(home.id, ...managing);
		const ask = (method: string, where: string, body?: unknown) => service.as(manager.token, method, where, body);
		const one = `/api/employees/${target.id}`;
		expectStatus(await ask('PATCH', one, { name: '某', storeId: home.id }), 200);
		expectStatus(await ask('PATCH', `${one}/password/reset`), 200);
		const hire = { storeId: home.id, name: '某', phone: newPhone(), roleIds: [cashier.id] };
		expectStatus(await ask('POST', '/api/employees', hire), 201);
		const lines = ['姓名,手机号,门店,角色', `某,${newPhone()},${home.name},${cashier.name}`];
		expectStatus(await service.importCsv('employees/import', lines, manager.token), 201);
		const options = expectStatus(await ask('GET', '/api/employees/options'), 200);
		expect(options.roles.map((each: Body) => each.id)).toContain(cashier.id);
		const many = { ids: [target.id], change: { status: 'INACTIVE' } };
		expectStatus(await ask('POST', '/api/employees/changes', many), 200);
		const program = { name: '收银台', permissions: ['till:refund'], endsOn: dayOf(service.time) };
		expectStatus(await ask('POST', '/api/programs', program), 201);
	});

	test('is given by nobody to themselves, unless they have it for good', async () => {
		await data('PATCH', `${path}/1`, { title: '退款' });
		const [cashier, lead] = [await service.addRole('till:refund'), await service.addRole('till:refund')];
		const { id, token } = await service.addPerson(home.id, 'employee:manage', 'employee:view:all');
		const take = (body: object) => service.as(token, 'POST', `/api/employees/${id}/roles`, body);
		const assignRole = (body: object) => service.asSuper('POST', `/api/employees/${id}/roles`, body);
		const until = addDays(dayOf(service.time), 5);
		const refuses = async (body: object) => expectRefusal(await take(body), 403, '不能给自己增加权限：“退款”');
		await refuses({ roleId: cashier.id });
		await refuses({ roleId: cashier.id, until });
		const lines = ['编号,角色', `${id},${cashier.name}`];
		const file = await service.importCsv('employees/import?mode=update&dryRun=true', lines, token);
		const [problem] = expectStatus(file, 200).problems;
		expect(problem).toMatchObject({ column: 'roles', reason: '不能给自己增加权限：“退款”' });
		expectStatus(await assignRole({ roleId: cashier.id, until }), 200);
		for (const { id: roleId } of [cashier, lead]) expectStatus(await take({ roleId, until: dayOf(service.time) }), 200);
		await refuses({ roleId: cashier.id, until });
		await refuses({ roleId: lead.id });
		expectStatus(await assignRole({ roleId: cashier.id, until: null }), 200);
		expectStatus(await take({ roleId: lead.id }), 200);
	});
});

describe('history:view', () => {
	const reading = ['/api/history', '/api/history/1', '/api/history/export?format=csv'];
	const answersTo = async (token: string) =>
		Promise.all(reading.map(async (where) => (await service.as(token, 'GET', where)).status));

	test('lets its holders sign in to the back office and read and export the history, until it is deleted', async () => {
		const role = await service.addRole();
		const { id, phone } = await service.addEmployee(home.id, [role.id]);
		const signIn = () => service.login('/api/auth/admin/login', phone, initialPassword);
		expectRefusal(await signIn(), 401, '当前账号没有后台登录权限');
		expect(await answersTo(service.tokenOf(id))).toEqual([403, 403, 403]);
		const point = await service.addPoint('history:view');
		await grant(role.id, 'history:view');
		const { token, user } = expectStatus(await signIn(), 200);
		expect(user).toMatchObject({ permissions: ['history:view'], canManage: false });
		expect(await answersTo(token)).toEqual([200, 200, 200]);
		expect(await service.read(`/api/permissions/roles/${role.id}`)).toMatchObject({ scope: 'by permission point' });
		expectStatus(await service.asSuper('DELETE', `${path}/${point.id}`), 204);
		expect(await answersTo(token)).toEqual([403, 403, 403]);
		expectRefusal(await signIn(), 401, '当前账号没有后台登录权限');
	});

	test('shows an employee of one store, and a program without a store, the history of the whole chain', async () => {
		await service.addPoint('history:view');
		const { token } = await service.addPerson(home.id, 'employee:view:store', 'history:view');
		const { key } = service.addProgram(['history:view']);
		const confined = service.addProgram(['employee:view:store', 'history:view'], home.id);
		expect(await answersTo(token)).toEqual([200, 200, 200]);
		expect(await answersTo(key)).toEqual([200, 200, 200]);
		expect(await answersTo(confined.key)).toEqual([403, 403, 403]);
		const all = await service.read('/api/history');
		expect(await service.read('/api/history', key)).toEqual(all);
	});
});
