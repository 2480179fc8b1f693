import { Elysia } from 'elysia';
import type { Passwords } from './auth/password.ts';
import { authRoutes } from './auth/routes.ts';
import type { Tokens } from './auth/tokens.ts';
import type { Db } from './database/open.ts';
import { employeeRoutes } from './employees/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { envelopeOf, loggableOf, refusalOf } from './http/failure.ts';
import { requireHost } from './http/host.ts';
import { statusOf } from './http/reply.ts';
import { createSession } from './http/session.ts';
import type { Log } from './log.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { permissionRoutes } from './permissions/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { storeRoutes } from './stores/routes.ts';

/** What the service is made of; tests give their own. */
export interface Dependencies {
	db: Db;
	passwords: Passwords;
	tokens: Tokens;
	/** The time of day; tests move it. */
	clock: () => Date;
	log: Log;
}

/** The whole HTTP service, not listening yet. */
export function createApp({ db, passwords, tokens, clock, log }: Dependencies) {
	const now = () => clock().toISOString();
	const session = createSession({ db, tokens });
	const nextRequestId = requestIds();
	const app = new Elysia({ name: 'access' })
		.onRequest(function receive({ request, set }) {
			set.headers['x-request-id'] = nextRequestId();
			requireHost(request);
		})
		.onError(function refuse({ error, request, route, set }) {
			const refusal = refusalOf(error);
			if (refusal.code === 'INTERNAL_SERVER_ERROR') {
				const requestId = set.headers['x-request-id'];
				log.error('request failed', { requestId, method: request.method, route, ...loggableOf(error) });
			}
			set.status = statusOf[refusal.code];
			return envelopeOf(refusal);
		})
		.use(healthRoutes({ db, now }))
		.use(authRoutes({ db, passwords, tokens, session }))
		.use(permissionRoutes({ db, session, now }))
		.use(storeRoutes({ db, session, now }))
		.use(roleRoutes({ db, session, now }))
		.use(employeeRoutes({ db, passwords, session, now }));
	return app.use(openapiRoutes(app));
}

export type App = ReturnType<typeof createApp>;

/** Ids that are unique across restarts and cost next to nothing: a random prefix and a count. */
function requestIds(): () => string {
	const prefix = crypto.randomUUID().slice(0, 8);
	let count = 0;
	return () => {
		count += 1;
		return `${prefix}-${count}`;
	};
}
