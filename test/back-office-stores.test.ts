/** Stores, imports, exports, the history and the search of the back office, in a real Chromium. */
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { showPhone } from '../src/platform/vocabulary/phone.ts';
import { openScreens } from './back-office/screens.ts';
import { renewal, type Visit } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort, someOf } from './full.ts';
import { newFolder } from './program.ts';
import { dayIn } from './server.ts';
import { textsIn } from './spreadsheets.ts';
import { adminUsername, expectStatus, newPhone } from './world.ts';

const { enter, server } = await openScreens();

/** Runs in a page: clicks its main button twice before any timer runs, as on a slow computer. */
const doubleClick = `for (let times = 0; times < 2; times++) {
	scheduler.postTask(() => document.querySelector('main .ant-btn-primary').click(), { priority: 'user-blocking' });
}`;

/** Runs in a page: breaks off the next answer after its last byte. Unread, it would stay open into the next visit. */
const breakOff = `{
	const { arrayBuffer, blob } = Response.prototype;
	async function fail() {
		Object.assign(Response.prototype, { arrayBuffer, blob });
		await this.arrayBuffer();
		throw new TypeError('network error');
	}
	Object.assign(Response.prototype, { arrayBuffer: fail, blob: fail });
}`;

/** The number of lines that the links of an area take. */
async function linesOf(visit: Visit, area: string): Promise<number> {
	const boxes = await Promise.all(['改名', '删除'].map((verb) => visit.button(`${verb} ${area}`).boundingBox()));
	return new Set(boxes.map((box) => box?.y)).size;
}

