import { Elysia } from 'elysia';
import type { ApprovalCodes } from './approvals/codes.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { areaRoutes } from './areas/routes.ts';
import { authRoutes } from './auth/routes.ts';
import type { SignInDependencies } from './auth/sign-in.ts';
import { changesRoutes } from './changes/routes.ts';
import type { Waiting } from './changes/waiting.ts';
import { holderRoutes, storePeopleRoutes } from './employees/people-of.ts';
import { employeePasswordRoutes, employeeRoutes } from './employees/routes.ts';
import { createDisclosures } from './files/disclosures.ts';
import { employeeFileRoutes } from './files/employees/routes.ts';
import { historyFileRoutes } from './files/history/routes.ts';
import type { ImportReader } from './files/import.ts';
import { storeFileRoutes } from './files/stores/routes.ts';
import { createImportTurns } from './files/turns.ts';
import { refusingKeys } from './guard/guard.ts';
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
import { pinyinRoutes } from './pinyin/routes.ts';
import { programRoutes } from './programs/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import type { Requirements } from './session/actor.ts';
import { createSession } from './session/session.ts';
import { storeRoutes } from './stores/routes.ts';

/** What the service is made of. */
export interface Dependencies extends Omit<SignInDependencies, 'now'> {
	approvalCodes: ApprovalCodes;
	/** The time of day; tests move it. */
	clock: () => Date;
	log: Log;
	importReader: ImportReader;
	waiting: Waiting;
	addressOf: AddressOf;
	/** Lets the answer to a request take longer than the server allows otherwise. */
	extendTimeout: (request: Request, seconds: number) => void;
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
	const refuseKey = refusingKeys(dependencies.guard, dependencies.refusedSignIns);
	const session = createSession(db, tokens, { requirements, refuseKey, now });
	const context = {
		...dependencies,
		answerInParts: createAnswerInParts(dependencies.extendTimeout),
		searchInTurn: createSearchTurns(),
		inTurn: createImportTurns(),
		disclosures: createDisclosures(() => clock().getTime()),
		session: session.plugin,
		peopleSession: session.people,
		now,
	};
	const app = new Elysia({ name: 'access', strictPath: true })
		.wrap((handle, request) => {
			widenShortHost(request);
			return handle;
		})
		.headers({ ...securityHeaders, ...(tls && transportSecurityHeader) })
		.use(requestLog(log, addressOf))
		.onRequest(({ request }) => requireHost(request))
		.use(crossOrigin(dependencies.corsOrigins))
		.use(answerFailures(log))
		.use(healthRoutes(context))
		.use(authRoutes(context))
		.use(ownAccountRoutes(context))
		.use(approvalRoutes(context))
		.use(permissionRoutes(context))
		.use(programRoutes(context))
		// Files before what they are of, so that the document lists `/export` before `/{id}`.
		.use(storeFileRoutes(context))
		.use(storeRoutes(context))
		.use(storePeopleRoutes(context))
		.use(areaRoutes(context))
		.use(roleRoutes(context))
		.use(employeeFileRoutes(context))
		.use(employeeRoutes(context))
		.use(employeePasswordRoutes(context))
		.use(holderRoutes(context))
		.use(pinyinRoutes(context))
		.use(overviewRoutes(context))
		.use(changesRoutes(context))
		.use(historyFileRoutes(context))
		.use(historyRoutes(context));
	return dependencies.swagger ? app.use(openapiRoutes(app)) : app;
}

export type App = ReturnType<typeof createApp>;
