/** Builds the OpenAPI document from the routes, so that it publishes what they enforce. */
import { swagger } from '@elysiajs/swagger';
import { type AnyElysia, Elysia } from 'elysia';
import { version } from '../../../package.json';
import { permitOf } from '../../identity/session/session.ts';
import { answerHeaders } from '../../platform/http/reply.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { examplesOf } from './examples.ts';
import { publishSchema, type Schema, sampleOf } from './schema.ts';

const info = {
	title: 'Access',
	version,
	license: { name: 'All rights reserved', identifier: 'LicenseRef-AllRightsReserved' },
	description:
		'Stores, roles, employees and permission points of a store chain, and the sign-in of its people. ' +
		'Sign in with one of the logins, then give its token as `Authorization: Bearer <token>`; a program gives its key.',
};

const tags = [
	{ name: 'Authentication', description: 'Signing in, and who is signed in.' },
	{ name: 'Administrators', description: 'The accounts that may do everything.' },
	{ name: 'Chain', description: 'The chain as a whole.' },
	{ name: 'Stores', description: 'The stores of the chain and the people in them.' },
	{ name: 'Areas', description: 'Parts of the chain, each with some of its stores.' },
	{ name: 'Employees', description: 'The people who work in the stores.' },
	{ name: 'Roles', description: 'Named sets of permissions that employees hold.' },
	{ name: 'Permissions', description: 'What each role may do.' },
	{ name: 'Approvals', description: 'Asking somebody with more rights.' },
	{ name: 'Pinyin', description: 'How Chinese characters are read.' },
	{ name: 'Programs', description: 'What calls with a key of its own instead of an account.' },
	{ name: 'Changes', description: 'What changed, for programs that keep a copy.' },
	{ name: 'Overview', description: 'The chain in numbers.' },
	{ name: 'History', description: 'Who changed what, and who signed in.' },
	{ name: 'Health', description: 'Whether the service works.' },
];

/** The OpenAPI 3.1 document of every route that is not hidden. */
export async function createDocument(app: AnyElysia): Promise<object> {
	const schemas: Record<string, Schema> = {};
	const paths: Record<string, Record<string, unknown>> = {};
	const generated = await generate(app);
	for (const { method, path, hooks } of app.routes) {
		if (hooks.detail?.hide) continue;
		const [template, verb] = [path.replace(/:(\w+)/g, '{$1}'), method.toLowerCase()];
		const operation = generated[template]?.[verb];
		if (!operation) throw new Error(`the generator left out ${method} ${path}`);
		const published = publishOperation(operation, schemas);
		paths[template] = { ...paths[template], [verb]: { ...published, ...securityOf(published, permitOf(hooks)) } };
	}
	return {
		openapi: '3.1.0',
		info,
		// Relative to where the document is served, so that it also holds behind a proxy that adds a prefix.
		servers: [{ url: '..', description: 'The service that this document comes from.' }],
		tags,
		paths,
		components: {
			securitySchemes: {
				bearer: {
					type: 'http',
					scheme: 'bearer',
					bearerFormat: 'JWT',
					description: `The \`data.token\` of a login, with or without \`Bearer\` before it. It is valid for ${tokenLifetime.words}. Or the key of a program.`,
				},
			},
			headers: answerHeaders,
			schemas,
		},
	};
}

/** What the plugin makes of the routes; of copies, because its own request must not be logged or guarded as one of a client. */
async function generate(app: AnyElysia): Promise<Record<string, Record<string, Operation>>> {
	const copies = new Elysia();
	for (const { method, path, hooks } of app.routes) {
		const { detail, headers, params, query, body, response } = hooks;
		copies.route(method, path, () => {}, { detail, headers, params, query, body, response });
	}
	copies.use(swagger({ path: '/page', specPath: '/document' }));
	const answer = await copies.handle(new Request('http://localhost/document'));
	const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> };
	return paths;
}

interface Content {
	[contentType: string]: { schema: Schema };
}

interface Operation {
	description?: string;
	operationId: string;
	parameters?: { name: string; in: string; required: boolean; description: string; schema: Schema }[];
	requestBody?: { content: Content };
	responses: { [status: string]: Schema & { content?: Content; headers?: string[] } };
}

/** Keeps JSON bodies and OpenAPI 3.1 keywords only, and adds examples. */
function publishOperation(operation: Operation, schemas: Record<string, Schema>) {
	const { parameters, requestBody, responses, ...rest } = operation;
	return {
		...rest,
		...(parameters && { parameters: parameters.map((parameter) => publishParameter(parameter, schemas)) }),
		...(requestBody && { requestBody: publishBody(requestBody.content, schemas) }),
		responses: Object.fromEntries(
			Object.entries(responses).map(([status, response]) => [status, publishResponse(status, response, schemas)]),
		),
	};
}

type Parameter = NonNullable<Operation['parameters']>[number];

/**
 * An optional parameter shows its example in the description only: Swagger UI sends every `example` that it finds, so
 * a list that is tried out untouched would be filtered.
 */
function publishParameter(parameter: Parameter, schemas: Record<string, Schema>) {
	const { name, in: place, required, description, schema, ...rest } = parameter;
	const example = sampleOf({ ...schema, ...rest });
	const { examples: _, ...withoutExamples } = schema;
	const shown = required
		? { description, example, schema: publishSchema(schema, schemas) }
		: { description: `${description} Example: \`${example}\`.`, schema: publishSchema(withoutExamples, schemas) };
	return { name, in: place, required, ...shown };
}

function publishBody(content: Content, schemas: Record<string, Schema>) {
	const schema = content['application/json']?.schema ?? {};
	return { required: true, description: schema.description, content: publishContent(schema, schemas) };
}

/** The generator moves a schema's title and examples out of the schema; the title has to go back. */
function publishResponse(status: string, response: Operation['responses'][string], schemas: Record<string, Schema>) {
	const { description = 'Done.', headers = [], title, examples = examplesOf(status), content } = response;
	const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
	const schema = content?.['application/json']?.schema;
	const published = schema && publishContent({ ...schema, ...(title && { title }) }, schemas, examples);
	return { description, headers: Object.fromEntries(named), ...(published && { content: published }) };
}

/** A file as the whole body is no JSON: it is its bytes. */
function publishContent(schema: Schema, schemas: Record<string, Schema>, examples: unknown[] = [sampleOf(schema)]) {
	if (!schema.contentTypes) {
		return { 'application/json': { schema: publishSchema(schema, schemas), ...publishExamples(examples) } };
	}
	const bytes = { schema: { type: 'string', format: 'binary' } };
	return Object.fromEntries(schema.contentTypes.map((type) => [type, bytes]));
}

/** OpenAPI has one field for a single example and another for several, which have names. */
function publishExamples(examples: readonly unknown[]) {
	const [example, ...others] = examples;
	if (others.length === 0) return { example };
	return { examples: Object.fromEntries(examples.map((value, index) => [`example ${index + 1}`, { value }])) };
}

function securityOf({ description }: { description?: string }, permit: ReturnType<typeof permitOf>) {
	if (!permit) return { security: [] };
	const groups = permit.groups.map((codes) => codes.map((code) => `\`${code}\``).join(' or '));
	const needs = groups.length > 0 ? `Needs ${groups.join(', and ')}.` : 'For any signed-in account.';
	return { security: [{ bearer: [] }], description: [needs, description].filter(Boolean).join(' ') };
}
