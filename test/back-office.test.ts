/** The back office: how its files are served by the compiled program, and its screens in a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compiled, fromSource, newFolder, Program, removeFolders } from './program.ts';

beforeAll(() => void compiled(), 60_000);
afterAll(removeFolders);

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const start = (command = compiled(), environment = {}) => Program.start({ command, cwd: newFolder(), environment });
const assetIn = (page: string) => /src="(assets\/[^"]+)"/.exec(page)?.[1] ?? '';

describe('the files of the back office', () => {
	test('a browser that asks for / is redirected, and every other request for / is 404 in the envelope', async () => {
		const program = await start();
		for (const path of ['/', '/back-office']) {
			const answer = await program.request(path, { headers: html, redirect: 'manual' });
			expect([answer.status, answer.headers.get('location')]).toEqual([302, 'back-office/']);
		}
		for (const options of [{}, { method: 'POST', headers: html }, { headers: { accept: 'application/json' } }]) {
			const answer = await program.request('/', options);
			expect(answer.status).toBe(404);
			expect(await answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
		}
		await program.end();
	});

	test('the page is not kept, cannot be framed and runs its own scripts and styles only', async () => {
		const program = await start();
		const answer = await program.request('/back-office/', { headers: html });
		const policy = answer.headers.get('content-security-policy') ?? '';
		expect(policy.split('; ')).toEqual(
			expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
		);
		expect(policy).not.toContain('unsafe');
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			'cache-control': 'no-store',
			'content-type': 'text/html; charset=utf-8',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
		});
		await program.end();
	});

	test('a file is kept for ever under a name with its hash, and is sent in the encoding that the client takes', async () => {
		const program = await start();
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
		const [br, gzip, plain] = [await fetched('gzip, br'), await fetched('br;q=0, gzip'), await fetched('identity')];
		expect([br.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', null]);
		expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
		expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
		await program.end();
	});

	test('a file that does not exist is 404 in the envelope', async () => {
		const program = await start();
		const answer = await program.request('/back-office/assets/main-00000000.js');
		expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
		await program.end();
	});

	test('BACK_OFFICE=off serves none of it', async () => {
		const program = await start(compiled(), { BACK_OFFICE: 'off' });
		for (const path of ['/', '/back-office', '/back-office/']) {
			expect((await program.request(path, { headers: html })).status).toBe(404);
		}
		await program.end();
	});

	test('the program started from source serves the same page', async () => {
		const programs = [await start(), await start(fromSource)];
		const pages = await Promise.all(programs.map(async (each) => (await each.request('/back-office/')).text()));
		// The bundler's hashes depend on the folder in which it was started.
		const [embedded, bundled] = pages.map((page) => page.replaceAll(/-[0-9a-z]{8}\./g, '.'));
		expect(bundled).toBe(embedded ?? '');
		for (const [index, program] of programs.entries()) {
			expect((await program.request(`/back-office/${assetIn(pages[index] ?? '')}`)).status).toBe(200);
		}
		await Promise.all(programs.map((each) => each.end()));
	});
});
