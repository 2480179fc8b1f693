/** The times of the records, which are in the order of their ids. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { Range } from './streams.ts';

/** A time as a filter gives it: ISO 8601 in UTC with milliseconds. */
export interface Period {
	/** At this time or later. */
	from?: string | undefined;
	/** Before this time. */
	to?: string | undefined;
}

const statements = prepared(({ $client }) => ({
	bounds: $client.prepare<{ first: number | null; last: number | null }, []>(
		'select (select min(id) from history) as first, (select max(id) from history) as last',
	),
	time: $client.prepare<{ at: string }, [number]>('select at from history where id = ?'),
}));

/** The ids of the oldest and the newest record; an empty range when there is none. */
export function allIds(db: Db): Range {
	const { first, last } = statements(db).bounds.get() ?? {};
	return first == null || last == null ? { first: 1, last: 0 } : { first, last };
}

/** The time of the newest record; undefined when there is none. */
export function timeOfNewest(db: Db): string | undefined {
	return statements(db).time.get(allIds(db).last)?.at;
}

/** The ids of the records of a period: it takes a few looks to find where it begins and ends. */
export function idsOf(db: Db, { from, to }: Period): Range {
	const all = allIds(db);
	return {
		first: from === undefined ? all.first : firstAtOrAfter(db, all, from),
		last: to === undefined ? all.last : firstAtOrAfter(db, all, to) - 1,
	};
}

/** The id of the first record at a time or later; after the last one when there is none. */
function firstAtOrAfter(db: Db, { first, last }: Range, time: string): number {
	let [low, high] = [first, last + 1];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((statements(db).time.get(middle)?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}
