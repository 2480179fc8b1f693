/** The routes of employees as spreadsheets. The folder `employees` may not import files, so they are here. */
import { Elysia } from 'elysia';
import type { Caller } from '../../../identity/session/actor.ts';
import { notForPrograms } from '../../../identity/session/refusals.ts';
import { permit } from '../../../identity/session/session.ts';
import { ExportedFile, fileHeaders } from '../../../platform/http/file-answer.ts';
import { doc, protectedFailures } from '../../../platform/http/reply.ts';
import type { Passwords } from '../../auth/password.ts';
import { readFilter } from '../../employees/model.ts';
import { documentedClearing, documentedHeadings } from '../layout.ts';
import { type FileDependencies, importRoutes } from '../routes.ts';
import { employeeColumns } from './columns.ts';
import { employeeLayout } from './layout.ts';
import { EmployeeExportQuery, EmployeeImportQuery, EmployeeImportResult } from './model.ts';

/** The routes of `/api/employees` with a file. */
export function employeeFileRoutes(dependencies: FileDependencies & { passwords: Passwords }) {
	const { db, passwords, session, answerInParts } = dependencies;
	return new Elysia({ prefix: '/api/employees' })
		.use(session)
		.get(
			'/export',
			async ({ caller, query: { format = 'xlsx', ...query }, request }) => {
				const { exportEmployees } = await import('./export.ts');
				const asked = { format, headersOnly: request.method === 'HEAD' };
				const makeParts = (present: Caller) => exportEmployees(db, present, readFilter(query, present.at), asked);
				return answerInParts({ caller, request }, makeParts, fileHeaders('employees', format));
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: EmployeeExportQuery,
				response: { 200: ExportedFile, ...protectedFailures(503) },
				...doc(
					'exportEmployees',
					'Export employees as a spreadsheet',
					'Everyone who passes the filters, in the columns of an import, with deleted=true also 删除时间. A caller who ' +
						'reaches some stores gets their employees. The history gets a record, without which there is no file.',
				),
			},
		)
		.use(
			importRoutes(dependencies, {
				layout: employeeLayout,
				permission: 'employee:manage',
				query: EmployeeImportQuery,
				result: EmployeeImportResult,
				async load(query: EmployeeImportQuery, { accountType }) {
					if (accountType === 'PROGRAM' && query.passwords !== undefined) throw notForPrograms();
					return (await import('./import.ts')).employeeImporter(db, passwords, query);
				},
				file:
					'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings ' +
					`${documentedHeadings(employeeColumns)}, or other usual names of these, such as 联系电话 and 岗位. A store is given by its ` +
					'name or id, roles by names or codes, separated by 、 or a comma, a status as 启用 or 禁用; 编号 is for changes. Empty ' +
					'rows are ignored; phones may have blanks, dashes and +86.',
				importing: doc(
					'importEmployees',
					'Create and change many employees from a spreadsheet',
					'All or nothing: with any problem nothing is kept, and the answer is 400 with a detail for each, such ' +
						'as `lines.7.phone`. With dryRun=true nothing is kept either, and the answer is 200 with the problems, the ' +
						'changes and how many new people come into which store and role. Its ETag as If-Match makes the import answer ' +
						'412 if it would add or change something else by now. At most 5,000 lines. With mode=upsert or ' +
						'update a line is matched by 编号 or else by the phone. Columns that are missing stay as they are. ' +
						`${documentedClearing(employeeColumns)} Nobody is deleted. With ` +
						'passwords=one-time, people without a password of their own start with a one-time password, which the answer ' +
						'has, and not with the initial one.',
				),
				template: ['getImportTemplate', 'Get the spreadsheet to fill in for an import'],
				marking: ['markImport', 'Get the spreadsheet of an import with its problems, or its changes'],
			}),
		);
}
