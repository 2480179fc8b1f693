/** Signing in, the order of its checks, tokens, and what ends them. */
import { describe, expect, spyOn, test } from 'bun:test';
import { forge } from './forgeries.ts';
import {
	type Answer,
	adminPassword,
	adminUsername,
	expectRefusal,
	expectStatus,
	heldPost,
	initialPassword,
	newName,
	newPhone,
	Service,
} from './harness.ts';
import { codes, notSignedIn } from './oracle.ts';
import { doors, jwtSecret } from './world.ts';

const employeeSide = '/api/auth/employee/login';

const wrongCredentials = '用户名或密码错误';
const accountDisabled = '账号已被禁用';
const storeDisabled = '所属门店已被禁用';
const noBackOffice = '当前账号没有后台登录权限';

const superAdministrator = {
	id: 1,
	username: adminUsername,
	displayName: '超级管理员',
	accountType: 'SUPER_ADMIN',
	roles: [{ id: 0, code: 'super_admin', name: '超级管理员' }],
	permissions: ['*'],
	canManage: true,
};

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

/** An employee who may enter the back office and nothing else. */
async function addViewer(): Promise<{ id: number; phone: string }> {
	const role = await service.addRole('store:view');
	return service.addEmployee(storeId, [role.id]);
}

const me = (token: string) => service.as(token, 'GET', '/api/auth/me');
const editEmployee = (id: number, body: object) => service.asSuper('PATCH', `/api/employees/${id}`, body);
const setStoreStatus = (id: number, status: string) => service.asSuper('PATCH', `/api/stores/${id}`, { status });

describe('signing in', () => {
	test.each(doors.filter((door) => door !== employeeSide))('answers the super administrator at %s', async (door) => {
		const { token, ...answer } = expectStatus(await service.login(door, adminUsername, adminPassword), 200);
		expect(answer).toEqual({ tokenType: 'Bearer', expiresIn: '2h', user: superAdministrator });
		expect(expectStatus(await me(token), 200)).toEqual(superAdministrator);
	});

	test.each(doors)('answers an employee at %s', async (door) => {
		const store = await service.addStore();
		const role = await service.addRole('employee:view:store');
		const { id, phone, name } = await service.addEmployee(store.id, [role.id]);
		const { token, ...answer } = expectStatus(await service.login(door, phone, initialPassword), 200);
		const user = {
			id,
			username: phone,
			displayName: name,
			accountType: 'EMPLOYEE',
			storeId: store.id,
			storeName: store.name,
			roles: [{ id: role.id, code: role.code, name: role.name }],
			permissions: ['employee:view:store'],
			canManage: false,
		};
		expect(answer).toEqual({ tokenType: 'Bearer', expiresIn: '2h', user });
		expect(expectStatus(await me(token), 200)).toEqual(user);
	});

	test.each(codes)('with %s alone, the back office is open to view, and canManage is for the rest', async (code) => {
		const isView = code.includes(':view');
		const { phone, token } = await service.addPerson(storeId, code);
		expect(expectStatus(await me(token), 200).canManage).toBe(!isView);
		const answer = await service.login('/api/auth/login', phone, initialPassword);
		if (isView) expectStatus(answer, 200);
		else expectRefusal(answer, 401, noBackOffice);
	});

	test('a shared username is the administrator in the back office, the employee on the employee side', async () => {
		expectRefusal(await service.signIn(adminUsername, adminPassword), 401, wrongCredentials);
		const { phone } = await service.addEmployee(storeId, [service.builtIn('admin')]);
		service.db.$client.run('update administrators set username = ?', [phone]);
		const { user } = expectStatus(await service.login('/api/auth/login', phone, adminPassword), 200);
		expect(user.accountType).toBe('SUPER_ADMIN');
		expectRefusal(await service.login('/api/auth/login', phone, initialPassword), 401, wrongCredentials);
		const employee = expectStatus(await service.signIn(phone), 200).user;
		expect(employee.accountType).toBe('EMPLOYEE');
	});

	test('does the same work for an unknown or deleted account and a one-time password as for a wrong password', async () => {
		const [known, deleted, given] = [await addViewer(), await addViewer(), await addViewer()];
		await service.asSuper('DELETE', `/api/employees/${deleted.id}`);
		const password = await service.giveOneTimePassword(given.id);
		using verify = spyOn(Bun.password, 'verify');
		const unknown = [known.phone, deleted.phone, given.phone, newPhone(), 'nobody'];
		for (const username of unknown) await service.login('/api/auth/login', username, 'a-wrong-password');
		// A one-time password needs no slow hash, but gets one all the same.
		await service.login('/api/auth/login', given.phone, password);
		const costs = verify.mock.calls.map(([, hash]) => `${hash}`.split('$').slice(1, 4));
		expect(costs).toHaveLength(unknown.length + 1);
		for (const cost of costs) expect(cost).toEqual(['argon2id', 'v=19', 'm=8,t=2,p=1']);
	});

	const another = "password_hash = 'another', token_version = token_version + 1";
	test.each([
		['a username that stands for another person', `phone = '${newPhone()}'`, wrongCredentials],
		['an account that has another password', another, wrongCredentials],
		['an account that is disabled', "status = 'INACTIVE'", accountDisabled],
	])('of %s by the time the password was checked is refused', async (_, change, message) => {
		const [before, now] = [await addViewer(), await addViewer()];
		using verify = spyOn(Bun.password, 'verify').mockImplementationOnce(async () => {
			service.db.$client.run(`update employees set ${change} where id = ?`, [before.id]);
			// Only if the username is free.
			service.db.$client.run('update or ignore employees set phone = ? where id = ?', [before.phone, now.id]);
			return true;
		});
		const body = { username: before.phone, password: initialPassword };
		expectRefusal(await service.send('POST', '/api/auth/login', { body }), 401, message);
		expect(verify).toHaveBeenCalledTimes(1);
	});
});

