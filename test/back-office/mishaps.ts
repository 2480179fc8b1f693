/** A part of `bun run test:back-office`: what goes wrong, what takes long, and what people do that nobody expects. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { renameSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../chromium.ts';
import { hanging } from '../hanging.ts';
import { compiled, removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, initialPassword } from '../world.ts';
import { Visit } from './visit.ts';

setDefaultTimeout(hanging);

let browser: Browser;
let server: Server;
beforeAll(async () => {
	compiled();
	[browser, server] = await Promise.all([startBrowser(), Server.start()]);
});
afterAll(async () => {
	await browser.close();
	await removeFolders();
});

const openAsSuper = (path: string) => Visit.openAsSuper(browser, server.url, path);
const enter = (path: string) => Visit.enter(browser, server, path);

describe('a service that does not answer', () => {
	test('503 is a notice that disappears by itself once the server can write again, and what was typed stays', async () => {
		const visit = await enter('stores');
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '断电时的门店' });
		renameSync(server.data, `${server.data}-away`);
		try {
			await visit.button('保存').click();
			await visit.page.locator('.outage').getByText('服务暂时不可用').waitFor();
			// Two probes later it is still there.
			await visit.page.waitForTimeout(4500);
			expect(await visit.page.locator('.outage').getByText('服务暂时不可用').count()).toBe(1);
			await visit.satisfies();
		} finally {
			renameSync(`${server.data}-away`, server.data);
		}
		await visit.page.locator('.outage').getByText('服务暂时不可用').waitFor({ state: 'hidden' });
		await visit.hears('服务已恢复');
		expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('断电时的门店');
		await visit.button('保存').click();
		await visit.heading('断电时的门店');
		await visit.end();
	});

	test('a page whose script could not be loaded appears by itself once the network is back', async () => {
		const visit = await openAsSuper('stores');
		await visit.page.context().setOffline(true);
		await visit.link('角色管理').click();
		await visit.page.locator('.outage').getByText('无法连接服务器').waitFor();
		await visit.button('刷新页面').waitFor();
		// React reports what a boundary caught.
		expect(visit.complaints.splice(0)).toEqual([expect.stringContaining('a script could not be loaded')]);
		await visit.page.context().setOffline(false);
		await visit.link('店长').waitFor();
		await visit.end();
	});
});

describe('the end of a shift', () => {
	test('twelve hours after the sign-in a token is not renewed: a notice announces the end, the sign-in says why', async () => {
		const visit = await openAsSuper('stores');
		const { page } = visit;
		const [{ token_version: version }] = server.rows('select token_version from administrators');
		const now = Math.floor(Date.now() / 1000);
		const token = server.sign('SUPER_ADMIN:1', version, now, now - 12 * 3600);
		await page.evaluate((given) => {
			const stored = JSON.parse(sessionStorage.getItem('session:/') ?? '{}');
			sessionStorage.setItem('session:/', JSON.stringify({ ...stored, token: given }));
		}, token);
		await page.clock.install();
		await page.reload();
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '交班时的门店' });
		const refused = page.waitForResponse((response) => response.url().endsWith('/api/auth/renew'));
		await page.clock.fastForward('35:00');
		await page.clock.fastForward('00:30');
		expect((await refused).status()).toBe(401);
		await page.clock.fastForward('01:16:00');
		await visit.sees(/登录将在 \d 分钟内结束。请保存正在编辑的内容/);
		await page.clock.fastForward('10:00');
		await page.getByRole('dialog', { name: '门店管理后台' }).getByText('登录已满 12 小时，请重新登录').waitFor();
		await visit.signIn(adminUsername, adminPassword);
		expect(await page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('交班时的门店');
		await visit.end();
	});

	test('the next account begins at its own first page, not at the page of the last one', async () => {
		const { id: storeId } = await server.addStore();
		const [person, other] = [
			await server.addPerson(storeId, 'role:view'),
			await server.addPerson(storeId, 'store:view'),
		];
		const visit = await openAsSuper('history');
		await visit.signOut();
		await visit.signIn(person.phone, initialPassword);
		await visit.heading('角色管理');
		await server.asSuper('PATCH', `/api/employees/${person.id}/status`, { status: 'INACTIVE' });
		await visit.link('角色管理').click();
		await visit.link('店长').click();
		await visit.sees('账号已被禁用');
		await visit.signIn(other.phone, initialPassword);
		await visit.heading('门店管理');
		await visit.end();
	});
});

describe('permissions', () => {
	test('an account that sees no employees gets no links to them; without its last permission it is led to its own page', async () => {
		const store = await server.addStore();
		const role = await server.addRole('store:view');
		const { id, name } = await server.addEmployee(store.id, [role.id]);
		const visit = await Visit.enter(browser, server, `stores/${store.id}`, { id });
		await visit.page.getByRole('cell', { name }).waitFor();
		expect(await visit.link(name).count()).toBe(0);
		await server.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions: [] });
		await visit.page.reload();
		await visit.heading(name);
		expect(visit.page.url()).toEndWith('/me/');
		await visit.end();
	});
});

describe('lists and addresses', () => {
	test('a page behind the last one shows the last one, and the browser goes back from it', async () => {
		const visit = await openAsSuper('roles');
		await visit.link('店长').waitFor();
		await visit.load('roles?page=9&pageSize=20');
		await visit.page.waitForURL(/roles\?pageSize=20&page=1$/);
		await visit.link('店长').waitFor();
		await visit.page.goBack();
		await visit.page.waitForURL(/roles$/);
		await visit.end();
	});

	test('a word that an input method composes is not searched before it is complete', async () => {
		const { name } = await server.addStore({ name: '拼音门店' });
		const visit = await openAsSuper('stores');
		await visit.link(name).waitFor();
		await visit.page.getByLabel('搜索名称、地址或电话').focus();
		const client = await visit.page.context().newCDPSession(visit.page);
		await client.send('Input.imeSetComposition', { text: 'pin', selectionStart: 3, selectionEnd: 3 });
		await visit.page.waitForTimeout(800);
		expect(visit.page.url()).not.toContain('keyword');
		await client.send('Input.insertText', { text: '拼音' });
		await visit.page.waitForURL(/keyword=%E6%8B%BC%E9%9F%B3/);
		await visit.link(name).waitFor();
		await visit.end();
	});
});

describe('forms', () => {
	test('two presses of Enter send a form once', async () => {
		const visit = await openAsSuper('stores');
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '只要一家' });
		let sent = 0;
		visit.page.on('request', (request) => {
			if (request.method() === 'POST' && request.url().endsWith('/api/stores')) sent += 1;
		});
		await visit.page.route('**/api/stores', async (route) => {
			await visit.page.waitForTimeout(300);
			await route.continue();
		});
		await visit.page.keyboard.press('Enter');
		await visit.page.keyboard.press('Enter');
		await visit.sees('正在保存…');
		await visit.heading('只要一家');
		expect(sent).toBe(1);
		await visit.end();
	});

	test('a day has its label while its calendar is loaded', async () => {
		const visit = await openAsSuper('roles/programs');
		const calendar = Promise.withResolvers<void>();
		await visit.page.route('**/*.js', async (route) => {
			const response = await route.fetch();
			if ((await response.text()).includes('年-月-日')) await calendar.promise;
			await route.fulfill({ response });
		});
		await visit.button('新增接入程序').click();
		await visit.page.getByRole('dialog', { name: '新增接入程序' }).waitFor();
		const day = visit.page.getByLabel('有效期至');
		expect(await day.isDisabled()).toBe(true);
		calendar.resolve();
		await day.and(visit.page.locator(':enabled')).waitFor();
		await visit.end();
	});

	test('a keyboard alone opens, leaves and finishes forms, and the focus returns to where it was', async () => {
		const { id, name } = await server.addStore();
		const visit = await enter('stores');
		const { page } = visit;
		const focused = () => page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');
		await visit.button('新增门店').focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		// The first field has the focus.
		await page.keyboard.type('夜班');
		expect(await page.getByLabel('门店名称').inputValue()).toBe('夜班');
		await page.keyboard.press('Escape');
		await visit.page.getByRole('dialog', { name: '放弃未保存的修改？' }).waitFor();
		expect(await focused()).toBe('继续编辑');
		await page.keyboard.press('Enter');
		expect(await page.getByLabel('门店名称').inputValue()).toBe('夜班');
		await page.keyboard.press('Escape');
		await visit.confirm('放弃');
		await visit.closes();
		expect(await focused()).toBe('新增门店');
		await visit.link(name).focus();
		await page.keyboard.press('Enter');
		await visit.heading(name);
		await visit.goto(`stores/${id}`);
		await visit.button('禁用').focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		// The button that changes nothing has the focus.
		expect(await focused()).toBe('取消');
		await page.keyboard.press('Enter');
		await visit.closes();
		expect(await focused()).toBe('禁用');
		await visit.end();
	});

	test('the way back, a reload and closing the tab ask before typed text is dropped, as Escape does', async () => {
		const visit = await enter('employees');
		const { page } = visit;
		const form = page.getByRole('dialog', { name: '新增门店' });
		const question = page.getByRole('dialog', { name: '放弃未保存的修改？' });
		await visit.link('门店管理').click();
		await visit.button('新增门店').click();
		await form.waitFor();
		await page.goBack();
		await form.waitFor({ state: 'hidden' });
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '夜班' });
		await page.goBack();
		await question.waitFor();
		// Level by level.
		await page.goBack();
		await question.waitFor({ state: 'hidden' });
		for (const leave of ['location.reload()', "location.href = 'about:blank'"]) {
			const asked = page.waitForEvent('dialog');
			await page.evaluate(`setTimeout(() => { ${leave} })`);
			const dialog = await asked;
			expect(dialog.type()).toBe('beforeunload');
			await dialog.dismiss();
		}
		expect(await page.getByLabel('门店名称').inputValue()).toBe('夜班');
		expect(page.url()).toEndWith('/stores');
		await page.goBack();
		await visit.confirm('放弃');
		await form.waitFor({ state: 'hidden' });
		expect(page.url()).toEndWith('/stores');
		await page.goBack();
		await page.waitForURL(/\/employees$/);
		await visit.end();
	});
});

