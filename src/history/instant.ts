/** Points in time as people write them: a date, or a time with its zone. */

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?';
const zone = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

/** What {@link readInstant} takes: `2026-11-21`, `2026-11-21T08:30Z`, `2026-11-21T16:30:00.5+08:00`. */
export const instantPattern = `^${date}(?:T${time}${zone})?$`;

/** Years of more than four digits are not in the order of their letters. */
const bounds = { first: Date.parse('0000-01-01T00:00:00.000Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };

const parts = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d)))?$/;

/**
 * The instant that a text names, as ISO 8601 in UTC with milliseconds; a date alone is its midnight in UTC. The 31st of a
 * shorter month is the day after its last. Undefined for anything that {@link instantPattern} does not match.
 */
export function readInstant(text: string): string | undefined {
	const found = new RegExp(instantPattern).test(text) ? parts.exec(text) : null;
	if (!found) return undefined;
	const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', sign, zoneHour, zoneMinute] = found;
	const at = new Date(0);
	at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
	at.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0')));
	const ahead = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * (sign === '-' ? -1 : 1);
	at.setTime(at.getTime() - ahead * 60_000);
	return new Date(Math.min(Math.max(at.getTime(), bounds.first), bounds.last)).toISOString();
}
