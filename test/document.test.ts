/** The first things that readers of the OpenAPI document see, and the truth of its examples. */
import { describe, expect, test } from 'bun:test';
import {
	type Contract,
	type Document,
	type Endpoint,
	endpointsOf,
	exampleOf,
	operationNamed,
	schemasIn,
} from './contract.ts';
import { expectRuleRefusal, Service } from './harness.ts';
import type { Answer, Body } from './http.ts';
import { specified } from './oracle.ts';

const json = 'application/json';
const password = 'correct-horse-battery';
const service = await Service.start({ password });
const contract = service.contract as Contract;
const document = contract.document as Document & { tags: Body[] };
const operations = endpointsOf(document);
const named = operations.map((each) => [each.operation.operationId, each] as const);

describe('the basic service comes first', () => {
	const basicTags = document.tags.filter((tag) => tag['x-basic']).map(({ name }) => name);
	const isBasic = ({ operation }: Endpoint) => operation.tags.every((tag) => basicTags.includes(tag));

	test('its paths are those of the contract, in its order, and its operations have tags of their own', () => {
		const template = (path: string) => path.replace(/:(\w+)/g, '{$1}');
		const paths = [...new Set(specified.map(({ path }) => template(path)))];
		expect(Object.keys(document.paths).slice(0, paths.length).toSorted()).toEqual(paths.toSorted());
		const basic = operations.filter(isBasic).map(({ method, template }) => `${method} ${template}`);
		const wanted = specified.map(({ method, path }) => `${method} ${template(path)}`);
		expect(basic.toSorted(), 'another operation goes into a section `More` of outline.ts').toEqual(wanted.toSorted());
		expect(Object.keys(document.paths).slice(0, 3)).toEqual(['/health', '/api/auth/login', '/api/auth/admin/login']);
	});

	test('its tags come first, and each tag has operations', () => {
		const isFirst = document.tags.map((tag) => tag['x-basic']);
		expect(isFirst).toEqual(isFirst.toSorted().toReversed());
		const used = new Set(operations.flatMap(({ operation }) => operation.tags));
		expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
	});

	test('operations that only the pages need are marked', () => {
		const marked = operations.filter(({ operation }) => 'x-for-pages' in operation);
		expect(marked.map(({ operation }) => operation.tags.join())).toEqual(marked.map(() => 'Only for the pages'));
		expect(marked.length).toBeGreaterThan(5);
	});

	const signIn = 'username password';
	const [storeFields, roleFields] = ['name address phone status', 'code name description'];
	const employeeFields = 'storeId name phone status remark roleIds';
	const passwords = 'oldPassword newPassword';
	test.each([
		['login', signIn],
		['adminLogin', signIn],
		['employeeLogin', signIn],
		['replaceRolePermissions', 'permissions'],
		['createStore', storeFields],
		['updateStore', storeFields],
		['createRole', roleFields],
		['updateRole', roleFields],
		['createEmployee', employeeFields],
		['updateEmployee', employeeFields],
		['setEmployeeStatus', 'status'],
		['changeEmployeePassword', passwords],
	] as [string, string][])('the example of %s has the fields of the contract only: %s', (operationId, fields) => {
		const shown = Object.keys(Object(exampleOf(operationNamed(document, operationId)).body)).join(' ');
		expect(shown, 'a field beyond the contract is in `beyondExamples(…)`').toBe(fields);
	});
});

test.each(named)('%s describes its success', (_, { operation }) => {
	for (const [status, { description }] of Object.entries(operation.responses)) {
		expect(description).toMatch(/^[A-Z].*\.$/);
		if (Number(status) < 300) expect(description).not.toMatch(/^Done/);
	}
});

/** A named example of a refusal. */
interface Example {
	title: string;
	endpoint: Endpoint;
	name: string;
	status: number;
	value: Body;
}

/** The examples of an operation, without those that are common to all operations. */
function refusalsOf(endpoint: Endpoint): Example[] {
	const { operationId, responses } = endpoint.operation;
	const common = ['412', '413', '429', '500', '503'];
	return Object.entries(responses).flatMap(([status, { content }]) => {
		const examples = Number(status) < 400 || common.includes(status) ? {} : content?.[json]?.examples;
		return Object.entries(examples ?? {}).map(([name, { value }]) => {
			return { title: `${operationId}: ${name}`, endpoint, name, status: Number(status), value };
		});
	});
}

