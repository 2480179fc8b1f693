/** Turns whatever was thrown into a status and the error envelope (specification, section 7). */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { NotFoundError, ValidationError } from 'elysia';
import { AppError, type ErrorDetail } from '../errors.ts';
import type { Log } from '../log.ts';
import { isOversized } from './body.ts';
import { securityHeaders } from './headers.ts';
import { httpMessages } from './messages.ts';
import { statusOf } from './reply.ts';

/** No answer lists more than this many details: a hostile body could have a million mistakes. */
const mostDetails = 20;

/** What the caller is told about a failure. Anything that is not the caller's doing says nothing of the inside. */
export function refusalOf(error: unknown, request: Request): AppError {
	if (error instanceof AppError) return error;
	if (error instanceof NotFoundError) return new AppError('NOT_FOUND', httpMessages.unknownPath);
	if (error instanceof ValidationError && error.type !== 'response') {
		if (isOversized(request)) return new AppError('PAYLOAD_TOO_LARGE', httpMessages.tooLarge);
		return new AppError('VALIDATION_ERROR', httpMessages.invalid, { details: detailsOf(error) });
	}
	return new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen);
}

/** The error envelope of a refusal. */
export function envelopeOf({ code, message, details }: AppError) {
	return { success: false, error: { code, message, details } };
}

/** The answer to a failure that not even the application could catch; it goes to the log whole. */
export function unforeseen(error: unknown, log: Log): Response {
	const id = crypto.randomUUID();
	log.error('request failed outside of the application', { id, ...loggableOf(error) });
	const refusal = new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen);
	const headers = { ...securityHeaders, 'x-request-id': id };
	return Response.json(envelopeOf(refusal), { status: statusOf[refusal.code], headers });
}

/** What may be logged of an unforeseen failure: a response that breaks its schema holds people's data. */
export function loggableOf(error: unknown): Record<string, unknown> {
	if (error instanceof ValidationError) {
		return { error: 'an answer breaks its schema', paths: Array.from(schemaErrors(error), (each) => each.path) };
	}
	if (error instanceof Error) return { error: error.message, stack: error.stack };
	return { error: String(error) };
}

function detailsOf(error: ValidationError): ErrorDetail[] {
	const details = new Map<string, string>();
	for (const each of schemaErrors(error)) {
		const path = [error.type, ...each.path.split('/').slice(1)].join('.');
		if (!details.has(path)) details.set(path, messageOf(each));
		if (details.size >= mostDetails) break;
	}
	return Array.from(details, ([path, message]) => ({ path, message }));
}

/** Straight from the validator: Elysia's own list writes every wrong value into a text, however deep it is nested. */
function schemaErrors({ validator, value }: ValidationError): Iterable<ValueError> {
	return (validator as TypeCheck<TSchema>).Errors(value);
}

function messageOf({ schema, type, value }: ValueError): string {
	if (type === ValueErrorType.ObjectMinProperties) {
		return `至少须包含以下字段之一：${Object.keys(schema.properties).join('、')}`;
	}
	const missing = value === undefined ? '必填；' : '';
	return `${missing}${schema.error ?? httpMessages.invalid}`;
}
