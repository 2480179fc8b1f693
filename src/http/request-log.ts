import { Elysia } from 'elysia';
import type { Actor } from '../auth/actor.ts';
import type { Log } from '../log.ts';

/** Gives each request an id, which its answer carries, and reports each answer in one line. */
export function requestLog(log: Log) {
	const nextId = requestIds();
	return new Elysia({ name: 'request-log' })
		.decorate({ requestId: '', receivedAt: 0 })
		.onRequest(function identify(context) {
			context.requestId = nextId();
			context.receivedAt = performance.now();
			context.set.headers['x-request-id'] = context.requestId;
		})
		.onAfterResponse({ as: 'global' }, function report(context) {
			const { requestId, receivedAt, request, route, set } = context;
			const actor = 'actor' in context ? (context.actor as Actor) : undefined;
			log.info('request', {
				id: requestId,
				method: request.method,
				route,
				status: set.status,
				ms: Math.round((performance.now() - receivedAt) * 100) / 100,
				account: actor && `${actor.accountType}:${actor.id}`,
			});
		});
}

/** Ids that are unique across restarts and cost next to nothing: a random prefix and a count. */
function requestIds(): () => string {
	const prefix = crypto.randomUUID().slice(0, 8);
	let count = 0;
	return () => {
		count += 1;
		return `${prefix}-${count}`;
	};
}
