/**
 * The parts of texts, for indexes that find a text by any part of it: every run of one to `longest` characters is one
 * token of a full-text index. SQLite's own trigram index finds nothing for one or two characters, and Chinese names
 * have two or three.
 */

/** ASCII letters match in either case, as SQLite's LIKE has it (decisions, "`keyword`"). */
export function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Every part of at most `longest` characters of some texts, folded, each once. */
export function partsOf(texts: readonly string[], longest: number): Set<string> {
	const parts = new Set<string>();
	for (const text of texts) {
		const characters = Array.from(fold(text));
		for (let length = 1; length <= longest; length += 1) {
			for (let start = 0; start + length <= characters.length; start += 1) {
				parts.add(characters.slice(start, start + length).join(''));
			}
		}
	}
	return parts;
}

/** A part as a token: letters and digits only, whatever it holds, for no character may mean anything to the tokenizer. */
export function tokenOf(part: string): string {
	return `p${Array.from(part, (character) => character.codePointAt(0)?.toString(16)).join('x')}`;
}

/**
 * As few parts as contain every character of a keyword: each one more costs a list to be read. A keyword of at most
 * `longest` characters is itself the only one, and what has it is a hit; else every hit has them all, and the text itself
 * has to be looked at.
 */
export function coveringParts(keyword: string, longest: number): string[] {
	const characters = Array.from(fold(keyword));
	if (characters.length <= longest) return [characters.join('')];
	const last = characters.length - longest;
	const starts = Array.from({ length: Math.ceil(last / longest) }, (_, index) => index * longest);
	return [...starts, last].map((start) => characters.slice(start, start + longest).join(''));
}
