/**
 * The parts of names and phones, for an index that finds a text by any part of it. Each part is one token of a full-text
 * index: one to three characters, and up to five digits, because phones from one number block share their first digits.
 * SQLite's own trigram index finds nothing for one or two characters, and Chinese names have two or three.
 */
import { fold } from '../text-rule.ts';

const longestPart = 3;
const longestNumber = 5;

/** Every part of some texts, folded, each once. */
export function partsOf(texts: readonly string[]): Set<string> {
	const parts = new Set<string>();
	for (const text of texts) {
		const characters = Array.from(fold(text));
		for (let start = 0; start < characters.length; start += 1) {
			let part = '';
			for (const character of characters.slice(start, start + longestNumber)) {
				part += character;
				if (!isPart(part)) break;
				parts.add(part);
			}
		}
	}
	return parts;
}

/** Whether a text is so short that it is one of the parts that {@link partsOf} finds. */
export function isPart(text: string): boolean {
	// A surrogate pair is one character of two units.
	if (text.length <= longestPart) return true;
	return isNumber(text) ? text.length <= longestNumber : Array.from(text).length <= longestPart;
}

/** A part as a token of letters and digits, so that no character in it means anything to the tokenizer. */
export function tokenOf(part: string): string {
	if (isNumber(part)) return `n${part}`;
	return `p${Array.from(part, (character) => character.codePointAt(0)?.toString(16)).join('x')}`;
}

/**
 * As few parts as contain every character of a keyword, because each costs a list to be read. A keyword that is a part
 * is the only one, and every text with that part matches; a longer keyword has to be checked in the text itself.
 */
export function coveringParts(keyword: string): string[] {
	const characters = Array.from(fold(keyword));
	const longest = isNumber(keyword) ? longestNumber : longestPart;
	if (characters.length <= longest) return [characters.join('')];
	const last = characters.length - longest;
	const starts = Array.from({ length: Math.ceil(last / longest) }, (_, index) => index * longest);
	return [...starts, last].map((start) => characters.slice(start, start + longest).join(''));
}

function isNumber(text: string): boolean {
	return /^[0-9]+$/.test(text);
}
