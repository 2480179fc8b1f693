import QuickLRU from 'quick-lru';
import type { Db } from './open.ts';
import { canBeRolledBack, prepared } from './query.ts';

const remembered = prepared(({ $client }) => ({
	ownWrites: $client.prepare<{ count: number }, []>('select total_changes() as count'),
	otherWrites: $client.prepare<{ data_version: number }, []>('pragma data_version'),
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
	const stamp = `${known.ownWrites.get()?.count} ${known.otherWrites.get()?.data_version}`;
	if (stamp !== known.as) known.values.clear();
	known.as = stamp;
	const value = known.values.has(key) ? (known.values.get(key) as T) : read();
	known.values.set(key, value);
	return value;
}
