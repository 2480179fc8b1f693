import { beforeAll, describe, expect, test } from 'bun:test';
import { noThrottle } from '../src/auth/throttle.ts';
import { permitOf } from '../src/session/session.ts';
import { fetchDocument } from './contract.ts';
import { type Forge, forgeries, forgeWith, mutate } from './forgeries.ts';
import {
	type Answer,
	expectInvalid,
	expectRefusal,
	expectStatus,
	initialPassword,
	jwtSecret,
	newName,
	newPhone,
	type Person,
	type Sent,
	Service,
} from './harness.ts';
import {
	type Case,
	casesOn,
	expectedStatus,
	type Held,
	isForeign,
	isThere,
	missing,
	operationsOn,
	Persona,
	type Place,
	personas,
	places,
	subsets,
} from './matrix.ts';
import { codes, type Endpoint, endpoints, fill, nameOf, protectedEndpoints, seeded, specified } from './oracle.ts';

const notSignedIn = '未登录或登录已失效';

describe('the inventory', () => {
	/** Parameter names are the implementation's own affair. */
	const shape = (method: string, path: string) => `${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, ':')}`;
	const listed = new Map(endpoints.map((endpoint) => [shape(endpoint.method, endpoint.path), endpoint]));

	let service: Service;
	beforeAll(async () => {
		service = await Service.start();
	});

	const isSwagger = (path: string) => /^\/swagger(\/|$)/.test(path);
	const routes = () => service.app.routes.filter(({ path }) => !isSwagger(path));

	test('the routes are the 29 rows of the specification and the four of the README', () => {
		expect(specified).toHaveLength(29);
		expect(listed.size).toBe(33);
		const found = routes().map(({ method, path }) => shape(method, path));
		expect(found.toSorted()).toEqual([...listed.keys()].toSorted());
	});

	test('what is served besides is the Swagger UI, for reading only', () => {
		const besides = service.app.routes.filter(({ path }) => isSwagger(path));
		expect([...new Set(besides.map(({ method }) => String(method)))]).toEqual(['GET']);
	});

	test('the document describes the same 33', async () => {
		const { paths } = await fetchDocument(service.app);
		const found = Object.entries(paths).flatMap(([path, operations]) =>
			Object.keys(operations).map((method) => shape(method, path)),
		);
		expect(found.toSorted()).toEqual([...listed.keys()].toSorted());
	});

	test("every route asks for the table's codes, and only the table's public ones ask for nothing", () => {
		const asked = routes().map(({ method, path, hooks }) => [shape(method, path), permitOf(hooks)?.codes.toSorted()]);
		const wanted = [...listed].map(([name, endpoint]) => [
			name,
			endpoint.public ? undefined : endpoint.codes.toSorted(),
		]);
		expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(wanted));
	});
});

const kilobytes60 = JSON.stringify({ name: 'x'.repeat(60_000) });
const megabytes1 = JSON.stringify({ name: 'x'.repeat(1_200_000) });

