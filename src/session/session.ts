/** Who calls and whether he may: decided before the request's content is looked at. */
import { Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { AppError } from '../errors.ts';
import { requestFacts } from '../http/request-facts.ts';
import { holds, type Permission } from '../vocabulary/permissions.ts';
import { type Actor, actorOf, type Caller } from './actor.ts';
import { sessionMessages } from './messages.ts';
import type { Tokens } from './tokens.ts';

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * The plugin that gives its group's handlers the `actor`, and the `caller`: the actor in this request. It is a `derive`,
 * not a `resolve`: only `derive` runs before validation, and a request without a token must get 401 whatever else is
 * wrong with it. Requests with a token wait until `ready` resolves.
 * @throws AppError UNAUTHORIZED without a token that is genuine, not expired and of a live account.
 */
export function createSession({ db, tokens, ready }: { db: Db; tokens: Tokens; ready: Promise<void> }) {
	let isReady = false;
	// A failure reaches the requests that wait.
	ready.then(
		() => {
			isReady = true;
		},
		() => {},
	);
	async function authenticate(authorization: string | null): Promise<Actor> {
		const token = bearer.exec(authorization ?? '')?.[1];
		const claims = token && (await tokens.check(token));
		if (!claims) throw new AppError('UNAUTHORIZED', sessionMessages.notSignedIn);
		if (!isReady) await ready;
		return actorOf(db, claims);
	}
	return new Elysia({ name: 'session' })
		.use(requestFacts)
		.derive({ as: 'scoped' }, async function session({ request, address, requestId }) {
			const actor = await authenticate(request.headers.get('authorization'));
			const caller: Caller = { actor, address, requestId };
			return { actor, caller };
		});
}

export type Session = ReturnType<typeof createSession>;

/** What a route asks of the actor; readable, so that the OpenAPI document and the tests can tell. */
export interface Permit {
	(context: { actor: Actor }): void;
	codes: readonly Permission[];
}

/**
 * The hook that every protected route carries as its `transform`: the actor must hold one of the codes;
 * without codes, any signed-in account may.
 * @throws AppError FORBIDDEN (section 5, rule 3).
 */
export function permit(...codes: Permission[]): Permit {
	function permit({ actor }: { actor: Actor }): void {
		if (codes.length > 0 && !codes.some((code) => holds(actor.permissions, code))) {
			throw new AppError('FORBIDDEN', sessionMessages.forbidden);
		}
	}
	return Object.assign(permit, { codes });
}

/** What a route asks of the actor, or undefined for a public one. `hooks` is a route's as Elysia lists it. */
export function permitOf(hooks: { transform?: readonly { fn: unknown }[] }): Permit | undefined {
	return hooks.transform?.map((hook) => hook.fn).find(isPermit);
}

function isPermit(hook: unknown): hook is Permit {
	return typeof hook === 'function' && 'codes' in hook;
}
