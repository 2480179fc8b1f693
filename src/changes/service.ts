/** What changed since a cursor: the history of people, stores, areas, roles, their codes and points, without what it says of them. */
import { and, desc, isNull } from 'drizzle-orm';
import type { Db } from '../database/open.ts';
import { among, prepared, queries, snapshot } from '../database/query.ts';
import { areas, employees, history, installation, points, roles, stores } from '../database/schema.ts';
import { anyOf, propertyOf } from '../search/expression.ts';
import type { HistoryAction } from '../vocabulary/history.ts';
import {
	type ChangedThing,
	type Changes,
	type ChangesQuery,
	type ChangeType,
	changedBy,
	tellingActions,
	usualLimit,
} from './model.ts';

const read = queries(({ select }) => {
	const live = (table: typeof employees | typeof stores | typeof areas | typeof roles | typeof points) =>
		select({ id: table.id })
			.from(table)
			.where(and(isNull(table.deletedAt), among(table.id, 'ids')));
	return {
		first: select({ id: history.id }).from(history).orderBy(history.id).limit(1),
		last: select({ id: history.id }).from(history).orderBy(desc(history.id)).limit(1),
		epoch: select({ value: installation.tokenEpoch }).from(installation),
		EMPLOYEE: live(employees),
		STORE: live(stores),
		AREA: live(areas),
		ROLE: live(roles),
		POLICY: live(roles),
		PERMISSION_POINT: live(points),
	};
});

interface Thing {
	id: number;
	at: string;
	type: ChangeType;
	targetId: number;
}

/** A record of which the feed tells. */
type Telling = Omit<Thing, 'type'> & { action: HistoryAction };

/** How many records a page reads at most: some milliseconds. */
const recordsAtOnce = 1000;

const telling = anyOf(tellingActions.map((action) => propertyOf('a', action)));

// Text: Drizzle knows no full-text search. By the index no sign-ins are read, however many stand between two changes.
const statements = prepared(({ $client }) => {
	const records = (order: string) =>
		$client.prepare<Telling, [string, number, number, number]>(
			`select history.id, at, action, coalesce(target_id, actor_id) as targetId
			from history_search cross join history on history.id = history_search.rowid
			where history_search match ? and history_search.rowid between ? and ?
				and (target_id is not null or actor_type = 'EMPLOYEE')
			order by history_search.rowid ${order} limit ?`,
		);
	return { oldest: records('asc'), newest: records('desc') };
});

/** The id of the newest record that the feed tells of; 0 without any. */
export function newestChange(db: Db): number {
	const [record] = statements(db).newest.all(telling, 1, Number.MAX_SAFE_INTEGER, 1);
	return record?.id ?? 0;
}

/** A page, and the id of the last record that it covers. */
type Page = Changes & { position: number };

/** One page of the feed. It can end early after many changes of a few things, but is empty only where there are no more. */
export function readChanges(db: Db, { after, newest, limit = usualLimit }: ChangesQuery): Page {
	return snapshot(db, () => {
		const first = read(db).first.get()?.id ?? 1;
		const last = read(db).last.get()?.id ?? 0;
		const end = { items: [], next: cursorAt(db, last), reset: false, position: last };
		if (newest) return end;
		const begin = after === undefined ? first - 1 : positionOf(db, after);
		if (begin === undefined || begin < first - 1 || begin > last) return { ...end, reset: true };
		const records = statements(db).oldest.all(telling, begin + 1, last, recordsAtOnce);
		const page = pageOf(records, limit);
		const isLast = page.read === records.length && records.length < recordsAtOnce;
		const position = isLast ? last : (records[page.read - 1]?.id ?? last);
		return { items: withState(db, page.things), next: cursorAt(db, position), reset: false, position };
	});
}

/** The newest record of each thing, as long as these are not more than a limit, and how many records they stand for. */
function pageOf(records: readonly Telling[], limit: number): { things: Thing[]; read: number } {
	const things = new Map<string, Thing>();
	for (const [index, { action, ...record }] of records.entries()) {
		const type = changedBy(action);
		if (type === null) continue;
		const key = `${type} ${record.targetId}`;
		if (!things.delete(key) && things.size === limit) return { things: [...things.values()], read: index };
		things.set(key, { ...record, type });
	}
	return { things: [...things.values()], read: records.length };
}

/** Says of each thing whether it is deleted now: what a record says may be over, as with people who came back. */
function withState(db: Db, things: readonly Thing[]): ChangedThing[] {
	const idsOf = ([type, some]: [ChangeType, Thing[]]) => {
		const rows = read(db)[type].all({ ids: JSON.stringify(some.map(({ targetId }) => targetId)) });
		return [type, new Set(rows.map(({ id }) => id))] as const;
	};
	const live = new Map(
		Array.from(
			Map.groupBy(things, ({ type }) => type),
			idsOf,
		),
	);
	return things.map((thing) => ({ ...thing, deleted: !live.get(thing.type)?.has(thing.targetId) }));
}

/** A cursor is 18 bytes of a hash and the id of a record. */
const hashBytes = 18;
const idBytes = 6;

/**
 * The cursor behind a record. It names its history by the epoch of the installation, which a restore replaces: nobody learns the
 * epoch from the hash, and nobody makes a cursor without it.
 */
function cursorAt(db: Db, position: number): string {
	const bytes = Buffer.alloc(hashBytes + idBytes);
	const named = `changes ${position} ${read(db).epoch.get()?.value}`;
	new Bun.CryptoHasher('sha256').update(named).digest().copy(bytes, 0, 0, hashBytes);
	bytes.writeUIntBE(position, hashBytes, idBytes);
	return `c${bytes.toString('base64url')}`;
}

/** The id of the record that a cursor is behind; undefined for a cursor of another history. */
function positionOf(db: Db, cursor: string): number | undefined {
	const position = Buffer.from(cursor.slice(1), 'base64url').readUIntBE(hashBytes, idBytes);
	return cursorAt(db, position) === cursor ? position : undefined;
}
