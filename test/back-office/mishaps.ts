/** A part of `bun run test:back-office`: slow work, and things that people do unexpectedly. */
import { describe, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, initialPassword, newName, newPhone } from '../world.ts';
import { openScreens } from './screens.ts';
import { Visit } from './visit.ts';

const { browser, enter, server } = await openScreens();
/** An empty chain. */
const fresh = await Server.start({ LOGIN_THROTTLE: 'on' });
const openAsSuper = (path: string) => Visit.openAsSuper(browser, server.url, path);

test('a new chain comes from its name to the slip of a cashier', async () => {
	const visit = await Visit.openAsSuper(browser, fresh.url);
	await visit.fill({ 品牌名称: '好邻居便利' });
	await visit.page.keyboard.press('Enter');
	await visit.hears('品牌名称已保存');
	await visit.page.locator('main:focus').waitFor();
	await visit.button('新增门店').click();
	await visit.save({ 门店名称: '人民路店' }, '人民路店');
	await visit.button('新增员工').click();
	await visit.fill({ 姓名: '王芳', 手机号: newPhone() });
	await visit.choose('角色', '收银员');
	await visit.button('保存').click();
	expect(await visit.copies(visit.button('复制'))).toContain('王芳，您在“好邻居便利”的登录信息');
});

test('after many wrong passwords the sign-in says how long to wait, and then takes another one', async () => {
	const phone = newPhone();
	const visit = await Visit.open(browser, fresh.url, '../me/', 'phone');
	const { page } = visit;
	for (let tries = 0; tries < 33; tries++) await fresh.signIn(phone, 'a-wrong-password');
	const locked = page.locator('.sign-in:has([type=submit][aria-disabled=true])', { hasText: /秒后可重试/ }).waitFor();
	// On a busy machine the wait of a second may be over. Each try that comes too late doubles it.
	for (let status = 0; status !== 429; ) {
		const answer = page.waitForResponse('**/api/auth/employee/login');
		await visit.signIn(phone, 'a-wrong-password', { waits: false });
		status = (await answer).status();
	}
	await locked;
	await page.locator('[type=submit][aria-disabled=false]').waitFor();
});

test('an outage is announced and keeps a form; after it the form is saved', async () => {
	const visit = await enter('stores');
	const name = newName('断电时的门店');
	const notice = visit.page.getByText('服务暂时不可用');
	await visit.button('新增门店').click();
	await visit.fill({ 门店名称: name });
	renameSync(server.data, `${server.data}-away`);
	try {
		await visit.page.keyboard.press('Enter');
		await notice.waitFor();
		await visit.satisfies();
	} finally {
		renameSync(`${server.data}-away`, server.data);
	}
	await notice.waitFor({ state: 'hidden' });
	await visit.sees('服务已恢复');
	await visit.save({}, name);
});

test('a page that could not be loaded without a network shows itself when the network is back', async () => {
	const visit = await openAsSuper('stores');
	await visit.page.context().setOffline(true);
	await visit.page.getByRole('navigation').getByRole('link', { name: /角色/ }).click();
	await visit.page.getByText('无法连接服务器').waitFor();
	await visit.button('刷新页面').waitFor();
	// React logs errors caught by a boundary.
	expect(visit.complaints.splice(0)).toEqual([expect.stringContaining('a script could not be loaded')]);
	await visit.page.context().setOffline(false);
	await visit.link('店长').waitFor();
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
		await visit.heading('角色');
		await server.asSuper('PATCH', `/api/employees/${person.id}/status`, { status: 'INACTIVE' });
		await visit.page.getByRole('navigation').getByRole('link', { name: /^角色/ }).click();
		await visit.link('店长').click();
		await visit.sees('账号已被禁用');
		await visit.signIn(other.phone, initialPassword);
		await visit.heading('门店');
	});
});

describe('lists and addresses', () => {
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
	});
});

