import type { Context } from 'elysia';
import { addDays } from '../vocabulary/day.ts';

/** What the OpenAPI document says of a route: its name in clients, a summary and, where that is not all, a description. */
export function doc(operationId: string, summary: string, description?: string) {
	return { detail: { operationId, summary, ...(description !== undefined && { description }) } };
}

/** How many days a route stays after its end was announced: twelve months. */
const notice = 366;

/**
 * The same of a route that will go, from the day in UTC on which the changelog says so. The document marks it, and its answers say
 * since when (RFC 9745) and until when it stays at least (RFC 8594).
 */
export function deprecated(since: string, { detail }: ReturnType<typeof doc>) {
	const until = addDays(since, notice);
	const said = `Deprecated since ${since}; it stays until ${until} at least.`;
	const headers = { deprecation: `@${Date.parse(since) / 1000}`, sunset: new Date(until).toUTCString() };
	return {
		detail: { ...detail, deprecated: true, description: [said, detail.description].filter(Boolean).join(' ') },
		beforeHandle({ set }: Pick<Context, 'set'>): void {
			Object.assign(set.headers, headers);
		},
	};
}
