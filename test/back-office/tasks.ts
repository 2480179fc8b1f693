/** A part of `bun run test:back-office`: a month's tasks in a chain, each with a maximum number of clicks. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { type TOTP, URI } from 'otpauth';
import { hanging } from '../hanging.ts';
import type { Body } from '../http.ts';
import { Server } from '../server.ts';
import { totp } from '../totp.ts';
import { adminPassword, adminUsername, expectStatus, initialPassword, newName, newPhone } from '../world.ts';
import { openScreens } from './screens.ts';
import { newContext, Visit } from './visit.ts';
import { weighSignIn } from './weight.ts';

setDefaultTimeout(hanging);

const { browser, enter, server } = await openScreens({ CHAIN_NAME: '好邻居', PUBLIC_URL: 'https://shop.example' });
/** An empty chain in which everybody sets their own password. */
const fresh = await Server.start({ REQUIRE_OWN_PASSWORD: 'on', LOGIN_THROTTLE: 'on' });

/** Built-in roles. */
const [leads, cashiers] = [2, 3];
const own = 'a-password-of-my-own';

/** The chain of most tasks: three stores, the managers and the roles they hold. */
let home: Body;
let other: Body;
let hr: number;
let lead: Body;

beforeAll(async () => {
	home = await server.addStore({ name: '人民路店' });
	other = await server.addStore({ name: '南京路店' });
	await server.addStore({ name: '静安寺店' });
	const leading = { permissions: ['employee:view:store', 'employee:manage'] };
	expectStatus(await server.asSuper('PUT', `/api/permissions/roles/${leads}`, leading), 200);
	hr = (await server.addPerson(home.id, 'store:view', 'employee:view:all', 'employee:manage')).id;
	lead = await server.addEmployee(home.id, [leads], { name: '孙艳雪' });
});

const addCashier = (fields: object = {}) => server.addEmployee(home.id, [cashiers], { ...fields });
const patch = async (id: number, body: object) =>
	expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, body), 200);
const remove = async (id: number) => expectStatus(await server.asSuper('DELETE', `/api/employees/${id}`), 204);

/** Returns a task: HR opens the page of a new cashier and acts there. */
const withCashier = (act: (visit: Visit, cashier: Body) => Promise<unknown>) => async () => {
	const cashier = await addCashier();
	const visit = await enter(`employees/${cashier.id}`, { id: hr });
	await visit.heading(cashier.name);
	await act(visit, cashier);
	return visit;
};

