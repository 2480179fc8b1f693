import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { jsonBody } from '../http/body.ts';
import { failures, Success, success } from '../http/reply.ts';
import { requestFacts } from '../http/request-facts.ts';
import { permit, type Session } from '../http/session.ts';
import { AuthUser, Credentials, SignIn } from './model.ts';
import type { Passwords } from './password.ts';
import { type Door, getAuthUser, signIn } from './service.ts';
import type { Throttle } from './throttle.ts';
import type { Tokens } from './tokens.ts';

interface Dependencies {
	db: Db;
	passwords: Passwords;
	tokens: Tokens;
	throttle: Throttle;
	session: Session;
	installed: Promise<void>;
}

/** Signing in, and who is signed in (specification, section 4, "Login endpoints" and GET /api/auth/me). */
export function authRoutes({ db, passwords, tokens, throttle, session, installed }: Dependencies) {
	const login =
		(door: Door) =>
		async ({ body, address }: { body: Credentials; address: string }) => {
			await installed;
			return success(await signIn({ db, passwords, tokens, throttle }, door, body, address));
		};
	const shapes = {
		...jsonBody(Credentials),
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
			transform: permit(),
			response: { 200: Success(AuthUser), ...failures(400, 401, 500) },
			detail: { operationId: 'getMe', summary: 'Get the signed-in account' },
		});
}
