/** Swagger UI as a person uses it: in a real Chromium, served by the compiled program, with no other host to turn to. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { makeCertificate } from './certificate.ts';
import { complaintsOf, skipped, startBrowser } from './chromium.ts';
import { Contract, type Document, endpointsOf, exampleOf, operationNamed, successOf } from './contract.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { compiled, newFolder, Program, removeFolders } from './program.ts';

/** The password in the examples of the document, so that the example requests can sign in with it and change it. */
const initialPassword = 'correct-horse-battery';

/** With a body, with a path and without an answer. openapi.test.ts tries the examples of all operations. */
const journey = ['createStore', 'deleteStore'];

/** The paths that are tried out. */
const used = /^\/api\/(stores|stores\/\{id\}|employees)$/;

/** The request that the browser sent. */
function requestOf(response: Response) {
	const request = response.request();
	const { pathname, searchParams } = new URL(request.url());
	const body = request.postData();
	return {
		method: request.method(),
		path: pathname,
		query: Object.fromEntries(searchParams),
		body: body === null ? undefined : JSON.parse(body),
	};
}

/** An operation that was executed: what the browser received, and what the page shows of it. */
interface Tried {
	response: Response;
	body: unknown;
	shownStatus: string | null;
	shownBody: string;
}

/** A person in front of the page. */
class Visit {
	readonly page: Page;
	readonly complaints: string[];

	private constructor(page: Page, url: string) {
		this.page = page;
		this.complaints = complaintsOf(page, url);
	}

	static async start(browser: Browser, url: string): Promise<Visit> {
		const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ignoreHTTPSErrors: true });
		const visit = new Visit(page, url);
		await visit.load(url);
		return visit;
	}

	async load(url: string): Promise<void> {
		await this.page.goto(`${url}/swagger`);
		await this.operations.first().waitFor();
	}

	get operations(): Locator {
		return this.page.locator('.opblock');
	}

	/** An operation, and what opens and closes it. */
	#find(operationId: string) {
		const operation = this.page.locator(`.opblock[id$="-${operationId}"]`);
		return { operation, summary: operation.locator('.opblock-summary-control') };
	}

	/** Opens an operation, executes it with its examples, and closes it again. */
	async tryOut(operationId: string): Promise<Tried> {
		const { operation, summary } = this.#find(operationId);
		// By keyboard: a click would wait for the page to stand still.
		await summary.press('Enter');
		const received = this.page.waitForResponse((each) => each.request().resourceType() === 'fetch');
		await operation.locator('button.execute').click();
		const response = await received;
		const shown = operation.locator('.live-responses-table tr.response');
		const shownStatus = await shown.locator('.response-col_status').textContent();
		const shownBody = (await shown.locator('code').allTextContents()).join();
		await summary.press('Enter');
		const text = response.status() === 204 ? '' : await response.text();
		return { response, body: text === '' ? undefined : JSON.parse(text), shownStatus, shownBody };
	}

	/** The text of an operation that shows its schemas instead of its examples. */
	async schemasOf(operationId: string): Promise<string> {
		const { operation, summary } = this.#find(operationId);
		await summary.press('Enter');
		const tabs = operation.getByRole('tab', { name: 'Schema', exact: true });
		await tabs.first().waitFor();
		// Those of the body and of the last answer, which is a refusal.
		for (const tab of [tabs.first(), tabs.last()]) await tab.press('Enter');
		const text = (await operation.allTextContents()).join();
		await summary.press('Enter');
		return text;
	}

	/** Pastes a token under "Authorize". */
	async authorize(token: string): Promise<void> {
		await this.page.locator('.auth-wrapper button.authorize').click();
		const dialog = this.page.locator('.modal-ux');
		await dialog.locator('input').fill(token);
		await dialog.locator('button.authorize').click();
		await dialog.locator('button.btn-done').click();
	}
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

	/** A new installation with every optional setting, and its document. Its accounts have the password of the examples. */
	async function install(
		certificate: ReturnType<typeof makeCertificate>,
	): Promise<{ program: Program; contract: Contract }> {
		const environment = {
			...{ ADMIN_PASSWORD: initialPassword, INITIAL_EMPLOYEE_PASSWORD: initialPassword },
			...certificate,
			CORS_ORIGINS: 'https://shop.example,http://localhost:5173',
			TRUST_PROXY: '127.0.0.1',
			JWT_SECRET_PREVIOUS: 'the-secret-before-the-one-that-was-made',
			BACKUP_EVERY_HOURS: '1',
			LOG_LEVEL: 'debug',
		};
		const program = await Program.start({ command: compiled(), cwd: newFolder(), environment });
		const document = await program.request('/swagger/json');
		return { program, contract: new Contract((await document.json()) as Document) };
	}

	/** Executes an operation with its examples unchanged. */
	async function expectWorks(visit: Visit, contract: Contract, operationId: string): Promise<void> {
		const endpoint = operationNamed(contract.document, operationId);
		const { response, body, shownStatus, shownBody } = await visit.tryOut(operationId);
		const example = exampleOf(endpoint);
		expect(requestOf(response)).toEqual({ ...example, path: `/prefix${example.path}` });
		// The page adds a remark to a status that the document does not announce.
		expect(shownStatus, `${operationId} ${shownBody}`).toBe(String(successOf(endpoint)));
		expect(shownBody === '' ? undefined : JSON.parse(shownBody)).toEqual(body);
		const headers = new Headers(response.headers());
		contract.expectAnnounced(example.method, example.path, { status: response.status(), headers, body });
	}

	test('with every optional setting, behind a prefix, a pasted token survives a reload, operations work as given, and nothing foreign loads', async () => {
		const certificate = makeCertificate();
		const { program, contract } = await install(certificate);
		using proxy = prefixProxy({ '/prefix': program.url }, certificate);
		const here = new URL('/prefix', proxy.url).href;
		const visit = await Visit.start(browser, here);
		expect(await visit.operations.count()).toBe(endpointsOf(contract.document).length);
		const token = await program.signIn('admin', initialPassword);
		await visit.authorize(` Bearer ${token}`);
		// From here on the document is short: the page works at each operation that it shows.
		const paths = Object.entries(contract.document.paths).filter(([path]) => used.test(path));
		const short = { ...contract.document, paths: Object.fromEntries(paths) };
		await visit.page.route('**/swagger/json', (route) => route.fulfill({ json: short }));
		await visit.load(here);
		for (const operationId of journey) await expectWorks(visit, contract, operationId);
		// A list that is tried out untouched is whole.
		const add = async (path: string, body: unknown) => (await program.send('POST', path, { token, body })).body.data;
		const { id: storeId } = await add('/api/stores', { name: '一店' });
		await add('/api/employees', { storeId, name: '李明', phone: '13800000001' });
		await add('/api/employees', { storeId, name: '王芳', phone: '13800000002', status: 'INACTIVE' });
		const { response, body } = await visit.tryOut('listEmployees');
		expect(response.url()).toBe(`${here}/api/employees`);
		expect(response.request().headers().authorization).toBe(`Bearer ${token}`);
		expect(body).toEqual((await program.send('GET', '/api/employees', { token })).body);
		const schemas = await visit.schemasOf('createStore');
		for (const shown of ['CreateStore', 'Failure', 'matches']) expect(schemas).toContain(shown);
		expect(visit.complaints).toEqual([]);
		// The page does record such complaints: the visit without any proves something.
		await visit.page.evaluate("fetch('http://localhost:9/').catch(() => undefined)");
		expect(visit.complaints).toContainEqual(expect.stringContaining('violates the following Content Security Policy'));
		await visit.page.close();
		await program.end();
	});
});
