import { type Context, Elysia } from 'elysia';
import { maxPasswordSeconds } from '../auth/hash-queue.ts';
import { ChangePassword } from '../auth/model.ts';
import type { PasswordCheck } from '../auth/password-check.ts';
import { fileBody, jsonBody, maxPasswordBody } from '../http/body.ts';
import { clean, given, idPath, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { answeredFile } from '../http/schema-types.ts';
import { conditional, Tagged, tagged } from '../http/versions.ts';
import { accountOf } from '../session/actor.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { maxImportMebibytes } from '../vocabulary/limits.ts';
import { explainAccess } from './access.ts';
import type { ImportDependencies } from './import.ts';
import { createImportTurns } from './import-turns.ts';
import {
	CreateEmployee,
	csvType,
	Employee,
	EmployeeAccess,
	EmployeeOptions,
	EmployeeQuery,
	type ExportFormat,
	ExportQuery,
	ImportQuery,
	ImportResult,
	importTypes,
	SetStatus,
	UpdateEmployee,
	xlsxType,
} from './model.ts';
import { listOptions } from './reach.ts';
import type { EmployeeFilter } from './search.ts';
import {
	changePassword,
	createEmployee,
	deleteEmployee,
	employeeTag,
	getEmployee,
	listEmployees,
	resetPassword,
	updateEmployee,
} from './service.ts';

interface Dependencies
	extends RouteDependencies,
		Pick<PasswordCheck, 'passwords' | 'throttle'>,
		Pick<ImportDependencies, 'log' | 'readImport'> {}

const fileTypes = { csv: 'text/csv; charset=utf-8', xlsx: xlsxType };

/** The longest that Bun lets an answer take. */
const exportSeconds = 255;

/** How long an import may take, with those that it waits for: nine that each take their reader's ten seconds. */
const importSeconds = 150;

const importDescription =
	'A CSV file (UTF-8 or GB18030) or an XLSX file. One of the first ten rows has the headings 姓名/name, 手机号/phone, 门店/store ' +
	'(name or id), 角色/roles (names or codes, separated by 、 or ,), 状态/status (启用 or 禁用) and 备注/remark, or ' +
	'other usual names of these, such as 联系电话 and 岗位. Empty rows are ignored; phones may have blanks, dashes and +86.';

const IdPath = idPath(1);

/** The routes of `/api/employees`. */
export function employeeRoutes(dependencies: Dependencies) {
	const { db, passwords, session, now, extendTimeout, answerInParts, log, readImport } = dependencies;
	const inTurn = createImportTurns();
	return new Elysia({ prefix: '/api/employees', detail: { tags: ['Employees'] } })
		.use(session)
		.get(
			'',
			({ actor, query }) => {
				const paging = readPaging(query);
				return successPage(listEmployees(db, actor, readFilter(query), paging), paging);
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: EmployeeQuery,
				response: { 200: SuccessPage(Employee), ...protectedFailures() },
				detail: {
					operationId: 'listEmployees',
					summary: 'List employees',
					description: 'A caller who may see one store only gets the employees of that store, whatever storeId says.',
				},
			},
		)
		.get('/options', ({ actor }) => success(listOptions(db, actor)), {
			transform: permit('employee:manage'),
			response: { 200: Success(EmployeeOptions), ...protectedFailures() },
			detail: {
				operationId: 'listEmployeeOptions',
				summary: 'List the stores and roles that you may give an employee',
				description: 'For forms: the caller needs no permission to view stores or roles.',
			},
		})
		.get(
			'/export',
			async ({ actor, query, request }) => {
				const { exportEmployees } = await import('./export.ts');
				const format = query.format ?? 'xlsx';
				const parts = exportEmployees(db, actor, readFilter(query), format);
				const asked = { request, account: accountOf(actor) };
				return answerInParts(asked, parts, fileHeaders(format), exportSeconds);
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: ExportQuery,
				response: { 200: answeredFile([xlsxType, csvType], 'The file.'), ...protectedFailures() },
				detail: {
					operationId: 'exportEmployees',
					summary: 'Export employees as a spreadsheet',
					description:
						'Everyone who passes the filters, in the columns of an import. A caller who may see one store only gets the ' +
						'employees of that store.',
				},
			},
		)
		.get(
			'/import/template',
			async ({ actor, request }) => {
				const { importTemplate } = await import('./import-template.ts');
				return answerInParts({ request, account: accountOf(actor) }, importTemplate(), fileHeaders('xlsx'));
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
		.get('/:id', ({ actor, params, set }) => answer(set, getEmployee(db, actor, Number(params.id))), {
			transform: permit('employee:view:all', 'employee:view:store'),
			params: IdPath,
			response: { 200: Tagged(Employee), ...protectedFailures(404) },
			detail: {
				operationId: 'getEmployee',
				summary: 'Get an employee',
				description: 'A caller who may see one store only gets 403 for an employee of another store.',
			},
		})
		.get('/:id/access', ({ actor, params }) => success(explainAccess(db, actor, Number(params.id))), {
			transform: permitAll(['permission:view'], ['employee:view:all', 'employee:view:store']),
			params: IdPath,
			response: { 200: Success(EmployeeAccess), ...protectedFailures(404) },
			detail: {
				operationId: 'explainEmployeeAccess',
				summary: 'Explain what an employee may do, and whether they can sign in',
				description: 'A caller who may see one store only gets 403 for an employee of another store.',
			},
		})
		.post(
			'',
			({ caller, body, set, status }) =>
				status(201, answer(set, createEmployee({ db, passwords }, caller, body, now()))),
			{
				transform: permit('employee:manage'),
				...jsonBody(CreateEmployee),
				response: { 201: Tagged(Employee), ...protectedFailures(409, 413, 503) },
				detail: {
					operationId: 'createEmployee',
					summary: 'Create an employee',
					description: 'The employee starts with the initial password of the installation.',
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
				...fileBody(importTypes, maxImportMebibytes * 1_048_576, importDescription),
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
				return answerInParts({ request, account: accountOf(caller.actor) }, parts(), fileHeaders('xlsx'));
			},
			{
				transform: permit('employee:manage'),
				...fileBody(importTypes, maxImportMebibytes * 1_048_576, importDescription),
				response: { 200: answeredFile([xlsxType], 'The file.'), ...protectedFailures(413, 503) },
				detail: {
					operationId: 'markImport',
					summary: 'Get the spreadsheet of an import with its problems',
					description: 'All rows as texts, with a first column that says what is wrong with each. Nothing is created.',
				},
			},
		)
		.patch(
			'/:id',
			({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, Number(params.id), body, now())),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...conditional,
				...jsonBody(UpdateEmployee),
				response: { 200: Tagged(Employee), ...protectedFailures(404, 409, 412, 413, 503) },
				detail: { operationId: 'updateEmployee', summary: 'Update an employee' },
			},
		)
		.patch(
			'/:id/status',
			({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, Number(params.id), body, now())),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...conditional,
				...jsonBody(SetStatus),
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
				detail: {
					operationId: 'setEmployeeStatus',
					summary: 'Enable or disable an employee',
					description: 'While an employee is disabled, their tokens are refused.',
				},
			},
		)
		.patch(
			'/:id/password',
			async ({ caller, params, body, request, set }) => {
				extendTimeout(request, maxPasswordSeconds);
				const id = Number(params.id);
				return answer(set, await changePassword(dependencies, caller, id, body, request.signal));
			},
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...conditional,
				...jsonBody(ChangePassword, maxPasswordBody),
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 429, 503) },
				detail: {
					operationId: 'changeEmployeePassword',
					summary: "Change an employee's password",
					description: "Requires the old password. Ends the employee's tokens.",
				},
			},
		)
		.patch(
			'/:id/password/reset',
			({ caller, params, set }) => answer(set, resetPassword({ db, passwords }, caller, Number(params.id), now())),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...conditional,
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 503) },
				detail: {
					operationId: 'resetEmployeePassword',
					summary: "Reset an employee's password to the initial one",
					description: "A body is ignored. Ends the employee's tokens.",
				},
			},
		)
		.delete('/:id', ({ caller, params, status }) => status(204, deleteEmployee(db, caller, Number(params.id), now())), {
			transform: permit('employee:manage'),
			params: IdPath,
			...conditional,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			detail: {
				operationId: 'deleteEmployee',
				summary: 'Delete an employee',
				description: 'Soft-deletes the employee; the phone can be used again.',
			},
		});
}

function answer(set: Context['set'], employee: Employee) {
	return tagged(set, employeeTag(employee), employee);
}

/** The headers of an answer that is saved as a file. */
function fileHeaders(format: ExportFormat): Record<string, string> {
	return {
		'content-type': fileTypes[format],
		'content-disposition': `attachment; filename="employees.${format}"`,
	};
}

function readFilter({ storeId, roleId, status, keyword, passwordIsInitial, order }: EmployeeQuery): EmployeeFilter {
	return {
		storeId: given(storeId, Number),
		roleId: given(roleId, Number),
		status,
		keyword: given(keyword, clean),
		passwordIsInitial: passwordIsInitial && true,
		order,
	};
}
