import { type FetchQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, done, ifMatch, type Reply, type Versioned, versioned } from './client.ts';

/** A query that reads a resource with its version. */
export type Reading<Thing> = Pick<
	FetchQueryOptions<Versioned<Thing>, Error, Versioned<Thing>, string[]>,
	'queryKey' | 'queryFn'
>;

/** A query that reads the `data` of an answer. */
export function queryOf<Body extends { data: unknown }>(queryKey: unknown[], call: () => Promise<Reply<Body>>) {
	return queryOptions({ queryKey, queryFn: () => answer(call()) });
}

/** Like {@link queryOf}, with the data of the key before until the answer is there, so that a page stays as it is. */
export function steadyQueryOf<Body extends { data: unknown }>(queryKey: unknown[], call: () => Promise<Reply<Body>>) {
	return { ...queryOf(queryKey, call), placeholderData: keepPreviousData };
}

/** The routes of one kind of resource. */
interface Routes<Thing, Made, Create, Update, Query> {
	(path: {
		id: number | string;
	}): {
		get(options: { query: Query }): Promise<Reply<{ data: Thing }>>;
		patch(changes: Update, options: ReturnType<typeof ifMatch>): Promise<Reply<{ data: Thing }>>;
		delete(body: undefined, options: ReturnType<typeof ifMatch>): Promise<Reply<unknown>>;
	};
	post(values: Create): Promise<Reply<{ data: Made }>>;
}

/**
 * Reads, creates, changes and deletes resources of one kind. A change is refused with 412 when the resource has another
 * version than the given one. `query` is the query of reads.
 */
export function thingsOf<Thing extends { id: number }, Made, Create, Update, Query extends object>(
	key: string,
	routes: Routes<Thing, Made, Create, Update, Query>,
	query: Query,
) {
	type Seen = Pick<Versioned<Thing>, 'id' | 'version'>;
	return {
		byId: (id: string) =>
			queryOptions({ queryKey: [key, id], queryFn: () => versioned(routes({ id }).get({ query })) }),
		create: (values: Create) => answer(routes.post(values)),
		change: ({ id, version }: Seen, changes: Update) => versioned(routes({ id }).patch(changes, ifMatch(version))),
		remove: ({ id, version }: Seen) => done(routes({ id }).delete(undefined, ifMatch(version))),
	};
}
