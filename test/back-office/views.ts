/** The views in the chain of chain.ts, for the walk and the screenshots. */
import { adminUsername, newPhone } from '../world.ts';
import { areaManager, lead } from './chain.ts';
import type { Visit } from './visit.ts';

/** A page, a form, a menu or a confirmation. */
export interface View {
	name: string;
	path: string;
	/** The steps before the view. */
	act?: ((visit: Visit) => Promise<void>) | undefined;
	/** The employee of chain.ts who sees the view. Without one, the super administrator. */
	by?: number | undefined;
}

type Row = [name: string, path: string, act?: View['act'], by?: number];

const rows: Row[] = [
	['overview', 'overview'],
	['stores', 'stores'],
	['store', 'stores/1'],
	['store-form', 'stores', (visit) => visit.button('新增门店').click()],
	['store-edit', 'stores/1', (visit) => visit.button('编辑').click()],
	['store-close', 'stores/1', (visit) => visit.button('关闭门店').click()],
	['store-switch', 'stores/1', (visit) => visit.button('禁用').click()],
	['employees', 'employees'],
	['employees-filtered', 'employees?keyword=王&status=ACTIVE'],
	['employees-none', 'employees?keyword=nobody'],
	['employees-selected', 'employees', select],
	['employees-moved', 'employees', move],
	['employee', 'employees/5'],
	['employees-passwords', 'employees', (visit) => start(visit, '重置密码')],
	['employee-leaving', 'employees/6', (visit) => visit.more('离职')],
	['employees-deleted', 'employees?status=DELETED'],
	['employee-form', 'employees', (visit) => visit.button('新增员工').click()],
	['employee-store', 'employees', openStores],
	['employee-menu', 'employees/6', (visit) => visit.button('更多操作').click()],
	['employee-delete', 'employees/5', (visit) => visit.more('删除')],
	['employee-role', 'employees/6', (visit) => visit.more('限期角色')],
	['employee-switch', 'employees/6', (visit) => visit.more('禁用')],
	['import', 'employees/import', chooseFile],
	['import-changes', 'employees/import', changePeople],
	['stores-import', 'stores/import', (visit) => visit.chooseFile(['门店名称,地址', '湖滨店,湖滨路 1 号'])],
	['slips', 'employees/import', importPeople],
	['slip', 'employees/10', resetPassword],
	['roles', 'roles'],
	['role', 'roles/6'],
	['role-new', 'roles', (visit) => visit.button('新增角色').click()],
	['role-built-in', 'roles/2'],
	['role-form', 'roles/6', (visit) => visit.button('编辑').click()],
	['points', 'roles/points'],
	['point-new', 'roles/points', (visit) => visit.button('新增权限').click()],
	['point-edit', 'roles/points', (visit) => visit.button('编辑 打折').click()],
	['point-delete', 'roles/points', (visit) => visit.button('删除 打折').click()],
	['programs', 'roles/programs'],
	['program-new', 'roles/programs', (visit) => visit.button('新增接入程序').click()],
	['program-edit', 'roles/programs', (visit) => visit.button('编辑 收银服务器').click()],
	['program-key', 'roles/programs', (visit) => visit.button('新密钥 工资系统').click()],
	['role-loses', 'roles/3', takeFromManagers],
	['finder', 'stores', (visit) => visit.page.getByRole('button', { name: '搜索' }).click()],
	['history', 'history'],
	['record', 'history', openRecord],
	['account', 'employees', (visit) => visit.button(adminUsername).click()],
	['not-found', 'nowhere'],
	['home-of-lead', '', undefined, lead],
	['store-of-lead', 'stores/1', undefined, lead],
	['employees-of-lead', 'employees', undefined, lead],
	['employee-of-lead', 'employees/2', undefined, lead],
	['home-of-area-manager', '', undefined, areaManager],
	['home-of-manager', '', undefined, 6],
	['roles-of-manager', 'roles', undefined, 6],
	['refused', 'history', undefined, lead],
	['own-of-cashier', '', undefined, 2],
	['own', '../me/'],
	['own-password', '../me/', (visit) => visit.button('修改密码').click()],
	['own-second-factor', '../me/', (visit) => visit.button('开启两步验证').click()],
	['form-refused', 'employees', refuse],
	['password', 'employees', changePassword],
	['outage', 'stores', loseNetwork],
];

