import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { failures, Success, success } from '../http/reply.ts';
import { timestamp } from '../http/schema-types.ts';
import type { RouteDependencies } from '../session/session.ts';
import { probeDatabase } from './service.ts';

const Health = Type.Object(
	{
		status: Type.Literal('ok'),
		database: Type.Literal('up'),
		now: timestamp({}),
	},
	{ title: 'Health' },
);

/** GET /health: whether the service and its database work. */
export function healthRoutes({ db, now }: Pick<RouteDependencies, 'db' | 'now'>) {
	return new Elysia({ detail: { tags: ['Health'] } }).get(
		'/health',
		() => {
			probeDatabase(db);
			return success({ status: 'ok' as const, database: 'up' as const, now: now() });
		},
		{
			response: { 200: Success(Health), ...failures(400, 500, 503) },
			detail: { operationId: 'getHealth', summary: 'Check the service and its database' },
		},
	);
}
