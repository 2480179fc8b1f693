/** Programs that call with a key of their own. The campaign `authorization` has the routes that a key may call. */
import { describe, expect, spyOn, test } from 'bun:test';
import { NoopLogger } from 'drizzle-orm/logger';
import { unzipSync } from 'fflate';
import { sentenceOf, textOf } from '../src/identity/history/sentence.ts';
import { addDays, dayOf } from '../src/platform/vocabulary/day.ts';
import { expectRefusal, expectStatus, heldPost, newPhone, Service } from './harness.ts';
import type { Body } from './http.ts';
import { codes, csvType, fill, notSignedIn, protectedEndpoints } from './oracle.ts';

const path = '/api/programs';
const service = await Service.start();
const home = await service.addStore();
const other = await service.addStore();
service.restoreBeforeEachTest();

const today = () => dayOf(service.time);
const endsOn = () => addDays(today(), 30);
const asked = (fields: Body = {}) => ({ name: '工资系统', permissions: ['store:view'], endsOn: endsOn(), ...fields });
const make = (fields: Body = {}) => service.asSuper('POST', path, asked(fields));
const made = async (fields: Body = {}) => expectStatus(await make(fields), 201);
const change = (id: number, body: Body) => service.asSuper('PATCH', `${path}/${id}`, body);
const works = async (key: string) => (await service.as(key, 'GET', '/api/permissions/me')).status === 200;
const records = (): Body[] => service.rows('select * from history order by id');
const newest = async () => (await service.read('/api/history?pageSize=1')).items[0];