describe('long work', () => {
	test('an import says that it checks and imports, for how long, and of what size', async () => {
		const store = await server.addStore();
		const visit = await openAsSuper('employees/import');
		await visit.page.route('**/api/employees/import?*', async (route) => {
			await visit.page.waitForTimeout(4500);
			await route.continue();
		});
		await visit.chooseFile(['姓名,手机号,门店', `慢慢,13700000001,${store.name}`]);
		await visit.page.getByRole('status').getByText('正在上传并检查“员工.csv”（1 KB）').waitFor();
		await visit.sees(/已用 [34] 秒/);
		await visit.satisfies();
		await visit.button('导入 1 名员工').click();
		await visit.page.getByRole('status').getByText('正在导入 1 名员工').waitFor();
		await visit.hears('已新增 1 名员工');
		await visit.end();
	});

	test('an export says that it runs, and afterwards that it is done', async () => {
		const visit = await openAsSuper('employees');
		await visit.page.route('**/api/employees/export?*', async (route) => {
			await visit.page.waitForTimeout(1000);
			await route.continue();
		});
		const exported = visit.exports('XLSX');
		await visit.page.getByRole('status').getByText('正在导出…').waitFor();
		await exported;
		await visit.hears(/已导出 员工_[-0-9]+\.xlsx/);
		await visit.page.getByText('正在导出…').waitFor({ state: 'hidden' });
		await visit.end();
	});
});
