/** Several super administrators. */
import { describe, expect, test } from 'bun:test';
import { sentenceOf, textOf } from '../src/identity/history/sentence.ts';
import { adminPassword, adminUsername, expectRefusal, expectStatus, Service } from './harness.ts';
import type { Body } from './http.ts';

const path = '/api/administrators';
const service = await Service.start();
service.restoreBeforeEachTest();

const add = (username: string) => service.asSuper('POST', path, { username });
const signIn = (username: string, password: string) => service.login('/api/auth/admin/login', username, password);

/** Another owner, who has set a password of their own. */
async function addOwner(username: string): Promise<{ id: number; token: string }> {
	const { id, password } = expectStatus(await add(username), 201);
	const { token } = expectStatus(await signIn(username, password), 200);
	return { id, token: expectStatus(await service.changeOwnPassword(token, password, 'owner-of-their-own'), 200).token };
}

test('another administrator is created with a one-time password, sets a password, and may do everything', async () => {
	const { password, expiresAt, ...created } = expectStatus(await add(' 李总 '), 201);
	const createdAt = service.time.toISOString();
	expect(created).toEqual({ id: 2, username: '李总', createdAt, lastSignInAt: null, hasSecondFactor: false });
	expect(Date.parse(expiresAt) - service.time.getTime()).toBe(7 * 24 * 3600 * 1000);
	const { token, user } = expectStatus(await signIn('李总', password.toLowerCase()), 200);
	expect(user).toMatchObject({ id: 2, username: '李总', accountType: 'SUPER_ADMIN', permissions: ['*'] });
	expectRefusal(await service.as(token, 'GET', path), 403, '请先设置自己的密码');
	expectRefusal(await service.changeOwnPassword(token, password, password), 400, '新密码不能与一次性密码相同');
	const own = expectStatus(await service.changeOwnPassword(token, password, 'owner-of-their-own'), 200).token;
	const listed = await service.read(path, own);
	expect(listed.map(({ id, lastSignInAt }: Body) => [id, lastSignInAt !== null])).toEqual([
		[1, false],
		[2, true],
	]);
	expectRefusal(await signIn('李总', password), 401);
	expectStatus(await signIn(adminUsername, adminPassword), 200);
});

test('a one-time password expires after seven days', async () => {
	const { password } = expectStatus(await add('owner'), 201);
	service.tick(7 * 24 * 3600);
	expect((await signIn('owner', password)).body.error.details[0].path).toBe('account.password');
});

test.each([
	['13800138000', 400],
	['+86 138 0013 8000', 400],
	[adminUsername, 409],
])('the username %j is refused with %d', async (username, status) => {
	const answer = await add(username);
	expect([answer.status, answer.body.error.details[0].path]).toEqual([status, 'body.username']);
	expect(await service.read(path)).toHaveLength(1);
});

describe('a deleted administrator', () => {
	test('is signed out for good, also from an account of the same name, and the history keeps the names', async () => {
		const { id, token } = await addOwner('owner');
		expectStatus(await service.as(token, 'POST', '/api/stores', { name: '东店' }), 201);
		expectStatus(await service.asSuper('DELETE', `${path}/${id}`), 204);
		expectRefusal(await service.as(token, 'GET', '/api/auth/me'), 401);
		expectRefusal(await signIn('owner', 'owner-of-their-own'), 401);
		expectStatus(await add('owner'), 201);
		expectRefusal(await service.as(token, 'GET', '/api/auth/me'), 401);
		for (const table of ['sign_ins', 'second_factors'])
			expect(service.rows(`select * from ${table} where account_type = 'SUPER_ADMIN' and account_id = 2`)).toEqual([]);
		const { items } = await service.read('/api/history?pageSize=7');
		expect(items.map((record: Body) => [record.actorId, textOf(sentenceOf(record as never))])).toEqual([
			[1, 'admin 新增了超级管理员 owner'],
			[1, 'admin 删除了超级管理员 owner'],
			[2, 'owner 新增了门店“东店”'],
			[2, 'owner 修改了自己的密码'],
			[2, 'owner 登录了'],
			[1, 'admin 新增了超级管理员 owner'],
			[null, '服务器运维人员 tester 新增了超级管理员 admin'],
		]);
	});

	test('is never the caller, and only one of two who delete each other at once', async () => {
		expectRefusal(await service.asSuper('DELETE', `${path}/1`), 403, '不能删除自己的账号，请其他超级管理员操作');
		expectRefusal(await service.asSuper('DELETE', `${path}/7`), 404, '超级管理员不存在');
		const { id, token } = await addOwner('owner');
		const first = service.asSuper('DELETE', `${path}/${id}`);
		const answers = await Promise.all([first, service.as(token, 'DELETE', `${path}/1`)]);
		expect(answers.map(({ status }) => status)).toEqual([204, 401]);
		expect(await service.read(path)).toHaveLength(1);
	});
});

test('each administrator has a second factor, sign-ins and refusals of their own', async () => {
	const { id, token } = await addOwner('owner');
	const send = (method: string, where: string, body?: object) =>
		service.send(method, `/api/auth/me${where}`, { token, ...(body && { body }) });
	expectStatus(await send('POST', '/second-factor', { password: 'owner-of-their-own' }), 200);
	expect(service.rows('select account_id from second_factors')).toEqual([{ account_id: id }]);
	expect((await send('GET', '/sign-ins')).body.data.items).toHaveLength(2);
	expect((await service.read('/api/auth/me/sign-ins')).items).toEqual([]);
	// More groups than are kept apart. One account's groups must not count for the other.
	for (const [actorId, name] of [
		[1, 'admin'],
		[id, 'owner'],
	] as const)
		for (let place = 0; place < 150; place += 1) {
			const actor = { accountType: 'SUPER_ADMIN', id: actorId, name } as const;
			const address = `10.${actorId}.${place}.1`;
			const at = service.time.toISOString();
			const event = { action: 'SIGN_IN_REFUSED', reason: 'WRONG_PASSWORD' } as const;
			service.refusedSignIns.add({ actor, address, requestId: null, at }, event);
		}
	service.refusedSignIns.flush(service.time.toISOString(), { now: true });
	const counted = "select sum(count) as count from history where action = 'SIGN_IN_REFUSED' group by actor_id";
	expect(service.rows(counted)).toEqual([{ count: 150 }, { count: 150 }]);
});
