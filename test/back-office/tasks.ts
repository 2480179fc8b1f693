/**
 * A part of `bun run test:back-office`: tasks that no other test does, or that are done every day, with a maximum number
 * of clicks.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import type { Body } from '../http.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername, newName, newPhone } from '../world.ts';
import { openScreens } from './screens.ts';
import { Visit } from './visit.ts';

const { browser, enter, server } = await openScreens({ CHAIN_NAME: '好邻居', PUBLIC_URL: 'https://shop.example' });
/** An empty chain in which everybody sets their own password. */
const fresh = await Server.start({ REQUIRE_OWN_PASSWORD: 'on', LOGIN_THROTTLE: 'on' });

/** The chain of most tasks: two stores, and somebody who manages all people. */
let home: Body;
let hr: number;

beforeAll(async () => {
	home = await server.addStore({ name: '人民路店' });
	await server.addStore({ name: '南京路店' });
	hr = (await server.addPerson(home.id, 'store:view', 'employee:view:all', 'employee:manage')).id;
});

const addCashier = () => server.addEmployee(home.id, [3]);

/** Does a task, and returns the visits to count. */
type Work = () => Promise<Visit | Visit[]>;

const tasks: [name: string, most: number | undefined, work: Work][] = [
	['from a new chain to a cashier with their own password', 11, firstDay],
	['a hire', 6, hire],
	['one person moves', 4, move],
	['a cashier is locked out and told for how long', undefined, lockOut],
	['a lead gives a new password on a phone', 2, givePassword],
	['a thief is disabled at once', 3, disableThief],
	['an outage while a form is open', 1, outage],
	['without a network, and back', 0, goOffline],
	['a hire with the keyboard alone', 0, hireByKeyboard],
	['long names, emoji and twenty roles', undefined, readLongNames],
	['an import of two thousand stores', 2, importManyStores],
];

/** The rows of the table. */
const lines: string[] = [];
afterAll(() => console.log(['clicks  at most  task', ...lines].join('\n')));

test.each(tasks)('%s', async (name, most, work) => {
	const visits = [await work()].flat();
	const counts = await Promise.all(visits.map((visit) => visit.clicks()));
	const clicks = counts.reduce((sum, count) => sum + count, 0);
	lines.push([`${clicks}`.padStart(6), `${most ?? '–'}`.padStart(9), `  ${name}`].join(''));
	if (most !== undefined) expect(clicks).toBeLessThanOrEqual(most);
});

