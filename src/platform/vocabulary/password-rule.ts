/** The rule of passwords: 8 to 128 characters, exactly as they are sent. */
import type { ReasonCode } from './reasons.ts';

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
	const { length } = Array.from(text);
	return text.isWellFormed() && length >= minLength && length <= maxLength;
}

/** The refusals of a password that is easy to guess. */
export const passwordAdvice = {
	common_password: '这个密码太常见，容易被猜到，请换一个',
	personal_password: '密码不要用手机号、姓名或品牌名称，请换一个',
} as const satisfies Partial<Record<ReasonCode, string>>;

/** A reason for which a password is easy to guess. */
export type Weakness = keyof typeof passwordAdvice;

/** Runs of digits, letters and keys. */
const runs =
	'01234567890 09876543210 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm qwertyuiopasdfghjklzxcvbnm 1qaz2wsx3edc4rfv';

/** The common beginnings and ends of weak passwords. A longer part stands before the parts that it contains. */
const commonParts =
	'123456789 12345678 1234567 123456 5201314 1314520 password passw0rd woaini iloveyou qwerty admin'.split(' ');

/**
 * Says why a password can be guessed without a list of passwords. Undefined when it cannot.
 * @param known the owner's phone and names
 */
export function findPattern(password: string, known: readonly string[]): Weakness | undefined {
	const text = foldPassword(password);
	const telling = known
		.map((each) => foldPassword(each).replace(/\s/g, ''))
		.filter((part) => /^.{4}|[^ -~].*[^ -~]/u.test(part));
	const joined = text.replace(/[\s._-]/g, '');
	const isJoined = telling.some((part) => joined.includes(part));
	if (isMadeOf(text, telling) || (isJoined && isMadeOf(joined, telling))) return 'personal_password';
	const isRun = runs.includes(text) || new Set(text).size < 4;
	const isBirthday = /^(19|20)\d{6}$/.test(text);
	return isRun || isBirthday || isMadeOf(text, commonParts) ? 'common_password' : undefined;
}

/** Whether one of the parts contains a text, or its rest without the parts is too short for a password. */
function isMadeOf(text: string, parts: readonly string[]): boolean {
	const left = parts.reduce((rest, part) => rest.replaceAll(part, ''), text);
	return left.length < minLength || parts.some((part) => part.includes(text));
}

function foldPassword(text: string): string {
	return text.normalize('NFKC').toLowerCase();
}
