import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedBy } from '../../identity/history/versions.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import type { Db } from '../../platform/database/open.ts';
import { jsonBody } from '../../platform/http/body.ts';
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
import { paginate } from '../../platform/vocabulary/paging.ts';
import {
	ChangedStores,
	ChangeStores,
	CreateStore,
	IncludeQuery,
	maxStores,
	readFilter,
	Store,
	StoreOption,
	StoreQuery,
	UpdateStore,
} from './model.ts';
import {
	changeStores,
	createStore,
	deleteStore,
	findStores,
	listStoreOptions,
	listStores,
	storeVersion,
	updateStore,
	withAdditions,
} from './service.ts';

const manageOne = { transform: permit('store:manage'), params: idPath(1), ...conditional };
const answer = taggedBy(storeVersion);

/** The routes of `/api/stores` that need no employees; `employees/store-and-role-routes.ts` has the others. */
export function storeRoutes({ db, session }: RouteDependencies) {
	return new Elysia({ prefix: '/api/stores' })
		.use(session)
		.get('', ({ query }) => listStoresAs(db, query), {
			transform: permit('store:view'),
			query: StoreQuery,
			response: {
				// The most specific first: the first matching schema decides which fields are kept.
				200: Type.Union([SuccessPage(Store), Success(Type.Array(Store)), Success(Type.Array(StoreOption))]),
				...protectedFailures(),
			},
			...doc(
				'listStores',
				'List stores',
				'Without a parameter, or with includeInactive=false only: the active stores in their short form. ' +
					'With includeInactive=true only: every store. With any other parameter except include: one page of ' +
					'stores, the active ones unless status or includeInactive says otherwise.',
			),
		})
		.get('/all', ({ query }) => success(withAdditions(db, query, listStores(db))), {
			transform: permit('store:view'),
			query: IncludeQuery,
			response: { 200: Success(Type.Array(Store)), ...protectedFailures() },
			...doc('listAllStores', 'List every store, disabled ones too'),
		})
		.get('/options', ({ query }) => success(withAdditions(db, query, listStoreOptions(db))), {
			transform: permit('store:view'),
			query: IncludeQuery,
			response: { 200: Success(Type.Array(StoreOption)), ...protectedFailures() },
			...doc('listStoreOptions', 'List the active stores in their short form'),
		})
		.get('/page', ({ query }) => pageOfStores(db, query), {
			transform: permit('store:view'),
			query: StoreQuery,
			response: { 200: SuccessPage(Store), ...protectedFailures() },
			...doc(
				'listStorePage',
				'List one page of stores',
				'The active ones unless status or includeInactive says otherwise.',
			),
		})
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createStore(db, caller, body))), {
			transform: permit('store:manage'),
			...jsonBody(CreateStore),
			response: { 201: Tagged(Store), ...protectedFailures(409, 413, 503) },
			...doc('createStore', 'Create a store', `With ${maxStores.toLocaleString('en')} stores it answers 400.`),
		})
		.post('/changes', ({ caller, body, query }) => success(changeStores(db, caller, body, query)), {
			transform: permit('store:manage'),
			query: ManyChangesQuery,
			...jsonBody(ChangeStores),
			response: { 200: Success(ChangedStores), ...protectedFailures(404, 413, 503) },
			...doc(
				'changeStores',
				'Change many stores at once',
				'All or none; a detail such as body.ids.3 for each store that does not exist.',
			),
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateStore(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateStore),
			response: { 200: Tagged(Store), ...protectedFailures(404, 409, 412, 413, 503) },
			...doc('updateStore', 'Update a store', 'While it is disabled, nobody in it can sign in.'),
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteStore(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 409, 412, 503) },
			...doc('deleteStore', 'Delete a store', 'Soft-deletes a store without employees; its name can be used again.'),
		});
}

/** The three shapes of GET /api/stores, chosen by which parameters are present. */
function listStoresAs(db: Db, query: StoreQuery) {
	const { includeInactive, include, ...others } = query;
	if (Object.keys(others).length > 0) return pageOfStores(db, query);
	return success(withAdditions(db, query, includeInactive ? listStores(db) : listStoreOptions(db)));
}

function pageOfStores(db: Db, query: StoreQuery) {
	const paging = readPaging(query);
	const filter = { ...(!query.includeInactive && { status: 'ACTIVE' as const }), ...readFilter(query) };
	const { items, total } = paginate(findStores(db, filter), paging);
	return successPage({ items: withAdditions(db, query, items), total }, paging);
}