async function firstDay(): Promise<Visit[]> {
	const owner = await Visit.open(browser, fresh.url);
	await owner.signIn(adminUsername, adminPassword);
	await owner.page.getByLabel('品牌名称', { exact: true }).fill('好邻居便利');
	await owner.page.keyboard.press('Enter');
	await owner.hears('品牌名称已保存');
	await owner.page.locator('main:focus').waitFor();
	await owner.button('新增门店').click();
	await owner.save({ 门店名称: '人民路店' }, '人民路店');
	await owner.button('新增员工').click();
	const phone = newPhone();
	await owner.fill({ 姓名: '王芳', 手机号: phone });
	await owner.choose('角色', '收银员');
	await owner.button('保存').click();
	const slip = await owner.copies(owner.button('复制'));
	expect(slip).toContain('王芳，您在“好邻居便利”的登录信息');
	await owner.page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
	await owner.closes();
	const cashier = await Visit.open(browser, fresh.url, '../me/', 'phone');
	await cashier.signIn(phone, /一次性密码：(\S+)（/.exec(slip)?.[1] ?? '');
	const own = 'a-password-of-my-own';
	await cashier.fill({ '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
	await cashier.button('保存新密码').click();
	await cashier.page.getByRole('heading', { name: '王芳', level: 1 }).waitFor();
	await owner.goto('overview');
	await owner.heading('今天');
	expect(await owner.page.locator('.first-steps').count()).toBe(0);
	return [owner, cashier];
}

async function hire(): Promise<Visit> {
	const visit = await enter('employees', { id: hr });
	await visit.button('新增员工').click();
	await visit.fill({ 姓名: '新同事', 手机号: newPhone() });
	await visit.choose('门店', '人民路店');
	await visit.choose('角色', '收银员');
	await visit.button('保存').click();
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	return visit;
}

async function move(): Promise<Visit> {
	const { id } = await addCashier();
	const visit = await enter(`employees/${id}`, { id: hr });
	await visit.button('编辑').click();
	await visit.choose('门店', '南京路店');
	await visit.button('保存').click();
	await visit.hears('员工已保存');
	return visit;
}

async function givePassword(): Promise<Visit> {
	const { id } = await addCashier();
	const lead = await server.addPerson(home.id, 'employee:view:store', 'employee:manage');
	const visit = await enter(`employees/${id}`, { id: lead.id, kind: 'phone' });
	await visit.button('重置密码').click();
	await visit.confirm('重置密码');
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	return visit;
}

async function lockOut(): Promise<Visit> {
	const phone = newPhone();
	const visit = await Visit.open(browser, fresh.url, '../me/', 'phone');
	const { page } = visit;
	for (let tries = 0; tries < 33; tries++) await fresh.login('/api/auth/employee/login', phone, 'a-wrong-password');
	const locked = page.locator('.sign-in:has([type=submit][aria-disabled=true])', { hasText: /秒后可重试/ }).waitFor();
	// On a busy machine the wait of a second may be over. Each try that comes too late doubles it.
	for (let status = 0; status !== 429; ) {
		const answer = page.waitForResponse('**/api/auth/employee/login');
		await visit.signIn(phone, 'a-wrong-password', { waits: false });
		status = (await answer).status();
	}
	await locked;
	await page.locator('[type=submit][aria-disabled=false]').waitFor();
	return visit;
}

async function disableThief(): Promise<Visit> {
	const { phone, name } = await addCashier();
	const visit = await enter('stores', { id: hr });
	await visit.settles();
	await visit.page.keyboard.press('Control+k');
	await visit.page.getByRole('combobox', { name: '搜索' }).fill(phone);
	await visit.page.getByRole('option').first().filter({ hasText: name }).waitFor();
	await visit.page.keyboard.press('Enter');
	await visit.heading(name);
	await visit.more('禁用');
	await visit.confirm('禁用');
	await visit.hears(/已禁用/);
	return visit;
}

async function outage(): Promise<Visit> {
	const visit = await enter('stores');
	const name = newName('断电时的门店');
	const notice = visit.page.getByText('服务暂时不可用');
	await visit.button('新增门店').click();
	await visit.fill({ 门店名称: name });
	renameSync(server.data, `${server.data}-away`);
	try {
		await visit.page.getByLabel('门店名称', { exact: true }).press('Enter');
		await notice.waitFor();
		await visit.satisfies();
	} finally {
		renameSync(`${server.data}-away`, server.data);
	}
	await notice.waitFor({ state: 'hidden' });
	await visit.sees('服务已恢复');
	await visit.countClicks();
	await visit.button('保存').click();
	await visit.heading(name);
	return visit;
}

async function goOffline(): Promise<Visit> {
	const visit = await Visit.openAsSuper(browser, server.url, 'stores');
	await visit.page.context().setOffline(true);
	await visit.page.getByRole('navigation').getByRole('link', { name: /角色/ }).click();
	await visit.page.getByText('无法连接服务器').waitFor();
	await visit.button('刷新页面').waitFor();
	// React logs errors caught by a boundary.
	expect(visit.complaints.splice(0)).toEqual([expect.stringContaining('a script could not be loaded')]);
	await visit.countClicks();
	await visit.page.context().setOffline(false);
	await visit.link('店长').waitFor();
	return visit;
}

async function hireByKeyboard(): Promise<Visit> {
	const visit = await enter('overview');
	const { keyboard } = visit.page;
	/** Types, waits for the result, and presses keys. */
	const type = async (text: string, found: string | undefined, ...keys: string[]) => {
		await keyboard.type(text);
		if (found) await visit.page.getByRole('option', { name: found }).or(visit.page.getByTitle(found)).last().waitFor();
		for (const key of keys) await keyboard.press(key);
	};
	await visit.settles();
	await keyboard.press('Control+k');
	await visit.page.getByRole('combobox', { name: '搜索' }).waitFor();
	await type('xzyg', '新增员工', 'Enter');
	await visit.page.getByRole('dialog', { name: '新增员工' }).getByLabel('姓名').waitFor();
	await type('键盘新人', undefined, 'Tab');
	await type(newPhone(), undefined, 'Tab');
	await type('人民路店', '人民路店', 'Enter', 'Tab');
	await type('收银员', '收银员', 'Enter', 'Escape');
	const focused = () => visit.page.evaluate<string>('document.activeElement.textContent');
	while ((await focused()) !== '保存') await keyboard.press('Tab');
	await keyboard.press('Enter');
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	return visit;
}

async function readLongNames(): Promise<Visit> {
	const roles = [];
	for (let number = 0; number < 20; number++) roles.push((await server.addRole()).id);
	const name = '👩🏽‍💻'.repeat(12);
	const { id } = await server.addEmployee(home.id, roles, { name });
	const visit = await enter(`employees/${id}`, { kind: 'phone' });
	await visit.settles();
	expect(await visit.page.getByText('没有后台权限', { exact: true }).count()).toBe(1);
	await visit.satisfies();
	await visit.goto('employees');
	await visit.sees(/20 个：/);
	await visit.satisfies();
	return visit;
}

async function importManyStores(): Promise<Visit> {
	const visit = await enter('stores');
	await visit.button('导入').click();
	const names = Array.from({ length: 2000 }, (_, index) => `${newName('分店')},分店路 ${index + 1} 号`);
	await visit.chooseFile(['门店名称,地址', ...names]);
	await visit.button('导入 2,000 家门店').click();
	await visit.hears('已新增 2,000 家门店');
	return visit;
}
