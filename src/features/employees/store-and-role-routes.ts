/**
 * The employees of a store and of a role. The folders `stores` and `roles` may not import employees, so these routes
 * are here.
 */
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { tagged } from '../../identity/history/versions.ts';
import { permit, permitAll, type RouteDependencies } from '../../identity/session/session.ts';
import type { Db } from '../../platform/database/open.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath, paged, readIds, readPaging } from '../../platform/http/fields.ts';
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
import { countVisibleHolders, getRole } from '../roles/service.ts';
import { Store } from '../stores/model.ts';
import { getStore, storeVersion, withAdditions } from '../stores/service.ts';
import {
	ClosedStore,
	CloseStore,
	Employee,
	EmployeePath,
	RoleHolders,
	StoreActivity,
	StoreActivityQuery,
	StoreClosing,
	StoreDetail,
	StoreDetailQuery,
} from './model.ts';
import { eachEmployee, toEmployee } from './read.ts';
import { deleteEmployee, listEmployees } from './service.ts';
import { listVisibleActivity } from './store-activity.ts';
import { closeStore, findClosing } from './store-closure.ts';

const IdPath = idPath(1);

const permitClosing = permitAll(['store:manage'], ['employee:manage']);

/** Routes must use one name for a segment that their paths share, so the store of this path arrives as `id`. */
function renameId({ params }: { params: { storeId: unknown; id?: unknown } }): void {
	params.storeId = params.id;
	delete params.id;
}

function listStoreEmployees(db: Db, storeId: number): Employee[] {
	return Array.from(eachEmployee(db, { storeId }), (employee) => toEmployee(employee));
}

/** The routes of `/api/stores` that need employees. */
export function storePeopleRoutes({ db, session, now }: RouteDependencies) {
	return new Elysia({ prefix: '/api/stores' })
		.use(session)
		.get(
			'/:id',
			({ params, query, set }) => {
				const store = getStore(db, params.id);
				const [shown = store] = withAdditions(db, query, [store]);
				const people = query.employees === false ? {} : { employees: listStoreEmployees(db, store.id) };
				return tagged(set, storeVersion(store), { ...shown, ...people });
			},
			{
				transform: permit('store:view'),
				params: IdPath,
				query: StoreDetailQuery,
				response: { 200: Tagged(Type.Union([StoreDetail, Store])), ...protectedFailures(404) },
				...doc('getStore', 'Get a store with its employees'),
			},
		)
		.get('/activity', ({ actor, query }) => success(listVisibleActivity(db, actor, readIds(query.ids))), {
			transform: permit('store:view'),
			query: StoreActivityQuery,
			response: { 200: Success(Type.Array(StoreActivity)), ...protectedFailures() },
			...doc('listStoreActivity', 'Get the number of employees, the managers and the last sign-in of several stores'),
		})
		.get('/:id/employees', ({ params }) => success(listStoreEmployees(db, getStore(db, params.id).id)), {
			transform: permit('store:view'),
			params: IdPath,
			response: { 200: Success(Type.Array(Employee)), ...protectedFailures(404) },
			...doc('listStoreEmployees', 'List the employees of a store'),
		})
		.post(
			'/:id/close',
			async ({ caller, params, body }) => success(await closeStore({ db, now }, caller, params.id, body)),
			{
				transform: permitClosing,
				params: IdPath,
				...conditional,
				...jsonBody(CloseStore),
				response: { 200: Success(ClosedStore), ...protectedFailures(404, 409, 412, 413, 503) },
				...doc(
					'closeStore',
					'Close a store',
					'Moves everyone to another store, then disables or deletes this one: all or nothing. Up to 1,000 moves can be ' +
						'undone together, which enables a disabled store again. A caller who may not change everyone in the store gets 403; ' +
						'the details name the employees with more rights. A store with employees and no moveTo answers 409.',
				),
			},
		)
		.get('/:id/closing', ({ actor, params }) => success(findClosing(db, actor, params.id)), {
			transform: permitClosing,
			params: IdPath,
			response: { 200: Success(StoreClosing), ...protectedFailures(404) },
			...doc('getStoreClosing', 'Get the employees moved by the closing of a disabled store'),
		})
		.delete(
			'/:id/employees/:employeeId',
			({ caller, params, status }) => status(204, deleteEmployee(db, caller, params.employeeId, params.storeId)),
			{
				transform: [permit('employee:manage'), renameId],
				params: EmployeePath,
				...conditional,
				response: { ...noContent, ...protectedFailures(404, 412, 503) },
				...doc('removeStoreEmployee', 'Delete an employee of a store'),
			},
		);
}

/** The routes of `/api/roles` that need employees. */
export function holderRoutes({ db, session }: RouteDependencies) {
	const seeing = permitAll(['role:view'], ['employee:view:all', 'employee:view:store']);
	return new Elysia({ prefix: '/api/roles' })
		.use(session)
		.get('/holders', ({ actor }) => success(countVisibleHolders(db, actor)), {
			transform: seeing,
			response: { 200: Success(Type.Array(RoleHolders)), ...protectedFailures() },
			...doc('countRoleHolders', 'Count the employees who hold each role'),
		})
		.get(
			'/:id/employees',
			({ actor, params, query }) => {
				const paging = readPaging(query);
				const { id: roleId } = getRole(db, params.id);
				const { items, total } = listEmployees(db, actor, { roleId }, paging);
				return successPage({ items: items.map((each) => toEmployee(each)), total }, paging);
			},
			{
				transform: seeing,
				params: idPath(2),
				query: paged({}),
				response: { 200: SuccessPage(Employee), ...protectedFailures(404) },
				...doc('listRoleEmployees', 'List the employees who hold a role'),
			},
		);
}
