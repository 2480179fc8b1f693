/** JSON Schemas as the published document uses them, and what each operation takes and may answer. */
import { Contract, type Document, type Operation } from '../../contract.ts';

/** The part of JSON Schema that the campaign understands. */
export interface JsonSchema {
	$ref?: string;
	type?: string | string[];
	const?: unknown;
	enum?: unknown[];
	format?: string;
	description?: string;
	pattern?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	items?: JsonSchema;
	minItems?: number;
	maxItems?: number;
	uniqueItems?: boolean;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	allOf?: JsonSchema[];
}

type Validator = ReturnType<Contract['validator']>;

/** A parameter in the path or the query. */
export interface Parameter {
	name: string;
	place: 'path' | 'query';
	required: boolean;
	schema: JsonSchema;
	description: string;
	validator: Validator;
}

/** An operation of the document: where it is, what it takes, what it may answer. */
export interface Target {
	name: string;
	method: string;
	template: string;
	secured: boolean;
	/** Whether it checks passwords, which takes long: it takes a body and announces 429. */
	hashes: boolean;
	parameters: Parameter[];
	body?: { schema: JsonSchema; validator: { Check(value: unknown): boolean } };
	/** What each announced status carries; undefined for one without a body. */
	answers: Map<number, Validator | undefined>;
}

/** What the campaign reads out of the document. */
export interface Contents {
	targets: Target[];
	schemas: Record<string, JsonSchema>;
	/** Every name that occurs in an answer. */
	answeredNames: string[];
	/** What every error must be. */
	failure: Validator;
}

/** Reads the document. Answers are judged by closed schemas: an unlisted field is an error. */
export function readDocument(document: Document): Contents {
	const asked = new Contract(document);
	const answered = new Contract(closed(document));
	const targets = Object.entries(answered.document.paths).flatMap(([template, operations]) =>
		Object.entries(operations)
			.filter(([, operation]) => speaksJson(operation))
			.map(([method]) => readOperation(asked, answered, template, method)),
	);
	return {
		targets,
		schemas: document.components.schemas as Record<string, JsonSchema>,
		answeredNames: [...namesIn(document.components.schemas)],
		failure: answered.validator({ $ref: '#/components/schemas/Failure' }),
	};
}

/** Whether bodies and answers are JSON; import.test.ts tests the operations with files. */
function speaksJson({ requestBody, responses }: Operation): boolean {
	const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
	return contents.every((content) => content === undefined || 'application/json' in content);
}

function readOperation(asked: Contract, answered: Contract, template: string, method: string): Target {
	const operation = asked.document.paths[template]?.[method];
	const responses = answered.document.paths[template]?.[method]?.responses;
	if (!operation || !responses) throw new Error(`${method} ${template} is not in the document`);
	const body = operation.requestBody?.content['application/json']?.schema;
	const answers = Object.entries(responses).map(([status, { content }]): [number, Validator | undefined] => {
		const schema = content?.['application/json']?.schema;
		return [Number(status), schema && answered.validator(schema)];
	});
	return {
		name: operation.operationId,
		method: method.toUpperCase(),
		template,
		secured: operation.security.length > 0,
		hashes: body !== undefined && '429' in responses,
		parameters: (operation.parameters ?? []).flatMap(
			({ name, in: place, required, schema, description }): Parameter[] => {
				// Headers and cookies are left out: their hostile values need no schema.
				if (place !== 'path' && place !== 'query') return [];
				return [{ name, place, required, schema, description, validator: asked.validator(schema) }];
			},
		),
		...(body && { body: { schema: body, validator: { Check: (value) => asked.allows(body, value) } } }),
		answers: new Map(answers),
	};
}

/** A copy in which objects have no fields but those they list. Inside an `allOf` a part never lists them all. */
function closed<Value>(value: Value): Value {
	if (Array.isArray(value)) return value.map(closed) as Value;
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]) => [name, name === 'allOf' ? member : closed(member)]);
	const copy = Object.fromEntries(members);
	const isObjectSchema = copy.type === 'object' && copy.properties !== undefined;
	return isObjectSchema && copy.allOf === undefined ? { ...copy, additionalProperties: false } : copy;
}

/** Every property name in a value that holds schemas. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
	if (typeof value !== 'object' || value === null) return names;
	for (const [name, member] of Object.entries(value)) {
		if (name === 'properties') for (const property of Object.keys(member)) names.add(property);
		namesIn(member, names);
	}
	return names;
}

/** The shapes that a schema allows, each without alternatives and references of its own. */
export function alternatives(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema[] {
	const { $ref, anyOf, oneOf, allOf = [], ...own } = schema;
	const referred = $ref === undefined ? undefined : schemas[$ref.slice('#/components/schemas/'.length)];
	if ($ref !== undefined && !referred) throw new Error(`${$ref} is not in the document`);
	const choices = [anyOf, oneOf, referred && [referred], ...allOf.map((part) => [part])];
	return choices
		.filter((choice) => choice !== undefined)
		.map((choice) => choice.flatMap((each) => alternatives(each, schemas)))
		.reduce((found, more) => found.flatMap((one) => more.map((other) => merged(one, other))), [own]);
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
	const required = [...(one.required ?? []), ...(other.required ?? [])];
	return {
		...one,
		...other,
		...((one.properties || other.properties) && { properties: { ...one.properties, ...other.properties } }),
		...(required.length > 0 && { required: [...new Set(required)] }),
	};
}

/** The kind of resource that a parameter or field named `storeId` or `roleIds` refers to, as paths write it. */
export function nounOfName(name: string): string | undefined {
	const [, noun] = /^(.+)Ids?$/.exec(name) ?? [];
	return noun && `${noun}s`;
}

/** The kind of resource that a path parameter refers to: the segment before it. */
export function nounOfParameter(template: string, parameter: string): string {
	return template.split(`/{${parameter}}`)[0]?.split('/').at(-1) ?? '';
}
