/** `bun run test:back-office`: every page for every kind of account, and every task from an empty chain to its end. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../chromium.ts';
import { hanging } from '../hanging.ts';
import { compiled, removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, initialPassword, newPhone } from '../world.ts';
import { fillChain } from './chain.ts';
import { scenes } from './scenes.ts';
import { newContext, Visit } from './visit.ts';

setDefaultTimeout(hanging);

let browser: Browser;
beforeAll(async () => {
	compiled();
	browser = await startBrowser();
});
afterEach(Visit.closeRest);
afterAll(async () => {
	await browser.close();
	await removeFolders();
});

const everyPage = ['stores', 'stores/1', 'employees', 'employees/1', 'roles', 'roles/6'];

describe.each([
	['desktop', 'light'],
	['desktop', 'dark'],
	['phone', 'light'],
	['phone', 'dark'],
] as const)('on a %s, %s', (kind, colorScheme) => {
	let server: Server;
	beforeAll(async () => {
		server = await Server.start();
		await fillChain(server);
	});
	afterAll(() => server.program.end('SIGKILL'));

	/** Looks at pages one after the other. */
	async function inspect(visit: Visit, paths: readonly string[]): Promise<void> {
		for (const path of paths) {
			await visit.load(path);
			await visit.page.locator('main h1, .ant-drawer h2').first().waitFor();
			await visit.page.waitForLoadState('networkidle');
			await visit.satisfies();
		}
	}

	test('the super administrator sees every page, and can use every form and confirmation', async () => {
		const visit = await Visit.open(browser, server.url, '', kind);
		await visit.page.emulateMedia({ colorScheme });
		await visit.page.getByLabel('密码').waitFor();
		await visit.satisfies();
		await visit.signIn(adminUsername, adminPassword);
		for (const [name, path, act] of scenes) {
			await visit.load(path);
			await visit.page.waitForLoadState('networkidle');
			await act?.(visit);
			// An open menu lies outside of the landmarks.
			if (name !== 'account' && name !== 'employee-menu') await visit.satisfies();
			if (name.startsWith('slip')) await visit.closeSlips();
		}
		await visit.end();
	});

	test.each([
		['admin', 'admin', ['history']],
		['store manager', 'store_manager', ['stores', 'employees/import', 'roles', 'permissions', 'history']],
	])('the %s sees their pages, and a page in the place of the others', async (_, code, closed) => {
		const roles = (await server.asSuper('GET', '/api/roles')).body.data as { id: number; code: string }[];
		const { id } = await server.addEmployee(1, [roles.find((role) => role.code === code)?.id ?? 0]);
		const visit = await Visit.enter(browser, server, '', { id, kind });
		await inspect(visit, code === 'admin' ? everyPage : ['employees', 'employees/1']);
		for (const path of closed) {
			await visit.goto(path);
			await visit.heading('没有权限查看此页面');
		}
		await visit.satisfies();
		await visit.end();
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
			await server.asSuper('PATCH', '/api/employees/2', { remark: '夜班' });
			await visit.goto('history');
			if (kind === 'phone') await visit.button('筛选').click();
			await visit.page.getByLabel('操作人', { exact: true }).click();
			await visit.page.locator('.ant-select-item-option', { hasText: '超级管理员' }).click();
			await visit.sees('今天');
			const imported = visit.page.locator('tr, .card', { hasText: 'admin 导入了 3 名员工' });
			await imported.locator('.row-link').click();
			await visit.page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click();
			await visit.sees('修改了备注：李四');
			await visit.satisfies();
			await visit.confirm('撤销其余 2 名');
			await visit.hears('已撤销，2 名员工恢复原样');
			await visit.goto('employees');
			await visit.link('李四').waitFor();
			await visit.counts(1);
			await visit.end();
		});
	},
);

