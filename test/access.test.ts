/** Every route: its permissions, who is refused it, and the order of refusals: 401, 403, 400, 404, then business rules. */
import { describe, expect, test } from 'bun:test';
import { permitOf } from '../src/identity/session/session.ts';
import { measuredRoutes } from './campaigns/stalls.ts';
import { expectInvalid, expectRefusal, expectStatus, type Sent, Service } from './harness.ts';
import { missing } from './matrix.ts';
import {
	additions,
	type Endpoint,
	endpoints,
	fill,
	nameOf,
	notSignedIn,
	protectedEndpoints,
	specified,
} from './oracle.ts';

const service = await Service.start();
const store = await service.addStore({ name: '占用店' });
/** A caller without any permission. */
const nobody = await service.addPerson(store.id);
const other = await service.addEmployee(store.id);
await service.asSuper('POST', '/api/roles', { code: 'taken', name: '占用' });
/** Unique values in use. */
const taken = { name: '占用店', code: 'taken', phone: other.phone };
/** An existing and a deleted item of each kind. */
const living: Record<string, number> = {};
const deleted: Record<string, number> = {};
for (const ids of [living, deleted]) {
	ids.stores = (await service.addStore()).id;
	ids.roles = (await service.addRole('store:view')).id;
	ids.employees = (await service.addEmployee(living.stores ?? 0)).id;
}
for (const [noun, id] of Object.entries(deleted))
	expectStatus(await service.asSuper('DELETE', `/api/${noun}/${id}`), 204);
service.restoreBeforeEachTest();

describe('the inventory', () => {
	/** Parameter names are an implementation detail. */
	const shape = (method: string, path: string) => `${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, ':')}`;
	const listed = new Map(endpoints.map((endpoint) => [shape(endpoint.method, endpoint.path), endpoint]));

	const isSwagger = (path: string) => /^\/swagger(\/|$)/.test(path);
	const routes = () => service.app.routes.filter(({ path }) => !isSwagger(path));

	test('the routes are the 29 of the original contract and the additions', () => {
		expect(specified).toHaveLength(29);
		expect(listed.size).toBe(29 + additions.length);
		const found = routes().map(({ method, path }) => shape(method, path));
		const cause = 'a route of the program and a row of `endpoints` in oracle.ts belong together';
		expect(found.toSorted(), cause).toEqual([...listed.keys()].toSorted());
	});

	test('every route has its most expensive request: add a row to test/campaigns/stalls.ts for a new one', () => {
		expect(measuredRoutes.toSorted()).toEqual(endpoints.map(nameOf).toSorted());
	});

	test('the only other pages are the Swagger UI, for reading only', () => {
		const besides = service.app.routes.filter(({ path }) => isSwagger(path));
		expect([...new Set(besides.map(({ method }) => String(method)))]).toEqual(['GET']);
	});

	const groupsOf = (groups: readonly (readonly string[])[] | undefined) =>
		groups?.filter((codes) => codes.length > 0).map((codes) => codes.toSorted());

	test("every route asks for the table's codes, and only the table's public ones ask for nothing", () => {
		const asked = routes().map(({ method, path, hooks }) => [shape(method, path), groupsOf(permitOf(hooks)?.groups)]);
		const wanted = [...listed].map(([name, endpoint]) => [
			name,
			endpoint.public ? undefined : groupsOf([endpoint.codes, endpoint.alsoOneOf ?? []]),
		]);
		expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(wanted));
	});

	test("only the table's routes serve an account that has something to do first", () => {
		const served = routes().map(({ method, path, hooks }) => [shape(method, path), permitOf(hooks)?.despite ?? []]);
		const wanted = [...listed].map(([name, { despite = [] }]) => [name, despite]);
		expect(Object.fromEntries(served)).toEqual(Object.fromEntries(wanted));
	});
});

const kilobytes60 = JSON.stringify({ name: 'x'.repeat(60_000) });
const megabytes1 = JSON.stringify({ name: 'x'.repeat(1_200_000) });

type FaultyRequest = [name: string, path: string, sent: Sent];

/** Requests with every possible fault except the credential. */
function faultyRequests({ method, path, body, query }: Endpoint): FaultyRequest[] {
	const plain = fill(path, 1);
	const requests: FaultyRequest[] = [['nothing', plain, {}]];
	if (path.includes(':')) {
		requests.push(['a bad id', fill(path, 'abc'), {}], ['a missing id', fill(path, missing), {}]);
	}
	if (query) requests.push(['a bad query', `${plain}?page=0&pageSize=x&keyword=&status=`, {}]);
	if (method !== 'GET') {
		requests.push(
			['half a JSON', plain, { raw: '{"name":' }],
			['another content type', plain, { raw: 'name=x', contentType: 'application/x-www-form-urlencoded' }],
			['a bad multipart', plain, { raw: 'x', contentType: 'multipart/form-data' }],
			['an empty JSON body', plain, { raw: '' }],
			['60 kB', plain, { raw: kilobytes60 }],
			['1.2 MB', plain, { raw: megabytes1 }],
		);
	}
	if (body) {
		const invalid = Object.fromEntries(Object.entries(body).map(([name, field]) => [name, field.bad[0]]));
		requests.push(['an invalid body', plain, { body: invalid }], ['all at once', fill(path, '0'), { raw: '[' }]);
	}
	return requests;
}

