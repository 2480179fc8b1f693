/** Reading the history (README, "History"). */
import type { Db } from '../database/open.ts';
import type { Page, Paging } from '../database/page.ts';
import { prepared, snapshot, substring } from '../database/query.ts';
import {
	administrators,
	type HistoryAction,
	type HistoryActorType,
	type HistoryTargetType,
	historyActions,
	historyActorTypes,
	historyTargetTypes,
} from '../database/schema.ts';
import { fold } from '../database/text-parts.ts';
import { AppError } from '../errors.ts';
import { historyMessages } from './messages.ts';
import type { HistoryRecord } from './model.ts';
import { blockEnd, indexedTo, type Kind } from './name-index.ts';
import { countMatches, type NameLookup, nameLookup, newestMatches, stretchesOf } from './name-search.ts';
import { targetTypeOf } from './record.ts';
import {
	everything,
	pageOf,
	type Range,
	type Stream,
	streamOfActor,
	streamOfIds,
	streamOfKind,
	streamOfTarget,
	union,
} from './streams.ts';

/** Which records are wanted; times are ISO 8601 in UTC with milliseconds. */
export interface HistoryFilter {
	actorType?: HistoryActorType | undefined;
	actorId?: number | undefined;
	action?: HistoryAction | undefined;
	targetType?: HistoryTargetType | undefined;
	targetId?: number | undefined;
	/** At this time or later. */
	from?: string | undefined;
	/** Before this time. */
	to?: string | undefined;
	/** A part of a name. */
	keyword?: string | undefined;
}

interface Row extends Omit<HistoryRecord, 'changes'> {
	changes: string;
}

const columns = `id, at, action, actor_type as actorType, actor_id as actorId, actor_name as actorName, address,
	request_id as requestId, target_type as targetType, target_id as targetId, target_name as targetName, changes, reason,
	count`;

const statements = prepared(({ $client }) => ({
	byId: $client.prepare<Row, [number]>(`select ${columns} from history where id = ?`),
	byIds: $client.prepare<Row, [string]>(
		`select ${columns} from history where id in (select value from json_each(?)) order by id desc`,
	),
	bounds: $client.prepare<{ first: number | null; last: number | null }, []>(
		'select (select min(id) from history) as first, (select max(id) from history) as last',
	),
	time: $client.prepare<{ at: string }, [number]>('select at from history where id = ?'),
	after: $client.prepare<Row, [number, number, number]>(
		`select ${columns} from history where id > ? and id <= ? order by id limit ?`,
	),
}));

/** One page of the records that pass the filter, newest first. */
export function listHistory(db: Db, filter: HistoryFilter, { page, pageSize }: Paging): Page<HistoryRecord> {
	return snapshot(db, () => {
		const found = find(db, filter, rangeOf(db, filter));
		const offset = (page - 1) * pageSize;
		const ids = offset < found.total ? found.ids(offset, pageSize) : [];
		return { items: statements(db).byIds.all(JSON.stringify(ids)).map(recordOf), total: found.total };
	});
}

/** @throws AppError NOT_FOUND */
export function getHistoryRecord(db: Db, id: number): HistoryRecord {
	const row = statements(db).byId.get(id);
	if (!row) throw new AppError('NOT_FOUND', historyMessages.notFound);
	return recordOf(row);
}

/** The time of the newest record; undefined when there is none. */
export function timeOfNewest(db: Db): string | undefined {
	const { last } = statements(db).bounds.get() ?? {};
	return last == null ? undefined : statements(db).time.get(last)?.at;
}

/** The records of a time, oldest first, a thousand in memory at a time. */
export function* allHistory(db: Db, filter: Pick<HistoryFilter, 'from' | 'to'>): Generator<HistoryRecord> {
	const { first, last } = rangeOf(db, filter);
	let rows = statements(db).after.all(first - 1, last, 1000);
	while (rows.length > 0) {
		yield* rows.map(recordOf);
		rows = statements(db).after.all(rows.at(-1)?.id ?? last, last, 1000);
	}
}

