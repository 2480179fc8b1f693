/** Swagger UI as a person uses it: in a real Chromium, served by the compiled program, with no other host to turn to. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { makeCertificate } from './certificate.ts';
import { complaintsOf, skipped, startBrowser } from './chromium.ts';
import { Contract, type Document, exampleOf, operationNamed, successOf } from './contract.ts';
import { hanging } from './hanging.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { compiled, newFolder, Program, removeFolders } from './program.ts';

setDefaultTimeout(hanging);

/** The password in the examples of the document, so that the example requests can sign in with it and change it. */
const initialPassword = 'correct-horse-battery';

/** Opens an operation, executes it with its examples unchanged, and closes it again. */
async function expectWorks(page: Page, contract: Contract, operationId: string): Promise<void> {
	const operation = page.locator(`.opblock[id$="-${operationId}"]`);
	const summary = operation.locator('.opblock-summary-control');
	// By keyboard: a click would wait until the page stops moving.
	await summary.press('Enter');
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
	await summary.press('Enter');
}

describe.skipIf(skipped)('Swagger UI', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await startBrowser();
	});

	afterAll(async () => {
		await browser?.close();
		await removeFolders();
	});

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
		const paths = Object.entries(contract.document.paths).filter(([path]) => /^\/api\/stores(\/\{id\})?$/.test(path));
		const short = { ...contract.document, paths: Object.fromEntries(paths) };
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
