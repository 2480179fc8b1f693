import { addDays, addSeconds, dayOf as calendarDayOf, dayPattern } from '../../platform/vocabulary/day.ts';
import type { Search } from './search.ts';

/** A day in the address, such as `2026-11-21`. */
export function dayIn(search: Search, name: string): string | undefined {
	const day = search.get(name);
	return day && new RegExp(dayPattern).test(day) ? day : undefined;
}

/** The day of a timestamp of the service, in the time zone of the browser. */
export const dayOf = (at: string): string => calendarDayOf(new Date(at));

/** Today, or the day some days before, in the time zone of the browser: for the days of timestamps. */
export const todayHere = (before = 0): string => addDays(calendarDayOf(new Date()), -before);

/** The minutes by which the service's time zone is ahead of UTC. */
const offset = Number(document.querySelector<HTMLMetaElement>('meta[name="utc-offset"]')?.content ?? 0);

/** Today, or the day some days before, in the time zone of the service, in which last days end. */
export const today = (before = 0): string => addDays(addSeconds(new Date().toISOString(), offset * 60), -before);
