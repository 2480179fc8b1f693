/** What a keyword finds, alone and together with the rest of a filter. */
import type { Db } from '../database/open.ts';
import { substring } from '../database/query.ts';
import { administrators } from '../database/schema.ts';
import { fold } from '../text-parts.ts';
import {
	type Condition,
	conditionsOf,
	type Filter,
	type Found,
	findByCondition,
	kindsAsked,
	recordsOf,
	streamsOfTarget,
} from './filter.ts';
import { blockEnd, indexedTo, type Kind } from './name-index.ts';
import { countMatches, type NameLookup, nameLookup, newestMatches, stretchesOf } from './name-search.ts';
import { pageOf, type Range, streamOfActor, streamOfIds, streamOfKind, union } from './streams.ts';
import { allIds } from './times.ts';

/** The newest records are looked through, for they may not be in the index of names yet. */
export function findByName(db: Db, filter: Filter, keyword: string, range: Range): Found {
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
	filter: Filter,
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
	filter: Filter,
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
	const { first } = allIds(db);
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

function kindsOf(db: Db, { actorType, actorId, action, targetType, targetId }: Filter, range: Range): Kinds | 'any' {
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
