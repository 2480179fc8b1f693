import { Elysia } from 'elysia';
import { permitAll, type RouteDependencies } from '../../identity/session/session.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { Overview } from './model.ts';
import { getOverview } from './service.ts';

/** The key figures of the chain. */
export function overviewRoutes({ db, session, now }: Pick<RouteDependencies, 'db' | 'session' | 'now'>) {
	return new Elysia({ prefix: '/api/overview' }).use(session).get('', () => success(getOverview(db, new Date(now()))), {
		transform: permitAll(['store:view'], ['employee:view:all']),
		response: { 200: Success(Overview), ...protectedFailures() },
		...doc('getOverview', 'Get the key figures of the chain'),
	});
}
