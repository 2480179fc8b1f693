import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Connection } from './connection.ts';
import {
	type Answer,
	adminPassword,
	adminUsername,
	expectInvalid,
	expectRefusal,
	expectStatus,
	heldPost,
	initialPassword,
	newName,
	newPhone,
	Service,
} from './harness.ts';
import { startWithOpenid } from './openid-world.ts';
import {
	badIntegers,
	type Endpoint,
	endpointNamed,
	endpoints,
	fieldsOf,
	fill,
	nameOf,
	serverOwned,
	words,
} from './oracle.ts';

const megabyte = 1_048_576;
/** The largest body that an endpoint reads, in bytes. */
const limitOf = ({ path, body }: Endpoint) =>
	path.startsWith('/api/auth/') || Object.keys(body ?? {}).some((name) => /password/i.test(name)) ? 16_384 : megabyte;
const threeMegabytes = JSON.stringify({ name: 'x'.repeat(3 * megabyte) });
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [nameOf(endpoint), endpoint] as const);
// approvals.test.ts covers employee-only requests.
const withBody = endpoints.filter(({ body, employeesOnly }) => body && !employeesOnly);

const service = await startWithOpenid();
/** A store, an employee in it and a custom role, for the ids in paths. */
const { id: store } = await service.addStore();
const { id: employee } = await service.addEmployee(store);
const { id: role } = await service.addRole();
const heldRole = 1;
await service.addEmployee(store, [heldRole]);
const { id: point } = await service.addPoint('till:refund');
service.restoreBeforeEachTest();

/** The path of an endpoint, with existing ids. */
function pathTo({ path }: Endpoint): string {
	if (path.startsWith('/api/permissions/points')) return fill(path, point);
	if (path.startsWith('/api/stores')) return fill(path, store, employee);
	return fill(path, path.startsWith('/api/employees') ? employee : role);
}

/** Sends a raw request as the super administrator, and checks the answer as `Service.send` does. */
async function answerTo(path: string, init: RequestInit): Promise<Answer> {
	const headers = new Headers(init.headers);
	headers.set('authorization', `Bearer ${service.superToken}`);
	const response = await service.app.handle(new Request(`http://localhost${path}`, { ...init, headers }));
	const bytes = await response.bytes();
	const text = new TextDecoder().decode(bytes);
	const body = text === '' ? undefined : JSON.parse(text);
	const answer = { status: response.status, headers: response.headers, text, body, bytes };
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
test.each(named(withIds))('%s: 400 for an id that is no positive integer, 404 for the largest', async (_, endpoint) => {
	const { method, path, sample } = endpoint;
	const ask = (...ids: (number | string)[]) => service.asSuper(method, fill(path, ...ids), sample);
	const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => `params.${name}`);
	for (const id of badIntegers) {
		const answer = await ask(id);
		expectInvalid(answer);
		expect([id, ...detailPaths(answer)]).toEqual([id, ...names]);
		if (names.length > 1) expectInvalid(await ask(store, id), String(names[1]));
	}
	expectRefusal(await ask(Number.MAX_SAFE_INTEGER), 404);
});

