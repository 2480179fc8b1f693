import { Elysia } from 'elysia';
import { requireStillPermitted } from '../../identity/session/actor.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { Changes, ChangesQuery } from './model.ts';
import { readChanges } from './service.ts';
import type { ChangeSubscribers } from './subscribers.ts';

/** The seconds that an answer may take beyond its wait. */
const extraSeconds = 10;

/** The routes of the change feed. */
export function changesRoutes({
	db,
	session,
	now,
	extendTimeout,
	subscribers,
}: RouteDependencies & { subscribers: ChangeSubscribers }) {
	return new Elysia({ prefix: '/api/changes' }).use(session).get(
		'',
		async ({ query, caller, request }) => {
			const { wait = 0, ...asked } = query;
			const page = readChanges(db, asked);
			if (wait === 0 || asked.newest || page.reset || page.items.length > 0) return success(page);
			extendTimeout(request, wait + extraSeconds);
			await subscribers.wait({ caller: caller.actor, position: page.position, seconds: wait, signal: request.signal });
			requireStillPermitted({ db, now }, caller);
			return success(readChanges(db, asked));
		},
		{
			transform: permit('employee:view:all'),
			query: ChangesQuery,
			response: { 200: Success(Changes), ...protectedFailures() },
			...doc(
				'listChanges',
				'List the changes since a cursor',
				'Ids without names or values: read the changed things afterwards. A created or deleted role is one item, without ' +
					'its policy. The page Copies describes how to begin.',
			),
		},
	);
}
