/** The response envelopes and their schemas, the statuses that a route declares, and its texts in the document. */
import { type ObjectOptions, type TOptional, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { Context } from 'elysia';
import { AppError, type ErrorDetail, errorCodes } from '../vocabulary/errors.ts';
import type { Page, Paging } from '../vocabulary/paging.ts';
import {
	because,
	type ReasonParameters,
	reasonCodes,
	reasonParameters,
	reasons,
	textOf,
} from '../vocabulary/reasons.ts';
import { checked, described, nullableText, oneOf, shape, timestamp } from './fields.ts';

/** The messages of refusals that belong to no feature. */
export const httpMessages = {
	invalid: because('invalid_request', '请求参数无效'),
	unknownPath: because('unknown_path', '请求的地址不存在'),
	otherPath: (path: string) => because('other_path', `请求的地址不存在，应为 ${path}`, { expected: path }),
	wrongMethod: (method: string, allowed: readonly string[]) =>
		because('wrong_method', `不支持 ${method} 请求，可用：${allowed.join('、')}`, { allowed }),
	wrongContentType: because('wrong_content_type', 'Content-Type 须为 application/json', {
		allowed: ['application/json'],
	}),
	encodedBody: because('encoded_body', '请求内容不能压缩，请去掉 Content-Encoding'),
	notUtf8: because('not_utf8', '须为 UTF-8 编码的文字'),
	brokenJson: because('invalid_json', '不是正确的 JSON'),
	brokenJsonAt: (line: number, column: number) =>
		because('invalid_json_at', `不是正确的 JSON：第 ${line} 行第 ${column} 列有误`, { line, column }),
	badHost: because('bad_host', '请求头 Host 缺失或格式错误'),
	unforeseen: because('internal_error', '系统出现问题，请稍后再试'),
	busy: because('busy', '服务繁忙，请稍后再试'),
	tooManyAttempts: because('too_many_attempts', '尝试次数过多，请稍后再试'),
} as const;

/** The most details in one answer: a hostile body can have a million mistakes. */
export const maxDetails = 20;

/** The refusal of a request in the wrong form. */
export function invalidRequest(details: readonly ErrorDetail[]): AppError {
	return new AppError('VALIDATION_ERROR', httpMessages.invalid, { details: details.slice(0, maxDetails) });
}

/** The refusal after too many wrong passwords, codes or keys; `retryAfter` in seconds. */
export function tooManyAttempts(retryAfter: number): AppError {
	return new AppError('TOO_MANY_REQUESTS', httpMessages.tooManyAttempts, { retryAfter });
}

/** The refusal of work that would have to wait too long; a cause goes to the log. */
export function tooBusy(cause?: unknown): AppError {
	return new AppError('SERVICE_UNAVAILABLE', httpMessages.busy, { retryAfter: 5, cause });
}

/** The success envelope. */
export function success<Data>(data: Data) {
	return { success: true as const, data };
}

/** The success envelope of a paginated list; a page past the end is empty. */
export function successPage<Item>({ items, ...count }: Page<Item>, { page, pageSize }: Paging) {
	return success({ items, pagination: { page, pageSize, ...count, totalPages: Math.ceil(count.total / pageSize) } });
}

/** The schema of the success envelope around `data`. */
export function Success<Data extends TSchema>(data: Data, options: ObjectOptions = {}) {
	return Type.Object({ success: Type.Literal(true), data }, options);
}

const Pagination = shape('Pagination', {
	page: Type.Integer({ examples: [1] }),
	pageSize: Type.Integer({ examples: [20] }),
	total: Type.Integer(described('The number of items on all pages.', 1)),
	totalPages: Type.Integer({ examples: [1] }),
});

/** The schema of a paginated success envelope. */
export function SuccessPage<Item extends TSchema>(item: Item) {
	return Success(Type.Object({ items: Type.Array(item), pagination: Pagination }));
}

const CountedPagination = shape('CountedPagination', {
	...Pagination.properties,
	totalIsMinimum: Type.Optional(Type.Boolean({ description: 'True where there are more; else absent.' })),
});

/** The schema of a page of a list that is not counted to its end. */
export function SuccessCountedPage<Item extends TSchema>(item: Item) {
	return Success(Type.Object({ items: Type.Array(item), pagination: CountedPagination }));
}

/** A timestamp, or null. */
export function nullableTimestamp(description: string) {
	return nullableText({ format: 'date-time', description, examples: ['2026-11-21T08:30:00.000Z'] });
}

/** The times of the creation and the last change of a resource: ISO 8601 in UTC with milliseconds. */
export const timestampFields = {
	createdAt: timestamp({ description: 'The time of its creation, in UTC with milliseconds.' }),
	updatedAt: timestamp({ description: 'The time of its last change, in UTC with milliseconds.' }),
};

/** The parameters of reasons, each of them optional. */
const reasonFields = Object.fromEntries(
	Object.entries(reasonParameters).map(([name, schema]) => [
		name,
		Type.Optional<TSchema>(checked({ ...schema }, () => true)),
	]),
) as { [Name in keyof ReasonParameters]: TOptional<TUnsafe<ReasonParameters[Name]>> };

const reasonRows = Object.entries(reasons).map(([code, text]) => `| ${code} | ${text} |`);

/** The word of a reason. The document has a table of all of them. */
export const ReasonWord = oneOf(reasonCodes, {
	title: 'Reason',
	description:
		'The reason for a refusal, for programs. Reasons may be added to this list; none is changed or removed. The names ' +
		`in braces are members of the detail.\n\n| reason | with \`Accept-Language: en\` |\n|---|---|\n${reasonRows.join('\n')}`,
	examples: ['not_unique'],
});

/** The schema of the error envelope. */
export const Failure = shape('Failure', {
	success: Type.Literal(false),
	error: Type.Object({
		code: oneOf(errorCodes, { description: 'The kind of failure, for programs.' }),
		message: Type.String({
			description: 'The failure in words, for people: in Chinese, or in English with `Accept-Language: en`.',
		}),
		details: Type.Array(
			Type.Object({
				path: Type.Optional(
					Type.String({
						description:
							'The field at fault: of the request (body.name, body.ids.3, query.page, params.id, headers.authorization, token, ' +
							'method, path), of a file (lines.7.phone), ' +
							'or of the account (account.status, store.status, account.permissions, account.password, account.secondFactor). ' +
							'Absent when no field is at fault.',
					}),
				),
				reason: ReasonWord,
				message: Type.String({ description: 'The fault, or the accepted values, for people.' }),
				...reasonFields,
				name: Type.Optional(
					Type.String({ description: 'The name of the person concerned, if the request is about many.' }),
				),
				field: Type.Optional(Type.String({ description: 'The field that somebody else changed.' })),
				by: Type.Optional(Type.String({ description: 'The author of that change.' })),
				at: Type.Optional(Type.String({ format: 'date-time', description: 'The time of that change.' })),
				value: Type.Optional(nullableText({ description: 'The present value, for people; null if it was cleared.' })),
			}),
			{
				description:
					'The causes: at most 20, for a file at most 200; for a request about many people, one for each of them.',
			},
		),
	}),
});

/** The headers that the document announces. Every answer has the first one. */
export const answerHeaders = {
	'X-Request-Id': {
		description: 'Identifies the request, also in the log.',
		required: true,
		schema: { type: 'string', examples: ['5f0c3a1e-17'] },
	},
	ETag: {
		description: 'Identifies this version. Send it as If-Match, so that you do not overwrite a later change.',
		schema: { type: 'string', examples: ['"mhuh3v4w-5Yb1tXn0kqTz3w9L"'] },
	},
	'Device-Token': {
		description:
			'Identifies this device to the account for 180 days, or until the password changes. Keep it, and send it with the ' +
			"next sign-in: then other people's wrong passwords do not delay it.",
		schema: {
			type: 'string',
			examples: ['kX3vJm0rT1uQZb8yLw5cNg.1811241000.d0YtS2kq9fXh1mZVb7RwPjU4aGcEoKiL3nQxTzB5sMv'],
		},
	},
	'X-Ignored-Parameters': {
		description:
			'The parameters of the query and the fields of the body that nothing read, such as `query.store_id, body.role_ids`; ' +
			'at most 20, and only those of letters, digits and `_`. Absent when there are none.',
		schema: { type: 'string', examples: ['query.store_id'] },
	},
	'Content-Disposition': {
		description: 'The name of the file.',
		schema: { type: 'string', examples: ['attachment; filename="employees.xlsx"'] },
	},
	'WWW-Authenticate': {
		description: 'The kind of token that is needed.',
		required: true,
		schema: { type: 'string', const: 'Bearer' },
	},
	'Retry-After': {
		description: 'The seconds after which to try again; absent if unknown.',
		schema: { type: 'integer', minimum: 1, examples: [5] },
	},
} as const;

/** The schema of an error answer. @param headers those that not every answer has */
const failure = (description: string, headers: readonly (keyof typeof answerHeaders)[] = []) =>
	Type.Object(Failure.properties, { title: 'Failure', description, headers });

const failureSchemas = {
	400: failure('The request is invalid (VALIDATION_ERROR), or breaks a business rule (BAD_REQUEST).'),
	401: failure(
		'Not signed in, or the sign-in is refused or has ended; the reason says how. The details name the cause: a disabled ' +
			'account (account.status) or store (store.status), no back-office permission (account.permissions), an expired ' +
			'one-time password (account.password), a missing or wrong code (body.code).',
		['WWW-Authenticate'],
	),
	403: failure(
		'Signed in, but not permitted; the reason says why. The details name the cause: a missing permission ' +
			'(account.permissions), an employee out of reach or with more rights (params.id), a store or a role that the caller ' +
			'may not give (body.storeId, body.roleIds), or a required step: setting a password of their own (account.password) ' +
			'or turning on the second factor (account.secondFactor).',
	),
	404: failure('There is no such resource.'),
	409: failure('The request conflicts with stored data.'),
	412: failure(
		'If-Match names another version; where known, the details say who changed which field, when, and to what.',
	),
	413: failure(
		'The body is too large: more than 16 KiB for sign-ins and passwords, 8 MiB or 5,000 lines for imports, 1 MiB elsewhere.',
	),
	429: failure('Too many wrong passwords, codes or keys, or waiting requests; try again after Retry-After.', [
		'Retry-After',
	]),
	500: failure('An unforeseen failure; the log describes it under the X-Request-Id of the answer.'),
	503: failure(
		'Not possible now: the database cannot be read or written, or too many requests are waiting (Retry-After).',
		['Retry-After'],
	),
};

type FailureStatus = keyof typeof failureSchemas;

/** The error envelope, in Chinese or in English. */
export function failureEnvelope({ code, reason, details }: AppError, isEnglish = false) {
	const localized = details.map((detail) => ({ ...detail, message: textOf(detail, isEnglish) }));
	return { success: false, error: { code, message: textOf(reason, isEnglish), details: localized } };
}

/**
 * Whether a client asks for English: by `Accept-Language: en` and nothing else. A browser sends a longer list by itself, and
 * its user reads the Chinese messages. Adds the header to `Vary`.
 */
export function asksForEnglish({ headers }: Request, set: Pick<Context['set'], 'headers'>): boolean {
	varyBy(set, 'accept-language');
	return headers.get('accept-language')?.toLowerCase() === 'en';
}

/** Adds the name of a header to `Vary`. */
export function varyBy({ headers }: Pick<Context['set'], 'headers'>, name: string): void {
	headers.vary = [headers.vary ?? [], name].flat().join(', ');
}

/** Error envelopes of the given statuses, for a route's `response`. */
export function failures<Status extends FailureStatus>(...statuses: Status[]) {
	const schemas = statuses.map((status) => [status, failureSchemas[status]]);
	return Object.fromEntries(schemas) as Record<Status, typeof Failure>;
}

/** The failures that every protected route can answer, and the given ones. */
export function protectedFailures<Status extends FailureStatus = never>(...statuses: Status[]) {
	return { ...failures(400, 401, 403, 429, 500), ...failures(...statuses) };
}

/** The answer of a successful DELETE: 204 without a body. */
export const noContent = { 204: Type.Void() };

/** The texts of a route in the OpenAPI document: its name in clients, a summary and, if needed, a description. */
export function doc(operationId: string, summary: string, description?: string) {
	return { detail: { operationId, summary, ...(description !== undefined && { description }) } };
}

/** One `ETag` of an `If-Match` (RFC 9110, 8.8.3 and 13.1.1). */
const tag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const tags = new RegExp(tag, 'g');

/** The `If-Match` header, for a route that changes a version known to the caller. Spread it into the hooks of the route. */
export const conditional = {
	headers: Type.Object({
		'if-match': Type.Optional(
			Type.String({
				pattern: `^(?:\\*|[ \\t,]*${tag}(?:[ \\t]*,[ \\t,]*${tag})*[ \\t,]*)$`,
				error: '须为 * 或 ETag，多个以逗号分隔',
				description: 'The ETag of the version to change, or several. With another version the answer is 412.',
				examples: ['"mhuh3v4w-5Yb1tXn0kqTz3w9L"'],
			}),
		),
	}),
};

/**
 * The tags that a request expects; undefined when every version will do. A proxy that compresses answers makes their tags
 * weak. They name the same versions.
 */
export function expectedTags(headers: Headers): readonly string[] | undefined {
	const value = headers.get('if-match');
	return value === null || value === '*' ? undefined : (value.match(tags) ?? []).map((each) => each.replace('W/', ''));
}

/** The schema of the success envelope about one thing, with the tag of its version. */
export function Tagged<Data extends TSchema>(data: Data) {
	return Success(data, { headers: ['ETag'] });
}
