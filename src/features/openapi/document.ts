/** Builds the OpenAPI document from the routes, so that it publishes what they enforce. */
import { swagger } from '@elysiajs/swagger';
import type { TObject } from '@sinclair/typebox';
import { type AnyElysia, Elysia } from 'elysia';
import { version } from '../../../package.json';
import { permitOf } from '../../identity/session/session.ts';
import type { Schema } from '../../platform/http/fields.ts';
import { answerHeaders } from '../../platform/http/reply.ts';
import { yieldToRequests } from '../../platform/machine/background.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { type Described, examplesOf } from './examples.ts';
import { describeMembers } from './members.ts';
import { placeOf, sections } from './outline.ts';
import { publishSchema, sampleOf } from './schema.ts';

/** Relative to the service, where Swagger UI looks for it, also behind a proxy that adds a prefix. */
const pageAt = (name: string) => `swagger/docs/${name}`;

const info = {
	title: 'Access',
	version,
	license: { name: 'All rights reserved', identifier: 'LicenseRef-AllRightsReserved' },
	description:
		'Stores, roles, employees and permission points of a store chain, and the sign-in of its people. ' +
		'Sign in with one of the logins, then give its token as `Authorization: Bearer <token>`; a program gives its key.\n\n' +
		`[Pages for integrators](${pageAt('README')}): signing in, permissions, people, files, copies, and three programs. ` +
		`[What changed](${pageAt('changelog')}).`,
};

const tags = sections.map(({ name, description, page, isBasic = false }) => ({
	name,
	description,
	externalDocs: { url: pageAt(page), description: 'More about this' },
	'x-basic': isBasic,
}));

/** The OpenAPI 3.1 document of every route that is not hidden. */
export async function createDocument(app: AnyElysia): Promise<object> {
	const schemas: Record<string, Schema> = {};
	const operations = await describeOperations(app, schemas);
	const paths: Record<string, Record<string, unknown>> = {};
	for (const { template, verb, operation } of operations.toSorted((a, b) => a.position - b.position)) {
		paths[template] = { ...paths[template], [verb]: operation };
	}
	return {
		openapi: '3.1.0',
		info,
		// Relative to where the document is served, so that it also holds behind a proxy that adds a prefix.
		servers: [{ url: '..', description: 'The service that this document comes from.' }],
		tags,
		externalDocs: { url: pageAt('README'), description: 'Pages for integrators' },
		paths,
		components: { securitySchemes: { bearer }, headers: answerHeaders, schemas },
	};
}

const bearer = {
	type: 'http',
	scheme: 'bearer',
	bearerFormat: 'JWT',
	description: `The \`data.token\` of a login, valid for ${tokenLifetime.words}, or the key of a program.`,
};

/** The operation of each route, with its place in the document. Named schemas are added to `schemas`. */
async function describeOperations(app: AnyElysia, schemas: Record<string, Schema>) {
	const generated = generate(app);
	const operations = [];
	for (const [index, { method, path, hooks }] of app.routes.entries()) {
		if (hooks.detail?.hide) continue;
		const [template, verb] = [templateOf(path, hooks.params), method.toLowerCase()];
		const operation = generated[`/${index}`]?.[verb];
		if (!operation) throw new Error(`the generator left out ${method} ${path}`);
		const described = { operationId: operation.operationId, path: template, permit: permitOf(hooks), hooks };
		const { position, ...place } = placeOf(operation.operationId);
		const published = publishOperation(operation, schemas, { ...place, ...described });
		operations.push({ position, template, verb, operation: published });
		await yieldToRequests();
	}
	return operations;
}

/** A path of the document, with the names of its schema: the router has one name for a part of several paths. */
function templateOf(path: string, params?: TObject): string {
	const names = Object.keys(params?.properties ?? {});
	return path.replace(/:\w+/g, () => `{${names.shift()}}`);
}

type Generated = Record<string, Record<string, Operation>>;