describe.each(['verify', 'hash'] as const)('a password is not changed, if before the end of %s', (step) => {
	const [old, between, lost] = ['an-old-password', 'a-password-in-between', 'a-password-that-loses'] as const;
	type Meanwhile = (id: number, actorId: number) => Promise<Answer>;
	const meanwhiles: [what: string, meanwhile: Meanwhile, status: number, works: string][] = [
		['it is reset', (id) => service.asSuper('PATCH', `/api/employees/${id}/password/reset`), 400, initialPassword],
		['somebody else changes it', (id) => service.changePassword(id, old, between), 400, between],
		['the employee is deleted', (id) => service.asSuper('DELETE', `/api/employees/${id}`), 404, 'none'],
		['the caller is disabled', (_, actorId) => editEmployee(actorId, { status: 'INACTIVE' }), 401, old],
		['the caller loses the right', (_, actorId) => editEmployee(actorId, { roleIds: [] }), 403, old],
		['the employee gets more rights', (id) => editEmployee(id, { roleIds: [service.builtIn('admin')] }), 403, old],
	];
	test.each(meanwhiles)('%s', async (_, meanwhile, status, works) => {
		const { id, phone } = await service.addEmployee(storeId);
		const actor = await service.addPerson(storeId, 'employee:view:all', 'employee:manage');
		expectStatus(await service.changePassword(id, initialPassword, old), 200);
		const real: (password: string, by: never) => Promise<never> = Bun.password[step] as never;
		using during = spyOn(Bun.password, step).mockImplementationOnce(async (password: string, by: unknown) => {
			expect((await meanwhile(id, actor.id)).status).toBeOneOf([200, 204]);
			return real(password, by as never);
		});
		expect((await service.changePassword(id, old, lost, actor.token)).status).toBe(status);
		expect(during).toHaveBeenCalled();
		for (const password of [initialPassword, old, between, lost]) {
			const { status } = await service.signIn(phone, password);
			expect([password, status]).toEqual([password, password === works ? 200 : 401]);
		}
	});
});

const situations = Array.from({ length: 16 }, (_, bits) => {
	const [passwordRight, accountEnabled, storeEnabled, menu] = [1, 2, 4, 8].map((bit) => (bits & bit) !== 0);
	return { passwordRight, accountEnabled, storeEnabled, menu };
});

/** The message of the first check that fails, in the order of the checks. */
function refusalAt(
	door: (typeof doors)[number],
	{ passwordRight, accountEnabled, storeEnabled, menu }: (typeof situations)[number],
) {
	if (!passwordRight) return wrongCredentials;
	if (!accountEnabled) return accountDisabled;
	if (!storeEnabled) return storeDisabled;
	return menu || door === employeeSide ? undefined : noBackOffice;
}

test.each(situations)('the order of the checks (password, account, store, back office): %o', async (situation) => {
	const store = await service.addStore();
	const role = await service.addRole(...(situation.menu ? (['store:view'] as const) : []));
	const status = situation.accountEnabled ? 'ACTIVE' : 'INACTIVE';
	const { id, phone } = await service.addEmployee(store.id, [role.id], { status });
	if (!situation.storeEnabled) await setStoreStatus(store.id, 'INACTIVE');
	const password = situation.passwordRight ? initialPassword : 'a-wrong-password';
	const { doors: explained } = await service.read(`/api/employees/${id}/access`);
	for (const door of doors) {
		const answer = await service.login(door, phone, password);
		const refusal = refusalAt(door, situation);
		if (refusal === undefined) expectStatus(answer, 200);
		else expectRefusal(answer, 401, refusal);
		// The explanation of the access matches the answer to the right password.
		const message = refusalAt(door, { ...situation, passwordRight: true }) ?? null;
		const named = door === employeeSide ? 'EMPLOYEE' : 'BACK_OFFICE';
		expect(explained).toContainEqual({ door: named, allowed: message === null, message });
	}
});