/** Runs in the page: what makes a phone zoom, and what a finger misses: 44 pixels high, 24 for a link inside a sentence. */
const tooSmall = `Array.from(document.querySelectorAll('body :is(a[href], button, input, textarea, summary, .ant-select)'))
	.filter((each) => each.checkVisibility() && each.clientWidth + each.offsetWidth > 2)
	.filter((each) => !each.closest('.skip, .unseen, [aria-hidden=true], .ant-select :is(input, button)'))
	.filter((each) => {
		const isTyped = each.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea');
		if (isTyped && Number.parseFloat(getComputedStyle(each).fontSize) < 16) return true;
		each.scrollIntoView({ block: 'center', behavior: 'instant' });
		// The whole row is the area of its link.
		const area = each.closest(each.matches('.row-link') ? '.card, li' : 'label, .ant-input-affix-wrapper, .ant-select, .ant-picker') ?? each;
		const [first] = (each.matches('.row-link') ? area : each).getClientRects();
		if (!first) return false;
		const reach = each.matches('.in-text') ? 11 : 21;
		const x = first.left + first.width / 2;
		const y = first.top + first.height / 2;
		const hit = (at) => document.elementFromPoint(x, at);
		// What lies under something else is not there to be pressed.
		if (!area.contains(hit(y))) return false;
		return ![y - reach, y + reach].every((at) => area.contains(hit(at)));
	})
	.map((each) => each.outerHTML.slice(0, 200))`;

test('on a phone fields have 16 pixels and targets 44, and nothing lies under the main action', async () => {
	await Server.with(async (server) => {
		await fillChain(server);
		const visit = await Visit.enter(browser, server, '', { kind: 'phone' });
		const found: string[] = [];
		for (const [path, act] of [
			'overview',
			'stores',
			'stores/1',
			'employees',
			'employees/5',
			'employees/21',
			'employees?status=DELETED',
			'roles',
			'roles/3',
			'roles/points',
			'roles/programs',
			'history',
			'nowhere',
			'../me/',
			['employees', '筛选'] as const,
			['employees', '新增员工'] as const,
			['employees/6', '更多操作'] as const,
			['history', '筛选'] as const,
			['stores/1', '编辑'] as const,
			['roles/6', '编辑'] as const,
			'employees/import',
		].map((each) => (typeof each === 'string' ? ([each, undefined] as const) : each))) {
			await visit.goto(path);
			await visit.page.waitForLoadState('networkidle');
			if (act) await visit.button(act).click();
			await visit.page.waitForTimeout(400);
			found.push(...(await visit.page.evaluate<string[]>(tooSmall)).map((each) => `${path} ${act ?? ''}: ${each}`));
		}
		expect(found).toEqual([]);
		await visit.goto('employees');
		const action = await visit.button('新增员工').boundingBox();
		// Its ground covers what is below the list, from one side to the other.
		expect([action?.x, action?.width]).toEqual([12, 366]);
		await visit.end();
	});
});

/** Counts what a hand does: a key that presses a button has no detail. */
const countClicks = `addEventListener('click', ({ detail, isTrusted }) => {
	if (isTrusted && detail > 0) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, { capture: true });`;
const clicksOf = ({ page }: Visit) => page.evaluate<number>('Number(sessionStorage.clicks)');

