/** Signing in to the back office, and how a session continues and ends, in a real Chromium. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { type TOTP, URI } from 'otpauth';
import type { BrowserContext } from 'playwright-core';
import { showPhone } from '../src/platform/vocabulary/phone.ts';
import { openScreens } from './back-office/screens.ts';
import { newContext, Visit, viewports } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort } from './full.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { Server } from './server.ts';
import { adminPassword, adminUsername, expectStatus, initialPassword } from './world.ts';

const { browser, enter, server } = await openScreens();

describe.skipIf(skipped)('signing in to the back office', () => {
	/** For the visits that sign in by hand and need no browser of their own: its cache has the files. */
	let shared: BrowserContext;
	beforeAll(async () => {
		shared = await newContext(browser);
		await shared.newPage();
	});

	test.each([
		['a list of employees', 340, 400, 'employees', '员工'],
		['the page of one’s own', 110, 125, '../me/', '超级管理员'],
	])('everything up to %s is at most %i kB in Brotli and %i kB in gzip', async (_, br, gzip, path, title) => {
		const visit = await Visit.openAsSuper(shared, server.url, path);
		await visit.heading(title);
		// The page, and what it loaded.
		const loaded = await visit.page.evaluate<string[]>(
			"[location, ...performance.getEntriesByType('resource').map(({ name }) => name)].map(String)",
		);
		const files = new Set(loaded.filter((url) => !url.includes('/api/')));
		expect(files.size).toBeGreaterThan(5);
		for (const [encoding, limit] of Object.entries({ br, gzip })) {
			const headers = { 'accept-encoding': encoding };
			const sizes = Array.from(files, async (url) => {
				const answer = await fetch(url, { headers, decompress: false });
				return (await answer.arrayBuffer()).byteLength;
			});
			const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
			expect(sum).toBeGreaterThan(limit * 500);
			expect(sum).toBeLessThanOrEqual(limit * 1000);
		}
	});

	test('a form that opens again makes no styles again, and does not draw the page behind it again', async () => {
		await server.addStore();
		const visit = await enter('stores');
		const opensAndCloses = async () => {
			await visit.button('新增门店').click();
			await visit.page.getByRole('dialog').waitFor();
			await visit.confirm('取消');
			await visit.closes();
		};
		await opensAndCloses();
		await visit.settles();
		// The parser of styles calls this for each character: 300,000 times for a form, and 10,000 times for other reasons.
		await visit.page.evaluate(`{
			const { charCodeAt } = String.prototype;
			const { toLocaleString } = Number.prototype;
			window.read = 0;
			window.drawn = 0;
			window.restore = () => {
				Object.assign(String.prototype, { charCodeAt });
				Object.assign(Number.prototype, { toLocaleString });
			};
			// The list behind the form shows numbers, and the form none.
			Number.prototype.toLocaleString = function (...how) {
				window.drawn++;
				return toLocaleString.apply(this, how);
			};
			String.prototype.charCodeAt = function (at) {
				window.read++;
				return charCodeAt.call(this, at);
			};
		}`);
		await opensAndCloses();
		expect(await visit.page.evaluate<number>('window.read')).toBeLessThan(50_000);
		expect(await visit.page.evaluate<number>('window.drawn')).toBe(0);
		await visit.page.evaluate('window.restore()');
	});

	test('the sign-in asks for what is missing, shows the password, and leads those without a back office to their own page', async () => {
		const { id: storeId, name: store } = await server.addStore();
		const { id, name, phone } = await server.addEmployee(storeId, [3]);
		const given = await server.giveOneTimePassword(id);
		const visit = await Visit.open(shared, server.url);
		await visit.signIn(' ', '', { waits: false });
		await visit.sees('请输入用户名或手机号');
		await visit.page.getByRole('alert').getByText('请输入密码').waitFor();
		await visit.sees('忘记密码？请联系为您开通账号的同事或管理员重置');
		await visit.signIn(adminUsername, 'short', { waits: false });
		await visit.sees('用户名或密码错误');
		await visit.focuses('登录');
		const password = visit.page.getByLabel('密码');
		await visit.button('显示密码').click();
		expect(await password.getAttribute('type')).toBe('text');
		await visit.button('隐藏密码').click();
		expect(await password.getAttribute('type')).toBe('password');
		await visit.satisfies();
		await visit.signIn(phone, given, { waits: false });
		await visit.heading('设置自己的密码');
		// The slip's password is not typed again.
		expect(await visit.page.locator('form').getByRole('textbox').count()).toBe(2);
		await visit.fill({ '新密码（8 至 128 个字符）': 'a-password-of-my-own', 再次输入新密码: 'a-password-of-my-own' });
		await visit.button('保存新密码').click();
		await visit.page.getByRole('heading', { name, level: 1 }).waitFor();
		for (const text of [store, '收银员', '您的账号正常，可以登录员工端（收银台等系统）。']) await visit.sees(text);
		expect(await visit.link('进入后台').count()).toBe(0);
		await visit.button('修改密码').click();
		await visit.page.locator('[name=oldPassword]:focus').waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.focuses('修改密码');
		// An employee without a point of the chain gets no code.
		expect(await visit.page.getByRole('heading', { name: '授权码' }).count()).toBe(0);
		// Signing in at the back office first was a mistake, and is not recorded as a refusal.
		expect(await server.read(`/api/history?action=SIGN_IN_REFUSED&actorId=${id}`)).toMatchObject({ items: [] });
	});

	test('an account and a page that could not be read are read again with a button, which passes its focus on', async () => {
		const visit = await enter('stores');
		await visit.settles();
		for (const path of ['**/api/auth/me?*', '**/api/roles/2'])
			await visit.page.route(path, (route) => route.fulfill({ status: 500 }), { times: 1 });
		await visit.goto('roles/2');
		await visit.button('重试').click();
		await visit.link('角色').waitFor();
		await visit.button('重试').click();
		await visit.page.locator('main:focus').getByRole('heading', { name: '店长' }).waitFor();
	});

	test('a part of a page that could not be read is announced, and read again with a button', async () => {
		const [area, { id: store }] = [await server.addArea('读不到的区域'), await server.addStore()];
		const { id } = await server.addEmployee(store);
		await server.giveReach(id, { areas: [area.id] });
		const visit = await enter();
		// Nor is it said that there is nothing to find or to choose.
		const stores = '**/api/stores/{page,all}?*';
		await visit.page.route(stores, (each) => each.fulfill({ status: 500 }));
		await visit.goto('employees');
		await visit.heading('员工');
		await visit.find('没有这家店');
		await visit.sees('部分内容加载失败');
		await visit.settles();
		expect(await visit.page.getByText('没有找到').count()).toBe(0);
		await visit.page.keyboard.press('Escape');
		await visit.page.getByText('部分内容加载失败').waitFor({ state: 'hidden' });
		await visit.page.getByLabel('门店', { exact: true }).click();
		await visit.sees('选项尚未加载');
		await visit.sees('部分内容加载失败');
		await visit.page.unroute(stores);
		for (const [path, route, part] of [
			['overview', '**/api/programs', '近 7 天'],
			[`stores/${store}`, '**/api/stores/activity?*', '关闭门店'],
			[`employees/${id}`, `**/api/employees/${id}/reach`, '读不到的区域（0 家门店）'],
			['../me/', '**/api/auth/me/sign-ins', '最近的登录'],
		] as const) {
			await visit.page.route(route, (each) => each.fulfill({ status: 500 }));
			await visit.goto(path);
			await visit.sees('部分内容加载失败');
			await visit.satisfies();
			expect(await visit.page.getByText(part).count()).toBe(0);
			await visit.page.unroute(route);
			await visit.button('重试').click();
			await visit.sees(part);
			expect(await visit.page.getByText('部分内容加载失败').count()).toBe(0);
		}
	});

	test.each([
		['super administrator', undefined, ['今天', '门店', '员工', '角色', '操作记录'], true],
		['store manager', 'store_manager', ['今天', '员工'], false],
	])('the %s sees the menus and buttons that they can use', async (_, role, menus, canManage) => {
		const roles = (await server.read('/api/roles')) as { id: number; code: string }[];
		const own = roles.find(({ code }) => code === role);
		const { id } = await server.addEmployee((await server.addStore()).id, own ? [own.id] : []);
		const visit = await enter('employees', { id: own && id });
		expect(await visit.menu()).toEqual(menus);
		await visit.find();
		const found = canManage ? '员工、门店、角色、功能' : '员工、功能';
		await visit.page.getByRole('dialog', { name: `搜索${found}` }).waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.closes();
		await visit.page.locator('tbody tr').first().waitFor();
		expect(await visit.button('新增员工').count()).toBe(canManage ? 1 : 0);
		await visit.follow('history');
		await visit.heading(role === undefined ? '操作记录' : '没有权限查看此页面');
		if (role === undefined) return;
		await visit.sees('需要权限“查看操作记录”。可以请超级管理员帮忙。');
		await visit.follow('stores/import');
		await visit.sees('需要权限“管理门店”。可以请超级管理员帮忙。');
		await visit.follow('roles/administrators');
		await visit.settles();
		await visit.sees('请超级管理员帮忙。');
		expect(await visit.page.getByText('需要权限').count()).toBe(0);
	});

	test('a first sign-in sets a password in the back office, or turns a second factor on at the own-account page, and goes on', async () => {
		const store = await server.addStore();
		const { id, phone } = await server.addEmployee(store.id, [2]);
		const colleague = await server.addEmployee(store.id);
		const password = await server.giveOneTimePassword(id);
		const visit = await Visit.open(shared, server.url, `employees/${colleague.id}?from=list`);
		const wanted = visit.page.url();
		await visit.signIn(phone, password, { waits: false });
		await visit.heading('设置自己的密码');
		const fields = visit.page.locator('form').getByRole('textbox');
		expect(await fields.count()).toBe(2);
		await visit.satisfies();
		await visit.fill({ '新密码（8 至 128 个字符）': 'a-password-of-my-own', 再次输入新密码: 'a-password-of-my-own' });
		const letRead = await visit.holds('**/api/auth/me?*');
		const read = visit.page.waitForRequest('**/api/auth/me?*');
		await visit.button('保存新密码').click();
		await read;
		// The form waits, with the same fields.
		await visit.button('请稍候…').waitFor();
		expect(await fields.count()).toBe(2);
		await letRead();
		await visit.heading(colleague.name);
		expect(visit.page.url()).toBe(wanted);
		await visit.end();
		await Server.with(
			async (strict) => {
				const visit = await Visit.open(shared, strict.url, 'employees?status=INACTIVE');
				const wanted = visit.page.url();
				await visit.signIn(adminUsername, adminPassword, { waits: false });
				await visit.sees('请先开启两步验证，然后才能使用后台');
				await visit.button('开启两步验证').click();
				await visit.fill({ 登录密码: adminPassword });
				await visit.button('下一步').click();
				const uri = (await visit.link('在应用中打开').getAttribute('href')) ?? '';
				await visit.fill({ 动态验证码: URI.parse(uri).generate() });
				await visit.button('开启').click();
				const shown = visit.page.getByRole('dialog', { name: '两步验证恢复码' });
				await shown.waitFor();
				await visit.sees('还有 10 个恢复码可用');
				for (let times = 0; times < 4; times++) await visit.page.keyboard.press('Escape');
				expect(await shown.isVisible()).toBe(true);
				await visit.page.evaluate("document.querySelector('.own-dialog').close()");
				await shown.waitFor();
				await visit.button('我已保存').click();
				await visit.heading('员工');
				expect(visit.page.url()).toBe(wanted);
			},
			{ SECOND_FACTOR: 'required' },
		);
	});

	test('a session that ends while a form is open returns to the sign-in with the reason, and loses nothing', async () => {
		const { id, phone } = await server.addEmployee((await server.addStore()).id, [1]);
		const visit = await enter('stores', { id, username: phone });
		const switchTo = (status: string) => server.asSuper('PATCH', `/api/employees/${id}/status`, { status });
		const signIn = visit.page.getByRole('dialog', { name: '门店管理后台' });
		const unsaved = signIn.getByText('未保存的内容还在，用原账号登录后继续。');
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '打了一半的门店' });
		await switchTo('INACTIVE');
		await visit.button('保存').click();
		await signIn.getByText('账号已被禁用').waitFor();
		await unsaved.waitFor();
		await signIn.locator('[name=password]:focus').waitFor();
		await switchTo('ACTIVE');
		// The way back on a phone does not uncover the form, nor does a key, which also does nothing behind the sign-in.
		await visit.page.evaluate("document.querySelector('.sign-in').close()");
		await signIn.waitFor();
		for (let times = 0; times < 4; times++) await visit.page.keyboard.press('Escape');
		expect(await signIn.isVisible()).toBe(true);
		expect(await visit.page.getByRole('dialog', { name: '放弃未保存的修改？' }).count()).toBe(0);
		// The name is filled in.
		await signIn.getByLabel('密码', { exact: true }).focus();
		await visit.page.keyboard.type(initialPassword);
		await visit.page.keyboard.press('Enter');
		await signIn.waitFor({ state: 'detached' });
		await visit.focuses('保存');
		expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('打了一半的门店');
		await visit.button('保存').click();
		await visit.heading('打了一半的门店');
		// A check of a file can be repeated.
		await visit.goto('employees/import');
		await visit.heading('导入员工');
		await switchTo('INACTIVE');
		await visit.chooseFile(['姓名,手机号,门店', '王芳,123,']);
		await signIn.getByText('账号已被禁用').waitFor();
		await switchTo('ACTIVE');
		await visit.signIn(phone, initialPassword);
		await visit.button('重新检查').click();
		await visit.sees(/^共 1 行，有 \d 处问题/);
		// The sign-in says why the session ended. A message would say it again after the next sign-in.
		await server.addEmployee((await server.addStore()).id);
		await visit.goto('employees');
		await visit.page
			.getByRole('checkbox', { name: /^选择 / })
			.first()
			.check();
		await switchTo('INACTIVE');
		await visit.page.getByRole('button', { name: /^选择全部/ }).click();
		await signIn.getByText('账号已被禁用').waitFor();
		expect(await signIn.locator('.sign-in-behind').count()).toBe(0);
		await visit.page.locator('.ant-btn-loading').waitFor({ state: 'hidden' });
		expect(await visit.page.locator('.ant-message-notice').allTextContents()).toEqual([]);
		await switchTo('ACTIVE');
		await visit.signIn(phone, initialPassword);
		// The search is in front of the form that keeps something.
		await visit.goto('roles/new');
		await visit.fill({ 角色名称: '打了一半的角色' });
		await visit.find();
		expect(await unsaved.count()).toBe(0);
		await server.asSuper('PATCH', `/api/employees/${id}/password/reset`);
		await visit.page.keyboard.type('店');
		await unsaved.waitFor();
		await signIn.getByText('登录已失效，请重新登录').waitFor();
	});

	test('a session is renewed while somebody works, and its end is announced when nobody does, on both pages', async () => {
		// The fake clock affects the whole browser.
		const context = await newContext(browser, 'small phone');
		await context.clock.install();
		const visit = await Visit.openAsSuper(context, server.url, 'roles');
		const stored = () => visit.page.evaluate<string>("sessionStorage.getItem('session:/')");
		const renewWhile = async (work: () => Promise<void>) => {
			const before = await stored();
			const renewed = visit.page.waitForResponse((response) => response.url().endsWith('/api/auth/renew'));
			await work();
			await visit.page.clock.fastForward('00:30');
			expect((await renewed).status()).toBe(200);
			// The page records when it received the token, so its clock may only move afterwards.
			while ((await stored()) === before) await Bun.sleep(10);
		};
		const { clock, keyboard } = visit.page;
		await visit.heading('角色');
		await clock.fastForward('35:00');
		await renewWhile(() => keyboard.press('Tab'));
		await clock.fastForward('01:52:00');
		await visit.sees(/登录将在 [1-8] 分钟内结束/);
		await visit.goto('../me/');
		await visit.heading('超级管理员');
		await visit.sees(/登录将在 [1-8] 分钟内结束/);
		await renewWhile(() => keyboard.press('Tab'));
		await visit.page.getByText('分钟内结束').waitFor({ state: 'hidden' });
	});

	describe.skipIf(isShort)('further ways', () => {
		test('on a small phone a cashier comes from the printed slip to a password of their own', async () => {
			const { id, name, phone } = await server.addEmployee((await server.addStore()).id, [3]);
			const office = await enter(`employees/${id}`);
			await office.button('重置密码').click();
			await office.confirm('重置密码');
			await office.page.getByRole('dialog', { name: `${name} 的一次性密码` }).waitFor();
			await office.page.emulateMedia({ media: 'print' });
			// Only the slip is printed.
			expect(await office.page.getByRole('main').isVisible()).toBe(false);
			const slip = office.page.getByRole('article', { name });
			const password = (await slip.getByRole('definition').nth(1).textContent()) ?? '';
			const address = (await slip.locator('b').textContent()) ?? '';
			await office.end();
			const visit = await Visit.open(shared, server.url, '../me/', 'small phone');
			expect(visit.page.url()).toBe(address);
			await visit.signIn(phone, password.toLowerCase().replaceAll('-', ' '));
			await visit.heading('设置自己的密码');
			expect(await visit.page.getByRole('heading').count()).toBe(1);
			const own = 'a-password-of-my-own';
			await visit.fill({ '新密码（8 至 128 个字符）': phone });
			await visit.sees('密码不要用手机号、姓名或品牌名称');
			await visit.button('保存新密码').click();
			await visit.sees('请再次输入新密码');
			await visit.satisfies();
			await visit.fill({ '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
			await visit.page.getByText('密码不要用手机号').waitFor({ state: 'hidden' });
			await visit.button('保存新密码').click();
			await visit.page.getByRole('heading', { name, level: 1 }).waitFor();
			await visit.satisfies();
			await visit.button('退出登录').click();
			await visit.signIn(phone, own);
			await visit.page.getByRole('heading', { name, level: 1 }).waitFor();
		});

		test('a super administrator adds another one, whose password is shown once, and deletes them', async () => {
			const visit = await enter('roles');
			await visit.button('超级管理员').click();
			await visit.page.getByRole('row', { name: adminUsername }).waitFor();
			// Nobody deletes their own account.
			expect(await visit.page.getByRole('columnheader', { name: '操作' }).count()).toBe(0);
			await visit.button('新增超级管理员').click();
			await visit.save({ 用户名: '13800138000' });
			await visit.sees('用户名不能是手机号');
			await visit.save({ 用户名: '王总' });
			const shown = visit.page.getByRole('dialog', { name: '“王总”的一次性密码' });
			await shown.getByText('首次登录后须设置自己的密码').waitFor();
			await visit.satisfies();
			const given = await visit.copies(shown.getByRole('button', { name: '复制' }));
			expectStatus(await server.login('/api/auth/admin/login', '王总', given), 200);
			await shown.getByRole('button', { name: '关闭' }).last().click();
			await visit.page.getByRole('row', { name: /王总/ }).waitFor();
			await visit.satisfies();
			await visit.button('删除 王总').click();
			await visit.sees('操作记录中仍保留其用户名');
			await visit.confirm('删除');
			await visit.page.getByRole('row', { name: /王总/ }).waitFor({ state: 'detached' });
			expect(await server.read('/api/administrators')).toHaveLength(1);
		});

		test('an employee with a point of the chain sees it and a code on their own page; a used code is replaced', async () => {
			const title = '<img src=x>👩🏽‍💻إلغاء';
			const point = await server.addPoint('till:void', { title, description: '取消整单', groupTitle: '收银' });
			const store = await server.addStore();
			const [manager, cashier] = [await server.addPerson(store.id, 'till:void'), await server.addPerson(store.id)];
			const area = await server.addArea();
			await server.giveReach(manager.id, { areas: [area.id] });
			const visit = await Visit.open(shared, server.url, '../me/', 'small phone');
			await visit.signIn(manager.phone, initialPassword);
			await visit.sees(`${area.name}（0 家门店）`);
			await visit.sees('在员工端可以：');
			await visit.sees(title);
			const digits = visit.page.locator('.own-approval-code');
			const shown = async () => (await digits.textContent())?.replace(' ', '') ?? '';
			const code = await shown();
			expect(code).toMatch(/^\d{6}$/);
			await visit.sees(/^\d+ 秒后更换$/);
			expect((await digits.boundingBox())?.y).toBeLessThan(viewports['small phone'].height - 100);
			await visit.satisfies();
			const body = { permission: 'till:void', subject: 'A-<b>1</b>', approver: manager.phone, code };
			const asked = await server.send('POST', '/api/approvals', { token: cashier.token, body });
			expectStatus(asked, 201);
			await visit.page.getByText('最近授权的 1 次').click();
			await visit.sees(`${title}（A-<b>1</b>）`);
			expect(await shown()).not.toBe(code);
			await visit.satisfies();
			// Past approvals keep the title of a deleted point.
			expectStatus(await server.asSuper('DELETE', `/api/permissions/points/${point.id}`), 204);
			await visit.load('../me/');
			await visit.page.getByText('最近授权的 1 次').click();
			await visit.sees(`${title}（A-<b>1</b>）`);
		});

		test('a second factor is turned on with a code, asked for at both sign-ins, and removed by a manager', async () => {
			const { id, phone } = await server.addEmployee((await server.addStore()).id, [2]);
			const visit = await Visit.open(shared, server.url, '../me/', 'small phone');
			await visit.signIn(phone, initialPassword);
			await visit.button('开启两步验证').click();
			await visit.fill({ 登录密码: 'not-the-password' });
			await visit.button('下一步').click();
			await visit.sees('密码错误');
			await visit.fill({ 登录密码: initialPassword });
			await visit.button('下一步').click();
			const uri = (await visit.link('在应用中打开').getAttribute('href')) ?? '';
			await visit.satisfies();
			const key = URI.parse(uri) as TOTP;
			await visit.sees(new RegExp(`^${key.secret.base32.replace(/.{4}(?=.)/g, '$& ')}$`));
			// Tab continues from where the focus was.
			await visit.page.keyboard.press('Tab');
			await visit.link('在应用中打开').and(visit.page.locator(':focus')).waitFor();
			expect(await visit.copies(visit.button('复制密钥'))).toBe(key.secret.base32);
			await visit.sees('已复制');
			await visit.fill({ 动态验证码: key.generate() });
			await visit.button('开启').click();
			const dialog = visit.page.getByRole('dialog');
			const shown = async () => {
				await dialog.getByRole('listitem').first().waitFor();
				const codes = await dialog.getByRole('listitem').allTextContents();
				expect(codes).toHaveLength(10);
				return codes;
			};
			const [first = ''] = await shown();
			await visit.button('我已保存').click();
			await visit.sees('还有 10 个恢复码可用');
			await visit.focuses('更换恢复码');
			await visit.button('更换恢复码').click();
			await visit.fill({ 登录密码: initialPassword, 动态验证码: first });
			await dialog.getByRole('button', { name: '更换恢复码' }).click();
			const codes = await shown();
			expect(codes).not.toContain(first);
			await visit.satisfies();
			await visit.page.emulateMedia({ media: 'print' });
			const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
			await visit.page.getByText(`账号 ${phone}，${today}`).waitFor();
			expect(await visit.page.getByRole('heading', { name: '账号安全' }).isVisible()).toBe(false);
			expect(await visit.button('我已保存').isVisible()).toBe(false);
			await visit.page.emulateMedia({ media: null });
			await visit.button('我已保存').click();
			const signInAgain = async (path: string) => {
				await visit.page.evaluate('sessionStorage.clear()');
				await visit.goto(path);
				await visit.signIn(phone, initialPassword, { waits: false });
				await visit.page.getByLabel('动态验证码').waitFor();
			};
			// The next person at this device may have no second factor, and must not see the password.
			await signInAgain('../me/');
			await visit.fill({ 用户名或手机号: adminUsername });
			expect(await visit.page.getByLabel('密码', { exact: true }).inputValue()).toBe('');
			await visit.signIn(adminUsername, adminPassword);
			await visit.heading('超级管理员');
			const give = async (code = '') => {
				await visit.fill({ 动态验证码: code });
				await visit.button('登录').click();
			};
			await signInAgain('../me/');
			await give('000000');
			await visit.sees('动态验证码错误');
			await give(codes.pop());
			await visit.page.locator('.own').waitFor();
			await signInAgain('');
			await give(codes.pop());
			await visit.page.locator('.header').waitFor();
			const office = await enter(`employees/${id}`);
			await office.more('移除两步验证');
			await office.confirm('移除两步验证');
			await office.hears('已移除两步验证');
			// An account that may not view permissions is not offered a removal, which would fail.
			const clerk = await server.addPerson((await server.addStore()).id, 'employee:view:all', 'employee:manage');
			const other = await enter(`employees/${id}`, { id: clerk.id });
			await other.sees('可以登录员工端和后台');
			await other.button('更多操作').click();
			await other.page.getByRole('menuitem').getByText('限期角色', { exact: true }).waitFor();
			expect(await other.page.getByText('移除两步验证').count()).toBe(0);
			await other.end();
			await office.more('结束登录');
			await office.confirm('结束登录');
			await office.hears('已结束登录');
			await office.end();
			await visit.goto('../me/');
			await visit.signIn(phone, initialPassword);
			await visit.sees('未开启。');
			const ends = visit.button('结束登录');
			expect(await ends.count()).toBe(0);
			const { token } = expectStatus(await server.signIn(phone), 200);
			await visit.goto('../me/');
			await visit.satisfies();
			await ends.click();
			await ends.waitFor({ state: 'detached' });
			await visit.page.locator('li:focus').waitFor();
			expect((await server.send('GET', '/api/auth/me', { token })).status).toBe(401);
			await visit.button('在所有设备上退出').click();
			await visit.satisfies();
			await visit.button('全部退出').click();
			await visit.page.getByLabel('用户名或手机号').waitFor();
		});

		test('a browser stays known to an account through sign-outs and new passwords: it sends the newest device token', async () => {
			const { name, phone } = await server.addEmployee((await server.addStore()).id, [1]);
			const visit = await Visit.open(shared, server.url);
			const sent: unknown[] = [];
			const given: unknown[] = [];
			visit.page.on('response', (response) => {
				if (!/\/(login|me\/password)$/.test(response.url()) || response.request().method() === 'GET') return;
				if (!response.ok()) return;
				sent.push(response.request().headers()['device-token']);
				given.push(response.headers()['device-token']);
			});
			const own = 'a-new-password-1';
			await visit.signIn(phone, initialPassword);
			const notice = visit.page.getByText('您的密码不是自己设置的');
			await notice.waitFor();
			await visit.button(name).click();
			await visit.page.getByRole('menuitem', { name: '修改密码' }).click();
			await visit.fill({ 原密码: 'not-the-password', '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
			await visit.button('保存新密码').click();
			await visit.page.getByRole('dialog').getByText('原密码错误').waitFor();
			await visit.satisfies();
			await visit.fill({ 原密码: initialPassword });
			const letRead = await visit.holds('**/api/auth/me?*');
			await visit.button('保存新密码').click();
			await visit.hears('密码已修改');
			await letRead();
			await notice.waitFor({ state: 'hidden' });
			await visit.signOut(name);
			await visit.signIn(` +86 ${showPhone(phone)} `, own);
			expect(sent).toEqual([undefined, ...given.slice(0, -1)]);
			expect(given).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
		});

		test('two installations behind prefixes never see each other’s session, and share their own among tabs', async () => {
			await Server.with(async (other) => {
				using proxy = prefixProxy({ '/one': server.url, '/two': other.url });
				const [one, two] = ['/one', '/two'].map((prefix) => new URL(prefix, proxy.url).href) as [string, string];
				const first = await Visit.open(shared, one, '../');
				await first.page.waitForURL(/\/one\/back-office\/$/);
				const tokens = { one: new Set<string>(), two: new Set<string>() };
				shared.on('request', (request) => {
					const { authorization } = request.headers();
					if (authorization) tokens[request.url().startsWith(two) ? 'two' : 'one'].add(authorization);
				});
				await first.signIn(adminUsername, adminPassword);
				await first.link('角色').click();
				await first.link('店长').click();
				await first.heading('店长');
				await first.page.reload();
				await first.heading('店长');
				const tab = await Visit.open(shared, one, 'stores');
				await tab.page.getByRole('heading', { name: '门店' }).waitFor();
				const second = await Visit.open(shared, two, 'stores');
				// The tab signed in to the first installation asks, too.
				await first.page.goto(second.url);
				for (const { page } of [first, second]) await page.getByLabel('用户名或手机号').waitFor();
				expect([tokens.one.size, tokens.two.size]).toEqual([1, 0]);
				await second.signIn(adminUsername, adminPassword);
				await first.goto('roles');
				await first.page.getByRole('heading', { name: '角色' }).waitFor();
				await second.signOut();
				await second.page.getByLabel('用户名或手机号').waitFor();
				await first.link('门店').click();
				await first.page.getByRole('heading', { name: '门店' }).waitFor();
				expect([...tokens.one].filter((token) => tokens.two.has(token))).toEqual([]);
				await first.signOut();
				for (const { page } of [first, tab]) await page.getByLabel('用户名或手机号').waitFor();
				expect(await tab.page.locator('.header').count()).toBe(0);
				await Promise.all([first.end(), tab.end(), second.end()]);
			});
		});
	});
});
