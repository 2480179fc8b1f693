import { Elysia } from 'elysia';
import { idPath, readPaging } from '../http/fields.ts';
import { ExportedFile, exportSeconds, fileHeaders } from '../http/file-answer.ts';
import { protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { permit, type RouteDependencies } from '../session/session.ts';
import { HistoryExportQuery, HistoryQuery, readFilter, ShownRecord } from './model.ts';
import { getHistoryRecord, listHistory } from './service.ts';

/** The history; only the super administrator can read it. */
export function historyRoutes({ db, session, answerInParts, searchInTurn }: RouteDependencies) {
	return new Elysia({ prefix: '/api/history', detail: { tags: ['History'] } })
		.use(session)
		.get(
			'',
			async ({ query }) => {
				const paging = readPaging(query);
				return successPage(await searchInTurn(listHistory(db, readFilter(query), paging)), paging);
			},
			{
				transform: permit('*'),
				query: HistoryQuery,
				response: { 200: SuccessPage(ShownRecord), ...protectedFailures() },
				detail: {
					operationId: 'listHistory',
					summary: 'List what happened',
					description: 'Every change and every sign-in, newest first. All given filters must match.',
				},
			},
		)
		.get(
			'/export',
			async ({ actor, query: { format = 'xlsx', utcOffset = '+00:00', ...query }, request }) => {
				const { exportHistory } = await import('./export.ts');
				const parts = exportHistory(db, readFilter(query), { format, utcOffset });
				return answerInParts({ actor, request }, parts, fileHeaders('history', format), exportSeconds);
			},
			{
				transform: permit('*'),
				query: HistoryExportQuery,
				response: { 200: ExportedFile, ...protectedFailures() },
				detail: {
					operationId: 'exportHistory',
					summary: 'Export the history as a spreadsheet',
					description: 'Every record that matches the filters, newest first, as sentences in Chinese.',
				},
			},
		)
		.get('/:id', ({ params }) => success(getHistoryRecord(db, params.id)), {
			transform: permit('*'),
			params: idPath(1),
			response: { 200: Success(ShownRecord), ...protectedFailures(404) },
			detail: { operationId: 'getHistoryRecord', summary: 'Get one record of the history' },
		});
}
