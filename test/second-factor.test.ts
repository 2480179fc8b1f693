/** The second factor of an account. */
import { expect, spyOn, test } from 'bun:test';
import { createSecretCipher } from '../src/identity/second-factor/encryption.ts';
import {
	adminPassword,
	adminUsername,
	expectRefusal,
	expectStatus,
	initialPassword,
	type Person,
	Service,
} from './harness.ts';
import type { Answer } from './http.ts';
import { codes } from './oracle.ts';
import { totp } from './totp.ts';

const service = await Service.start();
const { id: storeId } = await service.addStore();
service.restoreBeforeEachTest();

const employeeSide = '/api/auth/employee/login';
const factor = '/api/auth/me/second-factor';

/** Lets time pass, in time steps. */
const wait = (steps: number) => service.tick(steps * 30);

const codeNow = (secret: string, steps = 0) => totp(secret, service.time, steps);
const notACode = (secret: string) =>
	['000000', '000001', '000002', '000003'].find(
		(code) => ![-1, 0, 1].some((steps) => codeNow(secret, steps) === code),
	) ?? '';

function signIn(username: string, code?: unknown, password = initialPassword, door = employeeSide): Promise<Answer> {
	return service.send('POST', door, { body: { username, password, ...(code !== undefined && { code }) } });
}

const start = (token: string, password = initialPassword) => service.as(token, 'POST', factor, { password });
const enable = (token: string, code: string) => service.as(token, 'PUT', factor, { code });
const disable = (token: string, code: string, password = initialPassword) =>
	service.as(token, 'DELETE', factor, { password, code });
const state = (token: string) => service.read(factor, token);

/** Uses up the code. */
const protect = (token: string, password?: string, of = service) => of.turnOnSecondFactor(token, password);

const wrong = (answer: Answer) => expectRefusal(answer, 401, '动态验证码错误');

test('a second factor is turned on, asked for at each sign-in, and turned off, with a record of each', async () => {
	const { phone, token } = await service.addPerson(storeId);
	const before = service.records().length;
	const off = { enabledAt: null, recoveryCodesLeft: 0 };
	expect(await state(token)).toEqual(off);
	expectRefusal(await enable(token, '123456'), 409, '请先获取两步验证的密钥');
	expectRefusal(await disable(token, '123456'), 409, '未开启两步验证');
	expectRefusal(await start(token, 'not-my-password'), 400, '密码错误');

	const first = expectStatus(await start(token), 200);
	const { secret, uri } = expectStatus(await start(token), 200);
	expect(secret).toMatch(/^[A-Z2-7]{32}$/);
	expect(secret).not.toBe(first.secret);
	expect([...new URL(uri).searchParams].sort()).toEqual([
		['algorithm', 'SHA1'],
		['digits', '6'],
		['issuer', 'Access'],
		['period', '30'],
		['secret', secret],
	]);
	expect(uri).toStartWith(`otpauth://totp/Access:${phone}?`);
	expectRefusal(await enable(token, codeNow(first.secret)), 400, '动态验证码错误');
	expect(await state(token)).toEqual(off);
	expectStatus(await signIn(phone), 200);
	expectStatus(await signIn(phone, 'anything'), 200);

	const { recoveryCodes } = expectStatus(await enable(token, codeNow(secret)), 200);
	expect(new Set(recoveryCodes).size).toBe(10);
	for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}(-[A-HJKMNP-Z2-9]{4}){3}$/);
	expect(await state(token)).toEqual({ enabledAt: service.time.toISOString(), recoveryCodesLeft: 10 });
	expectRefusal(await start(token, 'not-my-password'), 409, '已开启两步验证');
	expectRefusal(await enable(token, codeNow(secret, 1)), 409, '已开启两步验证');
	const [stored] = service.rows('select secret, recovery_codes from second_factors');
	for (const known of [secret, ...recoveryCodes]) expect(JSON.stringify(stored)).not.toContain(known);

	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	// The code that turned on the second factor works only once.
	wrong(await signIn(phone, codeNow(secret)));
	wait(10);
	for (const steps of [-2, 2]) wrong(await signIn(phone, codeNow(secret, steps)));
	// A wrong password does not use up the code.
	expectRefusal(await signIn(phone, codeNow(secret, -1), 'not-the-password'), 401, '用户名或密码错误');
	for (const steps of [-1, 0, 1]) expectStatus(await signIn(phone, codeNow(secret, steps)), 200);
	for (const steps of [-1, 0, 1]) wrong(await signIn(phone, codeNow(secret, steps)));
	// A code as typed.
	wait(2);
	const code = codeNow(secret);
	const fullWidth = String.fromCharCode(...Array.from(code, (digit) => digit.charCodeAt(0) + 0xfee0));
	expectStatus(await signIn(phone, ` ${fullWidth.slice(0, 3)} ${fullWidth.slice(3)} `), 200);

	const [one = '', other = ''] = recoveryCodes;
	expectStatus(await signIn(phone, one.replaceAll('-', ' ').toLowerCase()), 200);
	const left = { field: 'recoveryCodesLeft', before: 10, after: 9 };
	expect(service.records().at(-1)).toMatchObject({ action: 'SIGN_IN', changes: [left] });
	wrong(await signIn(phone, one));
	expect(await state(token)).toMatchObject({ recoveryCodesLeft: 9 });

	expectRefusal(await disable(token, other, 'not-my-password'), 400, '密码错误');
	expectRefusal(await disable(token, one), 400, '动态验证码错误');
	expect((await disable(token, other)).status).toBe(204);
	expect(await state(token)).toEqual(off);
	expectStatus(await signIn(phone), 200);
	const actions = service
		.records(before)
		.map(({ action }) => action)
		.filter((action) => action.startsWith('SECOND'));
	const told = 'SECOND_FACTOR_START SECOND_FACTOR_START SECOND_FACTOR_ENABLE SECOND_FACTOR_DISABLE';
	expect(actions.join(' ')).toBe(told);
	service.refusedSignIns.flush(service.time.toISOString(), { now: true });
	const reasons = service.records(before).flatMap(({ reason }) => reason ?? []);
	expect(new Set(reasons)).toEqual(new Set(['WRONG_CODE', 'WRONG_PASSWORD']));
});

