import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Connection, exchangeBytes } from './connection.ts';
import {
	type Answer,
	adminPassword,
	adminUsername,
	expectInvalid,
	expectRefusal,
	expectStatus,
	initialPassword,
	newName,
	newPhone,
	Service,
} from './harness.ts';
import { badIntegers, type Endpoint, endpoints, fill, nameOf, serverOwned } from './oracle.ts';

const megabyte = 1_048_576;
/** The largest body that an endpoint reads, in bytes. */
const limitOf = ({ path, body }: Endpoint) =>
	path.startsWith('/api/auth/') || Object.keys(body ?? {}).some((name) => /password/i.test(name)) ? 16_384 : megabyte;
const threeMegabytes = JSON.stringify({ name: 'x'.repeat(3 * megabyte) });
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [nameOf(endpoint), endpoint] as const);
const withBody = endpoints.filter((endpoint) => endpoint.body);

/** A store, an employee in it and a custom role, for the ids in paths. What a test stores is gone in the next. */
interface Fixture {
	service: Service;
	store: number;
	employee: number;
	role: number;
}
let fixture: Fixture;
const heldRole = 1;
beforeAll(async () => {
	const service = await Service.start();
	const { id: store } = await service.addStore();
	const { id: employee } = await service.addEmployee(store);
	const { id: role } = await service.addRole();
	await service.addEmployee(store, [heldRole]);
	service.keep();
	fixture = { service, store, employee, role };
});
beforeEach(() => fixture.service.rewind());

/** The path of an endpoint for what is there. */
function pathTo({ store, employee, role }: Fixture, { path }: Endpoint): string {
	if (path.startsWith('/api/stores')) return fill(path, store, employee);
	return fill(path, path.startsWith('/api/employees') ? employee : role);
}

function endpointNamed(name: string): Endpoint {
	const endpoint = endpoints.find((each) => nameOf(each) === name);
	if (!endpoint) throw new Error(`${name} is not in the table`);
	return endpoint;
}

/** Sends a raw request of the super administrator, and checks the answer as `Service.send` does. */
async function answerTo({ service }: Fixture, path: string, init: RequestInit): Promise<Answer> {
	const headers = new Headers(init.headers);
	headers.set('authorization', `Bearer ${service.superToken}`);
	const response = await service.app.handle(new Request(`http://localhost${path}`, { ...init, headers }));
	const text = await response.text();
	const body = text === '' ? undefined : JSON.parse(text);
	const answer = { status: response.status, headers: response.headers, text, body };
	service.contract?.expectAnnounced(init.method ?? 'GET', path, answer);
	return answer;
}

/** A body without a declared length, in pieces of 64 KiB; `pieces` counts those that were read. */
function inChunks(text: string): { stream: ReadableStream<Uint8Array>; pieces: () => number } {
	const bytes = new TextEncoder().encode(text);
	let asked = 0;
	const stream = new ReadableStream<Uint8Array>({
		pull(controller) {
			const piece = bytes.subarray(asked * 65_536, (asked + 1) * 65_536);
			asked += 1;
			if (piece.length === 0) controller.close();
			else controller.enqueue(piece);
		},
	});
	return { stream, pieces: () => asked };
}

const isValidation = ({ body }: Answer) => body?.error?.code === 'VALIDATION_ERROR';
const detailPaths = ({ body }: Answer): string[] =>
	body?.error?.details?.map((detail: { path: string }) => detail.path) ?? [];
const errorsIn = (service: Service) =>
	service.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');

const withIds = endpoints.filter(({ path }) => path.includes(':'));
test.each(named(withIds))(
	'%s: 400 for an id that is not a positive integer, 404 for the largest one',
	async (_, endpoint) => {
		const { service, store } = fixture;
		const { method, path, sample } = endpoint;
		const ask = (...ids: (number | string)[]) => service.asSuper(method, fill(path, ...ids), sample);
		for (const id of badIntegers) {
			const answer = await ask(id);
			expectInvalid(answer);
			for (const where of detailPaths(answer))
				expect([id, where]).toEqual([id, expect.stringMatching(/^params\.\w+$/)]);
			if (path.split(':').length > 2) expectInvalid(await ask(store, id));
		}
		expectRefusal(await ask(Number.MAX_SAFE_INTEGER), 404, 'NOT_FOUND');
	},
);

