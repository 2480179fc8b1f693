/** Authentication and permissions: checked before the request's content is. */
import { Elysia } from 'elysia';
import type { Db } from '../../platform/database/open.ts';
import type { AnswerInParts } from '../../platform/http/answer-in-parts.ts';
import { expectedTags } from '../../platform/http/conditional.ts';
import { requestFacts } from '../../platform/http/request-log.ts';
import type { AppError } from '../../platform/vocabulary/errors.ts';
import { type AskedPermission, hasPermission } from '../../platform/vocabulary/permissions.ts';
import { type Actor, actorOf, type Caller, type Requirements, requireUnrestricted } from './actor.ts';
import { claimsOfKey, type KeyClaims, noteUse } from './keys.ts';
import { forbidden, notSignedIn, type Restriction } from './refusals.ts';
import type { Claims, Tokens } from './tokens.ts';

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;
const bearerKey = /^Bearer +(access_\S*)$/i;

/** Where a request comes from. */
export type Sender = Pick<Caller, 'address' | 'requestId'>;

/** Counts a wrong key, and says what to answer. */
export type RefuseKey = (sender: Sender & Pick<Caller, 'at'>) => AppError;

/**
 * The plugins that give handlers the `actor`, and the `caller`: the actor in this request. Only `derive` runs before
 * validation, and a request without a token must get 401 whatever else is wrong with it.
 * @throws AppError UNAUTHORIZED without the token of a live account or the key of a live program; what `refuseKey` makes.
 */
export function createSession(
	db: Db,
	tokens: Tokens,
	{ requirements, refuseKey, now }: { requirements: Requirements; refuseKey: RefuseKey; now: () => string },
) {
	async function claimsOf({ request, ...sender }: Sender & { request: Request }): Promise<Claims | KeyClaims> {
		const authorization = request.headers.get('authorization') ?? '';
		const key = bearerKey.exec(authorization)?.[1];
		if (key !== undefined) {
			const at = now();
			const claims = claimsOfKey(db, key, at);
			if (!claims) throw refuseKey({ ...sender, at });
			return claims;
		}
		const claims = await tokens.verify(bearer.exec(authorization)?.[1] ?? '');
		if (!claims) throw notSignedIn();
		return claims;
	}

	/** The plugin that gives handlers the actors that `admitted` lets through. */
	function pluginFor<Kind extends Actor>(name: string, admitted: (actor: Actor) => Kind) {
		return (
			new Elysia({ name })
				.use(requestFacts)
				.decorate('requireToken', claimsOf)
				// Everything is read after the body: it may take longer to arrive than the token lives.
				.derive({ as: 'scoped' }, async function session({ request, address, requestId }) {
					const claims = await claimsOf({ request, address, requestId });
					const at = now();
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

	return { plugin, people };
}

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
export const permitEmployees = () => makePermit([], [], { onlyEmployees: true });

/** The permissions of a route are readable, so that the OpenAPI document and the tests can list them. */
function makePermit(
	groups: readonly (readonly AskedPermission[])[],
	despite: readonly Restriction[],
	{ onlyEmployees = false } = {},
) {
	function permit({ actor }: { actor: Actor }): void {
		requireUnrestricted(actor, despite);
		const isAllowed = groups.every((codes) => codes.some((code) => hasPermission(actor.permissions, code)));
		if (!isAllowed || (onlyEmployees && actor.accountType !== 'EMPLOYEE')) throw forbidden();
	}
	return Object.assign(permit, { groups, despite });
}

/** The permit of a route, or undefined for a public route. `hooks` are the route's, as Elysia lists them. */
export function permitOf(hooks: { transform?: readonly { fn: unknown }[] }) {
	const isPermit = (hook: unknown): hook is ReturnType<typeof makePermit> =>
		typeof hook === 'function' && 'groups' in hook;
	return hooks.transform?.map((hook) => hook.fn).find(isPermit);
}
