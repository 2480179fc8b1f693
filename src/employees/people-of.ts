/** The people of a store and of a role, which know nothing of people themselves: so these routes are registered from here. */
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { entityTag } from '../history/versions.ts';
import { jsonInParts } from '../http/answer-in-parts.ts';
import { jsonBody } from '../http/body.ts';
import { flag, idPath, paged, parameters, pathId, readPaging } from '../http/fields.ts';
import { noContent, protectedFailures, Success, SuccessPage, success, successPage } from '../http/reply.ts';
import { shape } from '../http/schema-types.ts';
import { conditional, Tagged } from '../http/versions.ts';
import { getRole } from '../roles/service.ts';
import type { Actor } from '../session/actor.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { Store } from '../stores/model.ts';
import { getStore, storeVersion } from '../stores/service.ts';
import type { Paging } from '../vocabulary/paging.ts';
import { ClosedStore, CloseStore, closeStore } from './closing.ts';
import { Employee } from './model.ts';
import { contractOf, employeesInParts } from './read.ts';
import { countEmployees } from './search.ts';
import { listEmployees, removeStoreEmployee } from './service.ts';

const IdPath = idPath(1);

/** A store with its employees. */
const StoreDetail = shape('StoreDetail', { ...Store.properties, employees: Type.Array(Employee) });

/** Up to this many people, a store is read and answered at once: some 5 ms of work. */
const maxAtOnce = 1000;

/** Every employee of a store by id: a list or, when they are too many to be read at once, a generator of its parts. */
function peopleOf(db: Db, storeId: number) {
	const parts = employeesInParts(db, { storeId }).map((part) => part.map(contractOf));
	return countEmployees(db, { storeId }) > maxAtOnce ? parts : parts.toArray().flat();
}

/** The routes of `/api/stores` that need people. */
export function storePeopleRoutes(dependencies: RouteDependencies) {
	const { db, session, answerInParts } = dependencies;
	/** An answer with a list that comes in parts. Elysia passes a Response on, but its types do not know of one beside a schema. */
	async function inParts(actor: Actor, request: Request, answer: object): Promise<never> {
		const headers = { 'content-type': 'application/json' };
		return (await answerInParts({ actor, request }, jsonInParts(answer), headers)) as never;
	}

	return new Elysia({ prefix: '/api/stores', detail: { tags: ['Stores'] } })
		.use(session)
		.get(
			'/:id',
			async ({ actor, params, query, request, set }) => {
				const store = getStore(db, params.id);
				set.headers.etag = entityTag(storeVersion(store));
				if (query.employees === 'false') return success(store);
				const employees = peopleOf(db, store.id);
				if (Array.isArray(employees)) return success({ ...store, employees });
				return await inParts(actor, request, success({ ...store, employees }));
			},
			{
				transform: permit('store:view'),
				params: IdPath,
				query: parameters({ employees: flag('false leaves out the employees, who can be many.') }),
				response: { 200: Tagged(Type.Union([StoreDetail, Store])), ...protectedFailures(404) },
				detail: { operationId: 'getStore', summary: 'Get a store with its employees' },
			},
		)
		.get(
			'/:id/employees',
			async ({ actor, params, request }) => {
				const { id } = getStore(db, params.id);
				const people = peopleOf(db, id);
				return Array.isArray(people) ? success(people) : await inParts(actor, request, success(people));
			},
			{
				transform: permit('store:view'),
				params: IdPath,
				response: { 200: Success(Type.Array(Employee)), ...protectedFailures(404) },
				detail: { operationId: 'listStoreEmployees', summary: 'List the employees of a store' },
			},
		)
		.post(
			'/:id/close',
			async ({ caller, params, body, request }) =>
				success(await closeStore(dependencies, request, caller, params.id, body)),
			{
				transform: permitAll(['store:manage'], ['employee:manage']),
				params: IdPath,
				...conditional,
				...jsonBody(CloseStore),
				response: { 200: Success(ClosedStore), ...protectedFailures(404, 409, 412, 413, 503) },
				detail: {
					operationId: 'closeStore',
					summary: 'Close a store',
					description:
						'Moves everyone to another store, then disables or deletes this one. Up to 500 people: all of it or nothing. More of ' +
						'them move in steps, 30,000 in some seconds, and nobody is refused meanwhile; after a failure in between, the same ' +
						'request with the present version finishes it, and up to 1,000 moves can be undone together. A caller who may not change everyone in the store gets 403, and the details name ' +
						'who stands above them. A store with people and no moveTo answers 409.',
				},
			},
		)
		.delete(
			'/:id/employees/:employeeId',
			({ caller, params, status }) => status(204, removeStoreEmployee(db, caller, params.id, params.employeeId)),
			{
				transform: permit('employee:manage'),
				params: Type.Object({
					...IdPath.properties,
					employeeId: pathId('The id of an employee of the store.', 1),
				}),
				...conditional,
				response: { ...noContent, ...protectedFailures(404, 412, 503) },
				detail: {
					operationId: 'removeStoreEmployee',
					summary: 'Remove an employee from a store',
					description: 'Soft-deletes the employee; the phone can be used again.',
				},
			},
		);
}

/** The role is looked up when it is the search's turn. */
function* listHolders(db: Db, actor: Actor, id: number, paging: Paging) {
	const { id: roleId } = getRole(db, id);
	return yield* listEmployees(db, actor, { roleId }, paging);
}

/** The routes of `/api/roles` that need people. */
export function holderRoutes({
	db,
	session,
	searchInTurn,
}: Pick<RouteDependencies, 'db' | 'session' | 'searchInTurn'>) {
	return new Elysia({ prefix: '/api/roles', detail: { tags: ['Roles'] } }).use(session).get(
		'/:id/employees',
		async ({ actor, params, query }) => {
			const paging = readPaging(query);
			return successPage(await searchInTurn(listHolders(db, actor, params.id, paging)), paging);
		},
		{
			transform: permitAll(['role:view'], ['employee:view:all', 'employee:view:store']),
			params: idPath(2),
			query: paged({}),
			response: { 200: SuccessPage(Employee), ...protectedFailures(404) },
			detail: {
				operationId: 'listRoleEmployees',
				summary: 'List the employees who hold a role',
				description: 'A caller who may see one store only gets the employees of that store.',
			},
		},
	);
}