describe('a request without a route', () => {
	const unknown = [
		'GET /',
		'GET /api',
		'GET /api/health',
		'GET /api/stores/1/2',
		'GET /API/stores',
		'GET /nowhere?page=1',
		'GET /api/stores/1/employees/1/x',
		'PATCH /api/employees/1/password/resets',
	];
	test.each(unknown)('%s is 404', async (request) => {
		const [method = '', path = ''] = request.split(' ');
		const answer = await service.asSuper(method, path);
		expectRefusal(answer, 404, '请求的地址不存在');
		expect(answer.body.error.details).toMatchObject([{ reason: 'unknown_path' }]);
	});

	test.each([
		['GET /api/auth/login', 'POST'],
		['POST /health', 'GET, HEAD'],
		['PUT /api/stores', 'GET, HEAD, POST'],
		['DELETE /api/stores?x=1', 'GET, HEAD, POST'],
		['POST /api/stores/1', 'DELETE, GET, HEAD, PATCH'],
		['OPTIONS /api/stores/x', 'DELETE, GET, HEAD, PATCH'],
		['GET /api/stores/1/employees/1', 'DELETE'],
	])('%s is 405, and %s are named', async (request, allow) => {
		const [method = '', path = ''] = request.split(' ');
		for (const token of [service.superToken, undefined]) {
			const answer = await service.send(method, path, { ...(token !== undefined && { token }) });
			const { status, headers, body } = answer;
			expect([status, headers.get('allow'), body.error.code]).toEqual([405, allow, 'METHOD_NOT_ALLOWED']);
			const message = `不支持 ${method} 请求，可用：${allow.replaceAll(', ', '、')}`;
			const detail = { path: 'method', reason: 'wrong_method', allowed: allow.split(', '), message };
			expect(body.error).toMatchObject({ message, details: [detail] });
		}
	});

	test.each([
		['/api/stores/', '/api/stores'],
		['//api/stores', '/api/stores'],
		['/api/stores//1/employees/', '/api/stores/1/employees'],
		['/api/auth/login/', '/api/auth/login'],
		['/stores', '/api/stores'],
	])('%s is 404, and %s is named', async (path, meant) => {
		const answer = await service.asSuper('GET', path);
		const message = `请求的地址不存在，应为 ${meant}`;
		expectRefusal(answer, 404, message);
		expect(answer.body.error.details).toEqual([{ path: 'path', reason: 'other_path', expected: meant, message }]);
	});
});

describe('a parameter or field that nothing reads', () => {
	test.each([
		['GET', '/api/employees?store_id=7&page=1', undefined, 'query.store_id'],
		['HEAD', '/api/employees?store_id=7&page=1', undefined, 'query.store_id'],
		['GET', '/api/employees?statusX', undefined, 'query.statusX'],
		['GET', '/api/stores/1?a,b=1&%E9%97%A8=2&c-d=3', undefined, null],
		['GET', '/api/employees?page=1&pageSize=3', undefined, null],
		['PATCH', '/api/stores/1?x=1', { phone: '1', phones: '2', é: [] }, 'query.x, body.phones'],
		['POST', '/api/stores/changes?dryRun=true', { ids: [1], change: { areaId: null, x: 1 } }, 'body.change.x'],
		['PUT', '/api/employees/1/reach', { stores: [{}, { storeId: 1, till: '' }], areas: [] }, 'body.stores.1.till'],
	])('%s %s %j: the answer names %s', async (method, path, body, names) => {
		const { headers } = await service.asSuper(method, path, body);
		const inOrder = (list: string | null) => list?.split(', ').toSorted();
		expect(inOrder(headers.get('x-ignored-parameters'))).toEqual(inOrder(names));
	});

	test.each(['', '?y=1'])('is named also at a sign-in%s, 20 at most', async (query) => {
		const names = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
		const body = { username: 'admin', password: adminPassword, ...names };
		const { headers, status } = await service.send('POST', `/api/auth/login${query}`, { body });
		expect([status, headers.get('x-ignored-parameters')?.split(', ').length]).toEqual([200, 20]);
	});
});