describe('a program', () => {
	test('is made with a key that is shown once, listed, changed and deleted', async () => {
		const times = { createdAt: service.time.toISOString(), updatedAt: service.time.toISOString() };
		const { key, ...program } = await made({ name: ' 工资系统 ', permissions: ['employee:manage', 'store:view'] });
		expect(key).toMatch(/^access_[\w-]{43}$/);
		const permissions = ['store:view', 'employee:view:all', 'employee:manage'];
		const signIn = { redirectUris: [], signOutUris: [], isPublic: false, signInPermission: null };
		const rest = { storeId: null, storeName: null, endsOn: endsOn(), lastUsedAt: null, ...signIn, ...times };
		expect(program).toEqual({ id: 1, name: '工资系统', permissions, ...rest });
		expect(await service.read(path)).toEqual([program]);
		expect(await service.read(`${path}/1`)).toEqual(program);
		const updatedAt = service.tick();
		const wanted = { permissions: ['employee:view:store'], storeId: home.id, endsOn: today() };
		const changed = expectStatus(await change(1, wanted), 200);
		expect(changed).toEqual({ ...program, ...wanted, storeName: home.name, updatedAt });
		expect((await newest()).changes.map(({ field }: Body) => field)).toEqual(['permissions', 'storeId', 'endsOn']);
		const freed = expectStatus(await change(1, { permissions: ['store:view'], storeId: null }), 200);
		expect(freed).toMatchObject({ storeId: null, storeName: null });
		// The name of a deleted store stays.
		const { id, name } = await service.addStore();
		expectStatus(await change(1, { ...wanted, storeId: id }), 200);
		expectStatus(await service.asSuper('DELETE', `/api/stores/${id}`), 204);
		expect(expectStatus(await change(1, { name: '新名' }), 200)).toMatchObject({ storeId: id, storeName: name });
		expectStatus(await service.asSuper('DELETE', `${path}/1`), 204);
		expect(await service.read(path)).toEqual([]);
		expectRefusal(await service.asSuper('GET', `${path}/1`), 404, '接入程序不存在');
		expect(await works(key)).toBeFalse();
		expect(service.rows('select key_hash from programs')).toEqual([{ key_hash: null }]);
	});

	test('needs codes that it can hold, a store exactly when they ask for one, a day and a name of its own', async () => {
		await made();
		expectRefusal(await make(), 409, '接入程序名称已存在');
		const refused = async (fields: Body, field: string) => {
			for (const each of [await make({ name: '另一个', ...fields }), await change(1, fields)]) {
				expect([fields, each.status, each.body?.error.details[0].path]).toEqual([fields, 400, field]);
			}
		};
		for (const code of ['role:manage', 'permission:manage', '*', 'till:refund', 'STORE:VIEW'])
			await refused({ permissions: ['store:view', code] }, 'body.permissions.1');
		await refused({ permissions: [] }, 'body.permissions');
		await refused({ permissions: ['employee:view:store'] }, 'body.storeId');
		await refused({ permissions: ['employee:view:store', 'employee:manage'] }, 'body.storeId');
		await refused({ permissions: ['employee:view:store'], storeId: 999 }, 'body.storeId');
		await refused({ permissions: ['store:view'], storeId: home.id }, 'body.storeId');
		await refused({ permissions: ['employee:view:store', 'employee:view:all'], storeId: home.id }, 'body.storeId');
		await refused({ endsOn: addDays(today(), -1) }, 'body.endsOn');
		for (const [day, yearLater] of [
			['2031-05-10', '2032-05-10'],
			['2032-02-29', '2033-02-28'],
		] as const) {
			service.time = new Date(`${day}T12:00`);
			await refused({ endsOn: addDays(yearLater, 1) }, 'body.endsOn');
			expectStatus(await change(1, { endsOn: yearLater }), 200);
		}
		expectStatus(await change(1, { endsOn: today() }), 200);
		await service.addPoint('till:refund');
		expectStatus(await change(1, { permissions: ['till:refund'] }), 200);
		// Now it is confined to a store, so other codes alone do not fit.
		expectStatus(await change(1, { permissions: ['employee:view:store'], storeId: home.id }), 200);
		await refused({ permissions: ['employee:view:all'], name: '另一个', storeId: home.id }, 'body.storeId');
		expect((await change(1, { permissions: ['employee:view:all'] })).body.error.details[0].path).toBe('body.storeId');
	});

	test('counts towards 100 also past its end, and a later end brings it back', async () => {
		const endsOn = today();
		const { key } = await made({ endsOn });
		expect(await works(key)).toBeTrue();
		while (today() === endsOn) service.tick(3600);
		expect(await works(key)).toBeFalse();
		expectRefusal(await make(), 409);
		expectStatus(await change(1, { name: '新名' }), 200);
		for (let count = 1; count < 100; count += 1) await made({ name: `程序${count}` });
		expectRefusal(await make({ name: '多一个' }), 400, '接入程序数量已达上限（100 个）');
		expectStatus(await change(1, { endsOn: today() }), 200);
		expect(await works(key)).toBeTrue();
	});

	test('gets another key: the one before works for an hour, older ones not', async () => {
		const { id, key: first } = await made();
		const renew = async (query = '') =>
			expectStatus(await service.asSuper('POST', `${path}/${id}/key${query}`), 200).key as string;
		const second = await renew();
		expect([await works(first), await works(second)]).toEqual([true, true]);
		const third = await renew();
		expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true]);
		service.tick(3599);
		expect(await works(second)).toBeTrue();
		service.tick(1);
		expect([await works(second), await works(third)]).toEqual([false, true]);
		const fourth = await renew('?at=once');
		expect([await works(third), await works(fourth)]).toEqual([false, true]);
	});

	test('has a key or a client secret only while it needs one: a later need gets another', async () => {
		const signIn = { redirectUris: ['https://till.example/'] };
		const { id, key } = await made(signIn);
		const hashes = () => service.rows('select key_hash, secret_hash from programs')[0];
		const none = { key_hash: null, secret_hash: null };
		expectStatus(await change(id, { permissions: [] }), 200);
		expect(hashes()).toEqual({ ...none, secret_hash: expect.any(String) });
		const renew = (what: string) => service.asSuper('POST', `${path}/${id}/${what}`);
		expectRefusal(await renew('key'), 400, '没有权限的程序不用密钥');
		const endless = { permissions: ['store:view'], endsOn: null };
		expectRefusal(await change(id, endless), 400, '有权限的程序须有到期日');
		expectStatus(await change(id, { permissions: ['store:view'] }), 200);
		expect(await works(key)).toBeFalse();
		expectStatus(await change(id, { isPublic: true }), 200);
		expect(hashes()).toEqual(none);
		expectRefusal(await renew('secret'), 400, '只有用登录且能保密的程序才有登录密钥');
		const secretOnly = await made({ ...signIn, name: '登录', permissions: [] });
		expect(secretOnly).toMatchObject({ clientSecret: expect.any(String) });
		expect(secretOnly).not.toHaveProperty('key');
	});

	test('notes its last use once a minute, and works where that cannot be stored', async () => {
		const { id, key } = await made();
		const used = async () => (await service.read(`${path}/${id}`)).lastUsedAt;
		await works(key);
		const first = service.time.toISOString();
		service.tick(59);
		await works(key);
		expect(await used()).toBe(first);
		const second = service.tick();
		await works(key);
		expect(await used()).toBe(second);
		service.tick(60);
		service.db.$client.run('pragma query_only = 1');
		expect(await works(key)).toBeTrue();
		service.db.$client.run('pragma query_only = 0');
		expect(await used()).toBe(second);
	});

	test('loses a deleted permission point, in the group of its record', async () => {
		const point = await service.addPoint('till:refund');
		const { key } = await made({ permissions: ['till:refund', 'store:view'] });
		await made({ name: '没有它' });
		const only = await made({ name: '只有它', permissions: ['till:refund'] });
		expectStatus(await service.asSuper('DELETE', `/api/permissions/points/${point.id}`), 204);
		await service.addPoint('till:refund');
		expectStatus(await change(only.id, { permissions: ['till:refund'] }), 200);
		expect(await works(only.key), 'the key ended with the last permission').toBeFalse();
		const own = expectStatus(await service.as(key, 'GET', '/api/permissions/me'), 200);
		expect(own.permissions).toEqual(['store:view']);
		const changes = records().filter(({ action }) => ['POINT_DELETE', 'PROGRAM_UPDATE'].includes(action));
		const [deleted, ...taken] = changes.map((each) => [each.target_id, each.group_id]);
		expect(taken).toEqual([
			[1, deleted?.[1]],
			[only.id, deleted?.[1]],
			[only.id, expect.any(Number)],
		]);
	});
});

