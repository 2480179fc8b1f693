import type { TSchema } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { maxPasswordSeconds } from '../../identity/guard/hashing.ts';
import {
	DisableSecondFactor,
	EnableSecondFactor,
	RecoveryCodes,
	RenewRecoveryCodes,
	SecondFactor,
	SecondFactorKey,
	StartSecondFactor,
} from '../../identity/second-factor/model.ts';
import { secondFactorOf } from '../../identity/second-factor/service.ts';
import type { Caller, Person } from '../../identity/session/actor.ts';
import { permitDespite, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody, maxPasswordBody } from '../../platform/http/body.ts';
import { idPath } from '../../platform/http/fields.ts';
import { doc, noContent, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { AuthUser, ChangePassword, SignIn, SignInQuery } from '../auth/model.ts';
import { knownDevice, requestOrigin, signedIn } from '../auth/routes.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { LogoutQuery, MeQuery, OwnPassword, SignIns } from './model.ts';
import {
	changeOwnPassword,
	disableOwnSecondFactor,
	enableOwnSecondFactor,
	endOwnSignIn,
	getMe,
	getOwnPassword,
	listOwnSignIns,
	renewOwnRecoveryCodes,
	renewToken,
	signOut,
	startOwnSecondFactor,
} from './service.ts';

/** A body with the account's password. */
const withPassword = <Body extends TSchema>(Body: Body) => ({ ...knownDevice, ...jsonBody(Body, maxPasswordBody) });

/** The routes of the signed-in account and its second factor. */
export function ownAccountRoutes({ peopleSession, ...dependencies }: SignInDependencies & RouteDependencies) {
	const { db } = dependencies;
	/** The caller of a request with their password. It also extends the timeout by the time of the check. */
	const senderOf = (caller: Caller<Person>, request: Request) => {
		dependencies.extendTimeout(request, maxPasswordSeconds);
		return { ...caller, ...requestOrigin(request) };
	};
	return new Elysia({ prefix: '/api/auth' })
		.use(peopleSession)
		.get('/me', ({ actor, query }) => success(getMe(db, actor, query)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			query: MeQuery,
			response: { 200: Success(AuthUser), ...protectedFailures() },
			...doc('getMe', 'Get the signed-in account'),
		})
		.get('/me/password', ({ actor }) => success(getOwnPassword(actor)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			response: { 200: Success(OwnPassword), ...protectedFailures() },
			...doc('getOwnPassword', 'Get whether your own password is the initial one'),
		})
		.get('/me/sign-ins', ({ caller }) => success(listOwnSignIns(db, caller)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SignIns), ...protectedFailures() },
			...doc(
				'listOwnSignIns',
				'List your sign-ins',
				'Each sign-in is a session: it lasts until its newest token expires, or somebody ends it.',
			),
		})
		.delete('/me/sign-ins/:id', ({ caller, params, status }) => status(204, endOwnSignIn(db, caller, params.id)), {
			transform: permitDespite('SECOND_FACTOR'),
			params: idPath(12),
			response: { ...noContent, ...protectedFailures(404, 503) },
			...doc('endOwnSignIn', 'End one of your sign-ins', 'Its tokens end. 404 for one that is over.'),
		})
		.post('/renew', async ({ caller, query }) => success(await renewToken(dependencies, caller, query)), {
			transform: permitDespite('SECOND_FACTOR'),
			query: SignInQuery,
			response: { 200: Success(SignIn), ...protectedFailures() },
			...doc(
				'renewToken',
				'Renew your token',
				`Answers a new token for ${tokenLifetime.words}, up to twelve hours after the sign-in. Everything that ends the ` +
					"account's tokens also ends renewed ones. A body is ignored.",
			),
		})
		.patch(
			'/me/password',
			async ({ caller, body, query, request, set }) => {
				const authenticated = await changeOwnPassword(dependencies, senderOf(caller, request), body);
				return signedIn(dependencies, set, authenticated, query);
			},
			{
				transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
				...withPassword(ChangePassword),
				query: SignInQuery,
				response: { 200: Success(SignIn, { headers: ['Device-Token'] }), ...protectedFailures(413, 503) },
				...doc('changeOwnPassword', 'Change your own password, which ends all tokens and answers a new one'),
			},
		)
		.post('/logout', ({ caller, query, status }) => status(204, signOut(db, caller, query)), {
			transform: permitDespite('OWN_PASSWORD', 'SECOND_FACTOR'),
			query: LogoutQuery,
			response: { ...noContent, ...protectedFailures(503) },
			...doc('logout', 'Sign out', 'Ends the tokens of this sign-in. A body is ignored.'),
		})
		.get('/me/second-factor', ({ actor }) => success(secondFactorOf(db, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(SecondFactor), ...protectedFailures() },
			...doc('getSecondFactor', 'Get whether signing in asks you for a code'),
		})
		.post(
			'/me/second-factor',
			async ({ caller, body, request }) =>
				success(await startOwnSecondFactor(dependencies, senderOf(caller, request), body)),
			{
				transform: permitDespite('SECOND_FACTOR'),
				...withPassword(StartSecondFactor),
				response: { 200: Success(SecondFactorKey), ...protectedFailures(409, 413, 503) },
				...doc('startSecondFactor', 'Get a secret for an authenticator app, which PUT turns on'),
			},
		)
		.put('/me/second-factor', ({ caller, body }) => success(enableOwnSecondFactor(dependencies, caller, body)), {
			transform: permitDespite('SECOND_FACTOR'),
			...jsonBody(EnableSecondFactor, maxPasswordBody),
			response: { 200: Success(RecoveryCodes), ...protectedFailures(409, 413, 503) },
			...doc('enableSecondFactor', 'Turn the second factor on with its first code'),
		})
		.delete(
			'/me/second-factor',
			async ({ caller, body, request, status }) =>
				status(204, await disableOwnSecondFactor(dependencies, senderOf(caller, request), body)),
			{
				transform: permitDespite('SECOND_FACTOR'),
				...withPassword(DisableSecondFactor),
				response: { ...noContent, ...protectedFailures(409, 413, 503) },
				...doc('disableSecondFactor', 'Turn the second factor off with the password and a code'),
			},
		)
		.post(
			'/me/second-factor/recovery-codes',
			async ({ caller, body, request }) =>
				success(await renewOwnRecoveryCodes(dependencies, senderOf(caller, request), body)),
			{
				transform: permitDespite('SECOND_FACTOR'),
				...withPassword(RenewRecoveryCodes),
				response: { 200: Success(RecoveryCodes), ...protectedFailures(409, 413, 503) },
				...doc('renewRecoveryCodes', 'Replace the recovery codes with the password and a code'),
			},
		);
}
