import { Type } from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { tagged } from '../history/versions.ts';
import { jsonBody } from '../http/body.ts';
import { clean, given, idPath, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { conditional, Tagged } from '../http/versions.ts';
import { permit, type RouteDependencies } from '../session/session.ts';
import { pageOf } from '../vocabulary/paging.ts';
import { CreateStore, Store, StoreOption, StoreQuery, UpdateStore } from './model.ts';
import {
	createStore,
	deleteStore,
	findStores,
	listStoreOptions,
	listStores,
	storeVersion,
	updateStore,
} from './service.ts';

const manageOne = { transform: permit('store:manage'), params: idPath(1), ...conditional };

/** The routes of `/api/stores` that need no people; `employees/people-of.ts` has the others. */
export function storeRoutes({ db, session }: RouteDependencies) {
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
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createStore(db, caller, body))), {
			transform: permit('store:manage'),
			...jsonBody(CreateStore),
			response: { 201: Tagged(Store), ...protectedFailures(409, 413, 503) },
			detail: { operationId: 'createStore', summary: 'Create a store' },
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateStore(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateStore),
			response: { 200: Tagged(Store), ...protectedFailures(404, 409, 412, 413, 503) },
			detail: {
				operationId: 'updateStore',
				summary: 'Update a store',
				description: 'While a store is disabled, its employees cannot sign in and their tokens are refused.',
			},
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteStore(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 409, 412, 503) },
			detail: {
				operationId: 'deleteStore',
				summary: 'Delete a store',
				description: 'Soft-deletes a store without employees; its name can be used again.',
			},
		});
}

function answer(set: Context['set'], store: Store) {
	return tagged(set, storeVersion(store), store);
}

/** The three shapes of GET /api/stores, chosen by which parameters are present. */
function listStoresAs(db: Db, query: StoreQuery) {
	const { includeInactive, status, keyword, search, page, pageSize } = query;
	const paginated = [status, keyword, search, page, pageSize].some((parameter) => parameter !== undefined);
	if (!paginated) return success(includeInactive === 'true' ? listStores(db) : listStoreOptions(db));
	const paging = readPaging(query);
	const shown = includeInactive === 'true' ? undefined : 'ACTIVE';
	const filter = { status: status ?? shown, keyword: given(keyword, clean), search: given(search, clean) };
	return successPage(pageOf(findStores(db, filter), paging), paging);
}
