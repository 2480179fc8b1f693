import fc from 'fast-check';

/** How many code points are reserved for surrogates, which stand for no character, and the first of them. */
const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the unit of a text. The same as `binary` of fast-check, which needs a second to make a table
 * of all of them. The way back lets fast-check put `__proto__` and the like into texts.
 */
export const character = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
	(index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
	(text) => {
		const code = String(text).codePointAt(0) ?? surrogates.first;
		const isCharacter = String.fromCodePoint(code) === text && !/\p{Surrogate}/u.test(text);
		if (!isCharacter) throw new Error(`${text} is not one character`);
		return code < surrogates.first ? code : code - surrogates.count;
	},
);
