import QuickLRU from 'quick-lru';
import type { Db } from './open.ts';
import { canBeRolledBack, endSharedReads, prepared } from './query.ts';

/** The writes that end a memory: of any table, or of the links between employees and roles. */
type Written = 'anything' | 'employee_roles';

const memories = prepared((db) => {
	const { $client } = db;
	// A disk error undoes the open transaction, and the table with it.
	endSharedReads(db);
	// SQLite counts the rows that were written, but not by table. The triggers belong to this connection only.
	$client.run('create temp table if not exists links_written as select 0 as count');
	for (const write of ['insert', 'update', 'delete']) {
		$client.run(`create temp trigger if not exists links_${write} after ${write} on main.employee_roles
			begin update links_written set count = count + 1; end`);
	}
	const memory = (ownWrites: string) => ({
		ownWrites: $client.prepare<{ count: number }, []>(ownWrites),
		stamp: '',
		values: new QuickLRU<string, unknown>({ maxSize: 1000 }),
	});
	return {
		otherWrites: $client.prepare<{ data_version: number }, []>('pragma data_version'),
		anything: memory('select total_changes() as count'),
		employee_roles: memory('select count from links_written'),
	};
});

/**
 * Remembers the result of a read until the next write by any process. For the links between employees and roles, writes
 * of this process to other tables do not count. Inside a transaction, which may be rolled back, it reads again.
 */
export function rememberUntilWrite<T>(db: Db, key: string, read: () => T, written: Written = 'anything'): T {
	if (canBeRolledBack(db)) return read();
	const known = memories(db);
	const memory = known[written];
	const stamp = `${memory.ownWrites.get()?.count} ${known.otherWrites.get()?.data_version}`;
	if (stamp !== memory.stamp) memory.values.clear();
	memory.stamp = stamp;
	const value = memory.values.has(key) ? (memory.values.get(key) as T) : read();
	memory.values.set(key, value);
	return value;
}
