/** Names that are probably mistyped. */

/**
 * The known name that a mistyped name probably means. It has the same letters in another order or case. In a name of
 * seven characters or more, one character may be missing, wrong or extra. Short names are too similar: PORTS is not a
 * mistyped PORT. Two mistakes are too many for any name: SSL_CERT_FILE is OpenSSL's, and not a mistyped TLS_CERT_FILE.
 */
export function findIntended(written: string, known: readonly string[]): string | undefined {
	if (known.includes(written)) return undefined;
	const upper = written.toUpperCase();
	const near = new Set(withoutOne(upper));
	return known.find((name) => {
		return sorted(name) === sorted(upper) || (name.length >= 7 && withoutOne(name).some((text) => near.has(text)));
	});
}

const sorted = (text: string) => Array.from(text).toSorted().join('');

/** A text, and the same text without each of its characters. */
const withoutOne = (text: string) => [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
