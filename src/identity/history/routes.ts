import { Elysia } from 'elysia';
import { idPath, readPaging } from '../../platform/http/fields.ts';
import {
	doc,
	protectedFailures,
	Success,
	SuccessCountedPage,
	success,
	successPage,
} from '../../platform/http/reply.ts';
import { requireStillPermitted } from '../session/actor.ts';
import { permitHistory, type RouteDependencies } from '../session/session.ts';
import { HistoryQuery, readFilter, ShownRecord } from './model.ts';
import { getHistoryRecord, listHistory } from './service.ts';

/** The history, for accounts that hold its code, and for programs that are not confined to a store. */
export function historyRoutes({ db, session, now }: RouteDependencies) {
	return new Elysia({ prefix: '/api/history' })
		.use(session)
		.get(
			'',
			async ({ caller, query }) => {
				const paging = readPaging(query);
				const page = await listHistory(db, readFilter(query), paging);
				requireStillPermitted({ db, now }, caller);
				return successPage(page, paging);
			},
			{
				transform: permitHistory(),
				query: HistoryQuery,
				response: { 200: SuccessCountedPage(ShownRecord), ...protectedFailures() },
				...doc(
					'listHistory',
					'List the records of the history',
					'Every change and every sign-in, newest first. With more filters than a period, a list is counted to 10,000.',
				),
			},
		)
		.get('/:id', ({ params }) => success(getHistoryRecord(db, params.id)), {
			transform: permitHistory(),
			params: idPath(1),
			response: { 200: Success(ShownRecord), ...protectedFailures(404) },
			...doc('getHistoryRecord', 'Get one record of the history'),
		});
}
