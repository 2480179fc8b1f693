/** The refusal of a request in the wrong form, for each operation. */ import { type AnyElysia, Elysia } from 'elysia';
import { requireHost } from '../../platform/http/edge.ts';
import { answerFailures } from '../../platform/http/failure.ts';
import { yieldToRequests } from '../../platform/machine/background.ts';
import { createLog } from '../../platform/machine/log.ts';

/** Copies of the routes that do nothing: the document's own requests must not be logged or counted as a client's. */
export function copyRoutes(app: AnyElysia): AnyElysia {
	const silent = createLog({ write: () => {} }, 'silent');
	const copies = new Elysia({ strictPath: true })
		.onRequest(({ request }) => requireHost(request))
		.use(answerFailures(silent, () => app.routes));
	for (const { method, path, hooks } of app.routes) {
		const { detail, headers, params, query, body, response } = hooks;
		copies.route(method, path, () => {}, { detail, headers, params, query, body, response });
	}
	return copies;
}

interface Asked {
	method: string;
	/** The path, with `{id}` for a parameter. */
	template: string;
	query: readonly string[];
	takesJson: boolean;
}

/** A request of the wrong form: an empty body, an id of 0, a parameter that is no text, or else a wrong `Host`. */
export function wrongRequest({ template, query, takesJson }: Asked): { path: string; body?: object; host?: string } {
	const withIds = (id: string) => template.replace(/\{\w+\}/g, id);
	if (takesJson) return { path: withIds('1'), body: {} };
	if (template.includes('{')) return { path: withIds('0') };
	const parameter = query.at(-1);
	return parameter === undefined ? { path: template, host: 'wrong host' } : { path: `${template}?${parameter}=%00` };
}

/** The answer to that request; undefined where an empty body is a right one. */
export async function answerToWrongForm(copies: AnyElysia, asked: Asked): Promise<unknown> {
	const { path, body, host = 'localhost' } = wrongRequest(asked);
	const json = body && { body: JSON.stringify(body), headers: { host, 'content-type': 'application/json' } };
	const request = new Request(`http://localhost${path}`, { method: asked.method, headers: { host }, ...json });
	// Each first request compiles its schemas, so other requests are served in between.
	await yieldToRequests();
	const answer = await copies.handle(request);
	return answer.status === 400 ? await answer.json() : undefined;
}
