/** The people of a store. Stores themselves know nothing of people, so these routes are registered from here. */
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { jsonBody } from '../http/body.ts';
import { idPath, integer } from '../http/fields.ts';
import { noContent, protectedFailures, Success, success } from '../http/reply.ts';
import { accountOf } from '../session/actor.ts';
import { permit, permitAll, type RouteDependencies } from '../session/session.ts';
import { Store } from '../stores/model.ts';
import { getStore } from '../stores/service.ts';
import { ClosedStore, CloseStore, closeStore } from './closing.ts';
import { answerWithList } from './long-list.ts';
import { Employee } from './model.ts';
import { removeStoreEmployee, storeEmployees } from './service.ts';

const IdPath = idPath(1);

/** A store with its employees. */
const StoreDetail = Type.Object({ ...Store.properties, employees: Type.Array(Employee) }, { title: 'StoreDetail' });

/** The routes of `/api/stores` that need people. */
export function storePeopleRoutes({ db, session, now, answerInParts }: RouteDependencies) {
	return new Elysia({ prefix: '/api/stores', detail: { tags: ['Stores'] } })
		.use(session)
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
		);
}