test('a sign-in that waits for its code is not refused; an abandoned one is recorded as unfinished, up to 1,000 of them', async () => {
	const { id, phone, token } = await service.addPerson(storeId);
	const { recoveryCodes } = await protect(token);
	const [before, flush] = [service.records().length, () => service.refusedSignIns.flush(service.time.toISOString())];
	const refusals = async () => (await service.read('/api/overview')).attention.refusedSignIns;
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	flush();
	expectStatus(await signIn(phone, recoveryCodes[0]), 200);
	wait(20);
	flush();
	expect(service.records(before).map(({ action }) => action)).toEqual(['SIGN_IN']);
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	wait(19);
	flush();
	expect(service.records(before)).toHaveLength(1);
	wait(1);
	flush();
	flush();
	const unfinished = { action: 'SIGN_IN_UNFINISHED', actorId: id, reason: null, count: 1 };
	expect(service.records(before).slice(1)).toMatchObject([unfinished]);
	expect(await refusals()).toBe(0);
	const at = service.time.toISOString();
	for (let each = 0; each <= 1000; each += 1) {
		const actor = { accountType: 'EMPLOYEE', id: each, name: '' } as const;
		service.refusedSignIns.awaitCode({ actor, address: null, requestId: null, at });
	}
	service.refusedSignIns.flush(at, { now: true });
	expect(service.records(before).slice(2)).toHaveLength(1000);
});

test('new recovery codes require the password and a code, and end the earlier ones, with a record', async () => {
	const { phone, token } = await service.addPerson(storeId);
	const renew = (code: string, password = initialPassword) =>
		service.as(token, 'POST', `${factor}/recovery-codes`, { password, code });
	expectRefusal(await renew('000000'), 409, '未开启两步验证');
	const { secret, recoveryCodes: old } = await protect(token);
	const [before, used = '', unused] = [service.records().length, ...old];
	expectRefusal(await renew(used, 'not-my-password'), 400, '密码错误');
	expectRefusal(await renew(notACode(secret)), 400, '动态验证码错误');
	const { recoveryCodes } = expectStatus(await renew(used), 200);
	expect(new Set([...old, ...recoveryCodes]).size).toBe(20);
	expect(await state(token)).toMatchObject({ recoveryCodesLeft: 10 });
	expect(service.records(before).map(({ action }) => action)).toEqual(['RECOVERY_CODES_RENEW']);
	wrong(await signIn(phone, unused));
	expectStatus(await signIn(phone, recoveryCodes[0]), 200);
	wait(1);
	expectStatus(await renew(codeNow(secret)), 200);
	wrong(await signIn(phone, recoveryCodes[1]));
	wrong(await signIn(phone, codeNow(secret)));
});

test('a code is asked for last, and never where the sign-in is refused anyway', async () => {
	const { id, phone, token } = await service.addPerson(storeId);
	const { secret } = await protect(token);
	wait(1);
	const code = codeNow(secret);
	expectRefusal(await signIn(phone, undefined, 'not-the-password'), 401, '用户名或密码错误');
	expectRefusal(await signIn(phone, code, initialPassword, '/api/auth/login'), 401, '当前账号没有后台登录权限');
	const setStatus = (path: string, status: string) => service.asSuper('PATCH', path, { status });
	const messages = { [`/api/employees/${id}`]: '账号已被禁用', [`/api/stores/${storeId}`]: '所属门店已被禁用' };
	for (const [path, message] of Object.entries(messages)) {
		expectStatus(await setStatus(path, 'INACTIVE'), 200);
		for (const given of [undefined, code]) expectRefusal(await signIn(phone, given), 401, message);
		expectStatus(await setStatus(path, 'ACTIVE'), 200);
	}
	expectStatus(await signIn(phone, code), 200);
});

