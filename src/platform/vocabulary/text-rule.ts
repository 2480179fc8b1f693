/** The rules of texts, and their stored form. */
import { because, type Reason } from './reasons.ts';

/** The rule of one field. */
export interface TextRule {
	/** The maximum number of characters (code points) in the stored text. */
	maximum: number;
	/** Whether the text may be blank. */
	mayBeBlank?: boolean;
	/** Whether the text needs a visible character, as names do. */
	mustBeVisible?: boolean;
	/** Whether invisible characters are refused, except within emoji, so that no two names look the same. */
	isUnmistakable?: boolean;
	/** Whether the text may have tabs and line breaks inside. */
	mayHaveLines?: boolean;
}

/** The stored and searched form of a text: trimmed and composed (NFC), so that texts that look the same are equal. */
export function clean(text: string): string {
	return text.trim().normalize('NFC');
}

/** The text with ASCII letters in lower case, because keywords match in either case, as in SQLite's LIKE. */
export function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Any character except blanks, controls, format characters, combining marks, and letters without a shape. */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

const hidden = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;

/** One emoji, which may consist of several joined ones, or be a key such as 1️⃣. */
const emoji =
	/\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*|[0-9#*]\uFE0F\u20E3/gu;

/** The maximum number of UTF-16 units that NFC composes to one character. */
const maxDecomposition = 4;

/** Whether a text from a client follows a rule. */
export function followsRule(text: string, rule: TextRule): boolean {
	return findBrokenRule(text, rule) === undefined;
}

/** The reason why a text from a client does not follow a rule. Undefined if it does. */
export function findBrokenRule(text: string, rule: TextRule, message = ''): Reason | undefined {
	const trimmed = text.trim();
	// Checked before composing and matching, which take seconds for 100,000 characters.
	const isLong = trimmed.length > rule.maximum * maxDecomposition;
	if (isLong || Array.from(trimmed.normalize('NFC')).length > rule.maximum) {
		return because('too_long', message, { limit: rule.maximum });
	}
	if (rule.mustBeVisible && trimmed !== '' && !visible.test(trimmed)) return because('blank', message);
	const isHidden = rule.isUnmistakable && hidden.test(trimmed.replaceAll(emoji, ''));
	if (isHidden) return because('hidden_character', message);
	// `trim` removes these two controls.
	if (new RegExp(patternOf(rule)).test(trimmed) && !/[\v\f]/.test(text)) return undefined;
	return because(visible.test(trimmed) ? 'control_character' : 'blank', message);
}

// A JSON Schema pattern can express a rule except for three parts: the length after composing, some invisible letters
// and marks, and that the joiner and the selector of emoji stand nowhere else. It means the same with and without the
// `u` flag. U+FFFE and U+FFFF are refused, because XML, and so a workbook, cannot hold them.
const pair = '[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]';
const refused = '\\u0000-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069\\uD800-\\uDFFF\\uFFFE\\uFFFF';
const oneLine = `(?:[^${refused}\\u2028\\u2029]|${pair})`;
const lines = `(?:[^${refused}]|[\\t\\n]|\\r\\n|${pair})`;
const notBlank = `(?:[^\\s${refused}]|${pair})`;
/** Invisible characters that no emoji needs. */
const unseen =
	'\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200C\\u200E\\u200F\\u2060-\\u206F\\u3164' +
	'\\uFE00-\\uFE0E\\uFEFF\\uFFA0\\uFFF0-\\uFFFB';
/** Characters that show nothing alone. Combining marks belong to letters. */
const invisible = `${unseen}\\u0300-\\u036F\\u200D\\u20D0-\\u20FF\\u2800\\uFE0F\\uFE20-\\uFE2F`;
const seen = `(?:[^\\s${refused}${invisible}]|${pair})`;
const toldApart = `(?:[^${refused}${unseen}\\u2028\\u2029]|${pair})`;
const blank = '[^\\S\\u000B\\u000C]*';

/** The pattern of a form with blanks around it. */
export function trimmedPattern(form: string): string {
	return `^${blank}${form}${blank}$`;
}

/** The pattern of a rule. */
export function patternOf({ mayBeBlank, mustBeVisible, isUnmistakable, mayHaveLines }: TextRule): string {
	const line = isUnmistakable ? toldApart : oneLine;
	const character = mayHaveLines ? lines : line;
	const text = mustBeVisible ? `${character}*${seen}${character}*` : `${notBlank}(?:${character}*${notBlank})?`;
	return trimmedPattern(mayBeBlank ? `(?:${text})?` : text);
}
