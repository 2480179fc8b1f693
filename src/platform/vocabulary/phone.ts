/** Mobile numbers of mainland China as people write them: with blanks, dashes, a country code or full-width digits. */

/** The pattern of a stored phone. */
export const phonePattern = '1[3-9][0-9]{9}';

const stored = new RegExp(`^${phonePattern}$`);

/** The advice where a text is no phone. */
export const phoneAdvice = '请输入 11 位手机号';

/** Characters that people and programs put between digits. The last class is invisible marks of a copied phone. */
const separators = /[\s\p{Pd}\p{Ps}\p{Pe}−.·•\p{Cf}]/gu;

/** Reads the eleven digits of a phone. Undefined for a text that is no phone. */
export function readPhone(text: string): string | undefined {
	if (stored.test(text)) return text;
	const phone = plainDigits(text)?.replace(/^(?:\+|00)?86(?=\d{11}$)/, '');
	return phone !== undefined && stored.test(phone) ? phone : undefined;
}

/** The text to search for: the digits of a phone or a part of one, else the text unchanged. */
export function phoneOrText(text: string): string {
	const part = readPhone(text) ?? plainDigits(text)?.replace(/^(?:\+|00)86/, '');
	// Fewer digits can be a part of a name, such as "3-2".
	return part !== undefined && /^\d{3,11}$/.test(part) ? part : text;
}

/** Formats a phone for people: 138 0013 8000. */
export function showPhone(phone: string): string {
	return stored.test(phone) ? `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}` : phone;
}

/** The ASCII digits of a text of digits and separators. Undefined for any other text. */
function plainDigits(text: string): string | undefined {
	// A program that took the phone for a number writes 13800138000.0.
	const written = text.normalize('NFKC').trim().replace(/\.0$/, '');
	const plain = written.replace(separators, '');
	return /^\+?\d+$/.test(plain) ? plain : undefined;
}
