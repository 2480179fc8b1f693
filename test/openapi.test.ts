import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
	agreesWithWords,
	type Contract,
	type Document,
	endpointsOf,
	exampleOf,
	fetchDocument,
	type Operation,
	operationNamed,
	schemasIn,
	successOf,
} from './contract.ts';
import { Service } from './harness.ts';
import {
	type Endpoint,
	endpoints,
	fieldsOf,
	fill,
	isConditional,
	isTagged,
	nameOf,
	namesOf,
	resources,
	signsIn,
	takesDevice,
	words,
} from './oracle.ts';

type Schema = Record<string, unknown>;

const service = await Service.start();
const contract = service.contract as Contract;
const document = contract.document as Document & { info: Schema; components: { securitySchemes: Schema } };

/** The operation of an endpoint, whatever its path parameters are called. */
function operationOf({ method, path }: Endpoint): Operation {
	const found = contract.operationOf(method, fill(path, 1));
	if (!found) throw new Error(`${method} ${path} is not in the document`);
	return found.operation;
}

/** Resolves a schema that may be a reference. */
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

	test('is shown by a page that runs and reaches nothing but what the service serves', async () => {
		const { headers } = await service.app.handle(new Request('http://localhost/swagger'));
		const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
		const more = "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
		expect(headers.get('content-security-policy')).toBe(`${policy}; ${more}`);
	});

	test('is the same with every optional setting, so all that these tests say of it holds for it', async () => {
		const other = await Service.start({ corsOrigins: ['https://shop.example'], tls: true });
		// The framework changes the schemas of a route at its first request.
		await other.addStore();
		expect(await fetchDocument(other.app)).toEqual(document);
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
		const names = inQuery.map(({ name }) => name).toSorted();
		expect(names, 'its parameters in oracle.ts').toEqual(Object.keys(endpoint.query ?? {}).toSorted());
		expect(parameters.map(({ required }) => required)).toEqual(parameters.map((parameter) => parameter.in === 'path'));
	});

	test.each(table)('%s takes the body of the contract, as JSON only', (_, endpoint) => {
		const { requestBody } = operationOf(endpoint);
		const { content = {} } = requestBody ?? {};
		expect(Object.keys(content)).toEqual([...(endpoint.takesFile ?? (endpoint.body ? [json] : []))]);
		if (endpoint.takesFile) for (const { schema } of Object.values(content)) expect(schema).toEqual(binary);
		if (!endpoint.body) return;
		expect(requestBody).toMatchObject({ required: true });
		const { properties = {}, required = [] } = resolve(content[json]?.schema ?? {});
		const found = Object.keys(properties as Schema);
		expect(found.toSorted(), 'its fields in oracle.ts').toEqual(Object.keys(endpoint.body).toSorted());
		const asked = Object.entries(endpoint.body).flatMap(([name, field]) => (field.required ? [name] : []));
		expect((required as string[]).toSorted()).toEqual(asked.toSorted());
	});

	/** Writes can meet a full disk, password checks a full queue, files a busy reader, and downloads many others. */
	const mayBeUnavailable = ({ path, method, writes, writesNothing, takesFile, answersFile }: Endpoint) => {
		const isFile = takesFile !== undefined || answersFile !== undefined;
		return path === '/health' || isFile || writes === true || (method !== 'GET' && !writesNothing);
	};

	const isCreation = /^\/api\/(stores|areas|roles|employees|programs|administrators|permissions\/points)$/;
	function successesOf({ method, path, takesFile, answersFile }: Endpoint): number[] {
		// A dry run creates nothing.
		if (takesFile && !answersFile) return [200, 201];
		if (method === 'POST' && path === '/api/approvals') return [200, 201];
		if (method === 'DELETE' || path === '/api/auth/logout') return [204];
		return method === 'POST' && isCreation.test(path) ? [201] : [200];
	}

	test.each(table)('%s announces one success and every possible refusal', (_, endpoint) => {
		const statuses = statusesOf(operationOf(endpoint));
		expect(statuses.filter((status) => status < 300)).toEqual(successesOf(endpoint));
		expect(statuses).toContain(500);
		if (endpoint.path !== '/health') expect(statuses).toContain(401);
		expect(statuses.includes(403)).toBe(!endpoint.public);
		// Some of many ids may be unknown, and so may a subject.
		expect(statuses.includes(404)).toBe(
			/:|^GET .api.approvals|\/one-time-passwords$|(stores|employees)\/changes$/.test(nameOf(endpoint)),
		);
		expect(statuses.includes(412)).toBe(isConditional(endpoint));
		expect(statuses.includes(413)).toBe(endpoint.body !== undefined || endpoint.takesFile !== undefined);
		expect(statuses.includes(503)).toBe(mayBeUnavailable(endpoint));
		expect(statuses.includes(429)).toBe(endpoint.path !== '/health');
		expect(statuses.includes(409)).toBe(conflicting.includes(nameOf(endpoint)));
		if (endpoint.body || endpoint.query || endpoint.path.includes(':')) expect(statuses).toContain(400);
	});

	const conflicting = namesOf({
		POST: `
			/api/stores /api/stores/:id/close /api/areas /api/programs /api/administrators /api/permissions/points
			/api/roles /api/employees /api/employees/:id/restore /api/employees/changes/:groupId/undo
			/api/auth/me/second-factor/recovery-codes /api/auth/me/second-factor
		`,
		PUT: '/api/auth/me/second-factor',
		PATCH: '/api/stores/:id /api/areas/:id /api/programs/:id /api/roles/:id /api/employees/:id',
		DELETE: '/api/stores/:id /api/permissions/points/:id /api/roles/:id /api/auth/me/second-factor',
	});
	function headersOf(endpoint: Endpoint, status: string): string[] {
		const names = ['X-Request-Id', 'X-Ignored-Parameters'];
		if (status === '401') return [...names, 'WWW-Authenticate'];
		if (Number(status) > 299) return ['429', '503'].includes(status) ? [...names, 'Retry-After'] : names;
		if (isTagged(endpoint) || (status === '200' && endpoint.path.endsWith('/import'))) names.push('ETag');
		if (signsIn(endpoint)) names.push('Device-Token');
		return endpoint.answersFile ? [...names, 'Content-Disposition'] : names;
	}

	test.each(table)('%s announces the headers of each answer', (_, endpoint) => {
		for (const [status, { headers }] of Object.entries(operationOf(endpoint).responses)) {
			const references = headersOf(endpoint, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
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
		const errorCodes = words(`
			VALIDATION_ERROR BAD_REQUEST UNAUTHORIZED FORBIDDEN NOT_FOUND METHOD_NOT_ALLOWED CONFLICT
			PRECONDITION_FAILED PAYLOAD_TOO_LARGE TOO_MANY_REQUESTS SERVICE_UNAVAILABLE INTERNAL_SERVER_ERROR
		`);
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
		const bodies = endpoints
			.filter(({ body }) => body)
			.map((each) => operationOf(each).requestBody?.content[json]?.schema);
		for (const schema of bodies) expect(schema?.$ref).toMatch(/^#.components.schemas.([A-Z][a-z]+)+$/);
		// The sign-ins share one schema. So do the password changes, and the area changes.
		expect(new Set(bodies.map((schema) => schema?.$ref)).size).toBe(bodies.length - 4);
	});

	const fields = fieldsOf(endpoints, 'body');
	test.each(fields)('%s: the good values of %s are allowed, the bad ones are not', (_, name, endpoint, field) => {
		const { properties } = resolve(operationOf(endpoint).requestBody?.content[json]?.schema ?? {});
		const schema = (properties as Record<string, Schema>)[name] ?? {};
		for (const value of field.good) expect([value, contract.allows(schema, value)]).toEqual([value, true]);
		for (const value of field.bad) expect([value, contract.allows(schema, value)]).toEqual([value, false]);
	});

	const queries = fieldsOf(endpoints, 'query');
	test.each(queries)('%s?%s= allows the good values, and not the bad ones', (_, name, endpoint, field) => {
		const { schema = {}, description } = operationOf(endpoint).parameters?.find((each) => each.name === name) ?? {};
		const allows = (value: unknown) => {
			const text = decodeURIComponent(String(value));
			return isValid(schema, text) && agreesWithWords(text, description);
		};
		// Broken UTF-8 is no text.
		const texts = field.bad.filter((value) => !/%F0$|%E0%A4%A$/.test(String(value)));
		expect([field.good.filter((value) => !allows(value)), texts.filter(allows)]).toEqual([[], []]);
	});
});

/** Each runs on a new installation, because the examples use the first ids. */
const journeys = {
	'from the first store to its end': `
		getHealth getMe getOwnPassword renewToken getOwnPermissions listOwnPermissionDefinitions listPermissionPolicies
		getPermissionDefinitions getChain nameChain createArea listAreas getArea updateArea createStore listStores
		listAllStores listStoreOptions listStorePage listStoreActivity getStore updateStore changeStores listReadings
		proposeRoleCode createRole listRoles listAllRoles listRolePage getRole updateRole replaceRolePermissions
		getRolePermissions createEmployee listEmployeeOptions listEmployees listStoreEmployees listRoleEmployees
		countRoleHolders getEmployee getEmployeeReach replaceEmployeeReach explainEmployeeAccess listHelpers getOverview
		getReachOverview giveEmployeeRole updateEmployee setEmployeeStatus login adminLogin employeeLogin
		changeEmployeePassword resetEmployeePassword giveOneTimePassword giveOneTimePasswords deleteEmployee deleteRole
		deleteStore deleteArea`,
	'an employee removed through the store': 'createStore createEmployee removeStoreEmployee',
	'an employee who comes back': 'createStore createEmployee deleteEmployee restoreEmployee',
	'many at once, and back': 'createStore createEmployee changeEmployees undoEmployeeChanges',
	'a store that closes': 'createStore closeStore getStoreClosing',
	'a point of the chain':
		'createPermissionPoint listPermissionPoints getPermissionPoint updatePermissionPoint deletePermissionPoint',
	'a program': 'createProgram listPrograms getProgram updateProgram renewProgramKey renewClientSecret deleteProgram',
	'another super administrator': 'createAdministrator listAdministrators deleteAdministrator',
	'what happened, and signing out': 'listHistory getHistoryRecord listChanges logout',
	'a new password of one’s own': 'changeOwnPassword',
	'one’s own account': 'listOwnSignIns getSecondFactor startSecondFactor',
	'the sign-ins of somebody': 'createStore createEmployee endEmployeeSignIns',
};

/** The page uses files for their bodies and answers. import.test.ts and store-files.test.ts cover them. */
const fileOperations = words(`
	exportEmployees exportHistory getImportTemplate importEmployees markImport exportStores getStoreImportTemplate
	importStores markStoreImport
`);

/** They take the current code, or a token of a sign-in. second-factor.test.ts and own-account.test.ts cover them. */
const codeOperations = words(`
	enableSecondFactor disableSecondFactor renewRecoveryCodes removeEmployeeSecondFactor getApprovalCode
	listOwnApprovals requestApproval getApproval listApprovals endOwnSignIn
`);

describe('the examples work as given', () => {
	/** The password in the examples: the requests sign in with it and change it. */
	const password = 'correct-horse-battery';

	test.each(Object.entries(journeys))('%s', async (_, operationIds) => {
		const installation = await Service.start({ password });
		for (const operationId of words(operationIds)) {
			// Its example moves the people of the first store to a second one.
			if (operationId === 'closeStore') await installation.addStore();
			const endpoint = operationNamed(document, operationId);
			const { method, path, query, body } = exampleOf(endpoint);
			const address = `${path}?${new URLSearchParams(query)}`;
			const { status, text, body: answer } = await installation.asSuper(method, address, body);
			expect(status, `${operationId} refuses its own example: ${text}`).toBe(successOf(endpoint));
			const example = endpoint.operation.responses[status]?.content?.[json]?.example;
			expect(differingMembers(operationId, example, answer)).toEqual([]);
		}
	});

	test('every operation is in one of these journeys', () => {
		const tried = new Set([...Object.values(journeys).flatMap(words), ...fileOperations, ...codeOperations]);
		const all = endpointsOf(document).map(({ operation }) => operation.operationId);
		const cause = 'a new operation is tried in one of `journeys`; one with a file or a code is named below them';
		expect([...tried].toSorted(), cause).toEqual(all.toSorted());
	});
});

/** Objects with other members in an example than in an answer, among the objects that both have. */
function differingMembers(where: string, example: unknown, answer: unknown): string[] {
	if (Array.isArray(example) && Array.isArray(answer)) return differingMembers(`${where}[]`, example[0], answer[0]);
	if (typeof example !== 'object' || typeof answer !== 'object' || !example || !answer) return [];
	// The super administrator has no store.
	if ('accountType' in example && example.accountType !== Object(answer).accountType) return [];
	const [shown, answered] = [example, answer].map((each) => Object.keys(each).toSorted().join(' '));
	const inside = Object.entries(example).flatMap(([name, member]) =>
		differingMembers(`${where}.${name}`, member, (answer as Schema)[name]),
	);
	return shown === answered ? inside : [`${where} shows ${shown}, and answers ${answered}`, ...inside];
}

function expectExample(where: string, schema: Schema, example: unknown): void {
	expect(example, `${where} has no example`).toBeDefined();
	const [valid, errors] = contract.validator(schema).Errors(example);
	expect(valid ? [] : errors, `${where}: ${JSON.stringify(example)}`).toEqual([]);
}

/** Whether a text represents a value of the schema. Numbers and booleans have one spelling. */
function isValid(schema: Schema, text: string): boolean {
	if (schema.type === 'boolean')
		return /^(?:true|false)$/.test(text) && contract.validator(schema).Check(text === 'true');
	if (schema.type !== 'integer') return contract.validator(schema).Check(text);
	return String(Number(text)) === text && contract.validator(schema).Check(Number(text));
}

/** Every schema in the document, with the schemas inside it. */
function* allSchemas(): Generator<[where: string, schema: Schema]> {
	for (const [name, schema] of Object.entries(document.components.schemas)) yield* schemasIn(name, schema);
	for (const endpoint of endpoints) {
		const { parameters = [], requestBody, responses } = operationOf(endpoint);
		for (const { name, schema } of parameters) yield* schemasIn(`${nameOf(endpoint)} ${name}`, schema);
		const media = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
		for (const { schema } of media) yield* schemasIn(nameOf(endpoint), schema);
	}
}

describe('schemas', () => {
	test('have patterns that match whole texts, and mean the same with and without the u flag', () => {
		const unit = fc.constantFrom(...'aZ09_.%王😀é \t\n\r\v\f\0\u007f\u0085\u200b\u2028\u202e\u2800\ufb2c\udfff\ud800');
		const samples = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 500, seed: 3 });
		const patterns = new Set(Array.from(allSchemas(), ([, { pattern }]) => pattern).filter(Boolean));
		expect(patterns.size).toBeGreaterThan(4);
		for (const pattern of patterns) {
			expect(pattern).toMatch(/^\^.*\$$/s);
			const [plain, unicode] = [new RegExp(String(pattern)), new RegExp(String(pattern), 'u')];
			for (const sample of samples)
				expect([pattern, sample, unicode.test(sample)]).toEqual([pattern, sample, plain.test(sample)]);
		}
	});

	const typesOf = ({ type, anyOf }: Schema) => [type, ...[anyOf ?? []].flat().map((each) => Object(each).type)].flat();
	const isNullable = (schema: Schema) => typesOf(schema).includes('null');

	test.each(Object.entries(resources))('%s has the fields of the contract', (name, fields) => {
		const { properties = {}, required = [] } = document.components.schemas[name] ?? {};
		const absent = (field: string) => ([required].flat().includes(field) ? '' : '?');
		const marked = (field: string, schema: Schema) => field + (isNullable(schema) ? '~' : '') + absent(field);
		const found = Object.entries<Schema>(Object(properties)).map((each) => marked(...each));
		expect(found.toSorted(), 'its fields in `resources` of oracle.ts').toEqual(fields.split(' ').toSorted());
	});

	test('describe a null by the field that can have it, never as a thing of its own', () => {
		const nulls = Array.from(allSchemas()).filter(([, { type }]) => type === 'null');
		expect(nulls).not.toBeEmpty();
		for (const [, schema] of nulls) expect(schema).toEqual({ type: 'null' });
	});

	test('allow null within a field for last days only', () => {
		const all = Object.keys(resources).flatMap((name) => [...schemasIn(name, document.components.schemas[name] ?? {})]);
		const within = all.filter(([where, schema]) => where.split('.').length > 2 && isNullable(schema));
		const found = within.map(([where]) => where).toSorted();
		expect(found).toEqual(['Employee.roleEnds[].until', 'Reach.areas[].until', 'Reach.stores[].until']);
	});
});
