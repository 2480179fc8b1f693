/**
 * The building blocks of request schemas. What is published is what is enforced: a pattern measures a text
 * as the contract does (trimmed, in characters rather than UTF-16 units), so no check hides behind the schema.
 * `error` is what `details` tells the caller; `description` and `examples` are for the OpenAPI document.
 */
import { Kind, type SchemaOptions, type StringOptions, Type, TypeRegistry } from '@sinclair/typebox';
import type { Paging } from '../database/page.ts';
import { statuses } from '../database/schema.ts';

/** What every building block says of itself: to the caller in `details`, and to the reader of the document. */
interface FieldOptions extends SchemaOptions {
	error: string;
	description: string;
	examples: readonly unknown[];
}

// One character of a text: any code point but a lone surrogate and the C0 controls other than tab and newline.
const pair = '[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]';
const character = `(?:[^\\u0000-\\u0008\\u000B-\\u001F\\uD800-\\uDFFF]|${pair})`;
const visible = `(?:[^\\s\\u0000-\\u001F\\uD800-\\uDFFF]|${pair})`;
const blank = '[^\\S\\u000B-\\u000D]*';

function trimmedText(body: string): string {
	return `^${blank}${body}${blank}$`;
}

function words(maximum: number): string {
	return `${visible}(?:${character}{0,${maximum - 2}}${visible})?`;
}

const largestId = Number.MAX_SAFE_INTEGER;

/** A required text of 1 to `maximum` characters after trimming; decodes to the trimmed text. */
export function text(maximum: number, options: Omit<FieldOptions, 'error'>) {
	const error = `须为 1 至 ${maximum} 个字符的文字（首尾空白不计），不含控制字符`;
	return trimmed(trimmedText(words(maximum)), { ...options, error });
}

/** A text of a form of its own after trimming; decodes to the trimmed text. */
export function formattedText(form: string, options: FieldOptions) {
	return trimmed(trimmedText(form), options);
}

/** A text of at most `maximum` characters after trimming, or null; an empty one decodes to null. */
export function optionalText(maximum: number, options: Omit<FieldOptions, 'error'>) {
	const error = `须为不超过 ${maximum} 个字符的文字（首尾空白不计）或 null，不含控制字符`;
	const pattern = trimmedText(`(?:${words(maximum)})?`);
	return Type.Transform(Type.Union([Type.String({ pattern }), Type.Null()], { ...options, error }))
		.Decode((value) => value?.trim() || null)
		.Encode((value) => value);
}

function trimmed(pattern: string, options: StringOptions) {
	return Type.Transform(Type.String({ ...options, pattern }))
		.Decode((value) => value.trim())
		.Encode((value) => value);
}

const passwordPattern = `^(?:[^\\uD800-\\uDFFF]|${pair}){8,128}$`;

/** Whether a text can be a password. */
export function isPassword(text: string): boolean {
	return new RegExp(passwordPattern).test(text);
}

/** 8 to 128 characters as they are sent: never trimmed, never normalised (section 8, "Login and password fields"). */
export function password(description: string) {
	return Type.String({
		pattern: passwordPattern,
		error: '须为 8 至 128 个字符的文字',
		description,
		examples: ['correct-horse-battery'],
	});
}

/** One of the given texts. A union of literals: Elysia's `t.UnionEnum` would make up a default. */
export function oneOf<Value extends string>(values: readonly Value[], options: SchemaOptions = {}) {
	return Type.Unsafe<Value>(
		Type.Union(
			values.map((value) => Type.Literal(value)),
			options,
		),
	);
}

/** `ACTIVE` or `INACTIVE` (section 3). */
export function status(description: string) {
	return oneOf(statuses, { error: `须为 ${statuses.join(' 或 ')}`, description, examples: ['ACTIVE'] });
}

/** An id in a JSON body: a number, never a text. */
export function id(description: string, example = 1) {
	return Type.Integer({
		minimum: 1,
		maximum: largestId,
		error: '须为正整数',
		description,
		examples: [example],
	});
}

// In paths and queries everything is text. These kinds are published as what the text stands for, and accept
// its one canonical spelling: Elysia's own coercion takes `1e3`, `0x10`, ` 1` and `01` for integers.
TypeRegistry.Set<{ maximum: number }>('IntegerText', ({ maximum }, value) => {
	return typeof value === 'string' && /^[1-9][0-9]{0,15}$/.test(value) && Number(value) <= maximum;
});
TypeRegistry.Set('BooleanText', (_, value) => value === 'true' || value === 'false');

/** A positive integer in a path or query, at most `maximum`; read it with `Number`. */
export function integerText(description: string, example: number, maximum = largestId) {
	return Type.Unsafe<string>({
		[Kind]: 'IntegerText',
		type: 'integer',
		minimum: 1,
		maximum,
		error: maximum === largestId ? '须为正整数' : `须为 1 至 ${maximum} 的整数`,
		description,
		examples: [example],
	});
}

/** `true` or `false` in a query. */
export function booleanText(description: string) {
	return Type.Unsafe<'true' | 'false'>({
		[Kind]: 'BooleanText',
		type: 'boolean',
		error: '须为 true 或 false',
		description,
		examples: [true],
	});
}

/** A search text in a query (section 8, `keyword`). */
export function keyword(description: string, example: string) {
	return Type.String({
		pattern: trimmedText(words(100)),
		error: '须为 1 至 100 个字符的文字（首尾空白不计），不含控制字符',
		description,
		examples: [example],
	});
}

/** The two paging parameters; both optional and without a default, for some lists choose their shape by presence. */
export const pagingFields = {
	page: Type.Optional(integerText('Page number, from 1. 1 when absent.', 1)),
	pageSize: Type.Optional(integerText('Items per page, 1 to 100. 20 when absent.', 20, 100)),
};

/** The path parameter of every route that names one resource. */
export const IdPath = Type.Object({ id: integerText('The id of the resource.', 1) });

/** A JSON body with at least one of the given fields (the PATCH bodies of section 4). */
export function atLeastOne<T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) {
	return Type.Object(properties, { minProperties: 1, description, error: '须为 JSON 对象' });
}

/** A JSON body. */
export function body<T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) {
	return Type.Object(properties, { description, error: '须为 JSON 对象' });
}

/** Reads the paging parameters of a checked query (section 8: page 1, pageSize 20 when absent). */
export function readPaging(query: { page?: string; pageSize?: string }): Paging {
	return { page: Number(query.page ?? 1), pageSize: Number(query.pageSize ?? 20) };
}
