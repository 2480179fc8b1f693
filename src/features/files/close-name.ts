/** A text, and the same without each of its characters in turn. */
function formsOf(text: string): string[] {
	const characters = Array.from(text);
	return [text, ...characters.map((_, index) => characters.toSpliced(index, 1).join(''))];
}

function groupByForm(names: readonly string[]): Map<string, Set<string>> {
	const groups = new Map<string, Set<string>>();
	for (const name of names) {
		for (const form of formsOf(name)) groups.getOrInsertComputed(form, () => new Set()).add(name);
	}
	return groups;
}

/**
 * Finds the one name that a text means by its mistake: a character is missing, too many, another one or elsewhere. Texts
 * of one or two characters are close to too many names.
 */
export function closeNameFinder(names: readonly string[]): (text: string) => string | undefined {
	let namesByForm: Map<string, Set<string>> | undefined;
	return (text) => {
		if (text.length < 3 || text.length > 100) return undefined;
		namesByForm ??= groupByForm(names);
		const close = new Set<string>();
		for (const form of formsOf(text)) {
			for (const name of namesByForm.get(form) ?? []) if (close.add(name).size > 1) return undefined;
		}
		return close.values().next().value;
	};
}
