import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
	type Contract,
	type Document,
	endpointsOf,
	exampleOf,
	fetchDocument,
	type Operation,
	operationNamed,
	successOf,
} from './contract.ts';
import { Service } from './harness.ts';
import {
	type Endpoint,
	endpoints,
	fill,
	isConditional,
	isTagged,
	nameOf,
	resources,
	signsIn,
	takesDevice,
} from './oracle.ts';

type Schema = Record<string, unknown>;

let service: Service;
let contract: Contract;
let document: Document & {
	info: Record<string, unknown>;
	components: { securitySchemes: Record<string, unknown> };
};
beforeAll(async () => {
	service = await Service.start();
	if (!service.contract) throw new Error('the service has no document');
	contract = service.contract;
	document = contract.document as typeof document;
});

/** The operation of an endpoint, whatever its path parameters are called. */
function operationOf({ method, path }: Endpoint): Operation {
	const found = contract.operationOf(method, fill(path, 1));
	if (!found) throw new Error(`${method} ${path} is not in the document`);
	return found.operation;
}

/** A schema without the reference in its place. */
const resolve = (schema: Schema) => contract.resolve(schema);

const json = 'application/json';
const binary = { type: 'string', format: 'binary' };
const table = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);
const statusesOf = (operation: Operation) => Object.keys(operation.responses).map(Number);

