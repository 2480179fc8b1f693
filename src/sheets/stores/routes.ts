/** Stores as spreadsheets. Stores themselves know nothing of files, so these routes are registered from here. */
import { Elysia } from 'elysia';
import { fileBody } from '../../http/body.ts';
import { clean, given } from '../../http/fields.ts';
import { csvType, exportSeconds, fileHeaders, xlsxType } from '../../http/file-answer.ts';
import { protectedFailures, Success, success } from '../../http/reply.ts';
import { wholeFile } from '../../http/schema-types.ts';
import { accountOf } from '../../session/actor.ts';
import { permit, type RouteDependencies } from '../../session/session.ts';
import { maxImportMebibytes } from '../../vocabulary/limits.ts';
import { type ImportDependencies, importSeconds } from '../importing.ts';
import { ImportQuery, importTypes, MarkQuery } from '../model.ts';
import { ExportQuery, StoreImportResult } from './model.ts';

interface Dependencies extends RouteDependencies, ImportDependencies {}

const importBody = fileBody(
	importTypes,
	maxImportMebibytes * 1_048_576,
	'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings 门店名称/name, 地址/address, ' +
		'电话/phone, 状态/status (启用 or 禁用) and, for changes, 编号/id.',
);

/** The routes of `/api/stores` that take or answer a file. */
export function storeFileRoutes(dependencies: Dependencies) {
	const { db, session, extendTimeout, answerInParts } = dependencies;
	return new Elysia({ prefix: '/api/stores', detail: { tags: ['Stores'] } })
		.use(session)
		.get(
			'/export',
			async ({ actor, query: { format = 'xlsx', status, keyword }, request }) => {
				const { exportStores } = await import('./export.ts');
				const parts = exportStores(db, { status, keyword: given(keyword, clean) }, format);
				const asked = { request, account: accountOf(actor) };
				return answerInParts(asked, parts, fileHeaders('stores', format), exportSeconds);
			},
			{
				transform: permit('store:view'),
				query: ExportQuery,
				response: { 200: wholeFile([xlsxType, csvType], { description: 'The file.' }), ...protectedFailures() },
				detail: {
					operationId: 'exportStores',
					summary: 'Export stores as a spreadsheet',
					description: 'Every store that passes the filters, enabled or not, in the columns of an import.',
				},
			},
		)
		.post(
			'/import',
			async ({ caller, body, query, request, status }) => {
				extendTimeout(request, importSeconds);
				// Loaded when it is first needed, to keep the start quick.
				const [{ importSheet }, { storeImport }] = await Promise.all([
					import('../importing.ts'),
					import('./import.ts'),
				]);
				const dryRun = query.dryRun === 'true';
				const asked = { upload: body, mode: query.mode, dryRun, signal: request.signal };
				const result = await importSheet(dependencies, storeImport(db), caller, asked);
				return dryRun ? status(200, success(result)) : status(201, success(result));
			},
			{
				transform: permit('store:manage'),
				query: ImportQuery,
				...importBody,
				response: {
					200: Success(StoreImportResult),
					201: Success(StoreImportResult),
					...protectedFailures(413, 503),
				},
				detail: {
					operationId: 'importStores',
					summary: 'Create and change many stores from a spreadsheet',
					description:
						'As the import of employees: all or nothing, and a dry run says what would happen. Lines are matched by 编号 or ' +
						'else by the name. An empty cell clears address and phone, and leaves everything else as it is.',
				},
			},
		)
		.post(
			'/import/problems',
			async ({ caller, body, query, request }) => {
				extendTimeout(request, importSeconds);
				const [{ markSheet }, { storeImport }] = await Promise.all([import('../importing.ts'), import('./import.ts')]);
				const asked = { upload: body, mode: query.mode, signal: request.signal };
				const marked = await markSheet(dependencies, storeImport(db), caller, asked);
				return answerInParts({ request, account: accountOf(caller.actor) }, marked, fileHeaders('stores', 'xlsx'));
			},
			{
				transform: permit('store:manage'),
				query: MarkQuery,
				...importBody,
				response: { 200: wholeFile([xlsxType], { description: 'The file.' }), ...protectedFailures(413, 503) },
				detail: {
					operationId: 'markStoreImport',
					summary: 'Get the spreadsheet of an import of stores with its problems, or its changes',
					description:
						'All rows as texts, with a first column that says what is wrong with each. With another mode than add and ' +
						'without problems, every change before and after instead. Nothing is kept.',
				},
			},
		);
}