describe('nobody gives a program more than they have', () => {
	const short: Record<string, (typeof codes)[number]> = {
		see: 'employee:view:store',
		all: 'employee:view:all',
		people: 'employee:manage',
		stores: 'store:view',
		roles: 'role:view',
	};
	/** The codes and the store of a line such as `see people @home`. */
	function fieldsOf(line: string) {
		const [held = '', place] = line.split(' @');
		const permissions = held.split(' ').flatMap((word) => short[word] ?? []);
		return { permissions, storeId: place ? { home, other }[place]?.id : null };
	}
	const sendAs = async (line: string) => {
		const { token } = await service.addPerson(home.id, 'permission:manage', ...fieldsOf(line).permissions);
		return (method: string, where: string, body?: unknown) => service.as(token, method, where, body);
	};

	/** What the caller holds, a program before and after, the field at fault, and what the caller lacks. */
	test.each<[caller: string, before: string, after: string, where: string, lacks: string]>([
		['see stores', '', 'roles', 'body.permissions', '查看角色'],
		['see stores', '', 'all', 'body.permissions', '查看全部员工'],
		['see stores', '', 'see @other', 'body.storeId', other.name],
		['see stores', '', 'see @home', '', ''],
		['see stores', 'see @home', 'see @other', 'body.storeId', other.name],
		['see stores', 'all stores', 'all roles', 'body.permissions', '查看角色'],
		['see stores', 'all stores', 'all', '', ''],
		// A program that moves, or that sees everybody, gains all of it.
		['see stores', 'see people @other', 'see people @home', 'body.storeId', '管理员工'],
		['all stores', 'see people @other', 'all people', 'body.permissions', '管理员工'],
		['all stores', 'see people @other', 'all', '', ''],
		// Leaving the store, or getting one, it takes nothing along to other people.
		['see stores', 'see roles @other', 'roles stores', '', ''],
		['see stores', 'roles stores', 'see roles @home', '', ''],
		['see people stores', 'see @other', 'see people @other', 'body.permissions', other.name],
		['see people stores', 'see @home', 'see roles @other', 'body.permissions', '查看角色'],
		['see people stores', 'see @home', 'see stores @other', 'body.storeId', other.name],
	])('%s: from “%s” to “%s” is refused at “%s”', async (caller, before, after, where, lacks) => {
		const send = await sendAs(caller);
		if (before) await made(fieldsOf(before));
		const body = fieldsOf(after);
		const answer = before ? await send('PATCH', `${path}/1`, body) : await send('POST', path, asked(body));
		if (!where) return expect(answer.status).toBe(before ? 200 : 201);
		expectRefusal(answer, 403);
		expect(answer.body.error.message).toMatch(new RegExp(`^该程序的权限或门店超出您的范围：您.*“${lacks}”`));
		expect(answer.body.error.details).toMatchObject([{ path: where }]);
	});

	test('a new key or a later day gives all of it; a name, an earlier day and its end give nothing', async () => {
		const send = await sendAs('see stores');
		await made(fieldsOf('all stores'));
		const change = (body: object) => send('PATCH', `${path}/1`, body);
		for (const [answer, where] of [
			[await send('POST', `${path}/1/key`), 'params.id'],
			[await change({ endsOn: addDays(today(), 200) }), 'body.endsOn'],
		] as const) {
			expectRefusal(answer, 403);
			expect(answer.body.error.details).toMatchObject([{ path: where }]);
		}
		for (const body of [{ name: '我的' }, { endsOn: today() }]) expectStatus(await change(body), 200);
		expectStatus(await send('DELETE', `${path}/1`), 204);
		// A program that sees nobody gets no store, so none is out of reach.
		expectRefusal(await send('POST', path, asked({ storeId: other.id })), 400);
	});

	test('a program that holds the same codes in another order is the same', async () => {
		for (const code of ['till:a', 'till:b'] as const) await service.addPoint(code);
		await made({ name: '两点', permissions: ['till:a', 'till:b'] });
		const before = await service.read(`${path}/1`);
		service.tick();
		const answer = await service.asSuper('PATCH', `${path}/1`, { permissions: ['till:b', 'till:a'] });
		expect(expectStatus(answer, 200)).toEqual(before);
	});
});