/** Everything that can be wrong with a request besides who sends it. */
function burdens({ method, path, body, query }: Endpoint): [name: string, path: string, sent: Sent][] {
	const plain = fill(path, 1);
	const loads: [string, string, Sent][] = [['nothing', plain, {}]];
	if (path.includes(':')) {
		loads.push(['a bad id', fill(path, 'abc'), {}], ['a missing id', fill(path, missing), {}]);
	}
	if (query) loads.push(['a bad query', `${plain}?page=0&pageSize=x&keyword=&status=`, {}]);
	if (method !== 'GET') {
		loads.push(
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
		loads.push(['an invalid body', plain, { body: invalid }], ['all at once', fill(path, '0'), { raw: '[' }]);
	}
	return loads;
}

describe('a stranger', () => {
	let service: Service;
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
	beforeAll(async () => {
		service = await Service.start();
		expectStatus(await service.asSuper('GET', '/api/auth/me'), 200);
	});

	test.each(protectedEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
		'%s: 401 whatever else is wrong',
		async (_, endpoint) => {
			for (const [burden, path, sent] of burdens(endpoint)) {
				for (const [credential, headers] of credentials) {
					const answer = await service.send(endpoint.method, path, { ...sent, headers: headers(service.superToken) });
					const { status, body } = answer;
					expect([credential, burden, status, body?.error?.code]).toEqual([credential, burden, 401, 'UNAUTHORIZED']);
					expect(body.error).toEqual({ code: 'UNAUTHORIZED', message: notSignedIn, details: [] });
				}
			}
		},
	);

	test('gets nothing for a token in the query', async () => {
		for (const name of ['token', 'access_token', 'authorization']) {
			expectRefusal(await service.send('GET', `/api/stores?${name}=${service.superToken}`), 401, 'UNAUTHORIZED');
		}
	});

	test('is let in with the very same token in its place', async () => {
		const answer = await service.send('GET', '/api/stores', {
			headers: { authorization: `Bearer ${service.superToken}` },
		});
		expectStatus(answer, 200);
	});
});

/** Requests that are invalid in one place each, and besides name nothing that is there and only what is `taken`. */
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
	let service: Service;
	let nobody: Person;
	let other: { phone: string };
	beforeAll(async () => {
		service = await Service.start();
		const store = await service.addStore({ name: '占用店' });
		nobody = await service.addPerson(store.id);
		other = await service.addEmployee(store.id);
		await service.asSuper('POST', '/api/roles', { code: 'taken', name: '占用' });
	});

	test.each(
		protectedEndpoints.filter(({ codes }) => codes.length > 0).map((endpoint) => [nameOf(endpoint), endpoint] as const),
	)('%s: 403 before 400 and 404', async (_, endpoint) => {
		for (const [burden, path, sent] of burdens(endpoint)) {
			const { status, body } = await service.send(endpoint.method, path, { ...sent, token: nobody.token });
			expect([burden, status, body?.error?.code]).toEqual([burden, 403, 'FORBIDDEN']);
		}
	});

	const validated = protectedEndpoints.filter(({ path, body, query }) => path.includes(':') || body || query);
	test.each(validated.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
		'%s: 400 before 404 and 409',
		async (_, endpoint) => {
			const taken = { name: '占用店', code: 'taken', phone: other.phone };
			for (const [path, body] of invalidRequests(endpoint, taken)) {
				expectInvalid(await service.asSuper(endpoint.method, path, body));
			}
		},
	);

	const business: [endpoint: string, body: () => unknown][] = [
		['PUT /api/permissions/roles/:roleId', () => ({ permissions: ['store:view'] })],
		['PATCH /api/stores/:id', () => ({ name: '占用店' })],
		['DELETE /api/stores/:id', () => undefined],
		['DELETE /api/stores/:storeId/employees/:employeeId', () => undefined],
		['PATCH /api/roles/:id', () => ({ code: 'taken' })],
		['PATCH /api/roles/:id', () => ({ code: 'super_admin' })],
		['DELETE /api/roles/:id', () => undefined],
		['PATCH /api/employees/:id', () => ({ phone: other.phone })],
		['PATCH /api/employees/:id', () => ({ storeId: missing, roleIds: [missing], phone: other.phone })],
		['PATCH /api/employees/:id/status', () => ({ status: 'ACTIVE' })],
		['PATCH /api/employees/:id/password', () => ({ oldPassword: 'wrong-password', newPassword: 'new-password' })],
		['PATCH /api/employees/:id/password/reset', () => undefined],
		['DELETE /api/employees/:id', () => undefined],
	];
	test.each(business)('%s: 404 before the business rules', async (name, body) => {
		const [method = '', path = ''] = name.split(' ');
		expectRefusal(await service.asSuper(method, fill(path, missing), body()), 404, 'NOT_FOUND');
	});

	test('an employee out of reach: 403 before the business rules', async () => {
		const [own, foreign] = [await service.addStore(), await service.addStore()];
		const manager = await service.addPerson(own.id, 'employee:view:store', 'employee:manage');
		const stranger = await service.addEmployee(foreign.id);
		const path = `/api/employees/${stranger.id}`;
		const attempts: [method: string, path: string, body: unknown][] = [
			['PATCH', path, { phone: other.phone, storeId: missing, roleIds: [missing] }],
			['PATCH', `${path}/password`, { oldPassword: 'wrong-password', newPassword: 'new-password' }],
			['POST', '/api/employees', { storeId: foreign.id, name: '某', phone: other.phone, roleIds: [missing] }],
		];
		for (const [method, path, body] of attempts) {
			expectRefusal(await service.send(method, path, { token: manager.token, body }), 403, 'FORBIDDEN');
		}
	});
});

