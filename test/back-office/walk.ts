/** `bun run test:back-office`: every page for every kind of account, and every task from an empty chain to its end. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../chromium.ts';
import { hanging } from '../hanging.ts';
import { compiled, removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { fillChain } from './chain.ts';
import { scenes } from './scenes.ts';
import { Visit } from './visit.ts';

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

const everyPage = [
	'stores',
	'stores/1',
	'employees',
	'employees/1',
	'roles',
	'roles/6',
	'permissions',
	'permissions/2',
];

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
			if (name !== 'account') await visit.satisfies();
			if (name.startsWith('slip')) await visit.closeSlips();
		}
		await visit.end();
	});

	test.each([
		['admin', 'admin', ['history']],
		['store manager', 'store_manager', ['overview', 'stores', 'employees/import', 'roles', 'permissions', 'history']],
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

test('a person is disabled and enabled, a store is closed, and each thing is deleted and looked up', async () => {
	await Server.with(async (server) => {
		await server.addStore({ name: '人民路店' });
		const { id: other } = await server.addStore({ name: '解放路店' });
		await server.asSuper('PATCH', `/api/stores/${other}`, { name: '新解放路店' });
		const { id: role } = await server.addRole('employee:view:all', 'employee:manage');
		const { id } = await server.addEmployee(1, [role], { name: '王芳', phone: '13812345678' });
		const visit = await Visit.enter(browser, server, 'employees/1');
		for (const [verb, said] of [
			['禁用', '员工已禁用'],
			['启用', '员工已启用'],
		] as const) {
			await visit.button(verb).click();
			await visit.confirm(verb);
			await visit.sees(said);
		}
		await visit.sees('可以登录员工端和后台');
		await visit.page.getByRole('definition').getByText('查看全部员工、管理员工').waitFor();
		await visit.goto('stores/1');
		await visit.button('关闭门店').click();
		await visit.choose('将 1 名员工调到', '新解放路店');
		await visit.sees('1 名员工将调到“新解放路店”');
		await visit.page.getByRole('dialog').getByRole('button', { name: '关闭门店' }).click();
		await visit.sees('1 名员工已调动，门店已禁用');
		for (const [path, said] of [
			[`employees/${id}`, '员工已删除'],
			[`roles/${role}`, '角色已删除'],
			['stores/1', '门店已删除'],
		] as const) {
			await visit.goto(path);
			await visit.button('删除').click();
			if (path.startsWith('employees')) await visit.sees('手机号 138 1234 5678 可以重新使用');
			await visit.confirm('删除');
			await visit.sees(said);
		}
		await visit.goto('history?action=STORE_UPDATE');
		const renamed = visit.page.locator('tr, .card', { hasText: '名称从 解放路店 改为 新解放路店' });
		await renamed.last().locator('.row-link').click();
		await visit.page.getByRole('row', { name: '名称 解放路店 新解放路店' }).waitFor();
		await visit.end();
	});
});

test('the own password is changed, other devices are signed out, and everybody is signed out everywhere', async () => {
	await Server.with(async (server) => {
		const openOne = () => Visit.openAsSuper(browser, server.url);
		const [here, there] = [await openOne(), await openOne()];
		await here.sees('您仍在使用初始密码');
		await here.button('超级管理员').click();
		await here.page.getByRole('menuitem', { name: '修改密码' }).click();
		await here.fill({ 原密码: 'not-the-password', 新密码: 'a-new-password-1', 再次输入新密码: 'a-new-password-1' });
		await here.button('保存').click();
		await here.page.getByRole('dialog').getByText('原密码错误').waitFor();
		await here.fill({ 原密码: adminPassword });
		await here.button('保存').click();
		await here.sees('密码已修改');
		await here.page.getByText('您仍在使用初始密码').waitFor({ state: 'hidden' });
		await there.link('角色管理').click();
		await there.page.getByText('登录已失效，请重新登录').first().waitFor();
		await there.signIn(adminUsername, 'a-new-password-1');
		await here.button('超级管理员').click();
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
