/** A new chain in the back office: its first steps, and its people on phones. In a real Chromium. */
import { describe, expect, test } from 'bun:test';
import { openScreens } from './back-office/screens.ts';
import { newContext, Visit } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort } from './full.ts';
import { dayIn } from './server.ts';
import { adminUsername, expectStatus, initialPassword, newPhone } from './world.ts';

const { browser, enter, server } = await openScreens({ CHAIN_NAME: '好邻居', PUBLIC_URL: 'https://shop.example' });

/** An expression for the page: the number of such elements whose text is cut. */
const cutIn = (selector: string) =>
	`[...document.querySelectorAll('${selector}')].filter((each) => each.scrollWidth > each.clientWidth).length`;

describe.skipIf(skipped)('the back office of a new chain', () => {
	test.skipIf(isShort)(
		'a new chain begins with four steps; then the page of today says what needs attention, what ends and what happened',
		async () => {
			const visit = await enter('overview');
			const steps = visit.page.locator('.first-steps li');
			await steps.first().waitFor();
			expect((await steps.locator('strong').allTextContents()).map((text) => text.slice(3))).toEqual([
				'品牌 已完成',
				'门店',
				'员工',
				'密码纸条',
			]);
			await visit.satisfies();
			for (const name of ['好邻居便利', '好邻居']) {
				await visit.button(adminUsername).click();
				await visit.page.getByRole('menuitem', { name: '品牌名称' }).click();
				await visit.save({ 品牌名称: name });
				await visit.hears('品牌名称已保存');
				await visit.link(name).waitFor();
			}
			await visit.button('新增门店').first().click();
			await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
			await visit.heading('门店');
			// Empty lists offer the next step, too.
			await visit.goto('employees');
			await visit.button('新增员工').waitFor();
			await visit.goto('stores?keyword=nothing');
			await visit.page.getByText('没有符合条件的门店').waitFor();
			const letFind = await visit.holds(/stores\/page\?/);
			await visit.button('清除筛选').click();
			await visit.page.locator('main:focus').waitFor();
			expect(await visit.page.locator('.empty').textContent()).toBe('正在加载…');
			await letFind();
			await visit.button('新增门店').click();
			await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
			await visit.goto('overview');
			const { id: closed } = await server.addStore({ name: '城西店' });
			const { id: open } = await server.addStore({ name: '城东店' });
			const [locked, leaves] = [
				await server.addEmployee(closed, [3]),
				await server.addEmployee(open, [3], { name: '王芳' }),
			];
			await server.addEmployee(open);
			await server.addStore({ name: '空着的店' });
			const changed = await server.addEmployee(open, [3]);
			// A sign-in with the shared password does not count as a password handed out.
			await server.signIn(changed.phone);
			await visit.goto('overview');
			await visit.page.locator('.first-steps .ant-btn-primary', { hasText: '选择员工' }).waitFor();
			const password = { oldPassword: initialPassword, newPassword: 'another-password' };
			expectStatus(await server.asSuper('PATCH', `/api/employees/${changed.id}/password`, password), 200);
			const tomorrow = dayIn(1);
			expectStatus(await server.asSuper('PATCH', `/api/employees/${leaves.id}`, { leavesOn: tomorrow }), 200);
			expectStatus(await server.asSuper('PATCH', `/api/stores/${closed}`, { status: 'INACTIVE' }), 200);
			await visit.goto('overview');
			await steps.first().waitFor({ state: 'hidden' });
			await visit.heading('需要处理');
			expect(await visit.page.locator('.news').first().getByRole('link').allTextContents()).toEqual([
				'1 名员工因“城西店”已禁用而无法登录 →',
				'1 名员工没有角色，登录后没有任何权限 →',
				'3 名员工未设置自己的密码 →',
				'“空着的店”没有员工 →',
			]);
			await visit.heading('14 天内到期');
			await visit.sees(/王芳（城东店） \d\d-\d\d 离职/);
			await visit.link('入职 4 人').waitFor();
			await visit.satisfies();
			await visit.page.getByRole('link', { name: '未设置自己的密码' }).click();
			await visit.link(leaves.name).waitFor();
			expect(await visit.link(changed.name).count()).toBe(0);
			await visit.link(leaves.name).click();
			await visit.sees('未设置自己的密码');
			await visit.goto('overview');
			await visit.page.getByRole('link', { name: '因“城西店”已禁用' }).click();
			await visit.link(locked.name).waitFor();
			await visit.counts(1);
			expectStatus(await server.asSuper('PATCH', `/api/employees/${locked.id}`, { status: 'INACTIVE' }), 200);
			await visit.goto('overview');
			await visit.link('离职或禁用 1 人').waitFor();
			for (const status of ['INACTIVE', 'ACTIVE']) {
				expectStatus(await server.asSuper('PATCH', `/api/employees/${changed.id}`, { status }), 200);
			}
			await visit.goto('overview');
			await visit.link('离职或禁用 1 人（含已返岗，共 2 人次）').click();
			await visit.counts(2);
			// Hiring the first store lead decides what all store leads may do.
			await visit.goto('employees');
			await visit.button('新增员工').click();
			await visit.fill({ 姓名: '第一位店长', 手机号: newPhone() });
			await visit.choose('门店', '城东店');
			// On a slow network the form waits until it knows whether to ask.
			const letGo = await visit.holds('**/roles/holders');
			await visit.choose('角色', '店长');
			await visit.page.keyboard.press('Escape');
			expect(await visit.button('保存').isDisabled()).toBe(true);
			await letGo();
			await visit.sees('店长可以管理本店员工吗？');
			expect(await visit.button('保存').isDisabled()).toBe(true);
			await visit.satisfies();
			await visit.page.getByText('可以，能新增员工、重置密码').click();
			// A colleague changes those permissions at the same moment.
			const saved = '**/permissions/roles/2';
			await visit.page.route(saved, (route) =>
				route.continue({ headers: { ...route.request().headers(), 'if-match': '"0"' } }),
			);
			await visit.button('保存').click();
			await visit.sees('内容已被他人修改');
			await visit.page.unroute(saved);
			// Even if the answer to the hiring is lost. It is saved once, also by a second try in the same outage.
			const readAgain = '**/permissions/policies';
			await visit.page.route(readAgain, (route) => route.abort());
			await visit.losesAnswer(/\/api\/employees\?former=refuse$/);
			await visit.button('保存').click();
			await visit.hears('店长现在可以管理本店员工');
			await visit.sees('无法连接服务器');
			await visit.button('保存').click();
			await visit.sees('手机号已存在');
			await visit.page.unroute(readAgain);
			await visit.discard();
			await visit.closes();
			const held = async () => (await server.read('/api/permissions/roles/2')).permissions;
			expect(await held()).toEqual(['employee:view:store', 'employee:manage']);
			await visit.page.route('**/api/permissions/roles/2', (route) => route.abort(), { times: 1 });
			await visit.button('撤销').click();
			await visit.hears('无法连接服务器');
			await visit.button('撤销').click();
			await visit.hears('已撤销，店长只能查看本店员工');
			expect(await held()).toEqual(['employee:view:store']);
			// The first store lead in a file does so, too.
			const { items } = await server.read(`/api/employees?keyword=${encodeURIComponent('第一位店长')}`);
			expectStatus(await server.asSuper('DELETE', `/api/employees/${items[0].id}`), 204);
			await visit.goto('employees/import');
			await visit.chooseFile(['姓名,手机号,门店,角色', `表格店长,${newPhone()},城东店,店长`]);
			await visit.sees('店长可以管理本店员工吗？');
			await visit.sees('店长 1 人');
			expect(await visit.button('导入 1 名员工').isDisabled()).toBe(true);
			await visit.satisfies();
			await visit.page.getByText('可以，能新增员工、重置密码').click();
			await visit.button('导入 1 名员工').click();
			await visit.hears('已新增 1 名员工');
			await visit.page.getByText('店长现在可以管理本店员工').waitFor();
			expect(await held()).toEqual(['employee:view:store', 'employee:manage']);
		},
	);

	test('on a phone every day of a calendar can be tapped, and the words above them', async () => {
		const { id: storeId } = await server.addStore();
		const { id } = await server.addEmployee(storeId, [3]);
		const visit = await enter(`employees/${id}`, { kind: 'phone' });
		const covered = `Array.from(document.querySelectorAll('.ant-picker-cell-in-view, .ant-picker-presets li')).filter((each) => {
			const { left, top, width, height } = each.getBoundingClientRect();
			return !each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
		}).length`;
		async function opens(field: string): Promise<void> {
			await visit.page.getByLabel(field, { exact: true }).click();
			await visit.page.locator('.ant-picker-cell-in-view').first().waitFor();
			// The panel covers nothing once it has opened.
			await visit.until(`${covered} === 0`);
		}
		await visit.more('限期角色');
		await visit.choose('角色', '收银员');
		await visit.sees('“收银员”现在长期有效');
		await opens('到期日');
		await visit.page.locator('.ant-picker-header-next-btn').click();
		await visit.page.locator('.ant-picker-cell-in-view', { hasText: /^15$/ }).click();
		await visit.button('保存').click();
		await visit.hears('限期角色已保存');
		const ends = async () => (await server.read(`/api/employees/${id}?include=activity`)).roleEnds;
		expect(await ends()).toMatchObject([{ roleId: 3, until: expect.stringMatching(/-15$/) }]);
		await visit.more('限期角色');
		await visit.choose('角色', '收银员');
		await visit.sees(/“收银员”现在到 .*-15 为止，留空则长期有效/);
		await visit.button('保存').click();
		await visit.closes();
		expect(await ends()).toEqual([]);
		await visit.follow('history');
		await visit.button('筛选').click();
		await opens('从开始日期');
		expect(await visit.page.evaluate(cutIn('.ant-picker-presets li'))).toBe(0);
	});

	test('a phone has menu and main action at the bottom, seven people to call on a screen, filters behind a button', async () => {
		const { id: storeId } = await server.addStore({ name: '人民路店' });
		await server.addEmployee(storeId, [1]);
		for (let i = 0; i < 9; i++) await server.addEmployee(storeId, [3]);
		const visit = await enter(`employees?status=ACTIVE&storeId=${storeId}`, { kind: 'phone' });
		const call = visit.page.locator('.card a[href^="tel:1"]');
		await call.nth(8).waitFor();
		expect(await visit.page.title()).toBe('员工 · 好邻居');
		expect(await visit.menu()).toEqual(['今天', '门店', '员工', '角色', '操作记录']);
		const bar = await visit.page.locator('.bottom-bar').boundingBox();
		const action = await visit.button('新增员工').boundingBox();
		const seventh = await visit.page.locator('.card').nth(6).boundingBox();
		if (!bar || !action || !seventh) throw new Error('it is not shown');
		expect(bar.y + bar.height).toBe(844);
		expect([action.y > 700, action.y + action.height <= bar.y]).toEqual([true, true]);
		// 48 pixels are the initial-password notice, which an owner sees until they change it.
		expect(seventh.y + seventh.height - 48).toBeLessThanOrEqual(bar.y);
		expect((await call.first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
		expect(await visit.page.getByLabel('状态', { exact: true }).count()).toBe(0);
		// A form brings its wrong field into sight, and leaves the list where it is.
		await visit.page.evaluate('scrollTo(0, 200)');
		const from = await visit.page.evaluate<number>('scrollY');
		await visit.button('新增员工').click();
		await visit.button('保存').click();
		await visit.sees('请输入姓名');
		expect([from > 0, await visit.page.evaluate<number>('scrollY')]).toEqual([true, from]);
		await visit.button('取消').click();
		await visit.closes();
		await visit.button('筛选（2）').click();
		await visit.page.getByLabel('状态', { exact: true }).waitFor();
		await visit.page.emulateMedia({ colorScheme: 'dark' });
		await visit.satisfies();
		await visit.link('角色').click();
		await visit.heading('角色');
		await visit.button('导出').waitFor({ state: 'hidden' });
		// The names of its many permissions are cut, and not the number of its people.
		const people = visit.page.locator('.card', { has: visit.link('管理员') }).getByText(/^\d+ 人$/);
		const { x = 0, width = 0 } = (await people.boundingBox()) ?? {};
		expect(x + width).toBeWithin(1, 390 - 24);
		// Buttons beside each other stand on one line.
		await visit.follow(`stores/${storeId}`);
		await visit.settles();
		const top = async (name: string) => (await visit.button(name).boundingBox())?.y ?? name;
		expect(await top('筛选')).toBe(await top('导出'));
		await visit.follow('employees');
		await visit.page.getByRole('heading', { name: '员工', level: 1 }).waitFor();
		expect((await visit.exports()).suggestedFilename()).toMatch(/^好邻居_员工_/);
		// A key opens a form of the menu, and does not close it as well.
		await visit.page
			.getByRole('checkbox', { name: /^选择 / })
			.first()
			.check();
		await visit.button('操作').focus();
		await visit.page.keyboard.press('Enter');
		const focused = visit.page.locator('.ant-dropdown-menu-item:focus');
		await focused.filter({ hasText: '调店' }).waitFor();
		await visit.page.keyboard.press('ArrowDown');
		await focused.filter({ hasText: '启用' }).waitFor();
		await visit.page.keyboard.press('Enter');
		await visit.page
			.getByRole('dialog', { name: '启用：1 名员工' })
			.getByText('1 名员工已启用，没有要更改的')
			.waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.closes();
		await visit.signOut();
		await visit.heading('好邻居');
	});

	test('filters that a phone folds and unfolds have the choices that they loaded before', async () => {
		const visit = await enter('employees?roleId=3', { kind: 'phone' });
		await visit.page.evaluate('Object.assign(window, { now: Date.now })');
		const passes = (seconds: number) => visit.page.evaluate(`Date.now = () => now() + ${seconds * 1000}`);
		const chosen = visit.page.locator('.filters').getByText('收银员', { exact: true });
		const asked: string[] = [];
		for (const seconds of [0, 20, 40]) {
			await passes(seconds);
			await visit.button('筛选（1）').click();
			await chosen.waitFor();
			await visit.settles();
			await visit.button('筛选（1）').click();
			await chosen.waitFor({ state: 'hidden' });
			if (seconds === 0) visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
		}
		expect(asked).toEqual([]);
		// After more than a minute, a filter that opens again has what a colleague added.
		await visit.button('筛选（1）').click();
		await chosen.waitFor();
		await visit.settles();
		const { name } = await server.addRole();
		await passes(200);
		await visit.page.getByLabel('角色', { exact: true }).click();
		await visit.page.locator('.ant-select-item-option', { hasText: name }).waitFor();
		await passes(0);
	});

	test('on a narrow phone no last day lies under a number, nor a long name under a button; the search cuts a store first', async () => {
		const { id: storeId } = await server.addStore({ name: '人民广场地铁二号线五号口旗舰店' });
		const { id, name } = await server.addEmployee(storeId, [3], { name: '杨磊磊' });
		expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, { leavesOn: dayIn(1) }), 200);
		const visit = await enter(`employees?storeId=${storeId}`, { kind: 'narrow phone' });
		await visit.page.locator('.card .ant-tag').waitFor();
		const seen = `[...document.querySelectorAll('.card .ant-tag')].map((each) => {
			const { right, top, height } = each.getBoundingClientRect();
			return document.elementFromPoint(right - 2, top + height / 2) === each;
		})`;
		expect(await visit.page.evaluate(seen)).toEqual([true]);
		await visit.button('搜索').click();
		await visit.page.getByRole('combobox', { name: '搜索' }).fill(name);
		await visit.page.getByRole('option', { name }).waitFor();
		expect(await visit.page.evaluate(cutIn('[role=option] > span'))).toBe(0);
		await visit.page.keyboard.press('Escape');
		await visit.closes();
		const long = await server.addEmployee(storeId, [], { name: 'Wolfeschlegelsteinhausenbergerdorffvonundzuhohe' });
		await visit.follow(`employees/${long.id}`);
		await visit.button('重置密码').click();
		const { x = 0, width = 0 } = (await visit.page.locator('.ant-drawer-title').boundingBox()) ?? {};
		expect(x + width).toBeLessThanOrEqual(360);
		const cancel = await visit.button('取消').boundingBox();
		const send = await visit.page.getByRole('dialog').getByRole('button', { name: '重置密码' }).boundingBox();
		// The buttons leave the same margins.
		expect(cancel?.x).toBe(360 - (send?.x ?? 0) - (send?.width ?? 0));
		await visit.confirm('重置密码');
		await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
		// The end of the text, and the button beside it.
		const beside = `(() => {
			const text = new Range();
			text.selectNodeContents(document.querySelector('.slips-dialog .ant-modal-title'));
			const close = document.querySelector('.slips-dialog .ant-modal-close');
			return text.getBoundingClientRect().right <= close.getBoundingClientRect().left;
		})()`;
		expect(await visit.page.evaluate(beside)).toBe(true);
		await visit.closeSlips();
		await visit.focuses('重置密码');
	});

	test('on a narrow phone no long name cuts a number or is broken by a last day, and no message covers a menu', async () => {
		const { id: storeId, name } = await server.addStore({ name: '世纪大道店' });
		const lead = await server.addRole('employee:view:store', 'employee:manage');
		const names = ['阿卜杜热合曼·吐尔逊江·买买提艾力', '古丽娜尔·阿不都热西提·买买提艾力'];
		const [{ id }] = await Promise.all(names.map((name) => server.addEmployee(storeId, [lead.id], { name })));
		const given = await server.addStore({ name: '南京西路旗舰店' });
		await server.giveReach(id, { stores: [given.id] });
		const visit = await enter(`stores?keyword=${name}`, { kind: 'narrow phone' });
		await visit.sees('2 人');
		expect(await visit.page.evaluate(cutIn('.card dl > :first-child'))).toBe(0);
		await visit.follow(`employees/${id}`);
		await visit.more('调整负责的门店');
		const line = visit.page.getByRole('dialog').getByText(given.name);
		expect((await line.boundingBox())?.height).toBeLessThan(40);
		await visit.button('取消').click();
		await visit.more('禁用');
		await visit.confirm('禁用');
		await visit.button('撤销').waitFor();
		await visit.more('启用');
		await visit.confirm('启用');
		await visit.sees('可以登录员工端和后台');
	});

	test('a store out of reach shows the number of its people and the lead, but no people', async () => {
		const { id: storeId } = await server.addStore();
		const { id: ownId } = await server.addStore();
		const { id } = await server.addPerson(ownId, 'store:view', 'employee:view:store');
		const { id: without } = await server.addPerson(ownId, 'store:view');
		const role = await server.addRole('employee:view:store');
		await server.addEmployee(storeId, [role.id], { name: '带店的人' });
		const cashier = await server.addEmployee(storeId, [3], { name: '看不见的人' });
		const visit = await enter(`stores/${storeId}`, { id, kind: 'phone' });
		await visit.heading('员工 2');
		await visit.sees('您不负责这家门店，只能看到人数和负责人');
		await visit.page.getByRole('main').getByText('带店的人').waitFor();
		expect(await visit.page.getByText(cashier.name).count()).toBe(0);
		expect(await visit.page.getByRole('main').getByRole('link').count()).toBe(1);
		await visit.satisfies();
		await visit.end();
		const own = await enter(`stores/${ownId}`, { id: without, kind: 'phone' });
		await own.sees('您没有查看员工的权限，只能看到人数和负责人');
	});

	test('on a phone the menu, every list, a person, a form and a confirmation fit the longest texts and satisfy axe-core', async () => {
		const store = await server.addStore({ name: '很'.repeat(100), address: '长'.repeat(255) });
		const longest = { name: '长'.repeat(50), code: 'a'.repeat(50), description: 'W'.repeat(255) };
		const role = (await server.asSuper('POST', '/api/roles', longest)).body.data;
		const facts = { name: 'W'.repeat(50), remark: '长\n'.repeat(200) };
		const person = await server.addEmployee(store.id, [2, role.id], facts);
		const code = `${'w'.repeat(30)}:${'w'.repeat(29)}` as const;
		const point = await server.addPoint(code, { title: 'إلغاء👩🏽‍💻'.repeat(2), groupTitle: 'W'.repeat(20) });
		const given = { name: 'W'.repeat(50), permissions: [code, 'employee:view:store'], storeId: store.id };
		const endsOn = dayIn(1);
		expectStatus(await server.asSuper('POST', '/api/programs', { ...given, endsOn }), 201);
		const empty = await server.addStore({ name: '空'.repeat(100) });
		const visit = await enter(`employees/${person.id}`, { kind: 'phone' });
		await visit.page.getByRole('heading', { name: person.name, level: 1 }).waitFor();
		await visit.satisfies();
		await visit.more('删除');
		await visit.sees(/可以重新使用/);
		await visit.satisfies();
		await visit.confirm('取消');
		await visit.button('重置密码').click();
		await visit.confirm('重置密码');
		const slip = visit.page.getByRole('dialog').locator('.slip');
		await slip.waitFor();
		expect(await slip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
		await visit.closeSlips();
		await visit.button('编辑').click();
		await visit.page.getByLabel('姓名', { exact: true }).waitFor();
		await visit.satisfies();
		for (const [path, text] of [
			[`employees?storeId=${store.id}`, person.name],
			['overview', empty.name],
			[`stores/${store.id}`, store.name],
			['stores?keyword=很很', store.name],
			['roles', role.name],
			[`roles/${role.id}`, role.name],
			['roles/points', point.title],
			['roles/programs', given.name],
			['roles/administrators', adminUsername],
		] as const) {
			await visit.follow(path);
			await visit.page.getByRole('main').getByText(text).first().waitFor();
			if (/^(overview|stores\/)/.test(path)) await visit.satisfies();
			else await visit.fits();
		}
		// Their own card is the only one, and has no actions.
		expect(await visit.page.getByText('操作', { exact: true }).count()).toBe(0);
		await visit.satisfies();
		await visit.end();
		const { id } = await server.addPerson(store.id, 'employee:view:store');
		expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, { name: 'W'.repeat(50) }), 200);
		const own = await enter('employees', { id, kind: 'phone' });
		const box = await own.page.getByRole('button', { name: '搜索' }).boundingBox();
		expect(box?.x).toBeGreaterThan(100);
	});

	describe.skipIf(isShort)('further ways', () => {
		test('on a phone selected employees get one-time passwords on slips, by store and name, which are printed or sent', async () => {
			const [south, north] = [await server.addStore({ name: '南岸店' }), await server.addStore({ name: '北岸店' })];
			await server.addEmployee(south.id, [], { name: '纸条安' });
			await server.addEmployee(north.id, [], { name: '纸条张' });
			await server.addEmployee(north.id, [], { name: '纸条李' });
			const context = await newContext(browser, 'phone');
			await context.addInitScript({
				content: 'navigator.share = async ({ text }) => { window.sent = text; }; window.print = () => {};',
			});
			const visit = await Visit.openAsSuper(context, server.url, 'employees?keyword=纸条', 'phone');
			for (const name of ['纸条张', '纸条李', '纸条安'])
				await visit.page.getByRole('checkbox', { name: `选择 ${name}` }).check();
			// The button would cover the actions on employees.
			expect(await visit.button('新增员工').isVisible()).toBe(false);
			await visit.button('操作').click();
			await visit.page.getByRole('menuitem', { name: '重置密码' }).click();
			await visit.sees(/3 名员工将得到一次性密码/);
			await visit.confirm('重置密码');
			const slips = visit.page.getByRole('dialog', { name: '3 名员工的一次性密码' });
			await slips.waitFor();
			expect(await slips.getByRole('heading').allTextContents()).toEqual(['北岸店 · 2 人', '南岸店 · 1 人']);
			expect(await slips.getByText('好邻居 · 北岸店', { exact: true }).count()).toBe(2);
			expect(await slips.getByText('https://shop.example/me/', { exact: true }).count()).toBe(3);
			await visit.satisfies();
			const { height = 0 } = visit.page.viewportSize() ?? {};
			const print = await slips.getByRole('button', { name: '打印', exact: true }).boundingBox();
			expect((print?.y ?? 0) + (print?.height ?? 0)).toBeWithin(1, height);
			await slips.getByRole('button', { name: '发送', exact: true }).first().click();
			expect(await visit.page.evaluate<string>('window.sent')).toStartWith('纸条李，');
			for (const [verb, names] of [
				['只打印这家店', ['纸条李', '纸条张']],
				['打印', ['纸条李', '纸条张', '纸条安']],
			] as const) {
				await slips.getByRole('button', { name: verb, exact: true }).first().click();
				await visit.page.emulateMedia({ media: 'print' });
				expect(await visit.page.getByRole('article').locator('strong').allTextContents()).toEqual([...names]);
				await visit.page.emulateMedia({ media: null });
			}
			await slips.getByRole('button', { name: '关闭' }).last().click();
			await visit.closes();
			await visit.hears('3 名员工已重置密码');
			// A single slip has four buttons in a row.
			await visit.page.getByRole('link', { name: '纸条张' }).click();
			await visit.button('重置密码').click();
			await visit.confirm('重置密码');
			const one = visit.page.getByRole('dialog', { name: '纸条张 的一次性密码' }).locator('.ant-modal-footer button');
			await one.nth(3).waitFor();
			const boxes = await Promise.all([0, 1, 2, 3].map((index) => one.nth(index).boundingBox()));
			expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
			expect(boxes.every((box) => (box?.height ?? 0) >= 44)).toBe(true);
		});

		test('a phone names the employees who cannot get a role, gives it to the others, and names those changed since', async () => {
			const { id: storeId } = await server.addStore();
			const { id } = await server.addPerson(storeId, 'employee:view:all', 'employee:manage');
			const [above, changed] = [await server.addEmployee(storeId, [1]), await server.addEmployee(storeId)];
			const people = [above, changed, await server.addEmployee(storeId)];
			const visit = await enter(`employees?storeId=${storeId}`, { id, kind: 'phone' });
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
			await visit.page
				.getByText(/不能操作该员工：您没有.+：/)
				.and(visit.page.getByText(above.name))
				.waitFor();
			await visit.button('取消选择他们，只更改其余 2 名员工').click();
			await visit.sees('2 名员工将得到角色“收银员”。');
			await visit.confirm('添加角色');
			await visit.hears('2 名员工已添加角色');
			await server.asSuper('PATCH', `/api/employees/${changed.id}`, { roleIds: [] });
			await visit.button('撤销').click();
			await visit.page.getByText(new RegExp(`admin \\d\\d:\\d\\d 修改了角色：${changed.name}`)).waitFor();
		});
	});
});
