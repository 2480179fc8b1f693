/** Builds the OpenAPI document from the routes, so that it publishes what they enforce. */
import type { AnyElysia } from 'elysia';
import { version } from '../../package.json';
import { answerHeaders } from '../http/reply.ts';
import { permitOf } from '../session/session.ts';
import { publishSchema, type Schema, type Schemas, sampleOf } from './schema.ts';

const info = {
	title: 'Access',
	version,
	description:
		'Stores, roles, employees and permission points of a store chain, and the sign-in of its people. ' +
		'Sign in with one of the logins, then give its token as `Authorization: Bearer <token>`.',
};

const tags = [
	{ name: 'Authentication', description: 'Signing in, and who is signed in.' },
	{ name: 'Stores', description: 'The stores of the chain and the people in them.' },
	{ name: 'Employees', description: 'The people who work in the stores.' },
	{ name: 'Roles', description: 'Named sets of permissions that employees hold.' },
	{ name: 'Permissions', description: 'What each role may do.' },
	{ name: 'Overview', description: 'The chain in numbers.' },
	{ name: 'History', description: 'Who changed what, and who signed in.' },
	{ name: 'Health', description: 'Whether the service works.' },
];

/** The OpenAPI 3.1 document of every route that is not hidden. */
export function createDocument(app: AnyElysia): object {
	const schemas: Schemas = {};
	const paths: Record<string, Record<string, object>> = {};
	for (const { method, path, hooks } of app.routes) {
		if (hooks.detail?.hide) continue;
		const { params, query, headers, body, response, detail }: Hooks = hooks;
		const template = path.replace(/:(\w+)/g, '{$1}');
		paths[template] ??= {};
		paths[template][method.toLowerCase()] = {
			...publishOperation(toJson({ params, query, headers, body, response, detail }), schemas),
			...securityOf(hooks),
		};
	}
	return toJson({
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
					description: 'The `data.token` of a login, with or without `Bearer` before it. It is valid for two hours.',
				},
			},
			headers: answerHeaders,
			schemas,
		},
	});
}

/** What a route says about itself. */
interface Hooks {
	params?: Schema | undefined;
	query?: Schema | undefined;
	headers?: Schema | undefined;
	body?: Schema | undefined;
	response: { [status: string]: Schema };
	detail: object;
}

function publishOperation({ params, query, headers, body, response, detail }: Hooks, schemas: Schemas) {
	const parameters = [
		...publishParameters('header', headers, schemas),
		...publishParameters('path', params, schemas),
		...publishParameters('query', query, schemas),
	];
	return {
		...detail,
		...(parameters.length > 0 && { parameters }),
		...(body && {
			requestBody: { required: true, description: body.description, content: publishContent(body, [], schemas) },
		}),
		responses: Object.fromEntries(
			Object.entries(response).map(([status, each]) => [status, publishResponse(each, schemas)]),
		),
	};
}

/**
 * An optional parameter shows its example in the description only: Swagger UI sends every `example` that it finds, so
 * a list that is tried out untouched would be filtered.
 */
function publishParameters(place: string, { properties = {}, required = [] }: Schema = {}, schemas: Schemas) {
	return Object.entries(properties).map(([name, { description, examples, ...schema }]) => {
		const example = sampleOf({ examples, ...schema });
		const parameter = { name, in: place, schema: publishSchema(schema, schemas) };
		return required.includes(name)
			? { ...parameter, required: true, description, example }
			: { ...parameter, required: false, description: `${description} Example: \`${example}\`.` };
	});
}

function publishResponse({ description = 'Done.', headers = [], examples, ...schema }: Schema, schemas: Schemas) {
	const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
	const content = schema.type !== 'void' && { content: publishContent(schema, examples ?? [], schemas) };
	return { description, headers: Object.fromEntries(named), ...content };
}

/** JSON, or a file as the whole body: its bytes are no JSON. */
function publishContent(schema: Schema, examples: readonly unknown[], schemas: Schemas): object {
	const file = { schema: { type: 'string', format: 'binary' } };
	if (schema.contentTypes) return Object.fromEntries(schema.contentTypes.map((type) => [type, file]));
	const shown = publishExamples(examples.length > 0 ? examples : [sampleOf(schema)]);
	return { 'application/json': { schema: publishSchema(schema, schemas), ...shown } };
}

/** OpenAPI has one field for a single example and another for several, which have names. */
function publishExamples(examples: readonly unknown[]) {
	const [example, ...others] = examples;
	if (others.length === 0) return { example };
	return { examples: Object.fromEntries(examples.map((value, index) => [`example ${index + 1}`, { value }])) };
}

function securityOf(hooks: Parameters<typeof permitOf>[0] & { detail?: { description?: string } }) {
	const permit = permitOf(hooks);
	if (!permit) return { security: [] };
	const groups = permit.groups.map((codes) => codes.map((code) => `\`${code}\``).join(' or '));
	const needs = groups.length > 0 ? `Needs ${groups.join(', and ')}.` : 'For any signed-in account.';
	return { security: [{ bearer: [] }], description: [needs, hooks.detail?.description].filter(Boolean).join(' ') };
}

/** Without the functions and symbols by which the routes check. */
function toJson<T>(value: T): T {
	return JSON.parse(JSON.stringify(value));
}
