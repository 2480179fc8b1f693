/** The back office: how the program serves its files, and the words and rules that need no browser. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { accessSentence } from '../src/back-office/person/access-sentence.ts';
import { Service } from './harness.ts';
import { removeFoldersAfterAll } from './installation.ts';
import { endpoints } from './oracle.ts';
import { compiled, fromSource, Program } from './program.ts';
import { environmentFor, newInstallation } from './server.ts';

removeFoldersAfterAll();

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const chainName = '</title><b>"好&邻居';
const start = async (command = compiled(), environment = {}) => {
	const settings = { ...environmentFor(await newInstallation()), CHAIN_NAME: chainName, ...environment };
	return Program.start({ command, environment: settings });
};
const assetIn = (page: string) => /src="\.\.\/back-office\/(assets\/[^"]+)"/.exec(page)?.[1] ?? '';

/** Returns the kilobytes of a usable sign-in page in Brotli and gzip: the page, the files it names, and their imports. */
async function weighSignIn(page: string): Promise<{ br: number; gzip: number }> {
	const html = await (await fetch(page)).text();
	const named = html.matchAll(/(?:src|href)="([^"]*assets\/[^"]+)"/g);
	const needed = new Set(Array.from(named, ([, file = '']) => new URL(file, page).href));
	const sizes = { br: html.length, gzip: html.length };
	for (const url of needed) {
		const script = await (await fetch(url)).text();
		for (const [, name = ''] of script.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) needed.add(new URL(name, url).href);
		for (const encoding of ['br', 'gzip'] as const) {
			const answer = await fetch(url, { headers: { 'accept-encoding': encoding }, decompress: false });
			sizes[encoding] += (await answer.arrayBuffer()).byteLength;
		}
	}
	return { br: sizes.br / 1000, gzip: sizes.gzip / 1000 };
}

describe('the files of the back office', () => {
	let program: Program;
	beforeAll(async () => {
		program = await start();
	});
	afterAll(() => program.end());

	test('a browser that asks for / or forgets a slash is redirected, and every other request for / is refused in the envelope', async () => {
		for (const [path, location] of [
			['/', 'back-office/'],
			['/back-office', 'back-office/'],
			['/me', 'me/'],
		] as const) {
			const answer = await program.request(path, { headers: html, redirect: 'manual' });
			// Kept by no cache, because a program gets another answer.
			const headers = ['location', 'cache-control'].map((name) => answer.headers.get(name));
			expect([answer.status, ...headers]).toEqual([302, location, 'no-store']);
		}
		for (const [options, status, code] of [
			[{}, 404, 'NOT_FOUND'],
			[{ headers: { accept: 'application/json' } }, 404, 'NOT_FOUND'],
			[{ method: 'POST', headers: html }, 405, 'METHOD_NOT_ALLOWED'],
		] as const) {
			const answer = await program.request('/', options);
			expect(answer.status).toBe(status);
			expect(await answer.json()).toMatchObject({ success: false, error: { code } });
		}
	});

	test.each(['/back-office/', '/me/'])('%s is not kept, cannot be framed, runs its own scripts only', async (path) => {
		const answer = await program.request(path, { headers: html });
		const policy = answer.headers.get('content-security-policy') ?? '';
		expect(policy.split('; ')).toEqual([
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self' 'unsafe-inline'",
			"img-src 'self' data:",
			"connect-src 'self'",
			"base-uri 'self'",
			"form-action 'none'",
			"frame-ancestors 'none'",
		]);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			'cache-control': 'no-store',
			'content-type': 'text/html; charset=utf-8',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
		});
	});

	test('a file is kept for ever under a name with its hash, and is sent in the encoding that the client takes', async () => {
		const page = await (await program.request('/back-office/')).text();
		const path = `/back-office/${assetIn(page)}`;
		expect(path).toMatch(/\/main-[0-9a-z]{8}\.js$/);
		const fetched = async (accepted: string) => {
			const headers = { 'accept-encoding': accepted };
			const answer = await fetch(`${program.url}${path}`, { headers, decompress: false });
			expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
			expect(answer.headers.get('vary')).toBe('accept-encoding');
			expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
			expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
			return { encoding: answer.headers.get('content-encoding'), bytes: Buffer.from(await answer.arrayBuffer()) };
		};
		const [br, gzip, plain] = [await fetched('gzip, br'), await fetched('gzip'), await fetched('identity')];
		expect([br.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', null]);
		expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
		expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
	});

	test.each(['/back-office/employees', '/me/'])('the sign-in of %s needs at most 78 kB', async (path) => {
		const sizes = await weighSignIn(program.url + path);
		expect(sizes.br).toBeWithin(30, 78);
		expect(sizes.gzip).toBeLessThan(95);
	});

	test('the page names the chain, whatever is in its name', async () => {
		const page = await (await program.request('/back-office/')).text();
		const found: string[] = [];
		const rewriter = new HTMLRewriter()
			.on('title', { text: ({ text }) => void found.push(text) })
			.on('meta[name="chain-name"]', { element: (meta) => void found.push(meta.getAttribute('content') ?? '') })
			.on('b', { element: () => void found.push('an element of its own') });
		rewriter.transform(page);
		const escaped = '&lt;/title&gt;&lt;b&gt;&quot;好&amp;邻居';
		expect(found.filter(Boolean)).toEqual([escaped, escaped]);
		expect(page).toContain(`<noscript>${escaped}需要`);
	});

	test('a file that does not exist is 404 in the envelope', async () => {
		const answer = await program.request('/back-office/assets/main-00000000.js');
		expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
	});

	test('BACK_OFFICE=off serves only the page on which everybody sets their password', async () => {
		const program = await start(compiled(), { BACK_OFFICE: 'off' });
		const statusOf = async (path: string) => (await program.request(path, { headers: html })).status;
		for (const path of ['/', '/back-office', '/back-office/'])
			expect([path, await statusOf(path)]).toEqual([path, 404]);
		const page = await (await program.request('/me/')).text();
		expect(await statusOf(new URL(/src="(\S+)"/.exec(page)?.[1] ?? '', `${program.url}/me/`).pathname)).toBe(200);
		await program.end();
	});

	test('the program started from source serves the same page', async () => {
		const source = await start(fromSource);
		const programs = [program, source];
		const pages = await Promise.all(programs.map(async (each) => (await each.request('/back-office/')).text()));
		// The bundler's hashes depend on the folder in which it was started.
		const [embedded, bundled] = pages.map((page) => page.replaceAll(/-[0-9a-z]{8}\./g, '.'));
		expect(bundled).toBe(embedded ?? '');
		for (const [index, each] of programs.entries()) {
			expect((await each.request(`/back-office/${assetIn(pages[index] ?? '')}`)).status).toBe(200);
		}
	});
});