/** What is left of `Service.send` where 25,000 answers would be checked against the document over and over. */
async function sendBare({ app }: Service, method: string, path: string, token: string, content?: unknown) {
	const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
	const body = content === undefined ? null : JSON.stringify(content);
	const response = await app.handle(new Request(`http://localhost${path}`, { method, headers, body }));
	const text = await response.text();
	return { status: response.status, code: response.ok ? undefined : JSON.parse(text).error.code };
}

describe('the permission matrix', () => {
	let service: Service;
	let cases: Case[];
	const actors: { name: string; held: Held; token: string }[] = [];

	beforeAll(async () => {
		service = await Service.start({ throttle: noThrottle });
		const home = await service.addStore();
		const quiet = await service.addStore();
		const role = await service.addRole();
		const target = await service.addEmployee(home.id);
		const other = await service.addEmployee(quiet.id);
		const holders = [];
		for (const code of codes) {
			const { id: roleId } = await service.addRole(code);
			const { id: employeeId } = await service.addEmployee(home.id, [roleId]);
			holders.push({ code, roleId, employeeId });
		}
		cases = casesOn({ home, quiet, role, target, other, holders, adminRoleId: service.builtIn('admin') });
		for (const subset of subsets) {
			const { token } = await service.addPerson(home.id, ...subset);
			actors.push({ name: subset.join() || 'an empty role', held: new Set(subset), token });
		}
		const { id } = await service.addEmployee(home.id);
		actors.push({ name: 'no role', held: new Set(), token: await service.tokenOf(id) });
		actors.push({ name: '*', held: new Set(['*']), token: service.superToken });
	});

	test('has a case for every protected route', () => {
		const covered = new Set(cases.map(({ endpoint }) => endpoint));
		// Signing out ends the token that asks for it: that is tested in own-account.test.ts.
		covered.add('POST /api/auth/logout');
		expect([...covered].toSorted()).toEqual(protectedEndpoints.map(nameOf).toSorted());
		expect(subsets).toHaveLength(512);
	});

	/** How an answer differs from the table's. */
	async function mismatch(each: Case, { name, held, token }: (typeof actors)[number]): Promise<string | undefined> {
		const [method = ''] = each.endpoint.split(' ');
		const { status, code } = await sendBare(service, method, each.path, token, each.body);
		const expected = expectedStatus(each, held);
		if (status === expected && (code === 'FORBIDDEN') === (expected === 403)) return undefined;
		return `${name}: ${method} ${each.path} ${JSON.stringify(each.body)} → ${status}, not ${expected}`;
	}

	test('has answers that the document announces', async () => {
		for (const { endpoint, path, body, allowed } of cases) {
			expect([path, (await service.asSuper(endpoint.split(' ')[0] ?? '', path, body)).status]).toEqual([path, allowed]);
		}
	});

	test('512 sets of codes, no role and * get what the table says, everywhere', async () => {
		const mismatches: string[] = [];
		for (const each of cases) {
			for (const actor of actors) {
				const found = await mismatch(each, actor);
				if (found) mismatches.push(found);
			}
		}
		expect(mismatches.slice(0, 20)).toEqual([]);
	}, 60_000);
});

