/** Looking a keyword up in the index of names (name-index.ts). */
import type { Db } from '../database/open.ts';
import { coveringParts, fold, tokenOf } from '../text-parts.ts';
import { blockSize, type Kind, longestPart, nameOfKind, tokenOfKind } from './name-index.ts';
import type { Range } from './streams.ts';

/** How a keyword is looked up. */
export interface NameLookup {
	/** The full-text query that finds every candidate. */
	match: string;
	/** Whether every candidate is a hit; else the names have to be looked at. */
	isExact: boolean;
	/** How many hits there are in each block that has any, where that is counted: by the number of the block. */
	blocks?: Map<number, number>;
}

/** How to look a keyword up among records of some kinds, or of any. */
export function nameLookup(db: Db, keyword: string, kinds?: readonly Kind[]): NameLookup {
	const parts = coveringParts(keyword, longestPart);
	const tokens = parts.map((part) =>
		kinds ? `(${kinds.map((kind) => tokenOfKind(part, kind)).join(' OR ')})` : tokenOf(part),
	);
	const length = Array.from(keyword).length;
	return {
		match: tokens.join(' AND '),
		isExact: length <= longestPart,
		...(length === 1 && { blocks: hitsInBlocks(db, fold(keyword), kinds) }),
	};
}

function hitsInBlocks({ $client }: Db, character: string, kinds?: readonly Kind[]): Map<number, number> {
	const wanted = kinds && new Set(kinds.map(nameOfKind));
	const rows = $client
		.query<{ block: number; kind: string; total: number }, [string]>(
			'select block, kind, total from history_character_counts where character = ?',
		)
		.all(character);
	const hits = new Map<number, number>();
	for (const { block, kind, total } of rows) {
		if (!wanted || wanted.has(kind)) hits.set(block, (hits.get(block) ?? 0) + total);
	}
	return hits;
}

/** How many indexed records of a range a full-text query finds, up to a limit: some thirty nanoseconds each. */
export function countMatches({ $client }: Db, match: string, { first, last }: Range, atMost = -1): number {
	if (first > last) return 0;
	const row = $client
		.query<{ total: number }, [string, number, number, number]>(
			`select count(*) as total from (
				select 1 from history_search where history_search match ? and rowid between ? and ? limit ?
			)`,
		)
		.get(match, first, last, atMost);
	return row?.total ?? 0;
}

/** The ids of some of the records of a range that a full-text query finds, newest first. */
export function newestMatches(
	{ $client }: Db,
	match: string,
	{ first, last }: Range,
	{ offset, limit }: { offset: number; limit: number },
): number[] {
	return $client
		.query<{ id: number }, [string, number, number, number, number]>(
			`select rowid as id from history_search where history_search match ? and rowid between ? and ?
			order by rowid desc limit ? offset ?`,
		)
		.all(match, first, last, limit, offset)
		.map(({ id }) => id);
}

/** A part of a range, and how many hits it has. */
export interface Stretch extends Range {
	hits: number;
}

/**
 * A range cut where the blocks end, newest first: so that a total is added up, and a deep page begins near its place. Only
 * what lies in a block that is not whole in the range has to be counted.
 */
export function stretchesOf(db: Db, { match, blocks }: NameLookup, range: Range): Stretch[] {
	const counted = (first: number, last: number): Stretch[] =>
		first > last ? [] : [{ first, last, hits: countMatches(db, match, { first, last }) }];
	const [firstWhole, afterWhole] = [Math.ceil(range.first / blockSize), Math.floor((range.last + 1) / blockSize)];
	if (!blocks || firstWhole >= afterWhole) return counted(range.first, range.last);
	const whole = Array.from(blocks)
		.filter(([block]) => block >= firstWhole && block < afterWhole)
		.sort(([one], [other]) => other - one)
		.map(([block, hits]) => ({ first: block * blockSize, last: (block + 1) * blockSize - 1, hits }));
	return [
		...counted(afterWhole * blockSize, range.last),
		...whole,
		...counted(range.first, firstWhole * blockSize - 1),
	];
}
