/** Employees in the back office: hired, edited, moved and deleted, one or many. In a real Chromium. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { showPhone } from '../src/platform/vocabulary/phone.ts';
import { openScreens } from './back-office/screens.ts';
import { renewal, Visit } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort } from './full.ts';
import { dayIn } from './server.ts';
import { textsIn } from './spreadsheets.ts';
import { adminUsername, expectStatus, newPhone } from './world.ts';

const { browser, enter, server } = await openScreens();

/** Runs in a page: records in `places` where its content begins. Resolves after sixty frames. */
const recordPlaces = `new Promise((resolve) => {
	window.places = new Set();
	let frames = 0;
	const record = () => {
		const main = document.querySelector('main');
		if (main) places.add(main.getBoundingClientRect().top);
		if (++frames === 60) resolve();
		requestAnimationFrame(record);
	};
	record();
})`;

interface Place {
	left: number;
	right: number;
}

/** An expression for the page: where the first and the last character of a match stand in the text of an element. */
const placesIn = (selector: string, pattern: string) => `(() => {
	const texts = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT);
	while (!new RegExp('${pattern}').test(texts.currentNode.data)) texts.nextNode();
	const { index, 0: match } = new RegExp('${pattern}').exec(texts.currentNode.data);
	return [index, index + match.length - 1].map((at) => {
		const range = document.createRange();
		range.setStart(texts.currentNode, at);
		range.setEnd(texts.currentNode, at + 1);
		const { left, right } = range.getBoundingClientRect();
		return { left, right };
	});
})()`;