test('wrong codes are counted apart from passwords: a new password or a sign-out starts no new count', async () => {
	const { phone, token } = await service.addPerson(storeId);
	const { secret, recoveryCodes } = await protect(token);
	const bad = notACode(secret);
	for (let time = 0; time < 15; time += 1) {
		wrong(await signIn(phone, bad));
		expectRefusal(await disable(token, bad), 400, '动态验证码错误');
	}
	const ownPassword = 'a-password-of-my-own';
	const changed = expectStatus(await service.changeOwnPassword(token, initialPassword, ownPassword), 200);
	const [recoveryCode = ''] = recoveryCodes;
	const refused = await signIn(phone, recoveryCode, ownPassword);
	expectRefusal(refused, 429);
	expect(refused.headers.get('retry-after')).toBe('1');
	expectRefusal(await disable(changed.token, recoveryCode, ownPassword), 429);
	// Wrong passwords have a separate count, and half of a sign-in clears neither count.
	expectRefusal(await signIn(phone, undefined, ownPassword), 401, '请输入动态验证码');
	wait(1);
	expectStatus(await signIn(phone, recoveryCode, ownPassword), 200);
	wrong(await signIn(phone, bad, ownPassword));
});

test('the password clears the count of wrong ones when it starts a second factor, and with a code when it ends one', async () => {
	const { token } = await service.addPerson(storeId);
	const guess = async (ask: (password: string) => Promise<Answer>) => {
		for (let time = 0; time < 29; time += 1) expectRefusal(await ask('not-my-password'), 400, '密码错误');
	};
	await guess((password) => start(token, password));
	const { recoveryCodes } = await protect(token);
	await guess((password) => disable(token, '000000', password));
	expect((await disable(token, recoveryCodes[0] ?? '')).status).toBe(204);
	await guess((password) => start(token, password));
});

test('a right password without its code clears no count of wrong passwords', async () => {
	const { phone, token } = await service.addPerson(storeId);
	const { recoveryCodes } = await protect(token);
	for (let time = 0; time < 29; time += 1) await signIn(phone, undefined, 'not-the-password');
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	wrong(await signIn(phone, 'AAAA'));
	await signIn(phone, undefined, 'not-the-password');
	expectRefusal(await signIn(phone, recoveryCodes[0]), 429);
	wait(1);
	expectStatus(await signIn(phone, recoveryCodes[0]), 200);
	expectRefusal(await signIn(phone, undefined, 'not-the-password'), 401);
});

test('of many sign-ins with one code at once, one succeeds', async () => {
	const { phone, token } = await service.addPerson(storeId);
	const { secret, recoveryCodes } = await protect(token);
	wait(1);
	for (const code of [codeNow(secret), recoveryCodes[0]]) {
		const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(phone, code)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
	}
});

test('a sign-out while the password is checked, or the end of the token, stops what was asked for', async () => {
	const { phone, id, token } = await service.addPerson(storeId);
	const signOut = (held: string) => service.as(held, 'POST', '/api/auth/logout');
	const outlive = async () => service.tick(2 * 60 * 60);
	async function interrupted(work: (token: string) => Promise<Answer>, during: (token: string) => unknown = signOut) {
		const held = service.tokenOf(id);
		const verify = spyOn(Bun.password, 'verify').mockImplementationOnce(async () => {
			await during(held);
			return true;
		});
		expectRefusal(await work(held), 401);
		verify.mockRestore();
	}
	await interrupted((held) => start(held));
	await interrupted((held) => start(held), outlive);
	expect(service.rows('select * from second_factors')).toEqual([]);
	await interrupted((held) => service.changeOwnPassword(held, initialPassword, 'staple-battery-horse'), outlive);
	const { recoveryCodes } = await protect(service.tokenOf(id));
	await interrupted((held) => disable(held, recoveryCodes[0] ?? ''));
	await interrupted((held) => disable(held, recoveryCodes[0] ?? ''), outlive);
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	expect(await state(service.tokenOf(id))).toMatchObject({ recoveryCodesLeft: 10 });
	expectRefusal(await service.as(token, 'GET', factor), 401);
});

