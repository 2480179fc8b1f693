/** Turns the schemas that the routes enforce into schemas for the OpenAPI 3.1 document. */
import type { Schema } from '../../platform/http/fields.ts';

/** A schema with other members: its properties by name, the items of a list, and the nameless shapes of an `anyOf`. */
export function mapMembers(schema: Schema, change: (member: Schema, name?: string) => Schema): Schema {
	const { properties, items, anyOf } = schema;
	const changed = properties && Object.entries(properties).map(([name, each]) => [name, change(each, name)]);
	return {
		...schema,
		...(anyOf && { anyOf: anyOf.map((each) => change(each)) }),
		...(items && { items: change(items) }),
		...(changed && { properties: Object.fromEntries(changed) }),
	};
}

/** The schema as it is published. One with a title is added to `schemas`, and a reference to it is returned. */
export function publishSchema(schema: Schema, schemas: Record<string, Schema>): Schema {
	const members = mapMembers(schema, (member) => publishSchema(member, schemas));
	const { error, additionalProperties, inExamples, title, minProperties, maxProperties, ...published } = members;
	if (minProperties) published.allOf = [countOf(Object.keys(published.properties ?? {}), maxProperties)];
	if (!title) return published;
	const { description, examples, ...named } = published;
	// The description of a list of words stands once, beside the list.
	schemas[title] = published.enum && description ? { ...named, description } : named;
	return { $ref: `#/components/schemas/${title}` };
}

/**
 * Requires one of the named fields, or exactly one. `minProperties` would be wrong: unknown fields do not count. It stands
 * inside an `allOf` because client generators read an `anyOf` beside `properties` as other shapes of the body.
 */
function countOf(names: string[], maximum: number | undefined): Schema {
	const required = names.map((name) => ({ required: [name] }));
	return maximum === 1 ? { oneOf: required } : { anyOf: required };
}

/** An example of what a schema allows, made from the examples of its parts. */
export function sampleOf(schema: Schema): unknown {
	if (schema.examples) return schema.examples[0];
	if ('const' in schema) return schema.const;
	if (schema.enum) return schema.enum[0];
	if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
	if (schema.items) return [sampleOf(schema.items)];
	if (!schema.properties) return undefined;
	const shown = Object.entries(schema.properties).filter(([, { inExamples = true }]) => inExamples);
	return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(property)]));
}
