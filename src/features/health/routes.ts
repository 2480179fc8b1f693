import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { RouteDependencies } from '../../identity/session/session.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/query.ts';
import { installation } from '../../platform/database/schema.ts';
import { databaseMessages, reportFailure } from '../../platform/database/storage.ts';
import { shape, timestamp } from '../../platform/http/fields.ts';
import { doc, failures, Success, success } from '../../platform/http/reply.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';

const Health = shape('Health', { status: Type.Literal('ok'), database: Type.Literal('up'), now: timestamp({}) });

/** GET /health: whether the service and its database work. */
export function healthRoutes({ db, now }: Pick<RouteDependencies, 'db' | 'now'>) {
	return new Elysia().get(
		'/health',
		() => {
			probeDatabase(db);
			return success({ status: 'ok' as const, database: 'up' as const, now: now() });
		},
		{
			response: { 200: Success(Health), ...failures(400, 500, 503) },
			...doc('getHealth', 'Check the service and its database'),
		},
	);
}

/**
 * Reads a page, and checks writing: the files must be in place, and the last write must have succeeded. After a failed
 * write it tries one, so that the service recovers as soon as the disk does.
 * @throws AppError SERVICE_UNAVAILABLE
 */
function probeDatabase(db: Db): void {
	try {
		// Raw SQL, because Drizzle has no table for the list of tables. The statement reads a page of the file.
		db.$client.query('select 1 from sqlite_schema limit 1').get();
		if (db.storage.isInPlace() && !db.storage.lastUseFailed) return;
		transaction(db, () => db.update(installation).set({ id: 1 }).run());
	} catch (error) {
		// A failed write has reported itself.
		if (!(error instanceof AppError)) reportFailure(db.storage, error);
		throw new AppError('SERVICE_UNAVAILABLE', databaseMessages.unreachable);
	}
}
