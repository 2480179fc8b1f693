import { Elysia } from 'elysia';
import type { Passwords } from './auth/password.ts';
import type { RefusedSignIns } from './auth/refused-sign-ins.ts';
import { authRoutes } from './auth/routes.ts';
import type { Throttle } from './auth/throttle.ts';
import type { Db } from './database/open.ts';
import { employeeRoutes } from './employees/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { historyRoutes } from './history/routes.ts';
import type { AddressOf } from './http/client-address.ts';
import { crossOrigin } from './http/cors.ts';
import { envelopeOf, loggableOf, refusalOf } from './http/failure.ts';
import { securityHeaders, transportSecurityHeader } from './http/headers.ts';
import { requireHost } from './http/host.ts';
import { statusOf } from './http/reply.ts';
import { requestLog } from './http/request-log.ts';
import type { Log } from './log.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { permissionRoutes } from './permissions/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { createSession } from './session/session.ts';
import type { Tokens } from './session/tokens.ts';
import { storeRoutes } from './stores/routes.ts';

/** What the service is made of; tests give their own. */
export interface Dependencies {
	db: Db;
	passwords: Passwords;
	tokens: Tokens;
	/** The time of day; tests move it. */
	clock: () => Date;
	log: Log;
	/** Where requests come from. */
	addressOf: AddressOf;
	/** Guards the passwords against guessing. */
	throttle: Throttle;
	/** Records the sign-ins that are refused. */
	refusedSignIns: RefusedSignIns;
	/** Resolves when the administrator exists; signing in waits for it. */
	administratorReady?: Promise<void>;
	/** Resolves when {@link Passwords.prepare} is done; authenticated requests wait for it. */
	passwordsReady?: Promise<void>;
	/** Whether the program itself speaks TLS. */
	tls?: boolean;
	/** The origins whose pages may call the service from a browser; none by default. */
	corsOrigins?: readonly string[];
	/** Whether Swagger UI and the OpenAPI document are served, as they are by default. */
	swagger?: boolean;
}

/** The whole HTTP service, not listening yet. */
export function createApp({ db, passwords, tokens, clock, log, ...others }: Dependencies) {
	const { addressOf, throttle, refusedSignIns, ...options } = others;
	const { administratorReady = Promise.resolve(), passwordsReady = Promise.resolve() } = options;
	const { tls = false, corsOrigins = [], swagger = true } = options;
	const now = () => clock().toISOString();
	const session = createSession({ db, tokens, ready: passwordsReady });
	const app = new Elysia({ name: 'access', strictPath: true })
		.headers({ ...securityHeaders, ...(tls && transportSecurityHeader) })
		.use(requestLog(log, addressOf))
		.onRequest(function receive({ request }) {
			requireHost(request);
		})
		.use(crossOrigin(corsOrigins))
		.onError(function refuse({ error, request, requestId, route, set }) {
			const refusal = refusalOf(error, request);
			if (refusal.code === 'INTERNAL_SERVER_ERROR' || refusal.cause !== undefined) {
				const failed = loggableOf(refusal.cause ?? error);
				log.error('request failed', { id: requestId, method: request.method, route, ...failed });
			}
			if (refusal.code === 'UNAUTHORIZED') set.headers['www-authenticate'] = 'Bearer';
			if (refusal.retryAfter !== undefined) set.headers['retry-after'] = String(refusal.retryAfter);
			set.status = statusOf[refusal.code];
			return envelopeOf(refusal);
		})
		.use(healthRoutes({ db, now }))
		.use(authRoutes({ db, passwords, tokens, throttle, refusedSignIns, session, administratorReady, now }))
		.use(permissionRoutes({ db, session, now }))
		.use(storeRoutes({ db, session, now }))
		.use(roleRoutes({ db, session, now }))
		.use(employeeRoutes({ db, passwords, throttle, session, now }))
		.use(historyRoutes({ db, session }));
	return swagger ? app.use(openapiRoutes(app)) : app;
}

export type App = ReturnType<typeof createApp>;