const unknown = [
	...['GET /', 'GET /api', 'GET /api/health', 'GET /api/auth/login', 'POST /health', 'PUT /api/stores'],
	...['DELETE /api/stores', 'POST /api/stores/1', 'PATCH /api/permissions/roles/1', 'GET /api/stores/1/2'],
	...['GET /API/stores', 'GET /api/stores/', 'GET /api/stores//employees', 'DELETE /api/stores/1/employees/'],
	...['POST /api/auth/login/', 'GET /api/stores/1/employees/1', 'OPTIONS /api/stores'],
	'PATCH /api/employees/1/password/resets',
];
test.each(unknown)('%s is 404', async (request) => {
	const [method = '', path = ''] = request.split(' ');
	expectRefusal(await fixture.service.asSuper(method, path), 404, 'NOT_FOUND', '请求的地址不存在');
});

describe('fields of bodies', () => {
	const table = withBody.flatMap((endpoint) =>
		Object.entries(endpoint.body ?? {}).map(([name, field]) => [nameOf(endpoint), name, endpoint, field] as const),
	);
	const send = (endpoint: Endpoint, body: object) =>
		fixture.service.asSuper(endpoint.method, pathTo(fixture, endpoint), body);
	/** Objects that cannot be converted to text. */
	const unprintable = [
		'{"toString":1,"valueOf":1}',
		'[{"toString":null}]',
		'{"toJSON":1,"then":1}',
		'{"__proto__":null}',
	];

	test.each(table)('%s refuses a bad %s and names it in details', async (_, name, endpoint, { bad }) => {
		for (const value of [...bad, ...unprintable.map((text) => JSON.parse(text))]) {
			const answer = await send(endpoint, { ...endpoint.sample, [name]: value });
			expect([value, answer.status, answer.body.error?.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
			expect(detailPaths(answer).length).toBeWithin(1, 21);
			for (const path of detailPaths(answer)) expect(path).toMatch(new RegExp(`^body\\.${name}(\\.\\w+)*$`));
		}
	});

	test.each(table)('%s accepts a good %s', async (_, name, endpoint, { good }) => {
		for (const value of good) {
			const answer = await send(endpoint, { ...endpoint.sample, [name]: value });
			expect([value, answer.status < 500, isValidation(answer)]).toEqual([value, true, false]);
		}
	});

	const stored = table.filter(
		([endpoint, name]) =>
			/^(?:POST|PATCH) .api.(?:stores|roles|employees)(?:.:id)?$/.test(endpoint) &&
			/^(?:name|address|phone|description|remark|code)$/.test(name),
	);
	test.each(stored)(
		'%s stores %s trimmed and composed, an empty optional text as null',
		async (_, name, endpoint, field) => {
			const isNew = endpoint.method === 'POST';
			for (const value of field.good) {
				const answer = await send(endpoint, { ...(isNew && endpoint.sample), [name]: value });
				const data = expectStatus(answer, isNew ? 201 : 200);
				expect(data[name]).toBe(typeof value === 'string' ? value.trim().normalize('NFC') || null : value);
				if (isNew) expectStatus(await fixture.service.asSuper('DELETE', `${endpoint.path}/${data.id}`), 204);
			}
		},
	);

	test.each(named(withBody))('%s names every bad and every missing field, and no unknown one', async (_, endpoint) => {
		const { body = {}, sample = {} } = endpoint;
		const bad = Object.entries(body).map(([name, field]) => [name, field.bad[0]] as const);
		const unknown = { chosenName: 1, deep: { chosenName: 1 } };
		const answer = await send(endpoint, { ...Object.fromEntries(bad), ...unknown });
		expectInvalid(answer, ...bad.map(([name]) => `body.${name}`));
		expect(answer.text).not.toMatch(/chosenName|deep/);
		for (const name of Object.keys(body).filter((name) => body[name]?.required)) {
			const { [name]: left, ...others } = sample;
			expect(left).toBeDefined();
			expectInvalid(await send(endpoint, others), `body.${name}`);
		}
	});

	const atLeastOne = withBody.filter(
		({ method, body }) => method === 'PATCH' && Object.values(body ?? {}).every((field) => !field.required),
	);
	const nothing = ['{}', JSON.stringify(serverOwned), '{"__proto__":{"name":"x"}}', '{"NAME":"x"}'];
	test.each(named(atLeastOne))('%s: unknown fields do not count as a field', async (_, endpoint) => {
		const { service } = fixture;
		const owned = endpoint.path === '/api/roles/:id' ? nothing : [...nothing, '{"code":"x","description":"x"}'];
		for (const raw of owned) {
			const answer = await service.send('PATCH', pathTo(fixture, endpoint), { token: service.superToken, raw });
			expect([raw, ...detailPaths(answer)]).toEqual([raw, 'body']);
			expectInvalid(answer);
		}
	});
});

describe('queries', () => {
	const withQuery = endpoints
		.filter(({ method, query }) => query && method === 'GET')
		.map((endpoint) => ({ ...endpoint, path: fill(endpoint.path, heldRole) }));
	const parameters = withQuery.flatMap((endpoint) =>
		Object.entries(endpoint.query ?? {}).map(([name, field]) => [endpoint.path, name, field] as const),
	);

	test.each(parameters)(
		'GET %s accepts a good %s, refuses a bad one and names it',
		async (path, name, { good, bad }) => {
			const ask = (value: unknown) => fixture.service.asSuper('GET', `${path}?${name}=${value}`);
			for (const value of good) expect([value, (await ask(value)).status]).toEqual([value, 200]);
			for (const value of bad) {
				const answer = await ask(value);
				expect([value, ...detailPaths(answer)]).toEqual([value, `query.${name}`]);
				expectInvalid(answer);
			}
		},
	);

	const lists = withQuery.filter(({ query }) => query?.page);
	test.each(lists.map(({ path }) => path))(
		'GET %s gives each row on one page; one past the end is empty',
		async (path) => {
			const { service } = fixture;
			const ask = async (page: number, pageSize: number, query = `&page=${page}&pageSize=${pageSize}`) => {
				const data = expectStatus(await service.asSuper('GET', `${path}?unknown=1${query}`), 200);
				const totalPages = Math.ceil(data.pagination.total / pageSize);
				expect(data.pagination).toEqual({ page, pageSize, total: data.pagination.total, totalPages });
				return data.items;
			};
			const whole = await ask(1, 100);
			expect(await ask(1, 20, '&page=1')).toEqual(whole.slice(0, 20));
			expect(whole.length).toBeWithin(1, 100);
			const pages = Array.from(whole, (_, index) => ask(index + 1, 1));
			expect((await Promise.all(pages)).flat()).toEqual(whole);
			for (const pageSize of [1, 100]) expect(await ask(9_007_199_254_740_991, pageSize)).toEqual([]);
		},
	);

	test.each(lists.map(({ path, query }) => [path, query?.keyword ? ['query.keyword'] : []] as const))(
		'GET %s names every bad parameter',
		async (path, keyword) => {
			const answer = await fixture.service.asSuper('GET', `${path}?page=0&pageSize=101&keyword=`);
			expectInvalid(answer, 'query.page', 'query.pageSize', ...keyword);
		},
	);
});

describe('bodies that are not a JSON object', () => {
	const charsets = ['utf-16', 'latin1', 'iso-8859-1', 'us-ascii', 'gbk', '"gb18030"', 'utf-8x', 'utf-7', '"utf-8, x"'];
	const form = new FormData();
	form.set('name', '表');
	const bodies: [name: string, init: (sample: string) => RequestInit][] = [
		['null', () => ({ body: 'null' })],
		['a list', (sample) => ({ body: `[${sample}]` })],
		['a text', () => ({ body: '"text"' })],
		['a number', () => ({ body: '5' })],
		['true', () => ({ body: 'true' })],
		['half a JSON', (sample) => ({ body: sample.slice(0, -1) })],
		['JSON and more', (sample) => ({ body: `${sample}}` })],
		['two JSONs', (sample) => ({ body: `${sample}${sample}` })],
		['JavaScript', () => ({ body: "{name: 'x'}" })],
		['JSON with a comment', (sample) => ({ body: `${sample} // ok` })],
		['an empty body', () => ({ body: '' })],
		['blanks', () => ({ body: ' \n ' })],
		['no body', () => ({})],
		['bytes that are not UTF-8', (sample) => ({ body: Buffer.from(sample.replace(/}$/, ',"x":"é"}'), 'latin1') })],
		['UTF-16', (sample) => ({ body: Buffer.from(sample, 'utf16le') })],
		['a form', () => ({ body: new URLSearchParams({ name: 'x' }), headers: {} })],
		['a multipart form', () => ({ body: form, headers: {} })],
		['a broken multipart form', () => ({ body: 'x', headers: { 'content-type': 'multipart/form-data' } })],
		['JSON without a type', (sample) => ({ body: Buffer.from(sample), headers: {} })],
		...[
			...['text/plain', 'text/plain, application/json', 'application/x-www-form-urlencoded', 'application/jsonx', ''],
			...['application/octet-stream', 'application/json5', 'application/merge-patch+json'],
			...charsets.flatMap((charset) => [
				`application/json; charset=${charset}`,
				`application/json;v=1;CHARSET=${charset}`,
			]),
		].map((type): [name: string, init: (sample: string) => RequestInit] => [
			`JSON as ${type}`,
			(sample) => ({ body: sample, headers: { 'content-type': type } }),
		]),
	];
	const json = { 'content-type': 'application/json' };

	test.each(named(withBody))('%s refuses them', async (_, endpoint) => {
		const path = pathTo(fixture, endpoint);
		for (const [name, init] of bodies) {
			const request = { headers: json, ...init(JSON.stringify(endpoint.sample)), method: endpoint.method };
			const answer = await answerTo(fixture, path, request);
			expect([name, answer.status, answer.body.error?.code]).toEqual([name, 400, 'VALIDATION_ERROR']);
			for (const where of detailPaths(answer)) expect(where).toMatch(/^body\b/);
		}
	});

	const types = [
		...['application/json', 'APPLICATION/JSON; charset=utf-8', 'Application/Json ; charset="utf-8"'],
		...['application/json;', 'application/json; charset=utf8', 'application/json; q'],
		'application/json; boundary=x; foo=bar',
		'application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8',
		'application/json; profile="https://example.org/a;charset=utf-16"; charset=utf-8',
		'application/json; profile="a \\" b"',
	];
	test.each(types)('a body sent as %s is read as JSON', async (contentType) => {
		const body = JSON.stringify({ name: newName() });
		const headers = { 'content-type': contentType };
		expectStatus(await answerTo(fixture, '/api/stores', { method: 'POST', headers, body }), 201);
	});
});

describe('large and deep bodies', () => {
	const headers = { 'content-type': 'application/json' };

	const small = new Map(withBody.map((endpoint) => [limitOf(endpoint), endpoint]));
	const inPieces = (endpoint: Endpoint) => small.get(limitOf(endpoint)) === endpoint;
	test.each(named(withBody))('%s: a body of its limit is read, one byte more is not', async (_, endpoint) => {
		const { method, sample } = endpoint;
		const json = JSON.stringify(sample);
		for (const beyond of [0, 1]) {
			const size = limitOf(endpoint) + beyond;
			const text = `${json}${' '.repeat(size - Buffer.byteLength(json))}`;
			const declared = { method, body: text, headers: { ...headers, 'content-length': String(size) } };
			const requests = inPieces(endpoint) ? [declared, { method, body: inChunks(text).stream, headers }] : [declared];
			for (const request of requests) {
				const answer = await answerTo(fixture, pathTo(fixture, endpoint), request);
				expect([size, answer.status === 413, isValidation(answer)]).toEqual([size, beyond === 1, false]);
			}
		}
	});

	test.each(named(withBody))('%s: most of 3 MB is not read, and of a stranger nothing', async (_, endpoint) => {
		const { method } = endpoint;
		const { stream, pieces } = inChunks(threeMegabytes);
		const answer = await answerTo(fixture, pathTo(fixture, endpoint), { method, headers, body: stream });
		expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
		// At most 16 pieces fit into a limit; the rest is not read.
		expect(pieces()).toBeLessThan(24);
		if (endpoint.public) return;
		const strange = inChunks(threeMegabytes);
		const request = new Request(`http://localhost${pathTo(fixture, endpoint)}`, {
			method,
			headers,
			body: strange.stream,
		});
		expect((await fixture.service.app.handle(request)).status).toBe(401);
		expect(strange.pieces()).toBeLessThan(2);
	});

	test('a character split between two chunks is read whole', async () => {
		const name = newName('😀');
		const bytes = new TextEncoder().encode(JSON.stringify({ name }));
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
				controller.close();
			},
		});
		expect(expectStatus(await answerTo(fixture, '/api/stores', { method: 'POST', headers, body }), 201).name).toBe(
			name,
		);
	});

	test.each([
		['POST /api/auth/login', 'username'],
		['POST /api/employees', 'roleIds'],
		['PUT /api/permissions/roles/:roleId', 'permissions'],
		['POST /api/employees/changes', 'change'],
	])('%s answers a body nested as deeply as its limit allows, also in %s', async (name, field) => {
		const endpoint = endpointNamed(name);
		const depth = Math.min(100_000, Math.floor(limitOf(endpoint) / 8));
		const deep = (opening: string, closing: string) => `${opening.repeat(depth)}1${closing.repeat(depth)}`;
		const { service } = fixture;
		const send = (raw: string) =>
			service.send(endpoint.method, pathTo(fixture, endpoint), { token: service.superToken, raw });
		for (const nested of [deep('[', ']'), deep('{"a":', '}')]) {
			expectInvalid(await send(nested));
			expectInvalid(await send(`{"${field}":${nested}}`));
		}
		const sample = JSON.stringify(endpoint.sample);
		const answer = await send(sample.replace(/}$/, `,"unknown":${deep('[', ']')}}`));
		expect([isValidation(answer), answer.status < 500]).toEqual([false, true]);
	});

	test('200,000 mistakes get a short answer', async () => {
		const body = { permissions: Array.from({ length: 200_000 }, () => 0) };
		const answer = await fixture.service.asSuper('PUT', `/api/permissions/roles/${fixture.role}`, body);
		expectInvalid(answer);
		expect(answer.text.length).toBeLessThan(10_000);
	});
});

