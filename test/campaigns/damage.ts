/** Ways in which a database file can be damaged, or be another one. */
import type { Chance } from './chance.ts';

/** A damage: its name, and what it makes of a file. */
export interface Damage {
	name: string;
	/**
	 * When the start must detect it. `without a log`: pages in a log replace those in the file, so the damage may not be
	 * visible with one. `with a log`: an empty file alone is a new database, but has no log. `not always`: the damage may
	 * hit only the content of a row.
	 */
	seen: 'without a log' | 'with a log' | 'not always';
	apply(file: Buffer, chance: Chance): Buffer;
}

const pageSize = 4096;
const headerSize = 100;

/** Random damages; what always looks the same is in backups.test.ts. */
export const damages: readonly Damage[] = [
	{
		name: 'bytes changed in a page',
		seen: 'not always',
		apply: (file, chance) => changeBytes(file, pageSize, file.length, chance),
	},
	{
		name: 'bytes changed in the header',
		seen: 'not always',
		apply: (file, chance) => changeBytes(file, 0, headerSize, chance),
	},
	{
		name: 'page of zeros',
		seen: 'not always',
		apply: (file, { below }) => Buffer.from(file).fill(0, ...pageOf(below(file.length / pageSize))),
	},
	{
		name: 'truncated',
		seen: 'without a log',
		apply: (file, { below }) => file.subarray(0, 2 + below(file.length - pageSize)),
	},
	// SQLite would take it for a new database and delete the log beside it.
	{ name: 'emptied', seen: 'with a log', apply: () => Buffer.alloc(0) },
];

function changeBytes(file: Buffer, from: number, to: number, { below }: Chance): Buffer {
	const damaged = Buffer.from(file);
	const start = from + below(to - from);
	const end = Math.min(to, start + 1 + below(64));
	for (let at = start; at < end; at += 1) damaged[at] = (damaged[at] ?? 0) ^ (1 + below(255));
	return damaged;
}

function pageOf(number: number): [from: number, to: number] {
	return [pageSize * number, pageSize * (number + 1)];
}
