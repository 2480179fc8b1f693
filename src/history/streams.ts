/**
 * Counting and paging through a history of any length. A stream is all records of one kind, one actor and action, or one
 * target. Its records are numbered, so that how many of them lie between two ids is the difference of two numbers; and
 * what a filter asks for is a union of streams that have no record in common.
 */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import type { HistoryAction, HistoryActorType, HistoryTargetType } from '../vocabulary/history.ts';

/** Ids from the first to the last, both included; empty when the last is before the first. */
export interface Range {
	first: number;
	last: number;
}

/** Records that have something in common. */
export interface Stream {
	/** How many there are in a range. */
	count(range: Range): number;
	/** The ids of the newest ones in a range, newest first. */
	newest(range: Range, limit: number): number[];
}

type Key = string | number | null;

interface Numbered {
	id: number;
	sequence: number;
}

function buildStatements({ $client }: Db, sequence: string, source: string, condition: string) {
	const select = `select id, ${sequence} as sequence from ${source} where ${condition}`;
	return {
		first: $client.prepare<Numbered, Key[]>(`${select} and id >= ? order by id limit 1`),
		last: $client.prepare<Numbered, Key[]>(`${select} and id <= ? order by id desc limit 1`),
		newest: $client.prepare<{ id: number }, Key[]>(`${select} and id between ? and ? order by id desc limit ?`),
	};
}

const statements = prepared((db) => ({
	everything: buildStatements(db, 'id', 'history', 'true'),
	kind: buildStatements(db, 'kind_sequence', 'history indexed by history_kind', 'actor_type = ? and action = ?'),
	actor: buildStatements(
		db,
		'actor_sequence',
		'history indexed by history_actor',
		'actor_type = ? and actor_id = ? and action = ?',
	),
	target: buildStatements(
		db,
		'target_sequence',
		'history indexed by history_target',
		'target_type = ? and target_id = ?',
	),
}));

function stream({ first, last, newest }: ReturnType<typeof buildStatements>, ...key: Key[]): Stream {
	return {
		count(range) {
			const earliest = first.get(...key, range.first);
			const latest = last.get(...key, range.last);
			if (!earliest || !latest || earliest.id > range.last) return 0;
			return latest.sequence - earliest.sequence + 1;
		},
		newest: (range, limit) => newest.all(...key, range.first, range.last, limit).map(({ id }) => id),
	};
}

/** Every record. Ids have no gaps: records are only removed from the oldest end. */
export function everything(db: Db): Stream {
	return stream(statements(db).everything);
}

/** What actors of a type did of an action. */
export function streamOfKind(db: Db, actorType: HistoryActorType, action: HistoryAction): Stream {
	return stream(statements(db).kind, actorType, action);
}

/** What one actor did of an action. */
export function streamOfActor(db: Db, type: HistoryActorType, id: number, action: HistoryAction): Stream {
	return stream(statements(db).actor, type, id, action);
}

/** What was done to one target. */
export function streamOfTarget(db: Db, type: HistoryTargetType, id: number): Stream {
	return stream(statements(db).target, type, id);
}

/** Records of given ids, the newest first. */
export function streamOfIds(ids: readonly number[]): Stream {
	const within = ({ first, last }: Range) => ids.filter((id) => id >= first && id <= last);
	return { count: (range) => within(range).length, newest: (range, limit) => within(range).slice(0, limit) };
}

/** The union of streams that have no record in common. */
export function union(streams: readonly Stream[]): Stream {
	return {
		count: (range) => streams.reduce((sum, each) => sum + each.count(range), 0),
		newest: (range, limit) =>
			streams
				.flatMap((each) => each.newest(range, limit))
				.sort((a, b) => b - a)
				.slice(0, limit),
	};
}

/** One page of a stream, newest first. However deep it is, it is found by halving the range and counting. */
export function pageOf(stream: Stream, range: Range, offset: number, limit: number): number[] {
	return stream.newest(
		{ first: range.first, last: offset === 0 ? range.last : lastAfter(stream, range, offset) },
		limit,
	);
}

/** The greatest id that has `offset` records of the stream after it. */
function lastAfter(stream: Stream, range: Range, offset: number): number {
	let [low, high] = [range.first - 1, range.last];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (stream.count({ first: middle + 1, last: range.last }) >= offset) low = middle;
		else high = middle - 1;
	}
	return low;
}
