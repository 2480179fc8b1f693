/** Roles and permissions, what people see with some of them, and programs with a key, in a real Chromium. */
import { describe, expect, test } from 'bun:test';
import type { PermissionCode } from '../src/platform/vocabulary/permissions.ts';
import { showPhone } from '../src/platform/vocabulary/phone.ts';
import { openScreens } from './back-office/screens.ts';
import { renewal, Visit, viewports } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort, someOf } from './full.ts';
import type { Body } from './http.ts';
import { dayIn, type Server } from './server.ts';
import { adminUsername, expectStatus } from './world.ts';

const { enter, server } = await openScreens();

describe.skipIf(skipped)('roles in the back office', () => {
	test('a role is made on a page, which asks before typed text is dropped; its people are a list that adds and removes', async () => {
		const { id: storeId } = await server.addStore();
		const [first, second] = [await server.addEmployee(storeId, [3]), await server.addEmployee(storeId)];
		// An empty search finds only the 20 newest people.
		for (let i = 0; i < 20; i++) await server.addEmployee(storeId);
		const holdersOf = async (id: number) =>
			(await server.read(`/api/roles/${id}/employees`)).items.map(({ id }: { id: number }) => id);
		const visit = await enter('roles');
		const { page } = visit;
		const point = (name: RegExp) => page.getByRole('checkbox', { name });
		const option = (text: string) => page.locator('.ant-select-item-option', { hasText: text });
		// A desktop whose text is twice as large.
		await page.setViewportSize({ width: 640, height: 400 });
		await visit.link('店长').waitFor();
		expect(await visit.hiddenByBars()).toEqual([]);
		await visit.button('新增角色').click();
		await page.waitForURL(/roles\/new$/);
		// The first field has the focus.
		await page.getByLabel('角色名称').and(page.locator(':focus')).waitFor();
		await point(/查看角色/).waitFor();
		expect(await visit.hiddenByBars()).toEqual([]);
		await page.setViewportSize(viewports.desktop);
		await page.locator('.sider').waitFor();
		await page.goBack();
		await visit.link('店长').waitFor();
		await page.locator('.finder-field').click();
		await page.getByRole('combobox', { name: '搜索' }).fill('xzjs');
		await page.keyboard.press('Enter');
		await page.waitForURL(/roles\/new$/);
		await page.getByLabel('角色名称').and(page.locator(':focus')).waitFor();
		// The search goes meanwhile, and leaves the focus where it is.
		await page.keyboard.type('一步领班', { delay: 100 });
		for (const name of [/查看角色/, /管理员工/]) await point(name).check();
		await page.getByRole('checkbox', { name: /查看全部员工.*自动包含/ }).waitFor();
		await visit.satisfies();
		const leaveBySearch = async () => {
			await page.locator('.finder-field').click();
			await page.getByRole('combobox', { name: '搜索' }).fill('xzmd');
			await page.getByRole('option', { name: '新增门店' }).click();
		};
		const signOut = async () => {
			await visit.button(adminUsername).click();
			await page.getByText('退出登录', { exact: true }).click();
		};
		const [cancel, follow] = [visit.button('取消'), visit.link('操作记录')];
		for (const leave of [() => cancel.click(), () => follow.click(), () => page.goBack(), leaveBySearch, signOut]) {
			await leave();
			await visit.page.getByRole('dialog', { name: '放弃未保存的修改？' }).waitFor();
			// Nothing opens in front of the question.
			await page.keyboard.press('Control+k');
			expect(await page.getByRole('combobox', { name: '搜索' }).count()).toBe(0);
			await visit.confirm('继续编辑');
			await visit.closes();
		}
		await visit.button('保存').click();
		await visit.heading('一步领班');
		// The form has gone with the button that had the focus.
		await page.locator('#main:focus').waitFor();
		const id = Number(/roles\/(\d+)$/.exec(page.url())?.[1]);
		expect(await server.read(`/api/roles/${id}`)).toMatchObject({ code: 'yi_bu_ling_ban' });
		const { permissions } = await server.read(`/api/permissions/roles/${id}`);
		expect(permissions).toEqual(['role:view', 'employee:view:all', 'employee:manage']);
		await visit.sees('没有员工持有该角色');
		await visit.button('添加员工').click();
		const search = page.getByRole('dialog').getByLabel('员工', { exact: true });
		for (const { name, phone } of [first, second]) {
			await search.fill(showPhone(phone));
			await option(`${name} · `).click();
			await option(`${name} · `).waitFor({ state: 'hidden' });
		}
		for (const { name } of [first, second]) await page.getByRole('dialog').getByText(`${name} · `).waitFor();
		await page.keyboard.press('Escape');
		await visit.satisfies();
		await visit.button('添加').click();
		await visit.hears('2 名员工已添加角色');
		await visit.heading('员工 2');
		expect(await holdersOf(id)).toEqual([first.id, second.id]);
		await visit.button('添加员工').click();
		await search.fill(showPhone(first.phone));
		await page
			.locator('.ant-select-item-option-disabled', { hasText: `${first.name} · ` })
			.getByText('已有该角色')
			.waitFor();
		await page.keyboard.press('Escape');
		await visit.button('取消').click();
		await visit.closes();
		await page.getByRole('checkbox', { name: `选择 ${first.name}` }).check();
		await visit.button('移除角色').click();
		await visit.sees('1 名员工将失去角色“一步领班”');
		await visit.confirm('移除角色');
		await visit.hears('1 名员工已移除角色');
		expect(await holdersOf(id)).toEqual([second.id]);
		const { roles } = await server.read(`/api/employees/${first.id}`);
		expect(roles.map((role: { id: number }) => role.id)).toEqual([3]);
		await visit.button('编辑').click();
		await visit.page.locator('.page-head').getByText('1 人', { exact: true }).waitFor();
		await visit.fill({ 说明: '改过' });
		await point(/管理员工/).uncheck();
		await visit.sees('移除 1 项权限，保存后立即对 1 名员工生效。');
		const letGo = await visit.holdsWrites();
		await visit.button('保存').click();
		await visit.sees('正在保存…');
		// Nobody knows yet what leaving would drop.
		expect(await visit.button('取消').isDisabled()).toBe(true);
		await visit.link('操作记录').click();
		await letGo();
		await visit.hears('角色已保存');
		await visit.closes();
		await visit.sees('改过');
		await visit.button('编辑').click();
		await point(/管理门店/).check();
		// What was saved is shown before the role is read again.
		const letRead = await visit.holds(`**/api/**/roles/${id}*`, (request) => request.method() === 'GET');
		await visit.button('保存').click();
		await visit.hears('角色已保存');
		await visit.page.getByRole('term').getByText('管理门店').waitFor();
		await letRead();
		// A form opened by its address leads back, too.
		await visit.goto(`roles/${id}/edit`);
		await visit.link('← 一步领班').click();
		await visit.page.waitForURL(/roles\/\d+$/);
		const read: string[] = [];
		page.on('request', (request) => read.push(request.url()));
		await visit.goto('roles/new');
		await point(/查看角色/).waitFor();
		await visit.settles();
		expect(read.filter((url) => url.endsWith('/policies'))).toEqual([]);
		// Nobody asks for the form of the search any more.
		await visit.follow('stores');
		await visit.button('新增门店').waitFor();
		expect(await page.getByRole('dialog').count()).toBe(0);
	});

	describe.skipIf(isShort)('further ways', () => {
		test('a role that two people change keeps what each changed; where both changed the permissions, one is chosen', async () => {
			const role = await server.addRole('role:view');
			const put = async (...permissions: string[]) =>
				expectStatus(await server.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions }), 200);
			const held = async () => (await server.read(`/api/permissions/roles/${role.id}`)).permissions;
			const visit = await enter(`roles/${role.id}`);
			await visit.page.getByRole('term').getByText('查看角色').waitFor();
			await visit.button('编辑').click();
			await visit.fill({ 说明: '改过' });
			await put('role:view', 'employee:view:all');
			expectStatus(await server.asSuper('PATCH', `/api/roles/${role.id}`, { name: '别人改的' }), 200);
			await visit.button('保存').click();
			await visit.hears(/角色已保存。admin \d\d:\d\d 将角色名称改为“别人改的”。.*将权限改为“查看角色、查看全部员工”/);
			await visit.heading('别人改的');
			await visit.button('编辑').click();
			await visit.page.getByRole('checkbox', { name: /管理门店/ }).check();
			await visit.fill({ 说明: '又改过' });
			await visit.sees('增加 2 项权限。');
			await put('store:view');
			await visit.button('保存').click();
			await visit.page.getByText(/^对方的：admin \d\d:\d\d 改为“查看门店”$/).waitFor();
			await visit.page.getByText(/^我的：“查看门店、管理门店、查看角色、查看全部员工”$/).click();
			await visit.sees('增加 3 项权限。');
			await visit.button('保存').click();
			await visit.hears(/^角色已保存$/);
			await visit.sees('又改过');
			expect(await held()).toEqual(['store:view', 'store:manage', 'role:view', 'employee:view:all']);
		});

		test('a chain defines permissions of its own; before a role gets or loses one, the page says who is concerned', async () => {
			const [manager, cashier] = [await server.addRole('employee:view:all', 'employee:manage'), await server.addRole()];
			const twin = await server.addRole('employee:view:all', 'employee:manage');
			await server.asSuper('PATCH', `/api/roles/${twin.id}`, { name: manager.name });
			const store = await server.addStore();
			for (const { id } of [manager, cashier]) await server.addEmployee(store.id, [id]);
			const visit = await enter('roles');
			await visit.heading('角色');
			await visit.find('xzqx');
			await visit.page.keyboard.press('Enter');
			await visit.choose('名称', '退款');
			await visit.button('保存').click();
			await visit.hears('权限已新增，请在角色中分配');
			await visit.closes();
			await visit.button('新增权限').click();
			const form = visit.page.getByRole('dialog');
			await form.getByText('更多', { exact: true }).click();
			for (const [编码, refused] of [
				['till:refund', '权限编码已存在'],
				['store:refund', '“store”是系统权限的分组，请换一个'],
				['refund', '请用冒号分隔各部分'],
			] as const) {
				await visit.save({ 名称: '<b>整单</b>', 编码 });
				await form.getByText(refused).waitFor();
			}
			await visit.save({ 编码: 'till:void' });
			await visit.page.getByRole('row', { name: '<b>整单</b> till:void 收银 — 没有角色' }).waitFor();
			await visit.closes();
			await visit.button('新增权限').click();
			await visit.save({ 名称: '退款超过100元' });
			await visit.page.getByRole('row', { name: '退款超过100元 till:tui_kuan_chao_guo_100_yuan 收银' }).waitFor();
			await visit.closes();
			await visit.satisfies();
			await visit.button('编辑 退款').click();
			await visit.fill({ 说明: '先看小票' });
			const [refund, , gone] = await server.read('/api/permissions/points');
			await server.asSuper('PATCH', `/api/permissions/points/${refund.id}`, { title: '退货款' });
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
			expect(await visit.page.getByText('将不能再管理').count()).toBe(0);
			await visit.page.getByRole('checkbox', { name: /查看门店/ }).check();
			// Two roles with the same name have one sentence.
			await visit.page.getByText(`单凭“${manager.name}”将不能再管理`).waitFor();
			await visit.page.getByRole('checkbox', { name: /查看门店/ }).uncheck();
			const deleted = visit.page.getByRole('checkbox', { name: gone.title });
			await deleted.check();
			expectStatus(await server.asSuper('DELETE', `/api/permissions/points/${gone.id}`), 204);
			await visit.button('保存').click();
			await visit.sees(/^所选的内容已被删除，请重新选择$/);
			// Its box stays, and stands apart from those that exist.
			await visit.page.getByRole('group', { name: '其他' }).getByRole('checkbox', { name: gone.code }).click();
			await visit.button('保存').click();
			await visit.hears('角色已保存');
			await visit.page.getByRole('term').getByText('退货款').waitFor();
			await visit.goto('roles/points');
			await visit.button('删除 退货款').click();
			await visit.sees('从 1 个角色、1 名员工收回，立即生效。');
			await visit.confirm('删除');
			await visit.hears('权限已删除');
			// The row has gone, and the keyboard goes on in the page.
			await visit.page.locator('#main:focus').waitFor();
			await visit.goto('history');
			await visit.sees('删除了权限“退货款”，从 1 个角色或程序收回');
			await visit.goto('roles/points');
			await visit.button('删除 <b>整单</b>').click();
			await visit.sees('没有角色持有该权限。');
			await visit.confirm('删除');
			await visit.sees('还没有自定义权限');
			await visit.button('新增权限').waitFor();
		});

		test('somebody who loses a permission keeps what they typed and learns why it is refused, and then has no such button', async () => {
			const store = await server.addStore();
			const role = await server.addRole('store:view', 'store:manage');
			const grant = (...permissions: string[]) =>
				server.asSuper('PUT', `/api/permissions/roles/${role.id}`, { permissions });
			const { id, name } = await server.addEmployee(store.id, [role.id]);
			const visit = await enter('stores', { id });
			await visit.button('新增门店').click();
			await visit.fill({ 门店名称: '打了一半的门店' });
			await grant('store:view');
			await visit.button('保存').click();
			await visit.sees('需要权限“管理门店”。可以请超级管理员帮忙。');
			expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('打了一半的门店');
			await visit.discard();
			await visit.button('新增门店').waitFor({ state: 'hidden' });
			await grant('store:view', 'store:manage');
			await visit.goto(`stores/${store.id}`);
			await visit.button('禁用').click();
			await grant('store:view');
			await visit.confirm('禁用');
			await visit.sees('需要权限“管理门店”。可以请超级管理员帮忙。');
			await visit.confirm('取消');
			await visit.button('编辑').waitFor({ state: 'hidden' });
			// With the last permission the back office goes.
			await grant();
			await visit.page.reload();
			await visit.heading(name);
			expect(visit.page.url()).toEndWith('/me/');
		});
	});

	test('roles and permissions are one place, which shows each account what it may see, and only buttons that it may use', async () => {
		const role = await server.addRole('store:view');
		await server.addStore();
		const { id: storeId } = await server.addStore();
		const holder = await server.addEmployee(storeId, [role.id], { name: '持有人' });
		const peer = await server.addEmployee(storeId);
		const open = async (...codes: PermissionCode[]) => {
			const { id } = await server.addPerson(storeId, ...codes);
			const visit = await enter(`roles/${role.id}`, { id });
			await visit.page.getByRole('heading', { name: role.name, level: 1 }).waitFor();
			return visit;
		};
		const grantor = await open('permission:view', 'permission:manage');
		expect(await grantor.menu()).toEqual(['权限']);
		await grantor.page.getByRole('term').getByText('查看门店').waitFor();
		await grantor.button('编辑').click();
		await grantor.page.getByRole('checkbox', { name: /查看角色/ }).check();
		await grantor.button('保存').click();
		await grantor.hears('角色已保存');
		await grantor.page.getByRole('term').getByText('查看角色').waitFor();
		await grantor.link('← 权限').click();
		await grantor.page.getByRole('row', { name: `${role.name} 查看门店、查看角色` }).waitFor();
		await grantor.satisfies();
		await grantor.end();
		const viewer = await open('role:view');
		expect(await viewer.menu()).toEqual(['角色']);
		expect(await viewer.page.getByRole('term').count()).toBe(0);
		expect(await viewer.button('编辑').count()).toBe(0);
		await viewer.follow(`roles/${role.id}/edit`);
		await viewer.page.waitForURL(new RegExp(`roles/${role.id}$`));
		await viewer.end();
		// No role is said to have no permissions while they are being read.
		const reader = await open('role:view', 'permission:view');
		const letPoliciesGo = await reader.holds('**/permissions/policies');
		await reader.link('← 角色').click();
		await reader.link('店长').waitFor();
		expect(await reader.page.getByText('没有权限').count()).toBe(0);
		await letPoliciesGo();
		await reader.sees('没有权限');
		// Nor is a permission of the chain left out while its title is being read.
		await server.addPoint('shelf:count', { title: '盘点货架', groupTitle: '货架' });
		const shelves = await server.addRole('shelf:count');
		const letTitlesGo = await reader.holds('**/definitions');
		await reader.goto(`roles/${shelves.id}`);
		await reader.heading('权限 1 · 不能登录后台');
		await letTitlesGo();
		await reader.page.getByRole('term').getByText('盘点货架').waitFor();
		await reader.end();
		// An assigned role cannot be deleted, and nobody assigns a role with permissions they lack.
		const clerk = await open('role:view', 'role:manage', 'employee:view:all', 'employee:manage');
		await clerk.page.getByText('更多', { exact: true }).click();
		await clerk.sees('有员工持有，不能删除');
		await clerk.link('持有人').waitFor();
		expect(await clerk.button('添加员工').count()).toBe(0);
		await clerk.button('编辑').click();
		await clerk.page.getByLabel('角色名称', { exact: true }).waitFor();
		await clerk.follow(`employees/${holder.id}`);
		await clerk.sees('不能操作该员工：您没有“查看门店”权限。可以请');
		expect(await clerk.button('编辑').count()).toBe(0);
		await clerk.follow(`employees/${peer.id}`);
		// An open form stays when a colleague takes its button away.
		const form = clerk.page.getByRole('dialog');
		const higher = async (isHigher: boolean) => {
			const permissions = isHigher ? ['store:manage'] : [];
			expectStatus(await server.asSuper('PUT', '/api/permissions/roles/3', { permissions }), 200);
			await clerk.page.evaluate(renewal);
			await clerk.settles();
		};
		await server.asSuper('PATCH', `/api/employees/${peer.id}`, { roleIds: [3] });
		await clerk.button('编辑').click();
		await clerk.fill({ 姓名: '打了一半的名字' });
		await higher(true);
		await clerk.button('保存').click();
		await form.getByText('不能操作该员工：您没有“查看门店”、“管理门店”权限').waitFor();
		await clerk.discard();
		await clerk.button('编辑').waitFor({ state: 'hidden' });
		await higher(false);
		await clerk.follow('roles/3');
		await clerk.button('添加员工').click();
		for (const name of [holder.name, peer.name]) await clerk.choose('员工', name);
		await clerk.page.keyboard.press('Escape');
		await higher(true);
		await higher(false);
		await clerk.button('添加').click();
		await clerk.page.getByRole('dialog').getByText(`${holder.name}：不能操作该员工：您没有“查看门店”权限`).waitFor();
		await clerk.goto('employees');
		for (const label of ['门店', '角色']) await clerk.page.getByLabel(label, { exact: true }).waitFor();
	});

	test('an auditor is at the history after signing in, and sees nothing else', async () => {
		const visit = await enter('roles/points');
		// The form proposes the group of a point that is known when it opens.
		await visit.settles();
		await visit.button('新增权限').click();
		// A typed suggestion has its group, but not a name that only begins like one.
		const group = visit.page.getByLabel('分组');
		const before = await group.inputValue();
		for (const typed of ['盘点', '盘点差异']) await visit.fill({ 名称: typed });
		expect(await group.inputValue()).toBe(before);
		await visit.fill({ 名称: '查看操作记录' });
		expect(await group.inputValue()).toBe('操作记录');
		await visit.button('保存').click();
		await visit.hears('权限已新增，请在角色中分配');
		// The form refuses the names in the list.
		await visit.page.getByRole('row', { name: /^查看操作记录 / }).waitFor();
		await visit.button('新增权限').click();
		await visit.save({ 名称: '查看操作记录 ' });
		await visit.sees('已有同名的权限，请换一个名称');
		const { id: storeId } = await server.addStore();
		const { id } = await server.addPerson(storeId, 'history:view');
		const { roles } = await server.read(`/api/employees/${id}`);
		await visit.goto(`roles/${roles[0].id}`);
		await visit.sees('查看操作记录');
		expect(await visit.page.getByText('不能登录后台').count()).toBe(0);
		await visit.end();
		const auditor = await enter('', { id });
		await auditor.heading('操作记录');
		await auditor.sees(/新增了权限“查看操作记录”/);
		expect(await auditor.menu()).toEqual(['操作记录']);
		// Nothing leads to a page that they may not see, and no filter asks for what they may not read.
		const refused: string[] = [];
		auditor.page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
		await auditor.follow(`history?actorType=EMPLOYEE&actorId=${id}`);
		await auditor.settles();
		await auditor.follow('history?action=EMPLOYEE_CREATE');
		await auditor.sees(/新增了员工/);
		await auditor.exports();
		await auditor.page.locator('.row-link').first().click();
		await auditor.page.getByRole('dialog').getByRole('heading', { name: '新增了员工' }).waitFor();
		expect(await auditor.page.locator('.in-text').count()).toBe(0);
		await auditor.page.keyboard.press('Escape');
		await auditor.page.getByLabel('操作人', { exact: true }).fill('王芳');
		await auditor.sees('您没有查看员工的权限，不能按姓名查找');
		expect(refused).toEqual([]);
		await auditor.goto('../me/');
		await auditor.sees('您的账号正常，可以登录员工端（收银台等系统），也可以登录后台。');
		await auditor.sees('在后台可以：查看操作记录。');
		await auditor.settles();
		expect(await auditor.page.getByText('授权码').count()).toBe(0);
	});

	test('the history reads no list for its filters at first, and names no employee for the number of a program that is gone', async () => {
		const { id, name } = await server.addEmployee((await server.addStore()).id);
		const visit = await enter('roles');
		const lists: string[] = [];
		visit.page.on('request', (request) => /employees\?|programs/.test(request.url()) && lists.push(request.url()));
		await visit.goto(`history?actorType=EMPLOYEE&actorId=${id}`);
		const actor = (text: string) => visit.page.locator('.filter-choice', { hasText: text }).waitFor();
		await actor(name);
		await visit.settles();
		// Nobody has opened the filter.
		expect(lists).toEqual([]);
		await visit.follow(`history?actorType=PROGRAM&actorId=${id}`);
		await actor(`编号 ${id}`);
		await visit.end();
	});
});

