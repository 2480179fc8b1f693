/** One's own account: change the password, see the sign-ins and end them. */
import { describe, expect, spyOn, test } from 'bun:test';
import { countEmployees } from '../src/features/employees/search.ts';
import { extendSignIn, noteSignInUse } from '../src/identity/session/sign-ins.ts';
import { clientName } from '../src/platform/http/client.ts';
import { adminPassword, adminUsername, expectRefusal, expectStatus, initialPassword, Service } from './harness.ts';
import type { Body } from './http.ts';
import type { Door } from './world.ts';

const newPassword = 'a-password-of-my-own';
const service = await Service.start();
service.restoreBeforeEachTest();

const renew = (token: string) => service.as(token, 'POST', '/api/auth/renew');
const list = async (token: string) => (await service.read('/api/auth/me/sign-ins', token)).items;
const signOut = async (token: string, query = '') =>
	expectStatus(await service.as(token, 'POST', `/api/auth/logout${query}`), 204);
const isCurrent = (signIn: Body) => signIn.isCurrent;
const me = (token: string) => service.as(token, 'GET', '/api/auth/me');
const change = (token: string, oldPassword: string, password = newPassword) =>
	service.changeOwnPassword(token, oldPassword, password);

interface Account {
	id: number;
	username: string;
	password: string;
	tokens: [string, string];
	signIn(password: string): ReturnType<Service['login']>;
}

async function anEmployee(): Promise<Account> {
	const store = await service.addStore();
	const { id, phone } = await service.addEmployee(store.id);
	return signedInTwice(id, phone, initialPassword, '/api/auth/employee/login');
}

const theAdministrator = () => signedInTwice(1, adminUsername, adminPassword, '/api/auth/login');

async function signedInTwice(id: number, username: string, password: string, door: Door): Promise<Account> {
	const signIn = (given: string) => service.login(door, username, given);
	const token = async () => expectStatus(await signIn(password), 200).token;
	return { id, username, password, tokens: [await token(), await token()], signIn };
}

