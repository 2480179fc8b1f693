/** Turns whatever was thrown into a status and the error envelope (specification, section 7). */
import { ValueErrorType } from '@sinclair/typebox/errors';
import { NotFoundError, ParseError, ValidationError } from 'elysia';
import { AppError, type ErrorDetail } from '../errors.ts';
import type { Log } from '../log.ts';
import { httpMessages } from './messages.ts';
import { statusOf } from './reply.ts';

/** No answer lists more than this many details: a hostile body could have a million mistakes. */
const mostDetails = 20;

/** What the caller is told about a failure. Anything that is not the caller's doing says nothing of the inside. */
export function refusalOf(error: unknown): AppError {
	if (error instanceof AppError) return error;
	if (error instanceof NotFoundError) return new AppError('NOT_FOUND', httpMessages.unknownPath);
	// What the body parser throws arrives wrapped.
	if (error instanceof ParseError && error.cause instanceof AppError) return error.cause;
	if (error instanceof ValidationError && error.type !== 'response') {
		return new AppError('VALIDATION_ERROR', httpMessages.invalid, detailsOf(error));
	}
	return new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen);
}

/** The error envelope of a refusal. */
export function envelopeOf({ code, message, details }: AppError) {
	return { success: false, error: { code, message, details } };
}

/** The answer to a failure that not even the application could catch; it goes to the log whole. */
export function unforeseen(error: unknown, log: Log): Response {
	log.error('request failed outside of the application', loggableOf(error));
	const refusal = refusalOf(undefined);
	return Response.json(envelopeOf(refusal), { status: statusOf[refusal.code] });
}

/** What may be logged of an unforeseen failure: a response that breaks its schema holds people's data. */
export function loggableOf(error: unknown): Record<string, unknown> {
	if (error instanceof ValidationError) {
		return { error: 'an answer breaks its schema', paths: error.all.map((each) => `${pathOf(each)}`) };
	}
	if (error instanceof Error) return { error: error.message, stack: error.stack };
	return { error: String(error) };
}

function detailsOf(error: ValidationError): ErrorDetail[] {
	const details = new Map<string, string>();
	for (const each of error.all) {
		const path = [error.type, ...pathOf(each).split('/').slice(1)].join('.');
		if (!details.has(path)) details.set(path, messageOf(each));
		if (details.size >= mostDetails) break;
	}
	return Array.from(details, ([path, message]) => ({ path, message }));
}

type SchemaError = ValidationError['all'][number];

function pathOf(error: SchemaError): string {
	return 'path' in error && typeof error.path === 'string' ? error.path : '';
}

function messageOf(error: SchemaError): string {
	if (!('schema' in error)) return httpMessages.invalid;
	const { schema, type } = error;
	if (type === ValueErrorType.ObjectMinProperties) {
		return `至少须包含以下字段之一：${Object.keys(schema.properties).join('、')}`;
	}
	const missing = type === ValueErrorType.ObjectRequiredProperty ? '必填；' : '';
	return `${missing}${schema.error ?? httpMessages.invalid}`;
}
