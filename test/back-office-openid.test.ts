/** The sign-in page of OpenID Connect in a real Chromium, before the page of the integrators' example. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openScreens } from './back-office/screens.ts';
import { newContext } from './back-office/visit.ts';
import { skipped } from './chromium.ts';
import { isShort } from './full.ts';
import type { Body } from './http.ts';
import { freePort, newFolder } from './program.ts';
import { expectStatus } from './world.ts';

const page = readFileSync(join(import.meta.dir, '../src/docs/integrators/openid.md'), 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];

/** Bundles the example with its buttons. */
async function bundleOf(issuer: string, clientId: string): Promise<string> {
	const discovery = `new URL('${issuer}'), '${clientId}', undefined, client.None(), { execute: [client.allowInsecureRequests] }`;
	const source = example.replace(/new URL\('https:[^)]*\), 'program-3', undefined, client\.None\(\)/, discovery);
	const entry = join(newFolder(), 'page.ts');
	writeFileSync(
		entry,
		`${source}
const say = (text) => { document.body.dataset.said = text; };
const failed = (error) => say('failed: ' + (error.error ?? error.message));
let tokens;
const act = {
	signIn,
	renew: () => renew(tokens.refresh_token).then((next) => { tokens = next; say('renewed'); }, failed),
	leave: () => {
		const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: redirect_uri };
		location.assign(client.buildEndSessionUrl(config, parameters));
	},
};
document.querySelectorAll('button').forEach((each) => { each.onclick = act[each.name]; });
if (!location.search) say('ready');
else signedIn().then(async (first) => {
	tokens = first;
	const { name } = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
	say('hello ' + name);
}, failed);
`,
	);
	const plugin = {
		name: 'packages',
		setup: (build: Bun.PluginBuilder) => {
			build.onResolve({ filter: /^openid-client$/ }, ({ path }) => ({ path: Bun.resolveSync(path, import.meta.dir) }));
		},
	};
	const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', plugins: [plugin] });
	return (await outputs[0]?.text()) ?? '';
}

// The issuer must be known before the start.
const port = freePort();
const { browser, server, enter } = await openScreens({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });

describe.skipIf(skipped)('a page of another origin', () => {
	let till: ReturnType<typeof Bun.serve>;
	let script = '';

	beforeAll(async () => {
		const buttons = ['signIn', 'renew', 'leave'].map((name) => `<button name="${name}">${name}</button>`).join('');
		till = Bun.serve({
			port: 0,
			hostname: '127.0.0.1',
			routes: {
				'/': new Response(`<title>till</title><body>${buttons}<script type="module" src="page.js"></script>`, {
					headers: { 'content-type': 'text/html' },
				}),
				'/page.js': () => new Response(script, { headers: { 'content-type': 'text/javascript' } }),
			},
		});
		const address = `${till.url}`;
		const body = { name: '收银台', permissions: [], isPublic: true, redirectUris: [address], signOutUris: [address] };
		const { id } = expectStatus(await server.asSuper('POST', '/api/programs', body), 201) as Body;
		script = await bundleOf(`http://127.0.0.1:${port}`, `program-${id}`);
	});
	afterAll(() => till.stop(true));

	test('signs in, also with a one-time password, renews, is disabled, signs out', async () => {
		const { id: storeId } = await server.addStore();
		const { id, phone } = await server.addEmployee(storeId, [], { name: '王芳' });
		const password = await server.giveOneTimePassword(id);
		const context = await newContext(browser);
		const tab = await context.newPage();
		const said = (text: string) => tab.locator(`body[data-said="${text}"]`).waitFor();
		const press = (name: string) => tab.getByRole('button', { name }).click();
		async function signIn(secret: string) {
			await press('signIn');
			await tab.getByText('登录后前往“收银台”').first().waitFor();
			await tab.getByLabel('用户名或手机号').fill(phone);
			await tab.getByLabel('密码', { exact: true }).fill(secret);
			await press('登录');
		}
		await tab.goto(`${till.url}`);
		await said('ready');
		await signIn('wrong-password');
		await tab.getByText('用户名或密码错误').waitFor();
		await tab.getByLabel('密码', { exact: true }).fill(password);
		await press('登录');
		await tab.getByLabel('新密码').fill('a-password-of-their-own');
		const outage = tab.getByText('无法连接服务器，正在重新连接…');
		await tab.route(/\/(openid\/password\?.*|health)$/, (route) => route.abort());
		await press('保存并继续');
		await outage.waitFor();
		await tab.unrouteAll();
		await outage.waitFor({ state: 'hidden' });
		await press('保存并继续');
		await said('hello 王芳');
		await press('renew');
		await said('renewed');
		await press('leave');
		await said('ready');
		await signIn('a-password-of-their-own');
		await said('hello 王芳');
		expectStatus(await server.asSuper('PATCH', `/api/employees/${id}/status`, { status: 'INACTIVE' }), 200);
		await press('renew');
		await said('failed: invalid_grant');
		await signIn('a-password-of-their-own');
		await tab.getByText('账号已被禁用').waitFor();
		const error = { code: 'SERVICE_UNAVAILABLE', message: '服务繁忙，请稍后再试', details: [] };
		const busy = { status: 503, headers: { 'retry-after': '90' }, json: { success: false, error } };
		await tab.route('**/openid/sign-in?*', (route) => route.fulfill(busy));
		await press('登录');
		await tab.getByText(/服务繁忙，请稍后再试（\d+ 秒后可重试）/).waitFor();
		await context.close();
	});
});

test.skipIf(skipped || isShort)('a public program with a permission is registered and changed in a form', async () => {
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
	expect(await visit.page.getByText('从未使用').count()).toBe(0);
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
