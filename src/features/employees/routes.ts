import { type Context, Elysia } from 'elysia';
import { maxPasswordSeconds } from '../../identity/guard/hashing.ts';
import { tagged } from '../../identity/history/versions.ts';
import { ignoreNonArrays, Reach, ReplaceReach, readEntries } from '../../identity/rights/model.ts';
import { reachVersion } from '../../identity/rights/reach.ts';
import { requireStillPermitted } from '../../identity/session/actor.ts';
import { permit, permitAll, permitDespite, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody, maxPasswordBody } from '../../platform/http/body.ts';
import { idPath, ManyChangesQuery, readPaging } from '../../platform/http/fields.ts';
import {
	conditional,
	doc,
	noContent,
	protectedFailures,
	Success,
	SuccessPage,
	success,
	successPage,
	Tagged,
} from '../../platform/http/reply.ts';
import { oneInEachTurn } from '../../platform/machine/background.ts';
import { ChangePassword } from '../auth/model.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { explainAccess, listHelpers } from './access.ts';
import { listOptions } from './authorization.ts';
import { changeEmployees } from './changes.ts';
import { getReach, replaceReach } from './given-reach.ts';
import {
	ChangedEmployees,
	ChangeEmployees,
	CreateEmployee,
	Employee,
	EmployeeAccess,
	EmployeeOptions,
	EmployeeQuery,
	GivenPasswords,
	GivePasswords,
	GiveRole,
	GroupPath,
	Helpers,
	HelpersQuery,
	HireQuery,
	type Include,
	OneEmployeeQuery,
	OneTimePassword,
	RestoreQuery,
	readFilter,
	SetStatus,
	type StoredEmployee,
	UndoQuery,
	UpdateEmployee,
} from './model.ts';
import {
	changePassword,
	endEmployeeSignIns,
	issueOneTimePassword,
	issueOneTimePasswords,
	removeEmployeeSecondFactor,
	resetPassword,
} from './passwords.ts';
import { toEmployee } from './read.ts';
import { restoreEmployee } from './restoration.ts';
import {
	assignRole,
	createEmployee,
	deleteEmployee,
	employeeVersion,
	getEmployee,
	listEmployees,
	updateEmployee,
} from './service.ts';
import { undoChanges } from './undo.ts';

interface Dependencies extends RouteDependencies, Pick<SignInDependencies, 'passwords' | 'guard'> {}

const IdPath = idPath(1);

const manageOne = { transform: permit('employee:manage'), params: IdPath, ...conditional };

