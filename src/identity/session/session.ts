/** Authentication and permissions, checked before the content of a request. */
import { Elysia } from 'elysia';
import type { Db } from '../../platform/database/open.ts';
import { shareReads } from '../../platform/database/query.ts';
import type { AnswerInParts, ExtendTimeout } from '../../platform/http/file-answer.ts';
import { expectedTags } from '../../platform/http/reply.ts';
import { requestFacts } from '../../platform/http/request-log.ts';
import {
	type AskedPermission,
	hasPermission,
	historyCode,
	isStoreScoped,
} from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { type Actor, actorOf, type Caller, type Person, type Requirements } from './actor.ts';
import { hasScope } from './grants.ts';
import { claimsOfKey, saveLastUse } from './keys.ts';
import { forbidden, lacksPermission, notForPrograms, notSignedIn, type Restriction, refusalFor } from './refusals.ts';
import { noteSignInUse } from './sign-ins.ts';
import type { Tokens } from './tokens.ts';

/** A key of a program, or a token. */
const bearer = /^Bearer +(?:(access_\S*)|([\w-]+\.[\w-]+\.[\w-]+))$/i;

/** The origin of a request. */
export type Sender = Pick<Caller, 'address' | 'requestId'>;

interface SessionDependencies {
	db: Db;
	tokens: Tokens;
	requirements: Requirements;
	/** Counts a wrong key. @throws AppError TOO_MANY_REQUESTS */
	countWrongKey: (sender: Sender & Pick<Caller, 'at'>) => void;
	now: () => string;
}

/** The requests, besides those for people only, that a program cannot make for a person, whatever its scope. */
const withheldFromClients = [
	/ \/api\/auth\/me\/approval/,
	/^(?!GET |HEAD ).* \/api\/(?:roles|permissions)\b/,
	// The answer can have the passwords of others.
	/ \/api\/employees\/import\b/,
];

const isWithheld = (method: string, route: string) =>
	withheldFromClients.some((pattern) => pattern.test(`${method} ${route}`));

/**
 * The claims of a request's token or key, if that is genuine. Whether it has ended is decided with the account, after the
 * body. @throws AppError UNAUTHORIZED; TOO_MANY_REQUESTS after many wrong keys.
 */
async function claimsOf(
	{ db, tokens, countWrongKey, now }: SessionDependencies,
	{ request, ...sender }: Sender & { request: Request },
) {
	const authorization = request.headers.get('authorization') ?? '';
	if (!/^Bearer /i.test(authorization)) throw notSignedIn('token_missing');
	const [, key, token = ''] = bearer.exec(authorization) ?? [];
	const at = now();
	const claims = key === undefined ? await tokens.verify(token) : claimsOfKey(db, key, at);
	if (claims === undefined) throw notSignedIn('token_invalid');
	if (typeof claims !== 'string') return claims;
	countWrongKey({ ...sender, at });
	throw notSignedIn(claims);
}

/**
 * The plugins that give handlers the `actor` and the `caller`, the actor in this request.
 * @throws AppError UNAUTHORIZED without the token of an active account or the key of an active program.
 */
export function createSession(dependencies: SessionDependencies) {
	return {
		session: pluginFor(dependencies, 'session', (actor) => actor),
		/**
		 * For routes of own accounts, passwords and keys, which no program may call: with another person's password it could
		 * sign in as them, even after its key or its grant has ended.
		 */
		peopleSession: pluginFor(dependencies, 'session of people', requirePerson),
	};
}

/** A program that acts for a person learns who it is, and no more. */
function requirePerson(actor: Actor, route: string): Person {
	if (actor.accountType === 'PROGRAM' || (actor.grant && route !== '/api/auth/me')) throw notForPrograms();
	return actor;
}

/**
 * The plugin for one kind of actor; `requireKind` refuses the others. It uses `derive`, because `resolve` runs after
 * validation: a request without a token must get 401 even if it is otherwise invalid.
 */
