/** Mobile numbers of mainland China as people write them: with blanks, dashes, a country code, full-width digits. */

/** A phone as it is stored. */
const stored = /^1[3-9]\d{9}$/;

/** What people and programs put between digits; the last class is invisible marks that come along when a phone is copied. */
const separators = /[\s\p{Pd}\p{Ps}\p{Pe}−.·•\p{Cf}]/gu;

/** The eleven digits of a phone; undefined for a text that is no phone. */
export function readPhone(text: string): string | undefined {
	if (stored.test(text)) return text;
	const phone = plainDigits(text)?.replace(/^(?:\+|00)?86(?=\d{11}$)/, '');
	return phone !== undefined && stored.test(phone) ? phone : undefined;
}

/** What a search for a text should look for: the digits of a phone or a part of one, else the text as it is. */
export function phoneOrText(text: string): string {
	const part = readPhone(text) ?? plainDigits(text)?.replace(/^(?:\+|00)86/, '');
	// Shorter ones can be a part of a name, such as "3-2".
	return part !== undefined && /^\d{3,11}$/.test(part) ? part : text;
}

/** A phone as people read it: 138 0013 8000. */
export function showPhone(phone: string): string {
	return stored.test(phone) ? `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}` : phone;
}

/** A text of digits and what separates them, in ASCII and without separators; undefined for any other. */
function plainDigits(text: string): string | undefined {
	// A program that took the phone for a number writes 13800138000.0.
	const written = text.normalize('NFKC').trim().replace(/\.0$/, '');
	const plain = written.replace(separators, '');
	return /^\+?\d+$/.test(plain) ? plain : undefined;
}
