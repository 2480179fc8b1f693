/** Checks answers against the published OpenAPI document, which must describe every answer in the tests. */
import Schema from 'typebox/schema';
import type { App } from '../src/app.ts';
import type { Answer, Body } from './http.ts';

interface Media {
	schema: Record<string, unknown>;
	example?: unknown;
	examples?: Record<string, { value: unknown }>;
}

export interface Operation {
	operationId: string;
	summary: string;
	description?: string;
	tags: string[];
	security: Record<string, string[]>[];
	parameters?: (Record<'name' | 'in' | 'description', string> & Omit<Media, 'examples'> & { required: boolean })[];
	requestBody?: { content: Record<string, Media> };
	responses: Record<
		string,
		{ description: string; headers: Record<string, { $ref: string }>; content?: Record<string, Media> }
	>;
}

export interface Document {
	openapi: string;
	paths: Record<string, Record<string, Operation>>;
	components: {
		headers: Record<string, { description: string; required?: boolean; schema: Record<string, unknown> }>;
		schemas: Record<string, Record<string, unknown>>;
	};
}

/** An operation, with its path and method in the document. */
export interface Endpoint {
	method: string;
	template: string;
	operation: Operation;
}

/** Every operation of a document. */
export function endpointsOf({ paths }: Document): Endpoint[] {
	return Object.entries(paths).flatMap(([template, operations]) =>
		Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), template, operation })),
	);
}

/** The operation of a document with this id. @throws Error when there is none. */
export function operationNamed(document: Document, operationId: string): Endpoint {
	const found = endpointsOf(document).find(({ operation }) => operation.operationId === operationId);
	if (!found) throw new Error(`the document has no operation ${operationId}`);
	return found;
}

/** A schema of a document, and those inside it. `follow` gives the target of a reference that is to be walked, too. */
export function* schemasIn(
	where: string,
	schema: Body,
	follow = (_: string): Body => undefined,
): Generator<[string, Body]> {
	const { $ref, properties = {}, items, allOf = [], anyOf = [] } = schema;
	const target = $ref && follow($ref);
	if (target) return yield* schemasIn($ref, target, follow);
	yield [where, schema];
	for (const [name, member] of Object.entries(properties)) yield* schemasIn(`${where}.${name}`, member, follow);
	if (items) yield* schemasIn(`${where}[]`, items, follow);
	for (const part of allOf) yield* schemasIn(`${where}&`, part, follow);
	for (const alternative of anyOf) yield* schemasIn(`${where}|`, alternative, follow);
}

/** Builds a request from the examples of an operation. */
export function exampleOf({ method, template, operation: { parameters = [], requestBody } }: Endpoint) {
	const examplesIn = (place: string) => {
		const required = parameters.filter((parameter) => parameter.in === place && parameter.required);
		return Object.fromEntries(required.map(({ name, example }) => [name, String(example)]));
	};
	const inPath = examplesIn('path');
	return {
		method,
		path: template.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? ''),
		query: examplesIn('query'),
		body: requestBody?.content['application/json']?.example,
	};
}

/** The success status of an operation. */
export function successOf({ operation }: Endpoint): number {
	return Number(Object.keys(operation.responses).find((status) => status.startsWith('2')));
}

/** Fetches the document of an application. @param logged the lines of its log, for the error */
export async function fetchDocument(app: App, logged: readonly string[] = []): Promise<Document> {
	const response = await app.handle(new Request('http://localhost/swagger/json'));
	if (response.status !== 200) {
		const advice = 'has each operation a place in openapi/outline.ts?';
		throw new Error(['the document cannot be made:', ...(logged.length > 0 ? logged : [advice])].join(' '));
	}
	return (await response.json()) as Document;
}

/** The maximum length in a description; undefined if it states none. */
function statedLength(description: unknown): number | undefined {
	const [, length] = /(?:\b1 to|At most) (\d+) characters/.exec(String(description)) ?? [];
	return length === undefined ? undefined : Number(length);
}

/** Whether a code point is visible: a letter, number, punctuation mark, symbol, or one without a meaning yet. */
function isVisible(character: string): boolean {
	if (character === '\u2800' || /\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}/u.test(character))
		return false;
	return /[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u.test(character);
}

/**
 * Whether a text follows the words of its description. JSON Schema can neither limit the trimmed and composed length nor
 * list every invisible character.
 */