describe.skipIf(skipped)('stores and files in the back office', () => {
	test('the news of an area names only stores that the account knows, and links only to what it may see', async () => {
		const { id: areaId } = await server.addArea();
		const empty = await server.addStore({ name: '第一家店', areaId });
		for (let i = 0; i < 19; i++) await server.addStore({ areaId });
		const closed = await server.addStore({ areaId });
		await server.addEmployee(closed.id, [3]);
		expectStatus(await server.asSuper('PATCH', `/api/stores/${closed.id}`, { status: 'INACTIVE' }), 200);
		const { id } = await server.addPerson((await server.addStore()).id, 'employee:view:store');
		const open = async (reach: Parameters<typeof server.giveReach>[1]) => {
			await server.giveReach(id, reach);
			const visit = await enter('', { id });
			await visit.heading('需要处理');
			return visit;
		};
		const ofArea = await open({ areas: [areaId] });
		const news = ofArea.page.locator('.news li');
		expect((await news.allTextContents()).map((text) => text.replace(/“[^”]+”、“[^”]+”等/, '两家等'))).toEqual([
			'1 名员工因门店已禁用而无法登录 →',
			'2 名员工未设置自己的密码 →',
			'“第一家店”、两家等门店没有员工',
		]);
		await ofArea.satisfies();
		// They may not choose among the stores, but see that they have followed a link to one.
		await ofArea.follow(`employees?storeId=${closed.id}`);
		await ofArea.counts(1);
		await ofArea.button(`只看“${closed.name}” ×`).click();
		await ofArea.page.locator('main:focus').waitFor();
		await ofArea.counts(2);
		await ofArea.end();
		const ofStore = await open({ stores: [empty.id] });
		await ofStore.page.getByRole('link', { name: '“第一家店”没有员工' }).click();
		await ofStore.page.waitForURL(new RegExp(`employees\\?storeId=${empty.id}$`));
		await ofStore.heading('员工');
		await ofStore.button('只看一家门店 ×').waitFor();
	});

	test('the way back closes the search, the areas and a menu, and stays on the page, even the first of a tab', async () => {
		const { name } = await server.addArea('城西片区，包括机场和火车站旁边的几家门店');
		const visit = await enter('stores', { kind: 'phone' });
		const devtools = await visit.page.context().newCDPSession(visit.page);
		await devtools.send('Page.resetNavigationHistory');
		await devtools.detach();
		expect(await visit.page.evaluate<number>('navigation.currentEntry.index')).toBe(0);
		for (const [opener, title] of [
			['搜索', '搜索员工、门店、角色、功能'],
			['区域', '区域'],
		] as const) {
			await visit.button(opener).click();
			await visit.page.getByRole('dialog', { name: title }).waitFor();
			if (title === '区域') expect(await linesOf(visit, name)).toBe(1);
			await visit.page.goBack();
			await visit.closes();
			expect(visit.page.url()).toEndWith('/stores');
		}
		await visit.button(adminUsername).click();
		await visit.page.getByRole('menuitem', { name: '修改密码' }).waitFor();
		await visit.page.goBack();
		await visit.page.getByRole('menuitem', { name: '修改密码' }).waitFor({ state: 'hidden' });
		expect(visit.page.url()).toEndWith('/stores');
	});

	const reaches = [
		['everybody', true],
		['several stores', false],
		['an area', false],
		['one store', false],
	] as const;
	test.each(someOf(reaches, ([reach]) => ['everybody', 'an area'].includes(reach)))(
		'a store in the address stays for an account that reaches %s: %p',
		async (reach, isLimited) => {
			const [own, given, other] = [await server.addStore(), await server.addStore(), await server.addStore()];
			await server.addEmployee(other.id);
			const more = reach === 'an area' ? (['store:view'] as const) : [];
			const add = () => server.addPerson(own.id, 'employee:view:store', ...more);
			const person = reach === 'everybody' ? undefined : await add();
			const stores = reach === 'several stores' ? [given.id] : [];
			const areas = reach === 'an area' ? [(await server.addArea()).id] : [];
			if (person) await server.giveReach(person.id, { stores, areas });
			const visit = await enter(`employees?storeId=${other.id}`, { id: person?.id, kind: 'phone' });
			await visit.button(isLimited ? '筛选（1）' : '筛选').waitFor();
			await visit.settles();
			expect(visit.page.url().endsWith(`/employees${isLimited ? `?storeId=${other.id}` : ''}`)).toBe(true);
			await visit.counts(1);
			// While nobody is found, nobody of another store is shown, and the filters can be cleared.
			await visit.follow(`employees?storeId=${other.id}&status=INACTIVE`);
			await visit.page.getByText('没有符合条件的员工').waitFor();
			await visit.button('清除筛选').click();
			await visit.page.waitForURL(/\/employees$/);
		},
	);

	test('an empty store that a colleague just added to an area stays chosen for the manager of the area', async () => {
		const [{ id: areaId }, own] = [await server.addArea(), await server.addStore()];
		const { id } = await server.addPerson(own.id, 'employee:view:store', 'store:view');
		await server.giveReach(id, { areas: [areaId] });
		const visit = await enter(`employees?storeId=${own.id}`, { id });
		const filters = visit.page.locator('.filters');
		await filters.getByText(own.name, { exact: true }).waitFor();
		const store = await server.addStore({ areaId });
		await visit.link('门店').click();
		await visit.heading('门店');
		const letGo = await visit.holds('**/stores/all?*');
		await visit.follow(`employees?storeId=${store.id}`);
		await visit.page.getByText('没有符合条件的员工').waitFor();
		await letGo();
		await filters.getByText(store.name, { exact: true }).waitFor();
	});

	test('the form of a store sends what was changed, once and nothing else, and without a change nothing', async () => {
		const { id: areaId } = await server.addArea();
		const { id } = await server.addStore({ name: '东门店', address: '东门 1 号', phone: '021-1234', areaId });
		const visit = await enter(`stores/${id}`);
		const sent: unknown[] = [];
		visit.page.on('request', (request) => {
			if (request.method() === 'PATCH') sent.push(request.postDataJSON());
		});
		await visit.button('编辑').click();
		await visit.save({ 门店名称: ' 东门店 ' });
		await visit.hears('没有修改，无需保存');
		expect(sent).toEqual([]);
		// Chromium may miss a request right after this.
		const letSave = await visit.holdsWrites();
		await visit.button('编辑').click();
		await visit.fill({ 地址: '', 电话: '021-5678' });
		for (let presses = 0; presses < 2; presses++) await visit.page.keyboard.press('Enter');
		await visit.sees('正在保存…');
		await letSave();
		await visit.hears('门店已保存');
		await visit.settles();
		// Before the page is read again.
		const letGo = await visit.holds(/api\/stores\/\d+\?/);
		await visit.button('编辑').click();
		await visit.page.locator('.ant-form-item', { hasText: '区域' }).locator('.ant-select-clear').click();
		await visit.button('保存').click();
		await visit.hears('门店已保存');
		await visit.page.locator('.facts').getByText('区域', { exact: true }).waitFor({ state: 'hidden' });
		await letGo();
		expect(sent).toEqual([{ address: '', phone: '021-5678' }, { areaId: null }]);
	});

	test('an open form stays when a colleague was quicker, even without its button, and says why it is refused', async () => {
		const [{ id }, other, role] = [await server.addStore(), await server.addStore(), await server.addRole()];
		const person = await server.addEmployee(id);
		const visit = await enter(`stores/${id}`);
		const form = visit.page.getByRole('dialog');
		const turn = async (status: string) =>
			expectStatus(await server.asSuper('PATCH', `/api/stores/${id}`, { status }), 200);
		const showsDisabled = () => visit.page.locator('.page-head .ant-tag').waitFor();
		await visit.button('禁用').click();
		await turn('INACTIVE');
		await visit.confirm('禁用');
		await form.getByText('内容已被他人修改').waitFor();
		await showsDisabled();
		expect(await form.textContent()).toStartWith('禁用门店');
		await turn('ACTIVE');
		await visit.goto(`stores/${id}`);
		await visit.button('关闭门店').click();
		await visit.choose('将 1 名员工调到', other.name);
		await server.closeStore(id, other.id);
		await visit.confirm('关闭门店');
		await form.getByText('内容已被他人修改').waitFor();
		await form.getByLabel('将 0 名员工调到').waitFor();
		expect(await form.getByRole('button', { name: '关闭门店' }).isDisabled()).toBe(true);
		await visit.discard();
		await turn('ACTIVE');
		await visit.goto(`stores/${id}`);
		await visit.button('新增员工').click();
		await visit.fill({ 姓名: '打了一半的名字' });
		await turn('INACTIVE');
		await visit.page.evaluate(renewal);
		await showsDisabled();
		expect(await form.getByLabel('姓名', { exact: true }).inputValue()).toBe('打了一半的名字');
		await visit.discard();
		await visit.sees('门店已禁用，不能新增员工');
		expect(await visit.button('新增员工').count()).toBe(0);
		await visit.button('删除').click();
		await turn('ACTIVE');
		expectStatus(await server.asSuper('PATCH', `/api/employees/${person.id}`, { storeId: id }), 200);
		await visit.confirm('删除');
		await visit.heading('员工 1');
		await form.getByText('内容已被他人修改').waitFor();
		await visit.confirm('取消');
		await visit.button('编辑').click();
		await visit.fill({ 地址: '人民路 1 号' });
		await server.closeStore(id, other.id, 'DELETE');
		await visit.button('保存').click();
		await form.getByText('门店不存在').waitFor();
		await visit.discard();
		await visit.heading('您访问的内容不存在');
		await visit.follow(`roles/${role.id}`);
		await visit.page.getByText('更多', { exact: true }).click();
		await visit.button('删除').click();
		await server.addEmployee(other.id, [role.id]);
		expectStatus(await server.asSuper('PATCH', `/api/roles/${role.id}`, { name: '改名的角色' }), 200);
		await visit.confirm('删除');
		await visit.heading('员工 1');
		await form.getByText('内容已被他人修改').waitFor();
	});

	test('a store shows its people by pages and never reads all of them', async () => {
		const { id } = await server.addStore();
		for (let i = 0; i < 41; i++) await server.addEmployee(id);
		const visit = await enter();
		const asked: string[] = [];
		visit.page.on('request', (request) => asked.push(request.url()));
		await visit.goto(`stores/${id}`);
		await visit.heading('员工 41');
		await visit.page.locator('.sheet tbody tr').first().waitFor();
		expect(await visit.page.locator('.sheet tbody tr').count()).toBe(20);
		const ofStore = asked.filter((url) => url.includes('/api/stores/'));
		expect(ofStore.filter((url) => !/\/\d+\?employees=false&include=area$|\/activity\?ids=\d+$/.test(url))).toEqual([]);
		// A page behind the last one shows the last one, and the browser goes back from it.
		await visit.follow(`stores/${id}?page=99`);
		await visit.page.waitForURL(/\?page=3$/);
		await visit.page.goBack();
		await visit.page.waitForURL(/\/\d+$/);
		const file = await visit.exports();
		expect(file.suggestedFilename()).toMatch(/^员工_\d{4}-\d\d-\d\d\.xlsx$/);
		await visit.page.locator('.ant-pagination-next').click();
		await visit.page.waitForURL(/page=2/);
		const top = "document.querySelector('main section').getBoundingClientRect().top";
		expect(await visit.page.evaluate(top)).toBeGreaterThanOrEqual(0);
	});

	test('an import shows what changes before it changes it; stores are exported, edited and imported', async () => {
		const { id, name } = await server.addStore({ address: '旧路' });
		const person = await server.addEmployee(id, [3], { name: '旧名', remark: '早班', externalId: 'R-1' });
		const visit = await enter('employees/import');
		// A file without ids is for new people.
		await visit.chooseFile(['姓名,手机号,门店', `新名,${person.phone},${name}`]);
		await visit.sees('有 1 处问题');
		await visit.chooseFile(['编号,姓名,备注', `${person.id},新名,早班`]);
		await visit.sees('检查通过：共 1 行，修改 1 名员工。');
		await visit.page.getByRole('row', { name: '旧名 第 2 行 姓名 旧名 新名' }).waitFor();
		// The next answer is that of the download.
		await visit.settles();
		await visit.page.evaluate(breakOff);
		await visit.button('下载全部修改').click();
		await visit.hears('无法连接服务器');
		const changes = await visit.downloads(visit.button('下载全部修改'));
		expect(changes.suggestedFilename()).toBe('员工-修改.xlsx');
		await visit.chooseFile(['编号,姓名,手机号,角色', `${person.id},另一人,${newPhone()},`]);
		await visit.sees('1 名员工的姓名和手机号都会改变：第 2 行“旧名”改为“另一人”。如果是另一个人，请清空这一行的编号');
		await visit.sees('1 名员工的角色单元格是空白，导入后将没有任何角色');
		await visit.chooseFile(['编号,备注', `${person.id},晚班`]);
		await visit.page.getByRole('row', { name: '旧名 第 2 行 备注 早班 晚班' }).waitFor();
		await server.asSuper('PATCH', `/api/employees/${person.id}`, { remark: '夜班' });
		await visit.button('修改 1 名员工').click();
		await visit.sees('内容已被他人修改');
		// The check that passed counts for nothing now.
		expect(await visit.page.getByText('检查通过').count()).toBe(0);
		await visit.satisfies();
		await visit.focuses('重新检查');
		await visit.button('重新检查').click();
		await visit.page.getByRole('row', { name: '旧名 第 2 行 备注 夜班 晚班' }).waitFor();
		await visit.satisfies();
		await visit.button('修改 1 名员工').click();
		await visit.hears('已修改 1 名员工');
		await visit.button('撤销').click();
		await visit.hears('已撤销对 1 名员工的更改');
		await visit.link('旧名').first().waitFor();
		expectStatus(await server.asSuper('DELETE', `/api/employees/${person.id}`), 204);
		await visit.goto('employees/import');
		await visit.chooseFile(['姓名,手机号,门店', `旧名,${person.phone},${name}`]);
		const keep = visit.page.getByRole('button', { name: '导入 1 名员工' });
		await visit.sees(/^旧名，[\d-]{10} 删除，曾在/);
		expect(await keep.isDisabled()).toBe(true);
		await visit.satisfies();
		const returning = visit.page.getByRole('radiogroup', { name: '“旧名”导入为' }).getByText('返岗');
		await returning.click();
		const heir = await server.addEmployee(id, [], { externalId: 'R-1' });
		await keep.click();
		await visit.sees('工号已存在');
		expectStatus(await server.asSuper('DELETE', `/api/employees/${heir.id}`), 204);
		await visit.button('重新检查').click();
		await visit.page.getByText('工号已存在').waitFor({ state: 'hidden' });
		await returning.click();
		await keep.click();
		await visit.hears('已返岗 1 名员工');
		expect(await server.read(`/api/employees/${person.id}`)).toMatchObject({ name: '旧名', status: 'ACTIVE' });
		await visit.goto('stores');
		const rows = textsIn(readFileSync(await (await visit.exports()).path()));
		await visit.button('导入').click();
		await visit.chooseFile(rows.map((row) => row.join(',').replace('旧路', '新路')));
		await visit.sees(/检查通过：共 \d+ 行，修改 1 家门店。/);
		await visit.page
			.getByRole('row', { name: `${name} 第` })
			.getByText('新路')
			.waitFor();
		const letGo = await visit.holdsWrites();
		let sent = 0;
		visit.page.on('request', (request) => {
			if (request.url().includes('dryRun=false')) sent += 1;
		});
		await visit.page.evaluate(doubleClick);
		await visit.page.getByRole('status').getByText('正在导入 1 家门店，请不要关闭页面。').waitFor();
		const asked = visit.page.waitForEvent('dialog');
		await visit.page.evaluate('setTimeout(() => location.reload())');
		await (await asked).dismiss();
		await visit.page.getByRole('navigation').getByRole('link', { name: /^员工/ }).click();
		await visit.button('新增员工').click();
		await visit.fill({ 姓名: '打了一半的名字' });
		await letGo();
		await visit.hears('已修改 1 家门店');
		// The page that was left does not lead away from another.
		expect([visit.page.url(), sent]).toEqual([expect.stringMatching(/\/employees$/), 1]);
		expect(await visit.page.getByLabel('姓名', { exact: true }).inputValue()).toBe('打了一半的名字');
		const path = `/api/stores/${id}?employees=false`;
		expect(await server.read(path)).toMatchObject({ name, address: '新路' });
	});

	test('the history is sentences with links, one closing is a line that opens, and the page exports what it filters', async () => {
		const [from, to] = [await server.addStore({ name: '城西店' }), await server.addStore({ name: '城东店' })];
		const person = await server.addEmployee(from.id, [3], { name: '搬走的人' });
		const signIn = () => server.signIn(person.phone);
		for (const answer of [await signIn(), await signIn(), await signIn()]) expectStatus(answer, 200);
		await server.closeStore(from.id, to.id, 'DELETE');
		const closed = await server.addStore({ name: '城北店' });
		await server.addEmployee(closed.id, [3]);
		await server.closeStore(closed.id, to.id);
		const visit = await enter('history');
		const row = (text: string) => visit.page.locator('.sheet tbody tr', { hasText: text });
		await row('admin 关闭了门店“城北店”，调走 1 名员工').getByRole('button', { name: '撤销' }).click();
		await visit.hears('门店已启用，1 名员工已调回');
		await row('admin 重新启用了门店“城北店”，1 名员工调回').waitFor();
		await row('搬走的人 登录了 3 次').waitFor();
		expect(await row('搬走的人 登录').count()).toBe(1);
		expect(await row('城北店').getByRole('button').count()).toBe(0);
		const closing = row('admin 关闭并删除了门店“城西店”，调走 1 名员工');
		await closing.waitFor();
		expect(await row('调到').count()).toBe(0);
		await closing.locator('.row-link').click();
		await visit.page
			.getByRole('dialog')
			.getByRole('link', { name: /同一次操作共 \d+ 条/ })
			.click();
		const moved = row('admin 把 搬走的人 从“城西店”调到“城东店”').locator('.sentence');
		await moved.waitFor();
		// A deleted store has no page to link.
		expect(await moved.getByRole('link').allTextContents()).toEqual(['搬走的人', '城东店']);
		await visit.button('只看同一次操作的记录 ×').press('Enter');
		await visit.page.locator('#main:focus').waitFor();
		await visit.page.getByLabel('从开始日期').click();
		await visit.page.getByText('近 7 天', { exact: true }).click();
		await closing.waitFor();
		await visit.sees('今天');
		// The closing is one line, even when a search finds the name in others of its records.
		await visit.page.getByLabel('搜索名称或手机号').fill('admin');
		await closing.waitFor();
		expect(await row('调到').count()).toBe(0);
		await visit.page.getByLabel('搜索名称或手机号').fill(`+86 ${person.phone}`);
		await row('调到“城东店”').waitFor();
		await visit.choose('操作', '离职', visit.page);
		await visit.sees('没有符合条件的操作记录');
		await visit.choose('操作', '调店', visit.page);
		await row('调到“城东店”').waitFor();
		await row('新增了').first().waitFor({ state: 'hidden' });
		const file = await visit.exports();
		expect(file.suggestedFilename()).toMatch(/^操作记录_[\d-]{10}\.xlsx$/);
		expect(textsIn(readFileSync(await file.path())).flat()).toContain('admin 把 搬走的人 从“城西店”调到“城东店”');
		await row('调到').getByRole('link', { name: '搬走的人' }).click();
		await visit.page.getByRole('heading', { name: '搬走的人', level: 1 }).waitFor();
		await row('调到“城东店”').waitFor();
	});

	test('a history of more than 10,000 records shows 10,000+ as their number', async () => {
		server.alter((database) =>
			database.run(`insert into history
				(at, action, actor_type, actor_name, changes, count, group_id, search_text, "left", moved, new_roles)
				with recursive number(value) as (select 1 union all select value + 1 from number where value <= 10000)
				select at, 'BACKUP', 'SYSTEM', '', '[]', 1, id + value, '', 0, 0, 0
				from number, (select id, at from history order by id desc limit 1)`),
		);
		const visit = await enter('history?action=BACKUP');
		await visit.sees('共 10,000+ 条');
		expect(await visit.page.locator('.count').textContent()).toBe('10,000+');
	});

	test('a manager of some stores edits any store and keeps its area, and closes only their own', async () => {
		const area = await server.addArea();
		const [own, other] = [await server.addStore({ areaId: area.id }), await server.addStore({ areaId: area.id })];
		for (const { id } of [own, other]) await server.addEmployee(id);
		const held = ['store:view', 'store:manage', 'employee:view:store', 'employee:manage'] as const;
		const { id } = await server.addPerson(own.id, ...held);
		for (const store of [own, other]) {
			const visit = await enter(`stores/${store.id}`, { id });
			await visit.button('编辑').click();
			await visit.save({ 电话: '021-55667788' });
			await visit.hears('门店已保存');
			await visit.closes();
			expect(await server.read(`/api/stores/${store.id}?include=area`)).toMatchObject({
				phone: '021-55667788',
				area: { id: area.id },
			});
			expect(await visit.button('关闭门店').count()).toBe(store === own ? 1 : 0);
			await visit.end();
		}
	});

	test('closing a store is refused with the names of those who may do more, and opening it again brings its people back', async () => {
		const [{ id: storeId, name }, other] = [await server.addStore(), await server.addStore()];
		const above = await server.addEmployee(storeId, [1], { name: '店里的上级' });
		const raised = await server.addEmployee(storeId, [3], { name: '升职的人' });
		const clerk = ['store:view', 'store:manage', 'employee:view:all', 'employee:manage'] as const;
		const { id } = await server.addPerson(other.id, ...clerk);
		const visit = await enter(`stores/${storeId}`, { id });
		await visit.button('关闭门店').click();
		const form = visit.page.getByRole('dialog', { name: `关闭门店“${name}”` });
		await visit.choose('将 2 名员工调到', other.name);
		await form.getByRole('button', { name: '关闭门店' }).click();
		await form.getByText(`不能操作${above.name}：您没有`).first().waitFor();
		expectStatus(await server.asSuper('DELETE', `/api/employees/${above.id}`), 204);
		expectStatus(await server.asSuper('PATCH', `/api/stores/${storeId}`, { phone: '021-55667788' }), 200);
		await form.getByRole('button', { name: '关闭门店' }).click();
		await form.getByText('内容已被他人修改').waitFor();
		// The open form follows the page, which has read the store and its people again.
		await form.getByLabel('将 1 名员工调到').waitFor();
		const send = async () => {
			await form.getByRole('button', { name: '关闭门店' }).click();
			await visit.hears('1 名员工已调动，门店已禁用');
			await visit.page.locator('#main:focus').waitFor();
		};
		await send();
		await visit.satisfies();
		await visit.button('撤销').click();
		await visit.hears('门店已启用，1 名员工已调回');
		await visit.button('关闭门店').click();
		await visit.choose('将 1 名员工调到', other.name);
		await send();
		// Nobody enables it before the people to bring back are known.
		const letGo = await visit.holds('**/closing');
		await visit.button('启用').click();
		const reopening = visit.page.getByRole('dialog', { name: `启用门店“${name}”` });
		await reopening.waitFor();
		expect(await reopening.getByRole('button', { name: '启用' }).isDisabled()).toBe(true);
		await letGo();
		await reopening.getByText('调回关闭时调走的 1 名员工').waitFor();
		// The message of the second closing stays, though it replaced one that goes by itself.
		expect(await visit.button('撤销').isVisible()).toBe(true);
		await visit.satisfies();
		await reopening.getByRole('button', { name: '启用' }).click();
		await visit.hears('门店已启用，1 名员工已调回');
		await visit.closes();
		// The message of the closing is gone.
		await visit.button('撤销').waitFor({ state: 'hidden' });
		await server.addEmployee(storeId, [3], { status: 'INACTIVE' });
		await visit.follow(`stores/${other.id}`);
		await visit.goto(`stores/${storeId}`);
		await visit.button('禁用').click();
		await visit.sees('1 名员工将无法登录，直到门店重新启用。');
		await visit.confirm('取消');
		await server.closeStore(storeId, other.id);
		expectStatus(await server.asSuper('PATCH', `/api/employees/${raised.id}`, { roleIds: [1] }), 200);
		await visit.goto(`stores/${storeId}`);
		await visit.button('启用').click();
		await reopening.getByText('调回关闭时调走的 2 名员工').waitFor();
		await reopening.getByRole('button', { name: '启用' }).click();
		await visit.hears(/^门店已启用$/);
		const rest = visit.page.getByRole('dialog', { name: '调店' });
		await rest.getByText(`：${raised.name}`).waitFor();
		await visit.satisfies();
		await rest.getByRole('button', { name: '只更改其余 1 名员工' }).click();
		await rest.getByText(`1 名员工将调到“${name}”`).waitFor();
		await visit.confirm('调店');
		await visit.hears('1 名员工已调店');
		await visit.button('禁用').waitFor();
		await visit.heading('员工 1');
	});

	test('a role and a store are deleted, and their records say what they were before', async () => {
		const [role, store] = [await server.addRole(), await server.addStore({ name: '解放路店' })];
		await server.asSuper('PATCH', `/api/stores/${store.id}`, { name: '新解放路店', address: '解放路'.repeat(50) });
		const visit = await enter(`roles/${role.id}`);
		await visit.page.getByText('更多', { exact: true }).click();
		for (const said of ['角色已删除', '门店已删除']) {
			await visit.button('删除').click();
			await visit.confirm('删除');
			await visit.hears(said);
			await visit.goto(`stores/${store.id}`);
		}
		await visit.follow('history?action=STORE_UPDATE');
		const renamed = visit.page.locator('tr, .card', { hasText: '名称从“解放路店”改为“新解放路店”' });
		await renamed.locator('.row-link').click();
		await visit.page.getByRole('row', { name: '名称 解放路店 新解放路店' }).waitFor();
		// The empty value is beside the first line of the long one.
		const addresses = visit.page.getByRole('row', { name: /^地址 — 解放路/ });
		const values = await addresses.locator('.multiline').all();
		const [before, after] = await Promise.all(values.map((value) => value.boundingBox()));
		expect(before?.y).toBe(after?.y ?? 0);
	});

	describe.skipIf(isShort)('further ways', () => {
		test('a store lead begins in their store, a manager of several stores in these; an empty store says so', async () => {
			const [own, other] = [await server.addStore({ name: '自己的店' }), await server.addStore({ name: '空着的店' })];
			const lead = await server.addPerson(own.id, 'store:view', 'employee:view:store', 'employee:manage');
			const { id, name } = await server.addEmployee(own.id, [3]);
			expectStatus(await server.asSuper('PATCH', `/api/employees/${id}`, { leavesOn: '2999-12-31' }), 200);
			const leave = async (name: string, leavesOn: string) => {
				const leaving = await server.addEmployee(own.id, [3], { name });
				expectStatus(await server.asSuper('PATCH', `/api/employees/${leaving.id}`, { leavesOn }), 200);
			};
			for (const name of ['同名', '同名']) await leave(name, dayIn(2));
			const visit = await enter('', { id: lead.id });
			await visit.page.getByRole('heading', { name: '自己的店', level: 1 }).waitFor();
			await visit.sees('4 名员工未设置自己的密码');
			await leave('先走', dayIn(1));
			await visit.button('新增员工').waitFor();
			await visit.satisfies();
			await visit.button('重置密码').click();
			await visit.choose('员工', name);
			await visit.confirm('重置密码');
			await visit.closeSlips();
			// The list was read again: two lines may say the same.
			const leaving = visit.page.getByRole('link', { name: /离职/ });
			await leaving.filter({ hasText: '先走' }).waitFor();
			expect((await leaving.allTextContents()).map((text) => text.slice(0, 2))).toEqual(['先走', '同名', '同名']);
			await visit.goto(`employees/${id}`);
			await visit.page.locator('.page-head').getByText('12-31 离职').waitFor();
			const { id: far } = await server.addEmployee((await server.addStore()).id, [3]);
			await visit.goto(`employees/${far}`);
			await visit.heading('只能查看和管理您负责的门店的员工');
			await visit.end();
			await server.giveReach(lead.id, { stores: [other.id] });
			const again = await enter('', { id: lead.id });
			await again.heading('负责的门店 2');
			await again.page.getByRole('row', { name: /^自己的店 5 人/ }).waitFor();
			await again.satisfies();
			await again.end();
			const owner = await enter(`stores/${other.id}`);
			await owner.button('禁用').click();
			await owner.sees('没有员工会受影响，以后可以重新启用。');
			await owner.confirm('禁用');
			await owner.button('启用').click();
			await owner.confirm('取消');
		});

		test('one search finds people, stores, roles, pages and actions by keyboard', async () => {
			const store = await server.addStore({ name: '寻找路店' });
			const role = await server.addRole();
			const older = await server.addEmployee(store.id, [role.id], { name: '寻找甲' });
			await server.addEmployee(store.id, [], { name: '寻找乙' });
			const visit = await enter('employees');
			await visit.heading('员工');
			const lines = visit.page.getByRole('listbox', { name: '结果' }).getByRole('option');
			await visit.page.getByRole('button', { name: '搜索' }).click({ clickCount: 3 });
			await lines.first().filter({ hasText: '新增员工' }).waitFor();
			await visit.satisfies();
			await visit.page.keyboard.type('寻找');
			// The store may be found before the people.
			const third = lines.nth(2).filter({ hasText: /^寻找路店/ });
			await third.waitFor();
			expect((await lines.allTextContents()).map((text) => text.slice(0, 3))).toEqual(['寻找乙', '寻找甲', '寻找路']);
			await visit.page.keyboard.press('ArrowDown');
			await visit.page.keyboard.press('Enter');
			await visit.heading(older.name);
			for (const [text, line, heading] of [
				[`+86 ${showPhone(older.phone)}`, older.name, older.name],
				['xunzhaojia', older.name, older.name],
				['dcczjl', '导出操作记录', '操作记录'],
				[role.name, role.name, role.name],
				['caozuo', '操作记录', '操作记录'],
				['dcmd', '导出门店', '门店'],
				['lizhi', '员工离职', '员工'],
				['xzmd', '新增门店', '门店'],
			] as const) {
				await visit.find(text);
				await lines.first().filter({ hasText: line }).waitFor();
				await visit.page.keyboard.press('Enter');
				await lines.first().waitFor({ state: 'hidden' });
				await visit.heading(heading);
			}
			await visit.page.getByRole('dialog', { name: '新增门店' }).waitFor();
			await visit.page.keyboard.press('Escape');
			await visit.closes();
			await visit.hears(/已导出 门店_/);
			for (const form of ['区域', '重置密码', '修改密码']) {
				await visit.find(form);
				await lines.first().filter({ hasText: form }).waitFor();
				await visit.page.keyboard.press('Enter');
				await visit.page.getByRole('dialog', { name: form }).waitFor();
				await visit.page.keyboard.press('Escape');
				await visit.closes();
			}
		});

		test('an area is made, filters stores, is shown with both names when a colleague renamed it, and deleted as it is', async () => {
			const visit = await enter('stores');
			await visit.button('区域').click();
			for (const said of ['0 家门店', '区域名称已存在']) {
				await visit.button('新增区域').click();
				await visit.save({ 区域名称: '城南' });
				await visit.sees(said);
			}
			await visit.save({ 区域名称: '城东' });
			await visit.button('改名 城东').waitFor();
			const area = (await server.read('/api/areas')).find(({ name }: { name: string }) => name === '城南');
			await server.addStore();
			await server.addStore({ areaId: area.id });
			await visit.goto('stores');
			await visit.choose('区域', '城南', visit.page);
			await visit.counts(1);
			await visit.button('区域').click();
			await visit.button('改名 城南').click();
			await visit.fill({ 区域名称: '城南片区' });
			expectStatus(await server.asSuper('PATCH', `/api/areas/${area.id}`, { name: '南区' }), 200);
			await visit.button('保存').click();
			await visit.page.getByRole('radio', { name: /对方的：admin \d\d:\d\d 改为“南区”/ }).waitFor();
			await visit.page.getByRole('radio', { name: '我的：“城南片区”' }).check();
			await visit.button('保存').click();
			await visit.hears('区域已改名');
			await visit.button('删除 城南片区').waitFor();
			expectStatus(await server.asSuper('PATCH', `/api/areas/${area.id}`, { name: '南片' }), 200);
			await visit.button('删除 城南片区').click();
			await visit.sees('删除区域“南片”？');
			await visit.sees('其中 1 家门店将不属于任何区域');
			await visit.satisfies();
			await visit.confirm('删除');
			await visit.hears('区域已删除');
		});

		test('an import takes a dropped file, imports what was checked, and asks again when a colleague was quicker', async () => {
			const { id: storeId, name: store } = await server.addStore();
			const visit = await enter('employees/import');
			const lineOf = (phone: string, name = '王芳') => `${name},${showPhone(phone)},${store}`;
			const csv = (...lines: string[]) => ['新员工名单', '姓名,电话,所属门店,性别', ...lines].join('\n');
			const [first, second] = [newPhone(), newPhone()];
			const path = join(newFolder(), '员工.csv');
			writeFileSync(path, csv(lineOf('123'), lineOf('123')));
			// Beside the box, where the browser would open the file.
			const { x = 0, y = 0 } = (await visit.page.getByRole('heading', { name: '导入员工' }).boundingBox()) ?? {};
			const devtools = await visit.page.context().newCDPSession(visit.page);
			const data = { items: [], files: [path], dragOperationsMask: 1 };
			for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
				await devtools.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
			await visit.page.getByRole('row', { name: '第 3–4 行 手机号 王芳 等 123 请输入 11 位手机号' }).waitFor();
			const marked = await visit.downloads(visit.button('下载标出问题的文件'));
			expect(marked.suggestedFilename()).toBe('员工-问题.xlsx');
			const choose = async (content: string) => {
				writeFileSync(path, content);
				const chooser = visit.page.waitForEvent('filechooser');
				await visit.page.getByText('选择文件').click();
				await (await chooser).setFiles(path);
				await visit.sees(/检查通过：共 \d 行/);
			};
			await choose(csv(lineOf(first)));
			await visit.sees('这些列不会导入：性别');
			await visit.page.getByRole('main').getByText(`${store} 1 人`).waitFor();
			await choose(csv(lineOf(first), lineOf(second, "'=王芳")));
			const { id } = await server.addEmployee(storeId, [], { phone: second });
			await visit.button('导入 2 名员工').click();
			await visit.page.getByRole('row', { name: /第 4 行 手机号 =王芳 .*手机号已存在/ }).waitFor();
			await server.asSuper('DELETE', `/api/employees/${id}`);
			await choose(csv(lineOf(first), lineOf(second, "'=王芳")));
			// The import takes the checked content, whatever is saved into the file afterwards.
			writeFileSync(path, csv(lineOf('123')));
			await visit.page.getByText('新增为另一人').click();
			// Another check of the file keeps the decisions about former employees.
			await visit.page.route(/import\?.*dryRun=false/, (each) => each.fulfill({ status: 412 }), { times: 1 });
			await visit.button('导入 2 名员工').click();
			await visit.button('重新检查').click();
			await visit.button('导入 2 名员工').click();
			await visit.hears('已新增 2 名员工');
			const slips = visit.page.getByRole('dialog', { name: '2 名员工的一次性密码' });
			const copied = await visit.copies(slips.getByRole('button', { name: '全部复制' }));
			const rows = copied.split('\n').map((row) => row.split('\t'));
			expect(rows.map(([name, , phone]) => [name, phone])).toEqual([
				['姓名', '手机号'],
				// By name. In a spreadsheet, no name becomes a formula.
				["'=王芳", second],
				['王芳', first],
			]);
			await visit.page.emulateMedia({ media: 'print' });
			const printed = visit.page.getByRole('article');
			for (const [index, [, , , password = '']] of rows.slice(1).entries()) {
				expect(await printed.nth(index).textContent()).toContain(password);
			}
			expect([await printed.count(), await visit.page.getByRole('main').isVisible()]).toEqual([2, false]);
		});

		test('an import without the wrong lines leaves these on the page, to download, mend and send; an undo brings all back', async () => {
			const { name } = await server.addStore({ name: '只有一家的店' });
			const [first, second, third] = [newPhone(), newPhone(), newPhone()];
			const visit = await enter('employees/import');
			const lines = [`王芳,${first},${name}`, '李伟,123,只有两家的店', `张三,${second},${name}`, `赵六,${third},`];
			const letCheck = await visit.holdsWrites();
			await visit.chooseFile(['姓名,手机号,门店', ...lines]);
			await visit.page.getByRole('status').getByText('正在上传并检查“员工.csv”').waitFor();
			await letCheck();
			await visit.page.getByRole('row', { name: '是不是“只有一家的店”？' }).waitFor();
			await visit.page.getByRole('main').getByText(`${name} 2 人`).waitFor();
			await visit.satisfies();
			await visit.button('导入其余 2 名员工').click();
			await visit.hears('已新增 2 名员工');
			const slips = visit.page.getByRole('dialog', { name: '2 名员工的一次性密码' });
			await visit.copies(slips.getByRole('button', { name: '全部复制' }));
			await slips.press('Escape');
			await visit.page.getByRole('row', { name: '第 3 行 手机号 李伟' }).waitFor();
			const left = await visit.downloads(visit.button('下载没有导入的 2 行'));
			const rows = textsIn(readFileSync(await left.path()));
			expect(rows.map(([, person]) => person)).toEqual(['姓名', '李伟', '赵六']);
			// Undone, they can be imported again: as the people who were just added, or as others.
			await visit.button('撤销').click();
			await visit.sees(/^张三，[\d-]{10} 删除，曾在/);
			await visit.button('导入其余 2 名员工').waitFor();
			const mended = [`李伟,${newPhone()},${name}`, `赵六,${third},${name}`];
			await visit.chooseFile(['姓名,手机号,门店', ...mended]);
			await visit.sees('检查通过：共 2 行，新增 2 名员工。');
			// An undo in the presence of another file leaves that file on the page.
			await visit.chooseFile(['姓名,手机号,门店', `钱七,${newPhone()},${name}`, '孙八,123,']);
			await visit.button('导入其余 1 名员工').click();
			await visit.closeSlips();
			await visit.chooseFile(['姓名,手机号,门店', ...mended]);
			await visit.sees('检查通过：共 2 行，新增 2 名员工。');
			await visit.button('撤销').click();
			await visit.hears('已撤销对 1 名员工的更改');
			await visit.settles();
			await visit.button('导入 2 名员工').waitFor();
		});
	});
});
