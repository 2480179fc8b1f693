/** What a password can be: 8 to 128 characters, exactly as they are sent (specification, section 8). */

/** As a JSON Schema pattern. It counts characters, not UTF-16 units, and takes any but a lone surrogate. */
export const passwordPattern = '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]){8,128}$';

/** Whether a text can be a password. */
export function isPassword(text: string): boolean {
	return new RegExp(passwordPattern).test(text);
}
