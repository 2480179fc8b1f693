/**
 * Schema types of our own. Each is published as the plain JSON Schema that it carries, and checked by one function.
 * Unions of literals would say the same, but Elysia rebuilds them value by value: slow in answers, and in bodies a text
 * passes for an array.
 */
import { Kind, type SchemaOptions, type TProperties, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';
import { dayPattern } from '../vocabulary/day.ts';

type Accepts = (value: unknown) => boolean;

TypeRegistry.Set<{ accepts: Accepts }>('Checked', ({ accepts }, value) => accepts(value));

type Checked<Value> = TUnsafe<Value> & { accepts: Accepts };

/** A type that is published as `schema` and takes every value that `accepts` is true of. */
export function checked<Value>(schema: SchemaOptions, accepts: Accepts): Checked<Value> {
	return Type.Unsafe<Value>({ ...schema, [Kind]: 'Checked', accepts }) as Checked<Value>;
}

/** The same or null. */
export function nullable<Value>({ accepts, ...schema }: Checked<Value>): Checked<Value | null> {
	const values = schema.enum && { enum: [...schema.enum, null] };
	const published = { ...schema, type: [schema.type, 'null'], ...values };
	return checked(published, (value) => value === null || accepts(value));
}

/** One of the given texts. */
export function oneOf<const Value extends string>(values: readonly Value[], options: SchemaOptions = {}) {
	const all: readonly unknown[] = values;
	return checked<Value>({ ...options, type: 'string', enum: all }, (value) => all.includes(value));
}

/** An integer or null. */
export function nullableInteger(options: SchemaOptions = {}) {
	return nullable(checked<number>({ ...options, type: 'integer' }, Number.isSafeInteger));
}

/** The value of some field of some resource. */
export function fieldValue(options: SchemaOptions = {}) {
	const type = ['string', 'integer', 'boolean', 'array', 'null'];
	return checked<unknown>({ ...options, type, items: { type: ['string', 'integer'] } }, (value) => {
		const values: unknown[] = Array.isArray(value) ? value : [value];
		return values.every((each) => each === null || ['string', 'number', 'boolean'].includes(typeof each));
	});
}

/** A text or null, in an answer. */
export function nullableText(options: SchemaOptions = {}) {
	return nullable(checked<string>({ ...options, type: 'string' }, (value) => typeof value === 'string'));
}

const isDay = new RegExp(dayPattern);

/** A day such as `2026-11-30`, or null. */
export function nullableDay(options: SchemaOptions = {}) {
	const day = { examples: ['2099-11-30'], ...options, type: 'string', pattern: dayPattern };
	return nullable(checked<string>(day, (value) => typeof value === 'string' && isDay.test(value)));
}

/**
 * Ids of things, which are called so in messages and in the document; each of them once. TypeBox's own `uniqueItems` walks into
 * whatever is sent, however deep it is nested.
 */
export function uniqueIds(maxItems: number, word: string, documented: string) {
	const options = {
		maxItems,
		error: `须为 1 至 ${maxItems} 个不重复的${word} id 的数组`,
		description: `The ids of the ${documented}, 1 to ${maxItems}, each of them once.`,
		examples: [[1]],
	};
	const items = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
	return checked<number[]>({ ...options, type: 'array', items, minItems: 1, uniqueItems: true }, (value) => {
		if (!Array.isArray(value) || value.length === 0 || value.length > maxItems) return false;
		return value.every((each) => Number.isSafeInteger(each) && each > 0) && new Set(value).size === value.length;
	});
}

/**
 * A timestamp of an answer. It is published as `date-time`. Serving checks only its length and its end, because the
 * program's own clock wrote it, and a whole check takes 10 µs for a list of 20. Tests check the format of every answer.
 */
export function timestamp(options: SchemaOptions) {
	const published = { examples: ['2026-11-21T08:30:00.000Z'], ...options, type: 'string', format: 'date-time' };
	return checked<string>(published, (value) => typeof value === 'string' && value.length === 24 && value.endsWith('Z'));
}

/** A file as the whole body of an answer; of a request, where null stands for a body of another content type. */
export function wholeFile<File = Response>(contentTypes: readonly string[], options: SchemaOptions) {
	const published = { ...options, type: 'string', format: 'binary', contentTypes };
	return checked<File>(published, (value) => value !== null);
}

/** An object of an answer. `title` is its name in the OpenAPI document. */
export function shape<T extends TProperties>(title: string, properties: T) {
	return Type.Object(properties, { title });
}

/** What the OpenAPI document says of a schema: a sentence and an example. */
export function described(description: string, example: unknown) {
	return { description, examples: [example] };
}
