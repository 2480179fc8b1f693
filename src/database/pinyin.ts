/** How Chinese is typed in pinyin. */
import type { Db } from './open.ts';
import { among, queries } from './query.ts';
import { pinyin } from './schema.ts';

const read = queries(({ select }) => ({
	readings: select({ character: pinyin.character, reading: pinyin.reading })
		.from(pinyin)
		.where(among(pinyin.character, 'characters')),
}));

/** The usual reading of each character of a text that has one. */
export function readingsIn(db: Db, text: string): ReadonlyMap<string, string> {
	const found = read(db).readings.all({ characters: JSON.stringify(Array.from(new Set(text))) });
	return new Map(found.map(({ character, reading }) => [character, reading]));
}

/** The letters and digits of a text that somebody typed in pinyin or initials; undefined for any other text. */
export function typedLetters(text: string): string | undefined {
	const letters = text
		.toLowerCase()
		.replaceAll('ü', 'v')
		.replaceAll(/[\s'’·-]/g, '');
	return /^(?=.*[a-z])[a-z0-9]+$/.test(letters) ? letters : undefined;
}

/** The ids of what has a part of its name that begins as somebody typed it, in pinyin or initials; for {@link among}. */
export function idsTyped(db: Db, text: string, named: readonly { id: number; name: string }[]): string {
	const letters = typedLetters(text);
	if (letters === undefined) return '[]';
	const readings = readingsIn(db, named.map(({ name }) => name).join(''));
	const found = named.filter(({ name }) => {
		// The table has the usual reading of 长, which is another one at the end of a title such as 店长.
		const title = name.toLowerCase().replace(/长$/, 'zhang');
		const syllables = Array.from(title, (each) => readings.get(each) ?? each).filter((each) => /[a-z0-9]/.test(each));
		const spellings = [syllables, syllables.map(([initial]) => initial)];
		const possible = spellings.filter((each) => each.join('').includes(letters));
		return possible.some((each) => each.some((_, start) => each.slice(start).join('').startsWith(letters)));
	});
	return JSON.stringify(found.map(({ id }) => id));
}
