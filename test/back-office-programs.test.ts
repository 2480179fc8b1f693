/** The page of the programs that call with a key, in a real Chromium. */
import { describe, expect, test } from 'bun:test';
import { openScreens } from './back-office/screens.ts';
import { skipped } from './chromium.ts';
import type { Server } from './server.ts';
import { expectStatus } from './world.ts';

const { enter, server } = await openScreens();

describe.skipIf(skipped)('programs in the back office', () => {
	const statusOf = async (key: string) => (await server.send('GET', '/api/employees', { token: key })).status;

	const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

	/** Makes a program with an end so many days from now, which can lie in the past. */
	function addEnding(days: number, ...codes: Parameters<Server['addProgram']>[0]): void {
		const { id } = server.addProgram(codes);
		server.alter((database) => database.run('update programs set ends_on = ? where id = ?', [inDays(days), id]));
	}

	test('a program is made for one store; its key is shown once, another one ends it at once, and it is deleted', async () => {
		await server.addPoint('till:refund', { title: '<b>退款</b>', groupTitle: '收银' });
		const store = await server.addStore({ name: '人民路店' });
		const visit = await enter('stores');
		await visit.heading('门店管理');
		await visit.page.keyboard.press('Control+k');
		await visit.page.getByRole('combobox', { name: '搜索' }).fill('xzjrcx');
		await visit.page.keyboard.press('Enter');
		const form = visit.page.getByRole('dialog', { name: '新增接入程序' });
		const box = (name: RegExp) => form.getByRole('checkbox', { name });
		await visit.button('保存').click();
		await form.getByText('请选择至少一项权限').waitFor();
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
		await shown.getByRole('button', { name: '关闭' }).last().click();
		await visit.page.getByRole('dialog', { name: '密钥还没有复制，确定关闭？' }).waitFor();
		await visit.confirm('返回');
		await visit.satisfies();
		const key = await visit.copies(shown.getByRole('button', { name: '复制' }));
		await shown.getByRole('button', { name: '已复制' }).waitFor();
		expect([key, await statusOf(key)]).toEqual([expect.stringMatching(/^access_[\w-]{43}$/), 200]);
		await shown.getByRole('button', { name: '关闭' }).last().click();
		await visit.closes();
		const [program] = expectStatus(await server.asSuper('GET', '/api/programs'), 200);
		const permissions = ['store:view', 'store:manage', 'employee:view:store', 'employee:manage', 'till:refund'];
		expect(program).toMatchObject({ name: '收银服务器', permissions, storeId: store.id });
		const row = visit.page.getByRole('row', { name: /收银服务器.*<b>退款<\/b> 人民路店/ });
		await row.waitFor();

		const sooner = inDays(100);
		await visit.button('编辑 收银服务器').click();
		await visit.fill({ 名称: '收银' });
		expectStatus(await server.asSuper('PATCH', `/api/programs/${program.id}`, { endsOn: sooner }), 200);
		await visit.button('保存').click();
		await visit.hears(new RegExp(`接入程序已保存。admin \\d\\d:\\d\\d 将有效期至改为“${sooner}”`));

		await visit.button('新密钥 收银').click();
		await visit.page.getByLabel('旧密钥立即失效（可能已泄露）').check();
		expectStatus(await server.asSuper('PATCH', `/api/programs/${program.id}`, { name: '收银机' }), 200);
		await visit.confirm('生成新密钥');
		await visit.sees('内容已被他人修改');
		await visit.confirm('取消');
		await visit.button('新密钥 收银机').click();
		await visit.page.getByLabel('旧密钥立即失效（可能已泄露）').check();
		await visit.confirm('生成新密钥');
		const another = await visit.copies(
			visit.page.getByRole('dialog', { name: '“收银机”的密钥' }).getByRole('button', { name: '复制' }),
		);
		expect([await statusOf(key), await statusOf(another)]).toEqual([401, 200]);
		await visit.goto('roles/points');
		await visit.button('删除 <b>退款</b>').click();
		await visit.sees('从 1 个接入程序收回，立即生效。');
		await visit.confirm('取消');
		await visit.goto('roles/programs');
		await visit.button('删除 收银机').click();
		await visit.sees('它的密钥立即失效');
		await visit.confirm('删除');
		await visit.sees('还没有接入程序');
		expect(await statusOf(another)).toBe(401);
		await visit.goto('history');
		await visit.sees('更换了接入程序“收银机”的密钥');
		await visit.end();
	});

	test('the overview leads to programs that end or are over; who lacks what one may do can only end it, and who only looks cannot', async () => {
		const { id: storeId } = await server.addStore();
		const grantor = await server.addPerson(storeId, 'store:view', 'permission:view', 'permission:manage');
		addEnding(3, 'store:view');
		addEnding(-3, 'store:view', 'role:view');
		const { key } = server.addProgram(['store:view', 'store:manage']);
		const made = await server.send('POST', '/api/stores', { token: key, body: { name: '程序新增的店' } });
		expectStatus(made, 201);
		const names = (expectStatus(await server.asSuper('GET', '/api/programs'), 200) as { name: string }[]).map(
			({ name }) => name,
		);
		const [soon, over, calling] = names.slice(-3);
		const visit = await enter('overview', { kind: 'phone' });
		await visit.link('1 个接入程序已到期，不能再使用').waitFor();
		await visit.page.getByRole('link', { name: `接入程序“${soon}”的有效期至` }).click();
		await visit.heading('接入程序');
		const card = (name = '') => visit.page.locator('.card', { hasText: name });
		await card(soon).getByText('即将到期').waitFor();
		await card(over).getByText('已到期').waitFor();
		await visit.page.emulateMedia({ colorScheme: 'dark' });
		await visit.satisfies();
		await visit.goto('history');
		await visit.button('筛选').click();
		await visit.page.getByLabel('操作人', { exact: true }).click();
		await visit.page.keyboard.type(calling ?? '');
		await visit.page.locator('.ant-select-item-option', { hasText: calling ?? '' }).click();
		await visit.sees(`接入程序“${calling}” 新增了门店“程序新增的店”`);
		await visit.sees('共 1 条');
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
		expect(await lower.page.getByRole('checkbox').count()).toBe(2);
		await lower.end();
		const { id } = await server.addPerson(storeId, 'permission:view');
		const viewer = await enter('roles/programs', { id });
		await viewer.page.getByRole('row', { name: soon ?? '' }).waitFor();
		expect(await viewer.page.locator('main').getByRole('button').count()).toBe(0);
		await viewer.end();
	});
});
