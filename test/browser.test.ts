/** Swagger UI as a person uses it: in a real Chromium, served by the compiled program, with no other host to turn to. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { makeCertificate } from './certificate.ts';
import { skipped, startBrowser } from './chromium.ts';
import { Contract, type Document, endpointsOf, exampleOf, operationNamed, successOf } from './contract.ts';
import { hanging } from './hanging.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { compiled, newFolder, Program, removeFolders } from './program.ts';

/** The password in the examples of the document, so that the example requests can sign in with it and change it. */
const initialPassword = 'correct-horse-battery';
const administrator = { username: 'admin', password: initialPassword };

/** Operations with a body, with a path and without an answer. openapi.test.ts tries the examples of all operations. */
const journey = ['getMe', 'createStore', 'getStore', 'updateStore', 'deleteStore'];
const lists = { listEmployees: '/api/employees', listStores: '/api/stores' };

/** Runs in the browser: tries to load from another host and to run an inline script. Returns the directives that refused it. */
const intrusion = `(async () => {
	const elsewhere = 'http://localhost:9/';
	const directives = [];
	const over = new Promise((resolve) => {
		setTimeout(resolve, ${hanging / 2});
		document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
			if (directives.push(effectiveDirective) === 5) resolve();
		});
	});
	const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
	add('img', { src: elsewhere });
	add('iframe', { src: elsewhere });
	add('script', { src: elsewhere });
	add('script', { textContent: 'document.title = "run"' });
	await fetch(elsewhere).catch(() => undefined);
	await over;
	return directives;
})()`;

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
	/** Requests to other hosts, and errors of the page. */
	readonly complaints: string[] = [];

	private constructor(page: Page, url: string) {
		this.page = page;
		page.setDefaultTimeout(hanging / 2);
		page.on('request', (request) => {
			const { origin, protocol } = new URL(request.url());
			const isOwn = origin === new URL(url).origin || protocol === 'data:' || protocol === 'blob:';
			if (!isOwn) this.complaints.push(request.url());
		});
		page.on('pageerror', (error) => this.complaints.push(error.message));
		page.on('console', (message) => {
			// Chromium reports every refusal of the service; the test of the request judges those.
			const isRefusal = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
			const isJudged = isRefusal && /\/api\//.test(message.location().url);
			if (message.type() === 'error' && !isJudged) this.complaints.push(message.text());
		});
	}

	static async start(browser: Browser, url: string): Promise<Visit> {
		const visit = new Visit(
			await browser.newPage({ viewport: { width: 1280, height: 900 }, ignoreHTTPSErrors: true }),
			url,
		);
		await visit.page.goto(`${url}/swagger`);
		await visit.operations.first().waitFor();
		return visit;
	}

	get operations(): Locator {
		return this.page.locator('.opblock');
	}

	async reload(): Promise<void> {
		await this.page.reload();
		await this.operations.first().waitFor();
	}

	/** An operation, and what opens and closes it. */
	#find(operationId: string) {
		const operation = this.page.locator(`.opblock[id$="-${operationId}"]`);
		return { operation, summary: operation.locator('.opblock-summary-control') };
	}

	/** Opens an operation, executes it with its examples or with another body, and closes it again. */
	async tryOut(operationId: string, body?: unknown): Promise<Tried> {
		const { operation, summary } = this.#find(operationId);
		// By keyboard: a click would wait for the page to stand still.
		await summary.press('Enter');
		if (body !== undefined) await operation.locator('textarea.body-param__text').fill(JSON.stringify(body));
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
		for (const tab of await tabs.all()) await tab.press('Enter');
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
		removeFolders();
	});

	/** A new installation of the program whose accounts have the password of the examples. */
	function serveExamples(settings: Record<string, string> = {}): Promise<Program> {
		const passwords = { ADMIN_PASSWORD: administrator.password, INITIAL_EMPLOYEE_PASSWORD: initialPassword };
		return Program.start({ command: compiled(), cwd: newFolder(), environment: { ...passwords, ...settings } });
	}

	/** A new installation with every optional setting, its document, and a visit to its page. */
	async function install(): Promise<{ program: Program; contract: Contract; visit: Visit }> {
		const program = await serveExamples({
			...makeCertificate(),
			CORS_ORIGINS: 'https://shop.example,http://localhost:5173',
			TRUST_PROXY: '127.0.0.1',
			JWT_SECRET_PREVIOUS: 'the-secret-before-the-one-that-was-made',
			BACKUP_EVERY_HOURS: '1',
			LOG_LEVEL: 'debug',
		});
		const document = await program.request('/swagger/json');
		const contract = new Contract((await document.json()) as Document);
		return { program, contract, visit: await Visit.start(browser, program.url) };
	}

	/** Signs in through the page, and authorizes with the token that it shows. */
	async function signIn(visit: Visit, before = ''): Promise<string> {
		const { shownStatus, shownBody } = await visit.tryOut('login', administrator);
		expect(shownStatus).toBe('200');
		const { token } = JSON.parse(shownBody).data;
		await visit.authorize(`${before}${token}`);
		return token;
	}

	/** Executes an operation with its examples unchanged. */
	async function expectWorks(visit: Visit, contract: Contract, operationId: string): Promise<void> {
		const endpoint = operationNamed(contract.document, operationId);
		const { response, body, shownStatus, shownBody } = await visit.tryOut(operationId);
		const example = exampleOf(endpoint);
		expect(requestOf(response)).toEqual(example);
		// The page adds a remark to a status that the document does not announce.
		expect(shownStatus, `${operationId} ${shownBody}`).toBe(String(successOf(endpoint)));
		expect(shownBody === '' ? undefined : JSON.parse(shownBody)).toEqual(body);
		const headers = new Headers(response.headers());
		contract.expectAnnounced(example.method, example.path, { status: response.status(), headers, body });
	}

	test('with every optional setting a token is pasted once and survives a reload, examples work as given, and nothing foreign loads or runs', async () => {
		const { program, contract, visit } = await install();
		expect(await visit.operations.count()).toBe(endpointsOf(contract.document).length);
		await signIn(visit);
		await visit.reload();
		for (const operationId of journey) await expectWorks(visit, contract, operationId);
		const schemas = await visit.schemasOf('createStore');
		for (const shown of ['CreateStore', 'Failure', 'matches']) expect(schemas).toContain(shown);
		expect(visit.complaints).toEqual([]);
		const refused = await visit.page.evaluate<string[]>(intrusion);
		expect(refused.toSorted()).toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-elem', 'script-src-elem']);
		expect(await visit.page.title()).toBe('Access API');
		// The page does record such complaints: the journeys without any prove something.
		expect(visit.complaints).toContain('http://localhost:9/');
		expect(visit.complaints).toContainEqual(expect.stringContaining('violates the following Content Security Policy'));
		await visit.page.close();
		await program.end();
	});

	test('behind a proxy that adds a prefix a token pasted with "Bearer" works, and lists tried out untouched are whole', async () => {
		const program = await serveExamples();
		using proxy = prefixProxy({ '/prefix': program.url, '/other': program.url });
		const visit = await Visit.start(browser, new URL('/prefix', proxy.url).href);
		const token = await signIn(visit, ' Bearer ');
		// Another installation on the same origin must not get it.
		await visit.page.goto(new URL('/other/swagger', proxy.url).href);
		const { response } = await visit.tryOut('getMe');
		expect(response.request().headers().authorization).toBeUndefined();
		await visit.page.goto(new URL('/prefix/swagger', proxy.url).href);
		const add = (path: string, body: unknown) => program.send('POST', path, { token, body });
		await add('/api/stores', { name: '一店' });
		await add('/api/stores', { name: '二店' });
		await add('/api/employees', { storeId: 1, name: '李明', phone: '13800000001' });
		await add('/api/employees', { storeId: 2, name: '王芳', phone: '13800000002', status: 'INACTIVE' });
		for (const [operationId, path] of Object.entries(lists)) {
			const { response, body } = await visit.tryOut(operationId);
			expect(response.url()).toBe(new URL(`/prefix${path}`, proxy.url).href);
			expect(response.request().headers().authorization).toBe(`Bearer ${token}`);
			expect(body).toEqual((await program.send('GET', path, { token })).body);
		}
		expect(visit.complaints).toEqual([]);
		await visit.page.close();
		await program.end();
	});
});
