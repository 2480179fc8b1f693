/** What a list is found by, as the full-text table understands it; expressions are joined by AND and NOT. */
import { fold } from '../vocabulary/text-rule.ts';

/** What no text contains begins a property and stands for a space, which would end a token. */
const marks = { property: '\u0080', space: '\u0081' };

/** The rows that have a property, such as role 3: `propertyOf('r', 3)`. */
export function propertyOf(kind: string, value: string | number): string {
	return quoted(`${marks.property}${kind}${value}`);
}

/** The rows that have a value of a property that begins with a text. */
export function propertyBeginning(kind: string, start: string): string {
	return `${propertyOf(kind, start)} *`;
}

/** The rows that have any value of a property. */
export function anyPropertyOf(kind: string): string {
	return propertyBeginning(kind, '');
}

/** No row. */
const nothing = propertyOf('', '');

/**
 * The rows with a smaller value of a property than this one; all values have the same length. They are those that are equal up to
 * some digit, which is smaller.
 */
export function smallerPropertyThan(kind: string, value: string): string {
	const smaller = Array.from(value, (character, index) => {
		const digits = Array.from({ length: Number(character) || 0 }, (_, digit) => value.slice(0, index) + digit);
		const isWhole = index === value.length - 1;
		return digits.map((start) => (isWhole ? propertyOf(kind, start) : `${propertyOf(kind, start)} *`));
	}).flat();
	return anyOf(smaller);
}

/** The rows that any of some expressions finds. */
export function anyOf(expressions: readonly string[]): string {
	return expressions.length === 0 ? nothing : `(${expressions.join(' OR ')})`;
}

/** The same expression for the rows whose tokens all have a mark in front. */
export function marked(mark: string, expression: string): string {
	return expression.replaceAll(/"((?:[^"]|"")*)"/g, (_, token) => `"${marks.property}${mark}${token}"`);
}

/** The rows with a text that contains a keyword, in either case of ASCII letters. */
export function containing(keyword: string): string {
	return `${quoted(fold(keyword).replaceAll(' ', marks.space))} *`;
}

function quoted(token: string): string {
	return `"${token.replaceAll('"', '""')}"`;
}
