/**
 * The searchable properties of the records, as numbers in blocks. The blocks of the newest million records are kept in
 * memory, because they never change and reading them takes as long as searching them: 17 MB.
 */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';

/** Ids from `first` to `last`, both included; empty when `last` is smaller. */
export interface IdRange {
	first: number;
	last: number;
}

/** The numbers of consecutive records, in the order of their ids; null where they are not needed. */
export interface Block extends IdRange {
	kinds: Uint8Array | null;
	actorNames: Uint32Array | null;
	targetNames: Uint32Array | null;
	actorIds: Uint32Array | null;
	targetIds: Uint32Array | null;
}

/** Which numbers a search needs. */
export interface Needs {
	kinds: boolean;
	names: boolean;
	actorIds: boolean;
	targetIds: boolean;
}

const everything: Needs = { kinds: true, names: true, actorIds: true, targetIds: true };

/** How many records a packed block has, but for the oldest one, from which some may have been pruned. */
const blockSize = 1024;

/** How many blocks are in memory. */
export interface BlockLimits {
	/** So many of the newest are kept. */
	kept: number;
	/** So many are read at once. */
	atOnce: number;
}

/** Reading 64 blocks takes about a millisecond. */
export const usualLimits: BlockLimits = { kept: 1024, atOnce: 64 };

const stateOf = prepared(({ $client }) => ({
	/** Blocks in memory, by the id of their last record. */
	kept: new Map<number, Block>(),
	lastBlock: $client.prepare<{ last: number }, []>('select coalesce(max(last), 0) as last from history_blocks'),
	unpacked: $client.prepare<Searchable, [number, number]>(
		`select kind, actor_id as actorId, target_id as targetId, actor_name as actorName, target_name as targetName
		from history_searchable where id between ? and ? order by id`,
	),
}));

/** The blocks with the records of a range, and others in the first and last block; newest first. */
export function* blocksOf(db: Db, range: IdRange, needs: Needs, limits: BlockLimits): Generator<Block> {
	const { kept, lastBlock } = stateOf(db);
	const packedTo = lastBlock.get()?.last ?? 0;
	if (range.last > packedTo) yield unpackedBlock(db, { first: Math.max(packedTo + 1, range.first), last: range.last });
	const keptFrom = packedTo - limits.kept * blockSize + 1;
	let last = Math.ceil(Math.min(range.last, packedTo) / blockSize) * blockSize;
	while (last >= range.first) {
		const inMemory = kept.get(last);
		const isNew = !inMemory && last >= keptFrom;
		const blocks = inMemory
			? [inMemory]
			: readBlocks(db, { first: range.first, last }, isNew ? everything : needs, limits);
		if (isNew) keep(kept, blocks, keptFrom);
		yield* blocks;
		last = (blocks.at(-1)?.first ?? 0) - 1;
	}
}

/** Keeps blocks in memory, and drops those that other ones have replaced. */
function keep(kept: Map<number, Block>, blocks: readonly Block[], keptFrom: number): void {
	for (const block of blocks) kept.set(block.last, block);
	for (const last of kept.keys()) if (last < keptFrom) kept.delete(last);
}

interface PackedBlock extends IdRange {
	kinds: Uint8Array | null;
	actorNames: Uint8Array | null;
	targetNames: Uint8Array | null;
	actorIds: Uint8Array | null;
	targetIds: Uint8Array | null;
}

/** Some of the blocks of a range, newest first, with the numbers that are needed. */
function readBlocks({ $client }: Db, { first, last }: IdRange, needs: Needs, { atOnce }: BlockLimits): Block[] {
	const { kinds, names, actorIds, targetIds } = needs;
	const column = (name: string, isNeeded: boolean) => (isNeeded ? name : 'null');
	const rows = $client
		.query<PackedBlock, [number, number, number]>(
			`select first, last,
				${column('kinds', kinds)} as kinds,
				${column('actor_names', names)} as actorNames,
				${column('target_names', names)} as targetNames,
				${column('actor_ids', actorIds)} as actorIds,
				${column('target_ids', targetIds)} as targetIds
			from history_blocks where last >= ? and last <= ? order by last desc limit ?`,
		)
		.all(first, last, atOnce);
	return rows.map(toBlock);
}

function toBlock(row: PackedBlock): Block {
	return {
		first: row.first,
		last: row.last,
		kinds: row.kinds,
		actorNames: integersIn(row.actorNames),
		targetNames: integersIn(row.targetNames),
		actorIds: integersIn(row.actorIds),
		targetIds: integersIn(row.targetIds),
	};
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

/** The records that are not packed yet. */
function unpackedBlock(db: Db, range: IdRange): Block {
	const rows = stateOf(db).unpacked.all(range.first, range.last);
	return {
		...range,
		kinds: Uint8Array.from(rows, ({ kind }) => kind),
		actorNames: Uint32Array.from(rows, ({ actorName }) => actorName),
		targetNames: Uint32Array.from(rows, ({ targetName }) => targetName),
		actorIds: Uint32Array.from(rows, ({ actorId }) => actorId),
		targetIds: Uint32Array.from(rows, ({ targetId }) => targetId),
	};
}