describe('the document', () => {
	test('is OpenAPI 3.1 with a description, and asks for a bearer token', () => {
		expect(document.openapi).toMatch(/^3\.1\.\d+$/);
		expect(document.info.description).toMatch(/\S/);
		expect(document.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
	});

	test('is the same with every optional setting, so all that these tests say of it holds for it', async () => {
		const { app } = await Service.start({ corsOrigins: ['https://shop.example'], tls: true });
		expect(await fetchDocument(app)).toEqual(document);
	});
});

describe('operations', () => {
	test.each(table)('%s requires a token unless it is public, and names its permission codes', (_, endpoint) => {
		const operation = operationOf(endpoint);
		expect(operation.security).toEqual(endpoint.public ? [] : [{ bearer: [] }]);
		for (const code of [...endpoint.codes, ...(endpoint.alsoOneOf ?? [])])
			expect(operation.description).toContain(`\`${code}\``);
	});

	test.each(table)('%s takes the parameters of the contract', (_, endpoint) => {
		const parameters = operationOf(endpoint).parameters ?? [];
		const inPath = parameters.filter((parameter) => parameter.in === 'path');
		const inQuery = parameters.filter((parameter) => parameter.in === 'query');
		const inHeaders = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
		expect(inHeaders).toEqual(isConditional(endpoint) ? ['if-match'] : takesDevice(endpoint) ? ['device-token'] : []);
		expect(inPath.length + inQuery.length + inHeaders.length).toBe(parameters.length);
		const template = contract.operationOf(endpoint.method, fill(endpoint.path, 1))?.template ?? '';
		const named = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name);
		expect(inPath.map(({ name }) => name)).toEqual(named.map(String));
		for (const { schema } of inPath)
			expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 });
		expect(inQuery.map(({ name }) => name).toSorted()).toEqual(Object.keys(endpoint.query ?? {}).toSorted());
		expect(parameters.map(({ required }) => required)).toEqual(parameters.map((parameter) => parameter.in === 'path'));
	});

	test.each(table)('%s takes the body of the contract, as JSON only', (_, endpoint) => {
		const { requestBody } = operationOf(endpoint) as {
			requestBody?: { required?: boolean } & Operation['requestBody'];
		};
		if (endpoint.takesFile) {
			expect(Object.keys(requestBody?.content ?? {})).toEqual([...endpoint.takesFile]);
			for (const { schema } of Object.values(requestBody?.content ?? {})) expect(schema).toEqual(binary);
			return;
		}
		if (!endpoint.body) {
			expect(requestBody).toBeUndefined();
			return;
		}
		expect(requestBody?.required).toBe(true);
		expect(Object.keys(requestBody?.content ?? {})).toEqual([json]);
		const { properties = {}, required = [] } = resolve(requestBody?.content[json]?.schema ?? {});
		expect(Object.keys(properties as Schema).toSorted()).toEqual(Object.keys(endpoint.body).toSorted());
		const asked = Object.entries(endpoint.body).flatMap(([name, field]) => (field.required ? [name] : []));
		expect((required as string[]).toSorted()).toEqual(asked.toSorted());
	});

	/** A password, or the code of a second factor. */
	const canBeGuessed = ({ path, body }: Endpoint) =>
		Object.keys(body ?? {}).some((name) => /password/i.test(name) || path.startsWith('/api/auth/'));
	/** Writes can find the disk full, password checks a full queue, and files that others are read. */
	const mayBeUnavailable = ({ path, method, writes, writesNothing, takesFile }: Endpoint) =>
		path === '/health' || takesFile !== undefined || writes === true || (method !== 'GET' && !writesNothing);

	function successesOf({ method, path, takesFile, answersFile }: Endpoint): number[] {
		// A dry run creates nothing.
		if (takesFile && !answersFile) return [200, 201];
		if (method === 'DELETE' || path === '/api/auth/logout') return [204];
		return method === 'POST' && ['/api/stores', '/api/roles', '/api/employees'].includes(path) ? [201] : [200];
	}

	test.each(table)('%s announces one success and every possible refusal', (_, endpoint) => {
		const statuses = statusesOf(operationOf(endpoint));
		expect(statuses.filter((status) => status < 300)).toEqual(successesOf(endpoint));
		expect(statuses).toContain(500);
		if (endpoint.path !== '/health') expect(statuses).toContain(401);
		expect(statuses.includes(403)).toBe(!endpoint.public && !endpoint.despite?.includes('OWN_PASSWORD'));
		// Some of many people may be unknown.
		expect(statuses.includes(404)).toBe(/:|\/(one-time-passwords|changes)$/.test(endpoint.path));
		expect(statuses.includes(412)).toBe(isConditional(endpoint));
		expect(statuses.includes(413)).toBe(endpoint.body !== undefined || endpoint.takesFile !== undefined);
		expect(statuses.includes(503)).toBe(mayBeUnavailable(endpoint));
		expect(statuses.includes(429)).toBe(canBeGuessed(endpoint));
		expect(statuses.includes(409)).toBe(conflicting.includes(nameOf(endpoint)));
		if (endpoint.body || endpoint.query || endpoint.path.includes(':')) expect(statuses).toContain(400);
	});

	const conflicting = [
		...['POST /api/stores', 'PATCH /api/stores/:id', 'DELETE /api/stores/:id', 'POST /api/stores/:id/close'],
		...['POST /api/roles', 'PATCH /api/roles/:id', 'DELETE /api/roles/:id'],
		...['POST /api/employees', 'PATCH /api/employees/:id', 'POST /api/employees/:id/restore'],
		'POST /api/employees/changes/:groupId/undo',
		...['POST', 'PUT', 'DELETE'].map((method) => `${method} /api/auth/me/second-factor`),
	];
	test.each(table)('%s announces the headers of each answer', (_, endpoint) => {
		for (const [status, { headers }] of Object.entries(operationOf(endpoint).responses)) {
			const names = ['X-Request-Id'];
			if (['429', '503'].includes(status)) names.push('Retry-After');
			if (isTagged(endpoint) && Number(status) < 300) names.push('ETag');
			if (signsIn(endpoint) && Number(status) < 300) names.push('Device-Token');
			const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
			expect([status, headers]).toEqual([status, Object.fromEntries(references)]);
		}
	});

	test('describes the headers of answers, and the error codes', () => {
		const { headers, schemas } = document.components;
		expect(headers).toMatchObject({
			'X-Request-Id': { description: expect.stringMatching(/\S/), required: true, schema: { type: 'string' } },
			ETag: { description: expect.stringContaining('If-Match'), schema: { type: 'string' } },
			'Retry-After': { description: expect.stringContaining('seconds'), schema: { type: 'integer', minimum: 1 } },
		});
		const errorCodes = [
			...['VALIDATION_ERROR', 'BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
			...['PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_REQUESTS'],
			...['SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR'],
		];
		expect(schemas.Failure).toMatchObject({ properties: { error: { properties: { code: { enum: errorCodes } } } } });
	});

	function typesOfAnswer({ answersFile }: Endpoint, status: string): readonly string[] {
		if (status === '204') return [];
		return status === '200' && answersFile ? answersFile : [json];
	}

	test.each(table)('%s refuses with the error envelope only, and succeeds with JSON or no body', (_, endpoint) => {
		for (const [status, { content }] of Object.entries(operationOf(endpoint).responses)) {
			const types = typesOfAnswer(endpoint, status);
			expect([status, ...Object.keys(content ?? {}).toSorted()]).toEqual([status, ...types.toSorted()]);
			const isRefusal = content?.[json]?.schema.$ref === '#/components/schemas/Failure';
			expect([status, isRefusal]).toEqual([status, Number(status) >= 400]);
		}
	});

	test.each(table)('%s has valid examples in its body and its answers', (_, endpoint) => {
		const { requestBody, responses } = operationOf(endpoint);
		const media = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
		for (const { schema, example, examples } of media) {
			if (schema.format === 'binary') continue;
			const shown = examples ? Object.values(examples).map(({ value }) => value) : [example];
			expect(shown.length).toBeGreaterThan(0);
			for (const value of shown) expectExample(nameOf(endpoint), schema, value);
		}
	});

	/** Swagger UI fills in every `example`, `examples` and `default` that it finds. */
	test.each(table)('%s prefills required parameters only', (_, endpoint) => {
		for (const { name, schema, required, example, description, ...rest } of operationOf(endpoint).parameters ?? []) {
			if (required) expectExample(name, schema, example);
			else {
				const prefilled = ['default', 'example', 'examples'].filter((key) => key in schema || key in rest);
				expect([name, example, prefilled]).toEqual([name, undefined, []]);
				expect(description).toMatch(/ Example: `[^`]+`\.$/);
				const text = /`([^`]+)`\.$/.exec(description)?.[1] ?? '';
				expect([name, text, isValid(schema, text)]).toEqual([name, text, true]);
			}
		}
	});

	test('bodies have names', () => {
		const references = endpoints
			.filter(({ body }) => body)
			.map((endpoint) => operationOf(endpoint).requestBody?.content[json]?.schema.$ref);
		expect(references.filter((reference) => !/^#.components.schemas.([A-Z][a-z]+)+$/.test(String(reference)))).toEqual(
			[],
		);
		// Those that sign in share one, and those that change a password.
		expect(new Set(references).size).toBe(references.length - 3);
	});

	const fields = endpoints.flatMap((endpoint) =>
		Object.entries(endpoint.body ?? {}).map(([name, field]) => [nameOf(endpoint), name, endpoint, field] as const),
	);
	test.each(fields)('%s: the good values of %s are allowed, the bad ones are not', (_, name, endpoint, field) => {
		const { properties } = resolve(operationOf(endpoint).requestBody?.content[json]?.schema ?? {});
		const schema = (properties as Record<string, Schema>)[name] ?? {};
		for (const value of field.good) expect([value, contract.allows(schema, value)]).toEqual([value, true]);
		for (const value of field.bad) expect([value, contract.allows(schema, value)]).toEqual([value, false]);
	});
});

/** Each runs on a new installation, because the examples use the ids of what is created first. */
const journeys = {
	'from the first store to its end': `
		getHealth getMe getOwnPassword renewToken getOwnPermissions listPermissionPolicies getPermissionDefinitions
		createStore listStores getStore updateStore proposeRoleCode createRole listRoles getRole updateRole
		replaceRolePermissions getRolePermissions createEmployee listEmployeeOptions listEmployees listStoreEmployees
		listRoleEmployees getEmployee explainEmployeeAccess getOverview giveEmployeeRole updateEmployee setEmployeeStatus
		login adminLogin employeeLogin changeEmployeePassword resetEmployeePassword giveOneTimePassword
		giveOneTimePasswords deleteEmployee deleteRole deleteStore`,
	'an employee removed through the store': 'createStore createEmployee removeStoreEmployee',
	'an employee who comes back': 'createStore createEmployee deleteEmployee restoreEmployee',
	'many at once, and back': 'createStore createEmployee changeEmployees undoEmployeeChanges',
	'a store that closes': 'createStore closeStore',
	'what happened, and signing out': 'listHistory getHistoryRecord logout',
	'a new password of one’s own': 'changeOwnPassword',
	'the own account': 'listOwnSignIns getSecondFactor startSecondFactor',
};
const wordsOf = (text: string) => text.trim().split(/\s+/);

/** The page offers their answers and takes their bodies as files: import.test.ts and store-files.test.ts have them. */
const fileOperations = [
	...['exportEmployees', 'exportHistory', 'getImportTemplate', 'importEmployees', 'markImport'],
	...['exportStores', 'importStores', 'markStoreImport'],
];

/** They take the code of the moment: second-factor.test.ts has them. */
const codeOperations = ['enableSecondFactor', 'disableSecondFactor', 'removeEmployeeSecondFactor'];

describe('the examples work as given', () => {
	/** The password in the examples: the requests sign in with it and change it. */
	const password = 'correct-horse-battery';

	let installation: Service;
	beforeAll(async () => {
		installation = await Service.start({ password });
		installation.keep();
	});

	test.each(Object.entries(journeys))('%s', async (_, operationIds) => {
		installation.rewind();
		for (const operationId of wordsOf(operationIds)) {
			// Its example moves the people of the first store to a second one.
			if (operationId === 'closeStore') await installation.addStore();
			const endpoint = operationNamed(document, operationId);
			const { method, path, query, body } = exampleOf(endpoint);
			const { status, text } = await installation.asSuper(method, `${path}?${new URLSearchParams(query)}`, body);
			expect([operationId, status, text]).toEqual([operationId, successOf(endpoint), text]);
		}
	});

	test('every operation is in one of these journeys', () => {
		const tried = new Set([...Object.values(journeys).flatMap(wordsOf), ...fileOperations, ...codeOperations]);
		const all = endpointsOf(document).map(({ operation }) => operation.operationId);
		expect([...tried].toSorted()).toEqual(all.toSorted());
	});
});

function expectExample(where: string, schema: Schema, example: unknown): void {
	expect(example, `${where} has no example`).toBeDefined();
	const [valid, errors] = contract.validator(schema).Errors(example);
	expect(valid ? [] : errors, `${where}: ${JSON.stringify(example)}`).toEqual([]);
}

/** Whether a text stands for a value of the schema: numbers and booleans in their one spelling. */
function isValid(schema: Schema, text: string): boolean {
	if (schema.type === 'boolean') return text === 'true' || text === 'false';
	if (schema.type !== 'integer') return contract.validator(schema).Check(text);
	return String(Number(text)) === text && contract.validator(schema).Check(Number(text));
}

/** Every schema in the document, with the schemas inside it. */
function* allSchemas(): Generator<[where: string, schema: Schema]> {
	for (const [name, schema] of Object.entries(document.components.schemas)) yield* within(name, schema);
	for (const endpoint of endpoints) {
		const { parameters = [], requestBody, responses } = operationOf(endpoint);
		for (const { name, schema } of parameters) yield* within(`${nameOf(endpoint)} ${name}`, schema);
		const media = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
		for (const { schema } of media) yield* within(nameOf(endpoint), schema);
	}
}

function* within(where: string, schema: Schema): Generator<[where: string, schema: Schema]> {
	yield [where, schema];
	for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
		yield* within(`${where}.${name}`, property);
	}
	if (schema.items) yield* within(`${where}[]`, schema.items as Schema);
	for (const part of (schema.allOf ?? []) as Schema[]) yield* within(`${where}&`, part);
	for (const alternative of (schema.anyOf ?? []) as Schema[]) yield* within(`${where}|`, alternative);
}

const typesOf = ({ type }: Schema) => (type === undefined ? [] : [type].flat().map(String));

describe('schemas', () => {
	test('say their type, refer to one, are a choice, or only list required fields', () => {
		const keywords = ['type', '$ref', 'anyOf', 'oneOf', 'required'];
		const all = Array.from(allSchemas());
		expect(all.length).toBeGreaterThan(200);
		expect(all.filter(([, schema]) => !keywords.some((keyword) => keyword in schema))).toEqual([]);
	});

	test('have patterns that match whole texts, and mean the same with and without the u flag', () => {
		const unit = fc.constantFrom(...'aZ09_.%王😀é \t\n\r\v\f\0\u007f\u0085\u200b\u2028\u202e\u2800\ufb2c\udfff\ud800');
		const samples = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 500, seed: 3 });
		const patterns = new Set(
			Array.from(allSchemas(), ([, schema]) => schema.pattern).filter((each) => each !== undefined),
		);
		expect(patterns.size).toBeGreaterThan(4);
		for (const pattern of patterns) {
			expect(pattern).toMatch(/^\^.*\$$/s);
			const [plain, unicode] = [new RegExp(String(pattern)), new RegExp(String(pattern), 'u')];
			for (const sample of samples)
				expect([pattern, sample, unicode.test(sample)]).toEqual([pattern, sample, plain.test(sample)]);
		}
	});

	test.each(Object.entries(resources))('%s has the fields of the contract', (name, fields) => {
		const { properties = {}, required = [] } = document.components.schemas[name] ?? {};
		const all = fields.split(' ');
		expect(Object.keys(Object(properties)).toSorted()).toEqual(all.map((field) => field.replace('?', '')).toSorted());
		const always = all.filter((field) => !field.endsWith('?'));
		expect([required].flat().map(String).toSorted()).toEqual(always.toSorted());
	});

	const nullable = [
		...['Store.address', 'Store.phone', 'StoreOption.address', 'StoreOption.phone'],
		...['StoreDetail.address', 'StoreDetail.phone', 'Role.description', 'Employee.remark'],
		...['Employee.lastSignInAt', 'Employee.leavesOn', 'Employee.roleEnds[].until'],
	];
	test('allow null in optional texts only', () => {
		const found = new Set<string>();
		for (const name of Object.keys(resources)) {
			for (const [where, schema] of within(name, document.components.schemas[name] ?? {})) {
				if (typesOf(schema).includes('null')) found.add(where.replace('|', ''));
			}
		}
		expect([...found].toSorted()).toEqual(nullable.toSorted());
	});
});