test('the first day takes at most eleven clicks: from a new chain to a cashier with their own password', async () => {
	await Server.with(
		async (server) => {
			const context = await newContext(browser, 'desktop');
			await context.addInitScript({ content: countClicks });
			const owner = await Visit.open(context, server.url);
			await owner.signIn(adminUsername, adminPassword);
			await owner.page.getByLabel('品牌名称', { exact: true }).fill('好邻居便利');
			await owner.page.keyboard.press('Enter');
			await owner.hears('品牌名称已保存');
			await owner.button('新增门店').click();
			await owner.save({ 门店名称: '人民路店' }, '人民路店');
			await owner.button('新增第一名员工').click();
			const phone = newPhone();
			await owner.fill({ 姓名: '王芳', 手机号: phone });
			await owner.choose('角色', '收银员');
			await owner.button('保存').click();
			const slip = await owner.copies(owner.button('复制'));
			expect(slip).toContain('王芳，您在“好邻居便利”的登录信息');
			await owner.page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
			await owner.closes();
			const mobile = await newContext(browser, 'phone');
			await mobile.addInitScript({ content: countClicks });
			const cashier = await Visit.open(mobile, server.url, '../me/', 'phone');
			const [, password = ''] = /一次性密码：(\S+)（/.exec(slip) ?? [];
			await cashier.signIn(phone, password);
			const own = 'a-password-of-my-own';
			await cashier.fill({ '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
			await cashier.button('保存新密码').click();
			await cashier.page.getByRole('heading', { name: '王芳', level: 1 }).waitFor();
			expect((await clicksOf(owner)) + (await clicksOf(cashier))).toBeLessThanOrEqual(11);
			await owner.goto('overview');
			await owner.heading('今天');
			expect(await owner.page.locator('.first-steps').count()).toBe(0);
			await Promise.all([owner.end(), cashier.end()]);
		},
		{ REQUIRE_OWN_PASSWORD: 'on' },
	);
});

test('a person is disabled and enabled, a store is closed, and each thing is deleted and looked up', async () => {
	await Server.with(async (server) => {
		await server.addStore({ name: '人民路店' });
		const { id: other } = await server.addStore({ name: '解放路店' });
		await server.asSuper('PATCH', `/api/stores/${other}`, { name: '新解放路店' });
		const { id: role } = await server.addRole('employee:view:all', 'employee:manage');
		const { id } = await server.addEmployee(1, [role], { name: '王芳', phone: '13812345678' });
		const visit = await Visit.enter(browser, server, 'employees/1');
		for (const [verb, said] of [
			['禁用', '“王芳”已禁用'],
			['启用', '“王芳”已启用'],
		] as const) {
			await visit.more(verb);
			await visit.confirm(verb);
			await visit.hears(said);
		}
		await visit.sees('可以登录员工端和后台');
		await visit.page.getByRole('definition').getByText('查看全部员工、管理员工').waitFor();
		await visit.goto('stores/1');
		await visit.button('关闭门店').click();
		await visit.choose('将 1 名员工调到', '新解放路店');
		await visit.sees('1 名员工将调到“新解放路店”');
		await visit.page.getByRole('dialog').getByRole('button', { name: '关闭门店' }).click();
		await visit.hears('1 名员工已调动，门店已禁用');
		for (const [path, said] of [
			[`employees/${id}`, '“王芳”已删除'],
			[`roles/${role}`, '角色已删除'],
			['stores/1', '门店已删除'],
		] as const) {
			await visit.goto(path);
			const isPerson = path.startsWith('employees');
			await (isPerson ? visit.more('删除') : visit.button('删除').click());
			if (isPerson) await visit.sees('手机号可以重新使用');
			await visit.confirm('删除');
			await visit.hears(said);
		}
		await visit.goto('history?action=STORE_UPDATE');
		const renamed = visit.page.locator('tr, .card', { hasText: '名称从 解放路店 改为 新解放路店' });
		await renamed.last().locator('.row-link').click();
		await visit.page.getByRole('row', { name: '名称 解放路店 新解放路店' }).waitFor();
		await visit.end();
	});
});

test('an area manager works on a phone with the people of 12 stores until a day, and no longer once it is taken away', async () => {
	await Server.with(async (server) => {
		const stores = [];
		for (let number = 1; number <= 12; number++) {
			stores.push(await server.addStore({ name: `${number} 号店` }));
			await server.addEmployee(number, [], { name: `员工${number}` });
		}
		const { id: role } = await server.addRole('employee:view:store', 'employee:manage');
		const lead = await server.addEmployee(1, [role], { name: '区域经理' });
		const owner = await Visit.enter(browser, server, 'stores');
		await owner.button('区域').click();
		await owner.button('新增区域').click();
		await owner.fill({ 区域名称: '城东' });
		await owner.button('保存').click();
		await owner.sees('0 家门店');
		await owner.satisfies();
		await owner.button('新增区域').click();
		await owner.fill({ 区域名称: '城东' });
		await owner.button('保存').click();
		await owner.sees('区域名称已存在');
		await owner.goto('stores?keyword=号店');
		await owner.link('12 号店').waitFor();
		for (const number of [2, 3, 4, 5]) await owner.page.getByRole('checkbox', { name: `选择 ${number} 号店` }).check();
		await owner.button('调整区域').click();
		await owner.choose('区域', '城东');
		await owner.sees('4 家门店将归入“城东”。');
		await owner.button('保存').click();
		await owner.hears('4 家门店的区域已调整');
		await owner.page.getByLabel('区域', { exact: true }).click();
		await owner.page.locator('.ant-select-item-option', { hasText: '城东' }).click();
		await owner.counts(4);
		await owner.goto(`employees/${lead.id}`);
		await owner.button('调整负责的门店').click();
		await owner.choose('区域', '城东');
		await owner.page.getByLabel('“城东”的到期日').fill('2999-12-31');
		await owner.satisfies();
		await owner.button('保存').click();
		await owner.hears('负责的门店已保存');
		await owner.sees('只限本店、城东（4 家门店，到 2999-12-31 为止）');

		const phone = await Visit.open(browser, server.url, 'employees', 'phone');
		await phone.signIn(lead.phone, initialPassword);
		await phone.counts(6);
		await phone.button('新增员工').click();
		await phone.fill({ 姓名: '新同事', 手机号: newPhone() });
		await phone.choose('门店', '3 号店');
		await phone.button('保存').click();
		await phone.closeSlips();
		await phone.heading('新同事');
		await phone.button('编辑').click();
		await phone.choose('门店', '5 号店');
		await phone.button('保存').click();
		await phone.hears('员工已保存');
		await phone.goto(`employees?storeId=${stores[4]?.id}`);
		await phone.counts(2);
		await phone.goto('employees/12');
		await phone.link('返回首页').waitFor();
		await phone.satisfies();
		await phone.goto('../me/');
		await phone.sees('城东（4 家门店，到 2999-12-31 为止）');

		await owner.button('调整负责的门店').click();
		await owner.button('移除“城东”').click();
		await owner.button('保存').click();
		await owner.sees('除所属门店外，没有负责其他门店');
		await phone.load('employees');
		await phone.counts(2);
		await Promise.all([owner.end(), phone.end()]);
	});
});

test('the own password is changed, other devices are signed out, and everybody is signed out everywhere', async () => {
	await Server.with(async (server) => {
		const openOne = () => Visit.openAsSuper(browser, server.url);
		const [here, there] = [await openOne(), await openOne()];
		await here.sees('您的密码不是自己设置的');
		await here.button(adminUsername).click();
		await here.page.getByRole('menuitem', { name: '修改密码' }).click();
		await here.fill({ 原密码: 'not-the-password', 新密码: 'a-new-password-1', 再次输入新密码: 'a-new-password-1' });
		await here.button('保存').click();
		await here.page.getByRole('dialog').getByText('原密码错误').waitFor();
		await here.fill({ 原密码: adminPassword });
		await here.button('保存').click();
		await here.hears('密码已修改');
		await here.page.getByText('您的密码不是自己设置的').waitFor({ state: 'hidden' });
		await there.link('角色管理').click();
		await there.page.getByText('登录已失效，请重新登录').first().waitFor();
		await there.signIn(adminUsername, 'a-new-password-1');
		await here.button(adminUsername).click();
		await here.page.getByText('在所有设备上退出').click();
		await here.confirm('全部退出');
		await here.page.getByLabel('用户名或手机号').waitFor();
		await there.link('门店管理').click();
		await there.page.getByText('登录已失效，请重新登录').first().waitFor();
		await Promise.all([here.end(), there.end()]);
	});
});

test('too many wrong passwords show how long to wait', async () => {
	await Server.with(
		async (server) => {
			const visit = await Visit.open(browser, server.url);
			for (let tries = 0; tries < 33; tries++) {
				await server.login('/api/auth/login', adminUsername, 'a-wrong-password');
			}
			await visit.signIn(adminUsername, 'a-wrong-password', { waits: false });
			await visit.sees(/秒后可重试/);
			expect(await visit.page.locator('.sign-in [type=submit]').isDisabled()).toBe(true);
			await visit.page.getByRole('button', { name: '登录' }).and(visit.page.locator(':enabled')).waitFor();
			await visit.end();
		},
		{ LOGIN_THROTTLE: 'on' },
	);
});
