/** The route of the history as a spreadsheet. */
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { HistoryQuery, readFilter } from '../../../identity/history/model.ts';
import { permitHistory, type RouteDependencies } from '../../../identity/session/session.ts';
import { parameters } from '../../../platform/http/fields.ts';
import { ExportedFile, exportFormat, fileHeaders } from '../../../platform/http/file-answer.ts';
import { doc, protectedFailures } from '../../../platform/http/reply.ts';

const { page, pageSize, grouped, ...filters } = HistoryQuery.properties;

/** The query of GET /api/history/export: the filters of the list. */
const HistoryExportQuery = parameters({
	format: exportFormat,
	utcOffset: Type.String({
		pattern: '^[+-](?:0\\d|1[0-4]):[0-5]\\d$',
		error: '须为与 UTC 的时差，如 +08:00',
		description: 'The zone of the times in the file, as its distance from UTC; +00:00 when absent.',
		examples: ['+08:00'],
	}),
	...filters,
});

/** The route of `/api/history` with a file. */
export function historyFileRoutes({ db, session, answerInParts }: RouteDependencies) {
	return new Elysia({ prefix: '/api/history' }).use(session).get(
		'/export',
		async ({ caller, query: { format = 'xlsx', utcOffset = '+00:00', ...query }, request }) => {
			const { exportHistory } = await import('./export.ts');
			const makeParts = () => exportHistory(db, readFilter(query), { format, utcOffset });
			return answerInParts({ caller, request }, makeParts, fileHeaders('history', format));
		},
		{
			transform: permitHistory(),
			query: HistoryExportQuery,
			response: { 200: ExportedFile, ...protectedFailures(503) },
			...doc(
				'exportHistory',
				'Export the history as a spreadsheet, newest first, in Chinese',
				'A CSV file has every record, an XLSX file as many as Excel can open (1,048,574). Its last row says if there are more.',
			),
		},
	);
}
