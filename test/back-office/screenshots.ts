/** `bun run screenshots [FOLDER]`: a picture of every page on a desktop and a phone, light and dark, as PNG files. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TOTP, URI } from 'otpauth';
import { startBrowser } from '../chromium.ts';
import { removeFolders } from '../program.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, newPhone } from '../world.ts';
import { fillChain } from './chain.ts';
import { Visit, viewports } from './visit.ts';

const kinds = ['desktop', 'phone'] as const;
const schemes = ['light', 'dark'] as const;
type Kind = (typeof kinds)[number];
type Scheme = (typeof schemes)[number];

/** What is pictured: a name, an address, and what to do there first. */
const scenes: [name: string, path: string, act?: (visit: Visit) => Promise<void>][] = [
	['overview', 'overview'],
	['stores', 'stores'],
	['store', 'stores/1'],
	['store-form', 'stores', (visit) => visit.button('新增门店').click()],
	['store-close', 'stores/1', (visit) => visit.button('关闭门店').click()],
	['store-switch', 'stores/1', (visit) => visit.button('禁用').click()],
	['employees', 'employees'],
	['employees-filtered', 'employees?keyword=王&status=ACTIVE'],
	['employees-none', 'employees?keyword=nobody'],
	['employees-selected', 'employees', select],
	['employees-moved', 'employees', move],
	['employee', 'employees/5'],
	['employees-passwords', 'employees', (visit) => start(visit, '重置密码')],
	['employee-leaving', 'employees/6', (visit) => visit.button('离职').click()],
	['employee-form', 'employees', (visit) => visit.button('新增员工').click()],
	['employee-delete', 'employees/5', (visit) => visit.button('删除').click()],
	['import', 'employees/import', chooseFile],
	['import-changes', 'employees/import', changePeople],
	['stores-import', 'stores/import', (visit) => visit.chooseFile(['门店名称,地址', '湖滨店,湖滨路 1 号'])],
	['slips', 'employees/import', importPeople],
	['slip', 'employees/6', resetPassword],
	['roles', 'roles'],
	['role', 'roles/6'],
	['role-form', 'roles/6', (visit) => visit.button('编辑').click()],
	['permissions', 'permissions'],
	['policy', 'permissions/6', (visit) => visit.page.getByRole('dialog').getByText('管理门店').click()],
	['finder', 'stores', (visit) => visit.page.getByRole('button', { name: '搜索' }).click()],
	['history', 'history'],
	['record', 'history', openRecord],
	['account', 'employees', (visit) => visit.button('超级管理员').click()],
	['not-found', 'nowhere'],
	['form-refused', 'employees', refuse],
	['own-password', 'employees', changePassword],
	['outage', 'stores', loseNetwork],
];

function openRecord(visit: Visit): Promise<void> {
	return visit.page.locator('tr, .card', { hasText: '修改了' }).first().locator('.row-link').click();
}

async function select(visit: Visit): Promise<void> {
	const boxes = visit.page.getByRole('checkbox', { name: /^选择 / });
	for (const place of [0, 2, 3]) await boxes.nth(place).check();
}

/** Selects people, and starts something with them. */
async function start(visit: Visit, verb: string): Promise<void> {
	await select(visit);
	const menu = visit.button('操作');
	if (await menu.isVisible()) await menu.click();
	await visit.page.getByText(verb, { exact: true }).click();
}

/** Chooses a store for everybody who is selected, and does not send it. */
async function move(visit: Visit): Promise<void> {
	await start(visit, '调店');
	await visit.choose('门店', '火车站店');
	await visit.sees(/将调到“火车站店”/);
}

/** Sends a form with nothing in it. */
async function refuse(visit: Visit): Promise<void> {
	await visit.button('新增员工').click();
	await visit.fill({ 手机号: '123' });
	await visit.button('保存').click();
}

async function changePassword(visit: Visit): Promise<void> {
	await visit.button('超级管理员').click();
	await visit.page.getByRole('menuitem', { name: '修改密码' }).click();
}

async function resetPassword(visit: Visit): Promise<void> {
	await visit.button('重置密码').click();
	await visit.confirm('重置密码');
}

/** Imports twelve people, more than the slips of one sheet. */
async function importPeople(visit: Visit): Promise<void> {
	const lines = Array.from({ length: 12 }, (_, index) => `新人${index + 1},${newPhone()},南京西路旗舰店`);
	await visit.chooseFile(['姓名,手机号,门店', ...lines]);
	await visit.button('导入 12 名员工').click();
}

/** Checks a spreadsheet that changes two people and adds one. */
async function changePeople(visit: Visit): Promise<void> {
	await visit.page.getByText('新增并更新', { exact: true }).click();
	const lines = ['1,王芳,13900000001,解放路店,', '2,李娜娜,13900000002,解放路店,早班', `,新人,${newPhone()},人民路店,`];
	await visit.chooseFile(['编号,姓名,手机号,门店,备注', ...lines]);
	await visit.sees('检查通过');
}