describe.each([
	['an employee without any permission', anEmployee],
	['the super administrator', theAdministrator],
])('%s', (_, make) => {
	test('gets a new password, a new token in the shape of a login, and no other token lives on', async () => {
		const account = await make();
		const [mine, other] = account.tokens;
		const before = expectStatus(await me(mine), 200);
		const recorded = service.records();
		const answer = expectStatus(await change(mine, account.password), 200);
		expect(service.records().slice(recorded.length)).toMatchObject([
			{ action: 'OWN_PASSWORD_CHANGE', actorType: before.accountType, actorId: before.id, changes: [] },
		]);
		expect(answer).toEqual({ token: expect.any(String), tokenType: 'Bearer', expiresIn: '2h', user: before });
		expectStatus(await me(answer.token), 200);
		for (const token of [mine, other]) expectRefusal(await me(token), 401);
		expectRefusal(await account.signIn(account.password), 401);
		expectStatus(await account.signIn(newPassword), 200);
	});

	test('counts wrong old passwords together with wrong sign-ins', async () => {
		const account = await make();
		for (let time = 0; time < 30; time += 1) {
			expectRefusal(await change(account.tokens[0], 'not-my-password'), 400, '原密码错误');
		}
		for (const token of account.tokens) expectStatus(await me(token), 200);
		expectRefusal(await change(account.tokens[0], account.password), 429);
		expectRefusal(await account.signIn(account.password), 429);
	});

	test('renews its token for two hours, up to twelve hours after the sign-in', async () => {
		const account = await make();
		const signedIn = service.time.getTime();
		let token = expectStatus(await account.signIn(account.password), 200).token;
		const user = expectStatus(await me(token), 200);
		for (let hour = 1; hour < 12; hour += 1) {
			service.time = new Date(signedIn + hour * 3_600_000);
			const renewed = expectStatus(await renew(token), 200);
			expect(renewed).toEqual({ token: expect.any(String), tokenType: 'Bearer', expiresIn: '2h', user });
			token = renewed.token;
		}
		service.time = new Date(signedIn + 12 * 3_600_000 - 1000);
		token = expectStatus(await renew(token), 200).token;
		service.time = new Date(signedIn + 12 * 3_600_000);
		expectRefusal(await renew(token), 401, '登录已满 12 小时，请重新登录');
		expectStatus(await me(token), 200);
		service.time = new Date(signedIn + 14 * 3_600_000);
		expectRefusal(await me(token), 401);
	});

	test('sees with include=session when its token ends, and how long it can be renewed', async () => {
		const { username, password } = await make();
		service.time = new Date('2099-11-24T08:00:00.500Z');
		const door = username === adminUsername ? '/api/auth/admin/login' : '/api/auth/employee/login';
		const signIn = await service.send('POST', `${door}?include=session`, { body: { username, password } });
		const { token, user } = expectStatus(signIn, 200);
		const renewableUntil = '2099-11-24T20:00:00.000Z';
		expect(user.session).toEqual({ expiresAt: '2099-11-24T10:00:00.000Z', renewableUntil });
		service.tick(3600);
		const again = expectStatus(await service.as(token, 'POST', '/api/auth/renew?include=session'), 200);
		expect(again.user.session).toEqual({ expiresAt: '2099-11-24T11:00:00.000Z', renewableUntil });
		for (const [query, keys] of Object.entries({ '': [], '?include=session': ['session'] })) {
			const own = await service.read(`/api/auth/me${query}`, again.token);
			expect(Object.keys(own).filter((key) => /^(?:session|must|reach)/.test(key))).toEqual(keys);
		}
	});

	test('signs out of one sign-in with its renewed tokens, whatever the body', async () => {
		const { tokens } = await make();
		const renewed = expectStatus(await renew(tokens[0]), 200).token;
		expectStatus(await me(tokens[0]), 200);
		const answer = await service.send('POST', '/api/auth/logout', { token: tokens[0], raw: '{half' });
		expect([answer.status, answer.text]).toEqual([204, '']);
		expect(service.records().at(-1)).toMatchObject({ action: 'SIGN_OUT', changes: [] });
		for (const ended of [renewed, tokens[0]])
			for (const refused of [await renew(ended), await me(ended)]) expectRefusal(refused, 401);
		expectStatus(await renew(tokens[1]), 200);
	});

	test('sees whether its password is the initial one, and when it was changed', async () => {
		const account = await make();
		const ownPassword = (token: string) => service.read('/api/auth/me/password', token);
		expect(await ownPassword(account.tokens[0])).toEqual({ isInitial: true, changedAt: null });
		const changedAt = service.tick(60);
		const { token } = expectStatus(await change(account.tokens[0], account.password), 200);
		expect(await ownPassword(token)).toEqual({ isInitial: false, changedAt });
	});

	test('signs out everywhere, also with a token of version 1.2, and can sign in again', async () => {
		const [account, bystander] = [await make(), await anEmployee()];
		const earlier = tokenBefore130(account);
		const [{ id: ended }] = await list(account.tokens[0]);
		expectStatus(await me(expectStatus(await renew(earlier), 200).token), 200);
		await signOut(account.tokens[0], '?everywhere=true');
		for (const token of [...account.tokens, earlier]) expectRefusal(await me(token), 401);
		expect(service.records().at(-1)?.action).toBe('SIGN_OUT_EVERYWHERE');
		expectStatus(await me(bystander.tokens[0]), 200);
		const { token } = expectStatus(await account.signIn(account.password), 200);
		expectRefusal(await service.as(token, 'DELETE', `/api/auth/me/sign-ins/${ended}`), 404);
		await signOut(tokenBefore130(account));
		expectRefusal(await me(token), 401);
	});

	test('ends another of its sign-ins, once, and nobody else’s', async () => {
		const [account, bystander] = [await make(), await anEmployee()];
		const [mine, other] = account.tokens;
		const end = (id: number) => service.as(mine, 'DELETE', `/api/auth/me/sign-ins/${id}`);
		const foreign = (await list(bystander.tokens[0])).find(isCurrent);
		const [current, ended] = [(await list(mine)).find(isCurrent), (await list(other)).find(isCurrent)];
		expectStatus(await end(ended.id), 204);
		const changes = [{ field: 'client', before: null, after: null }];
		expect(service.records().at(-1)).toMatchObject({ action: 'SIGN_OUT', changes });
		expectRefusal(await me(other), 401);
		for (const id of [ended.id, foreign.id, 999]) expectRefusal(await end(id), 404, '登录不存在或已结束');
		expect((await list(mine)).filter(({ isLive }: Body) => isLive)).toEqual([current]);
		expectStatus(await me(bystander.tokens[1]), 200);
		expectStatus(await end(current.id), 204);
		expectRefusal(await me(mine), 401);
	});
});