describe('a key', () => {
	const linesOf = (store: string) => ['姓名,手机号,门店', `张三,${newPhone()},${store}`];

	test('takes the same statements with one code as with many', async () => {
		async function statementsWith(...held: readonly (typeof codes)[number][]): Promise<number> {
			const { key } = service.addProgram(held);
			// The first use is saved.
			await works(key);
			using queries = spyOn(NoopLogger.prototype, 'logQuery');
			expect(await works(key)).toBeTrue();
			return queries.mock.calls.length;
		}
		const few = await statementsWith('store:view');
		expect(few).toBeGreaterThan(1);
		expect(await statementsWith(...codes)).toBe(few);
	});

	test('is not taken for the employee of the same id', async () => {
		const { key, id } = service.addProgram(['employee:view:store', 'employee:manage'], home.id);
		// A confined program cannot manage an account that reaches more.
		const role = await service.addRole('employee:view:store');
		const twin = await service.addEmployee(home.id, [role.id]);
		service.alter((database) => database.run('update programs set id = ? where id = ?', [twin.id, id]));
		await service.giveReach(twin.id, { stores: [other.id] });
		expectRefusal(await service.as(key, 'PATCH', `/api/employees/${twin.id}`, { remark: '某' }), 403);
		expect((await service.read(`/api/employees?storeId=${other.id}`, key)).items).toMatchObject([{ id: twin.id }]);
		// Without a store it reaches nobody.
		const lost = service.addProgram(['employee:view:store']);
		expect((await service.read('/api/employees', lost.key)).items).toEqual([]);
	});

	test('never holds a code that no program can hold, whatever is stored', async () => {
		const { id, key } = service.addProgram(['permission:manage', 'till:gone', 'store:view']);
		for (const each of [await service.read('/api/permissions/me', key), await service.read(`${path}/${id}`)])
			expect(each.permissions).toEqual(['store:view']);
	});

	test('cannot import with one-time passwords', async () => {
		const { key } = service.addProgram(['employee:view:all', 'employee:manage']);
		const send = (query: string) => service.importCsv(`employees/import${query}`, linesOf(home.name), key);
		expectRefusal(await send('?passwords=one-time'), 403);
		expectRefusal(await send('?passwords=one-time&dryRun=true'), 403);
		expectStatus(await send(''), 201);
	});

	test('learns nothing of people out of its reach, on any route', async () => {
		const near = await service.addEmployee(home.id);
		const far = await service.addEmployee(other.id, [1], { name: '远方来客', remark: '机密备注' });
		const gone = await service.addEmployee(other.id, [1], { name: '远方过客', remark: '机密备注' });
		expectStatus(await service.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
		const change = { status: 'INACTIVE' };
		const many = await service.asSuper('POST', '/api/employees/changes', { ids: [far.id, near.id], change });
		const { groupId } = expectStatus(many, 200);
		const held = codes.filter((code) => !['employee:view:all', 'store:view'].includes(code));
		const { key } = service.addProgram(held, home.id);
		const asked = [
			...protectedEndpoints.map(({ method, path, sample }) => {
				const body = method === 'GET' ? undefined : { ...sample, ids: [near.id, far.id], phone: far.phone };
				const ids = path.includes(':employeeId') ? [other.id, far.id] : [path.includes('/stores/') ? other.id : far.id];
				return [method, fill(path, ...ids), body] as const;
			}),
			...['keyword=来客', `keyword=${far.phone}`, 'search=yf', 'roleId=1', 'include=activity', 'deleted=true'].map(
				(query) => ['GET', `/api/employees?${query}&storeId=${other.id}&pageSize=100`] as const,
			),
			['PATCH', `/api/employees/${near.id}`, { phone: far.phone }] as const,
			['POST', `/api/employees/${gone.id}/restore`] as const,
			...['', '?others=true'].map((query) => ['POST', `/api/employees/changes/${groupId}/undo${query}`] as const),
			...['delete', 'addRoleIds'].map(
				(field) => ['POST', '/api/employees/changes?dryRun=true', { ids: [far.id], change: { [field]: [1] } }] as const,
			),
		];
		for (const [method, where, body] of asked)
			for (const headers of [{}, { 'if-match': '"other"' }]) {
				const { text } = await service.send(method, where, { token: key, body, headers });
				expect([method, where, /远方|机密|[来过]客/.exec(text)]).toEqual([method, where, null]);
			}
		const lines = [
			'编号,姓名,手机号,门店,备注',
			`${far.id},某,${far.phone},${other.name},改`,
			`,某,${far.phone},${home.name},改`,
			`,某,${gone.phone},${home.name},改`,
		];
		for (const mode of ['add', 'upsert', 'update', 'auto'])
			for (const where of ['import?dryRun=true&', 'import?', 'import/problems?']) {
				const { status, bytes } = await service.importCsv(`employees/${where}mode=${mode}`, lines, key);
				expect(status).toBeLessThan(500);
				const parts = bytes[0] === 0x50 ? Object.values(unzipSync(bytes)) : [bytes];
				expect(parts.some((part) => /远方|机密|[来过]客/.test(new TextDecoder().decode(part)))).toBeFalse();
			}
		const exported = await service.as(key, 'GET', `/api/employees/export?format=csv&storeId=${other.id}`);
		expect(exported.status).toBe(200);
		expect([near.name, far.phone].map((text) => exported.text.includes(text))).toEqual([true, false]);
	});

	const ends: [name: string, method: string, path: string, body?: Body][] = [
		['deleted', 'DELETE', ''],
		['given another key at once', 'POST', '/key?at=once'],
		['ended by its day', 'PATCH', '', { endsOn: today() }],
	];
	test.each(ends)('that is %s is refused from the next request on, also while one waits', async (_, ...end) => {
		const { id, key } = service.addProgram(['employee:view:all', 'employee:manage', 'store:manage', 'store:view']);
		const held = (where: string, text: string, type: string) => {
			const headers = { authorization: `Bearer ${key}`, 'content-type': type };
			return heldPost(service, where, headers, [text.slice(0, 4), text.slice(4)]);
		};
		const waiting = [
			held('/api/employees/import', linesOf(home.name).join('\n'), csvType),
			held('/api/stores', JSON.stringify({ name: '迟到的门店' }), 'application/json'),
		];
		for (const { asked } of waiting) await asked;
		const [method, where, body] = end;
		expect((await service.asSuper(method, `${path}/${id}${where}`, body)).status).toBeLessThan(300);
		if (body) service.tick(2 * 86_400);
		for (const { send, answer } of waiting) {
			send();
			expect((await answer).status).toBe(401);
		}
		expectRefusal(await service.as(key, 'GET', '/api/employees'), 401, notSignedIn);
		expect(service.rows('select 1 from employees')).toEqual([]);
	});

	test('is in no record, answer, log line or copy, and its program is the actor', async () => {
		const { key, id } = await made({ permissions: ['employee:manage', 'store:manage'] });
		const renewed = expectStatus(await service.asSuper('POST', `${path}/${id}/key`), 200).key as string;
		const person = { storeId: home.id, name: '李四', phone: newPhone() };
		const hired = expectStatus(await service.as(renewed, 'POST', '/api/employees', person), 201);
		const record = await newest();
		expect(record).toMatchObject({ actorType: 'PROGRAM', actorId: id, actorName: '工资系统', targetId: hired.id });
		expect(textOf(sentenceOf(record))).toStartWith('接入程序“工资系统” 新增了员工 李四');
		expect((await service.read(`/api/history?actorType=PROGRAM&actorId=${id}`)).items).toHaveLength(1);
		const found = await service.asSuper('GET', '/api/history?targetType=PROGRAM&pageSize=10');
		const said = expectStatus(found, 200).items.map((each: Body) => textOf(sentenceOf(each)));
		expect(said).toEqual(['admin 更换了接入程序“工资系统”的密钥', 'admin 新增了接入程序“工资系统”']);
		// A log line follows its answer.
		while (!service.logged.some((line) => line.includes(`"account":"program:${id}"`))) await Bun.sleep(1);
		await service.as(`${renewed.slice(0, -1)}x`, 'GET', '/api/stores');
		const file = await service.asSuper('GET', '/api/history/export?format=csv');
		const answers = [await service.asSuper('GET', path), found, file].map(({ text }) => text);
		const everything = [...service.logged, ...answers, service.db.$client.serialize().toString('latin1')];
		for (const each of [key, renewed]) expect(everything.some((text) => text.includes(each.slice(7)))).toBeFalse();
	});
});

describe('a wrong key', () => {
	const long = [43, 4000].map((length) => `access_${'A'.repeat(length)}`);
	const wrong = ['access_', 'access_x', 'access_a.b.c', 'ACCESS_x', ...long];
	const from = (key: string, peer: string) =>
		service.send('GET', '/api/stores', { token: key, headers: { [Service.peerHeader]: peer } });

	test('is 401, then 429 for its network; tokens and right keys from there go on', async () => {
		const { key } = service.addProgram(['store:view']);
		for (const each of wrong) expectRefusal(await from(each, '192.0.2.1'), 401, notSignedIn);
		for (let tried = wrong.length; tried < 30; tried += 1) await from('access_x', '192.0.2.1');
		const refused = await from('access_x', '192.0.2.1');
		expectRefusal(refused, 429);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expectStatus(await from(key, '192.0.2.1'), 200);
		expectStatus(await from(service.superToken, '192.0.2.1'), 200);
		expectRefusal(await from('access_x', '192.0.2.2'), 401);
		const headers = { [Service.peerHeader]: '192.0.2.1' };
		const store = { token: 'access_x', body: { name: 'x' }, headers };
		expectRefusal(await service.send('POST', '/api/stores', store), 429);
		const body = { username: 'admin', password: 'admin-password-for-tests' };
		expectStatus(await service.send('POST', '/api/auth/login', { body, headers }), 200);
	});

	test('is recorded once for each network and ten minutes, with its count', async () => {
		for (let tried = 0; tried < 50; tried += 1) await from('access_x', '192.0.2.1');
		for (let tried = 0; tried < 3; tried += 1) await from('access_y', '192.0.2.2');
		service.refusedSignIns.flush(service.tick());
		const refused = () => records().filter(({ reason }) => reason === 'WRONG_KEY');
		expect(refused()).toEqual([]);
		service.refusedSignIns.flush(service.tick(600));
		expect(refused().map(({ address, count, actor_type }) => [address, count, actor_type])).toEqual([
			['192.0.2.1', 50, 'ANONYMOUS'],
			['192.0.2.2', 3, 'ANONYMOUS'],
		]);
		expect(textOf(sentenceOf(await newest()))).toBe('有人 登录被拒绝 3 次（接入密钥错误）');
	});
});
