/** Days of the calendar, such as `2026-11-30`, and times in ISO 8601. */

const longMonth = '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])';
const shortMonth = '(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)';
const february = '02-(?:0[1-9]|1\\d|2[0-8])';
const leapYear = '(?:(?:19|2\\d)(?:0[48]|[2468][048]|[13579][26])|2[048]00)';

/** A day that exists, from 1900 to 2999. */
export const dayPattern = `^(?:(?:19|2\\d)\\d{2}-(?:${longMonth}|${shortMonth}|${february})|${leapYear}-02-29)$`;

/** The day of a time in the time zone of the machine. */
export function dayOf(time: Date | string): string {
	const at = new Date(time);
	return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Whether a last day lies before a day. Without a last day, nothing ends. */
export const isOver = (lastDay: string | null, today: string) => lastDay !== null && lastDay < today;

/** The time some seconds after another one, or before it for a negative number; both in ISO 8601. */
export function addSeconds(at: string, seconds: number): string {
	return new Date(Date.parse(at) + seconds * 1000).toISOString();
}

/** The seconds of a day. */
export const daySeconds = 24 * 60 * 60;

/** Adds days to a day. A negative number subtracts. */
export function addDays(day: string, days: number): string {
	return addSeconds(day, days * daySeconds).slice(0, 10);
}
