/**
 * Finding records. A filter becomes a set of kinds, two ids and a set of names; every record is compared with them. The
 * records are compared in blocks of packed numbers (`history_blocks`), not in their rows: whatever the data, a million
 * take some ten milliseconds, while SQLite needs thirty only to count the rows of an index.
 */
import type { Db } from '../database/open.ts';
import { prepared, substring } from '../database/query.ts';
import type { Paging } from '../paging.ts';
import type { HistoryAction, HistoryActorType, HistoryTargetType } from '../vocabulary/history.ts';

/** A time span; both are ISO 8601 in UTC with milliseconds. */
export interface Period {
	/** At this time or later. */
	from?: string | undefined;
	/** Before this time. */
	to?: string | undefined;
}

/** Which records are wanted; what is undefined matches every record. */
export interface HistoryFilter extends Period {
	actorType?: HistoryActorType | undefined;
	actorId?: number | undefined;
	action?: HistoryAction | undefined;
	targetType?: HistoryTargetType | undefined;
	targetId?: number | undefined;
	/** A part of the actor's or the target's name. */
	keyword?: string | undefined;
}

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

/** A list of ids, as JSON. */
interface Ids {
	ids: string;
}

const statements = prepared(({ $client }) => ({
	bounds: $client.prepare<{ first: number | null; last: number | null }, []>(
		'select (select min(id) from history) as first, (select max(id) from history) as last',
	),
	time: $client.prepare<{ at: string }, [number]>('select at from history where id = ?'),
	kinds: $client.prepare<Ids, [string | null, string | null, string | null]>(
		`select json_group_array(id) as ids from history_kinds
		where actor_type = coalesce(?, actor_type) and action = coalesce(?, action)
			and target_type = coalesce(?, target_type)`,
	),
	// As JSON: hundreds of thousands of rows would take several times as long.
	names: $client.prepare<Ids, [string]>(
		"select json_group_array(id) as ids from history_names where name like ? escape '\\'",
	),
	greatestName: $client.prepare<{ id: number }, []>('select coalesce(max(id), 0) as id from history_names'),
	lastBlock: $client.prepare<{ last: number }, []>('select coalesce(max(last), 0) as last from history_blocks'),
	unpacked: $client.prepare<Searchable, [number, number]>(
		`select kind, actor_id as actorId, target_id as targetId, actor_name as actorName, target_name as targetName
		from history_searchable where id between ? and ? order by id`,
	),
}));

/** How many records match a filter, and the ids of one page of them, newest first. */
interface Found {
	total: number;
	ids: number[];
}

/** Finds one page; inside a snapshot of the caller. */
export function findRecords(db: Db, filter: HistoryFilter, { page, pageSize }: Paging): Found {
	const range = idsOf(db, filter);
	const size = Math.max(0, range.last - range.first + 1);
	const skip = (page - 1) * pageSize;
	const wanted = wantedBy(db, filter);
	if (!wanted) {
		const length = Math.min(pageSize, Math.max(0, size - skip));
		return { total: size, ids: Array.from({ length }, (_, index) => range.last - skip - index) };
	}
	const found: Found = { total: 0, ids: [] };
	if (size > 0) for (const block of blocksOf(db, range, wanted)) collect(found, block, range, wanted, skip, pageSize);
	return found;
}

/** Adds the matches of one block, newest first. */
function collect(found: Found, block: Block, range: IdRange, wanted: Wanted, skip: number, limit: number): void {
	const matches = matchesIn(block, range, wanted);
	let before = found.total;
	found.total += sumOf(matches);
	if (found.ids.length === limit || found.total <= skip) return;
	for (let index = matches.length - 1; index >= 0 && found.ids.length < limit; index -= 1) {
		if (matches[index] !== 1) continue;
		if (before >= skip) found.ids.push(block.first + index);
		before += 1;
	}
}

/** By index: an iterator would take three times as long as everything else. */
function sumOf(numbers: Uint8Array): number {
	let sum = 0;
	for (let index = 0; index < numbers.length; index += 1) sum += numbers[index] ?? 0;
	return sum;
}

/** What a record has to be to match a filter; what is undefined does not matter. */
interface Wanted {
	/** By the id of the kind: 1 for a kind that matches. */
	kinds: Uint8Array | undefined;
	actorId: number | undefined;
	targetId: number | undefined;
	/** By the id of the name: 1 for a name that contains the keyword. */
	names: Uint8Array | undefined;
}

/** Undefined when every record matches. */
function wantedBy(db: Db, filter: HistoryFilter): Wanted | undefined {
	const { actorType, actorId, action, targetType, targetId, keyword } = filter;
	const hasKinds = actorType !== undefined || action !== undefined || targetType !== undefined;
	if (!hasKinds && actorId === undefined && targetId === undefined && keyword === undefined) return undefined;
	const { kinds, names, greatestName } = statements(db);
	return {
		kinds: hasKinds ? setOf(kinds.get(actorType ?? null, action ?? null, targetType ?? null), 255) : undefined,
		actorId,
		targetId,
		names: keyword === undefined ? undefined : setOf(names.get(substring(keyword)), greatestName.get()?.id ?? 0),
	};
}

function setOf(found: Ids | null, greatest: number): Uint8Array {
	const set = new Uint8Array(greatest + 1);
	const ids: number[] = JSON.parse(found?.ids ?? '[]');
	for (const id of ids) set[id] = 1;
	return set;
}