export const views: View[] = rows.map(([name, path, act, by]) => ({ name, path, act, by }));

function openRecord(visit: Visit): Promise<void> {
	return visit.page.locator('tr, .card', { hasText: '修改了' }).first().locator('.row-link').click();
}

async function openStores(visit: Visit): Promise<void> {
	await visit.button('新增员工').click();
	await visit.page.getByRole('dialog').getByLabel('门店', { exact: true }).click();
	await visit.page.locator('.ant-select-item-option').first().waitFor();
}

async function select(visit: Visit): Promise<void> {
	const boxes = visit.page.getByRole('checkbox', { name: /^选择 / });
	for (const place of [0, 2, 3]) await boxes.nth(place).check();
}

/** Selects employees, and starts an action on them. */
async function start(visit: Visit, verb: string): Promise<void> {
	await select(visit);
	const menu = visit.button('操作');
	if (await menu.isVisible()) await menu.click();
	await visit.page.getByText(verb, { exact: true }).click();
	await visit.page.locator('.ant-dropdown').waitFor({ state: 'hidden' });
}

/** Chooses a store for the selected employees, without sending the form. */
async function move(visit: Visit): Promise<void> {
	await start(visit, '调店');
	await visit.choose('门店', '火车站店');
	await visit.sees(/将调到“火车站店”/);
}

/** Sends a form with nothing in it. */
async function refuse(visit: Visit): Promise<void> {
	await visit.button('新增员工').click();
	await visit.save({ 手机号: '123' });
}

/** Grants cashiers a permission that their shift leaders lack. */
async function takeFromManagers(visit: Visit): Promise<void> {
	await visit.button('编辑').click();
	await visit.page.getByRole('checkbox', { name: /查看门店/ }).check();
	await visit.sees('将不能再管理“收银员”');
}

async function changePassword(visit: Visit): Promise<void> {
	await visit.button(adminUsername).click();
	await visit.page.getByRole('menuitem', { name: '修改密码' }).click();
	await visit.page.locator('.ant-dropdown').waitFor({ state: 'hidden' });
}

async function resetPassword(visit: Visit): Promise<void> {
	await visit.button('重置密码').click();
	await visit.confirm('重置密码');
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
}

/** Imports twelve people, more than the slips of one sheet. */
async function importPeople(visit: Visit): Promise<void> {
	const lines = Array.from({ length: 12 }, (_, index) => `新人${index + 1},${newPhone()},南京西路旗舰店`);
	await visit.chooseFile(['姓名,手机号,门店', ...lines]);
	await visit.button('导入 12 名员工').click();
	await visit.page.getByRole('dialog', { name: '一次性密码' }).waitFor();
}

/** Checks a spreadsheet that changes two people and adds one. */
async function changePeople(visit: Visit): Promise<void> {
	const lines = ['1,王芳,13900000001,解放路店,', '2,李娜娜,13900000002,解放路店,早班', `,新人,${newPhone()},人民路店,`];
	await visit.chooseFile(['编号,姓名,手机号,门店,备注', ...lines]);
	await visit.sees('检查通过');
}

/** Sends a form while offline, and goes online again afterwards. */
async function loseNetwork(visit: Visit): Promise<void> {
	await visit.button('新增门店').click();
	await visit.page.context().setOffline(true);
	await visit.save({ 门店名称: '湖滨店' });
	await visit.page.getByText('无法连接服务器').waitFor();
	await visit.page.context().setOffline(false);
}

/** Chooses a spreadsheet with two mistakes. */
async function chooseFile(visit: Visit): Promise<void> {
	const lines = ['王芳,13812345678,人民路店', '李娜,1.38E+10,人民路店', '张伟,13812345670,没有的店'];
	await visit.chooseFile(['姓名,手机号,门店', ...lines]);
	await visit.sees('有 2 处问题');
}