function recordOf({ changes, ...row }: Row): HistoryRecord {
	return { ...row, changes: JSON.parse(changes) };
}

/** The records of a time. They are in the order of their times, so it takes a few looks to find where it begins. */
function rangeOf(db: Db, { from, to }: Pick<HistoryFilter, 'from' | 'to'>): Range {
	const { first, last } = statements(db).bounds.get() ?? {};
	if (first == null || last == null) return { first: 1, last: 0 };
	const all = { first, last };
	return {
		first: from === undefined ? first : firstAtOrAfter(db, all, from),
		last: to === undefined ? last : firstAtOrAfter(db, all, to) - 1,
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

/** Some records: how many there are, and the ids of a part of them, newest first. */
interface Found {
	total: number;
	ids(offset: number, limit: number): number[];
}

function find(db: Db, filter: HistoryFilter, range: Range): Found {
	if (filter.keyword !== undefined) return findByName(db, filter, filter.keyword, range);
	const streams = streamsOf(db, filter);
	if (!streams) return findByCondition(db, recordsOf(filter), conditionsOf(filter), range);
	const stream = union(streams.filter((each) => each.count(range) > 0));
	return { total: stream.count(range), ids: (offset, limit) => pageOf(stream, range, offset, limit) };
}

/**
 * The streams whose union is what the filter asks for; undefined when there are none such: then it asks for one target,
 * which has few records.
 */
function streamsOf(db: Db, filter: HistoryFilter): Stream[] | undefined {
	const { actorType, actorId, action, targetType, targetId } = filter;
	if (targetId !== undefined) {
		if (actorType || actorId !== undefined || action) return undefined;
		return streamsOfTarget(db, targetType, targetId);
	}
	if (actorId !== undefined) {
		return kindsAsked(filter).map((kind) => streamOfActor(db, kind.actorType, actorId, kind.action));
	}
	if (actorType || action || targetType) {
		return kindsAsked(filter).map((kind) => streamOfKind(db, kind.actorType, kind.action));
	}
	return [everything(db)];
}

function streamsOfTarget(db: Db, type: HistoryTargetType | undefined, id: number): Stream[] {
	return (type ? [type] : historyTargetTypes).map((each) => streamOfTarget(db, each, id));
}

/** Every kind of record that a filter can let through. */
function kindsAsked({ actorType, action, targetType }: HistoryFilter): Kind[] {
	const actions = historyActions.filter(
		(each) => (!action || each === action) && (!targetType || targetTypeOf(each) === targetType),
	);
	const actorTypes = actorType ? [actorType] : historyActorTypes;
	return actorTypes.flatMap((type) => actions.map((each) => ({ actorType: type, action: each })));
}

interface Condition {
	sql: string;
	values: (string | number)[];
}

function conditionsOf({ actorType, actorId, action, targetType, targetId }: HistoryFilter): Condition[] {
	const columns = { actor_type: actorType, actor_id: actorId, action, target_type: targetType, target_id: targetId };
	const given = Object.entries(columns).flatMap(([column, value]) =>
		value === undefined ? [] : [{ sql: `history.${column} = ?`, values: [value] }],
	);
	return [
		...(actorId !== undefined && !actorType ? [isAnyOf('actor_type', historyActorTypes)] : []),
		...(targetId !== undefined && !targetType ? [isAnyOf('target_type', historyTargetTypes)] : []),
		...given,
	];
}

/** Without a type any will do; to name them all lets an index be used. */
function isAnyOf(column: string, values: readonly string[]): Condition {
	return { sql: `history.${column} in (${values.map((value) => `'${value}'`).join(', ')})`, values: [] };
}

/** The table by the index of the target, which has few records, or else of the actor. */
function recordsOf({ targetId }: HistoryFilter): string {
	return `history indexed by ${targetId === undefined ? 'history_actor' : 'history_target'}`;
}

function findByCondition(db: Db, source: string, conditions: Condition[], { first, last }: Range): Found {
	const where = ['history.id between ? and ?', ...conditions.map(({ sql }) => sql)].join(' and ');
	const values = [first, last, ...conditions.flatMap((condition) => condition.values)];
	return {
		total:
			db.$client
				.query<{ total: number }, (string | number)[]>(`select count(*) as total from ${source} where ${where}`)
				.get(...values)?.total ?? 0,
		ids: (offset, limit) =>
			db.$client
				.query<{ id: number }, (string | number)[]>(
					`select history.id from ${source} where ${where} order by history.id desc limit ? offset ?`,
				)
				.all(...values, limit, offset)
				.map(({ id }) => id),
	};
}

/** The newest records are looked through, for they may not be in the index of names yet. */
function findByName(db: Db, filter: HistoryFilter, keyword: string, range: Range): Found {
	const indexed = indexedTo(db);
	const pattern = substring(keyword);
	const tellsName: Condition = {
		sql: `(history.actor_name like ? escape '\\' or history.target_name like ? escape '\\')`,
		values: [pattern, pattern],
	};
	const newest = { first: Math.max(range.first, indexed + 1), last: range.last };
	const older = { first: range.first, last: Math.min(range.last, indexed) };
	return oneAfterTheOther(
		// By their ids: they are few, whatever else there is of the actor or the target.
		findByCondition(db, 'history not indexed', [...conditionsOf(filter), tellsName], newest),
		findWithAdministrators(db, filter, keyword, tellsName, older) ??
			findAmong(db, kindsOf(db, filter, older), filter, keyword, tellsName, older),
	);
}

/** So many ids are merged in a moment. */
const mostMerged = 1000;

/**
 * Every record of an administrator tells his name, which never changes: when the keyword is in it, it does not have to be
 * looked up among them. Undefined when it is not, or too many others tell it as well.
 */
function findWithAdministrators(
	db: Db,
	filter: HistoryFilter,
	keyword: string,
	tellsName: Condition,
	range: Range,
): Found | undefined {
	const { actorType = 'SUPER_ADMIN', actorId, targetId } = filter;
	const isOfOthers = actorType !== 'SUPER_ADMIN' || (actorId !== undefined && !filter.actorType);
	if (isOfOthers || targetId !== undefined || !administratorsTell(db, keyword)) return undefined;
	const asked = kindsAsked(filter).map((kind) => ({ kind, stream: streamOfKind(db, kind.actorType, kind.action) }));
	const present = asked.filter(({ stream }) => stream.count(range) > 0);
	const isTheirs = ({ kind }: { kind: Kind }) => kind.actorType === 'SUPER_ADMIN';
	const theirs = present
		.filter(isTheirs)
		.map(({ kind, stream }) =>
			actorId === undefined ? stream : streamOfActor(db, kind.actorType, actorId, kind.action),
		);
	const kinds = present.filter((each) => !isTheirs(each)).map(({ kind }) => kind);
	const others = findAmong(db, { kinds, areAll: true, records: 0 }, filter, keyword, tellsName, range);
	if (others.total > mostMerged) return undefined;
	const stream = union([...theirs, streamOfIds(others.ids(0, others.total))]);
	return { total: stream.count(range), ids: (offset, limit) => pageOf(stream, range, offset, limit) };
}

function administratorsTell(db: Db, keyword: string): boolean {
	const names = db.select({ name: administrators.username }).from(administrators).all();
	return names.length > 0 && names.every(({ name }) => fold(name).includes(fold(keyword)));
}

function findAmong(
	db: Db,
	kinds: Kinds | 'any',
	filter: HistoryFilter,
	keyword: string,
	tellsName: Condition,
	range: Range,
): Found {
	const lookup = nameLookup(db, keyword, kinds === 'any' ? undefined : kinds.kinds);
	if (kinds !== 'any' && kinds.kinds.length === 0) return nothing;
	if (kinds === 'any' || kinds.areAll) {
		if (lookup.isExact) return findMatches(db, lookup, range);
		return findByCondition(db, candidates, [isCandidate(lookup.match), tellsName], range);
	}
	// Of the records of one actor or target, and the records that tell the name, the fewer ones are looked through.
	const conditions = [...conditionsOf(filter), tellsName];
	if (countMatches(db, lookup.match, range, kinds.records) === kinds.records) {
		return findByCondition(db, recordsOf(filter), conditions, range);
	}
	return findByCondition(db, candidates, [isCandidate(lookup.match), ...conditions], range);
}

const candidates = 'history_search cross join history on history.id = history_search.rowid';

function isCandidate(match: string): Condition {
	return { sql: 'history_search.history_search match ?', values: [match] };
}

const nothing: Found = { total: 0, ids: () => [] };

function findMatches(db: Db, lookup: NameLookup, range: Range): Found {
	const stretches = stretchesOf(db, lookup, outsideRecords(db, range));
	return {
		total: stretches.reduce((sum, { hits }) => sum + hits, 0),
		ids(offset, limit) {
			let skipped = 0;
			for (const { last, hits } of stretches) {
				const page = { offset: offset - skipped, limit };
				if (page.offset < hits) return newestMatches(db, lookup.match, { first: range.first, last }, page);
				skipped += hits;
			}
			return [];
		},
	};
}

/** The range with all that is before the oldest record if it begins with that, and all that is to come if it ends so. */
function outsideRecords(db: Db, range: Range): Range {
	const { first } = statements(db).bounds.get() ?? {};
	const indexed = indexedTo(db);
	return {
		first: range.first === first ? 0 : range.first,
		last: range.last === indexed ? blockEnd(indexed) : range.last,
	};
}

/** The kinds of records in a range that a filter can let through. */
interface Kinds {
	kinds: Kind[];
	/** Whether it lets all of their records through, as far as they tell the name. */
	areAll: boolean;
	/** How many records there are of what the filter asks for. */
	records: number;
}

function kindsOf(
	db: Db,
	{ actorType, actorId, action, targetType, targetId }: HistoryFilter,
	range: Range,
): Kinds | 'any' {
	if (!actorType && actorId === undefined && !action && !targetType && targetId === undefined) return 'any';
	const asked = kindsAsked({ actorType, action, targetType }).map((kind) => ({
		kind,
		ofKind: streamOfKind(db, kind.actorType, kind.action).count(range),
		ofActor: actorId === undefined ? undefined : streamOfActor(db, kind.actorType, actorId, kind.action).count(range),
	}));
	const present = asked.filter(({ ofKind, ofActor }) => (ofActor ?? ofKind) > 0);
	const ofKinds = present.reduce((sum, { ofKind, ofActor }) => sum + (ofActor ?? ofKind), 0);
	const ofTarget =
		targetId === undefined ? Number.POSITIVE_INFINITY : union(streamsOfTarget(db, targetType, targetId)).count(range);
	return {
		kinds: present.map(({ kind }) => kind),
		// The only actor of a type, as the super administrator is, did all that was done by that type.
		areAll: targetId === undefined && present.every(({ ofKind, ofActor }) => (ofActor ?? ofKind) === ofKind),
		records: Math.min(ofKinds, ofTarget),
	};
}

function oneAfterTheOther(newer: Found, older: Found): Found {
	return {
		total: newer.total + older.total,
		ids(offset, limit) {
			const ids = offset < newer.total ? newer.ids(offset, limit) : [];
			if (ids.length === limit) return ids;
			return [...ids, ...older.ids(Math.max(0, offset - newer.total), limit - ids.length)];
		},
	};
}