describe('a body that is not read', () => {
	const gzip = { 'content-encoding': 'gzip' };
	const at = (line: number, column: number) => `不是正确的 JSON：第 ${line} 行第 ${column} 列有误`;
	const json = 'application/json';
	test.each([
		['{"name":"某店"}', 'text/plain', {}, 'headers.content-type', 'Content-Type 须为 application/json'],
		['name=x', 'application/x-www-form-urlencoded', {}, 'headers.content-type', 'Content-Type 须为 application/json'],
		['{"name":"某店"}', json, gzip, 'headers.content-encoding', '请求内容不能压缩，请去掉 Content-Encoding'],
		['{"name":"某店",}', json, {}, 'body', at(1, 14)],
		['{\n\t"name": "某店"\n\t"phone": "1"\n}', json, {}, 'body', at(3, 2)],
		["{'name':1}", json, {}, 'body', at(1, 2)],
		['{"name":', json, {}, 'body', at(1, 9)],
		['[1 2]', json, {}, 'body', at(1, 4)],
		['{"name":[{}}', json, {}, 'body', at(1, 12)],
		['{"name":"\\x"}', json, {}, 'body', at(1, 9)],
		['{} {}', json, {}, 'body', at(1, 4)],
		['', json, {}, 'body', '须为 JSON 对象'],
		['[]', json, {}, 'body', '须为 JSON 对象'],
	])('%j as %s %j: %s %s', async (raw, contentType, headers, path, message) => {
		const answer = await service.send('POST', '/api/stores', { token: service.superToken, raw, contentType, headers });
		expectInvalid(answer, path);
		expect(answer.body.error.details[0].message).toBe(message);
	});

	test('the fault in a long text has no place, because finding it would hold others up', async () => {
		const raw = `{"name":"${'x'.repeat(100_000)}`;
		const answer = await service.send('POST', '/api/stores', { token: service.superToken, raw });
		expect(answer.body.error.details).toMatchObject([{ path: 'body', reason: 'invalid_json' }]);
	});
});

describe('fields of bodies', () => {
	const table = fieldsOf(withBody, 'body');
	const send = (endpoint: Endpoint, body: object) => service.asSuper(endpoint.method, pathTo(endpoint), body);
	/** Objects that cannot be converted to text. */
	const unprintable = words('{"toString":1,"valueOf":1} [{"toString":null}] {"toJSON":1,"then":1} {"__proto__":null}');

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

	const isText = /^(POST|PATCH) .api.(stores|roles|employees)(.:id)? (name|address|phone|description|remark|code)$/;
	const stored = table.filter(([endpoint, name]) => isText.test(`${endpoint} ${name}`));
	test.each(stored)('%s stores %s trimmed and composed, if empty as null', async (_, name, endpoint, field) => {
		const isNew = endpoint.method === 'POST';
		for (const value of field.good) {
			const answer = await send(endpoint, { ...(isNew && endpoint.sample), [name]: value });
			const data = expectStatus(answer, isNew ? 201 : 200);
			expect(data[name]).toBe(typeof value === 'string' ? value.trim().normalize('NFC') || null : value);
			if (isNew) expectStatus(await service.asSuper('DELETE', `${endpoint.path}/${data.id}`), 204);
		}
	});

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

	const isFree = ({ body = {} }: Endpoint) => Object.values(body).every((field) => !field.required);
	const atLeastOne = withBody.filter((endpoint) => endpoint.method === 'PATCH' && isFree(endpoint));
	const nothing = ['{}', JSON.stringify(serverOwned), '{"__proto__":{"name":"x"}}', '{"NAME":"x"}'];
	test.each(named(atLeastOne))('%s: unknown fields do not count as a field', async (_, endpoint) => {
		const isDescribed = 'description' in (endpoint.body ?? {});
		const owned = isDescribed ? nothing : [...nothing, '{"code":"x","description":"x"}'];
		for (const raw of owned) {
			const answer = await service.send('PATCH', pathTo(endpoint), { token: service.superToken, raw });
			expect([raw, ...detailPaths(answer)]).toEqual([raw, 'body']);
			expectInvalid(answer);
		}
	});
});