describe('the budget of all bodies', () => {
	const mebibyte = 1_048_576;
	/** Uploads that have begun and are stuck. */
	const stuck: { stop: () => void; answer: Promise<Response> }[] = [];

	/** Begins uploads, each of which sends some bytes and stops; resolves once each is being read or is refused. */
	async function begin(
		count: number,
		{ app, superToken }: Service,
		path: string,
		{ length, sent }: { length: number; sent: number },
	): Promise<void> {
		const headers = {
			authorization: `Bearer ${superToken}`,
			'content-type': 'application/json',
			'content-length': String(length),
		};
		const begun = Array.from({ length: count }, () => {
			const read = Promise.withResolvers<void>();
			const stopped = Promise.withResolvers<void>();
			let hasSent = sent === 0;
			const pull = async (controller: ReadableStreamDefaultController) => {
				if (!hasSent) {
					hasSent = true;
					return controller.enqueue(new Uint8Array(sent));
				}
				// What was sent is counted by the time more is asked for.
				read.resolve();
				await stopped.promise;
				controller.close();
			};
			// Without a buffer, nothing is pulled before somebody reads.
			const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
			const answer = app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
			stuck.push({ stop: stopped.resolve, answer });
			return Promise.race([read.promise, answer]);
		});
		await Promise.all(begun);
	}

	async function release(): Promise<void> {
		for (const { stop } of stuck) stop();
		await Promise.all(stuck.splice(0).map(({ answer }) => answer));
	}
	afterAll(release);

	const isBusy = (answer: Answer) => {
		expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE', '服务繁忙，请稍后再试');
		expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
	};

	test('refuses large bodies first, then small ones, and recovers', async () => {
		const service = await Service.start();
		const send = (path: string, body: unknown, padding = 0) => {
			const raw = `${JSON.stringify(body)}${' '.repeat(padding)}`;
			const headers = { 'content-length': String(Buffer.byteLength(raw)) };
			return service.send('POST', path, { token: service.superToken, raw, headers });
		};
		const addStore = (padding: number) => send('/api/stores', { name: newName() }, padding);
		const signIn = () => send('/api/auth/login', { username: adminUsername, password: adminPassword });
		// A length that is only declared takes no room.
		await begin(80, service, '/api/stores', { length: mebibyte, sent: 0 });
		expectStatus(await addStore(300_000), 201);
		// One after the other: those that are refused give back what they had.
		for (let begun = 0; begun < 80; begun += 1) {
			await begin(1, service, '/api/stores', { length: mebibyte, sent: mebibyte });
		}
		isBusy(await addStore(300_000));
		expectStatus(await addStore(0), 201);
		expectStatus(await signIn(), 200);
		await begin(4300, service, '/api/auth/login', { length: 4096, sent: 0 });
		isBusy(await addStore(0));
		isBusy(await signIn());
		await release();
		expectStatus(await addStore(300_000), 201);
		expect(errorsIn(service)).toEqual([]);
	});
});