describe('forms', () => {
	test('after a form on the first page of a tab, the way back leaves the page at once', async () => {
		const visit = await openAsSuper('stores');
		const form = visit.page.getByRole('dialog', { name: '新增门店' });
		for (let times = 0; times < 2; times++) {
			await visit.button('新增门店').click();
			await form.waitFor();
			await visit.page.goBack();
			await form.waitFor({ state: 'hidden' });
		}
		await visit.page.goBack();
		await visit.page.waitForURL('about:blank');
		await visit.load('roles/new');
		await visit.heading('新增角色');
		await visit.page.goBack();
		await visit.page.waitForURL('about:blank');
	});

	test('a keyboard alone opens, leaves and finishes forms, and the focus returns to where it was', async () => {
		const { id, name } = await server.addStore();
		const visit = await enter('stores');
		const { page } = visit;
		await visit.button('新增门店').focus();
		await page.keyboard.press('Enter');
		const field = page.getByLabel('门店名称');
		await field.and(page.locator(':focus')).waitFor();
		await page.keyboard.type('夜班');
		await page.keyboard.press('Escape');
		await visit.focuses('继续编辑');
		await page.keyboard.press('Enter');
		await page.getByRole('dialog', { name: '放弃未保存的修改？' }).waitFor({ state: 'hidden' });
		expect(await field.inputValue()).toBe('夜班');
		await page.keyboard.press('Escape');
		await visit.confirm('放弃');
		await visit.closes();
		await visit.focuses('新增门店');
		await visit.link(name).focus();
		await page.keyboard.press('Enter');
		await visit.heading(name);
		await visit.goto(`stores/${id}`);
		await visit.button('禁用').focus();
		await page.keyboard.press('Enter');
		// The button that changes nothing has the focus.
		await visit.focuses('取消');
		await page.keyboard.press('Enter');
		await visit.closes();
		await visit.focuses('禁用');
	});

	test('a keyboard alone hires an employee', async () => {
		const store = await server.addStore({ name: '人民路店' });
		await server.addStore();
		const visit = await enter('overview');
		const { keyboard } = visit.page;
		/** Types, waits for the result, and presses keys. */
		const type = async (text: string, found: string | undefined, ...keys: string[]) => {
			await keyboard.type(text);
			if (found)
				await visit.page.getByRole('option', { name: found }).or(visit.page.getByTitle(found)).last().waitFor();
			for (const key of keys) await keyboard.press(key);
		};
		await visit.settles();
		await visit.find();
		await type('xzyg', '新增员工', 'Enter');
		await visit.page.getByRole('dialog', { name: '新增员工' }).getByLabel('姓名').waitFor();
		await type('键盘新人', undefined, 'Tab');
		await type(newPhone(), undefined, 'Tab');
		await type(store.name, store.name, 'Enter', 'Tab');
		await type('收银员', '收银员', 'Enter', 'Escape');
		const focused = () => visit.page.evaluate<string>('document.activeElement.textContent');
		while ((await focused()) !== '保存') await keyboard.press('Tab');
		await keyboard.press('Enter');
		await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	});

	test('the way back, a reload and closing the tab ask before typed text is dropped, as Escape does', async () => {
		const visit = await enter('employees');
		const { page } = visit;
		const form = page.getByRole('dialog', { name: '新增门店' });
		const question = page.getByRole('dialog', { name: '放弃未保存的修改？' });
		await visit.page.getByRole('navigation').getByRole('link', { name: /^门店/ }).click();
		await visit.button('新增门店').click();
		await form.waitFor();
		await page.goBack();
		await form.waitFor({ state: 'hidden' });
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '夜班' });
		await page.goBack();
		await question.waitFor();
		// One at a time.
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
	});
});