describe('queries', () => {
	const withQuery = endpoints
		.filter(({ method, query, employeesOnly }) => query && method === 'GET' && !employeesOnly)
		.map((endpoint) => ({ ...endpoint, path: fill(endpoint.path, heldRole) }));
	test.each(fieldsOf(withQuery, 'query'))('%s accepts a good %s', async (_, name, { path }, field) => {
		// This endpoint looks up an unknown subject.
		const accepted = path === '/api/approvals' ? 404 : 200;
		for (const value of field.good)
			expect([value, (await service.asSuper('GET', `${path}?${name}=${value}`)).status]).toEqual([value, accepted]);
	});

	const everyone = endpoints.filter(({ employeesOnly }) => !employeesOnly);
	const asked = fieldsOf(everyone, 'query');
	test.each(asked)('%s refuses a bad %s, and any twice, and names it', async (_, name, endpoint, { good, bad }) => {
		const { method, path, sample } = endpoint;
		const ask = (query: string) => service.asSuper(method, `${fill(path, heldRole)}?${query}`, sample);
		for (const value of bad) {
			const answer = await ask(`${name}=${value}`);
			expect([value, ...detailPaths(answer)]).toEqual([value, `query.${name}`]);
			expectInvalid(answer);
		}
		const [first, last = first] = [good[0], good.at(-1)];
		for (const value of [first, last]) {
			const answer = await ask(`${name}=${first}&${name}=${value}`);
			expectInvalid(answer, `query.${name}`);
			expect(answer.body.error.details).toMatchObject([{ reason: 'repeated', message: '只能出现一次' }]);
		}
	});

	const lists = withQuery.filter(({ query }) => query?.page);
	test.each(lists)('GET $path gives each row on one page; one past the end is empty', async ({ path }) => {
		const ask = async (page: number, pageSize: number, query = `&page=${page}&pageSize=${pageSize}`) => {
			const data = await service.read(`${path}?unknown=1${query}`);
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
	});

	test.each(lists)('GET $path names every bad parameter', async ({ path, query }) => {
		const answer = await service.asSuper('GET', `${path}?page=0&pageSize=101&keyword=`);
		expectInvalid(answer, 'query.page', 'query.pageSize', ...(query?.keyword ? ['query.keyword'] : []));
	});
});

describe('bodies that are not a JSON object', () => {
	const charsets = ['utf-16', 'latin1', 'iso-8859-1', 'us-ascii', 'gbk', '"gb18030"', 'utf-8x', 'utf-7', '"utf-8, x"'];
	const form = new FormData();
	form.set('name', '表');
	const bodies: [name: string, init: (sample: string) => RequestInit][] = [
		['null', () => ({ body: 'null' })],
		['a list', (sample) => ({ body: `[${sample}]` })],
		['a text', () => ({ body: '"text"' })],
		['half a JSON', (sample) => ({ body: sample.slice(0, -1) })],
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
			'',
			'text/plain, application/json',
			...words('text/plain application/x-www-form-urlencoded application/octet-stream'),
			...words('application/jsonx application/json5 application/merge-patch+json'),
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
		const path = pathTo(endpoint);
		for (const [name, init] of bodies) {
			const request = { headers: json, ...init(JSON.stringify(endpoint.sample)), method: endpoint.method };
			const answer = await answerTo(path, request);
			expect([name, answer.status, answer.body.error?.code]).toEqual([name, 400, 'VALIDATION_ERROR']);
			for (const where of detailPaths(answer)) expect(where).toMatch(/^(body\b|headers\.content-type$)/);
		}
	});

	const types = [
		'application/json',
		'APPLICATION/JSON; charset=utf-8',
		'Application/Json ; charset="utf-8"',
		'application/json;',
		'application/json; charset=utf8',
		'application/json; q',
		'application/json; boundary=x; foo=bar',
		'application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8',
		'application/json; profile="https://example.org/a;charset=utf-16"; charset=utf-8',
		'application/json; profile="a \\" b"',
	];
	test.each(types)('a body sent as %s is read as JSON', async (contentType) => {
		const body = JSON.stringify({ name: newName() });
		const headers = { 'content-type': contentType };
		expectStatus(await answerTo('/api/stores', { method: 'POST', headers, body }), 201);
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
				const answer = await answerTo(pathTo(endpoint), request);
				expect([size, answer.status === 413, isValidation(answer)]).toEqual([size, beyond === 1, false]);
			}
		}
	});

	test.each(named(withBody))('%s: most of 3 MB is not read', async (_, endpoint) => {
		const { stream, pieces } = inChunks(threeMegabytes);
		const sent = { method: endpoint.method, headers, body: stream };
		expectRefusal(await answerTo(pathTo(endpoint), sent), 413);
		// At most 16 pieces fit into a limit; the rest is not read.
		expect(pieces()).toBeLessThan(24);
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
		const answer = await answerTo('/api/stores', { method: 'POST', headers, body });
		expect(expectStatus(answer, 201).name).toBe(name);
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
		const send = (raw: string) => service.send(endpoint.method, pathTo(endpoint), { token: service.superToken, raw });
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
		const answer = await service.asSuper('PUT', `/api/permissions/roles/${role}`, body);
		expectInvalid(answer);
		expect(answer.text.length).toBeLessThan(10_000);
	});
});