/** The operations that the plugin generates, by the number of the route. It gets copies of the routes, which do nothing. */
function generate(app: AnyElysia): Generated {
	const copies = new Elysia();
	for (const [index, { method, hooks }] of app.routes.entries()) {
		const { detail, headers, params, query, body, response } = hooks;
		copies.route(method, `/${index}`, () => {}, { detail, headers, params, query, body, response });
	}
	const { routes } = copies.use(swagger({ path: '/page', specPath: '/document' }));
	// Only its handler: as JSON it takes half a second, because it repeats the same schemas hundreds of times.
	const describe = routes.at(-1)?.handler as (() => { paths: Generated }) | undefined;
	return describe?.().paths ?? {};
}

interface Content {
	[contentType: string]: { schema: Schema };
}

type Parameter = Record<'name' | 'in' | 'description', string> & {
	required: boolean;
	examples: unknown[];
	schema: Schema;
};

interface Operation {
	description?: string;
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: Content };
	responses: { [status: string]: Schema & { content?: Content; headers?: string[] } };
}

type Presented = Described & Pick<ReturnType<typeof placeOf>, 'section' | 'success'>;

/** An operation with JSON bodies and OpenAPI 3.1 keywords only, and with its place, examples and successes. */
function publishOperation(operation: Operation, schemas: Record<string, Schema>, presented: Presented) {
	const { parameters, requestBody, responses, ...rest } = operation;
	const { section, success, permit } = presented;
	const examples = examplesOf(presented);
	const published = Object.entries(responses).map(([status, response]) => {
		const said = { ...response, description: response.description ?? success };
		return [status, publishResponse(said, schemas, examples.get(status))];
	});
	return {
		...rest,
		tags: [section.name],
		...(section.isForPages && { 'x-for-pages': true }),
		...(parameters && { parameters: parameters.map((parameter) => publishParameter(parameter, schemas)) }),
		...(requestBody && { requestBody: publishBody(requestBody.content, schemas) }),
		responses: Object.fromEntries(published),
		...securityOf(rest, permit),
	};
}

/**
 * An optional parameter shows its example in the description only: Swagger UI sends every `example` that it finds, so
 * a list that is tried out untouched would be filtered.
 */
function publishParameter(
	{ name, in: place, required, description, examples: [example], schema }: Parameter,
	schemas: Record<string, Schema>,
) {
	const shown = required ? { description, example } : { description: `${description} Example: \`${example}\`.` };
	return { name, in: place, required, ...shown, schema: publishSchema(schema, schemas) };
}

function publishBody(content: Content, schemas: Record<string, Schema>) {
	const schema = content['application/json']?.schema ?? {};
	return { required: true, description: schema.description, content: publishContent(schema, schemas) };
}

/** The generator moves a schema's title out of the schema; it has to go back. */
function publishResponse(response: Operation['responses'][string], schemas: Record<string, Schema>, examples?: object) {
	const { description, headers = [], title, content } = response;
	const names = ['X-Request-Id', 'X-Ignored-Parameters', ...headers];
	const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
	const schema = content?.['application/json']?.schema;
	const published =
		schema && publishContent(describeMembers({ ...schema, ...(title && { title }) }), schemas, examples);
	return { description, headers: Object.fromEntries(references), ...(published && { content: published }) };
}

/** A body. A file is published as its bytes. A list with several shapes shows the last one, which has no parameter. */
function publishContent(schema: Schema, schemas: Record<string, Schema>, examples?: object) {
	if (!schema.contentTypes) {
		const shown = examples ? { examples } : { example: sampleOf(schema.anyOf?.at(-1) ?? schema) };
		return { 'application/json': { schema: publishSchema(schema, schemas), ...shown } };
	}
	const bytes = { schema: { type: 'string', format: 'binary' } };
	return Object.fromEntries(schema.contentTypes.map((type) => [type, bytes]));
}

function securityOf({ description }: { description?: string }, permit: ReturnType<typeof permitOf>) {
	if (!permit) return { security: [] };
	const groups = permit.groups.map((codes) => codes.map((code) => `\`${code}\``).join(' or '));
	const anyone = permit.onlyEmployees ? 'For any signed-in employee.' : 'For any signed-in account.';
	const needs = groups.length > 0 ? `Needs ${groups.join(', and ')}.` : anyone;
	return { security: [{ bearer: [] }], description: [needs, description].filter(Boolean).join(' ') };
}