describe('whose employees an actor reaches', () => {
	let service: Service;
	let own: { id: number };
	let other: { id: number };
	let gone: { id: number };
	const everyone = Object.keys(personas).map((name) => new Persona(name));
	beforeAll(async () => {
		service = await Service.start();
		[own, other, gone] = [await service.addStore(), await service.addStore(), await service.addStore()];
		await service.asSuper('DELETE', `/api/stores/${gone.id}`);
		for (const persona of everyone) {
			const { token } = await service.addPerson(own.id, ...(personas[persona.name] ?? []));
			persona.token = persona.name === 'super administrator' ? service.superToken : token;
		}
	});

	/** A fresh employee at a place. */
	async function employeeAt(place: Place): Promise<{ id: number; storeId: number }> {
		const storeId = isForeign(place) ? other.id : own.id;
		if (place === 'missing') return { id: missing, storeId };
		const { id } = await service.addEmployee(storeId);
		if (!isThere(place)) await service.asSuper('DELETE', `/api/employees/${id}`);
		return { id, storeId };
	}

	const rowsOf = (id: number) => [
		service.rows('select * from employees where id = ?', id),
		service.rows('select * from employee_roles where employee_id = ?', id),
	];

	const operations = operationsOn(initialPassword);

	test.each(
		everyone.flatMap((persona) =>
			operations.map((operation) => [persona.name, operation.name, persona, operation] as const),
		),
	)('%s: %s', async (_, name, persona, { path, body }) => {
		const [method = ''] = name.split(' ');
		const may = method === 'GET' ? persona.views : persona.manages;
		const done = method === 'DELETE' ? 204 : 200;
		for (const place of places) {
			const { id, storeId } = await employeeAt(place);
			const before = rowsOf(id);
			const answer = await service.send(method, path(id, storeId), { token: persona.token, body });
			const expected = persona.statusFor(place, may, done);
			expect([place, answer.status]).toEqual([place, expected]);
			const changed = !Bun.deepEquals(rowsOf(id), before);
			expect([place, 'changed', changed]).toEqual([place, 'changed', expected === done && method !== 'GET']);
		}
	});

	test.each(everyone.map((persona) => [persona.name, persona] as const))(
		'%s: DELETE from a store that the employee is not in',
		async (_, persona) => {
			for (const place of ['own store', 'other store'] as const) {
				const { id, storeId } = await employeeAt(place);
				for (const wrong of [own.id + other.id - storeId, gone.id, missing]) {
					const path = `/api/stores/${wrong}/employees/${id}`;
					const answer = await service.send('DELETE', path, { token: persona.token });
					expect(answer.status).toBe(persona.manages ? 404 : 403);
					expectStatus(await service.asSuper('GET', `/api/employees/${id}`), 200);
				}
			}
		},
	);

	test.each(everyone.map((persona) => [persona.name, persona] as const))(
		'%s: POST into, and PATCH into, a store',
		async (_, persona) => {
			const { token } = persona;
			for (const storeId of [own.id, other.id, gone.id, missing]) {
				const store = { isOwn: storeId === own.id, isReal: [own.id, other.id].includes(storeId) };
				const body = { storeId, name: newName(), phone: newPhone() };
				const created = await service.send('POST', '/api/employees', { token, body });
				expect(['POST', storeId, created.status]).toEqual(['POST', storeId, persona.statusInto(store, 201)]);
				const { id } = await employeeAt('own store');
				const moved = await service.send('PATCH', `/api/employees/${id}`, { token, body: { storeId } });
				// Where the employee is already, nothing is asked of the store.
				expect(['PATCH', storeId, moved.status]).toEqual(['PATCH', storeId, persona.statusInto(store, 200)]);
				const [row] = service.rows('select store_id from employees where id = ?', id);
				expect(row.store_id).toBe(moved.status === 200 ? storeId : own.id);
			}
		},
	);

	test.each(everyone.map((persona) => [persona.name, persona] as const))('%s: GET the list', async (_, persona) => {
		await employeeAt('own store');
		await employeeAt('other store');
		for (const storeId of [0, own.id, other.id, gone.id, missing]) {
			const path = `/api/employees?pageSize=100${storeId ? `&storeId=${storeId}` : ''}`;
			const answer = await service.send('GET', path, { token: persona.token });
			if (persona.views) expectListed(answer, persona.confined ? own.id : storeId);
			else expectRefusal(answer, 403, 'FORBIDDEN');
		}
	});

	/** All employees, or those of one store. */
	function expectListed(answer: Answer, storeId: number): void {
		const condition = storeId ? `and store_id = ${storeId}` : '';
		const wanted = service.rows(`select id from employees where deleted_at is null ${condition} order by id`);
		const { items, pagination } = expectStatus(answer, 200);
		expect(items.map((item: { id: number }) => item.id)).toEqual(wanted.map((row) => row.id).slice(0, 100));
		expect(pagination.total).toBe(wanted.length);
	}

	test('a confined actor never sees another store, whatever the query', async () => {
		const token = everyone.find(({ name }) => name === 'view:store')?.token ?? '';
		const { pick } = seeded(7);
		for (let round = 0; round < 300; round += 1) {
			const query = [
				pick(['', `storeId=${own.id}`, `storeId=${other.id}`, `storeId=${missing}`]),
				pick(['', '', `storeId=${other.id}`]),
				pick(['', 'status=ACTIVE', 'status=INACTIVE']),
				pick(['', 'keyword=1', 'keyword=9', 'keyword=%25', 'keyword=_', 'keyword=%E5%91%98']),
				pick(['', 'page=1', 'page=2', 'page=3']),
				pick(['', 'pageSize=1', 'pageSize=7', 'pageSize=100']),
			];
			const path = `/api/employees?${query.filter(Boolean).join('&')}`;
			const { items } = expectStatus(await service.send('GET', path, { token }), 200);
			expect(items.filter((item: { storeId: number }) => item.storeId !== own.id)).toEqual([]);
		}
	});
});

