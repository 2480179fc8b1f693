/**
 * The building blocks of request schemas. What is published is what is enforced: a pattern measures a text
 * as the contract does (trimmed, in characters rather than UTF-16 units), so no check hides behind the schema.
 * `error` is what `details` tells the caller; `description` and `examples` are for the OpenAPI document.
 */
import { type SchemaOptions, type StringOptions, Type } from '@sinclair/typebox';
import type { Paging } from '../paging.ts';
import { passwordPattern } from '../password-rule.ts';
import { statuses } from '../vocabulary/status.ts';
import { booleanText, integerText, nullableText, oneOf } from './kinds.ts';

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

/**
 * The text as it is stored and searched for: trimmed, and in Unicode's composed form (NFC), so that what looks the same
 * is the same. A query's text is left as it came by its schema, for Elysia decodes queries twice.
 */
export function clean(text: string): string {
	return text.trim().normalize('NFC');
}

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
	return Type.Transform(nullableText({ ...options, error, pattern }))
		.Decode((value) => (value === null ? null : clean(value) || null))
		.Encode((value) => value);
}

function trimmed(pattern: string, options: StringOptions) {
	return Type.Transform(Type.String({ ...options, pattern }))
		.Decode(clean)
		.Encode((value) => value);
}

/** 8 to 128 characters as they are sent: never trimmed, never normalised (section 8, "Login and password fields"). */
export function password(description: string, example = 'correct-horse-battery') {
	return Type.String({
		pattern: passwordPattern,
		error: '须为 8 至 128 个字符的文字',
		description,
		examples: [example],
	});
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

/** A positive integer in a path or query, at most `maximum`; read it with `Number`. */
export function integer(description: string, example: number, maximum = largestId) {
	const error = maximum === largestId ? '须为正整数' : `须为 1 至 ${maximum} 的整数`;
	return integerText({ maximum, error, description, examples: [example] });
}

/** `true` or `false` in a query. */
export function flag(description: string) {
	return booleanText({ error: '须为 true 或 false', description, examples: [true] });
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
	page: Type.Optional(integer('Page number, from 1. 1 when absent.', 1)),
	pageSize: Type.Optional(integer('Items per page, 1 to 100. 20 when absent.', 20, 100)),
};

/** The path parameter of a route that names one resource. */
export function idPath(example: number) {
	return Type.Object({ id: integer('The id of the resource.', example) });
}

/** A JSON body with at least one of the given fields, each of them optional. */
export function atLeastOne<T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) {
	return Type.Partial(Type.Object(properties), { minProperties: 1, description, error: '须为 JSON 对象' });
}

/** A JSON body. */
export function body<T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) {
	return Type.Object(properties, { description, error: '须为 JSON 对象' });
}

/** Reads the paging parameters of a checked query (section 8: page 1, pageSize 20 when absent). */
export function readPaging(query: { page?: string; pageSize?: string }): Paging {
	return { page: Number(query.page ?? 1), pageSize: Number(query.pageSize ?? 20) };
}
