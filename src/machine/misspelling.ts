/** Names that are probably mistyped. */

/**
 * The known name that another name probably stands for: it differs in case only, two neighbours are swapped, or, in a name
 * of seven characters or more, one character is missing, wrong or too many. A short name has too many foreign neighbours:
 * PORTS is not a mistyped PORT. Two mistakes are too many for any: SSL_CERT_FILE is OpenSSL's, and not TLS_CERT_FILE.
 */
export function meantName(written: string, known: readonly string[]): string | undefined {
	if (known.includes(written)) return undefined;
	const upper = written.toUpperCase();
	return known.find((name) => {
		const [left, right] = difference(upper, name);
		const isSwapped = left.length === 2 && left === [...right].reverse().join('');
		const mistakes = Math.max(left.length, right.length);
		return mistakes === 0 || isSwapped || (mistakes === 1 && name.length >= 7);
	});
}

/** What is left of two texts without what they begin and end with in common. */
function difference(a: string, b: string): [string, string] {
	const shorter = Math.min(a.length, b.length);
	let start = 0;
	while (start < shorter && a[start] === b[start]) start += 1;
	let end = 0;
	while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
	return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
