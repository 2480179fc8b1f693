/** The tests that a machine cannot run, because a tool is missing. */
import { appendFileSync } from 'node:fs';

/** Reports a skipped test and the reason, in the last line of `bun run test`, or at once if a file runs alone. */
export function noteUntested(what: string, why: string): void {
	const { UNTESTED_FILE } = process.env;
	if (UNTESTED_FILE === undefined) console.warn(lastLine([noteOf(what, why)]));
	else appendFileSync(UNTESTED_FILE, `${noteOf(what, why)}\n`);
}

const noteOf = (what: string, why: string): string => `${what} (${why})`;

/** The line about all skipped tests. */
export function lastLine(notes: readonly string[]): string {
	return `not tested here: ${notes.join('; ')}`;
}