export function agreesWithWords(text: string, description: unknown): boolean {
	const stored = [...text.trim().normalize('NFC')];
	if (stored.length > (statedLength(description) ?? Number.POSITIVE_INFINITY)) return false;
	// The schema says whether a text may be empty.
	return !String(description).includes('visible character') || stored.length === 0 || stored.some(isVisible);
}

/** A copy in which objects allow only their listed fields. A part of an `allOf` never lists all of them. */
function closed<Value>(value: Value): Value {
	if (Array.isArray(value)) return value.map(closed) as Value;
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]) => [name, name === 'allOf' ? member : closed(member)]);
	const copy = Object.fromEntries(members);
	const isObject = copy.type === 'object' && copy.properties !== undefined && copy.allOf === undefined;
	return isObject ? { ...copy, additionalProperties: false } : copy;
}

/** Checks answers against a document. An unlisted field is an error. */
export class Contract {
	readonly document: Document;
	/** The copy that answers are checked against. */
	readonly #closed: Document;
	/** The key is the schema object, which is part of the document, or its text: most operations announce equal refusals. */
	// Of any object: the compiler would take seconds for the type of each value that a schema may describe.
	readonly #validators = new Map<unknown, ReturnType<typeof Schema.Compile<object>>>();
	readonly #templates: { template: string; pattern: RegExp }[];

	constructor(document: Document) {
		this.document = document;
		this.#closed = closed(document);
		// A path without a parameter takes precedence: `/export` is no id.
		this.#templates = Object.keys(document.paths)
			.toSorted((a, b) => a.split('{').length - b.split('{').length)
			.map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }));
	}

	/** A validator of a schema of the document, references included. */
	validator(schema: Record<string, unknown>, { components } = this.document) {
		const known = this.#validators.get(schema);
		if (known) return known;
		const text = `${components === this.#closed.components} ${JSON.stringify(schema)}`;
		const compiled = this.#validators.get(text) ?? Schema.Compile<object>({ ...schema, components });
		this.#validators.set(schema, compiled).set(text, compiled);
		return compiled;
	}

	/** Resolves a schema that may be a reference. */
	resolve(schema: Record<string, unknown>): Record<string, unknown> {
		const { $ref } = schema;
		if (typeof $ref !== 'string') return schema;
		const named = this.document.components.schemas[$ref.replace('#/components/schemas/', '')];
		if (!named) throw new Error(`${$ref} leads nowhere`);
		return named;
	}

	/** Whether a value fits a schema, and the words of its description and of its fields' descriptions. */
	allows(schema: Record<string, unknown>, value: unknown): boolean {
		if (!this.validator(schema).Check(value)) return false;
		const { properties = {}, description } = this.resolve(schema);
		if (typeof value === 'string') return agreesWithWords(value, description);
		return Object.entries(properties as Record<string, Record<string, unknown>>).every(([name, property]) => {
			const field = (value as Record<string, unknown>)[name];
			return typeof field !== 'string' || agreesWithWords(field, property.description);
		});
	}

	/** The path template and the operation of a request; undefined if there is none. */
	operationOf(method: string, path: string): { template: string; operation: Operation } | undefined {
		const pathname = path.split('?')[0] ?? path;
		for (const { template, pattern } of this.#templates) {
			const operation = this.document.paths[template]?.[method.toLowerCase()];
			if (operation && pattern.test(pathname)) return { template, operation };
		}
		return undefined;
	}

	/** Fails the test unless the document announces the status, with these headers and this body. */
	expectAnnounced(
		method: string,
		path: string,
		{ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>,
	) {
		const found = this.operationOf(method, path);
		if (!found) return;
		const announced = found.operation.responses[status];
		const where = `${method} ${path} → ${status}`;
		if (!announced) throw new Error(`${where} is not in the document`);
		for (const [name, { required = false }] of Object.entries(this.document.components.headers)) {
			const isAnnounced = name in announced.headers;
			if (headers.has(name) ? !isAnnounced : isAnnounced && required)
				throw new Error(`${where} has ${name} or lacks it, unlike announced`);
		}
		const media = announced.content?.['application/json'];
		if (!media) {
			if (body !== undefined) throw new Error(`${where} must have no body`);
			return;
		}
		const strict = this.#closed.paths[found.template]?.[method.toLowerCase()]?.responses[status]?.content ?? {};
		const validator = this.validator(strict['application/json']?.schema ?? media.schema, this.#closed);
		if (validator.Check(body)) return;
		throw new Error(`${where} is not as announced: ${JSON.stringify([validator.Errors(body)[1], body])}`);
	}
}
