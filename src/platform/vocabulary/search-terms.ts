/** Finds things by their names, as people type them: a part of the text, pinyin or initials. */
import { fold } from './text-rule.ts';

/** The letters and digits of a text in pinyin or initials. Undefined for any other text. */
export function parseLetters(text: string): string | undefined {
	const letters = text
		.toLowerCase()
		.replaceAll('ü', 'v')
		.replaceAll(/[\s'’·-]/g, '');
	return /^(?=.*[a-z])[a-z0-9]+$/.test(letters) ? letters : undefined;
}

interface Named {
	name: string;
}

type ReadingsIn = (text: string) => ReadonlyMap<string, string>;

/** The search terms of a list. People type `search`, which replaces the keyword and may be pinyin. */
export interface SearchTerms {
	keyword?: string | undefined;
	search?: string | undefined;
}

/**
 * The things with the search term in one of their texts, in either case of ASCII letters, or with a name that has the
 * term as pinyin or initials.
 */
export function searchByName<Thing extends Named>(
	things: readonly Thing[],
	textsOf: (thing: Thing) => readonly (string | null)[],
	{ keyword, search }: SearchTerms,
	readingsIn: ReadingsIn,
): readonly Thing[] {
	const text = search ?? keyword;
	if (text === undefined) return things;
	const part = fold(text);
	const isTyped = search === undefined ? () => false : createMatcher(search, things, readingsIn);
	// A line break joins the texts. No keyword holds one, so none is found across two texts.
	return things.filter((thing) => fold(textsOf(thing).join('\n')).includes(part) || isTyped(thing));
}

function createMatcher(text: string, things: readonly Named[], readingsIn: ReadingsIn): (thing: Named) => boolean {
	const letters = parseLetters(text);
	if (letters === undefined) return () => false;
	const readings = readingsIn(things.map(({ name }) => name).join(''));
	return ({ name }) => {
		// The table has the usual reading of 长. At the end of a title such as 店长, the reading is zhang.
		const title = name.toLowerCase().replace(/长$/, 'zhang');
		const syllables = Array.from(title, (each) => readings.get(each) ?? each).filter((each) => /[a-z0-9]/.test(each));
		const spellings = [syllables, syllables.map(([initial]) => initial)];
		const possible = spellings.filter((each) => each.join('').includes(letters));
		return possible.some((each) => each.some((_, start) => each.slice(start).join('').startsWith(letters)));
	};
}
