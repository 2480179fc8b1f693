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
	/** The time of its arrival, in milliseconds on a clock that never goes back. */
	receivedAt: 0,
});

/** Gives each request an address and an id, which its answer carries, and logs each answer in one line. */
export function requestLog(log: Log, addressOf: AddressOf) {
	// Cheap ids that are unique across restarts: a random prefix and a count.
	const prefix = crypto.randomUUID().slice(0, 8);
	let count = 0;
	return new Elysia({ name: 'request-log' })
		.use(requestFacts)
		.use(releaseAnswers())
		.onRequest(function identify(context) {
			count += 1;
			context.requestId = `${prefix}-${count}`;
			context.address = addressOf(context.request);
			context.receivedAt = performance.now();
			context.set.headers['x-request-id'] = context.requestId;
		})
		.onAfterResponse({ as: 'global' }, function report(context) {
			const { requestId, address, receivedAt, request, route, set } = context;
			const actor = 'actor' in context ? (context.actor as CallerKey) : undefined;
			log.info('request', {
				id: requestId,
				method: request.method,
				route,
				status: set.status,
				ms: Math.round((performance.now() - receivedAt) * 100) / 100,
				address,
				account: actor && callerLabel(actor),
			});
		});
}

/**
 * Releases each answer but its status, also that of a response that a handler made itself. Elysia would hold the answer
 * until the hook that logs the request. The hook runs after all waiting requests, so their answers would be in memory
 * together: 900 MB for 3,000 pages of the history.
 */
function releaseAnswers() {
	const releases = new WeakMap<Request, (answer: unknown) => void>();
	const released = { response: undefined as unknown, responseValue: undefined as unknown };
	return new Elysia({ name: 'release-answers' })
		.decorate(released)
		.wrap((handle, request) => () => {
			function release(answer: unknown): unknown {
				releases.get(request)?.(answer);
				return answer;
			}
			const answer: unknown = handle(request);
			return answer instanceof Promise ? answer.then(release) : release(answer);
		})
		.onRequest((context) => {
			// Not the context itself: if a hook passes it on, Elysia prepares everything in it for every request.
			releases.set(context.request, (answer) => {
				context.response = undefined;
				context.responseValue = undefined;
				if (answer instanceof Response) context.set.status = answer.status;
			});
		});
}
