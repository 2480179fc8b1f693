/** What a filter lets through, as streams of numbered records or as a condition; keywords apart (keyword.ts). */
import type { Db } from '../database/open.ts';
import {
	type HistoryAction,
	type HistoryActorType,
	type HistoryTargetType,
	historyActions,
	historyActorTypes,
	historyTargetTypes,
} from '../vocabulary/history.ts';
import type { Kind } from './name-index.ts';
import { targetTypeOf } from './record.ts';
import {
	everything,
	pageOf,
	type Range,
	type Stream,
	streamOfActor,
	streamOfKind,
	streamOfTarget,
	union,
} from './streams.ts';
import type { Period } from './times.ts';

/** Whose records are wanted, of what, and to whom it was done. */
export interface Filter {
	actorType?: HistoryActorType | undefined;
	actorId?: number | undefined;
	action?: HistoryAction | undefined;
	targetType?: HistoryTargetType | undefined;
	targetId?: number | undefined;
}

/** Which records are wanted. */
export interface HistoryFilter extends Filter, Period {
	/** A part of a name. */
	keyword?: string | undefined;
}

/** Some records: how many there are, and the ids of a part of them, newest first. */
export interface Found {
	total: number;
	ids(offset: number, limit: number): number[];
}

/** What a filter lets through of a range. */
export function findByFilter(db: Db, filter: Filter, range: Range): Found {
	const streams = streamsOf(db, filter);
	if (!streams) return findByCondition(db, recordsOf(filter), conditionsOf(filter), range);
	const stream = union(streams.filter((each) => each.count(range) > 0));
	return { total: stream.count(range), ids: (offset, limit) => pageOf(stream, range, offset, limit) };
}

/**
 * The streams whose union is what the filter asks for; undefined when there are none such: then it asks for one target,
 * which has few records.
 */
function streamsOf(db: Db, filter: Filter): Stream[] | undefined {
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

/** What was done to what has an id, of one type or of any. */
export function streamsOfTarget(db: Db, type: HistoryTargetType | undefined, id: number): Stream[] {
	return (type ? [type] : historyTargetTypes).map((each) => streamOfTarget(db, each, id));
}

/** Every kind of record that a filter can let through. */
export function kindsAsked({ actorType, action, targetType }: Filter): Kind[] {
	const actions = historyActions.filter(
		(each) => (!action || each === action) && (!targetType || targetTypeOf(each) === targetType),
	);
	const actorTypes = actorType ? [actorType] : historyActorTypes;
	return actorTypes.flatMap((type) => actions.map((each) => ({ actorType: type, action: each })));
}

/** A condition on the records. */
export interface Condition {
	sql: string;
	values: (string | number)[];
}

/** A filter as conditions. */
export function conditionsOf({ actorType, actorId, action, targetType, targetId }: Filter): Condition[] {
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
export function recordsOf({ targetId }: Filter): string {
	return `history indexed by ${targetId === undefined ? 'history_actor' : 'history_target'}`;
}

/** What meets all conditions, by a look at each record that an index of the source finds. */
export function findByCondition(db: Db, source: string, conditions: Condition[], { first, last }: Range): Found {
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
