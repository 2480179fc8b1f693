import QuickLRU from 'quick-lru';
import type { Db } from './open.ts';
import { canBeRolledBack, prepared } from './query.ts';

const remembered = prepared(({ $client }) => ({
	stamp: $client.prepare<{ stamp: string }, []>(
		"select total_changes() || ' ' || data_version as stamp from pragma_data_version",
	),
	as: '',
	values: new QuickLRU<string, unknown>({ maxSize: 1000 }),
}));

/**
 * Remembers the result of a read until the next write by any process. Inside a transaction, which may be rolled back, it
 * reads again.
 */
export function rememberUntilWrite<T>(db: Db, key: string, read: () => T): T {
	if (canBeRolledBack(db)) return read();
	const known = remembered(db);
	const { stamp = '' } = known.stamp.get() ?? {};
	if (stamp !== known.as) known.values.clear();
	known.as = stamp;
	const value = known.values.has(key) ? (known.values.get(key) as T) : read();
	known.values.set(key, value);
	return value;
}
