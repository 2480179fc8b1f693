import { describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { crossOrigin } from '../src/http/cors.ts';

const app = new Elysia().use(crossOrigin(['https://shop.example', 'http://localhost:5173'])).get('/', () => 'answer');

/** The origin that an answer allows, to a request and to the question before it. */
async function allowedFor(origin: string | undefined) {
	const headers = { ...(origin !== undefined && { origin }), 'access-control-request-method': 'PATCH' };
	const answers = ['GET', 'OPTIONS'].map((method) => app.handle(new Request('http://localhost/', { method, headers })));
	return (await Promise.all(answers)).map((answer) => answer.headers.get('access-control-allow-origin'));
}

describe('origins', () => {
	test.each(['https://shop.example', 'http://localhost:5173'])('%s is allowed', async (origin) => {
		expect(await allowedFor(origin)).toEqual([origin, origin]);
	});

	const others = [
		...[undefined, '', 'null', '*', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'],
		...['shop.example', '//shop.example', 'http://shop.example', 'https://shop.example/', 'https://shop.example:443'],
		...['https://shop.example.evil.example', 'https://evil-shop.example', 'https://evil.example/https://shop.example'],
		...['https://evil.example#https://shop.example', 'https://shop.example@evil.example', 'HTTPS://SHOP.EXAMPLE'],
		...['https://shop.example, https://evil.example', 'https://shop.example https://evil.example', 'https://shop'],
		...['http://localhost', 'http://localhost:51730', 'localhost:5173', 'file://', 'https://'],
	];
	test.each(others)('%p is not allowed', async (origin) => {
		expect(await allowedFor(origin)).toEqual([null, null]);
	});
});

test('pages of these origins may name a version or a device, and read the one of an answer', async () => {
	const headers = {
		origin: 'https://shop.example',
		'access-control-request-method': 'PATCH',
		'access-control-request-headers': 'if-match',
	};
	const question = await app.handle(new Request('http://localhost/', { method: 'OPTIONS', headers }));
	expect(question.headers.get('access-control-allow-headers')?.split(/, ?/)).toContain('if-match');
	const answer = await app.handle(new Request('http://localhost/', { headers }));
	expect(answer.headers.get('access-control-expose-headers')?.split(/, ?/)).toContain('etag');
	expect(question.headers.get('access-control-allow-headers')?.split(/, ?/)).toContain('device-token');
	expect(answer.headers.get('access-control-expose-headers')?.split(/, ?/)).toContain('device-token');
});