describe('passwords', () => {
	/** Each with texts that a careless program would treat as the same. */
	const passwords: [name: string, password: string, near: string[]][] = [
		['blanks around', '  spaced out  ', ['spaced out', '  spaced out', ' spaced out ', 'spaced out  ']],
		['only blanks', '        ', ['         ', '        \t']],
		['upper case', 'PassWord', ['password', 'PASSWORD']],
		['NUL inside', 'before\0after', ['before\0\0', 'before\0other', 'beforeafter', 'before\0afte']],
		['NUL at the end', 'password\0', ['password', 'password\0\0']],
		['128 multi-byte characters', '密'.repeat(128), ['密'.repeat(127), `${'密'.repeat(127)}蜜`]],
		['128 emoji', '😀'.repeat(128), ['😀'.repeat(127), `${'😀'.repeat(127)}😁`]],
		['composed', 'caf\u00e9-caf\u00e9', ['cafe\u0301-cafe\u0301', 'cafe-cafe']],
		['a byte order mark', '\ufeffpassword', ['password', 'password\ufeff']],
	];

	test.each(passwords)('a password with %s is checked exactly as sent', async (_, password, near) => {
		const { service, store } = fixture;
		const { id, phone } = await service.addEmployee(store);
		const change = (oldPassword: string, newPassword: string) =>
			service.asSuper('PATCH', `/api/employees/${id}/password`, { oldPassword, newPassword });
		const login = (tried: string) => service.login('/api/auth/employee/login', phone, tried);
		expectStatus(await change(initialPassword, password), 200);
		expectStatus(await login(password), 200);
		expectRefusal(await login(initialPassword), 401, 'UNAUTHORIZED');
		for (const tried of near) {
			// A sign-in between the attempts clears the count of wrong passwords.
			expectStatus(await login(password), 200);
			expectRefusal(await login(tried), 401, 'UNAUTHORIZED', '用户名或密码错误');
			expectRefusal(await change(tried, 'another-password'), 400, 'BAD_REQUEST', '原密码错误');
		}
		expectStatus(await login(password), 200);
		expectStatus(await change(password, initialPassword), 200);
		expectRefusal(await login(password), 401, 'UNAUTHORIZED');
	});
});

