/** One-time passwords: how they are issued, stored and used. */
import { describe, expect, spyOn, test } from 'bun:test';
import {
	adminPassword,
	adminUsername,
	detailsOf,
	expectRefusal,
	expectStatus,
	initialPassword,
	newPhone,
	Service,
} from './harness.ts';
import { words } from './oracle.ts';

const day = 24 * 60 * 60 * 1000;
const ownPassword = 'a-password-of-my-own';

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

const give = (id: number) => service.giveOneTimePassword(id);
const giveMany = (ids: readonly number[], token = service.superToken) =>
	service.as(token, 'POST', '/api/employees/one-time-passwords', { ids });
const rowOf = (id: number, of = service) => of.rows('select * from employees where id = ?', id)[0];
const newest = () => service.rows('select max(id) as id from history')[0]?.id;

describe('a one-time password', () => {
	test('is random, valid for seven days, and replaces the password and ends the tokens of the employee', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const token = service.tokenOf(id);
		const before = newest();
		const answer = expectStatus(await service.asSuper('POST', `/api/employees/${id}/one-time-password`), 200);
		const expiresAt = new Date(service.time.getTime() + 7 * day).toISOString();
		expect(answer).toEqual({
			password: expect.stringMatching(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/),
			expiresAt,
		});
		expect(await give(id)).not.toBe(answer.password);
		expect(newest()).toBe(before + 2);
		expectRefusal(await service.as(token, 'GET', '/api/auth/me'), 401);
		for (const earlier of [initialPassword, answer.password]) {
			expectRefusal(await service.signIn(phone, earlier), 401, '用户名或密码错误');
		}
		const { user } = expectStatus(await service.signIn(phone, await give(id)), 200);
		expect(user).toMatchObject({ mustSetPassword: true });
	});

	test.each<[way: string, typed: (password: string) => string]>([
		['in lower case', (password) => password.toLowerCase()],
		['without dashes', (password) => password.replaceAll('-', '')],
		['with blanks', (password) => ` ${Array.from(password).join(' ')}\u3000`],
		['with another dash', (password) => password.replaceAll('-', '—')],
		['in full width', (password) => password.replace(/\w/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
		['with an L read as 1', (password) => password.replaceAll('L', '1')],
		['with an L read as I', (password) => password.replaceAll('L', 'i')],
	])('is understood %s', async (_, typed) => {
		const { id, phone } = await service.addEmployee(storeId);
		let password = '';
		while (!password.includes('L')) password = await give(id);
		expectStatus(await service.signIn(phone, typed(password)), 200);
	});

	test('only a one-time password is understood in these ways', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const { token } = expectStatus(await service.signIn(phone, await give(id)), 200);
		const oldPassword = await give(id);
		expectRefusal(await service.as(token, 'GET', '/api/auth/me'), 401);
		expectStatus(await service.changePassword(id, oldPassword, ownPassword), 200);
		expectRefusal(await service.signIn(phone, ownPassword.toUpperCase()), 401);
		expectStatus(await service.signIn(phone, ownPassword), 200);
	});

	test('is stored in a form of its own, which is of no use to another account', async () => {
		const [one, other] = [await service.addEmployee(storeId), await service.addEmployee(storeId)];
		const password = await give(one.id);
		const { password_hash, password_is_initial } = rowOf(one.id);
		expect(password_hash).toMatch(/^\$hmac-sha256\$[\w-]{8}\$[\w-]{43}$/);
		expect(password_is_initial).toBe(0);
		service.alter((database) => {
			database.run('update employees set password_hash = ? where id = ?', [password_hash, other.id]);
			database.run('update administrators set password_hash = ?, id = ?', [password_hash, one.id]);
		});
		expectRefusal(await service.signIn(other.phone, password), 401);
		expectRefusal(await service.login('/api/auth/login', adminUsername, password), 401);
		expectRefusal(await service.login('/api/auth/login', adminUsername, adminPassword), 401);
		expectStatus(await service.signIn(one.phone, password), 200);
	});

	test('is over after a deletion, also for an employee who comes back', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const password = await give(id);
		expectStatus(await service.asSuper('DELETE', `/api/employees/${id}`), 204);
		service.tick();
		expectStatus(await service.asSuper('POST', `/api/employees/${id}/restore`), 200);
		expectRefusal(await service.signIn(phone, password), 401, '一次性密码已过期，请联系为您开通账号的同事或管理员');
	});

	test.each(['password', 'password/reset'])('ends with PATCH /api/employees/:id/%s', async (path) => {
		const { id, phone } = await service.addEmployee(storeId);
		const password = await give(id);
		expect(rowOf(id).password_expires_at).toBeString();
		const body = { oldPassword: password.toLowerCase(), newPassword: 'of-the-manager' };
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/${path}`, body), 200);
		expect(rowOf(id).password_expires_at).toBeNull();
		expectRefusal(await service.signIn(phone, password), 401);
	});
});

describe('an employee who signs in with a one-time password', () => {
	const change = (token: string, oldPassword: string, newPassword = ownPassword) =>
		service.changeOwnPassword(token, oldPassword, newPassword);
	const own = (token: string) => service.as(token, 'GET', '/api/auth/me/password');
	const stores = (token: string) => service.as(token, 'GET', '/api/stores');

	test('sets a password of their own before anything else', async () => {
		const { id, phone } = await service.addPerson(storeId, 'store:view');
		const password = await give(id);
		const { token, ...answer } = expectStatus(await service.login('/api/auth/admin/login', phone, password), 200);
		expect(answer).toMatchObject({ tokenType: 'Bearer', expiresIn: '2h', user: { id, permissions: ['store:view'] } });
		expectRefusal(await stores(token), 403, '请先设置自己的密码');
		expect(expectStatus(await own(token), 200)).toEqual({ isInitial: true, changedAt: service.time.toISOString() });
		for (const same of [password, password.toLowerCase().replaceAll('-', '')]) {
			expectRefusal(await change(token, password, same), 400, '新密码不能与一次性密码相同');
		}
		expectRefusal(await change(token, 'K7M3Q-9TX2F'), 400, '原密码错误');
		service.tick();
		const changed = expectStatus(await change(token, ` ${password.toLowerCase()} `), 200);
		expectStatus(await stores(changed.token), 200);
		expect(expectStatus(await own(changed.token), 200)).toMatchObject({ isInitial: false });
		for (const used of [password, password.toLowerCase()]) {
			expectRefusal(await service.signIn(phone, used), 401, '用户名或密码错误');
		}
	});

	test('signs in for seven days, and then learns that it expired if the password is right', async () => {
		const { id, phone } = await service.addEmployee(storeId);
		const given = service.time.getTime();
		const expired = '一次性密码已过期，请联系为您开通账号的同事或管理员';
		const password = await give(id);
		const access = () => service.read(`/api/employees/${id}/access`);
		service.time = new Date(given + 7 * day - 1000);
		const { token } = expectStatus(await service.signIn(phone, password), 200);
		expect(await access()).toMatchObject({
			passwordIsInitial: false,
			passwordExpiresAt: new Date(given + 7 * day).toISOString(),
			doors: [{ allowed: false, message: '当前账号没有后台登录权限' }, { allowed: true }],
		});
		service.time = new Date(given + 7 * day);
		const refused = await change(token, password);
		expectRefusal(refused, 400, expired);
		expect(refused.body.error.details[0].path).toBe('body.oldPassword');
		expectRefusal(await service.signIn(phone, password.toLowerCase()), 401, expired);
		expectRefusal(await service.signIn(phone, 'K7M3Q-9TX2F'), 401, '用户名或密码错误');
		expect((await access()).doors[1]).toMatchObject({ allowed: false, message: expired });
		service.refusedSignIns.flush(service.time.toISOString(), { now: true });
		expect(service.rows("select reason from history where action = 'SIGN_IN_REFUSED' order by id")).toEqual([
			{ reason: 'PASSWORD_EXPIRED' },
			{ reason: 'WRONG_PASSWORD' },
		]);
	});
});

describe('one-time passwords for several', () => {
	test('are given in the order of the ids, once for each person, with one record each in one group', async () => {
		const people = [await service.addEmployee(storeId), await service.addEmployee(storeId)];
		const ids = people.map(({ id }) => id).toReversed();
		const before = newest();
		const { items } = expectStatus(await giveMany([...ids, ...ids]), 200);
		expect(items.map(({ id }: { id: number }) => id)).toEqual(ids);
		for (const { id, name, phone, storeName } of people) {
			const { password, expiresAt, ...shown } = items.find((item: { id: number }) => item.id === id);
			expect(shown).toEqual({ id, name, phone, storeName });
			expect(expiresAt).toBe(rowOf(id).password_expires_at);
			expectStatus(await service.signIn(phone, password), 200);
		}
		const records = service.rows("select * from history where id > ? and action like '%ONE_TIME%'", before);
		expect(records.map(({ target_id, group_id, changes }) => [target_id, group_id, changes])).toEqual([
			[ids[0], records[0]?.id, '[]'],
			[ids[1], records[0]?.id, '[]'],
		]);
	});

	test('are given to all or to nobody, and the refusal names the place of each id at fault', async () => {
		const elsewhere = (await service.addStore()).id;
		const manager = await service.addPerson(storeId, 'employee:manage', 'employee:view:store');
		const above = await service.addPerson(storeId, 'role:manage');
		const [own, foreign] = [await service.addEmployee(storeId), await service.addEmployee(elsewhere)];
		const tryWith = (...ids: number[]) => giveMany(ids, manager.token);
		const before = newest();
		const [otherStore, missing] = ['只能查看和管理您负责的门店的员工', '员工不存在'];
		const upward = '不能操作该员工：您没有“管理角色”权限';
		const refused = await tryWith(own.id, 999, above.id, foreign.id);
		expectRefusal(refused, 403, '有 3 名员工不能生成一次性密码，因此没有为任何人生成');
		expect(detailsOf(refused)).toEqual([
			{ path: 'body.ids.1', message: missing },
			{ path: 'body.ids.2', message: upward, name: expect.any(String) },
			{ path: 'body.ids.3', message: otherStore },
		]);
		const gone = await tryWith(own.id, 999, 999);
		expectRefusal(gone, 404, '有 1 名员工不能生成一次性密码，因此没有为任何人生成');
		expect(detailsOf(gone)).toEqual([{ path: 'body.ids.1', message: missing }]);
		expect(newest()).toBe(before);
		expectStatus(await tryWith(own.id), 200);
	});
});

test('nobody gives one to their own account, whatever they hold: a token would become its password', async () => {
	const { id, token } = await service.addPerson(storeId, 'employee:manage', 'employee:view:store');
	const other = await service.addEmployee(storeId);
	const before = rowOf(id);
	const refusal = '不能为自己生成一次性密码，请在自己的账号中修改密码';
	expectRefusal(await service.as(token, 'POST', `/api/employees/${id}/one-time-password`), 403, refusal);
	const many = await giveMany([other.id, id], token);
	expectRefusal(many, 403, '有 1 名员工不能生成一次性密码，因此没有为任何人生成');
	expect(detailsOf(many)).toEqual([{ path: 'body.ids.1', message: refusal, name: expect.any(String) }]);
	expect(rowOf(id)).toEqual(before);
	// The contract's reset has no such limit. An administrator with the same id is another account.
	expectStatus(await service.as(token, 'PATCH', `/api/employees/${id}/password/reset`), 200);
	await give(1);
});

test('an import gives one-time passwords where they are asked for', async () => {
	const lines = ['姓名,手机号,门店', '王芳,13800000001,甲店', '李伟,13800000002,甲店'];
	const importWith = (query: string) => service.importCsv(`employees/import?passwords=one-time${query}`, lines);
	await service.addStore({ name: '甲店' });
	expect(expectStatus(await importWith('&dryRun=true'), 200).passwords).toBeUndefined();
	const { created, passwords } = expectStatus(await importWith(''), 201);
	expect(created).toBe(2);
	expect(passwords).toMatchObject([
		{ name: '王芳', phone: '13800000001', storeName: '甲店' },
		{ name: '李伟', phone: '13800000002', storeName: '甲店' },
	]);
	expect((await service.read('/api/employees?passwordIsInitial=true')).pagination.total).toBe(0);
	for (const { id, phone, password, expiresAt } of passwords) {
		const stored = { password_expires_at: expiresAt, password_is_initial: 0, password_changed_at: null };
		expect(rowOf(id)).toMatchObject(stored);
		expectRefusal(await service.signIn(phone, initialPassword), 401);
		expectStatus(await service.signIn(phone, password), 200);
	}
});

describe('where the initial password signs nobody in, an employee with it has no password', () => {
	const strict = Service.start({ requirements: { ownPassword: true } });

	type Make = (service: Service, store: { id: number; name: string }) => Promise<{ id: number; phone: string }>;
	const ways: Record<string, Make> = {
		'after a hire': (service, store) => service.addEmployee(store.id),
		'after an import': async (service, { name }) => {
			const phone = newPhone();
			const lines = ['姓名,手机号,门店', `王芳,${phone},${name}`];
			expectStatus(await service.importCsv('employees/import', lines), 201);
			return { phone, id: service.rows('select id from employees where phone = ?', phone)[0]?.id };
		},
		'after a reset': async (service, store) => {
			const person = await service.addPerson(store.id, 'store:view');
			await service.giveOneTimePassword(person.id);
			expectStatus(await service.asSuper('PATCH', `/api/employees/${person.id}/password/reset`), 200);
			return person;
		},
	};
	test.each(Object.entries(ways))('%s, until somebody gives them a one-time password', async (_, make) => {
		const service = await strict;
		const { id, phone } = await make(service, await service.addStore());
		const signIn = (password: string) => service.signIn(phone, password);
		using verify = spyOn(Bun.password, 'verify');
		expectRefusal(await signIn(initialPassword), 401, '用户名或密码错误');
		// One check runs, of a hash that no password matches.
		const { password_hash } = rowOf(id, service);
		expect(verify.mock.calls).toEqual([[initialPassword, expect.not.stringContaining(password_hash)]]);
		expectRefusal(await service.as(service.tokenOf(id), 'GET', '/api/auth/me'), 401);
		expectRefusal(await service.changePassword(id, initialPassword, ownPassword), 400, '原密码错误');
		const access = await service.read(`/api/employees/${id}/access`);
		const message = '还没有密码，需要重置密码';
		expect(access).toMatchObject({ passwordIsInitial: true, doors: [{ message }, { allowed: false, message }] });
		const listed = await service.read(`/api/employees?passwordIsInitial=true&keyword=${phone}`);
		expect(listed.pagination.total).toBe(1);
		const given = await service.giveOneTimePassword(id);
		const { token } = expectStatus(await signIn(given), 200);
		const own = (newPassword: string) => service.changeOwnPassword(token, given, newPassword);
		expectRefusal(await own(initialPassword), 400, '这个密码不止一个人知道，请换一个');
		expectStatus(await own(ownPassword), 200);
		expectStatus(await signIn(ownPassword), 200);
	});

	test('with the setting, and only then, a new password must be hard to guess', async () => {
		const usual = '这个密码太常见，容易被猜到，请换一个';
		const personal = '密码不要用手机号、姓名或品牌名称，请换一个';
		const phone = newPhone();
		const refused = words(
			`12345678 87654321 88888888 12121212 １２３４５６７８ QWERTYUI 1qaz2wsx 19900101 Aa123456 woaini1314 a123456789
			1q2w3e4r zhang123456 Password1! p@ssw0rd trustno1 5201314520 abcdefgh 739973397`,
		).map((password) => [password, usual] as const);
		const ofPhone = [phone, phone.slice(3), `${phone}a`, `a${phone}-1`, `${phone.slice(0, 3)}-${phone.slice(3)}`];
		const ofNames = ['王芳今年三十岁了', 'WangFang2024', 'Wang Fang 1', 'haolinjubianli', '好邻居便利好邻居便利'];
		const cases = [...refused, ...[...ofPhone, ...ofNames].map((password) => [password, personal] as const)];
		const ordinary = words('wangfang-bought-tea fang-liest-9 26481537 739673967 今天的天气真好啊');
		const accepted = [...ordinary, 'admin has left', ownPassword];
		for (const [at, isStrict] of [
			[await strict, true],
			[await Service.start(), false],
		] as const) {
			const { id } = await at.addEmployee((await at.addStore()).id, [], { name: '王芳', phone });
			let old = await at.giveOneTimePassword(id);
			const change = async (newPassword: string) => {
				const answer = await at.changeOwnPassword(at.tokenOf(id), old, newPassword);
				if (answer.status === 200) old = newPassword;
				return answer;
			};
			for (const password of accepted) expectStatus(await change(password), 200);
			for (const [password, message] of cases) {
				const answer = await change(password);
				if (!isStrict) expectStatus(answer, 200);
				else expectRefusal(answer, 400, message);
			}
			if (!isStrict) continue;
			// A manager may not set such a password for an employee, nor the administrator their own.
			expectRefusal(await at.changePassword(id, old, 'WangFang2024'), 400, personal);
			expectRefusal(await at.changeOwnPassword(at.superToken, adminPassword, `${adminUsername}-123`), 400);
		}
	});

	test('its guesses count like any other, as do those of a one-time password, and the administrator may keep the first one', async () => {
		const service = await strict;
		const store = await service.addStore();
		const [waiting, given] = [await service.addEmployee(store.id), await service.addEmployee(store.id)];
		await service.giveOneTimePassword(given.id);
		const tries: number[] = [];
		for (const [phone, password] of [
			[newPhone(), 'a-wrong-password'],
			[waiting.phone, initialPassword],
			[given.phone, 'K7M3Q-9TX2F'],
		] as const) {
			let count = 0;
			while ((await service.signIn(phone, password)).status === 401) count += 1;
			tries.push(count);
		}
		expect(tries).toEqual([30, 30, 30]);
		expectStatus(await service.login('/api/auth/login', adminUsername, adminPassword), 200);
		await service.read('/api/stores');
	});
});