describe('the signed-in account', () => {
	test('has its roles in the order of their ids, and their permissions together', async () => {
		const first = await service.addRole('permission:view', 'store:view');
		const second = await service.addRole('employee:manage', 'permission:view', 'store:view');
		const cashier = service.builtIn('cashier');
		const { id } = await service.addEmployee(storeId, [second.id, first.id, cashier]);
		const user = expectStatus(await me(service.tokenOf(id)), 200);
		expect(user.roles).toEqual([
			{ id: cashier, code: 'cashier', name: '收银员' },
			{ id: first.id, code: first.code, name: first.name },
			{ id: second.id, code: second.code, name: second.name },
		]);
		expect(user.permissions).toEqual(['store:view', 'employee:manage', 'permission:view']);
	});

	test('is current under an old token: name, phone, store and roles', async () => {
		const [from, to] = [await service.addStore(), await service.addStore()];
		const { id, phone: before } = await service.addEmployee(from.id, [service.builtIn('cashier')]);
		const token = service.tokenOf(id);
		expect(expectStatus(await me(token), 200)).toMatchObject({ storeId: from.id, storeName: from.name });
		const role = await service.addRole('role:view');
		const phone = newPhone();
		const changes = { storeId: to.id, name: '改名', phone, roleIds: [role.id], remark: '新', status: 'ACTIVE' };
		expectStatus(await editEmployee(id, changes), 200);
		expectRefusal(await service.changePassword(id, 'a-wrong-password', 'another-password'), 400);
		const storeName = newName('改名店');
		await service.asSuper('PATCH', `/api/stores/${to.id}`, { name: storeName });
		expectRefusal(await service.signIn(before), 401, wrongCredentials);
		expectStatus(await service.signIn(phone), 200);
		expect(expectStatus(await me(token), 200)).toEqual({
			id,
			username: phone,
			displayName: '改名',
			accountType: 'EMPLOYEE',
			storeId: to.id,
			storeName,
			roles: [{ id: role.id, code: role.code, name: role.name }],
			permissions: ['role:view'],
			canManage: false,
		});
	});
});

describe('a token', () => {
	test('names its account and holds nothing personal', async () => {
		const { id, phone, name, storeName } = await service.addEmployee(storeId, [1], { remark: '备注' });
		const { token } = expectStatus(await service.signIn(phone), 200);
		const [header = '', payload] = token.split('.').map((part: string) => Buffer.from(part, 'base64url').toString());
		expect(JSON.parse(header).alg).toBe('HS256');
		expect(payload).toContain(`EMPLOYEE:${id}`);
		for (const personal of [phone, name, storeName, initialPassword, 'store:view', '备注']) {
			expect(payload).not.toContain(personal);
		}
	});

	// Two cases, because a checked token is remembered.
	test.each(['used before', 'never used'])('is valid for 7199 seconds and not for 7200: %s', async (used) => {
		const { phone } = await service.addEmployee(storeId);
		// Another second, because the other case's token is remembered.
		const start = Math.floor(service.time.getTime() / 1000) * 1000 + (used === 'never used' ? 60_000 : 0);
		for (const [door, username, password] of [
			[employeeSide, phone, initialPassword],
			['/api/auth/login', adminUsername, adminPassword],
		] as const) {
			service.time = new Date(start);
			const { token } = expectStatus(await service.login(door, username, password), 200);
			if (used === 'used before') expectStatus(await me(token), 200);
			service.time = new Date(start + 7_200_000);
			expectRefusal(await me(token), 401, notSignedIn);
			service.time = new Date(start + 7_199_000);
			expectStatus(await me(token), 200);
		}
	});

	test.each([
		['known', true],
		['new', false],
	])('that is %s and expires while the body arrives is refused', async (_, isKnown) => {
		const token = service.sign('SUPER_ADMIN:1', 1, undefined, isKnown ? 1 : 2);
		const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
		if (isKnown) expectStatus(await me(token), 200);
		const { answer, asked, send } = heldPost(service, '/api/stores', headers, ['{"name":', '"晚店"}']);
		await asked;
		service.tick(2 * 3600);
		send();
		expect((await answer).status).toBe(401);
		expect(service.rows('select id from stores')).toEqual([{ id: storeId }]);
	});
});