test('codes of other accounts, and of a clock that was set back, are refused; a recovery code still works', async () => {
	const [mine, others] = [await service.addPerson(storeId), await service.addPerson(storeId)];
	const [own, foreign] = [await protect(mine.token), await protect(others.token)];
	wait(1);
	wrong(await signIn(mine.phone, codeNow(foreign.secret)));
	wrong(await signIn(mine.phone, foreign.recoveryCodes[0]));
	expectStatus(await signIn(mine.phone, codeNow(own.secret)), 200);
	wait(-120);
	wrong(await signIn(mine.phone, codeNow(own.secret)));
	expectStatus(await signIn(mine.phone, own.recoveryCodes[0]), 200);
	// The stored secret of one account does not serve another.
	service.db.$client.run(
		`update second_factors set (secret, recovery_codes) =
				(select secret, recovery_codes from second_factors where account_id = ${others.id})
				where account_id = ${mine.id}`,
	);
	wait(240);
	expectRefusal(await signIn(mine.phone, codeNow(foreign.secret)), 503);
	wrong(await signIn(mine.phone, foreign.recoveryCodes[1]));
});

test('a second factor whose key is lost lets nobody in without a recovery code, and the log says why', async () => {
	const { id, phone, token } = await service.addPerson(storeId);
	const { secret, recoveryCodes } = await protect(token);
	const sealed = createSecretCipher('another-key').encrypt(secret, { accountType: 'EMPLOYEE', id });
	service.db.$client.run('update second_factors set secret = ?', [sealed]);
	wait(1);
	expectRefusal(await signIn(phone), 401, '请输入动态验证码');
	const message = '暂时无法核对动态验证码，请使用恢复码，或联系管理员';
	expectRefusal(await signIn(phone, codeNow(secret)), 503, message);
	expect(service.logged.join('')).toContain(`SECOND_FACTOR_KEY does not open the second factor of EMPLOYEE:${id}`);
	expectStatus(await signIn(phone, recoveryCodes[0]), 200);
	expect((await disable(token, recoveryCodes[1] ?? '')).status).toBe(204);
	expectStatus(await signIn(phone), 200);
});

test('a manager removes the second factor of somebody within reach, with a record; a deletion leaves nothing of one', async () => {
	const manager = await service.addPerson(storeId, 'employee:view:store', 'employee:manage');
	const target = await service.addPerson(storeId);
	const remove = (id: number, headers = {}) =>
		service.send('DELETE', `/api/employees/${id}/second-factor`, { token: manager.token, headers });
	expectRefusal(await remove(manager.id), 403, '请在自己的账号中关闭两步验证');
	expectRefusal(await remove(target.id), 404, '未开启两步验证');
	await protect(target.token);
	expectRefusal(await signIn(target.phone), 401, '请输入动态验证码');
	expectRefusal(await remove(target.id, { 'if-match': '"another"' }), 412);
	// A reset keeps the second factor.
	expectStatus(await service.asSuper('PATCH', `/api/employees/${target.id}/password/reset`), 200);
	expectRefusal(await signIn(target.phone), 401, '请输入动态验证码');
	expect((await remove(target.id)).status).toBe(204);
	expect(service.records().at(-1)).toMatchObject({
		action: 'EMPLOYEE_SECOND_FACTOR_REMOVE',
		actorId: manager.id,
		targetType: 'EMPLOYEE',
		targetId: target.id,
	});
	expectStatus(await signIn(target.phone), 200);
	await protect(service.tokenOf(target.id));
	expect((await service.asSuper('DELETE', `/api/employees/${target.id}`)).status).toBe(204);
	expect(service.rows('select account_id from second_factors')).toEqual([]);
});

test('where a second factor is required, an account with a menu may use only its own account until it is on', async () => {
	const asking = await Service.start({ requirements: { secondFactor: true } });
	expectRefusal(await asking.asSuper('GET', '/api/stores'), 403, '请先开启两步验证');
	await asking.read('/api/permissions/me');
	expect(await asking.read('/api/auth/me')).toMatchObject({ mustEnableSecondFactor: true });
	const { secret } = await protect(asking.superToken, adminPassword, asking);
	const code = totp(secret, asking.time, 1);
	const credentials = { username: adminUsername, password: adminPassword };
	expectRefusal(await asking.send('POST', '/api/auth/login', { body: credentials }), 401, '请输入动态验证码');
	expectStatus(await asking.send('POST', '/api/auth/login', { body: { ...credentials, code } }), 200);
	const store = await asking.addStore();
	const stores = ({ token }: Person) => asking.as(token, 'GET', '/api/stores');
	expectRefusal(await stores(await asking.addPerson(store.id)), 403, '没有权限执行此操作');
	const viewer = await asking.addPerson(store.id, ...codes);
	expectRefusal(await stores(viewer), 403, '请先开启两步验证');
	await protect(viewer.token, initialPassword, asking);
	expectStatus(await stores(viewer), 200);
	expect((await asking.asSuper('DELETE', `/api/employees/${viewer.id}/second-factor`)).status).toBe(204);
	expectRefusal(await stores(viewer), 403, '请先开启两步验证');
});
