/**
 * `bun run bench [PART] [--size N] [--against PROGRAM]`: loads the compiled program over loopback and prints one table for
 * each part and size. With `--against` another compiled program is measured in turn, and figures are held to their limits.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compiled, removeFolders } from '../program.ts';
import { changesPart } from './changes.ts';
import { cache } from './databases.ts';
import { historyPart } from './history.ts';
import { measure, type Part } from './measure.ts';
import { reachPart } from './reach.ts';
import { readsPart, startPart } from './reads.ts';
import { worstPart } from './worst.ts';

const parts: Readonly<Record<string, Part>> = {
	'--reads': readsPart,
	'--reach': reachPart,
	'--worst': worstPart,
	'--history': historyPart,
	'--changes': changesPart,
	'--start': startPart,
};

/** The parts with limits, which a comparison measures unless a part is given. */
const compared = ['--reads', '--worst', '--start'];

const flag = { type: 'boolean' } as const;
const flags = Object.fromEntries(Object.keys(parts).map((name) => [name.slice(2), flag]));
const options = { against: { type: 'string' }, size: { type: 'string' } } as const;
const { against, size, ...named } = parseArgs({ options: { ...flags, ...options } }).values;
const asked = Object.keys(named).map((name) => `--${name}`);
const byDefault = against === undefined ? Object.keys(parts) : compared;
const runs = (asked.length > 0 ? asked : byDefault).flatMap((name) => {
	const part = parts[name] as Part;
	return (size ? [Number(size)] : part.sizes).map((each) => [part, each] as const);
});
mkdirSync(cache, { recursive: true });
const [own = ''] = compiled();
const programs = [...(against === undefined ? [] : [['old', resolve(against)] as const]), ['new', own] as const];
const tables = [`${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`];
try {
	for (const [part, size] of runs) tables.push(await measure(part, size, programs));
} finally {
	await removeFolders();
}
writeFileSync(join(cache, 'results.md'), `${tables.join('\n\n')}\n`);
console.log(tables.join('\n\n'));