/** The routes of `/api/employees`. */
export function employeeRoutes(dependencies: Dependencies) {
	const { db, session, now } = dependencies;
	const listTurn = oneInEachTurn();
	const answerReach = (set: Context['set'], id: number, reach: Reach) => tagged(set, reachVersion(db, id), reach);
	return new Elysia({ prefix: '/api/employees' })
		.use(session)
		.get(
			'',
			async ({ caller, query }) => {
				const paging = readPaging(query);
				await listTurn();
				const { actor, at } = requireStillPermitted(dependencies, caller);
				const { items, total } = listEmployees(db, actor, readFilter(query, at), paging);
				return successPage({ items: items.map((each) => toEmployee(each, query.include)), total }, paging);
			},
			{
				transform: permit('employee:view:all', 'employee:view:store'),
				query: EmployeeQuery,
				response: { 200: SuccessPage(Employee), ...protectedFailures() },
				...doc('listEmployees', 'List employees'),
			},
		)
		.get('/options', ({ actor }) => success(listOptions(db, actor)), {
			transform: permit('employee:manage'),
			response: { 200: Success(EmployeeOptions), ...protectedFailures() },
			...doc('listEmployeeOptions', 'List the stores and roles that you may give an employee'),
		})
		.get('/helpers', ({ actor, query }) => success(listHelpers(db, actor, query.permission)), {
			transform: permitDespite(),
			query: HelpersQuery,
			response: { 200: Success(Helpers), ...protectedFailures() },
			...doc('listHelpers', 'List colleagues who hold a permission that the caller lacks'),
		})
		.get('/:id', ({ actor, params, query, set }) => answer(set, getEmployee(db, actor, params.id), query.include), {
			transform: permit('employee:view:all', 'employee:view:store'),
			params: IdPath,
			query: OneEmployeeQuery,
			response: { 200: Tagged(Employee), ...protectedFailures(404) },
			...doc('getEmployee', 'Get an employee'),
		})
		.get('/:id/access', ({ actor, params }) => success(explainAccess(db, actor, params.id, now())), {
			transform: permitAll(['permission:view', 'employee:manage'], ['employee:view:all', 'employee:view:store']),
			params: IdPath,
			response: { 200: Success(EmployeeAccess), ...protectedFailures(404) },
			...doc(
				'explainEmployeeAccess',
				"Explain an employee's permissions and whether they can sign in",
				'Only callers with permission:view get the permissions.',
			),
		})
		.post(
			'',
			({ caller, body, query, set, status }) =>
				status(201, answer(set, createEmployee(dependencies, caller, body, query))),
			{
				transform: permit('employee:manage'),
				...jsonBody(CreateEmployee),
				query: HireQuery,
				response: { 201: Tagged(Employee), ...protectedFailures(409, 413, 503) },
				...doc('createEmployee', 'Create an employee'),
			},
		)
		.post('/changes', ({ caller, body, query }) => success(changeEmployees(db, caller, body, query)), {
			transform: permit('employee:manage'),
			query: ManyChangesQuery,
			...jsonBody(ChangeEmployees),
			response: { 200: Success(ChangedEmployees), ...protectedFailures(404, 413, 503) },
			...doc(
				'changeEmployees',
				'Change many employees at once',
				'Every rule of a single change applies to each employee. All are changed or none: a refusal has a detail such ' +
					'as body.ids.3 for each employee who cannot be changed. Its status is the first that applies of 403, 404 and 400.',
			),
		})
		.post(
			'/changes/:groupId/undo',
			({ caller, params, query }) => success(undoChanges(db, caller, params.groupId, query)),
			{
				transform: permit('employee:manage'),
				params: GroupPath,
				query: UndoQuery,
				response: { 200: Success(ChangedEmployees), ...protectedFailures(404, 409, 503) },
				...doc(
					'undoEmployeeChanges',
					'Undo a change of many employees, an import, a deletion or the closing of a store',
					"Your own change of at most 1,000 employees, or for a super administrator anybody's, within 24 hours. An employee " +
						'added by an import is deleted, a deleted one is restored, and a closed store is enabled first. 409 if the ' +
						'same field of an employee was changed since, with a detail for each employee that names the author.',
				),
			},
		)
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateEmployee),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 409, 412, 413, 503) },
			...doc('updateEmployee', 'Update an employee'),
		})
		.patch('/:id/status', ({ caller, params, body, set }) => answer(set, updateEmployee(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(SetStatus),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
			...doc('setEmployeeStatus', 'Enable or disable an employee', "A disabled employee's tokens are refused."),
		})
		.post('/:id/roles', ({ caller, params, body, set }) => answer(set, assignRole(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(GiveRole),
			response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
			...doc('giveEmployeeRole', 'Give an employee a role, until a day or for good'),
		})
		.get('/:id/reach', ({ actor, params: { id }, set }) => answerReach(set, id, getReach(db, actor, id)), {
			transform: permit('employee:view:all', 'employee:view:store'),
			params: IdPath,
			response: { 200: Tagged(Reach), ...protectedFailures(404) },
			...doc('getEmployeeReach', 'Get the stores and areas given to an employee'),
		})
		.put(
			'/:id/reach',
			({ caller, params: { id }, body, set }) => answerReach(set, id, replaceReach(db, caller, id, readEntries(body))),
			{
				...manageOne,
				transform: [manageOne.transform, ignoreNonArrays],
				...jsonBody(ReplaceReach),
				response: { 200: Tagged(Reach), ...protectedFailures(404, 412, 413, 503) },
				...doc(
					'replaceEmployeeReach',
					'Replace the stores and areas given to an employee',
					'With employee:view:store the employee sees the staff of these stores besides that of their own store, and with ' +
						'employee:manage manages it. 403 for your own account, and for a store or an area that you do not reach for good.',
				),
			},
		)
		.post(
			'/:id/restore',
			({ caller, params, query, set }) => answer(set, restoreEmployee(db, caller, params.id, query)),
			{
				transform: permit('employee:manage'),
				params: IdPath,
				query: RestoreQuery,
				response: { 200: Tagged(Employee), ...protectedFailures(404, 409, 503) },
				...doc(
					'restoreEmployee',
					'Restore a deleted employee',
					'The employee is enabled, with the former password, history and store and the roles that still exist. storeId ' +
						'sets another store, roleIds other roles. 409 when another employee has the phone or the external id. A body is ignored.',
				),
			},
		)
		.delete('/:id', ({ caller, params, status }) => status(204, deleteEmployee(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			...doc('deleteEmployee', 'Delete an employee', 'Soft-deletes the employee; the phone can be used again.'),
		});
}

/** The routes of `/api/employees` for passwords and second factors: for people only, not for programs. */
export function employeePasswordRoutes(dependencies: Dependencies) {
	const { db, peopleSession, extendTimeout } = dependencies;
	return new Elysia({ prefix: '/api/employees' })
		.use(peopleSession)
		.patch(
			'/:id/password',
			async ({ caller, params, body, request, set }) => {
				extendTimeout(request, maxPasswordSeconds);
				const sender = { ...caller, signal: request.signal };
				return answer(set, await changePassword(dependencies, sender, params.id, body));
			},
			{
				...manageOne,
				...jsonBody(ChangePassword, maxPasswordBody),
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 413, 503) },
				...doc('changeEmployeePassword', "Change an employee's password, which ends their tokens"),
			},
		)
		.patch(
			'/:id/password/reset',
			({ caller, params, set }) => answer(set, resetPassword(dependencies, caller, params.id)),
			{
				...manageOne,
				response: { 200: Tagged(Employee), ...protectedFailures(404, 412, 503) },
				...doc('resetEmployeePassword', "Reset an employee's password to the initial one", 'A body is ignored.'),
			},
		)
		.post(
			'/:id/one-time-password',
			({ caller, params }) => success(issueOneTimePassword(dependencies, caller, params.id)),
			{
				...manageOne,
				response: { 200: Success(OneTimePassword), ...protectedFailures(404, 412, 503) },
				...doc(
					'giveOneTimePassword',
					'Give an employee a one-time password',
					"Replaces the present password and ends the employee's tokens. After signing in with it, the employee must set a " +
						'password of their own before anything else. 403 for your own account. A body is ignored.',
				),
			},
		)
		.post(
			'/one-time-passwords',
			({ caller, body }) => success({ items: issueOneTimePasswords(dependencies, caller, body.ids) }),
			{
				transform: permit('employee:manage'),
				...jsonBody(GivePasswords),
				response: { 200: Success(GivenPasswords), ...protectedFailures(404, 413, 503) },
				...doc('giveOneTimePasswords', 'Give several employees one-time passwords, all of them or none'),
			},
		)
		.delete(
			'/:id/second-factor',
			({ caller, params, status }) => status(204, removeEmployeeSecondFactor(db, caller, params.id)),
			{
				...manageOne,
				response: { ...noContent, ...protectedFailures(404, 412, 503) },
				...doc('removeEmployeeSecondFactor', "Remove an employee's second factor, but not your own"),
			},
		)
		.delete('/:id/sign-ins', ({ caller, params, status }) => status(204, endEmployeeSignIns(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			...doc('endEmployeeSignIns', "End all of an employee's sign-ins", 'The employee can sign in again.'),
		});
}

function answer(set: Context['set'], employee: StoredEmployee, include?: Include) {
	return tagged(set, employeeVersion(employee), toEmployee(employee, include));
}