describe('forged tokens', () => {
	let service: Service;
	let person: Person;
	let forge: Forge;

	beforeAll(async () => {
		service = await Service.start();
		const store = await service.addStore();
		person = await service.addPerson(store.id, 'store:view');
		const leaver = await service.addEmployee(store.id);
		await service.asSuper('DELETE', `/api/employees/${leaver.id}`);
		forge = forgeWith({
			secret: jwtSecret,
			// The one that the harness is in.
			epoch: 'epoch',
			good: service.superToken,
			other: person.token,
			employeeId: person.id,
			deletedId: leaver.id,
			now: Math.floor(service.time.getTime() / 1000),
		});
	});

	const ask = (token: string) => service.send('GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });

	test('a token made here, with nothing wrong in it, is accepted', async () => {
		const { make, header, claims, withClaims, now } = forge;
		expect(expectStatus(await ask(make(header, claims)), 200).permissions).toEqual(['*']);
		expect(expectStatus(await ask(withClaims({ exp: now + 1 })), 200).accountType).toBe('SUPER_ADMIN');
		expect(expectStatus(await ask(withClaims({ sub: `EMPLOYEE:${person.id}` })), 200).id).toBe(person.id);
	});

	test.each(Object.entries(forgeries))('%s', async (_, make) => {
		const answer = await ask(make(forge));
		expectRefusal(answer, 401, 'UNAUTHORIZED', notSignedIn);
	});

	test('500 random mutations of a good token', async () => {
		const chance = seeded(20_261_121);
		for (let asked = 0; asked < 500; asked += 1) {
			const token = mutate(forge.good, chance);
			const answer = await ask(token);
			expect([token, answer.status, answer.body.error.message]).toEqual([token, 401, notSignedIn]);
		}
		expect(service.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
	});
});
