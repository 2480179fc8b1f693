/** Turns thrown errors into answers: a status and the error envelope. */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import { isStorageError } from '../database/storage.ts';
import type { Log } from '../machine/log.ts';
import { AppError, type ErrorDetail, statusOf } from '../vocabulary/errors.ts';
import { bodyRefusalOf } from './body.ts';
import { securityHeaders } from './edge.ts';
import { type Routes, unknownPath } from './known-paths.ts';
import { asksForEnglish, failureEnvelope, httpMessages, invalidRequest, maxDetails } from './reply.ts';
import { requestFacts } from './request-log.ts';
import { violationOf } from './violation.ts';

/** The refusal for a thrown error. That for an unforeseen one reveals nothing about the inside of the service. */
function refusalOf(error: unknown, request: Request, routes: () => Routes): AppError {
	if (error instanceof AppError) return error;
	if (error instanceof NotFoundError) return unknownPath(request, routes());
	if (error instanceof ValidationError && error.type !== 'response') {
		return bodyRefusalOf(request) ?? invalidRequest(detailsOf(error.type, schemaErrors(error)));
	}
	return new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen);
}

/**
 * Answers every failure of `app` with its status and the error envelope, and logs those inside the service. It covers
 * the routes that are registered after it. @param routes all of them
 */
export function answerFailures(log: Log, routes: () => Routes) {
	return new Elysia({ name: 'failures' })
		.use(requestFacts)
		.onError({ as: 'global' }, function refuse({ error, request, requestId, route, set }) {
			// Elysia wraps what reading a body throws.
			const thrown = error instanceof ParseError ? error.cause : error;
			const refusal = refusalOf(thrown, request, routes);
			const { code, reason, details, cause } = refusal;
			// A disk that is full or files that are gone are reported once, not for each request.
			if (code === 'INTERNAL_SERVER_ERROR' || (cause !== undefined && !isStorageError(cause))) {
				const failed = loggableOf(cause ?? thrown);
				log.error('request failed', { id: requestId, method: request.method, route, ...failed });
			}
			const reasons = details.map((each) => `${each.path ?? ''} ${each.reason}`.trim());
			log.debug('refused', { id: requestId, reasons });
			// A failure after the answer was made says nothing about a version.
			delete set.headers.etag;
			if (code === 'UNAUTHORIZED') set.headers['www-authenticate'] = 'Bearer';
			if (refusal.retryAfter !== undefined) set.headers['retry-after'] = String(refusal.retryAfter);
			if (code === 'METHOD_NOT_ALLOWED' && reason.allowed) set.headers.allow = reason.allowed.join(', ');
			set.status = statusOf[code];
			return failureEnvelope(refusal, asksForEnglish(request, set));
		});
}

/** The answer to a failure that the application could not catch. It is logged in full. */
export function answerUnforeseen(error: unknown, log: Log): Response {
	const id = crypto.randomUUID();
	log.error('request failed outside of the application', { id, ...loggableOf(error) });
	const headers = { ...securityHeaders, 'x-request-id': id };
	const refusal = new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen);
	return Response.json(failureEnvelope(refusal), { status: 500, headers });
}

/** The part of an unforeseen failure that may be logged: only the paths of a response, which holds personal data. */
export function loggableOf(error: unknown): Record<string, unknown> {
	if (error instanceof ValidationError) {
		return { error: 'an answer breaks its schema', paths: Array.from(schemaErrors(error), (each) => each.path) };
	}
	if (error instanceof Error) return { error: error.message, stack: error.stack };
	return { error: String(error) };
}

/** The details of a part of a request that breaks its schema. @param part such as `body` */
export function detailsOf(part: string, errors: Iterable<ValueError>): ErrorDetail[] {
	const details = new Map<string, ErrorDetail>();
	for (const each of errors) {
		// Elysia drops unknown fields before it checks, but not when a part that it looks into is missing.
		if (each.type === ValueErrorType.ObjectAdditionalProperties) continue;
		const path = [part, ...each.path.split('/').slice(1)].join('.');
		if (!details.has(path)) details.set(path, { path, ...violationOf(each, part !== 'body') });
		if (details.size >= maxDetails) break;
	}
	return Array.from(details.values());
}

/** Read from the validator, because Elysia's own list writes every wrong value into a text, however deep it is nested. */
function schemaErrors({ validator, value }: ValidationError): Iterable<ValueError> {
	return (validator as TypeCheck<TSchema>).Errors(value);
}
