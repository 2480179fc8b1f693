/** Stores as spreadsheets. Stores themselves know nothing of files, so these routes are registered from here. */
import { Elysia } from 'elysia';
import { clean, given } from '../../http/fields.ts';
import { ExportedFile, exportSeconds, fileHeaders } from '../../http/file-answer.ts';
import { protectedFailures } from '../../http/reply.ts';
import { permit } from '../../session/session.ts';
import { ImportQuery } from '../model.ts';
import { importRoutes, type SheetDependencies } from '../routes.ts';
import { ExportQuery, StoreImportResult } from './model.ts';

/** The routes of `/api/stores` that take or answer a file. */
export function storeFileRoutes(dependencies: SheetDependencies) {
	const { db, session, answerInParts } = dependencies;
	return new Elysia({ prefix: '/api/stores', detail: { tags: ['Stores'] } })
		.use(session)
		.get(
			'/export',
			async ({ actor, query: { format = 'xlsx', status, keyword }, request }) => {
				const { exportStores } = await import('./export.ts');
				const parts = exportStores(db, { status, keyword: given(keyword, clean) }, format);
				return answerInParts({ actor, request }, parts, fileHeaders('stores', format), exportSeconds);
			},
			{
				transform: permit('store:view'),
				query: ExportQuery,
				response: { 200: ExportedFile, ...protectedFailures() },
				detail: {
					operationId: 'exportStores',
					summary: 'Export stores as a spreadsheet',
					description: 'Every store that passes the filters, enabled or not, in the columns of an import.',
				},
			},
		)
		.use(
			importRoutes(dependencies, {
				permission: 'store:manage',
				query: ImportQuery,
				result: StoreImportResult,
				load: async () => (await import('./import.ts')).storeImport(db),
				file:
					'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings 门店名称/name, 地址/address, ' +
					'电话/phone, 状态/status (启用 or 禁用) and, for changes, 编号/id.',
				importing: {
					operationId: 'importStores',
					summary: 'Create and change many stores from a spreadsheet',
					description:
						'As the import of employees: all or nothing, and a dry run says what would happen. Lines are matched by 编号 or ' +
						'else by the name. An empty cell clears address and phone, and leaves everything else as it is.',
				},
				marking: {
					operationId: 'markStoreImport',
					summary: 'Get the spreadsheet of an import of stores with its problems, or its changes',
				},
			}),
		);
}