/** The numbers of consecutive records, in the order of their ids; null where no condition needs them. */
interface Block extends IdRange {
	kinds: Uint8Array | null;
	actorNames: Uint32Array | null;
	targetNames: Uint32Array | null;
	actorIds: Uint32Array | null;
	targetIds: Uint32Array | null;
}

/**
 * 1 for each record of a block that is in the range and matches, else 0. One plain loop for each condition: a million
 * records take three milliseconds, and ten when each record is compared with all conditions at once.
 */
function matchesIn(block: Block, range: IdRange, { kinds, actorId, targetId, names }: Wanted): Uint8Array {
	const { first, last, actorNames, targetNames } = block;
	const [start, end] = [Math.max(range.first - first, 0), Math.min(range.last, last) - first + 1];
	const matches = new Uint8Array(last - first + 1).fill(1, start, end);
	if (kinds && block.kinds) keepKinds(matches, block.kinds, kinds);
	if (actorId !== undefined && block.actorIds) keepId(matches, block.actorIds, actorId);
	if (targetId !== undefined && block.targetIds) keepId(matches, block.targetIds, targetId);
	if (names && actorNames && targetNames) keepNames(matches, actorNames, targetNames, names);
	return matches;
}

function keepKinds(matches: Uint8Array, kindOf: Uint8Array, kinds: Uint8Array): void {
	for (let index = 0; index < matches.length; index += 1) {
		matches[index] = (matches[index] ?? 0) & (kinds[kindOf[index] ?? 0] ?? 0);
	}
}

function keepId(matches: Uint8Array, idOf: Uint32Array, id: number): void {
	for (let index = 0; index < matches.length; index += 1) if (idOf[index] !== id) matches[index] = 0;
}

function keepNames(matches: Uint8Array, actorOf: Uint32Array, targetOf: Uint32Array, names: Uint8Array): void {
	for (let index = 0; index < matches.length; index += 1) {
		const isNamed = (names[actorOf[index] ?? 0] ?? 0) | (names[targetOf[index] ?? 0] ?? 0);
		matches[index] = (matches[index] ?? 0) & isNamed;
	}
}

/** The numbers of the records of a range, and of others in its first and last block; newest first. */
function* blocksOf(db: Db, range: IdRange, wanted: Wanted): Generator<Block> {
	const packedTo = statements(db).lastBlock.get()?.last ?? 0;
	if (range.last > packedTo) yield unpackedBlock(db, { first: Math.max(packedTo + 1, range.first), last: range.last });
	for (const row of packedBlocks(db, wanted).iterate(range.first, range.last)) {
		yield {
			first: row.first,
			last: row.last,
			kinds: row.kinds,
			actorNames: integersIn(row.actorNames),
			targetNames: integersIn(row.targetNames),
			actorIds: integersIn(row.actorIds),
			targetIds: integersIn(row.targetIds),
		};
	}
}

interface PackedBlock extends IdRange {
	kinds: Uint8Array | null;
	actorNames: Uint8Array | null;
	targetNames: Uint8Array | null;
	actorIds: Uint8Array | null;
	targetIds: Uint8Array | null;
}

/** Reads only the columns that the conditions need: reading takes most of the time. */
function packedBlocks({ $client }: Db, { kinds, actorId, targetId, names }: Wanted) {
	return $client.query<PackedBlock, [number, number]>(
		`select first, last,
			${kinds ? 'kinds' : 'null'} as kinds,
			${names ? 'actor_names' : 'null'} as actorNames,
			${names ? 'target_names' : 'null'} as targetNames,
			${actorId === undefined ? 'null' : 'actor_ids'} as actorIds,
			${targetId === undefined ? 'null' : 'target_ids'} as targetIds
		from history_blocks where last >= ? and first <= ? order by last desc`,
	);
}

function integersIn(blob: Uint8Array | null): Uint32Array | null {
	return blob && new Uint32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
}

/** One record in numbers, as the view `history_searchable` has it. */
interface Searchable {
	kind: number;
	actorName: number;
	targetName: number;
	actorId: number;
	targetId: number;
}

function unpackedBlock(db: Db, range: IdRange): Block {
	const rows = statements(db).unpacked.all(range.first, range.last);
	return {
		...range,
		kinds: Uint8Array.from(rows, ({ kind }) => kind),
		actorNames: Uint32Array.from(rows, ({ actorName }) => actorName),
		targetNames: Uint32Array.from(rows, ({ targetName }) => targetName),
		actorIds: Uint32Array.from(rows, ({ actorId }) => actorId),
		targetIds: Uint32Array.from(rows, ({ targetId }) => targetId),
	};
}

/** The time of the newest record; undefined when there is none. */
export function timeOfNewest(db: Db): string | undefined {
	return statements(db).time.get(allIds(db).last)?.at;
}

/** The ids of the records of a period. Times never decrease, so a binary search finds where it begins and ends. */
export function idsOf(db: Db, { from, to }: Period): IdRange {
	const all = allIds(db);
	return {
		first: from === undefined ? all.first : firstAtOrAfter(db, all, from),
		last: to === undefined ? all.last : firstAtOrAfter(db, all, to) - 1,
	};
}

function allIds(db: Db): IdRange {
	const { first, last } = statements(db).bounds.get() ?? {};
	return { first: first ?? 1, last: last ?? 0 };
}

/** The id of the first record at a time or later; one more than the last id when there is none. */
function firstAtOrAfter(db: Db, { first, last }: IdRange, time: string): number {
	let [low, high] = [first, last + 1];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((statements(db).time.get(middle)?.at ?? '') < time) low = middle + 1;
		else high = middle;
	}
	return low;
}