describe('bodies that arrive at the same time', () => {
	const kibibyte = 1024;
	const json = 'application/json';

	/** Starts uploads that send nothing. Resolves when each is being read or is refused. */
	async function begin(service: Service, count: number, path: string, headers: Record<string, string>) {
		const begun = Array.from({ length: count }, () => {
			const { answer, asked, send } = heldPost(service, path, { 'content-type': json, ...headers });
			return { answer, send, isBegun: Promise.race([asked, answer]) };
		});
		await Promise.all(begun.map(({ isBegun }) => isBegun));
		return async () => {
			for (const { send } of begun) send();
			await Promise.all(begun.map(({ answer }) => answer));
		};
	}

	test.each<[how: string, length: { 'content-length'?: string }, count: number]>([
		['that say how long they are', { 'content-length': String(16 * kibibyte) }, 1100],
		['in chunks', {}, 150],
	])('of strangers, %s, leave room to other networks and take none from accounts', async (_, length, count) => {
		const service = await Service.start();
		const bodyOf = (value: unknown, padding = 0) => {
			const raw = `${JSON.stringify(value)}${' '.repeat(padding)}`;
			return { raw, headers: { 'content-length': String(raw.length) } };
		};
		const addStore = () => {
			const { raw, headers } = bodyOf({ name: newName() }, 300 * kibibyte);
			return service.send('POST', '/api/stores', { token: service.superToken, raw, headers });
		};
		const signIn = (peer: string, padding = 15 * kibibyte) => {
			const { raw, headers } = bodyOf({ username: adminUsername, password: adminPassword }, padding);
			return service.send('POST', '/api/auth/login', { raw, headers: { ...headers, [Service.peerHeader]: peer } });
		};
		const from = (peer: string) => begin(service, count, '/api/auth/login', { ...length, [Service.peerHeader]: peer });
		const releases = [await from('2001:db8::1'), await from('192.0.2.2'), await from('192.0.2.3')];
		const busy = await signIn('2001:db8:0:ff::2');
		expectRefusal(busy, 503, '服务繁忙，请稍后再试');
		expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
		expectStatus(await signIn('192.0.2.9'), 200);
		expectStatus(await signIn('2001:db8:0:ff::2', 0), 200);
		expectStatus(await addStore(), 201);
		for (const release of releases) await release();
		expectStatus(await signIn('2001:db8:0:ff::2'), 200);
		expect(errorsIn(service)).toEqual([]);
	});

	test('of strangers in so many networks that no room is left keep nobody from signing in', async () => {
		const service = await Service.start();
		const releases: (() => Promise<void>)[] = [];
		// Each network uses all that it may: half of the free room.
		for (let left = 16 * kibibyte * kibibyte; left >= 64; left /= 2) {
			const size = Math.min(16 * kibibyte, left);
			const headers = { 'content-length': String(size), [Service.peerHeader]: `192.0.2.${releases.length}` };
			releases.push(await begin(service, left / size, '/api/auth/login', headers));
		}
		const raw = JSON.stringify({ username: adminUsername, password: adminPassword });
		const headers = { 'content-length': String(raw.length), [Service.peerHeader]: '198.51.100.1' };
		expectStatus(await service.send('POST', '/api/auth/login', { raw, headers }), 200);
		for (const release of releases) await release();
	});

	test('of accounts leave room to other accounts', async () => {
		const service = await Service.start();
		const store = await service.addStore();
		const { token } = await service.addPerson(store.id, 'store:manage');
		const slow = { authorization: `Bearer ${token}`, 'content-length': String(kibibyte * kibibyte) };
		const release = await begin(service, 100, '/api/stores', slow);
		const addStore = (by: string) => {
			const raw = `${JSON.stringify({ name: newName() })}${' '.repeat(300 * kibibyte)}`;
			return service.send('POST', '/api/stores', { token: by, raw, headers: { 'content-length': String(raw.length) } });
		};
		expectRefusal(await addStore(token), 503);
		expectStatus(await addStore(service.superToken), 201);
		await release();
		expectStatus(await addStore(token), 201);
	});
});

