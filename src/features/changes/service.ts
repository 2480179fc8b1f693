/** The changes since a cursor: the history of employees, stores, areas, roles, policies and points, without details. */
import type { Db } from '../../platform/database/open.ts';
import { prepared } from '../../platform/database/query.ts';
import type { ChangeType } from '../../platform/vocabulary/history.ts';
import { type ChangedThing, type Changes, type ChangesQuery, defaultLimit } from './model.ts';

interface FeedRecord extends Omit<ChangedThing, 'deleted'> {
	/** The time when the thing was deleted; null for one that exists or was restored. */
	deletedAt: string | null;
}

/** The maximum number of records that a page reads: some milliseconds. */
const recordsAtOnce = 1000;

/** The table of each kind of thing. */
const tables = {
	EMPLOYEE: 'employees',
	STORE: 'stores',
	AREA: 'areas',
	ROLE: 'roles',
	POLICY: 'roles',
	PERMISSION_POINT: 'points',
} as const satisfies Record<ChangeType, string>;

const deletions = Object.entries(tables).map(
	([type, table]) => `when '${type}' then (select deleted_at from ${table} where id = coalesce(target_id, actor_id))`,
);

// Raw SQL: Drizzle cannot name an index. This index skips the sign-ins between two changes, however many there are.
const statements = prepared(({ $client }) => ({
	records: $client.prepare<FeedRecord, [number, number, number]>(
		`select id, at, changed as type, coalesce(target_id, actor_id) as targetId, case changed ${deletions.join(' ')} end as deletedAt
		from history indexed by history_changed where changed is not null and id between ? and ? order by id limit +?`,
	),
	newest: $client.prepare<{ id: number | null }, []>(
		'select max(id) as id from history indexed by history_changed where changed is not null',
	),
	bounds: $client.prepare<{ first: number; last: number; epoch: string | null }, []>(
		`select coalesce((select min(id) from history), 1) as first, coalesce((select max(id) from history), 0) as last,
			(select token_epoch from installation) as epoch`,
	),
}));

/** The id of the newest record in the feed; 0 without any. */
export function newestChange(db: Db): number {
	return statements(db).newest.get()?.id ?? 0;
}

/** One page of the feed, and the id of the last record it covers. A page can end early, but is empty only at the end. */
export function readChanges(
	db: Db,
	{ after, newest, limit = defaultLimit }: ChangesQuery,
): Changes & { position: number } {
	const { first = 1, last = 0, epoch = null } = statements(db).bounds.get() ?? {};
	const pageAt = (position: number, { items = [], reset = false }: Partial<Changes> = {}) => {
		return { items, next: cursorAt(epoch, position), reset, position };
	};
	if (newest) return pageAt(last);
	// Without a cursor the feed begins at record 1. If that one was removed, everything must be read again.
	const begin = after === undefined ? 0 : positionOf(epoch, after);
	if (begin === undefined || begin < first - 1 || begin > last) return pageAt(last, { reset: true });
	const records = statements(db).records.all(begin + 1, last, recordsAtOnce);
	const { items, read } = thingsIn(records, limit);
	const isWhole = read === records.length && records.length < recordsAtOnce;
	return pageAt(isWhole ? last : (records[read - 1]?.id ?? last), { items });
}

/** The newest record of each thing, up to a limit of things, and the number of records that they cover. */
function thingsIn(records: readonly FeedRecord[], limit: number): { items: ChangedThing[]; read: number } {
	const things = new Map<string, ChangedThing>();
	let read = 0;
	for (const { deletedAt, ...record } of records) {
		const key = `${record.type} ${record.targetId}`;
		if (!things.delete(key) && things.size === limit) break;
		things.set(key, { ...record, deleted: deletedAt !== null });
		read += 1;
	}
	return { items: [...things.values()], read };
}

/** A cursor is 18 bytes of a hash and the id of a record. */
const hashBytes = 18;
const idBytes = 6;

/**
 * The cursor after a record. It identifies its history by the epoch of the installation, which a restore replaces. The
 * hash does not reveal the epoch, and nobody can make a cursor without it.
 */
function cursorAt(epoch: string | null, position: number): string {
	const bytes = Buffer.alloc(hashBytes + idBytes);
	new Bun.CryptoHasher('sha256').update(`changes ${position} ${epoch}`).digest().copy(bytes, 0, 0, hashBytes);
	bytes.writeUIntBE(position, hashBytes, idBytes);
	return `c${bytes.toString('base64url')}`;
}

/** The id of the record before a cursor; undefined for a cursor of another history. */
function positionOf(epoch: string | null, cursor: string): number | undefined {
	const position = Buffer.from(cursor.slice(1), 'base64url').readUIntBE(hashBytes, idBytes);
	return cursorAt(epoch, position) === cursor ? position : undefined;
}
