/** Pages beside the back office in a real Chromium: Swagger UI, and the sign-in of OpenID Connect before the integrators' example. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openScreens } from './back-office/screens.ts';
import { newContext } from './back-office/visit.ts';
import { makeCertificate } from './certificate.ts';
import { complaintsOf, skipped } from './chromium.ts';
import { Contract, type Document, exampleOf, operationNamed, successOf } from './contract.ts';
import type { Body } from './http.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { compiled, freePort, newFolder, Program } from './program.ts';
import { expectStatus } from './world.ts';

const integrators = readFileSync(join(import.meta.dir, '../src/docs/integrators/openid.md'), 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(integrators) ?? [];

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
const { browser, server } = await openScreens({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });

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

/** The password in the examples of the document, so that the example requests can sign in with it and change it. */
const initialPassword = 'correct-horse-battery';

/** Opens an operation, and executes it with its examples unchanged. */
async function expectWorks(page: Page, contract: Contract, operationId: string): Promise<void> {
	const operation = page.locator(`.opblock[id$="-${operationId}"]`);
	// By keyboard: a click would wait until the page stops moving.
	await operation.locator('.opblock-summary-control').press('Enter');
	const received = page.waitForResponse((each) => each.request().resourceType() === 'fetch');
	await operation.locator('button.execute').click();
	const response = await received;
	const endpoint = operationNamed(contract.document, operationId);
	const example = exampleOf(endpoint);
	const sent = response.request();
	expect([sent.method(), new URL(sent.url()).pathname]).toEqual([example.method, `/prefix${example.path}`]);
	expect(JSON.parse(sent.postData() ?? 'null')).toEqual(example.body ?? null);
	const shown = operation.locator('.live-responses-table tr.response');
	const shownBody = (await shown.locator('code').allTextContents()).join();
	// The page adds a remark to a status that the document does not announce.
	const status = await shown.locator('.response-col_status').textContent();
	expect(status, `${operationId} ${shownBody}`).toBe(String(successOf(endpoint)));
	const text = response.status() === 204 ? '' : await response.text();
	const body = text === '' ? undefined : JSON.parse(text);
	expect(shownBody === '' ? undefined : JSON.parse(shownBody)).toEqual(body);
	const headers = new Headers(response.headers());
	contract.expectAnnounced(example.method, example.path, { status: response.status(), headers, body });
}

describe.skipIf(skipped)('Swagger UI', () => {
	test('behind a prefix a pasted token survives a reload, operations work as given, and nothing foreign loads', async () => {
		const certificate = makeCertificate();
		const environment = {
			ADMIN_PASSWORD: initialPassword,
			INITIAL_EMPLOYEE_PASSWORD: initialPassword,
			...certificate,
			CORS_ORIGINS: 'https://shop.example,http://localhost:5173',
			TRUST_PROXY: '127.0.0.1',
			BACKUP_EVERY_HOURS: '1',
			LOG_LEVEL: 'debug',
		};
		await using program = await Program.start({ command: compiled(), cwd: newFolder(), environment });
		const contract = new Contract((await (await program.request('/swagger/json')).json()) as Document);
		using proxy = prefixProxy({ '/prefix': program.url }, certificate);
		const here = new URL('/prefix', proxy.url).href;
		const viewport = { width: 1280, height: 900 };
		const page = await browser.newPage({ viewport, ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
		const complaints = complaintsOf(page, here);
		const operations = page.locator('.opblock:visible');
		const load = async () => {
			await page.goto(`${here}/swagger`);
			await operations.first().waitFor();
		};
		await load();
		// The basic service is expanded. The filter searches all summaries and descriptions.
		expect(await operations.count()).toBe(29);
		const filter = page.locator('.operation-filter-input');
		await filter.fill('second factor');
		await page.locator('[id$="-enableSecondFactor"]').waitFor();
		expect(await operations.count()).toBeLessThan(20);
		await filter.fill('');
		await page.locator('[id$="-createStore"]').waitFor();
		expect(await operations.count()).toBe(29);
		await page.locator('.auth-wrapper button.authorize').click();
		const dialog = page.locator('.modal-ux');
		await dialog.locator('input').fill(` Bearer ${await program.signIn('admin', initialPassword)}`);
		await dialog.locator('button.authorize').click();
		await dialog.locator('button.btn-done').click();
		// From here on the document is short, because every shown operation slows the page.
		const { '/api/stores': stores, '/api/stores/{id}': store } = contract.document.paths;
		const paths = { '/api/stores': { post: stores?.post }, '/api/stores/{id}': { delete: store?.delete } };
		const short = { ...contract.document, paths };
		await page.route('**/swagger/json', (route) => route.fulfill({ json: short }));
		await load();
		// One with a body, one with a path and no answer. openapi.test.ts tries the examples of all operations.
		for (const operationId of ['createStore', 'deleteStore']) await expectWorks(page, contract, operationId);
		// The link leads to a page of the program, which leads to others.
		const pages = page.getByRole('link', { name: 'Pages for integrators' }).first();
		await page.goto(new URL(`${await pages.getAttribute('href')}`, page.url()).href);
		await page.locator('nav').getByRole('link', { name: 'Signing in', exact: true }).click();
		await page.getByRole('heading', { name: 'One-time passwords' }).waitFor();
		expect(complaints).toEqual([]);
		// The page does record complaints, so their absence above proves something.
		await page.evaluate("fetch('http://localhost:9/').catch(() => undefined)");
		expect(complaints).toContainEqual(expect.stringContaining('violates the following Content Security Policy'));
		await page.close();
	});
});
