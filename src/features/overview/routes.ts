import { Elysia } from 'elysia';
import { permit, permitAll, type RouteDependencies } from '../../identity/session/session.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { maxReachStores, Overview, ReachOverview } from './model.ts';
import { getOverview, getReachOverview } from './service.ts';

/** The key figures of the chain. */
export function overviewRoutes({ db, session, now }: Pick<RouteDependencies, 'db' | 'session' | 'now'>) {
	return new Elysia({ prefix: '/api/overview' })
		.use(session)
		.get('', () => success(getOverview(db, now())), {
			transform: permitAll(['store:view'], ['employee:view:all']),
			response: { 200: Success(Overview), ...protectedFailures() },
			...doc('getOverview', 'Get the key figures of the chain'),
		})
		.get('/reach', ({ actor }) => success(getReachOverview(db, actor, now())), {
			transform: permit('employee:view:store'),
			response: { 200: Success(ReachOverview), ...protectedFailures() },
			...doc(
				'getReachOverview',
				'Get the key figures of the stores that you reach',
				`With more than ${maxReachStores} stores the counts are complete, and the first of them are listed.`,
			),
		});
}
