import { type AnyElysia, Elysia } from 'elysia';
import { administratorRoutes } from './features/administrators/routes.ts';
import type { ApprovalCodes } from './features/approvals/codes.ts';
import { approvalRoutes } from './features/approvals/routes.ts';
import { areaRoutes } from './features/areas/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import type { SignInDependencies } from './features/auth/sign-in.ts';
import { chainRoutes } from './features/chain/routes.ts';
import { changesRoutes } from './features/changes/routes.ts';
import type { ChangeSubscribers } from './features/changes/subscribers.ts';
import { employeePasswordRoutes, employeeRoutes } from './features/employees/routes.ts';
import { holderRoutes, storePeopleRoutes } from './features/employees/store-and-role-routes.ts';
import { employeeFileRoutes } from './features/files/employees/routes.ts';
import { historyFileRoutes } from './features/files/history/routes.ts';
import { type ImportReader, importLimits } from './features/files/import.ts';
import { storeFileRoutes } from './features/files/stores/routes.ts';
import { healthRoutes } from './features/health/routes.ts';
import type { Provider } from './features/openid/page.ts';
import { openidRoutes, programPages } from './features/openid/routes.ts';
import { overviewRoutes } from './features/overview/routes.ts';
import { ownAccountRoutes } from './features/own-account/routes.ts';
import { permissionRoutes } from './features/permissions/routes.ts';
import { pinyinRoutes } from './features/pinyin/routes.ts';
import { programRoutes } from './features/programs/routes.ts';
import { roleRoutes } from './features/roles/routes.ts';
import { storeRoutes } from './features/stores/routes.ts';
import { countWrongKey } from './identity/guard/guard.ts';
import { historyRoutes } from './identity/history/routes.ts';
import { type Caller, requireStillPermitted } from './identity/session/actor.ts';
import { createSession } from './identity/session/session.ts';
import type { AddressOf } from './platform/http/client.ts';
import {
	crossOrigin,
	requireHost,
	securityHeaders,
	transportSecurityHeader,
	widenShortHost,
} from './platform/http/edge.ts';
import { answerFailures } from './platform/http/failure.ts';
import { createAnswerInParts, type ExtendTimeout } from './platform/http/file-answer.ts';
import { checkParameterNames } from './platform/http/ignored.ts';
import { requestLog } from './platform/http/request-log.ts';
import { createSemaphore } from './platform/http/semaphore.ts';
import type { Log } from './platform/machine/log.ts';

/** The parts of the service. */
export interface Dependencies extends Omit<SignInDependencies, 'now'> {
	approvalCodes: ApprovalCodes;
	/** The provider of OpenID Connect; undefined where `PUBLIC_URL` does not allow one. */
	openid: Provider | undefined;
	/** The time of day; tests move it. */
	clock: () => Date;
	log: Log;
	importReader: ImportReader;
	subscribers: ChangeSubscribers;
	addressOf: AddressOf;
	extendTimeout: ExtendTimeout;
	/** Whether the program itself speaks TLS. */
	tls: boolean;
	/** The origins whose pages may call the service from a browser. */
	corsOrigins: readonly string[];
}

/** The whole HTTP service, not listening yet. */
export function createApp(dependencies: Dependencies) {
	const { db, clock, log, addressOf, tls, openid } = dependencies;
	const now = () => clock().toISOString();
	const context = {
		...dependencies,
		answerInParts: createAnswerInParts<Caller>({
			...dependencies,
			requireStillPermitted: (caller) => requireStillPermitted({ db, now }, caller),
		}),
		imports: createSemaphore(importLimits),
		...createSession({ ...dependencies, countWrongKey: (sender) => countWrongKey(dependencies, sender), now }),
		now,
	};
	const routes = (): AnyElysia['routes'] => app.routes;
	const app = new Elysia({ name: 'access', strictPath: true })
		.wrap((handle, request) => {
			widenShortHost(request);
			return handle;
		})
		.headers({ ...securityHeaders, ...(tls && transportSecurityHeader) })
		.use(requestLog(log, addressOf))
		// In braces: Elysia awaits a hook that returns a call.
		.onRequest(({ request }) => {
			requireHost(request);
		})
		.use(crossOrigin(dependencies.corsOrigins, log, openid && programPages({ db, now })))
		.use(answerFailures(log, routes))
		.use(checkParameterNames(routes))
		.use(healthRoutes(context))
		.use(openid ? openidRoutes({ ...context, openid }) : new Elysia())
		.use(authRoutes(context))
		.use(ownAccountRoutes(context))
		.use(administratorRoutes(context))
		.use(approvalRoutes(context))
		.use(permissionRoutes(context))
		.use(programRoutes(context))
		.use(chainRoutes(context))
		// The routes of files come first, so that the document lists `/export` before `/{id}`.
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
	return app;
}

export type App = ReturnType<typeof createApp>;
