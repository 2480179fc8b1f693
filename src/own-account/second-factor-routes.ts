import { Elysia } from 'elysia';
import { knownDevice, sentBy } from '../auth/routes.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { maxPasswordSeconds } from '../guard/hashing.ts';
import { jsonBody, maxPasswordBody } from '../http/body.ts';
import { noContent, protectedFailures, Success, success } from '../http/reply.ts';
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
import { disableOwnSecondFactor, enableOwnSecondFactor, startOwnSecondFactor } from './second-factor.ts';

interface Dependencies extends SignInDependencies, RouteDependencies {}

/** The second factor of the signed-in account. */
export function secondFactorRoutes({ session, ...dependencies }: Dependencies) {
	const { db, extendTimeout } = dependencies;
	return new Elysia({ prefix: '/api/auth/me/second-factor', detail: { tags: ['Authentication'] } })
		.use(session)
		.get('', ({ actor }) => success(secondFactorOf(db, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SecondFactor), ...protectedFailures() },
			detail: { operationId: 'getSecondFactor', summary: 'Get whether signing in asks you for a code' },
		})
		.post(
			'',
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
		.put('', ({ caller, body }) => success(enableOwnSecondFactor(dependencies, caller, body)), {
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
			'',
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
