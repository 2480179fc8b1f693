// The Swedish format is ISO 8601, as usual in Chinese back offices: 2026-11-21 16:30.
const dateTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
const exactTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** A timestamp of the service as a text, in the time zone of the browser. */
export function showTime(at: string, exact = false): string {
	return (exact ? exactTime : dateTime).format(new Date(at));
}

/** The same, shortened: `16:30` for today, `11-21 16:30` for this year. */
export function showShortTime(at: string): string {
	const today = showTime(new Date().toISOString());
	return showTime(at).replace(today.slice(0, 11), '').replace(today.slice(0, 5), '');
}
