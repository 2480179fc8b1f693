import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedBy } from '../../identity/history/versions.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath } from '../../platform/http/fields.ts';
import { conditional, doc, noContent, protectedFailures, Success, success, Tagged } from '../../platform/http/reply.ts';
import {
	CreateProgram,
	KeyQuery,
	maxPrograms,
	NewProgram,
	Program,
	ProgramWithKey,
	ProgramWithSecret,
	UpdateProgram,
} from './model.ts';
import {
	createProgram,
	deleteProgram,
	getProgram,
	listPrograms,
	programVersion,
	renewKey,
	renewSecret,
	updateProgram,
} from './service.ts';

const manageOne = { transform: permit('permission:manage'), params: idPath(1), ...conditional };
const answer = taggedBy(programVersion);

/** The routes of `/api/programs`. No program may call them: a key must not create keys. */
export function programRoutes({ db, peopleSession }: RouteDependencies) {
	return new Elysia({ prefix: '/api/programs' })
		.use(peopleSession)
		.get('', () => success(listPrograms(db)), {
			transform: permit('permission:view'),
			response: { 200: Success(Type.Array(Program)), ...protectedFailures() },
			...doc('listPrograms', 'List the programs that call with a key or sign people in', 'Includes expired programs.'),
		})
		.get('/:id', ({ params, set }) => answer(set, getProgram(db, params.id)), {
			transform: permit('permission:view'),
			params: idPath(1),
			response: { 200: Tagged(Program), ...protectedFailures(404) },
			...doc('getProgram', 'Get a program'),
		})
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createProgram(db, caller, body))), {
			transform: permit('permission:manage'),
			...jsonBody(CreateProgram),
			response: { 201: Tagged(NewProgram), ...protectedFailures(409, 413, 503) },
			...doc(
				'createProgram',
				'Create a program with its key or client secret',
				'With permissions it has a key; with redirectUris, and unless it is public, a client secret. ' +
					`403 for codes, a store or a last day beyond your own. With ${maxPrograms} programs it answers 400.`,
			),
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateProgram(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateProgram),
			response: { 200: Tagged(Program), ...protectedFailures(404, 409, 412, 413, 503) },
			...doc('updateProgram', 'Update a program', 'A later endsOn revives it. Without redirectUris its tokens end.'),
		})
		.post('/:id/key', ({ caller, params, query, set }) => answer(set, renewKey(db, caller, params.id, query)), {
			...manageOne,
			query: KeyQuery,
			response: { 200: Tagged(ProgramWithKey), ...protectedFailures(404, 412, 503) },
			...doc(
				'renewProgramKey',
				'Renew the key of a program',
				'The previous key works for another hour; older ones end. A body is ignored.',
			),
		})
		.post('/:id/secret', ({ caller, params, query, set }) => answer(set, renewSecret(db, caller, params.id, query)), {
			...manageOne,
			query: KeyQuery,
			response: { 200: Tagged(ProgramWithSecret), ...protectedFailures(404, 412, 503) },
			...doc(
				'renewClientSecret',
				'Renew the client secret of a program',
				'The previous secret works for another hour. A body is ignored.',
			),
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteProgram(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 412, 503) },
			...doc('deleteProgram', 'Delete a program', 'Its keys are refused from the next request on.'),
		});
}