function pluginFor<Kind extends Actor>(
	dependencies: SessionDependencies,
	name: string,
	requireKind: (actor: Actor, route: string) => Kind,
) {
	const { db, requirements, now } = dependencies;
	const requireToken = claimsOf.bind(undefined, dependencies);
	return (
		new Elysia({ name })
			.use(requestFacts)
			.decorate('requireToken', requireToken)
			// The actor is read after the body, which may take longer to arrive than the token lives.
			.derive({ as: 'scoped' }, async function session({ request, address, requestId, route }) {
				const claims = await requireToken({ request, address, requestId });
				const at = now();
				shareReads(db);
				const actor = requireKind(actorOf(db, { claims, requirements }, at), route);
				const { grant } = actor;
				if (grant && (!hasScope(grant, 'access') || isWithheld(request.method, route))) throw notForPrograms();
				if (actor.accountType === 'PROGRAM') saveLastUse(db, actor, at);
				else noteSignInUse(db, actor.claims.signIn, at);
				const tags = expectedTags(request.headers);
				const caller: Caller<Kind> = { actor, address, requestId, at, expectedTags: tags, permit: refuseWithoutPermit };
				return { actor, caller };
			})
	);
}

/** In place of the permit of a route that has none. */
function refuseWithoutPermit(): never {
	throw new Error('the route has no permit');
}

/** The dependencies of every group of routes. A group takes the ones it needs and adds its own. */
export interface RouteDependencies extends ReturnType<typeof createSession> {
	db: Db;
	/** The present time, in ISO 8601. */
	now: () => string;
	extendTimeout: ExtendTimeout;
	answerInParts: AnswerInParts<Caller>;
}

/** Codes of which one is enough. */
type AskedPermissions = readonly [AskedPermission, ...AskedPermission[]];

/** The `transform` hook of every protected route: the actor must hold one of the codes. @throws AppError FORBIDDEN */
export const permit = (...codes: AskedPermissions) => makePermit([codes]);

/** The hook of a route with several groups of permissions: the actor must hold one code of each group. */
export const permitAll = (...groups: AskedPermissions[]) => makePermit(groups);

/** The hook of routes that every signed-in account may use, even while it has these restrictions. */
export const permitDespite = (...despite: Restriction[]) => makePermit([], { despite });

/** The hook of routes only for employees. */
export const permitEmployees = () => makePermit([], { onlyEmployees: true });

/** The hook of the history, which is of the whole chain: a program that is confined to a store is refused, too. */
export const permitHistory = () => makePermit([[historyCode]], { forWholeChain: true });

/**
 * Makes a hook whose conditions are readable, so that the OpenAPI document and the tests can list them. The actor must hold
 * one code of each group; without groups, every actor is permitted. Every restriction refuses them except those of `despite`.
 */
function makePermit(
	groups: readonly AskedPermissions[],
	{ despite = [] as readonly Restriction[], onlyEmployees = false, forWholeChain = false } = {},
) {
	function requirePermitted(actor: Actor): void {
		const restriction = actor.restrictions.find((each) => !despite.includes(each));
		if (restriction) throw refusalFor(restriction);
		const lacked = groups.find((codes) => !codes.some((code) => hasPermission(actor.permissions, code)));
		if (lacked) throw lacksPermission(lacked);
		if (onlyEmployees && actor.accountType !== 'EMPLOYEE') {
			throw forbidden(because('only_for_employees', '只有员工可以执行此操作'));
		}
		if (forWholeChain && actor.accountType === 'PROGRAM' && isStoreScoped(actor.permissions)) {
			throw forbidden(because('not_for_one_store', '只属于一家门店的接入程序不能执行此操作'));
		}
	}
	function permit({ caller }: { caller: Caller }): void {
		requirePermitted(caller.actor);
		caller.permit = requirePermitted;
	}
	return Object.assign(permit, { groups, despite, onlyEmployees });
}

/** The permit of a route; undefined for a public route. `hooks` are the route's hooks as Elysia lists them. */
export function permitOf(hooks: { transform?: readonly { fn: unknown }[] }) {
	const isPermit = (hook: unknown): hook is ReturnType<typeof makePermit> =>
		typeof hook === 'function' && 'groups' in hook;
	return hooks.transform?.map((hook) => hook.fn).find(isPermit);
}