describe.skipIf(skipped)('employees in the back office', () => {
	test('the first page warns the owner if slips name an address that only this machine reaches', async () => {
		const visit = await enter('overview');
		await visit.sees(/^密码纸条上的网址 .* 只能在这台电脑上打开/);
	});

	test('a manager who hires into one store only does not choose it, and sees the new password once', async () => {
		const store = await server.addStore();
		const { id } = await server.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const visit = await enter('employees', { id });
		await visit.button('新增员工').click();
		const form = visit.page.getByRole('dialog');
		await form.getByText(store.name).waitFor();
		await form.getByText('不选角色的员工没有任何权限').waitFor();
		expect(await form.getByRole('combobox').count()).toBe(1);
		// A lead sees only the roles that a lead may assign.
		await form.getByRole('combobox').click();
		const offered = visit.page.locator('.ant-select-item-option:visible');
		await offered.filter({ hasText: '收银员' }).waitFor();
		expect(await offered.allTextContents()).not.toContain('管理员');
		await visit.page.keyboard.press('Escape');
		const hired = newPhone();
		// Enter sends the form, also while the number is looked up.
		const lookUp = /api\/employees\?keyword=/;
		const letGo = await visit.holds(lookUp);
		const asked = visit.page.waitForRequest(lookUp);
		await visit.fill({ 姓名: '新来的', 手机号: hired });
		await asked;
		await visit.page.keyboard.press('Enter');
		await letGo();
		await visit.heading('新来的');
		// Closing asks first while the password was not copied. Afterwards it is not on the page.
		const slip = visit.page.getByRole('dialog', { name: '新来的 的一次性密码' });
		const password = (await slip.getByRole('definition').nth(1).textContent()) ?? '';
		await visit.focuses('复制');
		await slip.getByRole('button', { name: '关闭' }).last().click();
		await visit.confirm('返回');
		const copied = await visit.copies(slip.getByRole('button', { name: '复制' }));
		await visit.hears('已复制');
		for (const text of ['新来的', `${server.url}/me/`, hired, password]) expect(copied).toContain(text);
		await slip.getByRole('button', { name: '关闭' }).last().click();
		await slip.waitFor({ state: 'hidden' });
		expect(await visit.page.content()).not.toContain(password);
		// The caller's own account gets none here. A refusal names those who cannot have one; the others can.
		await server.addEmployee(store.id, [1], { name: '上级' });
		await visit.goto('employees');
		await visit.link('新来的').waitFor();
		expect(await visit.page.getByRole('columnheader', { name: '门店' }).count()).toBe(0);
		await visit.page.getByRole('checkbox', { name: '选择本页' }).check();
		await visit.satisfies();
		await visit.button('启用').click();
		await form.getByText('选中的员工包括您自己。').waitFor();
		await visit.confirm('取消');
		await visit.button('重置密码').click();
		await form.getByText(/^2 名员工将得到一次性密码.*另外 1 名员工是您自己，保持不变。$/).waitFor();
		await visit.confirm('重置密码');
		await form.getByText('1 名员工不能这样更改').waitFor();
		await form.and(visit.page.locator(':focus')).waitFor();
		await form.getByText(/：上级$/).waitFor();
		await visit.button('取消选择他们，只更改其余 1 名员工').press('Enter');
		await form.and(visit.page.locator(':focus')).waitFor();
		await form.getByText('1 名员工将得到一次性密码').waitFor();
		expect(await form.getByText('不能这样更改').count()).toBe(0);
		await visit.confirm('重置密码');
		await slip.waitFor();
		await visit.closeSlips();
		// The home page says why before the form is sent, for employees they do not manage.
		await visit.goto('');
		await visit.button('重置密码').click();
		const person = form.getByLabel('员工', { exact: true });
		await person.click();
		await offered.first().waitFor();
		const search = /employees\?.*search=/;
		await visit.page.route(search, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
		await person.fill('没找到');
		await visit.page.getByText('服务器返回了意外的结果（500）').waitFor();
		const letFind = await visit.holds(search);
		await person.fill('上级');
		await visit.page.getByText('正在搜索…').waitFor();
		await person.press('Enter');
		await letFind();
		expect(await person.inputValue()).toBe('上级');
		await visit.page.locator('.ant-select-item-option', { hasText: '上级' }).click();
		await form.getByText('不能操作该员工：您没有').waitFor();
		expect(await form.getByRole('button', { name: '重置密码' }).isDisabled()).toBe(true);
		await visit.choose('员工', '新来的');
		await form.getByText('不能操作该员工').waitFor({ state: 'hidden' });
		await form.getByRole('button', { name: '重置密码' }).click();
		await slip.waitFor();
	});

	test('the notice about the password comes with the page and does not push it away under a click', async () => {
		const { id } = await server.addPerson((await server.addStore()).id, 'employee:view:store', 'employee:manage');
		const visit = await enter('employees', { id });
		const notice = visit.page.getByText('您的密码不是自己设置的');
		await notice.waitFor();
		const account = visit.page.waitForResponse((response) => response.url().endsWith('/api/auth/me?include=reach'));
		await visit.page.route('**/api/auth/me/password', async (route) => {
			await account;
			await visit.sees('正在加载…');
			await visit.page.evaluate(recordPlaces);
			await route.continue();
		});
		const answered = visit.page.waitForResponse('**/api/auth/me/password');
		await visit.goto('employees');
		await answered;
		await visit.button('新增员工').waitFor();
		await notice.waitFor();
		expect(await visit.page.evaluate<number[]>('[...places]')).toHaveLength(1);
		await visit.page.unroute('**/api/auth/me/password');
	});

	test('all found employees are moved at once after a preview, and moved back', async () => {
		const [store, goal] = [await server.addStore(), await server.addStore()];
		for (let i = 0; i < 22; i++) await server.addEmployee(store.id, i ? [] : [3]);
		const visit = await enter(`employees?storeId=${store.id}`);
		const bar = visit.page.getByRole('region', { name: '已选员工' });
		const form = visit.page.getByRole('dialog');
		const inGoal = async () => (await server.read(`/api/employees?storeId=${goal.id}`)).pagination.total;
		const boxes = visit.page.getByRole('checkbox', { name: /^选择 / });
		await boxes.first().focus();
		await visit.page.keyboard.press('Space');
		await bar.getByText('已选 1 名员工').waitFor();
		// Employees of the first page stay selected on the second. Until that has loaded, nobody can be selected.
		const letGo = await visit.holds(/employees\?.*page=2/);
		await visit.page.getByRole('listitem', { name: '2' }).click();
		await visit.page.getByRole('checkbox', { name: '选择本页', disabled: true }).waitFor();
		await letGo();
		await visit.page.getByRole('checkbox', { name: '选择本页' }).check();
		await bar.getByText('已选 3 名员工').waitFor();
		await bar.getByRole('button', { name: '取消选择' }).click();
		await bar.waitFor({ state: 'hidden' });
		await visit.page.locator('main:focus').waitFor();
		await boxes.first().check();
		const all = bar.getByRole('button', { name: '选择全部 22 名' });
		await visit.page.route(/employees\?.*pageSize=100/, (route) => route.fulfill({ status: 500 }), { times: 1 });
		await all.click();
		await visit.hears('服务器返回了意外的结果');
		await all.click();
		await bar.getByText('已选 22 名员工').waitFor();
		// The button has gone, and the keyboard goes on in the bar.
		await bar.and(visit.page.locator(':focus')).waitFor();
		await bar.getByRole('button', { name: '禁用' }).click();
		await form.getByText('22 名员工将无法登录').waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.focuses('禁用');
		await bar.getByRole('button', { name: '调店' }).click();
		expect(await form.getByRole('button', { name: '调店' }).isDisabled()).toBe(true);
		await visit.choose('门店', goal.name);
		await form.getByText(`22 名员工将调到“${goal.name}”。`).waitFor();
		expect(await inGoal()).toBe(0);
		await visit.confirm('调店');
		await visit.hears('22 名员工已调店');
		// The button that had the focus has gone.
		await visit.page.locator('#main:focus').waitFor();
		expect(await inGoal()).toBe(22);
		await visit.button('撤销').click();
		await visit.hears('已撤销对 22 名员工的更改');
		await visit.page.locator('#main:focus').waitFor();
		expect(await inGoal()).toBe(0);
		await visit.follow('history');
		await visit.sees('admin 撤销了对 22 人的更改');
		await visit.sees(`admin 把 22 人 调到“${goal.name}”`);
	});

	test.each(['desktop', 'phone'] as const)('no bar of a list covers what has the focus, on a %s', async (kind) => {
		const store = await server.addStore();
		for (let i = 0; i < 20; i++) await server.addEmployee(store.id);
		const visit = await enter(`employees?storeId=${store.id}`, { kind });
		// With a zoom of 200 %, or while the keyboard of a phone is open.
		await visit.page.setViewportSize({ width: kind === 'phone' ? 390 : 800, height: 420 });
		const boxes = visit.page.getByRole('checkbox', { name: /^选择 / });
		await boxes.nth(5).waitFor();
		expect(await visit.hiddenByBars()).toEqual([]);
		await boxes.nth(5).check();
		await visit.page.getByRole('region', { name: '已选员工' }).waitFor();
		expect(await visit.hiddenByBars()).toEqual([]);
	});

	test('the number of slips does not decide how often the page is laid out', async () => {
		const { id } = await server.addEmployee((await server.addStore()).id);
		const visit = await enter(`employees/${id}`);
		const slip = { storeName: '城西店', phone: newPhone(), password: 'ABCDE-FGHJK', expiresAt: '2026-12-07T02:00:00Z' };
		const items = Array.from({ length: 100 }, (_, index) => ({ ...slip, id: index + 1, name: `员工 ${index}` }));
		const passwords = '**/one-time-passwords';
		await visit.page.route(passwords, (route) => route.fulfill({ json: { success: true, data: { items } } }));
		await visit.button('重置密码').click();
		const session = await visit.page.context().newCDPSession(visit.page);
		await session.send('Performance.enable');
		await visit.confirm('重置密码');
		await visit.page.locator('.slips-dialog :focus').waitFor({ state: 'attached' });
		const { metrics } = await session.send('Performance.getMetrics');
		expect(metrics.find(({ name }) => name === 'LayoutCount')?.value).toBeLessThan(items.length);
		await session.detach();
		await visit.page.unroute(passwords);
	});

	test('a one-time password that comes late is shown above an open form, and does not replace it', async () => {
		const { id } = await server.addStore();
		const visit = await enter(`stores/${id}`);
		const letGo = await visit.holds('**/one-time-passwords');
		await visit.button('新增员工').click();
		await visit.save({ 姓名: '刚来的人', 手机号: newPhone() }, '刚来的人');
		await visit.more('限期角色');
		await letGo();
		await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
		await visit.page.getByRole('dialog', { name: '“刚来的人”的限期角色' }).waitFor();
	});

	test('the form of a restoration does not move when its answers arrive, and keeps the former store', async () => {
		const store = await server.addStore();
		const { id, name } = await server.addEmployee(store.id);
		expectStatus(await server.asSuper('DELETE', `/api/employees/${id}`), 204);
		const visit = await enter(`employees?status=DELETED&storeId=${store.id}`);
		const letGo = await visit.holds(/api\/employees(\/options|\?keyword=)/);
		await visit.button('返岗').click();
		const form = visit.page.getByRole('dialog', { name: `“${name}”返岗` });
		const fields = form.getByLabel(/^(门店|角色)$/);
		const places = async () => [await fields.first().boundingBox(), await fields.last().boundingBox()];
		await fields.first().and(visit.page.locator(':focus')).waitFor();
		const before = await places();
		await letGo();
		await form.locator('.ant-btn-primary:enabled').waitFor();
		expect(await places()).toEqual(before);
		await form.getByRole('button', { name: '返岗' }).click();
		await visit.closeSlips();
		expect(await server.read(`/api/employees/${id}`)).toMatchObject({ storeId: store.id, status: 'ACTIVE' });
		// The form stays if a colleague was quicker, and its row has gone.
		expectStatus(await server.asSuper('DELETE', `/api/employees/${id}`), 204);
		await visit.goto(`employees?status=DELETED&storeId=${store.id}`);
		await visit.button('返岗').click();
		await form.waitFor();
		await visit.settles();
		expectStatus(await server.asSuper('POST', `/api/employees/${id}/restore`), 200);
		await visit.page.evaluate(renewal);
		await form.getByText('正在使用这个手机号').waitFor();
	});

	test('a right-to-left name is cut at its end, and reverses no date', async () => {
		const name = `${'أحمد '.repeat(9)}أحمد`;
		const store = await server.addStore();
		const gone = await server.addEmployee(store.id, [], { name: 'أحمد' });
		expectStatus(await server.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
		await server.addEmployee(store.id, [], { name });
		const visit = await enter(`employees?storeId=${store.id}`);
		await visit.link(name).waitFor();
		const [, shown] = (await visit.page.evaluate<Place[]>(placesIn('tbody .clipped', '^.'))) as [Place, Place];
		const box = await visit.page.locator('tbody .clipped').first().boundingBox();
		expect(shown.right).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0) + 1);
		const letGo = await visit.holds(/employees\?.*deleted=true/);
		await visit.choose('状态', '已删除', visit.page);
		// Nobody else is shown as deleted meanwhile.
		await visit.page.locator('.ant-skeleton').waitFor();
		await visit.page.getByRole('status').getByText('正在加载…').waitFor();
		await letGo();
		await visit.button('返岗').click();
		await visit.sees(/删除，曾在/);
		const [year, day] = (await visit.page.evaluate<Place[]>(placesIn('.ant-modal p', '2.*-'))) as [Place, Place];
		expect(year.left).toBeLessThan(day.left);
		await visit.end();
		await server.asSuper('PATCH', `/api/stores/${store.id}`, { name });
		const phone = await enter(`employees?storeId=${store.id}`, { kind: 'phone' });
		await phone.sees(name);
		const line = '.card dl > div';
		const [first] = (await phone.page.evaluate<Place[]>(placesIn(`${line} .clipped`, '^.'))) as [Place, Place];
		const place = await phone.page.locator(line).nth(1).boundingBox();
		expect(first.right).toBeLessThan((place?.x ?? 0) + (place?.width ?? 0) + 1);
	});

	test('the address holds filters, page and the open person, and the browser goes back through them', async () => {
		const { id: storeId, name } = await server.addStore();
		const people = [];
		for (let i = 0; i < 21; i++) people.push(await server.addEmployee(storeId));
		const visit = await enter(`employees?storeId=${storeId}&page=2`);
		await visit.page.locator('tbody tr').first().waitFor();
		expect(await visit.page.locator('tbody tr').count()).toBe(1);
		// The whole row is a link, and every way back leads to the same list.
		const list = visit.page.url();
		for (const goBack of [
			() => visit.page.goBack(),
			() => visit.link('← 员工').click(),
			() => visit.link('员工').click(),
		]) {
			// The link covers the cell.
			await visit.page.getByRole('cell', { name: showPhone(people[0].phone) }).click({ force: true });
			await visit.heading(people[0].name);
			expect(await visit.page.title()).toBe(`${people[0].name} · 员工 · 门店管理后台`);
			await goBack();
			await visit.page.waitForURL(list);
		}
		// Another page begins at its top, also one that was read before; the way back leads to the place before.
		const place = () => visit.page.evaluate<number>('Math.round(scrollY)');
		await visit.goto(`employees?storeId=${storeId}`);
		await visit.settles();
		await visit.link('操作记录').click();
		await visit.page.locator('.section').first().waitFor();
		await visit.page.evaluate('scrollTo(0, 200)');
		await visit.link('员工').click();
		await visit.heading('员工');
		expect(await place()).toBe(0);
		await visit.page.goBack();
		await visit.until('scrollY === 200');
		await visit.follow(list.slice(visit.url.length));
		const phone = showPhone(people[3].phone);
		// A pause after a space keeps it.
		const field = visit.page.getByLabel('搜索姓名或手机号');
		await field.fill(phone.slice(0, 4));
		await visit.page.waitForURL(/keyword=\d{3}$/);
		await visit.settles();
		await field.pressSequentially(phone.slice(4, -1));
		expect(await field.inputValue()).toBe(phone.slice(0, -1));
		await visit.page.waitForURL(/keyword=\d{3}\D+\d{4}\D+\d{3}$/);
		await visit.page.getByRole('row', { name: `${people[3].name} ${phone}` }).waitFor();
		await visit.link(people[3].name).focus();
		expect(visit.page.url()).not.toContain('page=');
		await visit.page.keyboard.press('Enter');
		await visit.page.waitForURL(/employees\/\d+$/);
		// The file has the order of the list: the newest first.
		await visit.follow(`employees?storeId=${storeId}`);
		await visit.counts(21);
		const rows = textsIn(readFileSync(await (await visit.exports()).path()));
		expect([rows[1]?.includes(people[20].name), rows.length]).toEqual([true, 22]);
		// An address of a version that showed people beside the list.
		await visit.follow(`employees/${people[3].id}?storeId=${storeId}&page=2`);
		await visit.page.getByRole('main').getByText(name).first().waitFor();
		// A colleague's new role has its name at once.
		await visit.follow('employees?roleId=3');
		await visit.page.locator('.filters').getByText('收银员', { exact: true }).waitFor();
		const role = await server.addRole();
		await visit.link('角色').click();
		await visit.heading('角色');
		await visit.follow(`employees?roleId=${role.id}`);
		await visit.page.locator('.filters').getByText(role.name, { exact: true }).waitFor();
		// A choice that is not offered, because it was deleted or is out of reach, applies and is shown.
		for (const path of ['employees?roleId=9999', 'stores?areaId=9999']) {
			await visit.follow(path);
			await visit.page.locator('.filters').getByText('编号 9999', { exact: true }).waitFor();
		}
		const deeper = ['employees/1/x', 'stores/1/x', 'roles/points/x', 'overview/x', 'history/1/x'];
		for (const path of ['nowhere', 'employees/abc', 'employees/0', ...deeper]) {
			await visit.follow(path);
			await visit.settles();
			expect([path, await visit.page.locator('h1').allTextContents()]).toEqual([path, ['您访问的内容不存在']]);
		}
	});

	test('an open select begins at the chosen option, in a filter and in a form, which moves an employee to another store', async () => {
		const goal = await server.addStore();
		const { id: storeId, name } = await server.addStore();
		const { id } = await server.addEmployee(storeId);
		const visit = await enter('employees?status=INACTIVE');
		const active = visit.page.locator('.ant-select-dropdown:visible .ant-select-item-option-active');
		await visit.page.getByLabel('状态', { exact: true }).focus();
		await visit.page.keyboard.press('ArrowDown');
		await active.filter({ hasText: '禁用' }).waitFor();
		await visit.follow(`employees/${id}`);
		await visit.button('编辑').click();
		await visit.page.getByRole('dialog').getByTitle(name, { exact: true }).waitFor();
		await visit.page.getByRole('dialog').getByLabel('门店', { exact: true }).focus();
		await visit.page.keyboard.press('ArrowDown');
		await active.filter({ hasText: name }).waitFor();
		await visit.choose('门店', goal.name);
		await visit.button('保存').click();
		await visit.hears('员工已保存');
		expect(await server.read(`/api/employees/${id}`)).toMatchObject({ storeId: goal.id });
	});

	test('keys open the forms of a menu, and Escape goes back; the form of a password asks before it is lost', async () => {
		const store = await server.addStore();
		const { id } = await server.addEmployee(store.id, [2]);
		const visit = await enter('stores');
		const { keyboard } = visit.page;
		const focused = visit.page.locator('.ant-dropdown-menu-item:focus');
		const letGo = await visit.holds('**/reach');
		await visit.follow(`employees/${id}`);
		await visit.button('更多操作').focus();
		await keyboard.press('Enter');
		await focused.filter({ hasText: '离职' }).waitFor();
		// An open menu does not change under the fingers when more is known.
		await keyboard.press('End');
		await focused.filter({ hasText: '删除' }).waitFor();
		await letGo();
		await visit.settles();
		await focused.filter({ hasText: '删除' }).waitFor();
		await keyboard.press('Escape');
		await visit.focuses('更多操作');
		await keyboard.press('Enter');
		await visit.page.getByRole('menuitem', { name: '调整负责的门店' }).waitFor();
		await focused.waitFor();
		await keyboard.press('Home');
		await focused.filter({ hasText: '离职' }).waitFor();
		await keyboard.press('Enter');
		await visit.page.getByRole('dialog', { name: '离职' }).locator('input:focus').waitFor();
		await keyboard.press('Escape');
		await visit.focuses('更多操作');
		// An open menu makes room for the search.
		await keyboard.press('Enter');
		await focused.waitFor();
		await visit.find();
		await visit.page.getByRole('menu').waitFor({ state: 'hidden' });
		await keyboard.press('Escape');
		await visit.focuses('更多操作');
		/** Chooses an item of the account menu with keys. */
		async function choose(item: string): Promise<void> {
			await visit.button(adminUsername).focus();
			await keyboard.press('Enter');
			await focused.waitFor();
			// The menu begins at the item that was chosen last.
			await keyboard.press('Home');
			for (const each of ['我的账号', '修改密码', '品牌名称']) {
				await focused.filter({ hasText: each }).waitFor();
				if (each === item) break;
				await keyboard.press('ArrowDown');
			}
			await keyboard.press('Enter');
		}
		await choose('品牌名称');
		await visit.page.getByRole('dialog', { name: '修改品牌名称' }).waitFor();
		await keyboard.press('Escape');
		await visit.focuses(adminUsername);
		await choose('修改密码');
		await visit.fill({ 原密码: 'typed' });
		expect(await visit.page.getByText('请输入').count()).toBe(0);
		await keyboard.press('Escape');
		// A second question could not be asked before the first has gone.
		await visit.page.getByRole('dialog', { name: '放弃未保存的修改？' }).waitFor();
		expect(await visit.page.getByLabel('原密码').inputValue()).toBe('typed');
		await visit.confirm('放弃');
		await visit.closes();
		await visit.button('编辑').click();
		await visit.fill({ 姓名: '改名' });
		expectStatus(await server.asSuper('DELETE', `/api/employees/${id}`), 204);
		await visit.button('保存').click();
		await visit.page.getByRole('dialog').getByText('员工不存在').waitFor();
		await visit.settles();
		expect(await visit.page.getByLabel('姓名', { exact: true }).inputValue()).toBe('改名');
		await visit.discard();
		// The page of a deleted employee says so, and leads to the list of the deleted.
		await visit.sees('已删除');
		await visit.sees(/^admin 删除了员工/);
		await visit.satisfies();
		await visit.button('返岗').click();
		await visit.page.getByRole('dialog', { name: '返岗' }).waitFor();
		await visit.button('取消').click();
		await choose('我的账号');
		await visit.page.waitForURL(/\/me\/$/);
		await visit.end();
		// The name is only in the history, which few may read.
		const manager = await server.addPerson((await server.addStore()).id, 'employee:view:all', 'employee:manage');
		const other = await enter(`employees/${id}`, { id: manager.id });
		await other.link('查看已删除的员工').click();
		await other.button('返岗').first().waitFor();
	});

	test('an employee leaves on a day, stays, is deleted and comes back to another store, wherever the browser is', async () => {
		const [{ id: storeId }, other] = [
			await server.addStore({ name: '老店' }),
			await server.addStore({ name: '新的店' }),
		];
		const { id, name } = await server.addEmployee(storeId, [3]);
		// In this zone it is never the service's day.
		const timeZone = new Date(Date.now() + 8 * 3_600_000).getUTCHours() < 19 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
		const context = await browser.newContext({ locale: 'en-US', timezoneId: timeZone });
		const visit = await Visit.openAsSuper(context, server.url, `employees/${id}`);
		await visit.more('离职');
		const day = visit.page.getByLabel('最后工作日', { exact: true });
		await day.click();
		await visit.page.locator('.ant-picker-content th', { hasText: '一' }).waitFor();
		expect(await day.inputValue()).toBe(dayIn(0));
		await visit.satisfies();
		// A colleague was quicker.
		const change = async (body: unknown) =>
			expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, body), 200);
		await change({ leavesOn: '2999-06-30' });
		await day.fill('2999-12-31');
		await visit.button('保存').click();
		await visit.page.getByText('我的：“2999-12-31”').click();
		await visit.button('保存').click();
		await visit.hears('最后工作日已保存');
		await visit.sees('2999-12-31 离职');
		await visit.more('修改最后工作日');
		await visit.until("document.querySelector('[role=dialog] input')?.value === '2999-12-31'");
		await visit.save({ 最后工作日: '2999-11-30' });
		await visit.sees('2999-11-30 离职');
		await visit.more('撤销离职');
		const later = newPhone();
		const changed = await change({ remark: '改天回来', phone: later });
		const time = new Date(changed.updatedAt).toLocaleTimeString('sv-SE', { timeZone, timeStyle: 'short' });
		await visit.confirm('撤销离职');
		// A colleague saved first.
		for (const told of ['备注改为“改天回来”', `手机号改为“${later}”`])
			await visit.page.getByText(`admin ${time} 将${told}`, { exact: true }).waitFor();
		expect(await visit.page.getByRole('dialog').getByRole('button', { name: '撤销离职' }).isDisabled()).toBe(true);
		// It destroys nothing.
		expect(await visit.page.locator('[role=dialog] .ant-btn-dangerous').count()).toBe(0);
		await visit.page.locator('[role=dialog]:focus').waitFor();
		await visit.confirm('取消');
		await visit.more('撤销离职');
		await visit.confirm('撤销离职');
		await visit.hears('已撤销离职');
		await visit.more('限期角色');
		await visit.choose('角色', '后厨');
		expectStatus(await server.asSuper('POST', `/api/employees/${id}/roles`, { roleId: 4, until: '2999-06-30' }), 200);
		await visit.save({ 到期日: '2999-12-31' });
		await visit.sees('内容已被他人修改');
		await visit.sees('“后厨”现在到 2999-06-30 为止');
		// Their change to something else is no reason to ask again.
		await change({ remark: '夜班' });
		await visit.save({});
		await visit.sees('到 2999-12-31');
		await visit.more('结束登录');
		await change({ remark: '早班' });
		await visit.confirm('结束登录');
		await visit.hears('已结束登录');
		await visit.end();
		// The menu of a working employee has no deletion.
		expectStatus(await server.signIn(later), 200);
		const office = await enter(`employees/${id}`);
		const offered = async () => {
			await office.button('更多操作').click();
			await office.page.getByRole('menuitem').first().waitFor();
			const verbs = await office.page.locator('.choice > span').allTextContents();
			await office.page.keyboard.press('Escape');
			return verbs;
		};
		await office.page.getByText('最近登录').waitFor();
		expect(await offered()).toEqual(['离职', '禁用', '限期角色', '结束登录']);
		await change({ status: 'INACTIVE' });
		await office.goto(`employees/${id}`);
		expect(await offered()).toEqual(['启用', '限期角色', '删除']);
		await change({ leavesOn: '2999-12-31' });
		await office.goto(`employees/${id}`);
		expect(await offered()).toEqual(['修改最后工作日', '撤销离职', '启用', '限期角色', '删除']);
		// A deleted employee comes back at once, or later from the list of the deleted.
		await office.more('删除');
		await office.sees(`“${name}”将被删除`);
		await office.confirm('删除');
		await office.hears(`“${name}”已删除`);
		await office.page.waitForURL(/employees$/);
		await office.button('撤销').click();
		await office.hears('已撤销对 1 名员工的更改');
		await office.link(name).waitFor();
		expectStatus(await server.asSuper('DELETE', `/api/employees/${id}`), 204);
		await server.asSuper('PATCH', `/api/stores/${storeId}`, { status: 'INACTIVE' });
		await office.goto(`employees?status=DELETED&keyword=${encodeURIComponent(name)}`);
		await office.page.locator('.filter-choice', { hasText: '已删除' }).waitFor();
		// The store and the status: a deleted employee holds no role, and needs no attention.
		expect(await office.page.locator('.filter-choice').count()).toBe(2);
		await office.button('返岗').click();
		await office.sees('原门店“老店”已删除或已禁用');
		await office.sees('姓名、备注、工号和操作记录一并恢复');
		await office.choose('门店', '新的店');
		await office.page.getByRole('dialog').getByRole('button', { name: '返岗' }).click();
		await office.heading(name);
		// They never had a password of their own.
		await office.closeSlips();
		const back = await server.read(`/api/employees/${id}?include=activity`);
		expect(back).toMatchObject({ storeId: other.id, status: 'ACTIVE', leavesOn: null });
		expect(back.roles.map((role: { id: number }) => role.id)).toEqual([3, 4]);
		// The program disabled the employee after the last day. They can be enabled again.
		server.alter((database) => {
			const left = "update employees set leaves_on = '2026-01-01', status = 'INACTIVE' where id = ?";
			database.run(left, [id]);
		});
		await office.goto(`employees/${id}`);
		await office.button('更多操作').click();
		await office.page.getByText('账号重新启用，最后工作日清空').click();
		await office.confirm('启用');
		await office.sees('可以登录员工端');
	});

	test('a printed list has its filters, but no menu and no buttons; a keyboard can skip the menu', async () => {
		const { id, name } = await server.addEmployee((await server.addStore()).id, [], { name: '王芳' });
		const visit = await enter(`employees/${id}`);
		await visit.button('编辑').waitFor();
		await visit.page.keyboard.press('Tab');
		await visit.page.keyboard.press('Enter');
		await visit.page.locator('main:focus').waitFor();
		await visit.page.emulateMedia({ media: 'print' });
		expect(await visit.page.getByRole('heading', { name }).isVisible()).toBe(true);
		for (const gone of [visit.link('门店'), visit.button('编辑'), visit.button(adminUsername)]) {
			expect(await gone.isVisible()).toBe(false);
		}
		await visit.follow('employees?status=ACTIVE&keyword=王');
		await visit.page.getByText(/^打印于 \d{4}-\d\d-\d\d \d\d:\d\d$/).waitFor();
		await visit.page.locator('.filters').getByText('启用').waitFor();
		await visit.page.getByRole('columnheader').first().waitFor();
		expect(await visit.page.getByLabel('搜索姓名或手机号').inputValue()).toBe('王');
		const filters = visit.page.locator('.filters > *').filter({ visible: true });
		expect(await filters.count()).toBe(2);
		// On paper other columns would leave no room for names.
		const heads = await visit.page.getByRole('columnheader').allTextContents();
		expect(heads).toEqual(['姓名', '手机号', '门店', '角色']);
	});

	describe.skipIf(isShort)('further ways', () => {
		test('a refusal stands at its field and drops nothing that was typed, and HTML in a name is text', async () => {
			const { name: store } = await server.addStore();
			const { name: role } = await server.addRole();
			const taken = await server.addEmployee((await server.addStore()).id);
			const visit = await enter('employees');
			await visit.button('新增员工').click();
			await visit.button('保存').click();
			await visit.sees('请输入手机号');
			// Leaving a field shows its error, whatever is missing in other fields. Typing removes it.
			await visit.fill({ 手机号: '123' });
			await visit.page.getByText('请输入手机号').waitFor({ state: 'hidden' });
			await visit.page.keyboard.press('Tab');
			await visit.sees('请输入 11 位手机号');
			await visit.fill({ 姓名: '<b>王芳</b>', 手机号: taken.phone });
			await visit.choose('门店', store);
			await visit.choose('角色', role);
			await visit.page.keyboard.press('Escape');
			await visit.button('保存').click();
			const field = visit.page.locator('.ant-form-item', { hasText: '手机号' });
			await field.getByText(`手机号已存在：${taken.name}（${taken.storeName}）`).waitFor();
			expect(await visit.page.getByLabel('姓名', { exact: true }).inputValue()).toBe('<b>王芳</b>');
			await visit.save({ 手机号: '+86 138-1234-5678' });
			await visit.sees('138 1234 5678');
			await visit.heading('<b>王芳</b>');
			expect(await visit.page.locator('main b, .ant-drawer b').count()).toBe(0);
		});

		test('stores and roles are picked by pinyin and initials, in forms and filters, among thousands of stores', async () => {
			const at = new Date().toISOString();
			const facts = { status: 'ACTIVE', created_at: at, updated_at: at };
			const rows = Array.from({ length: 3000 }, (_, index) => ({ name: `${index}号分店`, ...facts }));
			server.insert('stores', rows);
			const store = await server.addStore({ name: '拼音路店' });
			await server.addEmployee(store.id);
			const role = expectStatus(await server.asSuper('POST', '/api/roles', { code: 'quyu', name: '片区经理' }), 201);
			server.grantExactly([[role.id, ['store:view']]]);
			// A page that needs no stores, so that its requests are not mistaken for those of the next page.
			const visit = await enter('roles');
			await visit.page.waitForLoadState('networkidle');
			const asked: string[] = [];
			visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
			await visit.link('员工').click();
			await visit.page.getByRole('row').nth(1).waitFor();
			await visit.page.waitForLoadState('networkidle');
			expect(asked.filter((path) => /^\/api\/(stores|employees\/options)$/.test(path))).toEqual([]);
			const option = visit.page.locator('.ant-select-item-option:visible');
			const picks = async (place: Page | Locator, label: string, typed: string, name: string) => {
				await place.getByLabel(label, { exact: true }).click();
				await option.first().waitFor();
				expect(await option.count()).toBeLessThan(50);
				await visit.page.keyboard.type(typed);
				await option.filter({ hasText: name }).waitFor();
				expect(await option.allTextContents()).toEqual([name]);
				await option.click();
				// Leaving the field right away closes the list and selects nothing else.
				await visit.page.keyboard.press('Tab');
				await option.first().waitFor({ state: 'hidden' });
			};
			await picks(visit.page, '门店', 'pyld', store.name);
			await visit.page.waitForURL(new RegExp(`storeId=${store.id}`));
			await visit.button('新增员工').click();
			const form = visit.page.getByRole('dialog');
			await picks(form, '门店', 'pinyinl', store.name);
			await picks(form, '角色', 'pqjl', role.name);
			expect(await form.locator('.ant-select-selection-item').allTextContents()).toEqual([role.name]);
		});

		test('a form whose stores and roles could not be loaded says so, and offers them once they are', async () => {
			const [, store] = [await server.addStore(), await server.addStore({ name: '先知道的店' })];
			const visit = await enter(`stores/${store.id}`);
			const options = '**/api/employees/options';
			const held = Promise.withResolvers<void>();
			await visit.page.route(options, async (route) => {
				await held.promise;
				await route.fulfill({ status: 500, body: '' });
			});
			await visit.button('新增员工').click();
			const form = visit.page.getByRole('dialog');
			// The store is known before the others.
			await form.getByText(store.name).waitFor();
			held.resolve();
			await form.getByText('加载失败').first().waitFor();
			await visit.satisfies();
			await visit.page.unroute(options);
			await visit.button('重试').first().click();
			await form.getByText('加载失败').first().waitFor({ state: 'hidden' });
			await visit.settles();
			await visit.choose('门店', store.name);
		});

		test('an open form gives back no role that a colleague withdrew, shows clashing values, and loses nothing typed', async () => {
			const role = await server.addRole();
			const { id } = await server.addEmployee((await server.addStore()).id, [role.id]);
			const visit = await enter(`employees/${id}`);
			const form = visit.page.getByRole('dialog', { name: '编辑员工' });
			const change = async (body: unknown) =>
				expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, body), 200);
			const read = () => server.read(`/api/employees/${id}`);
			await visit.button('编辑').click();
			await change({ roleIds: [], name: '改过的名字' });
			await visit.save({ 备注: '早班' });
			await visit.hears(/员工已保存。admin \d\d:\d\d 将姓名改为“改过的名字”。admin \d\d:\d\d 清空了角色/);
			expect(await read()).toMatchObject({ name: '改过的名字', roles: [], remark: '早班' });
			await visit.button('编辑').click();
			const [mine, theirs] = [newPhone(), newPhone()];
			await visit.fill({ 手机号: mine, 备注: '我的备注' });
			await change({ phone: theirs, name: '同事改的' });
			await visit.button('保存').click();
			const clash = (label: string) => form.getByRole('group', { name: label });
			await clash('手机号').getByText(`我的：“${mine}”`).waitFor();
			await clash('手机号')
				.getByText(new RegExp(`对方的：admin .* 改为“${theirs}”`))
				.waitFor();
			expect(await form.getByLabel('姓名', { exact: true }).inputValue()).toBe('同事改的');
			expect(await form.getByRole('button', { name: '保存' }).isDisabled()).toBe(true);
			await visit.satisfies();
			await clash('手机号').getByText('对方的').click();
			expect(await form.getByLabel('手机号', { exact: true }).inputValue()).toBe(theirs);
			await clash('手机号').getByText('我的').click();
			await change({ remark: '第三个人的备注' });
			await visit.button('保存').click();
			await clash('备注').getByText('对方的').click();
			await visit.button('保存').click();
			await form.waitFor({ state: 'hidden' });
			expect(await read()).toMatchObject({ name: '同事改的', phone: mine, remark: '第三个人的备注' });
		});

		test('a typed number names the employee who has or had it: a former one comes back, or is a new one on purpose', async () => {
			const store = await server.addStore({ name: '静安寺店' });
			const goal = await server.addStore({ name: '返岗去的店' });
			const [gone, stays] = [
				await server.addEmployee(store.id, [3], { name: '林超' }),
				await server.addEmployee(store.id, [], { name: '朱燕' }),
			];
			const { phone } = gone;
			expectStatus(await server.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
			const visit = await enter(`stores/${goal.id}`);
			const form = visit.page.getByRole('dialog');
			const offer = form.getByText(/^这个手机号的原员工：林超，\d{4}-\d\d-\d\d 删除，曾在静安寺店$/);
			await visit.button('新增员工').click();
			await visit.fill({ 姓名: '朱小燕', 手机号: stays.phone });
			await form.getByText('“朱燕”（静安寺店）正在使用这个手机号').waitFor();
			// Going there asks first.
			await form.getByRole('link', { name: '“朱燕”' }).click();
			await visit.confirm('继续编辑');
			// With blanks and a country code it is the same number.
			await visit.fill({ 手机号: `+86 ${showPhone(phone)}` });
			await offer.waitFor();
			expect(await visit.button('保存').isDisabled()).toBe(true);
			await visit.satisfies();
			await visit.button('不是同一个人，新增员工').press('Enter');
			await visit.page.locator('.ant-alert :focus').waitFor();
			await visit.page.getByText('请先选择返岗').waitFor({ state: 'hidden' });
			await form.getByText('将新增为另一名员工').waitFor();
			await visit.save({ 姓名: '另一个人' }, '另一个人');
			await visit.closeSlips();
			// The number now has another holder: restoring names them and links to them.
			await visit.goto('employees?status=DELETED&keyword=林超');
			await visit.button('返岗').click();
			await form.getByText('“另一个人”（返岗去的店）正在使用这个手机号').waitFor();
			expect(await form.getByRole('button', { name: '返岗' }).isDisabled()).toBe(true);
			await form.getByRole('link', { name: '“另一个人”' }).click();
			await visit.heading('另一个人');
			await visit.more('删除');
			await visit.confirm('删除');
			await visit.hears('“另一个人”已删除');
			// The form offers the last holder of the number, and asks even if it is sent at once.
			await visit.goto(`stores/${goal.id}`);
			await visit.button('新增员工').click();
			await visit.fill({ 姓名: '林超', 手机号: phone });
			await visit.page.keyboard.press('Enter');
			await form.getByText(/原员工：另一个人，/).waitFor();
			expect((await server.read(`/api/employees?keyword=${phone}`)).items).toEqual([]);
			await form.getByRole('button', { name: '返岗' }).click();
			const restoring = visit.page.getByRole('dialog', { name: '“另一个人”返岗' });
			// Going back leads to the form of the new employee, as it was.
			await restoring.getByRole('button', { name: '取消' }).click();
			await restoring.waitFor({ state: 'hidden' });
			expect(await visit.page.getByLabel('姓名', { exact: true }).inputValue()).toBe('林超');
			await visit.focuses('返岗');
			await visit.button('返岗').click();
			await restoring.waitFor();
			await visit.choose('角色', '后厨', restoring);
			await visit.page.keyboard.press('Escape');
			await restoring.getByRole('button', { name: '返岗' }).click();
			await visit.hears('“另一个人”已返岗');
			const [back] = (await server.read(`/api/employees?keyword=${phone}`)).items;
			expect([back.name, back.storeName, back.roles[0].name]).toEqual(['另一个人', goal.name, '后厨']);
			// No form counts as open any more: that would keep the pages from starting afresh.
			await visit.goto('stores');
			await visit.heading('门店');
		});

		test('an employee with a pending one-time password comes back with a new one, or is shown if the answer was lost', async () => {
			const store = await server.addStore();
			const gone = await server.addEmployee(store.id, [], { name: '纸条还在' });
			const visit = await enter(`employees/${gone.id}`);
			const form = visit.page.getByRole('dialog', { name: '“纸条还在”返岗' });
			async function begin(): Promise<void> {
				expectStatus(await server.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
				await visit.goto('employees?status=DELETED&keyword=纸条还在');
				await visit.button('返岗').click();
			}
			await server.giveOneTimePassword(gone.id);
			await begin();
			await form.getByRole('button', { name: '返岗' }).click();
			await visit.closeSlips();
			await begin();
			await visit.losesAnswer('**/restore*');
			await form.getByRole('button', { name: '返岗' }).click();
			await visit.sees('无法连接服务器');
			await form.getByRole('button', { name: '返岗' }).click();
			await visit.hears('“纸条还在”之前已返岗，请核对门店和角色');
			await visit.page.waitForURL(new RegExp(`employees/${gone.id}$`));
		});

		test('pages and forms leave out stores out of reach, missing facts and lists without rows', async () => {
			const store = await server.addStore();
			await server.addStore({ name: '另一家店' });
			const area = await server.addArea();
			const [cashier, lead] = [await server.addEmployee(store.id, [3]), await server.addEmployee(store.id, [2])];
			const visit = await enter(`employees/${cashier.id}`);
			await visit.sees('可以登录员工端，没有后台权限');
			await visit.page.getByText('从未登录').waitFor();
			for (const nothing of ['负责的门店', '备注', '工号', '最后工作日'])
				expect(await visit.page.getByText(nothing).count()).toBe(0);
			await visit.button('编辑').click();
			await visit.fill({ 工号: 'P-1042' });
			// Before the page is read again.
			const letGo = await visit.holds(/api\/employees\/\d+\?/);
			await visit.button('保存').click();
			await visit.sees('P-1042');
			await letGo();
			await visit.button('更多操作').click();
			await visit.page.getByRole('menuitem').first().waitFor();
			expect(await visit.page.getByRole('menuitem', { name: '调整负责的门店' }).count()).toBe(0);
			await visit.satisfies();
			await visit.goto(`employees/${lead.id}`);
			await visit.more('调整负责的门店');
			// The first field has the focus. The areas come later, below it.
			await visit.page.getByRole('dialog').getByLabel('区域', { exact: true }).waitFor();
			await visit.page.getByRole('dialog').getByRole('combobox').first().and(visit.page.locator(':focus')).waitFor();
			await visit.choose('门店', '另一家店');
			await visit.page.getByRole('dialog').getByText('到期日', { exact: true }).waitFor();
			await visit.choose('区域', area.name);
			await visit.page.getByLabel(`“${area.name}”的到期日`).fill('2999-12-31');
			await visit.satisfies();
			await visit.button('保存').click();
			await visit.hears('负责的门店已保存');
			await visit.sees(`${area.name}（0 家门店，到 2999-12-31 为止）`);
			await visit.more('调整负责的门店');
			await visit.button(`移除“${area.name}”`).press('Enter');
			await visit.page.locator('ul:focus').waitFor({ state: 'attached' });
			await visit.button('保存').click();
			await visit.hears('负责的门店已保存');
			await visit.page.getByText(`${area.name}（0 家门店，到 2999-12-31 为止）`).waitFor({ state: 'hidden' });
			// Granted stores stay visible after the role that used them is gone.
			expectStatus(await server.asSuper('PATCH', `/api/employees/${lead.id}`, { roleIds: [3] }), 200);
			await visit.goto('stores');
			await visit.goto(`employees/${lead.id}`);
			await visit.sees('该员工的角色用不到负责的门店，以上暂时不起作用');
			const empty = await server.addStore({ name: '空店' });
			await visit.goto(`stores/${empty.id}`);
			await visit.sees('这家门店没有员工');
			for (const nothing of ['地址', '电话', '负责人', '共 0 条'])
				expect(await visit.page.getByText(nothing).count()).toBe(0);
			expect(await visit.page.getByRole('columnheader').count()).toBe(0);
			expect(await visit.page.getByLabel('搜索姓名或手机号').count()).toBe(0);
			await visit.button('新增员工').click();
			const form = visit.page.getByRole('dialog');
			const more = form.getByText('更多', { exact: true });
			const labels = () => form.locator('.ant-form-item-label').filter({ visible: true }).allTextContents();
			await more.waitFor();
			expect(await labels()).toEqual(['姓名', '手机号', '门店', '角色']);
			await more.click();
			await form.getByLabel('备注').waitFor();
			expect(await labels()).toEqual(['姓名', '手机号', '门店', '角色', '备注', '工号']);
		});

		test('a lead who hires with the number of another store’s former employee is told once, without a name', async () => {
			const [here, there] = [await server.addStore(), await server.addStore()];
			const gone = await server.addEmployee(there.id, [], { name: '别家的人' });
			expectStatus(await server.asSuper('DELETE', `/api/employees/${gone.id}`), 204);
			const { id } = await server.addPerson(here.id, 'employee:view:store', 'employee:manage');
			const visit = await enter('employees', { id, kind: 'phone' });
			await visit.button('新增员工').click();
			await visit.save({ 姓名: '新来的人', 手机号: gone.phone });
			await visit.sees('这个手机号曾属于其他门店的员工。要让该员工返岗，请联系超级管理员；如果是另一个人，请再次保存');
			expect(await visit.page.getByText('别家的人').count()).toBe(0);
			await visit.satisfies();
			await visit.button('保存').click();
			await visit.page.getByRole('dialog', { name: '新来的人 的一次性密码' }).waitFor();
		});
	});
});
