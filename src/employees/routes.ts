import { type Context, Elysia } from 'elysia';
import { ChangePassword } from '../auth/model.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { maxPasswordSeconds } from '../guard/hashing.ts';
import { tagged } from '../history/versions.ts';
import { jsonBody, maxPasswordBody } from '../http/body.ts';
import { given, idPath, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { conditional, Tagged } from '../http/versions.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { explainAccess } from './access.ts';
import { changeEmployees, undoChanges } from './changes.ts';
import { ChangedEmployees, ChangeEmployees, ChangesQuery, GroupPath } from './changes-model.ts';
import {
	CreateEmployee,
	Employee,
	EmployeeAccess,
	EmployeeOptions,
	EmployeeQuery,
	GivenPasswords,
	GivePasswords,
	GiveRole,
	OneEmployeeQuery,
	OneTimePassword,
	RestoreQuery,
	readFilter,
	SetStatus,
	UpdateEmployee,
} from './model.ts';
import {
	changePassword,
	giveOneTimePassword,
	giveOneTimePasswords,
	removeEmployeeSecondFactor,
	resetPassword,
} from './passwords.ts';
import { listOptions } from './reach.ts';
import { contractOf, type StoredEmployee } from './read.ts';
import {
	createEmployee,
	deleteEmployee,
	employeeVersion,
	getEmployee,
	giveRole,
	listEmployees,
	restoreEmployee,
	updateEmployee,
} from './service.ts';

interface Dependencies extends RouteDependencies, Pick<SignInDependencies, 'passwords' | 'guard'> {}

const IdPath = idPath(1);

/** The routes that change an employee. */
const manageOne = { transform: permit('employee:manage'), params: IdPath, ...conditional };

/** The routes of `/api/employees`. */
export function employeeRoutes(dependencies: Dependencies) {
	const { db, session, now, extendTimeout, searchInTurn } = dependencies;
	return new Elysia({ prefix: '/api/employees', detail: { tags: ['Employees'] } })
		.use(session)
		.get(
			'',
			async ({ actor, query }) => {
				const paging = readPaging(query);
				const found = listEmployees(db, actor, readFilter(query, now()), paging, query.include);
				return successPage(await searchInTurn(found), paging);
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: EmployeeQuery,
				response: { 200: SuccessPage(Employee), ...protectedFailures() },
				detail: {
					operationId: 'listEmployees',
					summary: 'List employees',
					description:
						'A caller who may see one store only gets the employees of that store, whatever storeId says. All filters ' +
						'that are given must be true.',
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
		.get('/:id', ({ actor, params, query, set }) => answer(set, getEmployee(db, actor, params.id), query.include), {
			transform: permit('employee:view:all', 'employee:view:store'),
			params: IdPath,
			query: OneEmployeeQuery,
			response: { 200: Tagged(Employee), ...protectedFailures(404) },
			detail: {
				operationId: 'getEmployee',
				summary: 'Get an employee',
				description: 'A caller who may see one store only gets 403 for an employee of another store.',
			},
		})
		.get('/:id/access', ({ actor, params }) => success(explainAccess(db, actor, params.id, now())), {
			transform: permitAll(['permission:view'], ['employee:view:all', 'employee:view:store']),
			params: IdPath,
			response: { 200: Success(EmployeeAccess), ...protectedFailures(404) },
			detail: {
				operationId: 'explainEmployeeAccess',
				summary: 'Explain what an employee may do, and whether they can sign in',
				description: 'A caller who may see one store only gets 403 for an employee of another store.',
			},
		})
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createEmployee(dependencies, caller, body))), {
			transform: permit('employee:manage'),
			...jsonBody(CreateEmployee),
			response: { 201: Tagged(Employee), ...protectedFailures(409, 413, 503) },
			detail: {
				operationId: 'createEmployee',
				summary: 'Create an employee',
				description: 'The employee starts with the initial password of the installation.',
			},
		})
		.post(
			'/changes',
			({ caller, body, query }) => success(changeEmployees(db, caller, body, { dryRun: query.dryRun === 'true' })),
			{
				transform: permit('employee:manage'),
				query: ChangesQuery,
				...jsonBody(ChangeEmployees),
				response: { 200: Success(ChangedEmployees), ...protectedFailures(404, 413, 503) },
				detail: {
					operationId: 'changeEmployees',
					summary: 'Change many employees at once',
					description:
						'Every rule of a single change holds for each of them. All are changed or none: a refusal has a detail such ' +
						'as body.ids.3 for each person who cannot be changed so, and the status that comes first among theirs: ' +
						'403, 404, 400.',
				},
			},
		)
		.post('/changes/:groupId/undo', ({ caller, params }) => success(undoChanges(db, caller, params.groupId)), {
			transform: permit('employee:manage'),
			params: GroupPath,
			response: { 200: Success(ChangedEmployees), ...protectedFailures(404, 409, 503) },
			detail: {
				operationId: 'undoEmployeeChanges',
				summary: 'Undo a change of many employees',
				description:
					'Only an own change of the store, the status or the roles, within 24 hours. 409 when somebody was changed in ' +
					'the same respect since, with a detail for each of them that says who did it.',
			},
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateEmployee),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 409, 412, 413, 503) },
			detail: { operationId: 'updateEmployee', summary: 'Update an employee' },
		})
		.patch('/:id/status', ({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(SetStatus),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
			detail: {
				operationId: 'setEmployeeStatus',
				summary: 'Enable or disable an employee',
				description: 'While an employee is disabled, their tokens are refused.',
			},
		})
		.patch(
			'/:id/password',
			async ({ caller, params, body, request, set }) => {
				extendTimeout(request, maxPasswordSeconds);
				return answer(set, await changePassword(dependencies, caller, params.id, body, request.signal));
			},
			{
				...manageOne,
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
			({ caller, params, set }) => answer(set, resetPassword(dependencies, caller, params.id)),
			{
				...manageOne,
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 503) },
				detail: {
					operationId: 'resetEmployeePassword',
					summary: "Reset an employee's password to the initial one",
					description: "A body is ignored. Ends the employee's tokens.",
				},
			},
		)
		.post(
			'/:id/one-time-password',
			({ caller, params }) => success(giveOneTimePassword(dependencies, caller, params.id)),
			{
				...manageOne,
				response: { 200: Success(OneTimePassword), ...protectedFailures(404, 412, 503) },
				detail: {
					operationId: 'giveOneTimePassword',
					summary: 'Give an employee a one-time password',
					description:
						"In place of the password that they have. Ends the employee's tokens. Who signs in with it sets a password of " +
						'their own before anything else. A body is ignored.',
				},
			},
		)
		.post(
			'/one-time-passwords',
			({ caller, body }) => success({ items: giveOneTimePasswords(dependencies, caller, body.ids) }),
			{
				transform: permit('employee:manage'),
				...jsonBody(GivePasswords),
				response: { 200: Success(GivenPasswords), ...protectedFailures(404, 413, 503) },
				detail: {
					operationId: 'giveOneTimePasswords',
					summary: 'Give several employees one-time passwords',
					description:
						'All of them or none: the details of a 403 or 404 name each id at fault, such as `body.ids.3`. ' +
						'Otherwise as for a single one.',
				},
			},
		)
		.delete(
			'/:id/second-factor',
			({ caller, params, status }) => status(204, removeEmployeeSecondFactor(db, caller, params.id)),
			{
				...manageOne,
				response: { ...noContent, ...protectedFailures(404, 412, 503) },
				detail: {
					operationId: 'removeEmployeeSecondFactor',
					summary: "Remove an employee's second factor",
					description: 'For those who lost their phone and their recovery codes; 404 without one, 403 for your own.',
				},
			},
		)
		.post('/:id/roles', ({ caller, params, body, set }) => answer(set, giveRole(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(GiveRole),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
			detail: {
				operationId: 'giveEmployeeRole',
				summary: 'Give an employee a role, until a day or for good',
				description:
					'A role that was given until a day ends by itself. For a role that they hold, this sets its last day.',
			},
		})
		.post(
			'/:id/restore',
			({ caller, params, query, set }) =>
				answer(set, restoreEmployee(db, caller, params.id, given(query.storeId, Number))),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				query: RestoreQuery,
				response: { 200: Tagged(Employee), ...protectedFailures(404, 409, 503) },
				detail: {
					operationId: 'restoreEmployee',
					summary: 'Bring a deleted employee back',
					description:
						'They are enabled, with their password, history and store and the roles that still exist. With storeId they come ' +
						'back to another store. 409 when somebody else has their phone. A body is ignored.',
				},
			},
		)
		.delete('/:id', ({ caller, params, status }) => status(204, deleteEmployee(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			detail: {
				operationId: 'deleteEmployee',
				summary: 'Delete an employee',
				description: 'Soft-deletes the employee; the phone can be used again.',
			},
		});
}

function answer(set: Context['set'], employee: StoredEmployee, include?: 'activity') {
	return tagged(set, employeeVersion(employee), include ? employee : contractOf(employee));
}
