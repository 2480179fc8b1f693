/**
 * The building blocks of schemas. They publish what they enforce, as far as JSON Schema can say it. `error` is the
 * message in `details`; `description` and `examples` go into the OpenAPI document.
 */
import {
	Kind,
	type ObjectOptions,
	type SchemaOptions,
	type TProperties,
	type TSchema,
	type TUnsafe,
	Type,
	TypeRegistry,
} from '@sinclair/typebox';
import { addDays, dayOf, dayPattern } from '../vocabulary/day.ts';
import type { Paging } from '../vocabulary/paging.ts';
import { isPassword, passwordSchema } from '../vocabulary/password-rule.ts';
import { codePattern, maxCodes, type PermissionCode } from '../vocabulary/permissions.ts';
import type { Reason } from '../vocabulary/reasons.ts';
import { clean, findBrokenRule, patternOf, type TextRule, trimmedPattern } from '../vocabulary/text-rule.ts';

/** The part of JSON Schema that routes use, and the program's own keywords. `violationOf` handles each that can fail. */
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
	oneOf?: Schema[];
	allOf?: Schema[];
	format?: string;
	pattern?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	minItems?: number;
	maxItems?: number;
	minProperties?: number;
	maxProperties?: number;
	$ref?: string;
	/** The message in `details` when a value does not match; not published. */
	error?: string;
	/** The reason for a text that does not follow the rule of the field. */
	findBroken?: (text: string, message: string) => Reason | undefined;
	/** The content types of a file that is the whole body. */
	contentTypes?: string[];
	/** False for a member that examples leave out; not published. */
	inExamples?: boolean;
	/** Elysia sets this when it compiles a schema. Unknown fields are ignored, so it is not published. */
	additionalProperties?: boolean;
}

type Accepts = (value: unknown) => boolean;

TypeRegistry.Set<{ accepts: Accepts }>('Checked', ({ accepts }, value) => accepts(value));

type Checked<Value> = TUnsafe<Value> & { accepts: Accepts };

/**
 * A custom type, published as `schema`, that accepts every value for which `accepts` is true. A union of literals would say
 * the same, but Elysia rebuilds it for each value, which is slow in answers, and in bodies it takes a text for an array.
 */
export function checked<Value>(schema: SchemaOptions, accepts: Accepts): Checked<Value> {
	return Type.Unsafe<Value>({ ...schema, [Kind]: 'Checked', accepts }) as Checked<Value>;
}

/** The given type, or null. */
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

/** A future day for the examples, less than a year ahead, because a program cannot last longer. */
const dayToCome = addDays(dayOf(new Date()), 300);

const dayExpected = '须为日期，如 2026-11-30';

/** A day in a query or an answer. */
export function day(description: string) {
	return Type.String({ pattern: dayPattern, error: dayExpected, description, examples: ['2026-11-30'] });
}

/** A day such as `2026-11-30`, or null. */
export function nullableDay(description: string) {
	const error = `${dayExpected}，或 null`;
	const published = { error, description, examples: [dayToCome], type: 'string', pattern: dayPattern };
	return nullable(checked<string>(published, (value) => typeof value === 'string' && isDay.test(value)));
}

/**
 * A list of distinct ids. `word` names the things in messages, `documented` in the document. TypeBox's own `uniqueItems`
 * walks into everything that is sent, however deep it is nested.
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

/** A file as the whole body of an answer or a request. In a request, null stands for a body of another content type. */
export function wholeFile<File = Response>(contentTypes: readonly string[], options: SchemaOptions) {
	const published = { ...options, type: 'string', format: 'binary', contentTypes };
	return checked<File>(published, (value) => value !== null);
}

/** An object of an answer. `title` is its name in the OpenAPI document. */
export function shape<T extends TProperties>(title: string, properties: T) {
	return Type.Object(properties, { title });
}

/** A member that examples leave out, because it is beyond the basic service or must be asked for. */
export function beyondExamples<T extends TSchema>(schema: T): T {
	return { ...schema, inExamples: false };
}

/** The texts of a schema in the OpenAPI document: a sentence and an example. */
export function described(description: string, example: unknown) {
	return { description, examples: [example] };
}

const maxId = Number.MAX_SAFE_INTEGER;

/** A required name of 1 to `maximum` characters, at least one of them visible; decodes to the text as it is stored. */
export function text(maximum: number, example: string, about?: string) {
	return line({ maximum, mustBeVisible: true }, example, about);
}