test('PATCH /api/employees/:id/password/reset ignores its body, whatever it is', async () => {
	const { service, store } = fixture;
	const { id, phone } = await service.addEmployee(store);
	const login = (password: string) => service.login('/api/auth/employee/login', phone, password);
	const json = { 'content-type': 'application/json' };
	for (const init of [
		{ headers: json, body: '{"half":' },
		{ headers: json, body: '{"password":"chosen-by-the-client","newPassword":"chosen"}' },
		{ headers: { 'content-type': 'multipart/form-data' }, body: 'junk' },
		{ headers: json, body: inChunks(threeMegabytes).stream },
	]) {
		const passwords = { oldPassword: initialPassword, newPassword: 'a-new-password' };
		expectStatus(await service.asSuper('PATCH', `/api/employees/${id}/password`, passwords), 200);
		const answer = await answerTo(fixture, `/api/employees/${id}/password/reset`, { method: 'PATCH', ...init });
		expect(expectStatus(answer, 200).id).toBe(id);
		expectStatus(await login(initialPassword), 200);
		expectRefusal(await login('a-new-password'), 401, 'UNAUTHORIZED');
	}
});

describe('over a socket', () => {
	let server: Bun.Server<undefined>;
	let authorization: string;
	/** How many requests have begun. */
	let begun = 0;
	beforeAll(() => {
		authorization = `Authorization: Bearer ${fixture.service.superToken}`;
		const fetch = (request: Request) => {
			begun += 1;
			return fixture.service.app.fetch(request);
		};
		server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch, maxRequestBodySize: Number.MAX_SAFE_INTEGER });
	});
	afterAll(() => server.stop(true));

	/** The answer to a request with these headers. */
	async function ask(method: string, target: string, headers: string[]) {
		const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''];
		const { answers } = await exchangeBytes(server.url, [lines.join('\r\n')], 2000);
		return answers[0] ?? { status: 0, text: '' };
	}

	const badHosts = [
		...['', ' ', 'local host', 'local\thost', 'localhost/zz', '/localhost', 'x/health?', 'local\\host', 'localhost?x'],
		...['localhost#x', 'user@localhost', 'u@x', 'localhost:http', 'localhost:8080808080', 'localhost, localhost'],
		...['local%2fhost', '"localhost"', '[::1', 'http://localhost', '.', 'a..b'],
	];
	const badHostLines: string[][] = [
		...badHosts.map((host) => [`Host: ${host}`]),
		['Host: localhost', 'Host: x'],
		['Host: x', 'Host: localhost'],
		[],
	];
	test.each(badHostLines.map((headers) => [headers] as const))('%j is refused', async (headers) => {
		for (const target of ['/api/stores', '/zz/health', '/q?u=/health']) {
			const { status, text } = await ask('GET', target, [...headers, authorization]);
			expect([target, status, text]).toEqual([target, 400, expect.not.stringContaining('"success":true')]);
		}
	});

	const goodHosts = [
		...['x', 'X', '-', '_', '1', 'ab', 'app', 'a.', 'x:', 'x:1', 'app:80', 'abcd', 'localhost:3000', '[::]'],
		...['127.0.0.1', '[::1]:3000', 'a-b.example.com', 'my_service'],
		`${'a'.repeat(60)}.${'b'.repeat(60)}.example:65535`,
	];
	/** Each with its status, and a part of its answer. */
	const targets: [method: string, target: string, status: number, part: string][] = [
		['GET', '/health', 200, '"database":"up"'],
		['GET', '/api/stores', 200, '"data":['],
		['GET', '/api/stores?keyword=', 400, '"query.keyword"'],
		['GET', '/zz/api/stores', 404, '"NOT_FOUND"'],
		['GET', '/q#/health', 404, '"NOT_FOUND"'],
		['POST', '/q?u=/api/auth/login', 404, '"NOT_FOUND"'],
		['POST', '/api/stores', 400, '"VALIDATION_ERROR"'],
	];
	test.each(goodHosts)('Host: %s is served, and only the path chooses the route', async (host) => {
		// The framework would look for the path within a short one.
		for (const [method, target, status, part] of host.length < 4 ? targets : targets.slice(1, 4)) {
			const answer = await ask(method, target, [`Host: ${host}`, authorization]);
			expect([method, target, answer.status, answer.text]).toEqual([
				method,
				target,
				status,
				expect.stringContaining(part),
			]);
		}
	});

	test('a refused Host gets the error envelope, which names it', async () => {
		const { text } = await ask('GET', '/health', ['Host: a/b']);
		const { error } = JSON.parse(text);
		expect(error).toMatchObject({
			code: 'VALIDATION_ERROR',
			message: '请求参数无效',
			details: [{ path: 'headers.host' }],
		});
	});

	test.each(['Content-Length: 1000', 'Transfer-Encoding: chunked'])(
		'an upload that the client aborts is not logged as an error (%s)',
		async (length) => {
			const { service } = fixture;
			for (const [target, token] of [
				['/api/stores', authorization],
				['/api/auth/login', 'X-None: 1'],
			]) {
				const connection = await Connection.open(server.url);
				const from = `${Service.peerHeader}: 203.0.113.99`;
				const head = [
					`POST ${target} HTTP/1.1`,
					'Host: localhost',
					'Content-Type: application/json',
					token,
					length,
					from,
				];
				const before = begun;
				connection.write(`${head.join('\r\n')}\r\n\r\n5\r\n{"nam`);
				while (begun === before) await Bun.sleep(1);
				connection.close();
			}
			// A line is written after its answer, so those of earlier requests can come here.
			const lines = () =>
				service.logged.map((line) => JSON.parse(line)).filter((line) => line.address === '203.0.113.99');
			while (lines().length < 2) await Bun.sleep(1);
			expect(errorsIn(service)).toEqual([]);
			expect(lines().map(({ level, message }) => [level, message])).toEqual([
				['info', 'request'],
				['info', 'request'],
			]);
			expect(service.logged.join()).not.toContain('stack');
		},
	);
});