describe('passwords', () => {
	/** Passwords, with texts that a careless program would accept for them. */
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
		const { id, phone } = await service.addEmployee(store);
		expectStatus(await service.changePassword(id, initialPassword, password), 200);
		expectStatus(await service.signIn(phone, password), 200);
		expectRefusal(await service.signIn(phone, initialPassword), 401);
		for (const tried of near) {
			// A sign-in between the attempts clears the count of wrong passwords.
			expectStatus(await service.signIn(phone, password), 200);
			expectRefusal(await service.signIn(phone, tried), 401, '用户名或密码错误');
			expectRefusal(await service.changePassword(id, tried, 'another-password'), 400, '原密码错误');
		}
		expectStatus(await service.signIn(phone, password), 200);
		expectStatus(await service.changePassword(id, password, initialPassword), 200);
		expectRefusal(await service.signIn(phone, password), 401);
	});
});

test('PATCH /api/employees/:id/password/reset ignores its body, whatever it is', async () => {
	const { id, phone } = await service.addEmployee(store);
	const json = { 'content-type': 'application/json' };
	for (const init of [
		{ headers: json, body: '{"half":' },
		{ headers: json, body: '{"password":"chosen-by-the-client","newPassword":"chosen"}' },
		{ headers: { 'content-type': 'multipart/form-data' }, body: 'junk' },
		{ headers: json, body: inChunks(threeMegabytes).stream },
	]) {
		expectStatus(await service.changePassword(id, initialPassword, 'a-new-password'), 200);
		const answer = await answerTo(`/api/employees/${id}/password/reset`, { method: 'PATCH', ...init });
		expect(expectStatus(answer, 200).id).toBe(id);
		expectStatus(await service.signIn(phone), 200);
		expectRefusal(await service.signIn(phone, 'a-new-password'), 401);
	}
});