/** A name that must be distinguishable: like {@link text}, but without invisible characters except within emoji. */
export function uniqueName(maximum: number, example: string, about?: string) {
	return line({ maximum, mustBeVisible: true, isUnmistakable: true }, example, about);
}

/** A search text in a query. */
export function keyword(about: string, example: string, maximum = 100) {
	return line({ maximum }, example, about);
}

function line(rule: TextRule, example: string, about = '') {
	const error = `请输入 1 至 ${rule.maximum} 个字符，不能有换行和控制字符${noHidden(rule)}`;
	const description =
		`${about} 1 to ${rule.maximum} characters after trimming, on one line${visibleIn(rule)}.`.trimStart();
	return decoded(ruledText({ error, description, examples: [example], minLength: 1 }, rule), clean);
}

const noHidden = ({ isUnmistakable }: TextRule) => (isUnmistakable ? '，也不能有看不见的字符' : '');

const visibleIn = ({ mustBeVisible, isUnmistakable }: TextRule) =>
	(mustBeVisible ? ', with at least one visible character' : '') + (isUnmistakable ? ' and no invisible ones' : '');

/** A text that matches a pattern; decodes to the trimmed text. */
export function formattedText(form: string, texts: { error: string; description: string; examples: string[] }) {
	return decoded(Type.String({ ...texts, pattern: trimmedPattern(form) }), clean);
}

/** A text of 1 to `maximum` ids, separated by commas; `word` is the Chinese word for them. */
export function idList(maximum: number, word: string, description: string, example: string) {
	return formattedText(`[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,${maximum - 1}}`, {
		error: `须为 1 至 ${maximum} 个${word}，用逗号分隔`,
		description: `1 to ${maximum}, separated by commas. ${description}`,
		examples: [example],
	});
}

/** The ids in a checked {@link idList}. The schema does not decode them, because the typed client sends its decoded type. */
export function readIds(list: string | undefined): number[] | undefined {
	return list?.split(',').map(Number);
}

/** A line of at most `maximum` characters, or null; an empty one decodes to null. `more` has the further rules of a name. */
export function optionalText(maximum: number, example: string, more: Omit<TextRule, 'maximum'> = {}) {
	const rule = { maximum, mayBeBlank: true, ...more };
	const error = `最多 ${maximum} 个字符，不能有${rule.mayHaveLines ? '' : '换行和'}控制字符${noHidden(rule)}`;
	const form = rule.mayHaveLines ? 'It may have tabs and line breaks.' : `On one line${visibleIn(rule)}.`;
	const description = `At most ${maximum} characters after trimming; an empty text is stored as null. ${form}`;
	const schema = nullable(ruledText({ error, description, examples: [example] }, rule));
	return decoded(schema, (value) => (value === null ? null : clean(value) || null));
}

function ruledText(options: SchemaOptions, rule: TextRule) {
	const findBroken = (text: string, message: string) => findBrokenRule(text, rule, message);
	const published = { ...options, type: 'string', pattern: patternOf(rule), findBroken };
	return checked<string>(published, (value) => typeof value === 'string' && !findBrokenRule(value, rule));
}

/** A schema of a request. The handler gets a valid value as `read` returns it. */
function decoded<Value>(schema: TSchema & { static: Value }, read: (value: Value) => Value) {
	return Type.Transform(schema)
		.Decode(read)
		.Encode((value) => value);
}

/** 8 to 128 characters exactly as they are sent: never trimmed, never composed. */
export function password(description: string, example = 'correct-horse-battery') {
	const options = { error: '请输入 8 至 128 个字符', description, examples: [example] };
	const accepts = (value: unknown) => typeof value === 'string' && isPassword(value);
	return checked<string>({ ...options, type: 'string', ...passwordSchema }, accepts);
}

/** One of some words in a request. */
export function choice<const Value extends string>(words: readonly Value[], description: string, example = words[0]) {
	const error = words.length > 2 ? `须为 ${words.join('、')} 之一` : `须为 ${words.join(' 或 ')}`;
	return oneOf(words, { error, description, examples: [example] });
}

/** An id in a JSON body: a number, never a text. */
export function id(description: string, example = 1) {
	return Type.Integer({ minimum: 1, maximum: maxId, error: '须为正整数', description, examples: [example] });
}

