/** Whether two texts differ by one typing mistake: a character that is missing, extra, wrong or in another place. */
function isClose(a: string, b: string): boolean {
	const shorter = Math.min(a.length, b.length);
	if (a.length + b.length > 2 * shorter + 1) return false;
	let start = 0;
	while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
	let end = 0;
	while (end < shorter - start && a.charCodeAt(a.length - end - 1) === b.charCodeAt(b.length - end - 1)) end += 1;
	const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
	return left.slice(1) === right.slice(0, -1) || left.slice(0, -1) === right.slice(1);
}

/** The maximum number of comparisons for one file: some 20 ms, while other requests wait. */
const maxCompared = 300_000;

/**
 * Returns a function that finds the one name that a text misspells by a single typing mistake. Texts of one or two
 * characters are close to too many names. In a large chain only the first texts get an answer.
 */
export function closeNameFinder(names: readonly string[]): (text: string) => string | undefined {
	const known = new Map<string, string | undefined>();
	return (text) =>
		known.getOrInsertComputed(text, () => {
			if (text.length < 3 || names.length * (known.size + 1) > maxCompared) return undefined;
			const [close, ...others] = names.filter((name) => isClose(text, name));
			return others.length === 0 ? close : undefined;
		});
}