const [active, disabled] = [
	{ code: 'EMPLOYEE_ACTIVE', label: '员工启用' },
	{ code: 'STORE_INACTIVE', label: '门店禁用' },
];

test.each([
	[active, true, null, '可以登录员工端和后台'],
	[active, false, null, '可以登录员工端，没有后台权限'],
	[active, undefined, null, '可以登录员工端（后台权限您看不到）'],
	[disabled, false, '所属门店已被禁用', '不能登录：所属门店已被禁用'],
	[disabled, undefined, null, '不能登录：门店禁用'],
] as const)(
	'of a person with the tag %p and a back office %p and the refusal %p it says %s',
	(tag, allowed, message, sentence) => {
		const doors = [
			{ door: 'EMPLOYEE', allowed: message === null, message },
			{ door: 'BACK_OFFICE', allowed: allowed === true, message },
		] as const;
		const person = { statusTags: [tag], passwordIsInitial: false } as never;
		expect(accessSentence(person, allowed === undefined ? undefined : [...doors])).toBe(sentence);
	},
);

test('the refusals of a form read like spoken sentences', async () => {
	const service = await Service.start();
	const forms = endpoints.filter(({ method, path }) =>
		/^POST .api.(stores|roles|employees)$/.test(`${method} ${path}`),
	);
	const sent = forms.flatMap(({ path, body = {} }) =>
		Object.entries({ ...body, status: { bad: [] } }).flatMap(([field, { bad }]) =>
			[undefined, ...bad.filter((value) => typeof value === 'string')].map(
				(value) => [path, { [field]: value }] as const,
			),
		),
	);
	const messages = new Set<string>();
	for (const [path, body] of sent) {
		const { details } = (await service.asSuper('POST', path, body)).body.error;
		// A store and an area are chosen, not typed.
		for (const { path, message } of details) if (!/^body\.(store|area)Id$/.test(path)) messages.add(message);
	}
	expect(messages.size).toBeGreaterThan(8);
	expect(Array.from(messages).filter((message) => !/^(请|最多)[^；]*$/.test(message))).toEqual([]);
});