/** An id or null in a JSON body. */
export function optionalId(description: string) {
	const published = { minimum: 1, maximum: maxId, error: '须为正整数，或 null', description, examples: [null] };
	const isId = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
	return nullable(checked<number>({ ...published, type: 'integer' }, isId));
}

// In paths and queries everything is text. These types are published as the type that the text stands for, and accept
// only one spelling: Elysia's own coercion accepts `1e3`, `0x10`, ` 1` and `01` as integers.

/**
 * A value in a query or path, read from its text by `read`. Elysia decodes a query twice, so a value that was already read
 * passes unchanged, and it takes the type of a parameter from the outermost schema.
 */
function fromText<Value>(published: SchemaOptions, accepts: (text: string) => boolean, read: (text: string) => Value) {
	const kind = published.type === 'integer' ? 'number' : 'boolean';
	const schema = checked<unknown>(published, (value) =>
		typeof value === 'string' ? accepts(value) : typeof value === kind,
	);
	return Type.Unsafe<Value>(decoded(schema, (value) => (typeof value === 'string' ? read(value) : value)));
}

/** An integer from `minimum`, 0 or more, to `maximum`. */
export function integer(description: string, example: number, maximum = maxId, minimum = 1) {
	const error = maximum === maxId ? '须为正整数' : `须为 ${minimum} 至 ${maximum} 的整数`;
	const published = { maximum, error, description, examples: [example], type: 'integer', minimum };
	const isInRange = (value: number) => value >= minimum && value <= maximum;
	return fromText(published, (text) => /^(?:0|[1-9][0-9]{0,15})$/.test(text) && isInRange(Number(text)), Number);
}

const isTrue = (text: string) => text === 'true';

/** `true` or `false` in a query. */
export function flag(description: string) {
	const published = { error: '须为 true 或 false', description, examples: [true], type: 'boolean' };
	return fromText(published, (text) => isTrue(text) || text === 'false', isTrue);
}

/** `true` in a query, or nothing. */
export function onlyTrue(description: string) {
	const published = { error: '须为 true', description, examples: [true], type: 'boolean', enum: [true] };
	return fromText(published, isTrue, () => true as const);
}

/** A list of codes. The service checks that they exist, because its refusal lists the existing ones. */
export function codeList(description: string, examples: readonly string[][], pattern = `^${codePattern}$`) {
	const schema = { type: 'string', pattern, error: '须为权限编码' };
	const code = checked<PermissionCode>(schema, (value) => typeof value === 'string');
	const error = `须为权限编码的数组，最多 ${maxCodes} 个`;
	return Type.Array(code, { maxItems: maxCodes, error, description, examples });
}

/** The parameters of a query: each of them can be left out. */
export function parameters<T extends TProperties>(properties: T) {
	return Type.Partial(Type.Object(properties));
}

/** The query of routes that change many things at once. */
export const ManyChangesQuery = parameters({ dryRun: flag('With true, the answer only says what would happen.') });

/** The parameters of a list, with its page. None has a default: some lists choose their shape by the given ones. */
export function paged<T extends TProperties>(filters: T) {
	return parameters({
		...filters,
		page: integer('Page number, from 1. 1 when absent.', 1),
		pageSize: integer('Items per page, 1 to 100. 20 when absent.', 20, 100),
	});
}

/** The path parameter of a route that names one resource. */
export function idPath(example: number) {
	return Type.Object({ id: integer('The id of the resource.', example) });
}

/** The fields to change, each of them optional, at least one of them given. `title` is its name in the OpenAPI document. */
export function atLeastOne<T extends TProperties>(title: string, properties: T, options: ObjectOptions = {}) {
	const texts = { description: 'The fields to change; at least one.', error: notAnObject };
	return Type.Partial(Type.Object(properties), { title, minProperties: 1, ...texts, ...options });
}

/** A JSON body. `title` is its name in the OpenAPI document. */
export function body<T extends TProperties>(title: string, description: string, properties: T) {
	return Type.Object(properties, { title, description, error: notAnObject });
}

const notAnObject = '须为 JSON 对象';

/** Reads the paging parameters of a checked query: page 1 and pageSize 20 when absent. */
export function readPaging({ page = 1, pageSize = 20 }: Partial<Paging>): Paging {
	return { page, pageSize };
}
