/** How Chinese characters are read. */
import type { Db } from './open.ts';
import { inJsonArray, queries } from './query.ts';
import { pinyin } from './schema.ts';

const read = queries(({ select }) => ({
	readings: select({ character: pinyin.character, reading: pinyin.reading })
		.from(pinyin)
		.where(inJsonArray(pinyin.character, 'characters')),
}));

/** Returns the function that finds the usual reading of each character of a text that has one. */
export function readingsOf(db: Db) {
	return (text: string): ReadonlyMap<string, string> => {
		const found = read(db).readings.all({ characters: JSON.stringify(Array.from(new Set(text))) });
		return new Map(found.map(({ character, reading }) => [character, reading]));
	};
}