/** A token of version 1.2, which belongs to no sign-in. */
function tokenBefore130({ id, username }: Account): string {
	const isAdministrator = username === adminUsername;
	const table = isAdministrator ? 'administrators' : 'employees';
	const query = `select token_version from ${table} where id = ${id}`;
	const [{ token_version } = { token_version: 0 }] = service.rows(query);
	return service.sign(`${isAdministrator ? 'SUPER_ADMIN' : 'EMPLOYEE'}:${id}`, token_version);
}

test('a manager ends the sign-ins of an employee, who can sign in again', async () => {
	const [{ id, signIn, tokens, password }, store] = [await anEmployee(), await service.addStore()];
	const end = (token: string) => service.as(token, 'DELETE', `/api/employees/${id}/sign-ins`);
	const manager = await service.addPerson(store.id, 'employee:manage', 'employee:view:all');
	expectStatus(await end(manager.token), 204);
	for (const token of tokens) expectRefusal(await me(token), 401);
	const { token } = expectStatus(await signIn(password), 200);
	expect((await list(token)).map(({ isLive }: Body) => isLive)).toEqual([true, false, false]);
});

test('an employee who enters the initial password again keeps or gets the mark that it is the initial one', async () => {
	const earlier = 'the-initial-one-of-last-year';
	const store = await service.addStore();
	const people = [await service.addEmployee(store.id), await service.addEmployee(store.id)];
	service.db.$client.query('update employees set password_hash = ?').run(await service.passwords.hash(earlier));
	const [one, other] = people as [(typeof people)[0], (typeof people)[0]];
	expectStatus(await change(service.tokenOf(one.id), earlier, earlier), 200);
	expectStatus(await service.changePassword(other.id, earlier, earlier), 200);
	expect(countEmployees(service.db, { passwordIsInitial: true })).toBe(2);
	expectStatus(await change(service.tokenOf(one.id), earlier), 200);
	expectStatus(await service.changePassword(other.id, earlier, newPassword), 200);
	expect(countEmployees(service.db, { passwordIsInitial: true })).toBe(0);
	expectStatus(await change(service.tokenOf(one.id), newPassword, initialPassword), 200);
	expect(countEmployees(service.db, { passwordIsInitial: true })).toBe(1);
});

const edge = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0';

