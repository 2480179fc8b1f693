/** How many people came, left, moved and got a role, and how many sign-ins were refused, as the history says. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { propertyOf } from '../search/expression.ts';
import { finder, idsOf, type Period } from './service.ts';

const movements = {
	hired: propertyOf('a', 'EMPLOYEE_CREATE'),
	left: propertyOf('g', 'left'),
	moved: propertyOf('g', 'moved'),
	newRoles: propertyOf('g', 'role'),
};

/** What happened to people in a period. Somebody who was disabled or deleted has left, once. */
export function countMovements(db: Db, period: Period): Record<keyof typeof movements, number> {
	const range = idsOf(db, period);
	const { total } = finder(db);
	const counted = Object.entries(movements).map(([what, expression]) => [what, total(expression, range)]);
	return Object.fromEntries(counted) as Record<keyof typeof movements, number>;
}

const refused = prepared(({ $client }) =>
	// Text: Drizzle knows no full-text search.
	$client.prepare<{ total: number }, [string, number, number]>(
		`select coalesce(sum(count), 0) as total from history
		where id in (select rowid from history_search where history_search match ? and rowid between ? and ?)`,
	),
);

/** How many sign-ins were refused since a time. */
export function countRefusedSignIns(db: Db, from: string): number {
	const { first, last } = idsOf(db, { from });
	return refused(db).get(propertyOf('a', 'SIGN_IN_REFUSED'), first, last)?.total ?? 0;
}
