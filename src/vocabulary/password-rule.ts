/** What a password can be: 8 to 128 characters, exactly as they are sent. */

const minLength = 8;
const maxLength = 128;

/** As JSON Schema: lengths count characters, and lone surrogates are refused. */
export const passwordSchema = {
	minLength,
	maxLength,
	pattern: '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$',
};

/** Whether a text can be a password. */
export function isPassword(text: string): boolean {
	// A character takes at most two UTF-16 units: a text that is too long is not taken apart.
	if (!text.isWellFormed() || text.length > 2 * maxLength) return false;
	const { length } = Array.from(text);
	return length >= minLength && length <= maxLength;
}
