import { addDays, addSeconds, dayOf as calendarDayOf } from '../../platform/vocabulary/day.ts';
import { settingOf } from '../api/base.ts';

/** The day of a timestamp of the service, in the time zone of the browser. */
export const dayOf = (at: string): string => calendarDayOf(new Date(at));

/** Today, or the day some days before, in the time zone of the browser: for the days of timestamps. */
export const todayHere = (before = 0): string => addDays(calendarDayOf(new Date()), -before);

/** The minutes by which the service's time zone is ahead of UTC. */
const offset = Number(settingOf('utc-offset') ?? 0);

/** Today, or the day some days before, in the time zone of the service, in which last days end. */
export const today = (before = 0): string => addDays(addSeconds(new Date().toISOString(), offset * 60), -before);