/** Chooses a file with a counted click. */
async function chooseFile(visit: Visit, lines: readonly string[]): Promise<void> {
	const chooser = visit.page.waitForEvent('filechooser');
	await visit.page.getByText('选择文件').click();
	await (await chooser).setFiles({ name: '员工.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
}

/** Opens the import of five people, one of them with the given phone and store. */
async function importFive(phone: string, store: string): Promise<Visit> {
	const visit = await enter('employees', { id: hr });
	await visit.button('导入').click();
	const people = Array.from({ length: 4 }, () => `${newName('新人')},${newPhone()},南京路店,收银员`);
	await chooseFile(visit, ['姓名,手机号,门店,角色', ...people, `错的人,${phone},${store},收银员`]);
	return visit;
}

/** Turns a second factor on by the API. @returns its key and its recovery codes */
async function turnOn({ id }: { id: number }): Promise<{ secret: string; codes: string[] }> {
	const path = '/api/auth/me/second-factor';
	const token = server.tokenOf(id);
	const { secret } = expectStatus(await server.send('POST', path, { token, body: { password: initialPassword } }), 200);
	const code = totp(secret, new Date());
	const { recoveryCodes } = expectStatus(await server.send('PUT', path, { token, body: { code } }), 200);
	return { secret, codes: recoveryCodes };
}

/** Opens a person's slip. */
async function openSlip(visit: Visit): Promise<void> {
	await visit.button('重置密码').click();
	await visit.confirm('重置密码');
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
}

/** The password on a slip that was copied. */
const passwordOn = (slip: string) => /一次性密码：(\S+)（/.exec(slip)?.[1] ?? '';

/** Sets the first own password. */
async function setOwnPassword(visit: Visit): Promise<void> {
	await visit.fill({ '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
	await visit.button('保存新密码').click();
}

/** Does a task, and returns the visits to count. */
type Work = () => Promise<Visit | Visit[]>;

const tasks: [name: string, most: number | undefined, work: Work][] = [
	['from a new chain to a cashier with their own password', 11, firstDay],
	['the owner sets a password of their own', 2, ownPassword],
	['a hire', 6, hire],
	['a hire with a phone that somebody has', 7, hireWithTakenPhone],
	[
		'a slip that was not copied asks before it closes',
		1,
		withCashier(async (visit) => {
			await openSlip(visit);
			await visit.countClicks();
			await visit.page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
			await visit.page.getByRole('dialog').getByText('返回').waitFor();
		}),
	],
	[
		'an import with two mistakes',
		2,
		async () => {
			const visit = await importFive('123', '没有的店');
			await visit.sees('有 2 处问题');
			return visit;
		},
	],
	[
		'the same import, mended',
		3,
		async () => {
			const visit = await importFive(newPhone(), '人民路店');
			await visit.button('导入 5 名员工').click();
			await visit.page.getByRole('dialog', { name: '5 名员工的一次性密码' }).waitFor();
			return visit;
		},
	],
	['slips are printed, those of one store', 1, printSlips],
	['one person moves', 4, withCashier(move)],
	['twenty people move', 4, moveTwenty],
	[
		'a cashier becomes a store lead',
		4,
		withCashier(async (visit) => {
			await visit.button('编辑').click();
			await visit.choose('角色', '店长');
			await visit.button('保存').click();
			await visit.hears('员工已保存');
		}),
	],
	['a last day', 3, withCashier(leave)],
	[
		'staying after all',
		3,
		withCashier(async (visit, { id }) => {
			await patch(id, { leavesOn: '2999-12-31' });
			await visit.goto(`employees/${id}`);
			await visit.more('撤销离职');
			await visit.confirm('撤销离职');
			await visit.hears('已撤销离职');
		}),
	],
	[
		'a deletion',
		3,
		withCashier(async (visit) => {
			await visit.more('删除');
			await visit.confirm('删除');
			await visit.hears(/已删除/);
		}),
	],
	['somebody who was deleted is hired again', 6, hireAgain],
	['somebody who was deleted comes back', 4, comeBack],
	['a cashier is locked out and told for how long', undefined, lockOut],
	[
		'a lead gives a new password on a phone',
		2,
		async () => {
			const { id } = await addCashier();
			const visit = await enter(`employees/${id}`, { id: lead.id, kind: 'phone' });
			await openSlip(visit);
			return visit;
		},
	],
	['a lead turns a second factor on', 4, turnOnSecondFactor],
	['a recovery code instead of a lost phone', 1, useRecoveryCode],
	[
		'the owner removes a second factor',
		3,
		async () => {
			const person = await server.addEmployee(home.id, [leads]);
			await turnOn(person);
			const visit = await enter(`employees/${person.id}`);
			await visit.more('移除两步验证');
			await visit.confirm('移除两步验证');
			await visit.hears('已移除两步验证');
			return visit;
		},
	],
	['an area manager gets two more stores until a day', 8, giveStores],
	[
		'nothing is offered to a cashier that does nothing',
		0,
		withCashier(async (visit) => {
			await visit.button('更多操作').waitFor();
			expect(await visit.page.getByText('负责的门店').count()).toBe(0);
		}),
	],
	['a store closes and its people move', 4, closeStore],
	['it opens again, and they come back', 2, reopenStore],
	['a store is disabled, stands on the first page, and is enabled', 4, switchStore],
	[
		'a new role',
		3,
		async () => {
			const visit = await enter('roles');
			await visit.button('新增角色').click();
			await visit.fill({ 角色名称: newName('夜班') });
			await visit.page.getByRole('checkbox', { name: /查看本店员工/ }).check();
			await visit.button('保存').click();
			await visit.hears('角色已新增');
			return visit;
		},
	],
	[
		'a permission of the chain',
		6,
		async () => {
			const visit = await enter('roles/points');
			await visit.button('新增权限').click();
			await visit.choose('名称', '退款');
			await visit.fill({ 名称: '退款超过100元' });
			await visit.button('保存').click();
			await visit.hears('权限已新增');
			return visit;
		},
	],
	[
		'a role gets it',
		4,
		async () => {
			await server.addPoint('till:discount', { title: '打折', groupTitle: '收银' });
			const visit = await enter(`roles/${leads}`);
			await visit.button('编辑').click();
			await visit.page.getByRole('checkbox', { name: /打折/ }).check();
			await visit.button('保存').click();
			await visit.hears('角色已保存');
			return visit;
		},
	],
	['a lead approves at the till with a code', 0, approve],
	['a key for the payroll', 5, makeKey],
	['what somebody changed last week', 3, readHistory],
	['a bulk change is undone', 1, undo],
	['the auditor exports the history', 2, audit],
	['a thief is disabled at once', 3, disableThief],
	['two people edit one field', 2, clash],
	['an outage while a form is open', 1, outage],
	['a session that ends while a form is open', 1, endInForm],
	['without a network, and back', 0, goOffline],
	['a link to a list, opened with the first password', 2, followLink],
	['leaving a form that holds typed text', undefined, leaveForm],
	['a sign-out reaches the other tab', undefined, signOutOfTabs],
	['a hire with the keyboard alone', 0, hireByKeyboard],
	['nothing scrolls sideways at twice the size', undefined, zoom],
	['long names, emoji and twenty roles', undefined, readLongNames],
	['two thousand stores', 3, readManyStores],
];

/** The rows of the table. */
const lines: string[] = [];
afterAll(() => console.log(['clicks  at most  task', ...lines].join('\n')));

test.each(tasks.map(([name, most, work]) => ({ name, most, work })))('$name', async ({ name, most, work }) => {
	const visits = [await work()].flat();
	const counts = await Promise.all(visits.map((visit) => visit.clicks()));
	const clicks = counts.reduce((sum, count) => sum + count, 0);
	lines.push([`${clicks}`.padStart(6), `${most ?? '–'}`.padStart(9), `  ${name}`].join(''));
	await Promise.all(visits.map((visit) => visit.end()));
	if (most !== undefined) expect(clicks).toBeLessThanOrEqual(most);
});

async function firstDay(): Promise<Visit[]> {
	const owner = await Visit.open(browser, fresh.url);
	await owner.signIn(adminUsername, adminPassword);
	await owner.page.getByLabel('品牌名称', { exact: true }).fill('好邻居便利');
	await owner.page.keyboard.press('Enter');
	await owner.hears('品牌名称已保存');
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
	await cashier.signIn(phone, passwordOn(slip));
	await setOwnPassword(cashier);
	await cashier.page.getByRole('heading', { name: '王芳', level: 1 }).waitFor();
	await owner.goto('overview');
	await owner.heading('今天');
	expect(await owner.page.locator('.first-steps').count()).toBe(0);
	return [owner, cashier];
}

async function ownPassword(): Promise<Visit> {
	const visit = await Visit.enter(browser, fresh, 'employees');
	await visit.sees('您的密码不是自己设置的');
	await visit.page
		.getByRole('main')
		.or(visit.page.locator('body'))
		.getByRole('button', { name: '修改' })
		.first()
		.click();
	await visit.fill({ 原密码: adminPassword, '新密码（8 至 128 个字符）': own, 再次输入新密码: own });
	await visit.page
		.getByRole('dialog')
		.getByRole('button', { name: /^(保存|修改)/ })
		.click();
	await visit.hears('密码已修改');
	await visit.page.getByText('您的密码不是自己设置的').waitFor({ state: 'hidden' });
	return visit;
}

/** Fills in the form of a hire. */
async function fillHire(visit: Visit, phone: string): Promise<void> {
	await visit.button('新增员工').click();
	await visit.fill({ 姓名: '新同事', 手机号: phone });
	await visit.choose('门店', '人民路店');
	await visit.choose('角色', '收银员');
}

async function hire(): Promise<Visit> {
	const visit = await enter('employees', { id: hr });
	await fillHire(visit, newPhone());
	await visit.button('保存').click();
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	return visit;
}

async function hireWithTakenPhone(): Promise<Visit> {
	const { name, phone } = await addCashier();
	const visit = await enter('employees', { id: hr });
	await fillHire(visit, phone);
	await visit.sees(`“${name}”（人民路店）正在使用这个手机号`);
	await visit.fill({ 手机号: newPhone() });
	await visit.button('保存').click();
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
	return visit;
}

async function printSlips(): Promise<Visit> {
	const visit = await importFive(newPhone(), '人民路店');
	await visit.button('导入 5 名员工').click();
	const slips = visit.page.getByRole('dialog', { name: '5 名员工的一次性密码' });
	await slips.waitFor();
	await visit.page.evaluate(
		"window.print = () => { window.printed = document.querySelector('.slip-sheets').textContent; }",
	);
	await visit.countClicks();
	await slips.getByRole('button', { name: '只打印这家店' }).first().click();
	const printed = await visit.page.evaluate<string>('window.printed');
	expect(printed).toContain('南京路店');
	expect(printed).not.toContain('错的人');
	return visit;
}

async function move(visit: Visit): Promise<void> {
	await visit.button('编辑').click();
	await visit.choose('门店', '南京路店');
	await visit.button('保存').click();
	await visit.hears('员工已保存');
}

async function moveTwenty(): Promise<Visit> {
	const store = await server.addStore();
	for (let number = 0; number < 20; number++) await server.addEmployee(store.id, [cashiers]);
	const visit = await enter(`employees?storeId=${store.id}`, { id: hr });
	await visit.page.getByRole('checkbox', { name: '选择本页' }).check();
	await visit.page.getByRole('region', { name: '已选员工' }).getByRole('button', { name: '调店' }).click();
	await visit.page.getByRole('dialog').getByLabel('门店', { exact: true }).fill('静安寺店');
	await visit.page.locator('.ant-select-item-option', { hasText: '静安寺店' }).click();
	await visit.sees('20 名员工将调到“静安寺店”。');
	await visit.confirm('调店');
	await visit.hears('20 名员工已调店');
	return visit;
}

async function leave(visit: Visit): Promise<void> {
	await visit.more('离职');
	await visit.fill({ 最后工作日: '2999-12-31' });
	await visit.button('保存').click();
	await visit.hears('最后工作日已保存');
	await visit.page.locator('.page-head').getByText('12-31 离职').waitFor();
}

async function hireAgain(): Promise<Visit> {
	const gone = await addCashier({ name: '林超' });
	await remove(gone.id);
	const visit = await enter('employees', { id: hr });
	await visit.button('新增员工').click();
	await visit.fill({ 姓名: '林超', 手机号: gone.phone });
	const form = visit.page.getByRole('dialog');
	await form.getByText(/^这个手机号的原员工：林超/).waitFor();
	await form.getByRole('button', { name: '返岗' }).click();
	await visit.page.getByRole('dialog', { name: '“林超”返岗' }).getByRole('button', { name: '返岗' }).click();
	await visit.hears('“林超”已返岗');
	expect((await server.read(`/api/employees?keyword=${gone.phone}`)).items).toMatchObject([{ id: gone.id }]);
	return visit;
}

async function comeBack(): Promise<Visit> {
	const gone = await addCashier();
	await remove(gone.id);
	const visit = await enter(`employees?keyword=${gone.phone}`, { id: hr });
	await visit.page.getByLabel('状态', { exact: true }).click();
	await visit.page.locator('.ant-select-item-option', { hasText: '已删除' }).click();
	await visit.button('返岗').click();
	await visit.page.getByRole('dialog').getByRole('button', { name: '返岗' }).click();
	await visit.hears(/已返岗/);
	return visit;
}

async function lockOut(): Promise<Visit> {
	const phone = newPhone();
	const visit = await Visit.open(browser, fresh.url, '../me/', 'phone');
	const { page } = visit;
	for (let tries = 0; tries < 33; tries++) await fresh.login('/api/auth/employee/login', phone, 'a-wrong-password');
	const locked = page.locator('.sign-in:has([type=submit]:disabled)', { hasText: /秒后可重试/ }).waitFor();
	// On a busy machine the wait of a second may be over. Each try that comes too late doubles it.
	for (let status = 0; status !== 429; ) {
		const answer = page.waitForResponse('**/api/auth/employee/login');
		await visit.signIn(phone, 'a-wrong-password', { waits: false });
		status = (await answer).status();
	}
	await locked;
	await page.getByRole('button', { name: '登录' }).and(page.locator(':enabled')).waitFor();
	return visit;
}

async function turnOnSecondFactor(): Promise<Visit> {
	const { id } = await server.addEmployee(home.id, [leads]);
	const visit = await enter('../me/', { id, kind: 'phone' });
	await visit.button('开启两步验证').click();
	await visit.fill({ 登录密码: initialPassword });
	await visit.button('下一步').click();
	const uri = (await visit.link('在应用中打开').getAttribute('href')) ?? '';
	await visit.fill({ 动态验证码: (URI.parse(uri) as TOTP).generate() });
	await visit.button('开启').click();
	await visit.button('我已保存').click();
	await visit.sees('还有 10 个恢复码可用');
	return visit;
}

async function useRecoveryCode(): Promise<Visit> {
	const person = await server.addEmployee(home.id, [leads]);
	const { codes } = await turnOn(person);
	const visit = await Visit.open(browser, server.url, '../me/', 'phone');
	await visit.signIn(person.phone, initialPassword, { waits: false });
	await visit.page.getByLabel('动态验证码').waitFor();
	await visit.countClicks();
	await visit.fill({ 动态验证码: codes[0]?.toLowerCase() ?? '' });
	await visit.button('登录').click();
	await visit.page.locator('.own').waitFor();
	return visit;
}

async function giveStores(): Promise<Visit> {
	const { id } = await server.addEmployee(home.id, [leads]);
	const visit = await enter(`employees/${id}`, { id: hr });
	await visit.more('调整负责的门店');
	for (const name of ['南京路店', '静安寺店']) {
		await visit.choose('门店', name);
		await visit.page.getByLabel(`“${name}”的到期日`).fill('2999-12-31');
		await visit.page.keyboard.press('Tab');
	}
	await visit.button('保存').click();
	await visit.hears('负责的门店已保存');
	for (const name of ['南京路店', '静安寺店']) await visit.sees(`${name}（到 2999-12-31 为止）`);
	return visit;
}

async function closeStore(): Promise<Visit> {
	const store = await server.addStore();
	await server.addEmployee(store.id, [cashiers]);
	const visit = await enter(`stores/${store.id}`);
	await visit.button('关闭门店').click();
	await visit.choose('将 1 名员工调到', '南京路店');
	await visit.sees('1 名员工将调到“南京路店”');
	await visit.confirm('关闭门店');
	await visit.hears('1 名员工已调动，门店已禁用');
	return visit;
}

async function reopenStore(): Promise<Visit> {
	const store = await server.addStore();
	await server.addEmployee(store.id, [cashiers]);
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	await server.asSuper('POST', `/api/stores/${store.id}/close`, { moveTo: home.id, then: 'DISABLE' });
	const visit = await enter(`stores/${store.id}`);
	await visit.button('启用').click();
	await visit.confirm('启用');
	await visit.hears('门店已启用，1 名员工已调回');
	return visit;
}

async function switchStore(): Promise<Visit> {
	const store = await server.addStore();
	await server.addEmployee(store.id, [cashiers]);
	const visit = await enter(`stores/${store.id}`);
	await visit.button('禁用').click();
	await visit.sees('1 名员工将无法登录，直到门店重新启用');
	await visit.confirm('禁用');
	await visit.goto('overview');
	await visit.page.locator('.news').first().getByText(`1 名员工因“${store.name}”已禁用而无法登录`).waitFor();
	await visit.goto(`stores/${store.id}`);
	await visit.button('启用').click();
	await visit.confirm('启用');
	await visit.hears('门店已启用');
	return visit;
}

async function approve(): Promise<Visit> {
	const point = await server.addPoint('till:void', { title: '取消整单', groupTitle: '收银' });
	const [manager, cashier] = [
		await server.addPerson(home.id, point.code),
		await server.addPerson(home.id, 'employee:view:store'),
	];
	const visit = await enter('../me/', { id: manager.id, kind: 'phone' });
	const code = (await visit.page.locator('.own-approval-code').textContent())?.replace(' ', '') ?? '';
	const body = { permission: point.code, subject: 'A-1', approver: manager.phone, code };
	expectStatus(await server.send('POST', '/api/approvals', { token: cashier.token, body }), 201);
	await visit.page.getByText('最近授权的 1 次').waitFor();
	return visit;
}

async function makeKey(): Promise<Visit> {
	const visit = await enter('roles/programs');
	await visit.button('新增接入程序').click();
	await visit.fill({ 名称: '薪酬系统' });
	await visit.page.getByRole('checkbox', { name: /查看全部员工/ }).check();
	await visit.button('保存').click();
	const shown = visit.page.getByRole('dialog', { name: '“薪酬系统”的密钥' });
	const key = await visit.copies(shown.getByRole('button', { name: '复制' }));
	await shown.getByRole('button', { name: '关闭' }).last().click();
	await visit.closes();
	expect((await server.send('GET', '/api/employees', { token: key })).status).toBe(200);
	return visit;
}

async function readHistory(): Promise<Visit> {
	const cashier = await addCashier();
	await patch(cashier.id, { remark: '夜班' });
	const visit = await enter('history');
	await visit.page.getByLabel('从开始日期').click();
	await visit.page.getByText('近 7 天', { exact: true }).click();
	await visit.page.getByLabel('搜索姓名、手机号、门店或角色').fill(cashier.phone);
	const line = visit.page.locator('.sheet tbody tr', { hasText: `admin 把 ${cashier.name} 的备注设为“夜班”` });
	await line.locator('.row-link').click();
	await visit.page.getByRole('dialog').getByText('夜班').first().waitFor();
	return visit;
}

/** Undoes a bulk change at its line of the history. */
async function undo(): Promise<Visit> {
	const people = [await addCashier(), await addCashier()].map(({ id }) => id);
	const change = { ids: people, change: { storeId: other.id } };
	expectStatus(await server.asSuper('POST', '/api/employees/changes', change), 200);
	const visit = await enter('history');
	await visit.button('撤销').first().click();
	await visit.hears('已撤销对 2 名员工的更改');
	return visit;
}

async function audit(): Promise<Visit> {
	await server.asSuper('POST', '/api/permissions/points', {
		...{ code: 'history:view', title: '查看操作记录', groupTitle: '操作记录' },
	});
	const { id } = await server.addPerson(home.id, 'history:view');
	const visit = await enter('', { id });
	await visit.heading('操作记录');
	const file = await visit.exports();
	expect(file.suggestedFilename()).toMatch(/操作记录/);
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

async function clash(): Promise<Visit> {
	const { id } = await addCashier();
	const visit = await enter(`employees/${id}`, { id: hr });
	await visit.button('编辑').click();
	await visit.fill({ 姓名: '我的名字' });
	await patch(id, { name: '同事的名字' });
	await visit.page.getByLabel('姓名', { exact: true }).press('Enter');
	const group = visit.page.getByRole('group', { name: '姓名' });
	await group.getByText(/对方的：admin .* 改为“同事的名字”/).waitFor();
	expect(await visit.button('保存').isDisabled()).toBe(true);
	await visit.countClicks();
	await group.getByText('我的').click();
	await visit.button('保存').click();
	await visit.hears('员工已保存');
	expect(await server.read(`/api/employees/${id}`)).toMatchObject({ name: '我的名字' });
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

async function endInForm(): Promise<Visit> {
	const person = await server.addEmployee(home.id, [1]);
	const visit = await enter('stores', { id: person.id, username: person.phone });
	const name = newName('打了一半的门店');
	await visit.button('新增门店').click();
	await visit.fill({ 门店名称: name });
	await patch(person.id, { status: 'INACTIVE' });
	await visit.page.getByLabel('门店名称', { exact: true }).press('Enter');
	await visit.sees('填写到一半的内容还在，用原账号登录后继续。');
	await patch(person.id, { status: 'ACTIVE' });
	await visit.countClicks();
	// The name is filled in.
	await visit.page.getByLabel('密码').fill(initialPassword);
	await visit.button('登录').click();
	expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe(name);
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

async function followLink(): Promise<Visit> {
	const store = await fresh.addStore();
	const person = await fresh.addEmployee(store.id, [leads]);
	const issued = await fresh.asSuper('POST', `/api/employees/${person.id}/one-time-password`);
	const visit = await Visit.open(browser, fresh.url, 'employees?status=ACTIVE');
	await visit.signIn(person.phone, expectStatus(issued, 200).password, { waits: false });
	await visit.heading('设置自己的密码');
	await setOwnPassword(visit);
	await visit.link(person.name).waitFor();
	expect(visit.page.url()).toEndWith('employees?status=ACTIVE');
	return visit;
}

async function leaveForm(): Promise<Visit> {
	const visit = await enter('overview');
	await visit.page.getByRole('navigation').getByRole('link', { name: /^门店/ }).click();
	const question = visit.page.getByRole('dialog', { name: '放弃未保存的修改？' });
	await visit.button('新增门店').click();
	await visit.fill({ 门店名称: '打了一半的门店' });
	for (const leave of [() => visit.page.keyboard.press('Escape'), () => visit.page.goBack()]) {
		await leave();
		await question.waitFor();
		await visit.confirm('继续编辑');
		await question.waitFor({ state: 'hidden' });
	}
	expect(await visit.page.getByLabel('门店名称', { exact: true }).inputValue()).toBe('打了一半的门店');
	return visit;
}

async function signOutOfTabs(): Promise<Visit[]> {
	const person = await server.addEmployee(home.id, [1]);
	const context = await newContext(browser);
	const tabs = [await Visit.open(context, server.url, 'stores'), await Visit.open(context, server.url, 'stores')];
	const [here, there] = tabs as [Visit, Visit];
	await here.signIn(person.phone, initialPassword);
	await there.page.locator('.header').waitFor();
	await here.signOut(person.name);
	for (const { page } of tabs) await page.getByLabel('用户名或手机号').waitFor();
	return tabs;
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

async function zoom(): Promise<Visit> {
	const visit = await enter('overview');
	await visit.page.setViewportSize({ width: 640, height: 400 });
	for (const path of ['overview', 'stores', `stores/${home.id}`, 'employees', 'roles', 'history']) {
		await visit.goto(path);
		await visit.settles();
		await visit.fits();
	}
	await visit.page.setViewportSize({ width: 1280, height: 800 });
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

/** Imports two thousand stores, then weighs the list of employees with all that a cold browser loads. */
async function readManyStores(): Promise<Visit> {
	const visit = await enter('stores');
	await visit.button('导入').click();
	const names = Array.from({ length: 2000 }, (_, index) => `${newName('分店')},分店路 ${index + 1} 号`);
	await chooseFile(visit, ['门店名称,地址', ...names]);
	await visit.button('导入 2,000 家门店').click();
	await visit.hears('已新增 2,000 家门店');
	const cold = await Visit.open(browser, server.url, 'employees');
	const bytes = await weigh(cold);
	await cold.signIn(adminUsername, adminPassword);
	await cold.settles();
	const signIn = await weighSignIn(`${server.url}/back-office/`);
	const [first, list] = [signIn.br, bytes() / 1000].map((size) => size.toFixed());
	lines.push(`kB until the sign-in: ${first}, until the list of people: ${list}`);
	expect(bytes()).toBeLessThanOrEqual(350_000);
	await cold.end();
	return visit;
}

/** Counts the bytes of a page. */
async function weigh(visit: Visit): Promise<() => number> {
	const client = await visit.page.context().newCDPSession(visit.page);
	let received = 0;
	client.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength));
	await client.send('Network.enable');
	await client.send('Network.setCacheDisabled', { cacheDisabled: true });
	await visit.page.reload();
	await visit.page.getByLabel('密码', { exact: true }).waitFor();
	return () => received;
}
