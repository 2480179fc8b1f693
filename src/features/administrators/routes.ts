import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath } from '../../platform/http/fields.ts';
import { doc, noContent, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import type { Passwords } from '../auth/password.ts';
import { Administrator, CreateAdministrator, maxAdministrators, NewAdministrator } from './model.ts';
import { createAdministrator, deleteOtherAdministrator, listAdministrators } from './service.ts';

/** The routes of `/api/administrators`, for super administrators only. */
export function administratorRoutes({
	db,
	peopleSession,
	passwords: { oneTime },
}: RouteDependencies & { passwords: Passwords }) {
	return new Elysia({ prefix: '/api/administrators' })
		.use(peopleSession)
		.get('', () => success(listAdministrators(db)), {
			transform: permit('*'),
			response: { 200: Success(Type.Array(Administrator)), ...protectedFailures() },
			...doc('listAdministrators', 'List the super administrators'),
		})
		.post('', ({ caller, body, status }) => status(201, success(createAdministrator(db, caller, oneTime, body))), {
			transform: permit('*'),
			...jsonBody(CreateAdministrator),
			response: { 201: Success(NewAdministrator), ...protectedFailures(409, 413, 503) },
			...doc(
				'createAdministrator',
				'Create a super administrator with a one-time password',
				'They must set a password of their own before anything else. ' +
					`With ${maxAdministrators} super administrators it answers 400.`,
			),
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteOtherAdministrator(db, caller, params.id)), {
			transform: permit('*'),
			params: idPath(2),
			response: { ...noContent, ...protectedFailures(404, 503) },
			...doc(
				'deleteAdministrator',
				'Delete another super administrator',
				'Their tokens end. 403 for your own account.',
			),
		});
}
