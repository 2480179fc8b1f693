/** The response envelopes, their schemas, and the statuses that a route declares (specification, section 1 and 7). */
import { type TSchema, Type } from '@sinclair/typebox';
import type { ErrorCode, ErrorDetail } from '../errors.ts';
import type { Page, Paging } from '../paging.ts';
import { httpMessages } from './messages.ts';

/** The status that stands for each error code (specification, section 7). */
export const statusOf = {
	VALIDATION_ERROR: 400,
	BAD_REQUEST: 400,
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	CONFLICT: 409,
	PAYLOAD_TOO_LARGE: 413,
	TOO_MANY_REQUESTS: 429,
	INTERNAL_SERVER_ERROR: 500,
	SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/** The success envelope. */
export function success<Data>(data: Data) {
	return { success: true as const, data };
}

/** The success envelope of a paginated list; a page past the end is empty. */
export function successPage<Item>({ items, total }: Page<Item>, { page, pageSize }: Paging) {
	return success({
		items,
		pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) },
	});
}

/** The schema of the success envelope around `data`. */
export function Success<Data extends TSchema>(data: Data) {
	return Type.Object({ success: Type.Literal(true), data });
}

const Pagination = Type.Object(
	{
		page: Type.Integer({ examples: [1] }),
		pageSize: Type.Integer({ examples: [20] }),
		total: Type.Integer({ description: 'How many items there are on all pages.', examples: [1] }),
		totalPages: Type.Integer({ examples: [1] }),
	},
	{ title: 'Pagination' },
);

/** The schema of a paginated success envelope. */
export function SuccessPage<Item extends TSchema>(item: Item) {
	return Success(Type.Object({ items: Type.Array(item), pagination: Pagination }));
}

const timestamp = (description: string) =>
	Type.String({ format: 'date-time', description, examples: ['2026-11-21T08:30:00.000Z'] });

/** When a resource was created and last changed: ISO 8601 in UTC with milliseconds (section 1). */
export const timestampFields = {
	createdAt: timestamp('When it was created, in UTC with milliseconds.'),
	updatedAt: timestamp('When it was last changed, in UTC with milliseconds.'),
};

/** The schema of the error envelope. */
export const Failure = Type.Object(
	{
		success: Type.Literal(false),
		error: Type.Object({
			code: Type.String({ description: 'What kind of failure it is, for programs.' }),
			message: Type.String({ description: 'What went wrong, for people.' }),
			details: Type.Array(
				Type.Object({
					path: Type.String({ description: 'Which part of the request, such as body.name or query.page.' }),
					message: Type.String({ description: 'What is allowed there.' }),
				}),
			),
		}),
	},
	{ title: 'Failure' },
);

const describedFailures = {
	400: {
		description: 'The request is invalid (VALIDATION_ERROR), or breaks a business rule (BAD_REQUEST).',
		example: ['VALIDATION_ERROR', httpMessages.invalid, { path: 'body.name', message: '必填' }],
	},
	401: {
		description: 'Not signed in, or the sign-in is refused or has ended.',
		example: ['UNAUTHORIZED', '未登录或登录已失效'],
	},
	403: {
		description: 'Signed in without the permission for this.',
		example: ['FORBIDDEN', '没有权限执行此操作'],
	},
	404: { description: 'There is no such resource.', example: ['NOT_FOUND', '门店不存在'] },
	409: { description: 'In conflict with what is stored.', example: ['CONFLICT', '门店名称已存在'] },
	413: {
		description: 'The body is larger than 1 MiB.',
		example: ['PAYLOAD_TOO_LARGE', httpMessages.tooLarge],
	},
	429: {
		description: 'Too many wrong passwords; Retry-After says when the next may be tried.',
		example: ['TOO_MANY_REQUESTS', '尝试次数过多，请稍后再试'],
	},
	500: {
		description: 'An unforeseen failure; the log tells more under the X-Request-Id of the answer.',
		example: ['INTERNAL_SERVER_ERROR', httpMessages.unforeseen],
	},
	503: {
		description:
			'Not able to do it now: the database is unreachable or cannot be written to, ' +
			'or too many passwords are waiting to be checked (Retry-After).',
		example: ['SERVICE_UNAVAILABLE', '数据库不可用'],
	},
} as const satisfies Record<number, { description: string; example: [ErrorCode, string, ...ErrorDetail[]] }>;

type FailureStatus = keyof typeof describedFailures;

const failureSchemas = Object.fromEntries(
	Object.entries(describedFailures).map(([status, { description, example }]) => {
		const [code, message, ...details] = example;
		const examples = [{ success: false, error: { code, message, details } }];
		return [status, Type.Object(Failure.properties, { title: 'Failure', description, examples })];
	}),
);

/** Error envelopes for the given statuses, as a route's `response` takes them. */
export function failures<Status extends FailureStatus>(...statuses: Status[]) {
	return Object.fromEntries(statuses.map((status) => [status, failureSchemas[status]])) as Record<
		Status,
		typeof Failure
	>;
}

/** The statuses that every protected route can answer, and the given ones. */
export function protectedFailures<Status extends FailureStatus = never>(...statuses: Status[]) {
	return { ...failures(400, 401, 403, 500), ...failures(...statuses) };
}

/** The answer of a successful DELETE: 204 without a body. */
export const noContent = { 204: Type.Void({ description: 'Done; no body.' }) };
