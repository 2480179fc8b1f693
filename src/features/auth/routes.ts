import { Type } from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';
import { maxPasswordSeconds } from '../../identity/guard/hashing.ts';
import type { RouteDependencies, Sender } from '../../identity/session/session.ts';
import { maxPasswordBody, publicJsonBody } from '../../platform/http/body.ts';
import { clientName } from '../../platform/http/client.ts';
import { answerHeaders, doc, failures, Success, success } from '../../platform/http/reply.ts';
import { requestFacts } from '../../platform/http/request-log.ts';
import { Credentials, SignIn, SignInQuery } from './model.ts';
import {
	type Authenticated,
	authenticate,
	type SignInDependencies,
	type SignInPortal,
	signInAnswer,
} from './sign-in.ts';

type Dependencies = SignInDependencies & Pick<RouteDependencies, 'extendTimeout'>;

/** A request and its answer, as a handler has them. */
export type RequestContext = Pick<Context, 'request' | 'set'> & Sender;

type Login = RequestContext & { body: Credentials; query: SignInQuery };

/** The header by which a client shows that it signed in before. A wrong value is ignored, never refused. */
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

/** The origin of a request, without its body. */
export function requestOrigin({ headers, signal }: Request) {
	return { deviceToken: headers.get('device-token'), client: clientName(headers.get('user-agent')), signal };
}

/** The answer to a person who has just proved their password, with a `Device-Token` for their next sign-in. */
export async function signedIn(
	dependencies: SignInDependencies,
	set: Context['set'],
	{ person, device }: Authenticated,
	query: SignInQuery,
) {
	set.headers['device-token'] = dependencies.devices.issue(person, device);
	return success(await signInAnswer(dependencies, person, query));
}

/** Signing in. */
export function authRoutes({ extendTimeout, ...dependencies }: Dependencies) {
	const login =
		(portal: SignInPortal) =>
		async ({ body, query, request, address, requestId, set }: Login) => {
			extendTimeout(request, maxPasswordSeconds);
			const sent = { address, requestId, ...requestOrigin(request) };
			return signedIn(dependencies, set, await authenticate(dependencies, portal, body, sent), query);
		};
	const shapes = {
		...publicJsonBody(Credentials, maxPasswordBody),
		...knownDevice,
		query: SignInQuery,
		response: { 200: Success(SignIn, { headers: ['Device-Token'] }), ...failures(400, 401, 413, 429, 500, 503) },
	};
	return new Elysia({ prefix: '/api/auth' })
		.use(requestFacts)
		.post('/login', login('BACK_OFFICE'), {
			...shapes,
			...doc('login', 'Sign in to the back office (compatibility)', 'The same as POST /api/auth/admin/login.'),
		})
		.post('/admin/login', login('BACK_OFFICE'), {
			...shapes,
			...doc(
				'adminLogin',
				'Sign in to the back office',
				'For the super administrator and for employees who hold a back-office menu permission.',
			),
		})
		.post('/employee/login', login('EMPLOYEE'), {
			...shapes,
			...doc(
				'employeeLogin',
				'Sign in on the employee side',
				'For employees, with phone and password; no back-office permission is needed.',
			),
		});
}
