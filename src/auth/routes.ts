import { Elysia } from 'elysia';
import { jsonBody, maxPasswordBody, publicJsonBody } from '../http/body.ts';
import { failures, noContent, protectedFailures, Success, success } from '../http/reply.ts';
import { requestFacts } from '../http/request-log.ts';
import { permit, permitDespite, type RouteDependencies } from '../session/session.ts';
import type { Door } from './accounts.ts';
import { maxPasswordSeconds } from './hash-queue.ts';
import { AuthUser, ChangePassword, Credentials, OwnPassword, SignIn } from './model.ts';
import { changeOwnPassword, getAuthUser, getOwnPassword, renewToken, signOut } from './own-account.ts';
import { type SignInDependencies, signIn } from './sign-in.ts';

interface Dependencies extends SignInDependencies, RouteDependencies {
	administratorReady: Promise<void>;
}

interface LoginContext {
	body: Credentials;
	request: Request;
	address: string;
	requestId: string;
}

/** Signing in, and the signed-in account. */
export function authRoutes({ session, administratorReady, ...dependencies }: Dependencies) {
	const { db, now, extendTimeout } = dependencies;
	const login =
		(door: Door) =>
		async ({ body, request, address, requestId }: LoginContext) => {
			extendTimeout(request, maxPasswordSeconds);
			await administratorReady;
			const from = { address, requestId, signal: request.signal };
			return success(await signIn(dependencies, door, body, from));
		};
	const shapes = {
		...publicJsonBody(Credentials, maxPasswordBody),
		response: { 200: Success(SignIn), ...failures(400, 401, 413, 429, 500, 503) },
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
			transform: permitDespite('OWN_PASSWORD'),
			response: { 200: Success(AuthUser), ...failures(400, 401, 500) },
			detail: { operationId: 'getMe', summary: 'Get the signed-in account' },
		})
		.get('/me/password', ({ actor }) => success(getOwnPassword(db, actor)), {
			transform: permitDespite('OWN_PASSWORD'),
			response: { 200: Success(OwnPassword), ...failures(400, 401, 500) },
			detail: { operationId: 'getOwnPassword', summary: 'Get whether your own password is the initial one' },
		})
		.post('/renew', async ({ actor }) => success(await renewToken(dependencies, actor)), {
			transform: permit(),
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
			async ({ caller, body, request }) => {
				extendTimeout(request, maxPasswordSeconds);
				return success(await changeOwnPassword(dependencies, caller, body, request.signal));
			},
			{
				transform: permitDespite('OWN_PASSWORD'),
				...jsonBody(ChangePassword, maxPasswordBody),
				response: { 200: Success(SignIn), ...failures(400, 401, 413, 429, 500, 503) },
				detail: {
					operationId: 'changeOwnPassword',
					summary: 'Change your own password',
					description: "Asks for the old password. Ends the account's tokens and answers a new one, as a login does.",
				},
			},
		)
		.post('/logout', ({ caller, status }) => status(204, signOut(db, caller, now())), {
			transform: permitDespite('OWN_PASSWORD'),
			response: { ...noContent, ...failures(400, 401, 500, 503) },
			detail: {
				operationId: 'logout',
				summary: 'Sign out',
				description: "Ends all of the account's tokens, on every device. A body is ignored.",
			},
		});
}
