/** The letters and digits of a name, with Chinese characters in pinyin: `领班2` is `ling_ban2`; empty without a letter. */
export function codeFrom(name: string, readings: ReadonlyMap<string, string>): string {
	const words = Array.from(name, (character) => {
		const reading = readings.get(character);
		return reading ? `_${reading}_` : character.toLowerCase();
	});
	const code = words
		.join('')
		.replaceAll(/[^a-z0-9]+/g, '_')
		.replace(/^[0-9_]+/, '');
	return code.slice(0, maxLength).replace(/_$/, '');
}

/** Leaves room for a number: the code of a role has at most 50 characters. */
const maxLength = 45;