describe('long work', () => {
	test('a button that reads first says so, and its form does not follow to another page', async () => {
		const { id: storeId } = await server.addStore();
		const { id } = await server.addEmployee(storeId, [], { name: '回来的人' });
		await server.asSuper('DELETE', `/api/employees/${id}`);
		const { id: point } = await server.addPoint('till:refund', { title: '退款' });
		const visit = await openAsSuper('employees?status=DELETED');
		await visit.link('角色').click();
		await visit.button('自定义权限').click();
		const letGo = await visit.holds(new RegExp(`/api/(permissions/points/${point}|employees/options)$`));
		const place = async () => (await visit.button('删除 退款').boundingBox())?.x ?? 0;
		const before = await place();
		await visit.button('编辑 退款').click();
		await visit.page.locator('.row-actions .ant-btn-loading').waitFor();
		// Nobody presses a button that moves away.
		expect([before > 0, await place()]).toEqual([true, before]);
		// Its form does not follow to another page.
		await visit.link('员工').click();
		await visit.button('返岗').click();
		const form = visit.page.getByRole('dialog', { name: '“回来的人”返岗' });
		await form.waitFor();
		const answer = visit.page.waitForResponse(new RegExp(`/points/${point}$`));
		await letGo();
		await answer;
		await form.getByLabel('门店', { exact: true }).and(visit.page.locator(':focus')).waitFor();
		expect(await visit.page.getByRole('dialog').count()).toBe(1);
		await form.getByRole('button', { name: '返岗' }).click();
		await visit.heading('回来的人');
	});

	test('an action of the search is forgotten if its page is left before it has loaded', async () => {
		const visit = await openAsSuper('employees');
		await visit.settles();
		const letGo = await visit.holds('**/*.js');
		await visit.find('xzmd');
		await visit.page.getByRole('option', { name: '新增门店' }).click();
		await visit.sees('正在加载…');
		await visit.link('员工').click();
		await visit.heading('员工');
		await letGo();
		await visit.link('门店').click();
		await visit.button('新增门店').waitFor();
		expect(await visit.page.getByRole('dialog').count()).toBe(0);
	});

	test('an export says that it runs, and afterwards that it is done', async () => {
		const visit = await openAsSuper('employees');
		const letGo = await visit.holds('**/api/employees/export?*');
		const exported = visit.exports();
		await visit.page.getByRole('status').getByText('正在导出…').waitFor();
		await letGo();
		await exported;
		await visit.hears(/已导出 员工_[-0-9]+\.xlsx/);
		await visit.page.getByText('正在导出…').waitFor({ state: 'hidden' });
	});
});

test.each(['desktop', 'phone'] as const)(
	'on a %s an import is found by who did it, and taken back but for somebody who was changed since',
	async (kind) => {
		await Server.with(async (server) => {
			await server.addStore({ name: '人民路店' });
			const visit = await Visit.enter(browser, server, 'employees/import', { kind });
			const lines = ['张三', '李四', '王五'].map((name) => `${name},${newPhone()},人民路店`);
			await visit.chooseFile(['姓名,手机号,门店', ...lines]);
			await visit.button('导入 3 名员工').click();
			await visit.closeSlips();
			await server.asSuper('PATCH', '/api/employees/2', { leavesOn: '2999-12-31' });
			await visit.goto('history');
			if (kind === 'phone') await visit.button('筛选').click();
			await visit.choose('操作人', '超级管理员', visit.page);
			await visit.sees('今天');
			const imported = visit.page.locator('tr, .card', { hasText: 'admin 导入了 3 名员工' });
			await imported.locator('.row-link').click();
			await visit.page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click();
			await visit.sees('修改了最后工作日：李四');
			await visit.satisfies();
			await visit.confirm('撤销其余 2 名');
			await visit.hears('已撤销对 2 名员工的更改');
			await visit.goto('employees');
			await visit.link('李四').waitFor();
			await visit.counts(1);
			await visit.end();
		});
	},
);

test('a name of emoji and twenty roles fit a phone', async () => {
	const { id: storeId } = await server.addStore();
	const roles: number[] = [];
	while (roles.length < 20) roles.push((await server.addRole()).id);
	const { id } = await server.addEmployee(storeId, roles, { name: '👩🏽‍💻'.repeat(12) });
	const visit = await enter(`employees/${id}`, { kind: 'phone' });
	await visit.settles();
	expect(await visit.page.getByText('没有后台权限', { exact: true }).count()).toBe(1);
	await visit.satisfies();
	await visit.goto('employees');
	await visit.sees(/20 个：/);
	await visit.satisfies();
});