describe('the sign-ins', () => {
	/** The list is requested with a token that belongs to no sign-in. */
	const unknown = { isLive: true, isCurrent: false };
	const enter = (username: string, headers: Record<string, string>, more = {}) => {
		const body = { username, password: initialPassword, ...more };
		return service.send('POST', '/api/auth/employee/login', { body, headers });
	};

	test('are those of the account that last, at most 100, and the newest 20, the newest first', async () => {
		const { id: storeId } = await service.addStore();
		const [mine, others] = [await service.addPerson(storeId), await service.addPerson(storeId)];
		expect(await list(mine.token)).toEqual([]);
		const expected = [];
		for (let minute = 0; minute < 23; minute += 1) {
			service.tick();
			const headers = { [Service.peerHeader]: `203.0.113.${minute}`, ...(minute % 2 === 0 && { 'user-agent': edge }) };
			expectStatus(await enter(mine.phone, headers), 200);
			await service.signIn(mine.phone, 'not-the-password');
			const at = service.time.toISOString();
			const client = minute % 2 === 0 ? 'Edge · Windows' : null;
			expected.unshift({ id: minute + 1, at, address: `203.0.113.${minute}`, client, lastUsedAt: at, ...unknown });
		}
		expectStatus(await enter(others.phone, {}), 200);
		expect(await list(mine.token)).toEqual(expected);
		expect(await list(others.token)).toHaveLength(1);
		const { id, ...another } = service.rows('select * from sign_ins where account_id = ?', others.id)[0] as Body;
		service.insert('sign_ins', Array(100).fill(another));
		expect(await list(others.token)).toHaveLength(100);
		service.tick(7200);
		const { token } = expectStatus(await enter(mine.phone, { 'user-agent': edge }, { client: ' 收银台 2 ' }), 200);
		const [newest, ...earlier] = await list(token);
		expect(newest).toMatchObject({ client: '收银台 2', isLive: true, isCurrent: true });
		expect(earlier).toEqual(expected.slice(0, 19).map((signIn) => ({ ...signIn, isLive: false })));
		expect(service.rows('select count(*) as total from sign_ins')).toEqual([{ total: 121 }]);
		await service.asSuper('DELETE', `/api/employees/${mine.id}`);
		expect(service.rows('select count(*) as total from sign_ins')).toEqual([{ total: 101 }]);
	});

	test('last through renewals, and say when they were last used, at most five minutes late', async () => {
		const { phone } = await service.addPerson((await service.addStore()).id);
		let { token } = expectStatus(await enter(phone, {}), 200);
		const signedIn = service.time.getTime();
		const [{ id }] = await list(token);
		for (let hour = 1; hour < 4; hour += 1) {
			service.time = new Date(signedIn + hour * 3_600_000);
			token = expectStatus(await renew(token), 200).token;
		}
		for (let time = 0; time < 20; time += 1) expectStatus(await enter(phone, {}), 200);
		const renewed = service.time.toISOString();
		expect((await list(token)).at(-1)).toMatchObject({ id, isLive: true, isCurrent: true, lastUsedAt: renewed });
		const later = new Date(Date.parse(renewed) + 301_000).toISOString();
		for (const [seconds, lastUsedAt] of Object.entries({ 299: renewed, 301: later })) {
			service.time = new Date(Date.parse(renewed) + Number(seconds) * 1000);
			expect((await list(token)).at(-1).lastUsedAt).toBe(lastUsedAt);
		}
	});

	test('are saved together, by one statement, at most 500 at once, and later if the disk fails', () => {
		const signIn = { account_type: 'EMPLOYEE', account_id: 1, at: '', address: '', last_used_at: '' };
		service.insert('sign_ins', Array(600).fill(signIn));
		const ids = service.rows('select id from sign_ins').map(({ id }) => id);
		const use = (used: readonly number[], at: string) => {
			for (const id of used) noteSignInUse(service.db, id, at);
			return service.rows("select count(*) as total from sign_ins where last_used_at <> ''")[0]?.total;
		};
		{
			using _ = spyOn(service.db.storage, 'isInPlace').mockReturnValue(false);
			expect(use(ids.slice(1, 2), service.tick(301))).toBe(0);
		}
		expect(use(ids.slice(0, 1), service.tick(299))).toBe(0);
		expect(use(ids.slice(0, 1), service.tick(2))).toBe(2);
		expect(use(ids, service.tick(299))).toBe(2);
		using prepared = spyOn(service.db.$client, 'prepare');
		expect(use(ids.slice(0, 1), service.tick(2))).toBe(500);
		expect(use(ids.slice(0, 1), service.tick(0))).toBe(600);
		expect(prepared.mock.calls.filter(([text]) => text.includes('"sign_ins" set'))).toEqual([]);
	});

	test('stay ended, also for a renewal that began before', async () => {
		const { phone } = await service.addPerson((await service.addStore()).id);
		const { token } = expectStatus(await enter(phone, {}), 200);
		const [{ id }] = await list(token);
		await signOut(token);
		extendSignIn(service.db, id, service.tick());
		expectRefusal(await me(token), 401);
		// So many later ones that nothing is stored of it any more.
		for (let time = 0; time <= 20; time += 1) expectStatus(await enter(phone, {}), 200);
		expect(service.rows('select 1 from sign_ins where id = ?', id)).toEqual([]);
		expectRefusal(await me(token), 401);
	});

	test('are stored with the sign-in, or neither is', async () => {
		const { phone } = await service.addPerson((await service.addStore()).id);
		const before = service.records().length;
		service.db.$client.run(`create trigger full before insert on sign_ins begin select raise(abort, 'full'); end`);
		expect((await enter(phone, {})).status).toBeGreaterThanOrEqual(500);
		expect(service.records()).toHaveLength(before);
	});
});

test('a client has a short name', () => {
	const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
	const android = 'Mozilla/5.0 (Linux; Android 15; PKC110)';
	const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
	const names: [name: string | null, userAgent: string | null][] = [
		['Edge · Windows', edge],
		['Chrome · Windows', `${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36`],
		['Firefox · Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
		['Safari · iPhone', `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
		['微信 · iPhone', `${iPhone} Mobile/15E148 MicroMessenger/8.0.60(0x18003c2f) NetType/WIFI Language/zh_CN`],
		['微信 · Android', `${android} AppleWebKit/537.36 Version/4.0 Chrome/130 Mobile Safari/537.36 MicroMessenger/8.0`],
		[
			'华为浏览器 · HarmonyOS',
			'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/132 Safari/537.36 HuaweiBrowser/5.1',
		],
		['curl', 'curl/8.5.0'],
		[null, '<script>alert(1)</script>'],
		[null, null],
	];
	for (const [name, userAgent] of names) expect(clientName(userAgent)).toBe(name);
});