/** The last scene: the network comes back with the next page. */
async function loseNetwork(visit: Visit): Promise<void> {
	await visit.button('新增门店').click();
	await visit.page.context().setOffline(true);
	await visit.fill({ 门店名称: '湖滨店' });
	await visit.button('保存').click();
	await visit.page.locator('.outage').getByText('无法连接服务器').waitFor();
	await visit.page.context().setOffline(false);
}

/** Chooses a spreadsheet with two mistakes. */
async function chooseFile(visit: Visit): Promise<void> {
	const lines = ['王芳,13812345678,人民路店', '李娜,1.38E+10,人民路店', '张伟,13812345670,没有的店'];
	await visit.chooseFile(['姓名,手机号,门店', ...lines]);
	await visit.sees('有 2 处问题');
}

/** What fits on a sheet of A4 between its margins. */
const paper = { width: 680, height: 1009 };

/** The page of one's own, from a cashier's slip on. */
async function takeOwnPage(kind: Kind, colorScheme: Scheme): Promise<void> {
	const { id, phone } = await server.addEmployee(1, [2], { name: '韩梅梅' });
	const { password } = (await server.asSuper('POST', `/api/employees/${id}/one-time-password`)).body.data;
	const visit = await Visit.open(browser, server.url, '../me/', kind);
	await visit.page.emulateMedia({ colorScheme });
	const take = (name: string) =>
		visit.page.screenshot({ path: join(folder, `${kind}-${colorScheme}-own-${name}.png`), fullPage: name === 'page' });
	await visit.page.getByLabel('密码', { exact: true }).waitFor();
	await take('sign-in');
	await visit.signIn(phone, password);
	await visit.heading('设置自己的密码');
	await take('first-password');
	const own = 'a-password-of-my-own';
	await visit.fill({ '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
	await visit.button('保存新密码').click();
	await visit.button('修改密码').waitFor();
	await visit.page.waitForLoadState('networkidle');
	await take('page');
	await visit.button('开启两步验证').click();
	await visit.fill({ 登录密码: own });
	await visit.button('下一步').click();
	const uri = (await visit.link('在应用中打开').getAttribute('href')) ?? '';
	await take('second-factor');
	await visit.fill({ 动态验证码: (URI.parse(uri) as TOTP).generate() });
	await visit.button('开启').click();
	await visit.button('我已保存').waitFor();
	await take('recovery-codes');
	await visit.button('我已保存').click();
	await visit.button('修改密码').click();
	await take('new-password');
	await visit.page.keyboard.press('Escape');
	await visit.button('退出登录').click();
	await visit.signIn(phone, own, { waits: false });
	await visit.page.getByLabel('动态验证码').waitFor();
	await take('code');
	await visit.end();
}

const folder = resolve(process.argv[2] ?? '.screenshots');
mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start({ CHAIN_NAME: '好邻居' }), startBrowser()]);
for (const kind of kinds) {
	for (const colorScheme of schemes) await takeEmpty(kind, colorScheme);
}
await fillChain(server);

/** Takes the pages of a chain that has nothing yet. */
async function takeEmpty(kind: Kind, colorScheme: Scheme): Promise<void> {
	const visit = await Visit.openAsSuper(browser, server.url, '', kind);
	await visit.page.emulateMedia({ colorScheme });
	for (const path of ['overview', 'stores', 'employees']) {
		await visit.load(path);
		await visit.page.waitForLoadState('networkidle');
		await visit.page.screenshot({ path: join(folder, `${kind}-${colorScheme}-${path}-empty.png`) });
	}
	await visit.end();
}

/** Takes all pictures of one kind. */
async function takeAll(kind: Kind, colorScheme: Scheme): Promise<void> {
	const visit = await Visit.open(browser, server.url, '', kind);
	await visit.page.emulateMedia({ colorScheme });
	const take = (name: string) => visit.page.screenshot({ path: join(folder, `${kind}-${colorScheme}-${name}.png`) });
	await visit.page.getByLabel('密码').waitFor();
	await take('sign-in');
	await visit.signIn(adminUsername, adminPassword);
	for (const [name, path, act] of scenes) {
		await visit.load(path);
		await visit.page.locator('.header, .own').first().waitFor();
		await visit.page.waitForLoadState('networkidle');
		await act?.(visit);
		await visit.page.waitForTimeout(300);
		await take(name);
		if (!name.startsWith('slip')) continue;
		await visit.page.setViewportSize(paper);
		await visit.page.emulateMedia({ media: 'print' });
		await take(`${name}-printed`);
		await visit.page.emulateMedia({ media: null });
		await visit.page.setViewportSize(viewports[kind]);
		await visit.closeSlips();
	}
	if (kind === 'phone') {
		await visit.goto('employees');
		await visit.button('更多').click();
		await visit.page.waitForTimeout(300);
		await take('menu');
	}
	await visit.end();
	await takeOwnPage(kind, colorScheme);
}

for (const kind of kinds) {
	for (const colorScheme of schemes) await takeAll(kind, colorScheme);
}
await browser.close();
await server.program.end('SIGKILL');
removeFolders();
console.log(folder);
