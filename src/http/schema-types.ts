/**
 * Schema types of our own. Each is published as the plain JSON Schema that it carries, and checked by one function.
 * Unions of literals would say the same, but Elysia rebuilds them value by value: slow in answers, and in bodies a text
 * passes for an array.
 */
import { Kind, type SchemaOptions, Type, TypeRegistry } from '@sinclair/typebox';
import { dayPattern } from '../vocabulary/day.ts';
import { isPassword, passwordSchema } from '../vocabulary/password-rule.ts';
import { followsRule, patternOf, type TextRule } from '../vocabulary/text-rule.ts';

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

TypeRegistry.Set('NullableText', (_, value) => value === null || typeof value === 'string');

/** A text or null, in an answer. */
export function nullableText(options: SchemaOptions = {}) {
	return Type.Unsafe<string | null>({ ...options, [Kind]: 'NullableText', type: ['string', 'null'] });
}

const isDay = new RegExp(dayPattern);

TypeRegistry.Set('NullableDay', (_, value) => value === null || (typeof value === 'string' && isDay.test(value)));

/** A day such as `2026-11-30`, or null. */
export function nullableDay(options: SchemaOptions = {}) {
	const type = ['string', 'null'];
	const examples = ['2099-11-30'];
	return Type.Unsafe<string | null>({ examples, ...options, [Kind]: 'NullableDay', type, pattern: dayPattern });
}

TypeRegistry.Set<{ rule: TextRule }>('RuledText', ({ rule }, value) => {
	return typeof value === 'string' && followsRule(value, rule);
});

/** A text that follows a rule, in a request. */
export function ruledText(options: SchemaOptions, rule: TextRule) {
	return Type.Unsafe<string>({ ...options, [Kind]: 'RuledText', type: 'string', pattern: patternOf(rule), rule });
}

TypeRegistry.Set<{ rule: TextRule }>('NullableRuledText', ({ rule }, value) => {
	return value === null || (typeof value === 'string' && followsRule(value, rule));
});

/** A text that follows a rule, or null, in a request. */
export function nullableRuledText(options: SchemaOptions, rule: TextRule) {
	const type = ['string', 'null'];
	return Type.Unsafe<string | null>({ ...options, [Kind]: 'NullableRuledText', type, pattern: patternOf(rule), rule });
}

TypeRegistry.Set('Password', (_, value) => typeof value === 'string' && isPassword(value));

/** A text that can be a password. */
export function passwordText(options: SchemaOptions) {
	return Type.Unsafe<string>({ ...options, [Kind]: 'Password', type: 'string', ...passwordSchema });
}

TypeRegistry.Set<{ maxItems: number }>('UniqueIds', ({ maxItems }, value) => {
	if (!Array.isArray(value) || value.length === 0 || value.length > maxItems) return false;
	return value.every((each) => Number.isSafeInteger(each) && each > 0) && new Set(value).size === value.length;
});

/** Some ids, each of them once. TypeBox's own `uniqueItems` walks into whatever is sent, however deep it is nested. */
export function uniqueIds(options: SchemaOptions & { maxItems: number }) {
	const items = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
	const rules = { type: 'array', items, minItems: 1, uniqueItems: true };
	return Type.Unsafe<number[]>({ ...options, [Kind]: 'UniqueIds', ...rules });
}

TypeRegistry.Set('Timestamp', (_, value) => typeof value === 'string' && value.length === 24 && value.endsWith('Z'));

/**
 * A timestamp of an answer. It is published as `date-time`. Serving checks only its length and its end, because the
 * program's own clock wrote it, and a whole check takes 10 µs for a list of 20. Tests check the format of every answer.
 */
export function timestamp(options: SchemaOptions) {
	const examples = ['2026-11-21T08:30:00.000Z'];
	return Type.Unsafe<string>({ examples, ...options, [Kind]: 'Timestamp', type: 'string', format: 'date-time' });
}

// In paths and queries everything is text. These types are published as what the text stands for, and accept one
// spelling of it: Elysia's own coercion accepts `1e3`, `0x10`, ` 1` and `01` as integers.
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

TypeRegistry.Set('UploadedFile', (_, value) => value !== null);

/** A file as the whole body of a request; null stands for a body of another content type. */
export function uploadedFile<File>(contentTypes: readonly string[], description: string) {
	const error = `须为文件，Content-Type 为 ${contentTypes.join(' 或 ')}`;
	return Type.Unsafe<File>({
		[Kind]: 'UploadedFile',
		type: 'string',
		format: 'binary',
		contentTypes,
		description,
		error,
	});
}

/** A file as the whole body of an answer. */
export function answeredFile(contentTypes: readonly string[], description: string) {
	return Type.Unsafe<Response>({ [Kind]: 'UploadedFile', type: 'string', format: 'binary', contentTypes, description });
}