describe('a stranger', () => {
	const credentials: [name: string, headers: (good: string) => Record<string, string>][] = [
		['no header', () => ({})],
		['an empty header', () => ({ authorization: '' })],
		['a scheme alone', () => ({ authorization: 'Bearer' })],
		['a token without a scheme', (good) => ({ authorization: good })],
		['another scheme', (good) => ({ authorization: `Basic ${good}` })],
		['a scheme that only ends alike', (good) => ({ authorization: `XBearer ${good}` })],
		['a scheme and a colon', (good) => ({ authorization: `Bearer: ${good}` })],
		['no space', (good) => ({ authorization: `Bearer${good}` })],
		['a tab for the space', (good) => ({ authorization: `Bearer\t${good}` })],
		['quotes', (good) => ({ authorization: `Bearer "${good}"` })],
		['two tokens', (good) => ({ authorization: `Bearer ${good} ${good}` })],
		['two headers in one', (good) => ({ authorization: `Bearer ${good}, Bearer ${good}` })],
		['something after the token', (good) => ({ authorization: `Bearer ${good} x` })],
		['garbage', () => ({ authorization: 'Bearer garbage' })],
		['garbage in three parts', () => ({ authorization: 'Bearer a.b.c' })],
		['the token in a cookie', (good) => ({ cookie: `token=${good}; authorization=Bearer ${good}` })],
		['the token in another header', (good) => ({ 'x-authorization': `Bearer ${good}` })],
	];

	const closed = protectedEndpoints.map((endpoint, place) => [nameOf(endpoint), endpoint, place] as const);
	/** The credentials rotate, so that every credential meets every other fault. */
	test.each(closed)('%s: 401 whatever else is wrong', async (_, endpoint, place) => {
		for (const [index, [fault, path, sent]] of faultyRequests(endpoint).entries()) {
			const [credential, headersWith] = credentials[(place + index) % credentials.length] as (typeof credentials)[0];
			const headers = headersWith(service.superToken);
			const answer = await service.send(endpoint.method, path, { ...sent, headers });
			expect([credential, fault, answer.status]).toEqual([credential, fault, 401]);
			expectRefusal(answer, 401, notSignedIn);
		}
	});

	test('gets nothing for a token in the query', async () => {
		for (const name of ['token', 'access_token', 'authorization']) {
			expectRefusal(await service.send('GET', `/api/stores?${name}=${service.superToken}`), 401);
		}
	});
});

/** Yields requests with one invalid value each. Their ids do not exist, and their other values are `taken`. */
function* invalidRequests(
	{ path, body, query }: Endpoint,
	taken: Record<string, unknown>,
): Generator<[path: string, body: unknown]> {
	const parameters = path.match(/:/g)?.length ?? 0;
	if (parameters > 0) yield [fill(path, 'abc', missing), undefined];
	if (parameters > 1) yield [fill(path, missing, 'abc'), undefined];
	for (const name of Object.keys(query ?? {})) yield [`${path}?${name}=`, undefined];
	for (const [name, field] of Object.entries(body ?? {})) {
		yield [fill(path, missing), { ...taken, [name]: field.bad[0] }];
	}
}

describe('the order of refusals', () => {
	const restricted = protectedEndpoints.filter(({ codes }) => codes.length > 0);
	test.each(restricted)('$method $path: 403 before 400 and 404', async (endpoint) => {
		for (const [fault, path, sent] of faultyRequests(endpoint)) {
			const { status, body } = await service.send(endpoint.method, path, { ...sent, token: nobody.token });
			expect([fault, status, body?.error?.code]).toEqual([fault, 403, 'FORBIDDEN']);
		}
	});

	const validated = protectedEndpoints.filter(
		({ path, body, query, employeesOnly }) => (path.includes(':') || body || query) && !employeesOnly,
	);
	test.each(validated)('$method $path: 400 before 404 and 409', async (endpoint) => {
		for (const [path, body] of invalidRequests(endpoint, taken)) {
			expectInvalid(await service.asSuper(endpoint.method, path, body));
		}
	});
});

const named = protectedEndpoints.filter(({ path }) => /\/(stores|roles|employees)\/:(?!id\/restore)/.test(path));
test.each(named)('$method $path finds no deleted item, before any business rule', async ({ method, path, sample }) => {
	const body = method === 'GET' ? undefined : { ...sample, ...taken, storeId: missing, roleIds: [missing] };
	for (const [, noun = ''] of path.matchAll(/(\w+)\/:/g)) {
		const ids: Record<string, number> = { ...living, [noun]: deleted[noun] ?? missing };
		const filled = path.replace(/(\w+)\/:\w+/g, (_, each: string) => `${each}/${ids[each]}`);
		expectRefusal(await service.asSuper(method, filled, body), 404);
	}
});
