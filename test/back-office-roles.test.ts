/** Roles, permissions, and what people see who hold some of them, in a real Chromium. */
import { describe, expect, test } from 'bun:test';
import type { PermissionCode } from '../src/vocabulary/permissions.ts';
import { showPhone } from '../src/vocabulary/phone.ts';
import { openScreens } from './back-office/screens.ts';
import { skipped } from './chromium.ts';
import { expectStatus } from './world.ts';

const { enter, server } = await openScreens();

describe.skipIf(skipped)('roles in the back office', () => {
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
});