test('a token that was forged with knowledge of the secret is refused; one with nothing wrong in it is accepted', async () => {
	const viewer = await service.addPerson(storeId, 'store:view');
	const leaver = await service.addEmployee(storeId);
	expectStatus(await service.asSuper('DELETE', `/api/employees/${leaver.id}`), 204);
	const now = Math.floor(service.time.getTime() / 1000);
	const known = { secret: jwtSecret, epoch: service.tokenEpoch(), employeeId: viewer.id, deletedId: leaver.id, now };
	for (const [good, other] of [
		[service.superToken, viewer.token],
		[viewer.token, service.superToken],
	] as const) {
		const { right, wrong } = forge({ ...known, good, other });
		expectStatus(await me(right), 200);
		for (const [way, token] of Object.entries(wrong)) {
			const { status, body } = await me(token);
			expect([way, status, body?.error?.message]).toEqual([way, 401, notSignedIn]);
		}
	}
});

describe('a live token', () => {
	/** A signed-in employee in a store of their own. */
	async function signIn() {
		const store = await service.addStore();
		const role = await service.addRole('store:view');
		const { id, phone } = await service.addEmployee(store.id, [role.id]);
		const { token } = expectStatus(await service.login('/api/auth/login', phone, initialPassword), 200);
		// The second token belongs to no sign-in, as those of version 1.2.
		const tokens = [token, service.tokenOf(id)];
		for (const each of tokens) expectStatus(await me(each), 200);
		return { id, phone, token, tokens, storeId: store.id, roleId: role.id };
	}

	type SignedIn = Awaited<ReturnType<typeof signIn>>;
	type Act = (one: SignedIn) => Promise<Answer>;

	const disable: Act = ({ id }) => editEmployee(id, { status: 'INACTIVE' });
	const enable: Act = ({ id }) => editEmployee(id, { status: 'ACTIVE' });
	const disableStore: Act = ({ storeId }) => setStoreStatus(storeId, 'INACTIVE');
	const remove: Act = ({ id }) => service.asSuper('DELETE', `/api/employees/${id}`);
	const restore: Act = ({ id }) => service.asSuper('POST', `/api/employees/${id}/restore`);
	const reset: Act = ({ id }) => service.asSuper('PATCH', `/api/employees/${id}/password/reset`);
	const changeTo =
		(password: string): Act =>
		({ id }) =>
			service.changePassword(id, initialPassword, password);

	/** Each reason for the refusal of a token, its message, and the change that makes the token work again, if any. */
	const endings: [what: string, message: string, acts: Act[], undo?: Act][] = [
		['the account is disabled', accountDisabled, [disable], enable],
		['the store is disabled', storeDisabled, [disableStore], ({ storeId }) => setStoreStatus(storeId, 'ACTIVE')],
		[
			'the store is disabled, until the employee moves',
			storeDisabled,
			[disableStore],
			async ({ id }) => editEmployee(id, { storeId: (await service.addStore()).id }),
		],
		['the account is disabled, its password reset, and it is enabled', notSignedIn, [disable, reset, enable]],
		['the account is deleted', notSignedIn, [remove]],
		['the account is deleted, and comes back', notSignedIn, [remove, restore]],
		['the password is changed', notSignedIn, [changeTo('another-password')]],
		['the password is changed to the same one', notSignedIn, [changeTo(initialPassword)]],
		['the password is reset', notSignedIn, [reset]],
	];

	const named = endings.map(([what, ...ending]) => [what, ending] as const);
	test.each(named)('is refused from the next request on, once %s', async (_, [message, acts, undo]) => {
		const [one, bystander] = [await signIn(), await signIn()];
		const during = [me(one.token), me(one.token)];
		for (const act of acts) expect((await act(one)).status).toBeOneOf([200, 204]);
		for (const path of ['/api/auth/me', '/api/permissions/me', '/api/stores', '/api/roles', '/api/employees/1'])
			for (const token of one.tokens) expectRefusal(await service.as(token, 'GET', path), 401, message);
		for (const { status } of await Promise.all(during)) expect(status).toBeOneOf([200, 401]);
		expectStatus(await me(bystander.token), 200);
		if (!undo) return;
		expectStatus(await undo(one), 200);
		expectStatus(await me(one.token), 200);
	});
});

test('requests that wait for their turn to check a password are not ended by the idle timeout', async () => {
	const { id, phone } = await service.addEmployee(storeId);
	for (const door of doors) await service.login(door, phone, initialPassword);
	await service.changeOwnPassword(service.superToken, 'not-the-password', 'another-password');
	await service.changePassword(id, 'not-the-password', 'another-password');
	const changes = ['/api/auth/me/password', `/api/employees/${id}/password`];
	expect(service.extended).toEqual([...doors, ...changes].map((path) => ({ path, seconds: 40 })));
});