test.each(named.filter(([id]) => id !== 'getHealth'))('%s shows two refusals or more, by name', (_, endpoint) => {
	expect(refusalsOf(endpoint).length).toBeGreaterThanOrEqual(2);
});

test.each(named.filter(([, { template }]) => /^.api.employees.\{id\}($|.(status|password))/.test(template)))(
	'%s shows that an employee can be out of reach',
	(_, endpoint) => {
		expect(refusalsOf(endpoint).map(({ status, name }) => `${status} ${name}`)).toContain('403 out of reach');
	},
);

const [store, disabledStore] = [await service.addStore(), await service.addStore()];
const [cashier, restricted] = [await service.addPerson(store.id), await service.addPerson(store.id)];
const [disabled, lockedOut] = [await service.addPerson(store.id), await service.addPerson(disabledStore.id)];
await service.asSuper('PATCH', `/api/employees/${disabled.id}/status`, { status: 'INACTIVE' });
await service.asSuper('PATCH', `/api/stores/${disabledStore.id}`, { status: 'INACTIVE' });
await service.asSuper('POST', `/api/employees/${restricted.id}/one-time-password`);
const program = service.addProgram(['employee:view:all']);
const otherStore = await service.addStore();
const neighbour = await service.addPerson(otherStore.id, 'employee:view:store', 'employee:manage');

/** Sends the example of an operation. */
const sendAs = (token?: string) => (endpoint: Endpoint) => {
	const { method, path, body } = exampleOf(endpoint);
	return service.send(method, path, { token, ...(body !== undefined && { body }) });
};
const signInAs =
	(username: string) =>
	({ method, template }: Endpoint) =>
		service.send(method, template, { body: { username, password } });

const unknown = 999_999;
/** Requests that cause the refusals of all names. */
const causes: Record<string, (endpoint: Endpoint) => Promise<Answer>> = {
	'no token': sendAs(),
	'not permitted': sendAs(cashier.token),
	'not for programs': sendAs(program.key),
	'out of reach': sendAs(neighbour.token),
	'password to set': sendAs(service.tokenOf(restricted.id)),
	'wrong password': signInAs('nobody'),
	'disabled account': signInAs(disabled.phone),
	'disabled store': signInAs(lockedOut.phone),
	'no back office': signInAs(cashier.phone),
	'unknown id': (endpoint) => {
		const { body, query } = exampleOf(endpoint);
		const path = endpoint.template.replace(/\{\w+\}/g, `${unknown}`);
		const many = body && 'ids' in Object(body) ? { ...Object(body), ids: [unknown] } : body;
		const subject = path === '/api/approvals' ? { subject: 'A-1024' } : {};
		const parameters = new URLSearchParams({ ...query, ...subject });
		return service.asSuper(endpoint.method, `${path}?${parameters}`, many as object);
	},
	'wrong form': ({ method, template, operation: { parameters = [], requestBody } }) => {
		const takesJson = requestBody?.content[json] !== undefined;
		const path = template.replace(/\{\w+\}/g, takesJson ? '1' : '0');
		const name = path === template ? parameters.filter((each) => each.in === 'query').at(-1)?.name : undefined;
		const isEmpty = !takesJson && path === template && name === undefined;
		// Approvals are for employees only.
		const token = template.includes('approval') ? cashier.token : service.superToken;
		const sent = { ...(takesJson && { body: {} }), ...(isEmpty && { headers: { host: 'wrong host' } }) };
		return service.send(method, name && !takesJson ? `${path}?${name}=%00` : path, { token, ...sent });
	},
};

const examples = operations.flatMap(refusalsOf);
const isOfRule = ({ value }: Example) => ['CONFLICT', 'BAD_REQUEST'].includes(value.error.code);

test.each(examples.filter((each) => !isOfRule(each)))(
	'the example of $title is what the service answers',
	async ({ endpoint, name, status, value }) => {
		const answer = await causes[name]?.(endpoint);
		expect([answer?.status, answer?.body]).toEqual([status, value]);
	},
);

// The tests of each rule compare the answers with the same table.
test.each(examples.filter(isOfRule))('the example of $title is as the oracle says', ({ status, value }) => {
	expectRuleRefusal({ status, body: value, text: JSON.stringify(value) });
});