describe('unforeseen failures', () => {
	/** Words of the database, the program and stack traces, which no answer may contain. */
	const insides =
		/sql|database|table|column|constraint|trigger|drizzle|elysia|\bat \/|\.ts\b|node_modules|undefined|range|refused inside/i;

	function expectUnforeseen(service: Service, answer: Answer): void {
		expectRefusal(answer, 500, 'INTERNAL_SERVER_ERROR', '服务器内部错误');
		expect(answer.body.error.details).toEqual([]);
		expect(answer.text).not.toMatch(insides);
		const id = answer.headers.get('x-request-id');
		expect(id).toMatch(/^\S+$/);
		const logged = errorsIn(service).filter((line) => Object.values(line).includes(id));
		expect(logged).toHaveLength(1);
	}

	test('with the account tables missing every route answers 500, and logs no secret', async () => {
		const { service } = fixture;
		for (const table of ['administrators', 'employees'])
			service.db.$client.run(`alter table ${table} rename to lost_${table}`);
		for (const endpoint of endpoints.filter(({ path }) => path !== '/health')) {
			expectUnforeseen(service, await service.asSuper(endpoint.method, pathTo(fixture, endpoint), endpoint.sample));
			const secrets = Object.entries(endpoint.sample ?? {}).filter(([name]) => /name$|phone|password/i.test(name));
			for (const [, secret] of secrets) expect(service.logged.join()).not.toContain(String(secret));
		}
	});

	test('GET /health: 503 once the database is closed', async () => {
		const service = await Service.start();
		service.db.$client.close();
		const answer = await service.send('GET', '/health');
		expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
		expect(answer.body.error.details).toEqual([]);
		expect(answer.text).not.toMatch(/sql|range|closed/i);
	});

	const corruptions: [name: string, statement: string, path: (fixture: Fixture) => string][] = [
		['a role’s time', "update roles set created_at = 'yesterday'", () => '/api/roles'],
		['a role’s time, on a page', "update roles set updated_at = ''", () => '/api/roles?page=1'],
		['a store’s status', "update stores set status = 'ODD'", ({ store }) => `/api/stores/${store}`],
		['an employee’s status', "update employees set status = 'ODD'", ({ employee }) => `/api/employees/${employee}`],
		['an employee’s time', "update employees set created_at = 'now'", () => '/api/employees'],
		['an employee’s store', "update stores set status = 'ODD'", ({ store }) => `/api/stores/${store}/employees`],
	];
	test.each(corruptions)(
		'an answer that breaks its schema (%s) is 500, without personal data in the log',
		async (_, statement, path) => {
			const { service } = fixture;
			const client = service.db.$client;
			client.run('pragma ignore_check_constraints = 1');
			client.run(statement);
			client.run('pragma ignore_check_constraints = 0');
			expectUnforeseen(service, await service.asSuper('GET', path(fixture)));
			const people = service.rows('select name, phone from employees').flatMap(({ name, phone }) => [name, phone]);
			for (const datum of people) expect(service.logged.join()).not.toContain(datum);
		},
	);

	const triggers: [endpoint: string, table: string, body: (fixture: Fixture) => unknown][] = [
		['POST /api/stores', 'insert on stores', () => ({ name: newName() })],
		['PATCH /api/stores/:id', 'update of name on stores', () => ({ name: newName(), status: 'INACTIVE' })],
		['DELETE /api/roles/:id', 'update on role_permissions', () => undefined],
		['POST /api/roles', 'insert on roles', () => ({ code: 'unlucky', name: '某' })],
		['PATCH /api/roles/:id', 'update on roles', () => ({ name: '某' })],
		['PUT /api/permissions/roles/:roleId', 'insert on role_permissions', () => ({ permissions: ['role:view'] })],
		[
			'POST /api/employees',
			'insert on employee_roles',
			({ store, role }) => ({ storeId: store, name: '某', phone: newPhone(), roleIds: [role] }),
		],
		[
			'PATCH /api/employees/:id',
			'insert on employee_roles',
			({ role }) => ({ name: '某', status: 'INACTIVE', roleIds: [role] }),
		],
		['PATCH /api/employees/:id/password/reset', 'update on employees', () => undefined],
		['DELETE /api/employees/:id', 'update of deleted_at on employees', () => undefined],
		['DELETE /api/stores/:storeId/employees/:employeeId', 'update of deleted_at on employees', () => undefined],
	];
	test.each(triggers)('%s that fails at “%s” is 500 and stores nothing', async (name, event, body) => {
		const { service } = fixture;
		const endpoint = endpointNamed(name);
		expectStatus(
			await service.asSuper('PUT', `/api/permissions/roles/${fixture.role}`, { permissions: ['store:view'] }),
			200,
		);
		const { id: held } = await service.addRole();
		expectStatus(await service.asSuper('PATCH', `/api/employees/${fixture.employee}`, { roleIds: [held] }), 200);
		service.db.$client.run(`create trigger refuses before ${event} begin select raise(abort, 'refused inside'); end`);
		const everything = () =>
			['stores', 'roles', 'employees', 'employee_roles', 'role_permissions'].map((table) =>
				service.rows(`select * from ${table}`),
			);
		const before = everything();
		expectUnforeseen(service, await service.asSuper(endpoint.method, pathTo(fixture, endpoint), body(fixture)));
		expect(everything()).toEqual(before);
		service.db.$client.run('drop trigger refuses');
		expect((await service.asSuper(endpoint.method, pathTo(fixture, endpoint), body(fixture))).status).toBeLessThan(300);
	});
});
