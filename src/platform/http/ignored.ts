/** Names the parameters and fields of a request that nothing reads, because most of them are mistyped. */
import type { TSchema } from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';

/** The most names in the header: a hostile body can have a million. */
const maxNames = 20;

/** The form of a mistyped name. Anything else may be a secret in the wrong place, so it is not repeated. */
const nameForm = /^[a-z][a-z0-9_]{0,39}$/i;

/** Adds names such as `query.store_id` or `body.role_ids` to the answer's `X-Ignored-Parameters`. */
function addIgnored({ headers }: Context['set'], names: readonly string[]): void {
	if (names.length === 0) return;
	const before = String(headers['x-ignored-parameters'] ?? '').match(/[^, ]+/g) ?? [];
	headers['x-ignored-parameters'] = [...before, ...names.slice(0, maxNames - before.length)].join(', ');
}

/** Reports the fields of a body that its schema does not name, also those of objects within. */
export function reportIgnoredFields(set: Context['set'], schema: TSchema, body: unknown): void {
	addIgnored(set, ignoredFields(schema, body, 'body'));
}

function ignoredFields({ properties, items }: TSchema, value: unknown, path: string): string[] {
	if (Array.isArray(value)) {
		const objects = items?.properties ? value.slice(0, maxNames) : [];
		return objects.flatMap((each, index) => ignoredFields(items, each, `${path}.${index}`));
	}
	if (!properties || typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		if (!Object.hasOwn(properties, name)) return nameForm.test(name) ? [`${path}.${name}`] : [];
		return ignoredFields(properties[name], inner, `${path}.${name}`);
	});
}

/** A route with the schema of its query, as Elysia lists it. */
type Route = { method: string; path: string; hooks: { query?: TSchema } };

/**
 * Reports the parameters of a query that its route does not name. A repeated one becomes a list, which no schema accepts:
 * Elysia would keep the last value. A request without a query costs one comparison.
 */
export function checkParameterNames(routes: () => readonly Route[]) {
	const known = new Map<string, ReadonlySet<string>>();
	const namesOf = (method: string, path: string) =>
		known.getOrInsertComputed(`${method} ${path}`, () => {
			const route = routes().find((each) => each.method === method && each.path === path);
			return new Set(Object.keys(route?.hooks.query?.properties ?? {}));
		});
	return new Elysia({ name: 'parameter-names' }).onTransform({ as: 'global' }, ({ request, route, set, query }) => {
		const start = request.url.indexOf('?') + 1;
		// OpenID Connect says itself which parameters it takes.
		if (start === 0 || route.startsWith('/openid/')) return;
		// HEAD takes what GET takes, and has no route of its own.
		const names = namesOf(request.method === 'HEAD' ? 'GET' : request.method, route);
		const text = request.url.slice(start);
		const parts = text.split('&').map((part) => part.replace(/=.*/s, ''));
		// A tenth of the time of decoding, and enough for nearly every request.
		if (parts.every((name) => names.has(name)) && new Set(parts).size === parts.length) return;
		const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
		for (const [name, pairs] of given) {
			if (pairs.length > 1 && names.has(name)) Object.assign(query, { [name]: pairs.map(([, value]) => value) });
		}
		const ignored = given.keys().filter((name) => !names.has(name) && nameForm.test(name));
		addIgnored(set, ignored.map((name) => `query.${name}`).toArray());
	});
}
