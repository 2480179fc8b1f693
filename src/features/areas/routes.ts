import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedBy } from '../../identity/history/versions.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath } from '../../platform/http/fields.ts';
import { conditional, doc, noContent, protectedFailures, Success, success, Tagged } from '../../platform/http/reply.ts';
import { Area, maxAreas, WriteArea } from './model.ts';
import { areaVersion, createArea, deleteArea, getArea, listAreas, updateArea } from './service.ts';

const manageOne = { transform: permit('store:manage'), params: idPath(1), ...conditional };
const answer = taggedBy(areaVersion);

/** The routes of `/api/areas`. */
export function areaRoutes({ db, session }: RouteDependencies) {
	return new Elysia({ prefix: '/api/areas' })
		.use(session)
		.get('', () => success(listAreas(db)), {
			transform: permit('store:view'),
			response: { 200: Success(Type.Array(Area)), ...protectedFailures() },
			...doc('listAreas', 'List areas'),
		})
		.get('/:id', ({ params, set }) => answer(set, getArea(db, params.id)), {
			transform: permit('store:view'),
			params: idPath(1),
			response: { 200: Tagged(Area), ...protectedFailures(404) },
			...doc('getArea', 'Get an area'),
		})
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createArea(db, caller, body))), {
			transform: permit('store:manage'),
			...jsonBody(WriteArea),
			response: { 201: Tagged(Area), ...protectedFailures(409, 413, 503) },
			...doc('createArea', 'Create an area', `With ${maxAreas} areas it answers 400.`),
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateArea(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(WriteArea),
			response: { 200: Tagged(Area), ...protectedFailures(404, 409, 412, 413, 503) },
			...doc('updateArea', 'Rename an area'),
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteArea(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			...doc(
				'deleteArea',
				'Delete an area',
				'Removes it from its stores, and revokes it from every employee who was given it.',
			),
		});
}
