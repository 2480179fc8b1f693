import { afterAll, afterEach, beforeAll } from 'bun:test';

/** Runs the tests of a file in a time zone, whatever the machine's is. A test may set `process.env.TZ` for itself. */
export function inZone(zone: string): void {
	// `bun test` without TZ is in UTC.
	const before = process.env.TZ ?? 'UTC';
	const enter = (name: string) => {
		process.env.TZ = name;
	};
	beforeAll(() => enter(zone));
	afterEach(() => enter(zone));
	afterAll(() => enter(before));
}