/** The schemas of all bodies, with those inside them and those that they refer to. */
const schemasOf = (bodies: (operation: Endpoint['operation']) => Record<string, { schema: Body }>[]) => {
	const seen = new Set<string>();
	const follow = ($ref: string) => (seen.size < seen.add($ref).size ? contract.resolve({ $ref }) : undefined);
	return operations.flatMap(({ operation }) =>
		bodies(operation).flatMap((content) =>
			Object.values(content).flatMap(({ schema }) => [...schemasIn(operation.operationId, schema, follow)]),
		),
	);
};
const answers = schemasOf(({ responses }) => Object.values(responses).map(({ content }) => content ?? {}));
const requests = schemasOf(({ requestBody }) => [requestBody?.content ?? {}]);

const members = [...answers, ...requests].flatMap(([where, { properties = {} }]) =>
	Object.entries(properties as Record<string, Body>).map(([name, member]) => ({
		where: `${where}.${name}`,
		...member,
	})),
);

test('every member of a body has a description, and one that is said to be null can be null', () => {
	const bare = members.filter(({ $ref, description }) => !$ref && !description);
	expect(bare, 'write it at the member, or in openapi/members.ts').toEqual([]);
	const isNullable = ({ type, anyOf = [] }: Body) =>
		[type, ...anyOf.map((each: Body) => each.type)].flat().includes('null');
	expect(members.filter((each) => /\bnull\b/.test(each.description) && !isNullable(each))).toEqual([]);
});

test('a parameter refers to others of its own operation only', () => {
	for (const { operationId, parameters = [] } of operations.map(({ operation }) => operation)) {
		const names = parameters.map(({ name }) => name);
		const text = parameters.map(({ description }) => description).join(' ');
		const others = Array.from(
			text.matchAll(/\b(?:over|with|of|beside) ([a-z]+[A-Z]\w*|keyword|status)\b/g),
			([, name]) => name,
		);
		expect([operationId, others.filter((name) => !names.includes(`${name}`))]).toEqual([operationId, []]);
	}
});

test('every text of an answer has a length', () => {
	const endless = answers.filter(([, schema]) => {
		const isFree = [schema.type].flat().includes('string') && !schema.enum && !schema.const && !schema.format;
		return isFree && schema.maxLength === undefined;
	});
	expect(
		endless.map(([where]) => where),
		'write it at the member, or in openapi/members.ts',
	).toEqual([]);
});

describe('the pages for integrators', () => {
	const read = async (name: string) => {
		const answer = await service.app.handle(new Request(`http://localhost/swagger/docs/${name}`));
		return { status: answer.status, headers: answer.headers, html: await answer.text() };
	};
	const linked = [document, ...document.tags].map(({ externalDocs }: Body) => externalDocs.url as string);
	const inText = Array.from(JSON.stringify(document).matchAll(/\]\((swagger\/docs\/[\w-]+)\)/g), ([, url = '']) => url);
	const names = new Set([...linked, ...inText].map((url) => url.replace('swagger/docs/', '')));

	test('those that the document links to are served, without scripts or anything from elsewhere', async () => {
		expect(names.size).toBeGreaterThan(5);
		for (const name of names) {
			const { status, headers, html } = await read(name);
			expect([name, status]).toEqual([name, 200]);
			expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'self';");
			expect(html).not.toMatch(/<script|<[^>]+ (?:src|style|on\w+)=|\.md/);
		}
		expect((await read('operating')).status).toBe(404);
	});

	test('every link leads to a page that is served, and to one of its headings', async () => {
		const known = new Map<string, string>();
		const waiting = [...names];
		for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
			if (known.has(name)) continue;
			const { html } = await read(name);
			known.set(name, html);
			waiting.push(...Array.from(html.matchAll(/ href="([\w-]+)(?:#[\w-]*)?"/g), ([, target = '']) => target));
		}
		expect(known.size).toBe(12);
		for (const [name, html] of known)
			for (const [link, target, anchor] of html.matchAll(/ href="([\w-]*)#([\w-]+)"/g))
				expect([name, link, known.get(target || name)?.includes(` id="${anchor}"`)]).toEqual([name, link, true]);
	});
});