describe('over a socket', () => {
	let server: Bun.Server<undefined>;
	let authorization: string;
	/** The number of started requests. */
	let begun = 0;
	beforeAll(() => {
		authorization = `Authorization: Bearer ${service.superToken}`;
		const fetch = (request: Request) => {
			begun += 1;
			return service.app.fetch(request);
		};
		server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch, maxRequestBodySize: Number.MAX_SAFE_INTEGER });
	});
	afterAll(() => server.stop(true));

	/** The answer to a request with these headers. */
	async function ask(method: string, target: string, headers: string[]) {
		const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''];
		const [answer] = await (await Connection.open(server.url)).exchange(lines.join('\r\n'));
		return answer ?? { status: 0, text: '' };
	}

	const oddHosts = words('localhost/zz user@localhost [::1 [1:2] a:65536 1.2.3.256');
	const badHosts = ['', 'local host', 'localhost, localhost', ...oddHosts];
	test.each(badHosts)('Host: %s is refused, also to an account, and named', async (host) => {
		for (const target of ['/api/stores', '/zz/health', '/q?u=/health']) {
			const { status, text } = await ask('GET', target, [`Host: ${host}`, authorization]);
			expect([target, status]).toEqual([target, 400]);
			expect(JSON.parse(text).error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'headers.host' }] });
		}
	});

	const goodHosts = ['x', '-', 'a.', 'x:1', '[::1]:3000', 'my_service', `${'a'.repeat(60)}.example:65535`];
	test.each(goodHosts)('Host: %s is served, and only the path chooses the route', async (host) => {
		for (const [method, target, wanted] of [
			['GET', '/health', 200],
			['GET', '/api/stores?keyword=', 400],
			['GET', '/q#/health', 404],
			['POST', '/q?u=/api/auth/login', 404],
		] as const) {
			const { status } = await ask(method, target, [`Host: ${host}`, authorization]);
			expect([method, target, status]).toEqual([method, target, wanted]);
		}
	});

	const lengths = ['Content-Length: 1000', 'Transfer-Encoding: chunked'];
	test.each(lengths)('an upload that the client aborts is not logged as an error (%s)', async (length) => {
		for (const [target, type] of [
			['/api/stores', 'application/json'],
			['/api/employees/import', 'text/csv'],
			['/api/auth/login', 'application/json'],
			['/openid/token', 'application/x-www-form-urlencoded'],
		]) {
			const connection = await Connection.open(server.url);
			const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, authorization, length];
			const before = begun;
			connection.write(`${[...head, `${Service.peerHeader}: 203.0.113.99`].join('\r\n')}\r\n\r\n5\r\n{"nam`);
			while (begun === before) await Bun.sleep(1);
			connection.close();
		}
		// A log line is written after its answer, so lines of earlier requests can appear here.
		const lines = () =>
			service.logged.map((line) => JSON.parse(line)).filter((line) => line.address === '203.0.113.99');
		while (lines().length < 4) await Bun.sleep(1);
		const answered = { level: 'info', message: 'request', status: 400 };
		expect(lines()).toEqual(Array(4).fill(expect.objectContaining(answered)));
		expect(errorsIn(service)).toEqual([]);
	});
});

