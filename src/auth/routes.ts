import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { maxPasswordSeconds } from '../guard/hashing.ts';
import { jsonBody, maxPasswordBody, publicJsonBody } from '../http/body.ts';
import { clientName } from '../http/client-name.ts';
import { answerHeaders, failures, noContent, protectedFailures, Success, success } from '../http/reply.ts';
import { requestFacts } from '../http/request-log.ts';
import { permitDespite, type RouteDependencies } from '../session/session.ts';
import type { Door } from './accounts.ts';
import { AuthUser, ChangePassword, Credentials, OwnPassword, SignIn, SignIns } from './model.ts';
import { changeOwnPassword, getAuthUser, getOwnPassword, renewToken, signOut } from './own-account.ts';
import { type SignedIn, type SignInDependencies, signIn } from './sign-in.ts';
import { listSignIns } from './sign-ins.ts';

interface Dependencies extends SignInDependencies, RouteDependencies {
	administratorReady: Promise<void>;
}

interface LoginContext {
	body: Credentials;
	request: Request;
	address: string;
	requestId: string;
	set: Headed;
}

/** An answer whose headers can be set. */
interface Headed {
	headers: Record<string, string | number>;
}

/** The header by which a client shows that it signed in before. Whatever it holds, a request is never refused for it. */
export const knownDevice = {
	headers: Type.Object({
		'device-token': Type.Optional(
			Type.String({
				description: 'The Device-Token that an earlier sign-in of this account answered. Any other is ignored.',
				examples: answerHeaders['Device-Token'].schema.examples,
			}),
		),
	}),
};

/** What a request says besides its body. */
export function sentBy({ headers, signal }: Request) {
	return { deviceToken: headers.get('device-token'), client: clientName(headers.get('user-agent')), signal };
}

/** The answer of a sign-in, with the token of the device. */
function withDevice(set: Headed, { answer, deviceToken }: SignedIn) {
	set.headers['device-token'] = deviceToken;
	return success(answer);
}

/** Signing in, and the signed-in account. */
export function authRoutes({ session, administratorReady, ...dependencies }: Dependencies) {
	const { db, now, extendTimeout } = dependencies;
	const login =
		(door: Door) =>
		async ({ body, request, address, requestId, set }: LoginContext) => {
			extendTimeout(request, maxPasswordSeconds);
			await administratorReady;
			return withDevice(set, await signIn(dependencies, door, body, { address, requestId, ...sentBy(request) }));
		};
	const shapes = {
		...publicJsonBody(Credentials, maxPasswordBody),
		...knownDevice,
		response: { 200: Success(SignIn, { headers: ['Device-Token'] }), ...failures(400, 401, 413, 429, 500, 503) },
	};
	return new Elysia({ prefix: '/api/auth', detail: { tags: ['Authentication'] } })
		.use(requestFacts)
		.post('/login', login('back office'), {
			...shapes,
			detail: {
				operationId: 'login',
				summary: 'Sign in to the back office (compatibility)',
				description: 'The same as POST /api/auth/admin/login.',
			},
		})
		.post('/admin/login', login('back office'), {
			...shapes,
			detail: {
				operationId: 'adminLogin',
				summary: 'Sign in to the back office',
				description: 'For the super administrator and for employees who hold a back-office menu permission.',
			},
		})
		.post('/employee/login', login('employee side'), {
			...shapes,
			detail: {
				operationId: 'employeeLogin',
				summary: 'Sign in on the employee side',
				description: 'For employees, with phone and password; no back-office permission is needed.',
			},
		})
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
