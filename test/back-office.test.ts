/** The screens of the back office in a real Chromium: what people do with stores, roles, employees and permissions. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import { showPhone } from '../src/vocabulary/phone.ts';
import { type Guest, newContext, Visit } from './back-office/visit.ts';
import { skipped, startBrowser } from './chromium.ts';
import { compiled, newFolder, removeFolders } from './program.ts';
import { Server } from './server.ts';
import { adminPassword, adminUsername, expectStatus, initialPassword, newPhone } from './world.ts';

// A busy machine takes its time.
beforeAll(() => void compiled(), 60_000);
afterAll(removeFolders);

describe.skipIf(skipped)('the screens of the back office', () => {
	let browser: Browser;
	let server: Server;
	/** Empty at first. */
	let chain: Server;
	beforeAll(async () => {
		const servers = [
			Server.start(),
			Server.start({ CHAIN_NAME: '好邻居', PUBLIC_URL: 'https://shop.example' }),
		] as const;
		[browser, server, chain] = await Promise.all([startBrowser(), ...servers]);
	});
	afterEach(Visit.closeRest);
	afterAll(() => browser?.close());

	const enter = (path = '', guest: Guest = {}) => Visit.enter(browser, server, path, guest);
	const enterChain = (path: string, guest: Guest = {}) => Visit.enter(browser, chain, path, guest);

	test('the overview begins with four steps, then says what needs attention, what ends and what happened', async () => {
		const visit = await enterChain('overview');
		const steps = visit.page.locator('.first-steps li');
		await steps.first().waitFor();
		expect((await steps.locator('strong').allTextContents()).map((text) => text.slice(3))).toEqual([
			...['门店', '角色', '员工', '密码'],
		]);
		await visit.satisfies();
		await visit.button('新增门店').first().click();
		await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
		await visit.heading('门店管理');
		// Empty lists have the next step, too.
		await visit.goto('employees');
		await visit.button('新增第一名员工').waitFor();
		await visit.goto('stores?keyword=nothing');
		await visit.button('清除筛选').click();
		await visit.button('新增第一家门店').click();
		await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
		await visit.goto('overview');
		await visit.button('新增管理本店的店长').click();
		await visit.button('保存').click();
		await visit.hears('角色已新增');
		const lead = (await chain.asSuper('GET', '/api/permissions/policies')).body.data.at(-1);
		expect(lead).toMatchObject({ roleCode: 'store_lead', permissions: ['employee:view:store', 'employee:manage'] });
		await steps.nth(1).getByText('已完成').waitFor();
		const { id: closed } = await chain.addStore({ name: '城西店' });
		const { id: open } = await chain.addStore({ name: '城东店' });
		const [locked, leaves] = [
			await chain.addEmployee(closed, [3]),
			await chain.addEmployee(open, [3], { name: '王芳' }),
		];
		const { phone } = await chain.addEmployee(open);
		const changed = await chain.addEmployee(open, [3]);
		const password = { oldPassword: initialPassword, newPassword: 'another-password' };
		expectStatus(await chain.asSuper('PATCH', `/api/employees/${changed.id}/password`, password), 200);
		const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
		expectStatus(await chain.asSuper('PATCH', `/api/employees/${leaves.id}`, { leavesOn: tomorrow }), 200);
		expectStatus(await chain.asSuper('PATCH', `/api/stores/${closed}`, { status: 'INACTIVE' }), 200);
		// The last step is due once there are people.
		await visit.goto('overview');
		await visit.page.locator('.first-steps .ant-btn-primary', { hasText: '查看未登录的员工' }).waitFor();
		await chain.login('/api/auth/employee/login', phone, initialPassword);
		await visit.goto('overview');
		await steps.first().waitFor({ state: 'hidden' });
		await visit.heading('需要处理');
		expect(await visit.page.locator('.news').first().getByRole('link').allTextContents()).toEqual([
			'1 名员工因“城西店”已禁用而无法登录 →',
			'1 名员工没有角色，登录后没有任何权限 →',
			...['3 名员工没有个人密码 →', '3 名员工从未登录 →'],
		]);
		await visit.heading('14 天内到期（1）');
		await visit.sees(/王芳（城东店）的最后工作日是/);
		await visit.link('入职 4 人').waitFor();
		await visit.page.getByRole('row', { name: '城西店 禁用 1 名员工无法登录' }).waitFor();
		await visit.satisfies();
		await visit.page.getByRole('link', { name: '没有个人密码' }).click();
		await visit.link(leaves.name).waitFor();
		expect(await visit.link(changed.name).count()).toBe(0);
		await visit.link(leaves.name).click();
		await visit.sees('没有个人密码');
		await visit.goto('overview');
		await visit.page.getByRole('link', { name: '因“城西店”已禁用' }).click();
		await visit.link(locked.name).waitFor();
		await visit.sees('共 1 条');
		await visit.end();
	});

	test('a phone has menu and main action at the bottom, seven people to call on a screen, filters behind a button', async () => {
		const { id: storeId } = await chain.addStore({ name: '人民路店' });
		for (let i = 0; i < 9; i++) await chain.addEmployee(storeId, [3]);
		const visit = await enterChain('stores', { kind: 'phone' });
		await visit.signOut();
		await visit.heading('好邻居');
		await visit.signIn(adminUsername, adminPassword);
		await visit.goto(`employees?status=ACTIVE&storeId=${storeId}`);
		const call = visit.page.locator('.card a[href^="tel:1"]');
		await call.nth(8).waitFor();
		expect(await visit.page.title()).toBe('员工管理 · 好邻居');
		expect(await visit.menu()).toEqual(['概览', '员工', '门店']);
		const bar = await visit.page.locator('.bottom-bar').boundingBox();
		const action = await visit.button('新增员工').boundingBox();
		const seventh = await visit.page.locator('.card').nth(6).boundingBox();
		if (!bar || !action || !seventh) throw new Error('it is not shown');
		expect(bar.y + bar.height).toBe(844);
		expect([action.y > 700, action.y + action.height <= bar.y]).toEqual([true, true]);
		// Without the notice of the initial password, which an owner sees until they change it.
		expect(seventh.y + seventh.height - 48).toBeLessThanOrEqual(bar.y);
		expect((await call.first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
		expect(await visit.page.getByLabel('状态', { exact: true }).count()).toBe(0);
		await visit.button('筛选（2）').click();
		await visit.page.getByLabel('状态', { exact: true }).waitFor();
		await visit.page.emulateMedia({ colorScheme: 'dark' });
		await visit.satisfies();
		await visit.button('更多').click();
		await visit.page.getByRole('navigation', { name: '更多页面' }).getByRole('link', { name: '角色管理' }).click();
		await visit.heading('角色管理');
		await visit.button('导出').waitFor({ state: 'hidden' });
		await visit.goto('employees');
		expect((await visit.exports('CSV')).suggestedFilename()).toMatch(/^好邻居_员工_/);
		await visit.end();
	});

	test('on a phone those who are selected get one-time passwords on slips of the chain', async () => {
		const { id: storeId } = await chain.addStore({ name: '解放路店' });
		const people = [await chain.addEmployee(storeId, [3]), await chain.addEmployee(storeId, [3])];
		const visit = await enterChain(`employees?storeId=${storeId}`, { kind: 'phone' });
		for (const { name } of people) {
			await visit.page.getByRole('checkbox', { name: `选择 ${name}`, exact: true }).check();
		}
		// It would lie above what can be done with them.
		expect(await visit.button('新增员工').isVisible()).toBe(false);
		await visit.button('操作').click();
		await visit.page.getByRole('menuitem', { name: '重置密码' }).click();
		await visit.sees(/将为 2 名员工各生成一个一次性密码/);
		await visit.confirm('重置密码');
		const slips = visit.page.getByRole('dialog', { name: '2 名员工的一次性密码' });
		await slips.waitFor();
		expect(await slips.getByText('好邻居 · 解放路店', { exact: true }).count()).toBe(2);
		expect(await slips.getByText('https://shop.example/me/', { exact: true }).count()).toBe(2);
		expect(await slips.getByText('员工的手机打不开这个地址').count()).toBe(0);
		await visit.satisfies();
		await visit.closeSlips();
		await visit.sees('2 名员工的密码已重置');
		await visit.end();
	});

	test('slips are handed out by store and name: a store is printed alone, and a phone sends each', async () => {
		const [south, north] = [
			await server.addStore({ name: '南岸纸条店' }),
			await server.addStore({ name: '北岸纸条店' }),
		];
		for (const [{ id }, name] of [
			[south, '纸条张'],
			[north, '纸条李'],
			[north, '纸条安'],
		] as const)
			await server.addEmployee(id, [], { name });
		const context = await newContext(browser, 'phone');
		await context.addInitScript({
			content: `navigator.share = async ({ text }) => { window.sent = text; };
				window.print = () => { window.sent = document.querySelector('.slip-sheets').textContent; };`,
		});
		const visit = await Visit.openAsSuper(context, server.url, 'employees?keyword=纸条', 'phone');
		for (const name of ['纸条张', '纸条李', '纸条安'])
			await visit.page.getByRole('checkbox', { name: `选择 ${name}` }).check();
		await visit.button('操作').click();
		await visit.page.getByRole('menuitem', { name: '重置密码' }).click();
		await visit.sees(/将为 3 名员工/);
		await visit.confirm('重置密码');
		const slips = visit.page.getByRole('dialog', { name: '3 名员工的一次性密码' });
		await slips.getByText('员工的手机打不开这个地址').waitFor();
		expect(await slips.getByRole('heading').allTextContents()).toEqual(['北岸纸条店 · 2 人', '南岸纸条店 · 1 人']);
		await visit.satisfies();
		const sends = async (verb: string) => {
			await slips.getByRole('button', { name: verb, exact: true }).first().click();
			const sent = await visit.page.evaluate<string>('window.sent');
			return sent.match(/纸条[安李张]/g);
		};
		const { height = 0 } = visit.page.viewportSize() ?? {};
		const print = await slips.getByRole('button', { name: '打印', exact: true }).boundingBox();
		expect((print?.y ?? 0) + (print?.height ?? 0)).toBeWithin(1, height);
		expect(await sends('发送')).toEqual(['纸条安']);
		expect(await sends('只打印这家店')).toEqual(['纸条安', '纸条李']);
		expect(await sends('打印')).toEqual(['纸条安', '纸条李', '纸条张']);
		await slips.getByRole('button', { name: '关闭' }).last().click();
		await visit.closes();
		await visit.end();
	});

	test('one search finds people, stores, roles, pages and actions by keyboard, with what was opened recently first', async () => {
		const store = await server.addStore({ name: '寻找路店' });
		const role = await server.addRole();
		const [older, newer] = [
			await server.addEmployee(store.id, [role.id], { name: '寻找甲' }),
			await server.addEmployee(store.id, [], { name: '寻找乙' }),
		];
		const visit = await enter(`employees/${older.id}`);
		await visit.heading(older.name);
		const field = visit.page.getByRole('combobox', { name: '搜索' });
		const lines = visit.page.getByRole('listbox', { name: '结果' }).getByRole('option');
		const find = async (text: string) => {
			await visit.page.keyboard.press('Control+k');
			await field.waitFor();
			await visit.page.keyboard.type(text);
		};
		await find('');
		await lines.first().getByText('寻找甲').waitFor();
		await visit.satisfies();
		await visit.page.keyboard.type('寻找');
		// The store may be found before the people.
		await lines
			.nth(2)
			.filter({ hasText: /^寻找路店/ })
			.waitFor();
		expect((await lines.allTextContents()).map((text) => text.slice(0, 3))).toEqual(['寻找甲', '寻找乙', '寻找路']);
		await visit.page.keyboard.press('ArrowDown');
		await visit.page.keyboard.press('Enter');
		await visit.heading(newer.name);
		for (const [text, line, heading] of [
			[`+86 ${showPhone(older.phone)}`, older.name, older.name],
			['xunzhaojia', older.name, older.name],
			[role.name, role.name, role.name],
			['caozuo', '操作记录', '操作记录'],
			['dcmd', '导出门店', '门店管理'],
			['lizhi', '员工离职', '员工管理'],
			['xzmd', '新增门店', '门店管理'],
		] as const) {
			await find(text);
			await lines.first().filter({ hasText: line }).waitFor();
			await visit.page.keyboard.press('Enter');
			await field.waitFor({ state: 'hidden' });
			await visit.heading(heading);
		}
		await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.closes();
		await visit.hears(/已导出 门店_/);
		await find('修改密码');
		await lines.first().filter({ hasText: '修改密码' }).waitFor();
		await visit.page.keyboard.press('Enter');
		await visit.page.getByRole('dialog', { name: '修改密码' }).waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.closes();
		const kept = await visit.page.evaluate<string>('JSON.stringify(localStorage)');
		expect(kept).toContain(`/employees/${newer.id}`);
		expect(kept).not.toContain('寻找');
		await visit.signOut();
		await server.asSuper('DELETE', `/api/employees/${newer.id}`);
		await visit.signIn(adminUsername, adminPassword);
		await find('');
		await lines.filter({ hasText: older.name }).waitFor();
		expect(await lines.filter({ hasText: newer.name }).count()).toBe(0);
		await visit.end();
	});

	test('a refusal stands at its field and drops nothing that was typed, and HTML in a name is text', async () => {
		const { name: store } = await server.addStore();
		const { name: role } = await server.addRole();
		const taken = await server.addEmployee((await server.addStore()).id);
		const visit = await enter('employees');
		await visit.button('新增员工').click();
		await visit.fill({ 姓名: '<b>王芳</b>', 手机号: taken.phone });
		const form = visit.page.getByRole('dialog');
		await form.getByLabel('门店', { exact: true }).fill(store);
		await visit.page.getByTitle(store, { exact: true }).last().click();
		await visit.choose('角色', role);
		await visit.page.keyboard.press('Escape');
		await visit.button('保存').click();
		const field = visit.page.locator('.ant-form-item', { hasText: '手机号' });
		await field.getByText(`手机号已存在：${taken.name}（${taken.storeName}）`).waitFor();
		expect(await visit.page.getByLabel('姓名', { exact: true }).inputValue()).toBe('<b>王芳</b>');
		await visit.fill({ 手机号: '+86 138-1234-5678' });
		await visit.button('保存').click();
		await visit.sees('138 1234 5678');
		await visit.heading('<b>王芳</b>');
		expect(await visit.page.locator('main b, .ant-drawer b').count()).toBe(0);
		await visit.end();
	});

	test('stores and roles are picked by pinyin and initials, in forms and filters, among thousands of stores', async () => {
		await Server.with(async (crowded) => {
			const at = new Date().toISOString();
			const facts = { status: 'ACTIVE', created_at: at, updated_at: at };
			const rows = Array.from({ length: 3000 }, (_, index) => ({ name: `${index}号分店`, ...facts }));
			crowded.insert('stores', rows);
			await crowded.addStore({ name: '拼音路店' });
			const role = (await crowded.asSuper('POST', '/api/roles', { code: 'quyu', name: '片区经理' })).body.data;
			await crowded.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions: ['store:view'] });
			const visit = await Visit.enter(browser, crowded, 'employees');
			const option = visit.page.locator('.ant-select-item-option:visible');
			const picks = async (place: Page | Locator, label: string, typed: string, name: string) => {
				await place.getByLabel(label, { exact: true }).click();
				await option.first().waitFor();
				expect(await option.count()).toBeLessThan(50);
				await visit.page.keyboard.type(typed);
				await option.filter({ hasText: name }).waitFor();
				expect(await option.allTextContents()).toEqual([name]);
				await option.click();
				// Leaving the field chooses nothing more.
				await visit.page.keyboard.press('Tab');
				await option.first().waitFor({ state: 'hidden' });
			};
			await picks(visit.page, '门店', 'pyld', '拼音路店');
			await visit.page.waitForURL(/storeId=3001/);
			await visit.button('新增员工').click();
			const form = visit.page.getByRole('dialog');
			await picks(form, '门店', 'pinyinl', '拼音路店');
			await picks(form, '角色', 'pqjl', '片区经理');
			expect(await form.locator('.ant-select-selection-item').allTextContents()).toEqual(['片区经理']);
			await visit.load('roles');
			await visit.button('新增角色').click();
			await picks(form, '从其他角色复制', 'pianqu', '片区经理');
			await form.getByRole('checkbox', { name: /查看门店/, checked: true }).waitFor();
			await visit.end();
		});
	});

	test('a role is one form: copied, with what points bring, menus and holders; what was made stays when a holder is refused', async () => {
		const source = await server.addRole('role:view', 'store:view');
		const { id: storeId } = await server.addStore();
		const [first, second] = [await server.addEmployee(storeId, [3]), await server.addEmployee(storeId)];
		const holdersOf = async (id: number) =>
			(await server.asSuper('GET', `/api/roles/${id}/employees`)).body.data.items.map(({ id }: { id: number }) => id);
		const visit = await enter('roles');
		const form = visit.page.getByRole('dialog');
		const point = (name: RegExp) => form.getByRole('checkbox', { name });
		const add = async ({ name, phone }: { name: string; phone: string }) => {
			await form.getByLabel('添加员工').fill(showPhone(phone));
			await visit.page.locator('.ant-select-item-option', { hasText: name }).click();
		};
		await visit.button('新增角色').click();
		await visit.fill({ 角色名称: '一步领班' });
		await form.locator('input[value="yi_bu_ling_ban"]').waitFor();
		await visit.choose('从其他角色复制', source.name);
		await point(/查看门店/).uncheck();
		await point(/管理员工/).check();
		await form.getByRole('checkbox', { name: /查看全部员工.*自动包含/ }).waitFor();
		await form.locator('.outcome').getByText('员工管理').waitFor();
		for (const person of [first, second]) await add(person);
		await visit.satisfies();
		await server.asSuper('DELETE', `/api/employees/${second.id}`);
		await visit.button('保存').click();
		await form.getByText(`${second.name}：员工不存在`).waitFor();
		await form.getByRole('button', { name: `撤销添加“${second.name}”` }).click();
		await visit.fill({ 说明: '改过' });
		await visit.button('保存').click();
		await visit.heading('一步领班');
		const id = Number(/roles\/(\d+)/.exec(visit.page.url())?.[1]);
		const [role, policy] = await Promise.all(
			[`/api/roles/${id}`, `/api/permissions/roles/${id}`].map((path) => server.asSuper('GET', path)),
		);
		expect(role?.body.data).toMatchObject({ code: 'yi_bu_ling_ban', description: '改过' });
		expect(policy?.body.data.permissions).toEqual(['role:view', 'employee:view:all', 'employee:manage']);
		expect(await holdersOf(id)).toEqual([first.id]);
		const third = await server.addEmployee(storeId);
		await visit.button('编辑').click();
		await point(/管理员工/).uncheck();
		await form.getByRole('button', { name: `移除“${first.name}”` }).click();
		await add(third);
		await visit.button('保存').click();
		await visit.hears('角色已保存');
		expect(await holdersOf(id)).toEqual([third.id]);
		const { roles } = (await server.asSuper('GET', `/api/employees/${first.id}`)).body.data;
		expect(roles.map((role: { id: number }) => role.id)).toEqual([3]);
		await visit.end();
	});

	test('the form of a store sends what was changed and nothing else, and without a change nothing', async () => {
		const { id } = await server.addStore({ name: '东门店', address: '东门 1 号', phone: '021-1234' });
		const visit = await enter(`stores/${id}`);
		const sent: unknown[] = [];
		visit.page.on('request', (request) => {
			if (request.method() === 'PATCH') sent.push(request.postDataJSON());
		});
		await visit.button('编辑').click();
		await visit.fill({ 门店名称: ' 东门店 ' });
		await visit.button('保存').click();
		await visit.hears('没有修改，无需保存');
		expect(sent).toEqual([]);
		await visit.button('编辑').click();
		await visit.fill({ 地址: '', 电话: '021-5678' });
		await visit.button('保存').click();
		await visit.hears('门店已保存');
		expect(sent).toEqual([{ address: '', phone: '021-5678' }]);
		await visit.end();
	});

	test('an area that a colleague renamed meanwhile is shown with both names, and deleted as it is by then', async () => {
		const area = expectStatus(await server.asSuper('POST', '/api/areas', { name: '城南' }), 201);
		await server.addStore({ areaId: area.id });
		const visit = await enter('stores');
		await visit.button('区域').click();
		await visit.button('改名 城南').click();
		await visit.fill({ 区域名称: '城南片区' });
		expectStatus(await server.asSuper('PATCH', `/api/areas/${area.id}`, { name: '南区' }), 200);
		await visit.button('保存').click();
		await visit.page.getByRole('radio', { name: /对方的：admin \d\d:\d\d 改为“南区”/ }).waitFor();
		await visit.page.getByRole('radio', { name: '我的：“城南片区”' }).check();
		await visit.button('保存').click();
		await visit.hears('区域已改名');
		await visit.button('删除 城南片区').click();
		await visit.sees('其中 1 家门店将不属于任何区域');
		await visit.satisfies();
		await visit.confirm('删除');
		await visit.hears('区域已删除');
		await visit.end();
	});

	test('an open form gives back no role that a colleague withdrew; of clashing values each is shown and one taken, nothing typed is lost', async () => {
		const role = await server.addRole();
		const { id } = await server.addEmployee((await server.addStore()).id, [role.id]);
		const visit = await enter(`employees/${id}`);
		const form = visit.page.getByRole('dialog', { name: '编辑员工' });
		const change = async (body: unknown) =>
			expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, body), 200);
		const read = async () => (await server.asSuper('GET', `/api/employees/${id}`)).body.data;
		await visit.button('编辑').click();
		await change({ roleIds: [], name: '改过的名字' });
		await visit.fill({ 备注: '早班' });
		await visit.button('保存').click();
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
		await visit.end();
	});

	test('the permissions of a role that two people change are merged point by point, and counted as they are now', async () => {
		const role = await server.addRole('role:view');
		const put = async (...permissions: string[]) =>
			expectStatus(await server.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions }), 200);
		const held = async () => (await server.asSuper('GET', `/api/permissions/roles/${role.id}`)).body.data.permissions;
		// An address of a version that had a page of permissions.
		const visit = await enter(`permissions/${role.id}`);
		await visit.page.getByRole('term').getByText('查看角色').waitFor();
		await visit.button('编辑').click();
		const point = (name: RegExp) => visit.page.getByRole('checkbox', { name });
		await point(/管理门店/).check();
		await put('role:view', 'employee:view:all');
		await visit.button('保存').click();
		await visit.hears(/角色已保存。admin \d\d:\d\d 增加了“查看全部员工”/);
		expect(await held()).toEqual(['store:view', 'store:manage', 'role:view', 'employee:view:all']);
		await visit.button('编辑').click();
		await point(/管理角色/).check();
		await visit.sees('将增加 1 项、移除 0 项权限');
		await put('store:view');
		await visit.button('保存').click();
		const clash = visit.page.getByRole('group', { name: '查看角色' });
		await clash.getByText(/对方的：admin \d\d:\d\d 移除/).waitFor();
		await visit.sees('将增加 2 项、移除 0 项权限');
		await clash.getByText('我的').click();
		await clash.waitFor({ state: 'hidden' });
		await visit.button('保存').click();
		await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
		expect(await held()).toEqual(['store:view', 'role:view', 'role:manage']);
		await visit.end();
	});

	test('a chain defines permissions of its own; before a role gets or loses one, the page says who is concerned', async () => {
		const [manager, cashier] = [await server.addRole('employee:view:all', 'employee:manage'), await server.addRole()];
		const store = await server.addStore();
		for (const { id } of [manager, cashier]) await server.addEmployee(store.id, [id]);
		const visit = await enter('roles');
		await visit.heading('角色管理');
		await visit.page.keyboard.press('Control+k');
		await visit.page.getByRole('combobox', { name: '搜索' }).fill('xzqx');
		await visit.page.keyboard.press('Enter');
		await visit.choose('常用权限', '退款');
		await visit.button('保存').click();
		await visit.hears('权限已新增，请在角色中分配');
		await visit.closes();
		await visit.button('新增权限').click();
		const form = visit.page.getByRole('dialog');
		for (const [编码, refused] of [
			['till:refund', '权限编码已存在'],
			['store:refund', '“store”是系统权限的分组，请换一个'],
			['refund', '请用冒号分隔各部分'],
		] as const) {
			await visit.fill({ 名称: '<b>整单</b>', 编码 });
			await visit.button('保存').click();
			await form.getByText(refused).waitFor();
		}
		await visit.fill({ 编码: 'till:void' });
		await visit.button('保存并继续新增').click();
		await visit.page.getByRole('row', { name: '<b>整单</b> till:void 收银 — 没有角色' }).waitFor();
		await visit.button('取消').click();
		await visit.closes();
		await visit.satisfies();
		await visit.button('编辑 退款').click();
		await visit.fill({ 说明: '先看小票' });
		const point = (await server.asSuper('GET', '/api/permissions/points')).body.data[0];
		await server.asSuper('PATCH', `/api/permissions/points/${point.id}`, { title: '退货款' });
		await visit.button('保存').click();
		await visit.hears(/权限已保存。admin \d\d:\d\d 将名称改为“退货款”/);
		await visit.page.getByRole('row', { name: '退货款 till:refund 收银 先看小票' }).waitFor();
		await visit.goto(`roles/${cashier.id}`);
		await visit.sees('没有权限，不能登录后台');
		expect(await visit.page.getByText('后台菜单').count()).toBe(0);
		await visit.button('编辑').click();
		await visit.page
			.getByRole('group', { name: '收银' })
			.getByRole('checkbox', { name: /退货款/ })
			.check();
		await visit.sees(`“${manager.name}”（1 人）没有“退货款”，仅凭该角色将不能再管理`);
		await visit.button('保存').click();
		await visit.hears('角色已保存');
		await visit.page.getByRole('term').getByText('退货款').waitFor();
		await visit.goto('roles/points');
		await visit.button('删除 退货款').click();
		await visit.sees('从 1 个角色、1 名员工收回，立即生效。');
		await visit.confirm('删除');
		await visit.hears('权限已删除');
		await visit.goto('history');
		await visit.sees('删除了权限“退货款”，从 1 个角色或程序收回');
		await visit.goto('roles/points');
		await visit.button('删除 <b>整单</b>').click();
		await visit.sees('没有角色持有该权限。');
		await visit.confirm('删除');
		await visit.sees('还没有自定义权限');
		await visit.end();
	});

	test('roles and permissions are one place, which shows each account what it may see of either', async () => {
		const role = await server.addRole('store:view');
		const { id: storeId } = await server.addStore();
		await server.addEmployee(storeId, [role.id], { name: '持有人' });
		const open = async (...codes: PermissionCode[]) => {
			const { id } = await server.addPerson(storeId, ...codes);
			const visit = await enter(`roles/${role.id}`, { id });
			await visit.page.getByRole('heading', { name: role.name, level: 1 }).waitFor();
			return visit;
		};
		const grantor = await open('permission:view', 'permission:manage');
		expect(await grantor.menu()).toEqual(['权限管理']);
		await grantor.page.getByRole('term').getByText('查看门店').waitFor();
		await grantor.button('编辑').click();
		await grantor.page.getByRole('checkbox', { name: /查看角色/ }).check();
		await grantor.button('保存').click();
		await grantor.hears('角色已保存');
		await grantor.page.getByRole('term').getByText('查看角色').waitFor();
		await grantor.link('← 权限管理').click();
		await grantor.page.getByRole('row', { name: `${role.name} 查看门店、查看角色` }).waitFor();
		await grantor.satisfies();
		await grantor.end();
		const viewer = await open('role:view');
		expect(await viewer.menu()).toEqual(['角色管理']);
		expect(await viewer.page.getByRole('term').count()).toBe(0);
		expect(await viewer.button('编辑').count()).toBe(0);
		await viewer.end();
		// What somebody holds is not deleted, and nobody gives a role that may do more than they.
		const clerk = await open('role:view', 'role:manage', 'employee:view:all', 'employee:manage');
		await clerk.sees('有员工持有，不能删除');
		await clerk.link('持有人').waitFor();
		await clerk.button('编辑').click();
		await clerk.page.getByLabel('角色名称', { exact: true }).waitFor();
		expect(await clerk.page.getByLabel('添加员工').count()).toBe(0);
		await clerk.end();
	});

	test('several are added one after the other, and the slips of people come together', async () => {
		const store = await server.addStore();
		const visit = await enter(`stores/${store.id}`);
		const next = visit.button('保存并继续新增');
		await visit.button('新增员工').click();
		await next.click();
		await visit.sees('请输入姓名');
		for (const name of ['接连甲', '接连乙']) {
			await visit.fill({ 姓名: name, 手机号: newPhone() });
			await next.click();
			await visit.page.getByLabel('姓名', { exact: true }).and(visit.page.locator('[value=""]')).waitFor();
		}
		expect(await visit.page.getByRole('dialog').getByText(store.name).count()).toBeGreaterThan(0);
		await visit.button('取消').click();
		await visit.page.getByRole('dialog', { name: '2 名员工的一次性密码' }).waitFor();
		await visit.closeSlips();
		await visit.heading('员工（2）');
		await visit.goto('stores');
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '接连一店' });
		await next.click();
		await visit.hears('门店已新增');
		await visit.save({ 门店名称: '接连二店' }, '接连二店');
		await visit.end();
	});

	test('who may hire into one store only does not choose one, and sees the password of the new person once', async () => {
		const store = await server.addStore();
		const { id } = await server.addPerson(store.id, 'employee:view:store', 'employee:manage');
		const visit = await enter('employees', { id });
		await visit.button('新增员工').click();
		const form = visit.page.getByRole('dialog');
		await form.getByText(store.name).waitFor();
		await form.getByText('不选角色的员工没有任何权限').waitFor();
		expect(await form.getByRole('combobox').count()).toBe(1);
		const hired = newPhone();
		await visit.fill({ 姓名: '新来的', 手机号: hired });
		await visit.button('保存').click();
		await visit.heading('新来的');
		// Closing asks while the password is nowhere else; afterwards it is not on the page.
		const slip = visit.page.getByRole('dialog', { name: '新来的 的一次性密码' });
		const password = (await slip.getByRole('definition').nth(1).textContent()) ?? '';
		await slip.getByRole('button', { name: '关闭' }).last().click();
		await visit.confirm('返回');
		const copied = await visit.copies(slip.getByRole('button', { name: '复制' }));
		await visit.hears('已复制');
		for (const text of ['新来的', `${server.url}/me/`, hired, password]) expect(copied).toContain(text);
		await slip.getByRole('button', { name: '关闭' }).last().click();
		await slip.waitFor({ state: 'hidden' });
		expect(await visit.page.content()).not.toContain(password);
		await visit.end();
	});

	test('all who were found are moved at once after a preview, and moved back', async () => {
		const [store, goal] = [await server.addStore(), await server.addStore()];
		for (let i = 0; i < 22; i++) await server.addEmployee(store.id, i ? [] : [3]);
		const visit = await enter(`employees?storeId=${store.id}`);
		const bar = visit.page.getByRole('region', { name: '已选员工' });
		const form = visit.page.getByRole('dialog');
		const inGoal = async () =>
			(await server.asSuper('GET', `/api/employees?storeId=${goal.id}`)).body.data.pagination.total;
		const boxes = visit.page.getByRole('checkbox', { name: /^选择 / });
		await boxes.first().focus();
		await visit.page.keyboard.press('Space');
		await bar.getByText('已选 1 名员工').waitFor();
		// Those of the first page stay selected on the second one.
		await visit.page.getByRole('listitem', { name: '2' }).click();
		await visit.page.getByRole('row').nth(2).waitFor();
		await visit.page.getByRole('checkbox', { name: '选择本页' }).check();
		await bar.getByText('已选 3 名员工').waitFor();
		await visit.page.keyboard.press('Escape');
		await bar.waitFor({ state: 'hidden' });
		await boxes.first().check();
		await bar.getByRole('button', { name: '选择全部 22 名' }).click();
		await bar.getByText('已选 22 名员工').waitFor();
		await visit.satisfies();
		await bar.getByRole('button', { name: '调店' }).click();
		expect(await form.getByRole('button', { name: '调店' }).isDisabled()).toBe(true);
		// Of many stores the list shows the first ones.
		await form.getByLabel('门店', { exact: true }).fill(goal.name);
		await visit.page.getByTitle(goal.name, { exact: true }).last().click();
		await form.getByText(`22 名员工将调到“${goal.name}”。`).waitFor();
		expect(await inGoal()).toBe(0);
		await visit.confirm('调店');
		await bar.getByText(`22 名员工已调到“${goal.name}”`).waitFor();
		expect(await inGoal()).toBe(22);
		await bar.getByRole('button', { name: '撤销' }).click();
		await bar.getByText('已撤销，22 名员工恢复原样').waitFor();
		expect(await inGoal()).toBe(0);
		await visit.goto('history');
		await visit.sees('admin 撤销了对 22 人的更改');
		await visit.sees(`admin 把 22 人 调到 ${goal.name}`);
		await visit.end();
	});

	test('a phone says who cannot be given a role, gives it to the others, and says who was changed since', async () => {
		const { id: storeId } = await chain.addStore();
		const { id } = await chain.addPerson(storeId, 'employee:view:all', 'employee:manage');
		const [above, changed] = [await chain.addEmployee(storeId, [1]), await chain.addEmployee(storeId)];
		const people = [above, changed, await chain.addEmployee(storeId)];
		const visit = await enterChain(`employees?storeId=${storeId}`, { id, kind: 'phone' });
		const bar = visit.page.getByRole('region', { name: '已选员工' });
		for (const { name } of people) {
			await visit.page.getByRole('checkbox', { name: `选择 ${name}`, exact: true }).check();
		}
		await visit.satisfies();
		await bar.getByRole('button', { name: '操作' }).click();
		await visit.page.getByRole('menuitem', { name: '添加角色' }).click();
		await visit.choose('角色', '收银员');
		// Closes the list of the roles.
		await visit.page.getByText('添加角色：3 名员工').click();
		await visit.page.getByText(`不能操作权限高于自己的员工：${above.name}`).waitFor();
		await visit.button('取消选择他们，只更改其余 2 名员工').click();
		await visit.sees('2 名员工将得到角色“收银员”。');
		await visit.confirm('添加角色');
		await bar.getByText('2 名员工已得到角色“收银员”').waitFor();
		await chain.asSuper('PATCH', `/api/employees/${changed.id}`, { roleIds: [] });
		await bar.getByRole('button', { name: '撤销' }).click();
		await visit.page.getByText(new RegExp(`admin \\d\\d:\\d\\d 修改了角色：${changed.name}`)).waitFor();
		await visit.end();
	});

	test('the address holds filters, page and the open person, and the browser goes back through them', async () => {
		const { id: storeId, name } = await server.addStore();
		const people = [];
		for (let i = 0; i < 21; i++) people.push(await server.addEmployee(storeId));
		const visit = await enter(`employees?storeId=${storeId}&page=2`);
		await visit.page.locator('tbody tr').first().waitFor();
		expect(await visit.page.locator('tbody tr').count()).toBe(1);
		// The whole row opens, and every way back leads to the list as it was.
		const list = visit.page.url();
		for (const goBack of [
			() => visit.page.goBack(),
			() => visit.link('← 员工管理').click(),
			() => visit.link('员工管理').click(),
		]) {
			// The link lies over the cell.
			await visit.page.getByRole('cell', { name: showPhone(people[0].phone) }).click({ force: true });
			await visit.heading(people[0].name);
			expect(await visit.page.title()).toBe(`${people[0].name} · 员工管理 · 门店管理后台`);
			await goBack();
			await visit.page.waitForURL(list);
		}
		const phone = showPhone(people[3].phone);
		await visit.page.getByLabel('搜索姓名或手机号').fill(phone.slice(0, -1));
		await visit.page.waitForURL(/keyword=/);
		await visit.page.getByRole('row', { name: `${people[3].name} ${phone}` }).waitFor();
		await visit.link(people[3].name).focus();
		expect(visit.page.url()).not.toContain('page=');
		await visit.page.keyboard.press('Enter');
		await visit.page.waitForURL(/employees\/\d+$/);
		// The head of the column that the list is ordered by turns it round, in the address and in the export.
		await visit.goto(`employees?storeId=${storeId}`);
		await visit.page.getByRole('columnheader', { name: '新增日期' }).getByRole('button').click();
		await visit.page.getByRole('row').nth(1).getByText(people[0].name, { exact: true }).waitFor();
		expect(visit.page.url()).toContain('order=asc');
		const rows = readFileSync(await (await visit.exports('CSV')).path(), 'utf8').split('\r\n');
		expect(rows[1]?.split(',')[0]).toBe(people[0].name);
		// An address of a version that showed people beside the list.
		await visit.goto(`employees/${people[3].id}?storeId=${storeId}&page=2`);
		await visit.page.getByRole('main').getByText(name).first().waitFor();
		await visit.end();
	});

	test('a store shows its people by pages, hires, and never reads all of them', async () => {
		const { id, name } = await server.addStore();
		for (let i = 0; i < 21; i++) await server.addEmployee(id);
		const visit = await enter();
		const asked: string[] = [];
		visit.page.on('request', (request) => asked.push(request.url()));
		await visit.goto(`stores/${id}`);
		await visit.heading('员工（21）');
		await visit.page.locator('.sheet tbody tr').first().waitFor();
		expect(await visit.page.locator('.sheet tbody tr').count()).toBe(20);
		const ofStore = asked.filter((url) => url.includes('/api/stores/'));
		expect(ofStore.filter((url) => !/\/\d+\?employees=false&include=area$|\/activity\?ids=\d+$/.test(url))).toEqual([]);
		await visit.button('新增员工').click();
		await visit.save({ 姓名: '新来的', 手机号: '13512345678' }, '新来的');
		await visit.closeSlips();
		await visit.link(name).first().click();
		await visit.heading('员工（22）');
		const file = await visit.exports('CSV');
		expect(file.suggestedFilename()).toMatch(new RegExp(`^员工_${name}_\\d{4}-\\d\\d-\\d\\d\\.csv$`));
		await server.asSuper('PATCH', `/api/stores/${id}`, { status: 'INACTIVE' });
		await visit.goto(`stores/${id}`);
		await visit.sees('门店已禁用，不能新增员工');
		expect(await visit.button('新增员工').count()).toBe(0);
		await visit.end();
	});

	test('somebody leaves on a day, stays after all, is deleted and comes back to another store', async () => {
		const [{ id: storeId }, other] = [
			await server.addStore({ name: '老店' }),
			await server.addStore({ name: '新的店' }),
		];
		const { id, name } = await server.addEmployee(storeId, [3]);
		const visit = await enter(`employees/${id}`);
		await visit.more('离职');
		await visit.fill({ 最后工作日: '2999-12-31' });
		await visit.button('保存').click();
		await visit.hears('最后工作日已保存');
		await visit.sees('2999-12-31');
		await visit.more('撤销离职');
		await visit.confirm('撤销离职');
		await visit.hears('离职已撤销');
		await visit.more('限期角色');
		await visit.choose('角色', '后厨');
		await visit.fill({ 到期日: '2999-12-31' });
		await visit.button('保存').click();
		await visit.sees('到 2999-12-31');
		await visit.more('删除');
		await visit.confirm('删除');
		await visit.hears('员工已删除');
		await server.asSuper('PATCH', `/api/stores/${storeId}`, { status: 'INACTIVE' });
		await visit.goto(`employees?deleted=true&keyword=${encodeURIComponent(name)}`);
		await visit.page.locator('.filter-choice', { hasText: '已删除' }).waitFor();
		await visit.button('返岗').click();
		await visit.sees('原门店“老店”已删除或已禁用');
		// The list of stores is long: only what is typed is shown.
		await visit.page.getByRole('dialog').getByLabel('门店', { exact: true }).fill('新的店');
		await visit.page.locator('.ant-select-item-option', { hasText: '新的店' }).click();
		await visit.page.getByRole('dialog').getByRole('button', { name: '返岗' }).click();
		await visit.heading(name);
		const back = expectStatus(await server.asSuper('GET', `/api/employees/${id}?include=activity`), 200);
		expect(back).toMatchObject({ storeId: other.id, status: 'ACTIVE', leavesOn: null });
		expect(back.roles.map((role: { id: number }) => role.id)).toEqual([3, 4]);
		// Whose last day is over was disabled by the program, and is asked back by name.
		server.alter((database) => {
			const left = "update employees set leaves_on = '2026-01-01', status = 'INACTIVE' where id = ?";
			database.run(left, [id]);
		});
		await visit.goto(`employees/${id}`);
		await visit.more('返岗');
		await visit.confirm('返岗');
		await visit.sees('可以登录员工端');
		await visit.end();
	});

	test('who manages employees filters as everybody does, and has no buttons for people with more permissions', async () => {
		const { id: storeId } = await server.addStore();
		await server.addStore();
		const clerkRole = await server.addRole();
		const permissions = ['employee:view:all', 'employee:manage'];
		await server.asSuper('PUT', `/api/permissions/roles/${clerkRole.id}`, { permissions });
		const [clerk, peer, superior] = [
			await server.addEmployee(storeId, [clerkRole.id]),
			await server.addEmployee(storeId, [clerkRole.id]),
			await server.addEmployee(storeId, [clerkRole.id, 1]),
		];
		const visit = await enter(`employees/${superior.id}`, { id: clerk.id });
		await visit.sees('权限高于您，不能操作');
		expect(await visit.button('编辑').count()).toBe(0);
		await visit.goto(`employees/${peer.id}`);
		await visit.button('编辑').waitFor();
		await visit.goto('employees');
		for (const label of ['门店', '角色']) await visit.page.getByLabel(label, { exact: true }).waitFor();
		await visit.end();
	});

	test('paper has no menu and no buttons, and the filters of a list; a keyboard can skip the menu', async () => {
		const { id, name } = await server.addEmployee((await server.addStore()).id);
		const visit = await enter(`employees/${id}`);
		await visit.button('编辑').waitFor();
		await visit.page.keyboard.press('Tab');
		await visit.page.keyboard.press('Enter');
		expect(await visit.page.evaluate('document.activeElement?.tagName')).toBe('MAIN');
		await visit.page.emulateMedia({ media: 'print' });
		expect(await visit.page.getByRole('heading', { name }).isVisible()).toBe(true);
		for (const gone of [visit.link('门店管理'), visit.button('编辑'), visit.button(adminUsername)]) {
			expect(await gone.isVisible()).toBe(false);
		}
		await visit.goto('employees?status=ACTIVE&keyword=王');
		await visit.page.getByText(/^启用，王，打印于 \d{4}-\d\d-\d\d \d\d:\d\d$/).waitFor();
		// What else a wide screen shows leaves no room for names.
		const heads = await visit.page.getByRole('columnheader').allTextContents();
		expect(heads).toEqual(['姓名', '手机号', '门店', '角色']);
		await visit.end();
	});

	test('an import takes a dropped file, refuses one that was saved again, and asks again when a colleague was quicker', async () => {
		const { id: storeId, name: store } = await server.addStore();
		const visit = await enter('employees/import');
		const lineOf = (phone: string, name = '王芳') => `${name},${showPhone(phone)},${store}`;
		const csv = (...lines: string[]) => ['新员工名单', '姓名,电话,所属门店,性别', ...lines].join('\n');
		const [first, second] = [newPhone(), newPhone()];
		const files = await visit.page.evaluateHandle(
			`(() => {
				const files = new DataTransfer();
				files.items.add(new File([${JSON.stringify(csv(lineOf('123'), lineOf('123')))}], '员工.csv'));
				return files;
			})()`,
		);
		await visit.page.locator('.file .absent').dispatchEvent('drop', { dataTransfer: files });
		await visit.page.getByRole('row', { name: '第 3–4 行 手机号 王芳 等 123 请输入 11 位手机号' }).waitFor();
		const marked = await visit.downloads(visit.button('下载标出问题的文件'));
		expect(marked.suggestedFilename()).toBe('员工-问题.xlsx');
		const path = join(newFolder(), '员工.csv');
		const choose = async (content: string) => {
			writeFileSync(path, content);
			const chooser = visit.page.waitForEvent('filechooser');
			await visit.page.getByText('选择文件').click();
			await (await chooser).setFiles(path);
			await visit.sees(/检查通过：共 \d 行/);
		};
		await choose(csv(lineOf(first)));
		await visit.sees('这些列不会导入：性别');
		await visit.sees('1 人');
		writeFileSync(path, csv(lineOf(first), lineOf(second, "'=王芳")));
		await visit.button('导入 1 名员工').click();
		await visit.sees('文件在检查之后被修改过，请重新选择');
		expect(await visit.button('导入 1 名员工').count()).toBe(0);
		await choose(csv(lineOf(first), lineOf(second, "'=王芳")));
		const { id } = await server.addEmployee(storeId, [], { phone: second });
		await visit.button('导入 2 名员工').click();
		await visit.page.getByRole('row', { name: /第 4 行 手机号 =王芳 .*手机号已存在/ }).waitFor();
		await server.asSuper('DELETE', `/api/employees/${id}`);
		await choose(csv(lineOf(first), lineOf(second, "'=王芳")));
		await visit.button('导入 2 名员工').click();
		await visit.hears('已新增 2 名员工');
		const slips = visit.page.getByRole('dialog', { name: '2 名员工的一次性密码' });
		const copied = await visit.copies(slips.getByRole('button', { name: '全部复制' }));
		const rows = copied.split('\n').map((row) => row.split('\t'));
		expect(rows.map(([name, , phone]) => [name, phone])).toEqual([
			['姓名', '手机号'],
			// By name; pasted into a spreadsheet, one is no formula.
			["'=王芳", second],
			['王芳', first],
		]);
		await visit.page.emulateMedia({ media: 'print' });
		const printed = visit.page.getByRole('article');
		for (const [index, [, , , password = '']] of rows.slice(1).entries()) {
			expect(await printed.nth(index).textContent()).toContain(password);
		}
		expect([await printed.count(), await visit.page.getByRole('main').isVisible()]).toEqual([2, false]);
		await visit.end();
	});

	test('an import shows what changes before it changes it; stores are exported, edited and imported', async () => {
		const { id, name } = await server.addStore({ address: '旧路' });
		const person = await server.addEmployee(id, [3], { name: '旧名', remark: '早班' });
		const visit = await enter('employees/import');
		await visit.chooseFile(['编号,姓名,备注', `${person.id},新名,早班`]);
		await visit.sees('检查通过：共 1 行，新增 0 / 修改 1 / 不变 0');
		const mode = (label: string) => visit.page.getByText(label, { exact: true }).click();
		await mode('只新增');
		await visit.sees('前 10 行中没有完整的标题，缺少：手机号、门店');
		await mode('只更新');
		await visit.sees('检查通过：共 1 行，新增 0 / 修改 1 / 不变 0');
		await visit.page.getByRole('row', { name: '旧名 第 2 行 姓名 旧名 新名' }).waitFor();
		const changes = await visit.downloads(visit.button('下载全部修改'));
		expect(changes.suggestedFilename()).toBe('员工-修改.xlsx');
		await visit.chooseFile(['编号,角色', `${person.id},`]);
		await visit.sees('1 名员工的角色单元格是空白，导入后将没有任何角色');
		await visit.chooseFile(['编号,姓名', `${person.id},新名`]);
		await visit.sees('新增 0 / 修改 1 / 不变 0');
		await visit.satisfies();
		await visit.button('修改 1 名员工').click();
		await visit.hears('已修改 1 名员工');
		await visit.button('撤销').click();
		await visit.hears('已撤销，1 名员工恢复原样');
		await visit.link('旧名').first().waitFor();
		await visit.goto('stores');
		const lines = (await Bun.file(await (await visit.exports('CSV')).path()).text())
			.replace('\uFEFF', '')
			.split('\r\n');
		await visit.button('导入').click();
		await visit.chooseFile(lines.map((line) => line.replace('旧路', '新路')));
		await visit.sees(/新增 0 \/ 修改 1 \/ 不变 \d+/);
		await visit.page
			.getByRole('row', { name: `${name} 第` })
			.getByText('新路')
			.waitFor();
		await visit.button('修改 1 家门店').click();
		await visit.hears('已修改 1 家门店');
		const path = `/api/stores/${id}?employees=false`;
		expect(expectStatus(await server.asSuper('GET', path), 200)).toMatchObject({ name, address: '新路' });
		await visit.end();
	});

	test('the history is sentences with links, one closing is a line that opens, and the page exports what it filters', async () => {
		const [from, to] = [await server.addStore({ name: '城西店' }), await server.addStore({ name: '城东店' })];
		const person = await server.addEmployee(from.id, [3], { name: '搬走的人' });
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		await server.asSuper('POST', `/api/stores/${from.id}/close`, { moveTo: to.id, then: 'DELETE' });
		const visit = await enter('history');
		const row = (text: string) => visit.page.locator('.sheet tbody tr', { hasText: text });
		const closing = row('admin 关闭并删除了门店“城西店”，转移 1 名员工');
		await closing.waitFor();
		expect(await row('调到').count()).toBe(0);
		await closing.locator('.row-link').click();
		const moved = visit.page.getByRole('dialog').getByText('admin 把 搬走的人 从 城西店 调到 城东店');
		await moved.waitFor();
		// A deleted store has no page to link.
		expect(await moved.getByRole('link').allTextContents()).toEqual(['搬走的人', '城东店']);
		await visit.page.keyboard.press('Escape');
		await visit.button('近 7 天').click();
		await closing.waitFor();
		await visit.sees('今天');
		// One line for the closing, also when a name is searched that others of its records have.
		await visit.page.getByLabel('搜索姓名、手机号、门店或角色').fill('admin');
		await closing.waitFor();
		expect(await row('调到').count()).toBe(0);
		await visit.page.getByLabel('搜索姓名、手机号、门店或角色').fill(`+86 ${person.phone}`);
		await row('调到 城东店').waitFor();
		const file = await visit.exports('CSV');
		const name = new RegExp(`^操作记录_${person.phone}_从[\\d-]{10}_[\\d-]{10}\\.csv$`);
		expect(file.suggestedFilename()).toMatch(name);
		expect(readFileSync(await file.path(), 'utf8')).toContain('admin 把 搬走的人 从 城西店 调到 城东店');
		await row('调到').getByRole('link', { name: '搬走的人' }).click();
		await visit.page.getByRole('heading', { name: '搬走的人', level: 1 }).waitFor();
		await row('调到 城东店').waitFor();
		await visit.end();
	});

	test('on a phone the menu, every list, a person, a form and a confirmation fit the longest texts and satisfy axe-core', async () => {
		const store = await chain.addStore({ name: '很'.repeat(100), address: '长'.repeat(255) });
		const longest = { name: '长'.repeat(50), code: 'a'.repeat(50), description: 'W'.repeat(255) };
		const role = (await chain.asSuper('POST', '/api/roles', longest)).body.data;
		const facts = { name: 'W'.repeat(50), remark: '长\n'.repeat(200) };
		const person = await chain.addEmployee(store.id, [2, role.id], facts);
		// Among the stores with most people.
		await chain.addEmployee(store.id);
		const visit = await enterChain(`employees/${person.id}`, { kind: 'phone' });
		await visit.page.getByRole('heading', { name: person.name, level: 1 }).waitFor();
		await visit.satisfies();
		await visit.more('删除');
		await visit.sees(/可以重新使用/);
		await visit.satisfies();
		await visit.confirm('取消');
		await visit.button('编辑').click();
		await visit.page.getByLabel('姓名', { exact: true }).waitFor();
		await visit.satisfies();
		for (const [path, text] of [
			[`employees?storeId=${store.id}`, person.name],
			['overview', store.name],
			[`stores/${store.id}`, store.name],
			['stores?keyword=很很', store.name],
			['roles', role.name],
			[`roles/${role.id}`, role.name],
		] as const) {
			await visit.goto(path);
			await visit.sees(text);
			if (/^(overview|stores\/)/.test(path)) await visit.satisfies();
			else await visit.fits();
		}
		await visit.button('更多').click();
		await visit.link('角色管理').waitFor();
		await visit.satisfies();
		await visit.end();
	});

	test('somebody who loses a permission keeps what they typed and learns why it is refused, and then has no such button', async () => {
		const store = await server.addStore();
		const role = await server.addRole('store:view', 'store:manage');
		const grant = (...permissions: string[]) =>
			server.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions });
		const { id } = await server.addEmployee(store.id, [role.id]);
		const visit = await enter('stores', { id });
		const notice = '您的权限刚刚被调整，已填写的内容不会丢失。';
		await visit.button('新增门店').click();
		await visit.fill({ 门店名称: '打了一半的门店' });
		await grant('store:view');
		await visit.button('保存').click();
		await visit.sees('没有权限执行此操作');
		await visit.hears(notice);
		expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('打了一半的门店');
		await visit.button('取消').click();
		await visit.confirm('放弃');
		await visit.button('新增门店').waitFor({ state: 'hidden' });
		await grant('store:view', 'store:manage');
		await visit.goto(`stores/${store.id}`);
		await visit.button('禁用').click();
		await grant('store:view');
		await visit.confirm('禁用');
		await visit.sees('没有权限执行此操作');
		await visit.confirm('取消');
		await visit.button('编辑').waitFor({ state: 'hidden' });
		await visit.end();
	});

	test('closing a store is refused with the names of those who may do more', async () => {
		const [{ id: storeId, name }, { id: moveTo }] = [await server.addStore(), await server.addStore()];
		const above = await server.addEmployee(storeId, [1], { name: '店里的上级' });
		await server.addEmployee(storeId, [3]);
		const clerk = ['store:view', 'store:manage', 'employee:view:all', 'employee:manage'] as const;
		const { id } = await server.addPerson(moveTo, ...clerk);
		const visit = await enter(`stores/${storeId}`, { id });
		await visit.button('关闭门店').click();
		const form = visit.page.getByRole('dialog', { name: `关闭门店“${name}”` });
		await form.getByLabel('将 2 名员工调到').click();
		await visit.page.locator('.ant-select-item-option').first().click();
		await form.getByRole('button', { name: '关闭门店' }).click();
		await form.getByText('不能操作权限高于自己的员工').waitFor();
		await form.getByText(`权限高于您的员工：${above.name}`, { exact: true }).waitFor();
		expectStatus(await server.asSuper('PATCH', `/api/stores/${storeId}`, { phone: '021-55667788' }), 200);
		await form.getByRole('button', { name: '关闭门店' }).click();
		await form.getByText('内容已被他人修改').waitFor();
		await visit.end();
	});

	test('days are chosen in Chinese and a confirmation that a colleague was quicker than says who changed what when, in the time of this browser', async () => {
		const { id } = await server.addEmployee((await server.addStore()).id);
		const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Pacific/Kiritimati' });
		const visit = await Visit.openAsSuper(context, server.url, `employees/${id}`);
		await visit.more('离职');
		const field = visit.page.getByLabel('最后工作日', { exact: true });
		await field.click();
		await visit.page.locator('.ant-picker-content th', { hasText: '一' }).waitFor();
		expect(await field.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
		await visit.satisfies();
		await field.fill('2999-12-31');
		await visit.button('保存').click();
		await visit.sees('2999-12-31');
		await visit.more('删除');
		const changed = expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, { remark: '改天回来' }), 200);
		const time = new Date(changed.updatedAt).toLocaleTimeString('sv-SE', {
			timeZone: 'Pacific/Kiritimati',
			timeStyle: 'short',
		});
		await visit.confirm('删除');
		await visit.page.getByText(`admin ${time} 改为“改天回来”`, { exact: true }).waitFor();
		expect(await visit.page.getByRole('dialog').getByRole('button', { name: '删除' }).isDisabled()).toBe(true);
		expectStatus(await server.asSuper('GET', `/api/employees/${id}`), 200);
		await visit.end();
	});
});
