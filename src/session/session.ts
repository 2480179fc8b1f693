/** Authentication and permissions: checked before the request's content is. */
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import type { AnswerInParts } from '../http/answer-in-parts.ts';
import { requestFacts } from '../http/request-log.ts';
import type { SearchInTurn } from '../http/steps.ts';
import { expectedTags } from '../http/versions.ts';
import type { AppError } from '../vocabulary/errors.ts';
import { type AskedPermission, holds } from '../vocabulary/permissions.ts';
import { type Actor, actorOf, type Caller, type Requirements, refuseRestricted } from './actor.ts';
import { claimsOfKey, type KeyClaims, noteUse } from './programs.ts';
import { forbidden, notSignedIn, type Restriction } from './refusals.ts';
import type { Claims, Tokens } from './tokens.ts';

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;
const bearerKey = /^Bearer +(access_\S*)$/i;

/** Where a request comes from. */
export type Sender = Pick<Caller, 'address' | 'requestId'>;

/** Counts a wrong key, and says what to answer. */
export type RefuseKey = (sender: Sender & Pick<Caller, 'at'>) => AppError;

/**
 * The plugin that gives its group's handlers the `actor`, and the `caller`: the actor in this request. It is a `derive`,
 * not a `resolve`: only `derive` runs before validation, and a request without a token must get 401 whatever else is
 * wrong with it.
 * @throws AppError UNAUTHORIZED without a token that is genuine, not expired and of a live account, or the key of a live
 * program; what `refuseKey` makes for another key.
 */
export function createSession(
	db: Db,
	tokens: Tokens,
	{ requirements, refuseKey, now }: { requirements: Requirements; refuseKey: RefuseKey; now: () => string },
) {
	/** The claims of requests that came with a genuine token. */
	const genuine = new WeakMap<Request, Claims>();

	function claimsOf({ request, ...sender }: Sender & { request: Request }): Claims | KeyClaims {
		const key = bearerKey.exec(request.headers.get('authorization') ?? '')?.[1];
		if (key !== undefined) {
			const at = now();
			const claims = claimsOfKey(db, key, at);
			if (!claims) throw refuseKey({ ...sender, at });
			return claims;
		}
		const claims = genuine.get(request);
		if (!claims) throw notSignedIn();
		return claims;
	}

	/** The plugin that gives handlers the actors that `admitted` lets through. */
	function pluginFor<Kind extends Actor>(name: string, admitted: (actor: Actor) => Kind) {
		return (
			new Elysia({ name })
				.use(requestFacts)
				.decorate('requireToken', claimsOf)
				// The account is read after the body, which may have taken long to arrive.
				.derive({ as: 'scoped' }, function session({ request, address, requestId }) {
					const at = now();
					const claims = claimsOf({ request, address, requestId });
					const actor = admitted(actorOf(db, { claims, requirements }, at));
					const caller: Caller<Kind> = { actor, address, requestId, at, expectedTags: expectedTags(request.headers) };
					return { actor, caller };
				})
		);
	}

	const plugin = pluginFor('session', (actor) => {
		if (actor.accountType === 'PROGRAM') noteUse(db, actor, now());
		return actor;
	});
	const people = pluginFor('session of people', (actor) => {
		if (actor.accountType === 'PROGRAM') throw forbidden();
		return actor;
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

	return { plugin, people, prepare };
}

/** The plugins of {@link createSession}. */
export type Session = ReturnType<typeof createSession>['plugin'];
export type PeopleSession = ReturnType<typeof createSession>['people'];

/** What groups of routes are made from; each takes what it needs, and adds what only it needs. */
export interface RouteDependencies {
	db: Db;
	session: Session;
	/** For routes of an own account, of passwords and of keys: no program may call them. */
	peopleSession: PeopleSession;
	/** The time of day, in ISO 8601. */
	now: () => string;
	/** Gives a request more seconds than the server's idle timeout, which also ends requests that wait for their answer. */
	extendTimeout: (request: Request, seconds: number) => void;
	answerInParts: AnswerInParts;
	searchInTurn: SearchInTurn;
}

/** The hook that every protected route has as its `transform`: the actor must hold one of the codes. @throws AppError FORBIDDEN. */
export const permit = (...codes: [AskedPermission, ...AskedPermission[]]) => makePermit([codes], []);

/** The same for a route that asks for several permissions: of each group the actor must hold one code. */
export const permitAll = (...groups: (readonly AskedPermission[])[]) => makePermit(groups, []);

/**
 * The same for the few routes of the own account that also serve who has something to do first: every signed-in account
 * may, despite these restrictions.
 */
export const permitDespite = (...despite: Restriction[]) => makePermit([], despite);

/** The same for what only employees have. */
export function permitEmployees() {
	const permit = makePermit([], []);
	function permitEmployee(context: { actor: Actor }): void {
		permit(context);
		if (context.actor.accountType !== 'EMPLOYEE') throw forbidden();
	}
	return Object.assign(permitEmployee, { groups: permit.groups, despite: permit.despite });
}

/** The permissions of a route are readable, so that the OpenAPI document and the tests can list them. */
function makePermit(groups: readonly (readonly AskedPermission[])[], despite: readonly Restriction[]) {
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
