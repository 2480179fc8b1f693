/**
 * Schema kinds of our own. Each is published as the plain JSON Schema that it carries, and checked by one function.
 * TypeBox would spell the same as unions of literals, which Elysia's normalisation rebuilds value by value: slow in
 * answers, and in bodies a text passes for an array.
 */
import { Kind, type SchemaOptions, Type, TypeRegistry } from '@sinclair/typebox';

TypeRegistry.Set<{ enum: readonly unknown[] }>('OneOf', (schema, value) => schema.enum.includes(value));

/** One of the given texts. */
export function oneOf<const Value extends string>(values: readonly Value[], options: SchemaOptions = {}) {
	return Type.Unsafe<Value>({ ...options, [Kind]: 'OneOf', type: 'string', enum: [...values] });
}

/** One of the given texts, or null. */
export function nullableOneOf<const Value extends string>(values: readonly Value[], options: SchemaOptions = {}) {
	const schema = { ...options, [Kind]: 'OneOf', type: ['string', 'null'], enum: [...values, null] };
	return Type.Unsafe<Value | null>(schema);
}

TypeRegistry.Set('NullableInteger', (_, value) => value === null || Number.isSafeInteger(value));

/** An integer or null. */
export function nullableInteger(options: SchemaOptions = {}) {
	return Type.Unsafe<number | null>({ ...options, [Kind]: 'NullableInteger', type: ['integer', 'null'] });
}

TypeRegistry.Set('FieldValue', (_, value) => {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.every((each) => each === null || ['string', 'number', 'boolean'].includes(typeof each));
});

/** The value of some field of some resource. */
export function fieldValue(options: SchemaOptions = {}) {
	const type = ['string', 'integer', 'boolean', 'array', 'null'];
	return Type.Unsafe<unknown>({ ...options, [Kind]: 'FieldValue', type, items: { type: ['string', 'integer'] } });
}

TypeRegistry.Set<{ pattern?: string }>('NullableText', ({ pattern }, value) => {
	if (value === null) return true;
	return typeof value === 'string' && (pattern === undefined || patternOf(pattern).test(value));
});

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
	const known = patterns.get(source) ?? new RegExp(source);
	patterns.set(source, known);
	return known;
}

/** A text, of the form that `pattern` gives if any, or null. */
export function nullableText(options: SchemaOptions & { pattern?: string } = {}) {
	return Type.Unsafe<string | null>({ ...options, [Kind]: 'NullableText', type: ['string', 'null'] });
}

// In paths and queries everything is text. These kinds are published as what the text stands for, and accept its one
// canonical spelling: Elysia's own coercion takes `1e3`, `0x10`, ` 1` and `01` for integers.
TypeRegistry.Set<{ maximum: number }>('IntegerText', ({ maximum }, value) => {
	return typeof value === 'string' && /^[1-9][0-9]{0,15}$/.test(value) && Number(value) <= maximum;
});

/** A positive integer in a path or query; read it with `Number`. */
export function integerText(options: SchemaOptions & { maximum: number }) {
	return Type.Unsafe<string>({ ...options, [Kind]: 'IntegerText', type: 'integer', minimum: 1 });
}

TypeRegistry.Set('BooleanText', (_, value) => value === 'true' || value === 'false');

/** `true` or `false` in a query. */
export function booleanText(options: SchemaOptions) {
	return Type.Unsafe<'true' | 'false'>({ ...options, [Kind]: 'BooleanText', type: 'boolean' });
}
