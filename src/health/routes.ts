import { Type } from '@sinclair/typebox';
import { sql } from 'drizzle-orm';
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { AppError } from '../errors.ts';
import { httpMessages } from '../http/messages.ts';
import { failures, Success, success } from '../http/reply.ts';

const Health = Type.Object(
	{
		status: Type.Literal('ok'),
		database: Type.Literal('up'),
		now: Type.String({ format: 'date-time', examples: ['2026-11-21T08:30:00.000Z'] }),
	},
	{ title: 'Health' },
);

/** GET /health: whether the service and its database work (specification, section 4). */
export function healthRoutes({ db, now }: { db: Db; now: () => string }) {
	return new Elysia({ detail: { tags: ['Health'] } }).get(
		'/health',
		() => {
			requireDatabase(db);
			return success({ status: 'ok' as const, database: 'up' as const, now: now() });
		},
		{
			response: { 200: Success(Health), ...failures(400, 500, 503) },
			detail: { operationId: 'getHealth', summary: 'Check the service and its database' },
		},
	);
}

/** @throws AppError SERVICE_UNAVAILABLE (decisions, "health without a database"). */
function requireDatabase(db: Db): void {
	try {
		db.get(sql`select 1`);
	} catch {
		throw new AppError('SERVICE_UNAVAILABLE', httpMessages.databaseDown);
	}
}