describe('unforeseen failures', () => {
	/** Words of the database, the program and stack traces, which no answer may contain. */
	const insides =
		/sql|database|table|column|constraint|trigger|drizzle|elysia|\bat \/|\.ts\b|node_modules|undefined|range|refused inside/i;

	function expectUnforeseen(service: Service, answer: Answer): void {
		expectRefusal(answer, 500, '系统出现问题，请稍后再试');
		expect(answer.body.error.details).toMatchObject([{ reason: 'internal_error' }]);
		expect(answer.text.replace(answer.body.error.details[0].reason, '')).not.toMatch(insides);
		const id = answer.headers.get('x-request-id');
		expect(id).toMatch(/^\S+$/);
		expect(errorsIn(service).filter((line) => Object.values(line).includes(id))).toHaveLength(1);
	}

	test('with the account tables missing every route answers 500, and logs no secret', async () => {
		for (const table of ['administrators', 'employees'])
			service.db.$client.run(`alter table ${table} rename to lost_${table}`);
		for (const endpoint of endpoints.filter(({ path }) => path !== '/health')) {
			expectUnforeseen(service, await service.asSuper(endpoint.method, pathTo(endpoint), endpoint.sample));
			const secrets = Object.entries(endpoint.sample ?? {}).filter(([name]) => /name$|phone|password/i.test(name));
			for (const [, secret] of secrets) expect(service.logged.join()).not.toContain(String(secret));
		}
		service.restoreState();
	});

	test('a failure while a body is read is logged with its cause', async () => {
		service.db.$client.run('alter table programs rename to lost_programs');
		expectUnforeseen(service, await service.as('access_key', 'POST', '/api/stores', { name: newName() }));
		expect(errorsIn(service).at(-1)?.error).toContain('no such table');
		service.restoreState();
	});

	test('GET /health: 503 once the database is closed', async () => {
		const service = await Service.start();
		service.db.$client.close();
		const answer = await service.send('GET', '/health');
		expectRefusal(answer, 503);
		expect(answer.body.error.details).toMatchObject([{ reason: 'database_unavailable' }]);
		expect(answer.text).not.toMatch(/sql|range|closed/i);
	});

	const hired = (roles: number[] = []) => ({ storeId: store, name: '某', phone: newPhone(), roleIds: roles });
	const uniques: [endpoint: string, column: string, body: () => Record<string, unknown>][] = [
		['POST /api/stores', 'stores (address)', () => ({ name: newName(), address: '同一处' })],
		['POST /api/roles', 'roles (description)', () => ({ code: newName('r'), name: '某', description: '同一处' })],
		['POST /api/employees', 'employees (remark)', () => ({ ...hired(), remark: '同一处' })],
	];
	test.each(uniques)('%s that repeats a value of %s, which no message is for, is 500', async (name, column, body) => {
		service.db.$client.run(`create unique index another on ${column}`);
		const add = () => service.asSuper('POST', endpointNamed(name).path, body());
		expectStatus(await add(), 201);
		expectUnforeseen(service, await add());
		service.db.$client.run('drop index another');
		expectStatus(await add(), 201);
	});

	const corruptions: [name: string, statement: string, path: () => string][] = [
		['a role’s time', "update roles set created_at = 'yesterday'", () => '/api/roles'],
		['a store’s status', "update stores set status = 'ODD'", () => `/api/stores/${store}`],
		['an employee’s time', "update employees set created_at = 'now'", () => '/api/employees'],
	];
	test.each(corruptions)('an answer beyond a schema (%s) is 500; the log names nobody', async (_, statement, path) => {
		const client = service.db.$client;
		client.run('pragma ignore_check_constraints = 1');
		client.run(statement);
		client.run('pragma ignore_check_constraints = 0');
		expectUnforeseen(service, await service.asSuper('GET', path()));
		const people = service.rows('select name, phone from employees').flatMap(({ name, phone }) => [name, phone]);
		for (const datum of people) expect(service.logged.join()).not.toContain(datum);
	});

	const triggers: [endpoint: string, table: string, body: () => unknown][] = [
		['PATCH /api/stores/:id', 'update of name on stores', () => ({ name: newName(), status: 'INACTIVE' })],
		['DELETE /api/roles/:id', 'update on role_permissions', () => undefined],
		['PUT /api/permissions/roles/:roleId', 'insert on role_permissions', () => ({ permissions: ['role:view'] })],
		['POST /api/employees', 'insert on employee_roles', () => hired([role])],
		['PATCH /api/employees/:id', 'insert on employee_roles', () => ({ name: '某', roleIds: [role] })],
		['PATCH /api/employees/:id/password/reset', 'update on employees', () => undefined],
		['DELETE /api/stores/:storeId/employees/:employeeId', 'update of deleted_at on employees', () => undefined],
	];
	test.each(triggers)('%s that fails at “%s” is 500 and stores nothing', async (name, event, body) => {
		const endpoint = endpointNamed(name);
		const send = () => service.asSuper(endpoint.method, pathTo(endpoint), body());
		service.grantExactly([[role, ['store:view']]]);
		const { id: held } = await service.addRole();
		expectStatus(await service.asSuper('PATCH', `/api/employees/${employee}`, { roleIds: [held] }), 200);
		service.db.$client.run(`create trigger refuses before ${event} begin select raise(abort, 'refused inside'); end`);
		const before = service.everything();
		expectUnforeseen(service, await send());
		expect(service.everything()).toEqual(before);
		service.db.$client.run('drop trigger refuses');
		expect((await send()).status).toBeLessThan(300);
	});
});
