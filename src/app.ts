import { Elysia } from 'elysia';
import { authRoutes } from './auth/routes.ts';
import type { SignInDependencies } from './auth/sign-in.ts';
import { holderRoutes, storePeopleRoutes } from './employees/people-of.ts';
import { employeeRoutes } from './employees/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { createAnswerInParts } from './http/answer-in-parts.ts';
import type { AddressOf } from './http/client-address.ts';
import { crossOrigin } from './http/cors.ts';
import { answerFailures } from './http/failure.ts';
import { securityHeaders, transportSecurityHeader } from './http/headers.ts';
import { requireHost, widenShortHost } from './http/host.ts';
import { requestLog } from './http/request-log.ts';
import { createSearchTurns } from './http/steps.ts';
import type { Log } from './machine/log.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { ownAccountRoutes } from './own-account/routes.ts';
import { permissionRoutes } from './permissions/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import type { Requirements } from './session/actor.ts';
import { createSession } from './session/session.ts';
import { employeeFileRoutes } from './sheets/employees/routes.ts';
import type { ReadImport } from './sheets/importing.ts';
import { storeFileRoutes } from './sheets/stores/routes.ts';
import { createImportTurns } from './sheets/turns.ts';
import { storeRoutes } from './stores/routes.ts';

/** What the service is made of. */
export interface Dependencies extends Omit<SignInDependencies, 'now'> {
	/** The time of day; tests move it. */
	clock: () => Date;
	log: Log;
	/** Reads the file of an import. */
	readImport: ReadImport;
	/** Where requests come from. */
	addressOf: AddressOf;
	/** Lets the answer to a request take longer than the server allows otherwise. */
	extendTimeout: (request: Request, seconds: number) => void;
	/** What is asked of accounts. */
	requirements: Requirements;
	/** Whether the program itself speaks TLS. */
	tls: boolean;
	/** The origins whose pages may call the service from a browser. */
	corsOrigins: readonly string[];
	/** Whether Swagger UI and the OpenAPI document are served. */
	swagger: boolean;
}

/** The whole HTTP service, not listening yet. */
export function createApp(dependencies: Dependencies) {
	const { db, tokens, requirements, clock, log, addressOf, tls } = dependencies;
	const now = () => clock().toISOString();
	const session = createSession(db, tokens, requirements, now);
	const context = {
		...dependencies,
		answerInParts: createAnswerInParts(dependencies.extendTimeout),
		searchInTurn: createSearchTurns(),
		inTurn: createImportTurns(),
		session: session.plugin,
		now,
	};
	const app = new Elysia({ name: 'access', strictPath: true })
		.wrap((handle, request) => {
			widenShortHost(request);
			const prepared = session.prepare(request);
			return prepared ? () => prepared.then(() => handle(request)) : handle;
		})
		.headers({ ...securityHeaders, ...(tls && transportSecurityHeader) })
		.use(requestLog(log, addressOf))
		.onRequest(({ request }) => requireHost(request))
		.use(crossOrigin(dependencies.corsOrigins))
		.use(answerFailures(log))
		.use(healthRoutes(context))
		.use(authRoutes(context))
		.use(ownAccountRoutes(context))
		.use(permissionRoutes(context))
		// Files before what they are of, so that the document lists `/export` before `/{id}`.
		.use(storeFileRoutes(context))
		.use(storeRoutes(context))
		.use(storePeopleRoutes(context))
		.use(roleRoutes(context))
		.use(employeeFileRoutes(context))
		.use(employeeRoutes(context))
		.use(holderRoutes(context))
		.use(overviewRoutes(context))
		.use(historyRoutes(context));
	return dependencies.swagger ? app.use(openapiRoutes(app)) : app;
}

export type App = ReturnType<typeof createApp>;
