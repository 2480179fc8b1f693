/** Pages of other origins. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Elysia } from 'elysia';
import { crossOrigin } from '../src/platform/http/edge.ts';
import { hanging } from './hanging.ts';
import { Service } from './harness.ts';
import { words } from './oracle.ts';

setDefaultTimeout(hanging);

const app = new Elysia()
	.use(crossOrigin(['https://shop.example', 'http://localhost:5173'], { info() {} }))
	.get('/', () => 'answer');

/** The origin that an answer allows, for a request and for its preflight. */
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
		undefined,
		'',
		'https://shop.example, https://evil.example',
		'https://shop.example https://evil.example',
		...words(`
			null * constructor __proto__ toString hasOwnProperty valueOf shop.example //shop.example http://shop.example
			https://shop.example/ https://shop.example:443 https://shop.example.evil.example https://evil-shop.example
			https://evil.example/https://shop.example https://evil.example#https://shop.example
			https://shop.example@evil.example HTTPS://SHOP.EXAMPLE https://shop http://localhost http://localhost:51730
			localhost:5173 file:// https://
		`),
	];
	test.each(others)('%p is not allowed', async (origin) => {
		expect(await allowedFor(origin)).toEqual([null, null]);
	});
});

describe('dev', () => {
	const logged: unknown[] = [];
	const info = (message: string, facts: unknown) => logged.push([message, facts]);
	const developing = new Elysia().use(crossOrigin(['dev'], { info })).get('/', () => 'answer');
	test.each([
		['http://localhost:5173', true],
		['http://127.0.0.1', true],
		['https://localhost:5173', false],
		['http://localhost.evil.example', false],
		['http://evil.example:80', false],
		['http://localhost:5173/', false],
		['http://127.0.0.1.evil.example', false],
		['dev', false],
	])(
		'allows a page of %s: %p; a refused one is a line in the log that names the setting',
		async (origin, isAllowed) => {
			logged.length = 0;
			const headers = { origin, 'access-control-request-method': 'PATCH' };
			const answer = await developing.handle(new Request('http://localhost/', { method: 'OPTIONS', headers }));
			expect(answer.headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
			const line = ['a page of another origin is refused: add its origin to CORS_ORIGINS if it may call', { origin }];
			// A text that is no origin may be a misplaced secret.
			const isOrigin = URL.parse(origin)?.origin === origin;
			expect(logged).toEqual(isOrigin && !isAllowed ? [line] : []);
		},
	);
});

describe('the service', () => {
	const origin = 'https://shop.example';
	const asking = {
		origin,
		'access-control-request-method': 'PATCH',
		'access-control-request-headers': 'authorization,content-type',
	};
	const headersOf = async ({ app }: Service, path: string, init: RequestInit) => {
		const { status, headers } = await app.handle(new Request(`http://localhost${path}`, init));
		const named = [...headers].filter(([name]) => name.startsWith('access-control-'));
		const listed = named.map(([name, value]) => [name.slice(15), value.toLowerCase().split(/, */).toSorted()]);
		return { status, vary: headers.get('vary')?.toLowerCase(), ...Object.fromEntries(listed) };
	};

	test('allows no other origin by default', async () => {
		const service = await Service.start();
		for (const [path, method] of [
			['/health', 'GET'],
			['/nowhere', 'GET'],
			['/api/stores/1', 'OPTIONS'],
		] as const) {
			const { vary = '', ...answer } = await headersOf(service, path, { method, headers: asking });
			expect([answer, vary]).toEqual([{ status: expect.any(Number) }, expect.not.stringContaining('origin')]);
		}
	});

	test('lets pages of listed origins ask for everything, and read every answer', async () => {
		const service = await Service.start({ corsOrigins: ['http://localhost:5173', origin] });
		const asked = await headersOf(service, '/api/stores/1', { method: 'OPTIONS', headers: asking });
		expect(asked).toMatchObject({ status: 204, 'allow-origin': [origin] });
		expect(asked).not.toHaveProperty('allow-credentials');
		expect(asked['allow-methods']).toEqual(['delete', 'get', 'patch', 'post', 'put']);
		expect(asked['allow-headers']).toEqual(['authorization', 'content-type', 'device-token', 'if-match']);
		const signedIn = { origin, authorization: `Bearer ${service.superToken}` };
		for (const [status, path, headers] of [
			[200, '/api/stores', signedIn],
			[400, '/api/stores?page=x', signedIn],
			[401, '/api/stores', { origin }],
			[404, '/api/stores/99', signedIn],
			[404, '/nowhere', { origin }],
		] as const) {
			const answer = await headersOf(service, path, { headers });
			expect(answer).toMatchObject({
				status,
				'allow-origin': [origin],
				vary: expect.stringMatching(/^accept-encoding, origin/),
			});
			const named = [
				'deprecation',
				'device-token',
				'etag',
				'retry-after',
				'sunset',
				'www-authenticate',
				'x-request-id',
			];
			const others = ['allow', 'content-disposition', 'x-ignored-parameters'];
			expect(answer['expose-headers']).toEqual([...named, ...others].toSorted());
		}
	});
});
