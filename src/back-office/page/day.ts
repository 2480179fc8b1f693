import type { Search } from './search.ts';

/** A day in the address, such as `2026-11-21`. */
export function dayIn(search: Search, name: string): string | undefined {
	const day = search.get(name);
	return day && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

// The Swedish format is ISO 8601.
const isoDay = new Intl.DateTimeFormat('sv-SE');

/** The day of a timestamp of the service, in the time zone of the browser. */
export function dayOf(at: string): string {
	return isoDay.format(new Date(at));
}

/** Today, or the day so many days before, in the time zone of the browser. */
export function today(before = 0): string {
	const date = new Date();
	date.setDate(date.getDate() - before);
	return isoDay.format(date);
}
