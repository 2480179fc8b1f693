/** How Chinese is typed in pinyin. */
import { fold } from '../vocabulary/text-rule.ts';
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

/** What a list of things with names is searched for: `search` is typed by people, in place of a keyword. */
export interface Sought {
	keyword?: string | undefined;
	search?: string | undefined;
}

/**
 * Those of some things that have what is sought in one of their texts, in either case of ASCII letters, or with a part of their
 * name that begins as somebody typed it, in pinyin or initials.
 */
export function soughtIn<Thing extends { name: string }>(
	db: Db,
	things: readonly Thing[],
	textsOf: (thing: Thing) => readonly (string | null)[],
	{ keyword, search }: Sought,
): readonly Thing[] {
	const text = search ?? keyword;
	if (text === undefined) return things;
	const part = fold(text);
	const isTyped = search === undefined ? () => false : typedIn(db, search, things);
	// A line break between the texts: no keyword holds one, so none is found across two of them.
	return things.filter((thing) => fold(textsOf(thing).join('\n')).includes(part) || isTyped(thing));
}

function typedIn(db: Db, text: string, things: readonly { name: string }[]): (thing: { name: string }) => boolean {
	const letters = typedLetters(text);
	if (letters === undefined) return () => false;
	const readings = readingsIn(db, things.map(({ name }) => name).join(''));
	return ({ name }) => {
		// The table has the usual reading of 长, which is another one at the end of a title such as 店长.
		const title = name.toLowerCase().replace(/长$/, 'zhang');
		const syllables = Array.from(title, (each) => readings.get(each) ?? each).filter((each) => /[a-z0-9]/.test(each));
		const spellings = [syllables, syllables.map(([initial]) => initial)];
		const possible = spellings.filter((each) => each.join('').includes(letters));
		return possible.some((each) => each.some((_, start) => each.slice(start).join('').startsWith(letters)));
	};
}
