import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { longestPasswordRequest } from '../auth/hash-queue.ts';
import { ChangePassword } from '../auth/model.ts';
import type { PasswordCheck } from '../auth/password-check.ts';
import { jsonBody, largestPasswordBody } from '../http/body.ts';
import { clean, idPath, pagingFields, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { getRole } from '../roles/service.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { explainAccess } from './access.ts';
import {
	CreateEmployee,
	Employee,
	EmployeeAccess,
	EmployeeOptions,
	EmployeeQuery,
	SetStatus,
	UpdateEmployee,
} from './model.ts';
import { listOptions } from './options.ts';
import type { EmployeeFilter } from './search.ts';
import {
	changePassword,
	createEmployee,
	deleteEmployee,
	getEmployee,
	listEmployees,
	resetPassword,
	updateEmployee,
} from './service.ts';

type Dependencies = RouteDependencies & Pick<PasswordCheck, 'passwords' | 'throttle'>;

const IdPath = idPath(1);

/** The routes of `/api/employees`. */
export function employeeRoutes({ db, passwords, throttle, session, now, extendTimeout }: Dependencies) {
	return new Elysia({ prefix: '/api/employees', detail: { tags: ['Employees'] } })
		.use(session)
		.get(
			'',
			async ({ actor, query }) => {
				const paging = readPaging(query);
				return successPage(await listEmployees(db, actor, readFilter(query), paging), paging);
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
		.get('/:id', ({ actor, params }) => success(getEmployee(db, actor, Number(params.id))), {
			transform: permit('employee:view:all', 'employee:view:store'),
			params: IdPath,
			response: { 200: Success(Employee), ...protectedFailures(404) },
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
			({ caller, body, status }) => status(201, success(createEmployee({ db, passwords }, caller, body, now()))),
			{
				transform: permit('employee:manage'),
				...jsonBody(CreateEmployee),
				response: { 201: Success(Employee), ...protectedFailures(409, 413, 503) },
				detail: {
					operationId: 'createEmployee',
					summary: 'Create an employee',
					description: 'The employee starts with the initial password of the installation.',
				},
			},
		)
		.patch('/:id', ({ caller, params, body }) => success(updateEmployee(db, caller, Number(params.id), body, now())), {
			transform: permit('employee:manage'),
			params: IdPath,
			...jsonBody(UpdateEmployee),
			response: { 200: Success(Employee), ...protectedFailures(404, 409, 413, 503) },
			detail: { operationId: 'updateEmployee', summary: 'Update an employee' },
		})
		.patch(
			'/:id/status',
			({ caller, params, body }) => success(updateEmployee(db, caller, Number(params.id), body, now())),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...jsonBody(SetStatus),
				response: { 200: Success(Employee), ...protectedFailures(404, 413, 503) },
				detail: {
					operationId: 'setEmployeeStatus',
					summary: 'Enable or disable an employee',
					description: 'While an employee is disabled, their tokens are refused.',
				},
			},
		)
		.patch(
			'/:id/password',
			async ({ caller, params, body, request }) => {
				extendTimeout(request, longestPasswordRequest);
				return success(await changePassword({ db, passwords, throttle }, caller, Number(params.id), body, now()));
			},
			{
				transform: permit('employee:manage'),
				params: IdPath,
				...jsonBody(ChangePassword, largestPasswordBody),
				response: { 200: Success(Employee), ...protectedFailures(404, 413, 429, 503) },
				detail: {
					operationId: 'changeEmployeePassword',
					summary: "Change an employee's password",
					description: "Requires the old password. Ends the employee's tokens.",
				},
			},
		)
		.patch(
			'/:id/password/reset',
			({ caller, params }) => success(resetPassword({ db, passwords }, caller, Number(params.id), now())),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				response: { 200: Success(Employee), ...protectedFailures(404, 503) },
				detail: {
					operationId: 'resetEmployeePassword',
					summary: "Reset an employee's password to the initial one",
					description: "A body is ignored. Ends the employee's tokens.",
				},
			},
		)
		.delete(
			'/:id',
			({ caller, params, status }) => {
				deleteEmployee(db, caller, Number(params.id), now());
				return status(204, undefined);
			},
			{
				transform: permit('employee:manage'),
				params: IdPath,
				response: { ...noContent, ...protectedFailures(404, 503) },
				detail: {
					operationId: 'deleteEmployee',
					summary: 'Delete an employee',
					description: 'Soft-deletes the employee; the phone can be used again.',
				},
			},
		);
}

/** The employees of a role; roles themselves know nothing of employees. */
export function holderRoutes({ db, session }: Pick<RouteDependencies, 'db' | 'session'>) {
	return new Elysia({ prefix: '/api/roles', detail: { tags: ['Roles'] } }).use(session).get(
		'/:id/employees',
		async ({ actor, params, query }) => {
			const { id: roleId } = getRole(db, Number(params.id));
			const paging = readPaging(query);
			return successPage(await listEmployees(db, actor, { roleId }, paging), paging);
		},
		{
			transform: permitAll(['role:view'], ['employee:view:all', 'employee:view:store']),
			params: idPath(2),
			query: Type.Object(pagingFields),
			response: { 200: SuccessPage(Employee), ...protectedFailures(404) },
			detail: {
				operationId: 'listRoleEmployees',
				summary: 'List the employees who hold a role',
				description: 'A caller who may see one store only gets the employees of that store.',
			},
		},
	);
}

function readFilter({ storeId, roleId, status, keyword, order }: EmployeeQuery): EmployeeFilter {
	return {
		storeId: storeId === undefined ? undefined : Number(storeId),
		roleId: roleId === undefined ? undefined : Number(roleId),
		status,
		keyword: keyword && clean(keyword),
		order,
	};
}
