/** From the schemas that are enforced to schemas as OpenAPI 3.1 publishes them. */

/** The part of JSON Schema that the routes use. */
export interface Schema {
	title?: string;
	type?: string | string[];
	description?: string;
	examples?: unknown[];
	const?: unknown;
	enum?: unknown[];
	properties?: { [name: string]: Schema };
	required?: string[];
	items?: Schema;
	anyOf?: Schema[];
	allOf?: Schema[];
	minProperties?: number;
	$ref?: string;
	/** What `details` tells the caller; not published. */
	error?: string;
	/** Set by Elysia when it compiles a schema; unknown fields are ignored, so it is not the truth. */
	additionalProperties?: boolean;
}

/** The schema as it is published; those with a title go to `schemas` and are referred to. */
export function publishSchema(schema: Schema, schemas: Record<string, Schema>): Schema {
	const { error: _, additionalProperties: __, title, ...kept } = schema;
	const published = { ...kept, ...publishMembers(kept, schemas) };
	delete published.minProperties;
	if (!title) return published;
	const { description: ___, examples: ____, ...named } = published;
	schemas[title] = named;
	return { $ref: `#/components/schemas/${title}` };
}

function publishMembers(schema: Schema, schemas: Record<string, Schema>): Schema {
	const { properties, items, anyOf, minProperties } = schema;
	return {
		...(anyOf && { anyOf: anyOf.map((each) => publishSchema(each, schemas)) }),
		...(items && { items: publishSchema(items, schemas) }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, publishSchema(property, schemas)]),
			),
		}),
		...(minProperties && properties && { allOf: [atLeastOneOf(Object.keys(properties))] }),
	};
}

/**
 * Unknown fields are dropped before they are counted, so "at least one" means one of these. It stands inside an `allOf`:
 * beside the properties, generators of clients take an `anyOf` for other shapes of the body, and let through anything.
 */
function atLeastOneOf(names: string[]): Schema {
	return { anyOf: names.map((name) => ({ required: [name] })) };
}

/** An example of what a schema allows, from the examples of its parts. */
export function sampleOf(schema: Schema): unknown {
	if (schema.examples) return schema.examples[0];
	if ('const' in schema) return schema.const;
	if (schema.enum) return schema.enum[0];
	if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
	if (schema.items) return [sampleOf(schema.items)];
	if (!schema.properties) return undefined;
	return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sampleOf(property)]));
}
