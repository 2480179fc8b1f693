/** The routes of stores as spreadsheets. The folder `stores` may not import files, so they are here. */
import { Elysia } from 'elysia';
import { permit } from '../../../identity/session/session.ts';
import { parameters, shape } from '../../../platform/http/fields.ts';
import { ExportedFile, exportFormat, fileHeaders } from '../../../platform/http/file-answer.ts';
import { doc, protectedFailures } from '../../../platform/http/reply.ts';
import { readFilter, StoreQuery } from '../../stores/model.ts';
import { documentedClearing, documentedHeadings } from '../layout.ts';
import { ImportQuery, importFields } from '../model.ts';
import { type FileDependencies, importRoutes } from '../routes.ts';
import { storeColumns } from './columns.ts';
import { storeLayout } from './layout.ts';

const { page, pageSize, includeInactive, include, ...filters } = StoreQuery.properties;

/** The query of GET /api/stores/export: the filters of the list. */
const StoreExportQuery = parameters({ format: exportFormat, ...filters });

/** The answer of POST /api/stores/import. */
const StoreImportResult = shape('StoreImportResult', importFields('Store', Object.keys(storeColumns)));

/** The routes of `/api/stores` with a file. */
export function storeFileRoutes(dependencies: FileDependencies) {
	const { db, session, answerInParts } = dependencies;
	return new Elysia({ prefix: '/api/stores' })
		.use(session)
		.get(
			'/export',
			async ({ caller, query: { format = 'xlsx', ...query }, request }) => {
				const { exportStores } = await import('./export.ts');
				const makeParts = () => exportStores(db, readFilter(query), format);
				return answerInParts({ caller, request }, makeParts, fileHeaders('stores', format));
			},
			{
				transform: permit('store:view'),
				query: StoreExportQuery,
				response: { 200: ExportedFile, ...protectedFailures(503) },
				...doc(
					'exportStores',
					'Export stores as a spreadsheet, in the columns of an import',
					'Every store that passes the filters, disabled ones too.',
				),
			},
		)
		.use(
			importRoutes(dependencies, {
				layout: storeLayout,
				permission: 'store:manage',
				query: ImportQuery,
				result: StoreImportResult,
				load: async () => (await import('./import.ts')).storeImporter(db),
				file:
					'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings ' +
					`${documentedHeadings(storeColumns)}. A status is 启用 or 禁用, an area the name of one that exists; 编号 is for changes.`,
				importing: doc(
					'importStores',
					'Create and change many stores from a spreadsheet',
					'As the import of employees: all or nothing, and a dry run says what would happen. Lines are matched by 编号 or ' +
						`else by the name. ${documentedClearing(storeColumns)}`,
				),
				template: ['getStoreImportTemplate', 'Get the spreadsheet to fill in for an import of stores'],
				marking: ['markStoreImport', 'Get the spreadsheet of an import of stores with its problems, or its changes'],
			}),
		);
}
