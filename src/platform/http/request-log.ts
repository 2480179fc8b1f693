import { Elysia } from 'elysia';
import type { Log } from '../machine/log.ts';
import { type CallerKey, callerLabel } from '../vocabulary/accounts.ts';
import type { AddressOf } from './client.ts';

/** Facts about a request that every handler gets; the request log fills them in when it arrives. */
export const requestFacts = new Elysia({ name: 'request-facts' }).decorate({
	/** Stands in the log and in the answer's `X-Request-Id`. */
	requestId: '',
	/** The client's address. */
	address: '',
});

/** A caller, with the grant of OpenID Connect if a program acts for them. */
type LoggedActor = CallerKey & { grant?: { programId: number } };

/** Names the caller, and the program that acts for them. */
function callerFields(actor: LoggedActor) {
	const program = actor.grant && callerLabel({ accountType: 'PROGRAM', id: actor.grant.programId });
	return { account: callerLabel(actor), program };
}

/** Gives each request an address and an id, which its answer carries, and logs each answer in one line. */
export function requestLog(log: Log, addressOf: AddressOf) {
	// Cheap ids that are unique across restarts: a random prefix and a count.
	const prefix = crypto.randomUUID().slice(0, 8);
	let count = 0;
	const lines = new WeakMap<Request, (status: number) => void>();
	return (
		new Elysia({ name: 'request-log' })
			.use(requestFacts)
			// Not in `onAfterResponse`: that runs after all waiting requests, and Elysia would hold each answer until then.
			.wrap((handle, request) => () => {
				function report(answer: unknown): unknown {
					if (answer instanceof Response) lines.get(request)?.(answer.status);
					return answer;
				}
				const answer: unknown = handle(request);
				return answer instanceof Promise ? answer.then(report) : report(answer);
			})
			.onRequest(function identify(context) {
				count += 1;
				const { request } = context;
				const [id, address, receivedAt] = [`${prefix}-${count}`, addressOf(request), performance.now()];
				context.requestId = id;
				context.address = address;
				context.set.headers['x-request-id'] = id;
				lines.set(request, (status) => {
					// A route adds these to the context.
					const { route, actor } = context as { route?: string; actor?: LoggedActor };
					const ms = Math.round((performance.now() - receivedAt) * 100) / 100;
					const caller = actor && callerFields(actor);
					log.info('request', { id, method: request.method, route, status, ms, address, ...caller });
				});
			})
	);
}
