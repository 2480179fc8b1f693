/** A person at the back office: a real Chromium that reaches no host except the program under test. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Download, Locator, Page, Request, Route } from 'playwright-core';
import { complaintsOf } from '../chromium.ts';
import type { Server } from '../server.ts';
import { adminPassword, adminUsername } from '../world.ts';

/** The screen sizes that the back office supports. */
export const viewports = {
	desktop: { width: 1280, height: 800 },
	phone: { width: 390, height: 844 },
	'narrow phone': { width: 360, height: 740 },
	'small phone': { width: 320, height: 568 },
};

/** The visitor and their screen. */
export interface Guest {
	/** The employee's id; absent for the super administrator. */
	id?: number | undefined;
	/** The name that the page fills in once their session has ended. */
	username?: string;
	kind?: keyof typeof viewports;
}

/** Makes a browser context for one person. Its memory ends with it. */
export function newContext(browser: Browser, kind: keyof typeof viewports = 'desktop'): Promise<BrowserContext> {
	const viewport = viewports[kind];
	return browser.newContext({ viewport, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that are in the recommendations of WCAG 2.2, levels A and AA. */
const rules: RunOptions = {
	runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
	resultTypes: ['violations'],
	// None of these rules reads style sheets or media.
	preload: false,
};

/** Runs in the page: ends its session and begins another, as another tab would. False if the page has to be loaded first. */
const enter = `({ url, address, session }) => {
	const name = 'session:' + new URL('..', url).pathname;
	if (document.baseURI !== url) {
		if (session) sessionStorage.setItem(name, JSON.stringify(session));
		return false;
	}
	const before = JSON.parse(sessionStorage.getItem(name));
	const next = session ?? before;
	if (next === null) return false;
	const [here, there] = [new BroadcastChannel(name), new BroadcastChannel(name)];
	return new Promise((entered) => {
		// The page has listened for longer, and so hears each message first.
		there.onmessage = ({ data }) => {
			if (data.kind === 'left') {
				history.replaceState(null, '', address);
				here.postMessage({ kind: 'session', session: next });
			} else if (data.kind === 'session') {
				for (const channel of [here, there]) channel.close();
				entered(true);
			}
		};
		here.postMessage({ kind: 'left', account: before?.account });
	});
}`;

/** Runs in the page: finds fields that make a phone zoom, and targets lower than 44 pixels, or 24 in a sentence. */
export const tooSmall = `Array.from(document.querySelectorAll('body :is(a[href], button, input, textarea, summary, .ant-select)'))
	.filter((each) => each.checkVisibility() && each.clientWidth + each.offsetWidth > 2)
	.filter((each) => !each.closest('.skip, .unseen, [aria-hidden=true], .ant-select :is(input, button)'))
	.filter((each) => {
		const isTyped = each.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea');
		if (isTyped && Number.parseFloat(getComputedStyle(each).fontSize) < 16) return true;
		each.scrollIntoView({ block: 'center', behavior: 'instant' });
		// The whole row is the area of its link.
		const area = each.closest(each.matches('.row-link') ? '.card, li' : 'label, .ant-input-affix-wrapper, .ant-select, .ant-picker') ?? each;
		const [first] = (each.matches('.row-link') ? area : each).getClientRects();
		if (!first) return false;
		const reach = each.matches('.in-text') ? 11 : 21;
		const x = first.left + first.width / 2;
		const y = first.top + first.height / 2;
		// A covered element cannot be pressed, so it is not judged; nor is a part that is under an open list.
		const hits = [y, y - reach, y + reach].map((at) => document.elementFromPoint(x, at));
		const isHit = (hit) => area.contains(hit) || hit?.closest('.ant-dropdown, .ant-select-dropdown');
		return area.contains(hits[0]) && !hits.every(isHit);
	})
	.map((each) => each.outerHTML.slice(0, 200))`;

/** Runs in the page: focuses one thing after the other, down and up again, and finds those that cannot be seen then. */
const hiddenByBars = `{
	const all = Array.from(document.querySelectorAll('main :is(a, input, button)'));
	[...all, ...all.toReversed()]
		.filter((each) => each.checkVisibility({ visibilityProperty: true }))
		.filter((each) => {
			each.focus();
			const area = each.closest('label') ?? each;
			const { left, top, width, height } = area.getBoundingClientRect();
			return !area.contains(document.elementFromPoint(left + width / 2, top + height / 2));
		})
		.map((each) => each.outerHTML.slice(0, 200));
}`;

/** Runs in a page: another tab renews the session, and the page reads its data again. */
export const renewal = `{
	const [name] = Object.keys(sessionStorage).filter((each) => each.startsWith('session:'));
	new BroadcastChannel(name).postMessage({ kind: 'session', session: JSON.parse(sessionStorage.getItem(name)) });
}`;

/** The messages of the pages, which disappear after some seconds. */
const messages = '.ant-message-notice, .ant-notification-notice';

/** Runs in every page before its scripts: logs each message whose text changes to the console. */
const report = `{
	const shown = new WeakMap();
	new MutationObserver(() => {
		for (const each of document.querySelectorAll('${messages}')) {
			if (shown.get(each) !== each.textContent) console.info('message: ' + each.textContent);
			shown.set(each, each.textContent);
		}
	}).observe(document, { subtree: true, childList: true, characterData: true });
}`;

/** The tab of each server that no visit uses. */
const idle = new Map<string, Visit>();

/** The visits that have not ended. */
const unended = new Set<Visit>();

/** One person's actions in one tab. */
export class Visit {
	readonly page: Page;
	readonly url: string;
	readonly complaints: string[];
	/** The tab's key in `idle` after the visit. */
	#server: string | undefined;
	/** Requests that have no answer yet. */
	readonly #open = new Set<Request>();
	/** The messages so far that no test has waited for. */
	readonly #said: string[] = [];

	private constructor(page: Page, url: string) {
		this.page = page;
		this.url = `${url}/back-office/`;
		this.complaints = complaintsOf(page, url);
		// Outage probes never finish: their body stays unread.
		page.on('request', (request) => request.url().endsWith('/health') || this.#open.add(request));
		page.on('requestfinished', (request) => this.#open.delete(request));
		page.on('requestfailed', (request) => this.#open.delete(request));
		page.on('console', (message) => {
			const [, said] = /^message: (.*)/s.exec(message.text()) ?? [];
			if (said !== undefined) this.#said.push(said);
		});
	}

	/** Opens a page of the back office in a browser of its own, or in a tab of the given one. */
	static async open(
		browser: Browser | BrowserContext,
		url: string,
		path = '',
		kind: keyof typeof viewports = 'desktop',
	) {
		const context = 'newContext' in browser ? await newContext(browser, kind) : browser;
		const page = await context.newPage();
		await page.addInitScript({ content: report });
		await page.setViewportSize(viewports[kind]);
		const visit = new Visit(page, url);
		unended.add(visit);
		await visit.goto(path);
		return visit;
	}

	/** Like `open`, signed in as the super administrator. */
	static async openAsSuper(...where: Parameters<typeof Visit.open>): Promise<Visit> {
		const visit = await Visit.open(...where);
		await visit.signIn(adminUsername, adminPassword);
		return visit;
	}

	/**
	 * Starts a visit of an employee or the super administrator, already signed in. It reuses the tab of an earlier visit
	 * with fresh screens, because loading a page and signing in cost more than most visits.
	 */
	static async enter(
		browser: Browser,
		server: Server,
		path = '',
		{ id, username, kind = 'desktop' }: Guest = {},
	): Promise<Visit> {
		// Without the screens for a sign-in: the first address has none.
		const visit = idle.get(server.url) ?? (await Visit.open(browser, server.url, '../health', kind));
		idle.delete(server.url);
		unended.add(visit);
		visit.#server = server.url;
		await visit.page.setViewportSize(viewports[kind]);
		const token = id === undefined ? server.superToken : server.tokenOf(id);
		const account = id === undefined ? 'SUPER_ADMIN:1' : `EMPLOYEE:${id}`;
		const session = { token, account, receivedAt: Date.now(), ...(username && { username }) };
		if (!(await visit.#show(path, session)) || path.startsWith('../')) await visit.load(path);
		return visit;
	}

	/** Shows a page: as fresh screens if somebody is signed in, otherwise by loading it. */
	async goto(path: string): Promise<void> {
		if (path.startsWith('../') || !(await this.#show(path))) await this.load(path);
	}

	/** Goes to another page as a link does: the screens stay, with what they have read. */
	async follow(path: string): Promise<void> {
		await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
	}

	async load(path: string): Promise<void> {
		await this.page.goto(this.url + path);
	}

	#show(path: string, session?: object): Promise<boolean> {
		const given = { url: this.url, address: this.url + path, session };
		return this.page.evaluate<boolean>(`(${enter})(${JSON.stringify(given)})`);
	}

	/** Fills in the sign-in. With `waits`, it waits for the screens. */
	async signIn(username: string, password: string, { waits = true } = {}): Promise<void> {
		await this.page.getByLabel('用户名或手机号').fill(username);
		await this.page.getByLabel('密码', { exact: true }).fill(password);
		await this.page.getByRole('button', { name: '登录', exact: true }).click();
		if (!waits) return;
		await this.page.getByLabel('用户名或手机号').waitFor({ state: 'hidden' });
		await this.page.locator('.header, .own').waitFor();
	}

	button(name: string): Locator {
		return this.page.getByRole('button', { name, exact: true });
	}

	link(name: string): Locator {
		return this.page.getByRole('link', { name, exact: true });
	}

	/** Waits until a button has the focus. */
	async focuses(name: string): Promise<void> {
		await this.button(name).and(this.page.locator(':focus')).waitFor();
	}

	/** Fills in fields by their labels. */
	async fill(fields: Record<string, string>): Promise<void> {
		for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
	}

	/** Chooses an option of a select by its label, in the open form or elsewhere. A list shows only the first of many. */
	async choose(label: string, option: string, place: Page | Locator = this.page.getByRole('dialog')): Promise<void> {
		const field = place.getByLabel(label, { exact: true });
		await field.click();
		if (await field.isEditable()) await field.fill(option);
		await this.page.locator('.ant-select-item-option:visible', { hasText: option }).first().click();
	}

	/** Opens the search with its keys, and types in it. */
	async find(text = ''): Promise<void> {
		await this.page.keyboard.press('Control+k');
		await this.page.getByRole('combobox', { name: '搜索' }).pressSequentially(text);
	}

	/** Fills in a form, presses its button, and waits for the new heading if one is given. */
	async save(fields: Record<string, string>, title?: string): Promise<void> {
		await this.fill(fields);
		await this.button('保存').click();
		if (title !== undefined) await this.heading(title);
	}

	async heading(name: string): Promise<void> {
		await this.page.getByRole('heading', { name }).waitFor();
	}

	/** Closes one-time passwords that were not copied. */
	async closeSlips(): Promise<void> {
		await this.page.getByRole('dialog', { name: '一次性密码' }).getByRole('button', { name: '关闭' }).last().click();
		await this.confirm('关闭');
		await this.closes();
	}

	/** Waits until the page shows all of its content: no placeholder is left, and no request is pending. */
	async settles(): Promise<void> {
		await this.page.locator('main h1, .own h1').first().waitFor();
		const loading = this.page.locator('.ant-skeleton, .ant-spin, [aria-busy="true"]').first();
		for (let tries = 0; tries < 1000; tries++) {
			await loading.waitFor({ state: 'hidden' });
			await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
			if (this.#open.size === 0 && !(await loading.isVisible())) return;
		}
		throw new Error(`these have no answer: ${Array.from(this.#open, (request) => request.url()).join(' ')}`);
	}

	/**
	 * Waits until a condition holds in the page. Playwright's `waitForFunction` makes a function of a text at every look, which
	 * the page's policy forbids after the first one.
	 */
	async until(condition: string): Promise<void> {
		const look = `const look = () => (${condition} ? done() : requestAnimationFrame(look));`;
		await this.page.evaluate(`new Promise((done) => { ${look} look(); })`);
	}

	/** Waits until the count beside the heading is this total. */
	async counts(total: number): Promise<void> {
		await this.page.locator('.count').getByText(`${total}`, { exact: true }).waitFor();
	}

	/** Holds requests that change something until the returned function is called. */
	holdsWrites(): Promise<() => Promise<void>> {
		return this.holds('**/api/**', (request) => request.method() !== 'GET');
	}

	/** Holds requests to an address, all or some, until the returned function is called. It ends every route. */
	async holds(to: string | RegExp, isHeld = (_: Request) => true): Promise<() => Promise<void>> {
		const held = Promise.withResolvers<void>();
		await this.page.route(to, async (route) => {
			if (isHeld(route.request())) await held.promise;
			await route.continue();
		});
		return () => {
			held.resolve();
			return this.page.unrouteAll({ behavior: 'wait' });
		};
	}

	/** Loses the answer to the next request to an address, after the service has acted. */
	async losesAnswer(to: string | RegExp): Promise<void> {
		const lose = (route: Route) => route.fetch().then(() => route.abort());
		await this.page.route(to, lose, { times: 1 });
	}

	/** Waits until no dialog is open. */
	async closes(): Promise<void> {
		await this.page.getByRole('dialog').waitFor({ state: 'hidden' });
	}

	/** Chooses a spreadsheet of these lines. */
	async chooseFile(lines: readonly string[]): Promise<void> {
		const file = { name: '员工.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
		await this.page.locator('input[type=file]').setInputFiles(file);
	}

	/** Clicks a button or a menu item, and waits for its download. */
	async downloads(what: Locator): Promise<Download> {
		const download = this.page.waitForEvent('download');
		await what.click();
		return download;
	}

	/** Exports the list in a format, and waits for the file. */
	exports(): Promise<Download> {
		return this.downloads(this.button('导出'));
	}

	/** Clicks a button; returns the copied text. */
	async copies(button: Locator): Promise<string> {
		await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await this.page.evaluate("navigator.clipboard.writeText('')");
		await button.click();
		let copied = '';
		while (copied === '') copied = await this.page.evaluate<string>('navigator.clipboard.readText()');
		return copied;
	}

	/** Signs out in the account menu and at the service. A token without a sign-in ends all sessions of its account. */
	async signOut(account = adminUsername): Promise<void> {
		await this.button(account).click();
		const ended = this.page.waitForResponse('**/api/auth/logout');
		await this.page.getByText('退出登录', { exact: true }).click();
		await ended;
	}

	/** Presses the button of a confirmation. */
	async confirm(verb: string): Promise<void> {
		await this.page.getByRole('dialog').last().getByRole('button', { name: verb, exact: true }).click();
	}

	/** Leaves the open form, and drops what was typed. */
	async discard(): Promise<void> {
		await this.confirm('取消');
		await this.confirm('放弃');
	}

	/** Chooses an item in the menu of rare actions. */
	async more(title: string): Promise<void> {
		await this.button('更多操作').click();
		await this.page.getByRole('menuitem').getByText(title, { exact: true }).click();
		await this.page.locator('.ant-dropdown').waitFor({ state: 'hidden' });
	}

	/** Waits for a text on the page, outside messages. */
	async sees(text: string | RegExp): Promise<void> {
		const stays = this.page.locator(`:not(:is(${messages}) *)`);
		await this.page.getByText(text).and(stays).first().waitFor();
	}

	/** Waits until a message with the text was shown; it may have disappeared since. Each message counts once. */
	async hears(text: string | RegExp): Promise<void> {
		const isIt = (said: string) => (typeof text === 'string' ? said.includes(text) : text.test(said));
		while (!this.#said.some(isIt)) await this.page.waitForEvent('console');
		this.#said.splice(0, this.#said.findIndex(isIt) + 1);
	}

	/** The titles of the menu. */
	async menu(): Promise<string[]> {
		const items = this.page.getByRole('navigation', { name: '主菜单' }).getByRole('link');
		await items.first().waitFor();
		return items.allTextContents();
	}

	/** Fails when axe-core finds anything, or the page scrolls sideways. */
	async satisfies(): Promise<void> {
		await this.fits();
		// Waits, because placeholders have an empty heading, and lists are paler while they are read again.
		await this.page.locator('.ant-skeleton, [aria-busy="true"]').first().waitFor({ state: 'hidden' });
		// Evaluated instead of inserted, because the content security policy blocks other scripts.
		if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(`{ ${axe} }`);
		const found = await this.page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(rules)})`);
		const violations = found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 160))]);
		expect([this.page.url(), ...violations]).toEqual([this.page.url()]);
	}

	/** Finds what a bar covers while it has the focus. */
	hiddenByBars(): Promise<string[]> {
		return this.page.evaluate<string[]>(hiddenByBars);
	}

	/** Fails when the page scrolls sideways. */
	async fits(): Promise<void> {
		const hidden = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
		expect([this.page.url(), await this.page.evaluate(hidden)]).toEqual([this.page.url(), 0]);
	}

	/** Ends the visit. Fails if the page did anything forbidden. */
	async end(): Promise<void> {
		const complaints = this.complaints.splice(0);
		if (this.#server === undefined || idle.has(this.#server) || complaints.length > 0) await this.#close();
		else {
			unended.delete(this);
			await this.page.emulateMedia({ media: null, colorScheme: null });
			// A menu that opened under the pointer would begin there.
			await this.page.mouse.move(0, 0);
			this.#said.length = 0;
			idle.set(this.#server, this);
		}
		expect(complaints).toEqual([]);
	}

	/** Runs after each test: ends its visits. A tab that stayed would sign in the next tests' tabs. */
	static async endAll(): Promise<void> {
		await Promise.all(Array.from(unended, (visit) => visit.end()));
	}

	async #close(): Promise<void> {
		unended.delete(this);
		await this.page.close();
		const context = this.page.context();
		if (context.pages().length === 0) await context.close();
	}
}