/** Runs in a page: the visible cells of a table that are narrower than 60 pixels, or than their content. */
const narrow = `Array.from(document.querySelectorAll('.sheet :is(th, td):not(.select-column)'))
	.filter((each) => each.checkVisibility() && (each.offsetWidth < 60 || each.scrollWidth > each.clientWidth))
	.map((each) => each.textContent)`;

describe.skipIf(skipped)('programs in the back office', () => {
	describe.skipIf(isShort)('further ways', () => {
		test('a program is made for one store; its key is shown once, another one ends it at once, and it is deleted', async () => {
			await server.addPoint('till:refund', { title: '<b>退款</b>', groupTitle: '收银' });
			const store = await server.addStore({ name: '人民路店' });
			const visit = await enter('stores');
			await visit.heading('门店');
			await visit.find('xzjrcx');
			await visit.page.keyboard.press('Enter');
			const form = visit.page.getByRole('dialog', { name: '新增接入程序' });
			const box = (name: RegExp) => form.getByRole('checkbox', { name });
			await visit.button('保存').click();
			await form.getByText('请选择至少一项权限').waitFor();
			// A program that signs people in needs none.
			await visit.fill({ 登录后返回的地址: 'https://till.example/ ' });
			await form.getByText('请选择至少一项权限').waitFor({ state: 'hidden' });
			expect(await form.getByLabel('到期日').inputValue()).toBe('');
			await form.getByLabel('登录后返回的地址').press('Backspace');
			expect(await box(/管理角色|分配权限/).count()).toBe(0);
			await visit.fill({ 名称: '收银服务器' });
			for (const name of [/管理门店/, /管理员工/, /<b>退款/]) await box(name).check();
			await form.getByRole('checkbox', { name: /查看门店.*自动包含/, checked: true, disabled: true }).waitFor();
			await form.getByRole('checkbox', { name: /查看全部员工.*自动包含/, checked: true, disabled: true }).waitFor();
			expect(await form.getByLabel('门店', { exact: true }).count()).toBe(0);
			await form.getByText('只限本店时，请再勾选下一项').waitFor();
			await box(/查看本店员工/).check();
			await form.getByLabel('门店', { exact: true }).waitFor();
			await visit.button('保存').click();
			await form.getByText('请选择门店').waitFor();
			await visit.choose('门店', store.name);
			await visit.satisfies();
			await visit.button('保存').click();
			const shown = visit.page.getByRole('dialog', { name: '“收银服务器”的密钥' });
			await shown.getByText('密钥只显示这一次').waitFor();
			await visit.focuses('复制');
			await shown.getByRole('button', { name: '关闭' }).last().click();
			await visit.page.getByRole('dialog', { name: '密钥还没有复制，确定关闭？' }).waitFor();
			await visit.confirm('返回');
			await visit.satisfies();
			const key = await visit.copies(shown.getByRole('button', { name: '复制' }));
			await shown.getByRole('button', { name: '已复制' }).waitFor();
			expect([key, await statusOf(key)]).toEqual([expect.stringMatching(/^access_[\w-]{43}$/), 200]);
			await shown.getByRole('button', { name: '关闭' }).last().click();
			await visit.closes();
			const [program] = await server.read('/api/programs');
			const permissions = ['store:view', 'store:manage', 'employee:view:store', 'employee:manage', 'till:refund'];
			expect(program).toMatchObject({ name: '收银服务器', permissions, storeId: store.id, endsOn: dayIn(364) });
			await visit.page.getByRole('row', { name: /收银服务器.*<b>退款<\/b> 人民路店/ }).waitFor();
			await visit.button('新密钥 收银服务器').click();
			await visit.sees('现在的密钥再用一小时，期间请换成新的。');
			const red = visit.page.locator('.ant-btn-dangerous', { hasText: '生成新密钥' });
			expect(await red.count()).toBe(0);
			await visit.page.getByLabel('旧密钥立即失效（可能已泄露）').check();
			expectStatus(await server.asSuper('PATCH', `/api/programs/${program.id}`, { name: '收银机' }), 200);
			await visit.sees('现在的密钥立即失效，请马上换成新的。');
			await red.waitFor();
			await visit.confirm('生成新密钥');
			await visit.sees('内容已被他人修改');
			await visit.confirm('取消');
			await visit.button('新密钥 收银机').click();
			await visit.page.getByLabel('旧密钥立即失效（可能已泄露）').check();
			await visit.confirm('生成新密钥');
			const renewed = visit.page.getByRole('dialog', { name: '“收银机”的密钥' });
			const another = await visit.copies(renewed.getByRole('button', { name: '复制' }));
			expect([await statusOf(key), await statusOf(another)]).toEqual([401, 200]);
			await renewed.getByRole('button', { name: '关闭' }).last().click();
			await visit.focuses('新密钥 收银机');
			await visit.goto('roles/points');
			await visit.button('删除 <b>退款</b>').click();
			await visit.sees('从 1 个接入程序收回，立即生效。');
			await visit.confirm('取消');
			await visit.goto('roles/programs');
			expectStatus(await server.asSuper('DELETE', `/api/stores/${store.id}`), 204);
			await visit.button('编辑 收银机').click();
			await visit.page.getByRole('dialog').getByText(store.name, { exact: true }).waitFor();
			await visit.confirm('取消');
			const stores: string[] = [];
			visit.page.on('request', (request) => request.url().includes('stores/all') && stores.push(request.url()));
			await visit.goto('roles/programs');
			await visit.button('删除 收银机').click();
			await visit.sees('它的密钥立即失效');
			// Only for an account of some stores it matters which ones these are.
			expect(stores).toEqual([]);
			await visit.confirm('删除');
			await visit.sees('还没有接入程序');
			expect(await statusOf(another)).toBe(401);
			await visit.goto('history');
			await visit.sees('更换了接入程序“收银机”的密钥');
		});

		test('the overview leads to programs that end or are over; a manager with fewer rights can only end them', async () => {
			const { id: storeId } = await server.addStore();
			const grantor = await server.addPerson(storeId, 'store:view', 'permission:view', 'permission:manage');
			addEnding(3, 'store:view');
			addEnding(-3, 'store:view', 'role:view');
			const { key } = server.addProgram(['store:view', 'store:manage']);
			const made = await server.send('POST', '/api/stores', { token: key, body: { name: '程序新增的店' } });
			expectStatus(made, 201);
			const names = ((await server.read('/api/programs')) as { name: string }[]).map(({ name }) => name);
			const [soon, over, calling] = names.slice(-3);
			const visit = await enter('stores', { kind: 'phone' });
			// The page does not say 一切正常 before the programs are known.
			const letGo = await visit.holds('**/api/programs');
			const overview = visit.page.waitForResponse('**/api/overview');
			await visit.link('今天').click();
			await overview;
			await visit.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
			expect(await visit.page.locator('.news').count()).toBe(0);
			await letGo();
			await visit.link('1 个接入程序已到期，不能再使用').waitFor();
			await visit.page.getByRole('link', { name: `接入程序“${soon}”` }).click();
			await visit.heading('接入程序');
			const card = (name = '') => visit.page.locator('.card', { hasText: name });
			await card(soon).getByText('即将到期').waitFor();
			await card(over).getByText('已到期').waitFor();
			await visit.page.emulateMedia({ colorScheme: 'dark' });
			await visit.satisfies();
			await visit.goto('history');
			await visit.button('筛选').click();
			await visit.choose('操作人', calling ?? '', visit.page);
			await visit.sees(`接入程序“${calling}” 新增了门店“程序新增的店”`);
			await visit.button('筛选（1）').waitFor();
			await visit.counts(1);
			await visit.end();

			const lower = await enter('roles/programs', { id: grantor.id });
			await lower.button(`编辑 ${soon}`).waitFor();
			await lower.button(`删除 ${over}`).waitFor();
			expect(
				await lower
					.button(`编辑 ${over}`)
					.or(lower.button(`新密钥 ${over}`))
					.count(),
			).toBe(0);
			await lower.button('新增接入程序').click();
			await lower.page.getByRole('checkbox', { name: /查看权限/ }).waitFor();
			expect(await lower.page.getByRole('checkbox', { name: /查看全部员工|管理门店/ }).count()).toBe(0);
			await lower.end();
			const { id } = await server.addPerson(storeId, 'permission:view');
			const viewer = await enter('roles/programs', { id });
			await viewer.page.getByRole('row', { name: soon ?? '' }).waitFor();
			expect(await viewer.page.locator('main').getByRole('button').count()).toBe(0);
		});

		test('a public program with a permission is registered and changed in a form', async () => {
			const visit = await enter('roles/programs');
			await visit.button('新增接入程序').click();
			const form = visit.page.getByRole('dialog', { name: '新增接入程序' });
			await visit.fill({ 名称: '报表' });
			expect(await form.getByRole('checkbox', { name: /不能保密/ }).count()).toBe(0);
			const addresses = form.getByLabel('登录后返回的地址');
			await addresses.fill('http://report.example/');
			await addresses.press('Enter');
			await form.getByLabel('退出后返回的地址').fill('https://report.example/bye');
			await form.getByLabel('退出后返回的地址').press('Enter');
			await form.getByRole('checkbox', { name: /不能保密/ }).check();
			await visit.choose('谁可以登录', '有“查看门店”权限的人');
			await visit.button('保存').click();
			await form.getByText(/以 https:\/\/ 开头/).waitFor();
			await addresses.press('Backspace');
			await addresses.fill('https://report.example/');
			await addresses.press('Enter');
			await visit.button('保存').click();
			await visit.closes();
			const find = async () => ((await server.read('/api/programs')) as Body[]).find(({ name }) => name === '报表');
			expect(await find()).toMatchObject({
				permissions: [],
				redirectUris: ['https://report.example/'],
				signOutUris: ['https://report.example/bye'],
				isPublic: true,
				signInPermission: 'store:view',
			});
			// A program without a secret has its name from here only.
			await visit.page.getByText(`client_id：program-${(await find())?.id}`, { exact: true }).waitFor();
			// Without a key, there is no use of one.
			expect(await visit.page.getByRole('row', { name: /^报表 / }).count()).toBe(1);
			expect(await visit.page.getByRole('row', { name: /^报表 .*从未使用/ }).count()).toBe(0);
			await visit.button('删除 报表').click();
			await visit.sees(/^员工不能再用自己的账号登录该程序。删除后不能恢复，名称可以重新使用。$/);
			await visit.confirm('取消');
			await visit.button('编辑 报表').click();
			const edited = visit.page.getByRole('dialog', { name: '编辑接入程序：报表' });
			await edited.getByRole('checkbox', { name: /不能保密/, checked: true }).waitFor();
			await visit.choose('谁可以登录', '有“查看角色”权限的人');
			await visit.button('保存').click();
			await visit.closes();
			expect(await find()).toMatchObject({ isPublic: true, signInPermission: 'role:view' });
			// The dialog says which of the two values that a library asks for is which.
			await visit.button('编辑 报表').click();
			await edited.getByRole('checkbox', { name: /不能保密/ }).uncheck();
			await visit.button('保存').click();
			await visit.closes();
			await visit.button('新登录密钥 报表').click();
			await visit.confirm('生成新登录密钥');
			const keys = visit.page.getByRole('dialog', { name: '“报表”的密钥' });
			await keys.getByText(`client_id 填 program-${(await find())?.id}，client_secret 填 secret_`).waitFor();
			await visit.satisfies();
			await keys.getByRole('button', { name: '复制' }).click();
			await keys.getByRole('button', { name: '关闭' }).last().click();
			await visit.closes();
		});
	});

	const statusOf = async (key: string) => (await server.send('GET', '/api/employees', { token: key })).status;

	/** Makes a program that ends in some days; a negative number is in the past. */
	function addEnding(days: number, ...codes: Parameters<Server['addProgram']>[0]): void {
		const { id } = server.addProgram(codes);
		server.alter((database) => database.run('update programs set ends_on = ? where id = ?', [dayIn(days), id]));
	}

	test('a form shows a day while its calendar is loaded, and takes it in a field of the browser if that fails', async () => {
		const other = await enter('roles/programs');
		// A tab in which no test has loaded the calendar.
		const visit = await Visit.open(other.page.context(), server.url, 'roles/programs');
		await visit.heading('接入程序');
		const calendar = Promise.withResolvers<void>();
		await visit.page.route('**/*.js', (route) => calendar.promise.then(() => route.abort()));
		await visit.button('新增接入程序').click();
		const permission = visit.page.getByRole('checkbox', { name: /查看门店/ });
		const day = visit.page.getByLabel('到期日');
		// The proposed day comes with the first permission, and goes with the last one.
		for (const proposed of [dayIn(364), '', dayIn(364)]) {
			await permission.setChecked(proposed !== '');
			// Enter saves the form, also before the calendar is there.
			expect([await day.inputValue(), await day.isEditable()]).toEqual([proposed, false]);
		}
		calendar.resolve();
		await day.and(visit.page.locator(':read-write')).waitFor();
		await visit.fill({ 名称: '断网时的程序', 到期日: dayIn(3) });
		await visit.button('保存').click();
		await visit.hears('接入程序已新增');
		const stored = expect.objectContaining({ name: '断网时的程序', endsOn: dayIn(3) });
		expect(await server.read('/api/programs')).toContainEqual(stored);
	});

	test('lists have room on a narrow desktop; the form of a program says what clashes', async () => {
		const store = await server.addStore({ name: '窄屏路店', phone: '021-55667788 转 8001 / 55667799' });
		await server.addEmployee(store.id, [], { name: '窄屏人', status: 'INACTIVE' });
		const point = await server.addPoint('till:change:the:price:of:an:item', { title: '改价', description: '先看小票' });
		const program = { name: '窄屏收银台', permissions: ['employee:view:store', point.code], storeId: store.id };
		const redirectUris = ['https://till.example/'];
		expectStatus(await server.asSuper('POST', '/api/programs', { ...program, redirectUris, endsOn: dayIn(3) }), 201);
		const visit = await enter('roles/programs');
		for (const [path, text] of [
			['roles/programs', program.name],
			['roles/points', point.code],
			['roles/administrators', 'admin'],
			['employees?keyword=窄屏人', '员工禁用'],
			['stores?keyword=窄屏路店', store.name],
		] as const) {
			await visit.follow(path);
			await visit.page.getByRole('cell', { name: text }).first().waitFor();
			for (const width of someOf([800, 1024, 1280], (each) => each < 1280)) {
				await visit.page.setViewportSize({ width, height: 800 });
				await visit.settles();
				await visit.fits();
				expect([width, path, await visit.page.evaluate(narrow)]).toEqual([width, path, []]);
			}
		}
		await visit.follow('roles/programs');
		await visit.button(`编辑 ${program.name}`).click();
		await visit.fill({ 登录后返回的地址: 'https://mine.example/ ' });
		const made = (await server.read('/api/programs')).find(({ name }: { name: string }) => name === program.name);
		const theirs = { redirectUris: ['https://theirs.example/'] };
		expectStatus(await server.asSuper('PATCH', `/api/programs/${made.id}`, theirs), 200);
		await visit.button('保存').click();
		await visit.page.getByText('我的：“https://till.example/、https://mine.example/”').waitFor();
		await visit.page.getByText(/^对方的：admin \d\d:\d\d 改为“https:\/\/theirs\.example\/”$/).click();
		await visit.button('保存').click();
		await visit.hears('没有修改，无需保存');
		await visit.closes();
		await visit.button(`编辑 ${program.name}`).click();
		await visit.fill({ 名称: '改名的程序' });
		expectStatus(await server.asSuper('PATCH', `/api/programs/${made.id}`, { endsOn: dayIn(7) }), 200);
		await visit.button('保存').click();
		await visit.hears(new RegExp(`^接入程序已保存。admin \\d\\d:\\d\\d 将到期日改为“${dayIn(7)}”$`));
		await visit.closes();
		// The reason of a refusal is in sight, even if its field is at the lower edge.
		await visit.button('新增接入程序').click();
		await visit.fill({ 名称: '没有加密', 登录后返回的地址: 'http://plain.example/ ' });
		await visit.page.evaluate("document.activeElement.closest('.ant-select').scrollIntoView({ block: 'end' })");
		await visit.button('保存').click();
		await visit.page.locator('.ant-form-item-explain-error').waitFor();
		const isSeen = `(() => {
			const reason = document.querySelector('.ant-form-item-explain-error');
			const { left, bottom } = reason.getBoundingClientRect();
			return reason.contains(document.elementFromPoint(left + 4, bottom - 4));
		})()`;
		expect(await visit.page.evaluate(isSeen)).toBe(true);
		await visit.end();
		// The name of the store needs no permission for stores.
		const { id } = await server.addPerson(store.id, 'permission:view');
		const auditor = await enter('roles/programs', { id });
		await auditor.page.getByRole('cell', { name: store.name, exact: true }).waitFor();
	});
});
