/** Names that are probably mistyped. */

/**
 * The known name that another name probably stands for: it has the same letters in another order or case or, in a name of
 * seven characters or more, one character is missing, wrong or too many. A short name has too many foreign neighbours:
 * PORTS is not a mistyped PORT. Two mistakes are too many for any: SSL_CERT_FILE is OpenSSL's, and not TLS_CERT_FILE.
 */
export function meantName(written: string, known: readonly string[]): string | undefined {
	if (known.includes(written)) return undefined;
	const upper = written.toUpperCase();
	const near = new Set(withoutOne(upper));
	return known.find((name) => {
		return sorted(name) === sorted(upper) || (name.length >= 7 && withoutOne(name).some((text) => near.has(text)));
	});
}

const sorted = (text: string) => Array.from(text).toSorted().join('');

/** A text, and what it is without one of its characters. */
const withoutOne = (text: string) => [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
