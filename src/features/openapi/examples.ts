/** Examples of refusals, made by what refuses. */

import { changeOf, modified } from '../../identity/history/versions.ts';
import { lacksPermission, notSignedIn, refusalFor } from '../../identity/session/refusals.ts';
import { databaseMessages } from '../../platform/database/storage.ts';
import { tooLarge } from '../../platform/http/body.ts';
import { failureEnvelope, httpMessages, invalidRequest, tooManyAttempts } from '../../platform/http/reply.ts';
import { violationOf } from '../../platform/http/violation.ts';
import { AppError, businessError, statusOf } from '../../platform/vocabulary/errors.ts';
import { CreateStore, storeMessages } from '../stores/model.ts';

const nameless = { path: 'body.name', ...violationOf({ schema: CreateStore.properties.name, value: undefined }) };

const change = { actorType: 'EMPLOYEE', actorName: '王芳', at: '2026-11-22T07:32:00.000Z' } as const;

const refusals: readonly AppError[] = [
	invalidRequest([nameless]),
	businessError('BAD_REQUEST', 'body', storeMessages.limitReached),
	notSignedIn('token_expired'),
	refusalFor('ACCOUNT_DISABLED'),
	lacksPermission(['store:manage']),
	refusalFor('OWN_PASSWORD'),
	new AppError('NOT_FOUND', storeMessages.notFound),
	businessError('CONFLICT', 'body.name', storeMessages.nameTaken),
	modified([changeOf('phone', '13900139000', change)]),
	tooLarge(),
	tooManyAttempts(1),
	new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen),
	new AppError('SERVICE_UNAVAILABLE', databaseMessages.unreachable),
];

/** The envelopes that a status can have; undefined for an answer that is no refusal. */
export function examplesOf(status: string): unknown[] | undefined {
	const examples = refusals.filter(({ code }) => `${statusOf[code]}` === status);
	if (examples.length === 0) return undefined;
	return examples.map((refusal) => failureEnvelope(refusal));
}
