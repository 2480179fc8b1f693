/** How Chinese is typed in pinyin. */
import type { Db } from './open.ts';
import { among, queries } from './query.ts';
import { pinyin } from './schema.ts';

const read = queries(({ select }) => ({
	readings: select({ character: pinyin.character, reading: pinyin.reading })
		.from(pinyin)
		.where(among(pinyin.character, 'characters')),
}));

/** The usual reading of each character of some texts that has one. */
export function readingsIn(db: Db, texts: readonly string[]): ReadonlyMap<string, string> {
	const characters = JSON.stringify(Array.from(new Set(texts.join(''))));
	return new Map(
		read(db)
			.readings.all({ characters })
			.map(({ character, reading }) => [character, reading]),
	);
}
