import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { toAuthUser } from '../auth/accounts.ts';
import { AuthUser, ChangePassword, SignIn, SignIns } from '../auth/model.ts';
import { knownDevice, sentBy, withDevice } from '../auth/routes.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { listSignIns } from '../auth/sign-ins.ts';
import { maxPasswordSeconds } from '../guard/hashing.ts';
import { jsonBody, maxPasswordBody } from '../http/body.ts';
import { failures, noContent, nullableTimestamp, protectedFailures, Success, success } from '../http/reply.ts';
import { shape } from '../http/schema-types.ts';
import {
	DisableSecondFactor,
	EnableSecondFactor,
	RecoveryCodes,
	SecondFactor,
	SecondFactorKey,
	StartSecondFactor,
} from '../second-factor/model.ts';
import { secondFactorOf } from '../second-factor/service.ts';
import { permitDespite, type RouteDependencies } from '../session/session.ts';
import {
	changeOwnPassword,
	disableOwnSecondFactor,
	enableOwnSecondFactor,
	getOwnPassword,
	renewToken,
	signOut,
	startOwnSecondFactor,
} from './service.ts';

/** What GET /api/auth/me/password answers. */
const OwnPassword = shape('OwnPassword', {
	isInitial: Type.Boolean({
		description:
			'Whether the password is still the one that the account started with, or a one-time password: ask for a new one.',
		examples: [true],
	}),
	changedAt: nullableTimestamp('When it was last changed or reset; null when it never was.'),
});

interface Dependencies extends SignInDependencies, RouteDependencies {}

/** The signed-in account, and its second factor. */
export function ownAccountRoutes({ session, ...dependencies }: Dependencies) {
	const { db, extendTimeout } = dependencies;
	return new Elysia({ prefix: '/api/auth', detail: { tags: ['Authentication'] } })
		.use(session)
		.get('/me', ({ actor }) => success(toAuthUser(db, actor)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { 200: Success(AuthUser), ...failures(400, 401, 500) },
			detail: { operationId: 'getMe', summary: 'Get the signed-in account' },
		})
		.get('/me/password', ({ actor }) => success(getOwnPassword(actor)), {
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
		.post('/logout', ({ caller, status }) => status(204, signOut(db, caller)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { ...noContent, ...failures(400, 401, 500, 503) },
			detail: {
				operationId: 'logout',
				summary: 'Sign out',
				description: "Ends all of the account's tokens, on every device. A body is ignored.",
			},
		})
		.get('/me/second-factor', ({ actor }) => success(secondFactorOf(db, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SecondFactor), ...protectedFailures() },
			detail: { operationId: 'getSecondFactor', summary: 'Get whether signing in asks you for a code' },
		})
		.post(
			'/me/second-factor',
			async ({ caller, body, request }) => {
				extendTimeout(request, maxPasswordSeconds);
				return success(await startOwnSecondFactor(dependencies, caller, body, sentBy(request)));
			},
			{
				transform: permitDespite('SECOND_FACTOR'),
				...knownDevice,
				...jsonBody(StartSecondFactor, maxPasswordBody),
				response: { 200: Success(SecondFactorKey), ...protectedFailures(409, 413, 429, 503) },
				detail: {
					operationId: 'startSecondFactor',
					summary: 'Get a secret for an authenticator app',
					description:
						'Signing in asks for codes once PUT has taken the first one. Until then, another call starts again.',
				},
			},
		)
		.put('/me/second-factor', ({ caller, body }) => success(enableOwnSecondFactor(dependencies, caller, body)), {
			transform: permitDespite('SECOND_FACTOR'),
			...jsonBody(EnableSecondFactor, maxPasswordBody),
			response: { 200: Success(RecoveryCodes), ...protectedFailures(409, 413, 429, 503) },
			detail: {
				operationId: 'enableSecondFactor',
				summary: 'Turn the second factor on with its first code',
				description: 'Answers ten recovery codes, which are not shown again.',
			},
		})
		.delete(
			'/me/second-factor',
			async ({ caller, body, request, status }) => {
				extendTimeout(request, maxPasswordSeconds);
				return status(204, await disableOwnSecondFactor(dependencies, caller, body, sentBy(request)));
			},
			{
				transform: permitDespite('SECOND_FACTOR'),
				...knownDevice,
				...jsonBody(DisableSecondFactor, maxPasswordBody),
				response: { ...noContent, ...protectedFailures(409, 413, 429, 503) },
				detail: {
					operationId: 'disableSecondFactor',
					summary: 'Turn the second factor off',
					description: 'Asks for the password and a code; a recovery code is one.',
				},
			},
		);
}
