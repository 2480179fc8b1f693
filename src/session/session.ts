/** Authentication and permissions: checked before the request's content is. */
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import type { AnswerInParts } from '../http/answer-in-parts.ts';
import { requestFacts } from '../http/request-log.ts';
import type { SearchInTurn } from '../http/steps.ts';
import { expectedTags } from '../http/versions.ts';
import { holds, type Permission } from '../vocabulary/permissions.ts';
import { type Actor, actorOf, type Caller, type Requirements, refuseRestricted } from './actor.ts';
import { forbidden, notSignedIn, type Restriction } from './refusals.ts';
import type { Claims, Tokens } from './tokens.ts';

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * The plugin that gives its group's handlers the `actor`, and the `caller`: the actor in this request. It is a `derive`,
 * not a `resolve`: only `derive` runs before validation, and a request without a token must get 401 whatever else is
 * wrong with it.
 * @throws AppError UNAUTHORIZED without a token that is genuine, not expired and of a live account.
 */
export function createSession(db: Db, tokens: Tokens, requirements: Requirements, now: () => string) {
	/** The claims of requests that came with a genuine token. */
	const genuine = new WeakMap<Request, Claims>();

	function claimsOf(request: Request): Claims {
		const claims = genuine.get(request);
		// A body may take longer to arrive than the token lives.
		if (!claims || !tokens.isCurrent(claims)) throw notSignedIn();
		return claims;
	}

	const plugin = new Elysia({ name: 'session' })
		.use(requestFacts)
		.decorate('requireToken', (request: Request): void => void claimsOf(request))
		// The account is read after the body, which may have taken long to arrive.
		.derive({ as: 'scoped' }, function session({ request, address, requestId }) {
			const actor = actorOf(db, { claims: claimsOf(request), requirements });
			const caller: Caller = { actor, address, requestId, at: now(), expectedTags: expectedTags(request.headers) };
			return { actor, caller };
		});

	/**
	 * Runs before the framework handles a request: only the first request of a token waits, for its signature. So the
	 * plugin is synchronous, which saves a seventh of the time of a single read.
	 * @returns a promise to wait for, or undefined.
	 */
	function prepare(request: Request): Promise<void> | undefined {
		const token = bearer.exec(request.headers.get('authorization') ?? '')?.[1];
		if (token === undefined) return undefined;
		const remember = (claims: Claims | undefined) => {
			if (claims) genuine.set(request, claims);
		};
		const known = tokens.known(token);
		if (!known) return tokens.verify(token).then(remember);
		remember(known);
		return undefined;
	}

	return { plugin, prepare };
}

/** The plugin of {@link createSession}. */
export type Session = ReturnType<typeof createSession>['plugin'];

/** What groups of routes are made from; each takes what it needs, and adds what only it needs. */
export interface RouteDependencies {
	db: Db;
	session: Session;
	/** The time of day, in ISO 8601. */
	now: () => string;
	/** Gives a request more seconds than the server's idle timeout, which also ends requests that wait for their answer. */
	extendTimeout: (request: Request, seconds: number) => void;
	answerInParts: AnswerInParts;
	searchInTurn: SearchInTurn;
}

/** The hook that every protected route has as its `transform`: the actor must hold one of the codes. @throws AppError FORBIDDEN. */
export function permit(...codes: [Permission, ...Permission[]]) {
	return permitAll(codes);
}

/** The same for a route that asks for several permissions: of each group the actor must hold one code. */
export function permitAll(...groups: (readonly Permission[])[]) {
	return makePermit(groups, []);
}

/**
 * The same for the few routes of the own account that also serve who has something to do first: every signed-in account
 * may, despite these restrictions.
 */
export function permitDespite(...despite: Restriction[]) {
	return makePermit([], despite);
}

/** The permissions of a route are readable, so that the OpenAPI document and the tests can list them. */
function makePermit(groups: readonly (readonly Permission[])[], despite: readonly Restriction[]) {
	function permit({ actor }: { actor: Actor }): void {
		refuseRestricted(actor, despite);
		if (!groups.every((codes) => codes.some((code) => holds(actor.permissions, code)))) throw forbidden();
	}
	return Object.assign(permit, { groups, despite });
}

/** The permit of a route, or undefined for a public route. `hooks` are the route's, as Elysia lists them. */
export function permitOf(hooks: { transform?: readonly { fn: unknown }[] }) {
	const isPermit = (hook: unknown): hook is ReturnType<typeof makePermit> =>
		typeof hook === 'function' && 'groups' in hook;
	return hooks.transform?.map((hook) => hook.fn).find(isPermit);
}
