/** Employees as spreadsheets. Employees themselves know nothing of files, so these routes are registered from here. */
import { Elysia } from 'elysia';
import { readFilter } from '../employees/routes.ts';
import { fileBody } from '../http/body.ts';
import { exportSeconds, fileHeaders } from '../http/file-answer.ts';
import { protectedFailures, Success, success } from '../http/reply.ts';
import { answeredFile } from '../http/schema-types.ts';
import { accountOf } from '../session/actor.ts';
import { permit, type RouteDependencies } from '../session/session.ts';
import { maxImportMebibytes } from '../vocabulary/limits.ts';
import type { ImportDependencies } from './import.ts';
import { createImportTurns } from './import-turns.ts';
import { csvType, ExportQuery, ImportQuery, ImportResult, importTypes, xlsxType } from './model.ts';

interface Dependencies extends RouteDependencies, Pick<ImportDependencies, 'passwords' | 'log' | 'readImport'> {}

/** How long an import may take, with those that it waits for: nine that each take their reader's ten seconds. */
const importSeconds = 150;

const importDescription =
	'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings 姓名/name, 手机号/phone, 门店/store ' +
	'(name or id), 角色/roles (names or codes, separated by 、 or ,), 状态/status (启用 or 禁用) and 备注/remark, or ' +
	'other usual names of these, such as 联系电话 and 岗位. Empty rows are ignored; phones may have blanks, dashes and +86.';

const importBody = fileBody(importTypes, maxImportMebibytes * 1_048_576, importDescription);

/** The routes of `/api/employees` that take or answer a file. */
export function employeeFileRoutes(dependencies: Dependencies) {
	const { db, passwords, session, now, extendTimeout, answerInParts, log, readImport } = dependencies;
	const inTurn = createImportTurns();
	return new Elysia({ prefix: '/api/employees', detail: { tags: ['Employees'] } })
		.use(session)
		.get(
			'/export',
			async ({ caller, query, request }) => {
				const { exportEmployees } = await import('./export.ts');
				const format = query.format ?? 'xlsx';
				const parts = exportEmployees(db, caller, readFilter(query, now()), format, now());
				const asked = { request, account: accountOf(caller.actor) };
				return answerInParts(asked, parts, fileHeaders('employees', format), exportSeconds);
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: ExportQuery,
				response: { 200: answeredFile([xlsxType, csvType], 'The file.'), ...protectedFailures(503) },
				detail: {
					operationId: 'exportEmployees',
					summary: 'Export employees as a spreadsheet',
					description:
						'Everyone who passes the filters, in the columns of an import. A caller who may see one store only gets the ' +
						'employees of that store. The history gets a record, without which there is no file.',
				},
			},
		)
		.get(
			'/import/template',
			async ({ actor, request }) => {
				const { importTemplate } = await import('./import-template.ts');
				return answerInParts(
					{ request, account: accountOf(actor) },
					importTemplate(),
					fileHeaders('employees', 'xlsx'),
				);
			},
			{
				transform: permit('employee:manage'),
				response: { 200: answeredFile([xlsxType], 'The file.'), ...protectedFailures() },
				detail: {
					operationId: 'getImportTemplate',
					summary: 'Get the spreadsheet to fill in for an import',
					description: 'It has the headings, and a sheet that explains them.',
				},
			},
		)
		.post(
			'/import',
			async ({ caller, body, query, request, status }) => {
				extendTimeout(request, importSeconds);
				// Loaded when it is first needed, to keep the start quick.
				const { importEmployees } = await import('./import.ts');
				const dryRun = query.dryRun === 'true';
				const importing = { db, passwords, now, log, inTurn, readImport };
				const result = await importEmployees(importing, caller, { upload: body, dryRun, signal: request.signal });
				return dryRun ? status(200, success(result)) : status(201, success(result));
			},
			{
				transform: permit('employee:manage'),
				query: ImportQuery,
				...importBody,
				response: {
					200: Success(ImportResult),
					201: Success(ImportResult),
					...protectedFailures(413, 503),
				},
				detail: {
					operationId: 'importEmployees',
					summary: 'Create many employees from a spreadsheet',
					description:
						'All or nothing: with any problem nothing is created, and the answer is 400 with a detail for each, such ' +
						'as `lines.7.phone`. With dryRun=true nothing is created either, and the answer is 200 with the problems and how ' +
						'many people come into which store and role. ' +
						'At most 5,000 lines.',
				},
			},
		)
		.post(
			'/import/problems',
			async ({ caller, body, request }) => {
				extendTimeout(request, importSeconds);
				const { markImport } = await import('./import.ts');
				const asked = { upload: body, signal: request.signal };
				const marked = await markImport({ db, log, inTurn, readImport }, caller, asked);
				const parts = async function* () {
					yield* marked;
				};
				return answerInParts({ request, account: accountOf(caller.actor) }, parts(), fileHeaders('employees', 'xlsx'));
			},
			{
				transform: permit('employee:manage'),
				...importBody,
				response: { 200: answeredFile([xlsxType], 'The file.'), ...protectedFailures(413, 503) },
				detail: {
					operationId: 'markImport',
					summary: 'Get the spreadsheet of an import with its problems',
					description: 'All rows as texts, with a first column that says what is wrong with each. Nothing is created.',
				},
			},
		);
}
