import { Elysia } from 'elysia';
import { AuthUser, ChangePassword, SignIn, SignIns } from '../auth/model.ts';
import { knownDevice, sentBy, withDevice } from '../auth/routes.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { listSignIns } from '../auth/sign-ins.ts';
import { maxPasswordSeconds } from '../guard/hashing.ts';
import { jsonBody, maxPasswordBody } from '../http/body.ts';
import { failures, noContent, protectedFailures, Success, success } from '../http/reply.ts';
import { permitDespite, type RouteDependencies } from '../session/session.ts';
import { OwnPassword } from './model.ts';
import { changeOwnPassword, getAuthUser, getOwnPassword, renewToken, signOut } from './service.ts';

interface Dependencies extends SignInDependencies, RouteDependencies {}

/** The signed-in account. */
export function ownAccountRoutes({ session, ...dependencies }: Dependencies) {
	const { db, now, extendTimeout } = dependencies;
	return new Elysia({ prefix: '/api/auth', detail: { tags: ['Authentication'] } })
		.use(session)
		.get('/me', ({ actor }) => success(getAuthUser(db, actor)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { 200: Success(AuthUser), ...failures(400, 401, 500) },
			detail: { operationId: 'getMe', summary: 'Get the signed-in account' },
		})
		.get('/me/password', ({ actor }) => success(getOwnPassword(db, actor)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { 200: Success(OwnPassword), ...failures(400, 401, 500) },
			detail: { operationId: 'getOwnPassword', summary: 'Get whether your own password is the initial one' },
		})
		.get('/me/sign-ins', ({ actor }) => success(listSignIns(db, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SignIns), ...protectedFailures() },
			detail: {
				operationId: 'listOwnSignIns',
				summary: 'List your newest sign-ins',
				description:
					'For people to see whether somebody else signed in: then they change their password, which ends all tokens.',
			},
		})
		.post('/renew', async ({ actor }) => success(await renewToken(dependencies, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SignIn), ...protectedFailures() },
			detail: {
				operationId: 'renewToken',
				summary: 'Renew your token',
				description:
					'Answers a new token for two hours, up to twelve hours after the sign-in. Everything that ends the ' +
					"account's tokens also ends renewed ones. A body is ignored.",
			},
		})
		.patch(
			'/me/password',
			async ({ caller, body, request, set }) => {
				extendTimeout(request, maxPasswordSeconds);
				return withDevice(set, await changeOwnPassword(dependencies, caller, body, sentBy(request)));
			},
			{
				transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
				...knownDevice,
				...jsonBody(ChangePassword, maxPasswordBody),
				response: { 200: Success(SignIn, { headers: ['Device-Token'] }), ...failures(400, 401, 413, 429, 500, 503) },
				detail: {
					operationId: 'changeOwnPassword',
					summary: 'Change your own password',
					description: "Asks for the old password. Ends the account's tokens and answers a new one, as a login does.",
				},
			},
		)
		.post('/logout', ({ caller, status }) => status(204, signOut(db, caller, now())), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { ...noContent, ...failures(400, 401, 500, 503) },
			detail: {
				operationId: 'logout',
				summary: 'Sign out',
				description: "Ends all of the account's tokens, on every device. A body is ignored.",
			},
		});
}
