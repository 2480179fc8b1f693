import { Elysia } from 'elysia';
import { doc } from '../http/doc.ts';
import { protectedFailures, Success, success } from '../http/reply.ts';
import { stillPermitted } from '../session/actor.ts';
import { permit, type RouteDependencies } from '../session/session.ts';
import { Changes, ChangesQuery, defaultLimit } from './model.ts';
import { readChanges } from './service.ts';
import type { Waiting } from './waiting.ts';

/** How many seconds an answer may take beyond its wait. */
const spare = 10;

/** The feed of what changed. */
export function changesRoutes({ db, session, now, extendTimeout, waiting }: RouteDependencies & { waiting: Waiting }) {
	return new Elysia({ prefix: '/api/changes', detail: { tags: ['Changes'] } }).use(session).get(
		'',
		async ({ query, caller, request }) => {
			const { wait = 0, ...asked } = query;
			const { after, limit = defaultLimit } = asked;
			const page = readChanges(db, asked);
			const found = page.items.length;
			// Otherwise every client would ask again for each change in a busy hour.
			const isHeld = after !== undefined && !page.reset && found < limit && waiting.holds(caller.actor);
			if (wait === 0 || asked.newest || page.reset || (found > 0 && !isHeld)) return success(page);
			extendTimeout(request, wait + spare);
			const position = found > 0 ? 0 : page.position;
			await waiting.wait({ caller: caller.actor, position, seconds: wait, signal: request.signal });
			stillPermitted(db, { ...caller, at: now() }, 'employee:view:all');
			return success(readChanges(db, { ...asked, after: after ?? page.next }));
		},
		{
			transform: permit('employee:view:all'),
			query: ChangesQuery,
			response: { 200: Success(Changes), ...protectedFailures() },
			...doc(
				'listChanges',
				'List what changed since a cursor',
				'Ids without names or values: read the thing then. The integrators’ page says in which order to begin.',
			),
		},
	);
}
