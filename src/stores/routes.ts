import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { Employee } from '../employees/model.ts';
import { removeStoreEmployee, storeEmployees } from '../employees/service.ts';
import { jsonBody } from '../http/body.ts';
import { clean, idPath, integer, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { accountOf } from '../session/actor.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { answerWithList } from './long-list.ts';
import {
	ClosedStore,
	CloseStore,
	CreateStore,
	Store,
	StoreDetail,
	StoreOption,
	StoreQuery,
	UpdateStore,
} from './model.ts';
import {
	closeStore,
	createStore,
	deleteStore,
	getStore,
	listStoreOptions,
	listStorePage,
	listStores,
	updateStore,
} from './service.ts';

const IdPath = idPath(1);

/** The routes of `/api/stores`. */
export function storeRoutes({ db, session, now, answerInParts }: RouteDependencies) {
	return new Elysia({ prefix: '/api/stores', detail: { tags: ['Stores'] } })
		.use(session)
		.get('', ({ query }) => listStoresAs(db, query), {
			transform: permit('store:view'),
			query: StoreQuery,
			response: {
				// The most specific first: the first schema that fits decides which fields are kept.
				200: Type.Union([SuccessPage(Store), Success(Type.Array(Store)), Success(Type.Array(StoreOption))]),
				...protectedFailures(),
			},
			detail: {
				operationId: 'listStores',
				summary: 'List stores',
				description:
					'Without a parameter, or with includeInactive=false only: the active stores in their short form. ' +
					'With includeInactive=true only: every store. With any other parameter: one page of stores, ' +
					'the active ones unless status or includeInactive says otherwise.',
			},
		})
		.get(
			'/:id',
			({ actor, params, request }) => {
				const store = getStore(db, Number(params.id));
				return answerWithList(
					answerInParts,
					{ request, account: accountOf(actor) },
					(employees) => success({ ...store, employees }),
					storeEmployees(db, store.id),
				);
			},
			{
				transform: permit('store:view'),
				params: IdPath,
				response: { 200: Success(StoreDetail), ...protectedFailures(404) },
				detail: { operationId: 'getStore', summary: 'Get a store with its employees' },
			},
		)
		.get(
			'/:id/employees',
			({ actor, params, request }) => {
				const { id } = getStore(db, Number(params.id));
				const asked = { request, account: accountOf(actor) };
				return answerWithList(answerInParts, asked, success<Employee[]>, storeEmployees(db, id));
			},
			{
				transform: permit('store:view'),
				params: IdPath,
				response: { 200: Success(Type.Array(Employee)), ...protectedFailures(404) },
				detail: { operationId: 'listStoreEmployees', summary: 'List the employees of a store' },
			},
		)
		.post('', ({ caller, body, status }) => status(201, success(createStore(db, caller, body, now()))), {
			transform: permit('store:manage'),
			...jsonBody(CreateStore),
			response: { 201: Success(Store), ...protectedFailures(409, 413, 503) },
			detail: { operationId: 'createStore', summary: 'Create a store' },
		})
		.patch('/:id', ({ caller, params, body }) => success(updateStore(db, caller, Number(params.id), body, now())), {
			transform: permit('store:manage'),
			params: IdPath,
			...jsonBody(UpdateStore),
			response: { 200: Success(Store), ...protectedFailures(404, 409, 413, 503) },
			detail: {
				operationId: 'updateStore',
				summary: 'Update a store',
				description: 'While a store is disabled, its employees cannot sign in and their tokens are refused.',
			},
		})
		.post('/:id/close', ({ caller, params, body }) => success(closeStore(db, caller, Number(params.id), body, now())), {
			transform: permitAll(['store:manage'], ['employee:manage']),
			params: IdPath,
			...jsonBody(CloseStore),
			response: { 200: Success(ClosedStore), ...protectedFailures(404, 409, 413, 503) },
			detail: {
				operationId: 'closeStore',
				summary: 'Close a store',
				description:
					'Moves everyone to another store and disables or deletes this one, all of it or nothing. A caller who ' +
					'may not change everyone in the store gets 403. A store with people and no moveTo answers 409.',
			},
		})
		.delete(
			'/:id/employees/:employeeId',
			({ caller, params, status }) => {
				removeStoreEmployee(db, caller, Number(params.id), Number(params.employeeId), now());
				return status(204, undefined);
			},
			{
				transform: permit('employee:manage'),
				params: Type.Object({
					...IdPath.properties,
					employeeId: integer('The id of an employee of the store.', 1),
				}),
				response: { ...noContent, ...protectedFailures(404, 503) },
				detail: {
					operationId: 'removeStoreEmployee',
					summary: 'Remove an employee from a store',
					description: 'Soft-deletes the employee; the phone can be used again.',
				},
			},
		)
		.delete(
			'/:id',
			({ caller, params, status }) => {
				deleteStore(db, caller, Number(params.id), now());
				return status(204, undefined);
			},
			{
				transform: permit('store:manage'),
				params: IdPath,
				response: { ...noContent, ...protectedFailures(404, 409, 503) },
				detail: {
					operationId: 'deleteStore',
					summary: 'Delete a store',
					description: 'Soft-deletes a store without employees; its name can be used again.',
				},
			},
		);
}

/** The three shapes of GET /api/stores, chosen by which parameters are present. */
function listStoresAs(db: Db, query: StoreQuery) {
	const { includeInactive, status, keyword, page, pageSize } = query;
	const paginated = [status, keyword, page, pageSize].some((parameter) => parameter !== undefined);
	if (!paginated) return success(includeInactive === 'true' ? listStores(db) : listStoreOptions(db));
	const paging = readPaging(query);
	const shown = includeInactive === 'true' ? undefined : 'ACTIVE';
	return successPage(
		listStorePage(db, { status: status ?? shown, keyword: keyword && clean(keyword) }, paging),
		paging,
	);
}
