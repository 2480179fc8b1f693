/** Names of backups: purpose and time, as in `automatic-20261121T083000Z.db`. Sealed copies end with `.age`. */
import { daySeconds } from '../vocabulary/day.ts';

const form = /^([a-z-]+?)(?:-from-\d+)?-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-(\d+))?\.db(?:\.age)?$/;

/** The accepted difference between the clocks of two machines, in milliseconds. */
const tolerance = 10 * 60 * 1000;

export interface NamedBackup {
	name: string;
	/** `automatic`, `before-upgrade`, or another kind. */
	kind: string;
	at: Date;
}

/**
 * The backups among files, oldest first. Backups with a time in the future are listed separately and ignored: a clock
 * was ahead, or a stranger named them.
 */
export function sortBackups(names: readonly string[], now = new Date()) {
	// Sorted by name first, so that of two copies of one backup the sealed one counts as newer.
	const named = names.toSorted().flatMap(parseName);
	const backups = named.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.count - b.count);
	const { past = [], future = [] } = Object.groupBy(backups, ({ at }) =>
		at.getTime() > now.getTime() + tolerance ? 'future' : 'past',
	);
	return { past, future: future.map(({ name }) => name) };
}

function parseName(name: string): (NamedBackup & { count: number })[] {
	const [, kind = '', year, month, day, hour, minute, second, count = 1] = form.exec(name) ?? [];
	const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
	return Number.isNaN(at.getTime()) ? [] : [{ name, kind, at, count: Number(count) }];
}

/** Describes a problem of files in a place: names the first, and counts the others. Undefined without any. */
export function describeFiles([first, ...others]: readonly string[], place: string, problem: string) {
	const more = others.length > 0 ? ` and ${others.length} more` : '';
	return first && `${first}${more} in ${place}: ${problem}`;
}

/** Describes backups with a time in the future. */
export function futureProblem(names: readonly string[], place: string): string | undefined {
	const remedy = 'correct the clock, or remove the file';
	return describeFiles(names, place, `the time in the name is in the future, so it is ignored: ${remedy}`);
}

/** Describes a backup whose newest record is far from the time in its name: it may be another backup. */
export function ageProblem(name: string, newestRecord: string | null): string | undefined {
	const [named] = parseName(name);
	if (!named || newestRecord === null) return undefined;
	if (Math.abs(named.at.getTime() - Date.parse(newestRecord)) < daySeconds * 1000) return undefined;
	return `${name}: its newest record is from ${newestRecord}; make sure that it is not an older backup under a new name`;
}
